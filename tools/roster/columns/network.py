"""A nurse's automaton and counters as arrays of arcs, for pricing.

Nodes are numbered layer by layer. A node holds one value for each counter index that can lie on a legal path. What the
days before can have added to the first counter, and what the days after still can, limit these indices to a band; the
bands of all nodes lie one after another in one array.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wavegraph.tools.roster.columns.automaton import NOWHERE, Automaton
from wavegraph.tools.roster.columns.counters import CounterTable, Floats, Ints

Bools = NDArray[np.bool_]
MOST_LABELS = 62
"""A set of labels is stored as the bits of one integer."""
MOST_CELLS, MOST_FIRST_CELLS = 3_000_000, 8_000_000
"""Values of one search: some milliseconds, and 24 megabytes. More where there is no smaller search: hours counted by the hour,
as where a day shift is shorter than the others, make few rules a large one."""


class TooLarge(Exception):
    """A nurse's counters and states are too many to price."""

    def __init__(self, values: int, most: int) -> None:
        super().__init__(values, most)
        self.told = f"{values:,} values; columns price up to {most:,}"


@dataclass(frozen=True)
class Network:
    """Arcs by day, and the band of each node."""

    arc_ptr: Ints
    """Where each day's arcs begin, and the end."""
    source: Ints
    target: Ints
    label_set: Ints
    move: Ints
    """How far an arc moves the counters' index."""
    cost: Floats
    set_ptr: Ints
    set_labels: Ints
    node_ptr: Ints
    """Where each layer's nodes begin, and the end."""
    low: Ints
    high: Ints
    """A node's band: low <= r < high."""
    offset: Ints
    """Where each node's band begins; one more for the end."""
    over: Ints

    @property
    def days(self) -> int:
        return len(self.arc_ptr) - 1

    @property
    def arrays(self) -> tuple[Ints | Floats, ...]:
        """Arcs and bands, as the compiled searches take them."""
        return (
            self.arc_ptr,
            self.source,
            self.target,
            self.label_set,
            self.move,
            self.cost,
            self.node_ptr,
            self.low,
            self.high,
            self.offset,
            self.over,
        )

    @property
    def work(self) -> int:
        """Steps of one search: the band of each arc's source."""
        return int((self.high - self.low)[self.source].sum())


def build(
    automaton: Automaton,
    table: CounterTable,
    allowed: Bools,
    most_cells: int = MOST_CELLS,
    corridor: tuple[Ints, Ints] | None = None,
) -> Network:
    """Arcs over the allowed labels (days x labels) that lie on a path from the start to an end.

    `corridor`: the least and most that the first counter may be before each day, and at the end.
    """
    alive = _useful(automaton, allowed)
    sizes = automaton.sizes
    node_ptr = np.concatenate([[0], np.cumsum(sizes)])
    rows = [_arcs(automaton, table, alive, node_ptr, day) for day in range(len(automaton.layers))]
    arcs = np.vstack(rows)
    keys = arcs[:, :5]
    new = np.ones(len(arcs), dtype=bool)
    new[1:] = (keys[1:] != keys[:-1]).any(axis=1)
    begins = np.flatnonzero(new)
    masks = np.add.reduceat(np.left_shift(1, arcs[:, 5]), begins) if len(arcs) else np.zeros(0, dtype=np.int64)
    sets, set_of = np.unique(masks, return_inverse=True)
    members = [[k for k in range(table.labels) if mask >> k & 1] for mask in sets.tolist()]
    merged = keys[begins]
    low, high = _bands(automaton, table, alive, node_ptr, corridor)
    offset = np.concatenate([[0], np.cumsum(high - low)])
    if offset[-1] > most_cells:
        raise TooLarge(int(offset[-1]), most_cells)
    return Network(
        arc_ptr=np.searchsorted(merged[:, 0], np.arange(len(rows) + 1)).astype(np.int64),
        source=_column(merged, 1),
        target=_column(merged, 2),
        label_set=set_of.reshape(-1).astype(np.int64),
        move=_column(merged, 3),
        cost=merged[:, 4].astype(np.float64),
        set_ptr=np.concatenate([[0], np.cumsum([len(m) for m in members])]).astype(np.int64),
        set_labels=np.array([k for m in members for k in m], dtype=np.int64),
        node_ptr=node_ptr.astype(np.int64),
        low=low,
        high=high,
        offset=offset.astype(np.int64),
        over=table.over(),
    )


