"""What would have to give for a roster to exist: the cheapest sets of things to loosen, none further than needed.

Everything that can be loosened has a price, so that the solver asks first for a nurse who is missing, then for limits that
are like wishes, then for contracts, then for rest, and last for leave and settled cells, which are the manager's to decide:

    minimize  sum of price * loosened + sum of weight * nurses from outside

Each set that it finds is put into the ward and proven by a solve of that ward before it is told.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import Any

from ortools.sat.python import cp_model

from wavegraph.tools.roster.cpsat.grounds import WORKERS, Deadline, Ground, Puzzle
from wavegraph.tools.roster.cpsat.solver import FEASIBLE, new_solver
from wavegraph.tools.roster.cpsat.variables import Literal
from wavegraph.tools.roster.problem.ids import RuleId
from wavegraph.tools.roster.problem.instance import Instance
from wavegraph.tools.roster.problem.rules.declared import cover_rows, knobs
from wavegraph.tools.roster.problem.rules.forms import TooManyWords
from wavegraph.tools.roster.problem.rules.knobs import Knob
from wavegraph.tools.roster.ward.ward import Contract, Locked, Nurse, Roster, Ward

MOST_FOUND = 6
MOST_OF_A_KIND = 2
"""Sets of one thing each that differ only in whom, or in the day."""
MOST_TRIED = 15
"""Sets that are looked at: a few turn out not to be enough, since leave counts as hours."""
MOST_STEPS = 6
"""A set that asks for more than this is not worth reading, but for one that only asks for nurses from outside, at first."""
STEP_UP = 10
"""How many times dearer each kind of thing is than the one before it."""
PROVERS = 8
"""Workers: CP-SAT's full portfolio raises the bound, on two cores as well."""
OUTSIDE = "outside"
"""The kind of nurses from outside, beside the rules."""
LEAST_PRICE = 100
"""Of a nurse who is missing, where the ward's own weights are lower."""


@dataclass(frozen=True)
class Outside:
    """Nurses from outside for one shift, as it is put into a ward."""

    day: int
    shift: str
    skills: tuple[tuple[str, ...], ...]
    """Of each of them, those that are needed."""

    def applied(self, ward: Ward) -> Ward:
        most = {shift.id: int(shift.id == self.shift) for shift in ward.shifts}
        names = _free_names(ward, len(self.skills))
        new = [
            Nurse(id=name, skills=list(skills), contract=Contract(max_shifts=most, ward_runs=False))
            for name, skills in zip(names, self.skills, strict=True)
        ]
        cells = [Locked(nurse=name, day=ward.day(self.day), shift=self.shift) for name in names]
        return ward.changed(nurses=[*ward.nurses, *new], locked=[*ward.locked, *cells])


def _free_names(ward: Ward, count: int) -> list[str]:
    names = (f"outside_{number}" for number in range(1, len(ward.nurses) + count + 1))
    taken = {nurse.id for nurse in ward.nurses}
    return [name for name in names if name not in taken][:count]


@dataclass(frozen=True)
class Loosened:
    """A knob at one of its values."""

    knob: Knob
    value: Any

    def applied(self, ward: Ward) -> Ward:
        return self.knob.put(ward, self.value)


Step = Outside | Loosened


@dataclass(frozen=True)
class Relaxation:
    """What gives, all of it together: with it, a roster exists."""

    steps: tuple[Step, ...]

    def applied(self, ward: Ward) -> Ward:
        """The ward with all of it."""
        return reduce(lambda changed, step: step.applied(changed), self.steps, ward)


def relaxations(ward: Ward, *, with_cover: bool, deadline: Deadline, known: Roster | None = None) -> list[Relaxation]:
    """The cheapest first, as many as the time allows; empty also where nothing that may give is enough.

    After a set of one thing, that thing is left alone, after two of a kind the kind; after a set of several, at least one
    of their kinds is: so the sets differ in more than a day.

    `with_cover`: a roster has to reach minimum cover and have a nurse in charge, too. `known`: one that keeps the other
    rules; the search starts there. A nurse from outside keeps the ward's rules too, but for its limits to days in a row,
    which nobody who comes for one shift can keep.
    """
    if not deadline.left:
        return []
    search = _Search.of(Instance.of(ward), deadline, with_cover=with_cover)
    if known is not None:
        search.start_from(known)
    return list(search.found())


def a_roster(ward: Ward, *, with_cover: bool, deadline: Deadline) -> Roster | None:
    """One that keeps all rules; None = there is none, or no time to tell."""
    if not deadline.left:
        return None
    puzzle = Puzzle.of(Instance(ward), deadline)
    if with_cover:
        puzzle.hold_cover()
    puzzle.model.add_bool_and(puzzle.guard.literals.values())
    solver = new_solver(WORKERS)
    if puzzle.run(puzzle.model, solver, deadline.left) not in FEASIBLE:
        return None
    return puzzle.variables.roster(solver.value)


