"""The file: built whole, the same twice, by two processes at once; extended and rewritten under bookings."""

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest

from wavegraph.tools.hotel.property import seed, sqlite_property, store

CLOCK = date(2026, 11, 20)
SHORT = date(2026, 12, 31)


def dump(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        return list(connection.iterdump())


def small(path: Path, last: date = SHORT) -> Path:
    property_data = seed.demo_property()
    calendar = seed.demo_calendar(date(2026, 12, 1), last)
    store.create(
        path,
        lambda connection: store.write_property(connection, property_data, calendar, sqlite_property.demo_version()),
    )
    return path


def book(path: Path, status: str = "confirmed", night: str = "2026-12-01") -> None:
    with store.writing(path) as connection:
        connection.execute(
            "INSERT INTO booking VALUES ('Q1', 'R1', 'h', ?, '2026-11-20T10:15:00+00:00', '{}', '2026-12-01', '2026-12-02',"
            " 48000, NULL, '2026-11-20T10:00:00+00:00')",
            (status,),
        )
        connection.execute("INSERT INTO booking_room VALUES ('Q1', 0, 'DBL', 'FLEX-BB', 2)")
        connection.execute("INSERT INTO booking_night VALUES ('Q1', 0, ?, 48000)", (night,))


def inventory(path: Path, room_type: str, night: str) -> tuple[int, int]:
    with store.reading(path) as connection:
        sql = "SELECT sold, held FROM inventory WHERE room_type = ? AND date = ?"
        sold, held = connection.execute(sql, (room_type, night)).fetchone()
        return sold, held


def test_the_same_file_twice(tmp_path: Path) -> None:
    for name in ("one", "two"):
        sqlite_property.build(tmp_path / name, CLOCK)
    assert dump(tmp_path / "one") == dump(tmp_path / "two")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one", "two"]


def test_the_calendar_reaches_three_years_ahead(tmp_path: Path) -> None:
    sqlite_property.build(tmp_path / "hotel", CLOCK)
    with store.reading(tmp_path / "hotel") as connection:
        first = connection.execute("SELECT MIN(date) FROM inventory").fetchone()[0]
        assert (first, store.last_night(connection)) == ("2025-10-01", date(2029, 12, 31))


def test_an_extended_calendar_equals_one_built_at_once(tmp_path: Path) -> None:
    sqlite_property.build(tmp_path / "grown", CLOCK)
    sqlite_property.build(tmp_path / "grown", date(2027, 1, 1))
    sqlite_property.build(tmp_path / "whole", date(2027, 1, 1))
    assert dump(tmp_path / "grown") == dump(tmp_path / "whole")


BUILD_AT_ONCE = """
import os
from datetime import date
from pathlib import Path
from wavegraph.tools.hotel.property.sqlite_property import build
# Forked after the imports, so that the builds really overlap.
children = []
for _ in range(4):
    child = os.fork()
    if not child:
        build(Path({path!r}), date(2026, 11, 20))
        os._exit(0)
    children.append(child)
assert [os.waitpid(child, 0)[1] for child in children] == [0, 0, 0, 0]
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are forked")
def test_several_processes_build_one_good_file(tmp_path: Path) -> None:
    path = tmp_path / "hotel.sqlite"
    subprocess.run([sys.executable, "-c", BUILD_AT_ONCE.format(path=str(path))], check=True, timeout=60)
    sqlite_property.build(tmp_path / "other.sqlite", CLOCK)
    assert dump(path) == dump(tmp_path / "other.sqlite")
    assert list(tmp_path.glob(".*")) == []


def test_a_file_that_is_there_is_not_replaced(tmp_path: Path) -> None:
    path = small(tmp_path / "hotel")
    book(path)
    small(path)
    assert inventory(path, "DBL", "2026-12-01") != (0, 0)
    with store.reading(path) as connection:
        assert connection.execute("SELECT ref FROM booking").fetchall() == [("R1",)]


@pytest.mark.parametrize(("status", "sold", "held"), [("confirmed", 2, 0), ("hold", 0, 2), ("cancelled", 0, 0)])
def test_a_changed_seed_rebuilds_under_the_bookings(tmp_path: Path, status: str, sold: int, held: int) -> None:
    path = small(tmp_path / "hotel")
    before = inventory(path, "DBL", "2026-12-01")
    book(path, status)
    with store.writing(path) as connection:
        connection.execute("PRAGMA user_version = 1")
    sqlite_property.build(path, CLOCK)
    with store.reading(path) as connection:
        assert connection.version() == sqlite_property.demo_version()
        assert connection.execute("SELECT COUNT(*) FROM booking_night").fetchone() == (1,)
    assert inventory(path, "DBL", "2026-12-01") == (before[0] + sold, held)


def test_a_failed_build_leaves_nothing(tmp_path: Path) -> None:
    def fail(connection: sqlite3.Connection) -> None:
        connection.execute("CREATE TABLE half (x)")
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        store.create(tmp_path / "hotel", fail)
    assert list(tmp_path.iterdir()) == []


def test_a_failed_write_changes_nothing(tmp_path: Path) -> None:
    path = small(tmp_path / "hotel")
    before = dump(path)

    def sell_out(connection: sqlite3.Connection) -> None:
        connection.execute("DELETE FROM rate")
        connection.execute("UPDATE inventory SET sold = total + 1")

    with pytest.raises(sqlite3.IntegrityError, match="CHECK"), store.writing(path) as connection:
        sell_out(connection)
    assert dump(path) == before


def test_readers_cannot_write_and_see_one_state(tmp_path: Path) -> None:
    path = small(tmp_path / "hotel")
    with store.reading(path) as reader:
        count = reader.execute("SELECT COUNT(*) FROM rate").fetchone()
        with store.writing(path) as writer:
            writer.execute("DELETE FROM rate")
        assert reader.execute("SELECT COUNT(*) FROM rate").fetchone() == count
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            reader.execute("DELETE FROM meal")


def test_the_hotel_is_read_back_as_written(tmp_path: Path) -> None:
    path = small(tmp_path / "hotel")
    written = seed.demo_property()
    with store.reading(path) as connection:
        read = store.read_property(connection)
        nights = store.read_nights(connection, date(2026, 12, 5), date(2026, 12, 6), store.utc_now())
    assert read.record == written.record
    assert (read.rooms, read.plans, read.topics) == (written.rooms, written.plans, written.topics)
    assert sorted(read.meals) == sorted(written.meals)
    expected = seed.demo_calendar(date(2026, 12, 5), date(2026, 12, 6))
    assert sorted(nights.inventory) == sorted(expected.inventory)
    assert sorted(nights.rates) == sorted(expected.rates)
    assert nights.restrictions == expected.restrictions
