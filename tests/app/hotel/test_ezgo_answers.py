"""A guest of a hotel on EzGo is answered from its searches, and sent to the hotel for the rest."""

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from ezgo_server import Ezgo, EzgoServer, Room, found
from typer.testing import CliRunner

from wavegraph.app.main import app

PASSWORD = "q7Zr&pW<x2"


def reply(asked: dict[str, str]) -> str:
    return found() if asked["Day"] == "3" else found(Room(price=f"{asked['Day']}00"))


@pytest.fixture(autouse=True)
def _inn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with EzgoServer(Ezgo(reply)) as server:
        (tmp_path / "properties.toml").write_text(
            f'[[property]]\nid = "inn"\npms_type = "ezgo"\nhotel_id = 5\npms_agency_channel_id = 7\nhost = "{server.url}"\n'
            'room_names = { 101 = "Garden Room" }\nlinks = { booking = "https://inn.example/book" }\n'
        )
        monkeypatch.setenv("WAVEGRAPH_PROPERTIES", str(tmp_path / "properties.toml"))
        monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
        monkeypatch.setenv("INN_USERNAME", "clerk-of-inn")
        monkeypatch.setenv("INN_PASSWORD", PASSWORD)
        yield


@dataclass(frozen=True)
class Asked:
    text: str
    answer: tuple[str, ...]


ASKED = [
    Asked("a garden room for two January 17-19", ("1,700 NIS in total (850 NIS per night)", "https://inn.example/book")),
    Asked("a room for two January 3-4", ("The hotel offers nothing for these dates", "2 January", "4 January")),
    Asked("cheapest two nights in January for two", ("between Friday 1 January 2027 and Saturday 9 January 2027 (7 arrivals",)),
    Asked("חדר לשני מבוגרים ב-17 בינואר ללילה", ("1,700 ש״ח",)),
    Asked("Book a garden room January 17-19 for two adults, Dana Levi, dana@example.com",
          ("made on its own page or by reception", "https://inn.example/book", "Nothing was booked")),
    Asked("cancel booking WG-ABCDEFGH, Levi", ("Nothing was cancelled", "cancelled by reception")),
    Asked("show booking WG-ABCDEFGH, Levi", ("looked up by reception",)),
    Asked("when is check-in?", ("15:00",)),
]  # fmt: skip


@pytest.mark.parametrize("case", ASKED, ids=lambda case: case.text)
def test_a_guest_is_answered(case: Asked, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """And nothing printed, logged or stored holds the login."""
    database = str(tmp_path / "threads.db")
    with caplog.at_level(logging.DEBUG):
        done = CliRunner().invoke(
            app, ["ask", case.text, "--property", "inn", "--db", database, "--today", "2026-11-20"]
        )

    assert [part for part in case.answer if part not in done.stdout] == [], done.output
    for secret in (PASSWORD, "clerk-of-inn"):
        assert secret not in done.output
        assert secret not in caplog.text
        assert [file for file in tmp_path.rglob("*") if file.is_file() and secret.encode() in file.read_bytes()] == []
