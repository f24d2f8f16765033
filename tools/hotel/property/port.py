"""The interface of every property system, and the resolver from a property's id to its adapter."""

import re
from datetime import date
from pathlib import Path
from typing import Protocol, runtime_checkable

from platformdirs import user_data_path

from wavegraph.graph.errors import SettingsError
from wavegraph.tools.hotel.profile import PropertyProfile
from wavegraph.tools.hotel.property.credentials import Secrets
from wavegraph.tools.hotel.property.places.shared import move_in, shared_database, shared_place, shared_properties
from wavegraph.tools.hotel.property.sqlite_property import SandboxProperty, SqliteProperty, StoredProperty
from wavegraph.tools.hotel.property.store import UtcClock
from wavegraph.tools.hotel.records import (
    Availability,
    Booking,
    Guest,
    HeldStay,
    HotelInfo,
    OpenStays,
    OpenStaysQuery,
    PropertyRecord,
    Quote,
    QuoteQuery,
    RoomsInfo,
    StayQuery,
)

DEFAULT_PROPERTY = "sandbox"
PROPERTY_ID = re.compile(r"[a-z0-9][a-z0-9_-]{0,62}")
"""Also a file name, so neither dots nor slashes."""


@runtime_checkable
class Property(Protocol):
    """One hotel's system. `today` is the request's date in the hotel's time zone; no method reads a clock for it.
    Quotes and holds expire by real time, whatever `today` is.

    All methods raise `ToolRefusal` for what the property can never accept: `past`, `bad_dates`, `too_long`
    (names the maximum), `not_found` (names the room types), `occupancy` (more guests than the whole property
    holds). For reads, having no room is an answer; for a quote, a hold and a booking it is a refusal with the
    reason the availability gives, such as `sold_out` or `min_stay`.
    """

    record: PropertyRecord

    def profile(self) -> PropertyProfile:
        """The current profile. May read a file: do not call it on an event loop."""
        ...

    async def availability(self, query: StayQuery, *, today: date) -> Availability:
        """Offers and combinations for one stay, or every room type's reason."""
        ...

    async def open_stays(self, query: OpenStaysQuery, *, today: date) -> OpenStays:
        """Whole stays inside [from_date, to_date], departing on to_date at the latest.

        Nearest to `near` (default from_date) first, then cheapest; with `order` the cheapest of the window. Only stays
        that begin on `arrive_on` and sleep on `sleep_on`; no more than `limit`.
        """
        ...

    async def rooms(self, room_type: str | None = None, *, today: date) -> RoomsInfo: ...

    async def info(self, topic: str) -> HotelInfo:
        """What the property says on a topic; if nothing, `found` is false and the known topics are listed."""
        ...

    async def quote(self, query: QuoteQuery, *, today: date) -> Quote:
        """The cheapest offer or combination that fits, with free cancellation where there is one, kept for half an hour. Takes no rooms.

        A room for disabled guests is quoted, and found by `open_stays`, where it is asked for or nothing like it is free.

        Raises `bad_rate` (names the rate plans) for a rate plan the property does not have.
        """
        ...

    async def hold(self, quote_id: str, guest: Guest, *, minutes: int, today: date) -> Quote:
        """Hold the quote's rooms for this guest; the returned quote expires (`expires_at`) with the hold.

        Price, conditions and rooms are checked again: `price_changed`, `sold_out`, `quote_expired`, `not_found`. Until
        a hold ends, rooms, price and conditions are the guest's, whatever the hotel closes or changes meanwhile: a second
        hold of the same quote takes no more rooms, and is for the guest now given. It restarts if the check still
        passes; else it ends when the first would have. An expired quote lives as long as its hold. A booked quote
        is not held again: it is returned unchanged, or `idempotency_conflict` for another guest.

        Where holding is not allowed (`hold_rules`), an `UnheldQuote` of the same terms: nothing is held, and `book` checks
        once more.
        """
        ...

    async def book(self, quote_id: str, guest: Guest, *, today: date) -> Booking:
        """Book a quote, once. Its hold becomes the booking; without one, everything is checked as in `hold`.

        The idempotency key is (property, quote): repeated for the same guest, it returns the same booking,
        `repeated`; for another, `idempotency_conflict`. If interrupted, it has happened completely or not at all.
        """
        ...

    async def booking_of(self, quote_id: str, guest: Guest) -> Booking | None:
        """The booking that `book` made with the same arguments, `repeated`; None = none, or for another guest."""
        ...

    async def release(self, quote_id: str) -> None:
        """Release a hold; does nothing if there is none."""
        ...

    async def booking(self, reference: str, surname_or_email: str) -> Booking:
        """The booking, for someone who knows both. A wrong pair is `not_found`, worded like an unknown reference."""
        ...

    async def cancellation(self, reference: str, surname_or_email: str, *, today: date) -> Booking:
        """The booking with the cost of cancelling it today (`fee_agorot`), or what it did cost if already cancelled.

        Raises `past` after the day of arrival, `not_found` as `booking` does.
        """
        ...

    async def cancel(self, reference: str, surname_or_email: str, *, today: date) -> Booking:
        """Cancel and free the rooms; a second time changes nothing and is `repeated`. Raises as `cancellation` does."""
        ...

    async def holds(self) -> list[HeldStay]:
        """Current holds, the first to expire first, and those that lapsed in the last day."""
        ...

    async def open(self) -> None:
        """Get ready to answer; idempotent."""
        ...

    async def close(self) -> None:
        """Release all resources; idempotent."""
        ...


