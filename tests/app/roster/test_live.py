"""What is shown of a roster while it is solved."""

import io
from typing import Any

import pytest
from rich.console import Console

from wavegraph.app.roster.live import RosterView


def started(iteration: int = 1) -> dict[str, Any]:
    return {"event": "tool_started", "tool": "generate_roster", "args": {"iteration": iteration}}


def progress(seconds: float, cost: float) -> dict[str, Any]:
    figures = {"iteration": 1, "cost": cost, "bound": 65, "gap": round((cost - 65) / cost, 4), "seconds": seconds}
    return {"event": "tool_progress", "tool": "generate_roster", "progress": figures}


def checked(*rounds: dict[str, Any]) -> dict[str, Any]:
    return {"event": "validation_complete", "needs_adaptation": False, "issues": [], "details": {"rounds": [*rounds]}}


def round_(iteration: int = 1, issues: int = 0, **changes: Any) -> dict[str, Any]:
    found = [{"type": "overwork", "nurse_id": "ann", "detail": f"Ann: {number} h too many"} for number in range(issues)]
    return {"iteration": iteration, "status": "failed" if issues else "passed", "failed": ["overwork"] if issues else [],
            "issues": found, "cost": 1300.5, "bound": 1040.4, "seconds": 9.87, "penalty_multipliers": {},
            "roster_id": "0" * 16, "solver": "feasible", "breaches": 0} | changes  # fmt: skip


def shown(*events: dict[str, Any], limit_s: float = 10, **console: Any) -> list[str]:
    text = io.StringIO()
    with RosterView(Console(file=text, width=100, **console), limit_s=limit_s) as view:
        for event in events:
            view(event)
    return text.getvalue().splitlines()


def test_into_a_file_a_round_is_told_every_few_seconds() -> None:
    found = [progress(seconds, cost) for seconds, cost in ((0.2, 900), (4.8, 400), (5.1, 300), (9.9, 200), (10.2, 130))]
    assert shown(started(), *found) == [
        "round 1: solving, at most 10 s",
        "round 1: cost 300, bound 65, gap 78.3%, 5.1 s",
        "round 1: cost 130, bound 65, gap 50%, 10.2 s",
    ]


@pytest.mark.parametrize(("limit_s", "told"), [(0.001, "0.001 s"), (0.001 / 3, "0.00033 s"), (1 / 3, "0.33 s")])
def test_a_limit_is_never_told_as_nothing(limit_s: float, told: str) -> None:
    assert shown(started(), limit_s=limit_s) == [f"round 1: solving, at most {told}"]


def test_each_round_is_told_once_with_what_failed_and_what_is_raised() -> None:
    raised = {"tool": "generate_roster", "args": {"penalty_multipliers": {"night_excess": 1.5, "overwork": 2.25}}}
    first, second = round_(issues=8), round_(2, status="no roster", cost=None)
    lines = shown(checked(first), {"event": "plan_created", "tools": [raised]}, checked(first, second))

    assert lines[0] == "round 1: cost 1,300.5, bound 1,040.4, gap 20%, 9.87 s: failed (too many hours)"
    assert lines[1:7] == [f"  ! Ann: {number} h too many" for number in range(6)]
    assert lines[7:] == [
        "  ! and 2 more",
        "raised: too many nights x 1.5, too many hours x 2.25",
        "round 2: 9.87 s: no roster",
    ]


@pytest.mark.parametrize("quiet", [False, True])
def test_a_terminal_shows_the_round_that_moves(quiet: bool) -> None:
    text = "\n".join(shown(started(), progress(0.3, 130), checked(round_()), force_terminal=True, quiet=quiet))
    assert ("round 1: cost 1,300.5" in text) is not quiet
    assert "solving, at most" not in text


def test_it_is_known_whether_a_round_is_being_solved() -> None:
    with RosterView(Console(file=io.StringIO()), limit_s=1) as view:
        before = view.solving
        view(started())
        during = view.solving
        view({"event": "tool_finished", "tool": "generate_roster"})
        assert (before, during, view.solving) == (False, True, False)


def test_on_a_terminal_the_checks_are_seen_side_by_side() -> None:
    file = io.StringIO()
    console = Console(file=file, width=80, force_terminal=True, color_system=None, legacy_windows=False)
    about = {"id": "a", "tool": "generate_roster"}
    with RosterView(console, limit_s=10) as view:
        view({"event": "check_started", "check": "compliance", **about})
        view({"event": "check_started", "check": "empathy", **about})
        assert view._checking == "checking  compliance …  empathy …"
        view({"event": "check_finished", "check": "compliance", "found": [], **about})
        view({"event": "check_finished", "check": "empathy", "found": ["night_concentration", "overwork"], **about})
        assert view._checking == "checking  compliance ✓  empathy too many nights, too many hours"
        view(checked(round_()))
        assert view._checking == "checking"
