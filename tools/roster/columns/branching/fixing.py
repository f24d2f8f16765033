"""Reduced-cost fixing: forbid each cell through which no roster of the nurse leaves the ward within the target."""

from dataclasses import dataclass

import numpy as np

from wavegraph.tools.roster.columns.branching.enumeration import rows_within
from wavegraph.tools.roster.columns.branching.node import Masks
from wavegraph.tools.roster.columns.branching.passes import passes
from wavegraph.tools.roster.columns.counters import Floats, Ints
from wavegraph.tools.roster.columns.network import Bools
from wavegraph.tools.roster.columns.oracle import CALL_WORK, Oracle


@dataclass(frozen=True)
class Passes:
    """A nurse's two passes under some duals; rules that are relaxed stay so."""

    nurse: int
    prices: Floats
    through: Floats
    """The cheapest roster through each cell, days x labels."""
    forward: Floats
    charge: float
    """What belongs to the cheapest roster's value besides its path."""

    @property
    def least(self) -> float:
        return float(self.through.min())

    @property
    def value(self) -> float:
        """No legal roster of hers costs less."""
        return self.least + self.charge

    def mask(self, room: float) -> Bools:
        """The cells of the rosters that cost at most `room` more than the cheapest."""
        return np.asarray(self.through <= self.least + room)

    def rows(self, oracle: Oracle, room: float, most: int) -> Ints | None:
        """These rosters; None = more than `most`."""
        model = oracle.nurse_models[self.nurse]
        return rows_within(model.network, self.prices, model.ending, self.forward, self.least + room, most)


def run_passes(oracle: Oracle, duals: Floats, masks: Masks) -> list[Passes]:
    """The passes of all nurses."""
    nurses = list(range(len(oracle.nurse_models)))
    oracle.work += sum(CALL_WORK + 3 * oracle.nurse_models[n].network.work for n in nurses)
    return [_run(oracle, n, duals, masks) for n in nurses]


def _run(oracle: Oracle, n: int, duals: Floats, masks: Masks) -> Passes:
    model = oracle.nurse_models[n]
    extra, caps = model.relaxed_prices()
    prices = oracle.prices(n, duals, masks) + extra
    through, forward = passes(model.network, prices, model.ending)
    return Passes(n, prices, through, forward, -caps)
