"""What a person asks for in words becomes rows of the ward: names, shifts, days, and what gives way."""

from dataclasses import dataclass
from datetime import date
from typing import Any

import pytest
from pydantic import ValidationError
from roster_wards import ward_of_two

from wavegraph.graph.errors import ToolRefusal
from wavegraph.tools.roster.answers.phrases import in_english
from wavegraph.tools.roster.arguments import LockedCell
from wavegraph.tools.roster.dialogue.amending import amended, settled
from wavegraph.tools.roster.records import Change
from wavegraph.tools.roster.ward.ward import Leave, Ward


def ward(**changes: Any) -> Ward:
    """Two weeks from Monday 2026-11-23; Ann and Ben; Early, Late and Night."""
    named = {"shifts__0__name": "Early", "shifts__1__name": "Late", "shifts__2__name": "Night"}
    return ward_of_two(**named, **changes)


def rows(field: str, *changes: Change, of: Ward | None = None) -> list[str]:
    """The ward's rows of a field afterwards, each as one line."""
    found, _ = amended(of or ward(), changes)
    return [
        " ".join(str(value) for value in row.model_dump(mode="json", exclude={"paid", "frozen"}).values())
        for row in getattr(found, field)
    ]


def words(*changes: Change, of: Ward | None = None) -> list[str]:
    return in_english(amended(of or ward(), changes)[1])


def refusal(*changes: Change, of: Ward | None = None) -> ToolRefusal:
    with pytest.raises(ToolRefusal) as caught:
        amended(of or ward(), changes)
    return caught.value


@dataclass(frozen=True)
class Case:
    id: str
    change: Change
    field: str
    rows: list[str]
    words: str


CASES = [
    Case(
        "no nights in the second week",
        Change(kind="unavailable", nurse="Ann", weeks=[2], shift="night"),
        "leave",
        [f"ann 2026-{day} N" for day in ("11-30", "12-01", "12-02", "12-03", "12-04", "12-05", "12-06")],
        "Ann: no shift N, Monday 2026-11-30 to Sunday 2026-12-06 (must hold)",
    ),
    Case(
        "Fridays off as a wish",
        Change(kind="avoids", nurse="ben", weekdays=["friday"]),
        "wishes",
        ["ben 2026-11-27 None False 10", "ben 2026-12-04 None False 10"],
        "Ben: would like to be off, Friday 2026-11-27, Friday 2026-12-04 (a wish)",
    ),
    Case(
        "a day's leave",
        Change(kind="unavailable", nurse="Ben", first="2026-11-25"),
        "leave",
        ["ben 2026-11-25 None"],
        "Ben: no work, Wednesday 2026-11-25 (must hold)",
    ),
    Case(
        "a shift by its name on a day of one week",
        Change(kind="locked", nurse="Ann", weekdays=["monday"], weeks=[1], shift="early"),
        "locked",
        ["ann 2026-11-23 E"],
        "Ann: shift E, Monday 2026-11-23 (settled)",
    ),
    Case(
        "a settled day off",
        Change(kind="locked", nurse="Ann", first="2026-11-24", last="2026-11-24", shift="Off"),
        "locked",
        ["ann 2026-11-24 None"],
        "Ann: off, Tuesday 2026-11-24 (settled)",
    ),
    Case(
        "a wish for a shift",
        Change(kind="prefers", nurse="Ann", first="2026-12-06", shift="L", weight=30),
        "wishes",
        ["ann 2026-12-06 L True 30"],
        "Ann: would like shift L, Sunday 2026-12-06 (a wish that matters a lot)",
    ),
    Case(
        "a wish against a shift, to the end of the period",
        Change(kind="avoids", nurse="Ann", first="2026-12-05", last="2027-01-10", shift="Late"),
        "wishes",
        ["ann 2026-12-05 L False 10", "ann 2026-12-06 L False 10"],
        "Ann: would rather not have shift L, Saturday 2026-12-05 to Sunday 2026-12-06 (a wish)",
    ),
    Case(
        "two to be kept apart",
        Change(kind="apart", nurse="Ann", other="Ben"),
        "pairs",
        ["ann ben False 10"],
        "Ann and Ben: not on the same shift, the whole period (a wish)",
    ),
    Case(
        "two to be kept together",
        Change(kind="together", nurse="Ben", other="Ann", weight=3),
        "pairs",
        ["ben ann True 3"],
        "Ben and Ann: on the same shifts, the whole period (a wish, if possible)",
    ),
]


