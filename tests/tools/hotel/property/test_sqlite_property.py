"""The property through its port, on the demo hotel."""

import asyncio
import sqlite3
from collections.abc import Coroutine
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path
from typing import Any, TypeVar

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from wavegraph.graph.errors import SettingsError, ToolRefusal
from wavegraph.tools.hotel.property import sqlite_property
from wavegraph.tools.hotel.property.port import Property, open_property
from wavegraph.tools.hotel.records import Availability, OpenStaysQuery, QuoteQuery, StayQuery

TODAY = date(2026, 11, 20)
T = TypeVar("T")


def run(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(work)


@pytest.fixture(scope="module")
def adapter(tmp_path_factory: pytest.TempPathFactory) -> Property:
    folder = tmp_path_factory.mktemp("data")
    sqlite_property.build(folder / "sandbox.sqlite", TODAY)
    return open_property("sandbox", data_dir=folder)


def ask(adapter: Property, check_in: date, nights: int = 1, today: date = TODAY, **changes: Any) -> Availability:
    stay = {"check_in": check_in, "check_out": check_in + timedelta(days=nights), "adults": 2, **changes}
    return run(adapter.availability(StayQuery(**stay), today=today))


def test_an_offer_by_hand(adapter: Property) -> None:
    """FLEX-BB on 2027-01-17..19 in DBL: 390 + 390 base and 2 x 2 x 45 breakfasts = 960 NIS."""
    found = ask(adapter, date(2027, 1, 17), 2, room_type="DBL", board="BB")
    saver, flexible = found.offers
    assert (flexible.rate_plan, flexible.total_agorot, flexible.per_night_agorot) == ("FLEX-BB", 960_00, 480_00)
    assert (saver.rate_plan, saver.total_agorot, saver.nightly_agorot) == ("NRF-BB", 864_00, [432_00, 432_00])
    assert (flexible.refundable, flexible.cancel_until) == (True, date(2027, 1, 15))
    assert (saver.refundable, saver.cancel_until) == (False, None)
    assert found.reason is None
    assert found.rooms == 1


def test_offers_are_cheapest_first_and_of_every_type_board_and_terms(adapter: Property) -> None:
    offers = ask(adapter, date(2027, 1, 17), 2).offers
    totals = [offer.total_agorot for offer in offers]
    assert totals == sorted(totals)
    assert {offer.room_type for offer in offers} == {"DBL", "DLX", "TRP", "FAM", "SUITE", "ACC"}
    assert {offer.rate_plan for offer in offers if offer.room_type == "SUITE"} >= {"FLEX-BB"}
    kinds = {(offer.room_type, offer.board, offer.refundable) for offer in offers}
    assert len(kinds) == len(offers)
    boards = {offer.board for offer in offers if offer.room_type == "DBL"}
    assert {(board, free) for room, board, free in kinds if room == "DBL"} == {
        (b, f) for b in boards for f in (True, False)
    }


@pytest.mark.parametrize(
    ("changes", "code", "words"),
    [
        pytest.param(
            {"check_in": date(2026, 11, 19)},
            "past",
            "arrival 2026-11-19 is in the past: today is 2026-11-20",
            id="past",
        ),
        pytest.param(
            {"nights": 21}, "too_long", "21 nights requested; the hotel accepts at most 20 nights", id="too-long"
        ),
        pytest.param(
            {"room_type": "PENTHOUSE"}, "not_found", "its room types: DBL, DLX, TRP, FAM, SUITE, ACC", id="room-type"
        ),
        pytest.param(
            {"adults": 60, "children_ages": [14] * 9},
            "occupancy",
            "28 rooms hold at most 68 adults, 98 guests and 39 babies",
            id="more-than-the-hotel",
        ),
        pytest.param({"children_ages": [1] * 40}, "occupancy", "39 babies", id="more-cots-than-the-hotel"),
        pytest.param(
            {"adults": 1, "children_ages": [15, 16, 17, 17]}, "occupancy", "an adult in every room", id="youths"
        ),
    ],
)
def test_refused_at_once(adapter: Property, changes: dict[str, Any], code: str, words: str) -> None:
    with pytest.raises(ToolRefusal) as refused:
        ask(adapter, **{"check_in": date(2026, 12, 1), **changes})
    assert (refused.value.code, refused.value.retryable) == (code, False)
    assert words in refused.value.message


def test_today_and_the_longest_stay_are_taken(adapter: Property) -> None:
    assert ask(adapter, TODAY, 2).offers
    assert ask(adapter, date(2026, 12, 1), 20).reason == "sold_out"


def test_beyond_the_calendar_is_not_on_sale(adapter: Property) -> None:
    assert ask(adapter, date(2035, 1, 1)).reason == "not_on_sale"


def test_reasons_name_the_dates(adapter: Property) -> None:
    found = ask(adapter, date(2026, 12, 24), 3, room_type="dbl")
    assert [(r.room_type, r.code, r.dates) for r in found.refusals] == [("DBL", "sold_out", [date(2026, 12, 25)])]


def test_one_room_for_more_than_it_holds(adapter: Property) -> None:
    found = ask(adapter, date(2026, 12, 13), adults=6, rooms=1)
    assert (found.offers, found.combinations, found.reason, found.rooms) == ([], [], "occupancy", 1)
    assert {refusal.code for refusal in found.refusals} == {"occupancy"}


def test_a_type_that_cannot_hold_the_party_says_so(adapter: Property) -> None:
    found = ask(adapter, date(2026, 12, 13), 2, adults=4)
    assert {offer.room_type for offer in found.offers} == {"FAM"}
    assert {r.code for r in found.refusals if r.room_type in ("DBL", "DLX", "TRP", "SUITE", "ACC")} == {"occupancy"}


def test_as_few_rooms_as_hold_the_party(adapter: Property) -> None:
    found = ask(adapter, date(2026, 12, 10), 2, adults=7)
    assert found.rooms == 2 if found.offers or found.combinations else 3
    assert all(combination.rooms == found.rooms for combination in found.combinations)


def test_a_party_is_spread_further_when_its_room_is_taken(adapter: Property) -> None:
    """The family suites are full on 2026-12-08: four adults get two rooms instead of a no."""
    night = next(
        day
        for day in (date(2026, 11, 22) + timedelta(days=n) for n in range(200))
        if ask(adapter, day, room_type="FAM").reason == "sold_out" and ask(adapter, day, room_type="DBL").offers
    )
    assert ask(adapter, night, adults=4).rooms == 2


def test_equal_rooms_are_offered_with_their_count(adapter: Property) -> None:
    found = ask(adapter, date(2026, 12, 13), 2, adults=6, rooms=3, room_type="DBL", board="BB")
    assert {(offer.count, offer.room_type) for offer in found.offers} == {(3, "DBL")}
    one = ask(adapter, date(2026, 12, 13), 2, room_type="DBL", board="BB")
    assert [offer.total_agorot for offer in found.offers] == [3 * offer.total_agorot for offer in one.offers]


def test_more_rooms_than_adults_is_occupancy(adapter: Property) -> None:
    assert ask(adapter, date(2026, 12, 13), adults=2, children_ages=[5], rooms=3).reason == "occupancy"


def test_a_group_too_large_for_what_is_free_is_sold_out(adapter: Property) -> None:
    assert ask(adapter, date(2026, 12, 13), 2, adults=40, rooms=20).reason == "sold_out"


def test_combinations_are_few_cheapest_first_and_differ(adapter: Property) -> None:
    mixes = ask(adapter, date(2026, 12, 10), 2, adults=8, rooms=3).combinations
    mixes = mixes or ask(adapter, date(2026, 12, 10), 2, adults=7, rooms=3).combinations
    totals = [mix.total_agorot for mix in mixes]
    assert totals == sorted(totals)
    kinds = {(mix.parts[0].board, mix.refundable) for mix in mixes}
    assert 1 < len(mixes) <= max(4, len(kinds))
    assert len({tuple((p.room_type, p.count, p.rate_plan) for p in mix.parts) for mix in mixes}) == len(mixes)
    for mix in mixes:
        assert mix.total_agorot == sum(part.total_agorot for part in mix.parts)
        assert all(part.count <= part.rooms_left for part in mix.parts)


@pytest.mark.parametrize("rooms", [3, 6])
def test_the_cheapest_combination_with_a_board_is_the_cheapest_that_has_it(adapter: Property, rooms: int) -> None:
    stay = date(2027, 1, 18), 2
    found = ask(adapter, *stay, adults=6, rooms=rooms).combinations
    for board in ("RO", "BB", "HB"):
        alone = ask(adapter, *stay, adults=6, rooms=rooms, board=board).combinations
        for refundable in (False, True):
            lowest = [
                min(mix.total_agorot for mix in mixes if mix.parts[0].board == board and mix.refundable is refundable)
                for mixes in (found, alone)
            ]
            assert lowest[0] == lowest[1]


parties = st.sampled_from(
    [{"adults": 2, "children_ages": []}, {"adults": 1, "children_ages": [4, 0]}, {"adults": 5, "children_ages": [7]}]
)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(first=st.integers(0, 1000), width=st.integers(1, 14), nights=st.integers(1, 4), party=parties)
def test_open_stays_are_exactly_the_available_ones(
    adapter: Property, first: int, width: int, nights: int, party: dict[str, Any]
) -> None:
    start = TODAY + timedelta(days=first)
    end = start + timedelta(days=width)
    assume(nights <= width)
    query = OpenStaysQuery(from_date=start, to_date=end, nights=nights, limit=30, **party)
    listed = run(adapter.open_stays(query, today=TODAY)).stays
    for n in range(width - nights + 1):
        day = start + timedelta(days=n)
        found = ask(adapter, day, nights, **party)
        best = min(found.ways, key=lambda way: way.total_agorot, default=None)
        there = [stay.from_agorot for stay in listed if stay.check_in == day]
        if best is not None and any(part.room_type == "ACC" for part in best.parts):
            assert len(there) == 1
            assert there[0] >= best.total_agorot
        else:
            assert there == ([best.total_agorot] if best else [])
    assert all(start <= stay.check_in and stay.check_out <= end for stay in listed)
    assert [stay.check_in for stay in listed] == sorted(stay.check_in for stay in listed)


def window(**changes: Any) -> OpenStaysQuery:
    plain = {"from_date": date(2026, 12, 13), "to_date": date(2026, 12, 24), "nights": 2, "adults": 2}
    return OpenStaysQuery(**{**plain, **changes})


def test_open_stays_come_nearest_first_then_cheapest(adapter: Property) -> None:
    near = date(2026, 12, 20)
    stays = run(adapter.open_stays(window(near=near, limit=4), today=TODAY)).stays
    distances = [(abs((stay.check_in - near).days), stay.from_agorot) for stay in stays]
    assert distances == sorted(distances)
    assert (len(stays), distances[0][0]) == (4, 0)


FULL = date(2027, 1, 7)
"""A night on which no double room is free, and the room for disabled guests is the cheapest."""


def first_rooms(adapter: Property, room_type: str | None) -> list[str]:
    """Of the quote, and of the search, for the two nights from `FULL`."""
    stay = {"check_in": FULL, "check_out": FULL + timedelta(days=2), "adults": 2, "room_type": room_type}
    span = window(from_date=FULL, to_date=FULL + timedelta(days=2), room_type=room_type)
    quote = run(adapter.quote(QuoteQuery(**stay), today=TODAY))
    return [quote.parts[0].room_type, run(adapter.open_stays(span, today=TODAY)).stays[0].room_type]


def test_a_room_for_disabled_guests_is_found_where_it_is_asked_for_or_alone_is_free(
    adapter: Property, tmp_path: Path
) -> None:
    assert ask(adapter, FULL, 2).offers[0].room_type == "ACC"
    assert first_rooms(adapter, None) == ["TRP", "TRP"]
    assert first_rooms(adapter, "ACC") == ["ACC", "ACC"]

    sqlite_property.build(tmp_path / "sandbox.sqlite", TODAY)
    with closing(sqlite3.connect(tmp_path / "sandbox.sqlite")) as file, file:
        file.execute("UPDATE inventory SET stop_sell = 1 WHERE room_type != 'ACC'")
    assert first_rooms(open_property("sandbox", data_dir=tmp_path), None) == ["ACC", "ACC"]


def test_open_stays_may_depart_on_the_last_date_and_start_today(adapter: Property) -> None:
    stays = run(adapter.open_stays(window(from_date=date(2026, 12, 20), to_date=date(2026, 12, 22)), today=TODAY)).stays
    assert [stay.check_out for stay in stays] == [date(2026, 12, 22)]
    earlier = run(adapter.open_stays(window(from_date=date(2026, 11, 1), limit=30), today=TODAY)).stays
    assert min(stay.check_in for stay in earlier) >= TODAY


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"to_date": date(2027, 1, 24), "nights": 21}, "too_long"),
        ({"from_date": date(2026, 1, 1), "to_date": date(2026, 2, 1)}, "past"),
        ({"room_type": "X"}, "not_found"),
        ({"adults": 60, "children_ages": [14] * 9}, "occupancy"),
    ],
)
def test_open_stays_refusals(adapter: Property, changes: dict[str, Any], code: str) -> None:
    with pytest.raises(ToolRefusal) as refused:
        run(adapter.open_stays(window(**changes), today=TODAY))
    assert refused.value.code == code


