"""Branching and neighbourhoods by turns: the one proves, the other finds rosters, and both share columns and incumbent."""

from dataclasses import dataclass

from wavegraph.tools.roster.columns.branching.tree import BranchAndPrice
from wavegraph.tools.roster.columns.neighbourhoods import LUCK, NeighbourhoodSearch

SHARE, WIDE_SHARE = 3.0, 0.3
"""Work of the tree for each step of the neighbourhoods': near the bound, and far from it, where rosters are missing."""
STALLED = 10
"""Neighbourhoods in vain, one after another, until which the tree waits where the roster is far from the bound."""
NARROW = 10
"""Grains between bound and cost up to which the roster is near the bound."""


@dataclass
class Turns:
    """Work counts little of what mixed-integer programmes take, so that the tree's share is less than it seems."""

    tree: BranchAndPrice
    search: NeighbourhoodSearch
    branching: float = 0.0
    """Work so far."""
    searching: float = 0.0
    lucky: bool = False
    in_vain: int = 0
    """Neighbourhoods in a row without a better roster."""

    @property
    def near(self) -> bool:
        """Whether little is left between cost and bound."""
        incumbent = self.search.incumbent
        return incumbent.cost - incumbent.bound <= NARROW * incumbent.grain

    @property
    def share(self) -> float:
        """Of the tree; less while neighbourhoods find better rosters."""
        return (SHARE if self.near else WIDE_SHARE) / (LUCK if self.lucky else 1)

    @property
    def branches(self) -> bool:
        """Whether the next step is the tree's."""
        waits = not self.near and self.in_vain < STALLED
        return not self.tree.done and not waits and self.branching <= self.share * self.searching

    def step(self) -> None:
        """A node of the tree, or a neighbourhood."""
        before = self.search.work
        if self.branches:
            self.tree.step()
            self.branching += self.search.work - before
            return
        self.lucky = self.search.step()
        self.searching += self.search.work - before
        self.in_vain = 0 if self.lucky else self.in_vain + 1
