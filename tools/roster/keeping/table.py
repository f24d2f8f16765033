"""Records in a table of PostgreSQL that many machines share, compressed, a row each.

Nothing is locked: a record is either named by its content, and written once, or it is the last word of whoever wrote it.
Times are the database's.
"""

import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any, LiteralString

import psycopg
from psycopg import errors, sql

from wavegraph.graph.errors import SettingsError
from wavegraph.tools.postgres.refusals import reason, refusal_of
from wavegraph.tools.postgres.server import Raw, Server
from wavegraph.tools.roster.keeping.folder import Record

TABLE, VERSION = "wavegraph_rosters", "wavegraph_rosters_version"
LEVEL = 1
"""Of the compression: a roster is written while people wait, and a higher one gains little on JSON."""
LOCK_TIMEOUT_S = 5.0
"""How long making the table waits for another who makes it, or holds it."""
UPGRADES: Sequence[LiteralString] = (
    """
    CREATE TABLE {table} (
        kind TEXT COLLATE "C" NOT NULL,
        name TEXT COLLATE "C" NOT NULL,
        made_at TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
        content BYTEA NOT NULL,
        PRIMARY KEY (kind, name)
    );
    ALTER TABLE {table} ALTER COLUMN content SET STORAGE EXTERNAL; -- compressed already
    CREATE INDEX ON {table} (kind, made_at, name)
    """,
)
"""What leads to each version of the table from the one before; the first from none."""


class TableKeeper:
    """As `FolderKeeper`. A database that fails is a ToolRefusal."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._schema: str | None = None
        """The connection's own, once the table is there."""

    @property
    def place(self) -> str:
        return f"the rosters of the database {self._server.name!r}"

    def read(self, kind: str, name: str) -> str | None:
        found = self._rows("SELECT content FROM {table} WHERE kind = %s AND name = %s", kind, name)
        return _opened(found[0][0]) if found else None

    def holds(self, kind: str, name: str) -> bool:
        return bool(self._rows("SELECT 1 FROM {table} WHERE kind = %s AND name = %s", kind, name))

    def write(self, kind: str, name: str, text: str, *, again: bool) -> None:
        if again or not self.holds(kind, name):
            with self._ready() as raw:
                raw.execute(self._statement(_REPLACE if again else _INSERT), [kind, name, None, closed(text.encode())])

    def drop(self, kind: str, name: str) -> bool:
        return bool(self._rows("DELETE FROM {table} WHERE kind = %s AND name = %s RETURNING 1", kind, name))

    def records(self, kind: str, starting: str = "") -> list[Record]:
        found = self._rows(_RECORDS, kind, starting)
        return [Record(name, at.astimezone(UTC), _opened(content)) for name, at, content in found]

    def newest(self, kind: str, most: int) -> list[tuple[str, datetime]]:
        return [(name, at.astimezone(UTC)) for name, at in self._rows(_NEWEST, kind, most)]

    def add(self, records: Sequence[tuple[str, str, datetime, bytes]]) -> None:
        """Those that are not there yet, all or none: kind, name, when each was written, and its text in UTF-8."""
        values = [(kind, name, at, closed(text)) for kind, name, at, text in records]
        with self._ready() as raw, raw.transaction(), raw.cursor() as cursor:
            cursor.executemany(self._statement(_INSERT), values)

    def _rows(self, statement: LiteralString, *values: Any) -> list[Any]:
        """Empty also before the table is there: who only looks makes none."""
        with self._connected() as raw:
            if self._schema is None and not self._version(raw, _schema_of(raw)):
                return []
            self._open(raw)
            return raw.execute(self._statement(statement), values).fetchall()

    def _statement(self, statement: LiteralString) -> sql.Composed:
        assert self._schema is not None
        return sql.SQL(statement).format(table=sql.Identifier(self._schema, TABLE))

    @contextmanager
    def _ready(self) -> Iterator[Raw]:
        """A connection to a database that has the table."""
        with self._connected() as raw:
            self._open(raw)
            yield raw

    @contextmanager
    def _connected(self) -> Iterator[Raw]:
        """A connection whose failures are refusals. Raises ToolRefusal."""
        try:
            with self._server.connection() as raw:
                yield raw
        except psycopg.Error as error:
            raise refusal_of(
                error, self.place, "the rosters' database", unreachable="try it again", waited_s=LOCK_TIMEOUT_S
            ) from None

    def _open(self, raw: Raw) -> None:
        """Make the table, or bring it up to date. Raises SettingsError."""
        if self._schema is not None:
            return
        schema = _schema_of(raw)
        if self._version(raw, schema) < len(UPGRADES):
            try:
                self._upgrade(raw, schema)
            except errors.InsufficientPrivilege as error:
                raise SettingsError(
                    f"cannot set up {self.place}: {reason(error)}; let a user who may create tables open it once"
                ) from None
        self._schema = schema

    def _version(self, raw: Raw, schema: str) -> int:
        """0 = there is no table. Raises SettingsError for that of a later version."""
        if not _value(raw, sql.SQL(_IS_THERE), schema, VERSION):
            return 0
        found: int = _value(raw, sql.SQL("SELECT version FROM {}").format(sql.Identifier(schema, VERSION)))
        if found > len(UPGRADES):
            raise SettingsError(f"{self.place} were written by a later version of wavegraph: update this one")
        return found

    def _upgrade(self, raw: Raw, schema: str) -> None:
        version, table = sql.Identifier(schema, VERSION), sql.Identifier(schema, TABLE)
        with raw.transaction():
            raw.execute(sql.SQL("SET LOCAL lock_timeout = {}").format(f"{LOCK_TIMEOUT_S:g}s"))
            # Everybody who would make it waits here; then all but the first find it.
            raw.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"{schema}.{TABLE}"])
            found = self._version(raw, schema)
            if not found:
                raw.execute(sql.SQL("CREATE TABLE {} (version BIGINT NOT NULL)").format(version))
                raw.execute(sql.SQL("INSERT INTO {} VALUES (0)").format(version))
            for upgrade in UPGRADES[found:]:
                raw.execute(sql.SQL(upgrade).format(table=table))
            raw.execute(sql.SQL("UPDATE {} SET version = %s").format(version), [len(UPGRADES)])


