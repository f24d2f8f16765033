"""The loop of rounds, through the whole engine: what passes at once, what is raised, what is given up and why."""

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from roster_loop import Desk, night

from wavegraph import ResolvedCall
from wavegraph.graph.state import ValidationIssue
from wavegraph.tools.roster.answers.phrases import in_english
from wavegraph.tools.roster.loop.penalty_kinds import PENALTY_OF
from wavegraph.tools.roster.loop.rounds import rank
from wavegraph.tools.roster.records import Generated, Round


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def multipliers(desk: Desk) -> list[dict[str, float]]:
    return [each["penalty_multipliers"] for each in desk.rounds]


def runs(desk: Desk) -> list[str]:
    return [event["id"] for event in desk.told("tool_started") if event["tool"] == "generate_roster"]


async def test_a_first_round_that_passes_is_the_only_one(desk: Desk) -> None:
    ended = await desk.ask("fair")

    assert (ended.outcome, ended.adaptations, ended.issues) == ("answered", 0, [])
    assert runs(desk) == ["generate_roster"]
    assert "publish_roster" not in ended.results
    assert ended.results["get_report"]["data"]["compliance"] == "PASS"
    assert ended.results["get_report"]["data"]["empathy"] == "APPROVED"
    assert ended.results["get_report"]["data"]["roster_id"] in ended.answer


async def test_the_ward_is_looked_at_in_one_wave_before_the_first_round(desk: Desk) -> None:
    ended = await desk.ask("fair")

    first, second, *_ = desk.told("wave_started")
    assert set(first["calls"]) == {"get_staff", "get_demand", "get_requests", "get_rules", "get_last_period"}
    assert second["calls"] == ["generate_roster"]
    hashes = {ended.results[name]["data"]["ward_hash"] for name in (*first["calls"], "generate_roster", "get_report")}
    assert len(hashes) == 1


@pytest.mark.parametrize(
    ("ward", "raised"),
    [("once", [{}, {"fatigue_night": 1.5}]), ("twice", [{}, {"fatigue_night": 1.5}, {"fatigue_night": 2.25}])],
)
async def test_exactly_what_failed_is_raised_by_half_until_it_passes(
    desk: Desk, ward: str, raised: list[dict[str, float]]
) -> None:
    ended = await desk.ask(ward)

    assert multipliers(desk) == raised
    assert [each["status"] for each in desk.rounds] == [*["failed"] * (len(raised) - 1), "passed"]
    assert (ended.outcome, ended.adaptations) == ("answered", len(raised) - 1)


async def test_the_roster_after_a_raise_ranks_better_though_it_costs_more(desk: Desk) -> None:
    ended = await desk.ask("once")

    first, second = [Round.model_validate(each) for each in desk.rounds]
    assert rank(second) < rank(first)
    half_a_night = 7.5  # of one night and two nurses, whoever works it
    assert (first.cost, second.cost) == (20 + half_a_night, 25 + half_a_night)
    assert ended.results["get_report"]["args"] == {"roster_id": second.roster_id}


async def test_a_round_starts_from_the_roster_before(desk: Desk) -> None:
    await desk.ask("twice")

    args = [event["args"] for event in desk.told("tool_started") if event["tool"] == "generate_roster"]
    made = [each["roster_id"] for each in desk.rounds]
    assert [each.get("start_from") for each in args] == [None, *made[:-1]]
    assert [each["iteration"] for each in args] == [1, 2, 3]


async def test_after_three_rounds_the_best_is_put_before_the_manager(desk: Desk) -> None:
    asked = await desk.ask("never")

    assert multipliers(desk) == [{}, {"fatigue_night": 1.5}, {"fatigue_night": 2.25}]
    assert {each["status"] for each in desk.rounds} == {"failed"}
    assert asked.outcome == "awaiting_approval"
    assert asked.question
    assert asked.question["terms"]["roster_id"] == desk.rounds[0]["roster_id"]
    assert asked.question["terms"]["empathy"] == "REJECTED"
    (problem,) = in_english(asked.question["terms"]["problems"])
    assert problem.startswith("Ann begins N of Monday 2026-11-23 with a fatigue score of 0.80")
    assert problem in asked.answer


