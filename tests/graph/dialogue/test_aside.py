"""A request whose write waits is set aside whole, asked about behind the others, and taken up as it was."""

from typing import Any

import pytest
from langgraph.types import Overwrite
from scripted import outcome, plan_of, planned
from states import REQUEST, asked_about, state_of

from wavegraph.graph.dialogue.questions import (
    asked_now,
    is_waiting,
    taken_up,
)
from wavegraph.graph.state import empty_ledger

TEA = planned("pay", "pay", "write", item="tea")
CAKE = planned("pay", "pay", "write", item="cake")
ENDED = state_of(outcome="answered")
HEARD = {name: REQUEST[name] for name in ("id", "text", "number")}


def waits_for(call: Any, **changes: Any) -> Any:
    return state_of([call], **{"approvals": asked_about(call), **changes})


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


TEA_ASIDE = {name: WAITS[name] for name in ("plan", "ledger", "approvals", "times", "waves")}
CAKE_ASIDE = {**TEA_ASIDE, "plan": plan_of([CAKE]), "approvals": asked_about(CAKE), "waves": 7}


UPDATE: Any = {"plan": plan_of([CAKE], number=2), "approvals": asked_about(CAKE, decision="approve")}


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
    newer: Any = {**state, "heard": later}
    assert taken_up(newer, {})["heard"] == later  # the request of the state is not the newest
