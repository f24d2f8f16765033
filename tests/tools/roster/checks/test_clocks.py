"""Rest by the clock: across midnight, and in the nights in which the clocks change."""

from datetime import date, timedelta
from typing import Any

import pytest
from roster_wards import rows
from tables import table

from wavegraph.tools.roster.checks.compliance import check_compliance
from wavegraph.tools.roster.ward.ward import Ward

SHORT_NIGHT, LONG_NIGHT = "2027-03-28", "2026-10-25"
"""Sundays on which clocks in London go forward, and back."""


def ward(sunday_start: str, sunday: str, zone: str, **rules: Any) -> Ward:
    """Two days from the Saturday before: a late until 23:00, then a shift from `sunday_start` on."""
    return Ward.model_validate(
        {
            "name": "Two days",
            "start": date.fromisoformat(sunday) - timedelta(days=1),
            "days": 2,
            "time_zone": zone,
            "shifts": [
                {"id": "L", "start": "15:00", "minutes": 480},
                {"id": "N", "start": "23:00", "minutes": 480, "night": True},
                {"id": "S", "start": sunday_start, "minutes": 240},
            ],
            "nurses": [{"id": "ann"}],
            "rules": rules,
        }
    )


@table(
    ("start", "sunday", "zone", "rest"),
    [
        ("10:00", SHORT_NIGHT, "UTC", None),
        ("10:00", SHORT_NIGHT, "Europe/London", 10.0),
        ("11:00", SHORT_NIGHT, "Europe/London", None),
        ("09:00", LONG_NIGHT, "UTC", 10.0),
        ("09:00", LONG_NIGHT, "Europe/London", None),
        ("08:00", LONG_NIGHT, "Europe/London", 10.0),
        ("10:00", SHORT_NIGHT, "America/New_York", None),
    ],
)
def test_a_change_of_clocks_changes_the_rest_by_an_hour(start: str, sunday: str, zone: str, rest: float | None) -> None:
    found = check_compliance(ward(start, sunday, zone), rows(ann="LS")).findings
    assert [(finding.type, finding.actual) for finding in found] == ([("daily_rest", rest)] if rest else [])


@pytest.mark.parametrize("sunday", [SHORT_NIGHT, LONG_NIGHT])
def test_a_night_ends_when_the_clock_says_so(sunday: str) -> None:
    """From 23:00 to 07:00 whatever the clocks do, so the rest until 18:00 is the same eleven hours."""
    night = ward("18:00", sunday, "Europe/London", rest_after_nights_hours=0)
    assert check_compliance(night, rows(ann="NS")).findings == []
    longer = ward("18:00", sunday, "Europe/London", rest_after_nights_hours=11.5)
    assert [found.actual for found in check_compliance(longer, rows(ann="NS")).findings] == [11.0]


def test_shifts_that_overlap_have_less_than_no_rest() -> None:
    found = check_compliance(ward("05:00", SHORT_NIGHT, "UTC", rest_after_nights_hours=0), rows(ann="NS")).findings
    assert [(finding.type, finding.actual) for finding in found] == [("daily_rest", -2.0)]
    assert "which overlap by 2 h, 11 h of rest needed" in found[0].detail
