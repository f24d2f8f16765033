"""The page on property systems: its file is one, its commands print what it shows, its table names every key."""

import re
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
from ezgo_server import EzgoServer
from loopback import LoopbackServer
from shown import blocks
from typer.testing import CliRunner

from wavegraph.app.main import app
from wavegraph.tools.hotel.configuration.entry import OF_SYSTEM, SYSTEMS, PropertyEntry
from wavegraph.tools.hotel.configuration.file import PROPERTIES, read_properties
from wavegraph.tools.hotel.ezgo import property as ezgo_property
from wavegraph.tools.hotel.ezgo import service as ezgo_service
from wavegraph.tools.hotel.minihotel import property as minihotel_property
from wavegraph.tools.hotel.minihotel.connected import connected
from wavegraph.tools.hotel.property.capabilities import EVERYTHING
from wavegraph.tools.hotel.property.credentials import EnvironmentSecrets
from wavegraph.tools.hotel.property.store import utc_now

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "hotel" / "hotel-systems.md").read_text(encoding="utf-8")
NIGHTS = '<AvailRaters><Hotel id="{}" Currency="ILS"/><RoomTypes><RoomType id="DBL"/></RoomTypes></AvailRaters>'


@pytest.fixture
def hosts() -> Iterator[dict[str, str]]:
    """By property: a server for each."""

    class MiniHotel(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            sent = self.rfile.read(int(self.headers["Content-Length"]))
            data = b"ERR 308: rate code" if b"STANDARD" in sent else NIGHTS.format("seahotel").encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing."""

    with LoopbackServer(MiniHotel) as minihotel, EzgoServer() as ezgo:
        yield {"haifa": minihotel.url, "athens": minihotel.url, "eilat": ezgo.url}


def test_the_commands_print_what_the_page_shows(
    hosts: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (text,), (shown,) = blocks(PAGE, "toml"), blocks(PAGE, "console")
    for name, host in hosts.items():
        text = text.replace(f'id = "{name}" ', f'host = "{host}"\nid = "{name}" ').replace(
            f'id = "{name}"\n', f'host = "{host}"\nid = "{name}"\n'
        )
    (tmp_path / "properties.toml").write_text(text, encoding="utf-8")
    monkeypatch.setenv(PROPERTIES, str(tmp_path / "properties.toml"))
    monkeypatch.setenv("MINI_USERNAME", "clerk-of-sea")
    monkeypatch.setenv("MINI_PASSWORD", "q7Zr&pW<x2")

    lines = []
    for words in (["properties"], ["properties", "check"]):
        lines.append(f"$ wavegraph {' '.join(words)}")
        lines += CliRunner().invoke(app, words).stdout.splitlines()
    printed = "\n".join(lines)
    for name, host in hosts.items():
        place = "the test system" if name == "haifa" else "the vendor's host"
        printed = re.sub(rf"^({name} .* at ){re.escape(host)}", rf"\g<1>{place}", printed, flags=re.MULTILINE)

    assert printed == shown.rstrip("\n")


def test_the_file_that_the_page_shows_is_right_as_it_is(tmp_path: Path) -> None:
    (text,) = blocks(PAGE, "toml")
    (tmp_path / "properties.toml").write_text(text, encoding="utf-8")
    found = read_properties(tmp_path / "properties.toml")

    assert (list(found.entries), found.faults) == (["haifa", "athens", "eilat"], [])


def test_the_faults_that_the_page_shows_are_told(tmp_path: Path) -> None:
    (shown,) = blocks(PAGE, "text")
    lines = "curency = 'EUR'\ntime_zone = '+02:00'\nhost = 'api.minihotel.cloud/gds'\n"
    path = tmp_path / "properties.toml"
    path.write_text(f"[[property]]\nid = 'haifa'\npms_type = 'minihotel'\nhotel_id = 's'\nrate_code = 'W'\n{lines}")
    told = {fault.text.replace(str(path), path.name) for fault in read_properties(path).faults}

    assert told == set(shown.splitlines())


def test_every_key_is_told_with_its_system() -> None:
    rows = re.findall(r"^\| (`\w+`(?:, `\w+`)*) \| (?:`(\w+)`|all) \|", PAGE, flags=re.MULTILINE)
    told = {name: system for names, system in rows for name in re.findall(r"\w+", names)}

    assert told == {name: OF_SYSTEM.get(name, "") for name in PropertyEntry.model_fields}
    assert [system for system in SYSTEMS if f"`{system}`" not in PAGE] == []


@pytest.mark.parametrize(
    ("row", "able"),
    [
        ("hold rooms while a question waits", "holds"),
        ("why nothing is offered", "reasons"),
        ("until when it can be cancelled", "policies"),
        ("look a booking up", "bookings"),
        ("book and cancel", "writes"),
        ("rate plans side by side", "rate_plans"),
        ("several room types together", "combinations"),
        ("price of each night", "nightly_prices"),
    ],
)
def test_each_system_can_what_the_table_says(row: str, able: str, tmp_path: Path) -> None:
    """MiniHotel writes where that is switched on; its cell says so."""
    (cells,) = re.findall(rf"^\| {row} \| (.*) \| (.*) \| (.*) \|$", PAGE, flags=re.MULTILINE)
    entry = PropertyEntry(id="a", pms_type="minihotel", hotel_id="a", rate_code="a", writes=True)
    minihotel = connected(entry, secrets=EnvironmentSecrets({}), data_dir=tmp_path, now=utc_now)
    declared = [EVERYTHING, minihotel.capabilities, ezgo_property.SEARCHES]

    assert [not re.match(r"no\b|only |the one ", cell) for cell in cells] == [
        bool(getattr(each, able)) for each in declared
    ]


@pytest.mark.parametrize("module", [ezgo_property, ezgo_service, minihotel_property])
def test_what_was_never_run_against_its_vendor_says_so(module: Any) -> None:
    assert "Unverified" in (module.__doc__ or "")
    assert "unverified" in PAGE
    assert re.search(r"(?:run|tried) against (?:a|the|its) vendor", PAGE)


def test_where_the_file_lies_is_told() -> None:
    assert f"\n#{PROPERTIES}=" in (ROOT / ".env.example").read_text(encoding="utf-8")
