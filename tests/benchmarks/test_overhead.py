"""The overhead benchmark measures requests that all end in the same answer, and processes that do what they are named for."""

import asyncio
from pathlib import Path

import postgres_server
import pytest
from benchmarks import overhead_parts, overhead_starts
from benchmarks.checks import request
from benchmarks.overhead import RATIO, TIME, as_rows, goals, main, one_by_one, together
from benchmarks.overhead_graphs import AGENT, ANSWER, BARE, OURS, bare, contestant, contestants
from benchmarks.report import Row, read
from langchain_core.messages import ToolMessage
from langgraph.checkpoint.memory import InMemorySaver
from tables import table


def test_a_small_run_prints_and_writes_all_its_tables(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "figures.json"
    words = "--rounds 1 --calls 2 --at-once 3 --savers none sqlite --json"
    assert main([*words.split(), str(file)]) == 0
    written = read(file)
    tables = {row.table for row in written.rows}
    assert (written.benchmark, written.seed) == ("overhead", 1)
    assert tables == {"no saver, by calls", "no saver, at once", "SQLite, by calls", "SQLite, at once"}
    assert {(row.name, row.x) for row in written.rows if row.table == "SQLite, at once"} == {
        (name, 3) for name in (OURS, BARE, AGENT)
    }
    assert len(written.goals) == 3  # two to bare LangGraph, one to create_agent; nothing ran a hundred at once
    printed = capsys.readouterr().out
    assert all(name in printed for name in tables)


def test_without_a_server_postgres_is_left_out_with_the_reason(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(postgres_server, "binaries", lambda: None)
    assert main(["--rounds", "1", "--calls", "1", "--at-once", "--savers", "none", "postgresql"]) == 0
    printed = capsys.readouterr().out
    assert "PostgreSQL is left out: PostgreSQL's server (initdb, postgres) is not installed" in printed
    assert "no saver, by calls" in printed
    assert "PostgreSQL, by calls" not in printed


def test_ours_runs_every_call_and_asks_the_model_as_often_as_the_bare_graph() -> None:
    ended = asyncio.run(contestants(3, InMemorySaver())[OURS]())
    assert (ended["outcome"], ended["tools_executed"], ended["llm_calls"]) == ("answered", 3, 2)
    assert ended["answer_check"]["checked_by"] == "rules"


def test_the_judge_is_one_call_more() -> None:
    ended = asyncio.run(request(1, judged=True)())
    assert (ended["llm_calls"], ended["answer_check"]["satisfied"]) == (3, True)


def test_the_bare_graph_has_every_result() -> None:
    ended = asyncio.run(bare(3).compile().ainvoke({"messages": [("user", "how much?")]}))
    assert [each["left"] for each in ended["results"].values()] == [3, 3, 3]
    assert ended["answer"] == ANSWER


def test_on_one_thread_every_turn_calls_its_tools() -> None:
    async def turns() -> list[int]:
        ask = contestant(AGENT, 2, InMemorySaver(), thread="one")
        ended = [await ask() for _ in range(3)]
        return [sum(isinstance(each, ToolMessage) for each in turn["messages"]) for turn in ended]

    assert asyncio.run(turns()) == [2, 4, 6]


def test_a_ratio_says_how_much_more_ours_takes() -> None:
    rows = as_rows("some", {OURS: 6.0, BARE: 2.0}, 4)
    assert [row for row in rows if row.measure == RATIO] == [Row("some", BARE, RATIO, 3.0, "", 4)]


def ratios(table: str, peer: str, *values: float) -> list[Row]:
    return [
        row
        for x, value in zip((1, 4, 100), values, strict=False)
        for row in (Row(table, peer, RATIO, value, "", x), Row(table, peer, TIME, 10, "ms", x))
    ]


@table(
    ("rows", "ours", "met"),
    [
        (ratios(one_by_one("no saver"), BARE, 1.2, 1.8), "1.20 / 1.80 × (1 / 4 calls)", True),
        (ratios(one_by_one("no saver"), BARE, 1.804), "1.80 × (1 calls)", True),  # what is printed decides
        (ratios(one_by_one("no saver"), BARE, 1.2, 1.81), "1.20 / 1.81 × (1 / 4 calls)", False),
        (ratios(one_by_one("SQLite"), BARE, 1.31), "1.31 × (1 calls)", False),
        (ratios(one_by_one("PostgreSQL"), AGENT, 0.5), "0.50 × (1 calls)", True),
        (ratios(together("SQLite"), AGENT, 3, 2, 0.9), "0.90 ×", True),  # a hundred at once, not fewer
    ],
)
def test_a_goal_is_met_where_every_number_of_calls_meets_it(rows: list[Row], ours: str, met: bool) -> None:
    (goal,) = goals(rows)
    assert (goal.ours, goal.met, bool(goal.reason)) == (ours, met, True)


def test_a_request_is_counted_by_its_parts(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(overhead_parts, "REQUESTS", 1)
    assert overhead_parts.main(["--calls", "1"]) == 0
    rows = [line.split("|")[1:-1] for line in capsys.readouterr().out.splitlines() if line.startswith("|")]
    counts = {
        name.strip(): [float(count) for count in more] for name, *more in rows if name.strip() not in ("part", "---")
    }

    assert {"plan", "execute_wave", "validate", "respond", "check_answer", "routers", "the loop"} < counts.keys()
    ours, bare = counts["all of it"], counts["bare LangGraph"]
    assert ours[0] > 10 > bare[0]
    assert sum(ours) < 1.9 * sum(bare)


def test_the_first_event_of_a_request_is_held_against_an_import(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    took = {overhead_starts.IMPORT: 1000.0, overhead_starts.ASK: 1400.0}
    monkeypatch.setattr(overhead_starts, "STARTS", took)
    monkeypatch.setattr(overhead_starts, "started", lambda name, folder: took[name])
    assert overhead_starts.main(["--starts", "2"]) == 0
    assert capsys.readouterr().out.splitlines()[-1].split()[-5:] == ["1000", "ms", "1.40", "×", "yes"]


def test_a_process_that_fails_is_no_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(overhead_starts, "STARTS", {"nothing": "pass", "failing": "raise SystemExit(3)"})
    assert overhead_starts.started("nothing", str(tmp_path)) > 0
    with pytest.raises(RuntimeError, match="failing ended with status 3"):
        overhead_starts.started("failing", str(tmp_path))
