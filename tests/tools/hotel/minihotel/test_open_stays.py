"""Other stays of a hotel on MiniHotel: suggested by nightly rates, each confirmed at its own price."""

from datetime import date, timedelta
from typing import Any
from xml.etree.ElementTree import Element

import pytest
from minihotel_vendor import TODAY, Body, Opened, Vendor, ask, bulk, days, empty, for_dates, night

from wavegraph.graph.errors import ToolRefusal
from wavegraph.tools.hotel.records import OpenStays, OpenStaysQuery

FIRST, LAST = date(2026, 12, 1), date(2026, 12, 15)


def window(**changed: Any) -> OpenStaysQuery:
    given = {"from_date": FIRST, "to_date": LAST, "nights": 2, "adults": 2, "near": date(2026, 12, 6), **changed}
    return OpenStaysQuery(**given)


def searched(opened: Opened, query: OpenStaysQuery, today: date = TODAY) -> OpenStays:
    found: OpenStays = ask(opened(), lambda hotel: hotel.open_stays(query, today=today))
    return found


def open_on(*free: int, price: str = "176.25") -> str:
    """Doubles on these days of December, none on the others."""
    nights = [night(day, 4 if day.day in free else 0, Mprice=price) for day in days(FIRST, 20)]
    return bulk({"DBL": nights})


def arrivals(found: OpenStays) -> list[int]:
    return [stay.check_in.day for stay in found.stays]


def test_the_nearest_come_first_each_at_its_own_price(vendor: Vendor, opened: Opened) -> None:
    vendor.bulk = lambda request: open_on(2, 3, 8, 9, 10)
    found = searched(opened, window())
    assert arrivals(found) == [8, 9, 2]
    assert [(s.from_agorot, s.room_type, s.board, s.nights) for s in found.stays] == [(30000, "DBL", "RO", 2)] * 3
    assert found.searched == 13
    assert vendor.kinds().count("immediate") == 3


def test_what_the_price_does_not_confirm_is_left_out(vendor: Vendor, opened: Opened) -> None:
    def price(request: Element) -> str:
        dates = request.find("DateRange")
        assert dates is not None
        return empty(request) if dates.get("from") == "2026-12-08" else for_dates(request)

    vendor.bulk = lambda request: open_on(2, 3, 8, 9, 10)
    vendor.immediate = price
    assert arrivals(searched(opened, window())) == [9, 2]


def test_the_cheapest_first_if_that_is_asked(vendor: Vendor, opened: Opened) -> None:
    def price(request: Element) -> str:
        dates = request.find("DateRange")
        assert dates is not None
        return (
            for_dates(request).replace("300.00", "250.00") if dates.get("from") == "2026-12-02" else for_dates(request)
        )

    vendor.bulk = lambda request: open_on(2, 3, 8, 9, 10)
    vendor.immediate = price
    found = searched(opened, window(order="cheapest"))
    assert arrivals(found) == [2, 8, 9]
    assert found.stays[0].from_agorot == 25000


def test_no_more_stays_than_wanted_and_few_calls(vendor: Vendor, opened: Opened) -> None:
    vendor.bulk = lambda request: open_on(*range(1, 16))
    assert len(searched(opened, window(limit=1)).stays) == 1
    vendor.asked.clear()
    assert len(searched(opened, window(limit=30)).stays) == 6
    assert vendor.kinds().count("immediate") <= 10


@pytest.mark.parametrize(
    ("changed", "days_of_arrival"),
    [({"arrive_on": ["tue"]}, [8, 1]), ({"sleep_on": ["sun", "mon"]}, [6, 13]), ({"nights": 14}, [1]), ({"board": "BB"}, [6, 7, 5]),
     ({"from_date": date(2026, 12, 12), "to_date": date(2026, 12, 14), "near": None}, [12])],
    ids=["arrival on a Tuesday", "nights of Sunday and Monday", "the whole window", "a board", "one stay"],
)  # fmt: skip
def test_weekdays_length_and_board_are_kept(
    vendor: Vendor, opened: Opened, changed: dict[str, Any], days_of_arrival: list[int]
) -> None:
    vendor.bulk = lambda request: open_on(*range(1, 16))
    found = searched(opened, window(limit=3, **changed))
    assert sorted(arrivals(found)) == sorted(days_of_arrival)
    assert all(stay.board == "BB" for stay in found.stays if "board" in changed)


def test_restrictions_rule_stays_out_before_they_are_priced(vendor: Vendor, opened: Opened) -> None:
    rules = {6: {"McloseArr": "Yes"}, 9: {"McloseDep": "Yes"}, 10: {"Minngt": "3"}}
    nights = [night(day, **rules.get(day.day, {})) for day in days(FIRST, 20)]
    vendor.bulk = lambda request: bulk({"DBL": nights})
    found = searched(opened, window(limit=30, from_date=date(2026, 12, 6), to_date=date(2026, 12, 12)))
    assert arrivals(found) == [
        8
    ]  # the 6th takes no arrivals, the 7th ends on the 9th, the 9th and 10th sleep on the 10th


def test_a_full_window_is_an_answer(vendor: Vendor, opened: Opened) -> None:
    vendor.bulk = lambda request: open_on()
    found = searched(opened, window())
    assert (found.stays, found.searched) == ([], 13)


def test_past_days_and_long_windows_are_cut(vendor: Vendor, opened: Opened) -> None:
    vendor.bulk = lambda request: open_on()
    found = searched(opened, window(from_date=date(2026, 1, 1), to_date=date(2031, 1, 1)))
    dates = vendor.last("bulk").find("DateRange")
    assert dates is not None
    assert (dates.get("from"), found.to_date) == ("2026-11-20", TODAY + timedelta(days=400))


@pytest.mark.parametrize(
    ("query", "today", "code"),
    [(window(nights=21, to_date=date(2027, 1, 1)), TODAY, "too_long"), (window(), date(2026, 12, 20), "past"),
     (window(room_type="SUITE"), TODAY, "not_found")],
)  # fmt: skip
def test_what_cannot_be_is_refused(
    vendor: Vendor, opened: Opened, query: OpenStaysQuery, today: date, code: str
) -> None:
    vendor.bulk = lambda request: open_on(6)
    with pytest.raises(ToolRefusal) as refusal:
        searched(opened, query, today)
    assert refusal.value.code == code


def test_a_type_without_basic_occupancy_is_named(vendor: Vendor, opened: Opened) -> None:
    vendor.bulk = lambda request: Body("ERR 310: Basic occupancy is missing", "text/html")
    with pytest.raises(ToolRefusal, match="no basic occupancy") as refusal:
        searched(opened, window())
    assert refusal.value.code == "bad_hotel"
