"""A node of the tree: which part of the ward's rosters it stands for, and what is known of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import ceil, floor

import numpy as np

from wavegraph.tools.roster.columns.counters import Floats
from wavegraph.tools.roster.columns.network import Bools

Masks = dict[int, Bools]
"""What each nurse may still work: days x labels."""
Limits = dict[int, tuple[float, float]]
"""Least and most of some sums, by their number."""
LEAST_GAIN = 1e-4
"""A side of a branch that gains less counts as gaining this much."""
FREE = (-np.inf, np.inf)


@dataclass
class Node:
    """Rosters within masks and limits; the masks also leave out cells that no roster at the target can use."""

    decided: Masks
    """By branching alone; holds for any target."""
    limits: Limits
    duals: Floats
    """Of the best bound."""
    bound: float = -np.inf
    depth: int = 0
    masks: Masks = field(default_factory=dict)
    """At the present target."""
    narrowed: bool = False
    """Whether these leave out more than branching did."""
    flat: int = 0
    """Levels above it in a row that gained nothing."""

    def aim(self) -> None:
        """Begin anew for a higher target."""
        self.masks, self.narrowed, self.flat = dict(self.decided), False, 0


@dataclass(frozen=True)
class Cell:
    """A branch: a nurse works this label on this day, or does not."""

    nurse: int
    day: int
    label: int
    weight: float

    def sides(self, node: Node) -> tuple[Node, Node]:
        """The likelier one first."""
        sides = tuple(self._side(node, works) for works in (True, False))
        return (sides[0], sides[1]) if self.weight >= 0.5 else (sides[1], sides[0])

    def _side(self, node: Node, works: bool) -> Node:
        return _child(node, self._masks(node.decided, works), node.limits, self._masks(node.masks, works))

    def _masks(self, masks: Mapping[int, Bools], works: bool) -> Masks:
        mask = masks[self.nurse].copy()
        other = np.arange(mask.shape[1]) != self.label
        mask[self.day, other if works else ~other] = False
        return {**masks, self.nurse: mask}


@dataclass(frozen=True)
class SumOf:
    """A branch: a sum is at most a whole number, or at least the next."""

    number: int
    value: float

    def sides(self, node: Node) -> tuple[Node, Node]:
        """The likelier one first."""
        least, most = node.limits.get(self.number, FREE)
        below, above = (least, floor(self.value)), (ceil(self.value), most)
        likelier = (below, above) if self.value - floor(self.value) < 0.5 else (above, below)
        first, second = (
            _child(node, node.decided, {**node.limits, self.number: limits}, node.masks) for limits in likelier
        )
        return first, second


Branch = Cell | SumOf


@dataclass
class Split:
    """The branches of a node, and the best of those tried: both its sides gain most."""

    node: Node
    left: list[Branch]
    """Still to be tried."""
    sides: list[Node] = field(default_factory=list)
    product: float = -np.inf
    gain: float = 0.0
    """The more that one side gains."""

    def judge(self, sides: list[Node], above_target: float) -> None:
        """Keep the sides if both gain more."""
        gains = [max(LEAST_GAIN, min(side.bound, above_target) - self.node.bound) for side in sides]
        if gains[0] * gains[1] > self.product:
            self.product, self.sides, self.gain = gains[0] * gains[1], sides, max(gains)


def _child(node: Node, decided: Masks, limits: Limits, masks: Masks) -> Node:
    return Node(decided, limits, node.duals, node.bound, node.depth + 1, dict(masks), node.narrowed)
