"""The two checks of a round, run side by side: may this roster be published, and is it fair?

What fails becomes issues that name type, nurse and day; the report has the rest.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from wavegraph.graph.decimals import decimal
from wavegraph.graph.domain import Check
from wavegraph.graph.state import Severity, ValidationIssue
from wavegraph.graph.views import ResolvedCall
from wavegraph.tools.roster.checks.findings import Finding
from wavegraph.tools.roster.cpsat.avoidable import unavoidable
from wavegraph.tools.roster.cpsat.wording import why_told
from wavegraph.tools.roster.loop.penalty_kinds import GOES_ON, NO_PART, UNAVOIDABLE, has_no_part, penalty_of
from wavegraph.tools.roster.loop.round_time import PROOF_S
from wavegraph.tools.roster.problem.rules.found import FOUND
from wavegraph.tools.roster.records import Generated
from wavegraph.tools.roster.store import RosterStore
from wavegraph.tools.roster.told import Line, Told, english, told
from wavegraph.tools.roster.ward.finding_types import FindingType
from wavegraph.tools.roster.ward.names import called

MOST_ISSUES = 20
"""Of one check; the last one says how many more there are."""
ROUND = frozenset({"infeasible", "no_roster", "understaffed", "breach_open"})
"""Types of issues about a round as a whole that have a sentence of their own."""


@dataclass(frozen=True)
class RoundChecks:
    store: RosterStore

    def compliance(self, result: Generated, call: ResolvedCall) -> list[ValidationIssue]:
        """Breaches of the rules; where there is no roster, the rules that collide."""
        if result.roster_id is None:
            return [_no_roster(result, call)]
        report, names = self.store.report(result.roster_id), called(self.store.ward(result.ward_hash))
        issues = [_issue(found, call, "critical", names) for found in report.compliance.breaches]
        whys = [*result.impossible, *_with_relaxations(result, "One exists")]
        self.store.keep_remarks("grounds", result.roster_id, "compliance", whys)
        impossible = [
            _why("understaffed", f"no roster can reach the minimum: {english(why)}", [why], call) for why in whys
        ]
        return [*impossible, *_open_breach(result, call), *_bounded(issues, call, "compliance")]

    def empathy(self, result: Generated, call: ResolvedCall) -> list[ValidationIssue]:
        """The findings of the types that failed, after the proofs of those that no roster can avoid."""
        if result.roster_id is None:
            return []
        report, names = self.store.report(result.roster_id), called(self.store.ward(result.ward_hash))
        failed = [excess.type for excess in report.empathy.failed]
        proofs = self._proofs(result, failed)
        issues = [_issue(found, call, "warning", names) for found in report.unfair]
        issues = [{**issue, "rule": UNAVOIDABLE} if issue["type"] in proofs else issue for issue in issues]
        proven = [_unavoidable(kind, why, call) for kind, why in proofs.items()]
        self.store.keep_remarks("grounds", result.roster_id, "empathy", list(proofs.values()))
        return [*proven, *without_part(issues, result, call), *_bounded(issues, call, "empathy")]

    def stopped(self, result: Generated, call: ResolvedCall) -> list[ValidationIssue]:
        """An issue where the round was stopped on request; where that was then cancelled, that the search goes on."""
        if not result.asked_to_stop:
            return []
        if result.roster_id and self.store.remarks("taken_back", result.roster_id):
            return [
                _plain(GOES_ON, f"round {result.iteration} was cancelled: the search goes on from its roster", call)
            ]
        message = (
            f"round {result.iteration} was stopped on request: its best roster stands, and no further round was made"
        )
        return [_plain("stopped_early", message, call)]

    def remarked(self, check: Check, name: str) -> Check:
        """Another check, whose findings are kept for the manager."""

        def run(result: Generated, call: ResolvedCall) -> Sequence[ValidationIssue]:
            found = check(result, call)
            issues = [*without_part(found, result, call), *found]
            if result.roster_id:
                self.store.keep_remarks("remarks", result.roster_id, name, [issue["message"] for issue in issues])
            return issues

        return run

    def _proofs(self, result: Generated, failed: Sequence[FindingType]) -> dict[FindingType, Told]:
        provable = [
            kind for kind in failed if kind in FOUND
        ]  # a ward may also limit wishes, pairs and patterns, which are not proven
        if not provable:
            return {}
        ward = self.store.ward(result.ward_hash)
        seconds = PROOF_S if result.left_s is None else min(PROOF_S, result.left_s)
        found = unavoidable(ward, provable, seconds=seconds)
        return {kind: why_told(ward, grounds) for kind, grounds in found.items()}


def without_part(issues: Sequence[ValidationIssue], result: Generated, call: ResolvedCall) -> list[ValidationIssue]:
    """Why the penalties of some issues are not raised: each has no part in the cost of the round's roster."""
    kinds = {
        penalty: issue["type"] for issue in issues if (penalty := penalty_of(issue)) and has_no_part(penalty, result)
    }
    return [
        _told(
            kind,
            f"a higher price for {_words(penalty)} changes nothing: this roster's cost has no part of it",
            call,
            told("no_part", kind=kind),
            rule=NO_PART,
        )
        for penalty, kind in sorted(kinds.items())
    ]


