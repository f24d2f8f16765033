"""The port every property system is reached through, and the resolver from a property's id to its adapter."""

import re
from datetime import date
from pathlib import Path
from typing import Protocol, runtime_checkable

from platformdirs import user_data_path

from wavegraph.graph.errors import SettingsError
from wavegraph.tools.hotel.credentials import Secrets
from wavegraph.tools.hotel.records import (
    Availability,
    Board,
    HotelInfo,
    OpenStays,
    PropertyRecord,
    RoomsInfo,
    StayQuery,
)
from wavegraph.tools.hotel.sandbox import SandboxProperty, SqliteProperty

DEFAULT_PROPERTY = "sandbox"
PROPERTY_ID = re.compile(r"[a-z0-9][a-z0-9_-]{0,62}")
"""Also a file name, so neither dots nor slashes."""


@runtime_checkable
class Property(Protocol):
    """One hotel's system, read only. `today` is the request's date in the hotel's zone; no method reads a clock for it.

    All methods raise `ToolRefusal` for what the house cannot take at all: `past`, `bad_dates`, `too_long`
    (names the maximum), `not_found` (names the room types), `occupancy` (more guests than the whole house
    holds). Having no room is an answer, not an error.
    """

    record: PropertyRecord

    async def availability(self, query: StayQuery, *, today: date) -> Availability:
        """Offers and combinations for one stay, or every room type's reason."""
        ...

    async def open_stays(
        self,
        *,
        from_date: date,
        to_date: date,
        nights: int,
        adults: int,
        children_ages: list[int],
        rooms: int | None = None,
        room_type: str | None = None,
        board: Board | None = None,
        near: date | None = None,
        limit: int = 6,
        today: date,
    ) -> OpenStays:
        """Whole stays inside [from_date, to_date], departing on to_date at the latest.

        Nearest to `near` (default from_date) first, then cheapest; no more than `limit`.
        """
        ...

    async def rooms(self, room_type: str | None = None, *, today: date) -> RoomsInfo: ...

    async def info(self, topic: str) -> HotelInfo:
        """What the house says on a topic; `found` false, with the topics it knows, when it says nothing."""
        ...

    async def open(self) -> None:
        """Make ready to answer; idempotent."""
        ...

    async def close(self) -> None:
        """Let go of all resources; idempotent."""
        ...


def default_data_dir() -> Path:
    return user_data_path("wavegraph")


def hotel_path(data_dir: Path, property_id: str) -> Path:
    """Where an imported hotel's file lies."""
    return data_dir / "hotels" / f"{property_id}.sqlite"


def known_properties(data_dir: Path) -> list[str]:
    """The demo house first, then the imported hotels by id."""
    return [DEFAULT_PROPERTY, *sorted(path.stem for path in (data_dir / "hotels").glob("*.sqlite"))]


def open_property(
    property_id: str = DEFAULT_PROPERTY, *, data_dir: Path | None = None, secrets: Secrets | None = None
) -> Property:
    """The adapter of a property, not yet opened. Raises `SettingsError` for an id that is not known.

    `secrets` resolves `PropertyRecord.credentials_source` at each call to a remote system; a property
    kept in a file needs none.
    """
    folder = data_dir or default_data_dir()
    if property_id == DEFAULT_PROPERTY:
        return SandboxProperty(folder / "sandbox.sqlite")
    if property_id not in known_properties(folder) or not PROPERTY_ID.fullmatch(property_id):
        known = ", ".join(known_properties(folder))
        raise SettingsError(f"unknown property_id {property_id!r}; known: {known}. Import a hotel to add one")
    return SqliteProperty(hotel_path(folder, property_id))
