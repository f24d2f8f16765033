"""A text as statements, and what a writer is shown of them."""

from wavegraph.graph.answer.statements import Catalogue, Statement, in_sentences


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
