"""The figures of many requests, from their records: what went well, what failed, what it cost."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from math import ceil
from typing import Any, TypeVar, get_args

from wavegraph.app.report.figures import (
    CheckerCount,
    Cost,
    FailedCriterion,
    FailureExample,
    IssueKind,
    ModelFigures,
    NamedCount,
    NamedShare,
    NodeTimes,
    OverTime,
    Period,
    PersonVerdicts,
    PlannerCost,
    Report,
    RuleCount,
    SecondAttempts,
    Spread,
    ToolTimes,
    Unit,
    VerdictReason,
)
from wavegraph.app.run.threads import ThreadRow, shortened
from wavegraph.graph.state import Outcome

OUTCOMES: Sequence[str] = get_args(Outcome)
NO_VERDICT = frozenset({"off", "unavailable"})
"""`checked_by` of an answer without a verdict."""
NO_TOOL = "none"
"""Tool of an issue that belongs to no call: of a broken plan, or of the answer."""
MOST_EXAMPLES = 3
"""Examples of one criterion, or of one rule."""
MOST_REASONS = 20
"""Reasons of verdicts, the latest first."""
MOST_PERIODS = 45
"""Columns of time before days become weeks, and weeks months."""

_T = TypeVar("_T")


@dataclass(frozen=True, kw_only=True)
class StoredRequest:
    """One closed request as the store holds it. Older versions recorded less: any field may be missing."""

    thread_id: str
    ended: datetime
    """UTC."""
    record: Mapping[str, Any]


_Failure = tuple[StoredRequest, Mapping[str, Any]]


def report_on(stored: Iterable[StoredRequest], rows: Iterable[ThreadRow] = (), since: date | None = None) -> Report:
    """The figures of the requests that ended on the day `since` (UTC) or later; `rows`: the threads' last requests."""
    found = sorted((s for s in stored if since is None or s.ended.date() >= since), key=lambda s: s.ended)
    records = [s.record for s in found]
    return Report(
        since=since.isoformat() if since else None,
        first=found[0].ended.isoformat() if found else None,
        last=found[-1].ended.isoformat() if found else None,
        requests=len(found),
        threads=len({s.thread_id for s in found}),
        outcomes=_outcomes(records),
        unfinished=_unfinished(rows, since),
        over_time=_over_time(found),
        issues=_issues(records),
        issue_types=_counts(issue["type"] for _, issue in _all_issues(records)),
        issue_tools=_counts(tool for tool, _ in _all_issues(records)),
        adapted=_tried(
            records, "adaptations", lambda r: None if r.get("open_issues") is None else r["open_issues"] == 0
        ),
        replanned=_tried(records, "answer_replans", _is_satisfied),
        rewritten=_tried(records, "rewrites", _is_satisfied),
        checks=_checks(records),
        verdicts=_satisfied(records),
        criteria=_criteria(found),
        limits=_limits(records),
        tools=_tools(records),
        seconds=spread(r["elapsed_s"] for r in records if r.get("elapsed_s") is not None),
        nodes=_nodes(records),
        cost=_cost(records),
        planners=_planners(records),
        models=_models(records),
        persons=_persons(found),
    )


def share(part: float, whole: float) -> float | None:
    return part / whole if whole else None


def percentile(values: Sequence[float], percent: float) -> float:
    """By nearest rank: the smallest value that at least `percent` of the values do not exceed.

    `values`: at least one, in any order; `percent`: above 0, at most 100.
    """
    return sorted(values)[max(ceil(percent * len(values) / 100), 1) - 1]


def spread(values: Iterable[float]) -> Spread:
    seconds = [float(value) for value in values]
    if not seconds:
        return Spread(n=0, median_s=None, p95_s=None, max_s=None, total_s=0.0)
    return Spread(
        n=len(seconds),
        median_s=percentile(seconds, 50),
        p95_s=percentile(seconds, 95),
        max_s=max(seconds),
        total_s=round(sum(seconds), 3),
    )


