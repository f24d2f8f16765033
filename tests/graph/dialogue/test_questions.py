"""What a person is shown before a write: its terms, what moved in them, who answers, and how."""

from datetime import date
from typing import Any

import pytest
from pydantic import BaseModel
from scripted import outcome, planned
from states import REQUEST, asked_about, state_of
from till import till_asking

from wavegraph import Domain, Settings
from wavegraph.graph.approval import Choice
from wavegraph.graph.dialogue.questions import (
    asked_settings,
    is_by_asker,
    notes,
    question_about,
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
TAKES_PLACE = "(This takes the place of my earlier question; nothing was done then.)"
PLAIN_YES = "Nothing is done yet: I need a plain “yes”."


class Otherwise(BaseModel):
    item: str


def but(state: Any, **changes: Any) -> Any:
    return {**state, **changes}


def text(domain: Domain | None = None, problem: str | None = None, **held: Any) -> str:
    return question_about(ASKED, but(HELD, **held), domain or till_asking(), SETTINGS, problem)["text"]


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
        "languages": ["en", "he"],
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


def test_terms_that_warn_are_agreed_to_by_their_code_however_short_they_are() -> None:
    domain = till_asking(by_code=lambda details: details["price"] > 3)
    assert question_about(ASKED, HELD, domain, SETTINGS)["agree_with"] == "yes 3f9a02"
    cheap = but(ASKED, terms=but(ASKED["terms"], details=but(ASKED["terms"]["details"], price=3)))
    assert question_about(cheap, HELD, domain, SETTINGS)["agree_with"] == "yes"


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
        (of(at=[{"h": 1}, 5]), of(at=[{"h": 1}, 6]), (["at[1]: 5"], ["at[1]: 6"]), "- before: at[1]: 5\n- now: at[1]: 6"),
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
CAKE_WAITS = "(Still waiting for your yes or no: cake for 4 coins)"


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
