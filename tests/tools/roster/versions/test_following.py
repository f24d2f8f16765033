"""What a period takes over from the published rosters before it."""

from datetime import date, timedelta
from typing import Any, NamedTuple

import pytest
from roster_wards import ROWS, rows, ward_of_two
from tables import table

from wavegraph.graph.errors import ToolRefusal
from wavegraph.tools.roster.versions.following import Known, following, require_before, with_days_after
from wavegraph.tools.roster.ward.ward import FollowedBy, History, Ward

FIRST = date(2026, 11, 23)
NIGHTS = {"ann": "EEEEE--LLNNN--", "ben": "LLLLL--EEEEEE-"}


def roster(cells: dict[str, str], start: date = FIRST, **ward: Any) -> Known:
    made = ward_of_two(start=start.isoformat(), days=len(cells["ann"]), demand=[], **ward)
    return Known(made, rows(**cells))


def then(start: date, **ward: Any) -> Ward:
    return ward_of_two(start=start.isoformat(), demand=[], **ward)


def history(ward: Ward, nurse: str = "ann") -> History:
    return ward.nurse_by_id[nurse].history


def test_the_last_days_and_the_counts_are_those_of_the_roster_before() -> None:
    ward = following(then(date(2026, 12, 7)), [roster(NIGHTS, holidays=["2026-12-02"])])

    assert history(ward) == History(
        tail=rows(**NIGHTS)["ann"],
        nights=3,
        weekends=0,
        lates=2,
        holidays=1,
        minutes=10 * 480,
        target_minutes=4800,
        days=14,
        assignments=10,
        shifts={"E": 5, "L": 2, "N": 3},
    )
    assert history(ward, "ben").weekends == 1


class Case(NamedTuple):
    id: str
    start: str
    earlier: list[Known]
    tail: str
    nights: int
    days: int


FORTNIGHTS = [roster(NIGHTS), roster({"ann": "N------NN-----", "ben": ROWS["ben"]}, date(2026, 12, 7))]
CASES = [
    Case("the next day", "2026-12-07", [roster(NIGHTS)], NIGHTS["ann"], 3, 14),
    Case("two rosters in a row", "2026-12-21", FORTNIGHTS, NIGHTS["ann"] + "N------NN-----", 6, 28),
    Case("a gap of a week: the counts alone", "2026-12-14", [roster(NIGHTS)], "", 3, 14),
    Case("a gap between two rosters", "2027-01-04",
         [roster(NIGHTS), roster({"ann": "N------NN-----", "ben": ROWS["ben"]}, date(2026, 12, 21))],
         "N------NN-----", 6, 28),
    Case("within a published period: what lies before it", "2026-12-03", [roster(NIGHTS)], "EEEEE--LLN", 1, 10),
    Case("over the end of the year", "2027-01-04", [roster(NIGHTS, date(2026, 12, 21))], NIGHTS["ann"], 3, 14),
    Case("of a day that two have, the later one's", "2026-12-07",
         [roster(NIGHTS), roster({"ann": "EEEEEEE", "ben": "-------"}, date(2026, 11, 30))], "EEEEE--EEEEEEE", 0, 14),
    Case("a year of months", "2027-11-22", [roster(NIGHTS, FIRST + timedelta(days=14 * n)) for n in range(26)],
         2 * NIGHTS["ann"], 78, 364),
]  # fmt: skip


@table("case", CASES)
def test_what_is_known_of_the_time_before(case: Case) -> None:
    found = history(following(then(date.fromisoformat(case.start)), case.earlier))

    assert (found.tail, found.nights, found.days) == (rows(ann=case.tail)["ann"], case.nights, case.days)


def test_the_clocks_do_not_change_the_days() -> None:
    """The night of 24 October 2026 is an hour longer."""
    found = history(
        following(then(date(2026, 10, 26)), [roster({"ann": "NN-----", "ben": "-------"}, date(2026, 10, 19))])
    )
    assert found.tail == rows(ann="NN-----")["ann"]
    assert found.minutes == 2 * 480


def test_the_history_of_the_first_roster_goes_on() -> None:
    known = {"nurses__0__history": {"tail": ["L", "L"], "nights": 4, "target_minutes": 100, "days": 28}}
    found = history(following(then(date(2026, 12, 7)), [roster(NIGHTS, **known)]))

    assert (found.tail[:3], found.nights, found.target_minutes, found.days) == (["L", "L", "E"], 7, 4900, 42)


def test_what_the_ward_s_file_says_of_the_days_before_gives_way() -> None:
    file = {"nurses__0__history": {"tail": ["N"], "nights": 9}}
    assert history(following(then(date(2026, 12, 7), **file), [roster(NIGHTS)])).nights == 3


def test_who_has_joined_keeps_her_own_history() -> None:
    zoe = {"id": "zoe", "skills": ["charge"], "history": {"tail": ["E"], "nights": 2}}
    ward = then(date(2026, 12, 7))
    ward = ward.model_copy(update={"nurses": [*ward.nurses, *then(date(2026, 12, 7), nurses=[zoe]).nurses]})

    assert history(following(ward, [roster(NIGHTS)]), "zoe") == History(tail=["E"], nights=2)


def test_who_has_left_is_left_out() -> None:
    ward = then(date(2026, 12, 7))
    alone = ward.model_copy(update={"nurses": ward.nurses[:1]})

    assert [nurse.id for nurse in following(alone, [roster(NIGHTS)]).nurses] == ["ann"]


