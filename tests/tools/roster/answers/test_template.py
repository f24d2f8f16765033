"""What the template tells besides the rounds, which the scenarios show."""

from typing import Any

import pytest
from roster_views import answer_view, entry, round_entry

from wavegraph.tools.roster.answers.statements import compose
from wavegraph.tools.roster.records import Round


def answer(rounds: list[Round], *entries: Any, **slots: Any) -> str:
    return compose(answer_view(*entries, **slots), rounds)


def test_what_could_not_be_held_is_said_also_without_a_model() -> None:
    told = answer([], not_held=["Diana needs a new contract"])

    assert told.startswith("No roster was made.")
    assert told.endswith("\n- Diana needs a new contract")


@pytest.mark.parametrize(
    ("changed", "told"),
    [(None, ""), (0, "No cell differs"), (1, "1 cell differs"), (12, "12 cells differ")],
)
def test_how_much_of_a_published_roster_was_changed(changed: int | None, told: str) -> None:
    roster, line = (
        "1" * 16,
        {"nurse": "ann", "hours": 8, "target_hours": None, "nights": 0, "weekends": 0, "wishes": ""},
    )
    report = {
        "ward": "Small", "ward_hash": "a" * 64, "start": "2026-11-23", "days": 7, "roster_id": roster,
        "compliance": "PASS", "empathy": "APPROVED", "breaches": 0, "failed": [], "problems": [], "below_target": [],
        "fairness": 100, "cover_cost": 0, "wishes_cost": 0, "cost": 0, "changed_cells": changed,
        "lines": [{**line, "score": 100}],
    }  # fmt: skip
    passed = Round(
        iteration=1, status="passed", issues=[], penalty_multipliers={}, roster_id=roster, solver="optimal", breaches=0,
        failed=[], cost=1, bound=1, seconds=1,
    )  # fmt: skip
    asked = entry("get_report", "get_report", {"roster_id": roster}, 2, data=report)
    second = answer([passed], round_entry(1, roster_id=roster), asked).splitlines()[1]
    assert second == f"{told} from the published roster." if told else second.startswith("Fairness")


def test_of_two_rounds_with_one_roster_the_later_verdict_counts() -> None:
    def a_round(iteration: int, failed: list[str]) -> Round:
        return Round(
            iteration=iteration, status="failed" if failed else "passed", issues=[], penalty_multipliers={},
            roster_id="1" * 16, solver="optimal", breaches=0, failed=failed, cost=iteration, bound=1, seconds=1,
        )  # fmt: skip

    entries = [round_entry(1, roster_id="1" * 16), round_entry(2, 2, roster_id="1" * 16)]
    asked = entry("get_report", "get_report", {"roster_id": "1" * 16}, 3, status="error")
    assert "cost 2" in answer([a_round(1, ["overwork"]), a_round(2, [])], *entries, asked).splitlines()[0]
