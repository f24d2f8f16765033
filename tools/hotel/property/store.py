"""A property's SQLite file: opened, built completely or not at all; and a property's rows wherever they lie, rewritten under
its bookings, read back.

The file is in WAL mode: readers see one consistent state and never wait for the writer. Every write
transaction is `BEGIN IMMEDIATE`: a read snapshot cannot be upgraded, so a plain `BEGIN` would fail with
"database is locked" in spite of the busy timeout.
"""

import json
import os
import sqlite3
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import astuple, fields
from datetime import UTC, date, datetime
from importlib import resources
from pathlib import Path
from typing import Any

from wavegraph.graph.errors import ToolRefusal
from wavegraph.tools.hotel.currency import digits
from wavegraph.tools.hotel.inventory.property_data import (
    Calendar,
    InventoryDay,
    MealPrice,
    PropertyData,
    RateDay,
    RatePlan,
    RestrictionDay,
    RoomKind,
    Topic,
)
from wavegraph.tools.hotel.property.place import Connection
from wavegraph.tools.hotel.records import Policy, PropertyRecord

SCHEMA_VERSION = 5
"""Raise it when schema.sql changes, and tell `upgrade` and `property_schema.UPGRADES` how."""
EARLIER_VERSIONS = (1, 2, 3, 4)
"""Versions that `upgrade` can bring up to date: without bookings, and without the columns below."""
VERSIONS_OF_SEED = 1000
"""Of one version of the schema: the demo hotel's version has its seed in it."""
IN_HUNDREDTHS = (1, 2)
"""Versions that stored hundredths of every currency."""
NEW_COLUMNS = (
    ("property", "church", "TEXT"),
    ("property", "keep_days_after_departure", "INTEGER NOT NULL DEFAULT 2557"),
    ("room_type", "aliases_json", "TEXT NOT NULL DEFAULT '[]'"),
    ("faq", "policy_json", "TEXT NOT NULL DEFAULT '{}'"),
)

BUSY_TIMEOUT_MS = 5000
PROPERTY_TABLES = ("property", "room_type", "inventory", "rate_plan", "rate", "restriction", "meal", "faq")
"""Replaced by a new seed or import, unlike the booking tables."""
BOOKING_TABLES = ("quote", "booking", "booking_erased", "booking_room", "booking_night")
TABLES = (*PROPERTY_TABLES, *BOOKING_TABLES)

UtcClock = Callable[[], datetime]
"""The real time, by which quotes and holds expire, whatever a request's `today` is."""


def utc_now() -> datetime:
    return datetime.now(UTC)


def moment(at: datetime) -> str:
    """A time as the file stores it: ISO, UTC, whole seconds, so that texts compare like times."""
    return at.astimezone(UTC).replace(microsecond=0).isoformat()


class FileConnection(sqlite3.Connection):
    """A `Connection` on a file. Its clock is the machine's, which all who share the file share."""

    def now(self) -> datetime:
        return utc_now()

    def version(self) -> int:
        version: int = self.execute("PRAGMA user_version").fetchone()[0]
        return version

    def set_version(self, version: int) -> None:
        self.execute(f"PRAGMA user_version = {version}")

    def renew(self, tables: Iterable[str]) -> None:
        for table in tables:
            self.execute(f"DROP TABLE IF EXISTS {table}")
        renew_booking_tables(self)


def connect(path: Path, *, write: bool = False) -> FileConnection:
    """One connection for one call, in explicit transactions. The caller closes it."""
    connection = sqlite3.connect(path, timeout=BUSY_TIMEOUT_MS / 1000, isolation_level=None, factory=FileConnection)
    connection.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}")
    # What is deleted is overwritten: a guest's details must not stay in the file's free space.
    connection.execute("PRAGMA secure_delete = 1" if write else "PRAGMA query_only = 1")
    return connection


@contextmanager
def reading(path: Path) -> Iterator[FileConnection]:
    """A transaction for several SELECTs on one state of the file."""
    with closing(connect(path)) as connection:
        connection.execute("BEGIN")
        yield connection


@contextmanager
def writing(path: Path) -> Iterator[FileConnection]:
    """One transaction, committed whole or rolled back. Raises `ToolRefusal` `timeout` if its turn does not come."""
    with closing(connect(path, write=True)) as connection:
        _begin(connection)
        try:
            yield connection
        except BaseException:
            connection.execute("ROLLBACK")
            raise
        connection.execute("COMMIT")


