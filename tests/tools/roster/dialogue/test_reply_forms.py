"""What a model may say to a ward's manager without a look-up: the forms, their sentences, and what nothing bears out."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import pytest
from roster_views import entry, ledger_of
from states import REQUEST, state_of

from wavegraph import PlanningView
from wavegraph.graph.guard.replies import form_list, replies_of, reply_text
from wavegraph.graph.limits import Limits
from wavegraph.graph.request.views import planning_view
from wavegraph.tools.roster.answers.phrases import TABLES
from wavegraph.tools.roster.dialogue.cannot import CANNOT, Thing
from wavegraph.tools.roster.dialogue.reply_forms import Missing
from wavegraph.tools.roster.domain import roster_domain
from wavegraph.tools.roster.settings import RosterSettings

ENGLISH = "Zoe and Ines need a few days off from 31 November; tell Bob, and hire more nurses"
HEBREW = "זואי צריכה כמה ימי חופש; נא להודיע לבוב"
FILE = Path(__file__).parents[3] / "data/roster_cannot.txt"
LANGUAGES = {"en": (ENGLISH, "a few days off"), "he": (HEBREW, "כמה ימי חופש")}
REFUSED = entry(
    "apply_requests", "apply_requests", {}, 1, status="error",
    error={"code": "unknown_nurse", "message": "'Zoe' is no nurse of this ward: n1 Diana, n2 Ivan", "retryable": False},
)  # fmt: skip


def view_of(text: str) -> PlanningView:
    language = "he" if text == HEBREW else "en"
    state = state_of(request={**REQUEST, "text": text, "language": language})
    view = planning_view(state, RosterSettings(today="2026-11-20"), Limits(), None)
    return replace(view, ledger=ledger_of(REFUSED))


@pytest.fixture(scope="module")
def replies(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return replies_of(roster_domain(tmp_path_factory.mktemp("rosters")))


def said(replies: Any, *forms: Any, text: str = ENGLISH) -> str:
    found = reply_text(list(forms), replies, view_of(text), [])
    assert found.issues == []
    return " ".join(found.sentences)


WORDINGS = [line.split(": ", 1) for line in FILE.read_text("utf-8").splitlines() if not line.startswith("#")]


@pytest.mark.parametrize(("thing", "text"), [each for each in WORDINGS if each[0] != "none"])
def test_who_asks_for_what_cannot_be_done_is_told_so(thing: Thing, text: str, replies: Any) -> None:
    quote = text.rstrip("?")
    answer = said(replies, {"say": "cannot", "thing": thing, "quote": quote}, text=text)
    assert answer.startswith(f"“{quote}”: ")
    assert "{" not in answer


@pytest.mark.parametrize("thing", CANNOT)
def test_who_asks_for_something_else_is_not_told_so(thing: Thing, replies: Any) -> None:
    others = [text for each, text in WORDINGS if each == "none"]
    form = {"say": "cannot", "thing": thing}
    told = [
        text
        for text in others
        if not reply_text([{**form, "quote": text.rstrip("?")}], replies, view_of(text), []).issues
    ]  # type: ignore[arg-type]
    assert len(told) <= 1, told


@pytest.mark.parametrize(
    ("text", "quote", "pays"), [(ENGLISH, "tell Bob", "pay nobody"), (HEBREW, "נא להודיע", "משולם")]
)
def test_what_is_neither_sent_nor_paid_is_said_so(text: str, quote: str, pays: str, replies: Any) -> None:
    assert "paid" in CANNOT["tell_people"].when
    assert pays in said(replies, {"say": "cannot", "thing": "tell_people", "quote": quote}, text=text)


def test_the_prompt_reads_the_same_list(replies: Any) -> None:
    assert [thing for thing in CANNOT if f"`{thing}` (" not in form_list(replies)] == []
    assert set(get_args(Thing)) == set(CANNOT)
    assert all(limit.phrase in TABLES["en"] for limit in CANNOT.values())


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("what", get_args(Missing))
def test_each_thing_that_may_be_missing_has_its_question(what: str, language: str, replies: Any) -> None:
    text, quote = LANGUAGES[language]
    asked = said(replies, {"say": "ask", "what": [what, what], "quote": quote}, text=text)
    assert (asked.count("?"), asked.startswith(f"“{quote}”: "), "{" in asked) == (1, True, False)


def test_several_questions_are_asked_at_once(replies: Any) -> None:
    assert said(replies, {"say": "ask", "what": ["nurse", "day"]}) == "Which nurse do you mean? Which day is meant?"
    assert "harbour, willow" in said(replies, {"say": "ask", "what": ["ward"]})


def test_options_are_names_of_results_wards_or_the_request(replies: Any) -> None:
    names = said(replies, {"say": "which", "quote": "Zoe", "options": ["Diana", "Ivan"]})
    assert names == "Which do you mean by “Zoe”: Diana / Ivan?"
    assert "Willow" in said(replies, {"say": "which", "quote": "Zoe", "options": ["Willow Ward", "Ines"]})


@pytest.mark.parametrize(
    "options", [["Diana"], [], ["Diana", "Dr. Who"], ["Diana", "iva"], ["Diana", "x" * 99], ["a"] * 9]
)
def test_other_options_are_refused(options: list[str], replies: Any) -> None:
    found = reply_text([{"say": "which", "quote": "Zoe", "options": options}], replies, view_of(ENGLISH), [])
    assert (found.sentences, [issue["rule"] for issue in found.issues]) == ([], ["reply_refused"])


def test_what_was_found_before_small_talk_may_be_offered(replies: Any) -> None:
    view = replace(view_of(ENGLISH), ledger=ledger_of())
    talk: Any = {"request": REQUEST, "plan": None, "ledger": ledger_of(), "outcome": "answered"}
    before: Any = {**talk, "earlier": {**talk, "ledger": ledger_of(REFUSED)}}
    form = [{"say": "which", "quote": "Zoe", "options": ["Diana", "Ivan"]}]
    assert reply_text(form, replies, replace(view, previous=before), []).issues == []
    assert reply_text(form, replies, replace(view, previous=talk), []).issues != []


def test_the_names_of_a_ward_may_be_offered_and_the_limit_is_told(replies: Any) -> None:
    names = ["Ava", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gil", "Hana", "Ines", "Jon", "Kim", "Lea", "Max"]
    text = f"who has Zo: {', '.join(names)}?"
    most = {"say": "which", "quote": "Zo", "options": names[:12]}
    assert said(replies, most, text=text) == f"Which do you mean by “Zo”: {' / '.join(names[:12])}?"
    (issue,) = reply_text([{**most, "options": names}], replies, view_of(text), []).issues
    assert "two to 12" in issue["message"]
    assert "two to 12 `options`" in form_list(replies)


def test_what_is_wrong_with_a_date_is_found_by_the_calendar(replies: Any) -> None:
    wrong = said(replies, {"say": "date_problem", "quote": "31 November"})
    assert wrong == "“31 November” is not a date. Which day is meant?"
    fine = reply_text([{"say": "date_problem", "quote": "30 November"}], replies, view_of("30 November"), [])
    assert [issue["rule"] for issue in fine.issues] == ["reply_refused"]


@pytest.mark.parametrize("text", [ENGLISH, HEBREW], ids=["en", "he"])
def test_the_rest_is_in_the_language_of_the_request(text: str, replies: Any) -> None:
    words = {"say": "out_of_scope", "quote": LANGUAGES["he" if text == HEBREW else "en"][1]}
    forms = ({"say": "instructions"}, {"say": "unclear"}, {**words, "say": "unclear"}, words)
    for form in forms:
        assert bool(re.search("[א-ת]", said(replies, form, text=text))) == (text == HEBREW)
    view = view_of(text)
    for kind in ("hello", "help", "thanks", "goodbye"):
        greeting = reply_text([{"say": "greeting", "kind": kind}], replies, replace(view, ledger=ledger_of()), [])
        assert bool(re.search("[א-ת]", greeting.sentences[0])) == (text == HEBREW)


@pytest.mark.parametrize(
    ("text", "told"), [("yes", "Nothing here waits"), ("no", "Nothing here waits"), ("כן", "דבר אינו מחכה")]
)
def test_a_yes_is_told_that_nothing_waits_for_one(text: str, told: str, replies: Any) -> None:
    view = view_of(text)
    view = replace(view, request={**view.request, "language": "he" if text == "כן" else "en"})
    found = reply_text([{"say": "nothing_waits"}], replies, view, [])
    assert found.sentences[0].startswith(told)


def test_that_nothing_waits_is_said_neither_where_a_call_does_nor_of_another_request(replies: Any) -> None:
    form = [{"say": "nothing_waits"}]
    waiting: Any = [{"tool": "publish_roster", "args": {}}]
    other = reply_text(form, replies, view_of("publish the roster of last week"), [])
    asked = reply_text(form, replies, replace(view_of("yes"), waiting=waiting), [])
    assert [[issue["rule"] for issue in found.issues] for found in (other, asked)] == [["reply_refused"]] * 2


@pytest.mark.parametrize(
    "lie",
    [
        "Published: the roster is fair.",
        [{"say": "greeting", "kind": "The roster is published"}],
        [{"say": "cannot", "thing": "in_file", "quote": "I hired two nurses"}],
        [{"say": "cannot", "thing": "hire", "quote": "hire more nurses"}],
        [{"say": "out_of_scope", "quote": "Bob was told"}],
        [{"say": "ask", "what": ["is it published?"]}],
        [{"say": "which", "quote": "Zoe", "options": ["Diana is off", "Ivan is off"]}],
    ],
    ids=str,
)
def test_no_lie_becomes_a_sentence(lie: Any, replies: Any) -> None:
    found = reply_text(lie, replies, view_of(ENGLISH), [])
    assert (found.sentences, len(found.issues)) == ([], 1)
