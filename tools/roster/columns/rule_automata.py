"""A nurse's rules about the order of shifts, each as a small automaton that reads her days one by one.

From its state and a day's label (a shift's index, or the number of shifts for a day off) an automaton gives the next state
and the cost, or forbids the day. It knows the horizon and the nurse's tail, and no other nurse. `automaton` joins them;
what only adds up over the horizon (minutes, shifts of a type) is a counter instead.

What the known days after the horizon forbid shows when it ends. The ends of the horizon are treated as in `cpsat.constraints` and `cpsat.objective`, which have the same rules.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace

from wavegraph.tools.roster.problem.prices import FatigueUnits

WEEK = 7
State = Hashable
ShortRests = Callable[[int], frozenset[tuple[int, int, int]]]
"""The triples (shift, days later, next shift) that are too close together, by the day of the first shift."""


@dataclass(frozen=True)
class Transition:
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

    @property
    @abstractmethod
    def rule(self) -> str:
        """Its name, as the compliance checks and the explainer call it."""

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
        """Whether the horizon may end in this state, with the known days after it; what these break by themselves, and
        whatever comes later, is not looked at."""
        alone = self.general.start() if self.horizon.coming else None
        for day, label in enumerate(self.horizon.coming, start=self.horizon.days):
            by_itself = self.step(day, alone, label)
            if by_itself is None:
                return True
            if (step := self.step(day, state, label)) is None:
                return False
            alone, state = by_itself.state, step.state
        return True


@dataclass(frozen=True)
class Runs(RuleAutomaton):
    """Longest and shortest runs of work, shortest runs of days off.

    State: (working, days in a row up to what matters, whether the run may have begun before what is known).
    """

    longest: int | None
    shortest: int
    shortest_off: int
    rule: str = "days in a row"

    def start(self) -> State:
        state: tuple[bool, int, bool] | None = None
        for label in self.horizon.tail:
            state = self._after(state, label != self.horizon.off)
        return state

    def _cap(self, working: bool) -> int:
        return max(self.shortest, self.longest or 0) if working else self.shortest_off

    def _after(self, state: tuple[bool, int, bool] | None, working: bool) -> tuple[bool, int, bool]:
        if state is None:
            return working, 1, True
        was, length, open_ended = state
        if was != working:
            return working, 1, False
        return working, min(length + 1, self._cap(working) + 1), open_ended

    def step(self, day: int, state: State, label: int) -> Transition | None:
        before = state if isinstance(state, tuple) else None
        working = label != self.horizon.off
        if before is not None and before[0] != working and not before[2]:
            least = self.shortest if before[0] else self.shortest_off
            if before[1] < least:
                return None
        after = self._after(before, working)
        if working and self.longest is not None and after[1] > self.longest:
            return None
        return Transition(after)


@dataclass(frozen=True)
class RunsOf(RuleAutomaton):
    """A limit to days in a row with some labels (`problem.runs`).

    State: (days in a row up to what matters, whether the run may have begun before what is known); None = nothing known.
    """

    labels: frozenset[int]
    least: int
    most: int | None
    price: int | None
    """Of each day too few or too many; None = forbidden."""
    rule: str = "runs"

    def start(self) -> State:
        state: State = None
        for label in self.horizon.tail:
            state = self._after(state, label)
        return state

    def _after(self, state: State, label: int) -> tuple[int, bool]:
        if label not in self.labels:
            return 0, False
        length, open_ended = state if isinstance(state, tuple) else (0, True)
        return min(length + 1, max(self.least, (self.most or 0) + 1)), open_ended

    def step(self, day: int, state: State, label: int) -> Transition | None:
        after = self._after(state, label)
        length, open_ended = state if isinstance(state, tuple) else (0, True)
        off_by = 0
        if after[0] == 0 and 0 < length < self.least and not open_ended:
            off_by = self.least - length
        if self.most is not None and after[0] > self.most:
            off_by = 1
        if off_by and self.price is None:
            return None
        return Transition(after, off_by * (self.price or 0))


@dataclass(frozen=True)
class NightRun(RuleAutomaton):
    """Most nights in a row. State: nights in a row so far."""

    nights: frozenset[int]
    longest: int
    rule: str = "nights in a row"

    def start(self) -> State:
        run = 0
        for label in self.horizon.tail:
            run = min(self.longest, run + 1) if label in self.nights else 0
        return run

    def step(self, day: int, state: State, label: int) -> Transition | None:
        if label not in self.nights:
            return Transition(0)
        run = int(state) + 1 if isinstance(state, int) else 1
        return Transition(run) if run <= self.longest else None


@dataclass(frozen=True)
class Successions(RuleAutomaton):
    """Shifts that must not follow each other from one day to the next. State: the last day's label."""

    not_after: tuple[frozenset[int], ...]
    rule: str = "succession"

    def start(self) -> State:
        return self.horizon.tail[-1] if self.horizon.tail else self.horizon.off

    def step(self, day: int, state: State, label: int) -> Transition | None:
        last = int(state) if isinstance(state, int) else self.horizon.off
        forbidden = last != self.horizon.off and label in self.not_after[last]
        return None if forbidden else Transition(label)