@pytest.mark.parametrize("changes", [{"nights": 0}, {"nights": 20}, {"to_date": date(2026, 12, 13)}])
def test_a_window_holds_its_stay(changes: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        window(**changes)


def test_rooms_and_their_lowest_rate(adapter: Property) -> None:
    rooms = run(adapter.rooms(today=TODAY)).rooms
    assert [room.code for room in rooms] == ["DBL", "DLX", "TRP", "FAM", "SUITE", "ACC"]
    assert rooms[0].from_agorot == 380_00
    (suite,) = run(adapter.rooms("sea front suite", today=TODAY)).rooms
    assert (suite.code, suite.name_he) == ("SUITE", "סוויטת קו המים")
    with pytest.raises(ToolRefusal, match="no room type 'IGLOO'"):
        run(adapter.rooms("IGLOO", today=TODAY))
    assert {room.from_agorot for room in run(adapter.rooms(today=date(2050, 1, 1))).rooms} == {None}


@pytest.mark.parametrize(
    ("asked", "topic"),
    [
        ("parking", "parking"),
        ("Is there parking?", "parking"),
        ("parkng", "parking"),
        ("חנייה", "parking"),
        ("יש חניה במלון?", "parking"),
        ("האם יש בריכה", "pool"),
        ("לבריכה", "pool"),
        ("Wi-Fi", "wifi"),
        ("late check-out", "late_check_out"),
        ("check-out time", "check_out"),
        ("check_in", "check_in"),
        ("צ'ק אין", "check_in"),
        ("late arrival", "check_in"),
        ("הגעה מאוחרת", "check_in"),
        ('מע"מ', "vat"),
        ("do you take dogs", "pets"),
        ("כשרות", "kosher"),
        ("breakfest", "breakfast"),
        ("accessibilty", "accessibility"),
        ("meeting room", "events"),
        ("sea", "beach"),
    ],
)
def test_topics_are_found(adapter: Property, asked: str, topic: str) -> None:
    found = run(adapter.info(asked))
    assert (found.found, found.topic) == (True, topic)
    assert found.text
    assert found.text_he


@pytest.mark.parametrize("asked", ["helicopter landing", "casino", "מסוקים", "", "?"])
def test_an_unknown_topic_invents_nothing(adapter: Property, asked: str) -> None:
    found = run(adapter.info(asked))
    assert (found.found, found.text, found.topic) == (False, "", asked)
    assert "parking" in found.topics
    assert "reception@shirat-hagal.example" in found.contact


def test_unknown_property_names_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="unknown property_id 'ritz'; known: sandbox"):
        open_property("ritz", data_dir=tmp_path)
    with pytest.raises(SettingsError, match=r"unknown property_id '\.\./secret'"):
        open_property("../secret", data_dir=tmp_path)


def test_opening_is_idempotent_and_not_needed(tmp_path: Path) -> None:
    adapter = open_property(data_dir=tmp_path / "new")
    assert ask(adapter, date.today() + timedelta(days=30), today=date.today()).check_in
    run(adapter.open())
    run(adapter.open())
    run(adapter.close())
    run(adapter.close())
    assert run(adapter.info("wifi")).found


def test_reads_leave_the_event_loop_free(adapter: Property) -> None:
    reads = 4

    async def turns() -> int:
        work = [adapter.open_stays(window(to_date=date(2028, 12, 31), limit=5), today=TODAY) for _ in range(reads)]
        pending = asyncio.gather(*work)
        turns = 0
        while not pending.done():
            await asyncio.sleep(0)
            turns += 1
        await pending
        return turns

    assert run(turns()) > 100 * reads  # reads within the loop would leave it a few turns each
