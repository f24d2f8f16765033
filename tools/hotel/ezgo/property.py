"""A hotel on EzGo, read only. Unverified: see `service`.

It searches one stay at a time. What EzGo is not known to say is not guessed: why a stay is not offered, until when it can be
cancelled (so no offer is called refundable), the price of each night, what a room is like. Nothing is quoted, held, booked,
looked up or cancelled.
"""

import asyncio
from collections.abc import Sequence
from datetime import date, timedelta
from itertools import islice, pairwise
from pathlib import Path
from typing import NoReturn

from wavegraph.graph.errors import ToolRefusal
from wavegraph.tools.hotel.configuration.entry import PropertyEntry
from wavegraph.tools.hotel.configuration.topics import topics_of
from wavegraph.tools.hotel.ezgo.service import EzgoService, FoundRoom, split
from wavegraph.tools.hotel.inventory.open_stays import arrivals
from wavegraph.tools.hotel.inventory.pricing import Guests, round_half_up
from wavegraph.tools.hotel.inventory.property_data import RoomKind
from wavegraph.tools.hotel.inventory.search import guests_in, refuse_dates, refuse_length
from wavegraph.tools.hotel.inventory.topics import hotel_info
from wavegraph.tools.hotel.profile import PropertyProfile
from wavegraph.tools.hotel.property.capabilities import Capabilities
from wavegraph.tools.hotel.property.credentials import Secrets
from wavegraph.tools.hotel.property.store import UtcClock
from wavegraph.tools.hotel.records import (
    ELSEWHERE,
    Availability,
    Booking,
    Guest,
    HeldStay,
    HotelInfo,
    Offer,
    OpenStay,
    OpenStays,
    OpenStaysQuery,
    PropertyRecord,
    Quote,
    QuoteQuery,
    RoomsInfo,
    StayQuery,
)

DAY = timedelta(days=1)
RATE = "EZGO"
"""The rate plan's code: EzGo's search names none."""
MOST_SEARCHES = 7
"""Stays that a search for other dates asks about, one call each."""
CHECKED_AHEAD = timedelta(days=30)
"""How far from today the harmless search of `check` lies."""
SEARCHES = Capabilities(
    holds=False,
    reasons=frozenset(),
    policies=False,
    bookings=False,
    writes=False,
    rate_plans=False,
    combinations=False,
    nightly_prices=False,
    details=False,
)


