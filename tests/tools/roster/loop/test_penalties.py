"""What is raised after a round that failed: exactly the penalties of what failed, by half, compounding."""

from typing import Any

import pytest
from roster_views import entry, issue, ledger_of, round_entry, view
from tables import table

from wavegraph.graph.ledger import CHANGES_ASKED
from wavegraph.tools.roster.loop.penalties import adapt
from wavegraph.tools.roster.loop.penalty_kinds import PENALTY_OF, penalty_of
from wavegraph.tools.roster.problem.prices import KINDS
from wavegraph.tools.roster.ward.fairness_limits import ALLOWED
from wavegraph.tools.roster.ward.finding_types import FINDING_TYPES


def proposed(*entries: Any, issues: Any) -> dict[str, Any] | None:
    calls = adapt(view(ledger_of(*entries), issues))
    return None if calls is None else calls[0]["args"]


def test_every_penalty_is_raised_by_a_type() -> None:
    assert PENALTY_OF.keys() <= set(FINDING_TYPES)
    assert set(PENALTY_OF.values()) == set(KINDS)
    rejecting = {kind for kind, most in ALLOWED.items() if most is not None}
    assert rejecting <= PENALTY_OF.keys(), "what rejects a roster can be worked on"


@table(
    ("kind", "about", "penalty"),
    [
        ("night_concentration", {}, "night_excess"),
        ("weekend_concentration", {}, "weekend_excess"),
        ("underutilization", {}, "underutilization"),
        ("fatigue_violation", {"night": True}, "fatigue_night"),
        ("fatigue_violation", {"weekend": True}, "fatigue_weekend"),
        ("fatigue_violation", {"moderate": True}, "fatigue_moderate"),
        ("fatigue_violation", {}, "fatigue_high"),
        ("coverage", {}, None),
        ("error", {}, None),
    ],
)
def test_the_penalty_of_a_type(kind: str, about: dict[str, Any], penalty: str | None) -> None:
    assert penalty_of(issue(kind, about=about)) == penalty


def test_only_what_failed_is_raised_and_the_last_roster_is_the_start() -> None:
    args = proposed(round_entry(), issues=[issue("night_concentration"), issue("underutilization")])
    assert args is not None
    assert args["penalty_multipliers"] == {"night_excess": 1.5, "underutilization": 1.5}
    assert (args["iteration"], args["start_from"], args["locked"]) == (2, f"{1:016x}", [])


def test_raises_compound_and_what_passed_stays_where_it_was() -> None:
    before = {"night_excess": 1.5, "underutilization": 1.5}
    second = round_entry(2, 2, penalty_multipliers=before)
    found = [issue("underutilization", "generate_roster_2"), issue("night_concentration", "generate_roster")]
    args = proposed(round_entry(), second, issues=found)
    assert args is not None
    assert args["penalty_multipliers"] == {"night_excess": 1.5, "underutilization": 2.25}


def test_nothing_is_raised_beyond_two_raises() -> None:
    third = round_entry(3, 3, penalty_multipliers={"overwork": 2.25})
    assert proposed(third, issues=[issue("overwork", "generate_roster_3")]) is None


def test_a_round_without_a_roster_had_all_the_time_there_was() -> None:
    assert proposed(round_entry(status="unknown", roster_id=None, cost=None), issues=[issue("no_roster")]) is None


@pytest.mark.parametrize("kind", ["coverage", "wish", "infeasible"])
def test_what_no_penalty_can_mend_is_not_tried_again(kind: str) -> None:
    assert proposed(round_entry(status="optimal"), issues=[issue(kind)]) is None


def test_a_search_that_is_not_over_goes_on_at_the_same_prices() -> None:
    args = proposed(round_entry(status="feasible"), issues=[issue("coverage")])
    assert args is not None
    assert (args["iteration"], args["penalty_multipliers"]) == (2, {})


