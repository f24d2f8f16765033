"""What the search of an erasure sees: in rows, in compressed values, across the chunks of a file."""

import json
import sqlite3
import zlib
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tables import table

from wavegraph.app.storage import traces
from wavegraph.app.storage.traces import Needle, in_bytes, rewrite, traces_in

NAME = Needle("name", 'Zoë "Zo" Müller')
LONG = "x" * 300 + NAME.text

CELLS: Mapping[str, Any] = {
    "text": f"for {NAME.text}",
    "another case": NAME.text.replace("M", "m"),
    "bytes": NAME.text.encode(),
    "JSON": json.dumps({"guest": NAME.text}),
    "JSON with its letters": json.dumps({"guest": NAME.text}, ensure_ascii=False),
    "compressed": zlib.compress(LONG.encode()),
    "PostgreSQL's JSON": {"guest": [NAME.text]},
}


@table("cell", CELLS.values())
def test_a_text_is_seen_in_a_cell(cell: Any) -> None:
    (found,) = traces_in([("writes", {"thread_id": "t1", "value": cell}), ("writes", {"value": None})], [NAME])
    assert (found.needle, found.table, found.row["thread_id"]) == (NAME, "writes", "t1")


@table("cell", [None, 7, b"x", b"x\x9cbroken", "Zoe Muller"])
def test_what_is_none_is_none(cell: Any) -> None:
    assert list(traces_in([("writes", {"value": cell})], [NAME])) == []


@pytest.mark.parametrize("at", range(0, 30, 7))
def test_a_text_across_two_chunks_is_seen(tmp_path: Path, at: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(traces, "CHUNK", 16)
    (tmp_path / "file").write_bytes(b"." * at + NAME.text.encode() + b"." * 20)
    assert in_bytes(tmp_path / "file", [NAME, Needle("phone", "0541234567")]) == [NAME]


def test_a_file_that_has_just_gone_holds_nothing(tmp_path: Path) -> None:
    assert in_bytes(tmp_path / "desk.db-wal", [NAME]) == []


def test_deleted_rows_are_in_the_bytes_until_the_file_is_written_anew(tmp_path: Path) -> None:
    path = tmp_path / "desk.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE said (text TEXT)")
        connection.executemany("INSERT INTO said VALUES (?)", [(f"{n} {NAME.text}",) for n in range(500)])
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.execute("PRAGMA secure_delete = 0")
        connection.execute("DELETE FROM said")
        assert in_bytes(path, [NAME]) == [NAME]

        assert rewrite(path)

        assert [in_bytes(each, [NAME]) for each in traces.beside(path)] == [[]] * len(traces.beside(path))