_INSERT: LiteralString = (
    "INSERT INTO {table} (kind, name, made_at, content) VALUES (%s, %s, coalesce(%s, clock_timestamp()), %s)"
    " ON CONFLICT DO NOTHING"
)
_REPLACE: LiteralString = _INSERT.replace(
    "NOTHING", "UPDATE SET made_at = excluded.made_at, content = excluded.content"
).replace("CONFLICT", "CONFLICT (kind, name)")
_RECORDS: LiteralString = (
    "SELECT name, made_at, content FROM {table} WHERE kind = %s AND starts_with(name, %s) ORDER BY name"
)
_NEWEST: LiteralString = "SELECT name, made_at FROM {table} WHERE kind = %s ORDER BY made_at DESC, name DESC LIMIT %s"
_IS_THERE: LiteralString = (
    "SELECT TRUE FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace"
    " WHERE n.nspname = %s AND c.relname = %s"
)
"""Asked of the catalogue's rows: `to_regclass` remembers what was not there before a lock was waited for."""


def closed(text: bytes) -> bytes:
    """As a search of the database opens it (`traces`): its first byte says that it is compressed."""
    return zlib.compress(text, LEVEL)


def _opened(content: bytes) -> str:
    return zlib.decompress(content).decode()


def _schema_of(raw: Raw) -> str:
    """The connection's own, where its other tables are. Raises SettingsError."""
    schema = _value(raw, sql.SQL("SELECT current_schema()"))
    if schema is None:
        raise SettingsError("the connection's search_path names no schema that exists: create one, or name another")
    return str(schema)


def _value(raw: Raw, statement: sql.SQL | sql.Composed, *values: str) -> Any:
    row = raw.execute(statement, values or None).fetchone()
    return row and row[0]
