"""Three rosters, each after the one before it, over the real graph and database; checked over the joined time."""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from wavegraph import Result, build_graph, run
from wavegraph.app.storage.open import open_storage
from wavegraph.tools.roster.checks.compliance import check_compliance
from wavegraph.tools.roster.domain import roster_domain
from wavegraph.tools.roster.store import RosterStore
from wavegraph.tools.roster.versions.log import VersionStore
from wavegraph.tools.roster.ward.fairness_limits import ALLOWED
from wavegraph.tools.roster.ward.ward import Contract, Roster, Ward

STARTS = ("2026-12-06", "2026-12-20", "2027-01-03")
"""Sundays: every boundary splits a weekend, and one is the end of the year."""
EVERY_DAY = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
LITTLE: dict[str, Any] = {
    "name": "Little",
    "start": STARTS[0],
    "days": 14,
    "shifts": [
        {"id": "E", "start": "07:00", "minutes": 480},
        {"id": "L", "start": "15:00", "minutes": 480},
        {"id": "N", "start": "23:00", "minutes": 480, "night": True},
    ],
    "nurses": [
        {"id": name, "name": name.title(), "contract": {"per_days": 14, "target_minutes": minutes}}
        for name, minutes in (("ann", 4800), ("ben", 4800), ("cid", 4800), ("dot", 2880), ("eve", 2880))
    ],
    "demand": [{"weekdays": EVERY_DAY, "shift": shift, "target": 1} for shift in "ELN"],
    "fairness": {"allowed": dict.fromkeys(ALLOWED)},  # any roster that keeps the rules passes: one round
}
SETTINGS = {"planner": "rules", "ward": "little", "ordered": True, "work_limit": 0.1, "time_limit_s": 900}


def made_one_after_another(
    folder: Path, starts: Sequence[str] = STARTS, **settings: Any
) -> tuple[list[tuple[Ward, Roster]], list[Result]]:
    """Make and publish a roster from each day; each with its ward, and the results."""
    (folder / "little.json").write_text(json.dumps(LITTLE), encoding="utf-8")
    store = RosterStore(folder)
    domain = roster_domain(folder, wards={"little": folder / "little.json"})

    async def work() -> tuple[list[tuple[Ward, Roster]], list[Result]]:
        made, results = [], []
        async with open_storage(str(folder / "w.db")) as storage:
            graph = build_graph(domain).compile(checkpointer=InMemorySaver(), store=storage.store)
            versions = VersionStore(storage.store, store)
            for start in starts:
                given = {**SETTINGS, **settings, "start": start, "days": 14}
                result = await run(graph, "make the roster", thread_id=start, settings=given)
                roster_id = result.results["get_report"]["data"]["roster_id"]
                await versions.decide("publish", roster_id)
                ward, stored = await versions.made(roster_id)
                made.append((ward, stored.roster))
                results.append(result)
        return made, results

    return asyncio.run(work())


def joined(made: list[tuple[Ward, Roster]]) -> tuple[Ward, Roster]:
    """All of it as one period, without the bounds of a contract, which are of one."""
    first = made[0][0]
    nurses = [nurse.model_copy(update={"contract": Contract()}) for nurse in first.nurses]
    demand = [row for ward, _ in made for row in ward.demand]
    ward = first.model_copy(update={"nurses": nurses, "demand": demand, "days": sum(ward.days for ward, _ in made)})
    return ward, {nurse.id: [cell for _, roster in made for cell in roster[nurse.id]] for nurse in nurses}


def test_three_rosters_in_a_row_keep_every_rule_over_the_joined_time(tmp_path: Path) -> None:
    made, results = made_one_after_another(tmp_path)
    answers = [result.answer for result in results]
    last = made[2][0].nurse_by_id
    worked = {name: [cell for _, roster in made[:2] for cell in roster[name]] for name in last}

    assert check_compliance(*joined(made)).breaches == []
    assert "Nothing is known of the time before Sunday 2026-12-06" in answers[0]
    assert "It follows the 14 days before Sunday 2026-12-20 and the counts of 14 days." in answers[1]
    assert "It follows the 28 days before Sunday 2027-01-03 and the counts of 28 days." in answers[2]
    assert {name: nurse.history.tail for name, nurse in last.items()} == worked
    assert {name: nurse.history.nights for name, nurse in last.items()} == {
        name: cells.count("N") for name, cells in worked.items()
    }


def test_a_roster_follows_another_one_or_none_where_that_is_asked_for(tmp_path: Path) -> None:
    _, results = made_one_after_another(tmp_path, STARTS[:2], after="none")
    assert all("Nothing is known of the time before" in result.answer for result in results)


def test_a_missing_roster_is_not_followed(tmp_path: Path) -> None:
    with pytest.raises(KeyError):
        made_one_after_another(tmp_path, after="0" * 16)