class EzgoProperty:
    """Answers from EzGo's search; see `Property` for the methods."""

    capabilities = SEARCHES

    def __init__(
        self, entry: PropertyEntry, *, secrets: Secrets, data_dir: Path, database: str | None = None, now: UtcClock
    ) -> None:
        """`data_dir` and `database` are not used: nothing of a search is kept."""
        self._entry, self._now = entry, now
        self._service = EzgoService(entry, secrets)
        self.record: PropertyRecord = entry.record()

    def profile(self) -> PropertyProfile:
        return PropertyProfile(self.record, self._kinds(), topics_of(self._entry))

    async def check(self) -> None:
        """One search, a month ahead."""
        await self._search(self._now().date() + CHECKED_AHEAD, 1, Guests(2))

    async def availability(self, query: StayQuery, *, today: date) -> Availability:
        refuse_dates(self.record, check_in=query.check_in, nights=query.nights, today=today)
        offers = await self._offers(query)
        return Availability(
            check_in=query.check_in,
            check_out=query.check_out,
            nights=query.nights,
            adults=query.adults,
            children_ages=list(query.children_ages),
            rooms=query.rooms or 1,
            offers=offers,
            combinations=[],
            refusals=[],
            reason=None,
            currency=self.record.currency,
            booking_link=self.record.booking_url,
        )

    async def open_stays(self, query: OpenStaysQuery, *, today: date) -> OpenStays:
        """Of the stays nearest to the date that was asked about: the window and `searched` say which those are."""
        refuse_length(self.record, query.nights)
        near = query.near or query.from_date
        days = list(islice(arrivals(max(query.from_date, today), query, near), MOST_SEARCHES))
        found = [stay for day in days if (stay := await self._open_stay(query, day))]
        stays = sorted(found, key=lambda stay: stay.from_agorot) if query.order else found
        same = query.model_dump(include={"nights", "adults", "children_ages", "order", "arrive_on", "sleep_on"})
        return OpenStays(
            **same,
            from_date=min(days, default=query.from_date),
            to_date=max(days) + query.nights * DAY if days else query.to_date,
            searched=len(days),
            stays=stays[: query.limit],
        )

    async def rooms(self, room_type: str | None = None, *, today: date) -> RoomsInfo:
        """Names alone, and those from the properties file."""
        if not self._entry.room_names:
            raise ToolRefusal("not_found", f"this hotel's system does not describe its rooms; {self._ask_reception()}")
        kinds = [kind for kind in self._kinds() if room_type in (None, kind.code)]
        if not kinds:
            known = ", ".join(self._entry.room_names)
            raise ToolRefusal("not_found", f"no room type {room_type!r} in this hotel; its room types: {known}")
        return RoomsInfo(rooms=[kind.as_room_type(None, self.record.currency) for kind in kinds])

    async def info(self, topic: str) -> HotelInfo:
        return hotel_info(self.record, topics_of(self._entry), topic)

    async def quote(self, query: QuoteQuery, *, today: date) -> Quote:
        self._refuse("quoted or booked")

    async def hold(self, quote_id: str, guest: Guest, *, minutes: int, today: date) -> Quote:
        self._refuse("held")

    async def book(self, quote_id: str, guest: Guest, *, today: date) -> Booking:
        self._refuse("booked")

    async def booking_of(self, quote_id: str, guest: Guest) -> Booking | None:
        """Nothing was ever booked from here."""
        return None

    async def release(self, quote_id: str) -> None:
        """Nothing is ever held."""

    async def booking(self, reference: str, surname_or_email: str) -> Booking:
        self._refuse("looked up")

    async def cancellation(self, reference: str, surname_or_email: str, *, today: date) -> Booking:
        self._refuse("cancelled")

    async def cancel(self, reference: str, surname_or_email: str, *, today: date) -> Booking:
        self._refuse("cancelled")

    async def holds(self) -> list[HeldStay]:
        return []

    async def open(self) -> None:
        """The first search connects."""

    async def close(self) -> None:
        self._service.close()

    def _refuse(self, deed: str) -> NoReturn:
        raise ToolRefusal(
            ELSEWHERE, f"stays on this hotel's system cannot be {deed} from here; {self._ask_reception()}"
        )

    def _ask_reception(self) -> str:
        ways = [self.record.booking_url, self.record.phone, self.record.email]
        return f"ask the hotel: {', '.join(filter(None, ways)) or 'its reception'}"

    async def _search(
        self, check_in: date, nights: int, guests: Guests, room_type: str | None = None
    ) -> list[FoundRoom]:
        return await asyncio.to_thread(self._service.search, check_in, nights, guests, _number(room_type))

    async def _offers(self, query: StayQuery) -> list[Offer]:
        """The cheapest of each room type and board, cheapest first."""
        rooms = query.rooms or 1
        guests = split(guests_in(query, self.record), rooms)
        found = await self._search(query.check_in, query.nights, guests, query.room_type)
        cheapest: dict[tuple[str, str], Offer] = {}
        for room in sorted(found, key=lambda each: each.total):
            if room.free >= rooms and query.board in (None, room.board) and query.room_type in (None, room.room_type):
                cheapest.setdefault((room.room_type, room.board), self._offer(room, rooms, query.nights))
        return list(cheapest.values())

    def _offer(self, room: FoundRoom, rooms: int, nights: int) -> Offer:
        total, kind = room.total * rooms, self._kind(room.room_type)
        spread = [total * night // nights for night in range(nights + 1)]
        return Offer(
            room_type=kind.code,
            room_name=kind.name,
            room_name_he=kind.name_he,
            rate_plan=RATE,
            rate_name="EzGo",
            board=room.board,
            refundable=False,
            cancel_until=None,
            count=rooms,
            total_agorot=total,
            per_night_agorot=round_half_up(total, nights),
            nightly_agorot=[after - before for before, after in pairwise(spread)],
            rooms_left=room.free,
            currency=self.record.currency,
        )

    async def _open_stay(self, query: OpenStaysQuery, check_in: date) -> OpenStay | None:
        same = query.model_dump(include={"adults", "children_ages", "rooms", "room_type", "board"})
        stay = StayQuery(check_in=check_in, check_out=check_in + query.nights * DAY, **same)
        if not (offers := await self._offers(stay)):
            return None
        best = offers[0]
        name = f"{best.count} × {{}}" if best.count > 1 else "{}"
        return OpenStay(
            check_in=stay.check_in,
            check_out=stay.check_out,
            nights=stay.nights,
            from_agorot=best.total_agorot,
            per_night_agorot=best.per_night_agorot,
            room_type=best.room_type,
            room_name=name.format(best.room_name),
            room_name_he=name.format(best.room_name_he),
            rate_plan=best.rate_plan,
            board=best.board,
            refundable=best.refundable,
            cancel_until=best.cancel_until,
            currency=best.currency,
        )

    def _kinds(self) -> Sequence[RoomKind]:
        return [self._kind(code) for code in self._entry.room_names]

    def _kind(self, code: str) -> RoomKind:
        """A room type of which only the name is known, and that from the properties file."""
        name = self._entry.room_names.get(code)
        return RoomKind(
            code=code, name=name or f"Room type {code}", name_he=name or f"סוג חדר {code}", base_occ=0, max_adults=0,
            max_children=0, max_babies=0, max_total=0, size_sqm=0, beds="", beds_he="",
        )  # fmt: skip


def _number(room_type: str | None) -> int:
    """0 = all. Raises `ToolRefusal` `not_found`: EzGo's room types have numbers."""
    if room_type is None:
        return 0
    if not (room_type.isascii() and room_type.isdigit()):
        raise ToolRefusal("not_found", f"no room type {room_type!r} in this hotel: they have numbers")
    return int(room_type)
