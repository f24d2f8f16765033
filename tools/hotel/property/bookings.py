"""Quotes, holds and bookings of a property kept here, in a file or in PostgreSQL.

Exactly once: a quote's id is the primary key of its hold or booking, and everything a write reads and changes
(lapsed holds, price, rooms, the booking itself) is one transaction, the property's only one at the time. Whoever comes
second finds the first row.
"""

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import AbstractContextManager
from datetime import date, datetime, timedelta
from functools import wraps
from typing import Any, ParamSpec, TypeVar
from zoneinfo import ZoneInfo

from wavegraph.graph.errors import ToolRefusal
from wavegraph.tools.hotel.inventory.property_data import Window
from wavegraph.tools.hotel.inventory.search import StaySearch, refuse_dates, refuse_too_many, room_request
from wavegraph.tools.hotel.property import booking_rows, personal_data, store
from wavegraph.tools.hotel.property.booking_rows import Claim, StoredQuote
from wavegraph.tools.hotel.property.guest_identity import as_reference, is_known_as, new_quote_id
from wavegraph.tools.hotel.property.hold_rules import why_unheld
from wavegraph.tools.hotel.property.place import Connection, Place
from wavegraph.tools.hotel.property.quote_terms import cheapest_parts, check_again, quote_of, without_cancellation
from wavegraph.tools.hotel.records import (
    Booking,
    Guest,
    HeldStay,
    OpenStaysQuery,
    PropertyRecord,
    Quote,
    QuoteQuery,
    StayQuery,
    UnheldQuote,
)

QUOTE_VALID = timedelta(minutes=30)
ENDED_HOLDS_LISTED = timedelta(days=1)
"""How long the front desk still sees a lapsed hold."""

NOBODY = Guest(name="", email="")
"""Stands in for the guest of a missing booking, so that both cases take the same time."""


P = ParamSpec("P")
T = TypeVar("T")


def in_thread(work: Callable[P, T]) -> Callable[P, Coroutine[Any, Any, T]]:
    """Run the method in a worker thread, since it waits for the disk."""

    @wraps(work)
    async def run(*args: P.args, **given: P.kwargs) -> T:
        return await asyncio.to_thread(work, *args, **given)

    return run