def _begin(connection: sqlite3.Connection) -> None:
    try:
        connection.execute("BEGIN IMMEDIATE")
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
            raise
        waited = f"the hotel's file is in use; waited {BUSY_TIMEOUT_MS / 1000:g} s and wrote nothing"
        raise ToolRefusal("timeout", waited, retryable=True) from None


def create(path: Path, fill: Callable[[FileConnection], None]) -> None:
    """Build the file separately and move it into place complete. If another process was first, its file stays."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.stem}-", suffix=".building")
    os.close(handle)
    building = Path(name)
    try:
        with closing(sqlite3.connect(building, isolation_level=None, factory=FileConnection)) as connection:
            connection.execute("BEGIN")
            fill(connection)
            connection.execute("COMMIT")
            connection.execute("PRAGMA journal_mode = WAL")
        _move_if_absent(building, path)
    finally:
        building.unlink(missing_ok=True)


def _move_if_absent(source: Path, target: Path) -> None:
    # A link fails if the target exists, where a rename would silently replace a file in use.
    with suppress(FileExistsError):
        try:
            os.link(source, target)
        except FileExistsError:
            raise
        except OSError:  # a file system without hard links
            if not target.exists():
                os.replace(source, target)


def write_property(connection: Connection, property_data: PropertyData, calendar: Calendar, version: int) -> None:
    """Replace the property and its nights inside the caller's transaction; bookings stay and keep their rooms."""
    connection.renew(PROPERTY_TABLES)
    _insert(connection, "property", [_property_row(property_data)])
    _insert(connection, "room_type", [(*_row(astuple(room)), n) for n, room in enumerate(property_data.rooms)])
    _insert(connection, "rate_plan", [(*_row(astuple(plan)), n) for n, plan in enumerate(property_data.plans)])
    _insert(connection, "meal", map(_row, property_data.meals))
    _insert(connection, "faq", [_topic_row(topic, n) for n, topic in enumerate(property_data.topics)])
    add_nights(connection, calendar)
    connection.set_version(version)


def renew_booking_tables(connection: FileConnection) -> None:
    """Bring the booking tables up to date inside the caller's transaction. Bookings stay.

    Those of the version without bookings are empty, so they are recreated.
    """
    columns = {row[1] for row in connection.execute("PRAGMA table_info(booking)")}
    for table in BOOKING_TABLES if "guest_json" not in columns else ():
        connection.execute(f"DROP TABLE IF EXISTS {table}")
    for statement in schema():
        connection.execute(statement)


def upgrade(path: Path) -> None:
    """Bring a file of an earlier version up to date, keeping its bookings; any other file is left alone."""
    with reading(path) as connection:
        if _schema_version(connection) not in EARLIER_VERSIONS:
            return
    with writing(path) as connection:
        version = _schema_version(connection)
        if version not in EARLIER_VERSIONS:
            return  # another process was first
        renew_booking_tables(connection)
        if version in IN_HUNDREDTHS:
            _count_in_smallest_units(connection)
        for table, column, kind in NEW_COLUMNS:
            if column not in {row[1] for row in connection.execute(f"PRAGMA table_info({table})")}:
                connection.execute(f"ALTER TABLE {table} ADD COLUMN {column} {kind}")
        is_demo = connection.version() >= VERSIONS_OF_SEED
        connection.set_version(SCHEMA_VERSION * (VERSIONS_OF_SEED if is_demo else 1))


def _schema_version(connection: FileConnection) -> int:
    version = connection.version()
    return version // VERSIONS_OF_SEED if version >= VERSIONS_OF_SEED else version


MONEY_COLUMNS = {
    "rate": ("base_agorot", "extra_adult", "extra_child", "extra_baby", "single_use"),
    "meal": ("agorot",),
    "quote": ("total_agorot",),
    "booking": ("total_agorot", "fee_agorot"),
    "booking_night": ("agorot",),
}


def _count_in_smallest_units(connection: FileConnection) -> None:
    """Earlier versions stored hundredths of every currency, even if it has no decimals or three."""
    factor = 10 ** digits(connection.execute("SELECT currency FROM property").fetchone()[0]) / 100
    if factor == 1:
        return
    for table, columns in MONEY_COLUMNS.items():
        for column in columns:
            connection.execute(f"UPDATE {table} SET {column} = CAST(ROUND({column} * ?) AS INTEGER)", (factor,))
    for quote_id, payload in connection.execute("SELECT id, payload_json FROM quote").fetchall():
        scaled = json.dumps(_scaled(json.loads(payload), factor), ensure_ascii=False)
        connection.execute("UPDATE quote SET payload_json = ? WHERE id = ?", (scaled, quote_id))


