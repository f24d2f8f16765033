"""A roster that was solved is printed, also where the disk does not take it."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from roster_wards import two
from typer.testing import CliRunner

from wavegraph.app.main import app
from wavegraph.app.roster.unsaved import LenientStore

AWAY = [{"nurse": "ben", "day": f"2026-11-{day}", "paid": False} for day in range(23, 31)]
AWAY += [{"nurse": "ben", "day": "2026-12-01", "paid": False}]
"""Leave that keeps Ben below the hours of his contract: no roster passes the empathy check."""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "200")
    return tmp_path


def generate(home: Path, *words: str, **changes: Any) -> Any:
    file = home / "two.json"
    file.write_text(json.dumps(two(demand__1__minimum=0, demand__1__target=0, **changes)), encoding="utf-8")
    given = ["roster", "generate", str(file), "--work-limit", "0.2", "--db", str(home / "test.db"), *words]
    return CliRunner().invoke(app, given)


def blocked(home: Path, *names: str) -> None:
    """Files in the place of folders: nothing can be written below them, whoever writes."""
    for name in names:
        place = home / "wavegraph" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text("")


KINDS = ("made", "wards", "grounds", "remarks", "running", "columns", "stops")


@pytest.mark.parametrize(
    "names", [["rosters/made"], [f"rosters/{kind}" for kind in KINDS], ["rosters"]], ids=["rosters", "each kind", "all"]
)
def test_it_is_printed_and_the_file_named(names: list[str], home: Path) -> None:
    blocked(home, *names)
    done = generate(home, "--out", str(home / "out"))

    assert done.exit_code == 1
    assert done.stdout.splitlines()[-2].startswith("ann Ann ")
    assert "passes every check" in done.stdout
    assert f"wavegraph: the roster is not kept: cannot write {home}/wavegraph/rosters" in done.stderr
    assert (home / "out" / "two-2026-11-23.csv").exists()
    assert "Traceback" not in done.stderr


def test_json_has_it_too(home: Path) -> None:
    blocked(home, "rosters/made")
    done = generate(home, "--json")

    assert done.exit_code == 1
    assert set(json.loads(done.stdout)["roster"]) == {"ann", "ben"}


def test_nothing_is_published_that_is_not_kept(home: Path) -> None:
    blocked(home, "rosters/decided", "rosters/made")
    done = generate(home, "--decide", "approve", leave=AWAY)

    assert done.exit_code == 1
    assert "Published" not in done.stdout
    assert done.stdout.splitlines()[-2].startswith("ann Ann ")


def test_no_line_promises_a_decision_about_what_is_not_kept(home: Path) -> None:
    blocked(home, "rosters/made")
    done = generate(home, leave=AWAY)

    assert "wavegraph approvals" not in done.stderr
    assert "the roster is not kept" in done.stderr


FULL = """
CREATE TRIGGER full BEFORE INSERT ON writes
WHEN (SELECT count(*) FROM writes WHERE channel = 'ledger' AND thread_id = NEW.thread_id) >= 6
BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END
"""
"""The plan and five results are kept; the sixth is the roster."""


def test_it_is_printed_where_the_conversation_cannot_be_kept(home: Path) -> None:
    """The database takes everything until the roster is solved."""
    CliRunner().invoke(app, ["ask", "hello", "--domain", "roster", "--planner", "rules", "--db", str(home / "test.db")])
    with closing(sqlite3.connect(home / "test.db")) as database:
        database.execute(FULL)
        database.commit()
    done = generate(home)

    assert done.exit_code != 0
    assert done.stdout.startswith("Roster ")
    assert done.stdout.splitlines()[-2].startswith("ann Ann ")
    assert "disk is full" in done.stderr


def test_a_store_that_writes_forgets_nothing(tmp_path: Path) -> None:
    store = LenientStore(tmp_path)
    store.ask_to_stop("t")
    assert (store.take_stop("t"), store.take_stop("t")) == (True, False)
    assert store.unsaved == {}


def test_a_stop_is_heard_where_it_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "rosters").write_text("")
    store = LenientStore(tmp_path)
    store.ask_to_stop("t")
    assert (store.take_stop("t"), store.take_stop("t")) == (True, False)
