"""A property in PostgreSQL: a schema of its own, with the tables of schema.sql, so that nothing of a hotel is ever read or
written for another, and no table of another program is touched.

Every write takes the lock on the one row of `hotel_version` first, as `BEGIN IMMEDIATE` takes the one of a file: the
writes of one hotel come one after the other, those of two hotels do not wait for each other, and readers never wait.
Quotes and holds expire by the database's clock: machines that share the hotel need not agree on the time.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from functools import cache
from hashlib import blake2b
from typing import Any, LiteralString

import psycopg
from psycopg import errors, sql

from wavegraph.graph.errors import ConnectionLost, SettingsError
from wavegraph.tools.hotel.property import store
from wavegraph.tools.hotel.property.place import Connection, Rows
from wavegraph.tools.postgres.refusals import reason, refusal_of
from wavegraph.tools.postgres.server import Raw, Server

PREFIX = "hotel"
"""A schema's name is the connection's own schema (`wavegraph` for `public`), this, and the hotel's id."""
LONGEST_NAME = 63
"""Bytes of a name in PostgreSQL, which cuts longer ones."""
LOCK_TIMEOUT_S = 5
"""How long a write waits for its turn, as in a file."""
IDLE_TIMEOUT_S = 30
"""After so long without a statement the server ends a transaction: a process that hangs keeps no hotel locked."""
FIRST_VERSION = 4
"""The first schema version that was kept here."""
UPGRADES: Mapping[int, Sequence[LiteralString]] = {
    5: ["ALTER TABLE faq ADD COLUMN policy_json TEXT COLLATE \"C\" NOT NULL DEFAULT '{}'"],
}
"""The statements that lead to each later one from the one before."""

Values = Sequence[Any] | Mapping[str, Any]


class SchemaConnection:
    """A `Connection` on a schema."""

    def __init__(self, raw: Raw, version: int, now: datetime) -> None:
        self._raw, self._version, self._now = raw, version, now

    def execute(self, statement: str, values: Values = (), /) -> Rows:
        return self._raw.execute(_translated(statement), _storable(values) or None)

    def executemany(self, statement: str, rows: Iterable[Sequence[Any]], /) -> Rows:
        cursor = self._raw.cursor()
        cursor.executemany(_translated(statement), [_storable(row) for row in rows])
        return cursor

    def now(self) -> datetime:
        """When the transaction's turn came."""
        return self._now

    def version(self) -> int:
        return self._version

    def set_version(self, version: int) -> None:
        self._raw.execute("UPDATE hotel_version SET version = %s", [version])
        self._version = version

    def renew(self, tables: Iterable[str]) -> None:
        """Rows are deleted, not tables dropped: whoever reads meanwhile reads what was there, and waits for nothing."""
        for table in tables:
            self.execute(f"DELETE FROM {table}")


@cache
def _translated(statement: str) -> str:
    """A statement with psycopg's marks for values."""
    return re.sub(r"\?|:(\w+)", lambda mark: f"%({mark[1]})s" if mark[1] else "%s", statement)


def _storable(values: Values) -> Values:
    """PostgreSQL's texts hold no NUL, which a guest or a planner may have typed into a reference."""
    if isinstance(values, Mapping):
        return {name: _without_nul(value) for name, value in values.items()}
    return [_without_nul(value) for value in values]


def _without_nul(value: Any) -> Any:
    return value.replace("\0", "\N{REPLACEMENT CHARACTER}") if isinstance(value, str) else value


