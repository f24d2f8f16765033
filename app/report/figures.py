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
    """Some of a whole; a share is 0 to 1, None = of nothing."""

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
    """Without gaps, from the first request to the last."""


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
    """What was tried to better a request, and how often it then ended well."""

    requests: int
    times: int
    known: int
    """Requests of which it is recorded how they ended."""
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
    """Failed verdicts; one request may have several."""
    requests: int
    mended: int
    """Requests whose last verdict was satisfied all the same."""
    share_mended: float | None
    examples: list[FailureExample]


@dataclass(frozen=True, kw_only=True)
class Spread:
    """Seconds of `n` things; None = of nothing."""

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
    """Mean of a request."""
    tokens_each: float | None
    """Mean of a request, in and out together."""


@dataclass(frozen=True, kw_only=True)
class PlannerCost:
    planner: str
    share: float | None
    cost: Cost
    seconds: Spread


@dataclass(frozen=True, kw_only=True)
class VerdictReason:
    """A person's verdict in words."""

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
    """First day that counts; None = all that is recorded."""
    first: str | None
    last: str | None
    """When the first and the last of these requests ended (ISO, UTC)."""
    requests: int
    threads: int
    outcomes: list[NamedShare]
    unfinished: list[NamedCount]
    """Threads whose last request did not end, by why; they are in no other figure."""
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
    """Requests whose last verdict was satisfied, of those that somebody judged."""
    criteria: list[FailedCriterion]
    limits: list[NamedShare]
    tools: list[ToolTimes]
    seconds: Spread
    """Of whole requests."""
    nodes: list[NodeTimes]
    cost: Cost
    planners: list[PlannerCost]
    persons: PersonVerdicts
