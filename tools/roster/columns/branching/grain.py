"""The grain of costs: the costs of any two rosters of a ward differ by a multiple of it."""

from collections.abc import Iterable
from math import gcd

import numpy as np

from wavegraph.tools.roster.columns.automaton import tabulate
from wavegraph.tools.roster.columns.counters import Floats, Ints
from wavegraph.tools.roster.columns.master_rows import MasterRows
from wavegraph.tools.roster.columns.nurse_model import NurseModel


def grain(nurse_models: list[NurseModel], master_rows: MasterRows) -> int:
    """The greatest common divisor of all prices, in the objective's units; all are whole numbers."""
    found = _divisor(master_rows.own.cost)
    for model in nurse_models:
        found = gcd(found, *_of_nurse(model))
    return max(1, found)


def _of_nurse(model: NurseModel) -> Iterable[int]:
    yield _divisor(model.base[model.allowed])
    yield from (amount for _, slope in model.hours.slopes for amount in slope.amounts)
    for limit in model.limits:
        if limit.per_weekend:
            yield _divisor(np.diff(model.excess.of_each(np.arange(limit.cap + 1))))
    for automaton in model.automata:
        yield from (_divisor(layer.cost) for layer in tabulate(automaton, model.days, model.labels))


def _divisor(costs: Floats | Ints) -> int:
    return int(np.gcd.reduce(np.unique(costs).astype(np.int64), initial=0))
