"""What a request leaves in checkpoints: ids, summaries and bounded findings, however large the ward."""

import json
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from roster_loop import Desk
from runs import wait

from wavegraph.app.storage.open import open_storage
from wavegraph.tools.roster.loop import round_checks
from wavegraph.tools.roster.loop.round_checks import MOST_ISSUES

pytestmark = pytest.mark.xdist_group("state size")  # one worker makes the rosters for all

MOST_FILE_BYTES = 1_000_000
"""Of the SQLite file, for a hundred nurses for four weeks who all fail in three rounds; 240 kB were measured."""
MOST_STATE_BYTES = 120_000
"""Of the last state, as JSON; 65 kB were measured."""


@dataclass
class Left:
    """What the request on the ward of a hundred has left."""

    rounds: list[dict[str, Any]]
    state: str
    checkpoints: str
    """All of the thread while the manager is asked, as JSON."""
    rows: list[str]
    """Nurses' rows of the rosters that were made, as JSON has them."""
    file_bytes: int


async def failed_three_times(folder: Path) -> Left:
    async with open_storage(str(folder / "threads.db")) as storage:
        desk = Desk(folder, checkpointer=storage.checkpointer)
        asked = await desk.ask("hundred", time_limit_s=900)  # every cell is settled: the search has nothing to find
        assert asked.outcome == "awaiting_approval"
        config: Any = {"configurable": {"thread_id": desk.thread}}
        checkpoints = [[each.checkpoint, each.pending_writes] async for each in storage.checkpointer.alist(config)]
        await desk.go_on("draft")
        state = await desk.state()
    with sqlite3.connect(folder / "threads.db") as file:
        file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    made = [json.loads(path.read_text()) for path in (folder / "rosters" / "made").glob("*.json")]
    rows = [json.dumps(row) for each in made for row in each["roster"].values()]
    size = (folder / "threads.db").stat().st_size
    return Left(desk.rounds, json.dumps(state, default=str), json.dumps(checkpoints, default=str), rows, size)


@pytest.fixture(scope="module")
def left(tmp_path_factory: pytest.TempPathFactory) -> Left:
    found: list[Left] = []

    async def look() -> None:
        found.append(await failed_three_times(tmp_path_factory.mktemp("hundred")))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(round_checks, "PROOF_S", 0)  # every cell is settled: with time it would be proven
        wait(look())
    return found[0]


def test_all_that_fails_is_raised_also_what_is_not_told_one_by_one(left: Left) -> None:
    assert [each["failed"] for each in left.rounds] == [["underutilization", "night_concentration"]] * 3
    assert [each["penalty_multipliers"] for each in left.rounds] == [
        {},
        {"night_excess": 1.5, "underutilization": 1.5},
        {"night_excess": 2.25, "underutilization": 2.25},
    ]


def test_findings_are_bounded_and_the_rest_is_counted(left: Left) -> None:
    assert {len(each["issues"]) for each in left.rounds} == {MOST_ISSUES + 1}
    assert {each["issues"][-1]["detail"] for each in left.rounds} == {
        "and 88 more of: night_concentration, underutilization"
    }


def test_the_bytes_that_are_kept_are_bounded(left: Left) -> None:
    assert left.file_bytes < MOST_FILE_BYTES
    assert len(left.state) < MOST_STATE_BYTES


def test_no_roster_and_no_ward_is_in_any_checkpoint(left: Left) -> None:
    assert len(left.rows) >= 100
    assert not [row for row in left.rows if row in left.checkpoints]
    assert not [
        field for field in ("under_weight", "min_run", "per_days", "not_followed_by") if field in left.checkpoints
    ]
