"""What the hotels keep of their guests: quotes, holds and bookings, erased by each hotel's own rule."""

import asyncio
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from wavegraph.app.run.contact import Contact
from wavegraph.app.run.erase import CONTACT_KINDS, Item, Left, parts
from wavegraph.app.run.stored import left_in_file
from wavegraph.app.storage.traces import Needle, Row
from wavegraph.graph.errors import BadContact
from wavegraph.tools.hotel.property import personal_data, store
from wavegraph.tools.hotel.property.guest_identity import ALPHABET, QUOTE, QUOTE_LENGTH
from wavegraph.tools.hotel.property.personal_data import GuestRow
from wavegraph.tools.hotel.property.port import default_data_dir, hotel_path, known_properties, open_property
from wavegraph.tools.hotel.property.sqlite_property import SqliteProperty
from wavegraph.tools.hotel.records import Guest

_QUOTE_ID = re.compile(rf"{re.escape(QUOTE)}[{ALPHABET}]{{{QUOTE_LENGTH}}}")
SHORTEST = 5
"""Characters of a name or a note that is searched for."""


class _Key(NamedTuple):
    property_id: str
    quote_id: str
    is_kept: bool


def guest_data() -> "HotelGuestData":
    return HotelGuestData(default_data_dir())


class HotelGuestData:
    """`app.run.erase.GuestData` of all hotels in a folder. A remote system's bookings are that system's to erase."""

    def __init__(self, folder: Path, *, now: store.UtcClock = store.utc_now) -> None:
        self._folder, self._now = folder, now

    async def find(self, threads: Mapping[str, Sequence[Any]], contact: Contact | None) -> Sequence[Item]:
        for property_id, _ in self._files():
            await self._adapter(property_id).open()  # brings the file of an earlier version up to date
        return await asyncio.to_thread(lambda: list(self._find(set(_quote_ids(threads)), contact)))

    async def erase(self, items: Sequence[Item]) -> None:
        await asyncio.to_thread(self._erase, items)

    async def left(self, needles: Sequence[Needle], items: Sequence[Item]) -> Sequence[Left]:
        return await asyncio.to_thread(self._left, needles, items)

    def _files(self) -> Iterator[tuple[str, Path]]:
        for property_id in known_properties(self._folder):
            path = hotel_path(self._folder, property_id)
            path = path if path.exists() else self._folder / f"{property_id}.sqlite"
            if path.exists():
                yield property_id, path

    def _adapter(self, property_id: str) -> SqliteProperty:
        adapter = open_property(property_id, data_dir=self._folder, now=self._now)
        assert isinstance(adapter, SqliteProperty)
        return adapter

    def _find(self, quote_ids: set[str], contact: Contact | None) -> Iterator[Item]:
        asked = [contact] if contact else []
        own = [row for property_id, _ in self._files() for row in self._rows(property_id, quote_ids, asked)]
        # Whoever books with the same address or number is the same guest.
        theirs = [*asked, *(found for row in own for found in _contacts(row.guest))]
        for property_id, path in self._files():
            yield from (_item(property_id, row) for row in self._rows(property_id, quote_ids, theirs))
            with store.reading(path) as connection:
                unused = personal_data.unused_quotes(connection, quote_ids)
            for quote_id in unused:
                key = _Key(property_id, quote_id, is_kept=False)
                yield Item(what=f"quote {quote_id} of {property_id}", becomes="erased", key=key)

    def _rows(self, property_id: str, quote_ids: set[str], contacts: Sequence[Contact]) -> list[GuestRow]:
        adapter = self._adapter(property_id)

        def is_theirs(quote_id: str, guest: Guest) -> bool:
            details = [text for text in (guest.email, guest.phone) if text]
            return quote_id in quote_ids or any(contact.is_in(text) for contact in contacts for text in details)

        with store.reading(adapter.path) as connection:
            return personal_data.find(
                connection, is_theirs, adapter.real_today(), adapter.record.keep_days_after_departure
            )

    def _erase(self, items: Sequence[Item]) -> None:
        for property_id, _ in self._files():
            names = {item.key.quote_id for item in items if item.key.property_id == property_id}
            if not names:
                continue
            adapter = self._adapter(property_id)
            today, keep_days = adapter.real_today(), adapter.record.keep_days_after_departure
            with store.writing(adapter.path) as connection:
                # Found once more: a hold may have become a booking since.
                rows = personal_data.find(connection, lambda name, _: name in names, today, keep_days)  # noqa: B023
                personal_data.erase(connection, rows, names)

    def _left(self, needles: Sequence[Needle], items: Sequence[Item]) -> list[Left]:
        found = []
        for property_id, path in self._files():
            kept = {item.key.quote_id for item in items if item.key.property_id == property_id and item.key.is_kept}
            found += [left for left in left_in_file(path, needles, _owner(kept)) if not _is_allowed(left)]
        return found


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