def test_a_day_asked_off_counts_as_no_hours_unless_the_ward_pays_it() -> None:
    asked = Change(kind="unavailable", nurse="Ben", first="2026-11-26", last="2026-11-27")
    has = ward().model_copy(update={"leave": [Leave(nurse="ben", day=date(2026, 11, 27))]})
    paid = {row.day.isoformat(): row.paid for row in amended(has, [asked])[0].leave}
    assert paid == {"2026-11-26": False, "2026-11-27": True}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_a_change(case: Case) -> None:
    assert rows(case.field, case.change) == case.rows
    assert words(case.change) == [case.words]


def test_many_days_are_not_all_listed() -> None:
    (told,) = words(Change(kind="avoids", nurse="Ann", weekdays=["monday", "tuesday", "thursday", "friday"]))
    assert told.endswith("Monday 2026-11-30, Tuesday 2026-12-01, Thursday 2026-12-03, and 1 more (a wish)")


def test_any_day_of_the_period() -> None:
    assert words(Change(kind="unavailable", nurse="Ann", shift="nights")) == [
        "Ann: no shift N, the whole period (must hold)"
    ]


@pytest.mark.parametrize(
    ("change", "code", "says"),
    [
        (Change(kind="avoids", nurse="Zoe"), "unknown_nurse", "“Zoe” is no nurse of this ward; these are: Ann, Ben."),
        (Change(kind="avoids", nurse=" "), "unknown_nurse", "Ann, Ben"),
        (Change(kind="apart", nurse="Ann"), "needs_other", "It was not said who the second nurse is."),
        (Change(kind="avoids", nurse="Ann", shift="Twilight"), "unknown_shift", "E Early, L Late, N Night"),
        (
            Change(kind="locked", nurse="Ann", weekdays=["sunday"]),
            "needs_shift",
            "It was not said which shift is meant.",
        ),
        (Change(kind="avoids", nurse="Ann", shift="off"), "unknown_shift", "There is no shift “off”"),
        (Change(kind="locked", nurse="Ann", shift="E"), "needs_day", "on which day the shift is to be settled."),
        (
            Change(kind="avoids", nurse="Ann", weeks=[3]),
            "outside_period",
            "not among the roster's, 2026-11-23 to 2026-12-06",
        ),
        (Change(kind="avoids", nurse="Ann", first="2026-12-07"), "outside_period", "not among the roster's"),
        (
            Change(kind="avoids", nurse="Ann", first="2026-11-24", last="2026-11-25", weekdays=["friday"]),
            "outside_period",
            "not among the roster's",
        ),
        (Change(kind="apart", nurse="Ann", other="ann"), "contradiction", "another nurse than first"),
    ],
)
def test_what_cannot_be_held_is_refused_with_the_way_out(change: Change, code: str, says: str) -> None:
    refused = refusal(change)
    assert refused.code == code
    assert says in str(refused)


def test_a_name_that_two_nurses_share_is_asked_about() -> None:
    two_kims = ward(nurses__0__name="Kim Lee", nurses__1__name="Kim Moor")
    refused = refusal(Change(kind="avoids", nurse="Kim"), of=two_kims)
    assert (refused.code, str(refused)) == (
        "ambiguous_nurse",
        "“Kim” is more than one nurse: Kim Lee, Kim Moor.",
    )
    assert rows("wishes", Change(kind="avoids", nurse="moor", first="2026-11-23"), of=two_kims) == [
        "ben 2026-11-23 None False 10"
    ]


def test_a_day_is_settled_with_one_shift() -> None:
    two_nights = ward(shifts__1__night=True)
    refused = refusal(Change(kind="locked", nurse="Ann", first="2026-11-23", shift="night"), of=two_nights)
    assert refused.code == "ambiguous_shift"
    assert rows("leave", Change(kind="unavailable", nurse="Ann", first="2026-11-23", shift="night"), of=two_nights) == [
        "ann 2026-11-23 L",
        "ann 2026-11-23 N",
    ]


def test_days_the_wrong_way_round_are_no_change() -> None:
    with pytest.raises(ValidationError, match="first 2026-12-02 lies after last 2026-12-01"):
        Change(kind="avoids", nurse="Ann", first="2026-12-02", last="2026-12-01")


