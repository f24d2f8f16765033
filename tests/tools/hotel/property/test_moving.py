"""A hotel moves from this machine's file into PostgreSQL: on first use or by the command, nothing lost and nothing twice."""

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from wavegraph.app.main import app
from wavegraph.graph.errors import SettingsError, ToolRefusal
from wavegraph.tools.hotel.property import sqlite_property, store
from wavegraph.tools.hotel.property.places.moving import Moved, move
from wavegraph.tools.hotel.property.places.property_file import PropertyFile
from wavegraph.tools.hotel.property.places.shared import shared_place
from wavegraph.tools.hotel.property.port import hotel_file, hotel_path, open_property
from wavegraph.tools.hotel.property.sqlite_property import StoredProperty
from wavegraph.tools.hotel.records import Booking, Guest, Policy, PropertyRecord, Quote, QuoteQuery

OLD = Path(__file__).with_name("property_v2.sql")
TODAY, MONDAY = date(2026, 2, 20), date(2036, 3, 3)
DANA = Guest(name="Dana Levi", email="dana@example.com")
OMER = Guest(name="Omer Katz", phone="+972 50 555 0100")
run = asyncio.run


@pytest.fixture
def url(installation: str) -> str:
    return installation


@pytest.fixture
def built(tiny: Any) -> Callable[[Path], Path]:
    """Builds an inn of two double rooms, a week of nights, in a folder; its file."""

    def build(folder: Path) -> Path:
        file = hotel_path(folder, "inn")
        file.parent.mkdir(parents=True)
        record = PropertyRecord(property_id="inn", name="Inn", name_he="פונדק", hotel_id="inn")
        data = tiny.property_data([tiny.room()], [tiny.plan()], record=record)
        days = tiny.calendar([tiny.room()])
        shift = MONDAY - tiny.monday
        calendar = replace(
            days,
            inventory=[day._replace(date=day.date + shift) for day in days.inventory],
            rates=[day._replace(date=day.date + shift) for day in days.rates],
        )
        store.create(file, lambda rows: store.write_property(rows, data, calendar, store.SCHEMA_VERSION))
        return file

    return build


def quoted(hotel: Any, night: int = 0, nights: int = 1) -> Quote:
    first = MONDAY + timedelta(days=night)
    query = QuoteQuery(check_in=first, check_out=first + timedelta(days=nights), adults=2)
    return run(hotel.quote(query, today=TODAY))


def booked(hotel: Any, guest: Guest = DANA, night: int = 0) -> Booking:
    return run(hotel.book(quoted(hotel, night).quote_id, guest, today=TODAY))


def counted(url: str) -> list[tuple[int, int]]:
    """(sold, held) night by night."""
    with shared_place(url, "inn").reading() as rows:
        return rows.execute("SELECT sold, held FROM inventory ORDER BY date").fetchall()


def test_a_hotel_moves_on_first_use_with_all_that_was_promised(
    url: str, tmp_path: Path, built: Callable[[Path], Path]
) -> None:
    file = built(tmp_path)
    before: Any = open_property("inn", data_dir=tmp_path)
    booking, cancelled = booked(before), booked(before, OMER)
    run(before.cancel(cancelled.reference, "Katz", today=TODAY))
    quote, held = quoted(before, 2), quoted(before, 3)
    run(before.hold(held.quote_id, DANA, minutes=15, today=TODAY))

    after: Any = open_property("inn", data_dir=tmp_path, database=url)

    assert not file.exists()
    assert list(file.parent.iterdir()) == []
    assert after.record == before.record
    assert run(after.booking(booking.reference, "Levi")) == booking
    assert run(after.booking(cancelled.reference, "Katz")).status == "cancelled"
    assert [each.quote_id for each in run(after.holds())] == [held.quote_id]
    assert counted(url)[:4] == [(1, 0), (0, 0), (0, 0), (0, 1)]
    elsewhere: Any = open_property("inn", data_dir=tmp_path / "other machine", database=url)
    for each in (quote, held):
        assert run(elsewhere.book(each.quote_id, DANA, today=TODAY)).status == "confirmed"
    assert counted(url)[:4] == [(1, 0), (0, 0), (1, 0), (1, 0)]
    with pytest.raises(SettingsError, match="unknown property_id 'inn'"):
        open_property("inn", data_dir=tmp_path)


@pytest.mark.parametrize("shared", [False, True], ids=["file", "postgres"])
def test_the_demo_hotel_of_the_last_version_keeps_its_bookings(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shared: bool
) -> None:
    monkeypatch.setattr(sqlite_property, "HORIZON_YEARS", 1)
    before, today = open_property(data_dir=tmp_path), date(2026, 11, 20)
    query = QuoteQuery(check_in=date(2027, 1, 17), check_out=date(2027, 1, 19), adults=2)
    booking = run(before.book(run(before.quote(query, today=today)).quote_id, DANA, today=today))
    with closing(sqlite3.connect(hotel_file(tmp_path, "sandbox"))) as file:
        file.executescript("ALTER TABLE faq DROP COLUMN policy_json; PRAGMA user_version = 4003")

    after = open_property(data_dir=tmp_path, database=url if shared else None)
    run(after.open())

    assert run(after.booking(booking.reference, "Levi")) == booking
    assert run(after.info("pets")).policy == Policy(max_kg=12, fee_agorot=80_00, fee_per="night", rooms=("DBL", "ACC"))


