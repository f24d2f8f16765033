"""The figures of many requests, from their records: what went well, what failed, what it cost."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from math import ceil
from typing import Any, TypeVar, get_args

from wavegraph.app.report.stored import StoredRequest
from wavegraph.app.run.threads import ThreadRow, shortened
from wavegraph.graph.state import Outcome

OUTCOMES: Sequence[str] = get_args(Outcome)
NO_VERDICT = frozenset({"off", "unavailable"})
"""`checked_by` of an answer without a verdict."""
NO_TOOL = "none"
"""Tool of an issue that belongs to no call: of a broken plan, or of the answer."""
SECOND_ATTEMPTS = {
    "adaptations": "plan adapted",
    "answer_replans": "answer to planning",
    "rewrites": "answer rewritten",
}
"""The record's counter, and its name."""
MOST_EXAMPLES = 3
MOST_REASONS = 20
"""Reasons of verdicts, the latest first."""

_T = TypeVar("_T")
_Record = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class Spread:
    """Seconds: by nearest rank, so each is a measured value."""

    median_s: float
    p95_s: float
    max_s: float
    total_s: float


@dataclass(frozen=True)
class Row:
    """A figure of one part of the report."""

    part: str
    name: str
    n: int
    share: float | None = None
    """0 to 1; None = nothing to have a share of."""
    seconds: Spread | None = None
    """None = nothing was timed."""
    counts: Mapping[str, int] = field(default_factory=dict)
    examples: Sequence[str] = ()
    """What was said, shortened: it may quote anybody."""


@dataclass(frozen=True, kw_only=True)
class Report:
    """Seconds are active seconds, days are days of UTC."""

    since: str | None
    """First day included; None = all records."""
    first: str | None
    last: str | None
    """When the first and the last of these requests ended (ISO, UTC)."""
    requests: int
    threads: int
    rows: Sequence[Row]


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
        rows=[
            *_outcomes(records),
            *_unfinished(rows, since),
            *_limits(records),
            *_issues(records),
            *_second_attempts(records),
            *_checks(records),
            *_criteria(found),
            *_tools(records),
            *_nodes(records),
            *_planners(records),
            *_models(records),
            *_verdicts(found),
        ],
    )


def share(part: float, whole: float) -> float | None:
    return part / whole if whole else None


def percentile(values: Sequence[float], percent: float) -> float:
    """By nearest rank: the smallest value that at least `percent` of the values do not exceed.

    `values`: at least one, in any order; `percent`: above 0, at most 100.
    """
    return sorted(values)[max(ceil(percent * len(values) / 100), 1) - 1]


def spread(values: Iterable[float | None]) -> Spread | None:
    seconds = [float(value) for value in values if value is not None]
    if not seconds:
        return None
    return Spread(
        median_s=percentile(seconds, 50),
        p95_s=percentile(seconds, 95),
        max_s=max(seconds),
        total_s=round(sum(seconds), 3),
    )


