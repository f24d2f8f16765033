"""Why no roster exists: a few rules that contradict each other, and which of them, given up, would let one exist.

Every rule of every nurse, each day of leave, each settled cell and each minimum of cover depends on an assumption;
CP-SAT names assumptions that cannot hold together, and leaving them out one by one keeps those that are needed.
"""

import time
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from ortools.sat.python import cp_model

from wavegraph.tools.roster.solver.constraints import HARD
from wavegraph.tools.roster.solver.instance import Instance
from wavegraph.tools.roster.solver.objective import count_on
from wavegraph.tools.roster.solver.variables import Literal, Variables, make_variables
from wavegraph.tools.roster.ward import Ward

CELL_RULES = ("leave", "locked")
"""Rules that are given up day by day; the others nurse by nurse."""


@dataclass(frozen=True)
class Ground:
    """One rule that plays a part in a contradiction."""

    rule: str
    nurse: str | None = None
    day: date | None = None
    """None where the rule holds for the whole horizon."""

    def __str__(self) -> str:
        return " ".join(
            [self.rule, *([f"of {self.nurse}"] if self.nurse else []), *([f"on {self.day}"] if self.day else [])]
        )


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
    puzzle = _Puzzle.of(ward, with_cover, time.monotonic() + seconds)
    grounds = list(puzzle.literals)
    core = puzzle.core(grounds)
    if core is None or not core:
        return Explanation([], minimal=True, remedies=[], known=core is not None)
    conflict, minimal = _smallest(puzzle, core)
    remedies = [ground for ground in conflict if puzzle.core([g for g in grounds if g != ground]) == []]
    return Explanation(conflict, minimal, remedies, known=True)


def _smallest(puzzle: "_Puzzle", core: list[Ground]) -> tuple[list[Ground], bool]:
    """Leave out what is not needed; and whether there was time to try all."""
    kept, tried = list(core), True
    for ground in core:
        if ground in kept:
            rest = puzzle.core([g for g in kept if g != ground])
            kept, tried = rest or kept, tried and rest is not None
    return kept, tried


@dataclass
class _Puzzle:
    model: cp_model.CpModel
    literals: dict[Ground, Literal]
    deadline: float

    @classmethod
    def of(cls, ward: Ward, with_cover: bool, deadline: float) -> "_Puzzle":
        instance, model = Instance(ward), cp_model.CpModel()
        guards = _Assumptions(model, instance)
        variables = make_variables(model, instance)
        for rule in HARD.values():
            rule(model, variables, instance, guards)
        if with_cover:
            _hold_cover(model, variables, instance, guards)
        return cls(model, guards.literals, deadline)

    def core(self, grounds: Iterable[Ground]) -> list[Ground] | None:
        """Grounds among these that cannot hold together; empty = they can; None = no time to tell."""
        assumed = {self.literals[ground].index: ground for ground in grounds}
        self.model.clear_assumptions()
        self.model.add_assumptions([self.literals[ground] for ground in assumed.values()])
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.max_time_in_seconds = max(0.0, self.deadline - time.monotonic())
        status = solver.solve(self.model)
        if status == cp_model.INFEASIBLE:
            return [assumed[index] for index in solver.sufficient_assumptions_for_infeasibility()]
        return [] if status in (cp_model.OPTIMAL, cp_model.FEASIBLE) else None


class _Assumptions:
    """Makes each constraint depend on the assumption of its rule."""

    def __init__(self, model: cp_model.CpModel, instance: Instance) -> None:
        self._model, self._instance = model, instance
        self.literals: dict[Ground, Literal] = {}

    def __call__(
        self, constraint: cp_model.Constraint, rule: str, nurse: int | None = None, day: int | None = None
    ) -> None:
        name = None if nurse is None else self._instance.nurses[nurse].id
        on = None if day is None or not (nurse is None or rule in CELL_RULES) else self._instance.ward.day(day)
        ground = Ground(rule, name, on)
        if ground not in self.literals:
            self.literals[ground] = self._model.new_bool_var(str(ground))
        constraint.only_enforce_if(self.literals[ground])


def _hold_cover(model: cp_model.CpModel, v: Variables, instance: Instance, guard: _Assumptions) -> None:
    """Minimum cover and charge, which the objective only prices, as rules."""
    for row in instance.covers:
        if row.demand.minimum:
            skill = f" of {row.demand.skill}" if row.demand.skill else ""
            rule = f"minimum {row.demand.minimum}{skill} for {row.demand.shift}"
            guard(model.add(count_on(v, row) >= row.demand.minimum), rule, None, row.day)
    if instance.ward.rules.charge_skill is not None:
        for d, s in instance.staffed:
            clause = [v.shift[n, d, s] for n in instance.in_charge]
            guard(model.add_bool_or(clause), f"charge of {instance.shifts[s].id}", None, d)
