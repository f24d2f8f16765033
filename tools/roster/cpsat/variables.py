"""The decision variables of the roster model."""

from dataclasses import dataclass

from ortools.sat.python import cp_model

from wavegraph.tools.roster.problem.instance import Instance

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

    def days_before(self, nurse: int, day: int, length: int) -> list[Literal] | None:
        """Whether each of the `length` days before a day is worked; None = not all of them are known."""
        if (nurse, day - length) not in self.works:
            return None
        return [self.works[nurse, d] for d in range(day - length, day)]

    def nights(self, instance: Instance, nurse: int, day: int) -> list[Literal]:
        """The night shifts of a day; at most one of them is worked."""
        return [self.shift[nurse, day, s] for s in instance.nights]


def make_variables(model: cp_model.CpModel, instance: Instance) -> Variables:
    """One Boolean per nurse, day and shift, one per nurse and day, and constants for the tail."""
    shift: dict[tuple[int, int, int], Literal] = {}
    works: dict[tuple[int, int], Literal] = {}
    constants = (model.new_constant(0), model.new_constant(1))
    for n in range(len(instance.nurses)):
        for d in range(instance.days):
            works[n, d] = model.new_bool_var(f"works_{n}_{d}")
            for s in range(len(instance.shifts)):
                shift[n, d, s] = model.new_bool_var(f"shift_{n}_{d}_{s}")
        tail = instance.tails[n]
        for d, worked in zip(range(-len(tail), 0), tail, strict=True):
            works[n, d] = constants[worked is not None]
            for s in range(len(instance.shifts)):
                shift[n, d, s] = constants[worked == s]
    return Variables(shift, works)
