"""A ward's rules as assumptions, and which of them contradict each other.

Every rule of every nurse, each day of leave, each settled cell and each row of cover depends on an assumption. CP-SAT
names assumptions that cannot hold together; leaving them out in turn keeps only those that are needed.
"""

import threading
import time
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from datetime import date
from math import inf

from ortools.sat.python import cp_model

from wavegraph.tools.roster.cpsat.post import Poster
from wavegraph.tools.roster.cpsat.solver import new_solver, solve_until
from wavegraph.tools.roster.cpsat.variables import Literal, Variables, make_variables
from wavegraph.tools.roster.problem.ids import RuleId
from wavegraph.tools.roster.problem.instance import Instance
from wavegraph.tools.roster.problem.rules.declared import MUST, cover_rows

CELL_RULES = frozenset({"leave", "night_before_leave", "locked"})
"""Rules with one ground for each day; the others have one for each nurse."""
WORKERS = 2
"""Enough to tell whether a roster exists; the answer does not depend on which worker is first."""
FEW = 8
"""Up to this many grounds are left out one by one; more, first in blocks."""


@dataclass(frozen=True)
class Ground:
    """One rule that plays a part in a contradiction."""

    rule: RuleId
    nurse: str | None = None
    day: date | None = None
    """None where the rule holds for the whole horizon."""


@dataclass(frozen=True)
class Deadline:
    """When to give up: at a moment of `time.monotonic`, or on a request to stop."""

    moment: float
    stop: threading.Event | None = None

    @property
    def left(self) -> float:
        """Seconds; 0 when it is over."""
        asked = self.stop is not None and self.stop.is_set()
        return 0.0 if asked else max(0.0, self.moment - time.monotonic())

    def sooner(self, seconds: float) -> "Deadline":
        """The deadline `seconds` from now, but not later than this one."""
        return Deadline(min(self.moment, time.monotonic() + seconds), self.stop)


@dataclass
class Assumptions:
    """A guard that makes each constraint depend on the assumption of its rule."""

    model: cp_model.CpModel
    instance: Instance
    literals: dict[Ground, Literal] = field(default_factory=dict)

    def __call__(
        self, constraint: cp_model.Constraint, rule: RuleId, nurse: int | None = None, day: int | None = None
    ) -> None:
        name = None if nurse is None else self.instance.nurses[nurse].id
        on = None if day is None or not (nurse is None or rule.kind in CELL_RULES) else self.instance.ward.day(day)
        ground = Ground(rule, name, on)
        if ground not in self.literals:
            self.literals[ground] = self.model.new_bool_var("")
        constraint.only_enforce_if(self.literals[ground])


@dataclass(frozen=True)
class Puzzle:
    """A model in which any set of grounds can be assumed."""

    poster: Poster
    guard: Assumptions
    deadline: Deadline

    @classmethod
    def of(cls, instance: Instance, deadline: Deadline) -> "Puzzle":
        """The hard rules. Out of time, the later ones are missing, and nothing is told of those that are there."""
        model = cp_model.CpModel()
        guard = Assumptions(model, instance)
        poster = Poster(model, make_variables(model, instance), guard)
        for declare in MUST:
            if deadline.left:
                poster.post(declare(instance))
        return cls(poster, guard, deadline)

    def hold_cover(self) -> None:
        """The minimum of every demand row and a nurse in charge, which a roster has to keep where any can."""
        self.poster.hold(cover_rows(self.instance))

    def copy(self) -> "Puzzle":
        """A copy to add constraints to."""
        guard = Assumptions(self.model.clone(), self.instance, dict(self.guard.literals))
        return replace(self, poster=self.poster.copy(guard.model, guard), guard=guard)

    @property
    def instance(self) -> Instance:
        return self.poster.instance

    @property
    def variables(self) -> Variables:
        return self.poster.v

    @property
    def model(self) -> cp_model.CpModel:
        return self.guard.model

    @property
    def grounds(self) -> list[Ground]:
        return list(self.guard.literals)

    def possible(self, grounds: Collection[Ground], seconds: float = inf) -> bool | None:
        """Whether these grounds can hold together; None = no time to tell."""
        model, held = self.model.clone(), set(grounds)
        for ground, literal in self.guard.literals.items():
            model.add_bool_or([literal if ground in held else literal.negated()])
        status = self.run(model, new_solver(WORKERS), seconds)
        return None if status == cp_model.UNKNOWN else status != cp_model.INFEASIBLE

    def core(self, grounds: list[Ground], seconds: float = inf, *, proven: bool = False) -> list[Ground] | None:
        """Grounds among these that cannot hold together, in their order; empty = they can; None = no time to tell.

        CP-SAT first takes the grounds as fixed rules, which is much faster; only if they contradict each other, as
        assumptions, of which it names some. `proven`: they are known to contradict each other; none named = no time to tell.
        """
        until = self.deadline.sooner(seconds)
        if proven:
            return self._named(grounds, until.left) or None
        possible = self.possible(grounds, until.left)
        if possible is False:
            return self._named(grounds, until.left) or grounds
        return [] if possible else None

    def _named(self, grounds: list[Ground], seconds: float) -> list[Ground]:
        """The contradicting grounds that the solver names; none if the time is too short."""
        model, solver = self.model.clone(), new_solver(1)  # more workers name every assumption
        model.add_assumptions([self.guard.literals[ground] for ground in grounds])
        if self.run(model, solver, seconds) != cp_model.INFEASIBLE:
            return []
        named = set(solver.sufficient_assumptions_for_infeasibility())
        return [ground for ground in grounds if self.guard.literals[ground].index in named]

    def run(self, model: cp_model.CpModel, solver: cp_model.CpSolver, seconds: float) -> cp_model.CpSolverStatus:
        """Solve a model made from this one; UNKNOWN also where no time is left."""
        if not min(seconds, self.deadline.left):
            return cp_model.UNKNOWN
        solver.parameters.max_time_in_seconds = min(seconds, self.deadline.left)
        stop = self.deadline.stop
        return solve_until(lambda: stop and stop.is_set(), solver, model)

    def smallest(self, core: list[Ground], seconds: float = inf) -> list[Ground]:
        """Leave out of a core what is not needed, as far as the time allows."""
        until = self.deadline.sooner(seconds)
        size = 1 if len(core) <= FEW else len(core) // 4
        while size > 1 and until.left:
            core = self._without_blocks(core, size, until)
            size //= 2
        return self._without_blocks(core, 1, until)

    def _without_blocks(self, core: list[Ground], size: int, until: Deadline) -> list[Ground]:
        place = 0
        while place < len(core) and until.left:
            block = core[place : place + size]
            rest = self.core([ground for ground in core if ground not in block], until.left)
            if rest:
                needed = core[:place]
                core, place = rest, sum(ground in needed for ground in rest)
            else:
                place += size
        return core
