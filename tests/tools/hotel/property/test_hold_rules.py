"""Questions hold at most half of what is free, and a guest few rooms beside the first: a chat that only asks takes nothing
from a guest who books."""

import asyncio
import random
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from wavegraph.graph.errors import ToolRefusal
from wavegraph.tools.hotel.property import store
from wavegraph.tools.hotel.property.sqlite_property import SqliteProperty
from wavegraph.tools.hotel.records import Guest, Quote, QuoteQuery, UnheldQuote

TODAY, MONDAY = date(2026, 2, 20), date(2026, 3, 2)


class House:
    """Double rooms for two and suites for four, a week of nights."""

    def __init__(self, folder: Path, tiny: Any, total: int, sold: int = 0) -> None:
        rooms = [tiny.room("DBL"), tiny.room("FAM", max_adults=4, max_children=2, max_total=4)]
        self.path = folder / "house.sqlite"
        data, calendar = tiny.property_data(rooms, [tiny.plan("FLEX")]), tiny.calendar(rooms, total=total)
        store.create(self.path, lambda file: store.write_property(file, data, calendar, store.SCHEMA_VERSION))
        self.sql("UPDATE inventory SET sold = ?", sold)
        self.property = SqliteProperty(self.path)

    def sql(self, text: str, *values: object) -> list[Any]:
        with closing(sqlite3.connect(self.path, timeout=10)) as connection, connection:
            return connection.execute(text, values).fetchall()

    def quote(self, rooms: int = 1, first: int = 0, nights: int = 1, **changes: Any) -> Quote:
        check_in = MONDAY + timedelta(days=first)
        stay = {
            "check_in": check_in,
            "check_out": check_in + timedelta(days=nights),
            "adults": 2 * rooms,
            "rooms": rooms,
        }
        query = QuoteQuery(**{**stay, "room_type": "DBL", **changes})
        return asyncio.run(self.property.quote(query, today=TODAY))

    def asks(self, guest: Guest, rooms: int = 1, **stay: Any) -> bool:
        """Asks for terms and no more: whether the rooms are held."""
        return self.holds(self.quote(rooms, **stay), guest)

    def holds(self, quote: Quote, guest: Guest) -> bool:
        found = asyncio.run(self.property.hold(quote.quote_id, guest, minutes=15, today=TODAY))
        return not isinstance(found, UnheldQuote)

    def books(self, guest: Guest, quote: Quote | None = None) -> str:
        """Books without a hold: `ok`, or why not."""
        try:
            asyncio.run(self.property.book((quote or self.quote()).quote_id, guest, today=TODAY))
        except ToolRefusal as refusal:
            return refusal.code
        return "ok"

    def held(self) -> list[tuple[int, int, int]]:
        """(total, sold, held) of every night."""
        return self.sql("SELECT total, sold, held FROM inventory")


def guest(number: int) -> Guest:
    return Guest(name=f"Guest {number}", email=f"guest{number}@example.com")


@pytest.mark.parametrize(
    ("total", "sold", "held"),
    [(10, 0, 5), (10, 3, 3), (5, 0, 2), (3, 0, 1), (2, 0, 1), (4, 1, 1)],
)
def test_questions_hold_at_most_half_of_what_is_not_sold(
    tmp_path: Path, tiny: Any, total: int, sold: int, held: int
) -> None:
    house = House(tmp_path, tiny, total, sold)
    quotes = [house.quote() for _ in range(12)]

    assert [house.holds(quote, guest(n)) for n, quote in enumerate(quotes)] == [True] * held + [False] * (12 - held)

    free = total - sold - held
    booked = [house.books(guest(100 + n), quote) for n, quote in enumerate(quotes[held:])]
    assert booked == ["ok"] * free + ["sold_out"] * (len(booked) - free)


@pytest.mark.parametrize(("total", "sold"), [(1, 0), (10, 9)])
def test_a_last_room_is_held_once(tmp_path: Path, tiny: Any, total: int, sold: int) -> None:
    house = House(tmp_path, tiny, total, sold)
    first, second = house.quote(), house.quote()

    assert house.holds(first, guest(1))
    with pytest.raises(ToolRefusal, match="no longer available"):
        house.holds(second, guest(2))
    assert (house.books(guest(2), second), house.books(guest(1), first)) == ("sold_out", "ok")


def test_who_is_not_held_books_at_the_yes_while_rooms_are_free(tmp_path: Path, tiny: Any) -> None:
    house = House(tmp_path, tiny, 2)
    first, second = house.quote(), house.quote()
    assert (house.holds(first, guest(1)), house.holds(second, guest(2))) == (True, False)

    assert not house.holds(second, guest(2))
    assert house.books(guest(2), second) == "ok"
    assert house.books(guest(1), first) == "ok"


def test_who_is_not_held_may_come_too_late(tmp_path: Path, tiny: Any) -> None:
    house = House(tmp_path, tiny, 2)
    first, second, third = house.quote(), house.quote(), house.quote()
    house.holds(first, guest(1))
    house.holds(second, guest(2))

    assert house.books(guest(3), third) == "ok"
    assert house.books(guest(2), second) == "sold_out"
    assert house.books(guest(1), first) == "ok"


