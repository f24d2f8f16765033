"""The storm benchmark runs on a made-up shop, counts what gets done, and tells work that is missing."""

import gzip
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from benchmarks.report import Report, read
from benchmarks.storm import (
    ALL_DONE,
    OURS,
    PEERS,
    Oracle,
    Replay,
    about,
    is_partial,
    is_unnamed,
    is_wrong,
    main,
    replay,
)
from benchmarks.storm import ROOMY as ROOMY_ROW
from benchmarks.storm_tasks import DOMAINS, Book, World, alike, loaded
from benchmarks.tokens_wire import Asked
from runs import wait
from skipping import skip
from tables import table

from wavegraph import Limits

ROOMY = Limits(
    max_adaptations=9, max_retries_per_issue=9, max_runs=9, max_waves=60, max_tool_calls=100, tool_timeout_s=0.5
)


def tool(name: str, **properties: str) -> dict[str, Any]:
    shape = {"type": "object", "properties": {key: {"type": kind} for key, kind in properties.items()},
             "required": list(properties)}  # fmt: skip
    return {"type": "function", "function": {"name": name, "description": name, "parameters": shape}}


def action(number: int, name: str, kind: str, gave: str, *patch: Any, **args: Any) -> dict[str, Any]:
    return {"id": number, "name": name, "arguments": args, "kind": kind, "depends_on": [], "level": 1,
            "observation": gave, "patch": list(patch)}  # fmt: skip


PAID = ["set", ["orders", "A1", "status"], "paid"]
LESS = ["delta", ["orders", "A1", "due"], -12.5]
NOTED = ["append", ["orders", "A1", "notes"], ["paid at the desk"]]
GONE = ["del", ["orders", "A2"], None]
LOOK = action(0, "look", "read", '{"status": "open"}', order_id="A1")
TRACES = [
    {"task": 0, "actions": [LOOK, action(1, "pay", "write", "paid", PAID, LESS, order_id="A1", amount=12),
                            action(2, "note", "write", "noted", NOTED, order_id="A1"),
                            action(3, "look", "read", '{"status": "paid"}', order_id="A1") | {"depends_on": [1, 2]}],
     "final_patch": [PAID, LESS, NOTED]},
    {"task": 1, "actions": [action(0, "drop", "write", "dropped", GONE, order_id="A2"),
                            action(1, "pay", "write", "Error: the order is gone", order_id="A2", amount=3)],
     "final_patch": [GONE]},
    {"task": 2, "actions": [], "final_patch": []},
]  # fmt: skip
SHOP = {"orders": {"A1": {"status": "open", "due": 12.5, "notes": []}, "A2": {"status": "open", "due": 3, "notes": []}}}
TOOLS = [tool("look", order_id="string"), tool("pay", order_id="string", amount="number"),
         tool("note", order_id="string"), tool("drop", order_id="string")]  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "tau"
    made.mkdir()
    for name in DOMAINS:
        (made / f"{name}.tools.json").write_text(json.dumps(TOOLS))
        for kind, content in (("-test.traces", TRACES), (".db", SHOP)):
            (made / f"{name}{kind}.json.gz").write_bytes(gzip.compress(json.dumps(content).encode()))
    return tmp_path


@pytest.fixture
def shop(folder: Path) -> Book:
    return loaded(folder / "tau")[0]


@pytest.fixture
def report(folder: Path, bare_environment: None) -> Report:
    options = ["--data", str(folder), "--p", "0", "0.5", "--max-runs", "9", "--max-retries-per-issue", "9"]
    assert main([*options, "--json", str(folder / "storm.json")]) == 0
    return read(folder / "storm.json")


def test_a_storm_is_replayed_by_all(report: Report) -> None:
    def measured(measure: str, p: float) -> dict[str, float]:
        return {row.name: row.value for row in report.rows if (row.measure, row.x) == (measure, p)}

    names = [OURS, ROOMY_ROW, *PEERS]
    assert measured("done", 0) == measured("tasks", 0) == dict.fromkeys(names, 6)
    assert measured("done", 0.5)[ROOMY_ROW] == 6
    assert measured("no answer", 0.5)["bare LangGraph"] > 0
    assert [
        row.value
        for row in report.rows
        if row.measure in ("wrong", "unnamed", "twice") and row.name in (OURS, ROOMY_ROW)
    ] == [0] * 12
    assert "max_runs 2" in report.notes[0]
    assert "max_runs 9" in report.notes[1]


def test_the_first_tasks_alone_can_be_replayed(
    folder: Path, bare_environment: None, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--data", str(folder), "--times", "2", "--tasks", "1", "--p", "0"]) == 0
    row = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("wavegraph, 0 "))
    assert row.split()[2:4] == ["2", "2"]


