"""What a change breaks: the same as the checks find of the whole roster, and nothing that was as bad before."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as st
from roster_strategies import rosters, wards
from roster_wards import ROWS, rows, two, ward_of_two
from tables import table

from wavegraph.tools.roster.checks.compliance import check_compliance
from wavegraph.tools.roster.checks.cost import roster_cost
from wavegraph.tools.roster.checks.empathy import check_empathy
from wavegraph.tools.roster.checks.judge import Judge
from wavegraph.tools.roster.ward.ward import Roster, Ward


@st.composite
def changes(draw: st.DrawFn) -> tuple[Ward, Roster, dict[tuple[str, int], str | None]]:
    ward = draw(wards())
    cells = st.tuples(st.sampled_from([nurse.id for nurse in ward.nurses]), st.integers(0, ward.days - 1))
    shifts = st.sampled_from([None, *ward.shift_by_id])
    return ward, draw(rosters(ward)), draw(st.dictionaries(cells, shifts, max_size=3))


@given(changes())
@settings(max_examples=60)
def test_it_finds_what_the_checks_find_of_the_whole_roster(case: Any) -> None:
    ward, roster, cells = case
    found = Judge(ward, roster).changed(cells).after
    changed = {nurse: list(row) for nurse, row in roster.items()}
    for (nurse, day), shift in cells.items():
        changed[nurse][day] = shift

    bare = ward.model_copy(update={"published": None})
    assert found.roster == changed
    assert found.compliance == check_compliance(bare, changed).findings
    assert found.empathy == check_empathy(bare, changed)
    assert found.cost == roster_cost(bare, changed)


NONE: Mapping[str, Any] = {}


class Case(NamedTuple):
    id: str
    before: str
    """Ann's row."""
    now: str
    new: list[str]
    ward: Mapping[str, Any] = NONE


ONE = {"day": "2026-11-24", "shift": "E"}
CASES = [
    Case("nothing", ROWS["ann"], ROWS["ann"], []),
    Case("a new breach", ROWS["ann"], "ELEEE--EEEEE--", ["daily_rest"]),
    Case("a breach mended", "ELEEE--EEEEE--", ROWS["ann"], []),
    Case("the same breach on another day", "ELEEE--EEEEE--", "EELEE--EEEEE--", ["daily_rest"]),
    Case("a run that grows", "EEEEEEEEEEE---", "EEEEEEEEEEEE--", ["consecutive_days"], {"rules__max_days_in_a_row": 5}),
    Case("a run that shrinks at its end", "EEEEEEEE------", "EEEEEEE-------", [], {"rules__max_days_in_a_row": 5}),
    Case("a run that shrinks at its beginning", "EEEEEEEE------", "-EEEEEEE------", [], {"rules__max_days_in_a_row": 5}),
    Case("a short run that grows at its beginning", "EE---E---EE---", "EE--EE---EE---", [], {"nurses__0__contract__min_run": 3}),
    Case("a short run elsewhere", "EE---E--EEEEE-", "EE-E---EEEEEE-", ["run_length"], {"nurses__0__contract__min_run": 2}),
    Case("fewer missing", "E-EEE--EEEEE--", ROWS["ann"], [], {"demand": [{**ONE, "minimum": 2, "target": 3}]}),
    Case("a target missed becomes a minimum missed", ROWS["ann"], "E-EEE--EEEEE--", ["coverage"],
         {"demand": [{**ONE, "minimum": 1, "target": 3}]}),
    Case("another skill missed than before", ROWS["ann"], "ELEEE--EEEEE--", ["skill_mix", "daily_rest"],
         {"skills": ["RN", "charge", "pediatric", "icu"], "demand": [
             {**ONE, "skill": "icu", "minimum": 1, "target": 1}, {**ONE, "skill": "pediatric", "minimum": 1, "target": 1}]}),
    Case("too few hours become too many", "EEEEE---------", "EEEEE--EEEEE--", ["contract_hours"],
         {"nurses__0__contract": {"min_minutes": 3000, "max_minutes": 3000}}),
    Case("still too few hours", "EEEEE---------", "EEEEE--EE-----", [], {"nurses__0__contract__min_minutes": 4800}),
]  # fmt: skip


@table("case", CASES)
def test_only_what_is_new_or_worse_is_named(case: Case) -> None:
    ward = ward_of_two(**{"demand": [], "rules__weekly_rest_hours": 0, "rules__charge_skill": None, **case.ward})
    before, now = rows(ann=case.before, ben=ROWS["ben"]), rows(ann=case.now)["ann"]
    made = Judge(ward, before).changed({("ann", day): cell for day, cell in enumerate(now)})

    assert [found.type for found in made.new if found.level == "breach"] == case.new


def test_a_minimum_that_is_met_again_leaves_no_new_warning_of_the_target() -> None:
    wanted = [{**ONE, "minimum": 1, "target": 2}]
    ward = ward_of_two(demand=wanted, rules__weekly_rest_hours=0, rules__charge_skill=None)
    made = Judge(ward, rows(ann="E-EEE--EEEEE--", ben=ROWS["ben"])).changed({("ann", 1): "E"})

    assert [found.type for found in made.after.compliance if found.level == "warning"] == ["coverage"]
    assert [found.type for found in made.new if found.type == "coverage"] == []


def test_what_was_published_before_costs_nothing() -> None:
    data = two(published={"roster": {"ann": [None] * 14}, "weight": 30})
    assert Judge(Ward.model_validate(data), rows(**ROWS)).before.cost.changes is None
