"""Each form of rule is posted as it is declared, at the ends of what is known, too."""

from typing import Any, cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from ortools.sat.python import cp_model
from roster_limits import with_pasts
from roster_models import built, least_cost, small_ward
from roster_rules import all_rosters, tiny_wards

from wavegraph.tools.roster.checks.compliance import check_compliance
from wavegraph.tools.roster.checks.cost import cost_by_kind
from wavegraph.tools.roster.cpsat.post import Poster
from wavegraph.tools.roster.cpsat.solve import priced_model
from wavegraph.tools.roster.problem.ids import RuleId
from wavegraph.tools.roster.problem.instance import Instance
from wavegraph.tools.roster.problem.prices import KINDS as PENALTIES
from wavegraph.tools.roster.problem.prices import Penalties, Prices
from wavegraph.tools.roster.problem.rules.forms import Cell, Order, Price, Rule, Together, Word
from wavegraph.tools.roster.ward.ward import FollowedBy, Pair, Ward

RULE = RuleId("run")
KINDS = {"D": "0000", "E": "0000", "N": "0000"}
D, E, N, OFF = range(4)
MULTIPLIERS = st.dictionaries(st.sampled_from(PENALTIES), st.sampled_from((0, 1.5, 2.25)), max_size=3)


def least(ward: Ward, *rules: Rule) -> int:
    """The least that a roster costs by these rules alone, where every day is worked."""
    poster = Poster.of(Instance(ward), rules)
    for works in poster.v.works.values():
        poster.model.add_bool_or([works])
    poster.model.minimize(poster.objective.total)
    found = optimum(poster)
    assert found is not None
    return found


def optimum(poster: Poster) -> int | None:
    """None = there is no roster."""
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    return round(solver.objective_value) if solver.solve(poster.model) == cp_model.OPTIMAL else None


def test_a_form_that_nobody_listed_is_refused() -> None:
    poster = Poster.of(Instance(small_ward(KINDS)))
    with pytest.raises(AssertionError, match="'a rule of another form'"):
        poster.post([cast(Any, "a rule of another form")])


def test_words_that_cannot_stand_together_share_what_they_cost() -> None:
    """Two days of one kind, of either of two, and the third kind is forbidden on all days."""
    some, other = frozenset({D}), frozenset({E})
    words = tuple(Word((labels, labels), Price("runs", 5)) for labels in (some, other))
    never = [Cell(RULE, 0, day, frozenset({N})) for day in range(4)]
    ward = small_ward(KINDS)
    assert least(ward, Order(RULE, 0, words), *never) == 0
    alike = [Cell(RULE, 0, day, frozenset({N, E})) for day in range(4)]
    assert least(ward, Order(RULE, 0, words), *alike) == 15
    poster = Poster.of(Instance(ward), [Order(RULE, 0, words)])
    assert len(poster.objective.terms["runs"]) == 3


def test_a_day_of_any_label_is_no_part_of_a_word() -> None:
    """The same kind two days apart, whatever lies between: a clause of two literals."""
    any_label = frozenset({D, E, N, OFF})
    word = Word((frozenset({D}), any_label, frozenset({D})))
    never = [Cell(RULE, 0, 0, frozenset({E, N})), Cell(RULE, 0, 2, frozenset({N}), Price("wishes", 3))]
    again = Cell(RULE, 0, 2, frozenset({E}), Price("wishes", 2))
    assert least(small_ward(KINDS), Order(RULE, 0, (word,)), *never, again) == 2
    clauses = Poster.of(Instance(small_ward(KINDS)), [Order(RULE, 0, (word,))]).model.proto.constraints
    assert [len(each.bool_or.literals) for each in clauses if each.has_bool_or()] == [2, 2]


def test_a_day_with_one_of_several_labels_is_priced_once() -> None:
    ward = small_ward(KINDS)
    assert least(ward, Cell(RULE, 0, 1, frozenset({D, E, N}), Price("wishes", 4))) == 4
    assert least(ward, Cell(RULE, 0, 1, frozenset({D, E, OFF}), Price("wishes", 4))) == 0


