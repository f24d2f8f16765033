"""Searches a database for texts that must not be in it any more, and rewrites an SQLite file so that no byte of deleted
rows stays."""

import json
import sqlite3
import time
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wavegraph.app.storage.database import Storage
from wavegraph.graph._langgraph import cursor_of

CHUNK = 1 << 20
"""Bytes of a file that are searched at a time."""
REWRITE_WITHIN_S = 30.0
"""How long to wait for other programs that read or write the file."""
LARGEST_OPENED = 50_000_000
"""Bytes of a compressed value that are looked at."""
Row = Mapping[str, Any]


@dataclass(frozen=True)
class Needle:
    """A text that must be gone."""

    kind: str
    """What a report calls it: `e-mail`, `a message`."""
    text: str

    def forms(self) -> Iterator[bytes]:
        """Its bytes as texts, JSON and older rows hold them; in lower case, as the search is."""
        for spelled in (self.text, json.dumps(self.text)[1:-1], json.dumps(self.text, ensure_ascii=False)[1:-1]):
            yield spelled.encode("utf-8", "surrogatepass").lower()


@dataclass(frozen=True)
class Trace:
    """One place that holds a needle."""

    needle: Needle
    table: str
    row: Row


def traces_in(rows: Iterable[tuple[str, Row]], needles: Sequence[Needle]) -> Iterator[Trace]:
    """The places in rows of tables, compressed values opened."""
    forms = [(needle, form) for needle in needles for form in set(needle.forms())]
    for table, row in rows:
        content = [opened.lower() for cell in row.values() for opened in _opened(cell)]
        for needle in dict.fromkeys(needle for needle, form in forms if any(form in part for part in content)):
            yield Trace(needle, table, row)


def _opened(cell: Any) -> Iterator[bytes]:
    if isinstance(cell, bytes | bytearray | memoryview):
        data = bytes(cell)
        yield data
        if data[:1] == b"\x78":
            with suppress(zlib.error):
                yield zlib.decompressobj().decompress(data, LARGEST_OPENED)
    elif isinstance(cell, str):
        yield cell.encode("utf-8", "surrogatepass")
    elif isinstance(cell, dict | list):  # PostgreSQL's JSON
        yield json.dumps(cell, ensure_ascii=False).encode("utf-8", "surrogatepass")


# SQLite


async def sqlite_file(storage: Storage) -> Path | None:
    """The file of an SQLite storage; None = memory, or another database."""
    connection: Any = getattr(storage.checkpointer, "conn", None)
    if not hasattr(connection, "execute_fetchall"):
        return None
    [row, *_] = await connection.execute_fetchall("PRAGMA database_list")
    return Path(row[2]) if row[2] else None


def file_rows(path: Path) -> Iterator[tuple[str, Row]]:
    """All rows of all tables of a file."""
    with closing(sqlite3.connect(path, timeout=REWRITE_WITHIN_S)) as connection:
        connection.row_factory = sqlite3.Row
        names = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for name in names:
            for row in connection.execute(f'SELECT * FROM "{name}"'):
                yield name, dict(row)


def beside(path: Path) -> list[Path]:
    """An SQLite file, and what SQLite keeps beside it."""
    return [each for end in ("", "-wal", "-shm", "-journal") if (each := path.with_name(path.name + end)).exists()]


def in_bytes(path: Path, needles: Sequence[Needle]) -> list[Needle]:
    """The needles that a file holds, wherever: also in its free space. Nothing for one that SQLite has just removed."""
    with suppress(FileNotFoundError):
        return _in_bytes(path, needles)
    return []


def _in_bytes(path: Path, needles: Sequence[Needle]) -> list[Needle]:
    forms = [(needle, form) for needle in needles for form in set(needle.forms())]
    longest = max((len(form) for _, form in forms), default=1)
    found: dict[Needle, None] = {}
    with path.open("rb") as file:
        tail = b""
        while chunk := file.read(CHUNK):
            content = tail + chunk.lower()
            found |= dict.fromkeys(needle for needle, form in forms if form in content)
            tail = content[-longest:]
    return list(found)


def rewrite(path: Path) -> bool:
    """Write the file anew without deleted rows, and empty its write-ahead log. False = another program kept it from that.

    Deleting leaves old bytes in free pages, in unused parts of others, and in the log.
    """
    ends = time.monotonic() + REWRITE_WITHIN_S
    with closing(sqlite3.connect(path, timeout=REWRITE_WITHIN_S, isolation_level=None)) as connection:
        while True:
            try:
                connection.execute("VACUUM")
                blocked, *_ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
                if not blocked:
                    return True
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode not in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                    raise
            if time.monotonic() >= ends:
                return False
            time.sleep(0.1)


# PostgreSQL


async def postgres_traces(storage: Storage, needles: Sequence[Needle]) -> list[Trace] | None:
    """The places in all tables of the connection's schema; None = another database."""
    opened = cursor_of(storage.checkpointer)
    if opened is None:
        return None
    found: list[Trace] = []
    async with opened as cursor:
        await cursor.execute("SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema()")
        for name in [row["table_name"] for row in await cursor.fetchall()]:
            async for row in cursor.stream('SELECT * FROM "{}"'.format(name.replace('"', '""'))):
                found += traces_in([(name, row)], needles)
    return found
