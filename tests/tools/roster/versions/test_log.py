"""The versions of a ward in a database: kept whole, by one after another, on any machine."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from langgraph.store.base import BaseStore, Op
from langgraph.store.base import Result as StoreResult
from langgraph.store.memory import InMemoryStore
from roster_wards import ROWS, rows, ward_of_two

from wavegraph.app.storage.open import open_storage
from wavegraph.graph.errors import ToolRefusal
from wavegraph.tools.roster.records import Round
from wavegraph.tools.roster.store import PublicationDecision, RosterStore, StoredRoster
from wavegraph.tools.roster.versions.decisions import published_of
from wavegraph.tools.roster.versions.log import Called, VersionStore, put_new
from wavegraph.tools.roster.ward.ward import Published, Ward

TWO = Called("Two")
OTHER = {"ann": "LLLLL--EEEEE--", "ben": "EEEEE--LLLLL--"}
THIRD = {"ann": "LLLLL--LLLLL--", "ben": "EEEEE--EEEEE--"}
ROUND = Round(
    iteration=1, status="passed", issues=[], penalty_multipliers={}, roster_id=None, solver="optimal", breaches=0,
    failed=[], cost=0, bound=0, seconds=1,
)  # fmt: skip
Opened = Callable[..., Any]


@pytest.fixture
def kept(tmp_path: Path) -> RosterStore:
    return RosterStore(tmp_path / "here")


@pytest.fixture(params=["sqlite", "postgres", "another store"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Opened:
    """Opens the same database again and again, as processes do."""
    if request.param == "another store":
        memory = InMemoryStore()

        @asynccontextmanager
        async def opened(kept: RosterStore) -> AsyncIterator[VersionStore]:
            yield VersionStore(memory, kept)

        return opened
    name = (
        str(tmp_path / "w.db")
        if request.param == "sqlite"
        else request.getfixturevalue("postgres").fresh(f"versions_{tmp_path.name}")
    )

    @asynccontextmanager
    async def in_database(kept: RosterStore) -> AsyncIterator[VersionStore]:
        async with open_storage(name) as storage:
            yield VersionStore(storage.store, kept)

    return in_database


def keep(kept: RosterStore, ward: Ward | None = None, **cells: str) -> str:
    ward_hash = kept.keep_ward(ward or ward_of_two())
    return kept.keep_roster(StoredRoster(ward_hash=ward_hash, roster=rows(**(cells or ROWS))))


def test_a_version_is_whole_on_another_machine(database: Opened, kept: RosterStore, tmp_path: Path) -> None:
    roster_id = keep(kept)
    kept.keep_rounds(roster_id, [ROUND])
    elsewhere = RosterStore(tmp_path / "elsewhere")

    async def work() -> None:
        async with database(kept) as versions:
            made = await versions.decide("publish", roster_id, by="ana", reason="agreed with the team")
            assert (made.number, made.status, made.start) == (1, "published", date(2026, 11, 23))
        async with database(elsewhere) as versions:
            ward, stored = await versions.made(roster_id)
            [version] = await versions.versions(ward)
            assert (ward, stored.roster) == (ward_of_two(), rows(**ROWS))
            assert await versions.rounds(roster_id) == [ROUND]
            assert (version.decided.by, version.decided.reason) == ("ana", "agreed with the team")

    asyncio.run(work())
    assert elsewhere.stored_roster(roster_id).roster == rows(**ROWS)


def test_of_two_who_publish_at_once_the_second_is_told(database: Opened, kept: RosterStore) -> None:
    ids = [keep(kept), keep(kept, **OTHER)]

    async def publish(roster_id: str) -> str:
        async with database(kept) as versions:
            try:
                return (await versions.decide("publish", roster_id)).roster_id
            except ToolRefusal as refusal:
                return f"{refusal.code}: {refusal.message}"

    async def work() -> tuple[list[str], list[str]]:
        told = await asyncio.gather(*map(publish, ids))
        async with database(kept) as versions:
            return told, [each.roster_id for each in published_of(await versions.versions(TWO))]

    told, published = asyncio.run(work())
    [winner] = published
    [loser] = [each for each in told if each not in ids]
    assert winner in told
    assert loser.startswith(f"conflict: V1 ({winner}")
    assert "was not made from it" in loser


def test_decisions_about_other_days_do_not_stand_in_the_way(database: Opened, kept: RosterStore) -> None:
    later = ward_of_two(start="2026-12-07", demand=[])
    ids = [keep(kept), keep(kept, later)]

    async def publish(roster_id: str) -> str:
        async with database(kept) as versions:
            return (await versions.decide("publish", roster_id)).status

    async def work() -> list[str]:
        return await asyncio.gather(*map(publish, ids))

    assert asyncio.run(work()) == ["published", "published"]


def decided(kept: RosterStore, work: Callable[[VersionStore], Awaitable[Any]]) -> Any:
    """In memory."""

    async def opened() -> Any:
        return await work(VersionStore(InMemoryStore(), kept))

    return asyncio.run(opened())


def refused(code: str, kept: RosterStore, work: Callable[[VersionStore], Awaitable[Any]]) -> str:
    with pytest.raises(ToolRefusal) as error:
        decided(kept, work)
    assert error.value.code == code
    return str(error.value.message)


def test_a_repair_takes_the_place_of_the_roster_it_repairs_and_of_no_other(kept: RosterStore) -> None:
    first, second = keep(kept), keep(kept, **OTHER)
    repairing = ward_of_two().model_copy(update={"published": Published(roster=rows(**ROWS))})
    repaired = keep(kept, repairing, **THIRD)

    async def repairs_what_is_published(versions: VersionStore) -> list[str]:
        await versions.decide("publish", first)
        await versions.decide("publish", repaired)
        return [each.status for each in await versions.versions(TWO)]

    async def repairs_an_earlier_one(versions: VersionStore) -> None:
        await versions.decide("publish", first)
        await versions.decide("publish", second, replaces=first, by="ana")
        await versions.decide("publish", repaired)

    assert decided(kept, repairs_what_is_published) == ["replaced", "published"]
    told = refused("conflict", kept, repairs_an_earlier_one)
    assert f"V2 ({second}, 2026-11-23 to 2026-12-06) was published by ana" in told


def test_publishing_twice_is_one_decision(kept: RosterStore) -> None:
    roster_id = keep(kept)

    async def twice(versions: VersionStore) -> int:
        await versions.decide("publish", roster_id)
        await versions.decide("publish", roster_id, by="ben")
        return len(await versions.decisions(TWO))

    assert decided(kept, twice) == 1


def test_days_that_are_published_already_are_not_published_in_another_period(kept: RosterStore) -> None:
    first, second = keep(kept), keep(kept, ward_of_two(start="2026-11-30", demand=[]))

    async def both(versions: VersionStore) -> None:
        await versions.decide("publish", first)
        await versions.decide("publish", second)

    assert "V1" in refused("overlaps", kept, both)


def test_a_ward_of_the_same_name_is_another_one_if_no_nurse_is_the_same(kept: RosterStore) -> None:
    others = ward_of_two(nurses=[{"id": "zoe", "skills": ["charge", "pediatric"]}], start="2026-12-07", demand=[])
    first, second = keep(kept), keep(kept, others, zoe="EEEEE--EEEEE--")
    with_id = keep(kept, others.model_copy(update={"id": "north"}), zoe="EEEEE--EEEEE--")

    async def both(versions: VersionStore) -> None:
        await versions.decide("publish", first)
        await versions.decide("publish", second)

    async def apart(versions: VersionStore) -> list[int]:
        await versions.decide("publish", first)
        return [(await versions.decide("publish", with_id)).number]

    assert "`id`" in refused("other_ward", kept, both)
    assert decided(kept, apart) == [1]


def test_undo_takes_back_one_decision_after_another(kept: RosterStore) -> None:
    first, second = keep(kept), keep(kept, **OTHER)

    async def work(versions: VersionStore) -> list[list[str]]:
        await versions.decide("publish", first)
        await versions.decide("publish", second, replaces=first)
        seen: list[list[str]] = []
        for _ in range(2):
            await versions.undo(TWO)
            seen.append([each.status for each in await versions.versions(TWO)])
        await versions.decide("publish", second)
        return [*seen, [each.status for each in await versions.versions(TWO)]]

    assert decided(kept, work) == [["published", "undone"], ["undone", "undone"], ["undone", "published"]]
    refused("nothing_to_undo", kept, lambda versions: versions.undo(TWO))


def test_what_was_killed_before_it_was_decided_is_not_decided(kept: RosterStore) -> None:
    roster_id = keep(kept)

    async def work(versions: VersionStore) -> list[int]:
        ward, stored = await versions.made(roster_id)
        await versions._keep_content(ward, roster_id, stored)
        before = await versions.decisions(ward)
        await versions.decide("publish", roster_id)
        return [len(before), len(await versions.decisions(ward))]

    assert decided(kept, work) == [0, 1]


@pytest.mark.parametrize("killed_before_it_was_noted", [False, True])
def test_decisions_in_files_of_an_earlier_version_are_taken_over_once(
    kept: RosterStore, killed_before_it_was_noted: bool
) -> None:
    first, second = keep(kept), keep(kept, **OTHER)
    kept.decide(PublicationDecision(roster_id=first, as_draft=False))
    kept.decide(PublicationDecision(roster_id=second, as_draft=True))
    kept.decide(PublicationDecision(roster_id="0" * 16, as_draft=True))  # its roster is gone
    memory = InMemoryStore()

    async def work() -> list[tuple[str, str]]:
        versions = VersionStore(memory, kept)
        await versions.versions(TWO)
        if killed_before_it_was_noted:
            await memory.adelete(("rosters", "moved"), first)
        await versions.versions(TWO)
        await versions.decide("discard", second)
        return [(each.action, each.roster_id) for each in await versions.decisions(TWO)]

    found = asyncio.run(work())
    assert sorted(found[:2]) == sorted([("publish", first), ("draft", second)])
    assert found[2:] == [("discard", second)]


class DownAtFirst(RosterStore):
    """Its database cannot be reached when the first roster is looked for."""

    was_down = False

    def stored_roster(self, roster_id: str) -> StoredRoster:
        if not self.was_down:
            self.was_down = True
            raise ToolRefusal("timeout", "the rosters' database cannot be reached; try it again", retryable=True)
        return super().stored_roster(roster_id)


def test_a_decision_whose_roster_cannot_be_reached_is_taken_over_later(tmp_path: Path) -> None:
    kept = DownAtFirst(tmp_path)
    roster_id = keep(kept)
    kept.decide(PublicationDecision(roster_id=roster_id, as_draft=False))

    async def work(versions: VersionStore) -> list[str]:
        with pytest.raises(ToolRefusal, match="cannot be reached"):
            await versions.decisions(TWO)
        return [each.roster_id for each in await versions.decisions(TWO)]

    assert decided(kept, work) == [roster_id]


def test_of_many_who_put_one_key_one_succeeds(tmp_path: Path) -> None:
    async def work() -> list[bool]:
        async with open_storage(str(tmp_path / "w.db")) as one, open_storage(str(tmp_path / "w.db")) as other:
            put = [put_new(each.store, ("a", "b"), "1", {"n": n}) for n, each in enumerate([one, other] * 5)]
            return await asyncio.gather(*put)

    assert sum(asyncio.run(work())) == 1


class View(BaseStore):
    """One of several objects for one store, each call of which takes a moment."""

    def __init__(self, of: BaseStore) -> None:
        self._of = of

    def batch(self, ops: Iterable[Op]) -> list[StoreResult]:
        raise NotImplementedError

    async def abatch(self, ops: Iterable[Op]) -> list[StoreResult]:
        await asyncio.sleep(0)
        return await self._of.abatch(ops)


def test_of_many_who_put_one_key_through_objects_of_their_own_one_succeeds() -> None:
    store = InMemoryStore()

    async def work() -> list[bool]:
        return await asyncio.gather(*(put_new(View(store), ("a", "b"), "1", {"n": n}) for n in range(5)))

    assert sorted(asyncio.run(work())) == [False] * 4 + [True]
