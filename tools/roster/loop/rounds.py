"""The rounds of a request, read off its ledger, and which of them is the best."""

from collections.abc import Iterator, Mapping, Sequence
from math import ceil
from typing import TypeVar

from wavegraph.graph.ledger import GOOD, data_of, outcome_of
from wavegraph.graph.state import Ledger, ValidationIssue
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
    outcomes = {result.ward_hash: outcome_of(call_id, ledger) for call_id, result in rounds.items()}
    # what each round was asked for, before cells were settled in it
    wards = {name: outcome["args"].get("ward_hash") for name, outcome in outcomes.items() if outcome}
    found = []
    for call_id, result in rounds.items():
        own = [issue for issue in issues if issue["tool_id"] == call_id]
        report = store.report(result.roster_id) if result.roster_id else None
        # without issues of its own it passed, or was stopped or killed before its checks
        unchecked = [each.type for each in report.failing] if report and not own else []
        failed = list(dict.fromkeys([*unchecked, *(kind for each in own for kind in types_of(each))]))
        looser = {result.ward_hash, wards.get(result.ward_hash)}  # a ward with fewer settled cells
        same = [
            each for each in rounds.values() if each.ward_hash in looser and each.other_prices == result.other_prices
        ]
        bound = max(map(_base_bound, same))
        found.append(
            Round(
                iteration=result.iteration,
                status="no roster" if result.roster_id is None else "failed" if failed else "passed",
                issues=[
                    Issue(type=issue["type"], nurse_id=issue.get("about", {}).get("nurse_id"), detail=issue["message"])
                    for issue in own
                    if issue["type"] not in STOPS
                ],
                penalty_multipliers=result.penalty_multipliers,
                roster_id=result.roster_id,
                solver=result.status,
                breaches=len(report.compliance.breaches) if report else 0,
                failed=failed,
                cost=result.cost,
                bound=bound if result.cost is None else min(bound, result.cost),
                seconds=result.seconds,
                may_pass=_may_pass(result, own, failed),
            )
        )
    return found


def _base_bound(result: Generated) -> float:
    """The bound in base penalties: no price was raised by more than the largest factor, and base costs are whole tenths."""
    return ceil(PARTS * result.raised_bound / max([1.0, *result.penalty_multipliers.values()]) - 1e-6) / PARTS


def round_results(ledger: Ledger) -> dict[str, Generated]:
    """The results of `generate_roster` so far by call id, those of stopped calls included."""
    calls = [name for name, call in ledger["calls"].items() if call["tool"] == TOOL]
    outcomes = [(name, outcome) for name in calls if (outcome := outcome_of(name, ledger))]
    with_data = [(n, o) for n, o in outcomes if o["status"] in (*GOOD, "cancelled") and o["data"]]
    return {name: Generated.model_validate(data_of(outcome, ledger)) for name, outcome in with_data}


def _may_pass(result: Generated, issues: Sequence[ValidationIssue], failed: Sequence[str]) -> bool:
    """As `Round` has it. None does where each roster lacks somebody; one that keeps all other cells is no search."""
    proven = {issue["type"] for issue in issues if issue["rule"] == UNAVOIDABLE}
    cannot = result.least_breaches or result.impossible or result.all_else_from
    return result.status == "feasible" and not cannot and not proven.issuperset(failed)


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
    kinds = {name: Looked if "roster_id" in data else NothingPublished for name, data in done.items()}
    return {name: kinds[name].model_validate(data) for name, data in done.items()}


def roster_ids_in(ledger: Ledger) -> Iterator[str]:
    """The rosters that a request's results are about, the last first."""
    for name in reversed(ledger["calls"]):
        outcome = outcome_of(name, ledger)
        data = data_of(outcome, ledger) if outcome and outcome["data"] else None
        if isinstance(data, Mapping) and isinstance(data.get("roster_id"), str):
            yield data["roster_id"]


def rosters_in(ledger: Ledger) -> list[Reported | Looked]:
    """Those that were reported on, then those that were looked at."""
    looked = [each for each in looks_of(ledger).values() if isinstance(each, Looked)]
    return [*results_of("get_report", Reported, ledger), *looked]
