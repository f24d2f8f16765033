"""Branching and neighbourhoods by turns: the one proves, the other finds rosters, and both share columns and incumbent."""

from dataclasses import dataclass

from wavegraph.tools.roster.columns.branching.tree import BranchAndPrice
from wavegraph.tools.roster.columns.neighbourhoods import LUCK, NeighbourhoodSearch

SHARE = 3.0
"""Work of the tree for each step of the neighbourhoods'."""


@dataclass
class Turns:
    """The tree gets most of the work as it is counted, which leaves mixed-integer programmes out; less while
    neighbourhoods find better rosters."""

    tree: BranchAndPrice
    search: NeighbourhoodSearch
    branching: float = 0.0
    """Work so far."""
    searching: float = 0.0
    lucky: bool = False
    in_vain: int = 0
    """Neighbourhoods in a row without a better roster."""

    def step(self) -> None:
        """A node of the tree, or a neighbourhood."""
        before = self.search.work
        if not self.tree.done and self.branching <= SHARE * self.searching / (LUCK if self.lucky else 1):
            self.tree.step()
            self.branching += self.search.work - before
            return
        self.lucky = self.search.step()
        self.searching += self.search.work - before
        self.in_vain = 0 if self.lucky else self.in_vain + 1