def _counts(names: Iterable[str]) -> list[NamedCount]:
    """The most frequent first, then by name."""
    counted = sorted(Counter(names).items(), key=lambda pair: (-pair[1], pair[0]))
    return [NamedCount(name=name, n=n) for name, n in counted]


def _grouped(items: Iterable[_T], key: Callable[[_T], str]) -> dict[str, list[_T]]:
    """Items by key, the largest group first, then by name."""
    groups: dict[str, list[_T]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return dict(sorted(groups.items(), key=lambda pair: (-len(pair[1]), pair[0])))


def _list(record: Mapping[str, Any], name: str) -> list[Any]:
    return record.get(name) or []


def _number(record: Mapping[str, Any], name: str) -> int:
    return record.get(name) or 0


def _text(record: Mapping[str, Any]) -> str:
    return shortened((record.get("request") or {}).get("text", ""))


def _outcomes(records: Sequence[Mapping[str, Any]]) -> list[NamedShare]:
    """In the order of `Outcome`, from good to bad."""
    counted = Counter(record.get("outcome") or "unknown" for record in records)
    names = [*OUTCOMES, *sorted(set(counted) - set(OUTCOMES))]
    return [
        NamedShare(name=name, n=counted[name], share=share(counted[name], len(records)))
        for name in names
        if counted[name]
    ]


def _unfinished(rows: Iterable[ThreadRow], since: date | None) -> list[NamedCount]:
    """`awaiting_approval`, `cancelled` (stopped by a person), `not ended` (it is running, or its process was killed)."""
    left = [row for row in rows if row.can_resume and (since is None or row.updated[:10] >= since.isoformat())]
    return _counts(row.outcome or "not ended" for row in left)


def _over_time(found: Sequence[StoredRequest]) -> OverTime:
    if not found:
        return OverTime(unit="day", periods=[])
    unit = _unit(found[0].ended.date(), found[-1].ended.date())
    by_start = _grouped(found, lambda s: _start(s.ended.date(), unit).isoformat())
    periods = []
    start, last = _start(found[0].ended.date(), unit), found[-1].ended.date()
    while start <= last:
        within = by_start.get(start.isoformat(), [])
        outcomes = {part.name: part.n for part in _outcomes([s.record for s in within])}
        periods.append(Period(start=start.isoformat(), n=len(within), outcomes=outcomes))
        start = _start(start + timedelta(days={"day": 1, "week": 7, "month": 31}[unit]), unit)
    return OverTime(unit=unit, periods=periods)


def _unit(first: date, last: date) -> Unit:
    days = (last - first).days + 1
    if days <= MOST_PERIODS:
        return "day"
    return "week" if days <= 7 * (MOST_PERIODS - 1) else "month"


def _start(day: date, unit: Unit) -> date:
    """The first day of the period a day is in; weeks begin on Monday."""
    if unit == "month":
        return day.replace(day=1)
    return day - timedelta(days=day.weekday()) if unit == "week" else day


def _all_issues(records: Iterable[Mapping[str, Any]]) -> list[tuple[str, Mapping[str, Any]]]:
    """(tool, issue) of every issue."""
    found = []
    for record in records:
        tools = {call["id"]: call["tool"] for call in _list(record, "calls")}
        found += [(tools.get(issue["tool_id"], NO_TOOL), issue) for issue in _list(record, "issues")]
    return found


def _issues(records: Sequence[Mapping[str, Any]]) -> list[IssueKind]:
    issues = [(number, tool, issue) for number, r in enumerate(records) for tool, issue in _all_issues([r])]
    kinds = _grouped(issues, lambda one: f"{one[2]['type']}\n{one[1]}")
    return [
        IssueKind(
            type=kind.partition("\n")[0],
            tool=kind.partition("\n")[2],
            n=len(group),
            requests=len({number for number, _, _ in group}),
            rules=_rules([issue for _, _, issue in group]),
        )
        for kind, group in kinds.items()
    ]


def _rules(issues: Sequence[Mapping[str, Any]]) -> list[RuleCount]:
    return [
        RuleCount(
            rule=rule,
            n=len(group),
            examples=list(dict.fromkeys(shortened(i["message"]) for i in group))[:MOST_EXAMPLES],
        )
        for rule, group in _grouped(issues, lambda issue: issue.get("rule") or issue["type"]).items()
    ]


def _tried(
    records: Sequence[Mapping[str, Any]], counter: str, succeeded: Callable[[Mapping[str, Any]], bool | None]
) -> SecondAttempts:
    tried = [record for record in records if _number(record, counter)]
    ends = [end for end in map(succeeded, tried) if end is not None]
    return SecondAttempts(
        requests=len(tried),
        times=sum(_number(record, counter) for record in tried),
        known=len(ends),
        succeeded=sum(ends),
        share=share(sum(ends), len(ends)),
    )


def _is_satisfied(record: Mapping[str, Any]) -> bool | None:
    """The last verdict; None = the answer was not judged."""
    check = record.get("answer_check")
    return bool(check["satisfied"]) if check and check["checked_by"] not in NO_VERDICT else None


def _checks(records: Sequence[Mapping[str, Any]]) -> list[CheckerCount]:
    checked = [record for record in records if record.get("answer_check")]
    groups = _grouped(checked, lambda record: str(record["answer_check"]["checked_by"]))
    verdicts = ((name, len(group), _satisfied(group)) for name, group in groups.items())
    return [CheckerCount(name=name, n=n, satisfied=part.n, share=part.share) for name, n, part in verdicts]


def _satisfied(records: Iterable[Mapping[str, Any]]) -> NamedShare:
    """Share of the judged requests."""
    verdicts = [verdict for verdict in map(_is_satisfied, records) if verdict is not None]
    return NamedShare(name="satisfied", n=sum(verdicts), share=share(sum(verdicts), len(verdicts)))


def _criteria(found: Sequence[StoredRequest]) -> list[FailedCriterion]:
    failures = [(stored, failure) for stored in found for failure in _failures(stored.record)]
    groups = _grouped(failures, lambda pair: str(pair[1]["criterion"]))
    return [_criterion(name, group) for name, group in groups.items()]


def _failures(record: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Every failed criterion of every attempt; only those of the last verdict if no more was recorded."""
    if "answer_failures" in record:
        return _list(record, "answer_failures")
    check = record.get("answer_check") or {}
    return [
        {"criterion": one["name"], "gap": one.get("gap") or "", "checked_by": check["checked_by"]}
        for one in _list(check, "criteria")
        if one["verdict"] == "fail"
    ]


def _criterion(name: str, failures: Sequence[_Failure]) -> FailedCriterion:
    ends = {id(stored): _is_satisfied(stored.record) is True for stored, _ in failures}
    return FailedCriterion(
        name=name,
        n=len(failures),
        requests=len(ends),
        mended=sum(ends.values()),
        share_mended=share(sum(ends.values()), len(ends)),
        examples=[_failure_example(*one) for one in _latest_failures(failures)],
    )


def _latest_failures(failures: Sequence[_Failure]) -> list[_Failure]:
    """The latest failures, each gap of a request text once."""
    chosen = {(_text(stored.record), failure["gap"]): (stored, failure) for stored, failure in failures}
    return sorted(chosen.values(), key=lambda pair: pair[0].ended, reverse=True)[:MOST_EXAMPLES]


def _failure_example(stored: StoredRequest, failure: Mapping[str, Any]) -> FailureExample:
    return FailureExample(
        thread_id=stored.thread_id,
        request=_text(stored.record),
        gap=shortened(failure["gap"]),
        attempt=failure.get("attempt"),
        checked_by=str(failure["checked_by"]),
    )


def _limits(records: Sequence[Mapping[str, Any]]) -> list[NamedShare]:
    hit = _counts(name for record in records for name in set(_list(record, "limits_hit")))
    return [NamedShare(name=limit.name, n=limit.n, share=share(limit.n, len(records))) for limit in hit]


def _tools(records: Sequence[Mapping[str, Any]]) -> list[ToolTimes]:
    calls = [call for record in records for call in _list(record, "calls")]
    ran = [call for call in calls if call["runs"] and call["status"] not in ("skipped", "cancelled")]
    return [_tool_times(tool, group) for tool, group in _grouped(ran, lambda call: str(call["tool"])).items()]


def _tool_times(tool: str, calls: Sequence[Mapping[str, Any]]) -> ToolTimes:
    ends = Counter(call["status"] for call in calls)
    return ToolTimes(
        tool=tool,
        errors=ends["error"],
        timeouts=ends["timeout"],
        retried=sum(call["attempts"] > 1 or call["runs"] > 1 for call in calls),
        seconds=spread(call["elapsed_s"] for call in calls),
    )


def _nodes(records: Sequence[Mapping[str, Any]]) -> list[NodeTimes]:
    """By node, longest total first; a step is named after its node: `execute_wave_2`, `check_answer_last`."""
    steps = [step for record in records for step in (record.get("times") or {}).items()]
    whole = sum(seconds for _, seconds in steps)
    groups = _grouped(steps, lambda step: re.sub(r"_(\d+|last)$", "", step[0]))
    took = {node: [seconds for _, seconds in group] for node, group in groups.items()}
    nodes = [NodeTimes(node=node, seconds=spread(s), share=share(sum(s), whole)) for node, s in took.items()]
    return sorted(nodes, key=lambda node: -node.seconds.total_s)


def _cost(records: Sequence[Mapping[str, Any]]) -> Cost:
    calls = sum(_number(record, "llm_calls") for record in records)
    tokens = [record.get("llm_tokens") or {} for record in records]
    tokens_in = sum(_number(count, "input") for count in tokens)
    tokens_out = sum(_number(count, "output") for count in tokens)
    return Cost(
        requests=len(records),
        calls=calls,
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        calls_each=share(calls, len(records)),
        tokens_each=share(tokens_in + tokens_out, len(records)),
    )


def _planners(records: Sequence[Mapping[str, Any]]) -> list[PlannerCost]:
    return [
        PlannerCost(
            planner=planner,
            share=share(len(group), len(records)),
            cost=_cost(group),
            seconds=spread(r["elapsed_s"] for r in group if r.get("elapsed_s") is not None),
        )
        for planner, group in _grouped(records, lambda record: str(record.get("planner") or "unknown")).items()
    ]


def _models(records: Sequence[Mapping[str, Any]]) -> list[ModelFigures]:
    """By role and model, the one that read and wrote most first."""
    uses = [pair for record in records for pair in (record.get("usage") or {}).items()]
    made = [_model(name, [use for _, use in group]) for name, group in _grouped(uses, lambda pair: pair[0]).items()]
    return sorted(made, key=lambda each: -(each.tokens_in + each.tokens_out))


def _model(name: str, uses: Sequence[Mapping[str, Any]]) -> ModelFigures:
    role, _, model = name.partition(" ")
    return ModelFigures(
        role=role,
        model=model,
        requests=len(uses),
        calls=sum(_number(use, "calls") for use in uses),
        tokens_in=sum(_number(use, "input") for use in uses),
        cached=sum(_number(use, "cached") for use in uses),
        tokens_out=sum(_number(use, "output") for use in uses),
        reasoning=sum(_number(use, "reasoning") for use in uses),
    )


def _persons(found: Sequence[StoredRequest]) -> PersonVerdicts:
    judged = [_verdict_reason(stored, stored.record["feedback"]) for stored in found if stored.record.get("feedback")]
    good = sum(one.verdict == "good" for one in judged)
    reasons = sorted((one for one in judged if one.why), key=lambda one: one.given_at, reverse=True)
    share_good = share(good, len(judged))
    return PersonVerdicts(good=good, bad=len(judged) - good, share_good=share_good, reasons=reasons[:MOST_REASONS])


def _verdict_reason(stored: StoredRequest, feedback: Mapping[str, Any]) -> VerdictReason:
    return VerdictReason(
        thread_id=stored.thread_id,
        verdict=feedback["verdict"],
        why=shortened(feedback.get("why") or ""),
        request=_text(stored.record),
        given_at=feedback.get("given_at") or "",
    )
