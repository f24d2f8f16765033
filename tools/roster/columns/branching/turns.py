"""Branching and neighbourhoods by turns: the one proves, the other finds rosters, and both share columns and incumbent."""

from dataclasses import dataclass

from wavegraph.tools.roster.columns.branching.tree import BranchAndPrice
from wavegraph.tools.roster.columns.neighbourhoods import NeighbourhoodSearch

SHARE, WIDE_SHARE = 3.0, 0.3
"""Work of the tree for each step of the neighbourhoods': near the bound, and far from it, where rosters are missing."""
PATIENCE = 0.25
"""Share of all work that neighbourhoods in vain take, since the last better roster, before the tree goes on."""
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
    vain: float = 0.0
    """Work of neighbourhoods since they last found a better roster."""
    in_vain: int = 0
    """Neighbourhoods in a row without a better roster."""

    @property
    def near(self) -> bool:
        """Whether little is left between cost and bound."""
        incumbent = self.search.incumbent
        return incumbent.cost - incumbent.bound <= NARROW * incumbent.grain

    @property
    def share(self) -> float:
        """Of the tree."""
        return SHARE if self.near else WIDE_SHARE

    @property
    def waits(self) -> bool:
        """Whether neighbourhoods still find better rosters, as far as one can tell."""
        return self.vain < PATIENCE * self.search.generator.spent

    @property
    def branches(self) -> bool:
        """Whether the next step is the tree's."""
        return not self.tree.done and not self.waits and self.branching <= self.share * self.searching

    def step(self) -> None:
        """A node of the tree, or a neighbourhood."""
        before = self.search.generator.spent
        if self.branches:
            self.tree.step()
            self.branching += self.search.generator.spent - before
            return
        better = self.search.step()
        took = self.search.generator.spent - before
        self.searching += took
        self.vain = 0.0 if better else self.vain + took
        self.in_vain = 0 if better else self.in_vain + 1