def keeps(ward: Ward, roster: Roster, deadline: Deadline) -> bool:
    """Whether a roster, of which only the ward's nurses count, keeps all rules but cover; False also where there is no time to tell."""
    if not deadline.left:
        return False
    puzzle = Puzzle.of(Instance(ward), deadline)
    puzzle.model.add_bool_and(puzzle.guard.literals.values())
    for x, works in puzzle.variables.as_in(roster):
        puzzle.model.add(x == works)
    return puzzle.run(puzzle.model, new_solver(1), deadline.left) in FEASIBLE


def _freed(instance: Instance, grounds: Sequence[Ground]) -> list[tuple[Knob, list[Ground]]]:
    """The knobs that free any of the grounds, with those."""
    by_rule: dict[RuleId | None, list[Ground]] = defaultdict(list)
    for ground in grounds:
        by_rule[ground.rule].append(ground)
    pairs = ((knob, [*by_rule[knob.rule], *by_rule[knob.eve]]) for knob in knobs(instance) if knob.values)
    found = ((knob, [g for g in about if knob.frees(g.rule, g.nurse, g.day)]) for knob, about in pairs)
    return [(knob, freed) for knob, freed in found if freed]


@dataclass
class _Cell:
    """A shift of a day that may be below its minimum, or without a nurse in charge."""

    extra: cp_model.IntVar
    """Nurses from outside."""
    missing: list[tuple[str | None, cp_model.IntVar]] = field(default_factory=list)
    """Of each row, its skill and how many are missing."""
    weight: int = LEAST_PRICE


