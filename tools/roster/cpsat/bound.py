"""A proven lower bound from a linear programme: every nurse's days as a flow through the states of her runs.

The linear relaxation of CP-SAT's clauses does not see runs. Here a nurse is in one state each day, "k-th working day in a
row" or "j-th day off in a row", and moves between them, so that shortest and longest runs are rules of the flow and not
weak inequalities. Costs that the programme leaves out (pairs, fatigue, excess, soft rules) are never negative, so its optimum is a
lower bound.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil, inf

from ortools.linear_solver.python import model_builder as lp

from wavegraph.tools.roster.problem.instance import Cover, Instance
from wavegraph.tools.roster.problem.prices import breach_price

TOLERANCE = 1e-4
"""Numerical error of the LP optimum, in units of cost, before it is rounded up."""

Cells = dict[tuple[int, int, int], lp.Variable]
Amount = lp.Variable | float


def linear_bound(instance: Instance, seconds: float) -> int | None:
    """A lower bound on the cost of every roster; None = the time is too short, or the relaxation has no solution."""
    model = lp.Model()  # type: ignore[no-untyped-call]
    shift = {key: model.new_num_var(0, most, "") for key, most in _most(instance).items()}
    for n in range(len(instance.nurses)):
        _runs(model, instance, shift, n)
        _successions(model, instance, shift, n)
        _contract(model, instance, shift, n)
    model.minimize(lp.LinearExpr.sum(list(_costs(model, instance, shift))))
    solver = lp.Solver("glop")
    solver.set_time_limit_in_seconds(seconds)
    if solver.solve(model) != lp.SolveStatus.OPTIMAL:
        return None
    return ceil(solver.objective_value - TOLERANCE)


def _most(instance: Instance) -> dict[tuple[int, int, int], int]:
    """1 for each shift that leave, locked cells and skills allow in a cell, else 0."""
    shifts = range(len(instance.shifts))
    most = {(n, d, s): 1 for n in range(len(instance.nurses)) for d in range(instance.days) for s in shifts}
    for leave in instance.ward.leave:
        n, d = instance.nurse_index[leave.nurse], instance.ward.index(leave.day)
        most.update({(n, d, s): 0 for s in shifts if leave.shift in (None, instance.shifts[s].id)})
    most.update(dict.fromkeys(instance.nights_before_leave, 0))
    most.update({(n, d, s): 0 for n, s in instance.not_skilled for d in range(instance.days)})
    for locked in instance.ward.locked:
        n, d = instance.nurse_index[locked.nurse], instance.ward.index(locked.day)
        most.update({(n, d, s): 0 for s in shifts if instance.shifts[s].id != locked.shift})
    return most


@dataclass(frozen=True)
class Chain:
    """The states of one kind of run: the k-th day in a row, k = 1 to `states`."""

    least: int
    """Days before it may end."""
    states: int
    endless: bool
    """Whether the last state means that day in a row or a later one."""
    from_edge: int | None
    """Days in a row, on the day before the horizon, of a run that may have begun before what is known; None = the run
    began within it. Such a run may end at any time."""

    def may_end(self, state: int, day: int) -> bool:
        at_edge = self.from_edge is not None and state == day + self.from_edge + 1
        return state >= self.least or at_edge


@dataclass(frozen=True)
class Start:
    """A nurse's state on the day before the horizon."""

    work: Chain
    off: Chain
    on_work: list[Amount]
    on_off: list[Amount]


def _start(instance: Instance, n: int) -> Start:
    """Without a known tail she comes from a long time off, and a run that begins on day 0 counts as long enough."""
    contract, longest, tail = instance.contract(n), instance.max_run(n), instance.tails[n]
    worked = [shift is not None for shift in tail] or [False]
    length = next((i for i, w in enumerate(reversed(worked)) if w is not worked[-1]), len(worked))
    edge = length if length == len(worked) else None
    states = contract.min_run if longest is None else longest
    # The state after a day off of unknown length is the last one, from which work may begin.
    work = Chain(contract.min_run, states, longest is None, (edge if worked[-1] else None) if tail else 0)
    off = Chain(contract.min_days_off, contract.min_days_off, True, None)
    at = min(length, states if worked[-1] else off.states) if edge is None or worked[-1] else off.states
    place: list[Amount] = [float(k + 1 == at) for k in range(states if worked[-1] else off.states)]
    return Start(work, off, place, [0.0] * off.states) if worked[-1] else Start(work, off, [0.0] * states, place)


def _runs(model: lp.Model, instance: Instance, shift: Cells, n: int) -> None:
    """One unit of flow a nurse, from state to state and day to day; being in a work state is working.

    A run goes on to its next state or ends; what ends of one kind enters the first state of the other.
    """
    start = _start(instance, n)
    on_work, on_off = start.on_work, start.on_off
    for d in range(instance.days):
        ends_work = _ends(model, start.work, on_work, d - 1)
        ends_off = _ends(model, start.off, on_off, d - 1)
        on_work = _next(model, start.work, on_work, ends_work, ends_off)
        on_off = _next(model, start.off, on_off, ends_off, ends_work)
        model.add(lp.LinearExpr.sum(on_work) + lp.LinearExpr.sum(on_off) == 1)
        worked = lp.LinearExpr.sum([shift[n, d, s] for s in range(len(instance.shifts))])
        model.add(lp.LinearExpr.sum(on_work) == worked)


