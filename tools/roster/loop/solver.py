"""The agent's solver: the must-rules first, then column generation, then CP-SAT on small wards, to prove or improve its roster.

A roster without a breach, or the proof that there is none, comes before any price (`cpsat.start`). The two that minimise have
the same cost, so one starts from the other's roster, and the better of their bounds holds for both.
"""

import logging
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import replace

from wavegraph.graph.errors import error_text
from wavegraph.tools.roster.columns.build_nurse_models import UnpricedRule
from wavegraph.tools.roster.columns.solve import solve as by_columns
from wavegraph.tools.roster.cpsat.solve import FULL_PORTFOLIO
from wavegraph.tools.roster.cpsat.solve import solve as by_cp_sat
from wavegraph.tools.roster.cpsat.start import MustRules, has_must_cover
from wavegraph.tools.roster.problem.clock import Timer
from wavegraph.tools.roster.problem.prices import Penalties, breach_price
from wavegraph.tools.roster.problem.result import Columns, OnProgress, OnRoster, Point, SolveResult
from wavegraph.tools.roster.ward.ward import Roster, Ward
from wavegraph.tools.roster.year.solve import is_long
from wavegraph.tools.roster.year.solve import solve as by_parts

logger = logging.getLogger("wavegraph")

SMALL_WARD = 150
"""Cells, nurses times days, up to which CP-SAT goes on after `FIRST_IN_VAIN` neighbourhoods in a row without a better
roster, after `FIRST_SHARE` of the time and at most `FIRST_SECONDS`: it proves such wards where the bound of column
generation stays below, and column generation ends quickly there."""
FIRST_SHARE, FIRST_SECONDS, FIRST_IN_VAIN = 0.2, 5.0, 50
MANY_DAYS = 90
"""Days above which a ward whose whole rows are too large is solved as one of many months, however few its nurses."""
MOST_CP_SAT_CELLS = 100_000
"""Nurses times days times kinds of shift up to which CP-SAT takes a ward over: its model of more needs gigabytes."""
ENOUGH = ("optimal", "infeasible", "stopped")


