"""Each form of rule as CP-SAT takes it best: words and clashes as clauses, counts as sums, rest days as marks in a window.

A rule that must hold passes each of its constraints to a `Guard`, with its name, nurse and day: the solver's does nothing,
the explainer's makes the constraint depend on an assumption. A rule with a price has a Boolean, or a whole number of units,
that must be there where the rule is broken, and is charged for.

At the ends of the known days the benchmark's reading holds (Curtois and Qu): a day off lies before them, and a run that
touches either end is taken as long enough. What is known before and after the period is no variable.
"""

from collections import Counter as Tallied
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from typing import Protocol, assert_never

from ortools.sat.python import cp_model

from wavegraph.tools.roster.cpsat.objective import Objective
from wavegraph.tools.roster.cpsat.scores import Score, scores
from wavegraph.tools.roster.cpsat.variables import Literal, Place, Variables, make_variables, negated
from wavegraph.tools.roster.problem.ids import RuleId
from wavegraph.tools.roster.problem.instance import Instance
from wavegraph.tools.roster.problem.rules.counters import ones
from wavegraph.tools.roster.problem.rules.forms import (
    Cell,
    Counter,
    Order,
    Price,
    Row,
    Rule,
    Slope,
    Together,
    Window,
    Word,
)


class Guard(Protocol):
    def __call__(
        self, constraint: cp_model.Constraint, rule: RuleId, nurse: int | None = None, day: int | None = None
    ) -> None: ...


def unguarded(constraint: cp_model.Constraint, rule: RuleId, nurse: int | None = None, day: int | None = None) -> None:
    """Post a constraint for good."""


Shared = dict[tuple[int, Price], list[tuple[list[Word], Literal]]]
"""By last day and price, words of which no two can stand together, and the Boolean that is charged for any of them."""


