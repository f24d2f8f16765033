"""The quotes of one hotel on MiniHotel, kept in a file of the house, and for which of them a reservation was sent.

No guest is written down here: who booked is known to MiniHotel alone.
"""

from datetime import datetime
from pathlib import Path

from wavegraph.graph.errors import ToolRefusal
from wavegraph.tools.hotel.inventory.property_data import Calendar, PropertyData, RoomKind
from wavegraph.tools.hotel.property import booking_rows, store
from wavegraph.tools.hotel.property.booking_rows import StoredQuote
from wavegraph.tools.hotel.property.guest_identity import QUOTE, REFERENCE, REFERENCE_LENGTH
from wavegraph.tools.hotel.property.quote_terms import QuoteSplits
from wavegraph.tools.hotel.records import Guest, PropertyRecord, Quote

_SENT = """CREATE TABLE IF NOT EXISTS sent (
  quote_id TEXT PRIMARY KEY, -- written before the reservation is sent, so that it is looked for after a crash
  req_hash TEXT NOT NULL -- of quote and guest
)"""


def reference_of(quote_id: str) -> str:
    """The booking's reference, and its id in MiniHotel: of the quote, so that one quote can be booked only once."""
    return REFERENCE + quote_id.removeprefix(QUOTE)[:REFERENCE_LENGTH]


class Quotes:
    """One hotel's file. Every method waits for the disk: call it in a thread."""

    def __init__(self, path: Path, record: PropertyRecord) -> None:
        self._path, self._record = path, record

    def upgrade(self) -> None:
        """Bring the file of an earlier version up to date, if there is one."""
        if self._path.exists():
            store.upgrade(self._path)

    def _prepare(self) -> None:
        if not self._path.exists():
            store.create(self._path, self._fill)

    def _fill(self, connection: store.FileConnection) -> None:
        store.write_property(connection, self._property_data([]), Calendar(), store.SCHEMA_VERSION)
        connection.execute(_SENT)

    def _property_data(self, rooms: list[RoomKind]) -> PropertyData:
        return PropertyData(record=self._record, rooms=rooms, plans=(), meals=())

    def keep_rooms(self, rooms: list[RoomKind]) -> None:
        """The room types, so that guests' words for them are understood before the next call."""
        self._prepare()
        if rooms != self.rooms():
            with store.writing(self._path) as connection:
                store.write_property(connection, self._property_data(rooms), Calendar(), store.SCHEMA_VERSION)

    def rooms(self) -> list[RoomKind]:
        if not self._path.exists():
            return []
        with store.reading(self._path) as connection:
            return list(store.read_property(connection).rooms)

    def add(self, quote: Quote, splits: QuoteSplits, now: datetime) -> None:
        self._prepare()
        with store.writing(self._path) as connection:
            booking_rows.forget_old(connection, now)
            connection.execute("DELETE FROM sent WHERE quote_id NOT IN (SELECT id FROM quote)")
            booking_rows.add_quote(connection, quote, splits)

    def find(self, quote_id: str) -> StoredQuote:
        """Raises `ToolRefusal` `not_found`."""
        if (stored := self.known(quote_id)) is None:
            raise ToolRefusal("not_found", f"no quote {quote_id!r} in this hotel; ask for a quote first")
        return stored

    def known(self, quote_id: str) -> StoredQuote | None:
        if not self._path.exists():
            return None
        with store.reading(self._path) as connection:
            return booking_rows.find_quote(connection, quote_id)

    def booked_as(self, reference: str) -> StoredQuote | None:
        """The quote that this reference was made of, while it is kept."""
        if not self._path.exists():
            return None
        sql = "SELECT id FROM quote WHERE substr(id, ?, ?) = ?"
        with store.reading(self._path) as connection:
            row = connection.execute(
                sql, (len(QUOTE) + 1, REFERENCE_LENGTH, reference.removeprefix(REFERENCE))
            ).fetchone()
            return booking_rows.find_quote(connection, row[0]) if row else None

    def keep(self, quote_id: str, until: datetime) -> None:
        with store.writing(self._path) as connection:
            booking_rows.keep_quote(connection, quote_id, until)

    def sent_for_another(self, stored: StoredQuote, guest: Guest) -> bool:
        """Whether a reservation of this quote was sent for other guest details."""
        sent = self._sent(stored.quote.quote_id)
        return sent is not None and sent != booking_rows.request_hash(stored, guest)

    def was_sent(self, quote_id: str) -> bool:
        return self._sent(quote_id) is not None

    def _sent(self, quote_id: str) -> str | None:
        with store.reading(self._path) as connection:
            row = connection.execute("SELECT req_hash FROM sent WHERE quote_id = ?", (quote_id,)).fetchone()
            return row[0] if row else None

    def about_to_send(self, stored: StoredQuote, guest: Guest) -> None:
        """Of several at once, for different guests, the first one is written down."""
        with store.writing(self._path) as connection:
            row = (stored.quote.quote_id, booking_rows.request_hash(stored, guest))
            connection.execute("INSERT OR IGNORE INTO sent VALUES (?, ?)", row)

    def not_sent(self, quote_id: str) -> None:
        """MiniHotel refused it: the quote may be booked again, also with other guest details."""
        with store.writing(self._path) as connection:
            connection.execute("DELETE FROM sent WHERE quote_id = ?", (quote_id,))
