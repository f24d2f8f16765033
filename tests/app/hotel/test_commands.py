"""The hotel from the command line: a hotel of one's own, and the requests a guest would make."""

import asyncio
import shutil
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from typer.testing import CliRunner, Result

from wavegraph.app.main import app
from wavegraph.tools.hotel.property.places.shared import shared_place
from wavegraph.tools.hotel.property.port import open_property
from wavegraph.tools.hotel.records import Guest, QuoteQuery
from wavegraph.tools.postgres.server import close_all

OWN_HOTEL = Path(__file__).parents[3] / "examples" / "own_hotel"
TODAY = ("--today", "2026-11-20")


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A copy of the example's files, to be spoilt."""
    return Path(shutil.copytree(OWN_HOTEL, tmp_path / "files"))


def run(*words: str) -> Result:
    return CliRunner().invoke(app, words)


def ask(text: str, *words: str) -> Result:
    return run("ask", text, "--db", ":memory:", *TODAY, *words)


def test_an_imported_hotel_is_listed_and_speaks_for_itself() -> None:
    imported = run("hotel", "import", str(OWN_HOTEL))
    assert imported.exit_code == 0, imported.stderr
    property_id = imported.stdout.rsplit("--property ", 1)[1].split()[0]
    name = imported.stdout.split(" (")[0]
    assert f"{property_id:<20} {name}" in run("hotel", "list").stdout
    assert ask("What rooms do you have?", "--property", property_id).exit_code == 0
    again = run("hotel", "import", str(OWN_HOTEL))
    assert "replaced" in again.stdout


async def _held(property_id: str, guest: str, minutes: int) -> str:
    adapter = open_property(property_id)
    await adapter.open()
    stay = {"check_in": date(2027, 1, 17), "check_out": date(2027, 1, 19), "adults": 2}
    quote = await adapter.quote(QuoteQuery(**stay, refundable=True), today=date(2026, 11, 20))
    who = Guest(name=guest, email="guest@example.com")
    held = await adapter.hold(quote.quote_id, who, minutes=minutes, today=date(2026, 11, 20))
    until = held.expires_at.astimezone(ZoneInfo("Asia/Jerusalem"))
    return f"{quote.quote_id}  held until {until:%Y-%m-%d %H:%M}  2027-01-17 to 2027-01-19  1 x "


BOOK = "Book a double room January 17-19 for two adults, Dana Levi, dana@example.com"


@pytest.mark.parametrize("way", ["--db", "WAVEGRAPH_DATABASE"])
def test_what_one_machine_held_another_books(
    postgres: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    """Conversations and hotels in one database, whichever way it is named."""
    url = postgres.fresh(f"machines_{len(way)}")
    if way != "--db":
        monkeypatch.setenv(way, url)
    named = ("--db", url) if way == "--db" else ()
    asked = run("ask", BOOK, "--thread", "t1", *named, *TODAY)
    assert asked.exit_code == 0, asked.stderr
    assert f"{'sandbox':<20} Q-" in run("hotel", "list", "--holds", *named).stdout
    assert list((tmp_path / "home").rglob("*.sqlite")) == []

    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "another machine"))
    done = run("ask", "yes", "--thread", "t1", *named, *TODAY)

    assert "WG-" in done.stdout
    assert "Dana Levi" in done.stdout
    with shared_place(url, "sandbox").reading() as rows:
        assert rows.execute("SELECT status FROM booking").fetchall() == [("confirmed",)]
    close_all()


def test_the_front_desk_lists_what_is_held() -> None:
    assert run("hotel", "list", "--holds").stdout == ""
    assert run("hotel", "import", str(OWN_HOTEL)).exit_code == 0
    expected = [
        asyncio.run(_held(adapter, guest, minutes))
        for adapter, guest, minutes in (
            ("sandbox", "Dana Levi", 15),
            ("sandbox", "Omer\nKatz", 20),
            ("beit-haerez", "רות כהן", 5),
        )
    ]
    lines = run("hotel", "list", "--holds").stdout.splitlines()
    assert [line[:21].strip() for line in lines] == ["sandbox", "sandbox", "beit-haerez"]
    for line, start, guest in zip(lines, expected, ("Dana Levi", "Omer Katz", "רות כהן"), strict=True):
        assert line[21:].startswith(start)
        assert line.endswith(f"  {guest}")
        assert "example.com" not in line
    assert run("hotel", "list", "--holds", "beit-haerez").stdout.splitlines() == lines[2:]


def test_holds_of_a_hotel_that_cannot_be_opened(tmp_path: Path) -> None:
    done = run("hotel", "list", "--holds", "ritz")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "unknown property_id 'ritz'" in done.stderr
    broken = tmp_path / "home" / "wavegraph" / "hotels" / "letter.sqlite"
    broken.parent.mkdir(parents=True)
    broken.write_text("Dear guest, " * 100)
    assert (
        "letter               cannot be opened: letter.sqlite is not a property file"
        in run("hotel", "list", "--holds").stdout
    )


def test_every_problem_of_an_import_is_reported_and_nothing_is_written(files: Path) -> None:
    (files / "rooms.csv").unlink()
    rates = (files / "rates.csv").read_text(encoding="utf-8").splitlines()
    (files / "rates.csv").write_text("\n".join([rates[0], *["a,b" for _ in range(25)]]), encoding="utf-8")
    done = run("hotel", "import", str(files))
    assert done.exit_code == 2
    assert "rooms.csv" in done.stderr
    assert all(f"rates.csv, row {row}" in done.stderr for row in range(2, 27))
    assert run("hotel", "list").stdout.splitlines() == [f"{'sandbox':<20} the demo hotel"]


def test_a_folder_that_is_not_there_exits_with_2() -> None:
    done = run("hotel", "import", "no/such/folder")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "'no/such/folder' is not a folder" in done.stderr


def test_an_unknown_hotel_exits_with_2_and_names_the_known_ones() -> None:
    done = ask("What rooms do you have?", "--property", "ritz")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "unknown property_id 'ritz'; known: sandbox" in done.stderr


def test_a_country_is_two_letters() -> None:
    assert ask("What rooms do you have?", "--country", "il").exit_code == 0
    done = ask("What rooms do you have?", "--country", "Israel")
    assert done.exit_code == 2
    assert "'country' = 'ISRAEL'" in done.stderr


@dataclass(frozen=True)
class Asked:
    text: str
    answer: str
    """Part of the answer."""
    work: str
    """Part of what the live view showed."""


ASKED = [
    Asked("Check availability for January 17-19", "17 January", "▸ wave 1: check_availability"),
    Asked("one night in Hanukkah", "Hanukkah", "▸ wave 2: check_availability"),
    Asked("Check availability December 25", "24 December", "↻ Trying alternatives…"),
    Asked("יש חדר פנוי לחנוכה?", "חנוכה", "↻ found another way"),
]


@pytest.mark.parametrize("case", ASKED, ids=lambda case: case.text)
def test_a_guest_is_answered(case: Asked) -> None:
    done = ask(case.text)
    assert done.exit_code == 0
    assert case.answer in done.stdout
    assert case.work in done.stderr


def test_the_hotel_is_drawn(tmp_path: Path) -> None:
    file = tmp_path / "hotel.mmd"
    assert run("graph", "--out", str(file)).exit_code == 0
    assert file.read_text(encoding="utf-8") == run("graph").stdout
