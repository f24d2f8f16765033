"""Neighbourhoods, and branching when they stall: the ones find rosters, the other proves; both share columns and incumbent."""

from dataclasses import dataclass

from wavegraph.tools.roster.columns.branching.tree import BranchAndPrice
from wavegraph.tools.roster.columns.neighbourhoods import NeighbourhoodSearch

PATIENCE = 0.25
"""Share of all work that neighbourhoods in vain take, since the last better roster, before the tree goes on."""


@dataclass
class Turns:
    tree: BranchAndPrice
    search: NeighbourhoodSearch
    vain: float = 0.0
    """Work of neighbourhoods since they last found a better roster."""
    in_vain: int = 0
    """Neighbourhoods in a row without a better roster."""

    @property
    def branches(self) -> bool:
        """Whether the next step is the tree's: neighbourhoods stall, as far as one can tell."""
        return not self.tree.done and self.vain >= PATIENCE * self.search.generator.spent

    def step(self) -> None:
        """A node of the tree, or a neighbourhood."""
        if self.branches:
            self.tree.step()
            return
        before = self.search.generator.spent
        better = self.search.step()
        self.vain = 0.0 if better else self.vain + self.search.generator.spent - before
        self.in_vain = 0 if better else self.in_vain + 1
