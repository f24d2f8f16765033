"""Swaps: yes with cost and who is worse off, no with each broken rule, and one that is published."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from roster_wards import ROWS, rows, ward_of_two
from stored_rosters import THREE, known

from wavegraph.app.storage.open import open_storage
from wavegraph.graph.errors import ToolRefusal
from wavegraph.tools.roster.advice.rosters import KnownRoster, known_roster, published_roster
from wavegraph.tools.roster.advice.swap import publish_swap, swap
from wavegraph.tools.roster.answers.phrases import in_english
from wavegraph.tools.roster.store import RosterStore, StoredRoster
from wavegraph.tools.roster.versions.log import Called, VersionStore

MONDAY, TUESDAY, SATURDAY = date(2026, 11, 23), date(2026, 11, 24), date(2026, 11, 28)
WEEK = [date(2026, 11, day) for day in range(23, 28)]
NONE: Mapping[str, Any] = {}


class Case(NamedTuple):
    id: str
    days: Sequence[date]
    breaks: list[str]
    cost: int
    ward: Mapping[str, Any] = NONE
    cells: Mapping[str, str] = NONE


NOBODY = {"demand": []}
CASES = [
    Case("a week of shifts", WEEK, [], 0, NOBODY),
    Case("one day of it, with too short a rest", [TUESDAY], ["daily_rest", "daily_rest"], 0, NOBODY),
    Case("both directions over two days", [MONDAY, TUESDAY], [], 0, NOBODY,
         {"ann": "E-EEE--EEEEE--", "ben": "-EEEE--EEEEE--"}),
    Case("a day off for a shift", [SATURDAY], [], 0, NOBODY, {"ben": "LLLLLL-LLLLL--"}),
    Case("a skill that the other lacks", WEEK, ["skill_mix"], 300),
    Case("a settled cell", WEEK, ["locked"], 0, {**NOBODY, "locked": [{"nurse": "ann", "day": "2026-11-24", "shift": "E"}]}),
    Case("leave of a shift", WEEK, ["leave"], 0, {**NOBODY, "leave": [{"nurse": "ben", "day": "2026-11-25", "shift": "E"}]}),
    Case("leave of a day", [SATURDAY], ["leave"], 0,
         {**NOBODY, "leave": [{"nurse": "ann", "day": "2026-11-28", "paid": False}]}, {"ben": "LLLLLL-LLLLL--"}),
    Case("a wish that is lost", WEEK, [], 5,
         {**NOBODY, "wishes": [{"nurse": "ann", "day": "2026-11-24", "shift": "E", "wants": True, "weight": 5}]}),
    Case("what was broken before is no reason", WEEK, [], 0, {**NOBODY, "rules__max_days_in_a_row": 4}),
    Case("the tail of one", WEEK, ["daily_rest"], 0, {**NOBODY, "nurses__1__history": {"tail": ["L"]}}),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_a_swap_is_judged(case: Case) -> None:
    found = swap(known(ward_of_two(**case.ward), **case.cells), "Ann", "ben", case.days)

    assert (found.may, [each.type for each in found.breaks], found.cost) == (not case.breaks, case.breaks, case.cost)
    assert {(cell.nurse, cell.day) for cell in found.cells} == {(n, day) for n in ("ann", "ben") for day in case.days}


def test_who_is_worse_off_and_why() -> None:
    wish = {"nurse": "ann", "day": "2026-11-24", "shift": "E", "wants": True, "weight": 5}
    found = swap(known(ward_of_two(demand=[], wishes=[wish])), "ann", "ben", WEEK)

    [worse] = found.worse_off
    assert (worse.name, worse.score_before - worse.score) == ("ann Ann", 30)
    assert in_english(worse.because) == [
        "wished to work E on Tuesday 2026-11-24", "Ann: wishes of weight 0 of 5 granted",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("first", "second", "days", "code"),
    [
        ("ann", "Ann", [TUESDAY], "same_nurse"),
        ("ann", "zoe", [TUESDAY], "unknown_nurse"),
        ("ann", "ben", [SATURDAY], "nothing_to_swap"),
        ("ann", "ben", [TUESDAY, date(2026, 12, 7)], "outside_period"),
    ],
)
def test_what_cannot_be_swapped_is_told(first: str, second: str, days: list[date], code: str) -> None:
    with pytest.raises(ToolRefusal) as refused:
        swap(known(), first, second, days)
    assert refused.value.code == code


# Published


Work = Callable[[VersionStore, RosterStore, KnownRoster], Awaitable[Any]]


def over_published(folder: Path, work: Work, ward: Mapping[str, Any] = NOBODY) -> Any:
    """Work over a database in which a roster of the ward of two is published."""

    async def opened() -> Any:
        kept = RosterStore(folder)
        async with open_storage(str(folder / "w.db")) as storage:
            versions = VersionStore(storage.store, kept)
            made = StoredRoster(ward_hash=kept.keep_ward(ward_of_two(**ward)), roster=rows(**ROWS))
            await versions.decide("publish", kept.keep_roster(made), by="ana")
            return await work(versions, kept, await published_roster([TUESDAY], versions))

    return asyncio.run(opened())


def test_a_swap_is_the_version_that_follows(tmp_path: Path) -> None:
    async def work(versions: VersionStore, kept: RosterStore, of: KnownRoster) -> None:
        made = await publish_swap(of, swap(of, "ann", "ben", WEEK), versions, kept, by="ben", reason="a course")
        now = await published_roster([TUESDAY], versions, Called("two"))

        assert (now.roster_id, made.version, made.replaces) == (made.roster_id, 2, of.roster_id)
        assert now.roster == rows(ann="LLLLL--EEEEE--", ben="EEEEE--LLLLL--")
        words = f"swap of ann Ann and ben Ben on {', '.join(map(str, WEEK))}: a course"
        assert now.version is not None
        assert (now.version.decided.by, now.version.decided.reason) == ("ben", words)
        report = kept.report(made.roster_id)
        assert report.changed_cells == 10
        assert {(each.kind, each.reason) for each in report.changes} == {("asked", words)}
        await versions.undo(Called("two"))
        assert (await published_roster([TUESDAY], versions)).roster_id == of.roster_id

    over_published(tmp_path, work)


def test_it_is_whole_on_another_machine(tmp_path: Path) -> None:
    async def work(versions: VersionStore, kept: RosterStore, of: KnownRoster) -> str:
        return (await publish_swap(of, swap(of, "ann", "ben", WEEK), versions, kept)).roster_id

    roster_id = over_published(tmp_path, work)

    async def elsewhere() -> None:
        kept = RosterStore(tmp_path / "elsewhere")
        async with open_storage(str(tmp_path / "w.db")) as storage:
            await known_roster(roster_id, VersionStore(storage.store, kept))
        assert {each.kind for each in kept.report(roster_id).changes} == {"asked"}

    asyncio.run(elsewhere())


def test_of_two_who_publish_at_once_one_is_told_of_the_other(tmp_path: Path) -> None:
    async def work(versions: VersionStore, kept: RosterStore, of: KnownRoster) -> list[Any]:
        found = {by: swap(of, "ann", "ben", days) for by, days in (("ana", WEEK), ("ben", WEEK[:3]))}
        made = [publish_swap(of, each, versions, kept, by=by) for by, each in found.items()]
        return list(await asyncio.gather(*made, return_exceptions=True))

    ended = over_published(tmp_path, work, {**NOBODY, "rules__daily_rest_hours": 0})
    refused = [each for each in ended if isinstance(each, ToolRefusal)]
    assert [each.code for each in refused] == ["conflict"]
    assert "was published by" in refused[0].message
    assert len(ended) - len(refused) == 1


def test_a_swap_of_a_roster_that_was_replaced_meanwhile_is_a_conflict(tmp_path: Path) -> None:
    async def work(versions: VersionStore, kept: RosterStore, of: KnownRoster) -> None:
        await publish_swap(of, swap(of, "ann", "ben", WEEK), versions, kept, by="ana")
        with pytest.raises(ToolRefusal, match=r"^V2 .* was published by ana on ") as refused:
            await publish_swap(of, swap(of, "ann", "ben", WEEK[:1]), versions, kept, by="ben")
        assert refused.value.code == "conflict"

    over_published(tmp_path, work, {**NOBODY, "rules__daily_rest_hours": 0})


def test_what_breaks_a_rule_or_is_no_published_roster_is_not_published(tmp_path: Path) -> None:
    async def work(versions: VersionStore, kept: RosterStore, of: KnownRoster) -> None:
        with pytest.raises(ToolRefusal, match="8 h between L") as broken:
            await publish_swap(of, swap(of, "ann", "ben", [TUESDAY]), versions, kept)
        await versions.decide("draft", of.roster_id)
        with pytest.raises(ToolRefusal) as draft:
            await publish_swap(of, swap(of, "ann", "ben", WEEK), versions, kept)
        assert (broken.value.code, draft.value.code) == ("breaks_rules", "not_published")
        assert broken.value.message.startswith("The swap is not published, as it would break a rule: ")

    over_published(tmp_path, work)


def test_a_swap_by_which_checks_fail_is_published_by_those_who_say_so(tmp_path: Path) -> None:
    wish = {"nurse": "ann", "day": "2026-11-24", "shift": "E", "wants": True, "weight": 5}

    async def work(versions: VersionStore, kept: RosterStore, of: KnownRoster) -> None:
        found = swap(of, "ann", "ben", WEEK)
        assert (found.may, [each.type for each in found.fails]) == (True, ["wish"])
        with pytest.raises(
            ToolRefusal, match=r"^the roster with the swap fails its checks: .* --with-problems$"
        ) as unsaid:
            await publish_swap(of, found, versions, kept)
        assert unsaid.value.code == "has_problems"
        made = await publish_swap(of, found, versions, kept, with_problems=True)
        again = swap(await known_roster(made.roster_id, versions), "ann", "ben", [day + timedelta(7) for day in WEEK])
        assert again.fails == []  # it failed already

    over_published(tmp_path, work, {**NOBODY, "wishes": [wish], "fairness": {"allowed": {"wish": 0}}})


def test_three_may_pass_a_shift_round_in_two_swaps(tmp_path: Path) -> None:
    async def work(versions: VersionStore, kept: RosterStore, of: KnownRoster) -> None:
        made = StoredRoster(
            ward_hash=kept.keep_ward(ward_of_two(**NOBODY, nurses=THREE)), roster=rows(**ROWS, carl="-" * 14)
        )
        first = kept.keep_roster(made)
        await versions.decide("publish", first, replaces=of.roster_id)
        for one, other in (("ann", "carl"), ("carl", "ben")):
            now = await published_roster([MONDAY], versions)
            await publish_swap(now, swap(now, one, other, WEEK), versions, kept, with_problems=True)
        now = await published_roster([MONDAY], versions)
        assert now.roster == rows(ann="-------EEEEE--", ben="EEEEE--LLLLL--", carl="LLLLL---------")
        assert [each.status for each in await versions.versions(Called("Two"))] == ["replaced"] * 3 + ["published"]

    over_published(tmp_path, work)


def test_the_month_that_is_published_after_it_counts(tmp_path: Path) -> None:
    """Ann would work a night on the last day, and has an early on the first of the roster that follows."""

    async def work(versions: VersionStore, kept: RosterStore, of: KnownRoster) -> None:
        last = [date(2026, 12, 6)]
        made = StoredRoster(ward_hash=of.stored.ward_hash, roster=rows(ann=ROWS["ann"], ben="LLLLL--LLL---N"))
        await versions.decide("publish", kept.keep_roster(made), replaces=of.roster_id)
        alone = swap(await published_roster(last, versions), "ann", "ben", last)
        after = ward_of_two(**NOBODY, start="2026-12-07")
        following = StoredRoster(ward_hash=kept.keep_ward(after), roster=rows(ann="E" + "-" * 13, ben="-" * 14))
        await versions.decide("publish", kept.keep_roster(following))
        both = swap(await published_roster(last, versions), "ann", "ben", last)

        assert (alone.may, alone.breaks) == (True, [])
        assert [(each.type, each.day) for each in both.breaks] == [
            ("daily_rest", "2026-12-07"), ("rest_after_nights", "2026-12-07"),
        ]  # fmt: skip

    over_published(tmp_path, work)
