"""Which calls of a plan wait until their planner has seen what it chose from: results in, verdict out."""

from dataclasses import dataclass
from typing import Any

import pytest
from langchain_core.tools import tool
from scripted import outcome, plan_of, planned

from wavegraph.graph.domain_tool import DomainTool, read
from wavegraph.graph.request.serving import unseen_choices
from wavegraph.graph.state import Ledger, PlannedCall
from wavegraph.testing import ref


@tool
def find(words: str) -> dict[str, Any]:
    """What the words may mean."""
    return {}


@tool
def look(item: str) -> str:
    """Look it up."""
    return item


REGISTRY: dict[str, DomainTool] = {
    "find": read(find, choose_from=["found", "inside.also"]),
    "look": read(look),
}
FIND = planned("find", "find", words="tea")


def found(count: int = 2, **changes: Any) -> Any:
    rows = [{"item": str(number), "tags": ["a", "b"]} for number in range(count)]
    return outcome("find", {"words": "tea"}, data={"found": rows, "inside": {"also": rows}, "more": rows}, **changes)


def takes(path: str, call_id: str = "look", **more: Any) -> PlannedCall:
    return planned(call_id, "look", item=ref("find", path), **more)


def ledger_of(calls: list[PlannedCall], *outcomes: Any) -> Ledger:
    return {"calls": {c["id"]: c for c in calls}, "outcomes": {o["signature"]: o for o in outcomes}, "artifacts": {}}


@dataclass(frozen=True)
class Case:
    id: str
    calls: list[PlannedCall]
    result: Any
    held: list[str]


BOTH = [FIND, takes("found[0].item"), takes("found[1].item", "look_2")]
CASES = [
    Case("the first of two", [FIND, takes("found[0].item")], found(), ["look"]),
    Case("the last of two", [FIND, takes("found[-1].item")], found(), ["look"]),
    Case("written with a point", [FIND, takes("found.0.item")], found(), ["look"]),
    Case("in a text", [FIND, planned("look", "look", item={"text": "{a}", "with": {"a": ref("find", "found[0].item")}})],
         found(), ["look"]),
    Case("of a list further in", [FIND, takes("inside.also[1].item")], found(), ["look"]),
    Case("the only one", [FIND, takes("found[0].item")], found(1), []),
    Case("of nothing", [FIND, takes("found[0].item")], found(0), []),
    Case("an element that is not there", [FIND, takes("found[7].item")], found(), []),
    Case("each of two", BOTH, found(), []),
    Case("two of three", BOTH, found(3), ["look", "look_2"]),
    Case("named by a field", [FIND, takes("found[item=1].item")], found(), []),
    Case("another list", [FIND, takes("more[0].item")], found(), []),
    Case("the whole list", [FIND, takes("found")], found(), []),
    Case("a call that failed", [FIND, takes("found[0].item")], found(status="error"), []),
    Case("a call that has not ended", [FIND, takes("found[0].item")], None, []),
    Case("seen before this plan", [FIND, takes("found[0].item")], found(plan=0), []),
    Case("of an earlier plan", [{**FIND, "plan": 0}, takes("found[0].item")], found(plan=0), []),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_an_element_is_not_taken_unseen(case: Case) -> None:
    ledger = ledger_of(case.calls, *([case.result] if case.result else []))
    issues = unseen_choices(plan_of(case.calls), ledger, REGISTRY)
    assert [issue["tool_id"] for issue in issues] == case.held
    assert {(issue["type"], issue["rule"]) for issue in issues} <= {("broken_plan", "to_be_chosen")}


def test_what_ran_is_not_held() -> None:
    calls = [FIND, takes("found[0].item")]
    ran = outcome("look", {"item": "0"}, data="0")
    assert unseen_choices(plan_of(calls), ledger_of(calls, found(), ran), REGISTRY) == []
