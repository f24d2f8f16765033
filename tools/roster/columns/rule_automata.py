"""A nurse's rules about days in a row, each as a small automaton that reads her days one by one.

From its state and a day's label (a shift's index, or the number of shifts for a day off) an automaton gives the next state
and the cost, or forbids the day. It knows the horizon and the nurse's tail, and no other nurse. `automaton` joins them;
what only adds up over the horizon (minutes, shifts of a type) is a counter instead.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any, NamedTuple

from wavegraph.tools.roster.problem.ids import RuleId
from wavegraph.tools.roster.problem.rules.forms import Tally, Word

WEEK = 7
State = Any
"""Hashable."""


class Transition(NamedTuple):
    """Where a day leads."""

    state: State
    cost: int = 0
    """In the objective's units."""
    weekend: bool = False
    """Whether this is the first worked day of a weekend."""


@dataclass(frozen=True)
class Horizon:
    """The horizon as every automaton sees it: its days, the shifts, and the known days before."""

    shifts: int
    days: int
    tail: tuple[int, ...]
    """Labels, oldest first."""
    coming: tuple[int, ...] = ()
    """Labels of the known days after, that right after the horizon first; only of rules that must hold."""

    @property
    def off(self) -> int:
        return self.shifts

    @property
    def end(self) -> int:
        """The day after the last one known."""
        return self.days + len(self.coming)


@dataclass(frozen=True)
class RuleAutomaton(ABC):
    """One rule. Equal automata hash alike, so that their tables are computed once."""

    horizon: Horizon
    rule: RuleId

    @property
    def general(self) -> "RuleAutomaton":
        """The same rule without what only its start and end read: nurses share its steps."""
        unread = (self.horizon.off,) * len(self.horizon.coming)
        return replace(self, horizon=replace(self.horizon, tail=(), coming=unread))

    @abstractmethod
    def start(self) -> State:
        """The state before day 0, the tail read."""

    @abstractmethod
    def step(self, day: int, state: State, label: int) -> Transition | None:
        """The transition for a day with this label; None = the rule forbids it. It reads no tail."""

    def may_end(self, state: State) -> bool:
        """Whether the horizon may end in this state, with the known days after it."""
        return True


@dataclass(frozen=True)
class Words(RuleAutomaton):
    """Words that must not stand, or cost each time that they do (Shift-And; Baeza-Yates and Gonnet, CACM 35(10), 1992).

    Each place in each word is a bit, set where the last days are the word up to there:

        bits after a day = (bits before << 1 | first places) & places that hold its label

    State: (bits, the tally's score before the day or None where it can no longer reach a bound). Bits from which no word can
    end on a day on which it counts are left out.
    """

    words: tuple[Word, ...]
    tally: Tally | None = None

    @property
    def general(self) -> "RuleAutomaton":
        return replace(self, horizon=super().general.horizon, tally=self.tally and replace(self.tally, begins=0))

    @cached_property
    def _places(self) -> list[tuple[int, Word, int]]:
        """The bit of each place, its word, and how many days of this are left after it."""
        places = [(word, left) for word in self.words for left in reversed(range(len(word.labels)))]
        return [(1 << place, word, left) for place, (word, left) in enumerate(places)]

    @cached_property
    def _holding(self) -> list[int]:
        """By label, the places that hold it."""
        return [
            sum(bit for bit, word, left in self._places if label in word.labels[-1 - left])
            for label in range(self.horizon.shifts + 1)
        ]

    @cached_property
    def _firsts(self) -> int:
        return sum(bit for bit, word, left in self._places if left + 1 == len(word.labels))

    @cached_property
    def _on(self) -> Callable[[int], tuple[int, list[tuple[int, Word]]]]:
        """By day: the places of words that may end later, and those of the words that may end on it."""
        return cache(self._open)

    def _open(self, day: int) -> tuple[int, list[tuple[int, Word]]]:
        counts = [
            (bit, word, left)
            for bit, word, left in self._places
            if 0 <= day + left < self.horizon.end and (word.ends is None or day + left in word.ends)
        ]
        return sum(bit for bit, _, left in counts if left), [(bit, word) for bit, word, left in counts if not left]

    def start(self) -> State:
        bits = 0
        for day, label in enumerate(self.horizon.tail, start=-len(self.horizon.tail)):
            bits = (bits << 1 | self._firsts) & self._holding[label] & self._on(day)[0]
        return bits, self.tally and self._reaching(0, self.tally.begins)

    def step(self, day: int, state: State, label: int) -> Transition | None:
        return self._read(day, state, label, self._firsts)

    def _read(self, day: int, state: State, label: int, firsts: int) -> Transition | None:
        """`firsts`: of the words that may begin on this day."""
        bits, score = state
        bits, cost = (bits << 1 | firsts) & self._holding[label], 0
        going_on, ending = self._on(day)
        for bit, word in ending:
            if bits & bit and (word.tired is None or (score is not None and score >= word.tired)):
                if word.price is None:
                    return None
                cost += word.price.amount
        if self.tally and score is not None:
            score = self._reaching(day + 1, score + self.tally.amounts[label])
        return Transition((bits & going_on, score), cost)

    @cached_property
    def _rise_and_least(self) -> tuple[int, int]:
        """The most that a day adds to the score, and the lowest bound."""
        amounts = self.tally.amounts if self.tally else ()
        return max((0, *amounts)), min((word.tired for word in self.words if word.tired is not None), default=0)

    def _reaching(self, day: int, score: int) -> int | None:
        """The score before `day`; None where the rest of the horizon cannot raise it to a bound."""
        rise, least = self._rise_and_least
        return score if score + rise * max(0, self.horizon.days - 1 - day) >= least else None

    def may_end(self, state: State) -> bool:
        """Words that begin after the horizon do not count."""
        for day, label in enumerate(self.horizon.coming, start=self.horizon.days):
            step = self._read(day, state, label, 0)
            if step is None:
                return False
            state = step.state
        return True


