"""A nurse's rule automata joined into one layered automaton, then minimised.

Layer d holds the states before day d. States of a layer that allow the same labels, at the same cost and into the same
states, are merged (minimisation of an acyclic automaton, from the last layer back). Shifts that no rule tells apart
thus become parallel arcs.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from threading import Lock

import numpy as np

from wavegraph.tools.roster.columns.counters import Ints
from wavegraph.tools.roster.columns.rule_automata import RuleAutomaton, State, Transition

NOWHERE = -1
FORBIDDEN = Transition(None)


class Impossible(Exception):
    """The rules about the order of shifts alone forbid every row."""


@dataclass(frozen=True)
class Layer:
    """What each label of a day does in each state before it; arrays of states x labels."""

    after: Ints
    """The state before the next day; -1 = forbidden."""
    cost: Ints
    """In the objective's units; 0 where forbidden."""
    weekend: Ints
    """1 where the label is the first work of a weekend."""


@dataclass(frozen=True)
class Automaton:
    """One layer a day. State 0 of the first is the start; every state of the last may end the horizon."""

    layers: tuple[Layer, ...]

    @property
    def sizes(self) -> list[int]:
        """States of each layer, that after the last day included."""
        return [*(len(layer.after) for layer in self.layers), 1 + int(self.layers[-1].after.max(initial=0))]


class Steps:
    """A rule's transitions, each computed once for all nurses: by day, arrays of known states x labels."""

    def __init__(self, automaton: RuleAutomaton, days: int, labels: int) -> None:
        self.automaton, self.labels = automaton, labels
        self.ids: list[dict[State, int]] = [{} for _ in range(days + 1)]
        self.states: list[list[State]] = [[] for _ in range(days + 1)]
        self.rows: list[Ints] = [np.zeros((0, 3, labels), dtype=np.int64) for _ in range(days)]
        """State after, cost and first work of a weekend, by label; a row for each of the first states."""
        self._adding = Lock()

    def start(self, state: State) -> Ints:
        """The number of a state before day 0."""
        with self._adding:
            return np.array([self._id(0, state)])

    def _id(self, day: int, state: State) -> int:
        """A state's number in the layer before a day."""
        known = self.ids[day]
        if state not in known:
            known[state] = len(known)
            self.states[day].append(state)
        return known[state]

    def of(self, day: int, states: Ints) -> Ints:
        """The rows of some states."""
        with self._adding:
            new = self.states[day][len(self.rows[day]) :]
            if new:
                rows = np.array([self._row(day, state) for state in new], dtype=np.int64)
                self.rows[day] = np.concatenate([self.rows[day], rows])
            return self.rows[day][states]

    def _row(self, day: int, state: State) -> list[tuple[int, ...]]:
        steps = [self.automaton.step(day, state, label) or FORBIDDEN for label in range(self.labels)]
        after = (NOWHERE if step is FORBIDDEN else self._id(day + 1, step.state) for step in steps)
        return [tuple(after), tuple(step.cost for step in steps), tuple(step.weekend for step in steps)]


@lru_cache(maxsize=64)
def _steps(automaton: RuleAutomaton, days: int, labels: int) -> Steps:
    return Steps(automaton, days, labels)


@lru_cache(maxsize=4096)
def tabulate(automaton: RuleAutomaton, days: int, labels: int) -> tuple[Layer, ...]:
    """An automaton's reachable states as numbers, layer by layer; the last day excludes the endings it forbids."""
    steps, layers = _steps(automaton.general, days, labels), list[Layer]()
    states = steps.start(automaton.start())
    for day in range(days):
        after, cost, weekend = np.moveaxis(steps.of(day, states), 1, 0)
        if day == days - 1:
            after = _without_endings(after, steps.states[days], automaton)
        states, numbers = np.unique(after, return_inverse=True)
        lowest = int(len(states) > 0 and states[0] == NOWHERE)
        numbers = numbers.reshape(after.shape) - lowest
        legal = after != NOWHERE
        numbers = np.where(legal, numbers, NOWHERE)
        layers.append(Layer(numbers, np.where(legal, cost, 0), np.where(legal, weekend, 0)))
        states = states[lowest:]
    return tuple(layers)


