"""The figures of a report as tables, for the terminal and the page: which ones, in which words and units."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from math import log10
from typing import Literal

from wavegraph.app.pages.numbers import (
    NOTHING,
    Headline,
    Range,
    Segment,
    counted,
    mean,
    number,
    percent,
    seconds,
    words,
)
from wavegraph.app.report.figures import Period, Report, SecondAttempts, Spread, ToolTimes

_FASTEST_S = 0.001
"""Start of the latency axis."""


@dataclass(frozen=True)
class Column:
    name: str
    kind: Literal["name", "number", "words"] = "number"
    """`words`: what people or models wrote, in any language."""


@dataclass(frozen=True)
class FigureTable:
    key: str
    title: str
    about: str
    """What the figures mean, in a sentence."""
    columns: Sequence[Column]
    rows: Sequence[Sequence[str]]
    bars: Sequence[Sequence[Segment] | Range] = field(default=())
    """A drawing per row, or empty."""
    ticks: Sequence[tuple[float, str]] = field(default=())
    """Positions (0 to 1) and labels on the axis of the ranges."""


def span(report: Report) -> str:
    """The days the report covers."""
    first, last = _day(report.first), _day(report.last)
    days = first if first == last else f"{first} to {last}"
    return f"{days} (UTC){f', of those since {report.since}' if report.since else ''}"


def _day(moment: str | None) -> str:
    return datetime.fromisoformat(moment).date().isoformat() if moment else NOTHING


def headlines(report: Report) -> list[Headline]:
    answered = next((part.share for part in report.outcomes if part.name == "answered"), 0.0)
    cost, time, persons = report.cost, report.seconds, report.persons
    verdicts = persons.good + persons.bad
    return [
        Headline("Requests", number(report.requests), f"on {counted(report.threads, 'thread')}"),
        Headline("Answered in full", percent(answered), "nothing open, no limit hit"),
        Headline("Median time", seconds(time.median_s), f"95% within {seconds(time.p95_s)}"),
        Headline("Answer check passed", percent(report.verdicts.share), "of the answers that were judged"),
        Headline("Model calls each", mean(cost.calls_each), f"{mean(cost.tokens_each)} tokens a request"),
        Headline("Liked by people", percent(persons.share_good), f"of {counted(verdicts, 'verdict')}"),
    ]


def tables(report: Report) -> list[FigureTable]:
    """The tables that have rows, in reading order."""
    made = [
        _outcomes(report),
        _limits(report),
        _over_time(report),
        _issues(report),
        _rules(report),
        _second_attempts(report),
        _checks(report),
        _criteria(report),
        _failures(report),
        _tools(report),
        _nodes(report),
        _planners(report),
        _models(report),
        _persons(report),
        _unfinished(report),
        _reasons(report),
    ]
    return [table for table in made if table.rows]


def _outcomes(report: Report) -> FigureTable:
    return FigureTable(
        "outcomes", "Outcomes", "How the requests ended.",
        (Column("outcome", "name"), Column("requests"), Column("share")),
        [(words(part.name), number(part.n), percent(part.share)) for part in report.outcomes],
        [[Segment(part.share or 0, part.name, f"{words(part.name)}: {percent(part.share)}")] for part in report.outcomes],
    )  # fmt: skip


def _unfinished(report: Report) -> FigureTable:
    return FigureTable(
        "unfinished", "Not ended", "Threads whose last request waits or was stopped. They are in no other figure.",
        (Column("state", "name"), Column("threads")),
        [(words(count.name), number(count.n)) for count in report.unfinished],
        _bars([count.n for count in report.unfinished], "quiet"),
    )  # fmt: skip


def _over_time(report: Report) -> FigureTable:
    unit = report.over_time.unit
    return FigureTable(
        "over_time", f"Requests per {unit}", "By the day they ended, in UTC.",
        (Column(unit, "name"), Column("requests"), Column("of these", "name")),
        [(period_name(period, unit), number(period.n), of_these(period)) for period in report.over_time.periods],
    )  # fmt: skip


def period_name(period: Period, unit: str) -> str:
    return period.start[:7] if unit == "month" else period.start


def of_these(period: Period) -> str:
    return ", ".join(f"{number(n)} {words(name)}" for name, n in period.outcomes.items())


def _issues(report: Report) -> FigureTable:
    return FigureTable(
        "issues", "Issues by kind and tool", "What the checks of results and plans found, including what was worked around.",
        (Column("issue", "name"), Column("tool", "name"), Column("found"), Column("requests")),
        [(words(kind.type), kind.tool, number(kind.n), number(kind.requests)) for kind in report.issues],
        _bars([kind.n for kind in report.issues], "warn"),
    )  # fmt: skip


def _rules(report: Report) -> FigureTable:
    return FigureTable(
        "rules", "What the issues said", "By rule, with an example of each.",
        (Column("rule", "name"), Column("tool", "name"), Column("found"), Column("example", "words")),
        [
            (words(rule.rule), kind.tool, number(rule.n), rule.examples[0])
            for kind in report.issues
            for rule in kind.rules
        ],
    )  # fmt: skip


def _second_attempts(report: Report) -> FigureTable:
    tried = [
        ("plan adapted after issues", report.adapted, "ended with no open issue"),
        ("answer sent back to planning", report.replanned, "satisfied the check"),
        ("answer sent back to its writer", report.rewritten, "satisfied the check"),
    ]
    made = [(name, attempt, success) for name, attempt, success in tried if attempt.requests]
    return FigureTable(
        "second_attempts", "Second attempts", "How often one was made, and how often the request then ended well.",
        (Column("attempt", "name"), Column("requests"), Column("times"), Column("went well"), Column("share"),
         Column("well means", "name")),
        [_tried_row(*one) for one in made],
        [_of_two(attempt.share or 0, f"{name}: {percent(attempt.share)} went well") for name, attempt, _ in made],
    )  # fmt: skip


def _tried_row(name: str, attempt: SecondAttempts, success: str) -> tuple[str, ...]:
    of = "" if attempt.known == attempt.requests else f" of {number(attempt.known)} known"
    return (name, number(attempt.requests), number(attempt.times), f"{number(attempt.succeeded)}{of}",
            percent(attempt.share), success)  # fmt: skip


def _checks(report: Report) -> FigureTable:
    return FigureTable(
        "checks", "Answer checks", "Who gave the last verdict, and how many answers satisfied it.",
        (Column("checked by", "name"), Column("requests"), Column("satisfied"), Column("share")),
        [
            (check.name, number(check.n), NOTHING if check.share is None else number(check.satisfied), percent(check.share))
            for check in report.checks
        ],
        [[] if c.share is None else _of_two(c.share, f"{c.name}: {percent(c.share)} satisfied") for c in report.checks],
    )  # fmt: skip


def _criteria(report: Report) -> FigureTable:
    return FigureTable(
        "criteria", "Failed criteria", "Criteria that answers failed, over all attempts; mended: the last verdict was satisfied.",
        (Column("criterion", "name"), Column("failed"), Column("requests"), Column("mended"), Column("share")),
        [
            (words(one.name), number(one.n), number(one.requests), number(one.mended), percent(one.share_mended))
            for one in report.criteria
        ],
        _bars([one.n for one in report.criteria], "bad"),
    )  # fmt: skip


def _failures(report: Report) -> FigureTable:
    return FigureTable(
        "failures", "What the failed answers lacked", "The latest examples of each criterion.",
        (Column("criterion", "name"), Column("request", "words"), Column("gap", "words"), Column("attempt"),
         Column("checked by", "name")),
        [
            (words(one.name), example.request, example.gap, NOTHING if example.attempt is None else number(example.attempt),
             example.checked_by)
            for one in report.criteria
            for example in one.examples
        ],
    )  # fmt: skip


def _limits(report: Report) -> FigureTable:
    return FigureTable(
        "limits", "Limits hit", "Requests that a limit cut short.",
        (Column("limit", "name"), Column("requests"), Column("share")),
        [(words(limit.name), number(limit.n), percent(limit.share)) for limit in report.limits],
        _bars([limit.n for limit in report.limits], "warn"),
    )  # fmt: skip


def _tools(report: Report) -> FigureTable:
    slowest = max((tool.seconds.max_s or 0 for tool in report.tools), default=0)
    top = _decades(slowest)
    return FigureTable(
        "tools", "Tool latency", "Of the calls that ran: median, 95th percentile, maximum. Each step of the axis is ten times the previous one.",
        (Column("tool", "name"), Column("calls"), Column("median"), Column("95%"), Column("longest"), Column("errors"),
         Column("time-outs"), Column("tried again")),
        [
            (tool.tool, number(tool.seconds.n), *_spread(tool.seconds), number(tool.errors), number(tool.timeouts),
             number(tool.retried))
            for tool in report.tools
        ],
        [_range(tool, top) for tool in report.tools],
        [(step / top, _on_axis(step)) for step in range(top + 1)],
    )  # fmt: skip


def _spread(times: Spread) -> tuple[str, str, str]:
    return seconds(times.median_s), seconds(times.p95_s), seconds(times.max_s)


def _on_axis(step: int) -> str:
    return f"{10**step} ms" if step < 3 else f"{10 ** (step - 3)} s"


def _decades(slowest_s: float) -> int:
    """How many powers of ten the latency axis spans to include the slowest."""
    top = 1
    while _FASTEST_S * 10**top < slowest_s:
        top += 1
    return top


def _range(tool: ToolTimes, decades: int) -> Range:
    def place(value: float | None) -> float:
        return log10(max(value or 0, _FASTEST_S) / _FASTEST_S) / decades

    times = tool.seconds
    median, p95, longest = _spread(times)
    label = f"{tool.tool}: median {median}, 95% within {p95}, longest {longest}"
    return Range(place(times.median_s), place(times.p95_s), place(times.max_s), label)


def _nodes(report: Report) -> FigureTable:
    return FigureTable(
        "nodes", "Where the time goes", "Active seconds by node of the graph; waiting for a person does not count.",
        (Column("node", "name"), Column("runs"), Column("median"), Column("95%"), Column("longest"), Column("in all"),
         Column("share")),
        [
            (node.node, number(node.seconds.n), *_spread(node.seconds), seconds(node.seconds.total_s), percent(node.share))
            for node in report.nodes
        ],
        [[Segment(node.share or 0, "plain", f"{node.node}: {percent(node.share)}")] for node in report.nodes],
    )  # fmt: skip


def _planners(report: Report) -> FigureTable:
    most = max((planner.cost.tokens_each or 0 for planner in report.planners), default=0)
    made = [(planner.planner, planner.cost, planner.seconds) for planner in report.planners]
    made = [*made, ("all", report.cost, report.seconds)] if len(made) > 1 else made
    return FigureTable(
        "planners", "Planners, model calls and tokens", "The bars show the tokens of an average request: read, then written.",
        (Column("planner", "name"), Column("requests"), Column("model calls"), Column("tokens in"), Column("tokens out"),
         Column("calls each"), Column("tokens each"), Column("median time"), Column("95%")),
        [
            (name, number(cost.requests), number(cost.calls), number(cost.tokens_in), number(cost.tokens_out),
             mean(cost.calls_each), mean(cost.tokens_each), *_spread(times)[:2])
            for name, cost, times in made
        ],
        [
            [
                Segment(cost.tokens_in / cost.requests / most, "plain", f"{name}: {number(cost.tokens_in)} tokens in"),
                Segment(cost.tokens_out / cost.requests / most, "second", f"{name}: {number(cost.tokens_out)} tokens out"),
            ]
            if most and cost.requests
            else []
            for name, cost, _ in made
        ],
    )  # fmt: skip


def _models(report: Report) -> FigureTable:
    most = max((model.tokens_in + model.tokens_out for model in report.models), default=0)
    return FigureTable(
        "models", "Models by role",
        "As their providers report it: cached tokens are part of those in, reasoning of those out.",
        (Column("role", "name"), Column("model", "name"), Column("requests"), Column("calls"), Column("tokens in"),
         Column("cached"), Column("tokens out"), Column("reasoning")),
        [
            (model.role, model.model, number(model.requests), number(model.calls), number(model.tokens_in),
             number(model.cached), number(model.tokens_out), number(model.reasoning))
            for model in report.models
        ],
        [
            [
                Segment(model.tokens_in / most, "plain", f"{model.role}: {number(model.tokens_in)} tokens in"),
                Segment(model.tokens_out / most, "second", f"{model.role}: {number(model.tokens_out)} tokens out"),
            ]
            if most
            else []
            for model in report.models
        ],
    )  # fmt: skip


def _persons(report: Report) -> FigureTable:
    persons = report.persons
    both = [("good", persons.good), ("bad", persons.bad)] if persons.good + persons.bad else []
    return FigureTable(
        "persons", "What people said", "Verdicts on answers, given afterwards.",
        (Column("verdict", "name"), Column("requests"), Column("share")),
        [(name, number(n), percent(n / (persons.good + persons.bad))) for name, n in both],
        _bars([n for _, n in both], "good", "bad"),
    )  # fmt: skip


def _reasons(report: Report) -> FigureTable:
    return FigureTable(
        "reasons", "Why", "The reasons people gave, the latest first.",
        (Column("verdict", "name"), Column("why", "words"), Column("request", "words")),
        [(reason.verdict, reason.why, reason.request) for reason in report.persons.reasons],
    )  # fmt: skip


def _bars(values: Sequence[int], *kinds: str) -> list[list[Segment]]:
    """A bar per row, the largest at full width; the last kind is used for all further rows."""
    most = max(values, default=0)
    return [
        [Segment(value / most if most else 0, kinds[min(row, len(kinds) - 1)], number(value))]
        for row, value in enumerate(values)
    ]


def _of_two(share: float, label: str) -> list[Segment]:
    """A bar of two segments: the share that went well, and the rest."""
    return [Segment(share, "good", label), Segment(1 - share, "rest", label)]
