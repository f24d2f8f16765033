"""What follows by itself once a request is read: a model plans what was asked for, and code the rest.

The rounds come from `adapt`, the report and the manager's decision from `RosterOffline`, whoever planned the first round.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from wavegraph.graph.domain import Script
from wavegraph.graph.ledger import GOOD, is_rejected, outcome_of
from wavegraph.graph.references.paths import references
from wavegraph.graph.state import PlanningResult, ToolCall
from wavegraph.graph.views import PlanningView
from wavegraph.tools.roster.dialogue.publishing import below_changes
from wavegraph.tools.roster.loop.generation import TOOL
from wavegraph.tools.roster.loop.penalties import adapt
from wavegraph.tools.roster.loop.rounds import round_results
from wavegraph.tools.roster.offline import CONTEXT

AMENDS = "apply_requests"


def completed(made: PlanningResult, view: PlanningView) -> PlanningResult:
    """With a round: all that is known of the ward beside it, the ward that holds what was asked for, and more to come.
    The slots are what the calls say."""
    calls = made["tools"]
    if any(call["tool"] == TOOL for call in calls):
        made = {**made, "status": "continue", "tools": _on_what_was_asked(_with_context(calls, view))}
    slots = _slots(made, view)
    return {**made, "slots": slots, "noted": below_changes(made["tools"], slots, view.request["language"])}


def is_fixed(view: PlanningView) -> bool:
    """After a round, and after a no to the changes. Changes that a ward cannot hold are the planner's to ask about."""
    names = [name for name, call in view.ledger["calls"].items() if call["tool"] == AMENDS]
    amended = [outcome for name in names if (outcome := outcome_of(name, view.ledger))]
    if amended and amended[-1]["status"] not in GOOD:
        return is_rejected(amended[-1])
    return bool(round_results(view.ledger))


SCRIPT = Script(workarounds=adapt, completed=completed, is_fixed=is_fixed)


def _with_context(calls: Sequence[ToolCall], view: PlanningView) -> list[ToolCall]:
    """The calls with the looks at the ward that are missing, beside the first look that is there."""
    before = view.ledger["calls"]
    known = {call["tool"] for call in [*before.values(), *calls]}
    first = next((call for call in calls if call["tool"] in CONTEXT), None)
    look = first or next((call for call in before.values() if call["tool"] in CONTEXT), None)
    if look is None:
        return list(calls)
    taken = {*before, *(call["id"] for call in calls)}
    more: list[ToolCall] = [
        {"id": _free(name, taken), "tool": name, "args": dict(look["args"])} for name in CONTEXT if name not in known
    ]
    place = calls.index(first) + 1 if first else 0
    return [*calls[:place], *more, *calls[place:]]


def _free(name: str, taken: set[str]) -> str:
    return name if name not in taken else _free(f"{name}_of_ward", taken)


def _on_what_was_asked(calls: Sequence[ToolCall]) -> list[ToolCall]:
    """A round that comes after changes is made of the ward that holds them."""
    wards: dict[str, Any] = {}
    found: list[ToolCall] = []
    for call in calls:
        if call["tool"] == AMENDS:
            wards = {"ward_hash": {"ref": {"call": call["id"], "path": "ward_hash"}}}
        found.append({**call, "args": {**call["args"], **wards}} if call["tool"] == TOOL else call)
    return found


def _slots(made: PlanningResult, view: PlanningView) -> dict[str, Any]:
    """What the calls say, and what the plans before in the same request said."""
    said: dict[str, Any] = {}
    for call in made["tools"]:
        said |= {name: call["args"][name] for name in SLOTS_OF.get(call["tool"], ()) if call["args"].get(name)}
    said = {name: value for name, value in said.items() if not references(value)}
    return {**(view.plan["slots"] if view.plan else {}), **said}


SLOTS_OF: Mapping[str, Sequence[str]] = {
    **dict.fromkeys(CONTEXT, ("ward", "start_date", "num_days")),
    AMENDS: ("not_held",),
    TOOL: ("publish",),
}
"""Which arguments of which calls are slots; `chosen`, how the ward was where the request names none, is the rules' own."""
