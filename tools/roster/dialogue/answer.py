"""The answer in words, from the rounds and the report: the roster, how good it is, what failed, what was decided."""

from collections.abc import Iterator, Sequence

from wavegraph.graph.domain import AnswerView
from wavegraph.graph.ledger import GOOD, is_rejected, outcome_of
from wavegraph.graph.state import ToolOutcome
from wavegraph.tools.roster.loop.rounds import presented_round, results_of, round_results
from wavegraph.tools.roster.records import Generated, Publication, Reported, RosterPeriod, Round
from wavegraph.tools.roster.summaries import changes_in_words

MOST_LISTED = 12
"""Problems that are listed."""


def compose(view: AnswerView, rounds: Sequence[Round]) -> str:
    """The verdict, what failed, the rounds, and last the requests that could not be applied."""
    return "\n".join([_verdict_and_rounds(view, rounds), *_not_held(view)])


def _not_held(view: AnswerView) -> list[str]:
    wishes = view.plan["slots"].get("not_held") or []
    return (
        ["", "Asked for but not applied, because no rule of a ward can express it:", *(f"- {each}" for each in wishes)]
        if wishes
        else []
    )


def _verdict_and_rounds(view: AnswerView, rounds: Sequence[Round]) -> str:
    results = list(round_results(view.ledger).values())
    if not results:
        reports = results_of("get_report", Reported, view.ledger)
        return "\n".join(_decided_only(view, reports[-1]) if reports else _nothing_made(view))
    found = presented_round(view.ledger, rounds)
    if found is None:
        why = dict.fromkeys(issue.detail for each in rounds for issue in each.issues)
        return "\n".join([f"There is no roster for {_period(results[-1])}.", *why])
    report = _report(view, found)
    failed = [issue.detail for issue in found.issues] or (report.problems if report else [])
    weak = [*_changed(report), *_listed(failed), *_below_target(report), *_fair(report)]
    lines = [_verdict(found, results[0], report), *weak, "", *_history(rounds)]
    return "\n".join([*lines, *_decision(view, str(found.roster_id), bool(found.failed))]).strip()


def _decided_only(view: AnswerView, report: Reported) -> Iterator[str]:
    """A roster of an earlier request that this one decides about."""
    checks = f"compliance {report.compliance}, empathy {report.empathy}"
    yield f"Roster {report.roster_id} for {_period(report)}: {checks}."
    yield from _listed(report.problems)
    yield from _decision(view, report.roster_id, bool(report.failed))


def _nothing_made(view: AnswerView) -> Iterator[str]:
    yield "No roster was made."
    outcomes = (outcome_of(name, view.ledger) for name in view.ledger["calls"])
    reasons = [o["error"]["message"] for o in outcomes if o and o["error"] and o["status"] in ("error", "timeout")]
    yield from dict.fromkeys(reasons)


def _verdict(found: Round, results: Generated, report: Reported | None) -> str:
    cost = f"cost {_number(found.cost)}, and no roster can cost less than {_number(found.bound)}"
    name = f"Roster {found.roster_id} for {_period(results)}"
    if report is None:
        return f"{name}, the best so far: {cost}. There is no report on it."
    checks = f"compliance {report.compliance}, empathy {report.empathy}"
    passed = "passes every check" if not found.failed else "does not pass"
    return f"{name} {passed} ({checks}): {cost}."


def _changed(report: Reported | None) -> list[str]:
    if report is None or report.changed_cells is None:
        return []
    return [f"{changes_in_words(report.changed_cells).capitalize()}."]


def _listed(details: Sequence[str]) -> list[str]:
    """The first problems; the list is bounded already, so the full number is not known here."""
    if not details:
        return []
    more = ["- and others"] if len(details) > MOST_LISTED else []
    return ["What failed:", *(f"- {detail}" for detail in details[:MOST_LISTED]), *more]


def _below_target(report: Reported | None) -> list[str]:
    return ["Below target:", *(f"- {each}" for each in report.below_target)] if report and report.below_target else []


def _fair(report: Reported | None) -> list[str]:
    if report is None:
        return []
    worst = min(report.lines, key=lambda line: line.score)
    lowest = f"{worst.nurse}: {_number(worst.hours)} h, {worst.nights} nights, {worst.weekends} weekends"
    return [f"Fairness {_number(report.fairness)} %; the lowest score is {_number(worst.score)} % ({lowest})."]


def _history(rounds: Sequence[Round]) -> list[str]:
    if len(rounds) < 2 and not any(each.failed for each in rounds):
        return []
    return ["Rounds:", *(f"- {_round(each)}" for each in rounds)]


def _round(each: Round) -> str:
    raised = ", ".join(f"{kind} x {_number(factor)}" for kind, factor in each.penalty_multipliers.items())
    failed = f"failed {', '.join(each.failed)}" if each.failed else each.status
    cost = "" if each.cost is None else f", cost {_number(each.cost)}"
    return f"{each.iteration}: {failed}{cost}{f'; raised {raised}' if raised else ''}"


def _decision(view: AnswerView, roster_id: str, failed: bool) -> Iterator[str]:
    """The manager's decision about publication, where one was asked for."""
    calls = [name for name, call in view.ledger["calls"].items() if call["tool"] == "publish_roster"]
    outcomes = [outcome for name in calls if (outcome := outcome_of(name, view.ledger))]
    if not outcomes:
        return
    last = outcomes[-1]
    yield ""
    if last["status"] in GOOD:
        draft = results_of("publish_roster", Publication, view.ledger)[-1].as_draft
        warned = " with these warnings" if failed else ""
        yield "Kept as a draft, as you chose." if draft else f"Published{warned}, as you approved."
    else:
        yield f"Not published: {_why(last)}. Roster {roster_id} is still kept."


def _why(outcome: ToolOutcome) -> str:
    if outcome["error"] is None:
        return outcome["status"]
    message = outcome["error"]["message"]
    return message if is_rejected(outcome) else f"{outcome['error']['code']}: {message}"


def _report(view: AnswerView, found: Round) -> Reported | None:
    reports = results_of("get_report", Reported, view.ledger)
    return next((each for each in reports if each.roster_id == found.roster_id), None)


def _period(about: RosterPeriod) -> str:
    return f"{about.ward}, {about.days} days from {about.start}"


def _number(amount: float | None) -> str:
    return "unknown" if amount is None else f"{round(amount, 2):g}"
