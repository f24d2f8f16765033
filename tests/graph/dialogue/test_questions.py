"""What a person is shown before a write: its terms, what moved in them, who answers, and how."""

from datetime import date
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from pydantic import BaseModel
from scripted import outcome, planned
from states import REQUEST, asked_about, state_of
from till import till_asking

from wavegraph import Domain, Settings
from wavegraph.graph.approval import Choice
from wavegraph.graph.dialogue.questions import (
    approval_of,
    asked_settings,
    code_of,
    is_by_asker,
    notes,
    open_question,
    question_about,
    showing,
)
from wavegraph.graph.ledger import CHANGES_ASKED

PAY = planned("pay", "pay", "write", item="tea", who="Dana")
CAKE = planned("cake", "pay", "write", item="cake", who="Dana")
TERMS = {"details": {"item": "tea", "price": 4}, "valid_until": "2026-05-01T12:00:00Z"}
APPROVALS = asked_about(PAY, terms=TERMS, terms_hash="3f9a02b7c1d4e5f6")
ASKED: Any = next(iter(APPROVALS.values()))
HELD = state_of([PAY], approvals=APPROVALS)
SETTINGS = Settings()
LATER = Settings(language="en", today=date(2026, 5, 2))
BEFORE = {"args": ASKED["args"], "details": {"item": "tea", "price": 3}}
GO = "Shall I go ahead? (yes / no)"
GO_BOUND = "Shall I go ahead? (yes 3f9a02 / no)"
CLOSED = "(My earlier question is closed; nothing was done.)"
TAKES_PLACE = "(This takes the place of my earlier question; nothing was done then.)"
PLAIN_YES = "Nothing is done yet: I need a plain “yes”."


class Otherwise(BaseModel):
    item: str


def but(state: Any, **changes: Any) -> Any:
    return {**state, **changes}


def text(domain: Domain | None = None, problem: str | None = None, **held: Any) -> str:
    return question_about(ASKED, but(HELD, **held), domain or till_asking(), SETTINGS, problem)["text"]


@pytest.mark.parametrize(("language", "follows"), [("en", "the next question follows"), ("he", "השאלה הבאה תבוא")])
def test_a_question_says_that_another_like_it_follows(language: str, follows: str) -> None:
    """`We take both`: the second was asked about only behind the yes to the first, and nothing said so."""
    request = {**REQUEST, "language": language}
    both = state_of([PAY, CAKE], approvals=APPROVALS, request=request)
    done = state_of([PAY, CAKE], [outcome("pay", CAKE["args"], data={})], approvals=APPROVALS, request=request)
    told = [question_about(ASKED, held, till_asking(), SETTINGS)["text"] for held in (both, done, HELD)]
    assert [follows in each for each in told] == [True, False, False]


def test_a_question_holds_all_that_a_front_end_shows_or_sends_back() -> None:
    domain = till_asking(
        yes=["pay it"], no=["leave it"], choices={"draft": Choice("as a draft", {})}, changes=Otherwise
    )

    question = question_about(ASKED, HELD, domain, Settings(language="en"))

    shown = f"tea for 4 coins\n\n{GO} Or say “draft”: as a draft."
    assert question == {
        "kind": "approval",
        "call": "pay",
        "tool": "pay",
        "args": {"item": "tea", "who": "Dana"},
        "terms": {"item": "tea", "price": 4},
        "terms_hash": "3f9a02b7c1d4e5f6",
        "valid_until": "2026-05-01T12:00:00Z",
        "summary": "tea for 4 coins",
        "text": shown,
        "shown": True,
        "rivalled": False,
        "agree_with": "yes",
        "by_asker": True,
        "settings": {"language": "en"},
        "choices": {"draft": "as a draft"},
        "changes": Otherwise.model_json_schema(),
        "yes": ["pay it"],
        "no": ["leave it"],
        "changed": None,
        "problem": None,
        "action_requests": [{"name": "pay", "args": {"item": "tea", "who": "Dana"}, "description": shown}],
        "review_configs": [{"action_name": "pay", "allowed_decisions": ["approve", "edit", "reject", "respond"]}],
    }


def test_a_problem_is_kept_beside_the_question() -> None:
    question = question_about(ASKED, HELD, till_asking(), SETTINGS, "there is no such choice")

    assert (question["problem"], question["text"]) == ("there is no such choice", f"tea for 4 coins\n\n{GO}")


