"""What the last days break with the days after them that are published."""

from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from roster_models import cost_parts, small_ward
from roster_wards import rows, ward_of_two
from tables import table

from wavegraph.tools.roster.checks.compliance import check_compliance
from wavegraph.tools.roster.checks.rest import check_weekly_rest
from wavegraph.tools.roster.checks.timelines import Checked
from wavegraph.tools.roster.ward.ward import FollowedBy


class Case(NamedTuple):
    id: str
    row: str
    coming: str
    found: list[str]
    ward: dict[str, Any] = {}  # noqa: RUF012


BOUND = "nurses__0__contract__"
CASES = [
    Case("nothing", "EEEEE--EEEEE--", "EEEEE--", []),
    Case("a night and an early shift", "-------------N", "E",
         ["0 h between N of 2026-12-06 and E of 2026-12-07, 11 h needed", "0 h between N of 2026-12-06 and E of 2026-12-07, 46 h"]),
    Case("with a day off between them", "-------------N", "-E", ["24 h between N of 2026-12-06 and E of 2026-12-08, 46 h"]),
    Case("a shift that must not follow", "-------------L", "E", ["E on 2026-12-07, the day after L", ],
         {"rules__daily_rest_hours": 0, "shifts__1__not_followed_by": ["E"]}),
    Case("days in a row", "EEEEE-----EEEE", "EEE", ["7 days in a row from 2026-12-03, at most 6"]),
    Case("nights in a row", "EE----------NN", "NN", ["4 nights in a row from 2026-12-05, at most 3"]),
    Case("too few days off", "EEEEE--EEEEEE-", "EEEE", ["1 day off in a row from 2026-12-06, at least 2"],
         {BOUND + "min_days_off": 2}),
    Case("too few days on", "EEEEE--------E", "-", ["1 day in a row from 2026-12-06, at least 2"], {BOUND + "min_run": 2}),
    Case("a limit of one shift", "EEEEE-------EE", "E", ["3 E in a row from 2026-12-05, at most 2"],
         {BOUND + "runs": [{"shifts": ["E"], "most": 2}], BOUND + "min_minutes": 0}),
    Case("of its own fault, what is published", "EEEEE--EEEEE--", "NEEEEEEEEE", []),
    Case("days that are known up to the break alone", "EEEEE--EEEEE--", "", []),
]  # fmt: skip


@table("case", CASES)
def test_it_is_found_with_both_days_and_the_version(case: Case) -> None:
    ward = ward_of_two(demand=[], **{BOUND + "min_minutes": 0, "rules__weekly_rest_hours": 0, **case.ward})
    roster = rows(ann=case.row, ben="--------------")
    alone = check_compliance(ward, roster).breaches
    then = ward.changed(followed_by=FollowedBy(roster=rows(ann=case.coming, ben=""), version="V7"))

    new = [found for found in check_compliance(then, roster).breaches if found not in alone]
    assert len(new) == len(case.found)
    assert {found.nurse_id for found in new} <= {"ann"}
    for words in case.found:
        [told] = [found.detail for found in new if words in found.detail]
        assert told.endswith("; V7, which is published, begins on 2026-12-07")


@pytest.mark.parametrize(
    ("tail", "row", "coming", "alone", "then"),
    [
        ("-----", "EEEEEEE", "--", ["breach"], ["compensatory"]),
        ("", "EEEEEL-", "E", [], ["breach"]),  # 33 hours around the day off
        ("", "EEEEEL-", "L", [], []),
    ],
    ids=["two rest days in fourteen", "a day off that is too short", "a day off that is long enough"],
)
def test_the_days_after_count_for_the_rest_of_the_last_week(
    tail: str, row: str, coming: str, alone: list[str], then: list[str]
) -> None:
    history = {"tail": rows(ann=tail)["ann"]}
    targets = {"E": "0" * 7, "L": "0" * 7}
    ward = small_ward(targets, {"ann": {"history": history}}, rules={"weekly_rest_hours": 35})
    followed, roster = ward.changed(followed_by=FollowedBy(roster=rows(ann=coming))), rows(ann=row)
    assert [found.level for found in check_weekly_rest(Checked(ward, roster))] == alone
    assert [found.level for found in check_weekly_rest(Checked(followed, roster))] == then
    assert (cost_parts(followed, roster) is None) == ("breach" in then)


def cells(least: int, most: int) -> st.SearchStrategy[list[str | None]]:
    return st.lists(st.sampled_from((None, "E", "L", "L")), min_size=least, max_size=most)


@settings(max_examples=40, deadline=None)
@given(cells(0, 14), cells(8, 8), cells(0, 12))
def test_the_checks_and_the_model_agree_on_the_weekly_rest(
    tail: list[str | None], row: list[str | None], coming: list[str | None]
) -> None:
    history = {"history": {"tail": tail}}
    ward = small_ward({"E": "0" * 8, "L": "0" * 8}, {"ann": history}, rules={"weekly_rest_hours": 35})
    followed = ward.changed(followed_by=FollowedBy(roster={"ann": coming}))
    roster = {"ann": row}
    assert (cost_parts(followed, roster) is not None) == (not check_compliance(followed, roster).breaches)
