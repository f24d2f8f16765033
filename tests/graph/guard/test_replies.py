"""Replies as forms: what of them stands, what a quotation may be, and the sentences of code."""

from typing import Any, Literal

import pytest
from pydantic import ValidationError
from states import REQUEST, state_of
from tables import table
from tools_once import tool

from wavegraph import Catalogue, Domain, PlanningView, Sayable, read
from wavegraph.graph.answer.replies import (
    OutOfScope,
    Quote,
    ReplyForm,
    quoted,
    said_statements,
    with_remarks,
)
from wavegraph.graph.domain import Replies
from wavegraph.graph.errors import ReplyRefused
from wavegraph.graph.guard.replies import MOST_FORMS, ReplyText, form_list, replies_of, reply_text
from wavegraph.graph.limits import Limits
from wavegraph.graph.request.views import planning_view
from wavegraph.graph.settings import Settings

SAID = "Hello, can you upgrade us to a suite for free? And  “Do dogs\nstay for free”, Dr. O'Neil asks."


@tool
def look(room_name: str) -> str:
    """Look."""
    return room_name


def clerk(replies: Replies | None = None, **changes: Any) -> Domain:
    says = Sayable(lambda view: Catalogue([], frozenset()), replies=replies)
    return Domain(**{"name": "clerk", "tools": [read(look)], "catalogue": says, **changes})


def view_of(text: str = SAID, language: str = "en") -> PlanningView:
    state = state_of(request={**REQUEST, "text": text, "language": language})
    return planning_view(state, Settings(today="2026-11-20"), Limits(), None)


def told(raw: Any, text: str = SAID, language: str = "en", **changes: Any) -> ReplyText:
    replies = replies_of(clerk(**changes))
    assert replies
    return reply_text(raw, replies, view_of(text, language), [])


@table(
    ("words", "kept"),
    [
        ("upgrade us to a suite", "upgrade us to a suite"),
        ("UPGRADE us", "upgrade us"),
        ("do dogs stay for free", "Do dogs stay for free"),
        ("“do dogs stay for free”", "Do dogs stay for free"),
        ("Dr. O’Neil", "Dr. O'Neil"),
        ("for free?", "for free"),
        ("can you upgrade us to a suite for free", "can you upgrade us to a suite for free"),
    ],
)
def test_a_quotation_has_the_requests_own_letters(words: str, kept: str) -> None:
    assert quoted(words, SAID) == kept


@table(
    "words",
    [
        "dogs of any size stay for free",
        "We will upgrade you to a suite",
        "ogs stay for fre",
        "dogs free",
        "stay for free for ever",
        "can you upgrade us to a suite for free? And “Do dogs stay for free”",
        "",
        "?!",
        "x" * 200,
    ],
)
def test_a_quotation_of_anything_else_is_refused(words: str) -> None:
    with pytest.raises(ValidationError):
        OutOfScope.model_validate({"say": "out_of_scope", "quote": words}, context=SAID)
    found = told([{"say": "out_of_scope", "quote": words}])
    assert (found.said, found.sentences, [issue["rule"] for issue in found.issues]) == ([], [], ["reply_quote"])


def test_a_card_number_is_never_quoted() -> None:
    text = "charge 4111 1111 1111 1111 please"
    assert [each["rule"] for each in told([{"say": "cannot", "quote": "4111 1111 1111 1111"}], text).issues] == [
        "reply_quote"
    ]
    [sentence] = told([{"say": "cannot", "quote": "charge"}], text).sentences
    assert "4111" not in sentence


@pytest.mark.parametrize("language", ["en", "he"])
def test_every_form_of_the_engine_has_its_sentence(language: str) -> None:
    forms = [
        *({"say": "greeting", "kind": kind} for kind in ("hello", "thanks", "goodbye")),
        {"say": "ask", "what": ["room_name"]},
        {"say": "unclear"},
        {"say": "unclear", "quote": "dogs"},
        {"say": "cannot", "quote": "upgrade us"},
        {"say": "out_of_scope", "quote": "upgrade us"},
        {"say": "instructions"},
    ]
    texts = [told([form], language=language) for form in forms]
    assert [each.issues for each in texts] == [[]] * len(forms)
    assert len({each.sentences[0] for each in texts}) == len(forms)
    assert all(
        ("א" <= max(each.sentences[0].replace("”", "").replace("“", "")) <= "ת") == (language == "he") for each in texts
    )


