"""Quotes and bookings of a hotel on MiniHotel.

MiniHotel holds no rooms, so nobody is told that one is held: price and room are asked for again right before the write.
It takes each of our ids once, and the id is of the quote: that is what makes a booking happen only once. Whatever is
unclear after a write is looked up, and never sent again.
"""

import asyncio
from collections.abc import Callable, Sequence
from datetime import date, datetime, timedelta
from xml.etree.ElementTree import Element

from wavegraph.graph.errors import ConnectionLost, ToolRefusal
from wavegraph.graph.ledger import WRITE_UNKNOWN
from wavegraph.tools.hotel.currency import written
from wavegraph.tools.hotel.inventory.search import refuse_dates
from wavegraph.tools.hotel.minihotel import messages, reservations
from wavegraph.tools.hotel.minihotel.config import MiniHotelConfig
from wavegraph.tools.hotel.minihotel.connection import Connection
from wavegraph.tools.hotel.minihotel.faults import nothing_sent, unknown, write_unknown
from wavegraph.tools.hotel.minihotel.messages import Login, Reservation, Stay
from wavegraph.tools.hotel.minihotel.quotes import Quotes, reference_of
from wavegraph.tools.hotel.minihotel.reader import Reader, together
from wavegraph.tools.hotel.minihotel.reservations import Found
from wavegraph.tools.hotel.minihotel.stays import Stays, refused_stay
from wavegraph.tools.hotel.minihotel.terms import (
    booking_found,
    booking_of_quote,
    fits,
    query_of,
    quote_of,
    terms,
    without_cancellation,
)
from wavegraph.tools.hotel.minihotel.ways import PriceList, Way, total, usual_way
from wavegraph.tools.hotel.property.booking_rows import StoredQuote
from wavegraph.tools.hotel.property.guest_identity import as_reference, is_known_as, new_quote_id, plain
from wavegraph.tools.hotel.property.quote_terms import gone
from wavegraph.tools.hotel.property.store import UtcClock
from wavegraph.tools.hotel.records import ELSEWHERE, Booking, Guest, Quote, QuoteQuery, UnheldQuote

QUOTE_VALID = timedelta(minutes=30)
Happened = Callable[[Found], bool]
"""Whether a write shows in what a look-up finds."""


