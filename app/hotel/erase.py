"""What the hotels keep of their guests: quotes, holds and bookings, erased by each hotel's own rule."""

import asyncio
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from wavegraph.app.run.contact import BadContact, Contact
from wavegraph.app.run.erase import CONTACT_KINDS, Item, Left, parts
from wavegraph.app.run.stored import left_in_file, left_in_rows
from wavegraph.app.storage.traces import Needle, Row, traces_in
from wavegraph.tools.hotel.property import personal_data, store
from wavegraph.tools.hotel.property.guest_identity import ALPHABET, QUOTE, QUOTE_LENGTH
from wavegraph.tools.hotel.property.personal_data import GuestRow
from wavegraph.tools.hotel.property.places.property_file import PropertyFile
from wavegraph.tools.hotel.property.places.shared import shared_database, shared_properties
from wavegraph.tools.hotel.property.port import default_data_dir, hotel_file, local_properties, open_property
from wavegraph.tools.hotel.property.sqlite_property import StoredProperty
from wavegraph.tools.hotel.records import Guest

_QUOTE_ID = re.compile(rf"{re.escape(QUOTE)}[{ALPHABET}]{{{QUOTE_LENGTH}}}")
SHORTEST = 5
"""Characters of a name or a note that is searched for."""


class _Key(NamedTuple):
    property_id: str
    quote_id: str
    is_kept: bool


def guest_data(database: str | None = None) -> "HotelGuestData":
    return HotelGuestData(database=database)


class HotelGuestData:
    """`app.run.erase.GuestData` of all hotels in a folder, and of those in the database that machines share (see
    `open_property`). A remote system's bookings are that system's to erase."""

    def __init__(
        self, folder: Path | None = None, *, database: str | None = None, now: store.UtcClock = store.utc_now
    ) -> None:
        self._folder, self._database, self._now = folder, database, now

    async def find(self, threads: Mapping[str, Sequence[Any]], contact: Contact | None) -> Sequence[Item]:
        for adapter in await asyncio.to_thread(self._hotels):
            await adapter.open()  # brings what an earlier version wrote up to date
        return await asyncio.to_thread(lambda: list(self._find(set(_quote_ids(threads)), contact)))

    async def erase(self, items: Sequence[Item]) -> None:
        await asyncio.to_thread(self._erase, items)

    async def left(self, needles: Sequence[Needle], items: Sequence[Item]) -> Sequence[Left]:
        return await asyncio.to_thread(self._left, needles, items)

    def _hotels(self) -> list[StoredProperty]:
        """Those of the database, and those in files, also where they are still to move to the database."""
        folder, now = self._folder or default_data_dir(), self._now
        shared = shared_database(self._folder, self._database)
        found = [
            open_property(name, data_dir=folder, database=shared, now=now)
            for name in (shared_properties(shared) if shared else ())
        ]
        for name in local_properties(folder):
            if hotel_file(folder, name).exists():
                found.append(open_property(name, data_dir=folder, now=now))
        return [adapter for adapter in found if isinstance(adapter, StoredProperty)]

    def _find(self, quote_ids: set[str], contact: Contact | None) -> Iterator[Item]:
        asked = [contact] if contact else []
        hotels = self._hotels()
        own = [row for adapter in hotels for row in _rows(adapter, quote_ids, asked)]
        # Whoever books with the same address or number is the same guest.
        theirs = [*asked, *(found for row in own for found in _contacts(row.guest))]
        for adapter in hotels:
            property_id = adapter.record.property_id
            yield from (_item(property_id, row) for row in _rows(adapter, quote_ids, theirs))
            with adapter.place.reading() as connection:
                unused = personal_data.unused_quotes(connection, quote_ids)
            for quote_id in unused:
                key = _Key(property_id, quote_id, is_kept=False)
                yield Item(what=f"quote {quote_id} of {property_id}", becomes="erased", key=key)

    def _erase(self, items: Sequence[Item]) -> None:
        for adapter in self._hotels():
            names = {item.key.quote_id for item in items if item.key.property_id == adapter.record.property_id}
            if not names:
                continue
            today, keep_days = adapter.real_today(), adapter.record.keep_days_after_departure
            with adapter.place.writing() as connection:
                # Found once more: a hold may have become a booking since.
                rows = personal_data.find(connection, lambda name, _: name in names, today, keep_days)  # noqa: B023
                personal_data.erase(connection, rows, names)

    def _left(self, needles: Sequence[Needle], items: Sequence[Item]) -> list[Left]:
        found = []
        for adapter in self._hotels():
            own = [item.key for item in items if item.key.property_id == adapter.record.property_id]
            owner = _owner({key.quote_id for key in own if key.is_kept})
            found += [left for left in _left_in(adapter, needles, owner) if not _is_allowed(left)]
        return found