@dataclass
class Poster:
    model: cp_model.CpModel
    v: Variables
    guard: Guard = unguarded
    objective: Objective = field(default_factory=Objective)
    _weekends: dict[tuple[int, tuple[int, ...]], Literal] = field(default_factory=dict)

    @classmethod
    def of(cls, instance: Instance, rules: Iterable[Rule] = (), scale: int = 1) -> "Poster":
        """A new model with these rules; `scale`: of their prices."""
        model = cp_model.CpModel()
        poster = cls(model, make_variables(model, instance), objective=Objective(scale))
        poster.post(rules)
        return poster

    def copy(self, model: cp_model.CpModel, guard: Guard) -> "Poster":
        """For a clone of the model."""
        return replace(self, model=model, guard=guard, _weekends=dict(self._weekends))

    @property
    def instance(self) -> Instance:
        return self.v.instance

    def post(self, rules: Iterable[Rule]) -> None:
        """Rules that must hold, and those that have a price; of a row both prices."""
        for rule in rules:
            match rule:
                case Cell():
                    self._cell(rule)
                case Counter():
                    self._counter(rule)
                case Order():
                    self._order(rule)
                case Window():
                    self._window(rule)
                case Row():
                    self._cover(rule)
                    self.price_breach(rule)
                case Together():
                    self._together(rule)
                case _:
                    assert_never(rule)

    def _cell(self, cell: Cell) -> None:
        place = cell.nurse, cell.day, cell.labels
        if cell.price is None:
            self.guard(self._forbid([place]), cell.rule, cell.nurse, cell.day)
            return
        one = self.v.literal(*place)
        for literal in self._each(place) if one is None else [one]:
            self.objective.charge(cell.price.kind, cell.price.amount, literal)

    def _each(self, place: Place) -> Iterator[Literal]:
        """Literals of which one is true where the day has one of these labels, and none otherwise."""
        nurse, day, labels = place
        for label in labels:
            shift = self.v.shift.get((nurse, day, label))
            yield self.v.works[nurse, day].negated() if shift is None else shift

    def _forbid(self, places: Sequence[Place], unless: Sequence[Literal] = ()) -> cp_model.Constraint:
        """Days of which not all may have one of these labels, unless one of the literals holds.

        A clause where each is one literal, else the sum of those that have one: it propagates more than a clause of all.
        """
        literals = [self.v.literal(*place) for place in places]
        alone = [literal for literal in literals if literal is not None]
        if len(alone) == len(literals):
            return self.model.add_bool_or([*unless, *negated(alone)])
        standing = self.v.amount((nurse, day, ones(self.instance, labels)) for nurse, day, labels in places)
        return self.model.add(standing - sum(unless) <= len(places) - 1)

    def _charged(self, price: Price) -> Literal:
        literal = self.model.new_bool_var("")
        self.objective.charge(price.kind, price.amount, literal)
        return literal

    def _counter(self, counter: Counter) -> None:
        """The count between bounds, and units of what lies beyond a knee."""
        count, top = self._count(counter)
        if counter.least is not None:
            self.guard(self.model.add(count >= counter.least), counter.rule, counter.nurse)
        if counter.most is not None:
            self.guard(self.model.add(count <= counter.most), counter.rule, counter.nurse)
        if counter.below is not None:
            self._beyond(counter.below, counter.below.knee - count, counter.below.knee)
        if counter.above is not None:
            self._beyond(counter.above, count - counter.above.knee, top - counter.above.knee)

    def _count(self, counter: Counter) -> tuple[cp_model.LinearExpr, int]:
        """With the most that it can be."""
        if counter.weekends is not None:
            worked = [self._worked(counter.nurse, days) for days in counter.weekends]
            return cp_model.LinearExpr.constant(0) + cp_model.LinearExpr.sum(worked), len(worked)
        days = range(self.instance.days) if counter.days is None else sorted(counter.days)
        amount = self.v.amount((counter.nurse, day, counter.amounts) for day in days)
        return amount, len(days) * max(counter.amounts)

    def _worked(self, nurse: int, days: tuple[int, ...]) -> Literal:
        """Whether she works on any of these days."""
        literals = [self.v.works[nurse, day] for day in days]
        if len(literals) == 1:
            return literals[0]
        if (nurse, days) not in self._weekends:
            any_day = self._weekends[nurse, days] = self.model.new_bool_var("")
            self.model.add_bool_or([*literals, any_day.negated()])
            for literal in literals:
                self.model.add_implication(literal, any_day)
        return self._weekends[nurse, days]

    def _beyond(self, slope: Slope, beyond: cp_model.LinearExprT, most: int) -> None:
        """step * units >= beyond - step + 1"""
        steps = max(0, most // slope.step)
        prices = [*slope.amounts[:steps], *[slope.amounts[-1]] * (steps - len(slope.amounts))]
        if prices:
            units = self._units(slope.kind, prices)
            self.model.add(beyond <= slope.step * units + slope.step - 1)

    def _units(self, kind: str, prices: Sequence[int]) -> cp_model.LinearExpr:
        """As many as these, charged at one of them each; where they never fall the solver takes the cheaper ones first."""
        pieces = [(price, self.model.new_int_var(0, count, "")) for price, count in sorted(Tallied(prices).items())]
        for price, units in pieces:
            self.objective.charge(kind, price, units)
        return cp_model.LinearExpr.sum([units for _, units in pieces])

    def _order(self, order: Order) -> None:
        """No word stands, or a Boolean of its price; where it counts only of the tired, or the score is below its bound."""
        stands = partial(self._stands, order.nurse, lasts=range(self.instance.days))
        tired = scores(self.model, self.v, order, stands) if order.tally else []
        shared: Shared = defaultdict(list)
        for word in order.words:
            for last, places in self._stands(order.nurse, word, self._lasts(word, order)):
                score = tired[last] if tired else None
                if score is not None and word.tired is not None and score.most < word.tired:
                    continue
                unless = [] if word.price is None else [self._broken(shared, word, word.price, last)]
                for constraint in self._never(places, unless, word, score):
                    if word.price is None:
                        self.guard(constraint, order.rule, order.nurse, last)

    def _lasts(self, word: Word, order: Order) -> range:
        """The days on which it may end: of the period, or, where it must not stand and no score counts, any day after that
        it can reach from there."""
        return range(self.instance.days + (0 if word.price or order.tally else len(word.labels) - 1))

    def _stands(self, nurse: int, word: Word, lasts: range) -> Iterator[tuple[int, list[Place]]]:
        """Each of these days on which a word may end, and what of it then lies in the period."""
        for last in lasts if word.ends is None else sorted(word.ends & set(lasts)):
            first = last - len(word.labels) + 1
            places = self.v.undecided((nurse, first + at, labels) for at, labels in enumerate(word.labels))
            if places is not None:
                yield last, places

    def _broken(self, shared: Shared, word: Word, price: Price, last: int) -> Literal:
        for words, literal in shared[last, price]:
            if all(_apart(word, other) for other in words):
                words.append(word)
                return literal
        shared[last, price].append(([word], literal := self._charged(price)))
        return literal

    def _never(
        self, places: Sequence[Place], unless: Sequence[Literal], word: Word, score: Score | None
    ) -> Iterator[cp_model.Constraint]:
        if score is None or word.tired is None:
            yield self._forbid(places, unless)
            return
        stands = [*(literal for place in places for literal in self.v.literals(*place)), *negated(unless)]
        rested = self.model.add(score.value <= word.tired - 1)
        if word.below is not None and score.most >= word.below:
            high = self.model.new_bool_var("")
            above = self.model.add(score.value >= word.below)
            above.only_enforce_if([*stands, high])
            yield above
            stands.append(high.negated())
        rested.only_enforce_if(stands)
        yield rested

    def _window(self, window: Window) -> None:
        """Marked days enough in each span, or in one of the longer spans that hold it.

        r[d] <= the day has one of the labels,    r[d] <= 1 - a spoilt word stands across it
        sum_(span) r >= least    or    sum_(longer span) r >= its multiple
        """
        marks = self._marks(window)
        longer = {
            span: self._enough(marks, span, times * window.least)
            for times in range(2, window.spans + 1)
            for span in self._spans(window, times)
        }
        for span in self._spans(window, 1):
            holding = [other for other in longer if other.start <= span.start and span.stop <= other.stop]
            around = [literal for other in holding for literal in longer[other]]
            enough = [*self._enough(marks, span, window.least), *around]
            self.guard(self.model.add_bool_or(enough), window.rule, window.nurse, span[-1])

    def _known_days(self, nurse: int) -> range:
        known = self.v.known[nurse]
        return range(min([0, *known]), max([self.instance.days - 1, *known]) + 1)

    def _spans(self, window: Window, times: int) -> list[range]:
        """Every one so many times as long that is known and of which any day is in the period."""
        known, length = self._known_days(window.nurse), times * window.length
        starts = range(max(known.start, 1 - length), min(self.instance.days, known.stop - length + 1))
        return [range(start, start + length) for start in starts]

    def _marks(self, window: Window) -> dict[int, Literal]:
        """Of each day that may be marked, a Boolean that is true only where it is."""
        nurse, days = window.nurse, self._known_days(window.nurse)
        marks: dict[int, Literal] = {}
        for day in days:
            if (places := self.v.undecided([(nurse, day, window.labels)])) is not None:
                marks[day] = self.model.new_bool_var("")
                for literal in (literal for place in places for literal in self.v.literals(*place)):
                    self.model.add_implication(marks[day], literal)
        for word in window.spoilt:
            for last, places in self._stands(nurse, word, days):
                for day in sorted(marks.keys() & range(last - len(word.labels) + 2, last)):
                    self._forbid(places, [marks[day].negated()])
        return marks

    def _enough(self, marks: dict[int, Literal], span: range, needed: int) -> list[Literal]:
        """Literals of which one may hold only where so many days of a span are marked."""
        found = [marks[day] for day in span if day in marks]
        if needed == 1 or len(found) < needed:
            return found if needed == 1 else []
        enough = self.model.new_bool_var("")
        self.model.add(sum(found) >= needed).only_enforce_if(enough)
        return [enough]

    def present(self, row: Row) -> cp_model.LinearExpr:
        """Nurses on a shift of a day who count towards it."""
        on = [self.v.shift[cell] for cell in row.cells]
        return cp_model.LinearExpr.constant(0) + cp_model.LinearExpr.sum(on)

    def hold(self, rows: Iterable[Row]) -> None:
        """Their minimums as rules that must hold."""
        for row in rows:
            if row.minimum:
                self.guard(self.model.add(self.present(row) >= row.minimum), row.rule, None, row.day)

    def hold_targets(self, rows: Iterable[Row]) -> None:
        """The same of the targets, which no roster has to reach."""
        for row in rows:
            if row.target:
                rule = replace(row.rule, kind="target", needed=row.target)
                self.guard(self.model.add(self.present(row) >= row.target), rule, None, row.day)

    def _cover(self, row: Row) -> None:
        """present + missing - over = target"""
        if not row.over and not any(row.missing):
            return
        reached = self.present(row) + self._units("uncovered", row.missing)
        if not row.over:
            self.model.add(reached >= row.target)
            return
        over = self.model.new_int_var(0, max(0, len(row.nurses) - row.target), "")
        self.model.add(reached - over == row.target)
        self.objective.charge("over", row.over, over)

    def price_breach(self, row: Row) -> None:
        """present + below >= minimum"""
        if row.minimum:
            below = self.model.new_int_var(0, row.minimum, "")
            self.model.add(self.present(row) + below >= row.minimum)
            self.objective.charge(row.breach.kind, row.breach.amount, below)

    def _together(self, pair: Together) -> None:
        broken = self._charged(pair.price)
        for first, second in pair.clashes:
            self._forbid([(pair.first, pair.day, first), (pair.second, pair.day, second)], [broken])


@lru_cache(maxsize=4096)
def _apart(word: Word, other: Word) -> bool:
    """Whether two words with the same last day cannot stand together."""
    return any(
        labels.isdisjoint(others) for labels, others in zip(reversed(word.labels), reversed(other.labels), strict=False)
    )