def solve(
    ward: Ward,
    *,
    penalties: Penalties | None = None,
    multipliers: Mapping[str, float] | None = None,
    hint: Roster | None = None,
    columns: Columns | None = None,
    seconds: float = 30.0,
    work: float | None = None,
    patience: float = 1.0,
    seed: int = 1,
    on_progress: OnProgress | None = None,
    on_roster: OnRoster | None = None,
    stop: threading.Event | None = None,
    timer: Timer = time.monotonic,
) -> SolveResult:
    """The best roster of the ward found in `seconds`; arguments and statuses as of `cpsat.solve` and `columns.solve`.

    The must-rules get up to a third of the time, times `patience`, before a cost is looked at, and where they are not met by
    then, or cannot be, as much again for the fewest breaches; only a roster that has no more than have to be ends the patience.
    With `work` (steps counted; a unit is about a second or two of one core) a seed gives the same roster, as long as `seconds`
    and `stop` do not end the search before it. A ward of many months has a search of its own, without that start. A ward with a rule
    that columns cannot price is left to CP-SAT alone, and so is one of many months for which that search finds nothing; where
    it is too large for CP-SAT, the result says why there is no roster.
    """
    small = len(ward.nurses) * ward.days <= SMALL_WARD
    limit = seconds if work is None else work
    share = min(FIRST_SHARE, FIRST_SECONDS / limit) if small and limit > 0 else 1.0
    began = timer()
    stop = stop or threading.Event()
    start = None
    if has_must_cover(ward) and not _too_large(ward):
        start = MustRules(ward, patience * seconds, work and patience * work, seed, stop, timer)

    def taken_over(why: str, given_up: SolveResult | None = None) -> SolveResult:
        left = seconds - (timer() - began)
        if too_large := _too_large(ward):
            logger.info("no roster: %s; %s", why, too_large)
            none = SolveResult("unknown", None, None, {}, 0.0, timer() - began)
            return replace(given_up or none, why=f"{why}; {too_large}")
        if given_up and left <= 0:
            return given_up
        logger.info("left to CP-SAT, as columns found no roster: %s", why)
        return cp_sat(max(0.0, left), work, None)

    def cp_sat(seconds: float, work: float | None, first: SolveResult | None) -> SolveResult:
        begin = first.roster if first else None
        begin = (
            begin or (start.found if start else None) or hint or (start.begin() if start and not start.asked else None)
        )
        report_progress = _after(first, on_progress) if first else on_progress
        return by_cp_sat(
            ward, penalties=penalties, multipliers=multipliers, hint=begin, seconds=seconds, deterministic_time=work,
            patience=1.0 if start and start.least_breaches else patience,
            workers=FULL_PORTFOLIO if first and work is None else None, seed=seed, on_progress=report_progress,
            on_roster=on_roster, stop=stop, timer=timer,
        )  # fmt: skip

    def as_a_year() -> SolveResult:
        try:
            found = by_parts(
                ward, penalties=penalties, multipliers=multipliers, hint=hint, seconds=max(0.0, seconds - (timer() - began)),
                work=work, patience=patience, seed=seed, on_progress=on_progress, on_roster=on_roster, stop=stop, timer=timer,
            )  # fmt: skip
        except UnpricedRule as rule:
            return taken_over(error_text(rule))
        return found if found.status != "unknown" else taken_over(found.why or "the time was too short", found)

    def minimised() -> SolveResult:
        if is_long(ward):
            return as_a_year()
        try:
            first = by_columns(
                ward, penalties=penalties, multipliers=multipliers, hint=hint, columns=columns, start=start,
                seconds=seconds * share if work is None else seconds, work=None if work is None else work * share,
                patience=1.0 if small else patience, most_in_vain=FIRST_IN_VAIN if small else None, seed=seed,
                on_progress=on_progress, on_roster=on_roster, stop=stop, timer=timer,
            )  # fmt: skip
        except UnpricedRule as rule:
            if ward.days <= MANY_DAYS:
                return taken_over(error_text(rule))
            logger.info(
                "solved as a ward of many months, as a row of the whole time is too large: %s", error_text(rule)
            )
            return as_a_year()
        if not small or first.status in ENOUGH or first.seconds >= seconds:
            return first
        return _joined(first, cp_sat(seconds - first.seconds, None if work is None else work * (1 - share), first))

    found = minimised()
    least = start.least_breaches if start is not None and start.asked else None
    paid = sum(found.parts.get(kind, 0) for kind in ("minimum", "in_charge"))
    return replace(found, breaches=round(paid / breach_price(ward)), least_breaches=least)


def _too_large(ward: Ward) -> str:
    """What keeps CP-SAT from taking the ward over; empty = nothing."""
    cells = len(ward.nurses) * ward.days * len(ward.shifts)
    if cells <= MOST_CP_SAT_CELLS:
        return ""
    size = f"{len(ward.nurses)} nurses, {ward.days} days and {len(ward.shifts)} kinds of shift"
    return f"{size} make {cells:,} cells, and CP-SAT takes up to {MOST_CP_SAT_CELLS:,}"


def _after(first: SolveResult, on_progress: OnProgress | None) -> Callable[[float, float, float], None] | None:
    """Report progress with the first result's seconds and bound counted in."""
    if on_progress is None:
        return None

    return lambda cost, bound, seconds: on_progress(cost, max(bound, first.bound), first.seconds + seconds)


def _joined(first: SolveResult, second: SolveResult) -> SolveResult:
    """The better roster, the better bound, and one trace."""
    if second.roster is None:
        return second if second.status == "infeasible" else replace(first, seconds=first.seconds + second.seconds)
    best = second if first.cost is None or (second.cost or 0) <= first.cost else first
    bound = max(first.bound, second.bound)
    later = [Point(first.seconds + p.seconds, p.cost, max(p.bound, first.bound)) for p in second.trace]
    costs = [point.cost for point in first.trace]
    trace = [*first.trace, *(point for point in later if not costs or point.cost < costs[-1])]
    proven = best.cost is not None and best.cost <= bound
    status = "optimal" if proven else second.status if second.status == "stopped" else "feasible"
    return replace(best, status=status, bound=min(bound, best.cost or bound), trace=trace, columns=first.columns,
                   seconds=first.seconds + second.seconds)  # fmt: skip