@dataclass(frozen=True)
class StepsBack(RuleAutomaton):
    """Prices shifts that are a step back from the day before. State: the last day's label."""

    back: tuple[frozenset[int], ...]
    price: int
    rule: str = "rotation"

    def start(self) -> State:
        return self.horizon.tail[-1] if self.horizon.tail else self.horizon.off

    def step(self, day: int, state: State, label: int) -> Transition | None:
        last = int(state) if isinstance(state, int) else self.horizon.off
        back = last != self.horizon.off and label in self.back[last]
        return Transition(label, self.price if back else 0)


@dataclass(frozen=True)
class Rests(RuleAutomaton):
    """Rest between a shift and the next one worked. State: (last shift, days ago); None = too long ago to matter."""

    short: ShortRests
    farthest: int
    """Days after which a shift no longer matters."""
    rule: str = "daily rest"

    def start(self) -> State:
        state: State = None
        for label in self.horizon.tail:
            state = self._after(state, label)
        return state

    def _after(self, state: State, label: int) -> State:
        if label != self.horizon.off:
            return label, 1
        if isinstance(state, tuple) and state[1] < self.farthest:
            return state[0], state[1] + 1
        return None

    def step(self, day: int, state: State, label: int) -> Transition | None:
        if isinstance(state, tuple) and label != self.horizon.off:
            shift, ago = state
            if (shift, ago, label) in self.short(day - ago):
                return None
        return Transition(self._after(state, label))


@dataclass(frozen=True)
class WeeklyRest(RuleAutomaton):
    """A rest day in every seven known days, or two in a fortnight that holds them.

    Only the next worked shift shows whether days off are rest days, so an open run of days off waits until then.
    State: (last shift, days off since, the rest days before them); these are the last
    two, up to a fortnight back, and how many a week without any still needs by which day.
    """

    short: ShortRests
    farthest: int
    rule: str = "weekly rest"

    def start(self) -> State:
        first = -len(self.horizon.tail)
        state: State = (None, 0, _Rested(first, None, None, 0, 0))
        for day, label in enumerate(self.horizon.tail, start=first):
            step = self.step(day, state, label)
            if step is None:
                return None
            state = step.state
        return state

    def step(self, day: int, state: State, label: int) -> Transition | None:
        if not isinstance(state, tuple):
            return None
        last, waiting, rested = state
        if label == self.horizon.off:
            if last is not None and waiting + 1 < self.farthest:
                return Transition((last, waiting + 1, rested))
            settled = self._settle(rested, day - waiting, waiting + 1, True)
            return None if settled is None else Transition((None, 0, settled.seen(day)))
        short = last is not None and (last, waiting + 1, label) in self.short(day - waiting - 1)
        settled = self._settle(rested, day - waiting, waiting, not short)
        settled = None if settled is None else self._settle(settled, day, 1, False)
        return None if settled is None else Transition((label, 0, settled.seen(day)))

    def _settle(self, rested: "_Rested", first: int, count: int, rest: bool) -> "_Rested | None":
        """After `count` days from `first`, all of which are rest days, or none."""
        now: _Rested | None = rested
        for day in range(first, first + count):
            now = None if now is None else now.after(day, rest, self.horizon)
        return now

    def may_end(self, state: State) -> bool:
        for day, label in enumerate(self.horizon.coming, start=self.horizon.days):
            step = self.step(day, state, label)
            state = step.state if step else None
        if not isinstance(state, tuple):
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

    weekend_of: tuple[int | None, ...]
    """The weekend of each day; None = a weekday."""
    rule: str = "most weekends"

    def start(self) -> State:
        return None

    def step(self, day: int, state: State, label: int) -> Transition | None:
        weekend = self.weekend_of[day]
        if weekend is None or label == self.horizon.off:
            return Transition(state if weekend is not None and state == weekend else None)
        return Transition(weekend, weekend=state != weekend)