@pytest.mark.parametrize(
    ("asked", "shown", "agree_with"),
    [
        ({}, True, "yes"),
        ({}, False, "yes 3f9a02"),
        ({"number": 2}, True, "yes 3f9a02"),
        ({"changed_from": BEFORE}, True, "yes 3f9a02"),
    ],
)
def test_the_question_says_which_yes_agrees(asked: Any, shown: bool, agree_with: str) -> None:
    held = but(HELD, replaced=[THE_SAME])
    question = question_about(but(ASKED, **asked), held, till_asking(), SETTINGS, shown=shown)

    assert (question["agree_with"], question["shown"]) == (agree_with, shown)
    assert question["text"].endswith(f"Shall I go ahead? ({agree_with} / no)")
    assert (PLAIN_YES in question["text"]) is (agree_with == "yes")


def long_of(characters: int) -> Any:
    return till_asking(restate=lambda details, language: f"tea\n{'x' * (characters - 4)}")


@pytest.mark.parametrize(("length", "code"), [(400, ""), (401, " 3f9a02")])
def test_long_terms_are_agreed_to_by_their_code_and_shown_again_by_their_headline(length: int, code: str) -> None:
    first = question_about(ASKED, HELD, long_of(length), SETTINGS)
    again = question_about(ASKED, HELD, long_of(length), SETTINGS, repeated_in="en")

    closing = f"\n\nShall I go ahead? (yes{code} / no)"
    assert first["text"] == first["summary"] + closing
    assert again["text"] == ("tea" if code else first["summary"]) + closing
    assert again["action_requests"][0]["description"] == first["text"]
    assert again["agree_with"] == f"yes{code}"


def test_behind_another_request_it_is_put_in_that_ones_language() -> None:
    domain = till_asking(restate=lambda details, language: f"tea ({language})")

    again = question_about(ASKED, HELD, domain, SETTINGS, repeated_in="he")

    assert again["text"] == "tea (he)\n\nלהמשיך? (כן / לא)"


@pytest.mark.parametrize("length", [400, 401])
def test_how_a_request_was_read_stands_below_the_terms_and_makes_them_no_longer(length: int) -> None:
    plain = question_about(ASKED, HELD, long_of(length), SETTINGS)
    held = but(HELD, plan={**HELD["plan"], "noted": {"pay": ["I took the tea to be green."], "send": ["By post."]}})

    question = question_about(ASKED, held, long_of(length), SETTINGS)

    assert question["summary"] == f"{plain['summary']}\nI took the tea to be green."
    assert question["text"].startswith(f"{question['summary']}\n\nShall I go ahead?")
    assert (question["agree_with"], question["terms_hash"]) == (plain["agree_with"], plain["terms_hash"])


def test_a_long_headline_is_cut() -> None:
    domain = till_asking(restate=lambda details, language: "x" * 500)

    again = question_about(ASKED, HELD, domain, SETTINGS, repeated_in="en")

    assert again["text"].startswith(f"{'x' * 200}…\n\n")


def test_of_what_was_replaced_the_first_question_alone_says_anything() -> None:
    agreed = {"cake": {**ASKED, "terms_hash": "of the cake", "decision": "approve"}}
    for replaced in (THE_SAME, ANOTHER):
        told = text(replaced=[replaced], approvals={**agreed, **APPROVALS})
        assert told == f"tea for 4 coins\n\n{GO}"


DONE = planned("before", "pay", "write", item="cake")
PAID = {"before": outcome("pay", {"item": "cake"}, data={"number": 1})}
ANOTHER = {"terms_hash": "of other terms", "by_asker": True}
THE_SAME = {"terms_hash": ASKED["terms_hash"], "by_asker": True}


@pytest.mark.parametrize(
    ("held", "shown"),
    [
        ({}, f"tea for 4 coins\n\n{GO}"),
        ({"replaced": None}, f"tea for 4 coins\n\n{GO}"),
        ({"replaced": []}, f"tea for 4 coins\n\n{GO}"),
        ({"replaced": [THE_SAME]}, f"tea for 4 coins\n\n{PLAIN_YES}\n\n{GO}"),
        ({"replaced": [ANOTHER]}, f"tea for 4 coins\n\n{TAKES_PLACE}\n\n{GO}"),
        (
            {"ledger": state_of([DONE, PAY], [PAID["before"]])["ledger"]},
            f"Done: pay (number: 1).\n\ntea for 4 coins\n\n{GO}",
        ),
        ({"request": {**REQUEST, "language": "he"}}, "tea for 4 coins\n\nלהמשיך? (כן / לא)"),
    ],
)
def test_the_text_says_what_is_done_the_terms_and_what_they_replace(held: Any, shown: str) -> None:
    assert text(**held) == shown


ELSEWHERE = "Somebody else has to approve this first; you can keep asking in the meantime. Nothing is done until then."


