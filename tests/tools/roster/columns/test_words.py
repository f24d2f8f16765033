"""The automaton of words against their definition, and rules of a form that columns do not price."""

from math import inf

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from roster_models import small_ward

from wavegraph.tools.roster.columns.automaton import tabulate
from wavegraph.tools.roster.columns.build_nurse_models import UnpricedRule, build_nurse_models
from wavegraph.tools.roster.columns.master_rows import build_master_rows
from wavegraph.tools.roster.columns.nurse_model import run
from wavegraph.tools.roster.columns.rule_automata import Horizon, Words
from wavegraph.tools.roster.problem.ids import RuleId
from wavegraph.tools.roster.problem.instance import Instance
from wavegraph.tools.roster.problem.prices import NO_PENALTIES, Prices
from wavegraph.tools.roster.problem.rules import declared, forms
from wavegraph.tools.roster.problem.rules.forms import Counter, Order, Price, Slope, Tally, Together, Window, Word

SHIFTS, DAYS = 2, 6
SOME = settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
LABELS = st.integers(0, SHIFTS)
SETS = st.frozensets(LABELS, min_size=1)
KNOWN = st.lists(LABELS, max_size=5).map(tuple)
RULE = RuleId("run")


@st.composite
def words(draw: st.DrawFn, *, must: bool) -> Word:
    labels = tuple(draw(st.lists(SETS, min_size=1, max_size=4)))
    ends = draw(st.none() | st.frozensets(st.integers(0, DAYS + 4)))
    if must:
        return Word(labels, None, ends)
    return Word(labels, Price("any", draw(st.integers(1, 9))), ends, draw(st.none() | st.integers(-2, 4)))


def stands(word: Word, known: list[int], end: int) -> bool:
    first = end + 1 - len(word.labels)
    return first >= 0 and all(label in of for label, of in zip(known[first : end + 1], word.labels, strict=True))


@SOME
@given(st.data())
def test_words_are_forbidden_or_priced_wherever_they_stand_in_the_period(data: st.DataObject) -> None:
    must = data.draw(st.booleans())
    found = tuple(data.draw(st.lists(words(must=must), max_size=3)))
    tail, coming = data.draw(KNOWN), data.draw(KNOWN) if must else ()
    tally = None if must else Tally(data.draw(st.integers(-2, 4)), (1, 2, -1))
    row = data.draw(st.lists(LABELS, min_size=DAYS, max_size=DAYS))
    layers = tabulate(Words(Horizon(SHIFTS, DAYS, tail, coming), RULE, found, tally), DAYS, SHIFTS + 1)

    known, cost = [*tail, *row, *coming], 0.0
    for word in found:
        for day in range(DAYS + len(coming)):
            score = tally.begins + sum(tally.amounts[label] for label in row[:day]) if tally else -inf
            tired = word.tired is None or score >= word.tired
            begun = day + 1 - len(word.labels) < DAYS
            if begun and tired and (word.ends is None or day in word.ends) and stands(word, known, day + len(tail)):
                cost += inf if word.price is None else word.price.amount
    paid = run(layers, np.array(row)) if len(layers[0].after) else None
    assert (inf if paid is None else paid) == cost


def instance() -> Instance:
    return Instance(small_ward({"E": "1" * 7, "L": "1" * 7}, {"ann": {}, "ben": {}}))


@pytest.mark.parametrize(
    "rule",
    [
        Counter(RULE, 0, (1, 0, 0), least=2),
        Counter(RULE, 0, (1, 0, 0), frozenset({1, 2}), most=1),
        Counter(RULE, 0, (1, 2, 0), most=1),
        Counter(RULE, 0, (1, 0, 0), above=Slope("any", 2, (1,), step=2)),
        Window(RULE, 0, frozenset({2}), (), length=5, least=1),
        Order(RULE, 0, (Word((frozenset({0}),), below=3),), Tally(0, (1, 1, -1))),
        Order(RULE, 0, (Word((frozenset({0}),), tired=3),), Tally(0, (1, 1, -1), within=(0, 9))),
    ],
)
def test_a_form_that_columns_do_not_price_is_refused(rule: forms.Rule, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(declared, "MUST", (lambda _: [rule],))
    with pytest.raises(UnpricedRule, match="run: a rule of a form that columns do not price"):
        build_nurse_models(instance(), Prices.make(NO_PENALTIES, {}))


@SOME
@given(st.data())
def test_two_nurses_clash_once_a_day(data: st.DataObject) -> None:
    clashes = tuple(data.draw(st.lists(st.tuples(SETS, SETS), min_size=1, max_size=3)))
    first, second = data.draw(LABELS), data.draw(LABELS)
    together = Together(RuleId("pairs"), 0, 1, 3, clashes, Price("pairs", 7))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(declared, "PRICED", (lambda *_: [together],))
        rows = build_master_rows(instance(), Prices.make(NO_PENALTIES, {}))
    activity = np.zeros(len(rows))
    for nurse, label in enumerate((first, second)):
        activity += rows.activity(nurse, np.full(7, label))
    [shared] = rows.shared
    assert shared.cost(activity) == 7 * any(first in labels and second in others for labels, others in clashes)
