"""A roster before one that is published: made, repaired, changed in the conversation and published, over the real graph and
database."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest
from agreeing import as_asked
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph.state import CompiledStateGraph

from wavegraph import Result, build_graph, resume, run
from wavegraph.app.roster.versions import Order, decide, preview_publication
from wavegraph.app.storage.open import open_storage
from wavegraph.graph.errors import ToolRefusal
from wavegraph.tools.roster.domain import roster_domain
from wavegraph.tools.roster.store import RosterStore, StoredRoster
from wavegraph.tools.roster.versions.log import VersionStore
from wavegraph.tools.roster.ward.fairness_limits import ALLOWED
from wavegraph.tools.roster.ward.ward import Roster, Ward

FIRST, SUNDAY, NEXT = "2026-11-30", "2026-12-06", "2026-12-07"
MINI: dict[str, Any] = {
    "name": "Mini",
    "start": FIRST,
    "days": 7,
    "shifts": [
        {"id": "E", "start": "07:00", "minutes": 480},
        {"id": "N", "start": "23:00", "minutes": 480, "night": True},
    ],
    "nurses": [{"id": name, "name": name.title()} for name in ("ann", "bob", "cid")],
    "demand": [{"day": SUNDAY, "shift": "N", "minimum": 1, "target": 1}],
    "wishes": [{"nurse": name, "day": SUNDAY, "wants": False, "weight": 50} for name in ("ann", "cid")],
    "fairness": {"allowed": dict.fromkeys(ALLOWED)},
}
"""Bob is the cheapest for the night of Sunday, but for what comes after it."""
OFF: list[str | None] = [None] * 7
THEN: Roster = {"ann": OFF, "bob": ["E", *OFF[1:]], "cid": OFF}
ANN_AT_NIGHT: Roster = {"ann": [*OFF[1:], "N"], "bob": OFF, "cid": OFF}
BOB_AT_NIGHT: Roster = {"ann": OFF, "bob": [*OFF[1:], "N"], "cid": OFF}
SETTINGS = {"planner": "rules", "ward": "mini", "work_limit": 0.1, "time_limit_s": 900, "today": "2026-12-01"}
SHORT = "bob Bob has 0 h between N of 2026-12-06 and E of 2026-12-07, 11 h needed; V"
T = TypeVar("T")


class Mini:
    """The ward's graph, with its database open."""

    def __init__(self, graph: CompiledStateGraph[Any, Any, Any, Any], versions: VersionStore) -> None:
        self.graph, self.versions, self.store = graph, versions, versions.kept

    def keep(self, roster: Roster, **ward: Any) -> str:
        ward_hash = self.store.keep_ward(Ward.model_validate(MINI | {"wishes": []} | ward))
        return self.store.keep_roster(StoredRoster(ward_hash=ward_hash, roster=roster))

    async def publish(self, roster: Roster, **ward: Any) -> str:
        await self.versions.decide("publish", roster_id := self.keep(roster, **ward))
        return roster_id

    async def publish_the_next(self, roster: Roster = THEN) -> str:
        return await self.publish(roster, start=NEXT, demand=[])

    async def made(self, **settings: Any) -> tuple[Result, Roster]:
        given = {**SETTINGS, "ordered": True, "start": FIRST, "days": 7, **settings}
        return self._with_roster(await run(self.graph, "make the roster", thread_id="t", settings=given))

    async def told(self, text: str, reply: str = "yes") -> tuple[Result, Roster]:
        asked = await run(self.graph, text, thread_id="t", settings=SETTINGS)
        return self._with_roster(
            await resume(self.graph, "t", reply=await as_asked(self.graph, reply), settings=SETTINGS)
            if asked.question
            else asked
        )

    def _with_roster(self, result: Result) -> tuple[Result, Roster]:
        data = result.results["get_report"]["data"]
        return result, self.store.stored_roster(data["roster_id"]).roster


def mini(folder: Path, work: Callable[[Mini], Awaitable[T]], **ward: Any) -> T:
    (folder / "mini.json").write_text(json.dumps(MINI | ward), encoding="utf-8")
    domain = roster_domain(folder, wards={"mini": folder / "mini.json"})

    async def opened() -> T:
        async with open_storage(str(folder / "w.db")) as storage:
            graph = build_graph(domain).compile(checkpointer=InMemorySaver(), store=storage.store)
            return await work(Mini(graph, VersionStore(storage.store, RosterStore(folder))))

    return asyncio.run(opened())


def on_sunday(roster: Roster) -> list[str]:
    return [name for name, row in roster.items() if row[-1] == "N"]


