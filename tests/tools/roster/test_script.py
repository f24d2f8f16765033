"""What goes without saying in a planner's plan of a roster, and which steps no planner is asked for."""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from roster_views import entry, issue, ledger_of, round_entry, view
from tables import table

from wavegraph.graph.ledger import CHANGES_ASKED, REJECTED
from wavegraph.testing import call, planning, ref
from wavegraph.tools.roster.offline import CONTEXT
from wavegraph.tools.roster.script import SLOTS_OF, completed, is_fixed

PERIOD = {"ward": "willow", "start_date": "2026-12-07", "num_days": 14}
OF_STAFF, OF_CHANGES = ref("get_staff", "ward_hash"), ref("apply_requests", "ward_hash")
LOOK = call("get_staff", "get_staff", **PERIOD)
CHANGES = call("apply_requests", "apply_requests", ward_hash=OF_STAFF, changes=[{"kind": "avoids", "nurse": "Ann"}])
SOLVE = call("generate_roster", "generate_roster", ward_hash=OF_STAFF)
ALL_LOOKS = [call(name, name, **PERIOD) for name in CONTEXT]


def whole(*calls: Any, before: Sequence[Any] = (), slots_before: Any = None, **more: Any) -> Any:
    plan = {"slots": slots_before} if slots_before is not None else None
    seen = replace(view(ledger_of(*before)), plan=plan)  # type: ignore[arg-type]
    return completed({**planning(*calls), **more}, seen)  # type: ignore[typeddict-item]


def looks(made: Any) -> list[tuple[str, str, Any]]:
    return [(each["id"], each["tool"], each["args"]) for each in made["tools"] if each["tool"] in CONTEXT]


def every(args: Any) -> list[tuple[str, str, Any]]:
    return [(name, name, args) for name in CONTEXT]


@pytest.mark.parametrize(
    "calls", [[LOOK, SOLVE], [LOOK, CHANGES, SOLVE], [*ALL_LOOKS, SOLVE], [*reversed(ALL_LOOKS), SOLVE]]
)
def test_with_a_round_the_ward_is_looked_at_from_every_side(calls: Any) -> None:
    made = whole(*calls)

    assert sorted(looks(made)) == sorted(every(PERIOD))
    assert made["status"] == "continue"
    assert [each["tool"] for each in made["tools"]][5:] == [
        each["tool"] for each in calls if each["tool"] not in CONTEXT
    ]


def test_a_look_of_an_earlier_plan_is_not_taken_again() -> None:
    before = [entry(name, name, PERIOD, 1) for name in ("get_staff", "get_demand")]

    assert sorted(looks(whole(CHANGES, SOLVE, before=before))) == sorted(every(PERIOD)[2:])


def test_an_id_that_is_taken_stays_its_owners() -> None:
    oddly = call("get_rules", "get_staff", **PERIOD)
    taken = [
        call_id
        for call_id, _, _ in looks(whole(oddly, call("g", "generate_roster", ward_hash=ref("get_rules", "ward_hash"))))
    ]

    assert len(set(taken)) == 5
    assert taken[0] == "get_rules"


def test_without_any_look_there_is_no_ward_to_look_at() -> None:
    made = whole(call("g", "generate_roster", ward_hash="a" * 64, start_from="1" * 16))

    assert (looks(made), made["status"]) == ([], "continue")


@pytest.mark.parametrize("wrong", [OF_STAFF, OF_CHANGES, "a" * 64])
def test_a_round_after_changes_is_of_the_ward_that_holds_them(wrong: Any) -> None:
    made = whole(LOOK, CHANGES, call("generate_roster", "generate_roster", ward_hash=wrong, start_from="1" * 16))

    assert made["tools"][-1]["args"] == {"ward_hash": OF_CHANGES, "start_from": "1" * 16}


@table("calls", [[], [LOOK], [LOOK, call("get_demand", "get_demand", **PERIOD)],
                                   [call("get_report", "get_report", roster_id="1" * 16)]])  # fmt: skip
