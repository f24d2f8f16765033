"""A property kept here, in a file or in PostgreSQL: the demo hotel, and any hotel that was imported.

Blocking work runs in a worker thread, with a connection of its own per call.
"""

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import date, timedelta
from pathlib import Path

from wavegraph.graph.errors import SettingsError, error_text
from wavegraph.tools.hotel.inventory import offers
from wavegraph.tools.hotel.inventory.open_stays import open_stays
from wavegraph.tools.hotel.inventory.search import RoomRequest, known_room, refuse_dates, refuse_length
from wavegraph.tools.hotel.inventory.topics import hotel_info
from wavegraph.tools.hotel.profile import PropertyProfile
from wavegraph.tools.hotel.property import seed, store
from wavegraph.tools.hotel.property.bookings import StoredBookings, in_thread
from wavegraph.tools.hotel.property.capabilities import EVERYTHING
from wavegraph.tools.hotel.property.place import Connection, Place
from wavegraph.tools.hotel.property.places.property_file import PropertyFile
from wavegraph.tools.hotel.property.places.shared import move_in
from wavegraph.tools.hotel.property.quote_terms import usual_parts
from wavegraph.tools.hotel.records import (
    Availability,
    HeldStay,
    HotelInfo,
    OpenStays,
    OpenStaysQuery,
    PropertyRecord,
    RoomsInfo,
    StayQuery,
)

DAY = timedelta(days=1)
MOST_SEARCHED = timedelta(days=400)
"""Longest window in which the lowest price is looked for."""
_SAID_BACK = {"from_date", "to_date", "nights", "adults", "children_ages", "order", "arrive_on", "sleep_on"}
"""What a search for open stays repeats of its query."""
HORIZON_YEARS = 3
"""The demo hotel sells this many years ahead; its calendar is built to the end of that year."""


class StoredProperty(StoredBookings):
    """Answers from a place where the property was written; see `Property` for the methods."""

    capabilities = EVERYTHING

    def __init__(
        self, place: Place, record: PropertyRecord | None = None, *, now: store.UtcClock | None = None
    ) -> None:
        self.place = place
        self.now = now
        self.record = record or self._read_record()

    def _read_record(self) -> PropertyRecord:
        """Raises `SettingsError` for a file that is not a property of this version."""
        try:
            self.place.upgrade()
            with self.place.reading() as connection:
                if connection.version() == store.SCHEMA_VERSION:
                    return store.read_property(connection).record
        except sqlite3.DatabaseError as error:
            raise SettingsError(f"{self.place.name} is not a property file: {error_text(error)}") from error
        raise SettingsError(f"{self.place.name} was imported by another version of wavegraph: import the hotel again")

    def profile(self) -> PropertyProfile:
        with self.place.reading() as connection:
            property_data = store.read_property(connection)
        return PropertyProfile(property_data.record, property_data.rooms, property_data.topics, property_data.terms)

    @in_thread
    def open(self) -> None:
        """Make the place ready to answer. Idempotent, and safe when several processes start together."""
        self._prepare()

    async def close(self) -> None:
        """Nothing stays open between calls."""

    def _prepare(self) -> None:
        """Nothing to do: the import wrote all of it."""

    @in_thread
    def availability(self, query: StayQuery, *, today: date) -> Availability:
        refuse_dates(self.record, check_in=query.check_in, nights=query.nights, today=today)
        search = self._search(query.check_in, query.check_out, query, today)
        return offers.availability(search, query, self._booking_link(query, search.request))

    @in_thread
    def open_stays(self, query: OpenStaysQuery, *, today: date) -> OpenStays:
        refuse_length(self.record, query.nights)
        arrival = max(query.from_date, min(today, query.to_date))
        refuse_dates(self.record, check_in=arrival, nights=query.nights, today=today)
        opens, closes = self._nights_on_sale()
        first = max(query.from_date, today, opens)
        if query.order:  # every stay is looked at
            query = query.model_copy(
                update={"to_date": min(query.to_date, max(first, query.from_date) + MOST_SEARCHED)}
            )
        on_sale = query.model_copy(update={"to_date": min(query.to_date, closes + DAY)})
        search = self._search(first, on_sale.to_date, query, today)
        stays, searched = open_stays(search, on_sale, first, usual_parts)
        return OpenStays(**query.model_dump(include=_SAID_BACK), stays=stays, searched=searched)

    def _nights_on_sale(self) -> tuple[date, date]:
        """The first and the last: a window of centuries costs no more than what lies between them."""
        with self._read() as connection:
            return store.first_night(connection), store.last_night(connection)

    @in_thread
    def rooms(self, room_type: str | None = None, *, today: date) -> RoomsInfo:
        with self._read() as connection:
            property_data, lowest = store.read_property(connection), store.read_lowest_rates(connection, today)
        kinds = property_data.rooms if room_type is None else [known_room(property_data, room_type)]
        return RoomsInfo(
            rooms=[kind.as_room_type(lowest.get(kind.code), property_data.record.currency) for kind in kinds]
        )

    @in_thread
    def info(self, topic: str) -> HotelInfo:
        with self._read() as connection:
            property_data = store.read_property(connection)
        return hotel_info(self.record, property_data.topics, topic)

    def _booking_link(self, query: StayQuery, party: RoomRequest) -> str | None:
        if self.record.booking_url is None:
            return None
        return self.record.booking_url.format(
            check_in=query.check_in,
            check_out=query.check_out,
            adults=party.guests.adults,
            children=party.guests.children + party.guests.babies,
            language="he" if self.record.country == "IL" else "en",
        )