@dataclass(frozen=True)
class IsolatedDaysOff(RuleAutomaton):
    """Prices single days off between two worked days, unless asked for. State: whether each of the last two was worked."""

    price: int
    asked_off: frozenset[int]
    rule: str = "isolated_day_off"

    def start(self) -> State:
        return tuple(label != self.horizon.off for label in self.horizon.tail[-2:])

    def step(self, day: int, state: State, label: int) -> Transition | None:
        before = state if isinstance(state, tuple) else ()
        works = label != self.horizon.off
        alone = before == (True, False) and works and day - 1 not in self.asked_off
        return Transition((*before, works)[-2:], self.price if alone else 0)


@dataclass(frozen=True)
class IncompleteWeekends(RuleAutomaton):
    """Prices weekends with one worked day, unless the other was asked off. State: whether Saturday was worked."""

    price: int
    sundays: frozenset[int]
    asked_off: frozenset[int]
    rule: str = "incomplete_weekend"

    def start(self) -> State:
        return 0 in self.sundays and self.horizon.tail[-1] != self.horizon.off

    def step(self, day: int, state: State, label: int) -> Transition | None:
        works = label != self.horizon.off
        if day not in self.sundays:
            return Transition(works if day + 1 in self.sundays else False)
        free = day if state else day - 1
        half = works != state and free not in self.asked_off
        return Transition(False, self.price if half else 0)


@dataclass(frozen=True)
class WeekendKinds(RuleAutomaton):
    """Prices weekends with one worked day, and those with different shifts. State: Saturday's kind; else None."""

    kinds: tuple[int, ...]
    """By label."""

    sundays: frozenset[int]
    split: int
    mixed: int
    rule: str = "weekends"

    def start(self) -> State:
        return self.kinds[self.horizon.tail[-1]] if 0 in self.sundays else None

    def step(self, day: int, state: State, label: int) -> Transition | None:
        if day not in self.sundays:
            return Transition(self.kinds[label] if day + 1 in self.sundays else None)
        both = state != self.horizon.off and label != self.horizon.off
        return Transition(None, 0 if state == self.kinds[label] else self.mixed if both else self.split)


@dataclass(frozen=True)
class Fatigue(RuleAutomaton):
    """Prices shifts begun with a high or moderate fatigue score, as `cpsat.objective.fatigue` counts them.

    State: (score, or None where it can no longer reach a bound; known working days in a row, as far as they count).
    """

    scale: FatigueUnits
    begins: int
    nights: frozenset[int]
    weekend_days: frozenset[int]
    prices: tuple[int, int, int, int]
    """Of a shift begun with a high score at night, at a weekend, on a weekday; and of one with a moderate score."""
    rule: str = "fatigue"

    @property
    def general(self) -> "RuleAutomaton":
        return replace(self, horizon=replace(self.horizon, tail=()), begins=0)

    def start(self) -> State:
        run = 0
        for label in self.horizon.tail:
            run = min(self._most, run + 1) if label != self.horizon.off else 0
        return self._kept(0, self.begins), run

    @property
    def _most(self) -> int:
        return max(self.scale.high_run, self.scale.moderate_run)

    def _kept(self, day: int, score: int) -> int | None:
        """The score before `day`; None where the rest of the horizon cannot raise it to a bound."""
        rise = max(self.scale.shift, self.scale.night) * max(0, self.horizon.days - 1 - day)
        return score if score + rise >= min(self.scale.moderate, self.scale.high) else None

    def step(self, day: int, state: State, label: int) -> Transition | None:
        score, run = state if isinstance(state, tuple) else (None, 0)
        if label == self.horizon.off:
            return Transition((None if score is None else self._kept(day + 1, score - self.scale.day_off), 0))
        rise = self.scale.night if label in self.nights else self.scale.shift
        after = None if score is None else self._kept(day + 1, score + rise)
        return Transition((after, min(self._most, run + 1)), 0 if score is None else self._cost(day, score, run, label))

    def _cost(self, day: int, score: int, run: int, label: int) -> int:
        at_night, at_weekend, by_day, moderate = self.prices
        cost = moderate if score >= self.scale.moderate and run >= self.scale.moderate_run else 0
        if score < self.scale.high:
            return cost
        if label in self.nights:
            return cost + at_night
        if day in self.weekend_days:
            return cost + at_weekend
        return cost + (by_day if run >= self.scale.high_run else 0)