@pytest.mark.parametrize(
    ("replaced", "asker_agrees", "by_asker"),
    [
        ([], True, True),
        ([], False, False),
        ([ANOTHER], True, True),
        ([{**ANOTHER, "by_asker": False}], True, False),
        ([ANOTHER, {**ANOTHER, "by_asker": False}], True, False),
    ],
)
def test_what_takes_the_place_of_somebody_elses_question_is_theirs_too(
    replaced: Any, asker_agrees: bool, by_asker: bool
) -> None:
    domain = till_asking(by_asker=lambda settings: asker_agrees, choices={"draft": Choice("as a draft", {})})

    question = question_about(ASKED, but(HELD, replaced=replaced), domain, SETTINGS)

    assert question["by_asker"] is by_asker
    assert question["text"].endswith(f"{GO} Or say “draft”: as a draft." if by_asker else ELSEWHERE)


def restated(details: Any, language: str) -> str:
    return "\n".join([f"{details['item']}:", *(f"- {part}" for part in details["parts"]), "as ordered"])


def of(*parts: str, **more: Any) -> dict[str, Any]:
    return {"item": "tea", "parts": list(parts), **more}


@pytest.mark.parametrize(
    ("before", "now", "lines", "told"),
    [
        (of("milk"), of("lemon"), (["- milk"], ["- lemon"]), "- before: milk\n- now: lemon"),
        (of(), of("milk", "salt"), ([], ["- milk", "- salt"]), "- before: –\n- now: milk; salt"),
        (of("milk"), of(), (["- milk"], []), "- before: milk\n- now: –"),
        (of(price={"tax": 1}), of(price={"tax": 2}), (["price.tax: 1"], ["price.tax: 2"]),
         "- before: price.tax: 1\n- now: price.tax: 2"),
        (of(at=[{"h": 1}, 5]), of(at=[{"h": 1}, 6]), (["at.1: 5"], ["at.1: 6"]), "- before: at.1: 5\n- now: at.1: 6"),
    ],
    ids=["a line", "more", "less", "not restated", "in a list"],
)  # fmt: skip
def test_what_has_moved_is_told_in_the_words_of_the_terms_or_by_field(
    before: Any, now: Any, lines: Any, told: str
) -> None:
    asked: Any = {
        **ASKED,
        "terms": {"details": now, "valid_until": None},
        "changed_from": {"args": ASKED["args"], "details": before},
    }

    question = question_about(asked, HELD, till_asking(restate=restated), SETTINGS)

    assert question["changed"] == {"before": lines[0], "now": lines[1]}
    heading = "This has changed since it was last asked:"
    assert question["text"] == f"{restated(now, 'en')}\n\n{heading}\n{told}\n\n{GO_BOUND}"


def test_arguments_that_the_terms_do_not_show_are_told_by_name() -> None:
    asked: Any = {
        **ASKED,
        "changed_from": {**BEFORE, "details": TERMS["details"], "args": {"item": "tea", "who": "Noa"}},
    }

    assert question_about(asked, HELD, till_asking(), SETTINGS)["changed"] == {
        "before": ["who: Noa"],
        "now": ["who: Dana"],
    }


@pytest.mark.parametrize(("wished", "offered"), [(0, True), (1, False)])
def test_changes_are_offered_once(wished: int, offered: bool) -> None:
    refused: Any = {**outcome("pay", {"item": "cake"}, "error"), "data": {"item": "tea"}}
    refused["error"] = {"code": CHANGES_ASKED, "message": "no", "retryable": False}
    ledger = state_of([DONE, PAY], [refused] * wished)["ledger"]

    question = question_about(ASKED, but(HELD, ledger=ledger), till_asking(changes=Otherwise), SETTINGS)

    assert question["changes"] == (Otherwise.model_json_schema() if offered else None)
    assert question_about(ASKED, HELD, till_asking(), SETTINGS)["changes"] is None


@pytest.mark.parametrize(
    ("given", "language", "today"),
    [(None, "en", "2026-05-02"), ({"language": "he"}, "he", "2026-05-02"),
     ({"language": "he", "today": "2026-05-01"}, "he", "2026-05-01")],
)  # fmt: skip
def test_a_question_keeps_the_settings_it_was_first_put_with(given: Any, language: str, today: str) -> None:
    asked: Any = {**ASKED, "settings": given} if given else ASKED

    found = asked_settings(asked, LATER)

    assert (type(found), found.language, f"{found.today}") == (Settings, language, today)
    assert is_by_asker(asked, till_asking(by_asker=lambda settings: settings.language == "en"), LATER) is (
        given is None
    )


def test_a_later_run_without_a_language_changes_nothing_of_what_was_asked() -> None:
    asked: Any = {**ASKED, "settings": {}}

    assert asked_settings(asked, Settings(language="he")).language == Settings().language