@table("status", ["done", "continue"])
def test_a_plan_without_a_round_stays_as_it_is(calls: Any, status: str) -> None:
    made = whole(*calls, status=status)

    assert (made["tools"], made["status"]) == (calls, status)


NOT_HELD = {**CHANGES, "args": {**CHANGES["args"], "not_held": ["two nights at most"]}}


@table(
    ("calls", "before", "slots"),
    [
        ([LOOK, SOLVE], None, PERIOD),
        ([LOOK, NOT_HELD, SOLVE], None, {**PERIOD, "not_held": ["two nights at most"]}),
        ([CHANGES, SOLVE], PERIOD, PERIOD),
        ([call("get_staff", "get_staff", ward="willow", start_date=None, num_days=None)], None, {"ward": "willow"}),
        ([call("get_staff", "get_staff", ward=ref("x", "ward"))], None, {}),
        ([{**SOLVE, "args": {**SOLVE["args"], "publish": True}}], None, {"publish": True}),
        ([{**SOLVE, "args": {**SOLVE["args"], "publish": None}}], None, {}),
        ([], {"publish": True, "changes": ["Ann off"]}, {"publish": True, "changes": ["Ann off"]}),
    ],
)  # fmt: skip
def test_what_the_calls_say_stands_in_the_slots(calls: Any, before: Any, slots: Any) -> None:
    assert whole(*calls, slots_before=before)["slots"] == slots


def test_slots_that_a_planner_gives_beside_its_calls_are_nobody_s() -> None:
    assert whole(LOOK, SOLVE, slots={"publish": True, "ward": "harbour"})["slots"] == PERIOD


def test_the_documentation_names_every_slot() -> None:
    text = (Path(__file__).parents[3] / "docs" / "start" / "answers.md").read_text(encoding="utf-8")
    table = text.partition("| slot of the roster generator |")[2].partition("\n\n")[0]
    rows = [row.split(" | ")[0] for row in table.splitlines() if row.startswith("| `")]
    told = {name for names in rows for name in re.findall(r"`(\w+)`", names)}
    assert told == {"chosen"}.union(*SLOTS_OF.values())


def amends(call_id: str = "apply_requests", code: str | None = None, plan: int = 1) -> Any:
    error = {"error": {"code": code, "message": "no", "retryable": False}, "status": "error"} if code else {"data": {}}
    return entry(call_id, "apply_requests", {"changes": [call_id]}, plan, **error)


FAILED = entry("generate_roster", "generate_roster", {}, 1, status="error", data=None)
CUT = round_entry()
CUT = (CUT[0], {**CUT[1], "status": "cancelled"})
ASKED = entry("publish_roster", "publish_roster", {"roster_id": "1" * 16}, 2, status="error", data={},
              error={"code": CHANGES_ASKED, "message": "no", "retryable": False})  # fmt: skip


@table(
    ("entries", "fixed"),
    [
        ([], False),
        ([entry("get_staff", "get_staff", PERIOD, 1)], False),
        ([FAILED], False),
        ([round_entry()], True),
        ([round_entry(roster_id=None, status="infeasible", cost=None)], True),
        ([CUT], True),
        ([amends()], False),
        ([amends(), round_entry()], True),
        ([amends(code=REJECTED)], True),
        ([amends(code="unknown_nurse")], False),
        ([amends(code="approval_impossible")], False),
        ([amends(code="unknown_shift"), amends("apply_requests_2", plan=2), round_entry(plan=2)], True),
        ([round_entry(), amends("apply_requests_2", "outside_period", 3)], False),
        ([round_entry(), ASKED], True),
        ([ASKED], False),
    ],
)  # fmt: skip
def test_which_steps_are_fixed(entries: Any, fixed: bool) -> None:
    assert is_fixed(view(ledger_of(*entries), [issue("overwork")])) is fixed
