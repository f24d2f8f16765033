"""Builds each nurse's model for pricing from the rules of the ward (`problem.rules`).

Cells become prices of cells, orders and windows automata, counters what is counted over the horizon. A counter that only
costs, shift by shift, has a row of the master problem instead.
"""

from collections.abc import Iterable, Sequence
from itertools import chain

import numpy as np

from wavegraph.tools.roster.columns.counters import CountCost, Counter, Floats
from wavegraph.tools.roster.columns.network import MOST_LABELS
from wavegraph.tools.roster.columns.nurse_model import NurseModel
from wavegraph.tools.roster.columns.rule_automata import Horizon, RuleAutomaton, Weekends, WeeklyRest, Words
from wavegraph.tools.roster.problem.ids import RuleId
from wavegraph.tools.roster.problem.instance import Instance
from wavegraph.tools.roster.problem.prices import Prices
from wavegraph.tools.roster.problem.rules import forms
from wavegraph.tools.roster.problem.rules.counters import paid
from wavegraph.tools.roster.problem.rules.declared import must_rules, priced_rules
from wavegraph.tools.roster.problem.rules.forms import Cell, Order, Tally, Window

MOST_WEEKENDS = RuleId("most_weekends")


class UnpricedRule(ValueError):
    """A ward's rule that columns cannot price exactly; the message names it."""

    @classmethod
    def of(cls, rules: Iterable[RuleId], why: str) -> "UnpricedRule":
        names = sorted({" ".join(filter(None, (rule.kind.replace("_", " "), rule.shift))) for rule in rules})
        return cls(f"{', '.join(names)}: {why}")


def build_nurse_models(instance: Instance, prices: Prices) -> list[NurseModel]:
    """Every nurse's rules and prices. Raises UnpricedRule for a rule that does not fit this form."""
    if len(instance.shifts) >= MOST_LABELS:
        raise UnpricedRule(f"a ward of {len(instance.shifts)} kinds of shift; columns price up to {MOST_LABELS - 1}")
    builders = [_NurseBuilder(instance, n) for n in range(len(instance.nurses))]
    for rule in chain(must_rules(instance), priced_rules(instance, prices)):
        if not isinstance(rule, forms.Row | forms.Together):
            builders[rule.nurse].add(rule)
    return [builder.model() for builder in builders]


class _NurseBuilder:
    def __init__(self, instance: Instance, nurse: int) -> None:
        self.off, self.days = len(instance.shifts), instance.days
        self.paid = paid(instance)
        tail, coming = (self._labels(known[nurse]) for known in (instance.tails, instance.coming))
        self.seen_alone = Horizon(self.off, self.days, tail)
        self.horizon = Horizon(self.off, self.days, tail, coming)
        self.base: Floats = np.zeros((self.days, self.off + 1))
        self.automata: list[RuleAutomaton] = []
        self.limits: list[Counter] = []
        self.hours: list[forms.Counter] = []
        self.weekends: list[forms.Counter] = []

    def _labels(self, row: Sequence[int | None]) -> tuple[int, ...]:
        return tuple(self.off if shift is None else shift for shift in row)

    def add(self, rule: Cell | forms.Counter | Order | Window) -> None:
        match rule:
            case Cell():
                self.base[rule.day, sorted(rule.labels)] += np.inf if rule.price is None else rule.price.amount
            case Order() if _is_summed(rule.tally) and all(word.below is None for word in rule.words):
                horizon = self.horizon if rule.must else self.seen_alone
                self.automata.append(Words(horizon, rule.rule, rule.words, rule.tally))
            case Window(length=7, least=1, spans=2):
                self.automata.append(WeeklyRest(self.horizon, rule.rule, rule.spoilt))
            case forms.Counter() if rule.weekends is not None:
                self.weekends.append(rule)
            case forms.Counter() if rule.amounts == self.paid:
                self.hours.append(rule)
            case forms.Counter(least=None, most=None) if all(slope.step == 1 for _, slope in rule.slopes):
                pass  # a row of the master problem
            case forms.Counter(least=None, most=int(most), days=None, below=None, above=None) if max(rule.amounts) <= 1:
                self._limit(rule, most)
            case _:
                raise UnpricedRule.of([rule.rule], "a rule of a form that columns do not price")

    def _limit(self, rule: forms.Counter, most: int) -> None:
        if most <= 0:
            self.base[:, np.flatnonzero(rule.amounts)] = np.inf
        elif most < self.days:
            self.limits.append(Counter(rule.rule, rule.amounts, 0, most))

    def model(self) -> NurseModel:
        excess, weekends = CountCost.of(self.weekends), next((each.weekends or () for each in self.weekends), ())
        counted = excess.of_each(np.arange(len(weekends) + 1)).any()
        if counted:
            self.limits.append(Counter(MOST_WEEKENDS, (0,) * len(self.paid), 1, int(min(excess.most, len(weekends)))))
        weekend_of = {day: k for k, days in enumerate(weekends) for day in days} if counted else {}
        marked = tuple(weekend_of.get(day, -1) for day in range(self.days))
        self.automata.append(Weekends(self.seen_alone, MOST_WEEKENDS, marked))
        return NurseModel(
            days=self.days,
            labels=self.off + 1,
            base=self.base,
            paid=self.paid,
            automata=tuple(self.automata),
            hours=CountCost.of(self.hours),
            limits=tuple(self.limits),
            weekend_of=np.array(marked),
            excess=excess,
        )


def _is_summed(tally: Tally | None) -> bool:
    """Whether its score is what each day adds, and nothing else."""
    return tally is None or (tally.within is None and not tally.rests)
