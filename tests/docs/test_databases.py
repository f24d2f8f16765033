"""The commands of storage.md, sharing.md and report.md on a database run over a file and a PostgreSQL of the test's own."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from shown import blocks
from typer.testing import CliRunner

from wavegraph.app.main import app
from wavegraph.tools.postgres.server import close_all

ROOT = Path(__file__).parents[2]
THEIRS = "postgresql://desk@db.example/hotel"
HELD = "book the garden room for two adults from {} December 2026, {}, {}@example.com"


@pytest.fixture
def url(rosters_database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A database where the page has one, for a machine whose data folder is empty."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "here"))
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.chdir(ROOT)
    yield rosters_database
    close_all()


def commands(name: str, url: str) -> list[list[str]]:
    page = (ROOT / "docs" / "running" / name).read_text(encoding="utf-8")
    shown = "".join([*blocks(page, "console"), *blocks(page, "sh")])
    lines = re.findall(r"^(?:\$ )?wavegraph (.*)$", shown, flags=re.MULTILINE)
    return [[url if word == THEIRS else word for word in shlex.split(line, comments=True)] for line in lines]


def run(words: list[str]) -> str:
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, (words, done.output)
    return done.output


def test_one_option_names_either_database(url: str, tmp_path: Path) -> None:
    file, server = commands("storage.md", url)
    run([str(tmp_path / word) if word == "desk.db" else word for word in file])
    run(server)

    assert (tmp_path / "desk.db").exists()
    assert "Is a double room free" in run(["threads", "--db", url])
    [report] = [words for words in commands("report.md", url) if url in words]
    assert "1 request on 1 thread" in run(report)


def test_a_hotel_is_shared_and_what_a_file_holds_is_moved_there(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on the page: another machine puts the hotel into the database, and this one has three holds in its file."""
    listed, moved, imported, asked = commands("sharing.md", url)
    with monkeypatch.context() as other:
        other.setenv("XDG_DATA_HOME", str(tmp_path / "other"))
        other.setenv("WAVEGRAPH_DATABASE", url)
        run(imported)
        assert "Garden" in run(asked)
    run(imported)
    for days, guest in (("1 to 3", "Dana Levi"), ("6 to 8", "Noa Katz"), ("13 to 15", "Mia Bar")):
        run(["ask", "--property", "beit-haerez", "--today", "2026-11-20", HELD.format(days, guest, guest[:3])])

    monkeypatch.setenv("WAVEGRAPH_DATABASE", url)
    (shown,) = blocks((ROOT / "docs" / "running" / "sharing.md").read_text(encoding="utf-8"), "console")
    assert f"$ wavegraph hotel list\n{run(listed)}$ wavegraph hotel import --move beit-haerez\n{run(moved)}" == shown