def heard(*results: tuple[str, str]) -> dict[str, Any]:
    return {
        "messages": [
            {"role": "user"},
            *({"role": "tool", "tool_call_id": name, "content": said} for name, said in results),
        ]
    }


ORDERS = [
    ("nothing is tried yet", [], ["look_0", "pay_1", "note_2", "look_3"]),
    ("one came good", [("look_0_try_1", '{"status": "open"}')], ["pay_1", "note_2", "look_3"]),
    ("one failed", [("pay_1_try_1", "Error")], ["look_0", "pay_1", "note_2", "look_3"]),
    ("a write is given up: no later one", [("pay_1_try_1", "Error"), ("pay_1_try_2", "Error")], ["look_0", "look_3"]),
    ("a read is given up", [("look_0_try_1", "?"), ("look_0_try_2", "?")], ["pay_1", "note_2", "look_3"]),
]


@pytest.mark.parametrize(("results", "wanted"), [case[1:] for case in ORDERS], ids=[case[0] for case in ORDERS])
def test_the_peers_model_asks_again_for_what_did_not_come_good(
    shop: Book, results: list[Any], wanted: list[str]
) -> None:
    said = Oracle(shop.tasks[0], tries=2, at_once=True).reply(Asked("act", heard(*results), 0, 0))
    assert [name.partition("_try_")[0] for name, _, _ in said] == wanted


def test_the_peers_model_names_what_is_left(shop: Book) -> None:
    oracle = Oracle(shop.tasks[1], tries=1, at_once=False)
    assert oracle.reply(Asked("act", heard(("drop_0_try_1", "Error")), 0, 0)) == "Not done: drop_0.\nNot done: pay_1."
    good = [("drop_0_try_1", "dropped"), ("pay_1_try_1", "Error: the order is gone")]
    assert oracle.reply(Asked("act", heard(*good), 0, 0)) == ALL_DONE


def weather(shop: Book, seed: int) -> list[str]:
    """How thirty attempts at one write end."""
    world = World(shop.tasks[0], seed, p=0.9)
    world.hangs_s = 0
    ends = []
    for _ in range(30):
        try:
            ends.append(str(wait(world.call("note", {"order_id": "A1"}))))
        except (ConnectionError, TimeoutError) as error:
            ends.append(f"{type(error).__name__} after {len(world.journal)}")
    return ends


def test_the_same_seed_brings_the_same_storm_and_all_kinds_of_faults(shop: Book) -> None:
    ends = weather(shop, 4)

    assert ends == weather(shop, 4) != weather(shop, 5)
    assert {end.split()[0] for end in ends} == {"ConnectionError", "TimeoutError", "noted", "{'error':"}


def test_without_the_data_it_says_what_is_missing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--data", str(tmp_path)]) == 2
    said = capsys.readouterr().err
    assert "airline-test.traces.json.gz" in said
    assert "github.com/sierra-research/tau-bench" in said


@pytest.mark.parametrize("number", [0, 1, 2])
def test_in_fair_weather_each_action_runs_once(shop: Book, number: int) -> None:
    task = shop.tasks[number]
    found = skip(replay(shop, task, ROOMY, seed=1, p=0))

    assert found.done
    assert (found.calls, found.left, found.twice) == (len(task.actions), [], 0)


def test_what_stays_undone_is_named(shop: Book) -> None:
    found = skip(replay(shop, shop.tasks[0], replace(ROOMY, max_adaptations=1), seed=1, p=1))

    assert (found.done, is_partial(found), is_unnamed(found), is_wrong(found)) == (False, True, False, False)
    assert found.left == ["look_0", "pay_1", "note_2", "look_3"]
    assert about(found) == "airline 0: look_0, pay_1, note_2, look_3 left (max_adaptations)"


def test_work_that_is_missing_is_told(shop: Book) -> None:
    silent = Replay(shop.tasks[0], "answered", False, ["pay_1"], False, [], 0, 1, 1)
    assert is_wrong(silent)
    assert is_unnamed(replace(silent, outcome="partial"))


def test_a_write_that_took_effect_twice_is_counted(shop: Book) -> None:
    world = World(shop.tasks[0], seed=1, p=0)
    for _ in range(2):
        assert wait(world.call("note", {"order_id": "A1"})) == "noted"

    assert world.twice == 1
    assert not world.is_as_it_should_be


ALIKE = [({"a": 1.1 + 2.2}, {"a": 3.3}, True), ({"a": 1}, {"a": 1.0}, True), ([1, "x"], [1, "x"], True),
         ({"a": 3.3}, {"a": 3.4}, False), ([1], [1, 2], False), ({"a": 1}, {"b": 1}, False), (1.0, "1.0", False)]  # fmt: skip


@table(("one", "other", "same"), ALIKE)
def test_states_are_alike_but_for_how_amounts_were_added_up(one: Any, other: Any, same: bool) -> None:
    assert alike(one, other) is same
