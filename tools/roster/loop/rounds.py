"""The rounds of a request, read off its ledger, and which of them is the best."""

from collections.abc import Mapping, Sequence
from math import ceil
from typing import Any, TypeVar

from wavegraph.graph.ledger import GOOD, data_of, outcome_of
from wavegraph.graph.state import Ledger, ValidationIssue
from wavegraph.tools.roster.checks.findings import TOO_FEW
from wavegraph.tools.roster.loop.generation import TOOL
from wavegraph.tools.roster.loop.penalty_kinds import GOES_ON, UNAVOIDABLE
from wavegraph.tools.roster.problem.fairness import PARTS
from wavegraph.tools.roster.records import Generated, Issue, Looked, NothingPublished, Reported, RosterRecord, Round
from wavegraph.tools.roster.store import RosterStore
from wavegraph.tools.roster.told import Told, told

R = TypeVar("R", bound=RosterRecord)
STOPS = frozenset({"stopped_early", GOES_ON})
MORE = ("more_compliance", "more_empathy")
"""Issues that stand for the types of findings beyond the first."""
NOT_CHECKS = STOPS | frozenset({"infeasible", "no_roster", "understaffed", "breach_open", "error", "timeout"})
"""Types of issues that are no finding about a roster."""


def rounds_of(ledger: Ledger, issues: Sequence[ValidationIssue], store: RosterStore) -> list[Round]:
    """In order."""
    rounds = round_results(ledger)
    wards = {result.ward_hash: _solved_ward(call_id, ledger) for call_id, result in rounds.items()}
    found = []
    for call_id, result in rounds.items():
        own = [issue for issue in issues if issue["tool_id"] == call_id]
        looser = {result.ward_hash, wards[result.ward_hash]}
        bound = max(_base_bound(other) for other in rounds.values() if _holds_for(other, result, looser))
        failed = [kind for each in own for kind in types_of(each)] if own else _unchecked(result, store)
        found.append(_round(result, own, list(dict.fromkeys(failed)), bound, store))
    return found


def _unchecked(result: Generated, store: RosterStore) -> list[str]:
    """The types that fail in a round without issues of its own: it passed, or was stopped or killed before its checks."""
    return [found.type for found in store.report(result.roster_id).failing] if result.roster_id else []


def _solved_ward(call_id: str, ledger: Ledger) -> str:
    """The ward a round was asked for, before cells were settled in it."""
    outcome = outcome_of(call_id, ledger)
    return str(outcome["args"].get("ward_hash", "")) if outcome else ""


def _holds_for(other: Generated, result: Generated, looser: set[str]) -> bool:
    """Whether another round's bound holds for this one: same prices, and the same ward or one with fewer settled cells."""
    return other.ward_hash in looser and other.other_prices == result.other_prices


def _base_bound(result: Generated) -> float:
    """The bound in base penalties: no price was raised by more than the largest factor, and base costs are whole tenths."""
    return ceil(PARTS * result.raised_bound / max([1.0, *result.penalty_multipliers.values()]) - 1e-6) / PARTS


def round_results(ledger: Ledger) -> dict[str, Generated]:
    """The results of `generate_roster` so far by call id, those of stopped calls included."""
    calls = [name for name, call in ledger["calls"].items() if call["tool"] == TOOL]
    outcomes = [(name, outcome) for name in calls if (outcome := outcome_of(name, ledger))]
    with_data = [(n, o) for n, o in outcomes if o["status"] in (*GOOD, "cancelled") and o["data"]]
    return {name: Generated.model_validate(data_of(outcome, ledger)) for name, outcome in with_data}


def _round(
    result: Generated, issues: list[ValidationIssue], failed: list[str], bound: float, store: RosterStore
) -> Round:
    breaches = len(store.report(result.roster_id).compliance.breaches) if result.roster_id else 0
    return Round(
        iteration=result.iteration,
        status="no roster" if result.roster_id is None else "failed" if failed else "passed",
        issues=[
            Issue(type=issue["type"], nurse_id=issue.get("about", {}).get("nurse_id"), detail=issue["message"])
            for issue in issues
            if issue["type"] not in STOPS
        ],
        penalty_multipliers=result.penalty_multipliers,
        roster_id=result.roster_id,
        solver=result.status,
        breaches=breaches,
        failed=failed,
        cost=result.cost,
        bound=bound if result.cost is None else min(bound, result.cost),
        seconds=result.seconds,
        may_pass=_may_pass(result, issues, failed),
    )