class PropertySchema:
    """A `Place`."""

    def __init__(self, server: Server, property_id: str) -> None:
        self.server, self.property_id = server, property_id
        self._name: str | None = None
        self._is_there = False

    @property
    def name(self) -> str:
        return f"hotel {self.property_id!r} of the database {self.server.name!r}"

    def exists(self) -> bool:
        if not self._is_there:
            with self._connected() as raw:
                self._is_there = _has_tables(raw, self._schema(raw))
        return self._is_there

    def _schema(self, raw: Raw) -> str:
        if self._name is None:
            self._name = schema_name(_own_schema(raw), self.property_id)
        return self._name

    @contextmanager
    def _connected(self) -> Iterator[Raw]:
        """A connection whose failures are refusals. Raises ToolRefusal."""
        try:
            with self.server.connection() as raw:
                yield raw
        except psycopg.Error as error:
            raise self._refusal(error) from None

    def _refusal(self, error: psycopg.Error) -> Exception:
        return refusal_of(
            error, self.name, "the hotel's database", unreachable="nothing was written", waited_s=LOCK_TIMEOUT_S
        )

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        with self._transaction(_READ) as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Raises also ConnectionLost where the connection broke during the commit, which may have happened."""
        with self._transaction(_WRITE) as connection:
            yield connection

    @contextmanager
    def _transaction(self, begin: LiteralString) -> Iterator[SchemaConnection]:
        with self._connected() as raw:
            try:
                version, now = self._begin(raw, begin)
                yield SchemaConnection(raw, version, now.astimezone(UTC))
            except BaseException:
                _roll_back(raw)
                raise
            self._commit(raw)

    def _begin(self, raw: Raw, begin: LiteralString) -> Any:
        try:
            begun = raw.execute(sql.SQL(begin).format(schema=sql.Identifier(self._schema(raw))))
        except errors.UndefinedTable:
            self._is_there = False
            raise SettingsError(f"there is no {self.name}") from None
        while begun.nextset():
            pass
        return begun.fetchone()

    def _commit(self, raw: Raw) -> None:
        try:
            raw.execute("COMMIT")
        except psycopg.Error as error:
            if raw.broken:
                raise ConnectionLost(f"{self.name}: the connection broke during a commit: {reason(error)}") from None
            raise

    def create(self, fill: Callable[[Connection], None]) -> None:
        """Raises SettingsError for a user who may not create a schema."""
        with self._connected() as raw:
            schema = self._schema(raw)
            try:
                # Everybody who would create it waits here; then all but the first find it.
                raw.execute(sql.SQL(_CREATE).format(name=sql.Literal(schema)))
                if not _has_tables(raw, schema):
                    self._make_tables(raw, schema)
                    fill(SchemaConnection(raw, 0, datetime.now(UTC)))
            except errors.InsufficientPrivilege as error:
                _roll_back(raw)
                raise SettingsError(
                    f"cannot set up {self.name}: {reason(error)}; let a user who may create schemas open it once, or give "
                    f'this one a schema "{schema}"'
                ) from None
            except BaseException:
                _roll_back(raw)
                raise
            self._commit(raw)

    def _make_tables(self, raw: Raw, schema: str) -> None:
        if not _value(raw, "SELECT TRUE FROM pg_namespace WHERE nspname = %s", schema):
            raw.execute(sql.SQL("CREATE SCHEMA {}").format(sql.Identifier(schema)))
        raw.execute(sql.SQL("SET LOCAL search_path TO {}").format(sql.Identifier(schema)))
        for statement in _tables():
            raw.execute(statement)
        raw.execute("INSERT INTO hotel_version VALUES (%s, 0)", [store.SCHEMA_VERSION])

    def upgrade(self) -> None:
        """Raises SettingsError for tables of a later version."""
        with self.reading() as connection:
            found = self._schema_version(connection)
        if found < store.SCHEMA_VERSION:
            with self.writing() as connection:
                self._upgrade(connection, self._schema_version(connection))

    def _upgrade(self, connection: Connection, found: int) -> None:
        for version in range(found + 1, store.SCHEMA_VERSION + 1):
            for statement in UPGRADES[version]:
                connection.execute(statement)
        connection.execute("UPDATE hotel_version SET schema_version = ?", [store.SCHEMA_VERSION])
        if connection.version() == found:  # an imported hotel; the demo hotel's own version has its seed in it
            connection.set_version(store.SCHEMA_VERSION)

    def _schema_version(self, connection: Connection) -> int:
        found: int = connection.execute("SELECT schema_version FROM hotel_version").fetchone()[0]
        if found > store.SCHEMA_VERSION:
            raise SettingsError(f"{self.name} was written by a later version of wavegraph: update this one")
        return found


_NOW: LiteralString = "SELECT version, clock_timestamp() FROM hotel_version"
_READ: LiteralString = f"BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL search_path TO {{schema}}; {_NOW}"
_WRITE: LiteralString = (
    f"BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; SET LOCAL search_path TO {{schema}};"
    f" SET LOCAL lock_timeout = '{LOCK_TIMEOUT_S}s';"
    f" SET LOCAL idle_in_transaction_session_timeout = '{IDLE_TIMEOUT_S}s';"
    f" SELECT 1 FROM hotel_version FOR UPDATE; {_NOW}"
)
_CREATE: LiteralString = (
    f"BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;"
    f" SET LOCAL idle_in_transaction_session_timeout = '{IDLE_TIMEOUT_S}s';"
    f" SELECT pg_advisory_xact_lock(hashtextextended({{name}}, 0))"
)


def _roll_back(raw: Raw) -> None:
    with suppress(psycopg.Error):  # then the connection is gone, and the transaction with it
        raw.execute("ROLLBACK")


def _value(raw: Raw, statement: LiteralString, *values: str) -> Any:
    row = raw.execute(statement, values or None).fetchone()
    return row and row[0]


def _tables() -> Iterator[str]:
    """schema.sql in PostgreSQL's words: amounts in rupiah need more than four bytes, and dates and moments compare as
    texts, whatever the language of the database."""
    yield "CREATE TABLE hotel_version (schema_version BIGINT NOT NULL, version BIGINT NOT NULL)"
    for statement in store.schema():
        statement = re.sub(r"\bINTEGER\b", "BIGINT", statement)
        statement = re.sub(r"\bTEXT\b", 'TEXT COLLATE "C"', statement)
        yield statement.replace("IF NOT EXISTS ", "").replace("WITHOUT ROWID", "")


def _has_tables(raw: Raw, schema: str) -> bool:
    """Asked of the catalogue's rows: `to_regclass` remembers what was not there before a lock was waited for."""
    return bool(_value(raw, _TABLE, schema))