@pytest.mark.parametrize("is_published", [False, True])
def test_a_roster_before_a_published_one_keeps_the_rest_over_its_end(tmp_path: Path, is_published: bool) -> None:
    async def work(mini: Mini) -> tuple[Result, Roster]:
        if is_published:
            await mini.publish_the_next()
        return await mini.made()

    result, roster = mini(tmp_path, work)

    assert (on_sunday(roster) == ["bob"]) is not is_published
    assert "passes every check" in result.answer
    assert ("V1, which is published, comes after it from Monday 2026-12-07 on" in result.answer) is is_published


def test_a_repair_and_a_sick_call_keep_it_too(tmp_path: Path) -> None:
    async def work(mini: Mini) -> list[Roster]:
        before = await mini.publish(ANN_AT_NIGHT)
        await mini.publish_the_next()
        repaired = await mini.made(repair=before)
        sick = await mini.told("Ann is off sick on the 6th")
        return [repaired[1], sick[1]]

    leave = [{"nurse": "ann", "day": SUNDAY}]
    repaired, _ = mini(tmp_path, work, leave=leave)
    (tmp_path / "sick").mkdir()
    _, sick = mini(tmp_path / "sick", work)
    assert [on_sunday(each) for each in (repaired, sick)] == [["cid"], ["cid"]]


def test_where_nobody_is_left_the_shift_stays_open_and_it_is_told_why(tmp_path: Path) -> None:
    async def work(mini: Mini) -> tuple[Result, Roster]:
        await mini.publish(ANN_AT_NIGHT)
        await mini.publish_the_next({**THEN, "cid": ["E", *OFF[1:]]})
        return await mini.told("Ann is off sick on the 6th")

    result, roster = mini(tmp_path, work)
    assert on_sunday(roster) == []
    assert "passes every check" not in result.answer
    assert "No roster keeps minimum 1 for N on" in result.answer
    assert "daily rest for Bob" in result.answer or "rest after nights for Bob" in result.answer


def test_what_is_settled_against_it_is_made_and_named(tmp_path: Path) -> None:
    async def work(mini: Mini) -> tuple[Result, Roster]:
        await mini.publish_the_next({**THEN, "cid": ["E", *OFF[1:]]})
        return await mini.made()

    locked = [{"nurse": "bob", "day": SUNDAY, "shift": "N"}]
    demand = [{"day": SUNDAY, "shift": "N", "minimum": 1, "target": 2}]
    result, roster = mini(tmp_path, work, locked=locked, demand=demand)

    assert on_sunday(roster) == ["ann", "bob"]  # cid is kept from it all the same
    assert "passes every check" not in result.answer
    assert "Bob has 0 h between N of Sunday 2026-12-06 and E of Monday 2026-12-07, 11 h needed; V" in result.answer


def test_publishing_looks_at_what_is_published_then(tmp_path: Path) -> None:
    async def work(mini: Mini) -> tuple[list[list[str]], str]:
        made_before = mini.keep(BOB_AT_NIGHT)
        first = await preview_publication(made_before, mini.versions)
        then = await mini.publish_the_next()
        now = await preview_publication(made_before, mini.versions)
        with pytest.raises(ToolRefusal) as refused:
            await decide("publish", Order(roster_id=made_before, by="", reason=""), mini.versions)
        await mini.versions.decide("discard", then)
        last = await preview_publication(made_before, mini.versions)
        return [each["problems"] for each in (first, now, last)], refused.value.message

    (first, now, last), refused = mini(tmp_path, work)
    assert (first, last) == ([], [])
    assert [each for each in now if each.startswith(SHORT)] == [f"{SHORT}1, which is published, begins on 2026-12-07"]
    assert SHORT in refused


def test_publishing_looks_at_what_is_published_before_it_then(tmp_path: Path) -> None:
    async def work(mini: Mini) -> list[list[str]]:
        made_first = mini.keep(THEN, start=NEXT, demand=[])
        first = await preview_publication(made_first, mini.versions)
        await mini.publish(BOB_AT_NIGHT)
        return [each["problems"] for each in (first, await preview_publication(made_first, mini.versions))]

    first, now = mini(tmp_path, work)
    assert first == []
    assert "bob Bob has 0 h between N of 2026-12-06 and E of 2026-12-07, 11 h needed" in now


def test_a_yes_in_the_conversation_is_asked_with_what_is_broken_now(tmp_path: Path) -> None:
    async def work(mini: Mini) -> Result:
        await mini.made()
        await mini.publish_the_next()
        return await run(mini.graph, "publish it", thread_id="t", settings=SETTINGS)

    assert "0 h between N of" in mini(tmp_path, work).answer