class MiniHotelBookings:
    """The methods that quote, book and look up; documented in `Property`."""

    _config: MiniHotelConfig
    _connection: Connection
    _reader: Reader
    _stays: Stays
    _quotes: Quotes
    now: UtcClock

    def _now(self) -> datetime:
        return self.now().replace(microsecond=0)

    # Quotes

    async def quote(self, query: QuoteQuery, *, today: date) -> Quote:
        refuse_dates(self._config.record, check_in=query.check_in, nights=query.nights, today=today)
        answer = await self._stays.answer(query, today, anew=True)
        fitting = [way for way in answer.ways if fits(way, query)]
        way, now = usual_way(fitting, query.terms), self._now()
        if way is None:
            raise refused_stay(answer, query, self._config.rate_code)
        quote = quote_of(way, query, new_quote_id(), now + QUOTE_VALID, without_cancellation(way, fitting, query))
        await asyncio.to_thread(self._quotes.add, quote, [part.split for part in way], now)
        return quote

    async def hold(self, quote_id: str, guest: Guest, *, minutes: int, today: date) -> Quote:
        self._refuse_unless_writing("made")
        stored = await self._stored(quote_id, guest)
        if await asyncio.to_thread(self._quotes.was_sent, quote_id) and await self._found(reference_of(quote_id)):
            return stored.quote
        await self._check_again(stored, today)
        until = max(stored.quote.expires_at, self._now() + timedelta(minutes=minutes))
        await asyncio.to_thread(self._quotes.keep, quote_id, until)
        return UnheldQuote(**{**dict(stored.quote), "expires_at": until})

    async def release(self, quote_id: str) -> None:
        """Nothing is ever held."""

    async def _stored(self, quote_id: str, guest: Guest) -> StoredQuote:
        stored = await asyncio.to_thread(self._quotes.find, quote_id)
        if await asyncio.to_thread(self._quotes.sent_for_another, stored, guest):
            taken = f"quote {quote_id} is booked already, with other guest details; ask for a new quote"
            raise ToolRefusal("idempotency_conflict", taken)
        return stored

    async def _check_again(self, stored: StoredQuote, today: date) -> list[Stay]:
        """The rooms of the quote at today's prices, which are those of the quote; asked anew. Raises `ToolRefusal`."""
        quote = stored.quote
        if quote.expires_at <= self._now():
            raise ToolRefusal("quote_expired", f"quote {quote.quote_id} was valid until {quote.expires_at:%H:%M} UTC")
        refuse_dates(self._config.record, check_in=quote.check_in, nights=quote.nights, today=today)
        with nothing_sent():
            way = await self._same_way_now(stored, today)
        if (total(way), way[0].offer.currency) != (quote.total_agorot, quote.currency):
            before, after = (written(*cost) for cost in ((quote.total_agorot, quote.currency),
                             (total(way), way[0].offer.currency)))  # fmt: skip
            moved = f"the price of quote {quote.quote_id} changed from {before} to {after}; ask for a new quote"
            raise ToolRefusal("price_changed", moved)
        return [
            Stay(part.offer.room_type, part.offer.room_name, part.offer.board, guests, cost)
            for part in way
            for guests, cost in zip(part.split, part.totals, strict=True)
        ]

    async def _same_way_now(self, stored: StoredQuote, today: date) -> Way:
        quote = stored.quote
        query = query_of(quote)
        groups = list(dict.fromkeys(guests for split in stored.splits for guests in split))
        asked = [self._reader.prices(quote.check_in, quote.check_out, guests, anew=True) for guests in groups]
        by_guests = dict(zip(groups, await together(asked), strict=True))
        wanted = [(part.room_type, split) for part, split in zip(quote.parts, stored.splits, strict=True)]
        ways = PriceList(query, self._config.rate_code, by_guests).in_rooms(wanted)
        same = [way for way in ways if terms(way[0].offer) == terms(quote.parts[0])]
        if not same:
            answer = await self._stays.answer(query, today, anew=True)
            types = {part.room_type for part in quote.parts}
            codes = [refusal.code for refusal in answer.refusals if refusal.room_type in types]
            still_sold = types <= {part.offer.room_type for other in answer.ways for part in other}
            raise gone(
                quote, quote.parts[0].room_name, codes[0] if codes else "not_on_sale" if still_sold else "sold_out"
            )
        return same[0]

    # Bookings

    async def book(self, quote_id: str, guest: Guest, *, today: date) -> Booking:
        self._refuse_unless_writing("made")
        stored = await self._stored(quote_id, guest)
        sent_before = await asyncio.to_thread(self._quotes.was_sent, quote_id)
        with unknown() if sent_before else nothing_sent():
            if booked := await self._booked(stored, guest):
                return booked
        if booked := await self._booked_by_another_quote(stored, guest):
            return booked
        rooms = await self._check_again(stored, today)
        await asyncio.to_thread(self._quotes.about_to_send, stored, guest, self._now())
        await self._stored(quote_id, guest)  # another guest may have been first
        try:
            booking = await self._send_booking(stored, guest, rooms, today)
        except ToolRefusal as refusal:
            if refusal.code != WRITE_UNKNOWN:
                await asyncio.to_thread(self._quotes.not_sent, quote_id)
            raise
        await asyncio.to_thread(self._quotes.settle, quote_id)
        return booking

    async def _booked_by_another_quote(self, stored: StoredQuote, guest: Guest) -> Booking | None:
        """The same stay for this guest, of a quote whose booking got no answer. Raises `ToolRefusal` `write_unknown` while it
        may still come.
        """
        for other in await asyncio.to_thread(self._quotes.in_doubt, stored, guest, self._now()):
            with unknown():
                booked = await self._booked(other, guest)
            if booked is None:
                raise write_unknown()
            return booked
        return None

    async def _send_booking(self, stored: StoredQuote, guest: Guest, rooms: Sequence[Stay], today: date) -> Booking:
        quote, reference = stored.quote, reference_of(stored.quote.quote_id)
        what = Reservation(
            booking_id=reference, rate_code=self._config.rate_code, quote=quote, stays=rooms, guest=guest, today=today
        )
        if await self._done(
            reference, lambda login: messages.reservation(login, what), lambda found: not found.cancelled
        ):
            return booking_of_quote(quote, guest.name, reference)
        with unknown():  # no number: broken, or the id was used before
            booked = await self._booked(stored, guest)
        if booked is None:
            await self._check_again(stored, today)  # somebody else may have been first
            raise ToolRefusal("bad_response", f"the hotel's system did not take the booking of quote {quote.quote_id}")
        return booked

    async def booking_of(self, quote_id: str, guest: Guest) -> Booking | None:
        stored = await asyncio.to_thread(self._quotes.known, quote_id)
        if stored is None or await asyncio.to_thread(self._quotes.sent_for_another, stored, guest):
            return None
        sent_before = await asyncio.to_thread(self._quotes.was_sent, quote_id)
        try:
            with unknown() if sent_before else nothing_sent():
                return await self._booked(stored, guest)
        except ToolRefusal as refusal:
            if refusal.code != "idempotency_conflict":
                raise
            return None

    async def _booked(self, stored: StoredQuote, guest: Guest) -> Booking | None:
        """The booking made of this quote before. Raises `ToolRefusal` `idempotency_conflict` if it is somebody else's."""
        reference = reference_of(stored.quote.quote_id)
        found = await self._found(reference)
        if found is None:
            return None
        if found.names and plain(messages.names(guest)[1]) not in plain(found.names):
            raise ToolRefusal(
                "idempotency_conflict", f"quote {stored.quote.quote_id} is booked already for someone else"
            )
        await asyncio.to_thread(self._quotes.settle, stored.quote.quote_id)
        return booking_of_quote(stored.quote, guest.name, reference, repeated=True, status=found.booking_status)

    async def _found(self, reference: str) -> Found | None:
        return reservations.found(await self._connection.look_up(reference), reference, self._config.currency)

    async def _done(self, booking_id: str, request: Callable[[Login], Element], happened: Happened) -> bool:
        """Send it once. Where the line breaks, a look-up decides; if that finds nothing, it may still come.

        False = MiniHotel confirmed nothing. Raises `ToolRefusal` `write_unknown`, or the refusal that MiniHotel names.
        """
        try:
            return reservations.confirms(await self._connection.ari(request, effect="write"), booking_id)
        except ConnectionLost:
            with unknown():
                found = await self._found(booking_id)
            if found and happened(found):
                return True
            raise write_unknown() from None
        finally:
            self._reader.memory.forget()

    async def booking(self, reference: str, surname_or_email: str) -> Booking:
        found = await self._found(as_reference(reference))
        if found is None or not is_known_as(Guest(name=found.names, email=found.email or None), surname_or_email):
            raise ToolRefusal("not_found", "no booking with this reference and this surname or e-mail address")
        stored = await asyncio.to_thread(self._quotes.booked_as, found.booking_id)
        return booking_found(found, stored.quote if stored else None, await self._room_names())

    async def _room_names(self) -> dict[str, str]:
        return {kind.code: kind.name for kind in (await self._reader.house_if_told()).kinds}

    def _refuse_unless_writing(self, deed: str) -> None:
        if self._config.writes:
            return
        page = self._config.booking_page if deed != "cancelled" else None
        where = f"the guest can book at {page}" if page else "reception does it"
        raise ToolRefusal(ELSEWHERE, f"bookings of this hotel are not {deed} here; {where}")