async def test_the_setting_bounds_the_rounds(desk: Desk) -> None:
    await desk.ask("never", max_adaptations=1)

    assert len(desk.rounds) == 2


async def test_issues_name_type_nurse_day_and_detail(desk: Desk) -> None:
    ended = await desk.ask("once")

    (found,) = ended.issues
    about = found["about"]
    assert found["type"] == "fatigue_night"
    assert (about["nurse_id"], about["date"], about["shift"]) == ("ann", "2026-11-23", "N")
    assert about["detail"] == found["message"]


async def test_the_feedback_of_each_round_is_in_state_event_and_planner(desk: Desk) -> None:
    await desk.ask("once")

    state = await desk.state()
    told = [event["details"]["rounds"] for event in desk.told("validation_complete") if "details" in event]
    assert [len(rounds) for rounds in told[:2]] == [1, 2]
    assert state["validation"]["details"]["rounds"] == told[-1]
    assert set(told[-1][0]) >= {"iteration", "status", "issues", "penalty_multipliers"}
    assert set(told[-1][0]["issues"][0]) == {"type", "nurse_id", "detail"}


async def test_progress_is_told_with_cost_and_bound(desk: Desk) -> None:
    await desk.ask("once")

    told = [event["progress"] for event in desk.told("tool_progress")]
    assert {figures["iteration"] for figures in told} == {1, 2}
    assert all(figures["bound"] <= figures["cost"] for figures in told)


# What no roster can meet


async def test_what_cannot_be_avoided_is_named_and_not_tried_again(desk: Desk) -> None:
    asked = await desk.ask("only_ann")

    (only,) = desk.rounds
    detail = only["issues"][0]["detail"]
    assert "cannot be avoided" in detail
    assert "leave" in detail
    assert "ben" in detail
    assert runs(desk) == ["generate_roster"]
    assert asked.outcome == "awaiting_approval"
    told = detail.replace("ann Ann", "Ann").replace("ben Ben", "Ben").replace("on 2026-11-23", "on Monday 2026-11-23")
    assert f"No roster can do better here:\n- {told.removeprefix('no roster avoids this: ')}" in asked.answer
    ended = await desk.go_on("yes")
    assert told in ended.answer


async def test_too_few_people_are_named_and_not_tried_again(desk: Desk) -> None:
    asked = await desk.ask("nobody")
    ended = await desk.go_on("no")

    assert asked.question
    assert "leave" in " ".join(in_english(asked.question["terms"]["unavoidable"]))
    assert runs(desk) == ["generate_roster"]
    assert "no roster can reach the minimum" in ended.answer
    assert "one of them would have to give" in ended.answer
    assert ended.outcome == "partial"


async def test_a_ward_without_any_roster_is_explained(desk: Desk) -> None:
    ended = await desk.ask("contradiction")

    assert ended.outcome == "partial"
    assert ended.answer.startswith("There is no roster for Night, 3 days from Monday 2026-11-23.")
    assert "at least 24 h for Ann" in ended.answer
    assert runs(desk) == ["generate_roster"]


async def test_a_bound_on_wishes_is_held_and_ends_in_no_error(tmp_path: Path) -> None:
    """No proof is tried for it: a ward's own weights are all there is."""
    wishes = [{"nurse": name, "day": "2026-11-23", "wants": False, "weight": 1} for name in ("ann", "ben")]
    ward = night(wishes=wishes, tired=0.0, fairness={"allowed": {"wish": 0}})
    desk = Desk(tmp_path, wards={"wishful": ward})

    asked = await desk.ask("wishful")

    assert asked.outcome == "awaiting_approval"
    assert [each["failed"] for each in desk.rounds] == [["wish"]]


