"""Large neighbourhood search: free a part of the best roster, fix the rest, and let CP-SAT solve the part.

Uncovered demand costs as much as a hundred wishes, so most neighbourhoods lie around an understaffed day. There are three
kinds: some nurses over all days, all nurses over a window of days, some nurses over a fortnight. The kind that has used
the least time is next; a kind grows after a part solved to its optimum without gain, and shrinks after one out of time.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

from ortools.sat.python import cp_model

from wavegraph.tools.roster.cpsat.variables import Variables
from wavegraph.tools.roster.problem.instance import Instance

Cell = tuple[int, int]
FORTNIGHT = 14
AIMED = 0.8
"""Share of the neighbourhoods that lie around an understaffed day, where there is one."""
LUCK = 4
"""A kind that has just improved the roster counts as having used this many times less time."""


@dataclass
class PartKind:
    """One kind of part to free."""

    name: str
    size: int
    used: float = 0.0
    lucky: bool = False

    @property
    def turn(self) -> float:
        return self.used / (LUCK if self.lucky else 1)


@dataclass(frozen=True)
class Neighbourhoods:
    """Choose parts of a roster to free, the same ones for the same seed."""

    instance: Instance
    random: Random
    kinds: tuple[PartKind, ...]

    @classmethod
    def make(cls, instance: Instance, seed: int) -> "Neighbourhoods":
        nurses = len(instance.nurses)
        few = min(nurses, max(3, nurses // 4))
        some = min(nurses, max(6, nurses // 3))
        kinds = (PartKind("nurses", few), PartKind("days", min(7, instance.days)), PartKind("fortnight", some))
        return cls(instance, Random(seed), kinds)

    def next(self) -> PartKind:
        return min(self.kinds, key=lambda kind: kind.turn)

    def free(self, kind: PartKind, short: list[int]) -> set[Cell]:
        """The cells to free; `short`: days that lack someone, once for each row of demand."""
        aimed = bool(short) and self.random.random() < AIMED
        day = self.random.choice(short) if aimed else self.random.randrange(self.instance.days)
        nurses = list(range(len(self.instance.nurses)))
        if kind.name != "days":
            nurses = self.random.sample(nurses, min(len(nurses), kind.size))
        days = self._window(day, {"nurses": self.instance.days, "days": kind.size}.get(kind.name, FORTNIGHT))
        return {(n, d) for n in nurses for d in days}

    def _window(self, day: int, length: int) -> range:
        start = max(0, min(self.instance.days - length, day - self.random.randrange(length)))
        return range(start, min(self.instance.days, start + length))

    def learn(self, kind: PartKind, used: float, *, better: bool, solved: bool) -> None:
        """Learn from an outcome. `solved`: to the part's own optimum."""
        kind.used += used
        kind.lucky = better
        if not better and self.random.random() < 1 / 2:
            kind.size = kind.size + 1 if solved else max(2, kind.size - 1)


class Settled:
    """Variables fixed to a roster while a part is solved; leaving the block frees them again."""

    def __init__(self, model: cp_model.CpModel, v: Variables, values: list[int], free: set[Cell]) -> None:
        self._domains = [
            (model.proto.variables[x.index].domain, values[x.index])
            for (n, d, _), x in v.shift.items()
            if (n, d) not in free
        ]

    def __enter__(self) -> None:
        for domain, value in self._domains:
            domain[0] = domain[1] = value

    def __exit__(self, *_: object) -> None:
        for domain, _value in self._domains:
            domain[0], domain[1] = 0, 1


def short_days(instance: Instance, v: Variables, values: list[int]) -> list[int]:
    """The day of each demand row that is below its target."""
    rows = instance.covers
    return [r.day for r in rows if sum(values[v.shift[n, r.day, r.shift].index] for n in r.able) < r.demand.target]


def give_hint(model: cp_model.CpModel, values: list[int]) -> None:
    """Start the next solve from these values of all variables."""
    model.clear_hints()  # type: ignore[no-untyped-call]
    model.proto.solution_hint.vars.extend(range(len(values)))
    model.proto.solution_hint.values.extend(values)


@dataclass(frozen=True)
class Outcome:
    """The outcome of solving a part."""

    values: list[int] | None
    objective: int
    solved: bool
    used: float
    """In the unit of the part's limit."""


SolvePart = Callable[[int], Outcome]
"""Solve the model as it stands, with this seed."""


def improve(
    model: cp_model.CpModel, v: Variables, instance: Instance, best: tuple[list[int], int], seed: int, solve: SolvePart
) -> Iterator[tuple[list[int], int] | None]:
    """Yield each better solution (values, objective) as it is found, None after a part without one; never ends."""
    neighbourhoods = Neighbourhoods.make(instance, seed)
    values, objective = best
    while True:
        kind = neighbourhoods.next()
        free = neighbourhoods.free(kind, short_days(instance, v, values))
        give_hint(model, values)
        with Settled(model, v, values, free):
            outcome = solve(neighbourhoods.random.randrange(1 << 30))
        better = outcome.values is not None and outcome.objective < objective
        neighbourhoods.learn(kind, outcome.used, better=better, solved=outcome.solved)
        if better and outcome.values is not None:
            values, objective = outcome.values, outcome.objective
        yield (values, objective) if better else None
