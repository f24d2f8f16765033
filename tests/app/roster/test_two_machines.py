"""The roster commands on machines that share a PostgreSQL database and no data folder."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from roster_wards import ROWS, rows, two, ward_of_two
from typer.testing import CliRunner

from wavegraph.app.main import app
from wavegraph.app.roster.erase import guest_data
from wavegraph.app.roster.unsaved import LenientStore
from wavegraph.tools.roster.store import RosterStore, StoredRoster

Shell = Callable[..., Any]


@pytest.fixture
def shell(tmp_path: Path, rosters_database: str, monkeypatch: pytest.MonkeyPatch) -> Shell:
    """Runs a command on a machine, named first; its output as JSON."""
    monkeypatch.setenv("COLUMNS", "200")
    (tmp_path / "two.json").write_text(json.dumps(two(demand__1__minimum=0, demand__1__target=0)), encoding="utf-8")

    def on(machine: str, *words: str) -> Any:
        monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / machine))
        done = CliRunner().invoke(app, [*words, "--db", rosters_database, "--json"])
        assert done.exit_code == 0, done.output
        return json.loads(done.stdout)

    return on


def test_a_roster_is_shown_published_and_repaired_elsewhere(shell: Shell, tmp_path: Path) -> None:
    ward = str(tmp_path / "two.json")
    made = shell("a", "roster", "generate", ward, "--work-limit", "0.2")
    roster_id = made["roster_id"]

    shown = shell("b", "roster", "show", roster_id)
    published = shell("c", "roster", "publish", roster_id, "--with-problems")
    repaired = shell("d", "roster", "generate", ward, "--repair", roster_id, "--work-limit", "0.2")

    assert (shown["roster"], shown["decision"], len(shown["rounds"])) == (made["roster"], None, len(made["rounds"]))
    assert (published["roster_id"], published["status"]) == (roster_id, "published")
    assert repaired["roster"].keys() == made["roster"].keys()
    assert list(tmp_path.rglob("rosters")) == []


async def test_a_request_to_stop_is_erased_from_another_machine(
    rosters_database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "there"))
    RosterStore(tmp_path, rosters_database).ask_to_stop("t")
    kept = guest_data(rosters_database)

    found = await kept.find({"t": [], "u": []}, None)
    await kept.erase(found)

    assert [item.what for item in found] == ["a request to stop thread t"]
    assert not RosterStore(tmp_path, rosters_database).is_asked_to_stop("t")


def test_a_roster_is_there_for_one_command_where_the_database_is_down(tmp_path: Path) -> None:
    down = LenientStore(tmp_path, "postgresql://desk:Zq7%40secret@127.0.0.1:1/rosters")
    name = down.keep_ward(ward_of_two())
    roster_id = down.keep_roster(StoredRoster(ward_hash=name, roster=rows(**ROWS)))
    down.keep_remarks("grounds", roster_id, "empathy", ["because"])
    down.keep_rounds(roster_id, [])
    down.keep_best("solve", rows(**ROWS))
    down.drop_running("solve")
    down.ask_to_stop("t")

    assert down.stored_roster(roster_id).roster == rows(**ROWS)
    assert down.report(roster_id).passed
    assert (down.remarks("grounds", roster_id), down.rounds(roster_id)) == (["because"], [])
    assert [down.take_stop("t") for _ in range(2)] == [True, False]
    assert down.unsaved == {"it to the database": "the rosters' database cannot be reached; try it again"}
