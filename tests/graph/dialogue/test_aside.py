"""A request whose write waits is set aside whole, asked about behind the others, and taken up as it was."""

from typing import Any

import pytest
from langgraph.types import Overwrite
from scripted import outcome, plan_of, planned
from states import REQUEST, asked_about, state_of

from wavegraph.graph.dialogue.aside import (
    asked_aside,
    asked_now,
    asking,
    held_requests,
    is_waiting,
    put_again,
    taken_up,
)
from wavegraph.graph.state import empty_ledger

TEA = planned("pay", "pay", "write", item="tea")
CAKE = planned("pay", "pay", "write", item="cake")
ENDED = state_of(outcome="answered")
HEARD = {name: REQUEST[name] for name in ("id", "text", "number")}


def waits_for(call: Any, **changes: Any) -> Any:
    return state_of([call], **{"approvals": asked_about(call), **changes})


def but(state: Any, **changes: Any) -> Any:
    return {**state, **changes}


WAITS = waits_for(TEA, times={"plan-1": 2.0})
DECIDED = asked_about(TEA, decision="approve")


@pytest.mark.parametrize(
    ("state", "waits", "asked"),
    [
        (WAITS, True, True),
        ({**WAITS, "outcome": "cancelled"}, False, True),
        ({**WAITS, "plan": None}, False, False),
        ({**WAITS, "limits_hit": ["request_timeout_s"]}, False, True),
        ({**WAITS, "limits_hit": ["max_answer_replans"]}, True, True),
        ({**WAITS, "approvals": DECIDED}, False, False),
        ({**WAITS, "approvals": {}}, False, False),
        ({}, False, False),
    ],
)
def test_a_request_waits_while_it_can_still_go_on(state: Any, waits: bool, asked: bool) -> None:
    assert is_waiting(state) is waits
    assert (asked_now(state) is not None) is asked


FIELDS = ("version", "heard", "set_aside", "reply", "request", "plan", "approvals", "caveat")


def test_what_a_request_wrote_itself_is_set_aside_behind_what_was() -> None:
    before = [{"plan": plan_of([CAKE])}]
    state = {**WAITS, "version": "1", "heard": {"id": "m1"}, "set_aside": before, "reply": None}

    held = held_requests(state, FIELDS)

    assert held == [*before, {"request": REQUEST, "plan": WAITS["plan"], "approvals": WAITS["approvals"]}]


@pytest.mark.parametrize("before", [[], [{"plan": plan_of([CAKE])}]])
def test_a_request_that_does_not_wait_is_not_set_aside(before: Any) -> None:
    assert held_requests(but(ENDED, set_aside=before), FIELDS) == before
    assert held_requests(ENDED, FIELDS) == []


TEA_ASIDE = {name: WAITS[name] for name in ("plan", "ledger", "approvals", "times", "waves")}
CAKE_ASIDE = {**TEA_ASIDE, "plan": plan_of([CAKE]), "approvals": asked_about(CAKE), "waves": 7}
BOTH = [TEA_ASIDE, CAKE_ASIDE]


def test_the_request_that_waits_itself_is_asked_about_before_what_was_set_aside() -> None:
    state: Any = {**WAITS, "set_aside": [CAKE_ASIDE]}

    assert asking(state) is state
    found = asked_now(state)
    assert found is not None
    assert (found[0].call, found[1]) == (TEA, next(iter(WAITS["approvals"].values())))


def test_behind_another_request_the_latest_that_was_set_aside_is_asked_about() -> None:
    state: Any = {**ENDED, "set_aside": BOTH}

    assert asking(state) == {**ENDED, **CAKE_ASIDE, "set_aside": BOTH, "heard": HEARD}
    found = asked_now(state)
    assert found is not None
    assert found[1]["args"] == {"item": "cake"}
    assert asking(ENDED) is ENDED
    assert asked_now(ENDED) is None


def test_all_that_waits_aside_is_told_oldest_first() -> None:
    spent = {**TEA_ASIDE, "approvals": DECIDED}

    assert [asked["args"]["item"] for asked in asked_aside(but(ENDED, set_aside=[TEA_ASIDE, spent, CAKE_ASIDE]))] == [
        "tea",
        "cake",
    ]
    assert asked_aside(but(ENDED, set_aside=[{"plan": None}])) == []
    assert asked_aside(ENDED) == []


UPDATE: Any = {"plan": plan_of([CAKE], number=2), "approvals": asked_about(CAKE, decision="approve")}


@pytest.mark.parametrize("state", [WAITS, ENDED, {**WAITS, "set_aside": BOTH}])
def test_an_update_of_the_states_own_request_is_taken_as_it_is(state: Any) -> None:
    made = taken_up(state, UPDATE)

    assert made == UPDATE
    assert made is not UPDATE


def test_a_request_that_is_taken_up_replaces_all_of_the_one_behind_it() -> None:
    paid = {**empty_ledger(), "outcomes": {"s": outcome("pay", {"item": "cake"})}}
    state: Any = {**ENDED, "set_aside": [TEA_ASIDE, TEA_ASIDE, CAKE_ASIDE]}

    made = taken_up(state, {**UPDATE, "ledger": paid})

    assert made == {
        "plan": UPDATE["plan"],
        "waves": 7,
        "ledger": Overwrite({**CAKE_ASIDE["ledger"], "outcomes": paid["outcomes"]}),
        "approvals": Overwrite(UPDATE["approvals"]),
        "times": Overwrite({"plan-1": 2.0}),
        "set_aside": [TEA_ASIDE, TEA_ASIDE],
        "heard": HEARD,
    }
    later: Any = {"id": "m7", "text": "thanks", "number": 3}
    assert taken_up(but(state, heard=later), {})["heard"] == later  # the request of the state is not the newest


def test_an_update_that_decides_nothing_leaves_what_was_set_aside_as_it_was() -> None:
    untimed = {name: value for name, value in TEA_ASIDE.items() if name != "times"}

    made = taken_up(but(ENDED, set_aside=[untimed]), {})

    assert made["ledger"] == Overwrite(TEA_ASIDE["ledger"])
    assert made["approvals"] == Overwrite(TEA_ASIDE["approvals"])
    assert made["times"] == Overwrite({})
    assert made["set_aside"] == []


def test_after_words_that_do_not_agree_the_request_is_the_states_own_and_its_question_is_put_again() -> None:
    made = put_again(but(ENDED, set_aside=[TEA_ASIDE]), "yes", "1-3f9a", None, "which terms?")

    assert (made["plan"], made["set_aside"]) == (TEA_ASIDE["plan"], [])
    assert made["reply"] == {"refused": "which terms?"}
    (said,) = made["messages"]
    assert (said.type, said.text, said.id) == ("human", "yes", "reply-1-3f9a")
