"""A hotel whose system is MiniHotel, reached over its XML interface.

Unverified: written from the vendor's documents and from replies that users of it recorded. It has not been run against
MiniHotel itself.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from wavegraph.tools.hotel.inventory.property_data import PropertyData, RoomKind
from wavegraph.tools.hotel.inventory.search import guests_in, known_room, refuse_dates, refuse_length
from wavegraph.tools.hotel.inventory.topics import hotel_info
from wavegraph.tools.hotel.minihotel.changes import MiniHotelChanges
from wavegraph.tools.hotel.minihotel.config import MiniHotelConfig
from wavegraph.tools.hotel.minihotel.connection import Connection
from wavegraph.tools.hotel.minihotel.house import House
from wavegraph.tools.hotel.minihotel.pages import booking_link, topics_of
from wavegraph.tools.hotel.minihotel.quotes import Quotes
from wavegraph.tools.hotel.minihotel.reader import Reader
from wavegraph.tools.hotel.minihotel.stays import Stays, as_availability
from wavegraph.tools.hotel.profile import PropertyProfile
from wavegraph.tools.hotel.property.capabilities import Capabilities
from wavegraph.tools.hotel.property.credentials import Secrets
from wavegraph.tools.hotel.property.places.property_file import PropertyFile
from wavegraph.tools.hotel.property.places.shared import shared_place
from wavegraph.tools.hotel.property.store import UtcClock, utc_now
from wavegraph.tools.hotel.records import (
    Availability,
    HeldStay,
    HotelInfo,
    OpenStays,
    OpenStaysQuery,
    RoomsInfo,
    StayQuery,
)

FOLDER = "minihotel"
"""In the data folder: one file for each hotel's quotes. In a database the end of their place's name, which no hotel has."""
DAY = timedelta(days=1)
LONGEST_WINDOW = timedelta(days=400)
"""In which other stays are looked for; MiniHotel lists a year and a half."""


class MiniHotelProperty(MiniHotelChanges):
    """One hotel on MiniHotel; see `Property` for the methods. Safe to use from several event loops."""

    def __init__(
        self,
        config: MiniHotelConfig,
        *,
        secrets: Secrets,
        data_dir: Path,
        database: str | None = None,
        now: UtcClock = utc_now,
    ) -> None:
        """`database`: a PostgreSQL database for the quotes, which all machines then share; None = a file of `data_dir`."""
        self.record = config.record
        self.now = now
        self._config = config
        self._connection = Connection(config, secrets)
        self._reader = Reader(config, self._connection)
        self._stays = Stays(config, self._reader)
        shared = shared_place(database, f"{config.id}.{FOLDER}") if database else None
        self._quotes = Quotes(shared or PropertyFile(data_dir / FOLDER / f"{config.id}.sqlite"), self.record)

    def __repr__(self) -> str:
        return f"MiniHotelProperty({self._config.id!r})"

    @property
    def capabilities(self) -> Capabilities:
        return Capabilities(
            holds=False,
            reasons=frozenset(
                {"sold_out", "min_stay", "closed_arrival", "closed_departure", "not_on_sale", "occupancy"}
            ),
            policies=False,
            bookings=True,
            writes=self._config.writes,
            rate_plans=False,
            combinations=True,
            nightly_prices=False,
            details=False,
        )

    def profile(self) -> PropertyProfile:
        """With the room types as they were last read: a profile asks nobody."""
        return PropertyProfile(self.record, self._quotes.rooms(), topics_of(self._config))

    async def open(self) -> None:
        """Connections and the file are made when they are first needed."""
        await asyncio.to_thread(self._quotes.upgrade)

    async def close(self) -> None:
        await self._connection.close()

    async def check(self) -> None:
        """A harmless question that needs login, hotel and rate code to be right. Raises `ToolRefusal` with what is not."""
        today = self.now().astimezone(ZoneInfo(self.record.time_zone)).date()
        await self._reader.nights(today + DAY, today + DAY, anew=True)

    async def availability(self, query: StayQuery, *, today: date) -> Availability:
        refuse_dates(self.record, check_in=query.check_in, nights=query.nights, today=today)
        answer = await self._stays.answer(query, today)
        await self._remember_rooms(await self._reader.house_if_told(), answer.names_he)
        party = guests_in(query, self.record)
        link = booking_link(self._config, query.check_in, query.check_out, party, query.room_type)
        return as_availability(answer, query, self.record.currency, link)

    async def open_stays(self, query: OpenStaysQuery, *, today: date) -> OpenStays:
        refuse_length(self.record, query.nights)
        arrival = max(query.from_date, min(today, query.to_date))
        refuse_dates(self.record, check_in=arrival, nights=query.nights, today=today)
        first = max(query.from_date, today)
        last = max(first + DAY * query.nights, min(query.to_date, first + LONGEST_WINDOW))
        window = query.model_copy(update={"to_date": min(last, query.to_date)})
        stays, searched = await self._stays.open_stays(window, first, today)
        same = query.model_dump(exclude={"rooms", "room_type", "board", "near", "limit", "to_date"})
        return OpenStays(**same, to_date=window.to_date, stays=stays, searched=searched)

    async def rooms(self, room_type: str | None = None, *, today: date) -> RoomsInfo:
        kinds = await self._remember_rooms(await self._reader.house(), {})
        data = PropertyData(record=self.record, rooms=kinds, plans=(), meals=())
        wanted = kinds if room_type is None else [known_room(data, room_type)]
        return RoomsInfo(rooms=[kind.as_room_type(None, self.record.currency) for kind in wanted])

    async def _remember_rooms(self, house: House, names_he: Mapping[str, str]) -> Sequence[RoomKind]:
        """The room types with their Hebrew names, by code: only prices come with those."""
        return await asyncio.to_thread(self._kept_rooms, house.kinds, names_he) if house.kinds else ()

    def _kept_rooms(self, kinds: Sequence[RoomKind], names_he: Mapping[str, str]) -> Sequence[RoomKind]:
        before = {kind.code: kind.name_he for kind in self._quotes.rooms() if kind.name_he != kind.name}
        known = {**before, **names_he}
        named = [replace(kind, name_he=known.get(kind.code, kind.name_he)) for kind in kinds]
        self._quotes.keep_rooms(named)
        return named

    async def info(self, topic: str) -> HotelInfo:
        return hotel_info(self.record, topics_of(self._config), topic)

    async def holds(self) -> list[HeldStay]:
        """None: MiniHotel keeps no rooms for a question."""
        return []
