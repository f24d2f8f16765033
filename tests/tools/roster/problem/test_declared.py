"""What is declared of a ward's rules: once for a search, and never without bounds."""

import time
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from patience import HANGS_S
from roster_models import on, small_ward

from wavegraph.tools.roster.columns.solve import solve
from wavegraph.tools.roster.cpsat.grounds import Deadline
from wavegraph.tools.roster.cpsat.relaxations import Loosened, relaxations
from wavegraph.tools.roster.problem.ids import RuleId
from wavegraph.tools.roster.problem.instance import Instance
from wavegraph.tools.roster.problem.rules import declared
from wavegraph.tools.roster.problem.rules.forms import MOST_WORDS, Order, TooManyWords, Word
from wavegraph.tools.roster.problem.rules.knobs import Knob, of_rules

WORK, OFF = frozenset({0}), frozenset({1})


def test_what_costs_is_declared_once_for_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nurses, rows of the master problem and the account read the same declarations."""
    asked: list[str] = []

    def counted(declare: Any) -> Any:
        def once(*of: Any) -> Any:
            asked.append(declare.__name__)
            return declare(*of)

        return once

    monkeypatch.setattr(declared, "PRICED", tuple(map(counted, declared.PRICED)))
    ward = small_ward({"D": "1111"}, {"ann": {}, "ben": {}})
    assert solve(ward, seconds=60, work=1.0).roster is not None
    assert len(asked) == len(set(asked)) == len(declared.PRICED)


def weekends_in_a_row(most: int) -> Iterator[Word]:
    """Of each weekend more than the most, either day may be the worked one: a list that doubles with each more of them."""
    for weekends in product(((WORK, OFF), (OFF, WORK)), repeat=most + 1):
        yield Word(tuple(label for weekend in weekends for label in weekend))


def test_a_list_of_words_that_doubles_is_refused_before_it_fills_the_memory() -> None:
    assert len(Order(RuleId("run"), 0, tuple(weekends_in_a_row(9))).words) == 1024 <= MOST_WORDS
    with pytest.raises(TooManyWords, match="run: more than 100,000 words"):
        Order(RuleId("run"), 0, weekends_in_a_row(60))  # type: ignore[arg-type]


def test_a_knob_goes_no_further_than_its_list_of_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a ward that two weekends in a row keep from a roster, something else gives."""

    def most(instance: Instance) -> Iterator[Order]:
        yield Order(RuleId("run"), 0, weekends_in_a_row(instance.ward.rules.max_days_in_a_row or 0))  # type: ignore[arg-type]

    def knob(instance: Instance) -> Iterator[Knob]:
        yield of_rules(instance.ward, RuleId("run"), "max_days_in_a_row", range(2, 61), rises=True)

    monkeypatch.setattr(declared, "KNOBS", (*declared.KNOBS, knob))
    monkeypatch.setattr("wavegraph.tools.roster.cpsat.grounds.MUST", (*declared.MUST, most))
    cells = [{"nurse": "ann", "day": on(day), "shift": "D" if day % 2 == 0 else None} for day in range(4)]
    ward = small_ward({"D": "1010"}, locked=cells, rules={"max_days_in_a_row": 1})
    found = relaxations(ward, with_cover=False, deadline=Deadline(time.monotonic() + HANGS_S))
    assert {step.knob.rule.kind for each in found for step in each.steps if isinstance(step, Loosened)} == {"locked"}
