"""Branch and price: is there a roster that costs at most the target?

    generate columns -> fix cells by reduced costs -> few rows left: choose among all of them, else branch and go deeper

The target begins at the bound and rises as soon as the tree shows that no roster meets it, so that the room between
bound and target stays small, and most cells are fixed. A branch is chosen by trying several (strong branching). The
next node is the likelier of the last two: a dive, which begins again near the root where a branch is closed.
"""

from dataclasses import dataclass, field

import numpy as np

from wavegraph.tools.roster.columns.branching.branched_master import BranchedMaster
from wavegraph.tools.roster.columns.branching.candidates import candidates
from wavegraph.tools.roster.columns.branching.fixing import Passes, run_passes
from wavegraph.tools.roster.columns.branching.node import LEAST_GAIN, Branch, Node, Split
from wavegraph.tools.roster.columns.branching.sums import build_sums
from wavegraph.tools.roster.columns.counters import Floats
from wavegraph.tools.roster.columns.dive import Dive
from wavegraph.tools.roster.columns.generation import ColumnGenerator, GeneratedColumns, Neighbourhood
from wavegraph.tools.roster.columns.incumbent import ROUNDING, Incumbent
from wavegraph.tools.roster.columns.master_problem import LinearOptimum, choose

STARTERS = 20
"""Known columns of each nurse that the first node starts from."""
ROUNDS, PROBED = 25, 3
"""Rounds of generation in one step, and for a branch that is only tried."""
MOST_OF_NURSE = 3_000
"""Rows of a nurse up to which all are listed."""
FIRST_ROWS, MOST_ROWS = 2_000, 8_000
"""Rows of all nurses up to which the best roster of them is chosen: at first, and at the most."""
FEWER_ROWS, MORE_ROWS = 0.6, 1.5
"""Where choosing among all rows took too many nodes: the share of them from which it is tried again; and where it did not."""
MOST_NODES = 500
"""Of a choice."""
DIVES, FEWER = 12, 4
"""Levels without gain from one dive to the next, and branches that are tried there."""
TURN_WORK = 2_000_000_000
"""Work, in steps, after which the branches of a node that are still to be tried wait for the next turn."""
EASY, WIDE_GAP = 4, 10
"""Nodes within which a target counts as easily missed, so that the next one is further up where the gap is wide."""


