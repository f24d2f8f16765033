"""Why no roster exists: a few rules that contradict each other."""

import time
from math import ceil

from wavegraph.tools.roster.cpsat.grounds import Deadline, Ground, Puzzle, hold_charge, hold_minimum
from wavegraph.tools.roster.problem.instance import Instance
from wavegraph.tools.roster.ward.ward import Ward


def conflict(ward: Ward, *, with_cover: bool = True, seconds: float = 5.0) -> list[Ground]:
    """A small set of rules that no roster meets together; empty where a roster exists, or the time is too short to tell.

    `with_cover`: minimum cover and a nurse in charge are hard rules, too. The same ward gives the same rules unless the
    time runs out.
    """
    puzzle = Puzzle.of(Instance.of(ward), Deadline(time.monotonic() + seconds))
    if with_cover:
        hold_minimum(puzzle)
        hold_charge(puzzle)
    core = puzzle.core(puzzle.grounds)
    return puzzle.smallest(core) if core else []


def too_few(ward: Ward) -> list[str]:
    """That the minimums alone need more hours than all contracts allow, in one sentence; empty = they do not."""
    paid = {shift.id: shift.paid for shift in ward.shifts}
    needed = sum(row.minimum * paid[row.shift] for row in ward.demand if row.skill is None)
    longest = ward.days * max(paid.values())
    allowed = sum(min(nurse.contract.max_minutes or longest, longest) for nurse in ward.nurses)
    if needed <= allowed:
        return []
    lacking = ceil((needed - allowed) / (allowed / len(ward.nurses))) if allowed else len(ward.nurses)
    cure = f"about {lacking} more nurse{'s' * (lacking > 1)}, or lower minimums"
    return [f"The minimums need {needed / 60:g} h and all contracts together allow {allowed / 60:g} h: {cure}."]
