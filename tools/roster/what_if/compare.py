"""What a ward's roster would be with a change: each is solved with the same time and seed, and the figures stand side by
side, after those of the ward as it is, or of the roster that stands. Nothing is kept or published."""

import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from wavegraph.tools.roster.checks.timelines import Checked
from wavegraph.tools.roster.cpsat.explain import explain, too_few
from wavegraph.tools.roster.cpsat.wording import gives_told, why_told
from wavegraph.tools.roster.loop.generation import rounded
from wavegraph.tools.roster.loop.round_time import RoundTime
from wavegraph.tools.roster.loop.solver import solve
from wavegraph.tools.roster.problem.clock import work_of
from wavegraph.tools.roster.problem.prices import Penalties
from wavegraph.tools.roster.problem.result import SolveResult
from wavegraph.tools.roster.records import Multipliers, Round, WhatIfColumn
from wavegraph.tools.roster.reports import RosterReport, report_of
from wavegraph.tools.roster.told import told
from wavegraph.tools.roster.ward.roster_fit import misfits
from wavegraph.tools.roster.ward.ward import Roster, Ward

TODAY = "today"
OnColumn = Callable[[str, float], None]
"""Called before a column is solved, with its name and its seconds."""


@dataclass(frozen=True, kw_only=True)
class Effort:
    """The same for every column."""

    seconds: float
    """For all columns together, explaining included; each gets an equal part."""
    work: float | None = None
    seed: int = 1
    penalties: Penalties = field(default_factory=Penalties)
    multipliers: Multipliers = field(default_factory=dict)
    """Those of the round that made the roster that stands."""
    hint: Roster | None = None


@dataclass(frozen=True)
class Standing:
    """A roster that is there, to be compared with."""

    roster_id: str
    ward: Ward
    ward_hash: str
    roster: Roster
    made: Round

    @property
    def as_made(self) -> dict[str, Any]:
        """Of the `Effort`: a change is solved as the roster was, so that the change alone makes the difference."""
        return {"multipliers": self.made.penalty_multipliers, "hint": self.roster}


def as_it_stands(ward: Ward, roster: Roster, made: Round) -> WhatIfColumn:
    """The first column, of a roster that is there. `made`: the round that made it."""
    result = SolveResult("feasible", roster, made.cost, {}, made.bound, 0.0)
    return measured(TODAY, ward, roster, report_of(ward, roster), result)


def compared(
    wards: Mapping[str, Ward],
    effort: Effort,
    *,
    stop: threading.Event | None = None,
    on_column: OnColumn = lambda name, seconds: None,
) -> list[WhatIfColumn]:
    """A column for each ward, by its name, in order; the first is what the others differ from. What a column does not
    use of its time is lost, so that all are solved alike."""
    seconds, columns = effort.seconds / len(wards), []
    for name, ward in wards.items():
        on_column(name, seconds)
        columns.append(_column(name, ward, RoundTime.of(seconds, 1, 1, None), effort, stop or threading.Event()))
    return columns


def _column(name: str, ward: Ward, round_time: RoundTime, effort: Effort, stop: threading.Event) -> WhatIfColumn:
    began = time.monotonic()
    result = solve(
        ward,
        penalties=effort.penalties,
        multipliers=effort.multipliers,
        hint=None if effort.hint is None or misfits(ward, effort.hint) else effort.hint,
        seconds=round_time.solve_s,
        work=work_of(effort.work, len(ward.nurses) * ward.days),
        seed=effort.seed,
        stop=stop,
    )
    left = round_time.explain_s(time.monotonic() - began, is_last=True)
    if result.roster is None:
        return _without_roster(name, ward, result, left, stop)
    report = report_of(ward, result.roster)
    return measured(name, ward, result.roster, report, _at_base_prices(result, effort.multipliers))


def _at_base_prices(result: SolveResult, multipliers: Multipliers) -> SolveResult:
    if not multipliers:
        return result
    cost = sum(cost / multipliers.get(kind, 1) for kind, cost in result.parts.items())
    return replace(result, cost=cost, bound=min(cost, result.bound / max(1.0, *multipliers.values())))


def _without_roster(
    name: str, ward: Ward, result: SolveResult, seconds: float, stop: threading.Event
) -> WhatIfColumn:  # fmt: skip
    """Why, in one line."""
    found = explain(ward, with_cover=False, seconds=seconds, stop=stop)
    if found.grounds:
        whys = [
            why_told(ward, found.grounds),
            *(told("exists_with", gives=gives_told(ward, each)) for each in found.relaxations[:1]),
        ]
        return WhatIfColumn(name=name, status="infeasible", why=told("sentences", lines=whys))
    known = (
        told(f"why.{result.status}")
        if result.status in ("infeasible", "stopped")
        else told("why.unknown", seconds=result.seconds)
    )
    return WhatIfColumn(name=name, status=result.status, why=told("sentences", lines=[known, *too_few(ward)]))


def measured(name: str, ward: Ward, roster: Roster, report: RosterReport, result: SolveResult) -> WhatIfColumn:
    shares = report.empathy.shares
    by_night = [share for share in shares if share.nights_due is not None]
    gaps = [(row, there) for row, there in Checked(ward, roster).presences if row.skill is None]
    findings = Counter(str(found.type) for found in report.failing)
    wished = sum(share.wish_weight for share in shares)
    return WhatIfColumn(
        name=name,
        status=result.status,
        nurses=len(ward.nurses),
        missing=sum(max(0, row.target - there) for row, there in gaps),
        below_minimum=sum(max(0, row.minimum - there) for row, there in gaps),
        breaches=len(report.compliance.breaches),
        cost=rounded(result.cost or 0),
        bound=rounded(result.bound),
        hours=rounded(sum(share.minutes for share in shares) / 60),
        nights_a_head=rounded(sum(share.nights for share in by_night) / len(by_night)) if by_night else 0,
        most_nights=max((share.nights for share in shares), default=0),
        fairness=report.empathy.fairness,
        findings=dict(findings),
        wishes=round(100 * sum(share.wish_granted for share in shares) / wished) if wished else None,
    )


ROWS: Sequence[tuple[str, str]] = (
    ("nurses", "nurses"),
    ("missing", "missing to the target"),
    ("below_minimum", "below the minimum"),
    ("breaches", "rules broken"),
    ("cost", "cost"),
    ("bound", "cannot cost less than"),
    ("hours", "hours worked"),
    ("nights_a_head", "nights a head"),
    ("most_nights", "most nights of one"),
    ("fairness", "fairness %"),
    ("found", "findings that fail"),
    ("wishes", "wishes granted %"),
)
"""Field and name of each row of the table."""


def differences(columns: Sequence[WhatIfColumn]) -> list[dict[str, float]]:
    """How much each column is above the first, by field; empty where either has no roster."""
    first = columns[0]
    return [
        {
            name: rounded(value - before)
            for name, _ in ROWS
            if (value := figure(each, name)) is not None and (before := figure(first, name)) is not None
        }
        for each in columns
    ]


def figure(column: WhatIfColumn, name: str) -> float | None:
    """None = the column has no roster, or nothing of it."""
    if name == "found":
        return None if column.cost is None else sum(column.findings.values())
    value: float | None = getattr(column, name)
    return value
