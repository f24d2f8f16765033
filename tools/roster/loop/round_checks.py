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
        impossible = [_impossible("understaffed", "no roster can reach the minimum", why, call) for why in whys]
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
        proven = [_impossible(kind, "no roster avoids this", why, call) for kind, why in proofs.items()]
        proven = [{**issue, "about": {"unavoidable": True, **issue["about"]}} for issue in proven]
        self.store.keep_remarks("grounds", result.roster_id, "empathy", list(proofs.values()))
        return [*proven, *without_part(issues, result, call), *_bounded(issues, call, "empathy")]

    def stopped(self, result: Generated, call: ResolvedCall) -> list[ValidationIssue]:
        """An issue where the round was stopped on request; where that was then cancelled, that the search goes on."""
        goes_on = result.roster_id and self.store.remarks("taken_back", result.roster_id)
        kind, what = "stopped_early", "stopped on request: its best roster stands, and no further round was made"
        if goes_on:
            kind, what = GOES_ON, "cancelled: the search goes on from its roster"
        return [_plain(kind, f"round {result.iteration} was {what}", call)] if result.asked_to_stop else []

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
        """A ward may also limit wishes, pairs and patterns, which are not proven."""
        ward, provable = self.store.ward(result.ward_hash), [kind for kind in failed if kind in FOUND]
        seconds = PROOF_S if result.left_s is None else min(PROOF_S, result.left_s)
        found = unavoidable(ward, provable, seconds=seconds) if provable else {}
        return {kind: why_told(ward, grounds) for kind, grounds in found.items()}


def without_part(issues: Sequence[ValidationIssue], result: Generated, call: ResolvedCall) -> list[ValidationIssue]:
    """Why the penalties of some issues are not raised: each has no part in the cost of the round's roster."""
    priced = [(penalty, issue["type"]) for issue in issues if (penalty := penalty_of(issue))]
    kinds = {penalty: kind for penalty, kind in priced if has_no_part(penalty, result)}
    reason = "a higher price for {} changes nothing: this roster's cost has no part of it"
    return [
        _plain(kind, reason.format(penalty.replace("_", " ")), call, told("no_part", kind=kind), rule=NO_PART)
        for penalty, kind in sorted(kinds.items())
    ]


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
    kind: str,
    message: str,
    call: ResolvedCall,
    line: Told | None = None,
    *,
    rule: str | None = None,
    severity: Severity = "warning",
) -> ValidationIssue:
    """About a round as a whole. `line`: how it is told in another language; `rule`: None = the kind itself."""
    plain: ValidationIssue = {
        "type": kind, "tool_id": call.id, "message": message, "severity": severity, "rule": rule or kind,
    }  # fmt: skip
    if line is None:
        return plain
    return {**plain, "about": {"told": told(line.say, **line.given, detail=message).model_dump(mode="json")}}


def _impossible(kind: str, what: str, why: Line, call: ResolvedCall) -> ValidationIssue:
    """What no roster can do, and why."""
    line = told("issue.understaffed" if kind == "understaffed" else "issue.unavoidable", reasons=[why])
    return _plain(kind, f"{what}: {english(why)}", call, line, rule=UNAVOIDABLE)


def _bounded(issues: list[ValidationIssue], call: ResolvedCall, check: str) -> list[ValidationIssue]:
    left = len(issues) - MOST_ISSUES
    if left <= 0:
        return issues
    kinds = sorted({issue["type"] for issue in issues[MOST_ISSUES:]})
    line = told("more_of", more=left, kinds=kinds)
    more = _plain(f"more_{check}", f"and {left} more of: {', '.join(kinds)}", call, line)
    return [*issues[:MOST_ISSUES], {**more, "actual": left, "expected": kinds}]


def _open_breach(result: Generated, call: ResolvedCall) -> list[ValidationIssue]:
    """That it is not known whether its breaches have to be; nothing where they are proven to, or it has none."""
    tried = f"a roster without a breach, or the proof that there is none, was not found in {decimal(result.seconds)} s"
    line = told("issue.breach_open", reasons=[told("why.open", seconds=result.seconds)])
    return [_plain("breach_open", tried, call, line)] if result.has_open_breach else []


def _with_relaxations(result: Generated, exists: str) -> list[Told]:
    """That a roster exists with one of them; none of them = nothing to say."""
    gives, words = result.relaxations, "; or with ".join(map(english, result.relaxations))
    return [told("exists_with_one", gives=gives, detail=f"{exists} with {words}.")] if gives else []


def _no_roster(result: Generated, call: ResolvedCall) -> ValidationIssue:
    if result.status == "infeasible":
        exists = _with_relaxations(result, "A roster exists")
        why = "; ".join(map(english, result.impossible)) or "the rules contradict each other"
        message = " ".join([f"no roster can meet all rules: {why}", *map(english, exists)])
        line = told("issue.infeasible", reasons=[*result.impossible, *exists])
        return _plain("infeasible", message, call, line, rule=UNAVOIDABLE, severity="critical")
    if result.asked_to_stop:
        line = told("issue.no_roster", reasons=[told("why.stopped")])
        return _plain("no_roster", "it was stopped before a roster was found", call, line)
    ended = f"no roster was found in {decimal(result.seconds)} s{': ' if result.why else ''}{result.why}"
    message = f"{ended}; give it more time (`time_limit_s`, `--time-limit`)"
    line = told("issue.no_roster", reasons=[told("why.unknown", seconds=result.seconds)])
    return _plain("no_roster", message, call, line, severity="critical")
