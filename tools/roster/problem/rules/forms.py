"""The six forms that a rule of a ward takes: plain data of which both solvers, the cost account and the knobs are made.

Nurses, days and labels are numbers, as in `Instance`: a label is a shift's index, and the one after the last is a day off.
Day 0 is the first of the period; negative days are the known tail. A rule that must hold has no price. Prices are in the
objective's units (`Prices.scale`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from wavegraph.tools.roster.problem.ids import RuleId

Labels = frozenset[int]
Days = Sequence[int]
"""The label of each day of a nurse's period."""


@dataclass(frozen=True)
class Price:
    """What one unit costs, under which kind of penalty."""

    kind: str
    amount: int


@dataclass(frozen=True)
class Cell:
    """A day of a nurse must not have any of these labels, or costs if it has."""

    rule: RuleId
    nurse: int
    day: int
    labels: Labels
    price: Price | None = None
    """None = forbidden."""


@dataclass(frozen=True)
class Slope:
    """What a count costs beyond a knee: the i-th whole `step` beyond it costs the i-th amount, each further one the last."""

    kind: str
    knee: int
    amounts: tuple[int, ...]
    """Never falling."""
    step: int = 1

    def of(self, beyond: int) -> int:
        """The cost of so many beyond the knee; nothing of fewer than a step."""
        steps = max(0, beyond) // self.step
        dear = max(0, steps - len(self.amounts))
        return sum(self.amounts[:steps]) + dear * self.amounts[-1]

    def pieces(self, steps: int) -> list[int]:
        """What each of the first steps beyond the knee costs."""
        return [self.amounts[min(place, len(self.amounts) - 1)] for place in range(steps)]


@dataclass(frozen=True)
class Counter:
    """What adds up over a nurse's days: bounds that must hold, and convex prices below and above.

    The count is of the period's own days; what was before is taken off the bounds where a rule counts it.
    """

    rule: RuleId
    nurse: int
    amounts: tuple[int, ...] = ()
    """What a day of each label adds; a day off adds nothing."""
    days: frozenset[int] | None = None
    """The days that count; None = all."""
    weekends: tuple[tuple[int, ...], ...] | None = None
    """Instead of the days: 1 for each of these weekends with work on any of its days."""
    least: int | None = None
    most: int | None = None
    below: Slope | None = None
    above: Slope | None = None

    @property
    def slopes(self) -> list[tuple[int, Slope]]:
        """Each with its side: -1 below its knee, 1 above it."""
        return [(side, slope) for side, slope in ((-1, self.below), (1, self.above)) if slope is not None]

    def count(self, row: Days, off: int) -> int:
        if self.weekends is not None:
            return sum(any(row[day] != off for day in weekend) for weekend in self.weekends)
        days = range(len(row)) if self.days is None else self.days
        return sum(self.amounts[row[day]] for day in days if row[day] != off)

    def costs(self, count: int) -> list[tuple[str, int]]:
        """By kind."""
        return [(slope.kind, slope.of(side * (count - slope.knee))) for side, slope in self.slopes]


@dataclass(frozen=True)
class Word:
    """Labels of days in a row that must not stand together, or cost each time that they do."""

    labels: tuple[Labels, ...]
    """Of each day, the first one first."""
    price: Price | None = None
    """None = forbidden."""
    ends: frozenset[int] | None = None
    """The days on which its last label may stand; None = any."""
    tired: int | None = None
    """It counts only where the order's tally has reached this before its last day."""
    below: int | None = None
    """And only where it is below this."""


@dataclass(frozen=True)
class Tally:
    """A score that goes up and down with each day of the period."""

    begins: int
    amounts: tuple[int, ...]
    """By label."""
    within: tuple[int, int] | None = None
    """Bounds that it does not leave."""
    rests: tuple[Word, ...] = ()
    """Rests that are too short: each adds to it on its last day."""
    a_rest: int = 0
    """What one of them adds."""


MOST_WORDS = 100_000
"""Of a rule: rests between sixty kinds of shift have a third of it."""


class TooManyWords(ValueError):
    """A rule's list of words that grows out of all bounds, as one about weekends in a row does with each more of them."""


@dataclass(frozen=True)
class Order:
    """What a nurse's days in a row must not be, or cost.

    Words count where all their days are known and the last one, or any one of a rule that must hold, is in the period.
    """

    rule: RuleId
    nurse: int
    words: tuple[Word, ...]
    """Given as any iterable, of which no more are taken than a rule may have. Raises TooManyWords."""
    tally: Tally | None = None

    def __post_init__(self) -> None:
        words = tuple(islice(self.words, MOST_WORDS + 1))
        if len(words) > MOST_WORDS:
            raise TooManyWords(f"{self.rule.kind}: more than {MOST_WORDS:,} words")
        object.__setattr__(self, "words", words)

    @property
    def must(self) -> bool:
        return all(word.price is None for word in self.words)


@dataclass(frozen=True)
class Window:
    """Marked days in each span of known days: `least` in `length`, or their multiple in one of the longer spans around it.

    A day is marked where its label is one of these and no word of `spoilt` covers it, but for the word's first and last day.
    """

    rule: RuleId
    nurse: int
    labels: Labels
    spoilt: tuple[Word, ...]
    length: int
    least: int
    spans: int = 1
    """Spans over which the average may count; 1 = each by itself."""


@dataclass(frozen=True)
class Row:
    """Nurses on a shift of a day: a convex price of those missing to a target and of those above it, and a minimum.

    Below the minimum a roster is in breach, at a price that any other comes after.
    """

    rule: RuleId
    """Of the minimum."""
    day: int
    label: int
    nurses: tuple[int, ...]
    """Those who count."""
    missing: tuple[int, ...]
    """The cost of each one missing to the target, never falling; as many as the target."""
    over: int
    minimum: int
    breach: Price

    @property
    def target(self) -> int:
        return len(self.missing)

    @property
    def cells(self) -> list[tuple[int, int, int]]:
        return [(nurse, self.day, self.label) for nurse in self.nurses]

    def costs(self, present: int) -> list[tuple[str, int]]:
        """By kind."""
        missing = sum(self.missing[: max(0, self.target - present)])
        over = self.over * max(0, present - self.target)
        breach = [(self.breach.kind, self.breach.amount * max(0, self.minimum - present))] if self.minimum else []
        return [("uncovered", missing), ("over", over), *breach]


@dataclass(frozen=True)
class Together:
    """Two nurses on a day: it costs once where any of these stands, labels of the one beside labels of the other."""

    rule: RuleId
    first: int
    second: int
    day: int
    clashes: tuple[tuple[Labels, Labels], ...]
    price: Price


Rule = Cell | Counter | Order | Window | Row | Together
