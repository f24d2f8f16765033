"""The manager's decision on a roster that failed a check: publish, draft, reject, or one more round."""

from pathlib import Path
from typing import Any

import pytest
from roster_loop import Desk
from roster_models import on

from wavegraph import Result
from wavegraph.graph.approval import Question
from wavegraph.tools.roster.answers.phrases import in_english

BEN_AT_NIGHT = {"nurse": "Ben", "day": on(0), "shift": "N"}
DRAFT = {"decision": "approve", "choice": "draft"}


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def otherwise(**changes: Any) -> dict[str, Any]:
    return {"decision": "reject", "reason": "not so", "changes": changes}


def question_of(result: Result) -> Question:
    assert result.outcome == "awaiting_approval"
    question: Any = result.question
    return question


@pytest.mark.parametrize("reply", ["yes", "publish it", "approved", {"decision": "approve"}], ids=str)
async def test_a_yes_publishes_it_with_its_warnings(desk: Desk, reply: Any) -> None:
    asked = question_of(await desk.ask("never"))
    code = asked["agree_with"].removeprefix("yes")
    ended = await desk.go_on(f"{reply}{code}" if isinstance(reply, str) else reply)

    decision = desk.store.decision(asked["terms"]["roster_id"])
    assert code
    assert decision
    assert not decision.as_draft
    assert ended.answer.endswith("Published with these warnings, as you approved.")
    assert in_english(asked["terms"]["problems"])[0].startswith("Ann begins N of Monday 2026-11-23 ")
    assert "- Ann begins N of Monday 2026-11-23 " in ended.answer
    assert ended.outcome == "partial"


@pytest.mark.parametrize("reply", ["draft", DRAFT], ids=str)
async def test_a_draft_is_kept_as_one(desk: Desk, reply: Any) -> None:
    asked = question_of(await desk.ask("never"))
    ended = await desk.go_on(reply)

    decision = desk.store.decision(asked["terms"]["roster_id"])
    assert decision
    assert decision.as_draft
    assert ended.answer.endswith("Kept as a draft, as you chose.")


async def test_a_no_keeps_its_reason_and_the_roster_and_solves_no_more(desk: Desk) -> None:
    asked = question_of(await desk.ask("never"))
    ended = await desk.go_on({"decision": "reject", "reason": "Ann is on her last legs"})

    name = asked["terms"]["roster_id"]
    assert f"Not published: it was not agreed to: Ann is on her last legs. Roster {name} is still kept." in ended.answer
    assert desk.store.decision(name) is None
    assert desk.roster(name)["ann"][0] == "N"
    assert len(desk.rounds) == 3


async def test_one_more_round_with_a_settled_cell(desk: Desk) -> None:
    await desk.ask("never")
    asked = question_of(await desk.go_on(otherwise(locked=[BEN_AT_NIGHT])))
    ended = await desk.go_on("yes")

    name = asked["terms"]["roster_id"]
    assert desk.roster(name)["ben"][0] == "N"
    assert (asked["terms"]["compliance"], asked["terms"]["empathy"]) == ("PASS", "APPROVED")
    assert asked["changes"] is None
    assert [each["status"] for each in desk.rounds] == ["failed", "failed", "failed", "passed"]
    assert ended.outcome == "answered"
    assert ended.answer.endswith("Published, as you approved.")


async def test_one_more_round_with_other_prices_keeps_what_was_raised(desk: Desk) -> None:
    await desk.ask("never")
    asked = question_of(await desk.go_on(otherwise(penalties={"fatigue_night": 100})))

    assert desk.rounds[-1]["penalty_multipliers"] == {"fatigue_night": 2.25}
    assert asked["terms"]["prices"] == ["fatigue_night 100 20"]
    assert desk.roster(asked["terms"]["roster_id"])["ben"][0] == "N"


async def test_a_round_that_gives_the_same_roster_is_asked_about_again(desk: Desk) -> None:
    first = question_of(await desk.ask("never"))
    again = question_of(await desk.go_on(otherwise(penalties={"fatigue_night": 21})))
    ended = await desk.go_on("yes")

    assert again["terms"]["roster_id"] == first["terms"]["roster_id"]
    assert again["terms_hash"] != first["terms_hash"]
    assert desk.store.decision(again["terms"]["roster_id"])
    assert "Published" in ended.answer


async def test_the_round_that_was_asked_for_is_the_one_asked_about_though_it_is_worse(desk: Desk) -> None:
    await desk.ask("never")
    nobody = [{"nurse": "ann", "day": on(0)}, {"nurse": "ben", "day": on(0)}]
    again = question_of(await desk.go_on(otherwise(locked=nobody)))
    ended = await desk.go_on("draft")

    assert again["terms"]["roster_id"] == desk.rounds[-1]["roster_id"]
    assert again["terms"]["compliance"] == "FAIL"
    assert "Kept as a draft" in ended.answer


@pytest.mark.parametrize(
    ("cell", "problem"),
    [
        ({"nurse": "Zoe", "day": on(0), "shift": "N"}, "“Zoe” is no nurse of this ward; these are: Ann, Ben."),
        ({"nurse": "Ben", "day": on(0), "shift": "X"}, "There is no shift “X”"),
        ({"nurse": "Ben", "day": on(9), "shift": "N"}, "are not among the roster's"),
        ({"nurse": "Ben", "day": "soon", "shift": "N"}, "locked.0.day = 'soon': Input should be a valid date"),
    ],
    ids=["nurse", "shift", "day", "no day"],
)
async def test_a_cell_that_cannot_be_settled_is_told_at_once(desk: Desk, cell: dict[str, str], problem: str) -> None:
    await desk.ask("never")
    again = question_of(await desk.go_on(otherwise(locked=[cell])))

    assert again["problem"]
    assert problem in again["problem"]
    assert again["changes"]
    assert len(desk.rounds) == 3


async def test_a_price_above_the_bound_is_told_at_once(desk: Desk) -> None:
    await desk.ask("never")
    again = question_of(await desk.go_on(otherwise(penalties={"fatigue_night": 10_001})))

    assert again["problem"]
    assert "fatigue_night = 10001" in again["problem"]


async def test_the_managers_own_round_is_the_last(desk: Desk) -> None:
    """It is not mended: the price would have to be raised above what rounds may reach."""
    await desk.ask("once", max_adaptations=0)
    again = question_of(await desk.go_on(otherwise(penalties={"fatigue_night": 22}), max_adaptations=0))
    ended = await desk.go_on("no", max_adaptations=0)

    assert [each["penalty_multipliers"] for each in desk.rounds] == [{}, {}]
    assert again["changes"] is None
    assert ended.adaptations == 1


async def test_the_same_roster_of_a_later_request_is_decided_on_anew(desk: Desk) -> None:
    first = question_of(await desk.ask("never"))
    await desk.go_on("yes")
    desk.thread = "another"

    again = question_of(await desk.ask("never"))

    assert again["terms"]["roster_id"] == first["terms"]["roster_id"]