class StoredBookings:
    """The methods that write a property's rows; documented in `Property`."""

    place: Place
    record: PropertyRecord
    now: store.UtcClock | None
    """None = the place's own clock."""

    def _read(self) -> AbstractContextManager[Connection]:
        return self.place.reading()

    def _write(self) -> AbstractContextManager[Connection]:
        return self.place.writing()

    def real_today(self) -> date:
        """Today where the hotel stands, whatever a request's `today` is."""
        return (self.now or store.utc_now)().astimezone(ZoneInfo(self.record.time_zone)).date()

    def _now(self, connection: Connection) -> datetime:
        """The current time in whole seconds, as it is stored."""
        return (self.now or connection.now)().replace(microsecond=0)

    def _search(self, first: date, last: date, query: StayQuery | OpenStaysQuery, today: date) -> StaySearch:
        """Raises `ToolRefusal` for a room type or a party this property cannot have at all."""
        with self._read() as connection:
            property_data, totals = store.read_property(connection), store.read_totals(connection)
            window = Window(store.read_nights(connection, first, last, self._now(connection)))
        search = StaySearch(
            property_data=property_data,
            window=window,
            totals=totals,
            request=room_request(property_data, query),
            today=today,
        )
        refuse_too_many(search)
        return search

    # Quotes

    @in_thread
    def quote(self, query: QuoteQuery, *, today: date) -> Quote:
        refuse_dates(self.record, check_in=query.check_in, nights=query.nights, today=today)
        search = self._search(query.check_in, query.check_out, query, today)
        parts = cheapest_parts(search, query)
        cheaper = without_cancellation(search, query, parts)
        with self._write() as connection:
            now = self._now(connection)
            quote = quote_of(
                parts,
                query,
                quote_id=new_quote_id(),
                expires_at=now + QUOTE_VALID,
                currency=search.currency,
                without_cancellation_agorot=cheaper,
            )
            booking_rows.forget_old(connection, now)
            personal_data.erase_due(connection, self.real_today(), self.record.keep_days_after_departure)
            booking_rows.add_quote(connection, quote, [part.split for part in parts])
        return quote

    # Holds

    @in_thread
    def hold(self, quote_id: str, guest: Guest, *, minutes: int, today: date) -> Quote:
        with self._write() as connection:
            now = self._now(connection)
            booking_rows.release_lapsed(connection, now)
            stored, claim = _known(connection, quote_id), booking_rows.find_claim(connection, quote_id)
            if claim and claim.is_booked:
                _refuse_other_guest(stored, claim, guest)
                return stored.quote
            until = now + timedelta(minutes=minutes)
            if claim and claim.status == "hold":
                until = self._until(connection, stored, claim, today, now, until)
            else:
                self._make_room(connection, stored, today, now)
                if rule := why_unheld(connection, stored.quote, guest):
                    booking_rows.keep_quote(connection, quote_id, until)
                    return UnheldQuote(**{**dict(stored.quote), "expires_at": until, "unheld_for": rule})
                booking_rows.take_rooms(connection, stored.quote, "held")
            booking_rows.put_hold(connection, stored, guest, until, now)
        return stored.quote.model_copy(update={"expires_at": until})

    def _until(
        self,
        connection: Connection,
        stored: StoredQuote,
        claim: Claim,
        today: date,
        now: datetime,
        until: datetime,
    ) -> datetime:
        """When a hold that is asked for again ends: at `until` if it could be made anew, else as it was promised."""
        refuse_dates(self.record, check_in=stored.quote.check_in, nights=stored.quote.nights, today=today)
        booking_rows.free_rooms(connection, stored.quote, "held")
        try:
            self._check_again(connection, stored, today, now)
        except ToolRefusal:
            return datetime.fromisoformat(str(claim.hold_until))
        finally:
            booking_rows.hold_as_before(connection, stored.quote)
        return until

    def _make_room(self, connection: Connection, stored: StoredQuote, today: date, now: datetime) -> None:
        """Check that a quote without a hold is still valid. Raises `ToolRefusal`, which rolls the caller's transaction back."""
        quote = stored.quote
        if quote.expires_at <= now:
            raise ToolRefusal("quote_expired", f"quote {quote.quote_id} was valid until {quote.expires_at:%H:%M} UTC")
        refuse_dates(self.record, check_in=quote.check_in, nights=quote.nights, today=today)
        self._check_again(connection, stored, today, now)

    def _check_again(self, connection: Connection, stored: StoredQuote, today: date, now: datetime) -> None:
        quote = stored.quote
        property_data = store.read_property(connection)
        window = Window(store.read_nights(connection, quote.check_in, quote.check_out, now))
        check_again(property_data, window, quote, stored.splits, today)

    @in_thread
    def release(self, quote_id: str) -> None:
        with self._write() as connection:
            booking_rows.release_lapsed(connection, self._now(connection))
            claim, stored = booking_rows.find_claim(connection, quote_id), booking_rows.find_quote(connection, quote_id)
            if claim and stored and claim.status == "hold":
                booking_rows.free_rooms(connection, stored.quote, "held")
                booking_rows.drop_claim(connection, quote_id)

    @in_thread
    def holds(self) -> list[HeldStay]:
        with self._read() as connection:
            now = self._now(connection)
            return booking_rows.held_stays(connection, now, since=now - ENDED_HOLDS_LISTED)

    # Bookings

    @in_thread
    def book(self, quote_id: str, guest: Guest, *, today: date) -> Booking:
        with self._write() as connection:
            now = self._now(connection)
            booking_rows.release_lapsed(connection, now)
            stored, claim = _known(connection, quote_id), booking_rows.find_claim(connection, quote_id)
            if claim and claim.is_booked:
                _refuse_other_guest(stored, claim, guest)
                return booking_rows.booking_of(stored, claim, repeated=True)
            if claim and claim.status == "hold":
                booking_rows.sell_held_rooms(connection, stored.quote)
            else:
                self._make_room(connection, stored, today, now)
                booking_rows.take_rooms(connection, stored.quote, "sold")
            booking_rows.put_booking(connection, stored, guest, now)
            return _booking(connection, quote_id)

    @in_thread
    def booking_of(self, quote_id: str, guest: Guest) -> Booking | None:
        with self._read() as connection:
            claim, stored = booking_rows.find_claim(connection, quote_id), booking_rows.find_quote(connection, quote_id)
        if not claim or not stored or not claim.is_booked or claim.req_hash != booking_rows.request_hash(stored, guest):
            return None
        return booking_rows.booking_of(stored, claim, repeated=True)

    @in_thread
    def booking(self, reference: str, surname_or_email: str) -> Booking:
        with self._read() as connection:
            return booking_rows.booking_of(*_looked_up(connection, reference, surname_or_email))

    # Cancellations

    @in_thread
    def cancellation(self, reference: str, surname_or_email: str, *, today: date) -> Booking:
        with self._read() as connection:
            stored, claim = _looked_up(connection, reference, surname_or_email)
        if claim.status == "cancelled":
            return booking_rows.booking_of(stored, claim)
        return booking_rows.booking_of(stored, claim, fee_agorot=_fee(stored.quote, today))

    @in_thread
    def cancel(self, reference: str, surname_or_email: str, *, today: date) -> Booking:
        with self._write() as connection:
            stored, claim = _looked_up(connection, reference, surname_or_email)
            if claim.status == "cancelled":
                return booking_rows.booking_of(stored, claim, repeated=True)
            booking_rows.put_cancelled(connection, claim.quote_id, _fee(stored.quote, today))
            booking_rows.free_rooms(connection, stored.quote, "sold")
            booking_rows.release_lapsed(connection, self._now(connection))
            return _booking(connection, claim.quote_id)