_TABLE: LiteralString = (
    "SELECT TRUE FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace"
    " WHERE n.nspname = %s AND c.relname = 'hotel_version'"
)


def _own_schema(raw: Raw) -> str:
    """Where this connection's own tables would be, such as those of conversations. Raises SettingsError."""
    own = _value(raw, "SELECT current_schema()")
    if own is None:
        raise SettingsError("the connection's search_path names no schema that exists: create one, or name another")
    return str(own)


def schema_name(own: str, property_id: str) -> str:
    """Two installations in one database, each in its own schema, have each their own hotels."""
    start = _start(own)
    if len((start + property_id).encode()) <= LONGEST_NAME:
        return start + property_id
    mark = blake2b(f"{start}{property_id}".encode(), digest_size=8).hexdigest()
    return f"{start.encode()[:24].decode(errors='ignore')}{property_id[: LONGEST_NAME - 24 - 1 - len(mark)]}.{mark}"


def _start(own: str) -> str:
    return f"{'wavegraph' if own == 'public' else own}_{PREFIX}_"


def properties_in(server: Server) -> list[str]:
    """The ids of the hotels in a database. Raises ToolRefusal, SettingsError."""
    with PropertySchema(server, "")._connected() as raw:
        own = _own_schema(raw)
        names = raw.execute(_WITH_HOTELS, [_start(own).encode()[:24].decode(errors="ignore")]).fetchall()
        found = []
        for (name,) in names:
            ids = raw.execute(sql.SQL("SELECT id FROM {}").format(sql.Identifier(str(name), "property"))).fetchall()
            found += [str(each) for (each,) in ids if schema_name(own, str(each)) == name]
        return sorted(found)


_WITH_HOTELS = """
SELECT n.nspname FROM pg_namespace AS n JOIN pg_class AS c ON c.relnamespace = n.oid
WHERE starts_with(n.nspname, %s) AND c.relname = 'hotel_version' AND has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT')
ORDER BY 1
"""
