"""Three periods in a row, each following those before it: the rules hold over the joined time, and nights are shared."""

from datetime import date, timedelta
from typing import Any

import pytest
from patience import HANGS_S

from wavegraph.tools.roster.checks.compliance import check_compliance
from wavegraph.tools.roster.checks.empathy import check_empathy
from wavegraph.tools.roster.problem.hours import contract_minutes
from wavegraph.tools.roster.versions.following import Known, following
from wavegraph.tools.roster.ward.file import ward_of
from wavegraph.tools.roster.ward.ward import Roster, Ward

pytest.importorskip("highspy")

from wavegraph.tools.roster.loop.solver import solve

SUNDAY = date(2026, 11, 29)
"""So each period begins within a weekend."""
DAYS, PERIODS = 7, 3
PERCENT = {"full": 100, "most": 75, "half": 50}
STAFF = [*["full"] * 3, *["most"] * 4, *["half"] * 4]
WEEKDAYS, WEEKEND = ["monday", "tuesday", "wednesday", "thursday", "friday"], ["saturday", "sunday"]


def nurse(place: int, group: str) -> dict[str, Any]:
    contract = {"percent": PERCENT[group], "max_weekends": 1, "max_nights": 3, "per_days": DAYS}
    return {"id": f"{group}_{place}", "skills": ["charge"] if place % 2 == 0 else [], "contract": contract}


WARD: dict[str, Any] = {
    "name": "Quarter",
    "days": DAYS,
    "skills": ["charge"],
    "shifts": [
        {"id": "E", "start": "07:00", "minutes": 480},
        {"id": "L", "start": "14:00", "minutes": 480, "not_followed_by": ["E"]},
        {"id": "N", "start": "22:00", "minutes": 480, "night": True},
    ],
    "nurses": [nurse(place, group) for place, group in enumerate(STAFF)],
    "demand": [
        {"weekdays": WEEKDAYS, "shift": "E", "minimum": 1, "target": 2},
        {"weekdays": WEEKEND, "shift": "E", "minimum": 1, "target": 1},
        {"weekdays": [*WEEKDAYS, *WEEKEND], "shift": "L", "minimum": 1, "target": 1},
        {"weekdays": [*WEEKDAYS, *WEEKEND], "shift": "N", "minimum": 2, "target": 2},
    ],
    "leave": [
        {"nurse": "full_1", "first": "2026-12-03", "last": "2026-12-04"},
        {"nurse": "half_8", "first": "2026-12-14", "last": "2026-12-15"},
    ],
    "holidays": ["2026-12-08", "2026-12-16"],
    "rules": {"full_time_hours": 40, "max_days_in_a_row": 6},
}


@pytest.fixture(scope="module")
def months() -> list[Known]:
    played: list[Known] = []
    for period in range(PERIODS):
        ward = following(ward_of(WARD, start=SUNDAY + timedelta(days=DAYS * period), days=DAYS), played)
        roster = solve(ward, work=2, seconds=HANGS_S).roster
        assert roster is not None
        played.append(Known(ward, roster))
    return played


def joined(months: list[Known]) -> tuple[Ward, Roster]:
    ward = ward_of(WARD, start=SUNDAY, days=DAYS * PERIODS)
    return ward, {n.id: [cell for month in months for cell in month.roster[n.id]] for n in ward.nurses}


def test_no_rule_is_broken_over_the_joined_time(months: list[Known]) -> None:
    assert check_compliance(*joined(months)).breaches == []


def test_each_month_is_fair(months: list[Known]) -> None:
    assert [check_empathy(*month).failed for month in months] == [[], [], []]


def test_what_the_last_month_follows_is_what_the_joined_time_has(months: list[Known]) -> None:
    """Counts that are carried over from two months, and added to those of the third."""
    carried = {share.nurse_id: share for share in check_empathy(*months[-1]).shares}
    history = {each.id: each.history for each in months[-1].ward.nurses}
    for whole in check_empathy(*joined(months)).shares:
        share, before = carried[whole.nurse_id], history[whole.nurse_id]
        assert (whole.nights, whole.weekends, whole.holidays, whole.minutes) == (
            before.nights + share.nights,
            before.weekends + share.weekends,
            before.holidays + share.holidays,
            before.minutes + share.minutes,
        )


def test_nights_per_contract_hour_are_alike_in_the_groups(months: list[Known]) -> None:
    ward, roster = joined(months)
    nights = dict.fromkeys(PERCENT, 0)
    hours = dict.fromkeys(PERCENT, 0)
    for each in ward.nurses:
        group = each.id.split("_")[0]
        nights[group] += roster[each.id].count("N")
        hours[group] += contract_minutes(each.contract) or 0
    rates = [nights[group] / hours[group] for group in PERCENT]
    assert max(rates) <= 1.1 * min(rates), nights