def _known(connection: Connection, quote_id: str) -> StoredQuote:
    stored = booking_rows.find_quote(connection, quote_id)
    if stored is None:
        raise ToolRefusal("not_found", f"no quote {quote_id!r} in this hotel; ask for a quote first")
    return stored


def _refuse_other_guest(stored: StoredQuote, claim: Claim, guest: Guest) -> None:
    """Does not reveal the booking's details: the caller may be somebody else."""
    if claim.req_hash != booking_rows.request_hash(stored, guest):
        taken = f"quote {claim.quote_id} is booked already, with other guest details; ask for a new quote"
        raise ToolRefusal("idempotency_conflict", taken)


def _booking(connection: Connection, quote_id: str) -> Booking:
    """The booking written just now."""
    stored, claim = booking_rows.find_quote(connection, quote_id), booking_rows.find_claim(connection, quote_id)
    assert stored, "in the same transaction"
    assert claim, "in the same transaction"
    return booking_rows.booking_of(stored, claim)


def _looked_up(connection: Connection, reference: str, surname_or_email: str) -> tuple[StoredQuote, Claim]:
    """The booking of this reference and guest. A wrong pair and an unknown reference look alike, also in timing."""
    claim = booking_rows.find_reference(connection, as_reference(reference))
    stored = booking_rows.find_quote(connection, claim.quote_id if claim else "")
    matches = is_known_as(claim.guest if claim else NOBODY, surname_or_email)
    if not claim or not stored or not matches:
        raise ToolRefusal("not_found", "no booking with this reference and this surname or e-mail address")
    return stored, claim


def _fee(quote: Quote, today: date) -> int:
    """Nothing up to the last day of free cancellation, then the whole stay. Raises `ToolRefusal` `past` after arrival."""
    if today > quote.check_in:
        raise ToolRefusal("past", f"the stay began on {quote.check_in}; today is {today}")
    return 0 if quote.cancel_until and today <= quote.cancel_until else quote.total_agorot