def test_the_demo_hotel_moves_too(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite_property, "HORIZON_YEARS", 1)
    before, today = open_property(data_dir=tmp_path), date(2026, 11, 20)
    query = QuoteQuery(check_in=date(2027, 1, 17), check_out=date(2027, 1, 19), adults=2)
    quote = run(before.quote(query, today=today))

    assert run(open_property(data_dir=tmp_path, database=url).book(quote.quote_id, DANA, today=today)).reference
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("currency", ["EUR", "JPY"])
def test_a_file_of_an_earlier_version_moves(url: str, tmp_path: Path, currency: str) -> None:
    path = hotel_path(tmp_path, "old-inn")
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as file:
        file.executescript(OLD.read_text(encoding="utf-8").replace("EUR", currency))
    hotel = open_property("old-inn", data_dir=tmp_path, database=url)

    booking = run(hotel.booking("WG-NHDBW2S4", "Levi"))

    assert abs(booking.total_agorot - {"EUR": 24_100, "JPY": 242}[currency]) <= 2
    assert hotel.record.currency == currency
    assert run(hotel.book("Q-HM7AX6XYRS", DANA, today=date(2026, 11, 20))).repeated


def test_the_bookings_of_a_second_machine_join_those_of_the_first(
    url: str, tmp_path: Path, built: Callable[[Path], Path], caplog: pytest.LogCaptureFixture
) -> None:
    machines = [tmp_path / "one", tmp_path / "two"]
    files = [built(machine) for machine in machines]
    bookings = [booked(open_property("inn", data_dir=machine)) for machine in machines]
    lapsed = quoted(open_property("inn", data_dir=machines[1]), 5)
    first, second = (open_property("inn", data_dir=machine, database=url) for machine in machines)
    assert (files[0].exists(), files[1].exists()) == (False, True)
    assert "wavegraph hotel import --move" in caplog.text
    with pytest.raises(ToolRefusal):
        run(second.booking(bookings[1].reference, "Levi"))

    assert move(files[1], shared_place(url, "inn")) == Moved(whole=False, bookings=1)

    assert [run(first.booking(each.reference, "Levi")) for each in bookings] == bookings
    assert counted(url)[0] == (2, 0)
    assert run(first.book(lapsed.quote_id, DANA, today=TODAY)).status == "confirmed"
    assert not files[1].exists()


def test_bookings_that_do_not_fit_beside_the_others_stay_where_they_are(
    url: str, tmp_path: Path, built: Callable[[Path], Path]
) -> None:
    machines = [tmp_path / "one", tmp_path / "two"]
    files = [built(machine) for machine in machines]
    for machine in machines:
        for _ in range(2):
            booked(open_property("inn", data_dir=machine))
    kept = booked(open_property("inn", data_dir=machines[1]), night=1)
    open_property("inn", data_dir=machines[0], database=url)
    before = counted(url)

    with pytest.raises(SettingsError) as refusal:
        move(files[1], shared_place(url, "inn"))

    lines = str(refusal.value).splitlines()
    assert (lines[0], len(lines)) == ("2 problem(s), nothing was moved:", 4)
    assert lines[1].endswith("1 x DBL on 2036-03-03 is no longer free")
    assert counted(url) == before
    there: Any = open_property("inn", data_dir=machines[1])
    assert run(there.booking(kept.reference, "Levi")) == kept
    for line in lines[1:3]:
        run(there.cancel(line[:11], "Levi", today=TODAY))
    assert move(files[1], shared_place(url, "inn")) == Moved(whole=False, bookings=3)
    assert counted(url)[:2] == [(2, 0), (1, 0)]


def test_a_booking_of_nights_that_are_over_or_gone_is_kept_whatever_is_free(
    url: str, tmp_path: Path, built: Callable[[Path], Path]
) -> None:
    machines = [tmp_path / "one", tmp_path / "two"]
    files = [built(machine) for machine in machines]
    [booking] = [booked(open_property("inn", data_dir=machine), night=6) for machine in machines[1:]]
    place: Any = open_property("inn", data_dir=machines[0], database=url)
    with place.place.writing() as rows:
        rows.execute("DELETE FROM inventory WHERE date = '2036-03-09'")
    assert move(files[1], shared_place(url, "inn")).bookings == 1
    assert run(place.booking(booking.reference, "Levi")) == booking


