"""After a failed round: raise the penalties of what failed by half, and solve again."""

from collections.abc import Mapping, Sequence
from typing import Any

from wavegraph.graph.ledger import CHANGES_ASKED, changes_asked, outcome_of
from wavegraph.graph.state import PlannedCall, ToolCall, ValidationIssue
from wavegraph.graph.views import PlanningView
from wavegraph.tools.roster.arguments import MOST_RAISED
from wavegraph.tools.roster.loop.generation import TOOL
from wavegraph.tools.roster.loop.penalty_kinds import GOES_ON, PENALTY_OF, UNAVOIDABLE, has_no_part, penalty_of
from wavegraph.tools.roster.loop.round_time import spent_s
from wavegraph.tools.roster.loop.rounds import round_results, types_of
from wavegraph.tools.roster.records import Generated, Multipliers
from wavegraph.tools.roster.ward.finding_types import FINDING_TYPES

RAISE = 1.5


def adapt(view: PlanningView) -> Sequence[ToolCall] | None:
    """One more round: with what the manager asked for, else with the penalties of what failed raised.

    While a breach is not proven unavoidable, the search continues from its last roster and no penalty is raised: must-rules come
    first. Where no penalty can be raised but a rule is still broken, it continues too. None where nothing
    can be raised, the manager's own round is over, two cells alone were exchanged, no time is left, or the round was stopped on request. A penalty without a part in the
    roster's cost is not raised: the roster would stay the cheapest known, so the round check says so and the loop ends.
    """
    rounds = round_results(view.ledger)
    if view.feedback is None or not rounds:
        return None
    last_id, last = list(rounds.items())[-1]
    if (asked := _asked_for(view)) is not None:
        return [_next(view.ledger["calls"][last_id], last, last.penalty_multipliers, asked)]
    own = [issue for issue in view.feedback["issues"] if issue["tool_id"] == last_id]
    if any(issue["type"] == GOES_ON for issue in own):
        return [_next(view.ledger["calls"][last_id], last, last.penalty_multipliers, {})]
    before = list(view.ledger["calls"])[: list(view.ledger["calls"]).index(last_id)]
    is_the_managers = not set(before).isdisjoint(changes_asked(view.ledger))
    if last.asked_to_stop or last.all_else_from or is_the_managers:
        return None
    proven = {issue["type"] for issue in own if issue["rule"] == UNAVOIDABLE}
    # Where there are too many issues, the last one stands for all further types.
    kinds = [(issue, kind) for issue in own for kind in types_of(issue) if kind not in proven]
    failing = {penalty_of({**issue, "type": kind}) for issue, kind in kinds}
    acting = {kind for kind in failing if kind is not None and not has_no_part(kind, last)}
    raised = raised_by_half(last.penalty_multipliers, set() if last.has_open_breach else acting)
    if raised == last.penalty_multipliers and not _may_still_be_met(last, own):
        return None
    spent = spent_s(list(rounds.values()), view.settings.time_limit_s, view.settings.rounds)
    if spent is not None and spent >= view.settings.time_limit_s:
        return None
    more = {} if spent is None else {"spent_s": round(spent, 1)}
    return [_next(view.ledger["calls"][last_id], last, raised, {}, more)]


OF_THE_WARD = frozenset(
    {"wish", "pair", "unwelcome_run", "mixed_weekend", "unwelcome_total", "backward_rotation", "shift_concentration"}
)
HARD = frozenset(FINDING_TYPES) - PENALTY_OF.keys() - OF_THE_WARD


def _may_still_be_met(last: Generated, issues: Sequence[ValidationIssue]) -> bool:
    """Whether more time may help where no price can: a breach that is not proven. A round without a roster has used all
    the time there was."""
    open_ones = [issue for issue in issues if issue["rule"] != UNAVOIDABLE]
    return last.status == "feasible" and any(not HARD.isdisjoint(types_of(issue)) for issue in open_ones)


def raised_by_half(before: Multipliers, kinds: set[str]) -> Multipliers:
    """Compounding, up to `MOST_RAISED`."""
    raised = {kind: min(MOST_RAISED, before.get(kind, 1.0) * RAISE) for kind in kinds}
    return dict(sorted({**before, **raised}.items()))


def _asked_for(view: PlanningView) -> dict[str, Any] | None:
    """The changes that a manager asked for in place of publishing; None = none."""
    issues = view.feedback["issues"] if view.feedback else ()
    asked = (outcome_of(issue["tool_id"], view.ledger) for issue in issues if issue["rule"] == CHANGES_ASKED)
    return next((dict(outcome["data"]) for outcome in asked if outcome), None)


def _next(
    call: PlannedCall,
    last: Generated,
    multipliers: Multipliers,
    changes: dict[str, Any],
    more: Mapping[str, float] | None = None,
) -> ToolCall:
    iteration = last.iteration + 1
    return {
        "id": f"{TOOL}_{iteration}",
        "tool": TOOL,
        "args": {
            "ward_hash": last.ward_hash,
            "iteration": iteration,
            "penalty_multipliers": multipliers,
            "start_from": last.roster_id,
            "penalties": {**call["args"].get("penalties", {}), **changes.get("penalties", {})},
            "locked": changes.get("locked", []),
            **(more or {}),
        },
        "instead_of": call["id"],
    }
