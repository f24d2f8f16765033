"""A third domain in one short file proves that the engine names none."""

import runpy
from pathlib import Path
from typing import Any

import pytest
from runs import Run, run

FILE = Path(__file__).parents[2] / "examples" / "library_desk.py"


@pytest.fixture
def desk() -> dict[str, Any]:
    return runpy.run_path(str(FILE))


def ask(desk: dict[str, Any], text: str) -> Run:
    return run(desk["graph"], text)


def test_it_is_short() -> None:
    assert len(FILE.read_text().splitlines()) < 60


def test_titles_are_looked_up_together(desk: dict[str, Any]) -> None:
    ended = ask(desk, "are 'Emma' and 'Ulysses' there?")

    assert ended["answer"] == "Emma: 2 free\nUlysses: 1 free"
    assert (ended["outcome"], ended["waves"]) == ("answered", 1)


def test_a_hold_is_a_write_after_the_look_up(desk: dict[str, Any]) -> None:
    ended = ask(desk, "hold 'Emma'")

    assert desk["domain"].registry["hold_book"].effect == "write"
    assert [event["calls"] for event in ended.told("wave_started")] == [["find_1"], ["hold"]]
    assert desk["SHELF"]["emma"] == 1
    assert "Emma is on hold" in ended["answer"]


def test_an_empty_shelf_is_told(desk: dict[str, Any]) -> None:
    ended = ask(desk, "is 'Dune' there?")

    assert [issue["rule"] for issue in ended["issues"]] == ["free_copy"]
    assert ended["outcome"] == "partial"


def test_no_write_builds_on_what_a_check_found_wrong(desk: dict[str, Any]) -> None:
    ended = ask(desk, "hold 'Dune'")

    assert ended.status("hold") == "skipped"
    assert ended["results"]["hold"]["error"]["message"] == "a check found something wrong with find_1"
    assert desk["SHELF"]["dune"] == 0
    assert ended["outcome"] == "partial"


def test_what_it_cannot_read_it_asks_about(desk: dict[str, Any]) -> None:
    ended = ask(desk, "something good?")

    assert (ended["outcome"], ended["answer"]) == ("clarify", "Which title, in quotes?")


def test_a_title_nobody_has_leaves_the_shelf_alone(desk: dict[str, Any]) -> None:
    ended = ask(desk, "hold 'Moby Dick'")

    assert ended["outcome"] in {"partial", "failed"}
    assert desk["SHELF"] == {"dune": 0, "emma": 2, "ulysses": 1}


def test_more_than_the_budget_is_looked_up_as_far_as_it_goes(desk: dict[str, Any]) -> None:
    ended = run(desk["graph"], "are 'Emma', 'Ulysses' and 'Dune' there?", context={"max_tool_calls": 2})

    left = "Not done, since a limit was reached: find book (title: Dune)."
    assert ended["answer"] == f"Emma: 2 free\nUlysses: 1 free\n\n{left}"
    assert (ended["outcome"], ended.limits) == ("partial", ["max_tool_calls"])
    assert ended.told("limit_reached")[0]["left_undone"] == ["find_3"]
