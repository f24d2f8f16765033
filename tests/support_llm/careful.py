"""A model that plans rosters as its prompt says, from what a request shows it and nothing else, over small wards.

Ids of rosters and wards are not known before a run, so these turns are written when their request comes in.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from endpoint import Received, Turn, plans
from plans import call

from wavegraph import build_graph
from wavegraph.testing import ref
from wavegraph.tools.roster.arguments import GenerateRequest
from wavegraph.tools.roster.domain import roster_domain
from wavegraph.tools.roster.records import Change

SETTINGS = {"today": "2026-11-20", "ward": "small", "time_limit_s": 900}
"""The small ward is solved to its optimum in a tenth of a second."""
READS = ("get_staff", "get_demand", "get_requests", "get_rules", "get_last_period")
PASSES, PASSES_SECOND, NEVER_PASSES = 10, 20, 45
"""Prices of a nurse too many at which Ivan gets his hours at once; once his idle hours are raised by half; never."""


def small_ward(over_weight: int = PASSES, **changes: Any) -> dict[str, Any]:
    """A week from a Monday; all the work there is for Diana, and two shifts promised to Ivan."""
    needed = [(f"2026-11-{day}", shift) for day in range(23, 30) for shift in "ELN"]
    shift, known = {"minutes": 480, "not_followed_by": []}, {"history": {"tail": [None, None]}}
    return {
        "name": "Small Ward",
        "start": "2026-11-23",
        "days": 7,
        "shifts": [
            {**shift, "id": "E", "name": "Early", "start": "07:00"},
            {**shift, "id": "L", "name": "Late", "start": "15:00"},
            {**shift, "id": "N", "name": "Night", "start": "23:00", "night": True, "not_followed_by": ["E", "L"]},
        ],
        "nurses": [
            {"id": "n1", "name": "Diana", "contract": {"min_minutes": 2400, "max_minutes": 2400}, **known},
            {"id": "n2", "name": "Ivan", "contract": {"max_minutes": 2400, "target_minutes": 960}, **known},
        ],
        "demand": [
            {"day": day, "shift": name, "target": int(name == "E" and day < "2026-11-28"), "over_weight": over_weight}
            for day, name in needed
        ],
        **changes,
    }


def graph_over(folder: Path, ward: dict[str, Any] | None = None, **given: Any) -> Any:
    """The roster generator over `small`, its data in the folder."""
    file = folder / "small.json"
    file.write_text(json.dumps(ward or small_ward()), encoding="utf-8")
    return build_graph(roster_domain(folder, wards={"small": file}, **given))


def follows(made: Callable[[Received], dict[str, Any]]) -> Turn:
    return Turn("plan", made=made)


def plan(*calls: dict[str, Any], status: str = "done", reply: Any = None, **more: Any) -> dict[str, Any]:
    made = {"reasoning": "as asked", "action": "generate", "status": status}
    return {**made, "tools": list(calls), "reply": reply, **more}


def look(tool: str = "get_staff", ward: str = "small", **of: Any) -> dict[str, Any]:
    given = {**dict.fromkeys(["start_date", "num_days", "published_on", "roster_id"]), **of}
    return call(tool, tool, ward=ward, **given)


def solve(ward_hash: Any, **args: Any) -> dict[str, Any]:
    seen = GenerateRequest.model_json_schema()["properties"]
    return call("generate_roster", "generate_roster", **{**dict.fromkeys(seen), "ward_hash": ward_hash, **args})


def of_staff() -> dict[str, Any]:
    return ref("get_staff", "ward_hash")


def change(kind: str, nurse: str, **given: Any) -> dict[str, Any]:
    return {**dict.fromkeys(Change.model_fields), "kind": kind, "nurse": nurse, "weight": 10, **given}


def apply(*changes: dict[str, Any], ward_hash: Any = None, **more: Any) -> dict[str, Any]:
    given = {"ward_hash": ward_hash or of_staff(), "changes": list(changes), "not_held": None}
    return call("apply_requests", "apply_requests", **{**given, **more})


def first_plan(*changes: dict[str, Any], **more: Any) -> Turn:
    """A look at the ward, what was asked for, a first round: all that is a model's to plan."""
    if not changes:
        return plans(plan(look(), solve(of_staff()), **more))
    return plans(plan(look(), apply(*changes), solve(ref("apply_requests", "ward_hash")), **more))


def changed(roster_id: str, *changes: dict[str, Any]) -> dict[str, Any]:
    """A roster that is there, changed."""
    of_changes = ref("apply_requests", "ward_hash")
    return plan(look(roster_id=roster_id), apply(*changes), solve(of_changes, start_from=roster_id))


def done(**more: Any) -> Turn:
    return plans(plan(**more))
