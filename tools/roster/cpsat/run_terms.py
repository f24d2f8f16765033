"""Limits to days in a row (`problem.runs`): clauses where they are hard, a price for each day where they are soft.

in[n, d] is "day d of nurse n counts": x[n, d, s], w[n, d] or 1 - w[n, d].
"""

from collections.abc import Iterator

from ortools.sat.python import cp_model

from wavegraph.tools.roster.cpsat.variables import Literal, Variables
from wavegraph.tools.roster.problem.instance import CountedRun, Instance

Line = dict[int, Literal]
"""Whether each known day of a nurse counts."""
Clause = list[Literal]


def soft_run_terms(model: cp_model.CpModel, v: Variables, instance: Instance) -> Iterator[tuple[int, Literal]]:
    """Price and literal of each run that is too short, by the days missing, and of each day too many."""
    for n in range(len(instance.nurses)):
        for run in instance.runs(n):
            for days, _, clause in _broken_by(model, v, instance, n, run) if run.limit.weight else ():
                broken = model.new_bool_var("")
                model.add_bool_or([broken, *clause])
                yield max(1, days) * (run.limit.weight or 0), broken


def hard_run_clauses(
    model: cp_model.CpModel, v: Variables, instance: Instance
) -> Iterator[tuple[int, int, str, Clause]]:
    """Nurse, day, words and clause of each run that a hard limit forbids."""
    for n in range(len(instance.nurses)):
        for run in instance.runs(n):
            for days, last, clause in _broken_by(model, v, instance, n, run) if run.limit.weight is None else ():
                bound = f"at least {run.limit.least}" if days else f"at most {run.limit.most}"
                yield n, last, f"{bound} {run.name}", clause


def _broken_by(
    model: cp_model.CpModel, v: Variables, instance: Instance, nurse: int, run: CountedRun
) -> Iterator[tuple[int, int, Clause]]:
    """Days too few (0 = one too many), last day, and the clause that forbids it: of every short block and long stretch."""
    line, limit = _line(model, v, instance, nurse, run), run.limit
    for block, clause in short_blocks(line, limit.least):
        yield limit.least - len(block), block[-1], clause
    for stretch in _stretches(instance.days, limit.most):
        if all(d in line for d in stretch):
            yield 0, stretch[-1], [line[d].negated() for d in stretch]


def _stretches(days: int, most: int | None) -> Iterator[range]:
    """One day too many in a row, ending on each day of the horizon."""
    if most is not None:
        yield from (range(last - most, last + 1) for last in range(days))


def _line(model: cp_model.CpModel, v: Variables, instance: Instance, nurse: int, run: CountedRun) -> Line:
    days = range(v.first_day(instance, nurse), instance.days)
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


def short_blocks(line: Line, least: int) -> Iterator[tuple[range, Clause]]:
    """Blocks shorter than `least` with a known end on both sides, the later one in the horizon, and their clause."""
    for length in range(1, least):
        for d in line:
            if d - 1 in line and d + length in line and d + length >= 0:
                block = range(d, d + length)
                yield block, [line[d - 1], line[d + length], *(line[i].negated() for i in block)]
