"""A proven lower bound from a linear programme: every nurse's days as a flow through the states of her runs.

The linear relaxation of CP-SAT's clauses does not see runs. Here a nurse is in one state each day, "k-th working day in a
row" or "j-th day off in a row", and moves between them, so that shortest and longest runs are rules of the flow and not
weak inequalities. Costs that the programme leaves out (pairs, fatigue, excess, soft rules) are never negative, so its optimum is a
lower bound.
"""

from collections import Counter as Tallied
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import ceil, inf

from ortools.linear_solver.python import model_builder as lp

from wavegraph.tools.roster.problem.instance import Instance
from wavegraph.tools.roster.problem.prices import NO_PENALTIES, Prices
from wavegraph.tools.roster.problem.rules.declared import cover_rows, must_rules, priced_rules
from wavegraph.tools.roster.problem.rules.forms import Cell, Counter, Order, Price, Row, Rule

TOLERANCE = 1e-4
"""Numerical error of the LP optimum, in units of cost, before it is rounded up."""

Cells = dict[tuple[int, int, int], lp.Variable]
Amount = lp.Variable | float


def linear_bound(instance: Instance, seconds: float) -> int | None:
    """A lower bound on the cost of every roster; None = the time is too short, or the relaxation has no solution."""
    model = lp.Model()  # type: ignore[no-untyped-call]
    must = list(must_rules(instance))
    shift = {key: model.new_num_var(0, most, "") for key, most in _most(instance, must).items()}
    for n in range(len(instance.nurses)):
        _runs(model, instance, shift, n)
        _successions(model, instance, shift, n, [rule for rule in must if isinstance(rule, Order) and rule.nurse == n])
    for rule in must:
        if isinstance(rule, Counter):
            _bounds(model, instance, shift, rule)
    costs: list[lp.LinearExpr | float] = [
        cost for row in cover_rows(instance) for cost in _cover_costs(model, shift, row)
    ]
    for cell in priced_rules(instance, Prices.make(NO_PENALTIES, {})):
        if isinstance(cell, Cell) and cell.price:
            costs.append(_cell_cost(instance, shift, cell, cell.price))
    model.minimize(lp.LinearExpr.sum(costs))
    solver = lp.Solver("glop")
    solver.set_time_limit_in_seconds(seconds)
    if solver.solve(model) != lp.SolveStatus.OPTIMAL:
        return None
    return ceil(solver.objective_value - TOLERANCE)


def _most(instance: Instance, must: Iterable[Rule]) -> dict[tuple[int, int, int], int]:
    """1 for each shift that is allowed in a cell, else 0."""
    shifts = range(len(instance.shifts))
    most = {(n, d, s): 1 for n in range(len(instance.nurses)) for d in range(instance.days) for s in shifts}
    for cell in (rule for rule in must if isinstance(rule, Cell)):
        most.update({(cell.nurse, cell.day, s): 0 for s in shifts if s in cell.labels})
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


def _successions(model: lp.Model, instance: Instance, shift: Cells, n: int, orders: Sequence[Order]) -> None:
    """x[d, s] + sum_(t not after s) x[d+1, t] <= 1, and the same from the side of t."""
    off = len(instance.shifts)
    words = [word.labels for order in orders for word in order.words if len(word.labels) == 2 and word.ends is None]
    pairs = {pair for first, then in words if off not in first | then for pair in product(first, then)}
    for d in range(instance.days - 1):
        for s in {s for s, _ in pairs}:
            model.add(shift[n, d, s] + lp.LinearExpr.sum([shift[n, d + 1, t] for f, t in pairs if f == s]) <= 1)
        for t in {t for _, t in pairs}:
            model.add(shift[n, d + 1, t] + lp.LinearExpr.sum([shift[n, d, f] for f, g in pairs if g == t]) <= 1)


def _bounds(model: lp.Model, instance: Instance, shift: Cells, counter: Counter) -> None:
    """Minutes, shifts of a kind, and weekends."""
    n, days = counter.nurse, range(instance.days)
    if counter.weekends is not None:
        count = lp.LinearExpr.sum(list(_weekends(model, instance, shift, n, counter.weekends)))
    else:
        shifts = range(len(instance.shifts))
        count = lp.LinearExpr.sum([counter.amounts[s] * shift[n, d, s] for d in days for s in shifts])
    model.add_linear_constraint(count, counter.least or 0, inf if counter.most is None else counter.most)


def _weekends(
    model: lp.Model, instance: Instance, shift: Cells, n: int, weekends: Iterable[Sequence[int]]
) -> Iterator[lp.Variable]:
    for weekend in weekends:
        worked = model.new_num_var(0, 1, "")
        for d in weekend:
            model.add(lp.LinearExpr.sum([shift[n, d, s] for s in range(len(instance.shifts))]) <= worked)
        yield worked


def _cell_cost(instance: Instance, shift: Cells, cell: Cell, price: Price) -> lp.LinearExpr | float:
    off = len(instance.shifts)
    among = [s for s in range(off) if (s in cell.labels) == (off not in cell.labels)]
    standing: lp.LinearExpr = lp.LinearExpr.sum([shift[cell.nurse, cell.day, s] for s in among])
    cost: lp.LinearExpr = price.amount * standing
    return price.amount - cost if off in cell.labels else cost


def _cover_costs(model: lp.Model, shift: Cells, row: Row) -> Iterator[lp.LinearExpr]:
    over, below = model.new_num_var(0, inf, ""), model.new_num_var(0, inf, "")
    under = [(price, model.new_num_var(0, count, "")) for price, count in sorted(Tallied(row.missing).items())]
    present = lp.LinearExpr.sum([shift[cell] for cell in row.cells])
    model.add(present + lp.LinearExpr.sum([missing for _, missing in under]) - over == row.target)
    for price, missing in under:
        yield price * missing
    yield row.over * over
    if row.minimum:
        model.add(present + below >= row.minimum)
        yield row.breach.amount * below
