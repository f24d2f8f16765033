"""The overhead benchmark measures requests that all end in the same answer, and processes that do what they are named for."""

import asyncio
import json
from pathlib import Path

import pytest
from benchmarks import overhead_starts
from benchmarks.overhead import Row, as_ratios, main, table
from benchmarks.overhead_graphs import ANSWER, bare, contestants
from langgraph.checkpoint.memory import InMemorySaver


@pytest.fixture(autouse=True)
def _bare(bare_environment: None) -> None:
    """No model but the scripted one is asked."""


def test_a_small_run_prints_and_writes_all_its_tables(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "figures.json"
    assert main(["--rounds", "1", "--starts", "0", "--calls", "2", "--json", str(file)]) == 0
    written = json.loads(file.read_text())
    assert {"seed", "python", "langgraph", "langchain"} <= written["about"].keys()
    tables = {row["table"] for row in written["rows"]}
    assert tables == {"2 calls, no saver", "2 calls, SQLite"}
    assert {"wavegraph", "wavegraph, judged", "bare LangGraph"} <= {row["name"] for row in written["rows"]}
    printed = capsys.readouterr().out
    assert all(name in printed for name in tables)


def test_ours_runs_every_call_and_asks_the_model_as_often_as_the_bare_graph() -> None:
    ended = asyncio.run(contestants(3, InMemorySaver())["wavegraph"]())
    assert (ended["outcome"], ended["tools_executed"], ended["llm_calls"]) == ("answered", 3, 2)
    assert ended["answer_check"]["checked_by"] == "rules"


def test_the_judge_is_one_call_more() -> None:
    ended = asyncio.run(contestants(1, None)["wavegraph, judged"]())
    assert (ended["llm_calls"], ended["answer_check"]["satisfied"]) == (3, True)


def test_the_bare_graph_has_every_result() -> None:
    ended = asyncio.run(bare(3).compile().ainvoke({"messages": [("user", "how much?")]}))
    assert [each["left"] for each in ended["results"].values()] == [3, 3, 3]
    assert ended["answer"] == ANSWER


def test_a_ratio_says_how_much_more_ours_takes() -> None:
    rows = as_ratios("some", {"wavegraph": 6.0, "bare LangGraph": 2.0})
    assert [row.ratio for row in rows] == [1.0, 3.0]
    assert table([*rows, Row("start", "import", 9.0, 1.0)])[-1].split() == ["import", "9.00", "1.00"]


def test_a_process_that_fails_is_no_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(overhead_starts, "STARTS", {"nothing": "pass", "failing": "raise SystemExit(3)"})
    assert overhead_starts.started("nothing", str(tmp_path)) > 0
    with pytest.raises(RuntimeError, match="failing ended with status 3"):
        overhead_starts.started("failing", str(tmp_path))