@dataclass
class BranchAndPrice:
    """A tree over the whole ward. Each step is one node, or a part of the branches that are tried on it."""

    generator: ColumnGenerator
    incumbent: Incumbent
    artificial: float
    duals: Floats
    """Of the root's bound."""
    open: list[Node] = field(default_factory=list)
    """Nodes that may hold a roster at the target, the next one last."""
    aside: list[Node] = field(default_factory=list)
    """Nodes that hold none at the target, but may at a higher one."""
    stuck: list[Node] = field(default_factory=list)
    """Nodes that can be neither closed nor split, as rules that are relaxed keep their bound down."""
    target: float = -np.inf
    nodes: int = 0
    """Of the present target."""
    deeper: bool = False
    """Whether the last node was split."""
    split: Split | None = None
    """Of the next node, where branches are still to be tried."""
    most_rows: int = FIRST_ROWS
    """Rows of all nurses up to which the best roster of them is chosen: as many as few nodes sufficed for."""
    reach: int = 0
    """How far above the bound the target is set."""

    def __post_init__(self) -> None:
        pool, models = self.generator.pool, self.generator.oracle.nurse_models
        self.sums = build_sums(pool.master_rows)
        self.master = BranchedMaster(pool, len(models), self.artificial, self.sums)
        self.master.add(self.incumbent.columns.tolist())
        for n in range(len(models)):
            self.master.add(pool.cheapest(np.flatnonzero(pool.nurse == n), self.duals, STARTERS))
        self.everyone = list(range(len(models)))
        self.aside = [Node({n: model.allowed for n, model in enumerate(models)}, {}, self.duals, self.incumbent.bound)]

    @property
    def done(self) -> bool:
        """Whether no node is left to look at."""
        return not self.open and not any(self._worth(node) for node in self.aside)

    def step(self) -> None:
        """Look at one node, or go on with the last."""
        if not self.open:
            self._raise_target()
        self.target = min(self.target, self.incumbent.next_cost)
        if self.split is not None:
            self._go_on(self.split)
        elif self.open:
            self.nodes += 1
            self._look_at(self._next())
        self.incumbent.bounded(self.bound)

    def _next(self) -> Node:
        """The likelier side of the last branch; where the last node was closed, the one with the lowest bound, nearest the root.

        Going back one branch at a time would search the whole of a part that was entered by mistake.
        """
        if not self.deeper:
            self.open.sort(key=lambda node: (-node.bound, -node.depth))
        self.deeper = False
        return self.open.pop()

    @property
    def bound(self) -> float:
        """No roster that the tree holds, or the incumbent, costs less."""
        return min([self.incumbent.cost, *(node.bound for node in [*self.open, *self.aside, *self.stuck])])

    @property
    def above_target(self) -> float:
        """The lowest cost above the target."""
        return self.target + self.incumbent.grain

    def _worth(self, node: Node) -> bool:
        """Whether a node may hold a roster better than the incumbent."""
        return node.bound <= self.incumbent.next_cost + ROUNDING

    def _raise_target(self) -> None:
        """Aim at the bound, or further up if the last target was easily missed."""
        grain = self.incumbent.grain
        easy = 0 < self.nodes <= EASY and self.incumbent.cost - self.bound > WIDE_GAP * grain
        self.reach = max(grain, 2 * self.reach) if easy else 0
        self.target = min(self.incumbent.next_cost, self.incumbent.raised(self.bound) + self.reach)
        self.nodes = 0
        self.aside = [node for node in self.aside if self._worth(node)]
        self.open = sorted((node for node in self.aside if not self._missed(node)), key=lambda node: -node.bound)
        self.aside = [node for node in self.aside if self._missed(node)]
        for node in self.open:
            node.aim()

    def _missed(self, node: Node) -> bool:
        return node.bound > self.target + ROUNDING

    def _look_at(self, node: Node) -> None:
        found = self._generate(node)
        if self._missed(node):
            self.aside.append(node)
        elif found.relaxed is None or not found.converged or self.generator.over():
            self._again(node)
        elif self._offer(found.relaxed) and self._missed(node):
            self.aside.append(node)
        else:
            self._narrow(node, found.relaxed)

    def _generate(self, node: Node, rounds: int = ROUNDS) -> GeneratedColumns:
        """Generate within the node, and keep the bound and its duals.

        A roster outside the masks costs more than the target; so where they left cells out, the bound is no higher than that.
        """
        self.master.move(node)
        found = self.generator.generate(
            self.master, self._part(node), node.duals, enough=self.target + ROUNDING, rounds=rounds
        )
        node.bound = max(node.bound, min(found.bound, self.above_target) if node.narrowed else found.bound)
        node.duals = found.duals
        return found

    def _part(self, node: Node) -> Neighbourhood:
        return Neighbourhood(self.everyone, node.masks)

    def _offer(self, relaxed: LinearOptimum) -> bool:
        """Take the roster of an integral optimum; True if it is the best."""
        columns = self.master.integral(relaxed)
        better = columns is not None and self.incumbent.offer(columns)
        self.target = min(self.target, self.incumbent.next_cost)
        return better

    def _narrow(self, node: Node, relaxed: LinearOptimum) -> None:
        """Fix cells; then choose among all rows that are left, where they are few, or branch."""
        passed = run_passes(self.generator.oracle, node.duals, node.masks)
        bound = self.master.bound(node.duals) + sum(each.value for each in passed)
        room = self.target + ROUNDING - bound
        node.narrowed = True
        node.masks = {each.nurse: node.masks[each.nurse] & each.mask(room) for each in passed}
        if self._chosen(node, passed, room):
            node.bound = max(node.bound, self.above_target)
            self.aside.append(node)
        elif not self.generator.over():
            self._branch(node, relaxed)
        else:
            self._again(node)

    def _again(self, node: Node) -> None:
        """Look at a node again: next."""
        self.open.append(node)
        self.deeper = True

    def _chosen(self, node: Node, passed: list[Passes], room: float) -> bool:
        """Whether all rows that are left are so few that the best roster of them was chosen: at the target or none."""
        columns = self._rows_left(passed, room, min(self.most_rows, MOST_ROWS))
        if columns is None:
            return False
        limits = [(self.sums[i].variables, *limit) for i, limit in node.limits.items()]
        below = self.target + self.incumbent.grain / 2
        chosen = choose(
            self.generator.pool,
            columns,
            len(self.everyone),
            below,
            MOST_NODES,
            self.generator.left(),
            self.generator.over,
            limits=limits,
            presolve=False,
        )
        self.generator.count(chosen.iterations, self.master)
        if chosen.columns is not None:
            self.incumbent.offer(chosen.columns)
        tried = len(columns)
        self.most_rows = max(self.most_rows, int(MORE_ROWS * tried)) if chosen.solved else int(FEWER_ROWS * tried)
        return chosen.solved

    def _rows_left(self, passed: list[Passes], room: float, most: int) -> list[int] | None:
        """Columns for all rows of the nurses within the room; None = too many."""
        oracle, pool, columns = self.generator.oracle, self.generator.pool, list[int]()
        for each in sorted(passed, key=lambda each: -each.mask(room).sum()):
            rows = each.rows(oracle, room, min(MOST_OF_NURSE, most - len(columns)))
            if rows is None:
                return None
            judged = [(row, oracle.nurse_models[each.nurse].judge(row)[0]) for row in rows]
            columns += [pool.add(each.nurse, row, cost) for row, cost in judged if np.isfinite(cost)]
        return columns

    def _branch(self, node: Node, relaxed: LinearOptimum) -> None:
        """Split the node where both sides gain most; where none gains, a dive may find a roster at the target."""
        labels = self.generator.oracle.nurse_models[0].labels
        branches = candidates(self.sums, relaxed, self.master.cell_weights(relaxed, labels))
        if node.flat % DIVES == 1:
            Dive(self.generator, self.master, self.incumbent, self._part(node), node.duals).run(relaxed)
            if self._missed(node) or self.generator.over():
                self._again(node)
                return
        self._again(node)
        self.split = Split(node, branches[: FEWER if node.flat else len(branches)])
        self._go_on(self.split)

    def _go_on(self, split: Split) -> None:
        """Try the branches that are left, as many as a turn allows; after the last, split the node."""
        until = self.generator.spent + TURN_WORK
        while split.left and not self._missed(split.node):
            if self.generator.spent > until:
                return
            sides = self._try(split.node, split.left[0])
            if self.generator.over():
                return
            split.judge(sides, self.above_target)
            split.left = [] if any(self._missed(side) for side in sides) else split.left[1:]
        self.split = None
        if not self._missed(split.node):
            self._part_with(split)

    def _part_with(self, split: Split) -> None:
        """Put the sides in the place of the node, which is the next one."""
        self.open.pop()
        for side in split.sides:
            side.flat = 0 if split.gain > LEAST_GAIN else split.node.flat + 1
        if not split.sides:
            self.stuck.append(split.node)
        self.aside += [side for side in split.sides if self._missed(side)]
        left = [side for side in reversed(split.sides) if not self._missed(side)]
        self.open += left
        self.deeper = bool(left)

    def _try(self, node: Node, branch: Branch) -> list[Node]:
        sides = list(branch.sides(node))
        for side in sides:
            self._generate(side, PROBED)
        return sides