def _scaled(value: Any, factor: float, name: str = "") -> Any:
    """The record with its amounts multiplied by `factor`, at any depth."""
    if isinstance(value, dict):
        return {key: _scaled(part, factor, key) for key, part in value.items()}
    if isinstance(value, list):
        return [_scaled(part, factor, name) for part in value]
    return round(value * factor) if name.endswith("_agorot") and isinstance(value, int) else value


def schema() -> list[str]:
    """The statements of schema.sql, in SQLite's words."""
    text = resources.files(__package__).joinpath("schema.sql").read_text(encoding="utf-8")
    statements = "\n".join(line.partition("--")[0] for line in text.splitlines()).split(";")
    return [statement.strip() for statement in statements if statement.strip()]


def add_nights(connection: Connection, calendar: Calendar) -> None:
    """Add missing nights; rooms already booked on them are counted as sold or held."""
    booked = booked_rooms(connection)
    _insert(connection, "inventory", (_row(_with_booked(day, booked)) for day in calendar.inventory))
    _insert(connection, "rate", map(_row, calendar.rates))
    _insert(connection, "restriction", map(_row, calendar.restrictions))


def _insert(connection: Connection, table: str, rows: Any) -> None:
    rows = list(rows)
    if rows:
        marks = ", ".join("?" * len(rows[0]))
        connection.executemany(f"INSERT INTO {table} VALUES ({marks}) ON CONFLICT DO NOTHING", rows)


_PLAIN = frozenset({int, str, float, type(None)})
"""Types of most cells, which are stored as they are."""


def _row(values: Sequence[Any]) -> tuple[Any, ...]:
    return tuple([value if type(value) in _PLAIN else _cell(value) for value in values])


def _cell(value: Any) -> Any:
    """Dates as ISO text (Python's own date adapter is deprecated), flags as 0 and 1, lists as JSON."""
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, bool):
        return int(value)
    return json.dumps(value, ensure_ascii=False) if isinstance(value, tuple | list) else value


def _property_row(property_data: PropertyData) -> tuple[Any, ...]:
    r = property_data.record
    identity = (r.property_id, r.name, r.name_he, r.time_zone, r.country, r.currency, r.vat_bp)
    limits = (r.weekend_nights, r.child_max_age, r.baby_max_age, r.max_nights)
    return _row(
        (
            *identity,
            property_data.check_in_time,
            property_data.check_out_time,
            *limits,
            r.phone,
            r.email,
            r.booking_url,
            r.church,
            r.keep_days_after_departure,
        )
    )


def _topic_row(topic: Topic, position: int) -> tuple[Any, ...]:
    policy = topic.policy.model_dump_json(exclude_defaults=True) if topic.policy else "{}"
    return (*_row(topic[:-1]), position, policy)


Booked = dict[tuple[str, str], tuple[int, int]]
"""(sold, held) rooms by room type and ISO date."""


def booked_rooms(connection: Connection) -> Booked:
    """Rooms that bookings of this file take, night by night."""
    rows = connection.execute(
        "SELECT room_type, date, SUM(CASE status WHEN 'confirmed' THEN count ELSE 0 END),"
        " SUM(CASE status WHEN 'hold' THEN count ELSE 0 END) FROM booking"
        " JOIN booking_room USING (quote_id) JOIN booking_night USING (quote_id, n)"
        " WHERE status IN ('confirmed', 'hold') GROUP BY room_type, date"
    )
    return {(room_type, night): (int(sold), int(held)) for room_type, night, sold, held in rows}


def lapsed_rooms(connection: Connection, now: datetime) -> dict[tuple[str, str], int]:
    """Rooms still counted as held though their hold has expired, by room type and ISO date; usually none."""
    rows = connection.execute(
        "SELECT room_type, date, SUM(count) FROM booking"
        " JOIN booking_room USING (quote_id) JOIN booking_night USING (quote_id, n)"
        " WHERE status = 'hold' AND hold_until <= ? GROUP BY room_type, date",
        (moment(now),),
    )
    return {(room_type, night): int(count) for room_type, night, count in rows}


def _with_booked(day: InventoryDay, booked: Booked) -> InventoryDay:
    """Add the file's bookings; if they do not fit beside the given number of sold rooms, they take precedence."""
    sold, held = booked.get((day.room_type, day.date.isoformat()), (0, 0))
    return day._replace(sold=min(day.sold + sold, day.total - held), held=held) if sold or held else day


