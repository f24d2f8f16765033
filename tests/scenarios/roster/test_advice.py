"""Questions about the roster that staff have, and a swap that the manager approves: over the real graph."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from roster_wards import ROWS, rows, two

from wavegraph.testing import Conversation, ScriptedPlanner, call, planning
from wavegraph.tools.roster.answers.phrases import in_english
from wavegraph.tools.roster.domain import roster_domain
from wavegraph.tools.roster.store import RosterStore, StoredRoster
from wavegraph.tools.roster.versions.log import Called, VersionStore
from wavegraph.tools.roster.ward.ward import Ward

WEEK = [f"2026-11-{day}" for day in range(23, 28)]
WARD = two(demand=[{"day": "2026-11-23", "shift": "E", "target": 1}], rules__charge_skill=None)


class Desk:
    """A conversation over a store in which a roster of the ward of two is published."""

    def __init__(self, folder: Path, *plans: Any) -> None:
        (folder / "two.json").write_text(json.dumps(WARD), encoding="utf-8")
        self.kept = RosterStore(folder)
        domain = roster_domain(folder, wards={"two": folder / "two.json"})
        self.conversation = Conversation(domain, planner=ScriptedPlanner(*plans))
        self.versions = VersionStore(self.conversation.graph.store, self.kept)
        made = StoredRoster(ward_hash=self.kept.keep_ward(Ward.model_validate(WARD)), roster=rows(**ROWS))
        self.first = self.kept.keep_roster(made)
        asyncio.run(self.versions.decide("publish", self.first, by="ana"))

    def statuses(self) -> list[str]:
        return [each.status for each in asyncio.run(self.versions.versions(Called("two")))]


def test_reads_answer_about_the_published_roster(tmp_path: Path) -> None:
    calls = [
        call("who", "who_can_cover", day="2026-11-24", shift="E", instead="ann"),
        call("why", "explain_cell", nurse="ann", day="2026-11-24", ward="two"),
    ]
    desk = Desk(tmp_path, planning(*calls))
    results = desk.conversation.say("who can take Ann's early on Tuesday?").results

    cover, cell = (results[name]["data"] for name in ("who", "why"))
    assert (cover["roster_id"], cover["version"], cover["instead"]) == (desk.first, 1, "ann")
    assert [(each["nurse"], each["may"]) for each in cover["candidates"]] == [("ben", False)]
    assert (cell["shift"], cell["forced"]) == ("E", False)


def test_two_rosters_are_compared(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    other = desk.kept.keep_roster(
        StoredRoster(ward_hash=desk.kept.stored_roster(desk.first).ward_hash, roster=rows(**ROWS | {"ann": "-" * 14}))
    )
    desk = Desk(tmp_path, planning(call("sides", "compare_rosters", before=desk.first, now=other)))
    found = desk.conversation.say("which is better?").results["sides"]["data"]
    assert (found["changed_cells"], found["before"]["version"]) == (10, 1)


def test_a_swap_waits_for_a_yes_to_its_exact_terms(tmp_path: Path) -> None:
    desk = Desk(tmp_path, planning(call("swap", "swap_shifts", first="Ann", second="Ben", days=WEEK)))
    asked = desk.conversation.say("swap Ann and Ben for that week")

    assert asked.question is not None
    terms = asked.question["terms"]
    assert (terms["roster_id"], terms["cost"], len(terms["cells"])) == (desk.first, 0, 10)
    assert in_english(terms["cells"])[0] == "Ann, Monday 2026-11-23: E → L"
    assert asked.question["summary"].startswith(
        f"Swap in V1 ({desk.first}, Monday 2026-11-23 to Sunday 2026-12-06) of Two: the same cost."
    )
    assert desk.statuses() == ["published"]
    ended = desk.conversation.reply(asked.question["agree_with"])
    made = ended.results["swap"]["data"]
    assert (made["version"], made["replaces"]) == (2, desk.first)
    assert desk.statuses() == ["replaced", "published"]
    assert desk.kept.stored_roster(made["roster_id"]).roster["ann"][:5] == ["L"] * 5


def test_a_no_changes_nothing(tmp_path: Path) -> None:
    desk = Desk(tmp_path, planning(call("swap", "swap_shifts", first="Ann", second="Ben", days=WEEK)))
    desk.conversation.say("swap Ann and Ben for that week")
    desk.conversation.reply("no")
    assert desk.statuses() == ["published"]


def test_one_that_was_published_while_the_question_waits_changes_the_terms(tmp_path: Path) -> None:
    desk = Desk(tmp_path, planning(call("swap", "swap_shifts", first="Ann", second="Ben", days=WEEK)))
    asked = desk.conversation.say("swap Ann and Ben for that week")
    assert asked.question is not None
    stored = desk.kept.stored_roster(desk.first)
    other = desk.kept.keep_roster(stored.model_copy(update={"roster": rows(**ROWS | {"ben": "LLLL---LLLLL--"})}))
    asyncio.run(desk.versions.decide("publish", other, by="ben", replaces=desk.first))
    again = desk.conversation.reply(asked.question["agree_with"])

    assert again.question is not None
    assert again.question["terms"]["roster_id"] == other
    assert in_english(again.question["terms"]["cells"])[-1] == "Ben, Friday 2026-11-27: off → E"
    assert desk.statuses() == ["replaced", "published"]
    desk.conversation.reply({"decision": "approve", "terms_hash": again.question["terms_hash"]})
    assert desk.statuses() == ["replaced", "replaced", "published"]


@pytest.mark.parametrize(
    ("args", "code", "told"),
    [
        ({"days": ["2026-11-24"]}, "breaks_rules", "Ben has 8 h between L of 2026-11-23 and E of 2026-11-24"),
        ({"second": "Zoe"}, "unknown_nurse", "“Zoe” is no nurse of this ward"),
        ({"days": ["2026-12-24"]}, "nothing_published", "no roster is published for Thursday 2026-12-24"),
        ({"ward": "nosuch"}, "unknown_ward", "There is no ward “nosuch”; there are: harbour, two, willow"),
        ({"roster_id": "0" * 16}, "unknown_roster", "nothing is kept under the id"),
    ],
)
def test_a_swap_that_cannot_be_is_a_result_with_its_reason(
    args: dict[str, Any], code: str, told: str, tmp_path: Path
) -> None:
    given = {"first": "Ann", "second": "Ben", "days": WEEK, **args}
    ended = Desk(tmp_path, planning(call("swap", "swap_shifts", **given)), planning()).conversation.say("swap them")

    error = ended.results["swap"]["error"]
    assert (ended.question, error["code"]) == (None, code)
    assert told in error["message"]


def test_a_look_for_a_published_roster_that_is_not_there_is_a_result(tmp_path: Path) -> None:
    asked = call("status", "look_at_roster", question="status", ward="harbour")
    ended = Desk(tmp_path, planning(asked), planning()).conversation.say("is harbour published?")

    assert (ended.results["status"]["status"], ended.results["status"]["data"]["ward"]) == ("ok", "Harbour Ward")
    assert ended.issues == []
    assert ended.answer == "No roster of Harbour Ward is published."


def test_a_question_put_again_says_who_was_to_be_replaced_meanwhile(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    stored = desk.kept.stored_roster(desk.first)
    other = desk.kept.keep_roster(stored.model_copy(update={"roster": rows(**ROWS | {"ben": "LLLL---LLLLL--"})}))
    sick = {"day": "2026-11-24", "instead": "ann"}
    desk = Desk(
        tmp_path,
        planning(call("publish", "publish_roster", roster_id=other)),
        planning(call("first", "who_can_cover", roster_id=desk.first, **sick)),
        planning(call("who", "who_can_cover", roster_id=other, **sick)),
    )
    asked = desk.conversation.say("publish it")
    of_another = desk.conversation.say("Ann is sick in the first one, who can take her shift?")
    of_this = desk.conversation.say("and in this one?")

    told = "Somebody was looked for who takes E of Tuesday 2026-11-24 instead of Ann; this roster still has Ann there."
    texts = [str((each.question or {}).get("text")) for each in (asked, of_another, of_this)]
    assert [told in text for text in texts] == [False, False, True]
    assert all(text.startswith(f"Roster {other} for Two") for text in texts)


def test_once_a_newer_roster_is_made_the_older_one_is_published_by_its_code_alone(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    ward = desk.kept.stored_roster(desk.first).ward_hash
    desk = Desk(
        tmp_path,
        planning(call("publish", "publish_roster", roster_id=desk.first)),
        planning(call("again", "generate_roster", ward_hash=ward, penalties={"overwork": 90})),
    )
    desk.conversation.say("publish it")
    made = desk.conversation.say("make another one where wishes count more")
    told = f"was made since; this question is about the older one, {desk.first}, without what was changed."
    assert told in str((made.question or {}).get("text"))
    assert (made.question or {})["rivalled"]
