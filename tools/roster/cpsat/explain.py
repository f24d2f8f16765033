"""Why no roster exists: a few rules that contradict each other, and which of them, given up, would let one exist."""

import time
from dataclasses import dataclass
from math import ceil

from wavegraph.tools.roster.cpsat.grounds import Deadline, Ground, Puzzle, hold_charge, hold_minimum
from wavegraph.tools.roster.problem.instance import Instance
from wavegraph.tools.roster.ward.ward import Ward


@dataclass(frozen=True)
class Explanation:
    """Rules that no roster meets together."""

    conflict: list[Ground]
    """Empty when a roster exists, or when the time was too short to tell."""
    minimal: bool
    """Whether each of them is known to be needed for the contradiction."""
    remedies: list[Ground]
    """Those of them that, given up alone, let a roster exist."""
    known: bool
    """False when the time was too short to tell whether a roster exists."""

    def __str__(self) -> str:
        if not self.conflict:
            return "a roster exists" if self.known else "not known"
        ways = " or ".join(str(ground) for ground in self.remedies) or "more than one of them"
        return f"cannot hold together: {'; '.join(str(g) for g in self.conflict)}. To give: {ways}"


def explain(ward: Ward, *, with_cover: bool = True, seconds: float = 5.0) -> Explanation:
    """A small set of rules in contradiction. `with_cover`: hold minimum cover and charge as hard, too.

    Runs on one worker, so that the same ward gives the same explanation unless the time runs out.
    """
    puzzle = Puzzle.of(Instance.of(ward), Deadline(time.monotonic() + seconds))
    if with_cover:
        hold_minimum(puzzle)
        hold_charge(puzzle)
    core = puzzle.core(puzzle.grounds)
    if core is None or not core:
        return Explanation([], minimal=True, remedies=[], known=core is not None)
    conflict, minimal = puzzle.smallest(core)
    remedies = [ground for ground in conflict if puzzle.possible([g for g in puzzle.grounds if g != ground])]
    return Explanation(conflict, minimal, remedies, known=True)


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