def read_property(connection: Connection) -> PropertyData:
    def rows(table: str, order: str = "1") -> Iterator[dict[str, Any]]:
        return rows_by_name(connection, f"{table} ORDER BY {order}")

    row = next(rows("property"))
    return PropertyData(
        record=_record(row),
        check_in_time=row["check_in"],
        check_out_time=row["check_out"],
        rooms=[_room(r) for r in rows("room_type", "position")],
        plans=[_plan(r) for r in rows("rate_plan", "position")],
        meals=[_meal(r) for r in rows("meal", "date_from, board, guest")],
        topics=[_topic(r) for r in rows("faq", "position")],
    )


def rows_by_name(connection: Connection, table: str) -> Iterator[dict[str, Any]]:
    found = connection.execute(f"SELECT * FROM {table}")
    names = [column[0] for column in found.description]
    return (dict(zip(names, row, strict=True)) for row in found)


def _record(row: dict[str, Any]) -> PropertyRecord:
    own = ("name", "name_he", "country", "currency", "vat_bp", "child_max_age", "baby_max_age", "max_nights", "church",
           "keep_days_after_departure")  # fmt: skip
    return PropertyRecord(
        property_id=row["id"],
        hotel_id=row["id"],
        time_zone=row["tz"],
        weekend_nights=json.loads(row["weekend_nights"]),
        phone=row["phone"],
        email=row["email"],
        booking_url=row["booking_url"],
        **{name: row[name] for name in own},
    )


def _room(row: dict[str, Any]) -> RoomKind:
    lists = ("features", "features_he", "images", "aliases")
    values: dict[str, Any] = {name: tuple(json.loads(row[f"{name}_json"])) for name in lists}
    values |= {field.name: row[field.name] for field in fields(RoomKind) if field.name not in lists}
    return RoomKind(**values)


def _plan(row: dict[str, Any]) -> RatePlan:
    values = {field.name: row[field.name] for field in fields(RatePlan)}
    return RatePlan(**{**values, "refundable": bool(row["refundable"])})


def _meal(row: dict[str, Any]) -> MealPrice:
    first, last = date.fromisoformat(row["date_from"]), date.fromisoformat(row["date_to"])
    return MealPrice(row["board"], row["guest"], first, last, row["agorot"])


def _topic(row: dict[str, Any]) -> Topic:
    aliases = tuple(json.loads(row["aliases_json"]))
    policy = Policy.model_validate_json(given) if (given := row["policy_json"]) != "{}" else None
    return Topic(row["topic"], row["title"], row["title_he"], row["text"], row["text_he"], aliases, policy)


def read_nights(connection: Connection, first: date, last: date, now: datetime) -> Calendar:
    """Inventory, rates and restrictions from `first` to `last`, both included. An expired hold counts as free."""
    lapsed = lapsed_rooms(connection, now)
    span = (first.isoformat(), last.isoformat())

    def rows(table: str) -> Iterator[tuple[Any, ...]]:
        return iter(connection.execute(f"SELECT * FROM {table} WHERE date BETWEEN ? AND ?", span).fetchall())

    return Calendar(
        inventory=[
            InventoryDay(t, date.fromisoformat(d), total, sold, held - lapsed.get((t, d), 0), stop_sell)
            for t, d, total, sold, held, stop_sell in rows("inventory")
        ],
        rates=[RateDay(p, t, date.fromisoformat(d), *rest) for p, t, d, *rest in rows("rate")],
        restrictions=[RestrictionDay(t, p, date.fromisoformat(d), *rest) for t, p, d, *rest in rows("restriction")],
    )


def read_totals(connection: Connection) -> dict[str, int]:
    """Rooms of each type on the night that has most of them."""
    return dict(connection.execute("SELECT room_type, MAX(total) FROM inventory GROUP BY room_type"))


def read_lowest_rates(connection: Connection, today: date) -> dict[str, int]:
    """Lowest nightly base rate of each type on nights from today on."""
    sql = "SELECT room_type, MIN(base_agorot) FROM rate WHERE date >= ? GROUP BY room_type"
    return dict(connection.execute(sql, (today.isoformat(),)))


def first_night(connection: Connection) -> date:
    return _night(connection, "MIN")


def last_night(connection: Connection) -> date:
    return _night(connection, "MAX")


def _night(connection: Connection, which: str) -> date:
    found: str | None = connection.execute(f"SELECT {which}(date) FROM inventory").fetchone()[0]
    return date.fromisoformat(found) if found else date.min