def _may_pass(result: Generated, issues: Sequence[ValidationIssue], failed: Sequence[str]) -> bool:
    """As `Round` has it. One that keeps all other cells is no search among rosters."""
    proven = {issue["type"] for issue in issues if issue["rule"] == UNAVOIDABLE}
    if not result.has_open_breach:
        proven |= {*TOO_FEW}
    return result.status == "feasible" and not result.all_else_from and not proven.issuperset(failed)


def bound_told(round_: Round) -> Told:
    """Whether it is proven that no roster costs less."""
    key = "may_be_better" if round_.bound > 0 else "may_be_better_alone"
    is_best = round_.cost is not None and round_.cost <= round_.bound
    return told("is_optimal" if is_best else key, cost=round_.cost, bound=round_.bound)


def more_time(rounds: Sequence[Round]) -> Told:
    return told("more_time", seconds=round(sum(each.seconds for each in rounds), 1))


def types_of(issue: ValidationIssue) -> list[str]:
    """The types of findings an issue stands for."""
    if issue["type"] in MORE:
        return list(issue["expected"])
    return [] if issue["type"] in NOT_CHECKS else [issue["type"]]


def rank(round_: Round) -> tuple[int, int, float]:
    """Lower is better: hard breaches, failed types, cost by the base penalties."""
    return round_.breaches, len(round_.failed), round_.cost if round_.cost is not None else float("inf")


def best(rounds: Sequence[Round]) -> Round | None:
    """The best of the rounds that have a roster; of equals the first."""
    return min((each for each in rounds if each.roster_id), key=rank, default=None)


def presented_round(ledger: Ledger, rounds: Sequence[Round]) -> Round | None:
    """The round whose roster was reported on last; before there is a report, the best so far.

    Of several rounds with the same roster, the last.
    """
    reported = results_of("get_report", Reported, ledger)
    same = (each for each in reversed(rounds) if reported and each.roster_id == reported[-1].roster_id)
    return next(same, None) or best(rounds)


def results_of(tool: str, kind: type[R], ledger: Ledger) -> list[R]:
    """The results of a tool's calls, in order, without those that failed or did not finish."""
    outcomes = (outcome_of(name, ledger) for name, call in ledger["calls"].items() if call["tool"] == tool)
    done = (outcome for outcome in outcomes if outcome and outcome["status"] in GOOD)
    return [kind.model_validate(data_of(outcome, ledger)) for outcome in done]


def results_once(tool: str, kind: type[R], ledger: Ledger) -> list[R]:
    """The same, each of equal ones once."""
    found = results_of(tool, kind, ledger)
    return [each for place, each in enumerate(found) if each not in found[:place]]


def looks_of(ledger: Ledger) -> dict[str, Looked | NothingPublished]:
    """What the looks at rosters found, by call."""
    calls = (name for name, call in ledger["calls"].items() if call["tool"] == "look_at_roster")
    outcomes = {name: outcome_of(name, ledger) for name in calls}
    done = {name: data_of(each, ledger) for name, each in outcomes.items() if each and each["status"] in GOOD}
    return {name: _looked(data) for name, data in done.items()}


def _looked(data: Mapping[str, Any]) -> Looked | NothingPublished:
    return Looked.model_validate(data) if "roster_id" in data else NothingPublished.model_validate(data)


def roster_ids_in(ledger: Ledger) -> set[str]:
    """Of all rosters that a request's results are about."""
    outcomes = (outcome_of(name, ledger) for name in ledger["calls"])
    data = [data_of(each, ledger) for each in outcomes if each and each["status"] in GOOD]
    return {each["roster_id"] for each in data if isinstance(each, Mapping) and isinstance(each.get("roster_id"), str)}


def rosters_in(ledger: Ledger) -> list[Reported | Looked]:
    """Those that were reported on, then those that were looked at."""
    looked = [each for each in looks_of(ledger).values() if isinstance(each, Looked)]
    return [*results_of("get_report", Reported, ledger), *looked]
