"""What the pages say of the server: its settings, what it refuses, what it asks, its addresses, and whom it is for."""

import re
import subprocess
from pathlib import Path

import pytest

from wavegraph.app.roster.served.routes import routes
from wavegraph.app.serving import settings
from wavegraph.app.serving.doors import FOR_DEVELOPERS, PROBE
from wavegraph.app.serving.hosts import HOSTS
from wavegraph.app.serving.inputs import MOST_RUNS
from wavegraph.app.serving.rate import BURST_S, REQUEST_BYTES
from wavegraph.graph.approval import Question
from wavegraph.graph.state import MOST_MESSAGE_CHARS, MOST_MESSAGES
from wavegraph.tools.hotel.settings import HotelSettings

ROOT = Path(__file__).parents[2]
RUNNING = ROOT / "docs" / "running"
SERVER, APPROVALS, CONSOLE = (
    (RUNNING / name).read_text(encoding="utf-8") for name in ("server.md", "approvals.md", "console.md")
)
SECURITY = (RUNNING / "security.md").read_text(encoding="utf-8")
ENVIRONMENT = (ROOT / ".env.example").read_text(encoding="utf-8")
DEFAULTS = settings.DoorSettings()


@pytest.mark.parametrize(
    ("name", "default"),
    [
        (HOSTS, None),
        (settings.MAX_BODY_BYTES, DEFAULTS.max_body_bytes),
        (settings.BYTES_PER_SECOND, DEFAULTS.bytes_per_second),
    ],
)
def test_a_setting_is_told_with_its_default(name: str, default: float | None) -> None:
    (row,) = [line for line in SERVER.splitlines() if line.startswith(f"| `{name}` |")]

    assert row.endswith(f"| {'none' if default is None else default} |")
    assert f"\n#{name}={'' if default is None else default}\n" in ENVIRONMENT


def test_what_is_for_this_machine_alone_is_named() -> None:
    assert [path for path in (*FOR_DEVELOPERS, PROBE) if f"`{path}`" not in SERVER] == []


def test_a_burst_is_as_long_as_the_pages_say() -> None:
    assert BURST_S == 10
    assert [page.count("ten seconds' worth at once") for page in (SERVER, ENVIRONMENT)] == [1, 1]


def test_what_is_too_long_is_told_as_it_is() -> None:
    texts, hotel = f"{MOST_MESSAGE_CHARS:,}", f"{HotelSettings().max_message_chars:,}"
    assert f"`max_message_chars` characters ({texts} by default and at most; of the hotel" in SECURITY
    assert f"{hotel} by default)" in SECURITY
    assert f"An input of more than {MOST_MESSAGES} messages is not read" in SECURITY
    assert (
        f"an input of more than {MOST_MESSAGES} messages of anybody; a batch of more than {MOST_RUNS} runs" in SECURITY
    )
    assert f"get through {MOST_MESSAGES // 2} questions and answers" in SECURITY
    assert [page.count(f"counts for {REQUEST_BYTES:,}") for page in (SERVER, SECURITY, ENVIRONMENT)] == [1, 1, 1]
    assert f"default {DEFAULTS.bytes_per_second / REQUEST_BYTES:.0f} short ones a second pass" in SECURITY
    assert f"set {REQUEST_BYTES:,} times its number here" in SERVER


def test_the_server_says_whom_it_is_for() -> None:
    """And the page shows what it says."""
    done = subprocess.run(["make", "--dry-run", "serve"], cwd=ROOT, capture_output=True, encoding="utf-8", check=True)
    (said,) = [line for line in done.stdout.splitlines() if line.startswith("echo") and "one person" in line]

    assert "no access control" in said
    assert f"$ make serve\n{said.removeprefix('echo ').strip(chr(34))}\n" in SERVER


def test_every_field_of_a_question_is_told() -> None:
    table = APPROVALS.split("\n## The question\n")[1].split("\n## ")[0]
    told = [name for row in re.findall(r"^\| (`.*?) \|", table, re.MULTILINE) for name in re.findall(r"`(\w+)`", row)]

    assert sorted(told) == sorted(Question.__annotations__)


def test_every_address_for_staff_is_told() -> None:
    there = {
        f"{method} {route.path.replace('{roster_id}', 'ID').replace('{name}', 'NAME')}"
        for route in routes()
        for method in (route.methods or set()) - {"HEAD"}
    }
    rows = re.findall(r"^\| ((?:`GET`, `POST|`GET) (/\S+))` \|", CONSOLE, re.MULTILINE)

    assert {f"{method} {path}" for row, path in rows for method in re.findall(r"[A-Z]{3,4}(?=`| )", row)} == there
