"""What references save and refuse, counted on tasks that are small enough to count by hand."""

import gzip
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from benchmarks.references import main
from benchmarks.references_nestful import FILES, PARTS, figures, tasks
from benchmarks.references_tau import ALL, PLAIN, Forms, TauCall, planning_calls
from tables import table


def test_what_is_missing_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--data", str(tmp_path)]) == 2
    told = capsys.readouterr().err
    assert "nestful/executable-data.json" in told
    assert "tau/retail.tools.json" in told


# NESTFUL

SPEC = [
    {
        "name": "find",
        "query_parameters": {"q": {}},
        "output_parameters": {"id": {"type": "string"}, "open": {"type": "object"}},
    },
    {
        "name": "buy",
        "parameters": {"properties": {"id": {}}},
        "output_parameters": {"properties": {"price": {"type": "number"}}},
    },
]


def step(label: str, name: str, **arguments: Any) -> dict[str, Any]:
    return {"label": label, "name": name, "arguments": arguments}


FIND = step("var1", "find", q="pen")
RECORDS = [
    {"output": [FIND, step("var2", "buy", id="$var1.id$"), {"name": "var_result", "arguments": {"a": "$var1$"}}]},
    {"output": [FIND, step("var2", "buy", id="$var1.open.what[0].ever$")]},
    {"output": [FIND, step("var2", "buy", id="no. {$var1.id$}")]},
    {"output": [FIND, step("var2", "buy", id="$var1.undeclared$")]},
    {"output": [FIND, step("var2", "sell", id="$var1.id$")]},
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "nestful").mkdir()
    (tmp_path / "tau").mkdir()
    for name in FILES:
        made = SPEC if "spec" in name else RECORDS if name.endswith(f"{PARTS[0]}-data.json") else []
        (tmp_path / name).write_text(json.dumps(made))
    task = {"instruction": "Cancel my orders, I am Ada", "actions": RECORDED}
    for part in ("retail", "airline"):
        (tmp_path / f"tau/{part}.tools.json").write_text("[]")
        with gzip.open(tmp_path / f"tau/{part}-test.traces.json.gz", "wt") as file:
            json.dump([task] if part == "retail" else [], file)
    return tmp_path


def test_wrong_fields_are_refused_and_declared_ones_are_not(folder: Path) -> None:
    found = figures(list(tasks(folder)))
    assert (found.tasks, found.right, found.alarms) == (5, 3, 0)
    assert (found.refused, found.named) == (5, 5)
    assert (found.plain, found.all_forms) == (6, 5)
    assert found.otherwise == []


# tau-bench


def record(name: str, result: Any, kind: str = "read", /, **arguments: Any) -> dict[str, Any]:
    return {
        "name": name,
        "arguments": arguments,
        "kind": kind,
        "observation": result if isinstance(result, str) else json.dumps(result),
    }


RECORDED = [
    record("find_user", "ada_1", name="Ada"),
    record("get_user", {"orders": ["#W11", "#W22"]}, user_id="ada_1"),
    record("cancel", "done", "write", order_id="#W11"),
    record("cancel", "done", "write", order_id="#W22"),
]


def test_all_is_printed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--data", str(folder)]) == 0
    told = capsys.readouterr().out
    assert "5 of 5 refused" in told
    assert "11 → 10" in told
    assert "3 → 2 (choices alone 3, texts alone 3, each alone 2)" in told
    assert "100 calls, a chain" in told


@dataclass(frozen=True)
class Case:
    id: str
    words: str
    actions: list[TauCall]
    plain: int
    """Planning calls."""
    all_forms: int


def act(result: Any, /, tool: str = "look", *, writes: bool = False, **args: Any) -> TauCall:
    return TauCall(tool, args, result, writes, frozenset({"listed"}))


ITEMS = {"items": [{"name": "pen", "id": "i-1"}, {"name": "ink", "id": "i-2"}, {"name": "ink", "id": "i-3"}]}
CASES = [
    Case("nothing to call", "Hello", [], 1, 1),
    Case("all in the words", "pen 7", [act(1, q="pen"), act(2, q=7)], 1, 1),
    Case("a whole result", "pen", [act("x-1", q="pen"), act(2, q="x-1")], 1, 1),
    Case("a field", "pen", [act({"a": {"id": "x-1"}}, q="pen"), act(2, q="x-1")], 1, 1),
    Case("a choice", "the pen", [act(ITEMS, q="all"), act(2, q="i-1")], 2, 1),
    Case("a choice that tells nothing apart", "the ink", [act(ITEMS, q="all"), act(2, q="i-3")], 2, 2),
    Case("a choice by what nobody said", "that", [act(ITEMS, q="all"), act(2, q="i-1")], 2, 2),
    Case("the only element", "it", [act({"items": ["i-1"]}, q="all"), act(2, q="i-1")], 1, 1),
    Case("a key that is data", "it", [act({"77": {"id": "x-1"}}, q="all"), act(2, q="x-1")], 2, 2),
    Case("a text", "pen", [act({"id": "x-1"}, q="pen"), act(2, q="no. x-1!")], 2, 1),
    Case("a word of another word", "pen", [act({"id": "x-1"}, q="pen"), act(2, q="x-12")], 1, 1),
    Case("what no result holds", "pen", [act({"id": "x-1"}, q="pen"), act(2, q="made up", b=True, c="listed")], 1, 1),
    Case("reads of some elements", "all", [act(["a-1", "a-2", "a-3"]), act(1, q="a-1"), act(2, q="a-3")], 2, 1),
    Case("writes of some elements", "all", [act(["a-1", "a-2", "a-3"]), act(1, writes=True, q="a-1")], 2, 2),
    Case("writes of all elements", "all", [act(["a-1", "a-2"]), *(act(1, writes=True, q=f"a-{n}") for n in (1, 2))], 2, 1),
    Case("of what each gave, nobody knows which", "all",
         [act(["a-1", "a-2"]), act({"id": "b-1"}, q="a-1"), act({"id": "b-2"}, q="a-2"), act(1, tool="other", q="b-2")], 2, 2),
]  # fmt: skip


@table("case", CASES)
def test_planning_calls_are_counted(case: Case) -> None:
    assert [planning_calls(case.words, case.actions, forms) for forms in (PLAIN, ALL)] == [case.plain, case.all_forms]


def test_each_form_is_counted_by_itself() -> None:
    actions = [act({"id": "x-1"}, q="pen"), act(2, q="no. x-1!")]
    alone = [
        Forms(choices=a, texts=b, each=c)
        for a, b, c in ((True, False, False), (False, True, False), (False, False, True))
    ]
    assert [planning_calls("pen", actions, forms) for forms in alone] == [2, 1, 2]
