"""The quotes of one hotel on MiniHotel, kept in a file or the database of the house, and for which of them a reservation
was sent.

No guest is written down here: who booked is known to MiniHotel alone.
"""

import json
from datetime import datetime, timedelta
from hashlib import sha256

from wavegraph.graph.errors import ToolRefusal
from wavegraph.tools.hotel.inventory.property_data import Calendar, PropertyData, RoomKind
from wavegraph.tools.hotel.property import booking_rows, store
from wavegraph.tools.hotel.property.booking_rows import StoredQuote
from wavegraph.tools.hotel.property.guest_identity import QUOTE, REFERENCE, REFERENCE_LENGTH
from wavegraph.tools.hotel.property.place import Connection, Place
from wavegraph.tools.hotel.property.quote_terms import QuoteSplits
from wavegraph.tools.hotel.records import Guest, PropertyRecord, Quote

_SENT = """CREATE TABLE IF NOT EXISTS sent (
  quote_id TEXT PRIMARY KEY, -- written before the reservation is sent, so that it is looked for after a crash
  req_hash TEXT NOT NULL, -- of quote and guest
  stay_hash TEXT NOT NULL, -- of guest, dates and rooms: the same under another quote
  sent_at TEXT NOT NULL,
  settled INTEGER NOT NULL -- 1: it is known to have been made
)"""
MAY_COME = timedelta(minutes=15)
"""How long a reservation whose answer was lost may still arrive."""


def reference_of(quote_id: str) -> str:
    """The booking's reference, and its id in MiniHotel: of the quote, so that one quote can be booked only once."""
    return REFERENCE + quote_id.removeprefix(QUOTE)[:REFERENCE_LENGTH]


class Quotes:
    """One hotel's place. Every method waits for the disk or the network: call it in a thread."""

    def __init__(self, place: Place, record: PropertyRecord) -> None:
        self._place, self._record = place, record

    def upgrade(self) -> None:
        """Bring what an earlier version wrote up to date, if there is any."""
        if self._place.exists():
            self._place.upgrade()

    def _prepare(self) -> None:
        if not self._place.exists():
            self._place.create(self._fill)

    def _fill(self, connection: Connection) -> None:
        store.write_property(connection, self._property_data([]), Calendar(), store.SCHEMA_VERSION)
        connection.execute(_SENT)

    def _property_data(self, rooms: list[RoomKind]) -> PropertyData:
        return PropertyData(record=self._record, rooms=rooms, plans=(), meals=())

    def keep_rooms(self, rooms: list[RoomKind]) -> None:
        """The room types, so that guests' words for them are understood before the next call."""
        self._prepare()
        if rooms != self.rooms():
            with self._place.writing() as connection:
                store.write_property(connection, self._property_data(rooms), Calendar(), store.SCHEMA_VERSION)

    def rooms(self) -> list[RoomKind]:
        if not self._place.exists():
            return []
        with self._place.reading() as connection:
            return list(store.read_property(connection).rooms)

    def add(self, quote: Quote, splits: QuoteSplits, now: datetime) -> None:
        self._prepare()
        with self._place.writing() as connection:
            booking_rows.forget_old(connection, now)
            connection.execute("DELETE FROM sent WHERE quote_id NOT IN (SELECT id FROM quote)")
            booking_rows.add_quote(connection, quote, splits)

    def find(self, quote_id: str) -> StoredQuote:
        """Raises `ToolRefusal` `not_found`."""
        if (stored := self.known(quote_id)) is None:
            raise ToolRefusal("not_found", f"no quote {quote_id!r} in this hotel; ask for a quote first")
        return stored

    def known(self, quote_id: str) -> StoredQuote | None:
        if not self._place.exists():
            return None
        with self._place.reading() as connection:
            return booking_rows.find_quote(connection, quote_id)

    def booked_as(self, reference: str) -> StoredQuote | None:
        """The quote that this reference was made of, while it is kept."""
        if not self._place.exists():
            return None
        sql = "SELECT id FROM quote WHERE substr(id, ?, ?) = ?"
        with self._place.reading() as connection:
            row = connection.execute(
                sql, (len(QUOTE) + 1, REFERENCE_LENGTH, reference.removeprefix(REFERENCE))
            ).fetchone()
            return booking_rows.find_quote(connection, row[0]) if row else None

    def keep(self, quote_id: str, until: datetime) -> None:
        with self._place.writing() as connection:
            booking_rows.keep_quote(connection, quote_id, until)

    def sent_for_another(self, stored: StoredQuote, guest: Guest) -> bool:
        """Whether a reservation of this quote was sent for other guest details."""
        sent = self._sent(stored.quote.quote_id)
        return sent is not None and sent != booking_rows.request_hash(stored, guest)

    def was_sent(self, quote_id: str) -> bool:
        return self._sent(quote_id) is not None

    def _sent(self, quote_id: str) -> str | None:
        with self._place.reading() as connection:
            row = connection.execute("SELECT req_hash FROM sent WHERE quote_id = ?", (quote_id,)).fetchone()
            return row[0] if row else None

    def about_to_send(self, stored: StoredQuote, guest: Guest, now: datetime) -> None:
        """Of several at once, for different guests, the first one is written down."""
        row = (
            stored.quote.quote_id,
            booking_rows.request_hash(stored, guest),
            _stay_hash(stored.quote, guest),
            store.moment(now),
        )
        with self._place.writing() as connection:
            connection.execute("INSERT INTO sent VALUES (?, ?, ?, ?, 0) ON CONFLICT DO NOTHING", row)

    def settle(self, quote_id: str) -> None:
        """Its reservation is known to have been made."""
        with self._place.writing() as connection:
            connection.execute("UPDATE sent SET settled = 1 WHERE quote_id = ?", (quote_id,))

    def in_doubt(self, stored: StoredQuote, guest: Guest, now: datetime) -> list[StoredQuote]:
        """Other quotes of the same stay for this guest, sent a short while ago: nobody knows yet whether they were booked."""
        sql = "SELECT quote_id FROM sent WHERE stay_hash = ? AND quote_id <> ? AND settled = 0 AND sent_at > ?"
        values = (_stay_hash(stored.quote, guest), stored.quote.quote_id, store.moment(now - MAY_COME))
        with self._place.reading() as connection:
            found = [booking_rows.find_quote(connection, row[0]) for row in connection.execute(sql, values).fetchall()]
        return [each for each in found if each is not None]

    def not_sent(self, quote_id: str) -> None:
        """MiniHotel refused it: the quote may be booked again, also with other guest details."""
        with self._place.writing() as connection:
            connection.execute("DELETE FROM sent WHERE quote_id = ?", (quote_id,))


def _stay_hash(quote: Quote, guest: Guest) -> str:
    rooms = sorted((part.room_type, part.count) for part in quote.parts)
    said = [guest.model_dump(mode="json"), quote.check_in.isoformat(), quote.check_out.isoformat(), rooms]
    return sha256(json.dumps(said).encode()).hexdigest()
