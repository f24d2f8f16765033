"""Which findings of the empathy check no roster can avoid, and which rules they collide with."""

import threading
import time
from collections.abc import Collection
from dataclasses import dataclass, field

from ortools.sat.python import cp_model

from wavegraph.tools.roster.cpsat.grounds import Deadline, Ground, Puzzle
from wavegraph.tools.roster.cpsat.variables import Literal
from wavegraph.tools.roster.problem.ids import RuleId
from wavegraph.tools.roster.problem.instance import Instance
from wavegraph.tools.roster.problem.rules import rows
from wavegraph.tools.roster.problem.rules.found import FOUND
from wavegraph.tools.roster.ward.finding_types import CountedFinding, FindingType
from wavegraph.tools.roster.ward.ward import Ward

PERSONAL = frozenset(FOUND) - {"night_concentration", "weekend_concentration", "holiday_concentration"}
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

    Findings are counted as the check counts them, or not at all (`problem.rules.found`), so that no claim is false.

    Raises ValueError for a type that no roster can be held to here: a wish, a pattern, a breach.
    """
    if strange := set(types) - FOUND.keys():
        raise ValueError(f"not counted here: {sorted(strange)}; the types are {list(FOUND)}")
    deadline = Deadline(time.monotonic() + seconds, stop)
    rules = _rules_and_cover(Instance.of(ward), deadline)
    bounded = [kind for kind in FOUND if kind in types and ward.fairness.allowed.get(kind) is not None]
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
    until, ward = rules.deadline.sooner(seconds), rules.instance.ward
    for nurse in rules.instance.nurses if kind in PERSONAL and until.left else ():
        alone = Instance(ward.with_only([nurse.id]), part_of=ward)  # as much is due to her as in the whole ward
        puzzle = _held_to(Puzzle.of(alone, rules.deadline), [kind])
        if core := puzzle.core(puzzle.grounds, until.left):
            return puzzle, core
    puzzle = _held_to(rules, [kind])
    return puzzle, puzzle.core(puzzle.grounds, until.left)


def _rules_and_cover(instance: Instance, deadline: Deadline) -> Puzzle:
    puzzle = Puzzle.of(instance, deadline)
    if any(row.demand.minimum for row in instance.covers):
        puzzle.hold_cover()
    else:
        puzzle.poster.hold_targets(rows.cover(instance))
        puzzle.poster.hold(rows.charge(instance))
    return puzzle


def _held_to(rules: Puzzle, kinds: list[CountedFinding]) -> Puzzle:
    """The rules, with at most the allowed findings of some types."""
    puzzle = rules.copy()
    for kind in kinds:
        _hold_to(puzzle, kind)
    return puzzle


def _hold_to(puzzle: Puzzle, kind: CountedFinding) -> None:
    """One ground for each nurse where no finding is allowed, else one for all."""
    rules = FOUND[kind](puzzle.instance)
    if most := puzzle.instance.ward.fairness.allowed[kind]:
        found = Found(puzzle.model)
        puzzle.poster.copy(puzzle.model, found).post(rules)
        puzzle.guard(puzzle.model.add(sum(found.literals.values()) <= most), RuleId(kind))
    else:
        puzzle.poster.post(rules)


@dataclass(frozen=True)
class Found:
    """A guard that lets each rule be broken at the cost of a finding, one a nurse and day."""

    model: cp_model.CpModel
    literals: dict[tuple[int | None, int | None], Literal] = field(default_factory=dict)

    def __call__(
        self, constraint: cp_model.Constraint, rule: RuleId, nurse: int | None = None, day: int | None = None
    ) -> None:
        if (nurse, day) not in self.literals:
            self.literals[nurse, day] = self.model.new_bool_var("")
        constraint.only_enforce_if(self.literals[nurse, day].negated())