@dataclass
class _Search:
    puzzle: Puzzle
    with_cover: bool
    knobs: list[Knob]
    loosened: list[cp_model.IntVar] = field(default_factory=list)
    """Whether each knob is."""
    cells: dict[tuple[int, int], _Cell] = field(default_factory=dict)
    """By day and shift."""
    singles: Counter[RuleId | str] = field(default_factory=Counter)
    """Sets of one thing that were found, by its kind."""

    @classmethod
    def of(cls, instance: Instance, deadline: Deadline, *, with_cover: bool) -> "_Search":
        puzzle = Puzzle.of(instance, deadline)
        freed = _freed(instance, puzzle.grounds)
        search = cls(puzzle, with_cover, [knob for knob, _ in freed])
        search._hold_what_cannot_give([grounds for _, grounds in freed])
        if with_cover:
            search._count_missing()
        search._minimize()
        return search

    @property
    def model(self) -> cp_model.CpModel:
        return self.puzzle.model

    @property
    def ward(self) -> Ward:
        return self.puzzle.instance.ward

    def _hold_what_cannot_give(self, freed: Sequence[Sequence[Ground]]) -> None:
        """`freed`: by each knob."""
        self.loosened = [self.model.new_bool_var("") for _ in self.knobs]
        free: dict[Ground, list[cp_model.IntVar]] = defaultdict(list)
        for loose, grounds in zip(self.loosened, freed, strict=True):
            for ground in grounds:
                free[ground].append(loose)
        for ground, holds in self.puzzle.guard.literals.items():
            self.model.add_bool_or([holds, *free[ground]])

    def _count_missing(self) -> None:
        """One nurse from outside counts for every row whose skill she has."""
        instance = self.puzzle.instance
        rows = [row for row in cover_rows(instance) if row.minimum]
        for row in rows:
            missing = self.model.new_int_var(0, row.minimum, "")
            self.model.add(self.puzzle.poster.present(row) + missing >= row.minimum)
            if (row.day, row.label) not in self.cells:
                extra = self.model.new_int_var(0, max(row.minimum for row in rows), "")
                self.cells[row.day, row.label] = _Cell(extra)
            self.model.add(self.cells[row.day, row.label].extra >= missing)
            skill = instance.ward.rules.charge_skill if row.rule.kind == "charge" else row.rule.skill
            self.cells[row.day, row.label].missing.append((skill, missing))
        for of in instance.covers:
            if of.demand.minimum:
                cell = self.cells[of.day, of.shift]
                cell.weight = max(cell.weight, of.demand.under_weight)

    def _minimize(self) -> None:
        base = max([LEAST_PRICE, *(cell.weight for cell in self.cells.values())])
        prices = [base * STEP_UP**knob.tier for knob in self.knobs]
        weights = [cell.weight for cell in self.cells.values()]
        counts = [*self.loosened, *(cell.extra for cell in self.cells.values())]
        self.model.minimize(cp_model.LinearExpr.weighted_sum(counts, [*prices, *weights]))

    def start_from(self, roster: Roster) -> None:
        for x, works in self.puzzle.variables.as_in(roster):
            self.model.add_hint(x, works)
        for loose in self.loosened:
            self.model.add_hint(loose, False)

    def found(self) -> Iterator[Relaxation]:
        told = 0
        for _ in range(MOST_TRIED):
            chosen = self._cheapest(self.puzzle.deadline.sooner(self.puzzle.deadline.left / 2))
            if not chosen:
                return
            if sum(not isinstance(step, Outside) or bool(told) for step in chosen) > MOST_STEPS:
                continue
            if (nearest := self._nearest(chosen)) is not None:
                told += 1
                yield nearest
            if told == MOST_FOUND or not self.puzzle.deadline.left:
                return

    def _cheapest(self, until: Deadline) -> Sequence[Step]:
        """The next set, each thing as loose as it goes; empty = there is none, or no time. It is not found again."""
        solver = new_solver(PROVERS)
        if self.puzzle.run(self.model, solver, until.left) not in FEASIBLE:
            return []
        loose = [place for place, literal in enumerate(self.loosened) if solver.boolean_value(literal)]
        short = {key: solver.value(cell.extra) for key, cell in self.cells.items() if solver.value(cell.extra)}
        steps: list[Step] = [
            *(self._outside(solver, key, count) for key, count in short.items()),
            *(Loosened(self.knobs[place], self.knobs[place].values[-1]) for place in loose),
        ]
        self._block(loose, short)
        return steps

    def _outside(self, solver: cp_model.CpSolver, key: tuple[int, int], count: int) -> Outside:
        missing = [(skill, solver.value(number)) for skill, number in self.cells[key].missing]
        skills = tuple(
            tuple(sorted(skill for skill, number in missing if skill and number > place)) for place in range(count)
        )
        return Outside(key[0], self.puzzle.instance.shifts[key[1]].id, skills)

    def _block(self, loose: list[int], short: dict[tuple[int, int], int]) -> None:
        """Not this set again; see `relaxations`."""
        kinds: list[RuleId | str] = [self.knobs[place].rule for place in loose]
        kinds += [OUTSIDE] * bool(short)
        if len(loose) + len(short) == 1:
            self.singles[kinds[0]] += 1
            if self.singles[kinds[0]] < MOST_OF_A_KIND:
                for place in loose:
                    self.model.add(self.loosened[place] == 0)
                for key, count in short.items():
                    self.model.add(self.cells[key].extra <= count - 1)
                return
        self.model.add_bool_or([self._unused(self._of_kind(kind)) for kind in dict.fromkeys(kinds)])

    def _of_kind(self, kind: RuleId | str) -> Sequence[cp_model.IntVar]:
        if kind == OUTSIDE:
            return [cell.extra for cell in self.cells.values()]
        return [loose for knob, loose in zip(self.knobs, self.loosened, strict=True) if knob.rule == kind]

    def _unused(self, counts: Sequence[cp_model.IntVar]) -> Literal:
        """A Boolean that may hold only where all of these are 0."""
        unused = self.model.new_bool_var("")
        for count in counts:
            self.model.add(count == 0).only_enforce_if(unused)
        return unused

    def _nearest(self, chosen: Sequence[Step]) -> Relaxation | None:
        """The set with each thing as near as can be to what it is now; None = it is not enough, or no time to tell.

        First as near as a roster that was found has it, which is quick, then nearer as the time allows.
        """
        deadline = self.puzzle.deadline
        if (roster := self._roster(chosen, deadline)) is None:
            return None
        steps = list(chosen)
        for place in range(len(steps)):
            steps = self._nearer(steps, place, lambda tried, at: self._keeps(tried, at, roster))
        until = deadline.sooner(deadline.left / 3)
        for place in range(len(steps)):
            steps = self._nearer(steps, place, lambda tried, _: self._roster(tried, until) is not None)
        return Relaxation(tuple(steps))

    def _nearer(self, steps: list[Step], place: int, enough: Callable[[list[Step], int], bool]) -> list[Step]:
        """`steps` with the one at a place at its first value that is enough; the present one is."""
        step = steps[place]
        if isinstance(step, Outside) or not (values := self._before(step)):
            return steps
        tries = [[*steps[:place], Loosened(step.knob, value), *steps[place + 1 :]] for value in values]
        if not step.knob.ordered:
            return next((tried for tried in tries if enough(tried, place)), steps)
        low, high = 0, len(tries)
        while low < high:
            middle = (low + high) // 2
            if enough(tries[middle], place):
                high = middle
            else:
                low = middle + 1
        return tries[high] if high < len(tries) else steps

    def _before(self, step: Loosened) -> Sequence[Any]:
        """The values nearer than its own."""
        return step.knob.values[: list(step.knob.values).index(step.value)]

    def _roster(self, steps: Sequence[Step], until: Deadline) -> Roster | None:
        """None also where a rule so loosened has no list of words any more, which bounds its knob."""
        try:
            return a_roster(Relaxation(tuple(steps)).applied(self.ward), with_cover=self.with_cover, deadline=until)
        except TooManyWords:
            return None

    def _keeps(self, steps: Sequence[Step], place: int, roster: Roster) -> bool:
        """Whether the roster keeps the rules that the step at a place is about."""
        ward, step = Relaxation(tuple(steps)).applied(self.ward), steps[place]
        nurse = step.knob.nurse if isinstance(step, Loosened) else None
        if nurse is not None:
            ward = ward.with_only([nurse])
        return keeps(ward, roster, self.puzzle.deadline)