class SqliteProperty(StoredProperty):
    """The same from a file."""

    def __init__(self, path: Path, record: PropertyRecord | None = None, *, now: store.UtcClock | None = None) -> None:
        super().__init__(PropertyFile(path), record, now=now)


class SandboxProperty(StoredProperty):
    """The demo hotel: built on first use, its calendar extended as time passes, rewritten when its seed changes."""

    def __init__(
        self,
        place: Path | Place,
        *,
        clock: Callable[[], date] = date.today,
        now: store.UtcClock | None = None,
        file: Path | None = None,
    ) -> None:
        """`file`: where this machine kept it; it moves to its place on first use."""
        super().__init__(_place(place), seed.demo_property().record, now=now)
        self._clock, self._file = clock, file

    def profile(self) -> PropertyProfile:
        """Known without the place, which need not be built to read a question."""
        demo = seed.demo_property()
        return PropertyProfile(self.record, demo.rooms, demo.topics, demo.terms)

    def _prepare(self) -> None:
        if self._file is not None:
            move_in(self.place, self._file)
        build(self.place, self._clock())

    def _read(self) -> AbstractContextManager[Connection]:
        if not self.place.exists():
            self._prepare()
        return super()._read()

    def _write(self) -> AbstractContextManager[Connection]:
        if not self.place.exists():
            self._prepare()
        return super()._write()

    async def holds(self) -> list[HeldStay]:
        """A demo hotel that was never used is not built just to say that it has no holds."""
        return await super().holds() if await asyncio.to_thread(self.place.exists) else []


def demo_version() -> int:
    return store.SCHEMA_VERSION * store.VERSIONS_OF_SEED + seed.SEED_VERSION


def build(place: Path | Place, real_today: date) -> None:
    """Bring the demo hotel up to the current seed, with nights to the end of the year three years from now."""
    place, last = _place(place), date(real_today.year + HORIZON_YEARS, 12, 31)
    if not place.exists():
        place.create(lambda connection: _write(connection, last))
    place.upgrade()
    with place.reading() as connection:
        ready = _is_current(connection) and store.last_night(connection) >= last
    if not ready:
        with place.writing() as connection:
            _renew(connection, last)


def _place(given: Path | Place) -> Place:
    return PropertyFile(given) if isinstance(given, Path) else given


def _is_current(connection: Connection) -> bool:
    """A later seed is left alone: else two versions that share the hotel would rewrite it in turns."""
    return demo_version() <= connection.version() < (store.SCHEMA_VERSION + 1) * store.VERSIONS_OF_SEED


def _write(connection: Connection, last: date) -> None:
    store.write_property(connection, seed.demo_property(), seed.demo_calendar(seed.FIRST_NIGHT, last), demo_version())


def _renew(connection: Connection, last: date) -> None:
    """Inside the write transaction: another process may have done it while this one waited."""
    newest = store.last_night(connection)
    if not _is_current(connection):
        _write(connection, max(last, newest))
    elif newest < last:
        store.add_nights(connection, seed.demo_calendar(date.fromordinal(newest.toordinal() + 1), last))
