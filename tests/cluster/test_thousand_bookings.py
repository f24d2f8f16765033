"""A thousand guests want few rooms at the same time, over both APIs and both workers: no room is booked twice, and no yes
books twice."""

import asyncio
import json
import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from aegra_house import House
from cluster_guests import PROPERTY, ROOM_TYPES, Guest, clients_of, close, import_with_rooms
from langgraph_sdk.errors import APIStatusError

from wavegraph.tools.hotel.property.places.shared import shared_place

pytestmark = [pytest.mark.distributed, pytest.mark.xdist_group("cluster")]

BOOKINGS, AT_ONCE = int(os.environ.get("WAVEGRAPH_TEST_GUESTS", "1000")), 40
ROOMS, DAYS = 3, max(1, BOOKINGS * 9 // 100)
"""Of each type; from which guests arrive: as many want a room whatever their number."""
MOST_YESES = 3
FIRST = date(2027, 1, 3)


@dataclass
class Wish:
    """What one guest wants, and what came of it."""

    guest: Guest
    room_type: str
    arrival: date
    nights: int
    yeses: int
    is_held: bool | None = None
    """Whether the room is held for the yes; None = nothing was asked, for it was not free."""
    references: list[str | None] = field(default_factory=list)
    """Of each yes that was taken."""
    refused: list[int] = field(default_factory=list)
    """The status of each that was not."""

    @property
    def departure(self) -> date:
        return self.arrival + timedelta(days=self.nights)

    @property
    def stay(self) -> list[tuple[str, str]]:
        """The room-nights."""
        return [(self.room_type, (self.arrival + timedelta(days=n)).isoformat()) for n in range(self.nights)]

    @property
    def booked(self) -> set[str]:
        return {each for each in self.references if each}

    async def come_true(self) -> None:
        await self.guest.begin()
        name, stay = ROOM_TYPES[self.room_type], f"{self.arrival:%-d %B %Y} to {self.departure:%-d %B %Y}"
        asked = await self.guest.say(f"Book the {name} from {stay} for two adults. Dana Levi, {self.guest.email}")
        if (question := asked.question) is None:
            return
        self.is_held = question["value"]["valid_until"] is not None
        async with asyncio.TaskGroup() as at_once:
            for _ in range(self.yeses):
                at_once.create_task(self.say_yes(question))
        if self.yeses == MOST_YESES:
            await self.say_yes(question)  # late, too

    async def say_yes(self, question: dict[str, Any]) -> None:
        try:
            self.references.append((await self.guest.approve(question)).reference)
        except (APIStatusError, httpx.HTTPStatusError) as refused:
            self.refused.append(refused.response.status_code)


@dataclass(frozen=True)
class Stored:
    """What the database holds in the end."""

    bookings: dict[str, dict[str, Any]]
    """By reference: e-mail, arrival, departure, room type."""
    claims: Counter[tuple[str, str]]
    """Room-nights of bookings and holds."""
    inventory: dict[tuple[str, str], tuple[int, int]]
    """Of each room-night: rooms that are sold or held, rooms in all."""
    holds: int


def stored(database: str) -> Stored:
    with shared_place(database, PROPERTY).reading() as connection:
        bookings = connection.execute(
            "SELECT ref, guest_json, check_in, check_out, room_type, count FROM booking JOIN booking_room USING (quote_id)"
            " WHERE status = 'confirmed'"
        ).fetchall()
        nights = connection.execute(
            "SELECT room_type, date, count FROM booking JOIN booking_room USING (quote_id)"
            " JOIN booking_night USING (quote_id, n) WHERE status IN ('confirmed', 'hold')"
        ).fetchall()
        inventory = connection.execute("SELECT room_type, date, sold, held, total FROM inventory").fetchall()
        holds = connection.execute("SELECT COUNT(*) FROM booking WHERE status = 'hold'").fetchone()[0]
    claims: Counter[tuple[str, str]] = Counter()
    for room_type, night, rooms in nights:
        claims[room_type, night] += rooms
    by_reference = {
        ref: {"email": json.loads(guest)["email"], "stay": (arrival, departure), "room": (room_type, rooms)}
        for ref, guest, arrival, departure, room_type, rooms in bookings
    }
    assert len(by_reference) == len(bookings)
    found = {(room_type, night): (sold + held, total) for room_type, night, sold, held, total in inventory}
    return Stored(by_reference, claims, found, holds)


async def come_true(house: House) -> list[Wish]:
    chance, clients = Random(22), clients_of([api.url for api in house.cluster.apis])
    wishes = [
        Wish(
            Guest(clients, number),
            chance.choice(list(ROOM_TYPES)),
            FIRST + timedelta(days=chance.randrange(DAYS)),
            chance.randint(1, 3),
            yeses=1 + number % MOST_YESES,
        )
        for number in range(BOOKINGS)
    ]
    order = iter(wishes)

    async def one_after_the_other() -> None:
        for wish in order:
            await wish.come_true()

    try:
        async with asyncio.TaskGroup() as at_once:
            for _ in range(AT_ONCE):
                at_once.create_task(one_after_the_other())
    finally:
        await close(clients)
    return wishes


@pytest.fixture(scope="module")
def outcome(house: House, tmp_path_factory: pytest.TempPathFactory) -> tuple[list[Wish], Stored]:
    folder: Path = tmp_path_factory.mktemp("hotel") / "files"
    import_with_rooms(folder, house.cluster.database, ROOMS)
    wishes = asyncio.run(come_true(house))
    print(told(wishes))
    return wishes, stored(house.cluster.database)


def told(wishes: Sequence[Wish]) -> str:
    yeses = [len(wish.references) + len(wish.refused) for wish in wishes]
    lost = sum(wish.is_held is not None and not wish.booked for wish in wishes)
    return (
        f"{len(wishes)} bookings asked for, {sum(bool(wish.booked) for wish in wishes)} made, {lost} lost to a quicker yes; "
        f"{sum(yeses)} yeses, {sum(len(wish.refused) for wish in wishes)} refused"
    )


def test_no_room_is_booked_twice(outcome: tuple[list[Wish], Stored]) -> None:
    wishes, stored = outcome
    assert len(wishes) == BOOKINGS
    assert {night: n for night, n in stored.claims.items() if n > ROOMS} == {}
    assert {night: rooms for night, (rooms, _) in stored.inventory.items() if rooms} == dict(stored.claims)
    assert {total for _, total in stored.inventory.values()} == {ROOMS}
    assert ROOMS in stored.claims.values(), "no night is full: nobody had to yield"


def test_no_yes_books_twice(outcome: tuple[list[Wish], Stored]) -> None:
    wishes, stored = outcome
    guests = Counter(booking["email"] for booking in stored.bookings.values())
    assert {guest: n for guest, n in guests.items() if n > 1} == {}
    assert [wish.booked for wish in wishes if len(wish.booked) > 1] == []
    assert {status for wish in wishes for status in wish.refused} == {400, 409}


def test_who_was_told_of_a_booking_has_that_one_and_nobody_else_has_any(outcome: tuple[list[Wish], Stored]) -> None:
    wishes, stored = outcome
    as_told = {
        reference: {
            "email": wish.guest.email,
            "stay": (wish.arrival.isoformat(), wish.departure.isoformat()),
            "room": (wish.room_type, 1),
        }
        for wish in wishes
        for reference in wish.booked
    }
    assert as_told == stored.bookings


def test_a_room_that_was_held_for_a_yes_is_booked_and_only_who_met_a_full_night_has_none(
    outcome: tuple[list[Wish], Stored],
) -> None:
    wishes, stored = outcome
    assert {wish.is_held for wish in wishes} == {True, False, None}
    assert [wish.guest.number for wish in wishes if wish.is_held and not wish.booked] == []
    assert stored.holds == 0
    without = [wish for wish in wishes if not wish.booked]
    met_room = [wish.guest.number for wish in without if all(stored.claims[night] < ROOMS for night in wish.stay)]
    assert met_room == []