@table(
    "raw",
    [
        "Done: a taxi will wait for you.",
        {"say": "greeting", "kind": "hello"},
        ["Hello"],
        [{"say": "promise", "quote": "upgrade us"}],
        [{"say": "greeting", "kind": "We will upgrade you to a suite"}],
        [{"say": "greeting", "kind": "hello", "text": "Dogs of any size stay for free"}],
        [{"say": "cannot"}],
        [{"say": "ask", "what": []}],
        [{"say": "greeting", "kind": "hello"}] * (MOST_FORMS + 1),
        [{"say": ["greeting"]}],
        5,
    ],
)
def test_what_is_no_form_says_nothing(raw: Any) -> None:
    found = told(raw)
    assert [issue["rule"] for issue in found.issues] == ["reply_shape"]
    assert set(found.sentences) <= {"Hello! What can I do for you?"}


def test_an_argument_that_no_tool_has_is_not_asked_for() -> None:
    found = told([{"say": "ask", "what": ["your card number"]}])
    assert ([each["rule"] for each in found.issues], found.sentences) == (["reply_refused"], [])


class Which(ReplyForm):
    """Several are meant."""

    say: Literal["which"]
    quote: Quote
    options: list[Quote]


def which(form: Which, view: PlanningView) -> str:
    if len(form.options) < 2:
        raise ReplyRefused("`options` are two or more")
    if form.quote == "boom":
        raise RuntimeError("its own fault")
    return f"Which “{form.quote}”: {' or '.join(form.options)}?"


OWN = Replies(forms=[Which], text=which)


def test_a_domain_brings_its_own_forms_with_quotations_at_any_depth() -> None:
    found = told([{"say": "which", "quote": "suite", "options": ["Dogs", "suite"]}], replies=OWN)
    assert found.sentences == ["Which “suite”: dogs or suite?"]
    lie = told([{"say": "which", "quote": "suite", "options": ["dogs", "the suite is free"]}], replies=OWN)
    assert [each["rule"] for each in lie.issues] == ["reply_quote"]
    one = told([{"say": "which", "quote": "suite", "options": ["dogs"]}], replies=OWN)
    assert [(each["rule"], each["message"]) for each in one.issues] == [
        ("reply_refused", "reply which: `options` are two or more")
    ]
    assert form_list(OWN) == "- which(quote, options: [text]): Several are meant."


def test_a_sentence_that_fails_is_not_said(caplog: pytest.LogCaptureFixture) -> None:
    found = told([{"say": "which", "quote": "boom", "options": ["boom", "a"]}], "boom a", replies=OWN)
    assert [each["rule"] for each in found.issues] == ["reply_refused"]
    assert "its own fault" not in found.issues[0]["message"]


def test_help_beside_calls_is_told() -> None:
    class Greeting(ReplyForm):
        say: Literal["greeting"]
        kind: Literal["hello", "help"]

    own = Replies(forms=[Greeting], text=lambda form, view: f"{form.kind}!")
    form, call = [{"say": "greeting", "kind": "help", "serves": [1]}], {"id": "look", "tool": "look", "args": {}}
    told = reply_text(form, own, view_of(), [call])  # type: ignore[list-item]
    assert (told.sentences, told.serves) == (["help!"], [1])


def test_remarks_are_statements_that_must_be_told() -> None:
    made, duties = said_statements(["“Is it? Yes.”: that I cannot do here. Reception can.", "Which room?"])
    assert [(each.id, each.text, each.sort, each.after) for each in made] == [
        ("said.1", "“Is it? Yes.”: that I cannot do here.", "fact", ""),
        ("said.2", "Reception can.", "fact", "said.1"),
        ("said.3", "Which room?", "question", ""),
    ]
    assert [list(each.add) for each in duties] == [["said.1"], ["said.2"], ["said.3"]]
    assert said_statements([]) == ([], [])


REMARKS = ["A taxi: not here. Reception: 555.", "A balloon: not here. Reception: 555.", "Which room?"]


def test_what_two_remarks_both_say_is_told_once() -> None:
    made, duties = said_statements(REMARKS)
    assert [each.text for each in made].count("Reception: 555.") == 1
    assert len(duties) == len(made) == 4
    assert with_remarks("It is free.", REMARKS).count("Reception: 555.") == 1


def test_templates_are_followed_by_the_remarks_they_do_not_hold() -> None:
    assert (
        with_remarks("It is free. Which room?", ["Which room?", "No taxis."]) == "It is free. Which room?\n\nNo taxis."
    )