HELD = ward(
    wishes=[
        {"nurse": "ann", "day": "2026-11-24", "shift": "N", "wants": True, "weight": 3},
        {"nurse": "ann", "day": "2026-11-25", "wants": False, "weight": 8},
    ],
    leave=[{"nurse": "ben", "day": "2026-11-26", "shift": "L"}, {"nurse": "ben", "day": "2026-11-27"}],
    pairs=[{"first": "ann", "second": "ben", "together": True, "weight": 3}],
    locked=[{"nurse": "ann", "day": "2026-11-26", "shift": "E"}],
)


@pytest.mark.parametrize(
    ("change", "field", "left", "told"),
    [
        (
            Change(kind="apart", nurse="Ben", other="Ann"),
            "pairs",
            ["ben ann False 10"],
            ["in place of what the ward has: Ann and Ben: on the same shifts, the whole period (a wish, if possible)"],
        ),
        (
            Change(kind="prefers", nurse="Ann", first="2026-11-25", weight=5),
            "wishes",
            ["ann 2026-11-24 N True 3", "ann 2026-11-25 None True 5"],
            [
                "in place of what the ward has: Ann: would like to be off, Wednesday 2026-11-25 (a wish of weight 8, where 10 is usual)"
            ],
        ),
        (
            Change(kind="unavailable", nurse="Ann", first="2026-11-24"),
            "wishes",
            ["ann 2026-11-25 None False 8"],
            ["Ann: a wish for shift N on Tuesday 2026-11-24 is dropped, since that is leave now"],
        ),
        (
            Change(kind="unavailable", nurse="Ann", first="2026-11-24", shift="night"),
            "wishes",
            ["ann 2026-11-25 None False 8"],
            ["Ann: a wish for shift N on Tuesday 2026-11-24 is dropped, since that is leave now"],
        ),
        (
            Change(kind="unavailable", nurse="Ben", first="2026-11-26"),
            "leave",
            ["ben 2026-11-27 None", "ben 2026-11-26 None"],
            [],
        ),
        (
            Change(kind="unavailable", nurse="Ben", first="2026-11-27", shift="E"),
            "leave",
            ["ben 2026-11-26 L", "ben 2026-11-27 None"],
            [],
        ),
        (
            Change(kind="unavailable", nurse="Ben", first="2026-11-27"),
            "leave",
            ["ben 2026-11-26 L", "ben 2026-11-27 None"],
            [],
        ),
        (
            Change(kind="locked", nurse="Ann", first="2026-11-26", shift="off"),
            "locked",
            ["ann 2026-11-26 None"],
            ["in place of what the ward has: Ann: shift E, Thursday 2026-11-26 (settled)"],
        ),
    ],
)
def test_what_the_ward_has_gives_way_and_that_is_told(
    change: Change, field: str, left: list[str], told: list[str]
) -> None:
    assert rows(field, change, of=HELD) == left
    assert words(change, of=HELD)[1:] == told


def test_the_same_said_twice_is_one_row() -> None:
    twice = Change(kind="avoids", nurse="Ann", first="2026-12-04")
    assert rows("wishes", twice, twice) == ["ann 2026-12-04 None False 10"]


@pytest.mark.parametrize(
    "changes",
    [
        [
            Change(kind="prefers", nurse="Ann", first="2026-12-04"),
            Change(kind="avoids", nurse="Ann", first="2026-12-04"),
        ],
        [Change(kind="apart", nurse="Ann", other="Ben"), Change(kind="together", nurse="Ben", other="Ann")],
        [Change(kind="unavailable", nurse="Ann", first="2026-11-26")],
        [Change(kind="prefers", nurse="Ben", first="2026-11-27", shift="E")],
    ],
    ids=["both ways", "apart and together", "leave on a settled shift", "a wish on leave"],
)
def test_what_contradicts_itself_is_refused(changes: list[Change]) -> None:
    assert refusal(*changes, of=HELD).code == "contradiction"


def test_the_ward_itself_is_left_alone() -> None:
    before = HELD.model_dump_json()
    amended(HELD, [Change(kind="avoids", nurse="Ann", weekdays=["sunday"])])
    assert HELD.model_dump_json() == before


def test_a_settled_cell_needs_no_more_than_a_change() -> None:
    cells = [LockedCell(nurse="Ann", day="2026-11-26", shift="N"), LockedCell(nurse="Ben", day="2026-11-26")]
    assert [(cell.nurse, cell.shift) for cell in amended(HELD, settled(cells))[0].locked] == [
        ("ann", "N"),
        ("ben", None),
    ]
