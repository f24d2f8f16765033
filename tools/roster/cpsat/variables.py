"""The decision variables of the roster model, and what they say of the label of a day."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from ortools.sat.python import cp_model

from wavegraph.tools.roster.problem.instance import Instance
from wavegraph.tools.roster.problem.rules.forms import Labels
from wavegraph.tools.roster.ward.ward import Roster

Literal = cp_model.BoolVarT
Place = tuple[int, int, Labels]
"""A nurse, a day, and labels of which it may have one."""


@dataclass(frozen=True)
class Variables:
    """`shift[n, d, s]`: nurse n works shift s on day d of the period; `works[n, d]`: she works any shift that day.

    sum_s shift[n, d, s] + (1 - works[n, d]) = 1
    """

    instance: Instance
    shift: dict[tuple[int, int, int], Literal]
    works: dict[tuple[int, int], Literal]
    known: list[dict[int, int]]
    """The labels of each nurse's known days before and after the period."""

    def undecided(self, places: Iterable[Place]) -> list[Place] | None:
        """Those of the period that leave a choice; None where another one is known to be otherwise, or not known."""
        found, every = [], len(self.instance.shifts) + 1
        for nurse, day, labels in places:
            if 0 <= day < self.instance.days:
                found += [(nurse, day, labels)] if len(labels) < every else []
            elif self.known[nurse].get(day) not in labels:
                return None
        return found

    def literal(self, nurse: int, day: int, labels: Labels) -> Literal | None:
        """The one literal that says whether the day has one of these; None = it takes several."""
        shifts, among = _shifts(labels, len(self.instance.shifts))
        if len(shifts) == len(self.instance.shifts):
            literal = self.works[nurse, day]
        elif len(shifts) == 1:
            literal = self.shift[nurse, day, shifts[0]]
        else:
            return None
        return literal if among else literal.negated()

    def literals(self, nurse: int, day: int, labels: Labels) -> list[Literal]:
        """Literals that are all true exactly where the day has one of these."""
        if (one := self.literal(nurse, day, labels)) is not None:
            return [one]
        off = len(self.instance.shifts)
        others = [self.shift[nurse, day, s].negated() for s in range(off) if s not in labels]
        return others if off in labels else [self.works[nurse, day], *others]

    def amount(self, cells: Iterable[tuple[int, int, tuple[int, ...]]]) -> cp_model.LinearExpr:
        """What the days of nurses add up to, each by its label."""
        constant, counts, factors = 0, [], []
        for nurse, day, amounts in cells:
            off, usual, others = _factors(amounts)
            constant += off
            if usual:
                counts.append(self.works[nurse, day])
                factors.append(usual)
            for shift, factor in others:
                counts.append(self.shift[nurse, day, shift])
                factors.append(factor)
        return cp_model.LinearExpr.constant(constant) + cp_model.LinearExpr.weighted_sum(counts, factors)

    def as_in(self, roster: Roster) -> Iterator[tuple[Literal, bool]]:
        """What says who works what, and whether the roster has it so."""
        for (n, d, s), x in self.shift.items():
            yield x, roster[self.instance.nurses[n].id][d] == self.instance.shifts[s].id

    def roster(self, value: Callable[[Literal], int]) -> Roster:
        """The roster of a solution, which gives each variable its value."""
        return self.instance.roster({(n, d): s for (n, d, s), x in self.shift.items() if value(x)})


def make_variables(model: cp_model.CpModel, instance: Instance) -> Variables:
    """One Boolean per nurse, day and shift, and one per nurse and day (INRC-II H1: at most one shift a day)."""
    shift: dict[tuple[int, int, int], Literal] = {}
    works: dict[tuple[int, int], Literal] = {}
    for n in range(len(instance.nurses)):
        for d in range(instance.days):
            works[n, d] = model.new_bool_var(f"works_{n}_{d}")
            for s in range(len(instance.shifts)):
                shift[n, d, s] = model.new_bool_var(f"shift_{n}_{d}_{s}")
            literals = [shift[n, d, s] for s in range(len(instance.shifts))]
            model.add_exactly_one([*literals, works[n, d].negated()])
    return Variables(instance, shift, works, [_known(instance, n) for n in range(len(instance.nurses))])


def _known(instance: Instance, nurse: int) -> dict[int, int]:
    tail, coming, off = instance.tails[nurse], instance.coming[nurse], len(instance.shifts)
    days = [*enumerate(tail, start=-len(tail)), *enumerate(coming, start=instance.days)]
    return {day: off if shift is None else shift for day, shift in days}


@lru_cache(maxsize=1024)
def _shifts(labels: Labels, off: int) -> tuple[tuple[int, ...], bool]:
    """The shifts among which a day's has to be, or not to be."""
    among = off not in labels
    return tuple(shift for shift in range(off) if (shift in labels) == among), among


@lru_cache(maxsize=1024)
def _factors(amounts: tuple[int, ...]) -> tuple[int, int, list[tuple[int, int]]]:
    """What a day off adds, what most shifts add to that, and what each other shift adds to both."""
    *by_shift, off = amounts
    usual = Counter(by_shift).most_common(1)[0][0]
    return off, usual - off, [(shift, amount - usual) for shift, amount in enumerate(by_shift) if amount != usual]


def negated(literals: Sequence[Literal]) -> list[Literal]:
    return [literal.negated() for literal in literals]