def test_no_penalty_is_raised_while_a_breach_may_still_be_avoided() -> None:
    open_one = round_entry(status="feasible", breaches=3, least_breaches=1)
    args = proposed(open_one, issues=[issue("coverage"), issue("night_concentration")])
    assert args is not None
    assert (args["penalty_multipliers"], args["start_from"]) == ({}, f"{1:016x}")


@pytest.mark.parametrize("proof", [{"least_breaches": 3}, {"impossible": ["too few nurses"]}])
def test_after_the_proof_of_a_breach_the_rounds_go_on(proof: dict[str, Any]) -> None:
    proven = round_entry(status="feasible", breaches=3, **proof)
    args = proposed(proven, issues=[issue("coverage"), issue("night_concentration")])
    assert args is not None
    assert args["penalty_multipliers"] == {"night_excess": 1.5}


def test_what_no_roster_can_avoid_is_not_tried_again() -> None:
    unavoidable = issue("overwork", rule="unavoidable")
    assert proposed(round_entry(), issues=[unavoidable]) is None
    args = proposed(round_entry(), issues=[unavoidable, issue("fatigue_high")])
    assert args is not None
    assert args["penalty_multipliers"] == {"fatigue_high": 1.5}


def test_a_penalty_without_a_part_in_the_cost_is_not_raised() -> None:
    free = round_entry(parts={"overwork": 10.0})
    assert proposed(free, issues=[issue("fatigue_high")]) is None
    args = proposed(free, issues=[issue("fatigue_high"), issue("overwork")])
    assert args is not None
    assert args["penalty_multipliers"] == {"overwork": 1.5}


def test_a_stop_ends_the_rounds() -> None:
    assert proposed(round_entry(asked_to_stop=True), issues=[issue("overwork")]) is None


def test_a_stop_that_was_cancelled_does_not() -> None:
    args = proposed(round_entry(asked_to_stop=True), issues=[issue("goes_on")])
    assert args is not None
    assert (args["iteration"], args["start_from"], args["penalty_multipliers"]) == (2, f"{1:016x}", {})


def rejected(plan: int = 3) -> Any:
    wanted = {"locked": [{"nurse": "ann", "day": "2026-11-23", "shift": None}], "penalties": {"overwork": 40}}
    error = {"code": CHANGES_ASKED, "message": "not so", "retryable": False}
    return entry("publish_roster", "publish_roster", {"roster_id": "1"}, plan, status="error", data=wanted, error=error)


def test_the_managers_round_has_the_settled_cells_and_prices() -> None:
    last = round_entry(2, 2, penalty_multipliers={"overwork": 1.5})
    args = proposed(round_entry(), last, rejected(), issues=[issue("error", "publish_roster", rule=CHANGES_ASKED)])
    assert args is not None
    assert args["locked"] == [{"nurse": "ann", "day": "2026-11-23", "shift": None}]
    assert args["penalties"] == {"overwork": 40}
    assert args["penalty_multipliers"] == {"overwork": 1.5}
    assert args["iteration"] == 3


def test_no_round_follows_the_managers_by_itself() -> None:
    found = [issue("overwork", "generate_roster_2")]
    assert proposed(round_entry(), rejected(2), round_entry(2, 3), issues=found) is None


@pytest.mark.parametrize(
    ("seconds", "spent"),
    [(9.0, None), (10.0, None), (25.0, 25.0)],
    ids=["less than its share", "its share", "also those of the rounds after it"],
)
def test_a_round_is_told_what_those_before_took_beyond_their_shares(seconds: float, spent: float | None) -> None:
    """Of 30 s for three rounds."""
    args = proposed(round_entry(seconds=seconds), issues=[issue("overwork")])
    assert args is not None
    assert args.get("spent_s") == spent


def test_where_all_the_time_is_spent_there_is_no_further_round() -> None:
    assert proposed(round_entry(seconds=30.0), issues=[issue("overwork")]) is None
