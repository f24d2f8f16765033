"""What a ward's file says and may not mean: asked about, and not taken for a fault."""

from typing import Any

import pytest
from roster_wards import DEMO, two, ward_of_two
from tables import table

from wavegraph.tools.roster.answers.phrases import in_english
from wavegraph.tools.roster.told import english
from wavegraph.tools.roster.ward.doubts import doubts
from wavegraph.tools.roster.ward.faults import WardError
from wavegraph.tools.roster.ward.file import read_ward, ward_of


@table(
    ("changes", "asked"),
    [
        ({}, []),
        ({"shifts__0__minutes": 8}, ["shift E lasts 8 minutes: are 8 hours meant, 480?"]),
        ({"shifts__0__minutes": 1}, ["shift E lasts 1 minute: are 1 hour meant, 60?"]),
        ({"shifts__0__minutes": 60}, []),
        ({"shifts__0__paid_minutes": 7}, ["shift E is paid for 7 minutes: are 7 hours meant, 420?"]),
        ({"shifts__0__paid_minutes": 0}, []),  # on call
        ({"shifts__2__minutes": 1440}, ["shift N is a night of 24 h: does it really end a day later?"]),
        ({"shifts__2__minutes": 1020}, ["shift N is a night of 17 h: does it really end 17 h after it begins?"]),
        ({"shifts__2__minutes": 960}, []),
        ({"shifts__0__minutes": 1440}, []),  # a whole day on duty, and no night
        ({"nurses__1__contract": {"target_minutes": 80}},
         ["target_minutes of ben is 80 minutes, less than any shift: are 80 hours meant, 4800?"]),
        ({"nurses__1__contract": {"max_minutes": 88}},
         ["max_minutes of ben is 88 minutes, less than any shift: are 88 hours meant, 5280?"]),
        ({"nurses__1__contract": {"target_minutes": 0}}, []),
        ({"nurses__1__contract": {"target_minutes": 480}}, []),
    ],
)  # fmt: skip
def test_what_is_asked_about(changes: dict[str, Any], asked: list[str]) -> None:
    assert in_english(doubts(ward_of_two(**{"demand": [], "nurses__0__contract": {}, **changes}))) == asked


def test_one_question_for_many_nurses() -> None:
    nurses = [{"id": f"n{n}", "skills": ["charge"], "contract": {"target_minutes": 80}} for n in range(5)]
    assert in_english(doubts(ward_of_two(nurses=nurses, demand=[]))) == [
        "target_minutes of n0, n1, n2 and 2 more is 80 minutes, less than any shift: are 80 hours meant, 4800?"
    ]


def test_hours_that_were_brought_to_a_short_period_are_not_odd() -> None:
    data = two(nurses__0__contract={"per_days": 28, "target_minutes": 4800}, nurses__1__contract={})
    assert doubts(ward_of(data, days=1)) == []


@pytest.mark.parametrize("name", ["harbour.yaml", "willow.yaml"])
def test_the_demo_wards_mean_what_they_say(name: str) -> None:
    assert doubts(read_ward(DEMO / name)) == []


@table(
    ("path", "value", "expected"),
    [
        ("nurses__0__contract__max_nigths", 3, "no field of this name; did you mean max_nights?"),
        ("nurses__0__contract__per_day", 14, "no field of this name; did you mean per_days?"),
        ("nurses__0__Skills", [], "no field of this name; did you mean skills?"),
        ("nurses__0__history__tails", [], "no field of this name; did you mean tail?"),
        ("demand__0__weekday", "monday", "no field of this name; did you mean weekdays?"),
        (
            "pairs",
            [{"first": "ann", "second": "ben", "together": True, "weight": 1, "x": 1}],
            "no field of this name; there are first, second, together, weight",
        ),
        ("wish", [], "no field of this name; did you mean wishes?"),
        ("holiday", [], "no field of this name; did you mean holidays?"),
        ("rules__daily rest hours", 11, "no field of this name; did you mean daily_rest_hours?"),
        ("fairness__fatigue__per-night", 0.1, "no field of this name; did you mean per_night?"),
    ],
)
def test_a_field_with_a_slip_is_asked_about(path: str, value: Any, expected: str) -> None:
    with pytest.raises(WardError) as refused:
        ward_of(two(**{path: value}))
    assert [english(fault.expected) for fault in refused.value.faults] == [expected]


def test_an_id_with_a_slip_is_asked_about() -> None:
    with pytest.raises(WardError) as refused:
        ward_of(two(leave=[{"nurse": "anne", "day": "2026-11-24"}]))
    assert english(refused.value.faults[0].expected) == "one of the ward's nurses: ann, ben; did you mean ann?"