def _words(name: str) -> str:
    return name.replace("_", " ")


def _issue(found: Finding, call: ResolvedCall, severity: Severity, names: Mapping[str, str]) -> ValidationIssue:
    about = {
        "nurse_id": found.nurse_id, "date": found.day, "shift": found.shift, "detail": found.detail,
        "told": found.line(names).model_dump(mode="json"),
    }  # fmt: skip
    return {
        "type": found.type,
        "tool_id": call.id,
        "message": found.detail,
        "severity": severity,
        "rule": found.type,
        "expected": found.expected,
        "actual": found.actual,
        "about": {name: value for name, value in about.items() if value is not None},
    }


def _plain(
    kind: str, message: str, call: ResolvedCall, *, rule: str | None = None, severity: Severity = "warning"
) -> ValidationIssue:
    """About a round as a whole. `rule`: None = the kind itself."""
    return {"type": kind, "tool_id": call.id, "message": message, "severity": severity, "rule": rule or kind}


def _bounded(issues: list[ValidationIssue], call: ResolvedCall, check: str) -> list[ValidationIssue]:
    left = len(issues) - MOST_ISSUES
    if left <= 0:
        return issues
    kinds = sorted({issue["type"] for issue in issues[MOST_ISSUES:]})
    more = _told(
        f"more_{check}", f"and {left} more of: {', '.join(kinds)}", call, told("more_of", more=left, kinds=kinds)
    )
    return [*issues[:MOST_ISSUES], {**more, "actual": left, "expected": kinds}]


def _open_breach(result: Generated, call: ResolvedCall) -> list[ValidationIssue]:
    """That it is not known whether its breaches have to be; nothing where they are proven to, or it has none."""
    if not result.has_open_breach:
        return []
    message = (
        f"a roster without a breach, or the proof that there is none, was not found in {decimal(result.seconds)} s"
    )
    return [_why("breach_open", message, [told("why.open", seconds=result.seconds)], call, rule=None)]


def _with_relaxations(result: Generated, exists: str) -> list[Told]:
    """That a roster exists with one of them; none of them = nothing to say."""
    if not (gives := result.relaxations):
        return []
    return [told("exists_with_one", gives=gives, detail=f"{exists} with {'; or with '.join(map(english, gives))}.")]


def _no_roster(result: Generated, call: ResolvedCall) -> ValidationIssue:
    if result.status == "infeasible":
        exists = _with_relaxations(result, "A roster exists")
        why = "; ".join(map(english, result.impossible)) or "the rules contradict each other"
        message = " ".join([f"no roster can meet all rules: {why}", *map(english, exists)])
        return {**_why("infeasible", message, [*result.impossible, *exists], call), "severity": "critical"}
    if result.asked_to_stop:
        return _why("no_roster", "it was stopped before a roster was found", [told("why.stopped")], call, rule=None)
    why = f": {result.why}" if result.why else ""
    message = (
        f"no roster was found in {decimal(result.seconds)} s{why}; give it more time (`time_limit_s`, `--time-limit`)"
    )
    found = _why("no_roster", message, [told("why.unknown", seconds=result.seconds)], call, rule=None)
    return {**found, "severity": "critical"}


def _why(
    kind: str, message: str, why: Sequence[Line], call: ResolvedCall, *, rule: str | None = UNAVOIDABLE
) -> ValidationIssue:
    """With its reasons."""
    key = kind if kind in ROUND else "unavoidable"
    return _told(kind, message, call, told(f"issue.{key}", reasons=why), rule=rule)


def _told(kind: str, message: str, call: ResolvedCall, line: Told, *, rule: str | None = None) -> ValidationIssue:
    """About a round as a whole, with how it is told in another language."""
    line = told(line.say, **line.given, detail=message)
    return {**_plain(kind, message, call, rule=rule), "about": {"told": line.model_dump(mode="json")}}


def _unavoidable(kind: FindingType, why: Told, call: ResolvedCall) -> ValidationIssue:
    plain = _why(kind, f"no roster avoids this: {english(why)}", [why], call)
    return {**plain, "about": {"unavoidable": True, **plain["about"]}}