# Bad input


async def test_every_wrong_row_of_a_ward_is_told(desk: Desk) -> None:
    ended = await desk.ask("wrong_rows")

    assert ended.outcome == "failed"
    assert runs(desk) == []
    for place in ("leave[0].nurse: got 'zoe'", "wishes[0].shift (ben): got 'X'", "demand[0].day (N): got '2027-01-02'"):
        assert place in ended.answer


async def test_a_ward_that_is_not_known_is_told_with_those_that_are(desk: Desk) -> None:
    ended = await desk.ask("atlantis")

    assert "There is no ward “atlantis”" in ended.answer
    assert "harbour" in ended.answer


@pytest.mark.parametrize(
    "text", ["make the roster for harbour, 400 days", "repair it, Ann can't work", "hello", "תכין סידור", "2026-13-45"]
)
async def test_where_the_settings_are_the_order_no_words_are_read(desk: Desk, text: str) -> None:
    ended = await desk.ask("fair", text=text, ordered=True, start="2026-11-23", days=3)

    assert ended.outcome == "answered"
    assert ended.results["get_staff"]["args"] == {"ward": "fair", "start_date": "2026-11-23", "num_days": 3}


# Checks of one's own


async def test_a_check_of_ones_own_raises_the_penalty_of_what_it_names(tmp_path: Path) -> None:
    """The one night is half of each of two nurses, so it has a part in the cost; a weekend has none."""

    def none_at_all(made: Generated, call: ResolvedCall) -> Sequence[ValidationIssue]:
        if made.penalty_multipliers.get("night_excess", 1) > 1:
            return []
        return [
            {"type": kind, "tool_id": call.id, "message": "too many", "severity": "warning", "rule": kind}
            for kind in ("night_concentration", "weekend_concentration")
        ]

    desk = Desk(tmp_path, more={"more_checks": [none_at_all]})
    ended = await desk.ask("fair")

    assert multipliers(desk) == [{}, {"night_excess": 1.5}]
    assert ended.outcome == "answered"
    said = [found["detail"] for found in desk.rounds[0]["issues"]]
    assert "a higher price for weekend excess changes nothing: this roster's cost has no part of it" in said


async def test_the_manager_sees_what_a_check_of_ones_own_found(tmp_path: Path) -> None:
    def never_content(made: Generated, call: ResolvedCall) -> Sequence[ValidationIssue]:
        return [{"type": "mood", "tool_id": call.id, "message": "nobody asked for a Monday", "severity": "warning",
                 "rule": "mood"}]  # fmt: skip

    desk = Desk(tmp_path, more={"more_checks": [never_content]})
    ended = await desk.ask("fair")

    assert ended.outcome == "awaiting_approval"
    assert ended.question is not None
    assert ended.question["terms"]["remarks"] == ["nobody asked for a Monday"]
    assert "Another check found:\n- nobody asked for a Monday" in ended.question["summary"]


# The demo ward


async def test_harbour_is_raised_by_what_failed_and_the_best_round_is_reported(desk: Desk) -> None:
    ended = await desk.ask("harbour", work_limit=0.05)
    rounds = [Round.model_validate(each) for each in desk.rounds]

    assert 1 <= len(rounds) <= 3
    for before, after in pairwise(rounds):
        expected = dict(before.penalty_multipliers)
        for kind in {PENALTY_OF[kind] for kind in avoidable(before) if kind in PENALTY_OF}:
            expected[kind] = min(2.25, expected.get(kind, 1) * 1.5)
        assert after.penalty_multipliers == expected
    asked: Any = ended.question["terms"] if ended.question else ended.results["get_report"]["data"]
    assert asked["roster_id"] == min(rounds, key=rank).roster_id


def avoidable(round_: Round) -> set[str]:
    said = ("no roster avoids this", "changes nothing")
    proven = {issue.type for issue in round_.issues if any(words in issue.detail for words in said)}
    return set(round_.failed) - proven