def test_terms_that_hold_nothing_stay_valid_as_long_as_a_hold_would(tmp_path: Path, tiny: Any) -> None:
    house = House(tmp_path, tiny, 2)
    house.asks(guest(1))
    quote = house.quote()
    kept = asyncio.run(house.property.hold(quote.quote_id, guest(2), minutes=1440, today=TODAY))

    assert isinstance(kept, UnheldQuote)
    assert kept.expires_at > quote.expires_at + timedelta(hours=20)
    assert house.sql("SELECT expires_at FROM quote WHERE id = ?", quote.quote_id) == [(store.moment(kept.expires_at),)]
    assert kept.model_dump(exclude={"expires_at"}) == quote.model_dump(exclude={"expires_at"})


def test_a_stay_is_held_only_if_every_night_and_type_allows_it(tmp_path: Path, tiny: Any) -> None:
    house = House(tmp_path, tiny, 4)
    house.sql("UPDATE inventory SET sold = 2 WHERE date = '2026-03-04'")
    assert house.asks(guest(1), first=2)

    assert not house.asks(guest(2), first=0, nights=4)
    assert not house.asks(guest(3), rooms=2, room_type=None, adults=8, first=2)
    assert house.asks(guest(4), first=0, nights=2)


@pytest.mark.parametrize(("rooms", "held"), [(4, True), (6, True), (7, False), (10, False)])
def test_a_group_is_held_up_to_half_the_rooms_and_booked_up_to_all(
    tmp_path: Path, tiny: Any, rooms: int, held: bool
) -> None:
    house = House(tmp_path, tiny, 12)
    quote = house.quote(rooms)

    assert house.holds(quote, guest(1)) is held
    assert house.books(guest(1), quote) == "ok"
    assert {(sold, kept) for _, sold, kept in house.held() if sold or kept} == {(rooms, 0)}


DANA = Guest(name="Dana Levi", email="dana@example.com", phone="050-123 4567")
SAME = [
    Guest(name="D. Levi", email="DANA@Example.COM"),
    Guest(name="D. Levi", email="dana+two@example.com"),
    Guest(name="Omer Katz", phone="+972 50 1234567"),
    Guest(name="Omer Katz", phone="00972501234567", email="omer@example.com"),
    Guest(name="Omer Katz", phone="٠٥٠١٢٣٤٥٦٧"),
]
OTHERS = [
    Guest(name="Dana Levi", email="dana@example.org"),
    Guest(name="Dana Levi", phone="050-1234568"),
    Guest(name="Dana Levi", email="levi@example.com", phone="03-1234567"),
]


@pytest.mark.parametrize("same", SAME, ids=lambda guest: guest.email or guest.phone)
def test_one_guest_holds_three_rooms_in_all_beside_the_first_question(tmp_path: Path, tiny: Any, same: Guest) -> None:
    house = House(tmp_path, tiny, 40)

    assert [house.asks(who) for who in (DANA, same, DANA, same)] == [True, True, True, False]
    assert house.asks(OTHERS[0])


@pytest.mark.parametrize("other", OTHERS, ids=lambda guest: guest.email or guest.phone)
def test_another_guest_holds_rooms_of_his_own(tmp_path: Path, tiny: Any, other: Guest) -> None:
    house = House(tmp_path, tiny, 40)

    assert [house.asks(who) for who in (DANA, DANA, DANA, other)] == [True] * 4


def test_beside_a_group_its_guest_holds_nothing_more(tmp_path: Path, tiny: Any) -> None:
    house = House(tmp_path, tiny, 40)

    assert [house.asks(DANA, rooms=10), house.asks(DANA)] == [True, False]


def test_what_is_booked_or_has_ended_counts_no_more(tmp_path: Path, tiny: Any) -> None:
    house = House(tmp_path, tiny, 40)
    quotes = [house.quote() for _ in range(6)]
    assert [house.holds(quote, DANA) for quote in quotes[:4]] == [True, True, True, False]

    assert house.books(DANA, quotes[0]) == "ok"
    assert house.holds(quotes[3], DANA)
    house.sql("UPDATE booking SET hold_until = '2026-01-01T00:00:00+00:00' WHERE status = 'hold'")
    assert [house.holds(quote, DANA) for quote in (*quotes[1:4], quotes[4])] == [True, True, True, False]


@pytest.mark.parametrize("seed", range(2))
def test_however_many_ask_at_once_half_stays_for_who_books(tmp_path: Path, tiny: Any, seed: int) -> None:
    """Chats that only ask, from eight threads at once, for one to three nights and rooms; then guests who book."""
    house, choice = House(tmp_path, tiny, 7, 1), random.Random(seed)
    wishes = [
        {"rooms": choice.randint(1, 3), "first": first, "nights": choice.randint(1, min(3, 6 - first))}
        for first in (choice.randint(0, 4) for _ in range(24))
    ]
    quotes = [house.quote(**wish) for wish in wishes]

    with ThreadPoolExecutor(8) as threads:
        held = list(threads.map(house.holds, quotes, map(guest, range(len(quotes)))))

    assert any(held)
    assert all(kept <= max(1, (total - sold) // 2) for total, sold, kept in house.held())
    quotes = [house.quote(first=night) for night in range(6) for _ in range(3)]
    assert {house.books(guest(100 + n), quote) for n, quote in enumerate(quotes)} == {"ok"}
