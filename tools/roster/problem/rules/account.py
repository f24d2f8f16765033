"""What a roster costs by kind of penalty, read from the rules as they are declared."""

from collections import Counter as Tallied
from collections.abc import Iterable, Iterator, Sequence

from wavegraph.tools.roster.problem.instance import Instance
from wavegraph.tools.roster.problem.prices import Prices
from wavegraph.tools.roster.problem.rules.declared import cover_rows, priced_rules
from wavegraph.tools.roster.problem.rules.forms import Cell, Counter, Order, Row, Rule, Together
from wavegraph.tools.roster.ward.ward import Roster

Rows = Sequence[Sequence[int]]
"""The labels of each nurse's days."""


def labelled(instance: Instance, roster: Roster) -> list[list[int]]:
    """A roster by numbers."""
    return [labels_of(instance, roster[nurse.id]) for nurse in instance.nurses]


def labels_of(instance: Instance, row: Iterable[str | None]) -> list[int]:
    """A nurse's row; a day off comes after the shifts."""
    off = len(instance.shifts)
    return [off if shift is None else instance.shift_index[shift] for shift in row]


def cost_by_kind(instance: Instance, prices: Prices, rows: Rows) -> dict[str, int]:
    """In the objective's units; kinds that are priced but cost nothing are 0."""
    found: Tallied[str] = Tallied({kind: 0 for kind, price in prices.of.items() if price})
    for rule in (*cover_rows(instance, prices.scale), *priced_rules(instance, prices)):
        for kind, cost in _paid(instance, rule, rows):
            found[kind] += cost
    return dict(found)


def _paid(instance: Instance, rule: Rule, rows: Rows) -> Iterable[tuple[str, int]]:
    match rule:
        case Cell(price=price) if price:
            return [(price.kind, price.amount * (rows[rule.nurse][rule.day] in rule.labels))]
        case Counter():
            return rule.costs(rule.count(rows[rule.nurse], len(instance.shifts)))
        case Order():
            return _words_paid(instance, rule, rows[rule.nurse])
        case Row():
            return rule.costs(sum(rows[nurse][rule.day] == rule.label for nurse in rule.nurses))
        case Together():
            first, second = rows[rule.first][rule.day], rows[rule.second][rule.day]
            clash = any(first in a and second in b for a, b in rule.clashes)
            return [(rule.price.kind, rule.price.amount * clash)]
    return ()


def _words_paid(instance: Instance, order: Order, row: Sequence[int]) -> Iterator[tuple[str, int]]:
    off = len(instance.shifts)
    tail = [off if shift is None else shift for shift in instance.tails[order.nurse]]
    known = [*tail, *row]
    score = order.tally.begins if order.tally else 0
    for day, label in enumerate(row):
        for word in order.words:
            first = day + len(tail) + 1 - len(word.labels)
            stands = first >= 0 and all(map(lambda of, at: at in of, word.labels, known[first:]))
            counts = (word.ends is None or day in word.ends) and (word.tired is None or score >= word.tired)
            if stands and counts and word.price:
                yield word.price.kind, word.price.amount
        score += order.tally.amounts[label] if order.tally else 0
