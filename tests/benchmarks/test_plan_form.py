"""Weak models' habits: each is read rightly at once, or goes back with the way out; none is misread."""

from pathlib import Path

import pytest
from benchmarks.plan_form import STRICT, STRICT_READ, domains, main, sent_of
from benchmarks.plan_habits import HABITS, Habit, outcome

from wavegraph.graph.model import planner
from wavegraph.tools.hotel.domain import hotel_domain
from wavegraph.tools.roster.domain import roster_domain


def test_there_are_sixty() -> None:
    assert len({(each.group, each.name) for each in HABITS}) == len({each.written for each in HABITS}) == 60


@pytest.mark.parametrize("habit", HABITS, ids=lambda habit: f"{habit.group}: {habit.name}")
def test_a_habit_is_read_or_sent_back_with_the_way_out(habit: Habit) -> None:
    became, told = outcome(habit)
    assert became == ("second try, way out named" if habit.says else "read at once"), told


def test_the_record_counts_every_habit() -> None:
    for record in (STRICT, STRICT_READ):
        ends = ("read at once", "second try, way out named", "second try, way out not named", "misread")
        assert sum(record[each] for each in ends) == len(HABITS)


def test_the_page_on_models_says_what_is_measured() -> None:
    """Within what tools and their descriptions gain and lose."""
    page = (Path(__file__).parents[2] / "docs/start/models.md").read_text(encoding="utf-8")
    rows = {cells[1].strip(): cells[2:4] for line in page.splitlines() if len(cells := line.split("|")) == 5}
    for name, domain in (("hotel", hotel_domain(Path("-"))), ("roster", roster_domain(Path("-")))):
        tools = len(domain.registry)
        strict, flat = map(float, rows[f"form and list of tools, {name} ({tools} tools), kB"])
        assert (strict, flat) == pytest.approx(
            (STRICT[f"{name}, {tools} tools"] / 1000, sent_of(domain) / 1000), rel=0.05
        )
    assert [cell.strip() for cell in rows["habits of weak models, of 60: read at once"]] == [
        str(STRICT_READ["read at once"]), str(sum(not habit.says for habit in HABITS))
    ]  # fmt: skip


def test_the_tables(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--data", str(folder)]) == 0
    told = capsys.readouterr().out
    assert {name for name, _ in domains(folder)} >= {"hotel", "roster", "create_agent"}
    lines = {line.partition("  ")[0]: line.split() for line in told.splitlines()}
    assert lines["NESTFUL, plans"][-1] == lines["NESTFUL, unchanged"][-1] == "3"
    assert lines["tau-bench, plans"][-1] == lines["tau-bench, unchanged"][-1] != "0"
    assert lines["read at once"][-3:] == ["16", "45", "46"]
    assert lines["forbidden, or read at once"][-3:] == ["52", "57", "53"]
    assert "Of sixty habits of weak models 46 are read at once, 14" in (planner.__doc__ or "").replace("\n", " ")


def test_without_the_data_it_says_what_is_missing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--data", str(tmp_path)]) == 2
    assert "nestful/executable-data.json" in capsys.readouterr().err