def _grouped(items: Iterable[_T], key: Callable[[_T], str]) -> dict[str, list[_T]]:
    """Items by key, the largest group first, then by name."""
    groups: dict[str, list[_T]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return dict(sorted(groups.items(), key=lambda pair: (-len(pair[1]), pair[0])))


def _sums(records: Iterable[_Record], **fields: str) -> dict[str, int]:
    """The sum of a field by its name here; 0 where an older version recorded none."""
    kept = list(records)
    return {name: sum(record.get(key) or 0 for record in kept) for name, key in fields.items()}


def _text(record: _Record) -> str:
    return shortened((record.get("request") or {}).get("text", ""))


def _outcomes(records: Sequence[_Record]) -> list[Row]:
    """In the order of `Outcome`, from good to bad."""
    groups = _grouped(records, lambda record: record.get("outcome") or "unknown")
    names = [*OUTCOMES, *sorted(groups.keys() - set(OUTCOMES))]
    return [
        Row("outcome", name, len(groups[name]), share(len(groups[name]), len(records)), _elapsed(groups[name]))
        for name in names
        if name in groups
    ]


def _elapsed(records: Iterable[_Record]) -> Spread | None:
    return spread(record.get("elapsed_s") for record in records)


def _unfinished(rows: Iterable[ThreadRow], since: date | None) -> list[Row]:
    """`awaiting_approval`, `cancelled` (stopped by a person), `not ended` (it is running, or its process was killed)."""
    left = [row for row in rows if row.can_resume and (since is None or row.updated[:10] >= since.isoformat())]
    return [Row("open", name, len(g)) for name, g in _grouped(left, lambda row: row.outcome or "not ended").items()]


def _limits(records: Sequence[_Record]) -> list[Row]:
    hit = _grouped((name for record in records for name in set(record.get("limits_hit") or ())), str)
    return [Row("limit", name, len(group), share(len(group), len(records))) for name, group in hit.items()]


def _issues(records: Sequence[_Record]) -> list[Row]:
    """By tool and rule."""
    found = [(n, tool, issue) for n, record in enumerate(records) for tool, issue in _issues_of(record)]
    groups = _grouped(found, lambda one: f"{one[1]}: {one[2].get('rule') or one[2]['type']}")
    return [
        Row(
            "issue",
            name,
            len(group),
            counts={"requests": len({n for n, _, _ in group})},
            examples=list(dict.fromkeys(shortened(issue["message"]) for _, _, issue in group))[:MOST_EXAMPLES],
        )
        for name, group in groups.items()
    ]


def _issues_of(record: _Record) -> Iterator[tuple[str, _Record]]:
    tools = {call["id"]: call["tool"] for call in record.get("calls") or ()}
    for issue in record.get("issues") or ():
        yield tools.get(issue["tool_id"], NO_TOOL), issue


def _second_attempts(records: Sequence[_Record]) -> Iterator[Row]:
    """`share`: that ended well, of the requests whose end is recorded. An adapted plan ended well if no issue was left
    open, an answer that was sent back if its last verdict was satisfied."""
    for counter, name in SECOND_ATTEMPTS.items():
        ended_well = _has_no_open_issue if counter == "adaptations" else _is_satisfied
        if tried := [record for record in records if record.get(counter)]:
            ends = [end for end in map(ended_well, tried) if end is not None]
            yield Row("attempt", name, len(tried), share(sum(ends), len(ends)), counts=_sums(tried, times=counter))


def _has_no_open_issue(record: _Record) -> bool | None:
    """None = an older version did not record it."""
    left = record.get("open_issues")
    return None if left is None else left == 0


def _is_satisfied(record: _Record) -> bool | None:
    """The last verdict; None = the answer was not judged."""
    check = record.get("answer_check")
    return bool(check["satisfied"]) if check and check["checked_by"] not in NO_VERDICT else None


def _checks(records: Sequence[_Record]) -> list[Row]:
    """By who gave the last verdict; `share`: of satisfied ones."""
    checked = _grouped(filter(_check, records), lambda record: str(_check(record)["checked_by"]))
    return [Row("check", name, len(group), _satisfied_share(group)) for name, group in checked.items()]


def _check(record: _Record) -> _Record:
    return record.get("answer_check") or {}


def _satisfied_share(records: Iterable[_Record]) -> float | None:
    verdicts = [verdict for verdict in map(_is_satisfied, records) if verdict is not None]
    return share(sum(verdicts), len(verdicts))


def _criteria(found: Sequence[StoredRequest]) -> list[Row]:
    """`n`: failed verdicts, of all attempts; `share`: of those requests, whose last verdict was satisfied after all."""
    failures = [(stored, failure) for stored in reversed(found) for failure in _failures(stored.record)]
    rows = []
    for name, group in _grouped(failures, lambda pair: str(pair[1]["criterion"])).items():
        ends = [_is_satisfied(stored.record) is True for stored in {id(stored): stored for stored, _ in group}.values()]
        examples = dict.fromkeys(f"{_text(stored.record)} – {shortened(failure['gap'])}" for stored, failure in group)
        counts = {"requests": len(ends)}
        rows.append(
            Row("criterion", name, len(group), share(sum(ends), len(ends)), counts=counts,
                examples=list(examples)[:MOST_EXAMPLES])
        )  # fmt: skip
    return rows


def _failures(record: _Record) -> list[_Record]:
    """Every failed criterion of every attempt; only those of the last verdict if no more was recorded."""
    if "answer_failures" in record:
        return list(record["answer_failures"] or ())
    criteria = _check(record).get("criteria") or ()
    return [{"criterion": one["name"], "gap": one.get("gap") or ""} for one in criteria if one["verdict"] == "fail"]


def _tools(records: Sequence[_Record]) -> list[Row]:
    calls = [call for record in records for call in record.get("calls") or ()]
    ran = [call for call in calls if call["runs"] and call["status"] not in ("skipped", "cancelled")]
    return [_tool(tool, group) for tool, group in _grouped(ran, lambda call: str(call["tool"])).items()]


def _tool(name: str, calls: Sequence[_Record]) -> Row:
    ends = Counter(call["status"] for call in calls)
    retried = sum(call["attempts"] > 1 or call["runs"] > 1 for call in calls)
    counts = {"errors": ends["error"], "timeouts": ends["timeout"], "retried": retried}
    return Row("tool", name, len(calls), seconds=spread(call["elapsed_s"] for call in calls), counts=counts)


def _nodes(records: Sequence[_Record]) -> list[Row]:
    """By node, longest total first; a step is named after its node: `execute_wave_2`, `check_answer_last`."""
    steps = [step for record in records for step in (record.get("times") or {}).items()]
    whole = sum(seconds for _, seconds in steps)
    took = {
        node: [seconds for _, seconds in group]
        for node, group in _grouped(steps, lambda step: re.sub(r"_(\d+|last)$", "", step[0])).items()
    }
    longest_first = sorted(took.items(), key=lambda pair: -sum(pair[1]))
    return [Row("node", node, len(s), share(sum(s), whole), spread(s)) for node, s in longest_first]


def _planners(records: Sequence[_Record]) -> list[Row]:
    groups = _grouped(records, lambda record: str(record.get("planner") or "unknown"))
    every = {**groups, "all": records} if len(groups) > 1 else groups
    return [
        Row("planner", name, len(group), share(len(group), len(records)), _elapsed(group), _cost(group))
        for name, group in every.items()
    ]


def _cost(records: Sequence[_Record]) -> dict[str, int]:
    tokens = [record.get("llm_tokens") or {} for record in records]
    return {**_sums(records, model_calls="llm_calls"), **_sums(tokens, tokens_in="input", tokens_out="output")}


def _models(records: Sequence[_Record]) -> list[Row]:
    """By role and model, the one that read and wrote most first. Cached tokens are part of those in, reasoning of those
    out; nothing is known of requests of versions without it."""
    uses = [pair for record in records for pair in (record.get("usage") or {}).items()]
    rows = [
        Row("model", name, len(group), counts=_sums((use for _, use in group), calls="calls", tokens_in="input",
            cached="cached", tokens_out="output", reasoning="reasoning"))
        for name, group in _grouped(uses, lambda pair: pair[0]).items()
    ]  # fmt: skip
    return sorted(rows, key=lambda row: -(row.counts["tokens_in"] + row.counts["tokens_out"]))


def _verdicts(found: Sequence[StoredRequest]) -> list[Row]:
    """What people said of answers, with their latest reasons."""
    judged = [stored.record for stored in found if stored.record.get("feedback")]
    judged.sort(key=lambda record: record["feedback"].get("given_at") or "", reverse=True)
    return [
        Row("verdict", name, len(group), share(len(group), len(judged)), examples=_reasons(group))
        for name, group in _grouped(judged, lambda record: str(record["feedback"]["verdict"])).items()
    ]


def _reasons(judged: Sequence[_Record]) -> list[str]:
    given = [(record["feedback"].get("why") or "", record) for record in judged]
    return [f"{shortened(why)} – {_text(record)}" for why, record in given if why][:MOST_REASONS]
