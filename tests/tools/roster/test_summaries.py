"""What is told of a ward before it is solved."""

from datetime import date

import pytest
from roster_models import small_ward
from roster_wards import ROWS, rows, ward_of_two

from wavegraph.tools.roster.answers.phrases import worded
from wavegraph.tools.roster.records import Publication
from wavegraph.tools.roster.reports import report_of
from wavegraph.tools.roster.summaries import all_short, demand_of, requests_of, staff_of


@pytest.mark.parametrize(("high", "tired"), [(0.7, ["ben 0.70"]), (0.5, ["ann 0.60", "ben 0.70"]), (0.8, [])])
def test_who_begins_tired_by_the_wards_own_scale(high: float, tired: list[str]) -> None:
    nurses = {"ann": {"fatigue": 0.6}, "ben": {"fatigue": 0.7}}
    ward = small_ward({"D": "1"}, nurses, fairness={"fatigue": {"high": high}})

    assert staff_of(ward, "a" * 64).tired == tired


def test_every_day_has_its_demand_and_equal_days_stand_together() -> None:
    demand = [
        {"day": day, "shift": shift, "skill": skill, "minimum": least, "target": target}
        for day, shift, skill, least, target in (
            ("2026-11-23", "E", None, 1, 2),
            ("2026-11-23", "E", "charge", 0, 1),
            ("2026-11-25", "E", "charge", 0, 1),
            ("2026-11-25", "E", None, 1, 2),
            ("2026-11-24", "N", None, 1, 1),
            ("2026-11-24", "L", None, 0, 0),
        )
    ]
    told = demand_of(ward_of_two(days=4, demand=demand), "a" * 64)

    assert told.model_dump(mode="json")["by_day"] == [
        {"days": ["2026-11-23", "2026-11-25"], "least": {"E": 1}, "target": {"E": 2}, "of_skill": {"E charge": 1}},
        {"days": ["2026-11-24"], "least": {"N": 1}, "target": {"N": 1}},
        {"days": ["2026-11-26"], "least": {}, "target": {}},
    ]


@pytest.mark.parametrize(("days", "end"), [(1, "2026-11-23"), (14, "2026-12-06"), (366, "2027-11-23")])
def test_a_result_has_the_periods_last_day(days: int, end: str) -> None:
    assert staff_of(ward_of_two(days=days), "a" * 64).model_dump(mode="json")["end"] == end


def test_a_result_of_an_earlier_version_has_it_too() -> None:
    before = {
        "ward": "Two",
        "ward_hash": "a" * 64,
        "start": "2026-02-25",
        "days": 7,
        "roster_id": "1",
        "as_draft": True,
    }

    assert Publication.model_validate(before).end == date(2026, 3, 3)


def test_every_way_to_be_short_is_told_what_breaks_a_rule_first() -> None:
    """Too few to the target, to the minimum, and nobody in charge."""
    wanted = [("2026-11-23", "E", 2), ("2026-11-23", "L", 1), ("2026-11-28", "E", 1)]
    demand = [{"day": day, "shift": shift, "minimum": 1, "target": target} for day, shift, target in wanted]
    ward = ward_of_two(nurses__1__skills=["RN"], demand=demand)
    told = [worded(each, "en") for each in all_short(ward, report_of(ward, rows(**ROWS)))]

    assert told == [
        "0 nurses on E of Saturday 2026-11-28, at least 1 needed",
        "nobody with skill charge on L of Monday 2026-11-23, one needed in charge",
        "nobody with skill charge on E of Saturday 2026-11-28, one needed in charge",
        "1 nurse on E of Monday 2026-11-23, 2 wanted",
    ]


def test_what_the_file_has_for_a_nurse_is_told_in_both_languages() -> None:
    """By its fields; an earlier version stored the English words."""
    leave = [{"nurse": "ann", "day": f"2026-11-{day}"} for day in (23, 24, 25, 27)]
    wishes = [{"nurse": "ann", "day": "2026-11-29", "wants": False}]
    asked = requests_of(ward_of_two(leave=leave, wishes=wishes), "a" * 64).by_nurse

    assert worded(asked["ann"], "en") == "1 wish, leave on Monday 2026-11-23 to Wednesday 2026-11-25, Friday 2026-11-27"
    assert worded(asked["ann"], "he") == (
        "בקשה אחת, חופשה: יום שני, 23 בנובמבר 2026 עד יום רביעי, 25 בנובמבר 2026, יום שישי, 27 בנובמבר 2026"
    )
    assert worded("3 wishes, leave on 2026-12-05", "he") == "3 wishes, leave on 2026-12-05"