def _column(rows: Ints, index: int) -> Ints:
    return np.ascontiguousarray(rows[:, index])


def _useful(automaton: Automaton, allowed: Bools) -> list[Bools]:
    """By layer, states x labels: allowed, reachable, and on a path to the end."""
    useful: list[Bools] = []
    reached = np.array([True])
    for layer, labels, size in zip(automaton.layers, allowed, automaton.sizes[1:], strict=True):
        alive = (layer.after != NOWHERE) & labels & reached[: len(layer.after), None]
        reached = np.isin(np.arange(size), layer.after[alive])
        useful.append(alive)
    ends: Bools = np.ones(automaton.sizes[-1], dtype=bool)
    for day in range(len(useful) - 1, -1, -1):
        useful[day] &= ends[automaton.layers[day].after]
        ends = np.asarray(useful[day].any(axis=1))
    return useful


def _arcs(automaton: Automaton, table: CounterTable, alive: list[Bools], node_ptr: Ints, day: int) -> Ints:
    """A row for each label of each state: day, source, target, move, cost, label; equal arcs together."""
    layer = automaton.layers[day]
    moves, weekend_move = table.moves()
    states, labels = np.nonzero(alive[day])
    columns = [
        np.full(len(states), day),
        states + node_ptr[day],
        layer.after[states, labels] + node_ptr[day + 1],
        moves[labels] + weekend_move * layer.weekend[states, labels],
        layer.cost[states, labels],
        labels,
    ]
    return np.column_stack(columns)[np.lexsort(columns[::-1])]


def _bands(
    automaton: Automaton,
    table: CounterTable,
    alive: list[Bools],
    node_ptr: Ints,
    corridor: tuple[Ints, Ints] | None,
) -> tuple[Ints, Ints]:
    """Least index and end of the band of each node, by the first counter."""
    if not table.counters:
        nodes = int(node_ptr[-1])
        return np.zeros(nodes, dtype=np.int64), np.ones(nodes, dtype=np.int64)
    counter, stride = table.counters[0], table.strides[0]
    adds = [np.array(counter.per_label) + counter.per_weekend * layer.weekend for layer in automaton.layers]
    before_least, before_most = _so_far(automaton, alive, adds)
    after_least, after_most = _to_come(automaton, alive, adds)
    low = np.maximum(before_least, counter.least - after_most)
    high = np.minimum(before_most, counter.cap - after_least)
    low, high = np.maximum(low, 0), np.minimum(high, counter.cap)
    if corridor is not None:
        day = np.repeat(np.arange(len(node_ptr) - 1), np.diff(node_ptr))
        low, high = np.maximum(low, corridor[0][day]), np.minimum(high, corridor[1][day])
    high = np.maximum(high, low - 1)
    return (low * stride).astype(np.int64), ((high + 1) * stride).astype(np.int64)


FAR = 1 << 30


def _so_far(automaton: Automaton, alive: list[Bools], adds: list[Ints]) -> tuple[Ints, Ints]:
    """Least and most of the first counter on the paths to each node."""
    least, most = [np.zeros(1, dtype=np.int64)], [np.zeros(1, dtype=np.int64)]
    for layer, useful, add, size in zip(automaton.layers, alive, adds, automaton.sizes[1:], strict=True):
        states, labels = np.nonzero(useful)
        target = layer.after[states, labels]
        low, high = np.full(size, FAR), np.full(size, -FAR)
        np.minimum.at(low, target, least[-1][states] + add[states, labels])
        np.maximum.at(high, target, most[-1][states] + add[states, labels])
        least.append(low)
        most.append(high)
    return np.concatenate(least), np.concatenate(most)


def _to_come(automaton: Automaton, alive: list[Bools], adds: list[Ints]) -> tuple[Ints, Ints]:
    """Least and most of the first counter on the paths from each node to an end."""
    end = automaton.sizes[-1]
    least, most = [np.zeros(end, dtype=np.int64)], [np.zeros(end, dtype=np.int64)]
    for layer, useful, add in zip(automaton.layers[::-1], alive[::-1], adds[::-1], strict=True):
        low = np.where(useful, least[-1][layer.after] + add, FAR).min(axis=1)
        high = np.where(useful, most[-1][layer.after] + add, -FAR).max(axis=1)
        least.append(np.minimum(low, FAR))
        most.append(np.maximum(high, -FAR))
    return np.concatenate(least[::-1]), np.concatenate(most[::-1])
