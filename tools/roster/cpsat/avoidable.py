"""Which findings of the empathy check no roster can avoid, and which rules they collide with."""

import threading
import time
from collections.abc import Collection

from wavegraph.tools.roster.cpsat.constraints import charge, minimum_cover, target_cover
from wavegraph.tools.roster.cpsat.fatigue_found import (
    fatigue_high,
    fatigue_moderate,
    fatigue_night,
    fatigue_weekend,
)
from wavegraph.tools.roster.cpsat.grounds import (
    Deadline,
    Ground,
    Puzzle,
    ward_of_one,
)
from wavegraph.tools.roster.cpsat.shares_found import (
    Count,
    holiday_concentration,
    night_concentration,
    overwork,
    underutilization,
    weekend_concentration,
)
from wavegraph.tools.roster.problem.ids import CountedFinding, RuleId
from wavegraph.tools.roster.problem.instance import Instance
from wavegraph.tools.roster.ward.finding_types import FindingType
from wavegraph.tools.roster.ward.ward import Nurse, Ward

COUNTS: dict[CountedFinding, Count] = {
    "underutilization": underutilization,
    "overwork": overwork,
    "night_concentration": night_concentration,
    "weekend_concentration": weekend_concentration,
    "holiday_concentration": holiday_concentration,
    "fatigue_high": fatigue_high,
    "fatigue_moderate": fatigue_moderate,
    "fatigue_weekend": fatigue_weekend,
    "fatigue_night": fatigue_night,
}

PERSONAL = frozenset(COUNTS) - {"night_concentration", "weekend_concentration", "holiday_concentration"}
"""Types that a nurse's own rules may force, without the cover."""


def unavoidable(
    ward: Ward,
    types: Collection[FindingType],
    *,
    seconds: float = 5.0,
    stop: threading.Event | None = None,
) -> dict[CountedFinding, list[Ground]]:
    """The types that exceed the ward's limit in every roster that keeps the hard rules and the cover.

    Cover is the minimum of every demand row and a nurse in charge; where no row has a minimum, the target. Each type comes
    with grounds that contradict each other: the type itself (for one nurse, where no finding is allowed) and the rules it
    collides with, as few as the time allows. A type is missing if a roster avoids it, if the time is too short to tell, if
    any number is allowed, or if no roster keeps rules and cover at all (see `conflict`).

    Findings are counted as the check counts them. Where its rounding decides, and for
    fatigue with more than four decimals or shifts that begin between two minutes, a finding is not counted, so that no
    claim is false.

    Raises ValueError for a type that no roster can be held to here: a wish, a pattern, a breach.
    """
    if strange := set(types) - COUNTS.keys():
        raise ValueError(f"not counted here: {sorted(strange)}; the types are {list(COUNTS)}")
    deadline = Deadline(time.monotonic() + seconds, stop)
    rules = _rules_and_cover(Instance.of(ward), deadline)
    bounded = [kind for kind in COUNTS if kind in types and ward.fairness.allowed.get(kind) is not None]
    return _collisions(rules, bounded) if _may_collide(rules, bounded) else {}


def _may_collide(rules: Puzzle, kinds: list[CountedFinding]) -> bool:
    """Whether rosters exist, but none is known to avoid all types at once; most wards need no further search."""
    if not kinds or not rules.deadline.left:
        return False
    together = _held_to(rules, kinds)
    if together.possible(together.grounds, rules.deadline.left / 3):
        return False
    return rules.possible(rules.grounds, rules.deadline.left / 2) is True


def _collisions(rules: Puzzle, kinds: list[CountedFinding]) -> dict[CountedFinding, list[Ground]]:
    """A core for each type that no roster avoids: found within the type's share of the time, then made smaller."""
    deadline, proofs = rules.deadline, []
    for place, kind in enumerate(kinds):
        if deadline.left:
            proofs.append((kind, *_collision(rules, kind, deadline.left / (len(kinds) - place + 1))))
    found = [(kind, puzzle, core) for kind, puzzle, core in proofs if core]
    return {
        kind: puzzle.smallest(core, deadline.left / (len(found) - place))
        for place, (kind, puzzle, core) in enumerate(found)
    }


def _collision(rules: Puzzle, kind: CountedFinding, seconds: float) -> tuple[Puzzle, list[Ground] | None]:
    """A core of a type: from one nurse's own rules if that is enough, since it is found quickly and easy to read."""
    until = rules.deadline.sooner(seconds)
    for nurse in rules.instance.nurses if kind in PERSONAL and until.left else ():
        alone = _held_to(Puzzle.of(_alone(nurse, rules.instance.ward), rules.deadline), [kind])
        if core := alone.core(alone.grounds, until.left):
            return alone, core
    puzzle = _held_to(rules, [kind])
    return puzzle, puzzle.core(puzzle.grounds, until.left)


def _alone(nurse: Nurse, ward: Ward) -> Instance:
    """One nurse, to whom as much is due as in the whole ward."""
    return Instance(ward_of_one(ward, nurse), part_of=ward)


def _rules_and_cover(instance: Instance, deadline: Deadline) -> Puzzle:
    puzzle = Puzzle.of(instance, deadline)
    any_minimum = any(row.demand.minimum for row in instance.covers)
    puzzle.hold(minimum_cover if any_minimum else target_cover, charge)
    return puzzle


def _held_to(rules: Puzzle, kinds: list[CountedFinding]) -> Puzzle:
    """The rules, with at most the allowed findings of some types."""
    puzzle = rules.copy()
    for kind in kinds:
        _hold_to(puzzle, kind)
    return puzzle


def _hold_to(puzzle: Puzzle, kind: CountedFinding) -> None:
    """One ground for each nurse where no finding is allowed, else one for all."""
    found = COUNTS[kind](puzzle.model, puzzle.variables, puzzle.instance)
    most = puzzle.instance.ward.fairness.allowed[kind]
    if most:
        literals = [literal for of_nurse in found.values() for literal in of_nurse]
        puzzle.guard(puzzle.model.add(sum(literals) <= most), RuleId(kind))
    else:
        for nurse, literals in found.items():
            puzzle.guard(puzzle.model.add(sum(literals) <= 0), RuleId(kind), nurse)
