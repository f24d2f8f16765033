"""The decision variables of the roster model."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from ortools.sat.python import cp_model

from wavegraph.tools.roster.problem.instance import Instance
from wavegraph.tools.roster.ward.ward import Roster

Literal = cp_model.BoolVarT


@dataclass(frozen=True)
class Variables:
    """`shift[n, d, s]`: nurse n works shift s on day d; `works[n, d]`: she works any shift that day.

    Both reach back into the known tail (negative days), where they are constants.
    """

    shift: dict[tuple[int, int, int], Literal]
    works: dict[tuple[int, int], Literal]

    def first_day(self, instance: Instance, nurse: int) -> int:
        """The first day known: negative with a tail, else 0."""
        return -len(instance.tails[nurse])

    def end(self, instance: Instance, nurse: int) -> int:
        """The day after the last one known: the horizon's, or later where the days after it are known."""
        return instance.days + len(instance.coming[nurse])

    def with_days_after(self, model: cp_model.CpModel, instance: Instance) -> "Variables":
        """The same with constants for the known days after the horizon, which the hard rules look at."""
        if not any(instance.coming):
            return self
        constants = (model.new_constant(0), model.new_constant(1))
        after = Variables(dict(self.shift), dict(self.works))
        for n, coming in enumerate(instance.coming):
            after.fix(n, dict(enumerate(coming, start=instance.days)), len(instance.shifts), constants)
        return after

    def fix(self, nurse: int, known: Mapping[int, int | None], shifts: int, constants: tuple[Literal, Literal]) -> None:
        """Add the constants of known days."""
        for d, worked in known.items():
            self.works[nurse, d] = constants[worked is not None]
            for s in range(shifts):
                self.shift[nurse, d, s] = constants[worked == s]

    def days_before(self, nurse: int, day: int, length: int) -> list[Literal] | None:
        """Whether each of the `length` days before a day is worked; None = not all of them are known."""
        if (nurse, day - length) not in self.works:
            return None
        return [self.works[nurse, d] for d in range(day - length, day)]

    def nights(self, instance: Instance, nurse: int, day: int) -> list[Literal]:
        """The night shifts of a day; at most one of them is worked."""
        return [self.shift[nurse, day, s] for s in instance.nights]

    def as_in(self, instance: Instance, roster: Roster) -> Iterator[tuple[Literal, bool]]:
        """What says who works what in the horizon, and whether the roster has it so."""
        for (n, d, s), x in self.shift.items():
            if d >= 0:
                yield x, roster[instance.nurses[n].id][d] == instance.shifts[s].id

    def roster(self, instance: Instance, value: Callable[[Literal], int]) -> Roster:
        """The roster of a solution, which gives each variable its value."""
        return instance.roster({(n, d): s for (n, d, s), x in self.shift.items() if d >= 0 and value(x)})


def make_variables(model: cp_model.CpModel, instance: Instance) -> Variables:
    """One Boolean per nurse, day and shift, one per nurse and day, and constants for the tail."""
    v = Variables({}, {})
    constants = (model.new_constant(0), model.new_constant(1))
    for n in range(len(instance.nurses)):
        for d in range(instance.days):
            v.works[n, d] = model.new_bool_var(f"works_{n}_{d}")
            for s in range(len(instance.shifts)):
                v.shift[n, d, s] = model.new_bool_var(f"shift_{n}_{d}_{s}")
        tail = instance.tails[n]
        v.fix(n, dict(enumerate(tail, start=-len(tail))), len(instance.shifts), constants)
    return v