def test_a_move_that_is_killed_before_the_file_knows_is_done_again(
    url: str, tmp_path: Path, built: Callable[[Path], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = built(tmp_path)
    booking = booked(open_property("inn", data_dir=tmp_path))

    def killed(self: store.FileConnection, version: int) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(store.FileConnection, "set_version", killed)
        with pytest.raises(KeyboardInterrupt):
            move(file, shared_place(url, "inn"))
    assert run(open_property("inn", data_dir=tmp_path).booking(booking.reference, "Levi")) == booking
    late = booked(open_property("inn", data_dir=tmp_path), OMER)

    assert move(file, shared_place(url, "inn")) == Moved(whole=False, bookings=1)

    hotel = open_property("inn", data_dir=tmp_path, database=url)
    assert [run(hotel.booking(each.reference, name)) for each, name in ((booking, "Levi"), (late, "Katz"))] == [booking, late]  # fmt: skip
    assert counted(url)[0] == (2, 0)


def test_a_move_that_fails_leaves_no_half_of_the_hotel(
    url: str, tmp_path: Path, built: Callable[[Path], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = built(tmp_path)
    booking = booked(open_property("inn", data_dir=tmp_path))
    with closing(sqlite3.connect(file)) as rows, rows:
        rows.execute("UPDATE booking SET total_agorot = 'much'")
    with pytest.raises(SettingsError, match="cannot take what it was given: invalid input syntax for type bigint"):
        open_property("inn", data_dir=tmp_path, database=url)
    assert not shared_place(url, "inn").exists()
    assert run(open_property("inn", data_dir=tmp_path).booking(booking.reference, "Levi")) == booking


def test_who_waited_for_a_file_that_moved_writes_nothing_into_it(
    url: str, tmp_path: Path, built: Callable[[Path], Path]
) -> None:
    file = built(tmp_path)
    waiting = open_property("inn", data_dir=tmp_path)
    quote = quoted(waiting)
    late = store.connect(file, write=True)  # opened, and not yet its turn
    move(file, shared_place(url, "inn"))
    with closing(late), pytest.raises(sqlite3.OperationalError):
        late.execute("INSERT INTO quote VALUES ('Q', '', '', '', 1, '')")
    assert quote.quote_id in [row["id"] for row in _quotes(url)]


def _quotes(url: str) -> list[dict[str, Any]]:
    with shared_place(url, "inn").reading() as rows:
        return list(store.rows_by_name(rows, "quote"))


# By the command


def cli(*words: str) -> Result:
    return CliRunner().invoke(app, ["hotel", *words])


def test_the_command_moves_what_is_here_and_says_what_came_of_it(
    url: str, tmp_path: Path, built: Callable[[Path], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    machine = tmp_path / "wavegraph"
    built(machine)
    booked(open_property("inn", data_dir=machine))
    asked = cli("import", "--move")
    assert (asked.exit_code, "--db postgresql://" in asked.stderr) == (2, True)
    assert cli("list", "--db", url).stdout.splitlines() == [
        "sandbox              the demo hotel",
        "inn                  in a file of this machine; wavegraph hotel import --move inn",
    ]
    unknown = cli("import", "--move", "ritz", "--db", url)
    assert (unknown.exit_code, "there are: inn" in unknown.stderr) == (2, True)

    monkeypatch.setenv("WAVEGRAPH_DATABASE", url)
    assert cli("import", "--move").stdout == "inn: moved, 1 booking(s) and hold(s)\n"

    assert cli("import", "--move").stdout == ""
    assert cli("list").stdout.splitlines() == [
        "sandbox              the demo hotel",
        "inn                  Inn, IL, ILS",
    ]
    built(machine / "again")
    (machine / "again" / "hotels" / "inn.sqlite").rename(machine / "hotels" / "inn.sqlite")
    assert cli("import", "--move", "inn").stdout == (
        "inn: was there already; what this machine had is with it now, 0 booking(s) and hold(s)\n"
    )


def test_the_command_says_why_a_database_cannot_be_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    for words in (
        ["list"],
        ["import", "--move"],
        ["list", "--holds"],
        ["import", str(OLD.parents[4] / "examples" / "own_hotel")],
    ):
        done = cli(*words, "--db", "postgresql://desk:Zq7pw@127.0.0.1:1/hotel")
        assert (done.exit_code, done.stdout) == (2, "")
        assert "cannot be reached" in done.stderr
        assert "Zq7pw" not in done.output


def test_a_moved_file_that_was_not_removed_is_no_hotel(
    url: str, tmp_path: Path, built: Callable[[Path], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = built(tmp_path)
    booking = booked(open_property("inn", data_dir=tmp_path))

    def killed(self: Path, missing_ok: bool = False) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Path, "unlink", killed)
        with pytest.raises(KeyboardInterrupt):
            move(file, shared_place(url, "inn"))
    with pytest.raises(SettingsError, match="another version"):
        StoredProperty(PropertyFile(file))

    assert move(file, shared_place(url, "inn")) == Moved(whole=False, bookings=0)
    assert not file.exists()
    assert run(open_property("inn", data_dir=tmp_path, database=url).booking(booking.reference, "Levi")) == booking
