"""Wards, rosters, rounds and decisions as an earlier version stored them: they open, and are judged as they were then.

`tests/data/roster/kept` was written by that version and is never written again: `rosters` is a data folder, `log.json` what
lay in its database, `expected.json` its reports, costs by kind and versions.
"""

import asyncio
import json
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
from langgraph.store.memory import InMemoryStore
from roster_wards import DATA

from wavegraph.tools.roster.problem.instance import Instance
from wavegraph.tools.roster.problem.prices import Penalties, Prices
from wavegraph.tools.roster.problem.rules.account import cost_by_kind, labelled
from wavegraph.tools.roster.store import RosterStore
from wavegraph.tools.roster.versions.log import Called, VersionStore

KEPT = DATA / "kept"
EXPECTED = json.loads((KEPT / "expected.json").read_text(encoding="utf-8").replace("has 1 days off", "has 1 day off"))
"""In words of now where those of then were wrong."""
RAISED = {"night_excess": 1.5, "fatigue_high": 2}


@pytest.fixture
def store(tmp_path: Path) -> RosterStore:
    copytree(KEPT / "rosters", tmp_path / "rosters")
    return RosterStore(tmp_path)


@pytest.mark.parametrize("roster_id", EXPECTED["rosters"])
def test_a_roster_is_judged_as_it_was(store: RosterStore, roster_id: str) -> None:
    assert as_then(EXPECTED["rosters"][roster_id]["report"], store.report(roster_id).model_dump(mode="json"))


def as_then(then: Any, now: Any) -> bool:
    """Whether all that was said then is said now; records may have new fields."""
    if isinstance(then, dict):
        return then.keys() <= now.keys() and all(as_then(value, now[name]) for name, value in then.items())
    if isinstance(then, list):
        return len(then) == len(now) and all(map(as_then, then, now))
    return bool(then == now)


@pytest.mark.parametrize(("multipliers", "cost"), [({}, "cost"), (RAISED, "raised")], ids=["base", "raised"])
@pytest.mark.parametrize("roster_id", EXPECTED["rosters"])
def test_a_roster_costs_what_it_did(
    store: RosterStore, roster_id: str, multipliers: dict[str, float], cost: str
) -> None:
    stored = store.stored_roster(roster_id)
    instance, prices = Instance(store.ward(stored.ward_hash)), Prices.make(Penalties(), multipliers)
    found = cost_by_kind(instance, prices, labelled(instance, stored.roster))
    units = {kind: amount / prices.scale for kind, amount in found.items() if amount}
    assert units == EXPECTED["rosters"][roster_id][cost]


def test_a_ward_keeps_its_name_its_changes_and_its_rounds(store: RosterStore) -> None:
    first, second, third = (store.stored_roster(each) for each in EXPECTED["rosters"])
    assert first.ward_hash == second.ward_hash == store.name_of(store.ward(first.ward_hash))
    [change] = store.asked(third.ward_hash)
    assert (change.kind, change.nurse) == ("unavailable", "ben")
    assert store.name_of(store.ward(third.ward_hash), [change]) == third.ward_hash
    _, solved, _ = EXPECTED["rosters"]
    [made] = store.rounds(solved)
    assert (made.roster_id, made.penalty_multipliers) == (solved, {"night_excess": 1.5})
    assert [str(line) for line in store.remarks("remarks", solved)] == ["ann has little rest"]


def test_its_versions_stand_as_they_did(store: RosterStore, tmp_path: Path) -> None:
    """Also on a machine that has nothing but the database."""
    elsewhere = RosterStore(tmp_path / "elsewhere")

    async def versions(kept: RosterStore) -> list[list[object]]:
        memory = InMemoryStore()
        for item in json.loads((KEPT / "log.json").read_text(encoding="utf-8")):
            await memory.aput(tuple(item["place"]), item["key"], item["value"])
        found = VersionStore(memory, kept)
        told = await found.versions(Called("Kept"))
        assert [(await found.made(each.roster_id))[1].roster for each in told] == [
            store.stored_roster(each.roster_id).roster for each in told
        ]
        return [[each.number, each.roster_id, each.status, each.decided.by, each.decided.reason] for each in told]

    for kept in (store, elsewhere):
        assert asyncio.run(versions(kept)) == EXPECTED["versions"]


def test_a_decision_in_a_file_is_taken_over(store: RosterStore) -> None:
    [told] = asyncio.run(VersionStore(InMemoryStore(), store).versions(Called("Kept")))
    first, *_ = EXPECTED["rosters"]
    assert (told.roster_id, told.status, told.decided.moved) == (first, "draft", True)