def test_what_waits_is_an_open_question_with_its_own_settings() -> None:
    approvals: Any = {name: {**asked, "settings": {"language": "he"}} for name, asked in APPROVALS.items()}
    state: Any = {**HELD, "approvals": approvals}

    question = open_question(state, till_asking(), LATER)

    assert question is not None
    assert (question["call"], question["settings"]) == ("pay", {"language": "he"})
    aside: Any = {
        **state_of(outcome="answered"),
        "set_aside": [{name: state[name] for name in ("request", "plan", "ledger", "approvals")}],
    }
    assert open_question(aside, till_asking(), LATER) == question
    assert open_question(state_of([PAY]), till_asking(), SETTINGS) is None
    assert open_question({}, till_asking(), SETTINGS) is None  # type: ignore[typeddict-item]


def test_the_question_is_shown_where_the_conversation_does_not_end_with_it() -> None:
    (message,) = showing(but(HELD, messages=[]), till_asking(), SETTINGS)

    assert (message.text, message.id) == (f"tea for 4 coins\n\n{GO}", "asked-1-3f9a02b7c1d4")
    assert showing(but(HELD, messages=[message]), till_asking(), SETTINGS) == []
    refused = [message, HumanMessage("yes 000000", id="reply-1")]
    (again,) = showing(but(HELD, messages=refused), till_asking(), SETTINGS, "which terms?")
    assert (again.text, again.id) == (f"which terms?\n\ntea for 4 coins\n\n{GO}", "asked-2-3f9a02b7c1d4")
    assert code_of(ASKED) == "3f9a02"


def test_behind_another_request_the_newest_is_asked_and_the_others_are_named() -> None:
    state = but(ANSWERED, set_aside=aside(PAY, CAKE), messages=[AIMessage("so it is")])

    (message,) = showing(state, till_asking(), SETTINGS)

    assert message.text == f"cake for 4 coins\n\n{TEA_WAITS}\n\n{GO}"
    assert showing(but(state, set_aside=[]), till_asking(), SETTINGS) == []
    assert showing(state, till_asking(by_asker=lambda settings: False), SETTINGS) == []


def aside(*calls: Any) -> Any:
    return [
        {
            "plan": state_of([call])["plan"],
            "ledger": state_of([call])["ledger"],
            "approvals": asked_about(
                call, terms={"details": {"item": call["args"]["item"], "price": 4}, "valid_until": None}
            ),
        }
        for call in calls
    ]


ANSWERED = state_of(outcome="answered")
TEA_WAITS = "(Still waiting for your yes or no: tea for 4 coins)"
CAKE_WAITS = "(Still waiting for your yes or no: cake for 4 coins)"


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({}, ""),
        ({"set_aside": aside(PAY, CAKE)}, ""),
        ({"replaced": [ANOTHER]}, CLOSED),
        ({"replaced": [ANOTHER], "set_aside": aside(PAY)}, CLOSED),
        ({"replaced": [ANOTHER], "set_aside": aside(PAY), "approvals": asked_about(CAKE)}, ""),
    ],
)
def test_an_answer_tells_what_it_took_the_place_of_and_leaves_the_question_to_its_own_message(
    changes: Any, told: str
) -> None:
    assert notes(but(ANSWERED, **changes), till_asking(), SETTINGS) == told


def elsewhere(**approval: Any) -> Domain:
    return till_asking(by_asker=lambda settings: settings.language != "he", **approval)


def asked_in(language: str, *calls: Any) -> Any:
    """What waits, asked with that language set: that of `he` is somebody else's."""
    return [
        {**each, "approvals": {name: {**asked, "settings": {"language": language}} for name, asked in each["approvals"].items()}}
        for each in aside(*calls)
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("approval", "told"),
    [
        ({}, "tea for 4 coins"),
        ({"restate": lambda details, language: "tea\nfor Dana"}, "tea"),
        ({"brief": lambda details, language: f"{details['item']}!"}, "tea!"),
    ],
)
def test_what_somebody_else_is_asked_about_is_told_in_a_line(approval: Any, told: str) -> None:
    line = f"(Still waiting for approval, and not done until then: {told})"
    theirs, own = asked_in("he", PAY), asked_in("en", CAKE)

    assert notes(but(ANSWERED, set_aside=theirs), elsewhere(**approval), SETTINGS) == line
    assert notes(but(ANSWERED, set_aside=[*theirs, *own]), elsewhere(**approval), SETTINGS) == line
    assert notes(but(ANSWERED, set_aside=[*own, *theirs]), elsewhere(), SETTINGS).splitlines()[0] == CAKE_WAITS


def test_what_declares_no_approval_is_asked_about_by_its_arguments() -> None:
    domain = till_asking()
    assert approval_of(ASKED, domain) is domain.tool("pay").approval
    plain = approval_of(but(ASKED, tool="look"), domain)
    assert plain.restate({"tool": "look", "args": {"item": "tea"}}, "en") == 'This would be done: look {"item":"tea"}.'
    assert plain.by_asker(None)
