"""The roster that a request presents, with its report and rounds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from wavegraph.app.roster.page.page import roster_page
from wavegraph.app.run.result import Result
from wavegraph.graph.state import Ledger
from wavegraph.tools.roster.answers.phrases import say
from wavegraph.tools.roster.loop.rounds import presented_round, results_of, round_results, rounds_of
from wavegraph.tools.roster.problem.result import Point
from wavegraph.tools.roster.records import Generated, Publication, Reported, Round
from wavegraph.tools.roster.reports import RosterReport
from wavegraph.tools.roster.store import RosterStore
from wavegraph.tools.roster.ward.ward import Roster, Ward


@dataclass(frozen=True, kw_only=True)
class PresentedRoster:
    """A roster with everything known about it."""

    ward: Ward
    """As it was solved: with the cells that a manager settled."""
    roster: Roster
    report: RosterReport
    round: Round
    round_result: Generated
    rounds: Sequence[Round]
    traces: Mapping[int, Sequence[Point]]
    """By a round's iteration."""
    note: str
    """What to know before using the roster."""

    @property
    def page(self) -> str:
        """All of it as one page of HTML."""
        return roster_page(
            self.ward, self.roster, self.report, self.rounds, self.traces, iteration=self.round.iteration,
            note=self.note,
        )  # fmt: skip


def request_rounds(state: Any, result: Result, store: RosterStore) -> list[Round]:
    """The request's rounds; empty if it was never planned, as the thread's state then belongs to another request."""
    return rounds_of(state["ledger"], state["issues"], store) if result.plan else []


def presented_roster(state: Any, result: Result, store: RosterStore) -> PresentedRoster | None:
    """The roster that the request presents; None = it has none."""
    rounds = request_rounds(state, result, store)
    found = presented_round(state["ledger"], rounds) if rounds else None
    if found is None or found.roster_id is None:
        return None
    source = next(each for each in round_results(state["ledger"]).values() if each.iteration == found.iteration)
    return PresentedRoster(
        ward=store.ward(source.ward_hash),
        roster=store.stored_roster(found.roster_id).roster,
        report=store.report(found.roster_id),
        round=found,
        round_result=source,
        rounds=rounds,
        traces={each.iteration: store.stored_roster(each.roster_id).trace for each in rounds if each.roster_id},
        note=_note(result, source, state["ledger"]),
    )


def _note(result: Result, source: Generated, ledger: Ledger) -> str:
    match result.outcome:
        case "awaiting_approval":
            return "Not published: waiting for the manager's decision."
        case "cancelled":
            return "Not published: the work was stopped, and this is the best roster found by then."
        case "failed":
            return "Not published: the request failed, and this is the best roster found by then."
    if decided := results_of("publish_roster", Publication, ledger):
        return f"{'Kept as a draft,' if decided[-1].as_draft else 'Published'} with its problems."
    if any(call["tool"] == "publish_roster" for call in ledger["calls"].values()):
        return "Not published."
    status = next((each.status for each in results_of("get_report", Reported, ledger)[-1:]), "")
    if status not in ("", "none"):
        return say("stands", "en", status=say(f"look_status_{status}", "en"))
    how = "stopped early on request, the best roster found by then" if source.asked_to_stop else "it passes every check"
    return f"Not published yet: {how}."
