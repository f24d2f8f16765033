"""What the demo hotel promises in every year, asked through the property as a guest would."""

import asyncio
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

import pytest
from tables import table

from wavegraph.tools.hotel.property import seed
from wavegraph.tools.hotel.property.sqlite_property import SandboxProperty
from wavegraph.tools.hotel.records import Availability, OpenStays, OpenStaysQuery, StayQuery

TODAY = date(2025, 10, 1)
YEARS = range(2025, 2030)


@pytest.fixture(scope="module")
def adapter(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SandboxProperty]:
    sandbox = SandboxProperty(tmp_path_factory.mktemp("seed") / "sandbox.sqlite", clock=lambda: date(2026, 11, 20))
    asyncio.run(sandbox.open())
    yield sandbox
    asyncio.run(sandbox.close())


def ask(adapter: SandboxProperty, check_in: date, nights: int, **changes: Any) -> Availability:
    stay = {"check_in": check_in, "check_out": check_in + timedelta(days=nights), "adults": 2, **changes}
    return asyncio.run(adapter.availability(StayQuery(**stay), today=TODAY))


def open_stays(adapter: SandboxProperty, first: date, last: date, nights: int) -> OpenStays:
    query = OpenStaysQuery(from_date=first, to_date=last, nights=nights, adults=2, limit=30)
    return asyncio.run(adapter.open_stays(query, today=TODAY))


@pytest.mark.parametrize("year", YEARS)
def test_christmas_day_is_full_between_two_free_single_nights(adapter: SandboxProperty, year: int) -> None:
    full = ask(adapter, date(year, 12, 25), 1)
    assert full.reason == "sold_out"
    assert {refusal.code for refusal in full.refusals} == {"sold_out"}
    assert {refusal.room_type for refusal in full.refusals} == set(seed.ROOMS)
    assert ask(adapter, date(year, 12, 24), 1).offers
    assert ask(adapter, date(year, 12, 26), 1).offers
    assert ask(adapter, date(year, 12, 24), 2).reason == "sold_out"


@pytest.mark.parametrize("year", YEARS)
def test_hanukkah_is_full_as_eight_nights_and_free_in_parts(adapter: SandboxProperty, year: int) -> None:
    eve = seed.hanukkah_eve(year)
    whole = ask(adapter, eve, 8)
    assert (whole.offers, whole.combinations, whole.reason) == ([], [], "sold_out")
    assert {refusal.code for refusal in whole.refusals} == {"sold_out"}
    single, double, triple = (open_stays(adapter, eve, eve + timedelta(days=8), nights).stays for nights in (1, 2, 3))
    assert len(single) >= 3
    assert len(double) + len(triple) >= 3


@pytest.mark.parametrize("year", range(2026, 2030))
def test_two_nights_in_mid_january(adapter: SandboxProperty, year: int) -> None:
    totals = [offer.total_agorot for offer in ask(adapter, date(year, 1, 17), 2).offers]
    assert any(total < 1000_00 for total in totals)
    assert any(1000_00 <= total < 1300_00 for total in totals), "a near miss above 1000 NIS"


@pytest.mark.parametrize("year", YEARS)
@pytest.mark.parametrize(("adults", "ages"), [(6, []), (7, []), (6, [4, 9]), (4, [3, 6, 8])])
def test_three_mixed_rooms_in_december(adapter: SandboxProperty, year: int, adults: int, ages: list[int]) -> None:
    found = ask(adapter, date(year, 12, 10), 2, adults=adults, children_ages=ages, rooms=3)
    assert found.combinations
    for combination in found.combinations:
        assert combination.rooms == 3
        assert len({part.room_type for part in combination.parts}) > 1
        assert len({(part.board, part.refundable) for part in combination.parts}) == 1


@pytest.mark.parametrize("thursday", [date(2025, 11, 27), date(2026, 11, 26), date(2027, 11, 25)])
def test_the_last_weekend_of_november(adapter: SandboxProperty, thursday: date) -> None:
    assert ask(adapter, thursday, 2).offers


@pytest.mark.parametrize("saturday", [date(2026, 12, 5), date(2027, 2, 6), date(2028, 7, 8)])
def test_saturdays_are_closed_to_arrival(adapter: SandboxProperty, saturday: date) -> None:
    assert ask(adapter, saturday, 1).reason == "closed_arrival"


def test_weekend_and_festival_minimum_stays(adapter: SandboxProperty) -> None:
    thursday = ask(adapter, date(2027, 1, 14), 1)
    assert (thursday.reason, thursday.reason_nights) == ("min_stay", 2)
    passover = ask(adapter, date(2027, 4, 21), 2)
    assert (passover.reason, passover.reason_nights) == ("min_stay", 3)


def test_yom_kippur_is_closed(adapter: SandboxProperty) -> None:
    assert ask(adapter, date(2026, 9, 21), 1).reason == "closed_arrival"
    assert ask(adapter, date(2026, 9, 20), 1).reason == "closed_departure"


def test_most_dates_are_open(adapter: SandboxProperty) -> None:
    year = open_stays(adapter, date(2027, 1, 1), date(2027, 12, 31), 2)
    assert len(year.stays) == 30
    arrivals = [date(2027, 1, 1) + timedelta(days=n) for n in range(0, 365, 5)]
    assert sum(bool(ask(adapter, day, 2).offers) for day in arrivals if day.weekday() != 5) > 0.9 * 6 / 7 * len(
        arrivals
    )


@table("year", [2025, 2030, 2035, 2048, 2099])
def test_a_full_night_of_hanukkah_is_found_in_any_year(year: int) -> None:
    eve = seed.hanukkah_eve(year)
    assert seed.full_nights_of_hanukkah(eve) <= {eve + timedelta(days=n) for n in range(8)}


def test_a_date_is_the_same_however_it_is_reached() -> None:
    whole = seed.demo_calendar(date(2026, 12, 1), date(2026, 12, 31))
    late = seed.demo_calendar(date(2026, 12, 20), date(2026, 12, 31))
    assert list(whole.inventory)[-len(list(late.inventory)) :] == late.inventory
    assert list(whole.rates)[-len(list(late.rates)) :] == late.rates


def test_prices_are_a_hoteliers(adapter: SandboxProperty) -> None:
    """A double room with breakfast on winter weekdays, and what weekends, summer and Passover add."""
    rates = {day: seed.rate_of("DBL", day).base for day in (date(2026, 12, 1) + timedelta(days=n) for n in range(365))}
    winter = [rate for day, rate in rates.items() if day.month in (1, 2) and day.weekday() not in (3, 4)]
    assert all(370_00 <= rate <= 410_00 for rate in winter)
    dear = [rates[day] for day in (date(2027, 1, 15), date(2027, 4, 22), date(2027, 8, 3), date(2027, 10, 16))]
    assert all(1.35 <= rate / 390_00 <= 1.85 for rate in dear)


def test_the_accessible_room_costs_what_the_double_costs() -> None:
    days = [date(2027, 5, 1) + timedelta(days=n) for n in range(60)]
    assert all(seed.rate_of("ACC", day).base == seed.rate_of("DBL", day).base for day in days)


def test_every_topic_speaks_both_languages() -> None:
    for topic in seed.demo_property().topics:
        assert topic.text
        assert any("א" <= letter <= "ת" for letter in topic.text_he)