def _ends(model: lp.Model, chain: Chain, before: list[Amount], day: int) -> list[Amount]:
    """What ends after `day`, by state: nothing of a run that is too short, all of one at its longest."""
    ends: list[Amount] = []
    for k, now in enumerate(before, start=1):
        if k == chain.states and not chain.endless:
            ends.append(now)
        elif chain.may_end(k, day):
            ends.append(model.new_num_var(0, 1, ""))
            model.add(ends[-1] <= now)
        else:
            ends.append(0.0)
    return ends


def _next(
    model: lp.Model, chain: Chain, before: list[Amount], ends: list[Amount], enters: list[Amount]
) -> list[Amount]:
    """The states of the next day: each holds what the one before it keeps, the first what enters."""
    after = [model.new_num_var(0, 1, "") for _ in range(chain.states)]
    kept = [now - end for now, end in zip(before, ends, strict=True)]
    for k, state in enumerate(after):
        inflow = [lp.LinearExpr.sum(enters) if k == 0 else kept[k - 1]]
        inflow += [kept[k]] if chain.endless and k == chain.states - 1 else []
        model.add(lp.LinearExpr.sum(inflow) == state)
    return list(after)


def _successions(model: lp.Model, instance: Instance, shift: Cells, n: int) -> None:
    """x[d, s] + sum_(t not after s) x[d+1, t] <= 1, and the same from the side of t."""
    shifts = range(len(instance.shifts))
    pairs = [(s, t) for s in shifts for t in instance.not_after[s]]
    for d in range(instance.days - 1):
        for s in {s for s, _ in pairs}:
            model.add(shift[n, d, s] + lp.LinearExpr.sum([shift[n, d + 1, t] for f, t in pairs if f == s]) <= 1)
        for t in {t for _, t in pairs}:
            model.add(shift[n, d + 1, t] + lp.LinearExpr.sum([shift[n, d, f] for f, g in pairs if g == t]) <= 1)


def _contract(model: lp.Model, instance: Instance, shift: Cells, n: int) -> None:
    """Minutes, shifts of a kind, and weekends."""
    contract, days = instance.contract(n), range(instance.days)
    minutes = [minutes * shift[n, d, s] for d in days for s, minutes in enumerate(instance.paid)]
    most = instance.most_minutes(n)
    model.add_linear_constraint(lp.LinearExpr.sum(minutes), instance.least_minutes(n), inf if most is None else most)
    for kind, limit in contract.max_shifts.items():
        model.add(lp.LinearExpr.sum([shift[n, d, instance.shift_index[kind]] for d in days]) <= limit)
    if contract.max_weekends is not None and instance.weekends:
        model.add(lp.LinearExpr.sum(list(_weekends(model, instance, shift, n))) <= contract.max_weekends)


def _weekends(model: lp.Model, instance: Instance, shift: Cells, n: int) -> Iterator[lp.Variable]:
    for weekend in instance.weekends_of(n):
        worked = model.new_num_var(0, 1, "")
        for d in weekend:
            model.add(lp.LinearExpr.sum([shift[n, d, s] for s in range(len(instance.shifts))]) <= worked)
        yield worked


def _costs(model: lp.Model, instance: Instance, shift: Cells) -> Iterator[lp.LinearExpr | float]:
    for row in instance.covers:
        yield from _cover_costs(model, instance, shift, row)
    for wish in instance.ward.wishes:
        n, d = instance.nurse_index[wish.nurse], instance.ward.index(wish.day)
        kinds = range(len(instance.shifts)) if wish.shift is None else [instance.shift_index[wish.shift]]
        works = lp.LinearExpr.sum([shift[n, d, s] for s in kinds])
        yield wish.weight * (1 - works) if wish.wants else wish.weight * works


def _cover_costs(model: lp.Model, instance: Instance, shift: Cells, row: Cover) -> Iterator[lp.LinearExpr]:
    over, below = model.new_num_var(0, inf, ""), model.new_num_var(0, inf, "")
    under = [(price, model.new_num_var(0, count, "")) for price, count in sorted(Counter(row.missing).items())]
    present = lp.LinearExpr.sum([shift[n, row.day, row.shift] for n in row.able])
    model.add(present + lp.LinearExpr.sum([missing for _, missing in under]) - over == row.demand.target)
    for price, missing in under:
        yield price * missing
    yield row.demand.over_weight * over
    if row.demand.minimum:
        model.add(present + below >= row.demand.minimum)
        yield breach_price(instance.ward) * below
