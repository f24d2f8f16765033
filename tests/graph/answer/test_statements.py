"""A catalogue without some of its statements, and a text as statements."""

from wavegraph.graph.answer.gate import Gate
from wavegraph.graph.answer.statements import Catalogue, Duty, Statement, in_sentences

TOLD = Catalogue(
    [
        Statement(id="night", text="Saturday"),
        Statement(id="bed", text="bed, 350 NIS", under="night", after="dogs"),
        Statement(id="bed.kind", text="wide bed", line="bed", needs=["bed.price"]),
        Statement(id="bed.price", text="350 NIS", line="bed", needs=["bed.kind"]),
        Statement(id="dogs", text="Dogs sleep outside."),
    ],
    frozenset(),
    [Duty(["bed"], ["bed"]), Duty(["dogs"], ["dogs"])],
)


def test_nothing_taken_away_changes_nothing() -> None:
    assert TOLD.without([]) is TOLD


def test_with_a_line_go_its_parts_and_its_duty() -> None:
    left = TOLD.without(["bed"])
    assert list(left.by_id) == ["night", "dogs"]
    assert [list(duty.any_of) for duty in left.duties] == [["dogs"]]


def test_with_one_part_goes_the_other_that_needs_it() -> None:
    assert list(TOLD.without(["bed.price"]).by_id) == ["night", "bed", "dogs"]


def test_what_followed_a_statement_that_is_gone_is_told_without_it() -> None:
    gate = Gate(TOLD.without(["night", "dogs"]))
    assert gate.owed() == "bed, 350 NIS"


def test_a_duty_keeps_what_is_left_of_it() -> None:
    either = Catalogue(TOLD.statements, frozenset(), [Duty(["bed", "dogs"], ["bed", "dogs"])])
    assert Gate(either.without(["bed"])).owed() == "Dogs sleep outside."


def test_a_text_is_told_sentence_by_sentence() -> None:
    made = in_sentences(
        Statement(id="pool", text="Warm. Open all year! Till 20.30.", about="pool"), alone="Pool: Warm."
    )
    assert [(each.id, each.text, each.after) for each in made] == [
        ("pool.1", "Warm.", ""),
        ("pool.2", "Open all year!", "pool.1"),
        ("pool.3", "Till 20.30.", "pool.2"),
    ]
    assert [each.own_line for each in made] == ["Pool: Warm.", "Open all year!", "Till 20.30."]


def test_a_text_without_words_is_no_statement() -> None:
    assert in_sentences(Statement(id="pool", text=" ")) == []


def test_a_writer_is_shown_what_is_not_hidden() -> None:
    told = Catalogue([Statement(id="a", text="A"), Statement(id="b", text="B", hidden=True)], frozenset())
    assert told.shown() == {"a": "A"}