def test_a_clash_of_several_labels_is_priced_once() -> None:
    ward = small_ward(KINDS, {"ann": None, "ben": None})
    both = frozenset({D, E}), frozenset({E, N})
    never = [Cell(RULE, 0, 1, frozenset({N})), Cell(RULE, 1, 1, frozenset({D}))]
    assert least(ward, Together(RULE, 0, 1, 1, (both, both), Price("pairs", 7)), *never) == 7
    assert least(ward, Together(RULE, 0, 1, 1, (both, both), Price("pairs", 7)), *never[:1]) == 0


@st.composite
def priced_wards(draw: st.DrawFn) -> Ward:
    """A tiny ward with a past, a kind of night, holidays, whole weekends asked for or not, and a pair of two for three days."""
    ward = draw(tiny_wards().flatmap(with_pasts))
    early, late = ward.shifts
    night = late.model_copy(update={"night": draw(st.booleans())})
    holidays = sorted(draw(st.sets(st.sampled_from([ward.day(day) for day in range(ward.days)]), max_size=2)))
    ward = ward.changed(shifts=[early, night], holidays=holidays).with_rules(complete_weekends=draw(st.booleans()))
    if not draw(st.booleans()):
        return ward
    ben = ward.nurses[0].model_copy(update={"id": "ben"})
    pair = Pair(first="ann", second="ben", together=draw(st.booleans()), weight=3)
    short = ward.changed(days=3, nurses=[*ward.nurses, ben], pairs=[pair])
    return short.changed(
        demand=[row for row in ward.demand if short.index(row.day) < 3],
        locked=[row for row in ward.locked if short.index(row.day) < 3],
        holidays=[day for day in holidays if short.index(day) < 3],
    )


@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(priced_wards(), MULTIPLIERS)
def test_the_optimum_is_the_least_that_any_roster_costs_by_hand(ward: Ward, multipliers: dict[str, float]) -> None:
    """Of all rosters there are, with every penalty."""
    prices = Prices.make(Penalties(), multipliers)
    poster = priced_model(Instance(ward), prices)
    legal = (each for each in all_rosters(ward) if check_compliance(ward, each).status == "PASS")
    costs = [sum(cost_by_kind(ward, each, prices).values()) for each in legal]
    assert optimum(poster) == (min(costs) if costs else None)


def tail(cells: str) -> dict[str, Any]:
    return {"ann": {"history": {"tail": [None if cell == "-" else cell for cell in cells]}}}


def test_the_first_fortnight_that_holds_a_week_with_the_first_day_makes_the_average() -> None:
    """Two days off a fortnight before the first day, and eleven worked."""
    rested = {"weekly_rest_hours": 35}
    assert least_cost(small_ward({"D": "1"}, tail("--DDDDDDDDDDD"), rules=rested)) == 0
    assert least_cost(small_ward({"D": "1"}, tail("D-DDDDDDDDDDD"), rules=rested)) == 100


@pytest.mark.parametrize(("days", "cost"), [(6, 0), (5, 100)])
def test_a_fortnight_of_which_days_come_after_makes_the_average(days: int, cost: int) -> None:
    """A week without rest, one day off before it and the others after it; thirteen known days are no fortnight."""
    ward = small_ward({"D": "1111111"}, tail("-"), rules={"weekly_rest_hours": 35})
    assert least_cost(ward.changed(followed_by=FollowedBy(roster={"ann": [None] * days}))) == cost


def test_what_is_known_is_no_variable() -> None:
    """A tail and days after add no cell to the model, and the words that they rule out no constraint."""
    plain = small_ward({"D": "111"}, rules={"max_days_in_a_row": 3})
    known = small_ward({"D": "111"}, tail("-" * 8), rules={"max_days_in_a_row": 3})
    models = [built(ward.changed(followed_by=after)).model for ward, after in ((plain, None), (known, REST))]
    assert len(models[0].proto.variables) == len(models[1].proto.variables)
    assert len(models[0].proto.constraints) == len(models[1].proto.constraints)


REST = FollowedBy(roster={"ann": [None] * 8})
