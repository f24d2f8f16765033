"""Somebody is away from a roster that is published: said in the conversation, over the real graph and database."""

import asyncio
import json
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from agreeing import as_asked
from langgraph.checkpoint.memory import InMemorySaver

from wavegraph import Result, build_graph, resume, run
from wavegraph.app.storage.open import open_storage
from wavegraph.graph.state import PlanningResult
from wavegraph.testing import ScriptedPlanner, call, planning, ref
from wavegraph.tools.roster.domain import roster_domain
from wavegraph.tools.roster.loop.generation import TOOL as SOLVE
from wavegraph.tools.roster.store import RosterStore, StoredRoster
from wavegraph.tools.roster.versions.log import Called, VersionStore
from wavegraph.tools.roster.ward.fairness_limits import ALLOWED
from wavegraph.tools.roster.ward.ward import Roster, Ward

EVERY_DAY = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
LITTLE: dict[str, Any] = {
    "name": "Little",
    "start": "2026-12-07",
    "days": 7,
    "shifts": [{"id": "D", "start": "07:00", "minutes": 480}],
    "nurses": [{"id": name.casefold(), "name": name} for name in ("Ines", "Ben", "Cid")],
    "demand": [{"weekdays": EVERY_DAY, "shift": "D", "target": 1}],
    "fairness": {"allowed": dict.fromkeys(ALLOWED)},
}
PUBLISHED: Roster = {
    "ines": ["D", "D", "D", None, None, None, None],
    "ben": [None, None, None, "D", "D", None, None],
    "cid": [None, None, None, None, None, "D", "D"],
}
SETTINGS = {"planner": "rules", "ward": "little", "work_limit": 0.2, "time_limit_s": 900, "today": "2026-12-08"}


class Asked(NamedTuple):
    question: Result
    ended: Result
    roster: Roster | None
    statuses: list[str]
    """Of the ward's versions, after the roster that came of it was published."""


def asked(folder: Path, text: str, reply: str = "yes", *, publish: bool = False, plan: Any = None) -> Asked:
    (folder / "little.json").write_text(json.dumps(LITTLE), encoding="utf-8")
    store = RosterStore(folder)
    domain = roster_domain(folder, wards={"little": folder / "little.json"})

    async def work() -> Asked:
        async with open_storage(str(folder / "w.db")) as storage:
            versions = VersionStore(storage.store, store)
            ward_hash = store.keep_ward(Ward.model_validate(LITTLE | {"demand": []}))
            published = store.keep_roster(StoredRoster(ward_hash=ward_hash, roster=PUBLISHED))
            await versions.decide("publish", published)
            planner = ScriptedPlanner(plan(published)) if plan else None
            graph = build_graph(domain, planner=planner).compile(checkpointer=InMemorySaver(), store=storage.store)
            settings = {**SETTINGS, "planner": "auto"} if plan else SETTINGS
            question = await run(graph, text, thread_id="t", settings=settings)
            ended = (
                await resume(graph, "t", reply=await as_asked(graph, reply), settings=settings)
                if question.question
                else question
            )
            report = ended.results.get("get_report", {}).get("data")
            if report and publish:
                await versions.decide("publish", report["roster_id"])
            roster = store.stored_roster(report["roster_id"]).roster if report else None
            return Asked(question, ended, roster, [each.status for each in await versions.versions(Called("Little"))])

    return asyncio.run(work())


def test_a_sick_call_changes_what_it_must_and_names_it(tmp_path: Path) -> None:
    told = asked(tmp_path, "Ines is off sick from the 8th to the 9th", publish=True)

    assert "Ines: no work, Tuesday 2026-12-08 to Wednesday 2026-12-09 (must hold)" in told.question.answer
    assert told.roster is not None
    assert told.roster["ines"] == ["D", None, None, None, None, None, None]
    assert [row[0] for row in told.roster.values()] == [row[0] for row in PUBLISHED.values()]  # what is over stays
    assert [sum(row[day] is not None for row in told.roster.values()) for day in range(7)] == [1] * 7
    assert "4 cells differ from the published roster." in told.ended.answer
    assert "- Ines, Tuesday 2026-12-08: D → off (leave)" in told.ended.answer
    assert told.statuses == ["replaced", "published"]


def test_a_published_roster_is_changed_by_its_id_alone(tmp_path: Path) -> None:
    """As a model plans it where no date is said."""

    def no_saturdays(roster_id: str) -> PlanningResult:
        change = {"kind": "unavailable", "nurse": "Cid", "weekdays": ["saturday"]}
        return planning(
            call("get_staff", "get_staff", ward="little", roster_id=roster_id),
            call("apply_requests", "apply_requests", ward_hash=ref("get_staff", "ward_hash"), changes=[change]),
            call(SOLVE, SOLVE, ward_hash=ref("apply_requests", "ward_hash"), start_from=roster_id),
        )

    told = asked(tmp_path, "no Saturdays for Cid", plan=no_saturdays)

    assert "Cid: no work, Saturday 2026-12-12 (must hold)" in told.question.answer
    assert "2 cells differ from the published roster." in told.ended.answer


def test_a_no_leaves_all_as_it_is(tmp_path: Path) -> None:
    told = asked(tmp_path, "Ines is off sick from the 8th to the 9th", reply="no")
    assert (told.roster, told.statuses) == (None, ["published"])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Ines is off sick from the 20th to the 22nd", "No roster of Little is published for Sunday 2026-12-20"),
        ("Ines is off sick from the 20th to the 22nd", "put it into the ward's file (`leave`, "),
        ("Ines is off sick", "From which day to which is Ines away?"),
        ("Zoe is off sick tomorrow", "“Zoe” is no nurse of this ward"),
    ],
)
def test_what_cannot_be_done_is_told(text: str, words: str, tmp_path: Path) -> None:
    told = asked(tmp_path, text)
    assert words in told.ended.answer
    assert told.statuses == ["published"]


@pytest.mark.parametrize(
    ("text", "held", "others"),
    [
        ("Ines is off sick from the 12th to the 15th", "Saturday 2026-12-12 to Sunday 2026-12-13",
         ["Monday 2026-12-14 to Tuesday 2026-12-15 is in no roster that is published: put it into the ward's file (`leave`)"]),
        ("Ines is off sick from 4 to 9 December", "Tuesday 2026-12-08 to Wednesday 2026-12-09",
         ["Monday 2026-12-07 is over, and the roster keeps what was worked",
          "Friday 2026-12-04 to Sunday 2026-12-06 is over, and not in this roster"]),
    ],
)  # fmt: skip
def test_days_outside_the_roster_are_told_before_the_yes_and_after(
    text: str, held: str, others: list[str], tmp_path: Path
) -> None:
    told = asked(tmp_path, text)

    assert f"Ines: no work, {held} (must hold)\nNot covered by this roster:\n" in told.question.answer
    assert [other for other in others if f"- Ines: {other}" not in told.question.answer] == []
    assert f"kept: Ines: no work, {held} (must hold)" in told.ended.answer
    assert [other for other in others if f"- Ines: {other}" not in told.ended.answer] == []
    assert told.roster is not None
    assert told.roster["ines"][0] == "D"  # what was worked
