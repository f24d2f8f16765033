"""The score that a nurse begins each day with (`Tally`), as CP-SAT counts it.

    score[d+1] = score[d] + what day d adds by its label, and by each short rest that ends on it

Where the tally keeps within bounds, the score is a variable for each day; else a sum.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from ortools.sat.python import cp_model

from wavegraph.tools.roster.cpsat.variables import Literal, Place, Variables, negated
from wavegraph.tools.roster.problem.rules.forms import Order, Tally, Word

Occurrences = Callable[[Word], Iterable[tuple[int, list[Place]]]]
"""The last day of each place where a word may stand, and what then stands of the period."""


@dataclass(frozen=True)
class Score:
    value: cp_model.LinearExpr
    least: int
    most: int


def scores(model: cp_model.CpModel, v: Variables, order: Order, stands: Occurrences) -> list[Score]:
    """One for each day of the period. A score within bounds may also be higher, where no word asks for one below a bound:
    easier for the solver, and enough where a higher score never means fewer words."""
    assert order.tally is not None, "a score is told by a tally"
    if order.tally.within is None:
        return [_sum(v, order.nurse, order.tally, day) for day in range(v.instance.days)]
    exact = any(word.below is not None for word in order.words)
    return _Within(model, v, order.nurse, order.tally, order.tally.within, exact=exact).scores(stands)


def _sum(v: Variables, nurse: int, tally: Tally, day: int) -> Score:
    value = v.amount((nurse, before, tally.amounts) for before in range(day)) + tally.begins
    return Score(value, tally.begins + day * min(tally.amounts), tally.begins + day * max(tally.amounts))


@dataclass(frozen=True)
class _Within:
    model: cp_model.CpModel
    v: Variables
    nurse: int
    tally: Tally
    within: tuple[int, int]
    exact: bool

    def scores(self, stands: Occurrences) -> list[Score]:
        short = self._short_rests(stands)
        begins = self.tally.begins
        found = [Score(cp_model.LinearExpr.constant(begins), begins, begins)]
        for day in range(self.v.instance.days - 1):
            found.append(self._next(found[-1], day, short.get(day, [])))
        return found

    def _short_rests(self, stands: Occurrences) -> dict[int, list[Literal]]:
        """Literals of which at most one holds: a short rest ends that day."""
        found: dict[int, list[Literal]] = {}
        for word in self.tally.rests:
            for last, places in stands(word):
                found.setdefault(last, []).append(self._all(places))
        return found

    def _all(self, places: list[Place]) -> Literal:
        """A Boolean that says whether all of these stand."""
        every, literals = self.model.new_bool_var(""), [x for place in places for x in self.v.literals(*place)]
        self.model.add_bool_or([every, *negated(literals)])
        for literal in literals:
            self.model.add_implication(every, literal)
        return every

    def _next(self, score: Score, day: int, short: list[Literal]) -> Score:
        added = self.v.amount([(self.nurse, day, self.tally.amounts)]) + self.tally.a_rest * cp_model.LinearExpr.sum(
            short
        )
        most = score.most + max(self.tally.amounts) + self.tally.a_rest * bool(short)
        bound = self._equal if self.exact else self._not_below
        return bound(score.value + added, score.least + min(self.tally.amounts), most)

    def _equal(self, after: cp_model.LinearExpr, least: int, most: int) -> Score:
        """The score `after`, which lies between `least` and `most`, kept within the bounds."""
        low, high = self.within
        raised = self.model.new_int_var(max(low, least), max(low, most), "")
        score = Score(self._value(least, most), max(low, least), min(high, most))
        self.model.add_max_equality(raised, [after, low])
        self.model.add_min_equality(score.value, [raised, high])
        return score

    def _not_below(self, after: cp_model.LinearExpr, least: int, most: int) -> Score:
        low, high = self.within
        score = Score(self._value(least, most), max(low, least), min(high, most))
        held = self.model.add(score.value >= after)
        if most > high:
            at_most = self.model.new_bool_var("")
            held.only_enforce_if(at_most.negated())
            self.model.add(score.value >= high).only_enforce_if(at_most)
        return score

    def _value(self, least: int, most: int) -> cp_model.IntVar:
        low, high = self.within
        return self.model.new_int_var(max(low, least), max(low, min(high, most)), "")
