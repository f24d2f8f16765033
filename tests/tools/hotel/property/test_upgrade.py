"""Hotels that earlier versions wrote, each with a booking in it: `property_v2.sql` and `property_v4.sql` are dumps of their
files."""

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import pytest

from wavegraph.tools.hotel.property.port import Property, hotel_path, open_property
from wavegraph.tools.hotel.records import Guest, QuoteQuery

OLD = Path(__file__).with_name("property_v2.sql")
TODAY = date(2026, 11, 20)
DANA = Guest(name="Dana Levi", email="dana@example.com")


@dataclass(frozen=True)
class Case:
    currency: str
    total: int
    """Two nights at 120.50, in the currency's smallest units; the version before kept hundredths of any."""


@pytest.fixture(params=[Case("EUR", 24_100), Case("JPY", 242), Case("KWD", 241_000)], ids=lambda case: case.currency)
def case(request: pytest.FixtureRequest) -> Case:
    return request.param  # type: ignore[no-any-return]


@pytest.fixture
def opened(case: Case, tmp_path: Path) -> Callable[[], Property]:
    path = hotel_path(tmp_path, "old-inn")
    path.parent.mkdir()
    dump = OLD.read_text(encoding="utf-8").replace("EUR", case.currency)
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(dump)
    return lambda: open_property("old-inn", data_dir=tmp_path)


def test_it_opens_with_its_rooms_prices_and_calendar(opened: Callable[[], Property], case: Case) -> None:
    adapter = opened()
    query = QuoteQuery(check_in=date(2027, 1, 21), check_out=date(2027, 1, 23), adults=2)
    quote = asyncio.run(adapter.quote(query, today=TODAY))

    assert abs(quote.total_agorot - case.total) <= 2  # half a yen a night, up
    assert quote.currency == case.currency
    profile = adapter.profile()
    assert [(room.code, room.aliases) for room in profile.rooms] == [("LOFT", ())]
    assert (profile.record.church, profile.record.weekend_nights) == (None, [4, 5])
    assert asyncio.run(adapter.book(quote.quote_id, DANA, today=TODAY)).total_agorot == quote.total_agorot


def test_its_booking_stands_and_is_cancelled_at_its_price(opened: Callable[[], Property], case: Case) -> None:
    for adapter in (opened(), opened()):  # the second finds the file as the first left it
        booking = asyncio.run(adapter.booking("WG-NHDBW2S4", "Levi"))
        assert abs(booking.total_agorot - case.total) <= 2
        again = asyncio.run(adapter.book("Q-HM7AX6XYRS", DANA, today=TODAY))
        assert (again.reference, again.repeated) == ("WG-NHDBW2S4", True)
    late = asyncio.run(adapter.cancellation("WG-NHDBW2S4", "Levi", today=date(2027, 1, 17)))
    assert late.fee_agorot == booking.total_agorot


@pytest.fixture
def last_version(tmp_path: Path) -> Callable[[], Property]:
    path = hotel_path(tmp_path, "old-inn")
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(OLD.with_name("property_v4.sql").read_text(encoding="utf-8"))
    return lambda: open_property("old-inn", data_dir=tmp_path)


def test_a_hotel_of_the_last_version_opens_with_its_texts_and_its_booking(
    last_version: Callable[[], Property],
) -> None:
    for adapter in (last_version(), last_version()):  # the second finds the file as the first left it
        pets = asyncio.run(adapter.info("dog"))
        assert (pets.text, pets.policy, pets.currency) == ("Dogs up to 10 kg.", None, "EUR")
        booking = asyncio.run(adapter.booking("WG-D8LKJDVG", "Levi"))
        assert (booking.status, booking.total_agorot) == ("confirmed", 24_100)
    assert [room.aliases for room in adapter.profile().rooms] == [("attic",)]
