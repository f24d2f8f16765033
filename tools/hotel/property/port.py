"""The interface of every property system, and the resolver from a property's id to its adapter."""

import importlib
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Protocol, runtime_checkable

from platformdirs import user_data_path

from wavegraph.graph.errors import SettingsError
from wavegraph.tools.hotel.configuration.entry import PropertyEntry, System
from wavegraph.tools.hotel.configuration.file import Fault, PropertiesFile, configured
from wavegraph.tools.hotel.configuration.values import PROPERTY_ID
from wavegraph.tools.hotel.profile import PropertyProfile
from wavegraph.tools.hotel.property.capabilities import Capabilities
from wavegraph.tools.hotel.property.credentials import EnvironmentSecrets, NamedVariables, Secrets
from wavegraph.tools.hotel.property.places.shared import move_in, shared_database, shared_place, shared_properties
from wavegraph.tools.hotel.property.sqlite_property import SandboxProperty, SqliteProperty, StoredProperty
from wavegraph.tools.hotel.property.store import UtcClock, utc_now
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
ADAPTERS: Mapping[System, str] = {
    "minihotel": "wavegraph.tools.hotel.minihotel.connected:connected",
    "ezgo": "wavegraph.tools.hotel.ezgo.property:EzgoProperty",
}
"""Of the remote systems: `package.module:attribute`, imported when a hotel on it is opened and called as `adapter_of` is."""


@runtime_checkable
class Property(Protocol):
    """One hotel's system. `today` is the request's date in the hotel's time zone; no method reads a clock for it.
    Quotes and holds expire by real time, whatever `today` is.

    Where bookings are not written (`capabilities`), `hold`, `book`, `cancellation` and `cancel` raise `book_elsewhere`.

    All methods raise `ToolRefusal` for what the property can never accept: `past`, `bad_dates`, `too_long`
    (names the maximum), `not_found` (names the room types), `occupancy` (more guests than the whole property
    holds). For reads, having no room is an answer; for a quote, a hold and a booking it is a refusal with the
    reason the availability gives, such as `sold_out` or `min_stay`.
    """

    record: PropertyRecord

    @property
    def capabilities(self) -> Capabilities:
        """What this property can do and say."""
        ...

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

        A fee of None = the property's system does not say its terms. Raises `past` after the day of arrival, `not_found`
        as `booking` does.
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


class RemoteProperty(Property, Protocol):
    """The adapter of a system outside of the house."""

    async def check(self) -> None:
        """Ask the system something harmless. Raises what any call to it raises."""
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
    """The demo hotel first, then the imported hotels by id, then those of the properties file, usable or not."""
    local = local_properties(data_dir)
    return [*local, *(each for each in configured(data_dir).ids if each not in local)]


def local_properties(data_dir: Path) -> list[str]:
    """The demo hotel first, then the imported hotels by id."""
    return [DEFAULT_PROPERTY, *sorted(path.stem for path in (data_dir / "hotels").glob("*.sqlite"))]


def listed_beside(listed: PropertiesFile, data_dir: Path) -> PropertiesFile:
    """The properties file, whose ids no imported hotel may have."""
    said = "is an imported hotel and stands in {} too: give one of them another id"
    twice = [each for each in local_properties(data_dir)[1:] if each in listed.ids]
    faults = [Fault(each, f"property_id {each!r} {said.format(listed.path)}") for each in twice]
    others = {each: entry for each, entry in listed.entries.items() if each not in twice}
    return PropertiesFile(listed.path, others, [*listed.faults, *faults])


def open_property(
    property_id: str = DEFAULT_PROPERTY,
    *,
    data_dir: Path | None = None,
    secrets: Secrets | None = None,
    database: str | None = None,
    now: UtcClock | None = None,
) -> Property:
    """The adapter of a property, not yet opened. Raises `SettingsError` for an unknown id, and for one that the
    properties file lists wrongly or that is used twice.

    `secrets` resolves `PropertyRecord.credentials_source` at each call to a remote system (None = from the environment); a
    property kept here needs none. `database`: a PostgreSQL database in which it is kept instead of in a file of `data_dir`;
    None = the one that WAVEGRAPH_DATABASE names, unless there is a `data_dir`. `now`: the clock by which quotes and holds
    expire; None = the database's, or for a file the machine's.
    """
    folder, shared = data_dir or default_data_dir(), shared_database(data_dir, database)
    if remote := _remote(property_id, folder, secrets, shared, now or utc_now):
        return remote
    if shared:
        return _shared(property_id, folder, shared, now)
    if property_id == DEFAULT_PROPERTY:
        return SandboxProperty(folder / "sandbox.sqlite", now=now)
    if property_id not in local_properties(folder) or not PROPERTY_ID.fullmatch(property_id):
        raise _unknown(property_id, folder, known_properties(folder))
    return SqliteProperty(hotel_path(folder, property_id), now=now)


def _shared(property_id: str, folder: Path, database: str, now: UtcClock | None) -> StoredProperty:
    """A property of a database that others share; from a file of the folder, it moves there."""
    place = shared_place(database, property_id)
    if property_id == DEFAULT_PROPERTY:
        return SandboxProperty(place, now=now, file=hotel_file(folder, property_id))
    if not PROPERTY_ID.fullmatch(property_id) or not move_in(place, hotel_file(folder, property_id)):
        raise _unknown(property_id, folder, [*known_properties(folder), *shared_properties(database)])
    return StoredProperty(place, now=now)


def _unknown(property_id: str, folder: Path, known: Sequence[str]) -> SettingsError:
    ways = "; ".join([*configured(folder).whole_file_faults(), "Import a hotel to add one, or list it"])
    return SettingsError(f"unknown property_id {property_id!r}; known: {', '.join(dict.fromkeys(known))}. {ways}")


def _remote(
    property_id: str, data_dir: Path, secrets: Secrets | None, database: str | None, now: UtcClock
) -> Property | None:
    """The adapter of a property that the properties file lists; None = it lists none of this id. Raises `SettingsError`."""
    if property_id == DEFAULT_PROPERTY:
        return None
    entry = listed_beside(configured(data_dir), data_dir).entry(property_id)
    if entry is None:
        return None
    return adapter_of(entry, secrets=secrets or EnvironmentSecrets(), data_dir=data_dir, database=database, now=now)


def adapter_of(
    entry: PropertyEntry, *, secrets: Secrets, data_dir: Path, database: str | None = None, now: UtcClock
) -> RemoteProperty:
    """The adapter of a listed property, not yet opened. Raises `SettingsError` naming an extra that is missing.

    The login is in the variables that the file names; where it names none, `secrets` is asked by the property's id.
    """
    if entry.username_variable and entry.password_variable:
        secrets = NamedVariables(entry.username_variable, entry.password_variable)
    module, _, attribute = ADAPTERS[entry.pms_type].partition(":")
    make = getattr(importlib.import_module(module), attribute)
    adapter: RemoteProperty = make(entry, secrets=secrets, data_dir=data_dir, database=database, now=now)
    return adapter
