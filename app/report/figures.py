"""The shapes of a report's figures; `asdict` of the whole is what `wavegraph report --json` prints."""

from dataclasses import dataclass
from typing import Literal

Unit = Literal["day", "week", "month"]


@dataclass(frozen=True, kw_only=True)
class NamedCount:
    name: str
    n: int


@dataclass(frozen=True, kw_only=True)
class NamedShare:
    """A part of a whole, as a share of 0 to 1; None = the whole is empty."""

    name: str
    n: int
    share: float | None


@dataclass(frozen=True, kw_only=True)
class Period:
    start: str
    """Its first day, ISO, UTC."""
    n: int
    outcomes: dict[str, int]


@dataclass(frozen=True, kw_only=True)
class OverTime:
    unit: Unit
    periods: list[Period]
    """From the first request to the last, without gaps."""


@dataclass(frozen=True, kw_only=True)
class RuleCount:
    rule: str
    n: int
    examples: list[str]
    """Messages, shortened."""


@dataclass(frozen=True, kw_only=True)
class IssueKind:
    """The issues of one type on one tool's results."""

    type: str
    tool: str
    n: int
    requests: int
    rules: list[RuleCount]


@dataclass(frozen=True, kw_only=True)
class SecondAttempts:
    """Second attempts of one kind, and how often the request then ended well."""

    requests: int
    times: int
    known: int
    """Requests whose end is recorded."""
    succeeded: int
    share: float | None
    """Of the known ones."""


@dataclass(frozen=True, kw_only=True)
class CheckerCount:
    name: str
    n: int
    satisfied: int
    share: float | None


@dataclass(frozen=True, kw_only=True)
class FailureExample:
    thread_id: str
    request: str
    """Shortened."""
    gap: str
    attempt: int | None
    """From 1; None = not recorded."""
    checked_by: str


@dataclass(frozen=True, kw_only=True)
class FailedCriterion:
    """An answer-check criterion that failed."""

    name: str
    n: int
    """Failed verdicts; a request may have several."""
    requests: int
    mended: int
    """Requests whose last verdict was satisfied after all."""
    share_mended: float | None
    examples: list[FailureExample]


@dataclass(frozen=True, kw_only=True)
class Spread:
    """Seconds of `n` things; None if there are none."""

    n: int
    median_s: float | None
    p95_s: float | None
    max_s: float | None
    total_s: float


@dataclass(frozen=True, kw_only=True)
class ToolTimes:
    """The calls of a tool that were started and ended."""

    tool: str
    errors: int
    timeouts: int
    retried: int
    """Calls that took more than one try."""
    seconds: Spread


@dataclass(frozen=True, kw_only=True)
class NodeTimes:
    node: str
    seconds: Spread
    share: float | None
    """Of all active seconds."""


@dataclass(frozen=True, kw_only=True)
class Cost:
    """Model calls and tokens of `requests` requests."""

    requests: int
    calls: int
    tokens_in: int
    tokens_out: int
    calls_each: float | None
    """Mean per request."""
    tokens_each: float | None
    """Mean per request, in and out together."""


@dataclass(frozen=True, kw_only=True)
class PlannerCost:
    planner: str
    share: float | None
    cost: Cost
    seconds: Spread


@dataclass(frozen=True, kw_only=True)
class ModelFigures:
    """What a model was used for in a role, as far as its provider told; nothing of requests of versions without it."""

    role: str
    model: str
    requests: int
    calls: int
    tokens_in: int
    """Cached ones included."""
    cached: int
    tokens_out: int
    """Those of reasoning included."""
    reasoning: int


@dataclass(frozen=True, kw_only=True)
class VerdictReason:
    """A person's verdict with its reason."""

    thread_id: str
    verdict: str
    why: str
    request: str
    given_at: str


@dataclass(frozen=True, kw_only=True)
class PersonVerdicts:
    good: int
    bad: int
    share_good: float | None
    reasons: list[VerdictReason]


@dataclass(frozen=True, kw_only=True)
class Report:
    """All figures. Shares are 0 to 1, seconds are active seconds, days are days of UTC."""

    since: str | None
    """First day included; None = all records."""
    first: str | None
    last: str | None
    """When the first and the last of these requests ended (ISO, UTC)."""
    requests: int
    threads: int
    outcomes: list[NamedShare]
    unfinished: list[NamedCount]
    """Threads whose last request did not end, by reason; they are in no other figure."""
    over_time: OverTime
    issues: list[IssueKind]
    issue_types: list[NamedCount]
    issue_tools: list[NamedCount]
    adapted: SecondAttempts
    """Succeeded: no issue was left open."""
    replanned: SecondAttempts
    """The answer was sent back to planning. Succeeded: the last verdict was satisfied."""
    rewritten: SecondAttempts
    """The answer was sent back to its writer. Succeeded: the last verdict was satisfied."""
    checks: list[CheckerCount]
    verdicts: NamedShare
    """Requests whose last verdict was satisfied, of those that were judged."""
    criteria: list[FailedCriterion]
    limits: list[NamedShare]
    tools: list[ToolTimes]
    seconds: Spread
    """Of whole requests."""
    nodes: list[NodeTimes]
    cost: Cost
    planners: list[PlannerCost]
    models: list[ModelFigures]
    persons: PersonVerdicts
