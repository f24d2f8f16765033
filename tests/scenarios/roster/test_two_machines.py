"""One roster on two machines that share a PostgreSQL database and no folder: made here, decided, repaired and stopped there."""

import asyncio
from pathlib import Path
from typing import Any

from roster_loop import Desk

from wavegraph.app.storage.database import Storage
from wavegraph.app.storage.open import open_storage
from wavegraph.tools.roster.store import RosterStore
from wavegraph.tools.roster.versions.log import VersionStore


def desk(folder: Path, storage: Storage, database: str) -> Desk:
    return Desk(folder, checkpointer=storage.checkpointer, versions=storage.store, database=database)


async def test_what_one_machine_made_another_publishes_and_repairs(rosters_database: str, tmp_path: Path) -> None:
    async with open_storage(rosters_database) as storage:
        asked = await desk(tmp_path / "a", storage, rosters_database).ask("never")
    assert asked.outcome == "awaiting_approval"

    async with open_storage(rosters_database) as storage:
        there = desk(tmp_path / "b", storage, rosters_database)
        ended = await there.go_on("yes")
        published = ended.results["publish_roster"]["data"]["roster_id"]
        there.thread = "another"
        repaired = await there.ask("fair", repair=published)

    async with open_storage(rosters_database) as storage:
        kept = RosterStore(tmp_path / "c", rosters_database)
        ward, stored, log = await VersionStore(storage.store, kept).find(published)

    assert ended.outcome in ("answered", "partial")
    assert ended.results["generate_roster"]["data"] == asked.results["generate_roster"]["data"]
    assert [(each.action, each.roster_id) for each in log] == [("publish", published)]
    assert (set(stored.roster), len(kept.rounds(published))) == ({"ann", "ben"}, 3)
    assert not kept.report(published).passed
    made: Any = repaired.results["generate_roster"]["data"]
    assert kept.ward(made["ward_hash"]).published
    assert [path.name for path in tmp_path.rglob("rosters")] == []
    assert ward.name == "Night"


async def test_a_stop_that_is_asked_for_elsewhere_ends_the_solve(rosters_database: str, tmp_path: Path) -> None:
    async with open_storage(rosters_database) as storage:
        here = desk(tmp_path / "a", storage, rosters_database)
        work = asyncio.ensure_future(here.ask("harbour", time_limit_s=600, max_adaptations=0))
        while not here.told("tool_progress"):
            await asyncio.sleep(0.02)
        await asyncio.to_thread(RosterStore(tmp_path / "b", rosters_database).ask_to_stop, here.thread)
        ended = await work

    assert ended.results["generate_roster"]["status"] == "partial"
    assert here.rounds[0]["solver"] == "stopped"
    assert RosterStore(tmp_path / "b", rosters_database).holds(here.rounds[0]["roster_id"])