@dataclass(frozen=True)
class WeeklyRest(RuleAutomaton):
    """A rest day in every seven known days, or two in a fortnight that holds them.

    Only the next worked shift shows whether days off are rest days, so an open run of days off waits until then.
    State: (last shift if a rest since it can be short, days off since, the rest days before them); these are the last
    two, up to a fortnight back, and how many a week without any still needs by which day.
    """

    spoilt: tuple[Word, ...]
    """A shift, days off that are no rest days, and the next shift."""

    @cached_property
    def _short(self) -> dict[tuple[int, int, int], frozenset[int] | None]:
        """By the shift, how many days later the next one is, and that one: the days of this on which the rest is short."""
        return {
            (shift, len(word.labels) - 1, then): word.ends
            for word in self.spoilt
            for shift in word.labels[0]
            for then in word.labels[-1]
        }

    @cached_property
    def _farthest(self) -> dict[int, int]:
        """Days after which the rest since a shift is never short; only of shifts after which one can be."""
        farthest: dict[int, int] = {}
        for shift, gap, _ in self._short:
            farthest[shift] = max(gap, farthest.get(shift, 0))
        return farthest

    def start(self) -> State:
        state: State = (None, 0, _Rested(-len(self.horizon.tail), None, None, 0, 0))
        return self._reading(self.horizon.tail, -len(self.horizon.tail), state)

    def _reading(self, labels: tuple[int, ...], first: int, state: State) -> State:
        """The state after these days; None = the rule forbids them."""
        for day, label in enumerate(labels, start=first):
            step = self.step(day, state, label)
            if step is None:
                return None
            state = step.state
        return state

    def step(self, day: int, state: State, label: int) -> Transition | None:
        last, waiting, rested = state
        if label == self.horizon.off:
            if waiting + 1 < self._farthest.get(last, 0):
                return Transition((last, waiting + 1, rested))
            settled = self._settle(rested, day - waiting, waiting + 1, True)
            return None if settled is None else Transition((None, 0, settled.seen(day)))
        ends = self._short.get((last, waiting + 1, label), frozenset())
        settled = self._settle(rested, day - waiting, waiting, ends is not None and day not in ends)
        settled = None if settled is None else self._settle(settled, day, 1, False)
        if settled is None:
            return None
        return Transition((label if label in self._farthest else None, 0, settled.seen(day)))

    def _settle(self, rested: "_Rested", first: int, count: int, rest: bool) -> "_Rested | None":
        """After `count` days from `first`, all of which are rest days, or none."""
        now: _Rested | None = rested
        for day in range(first, first + count):
            now = None if now is None else now.after(day, rest, self.horizon)
        return now

    def may_end(self, state: State) -> bool:
        state = self._reading(self.horizon.coming, self.horizon.days, state)
        if state is None:
            return False
        _, waiting, rested = state
        end = self._settle(rested, self.horizon.end - waiting, waiting, True)
        return end is not None and end.needed == 0


@dataclass(frozen=True)
class _Rested:
    """The rest days so far; `known`, `last`, `before` and `due` are days of the horizon."""

    known: int | None
    """First known day; None once it lies more than a fortnight back."""
    last: int | None
    before: int | None
    needed: int
    due: int
    soon: int = 0
    """Instead of those, one rest day by then will do: the other is before the week. 0 = it will not."""

    def seen(self, day: int) -> "_Rested":
        """The same without what no later day depends on."""
        old = day - 2 * WEEK
        keep = [None if d is None or d < old else d for d in (self.known, self.last, self.before)]
        open_until = (self.due, self.soon) if self.needed else (0, 0)
        return _Rested(keep[0], keep[1], keep[2], self.needed, *open_until)

    def after(self, day: int, rest: bool, horizon: Horizon) -> "_Rested | None":
        last, before = (day, self.last) if rest else (self.last, self.before)
        needed = self.needed - 1 if rest and self.needed else self.needed
        if rest and day <= self.soon:
            needed = 0
        if needed and day >= self.due:
            return None
        due, soon = self.due, self.soon if day < self.soon else 0
        week_known = self.known is None or self.known <= day - WEEK + 1
        week_counts = day >= 0 and day - WEEK + 1 < horizon.days
        if week_counts and week_known and (last is None or last <= day - WEEK) and not needed:
            # The fortnights that hold the week begin from `begin` to `latest`.
            earliest = day - 2 * WEEK + 1
            begin = earliest if self.known is None else max(self.known, earliest)
            latest = min(day - WEEK + 1, horizon.end - 2 * WEEK)
            if before is None or begin > min(before, latest):
                needed, due = 2, latest + 2 * WEEK - 1
                soon = min(last, latest) + 2 * WEEK - 1 if last is not None and begin <= min(last, latest) else 0
                if begin > latest or day >= due:
                    return None
        return _Rested(self.known, last, before, needed, due, soon)


@dataclass(frozen=True)
class Weekends(RuleAutomaton):
    """Marks the first worked day of each weekend. State: the weekend that has been marked."""

    weekend_of: tuple[int, ...]
    """The weekend of each day; -1 = none."""

    def start(self) -> State:
        return None

    def step(self, day: int, state: State, label: int) -> Transition | None:
        weekend = self.weekend_of[day]
        if weekend < 0 or label == self.horizon.off:
            return Transition(state if weekend >= 0 and state == weekend else None)
        return Transition(weekend, weekend=state != weekend)
