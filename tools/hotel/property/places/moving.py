"""A property moves from a file into PostgreSQL: whole where the database lacks it, else its bookings join those there.

The file is locked until the database has everything; then its tables are dropped, so that no process that waited for its
turn writes what nobody reads, and it is removed. A move that is killed in between is done again: what the database has
already is left as it is there.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from wavegraph.graph.errors import SettingsError
from wavegraph.tools.hotel.property import booking_rows, store
from wavegraph.tools.hotel.property.place import Connection, Place

MOVED = -1
"""The version of a file that was moved."""


class Moved(NamedTuple):
    """What came of a move."""

    whole: bool
    """The rooms and the calendar too; False = only bookings, the database had the property already."""
    bookings: int
    """Bookings and holds that the database lacked."""


def move(file: Path, place: Place) -> Moved:
    """Move the property; its file is gone afterwards. Raises SettingsError, and nothing is moved, where bookings of the file
    do not fit beside those of the database; ToolRefusal if the file or the database is in use."""
    store.upgrade(file)
    with store.writing(file) as old:
        moved = _moved(old, place) if old.version() != MOVED else Moved(whole=False, bookings=0)
        for table in store.TABLES:
            old.execute(f"DROP TABLE IF EXISTS {table}")
        old.set_version(MOVED)
    for end in ("", "-wal", "-shm"):
        file.with_name(file.name + end).unlink(missing_ok=True)
    return moved


def _moved(old: Connection, place: Place) -> Moved:
    if not place.exists():
        copied: list[int] = []
        place.create(lambda new: copied.append(_copy(old, new)))
        if copied:
            return Moved(whole=True, bookings=copied[0])
    with place.writing() as new:  # or another process was first
        return Moved(whole=False, bookings=_join(old, new))


def _copy(old: Connection, new: Connection) -> int:
    for table in store.TABLES:
        _insert(old, new, table)
    new.set_version(old.version())
    counted: int = old.execute("SELECT COUNT(*) FROM booking").fetchone()[0]
    return counted


def _join(old: Connection, new: Connection) -> int:
    now = new.now()
    for connection in (old, new):
        booking_rows.release_lapsed(connection, now)
    known = {quote_id for (quote_id,) in new.execute("SELECT quote_id FROM booking")}
    unknown = [name for (name,) in old.execute("SELECT quote_id FROM booking").fetchall() if name not in known]
    if problems := list(_take_rooms(old, new, unknown, now.date().isoformat())):
        raise SettingsError("\n".join([
            f"{len(problems)} problem(s), nothing was moved:", *problems,
            "cancel some of these bookings where they are, or let the hotel have more rooms, and move it again",
        ]))  # fmt: skip
    quotes = {quote_id for (quote_id,) in new.execute("SELECT id FROM quote")}
    _insert(old, new, "quote", lambda quote_id: quote_id not in quotes)
    for table in store.BOOKING_TABLES[1:]:
        _insert(old, new, table, set(unknown).__contains__)
    return len(unknown)


def _insert(
    old: Connection, new: Connection, table: str, is_wanted: Callable[[str], bool] = lambda first: True
) -> None:
    """Copy the rows whose first column is wanted. The columns are named: those of an upgraded file are in another order."""
    columns = [column[0] for column in new.execute(f"SELECT * FROM {table} LIMIT 0").description]
    rows = old.execute(f"SELECT {', '.join(columns)} FROM {table}").fetchall()
    marks = ", ".join("?" * len(columns))
    new.executemany(f"INSERT INTO {table} VALUES ({marks})", [row for row in rows if is_wanted(row[0])])


def _take_rooms(old: Connection, new: Connection, quote_ids: list[str], today: str) -> Iterator[str]:
    """Count the rooms of these bookings, and name those that are not free. A night that is over, or that an import removed,
    has room for everybody."""
    sql = (
        "SELECT ref, status, room_type, date, count FROM booking JOIN booking_room USING (quote_id)"
        " JOIN booking_night USING (quote_id, n) WHERE status IN ('confirmed', 'hold') AND quote_id = ?"
    )
    for quote_id in quote_ids:
        for ref, status, room_type, night, count in old.execute(sql, (quote_id,)).fetchall():
            taken = {"count": count, "room_type": room_type, "night": night}
            how = "held" if status == "hold" else "sold"
            done = new.execute(f"UPDATE inventory SET {how} = {how} + :count {_ONE_NIGHT} AND {_FREE} >= :count", taken)
            if done.rowcount or not new.execute(f"SELECT 1 FROM inventory {_ONE_NIGHT}", taken).fetchone():
                continue
            if night >= today:
                yield f"{ref or f'hold {quote_id}'}: {count} x {room_type} on {night} is no longer free"
            new.execute(f"UPDATE inventory SET {how} = {how} + {_FREE} {_ONE_NIGHT}", taken)


_ONE_NIGHT = "WHERE room_type = :room_type AND date = :night"
_FREE = "(total - sold - held)"