@pytest.mark.parametrize(
    ("name", "tail"), [("Ann", rows(**NIGHTS)["ann"]), (" ann ", rows(**NIGHTS)["ann"]), ("Anna", [])]
)
def test_a_nurse_with_another_id_is_known_by_her_name(name: str, tail: list[str | None]) -> None:
    ward = then(date(2026, 12, 7), nurses__0__id="nurse_1", nurses__0__name=name)
    assert history(following(ward, [roster(NIGHTS)]), "nurse_1").tail == tail


def test_a_shift_that_is_no_more_ends_the_known_days() -> None:
    ward = then(date(2026, 12, 7))
    ward = ward.model_copy(update={"shifts": [shift for shift in ward.shifts if shift.id != "L"]})
    assert history(following(ward, [roster(NIGHTS)])).tail == ["N", "N", "N", None, None]


def test_a_weekend_that_the_period_begins_within_is_counted_once() -> None:
    worked = roster({"ann": "-----E", "ben": "------"})  # Monday to Saturday
    on_sunday = following(then(date(2026, 11, 29)), [worked])
    later = roster({"ann": "E------", "ben": "-------"}, date(2026, 11, 29))
    assert history(on_sunday).weekends == 1  # the roster from Sunday does not count it again
    assert history(following(then(date(2026, 12, 6)), [worked, later])).weekends == 1


@pytest.mark.parametrize(
    ("first", "last", "start", "agreed"),
    [
        ("2026-11-30", "2026-12-04", "2026-12-07", 2400),  # five of the ten days that count
        ("2026-11-30", "2026-12-04", "2026-12-02", 3086 - 960),  # nine days of the fortnight, less two of ten
        ("2026-11-23", "2026-12-06", "2026-12-07", 0),
    ],
)
def test_hours_agreed_before_are_less_what_was_leave(first: str, last: str, start: str, agreed: int) -> None:
    days = [date.fromisoformat(first) + timedelta(days=n) for n in range(14)]
    leave = [{"nurse": "ann", "day": day.isoformat()} for day in days if day <= date.fromisoformat(last)]
    away = roster({"ann": "-" * 14, "ben": ROWS["ben"]}, leave=leave)
    assert history(following(then(date.fromisoformat(start)), [away])).target_minutes == agreed


@pytest.mark.parametrize(
    ("cells", "start", "score"),
    [
        ("EEEEE--EEEEE--", "2026-12-07", 0.0),  # 5 x 0.04 - 2 x 0.1, twice
        ("-------NNNNN--", "2026-12-07", 0.2),  # 5 x 0.08 - 2 x 0.1
        ("-------NNNNNNN", "2026-12-07", 0.56),
        ("-------NNNNNNN", "2026-12-09", 0.36),  # two unknown days count as days off
    ],
)
def test_how_tired_everybody_begins(cells: str, start: str, score: float) -> None:
    ward = following(then(date.fromisoformat(start)), [roster({"ann": cells, "ben": ROWS["ben"]})])
    assert ward.nurse_by_id["ann"].fatigue == score


@pytest.mark.parametrize(
    ("start", "nurses"), [("2026-11-23", None), ("2026-11-16", None), ("2026-12-07", [{"id": "zoe", "name": "Zoe"}])]
)
def test_what_cannot_be_followed(start: str, nurses: Any) -> None:
    ward = Ward.model_validate(
        {**then(date.fromisoformat(start)).model_dump(mode="json"), **({"nurses": nurses} if nurses else {})}
    )
    with pytest.raises(ToolRefusal) as refused:
        require_before(ward, roster(NIGHTS))
    assert refused.value.code == "not_before"


def later(cells: dict[str, str], start: date = date(2026, 12, 7), version: str = "V2", **ward: Any) -> Known:
    return roster(cells, start, **ward)._replace(version=version)


class After(NamedTuple):
    id: str
    rosters: list[Known]
    known: dict[str, str]


WEEK = {"ann": "EEEEE--", "ben": "-LLLL--"}
AFTER = [
    After("the next day", [later(WEEK)], WEEK),
    After("a day between them", [later(WEEK, date(2026, 12, 8))], {}),
    After("two in a row", [later(WEEK), later(WEEK, date(2026, 12, 14), "V3")], {n: 2 * w for n, w in WEEK.items()}),
    After("no more than four weeks", [later({n: 5 * w for n, w in WEEK.items()})], {n: 4 * w for n, w in WEEK.items()}),
    After("a shift that is new ends it",
          [later({"ann": "EXE", "ben": "EEE"}, shifts=[*ward_of_two().model_dump(mode="json")["shifts"],
                                                        {"id": "X", "start": "09:00", "minutes": 60}])],
          {"ann": "E", "ben": "EEE"}),
    After("of who stays", [later({"ann": "EE"}, nurses=[{"id": "ann"}])], {"ann": "EE"}),
    After("of other people", [later({"ann": "EE"}, nurses=[{"id": "zoe"}])], {}),
]  # fmt: skip


@table("case", AFTER)
def test_the_days_after_are_those_of_the_rosters_that_begin_then(case: After) -> None:
    ward = with_days_after(then(FIRST), case.rosters)

    assert ward.followed_by == (FollowedBy(roster=rows(**case.known), version="V2") if case.known else None)
    assert with_days_after(ward, []).followed_by is None  # that was a version, and is published no more


def test_days_after_of_the_ward_s_file_stand_where_nothing_is_published() -> None:
    ward = then(FIRST, followed_by={"roster": {"ann": ["E"]}})

    assert with_days_after(ward, []) is ward
    assert with_days_after(ward, [later(WEEK)]).followed_by == FollowedBy(roster=rows(**WEEK), version="V2")