def default_data_dir() -> Path:
    return user_data_path("wavegraph")


def hotel_path(data_dir: Path, property_id: str) -> Path:
    """The path of an imported hotel's file."""
    return data_dir / "hotels" / f"{property_id}.sqlite"


def hotel_file(data_dir: Path, property_id: str) -> Path:
    """The path of any hotel's file, the demo hotel's too."""
    return data_dir / "sandbox.sqlite" if property_id == DEFAULT_PROPERTY else hotel_path(data_dir, property_id)


def known_properties(data_dir: Path) -> list[str]:
    """The demo hotel first, then the imported hotels by id."""
    return [DEFAULT_PROPERTY, *sorted(path.stem for path in (data_dir / "hotels").glob("*.sqlite"))]


def open_property(
    property_id: str = DEFAULT_PROPERTY,
    *,
    data_dir: Path | None = None,
    secrets: Secrets | None = None,
    database: str | None = None,
    now: UtcClock | None = None,
) -> Property:
    """The adapter of a property, not yet opened. Raises `SettingsError` for an unknown id.

    `secrets` resolves `PropertyRecord.credentials_source` at each call to a remote system; a property
    kept here needs none. `database`: a PostgreSQL database in which it is kept instead of in a file of `data_dir`; None =
    the one that WAVEGRAPH_DATABASE names, unless there is a `data_dir`. `now`: the clock by which quotes and holds
    expire; None = the database's, or for a file the machine's.
    """
    folder = data_dir or default_data_dir()
    if shared := shared_database(data_dir, database):
        return _shared(property_id, folder, shared, now)
    if property_id == DEFAULT_PROPERTY:
        return SandboxProperty(folder / "sandbox.sqlite", now=now)
    if property_id not in known_properties(folder) or not PROPERTY_ID.fullmatch(property_id):
        known = ", ".join(known_properties(folder))
        raise SettingsError(f"unknown property_id {property_id!r}; known: {known}. Import a hotel to add one")
    return SqliteProperty(hotel_path(folder, property_id), now=now)


def _shared(property_id: str, folder: Path, database: str, now: UtcClock | None) -> StoredProperty:
    """A property of a database that others share; from a file of the folder, it moves there."""
    place = shared_place(database, property_id)
    if property_id == DEFAULT_PROPERTY:
        return SandboxProperty(place, now=now, file=hotel_file(folder, property_id))
    if not PROPERTY_ID.fullmatch(property_id) or not move_in(place, hotel_file(folder, property_id)):
        known = dict.fromkeys([*known_properties(folder), *shared_properties(database)])
        raise SettingsError(
            f"unknown property_id {property_id!r}; known: {', '.join(known)}. Import a hotel to add one"
        )
    return StoredProperty(place, now=now)
