"""When a request begins, and what of the one before it is carried over."""

from dataclasses import dataclass, field
from typing import Any

import pytest
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from scripted import ledger_of, outcome, planned

from wavegraph.graph.limits import Limits
from wavegraph.graph.opening import _carried, begins_request, opening
from wavegraph.graph.settings import Settings
from wavegraph.graph.state import CARRIED

FIRST, SECOND = HumanMessage("one", id="m1"), HumanMessage("two", id="m2")
REQUEST = {"id": "m1", "number": 1, "text": "one", "language": "en"}


@dataclass(frozen=True)
class Case:
    id: str
    begins: bool
    messages: list[AnyMessage]
    state: dict[str, Any] = field(default_factory=dict)


CASES = [
    Case("a new thread", True, [FIRST]),
    Case("a new thread without a message", True, []),
    Case("in the middle of a request", False, [FIRST], {"request": REQUEST, "outcome": None}),
    Case("a new message on a finished thread", True, [FIRST, AIMessage("1"), SECOND], {"request": REQUEST, "outcome": "answered"}),
    Case("a new message on a cut-off request", True, [FIRST, SECOND], {"request": REQUEST, "outcome": None}),
    Case("nothing new on a finished thread", True, [FIRST, AIMessage("1")], {"request": REQUEST, "outcome": "failed"}),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_begins_request(case: Case) -> None:
    state: Any = {"messages": case.messages, **case.state}

    assert begins_request(state) is case.begins


READ, WRITE = planned("a", "count", sku="bolt"), planned("w", "move", "write", sku="bolt")
ENDED = [
    outcome("count", {"sku": "bolt"}, data=40),
    outcome("count", {"sku": "nut"}, "error"),
    outcome("count", {"sku": "belt"}, "timeout", retryable=True),
    outcome("move", {"sku": "bolt"}, data="moved"),
]


def test_a_cut_off_request_leaves_its_good_reads_only() -> None:
    state: Any = {"request": REQUEST, "outcome": None, "ledger": ledger_of([READ, WRITE], ENDED)}
    carried = _carried(state)

    assert [(o["tool"], o["data"], o["runs"], o["wave"]) for o in carried["outcomes"].values()] == [
        ("count", 40, 0, CARRIED)
    ]
    assert carried["calls"] == {}


@pytest.mark.parametrize(("read_in", "kept"), [(1, []), (2, [40]), (3, [40])], ids=["before", "with", "after"])
def test_a_read_that_a_write_has_overtaken_is_not_kept(read_in: int, kept: list[int]) -> None:
    """Waves are numbered: what was read in an earlier one than the last write may not be so any more."""
    outcomes = [
        outcome("count", {"sku": "bolt"}, data=40, wave=read_in),
        outcome("move", {"sku": "nut"}, data="moved", wave=1),
        outcome("move", {"sku": "bolt"}, data="moved", wave=2),
    ]
    ledger = ledger_of([READ, WRITE], outcomes)
    state: Any = {"messages": [FIRST, SECOND], "request": REQUEST, "outcome": None, "ledger": ledger}

    assert [each["data"] for each in opening(state, Settings(), Limits())["ledger"]["outcomes"].values()] == kept


@pytest.mark.parametrize("ended", ["answered", "partial", "failed", "clarify"])
def test_a_finished_request_leaves_nothing(ended: str) -> None:
    state: Any = {"request": REQUEST, "outcome": ended, "ledger": ledger_of([READ], ENDED)}

    assert _carried(state)["outcomes"] == {}