def _rows(adapter: StoredProperty, quote_ids: set[str], contacts: Sequence[Contact]) -> list[GuestRow]:
    def is_theirs(quote_id: str, guest: Guest) -> bool:
        details = [text for text in (guest.email, guest.phone) if text]
        return quote_id in quote_ids or any(contact.is_in(text) for contact in contacts for text in details)

    with adapter.place.reading() as connection:
        return personal_data.find(connection, is_theirs, adapter.real_today(), adapter.record.keep_days_after_departure)


def _left_in(adapter: StoredProperty, needles: Sequence[Needle], owner: Any) -> Sequence[Left]:
    """An SQLite file is written anew before it is searched."""
    if isinstance(adapter.place, PropertyFile):
        return left_in_file(adapter.place.path, needles, owner)
    with adapter.place.reading() as connection:
        rows = [(table, row) for table in store.TABLES for row in store.rows_by_name(connection, table)]
    return left_in_rows(list(traces_in(rows, needles)), adapter.place.name, owner)


def _contacts(guest: Guest) -> Iterator[Contact]:
    for text in (guest.email, guest.phone):
        with suppress(BadContact):  # a guest may have written anything
            yield Contact.of(text or "")


def _quote_ids(threads: Mapping[str, Sequence[Any]]) -> Iterator[str]:
    """The quotes that a thread was given: only a result gives a quote's id, and whoever has it may book it."""
    for part in parts(list(threads.values())):
        if isinstance(part, Mapping):
            name = part.get("quote_id")
            if isinstance(name, str) and _QUOTE_ID.fullmatch(name):
                yield name


def _item(property_id: str, row: GuestRow) -> Item:
    stay = f"{row.check_in} to {row.check_out}"
    what = (
        f"booking {row.reference} of {property_id}, {stay}"
        if row.reference
        else f"hold {row.quote_id} of {property_id}, {stay}"
    )
    details = {"name": row.guest.name, "e-mail": row.guest.email, "phone": row.guest.phone, "notes": row.guest.notes}
    texts = [Needle(kind, text) for kind, text in details.items() if text and len(text) >= SHORTEST]
    return Item(
        what=what, becomes=_becomes(row), texts=texts, key=_Key(property_id, row.quote_id, row.keeps != "nothing")
    )


def _becomes(row: GuestRow) -> str:
    if row.reference is None:
        return "released and erased"
    if row.keeps == "all":
        return f"name, e-mail, phone and notes are kept until {row.until}, because the stay is not over"
    if row.keeps == "name":
        return f"e-mail, phone and notes erased; the name is kept until {row.until}, because the accounts need it"
    return "name, e-mail, phone and notes erased; dates, rooms and amounts stay"


def _owner(kept: set[str]) -> Any:
    """By row of a hotel's file: who else may hold the text. A hotel's own e-mail or phone is no guest's."""

    def owner(table: str, row: Row) -> str | None:
        if table in store.PROPERTY_TABLES:
            return "the hotel"
        if table != "booking":
            return None
        return _KEPT if row["quote_id"] in kept else "another guest"

    return owner


_KEPT = "kept"


def _is_allowed(left: Left) -> bool:
    """What is kept by the rule, and the hotel's own. A contact detail in another booking is neither: it would be found."""
    return left.thread_id in (_KEPT, "the hotel") or (left.thread_id is not None and left.what not in CONTACT_KINDS)