def _without_endings(after: Ints, states: Sequence[State], automaton: RuleAutomaton) -> Ints:
    """The states after the last day without those in which the horizon must not end."""
    reached = np.unique(after[after != NOWHERE]).tolist()
    forbidden = [state for state in reached if not automaton.may_end(states[state])]
    return np.where(np.isin(after, forbidden), NOWHERE, after)


@lru_cache(maxsize=1024)
def _minimal(automaton: RuleAutomaton, days: int, labels: int) -> tuple[Layer, ...]:
    """The same with equal states merged, which keeps the product of several small. Raises Impossible."""
    layers = _minimised(list(tabulate(automaton, days, labels)))
    if not len(layers[0].after):
        raise Impossible
    return tuple(layers)


@lru_cache(maxsize=1024)
def join(automata: tuple[RuleAutomaton, ...], days: int, labels: int) -> Automaton:
    """The states that all the automata can be in together, minimised. Raises Impossible."""
    tables = [_minimal(automaton, days, labels) for automaton in automata]
    states = np.zeros((1, len(automata)), dtype=np.int64)
    layers: list[Layer] = []
    for day in range(days):
        layer, states = _joined([table[day] for table in tables], states)
        layers.append(layer)
        if not len(states):
            raise Impossible
    return Automaton(tuple(_minimised(layers)))


def forget_tables() -> None:
    """Drop the tables kept of automata, some gigabytes after many large wards; another search computes its own again."""
    for kept in (_steps, tabulate, _minimal, join):
        kept.cache_clear()


def _joined(tables: Sequence[Layer], states: Ints) -> tuple[Layer, Ints]:
    """One day of the product, and the states before the next day, a row of component states each."""
    reached = np.stack([table.after[states[:, i]] for i, table in enumerate(tables)], axis=-1)
    allowed = (reached != NOWHERE).all(axis=-1)
    cost = sum(table.cost[states[:, i]] for i, table in enumerate(tables))
    weekend = sum(table.weekend[states[:, i]] for i, table in enumerate(tables))
    sizes = [1 + int(table.after.max(initial=0)) for table in tables]
    keys = np.zeros(int(allowed.sum()), dtype=np.int64)
    for i, size in enumerate(sizes):
        keys = keys * size + reached[allowed][:, i]
    _, first, ids = np.unique(keys, return_index=True, return_inverse=True)
    after = np.full(allowed.shape, NOWHERE)
    after[allowed] = ids
    return Layer(after, np.where(allowed, cost, 0), np.where(allowed, weekend, 0)), reached[allowed][first]


def _minimised(layers: list[Layer]) -> list[Layer]:
    """Merge equal states and drop dead ends, from the last layer back; all endings are one state."""
    last = layers[-1].after
    classes: Ints = np.zeros(1 + int(last.max(initial=0)), dtype=np.int64)
    smaller: list[Layer] = []
    for layer in reversed(layers):
        after = np.where(layer.after == NOWHERE, NOWHERE, classes[layer.after])
        alive = after != NOWHERE
        rows = np.hstack([after, np.where(alive, layer.cost, 0), np.where(alive, layer.weekend, 0)])
        living = alive.any(axis=1)
        _, first, ids = np.unique(rows[living], axis=0, return_index=True, return_inverse=True)
        labels = after.shape[1]
        kept = rows[living][first]
        smaller.append(Layer(kept[:, :labels], kept[:, labels : 2 * labels], kept[:, 2 * labels :]))
        classes = np.full(len(after), NOWHERE)
        classes[living] = ids.reshape(-1)
    return smaller[::-1]
