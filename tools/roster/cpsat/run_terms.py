"""Limits to days in a row (`problem.runs`): clauses where they are hard, a price for each day where they are soft.

in[n, d] is "day d of nurse n counts": x[n, d, s], w[n, d] or 1 - w[n, d].
"""

from collections.abc import Iterator

from ortools.sat.python import cp_model

from wavegraph.tools.roster.cpsat.variables import Literal, Variables
from wavegraph.tools.roster.problem.ids import RuleId, RunId
from wavegraph.tools.roster.problem.instance import CountedRun, Instance

Line = dict[int, Literal]
"""Whether each known day of a nurse counts."""
Clause = list[Literal]


def soft_run_terms(model: cp_model.CpModel, v: Variables, instance: Instance) -> Iterator[tuple[int, Literal]]:
    """Price and literal of each run that is too short, by the days missing, and of each day too many."""
    for n in range(len(instance.nurses)):
        for run in instance.runs(n):
            line = _line(model, v, run, n, range(v.first_day(instance, n), instance.days)) if run.limit.weight else {}
            for days, _, clause in _broken_by(line, run, instance.days):
                broken = model.new_bool_var("")
                model.add_bool_or([broken, *clause])
                yield max(1, days) * (run.limit.weight or 0), broken


def hard_run_clauses(
    model: cp_model.CpModel, v: Variables, instance: Instance
) -> Iterator[tuple[int, int, RuleId, Clause]]:
    """Nurse, day, rule and clause of each run that a hard limit forbids."""
    v = v.with_days_after(model, instance)
    for n in range(len(instance.nurses)):
        known = range(v.first_day(instance, n), v.end(instance, n))
        for run in instance.runs(n):
            line = _line(model, v, run, n, known) if run.limit.weight is None else {}
            for days, last, clause in _broken_by(line, run, instance.days):
                yield n, last, RuleId("run", run=RunId.of(run.limit, "least" if days else "most")), clause


def _broken_by(line: Line, run: CountedRun, days: int) -> Iterator[tuple[int, int, Clause]]:
    """Days too few (0 = one too many), last day, and the clause that forbids it: of every short block and long stretch.
    `days`: of the horizon."""
    limit = run.limit
    for block, clause in short_blocks(line, limit.least, days):
        yield limit.least - len(block), block[-1], clause
    for stretch in _stretches(line, limit.most, days):
        yield 0, stretch[-1], [line[d].negated() for d in stretch]


def _stretches(line: Line, most: int | None, days: int) -> Iterator[range]:
    """One day too many in a row: each known stretch that has a day of the horizon."""
    if most is not None:
        stretches = (range(last - most, last + 1) for last in range(max(line, default=-1) + 1))
        yield from (each for each in stretches if each[0] in line and each[0] < days)


def _line(model: cp_model.CpModel, v: Variables, run: CountedRun, nurse: int, days: range) -> Line:
    """Of these days."""
    if run.limit.off:
        return {d: v.works[nurse, d].negated() for d in days}
    if not run.limit.shifts:
        return {d: v.works[nurse, d] for d in days}
    return {d: any_of(model, [v.shift[nurse, d, s] for s in run.shifts if s is not None]) for d in days}


def any_of(model: cp_model.CpModel, literals: list[Literal]) -> Literal:
    """A Boolean that is true exactly where one of the literals is."""
    if len(literals) == 1:
        return literals[0]
    found = model.new_bool_var("")
    model.add_bool_or([found.negated(), *literals])
    for literal in literals:
        model.add_implication(literal, found)
    return found


def short_blocks(line: Line, least: int, days: int) -> Iterator[tuple[range, Clause]]:
    """Blocks shorter than `least` with a known end on both sides, of which any day is in the horizon, and their clause."""
    for length in range(1, least):
        for d in line:
            if d - 1 in line and d + length in line and d + length >= 0 and d - 1 < days:
                block = range(d, d + length)
                yield block, [line[d - 1], line[d + length], *(line[i].negated() for i in block)]
