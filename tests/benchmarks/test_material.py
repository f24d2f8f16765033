"""The public material is recorded by the sources' own tools, as it is replayed later."""

import gzip
import json
import subprocess
import sys
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from benchmarks import material
from benchmarks.material import SOURCES, made_from, main
from benchmarks.material_tau import changes, depends_on
from benchmarks.storm_tasks import loaded
from tables import table

TOOLS = """
import json
class Get:
    def get_info(): return {"type": "function", "function": {"name": "get_order", "description": "", "parameters": {}}}
    def invoke(data, order_id): return json.dumps(data["orders"][order_id])
class Cancel:
    def get_info(): return {"type": "function", "function": {"name": "cancel_order", "description": "", "parameters": {}}}
    def invoke(data, order_id, item):
        order = data["orders"][order_id]
        order["status"], order["price"] = "cancelled", order["price"] - 2
        order["refunds"].append(item)
        return "done"
ALL_TOOLS = [Get, Cancel]
"""
DATA = "def load_data(): return {'orders': {'W1': {'status': 'open', 'price': 5, 'refunds': [], 'item': 'item77'}}}"
TASKS = """
from types import SimpleNamespace as S
TASKS = TASKS_TEST = [S(user_id="u1", instruction="Cancel order W1.", outputs=[], actions=[
    S(name="get_order", kwargs={"order_id": "W1"}), S(name="cancel_order", kwargs={"order_id": "W1", "item": "item77"})])]
"""
TICKETS = """
class TicketAPI:
    def _load_scenario(self, config, long_context): self.open, self._random = set(config["open"]), object()
    def count(self): return {"open": len(self.open)}
    def close(self, number): self.open.remove(number)
"""


@pytest.fixture(autouse=True)
def _own_modules() -> Iterator[None]:
    """What a source's packages leave among the modules goes again."""
    yield
    for name in [each for each in sys.modules if each.split(".")[0] in ("tau_bench", "bfcl_eval")]:
        del sys.modules[name]


def written(folder: Path, name: str, text: str) -> None:
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text, encoding="utf-8")


def unpacked(file: Path) -> Any:
    return json.loads(gzip.decompress(file.read_bytes()))


def test_tau_bench_is_recorded_as_it_is_replayed(tmp_path: Path) -> None:
    for shop in ("airline", "retail"):
        of = f"tau_bench/envs/{shop}"
        for name, text in (
            ("tools/__init__.py", TOOLS),
            ("data/__init__.py", DATA),
            ("tasks_test.py", TASKS),
            ("wiki.md", "Be kind."),
        ):
            written(tmp_path, f"{of}/{name}", text)
    made_from(SOURCES["tau"], tmp_path, tmp_path / "made")
    (trace,) = unpacked(tmp_path / "made/retail-test.traces.json.gz")
    read, cancel = trace["actions"]

    assert (read["kind"], read["depends_on"], read["level"], read["patch"]) == ("read", [], 1, [])
    assert json.loads(read["observation"])["item"] == "item77"
    assert (cancel["kind"], cancel["depends_on"], cancel["level"], cancel["observation"]) == ("write", [0], 2, "done")
    assert cancel["patch"] == trace["final_patch"] == [
        ["set", ["orders", "W1", "status"], "cancelled"], ["delta", ["orders", "W1", "price"], -2],
        ["append", ["orders", "W1", "refunds"], ["item77"]],
    ]  # fmt: skip
    book = loaded(tmp_path / "made")[1]
    assert (book.policy, book.tasks[0].after) == ("Be kind.", {"orders": {"W1": {
        "status": "cancelled", "price": 3, "refunds": ["item77"], "item": "item77"}}})  # fmt: skip


def act(number: int, kind: str, observation: Any = "", **arguments: Any) -> dict[str, Any]:
    return {"id": number, "kind": kind, "arguments": arguments, "observation": json.dumps(observation)}


@table(
    ("action", "needs"),
    [
        (act(3, "read", item="said before"), []),
        (act(3, "read", item="given"), [0]),  # the first that gave it
        (act(3, "read", items=[{"id": "given"}, {"id": "late"}]), [0, 1]),
        (act(3, "read", place="USA"), []),  # too short to tell where it comes from
        (act(3, "read", order_id="W1"), [2]),  # what a write changed is read after it
        (act(3, "write", order_id="W1"), [1, 2]),
        (act(3, "write", order_id="W2"), []),
        (act(3, "terminate", summary="given"), [0, 1, 2]),
    ],
)
def test_a_call_needs_what_gave_its_values_and_what_writes_its_record(action: dict[str, Any], needs: list[int]) -> None:
    before = [
        act(0, "read", {"given": "USA"}),
        act(1, "read", ["given", "late"], order_id="W1"),
        act(2, "write", order_id="W1"),
    ]
    assert depends_on(action, before, "Said before: W1 and W2.") == needs


@table(
    ("before", "after", "found"),
    [
        ({"a": 1}, {"a": 1}, []),
        ({"a": 1}, {"b": None}, [["del", ["a"], None], ["set", ["b"], None]]),
        ({"a": 1.5}, {"a": 1}, [["delta", ["a"], -0.5]]),
        ({"a": True}, {"a": False}, [["set", ["a"], False]]),
        ({"a": [1, {"b": "x"}]}, {"a": [1, {"b": "y"}]}, [["set", ["a", 1, "b"], "y"]]),
        ({"a": [1]}, {"a": [1, 2, 3]}, [["append", ["a"], [2, 3]]]),
        ({"a": [1, 2]}, {"a": [2]}, [["set", ["a"], [2]]]),
        ({"a": {}}, {"a": []}, [["set", ["a"], []]]),
    ],
)
def test_a_change_is_said_by_its_parts(before: Any, after: Any, found: list[Any]) -> None:
    held = deepcopy(before)
    assert list(changes(before, after)) == found
    assert before == held


@pytest.mark.parametrize(
    ("calls", "results", "sensitive"),
    [
        (["count()", "count()"], [{"open": 2}, {"open": 2}], False),
        (["count()", "close('a')"], [{"open": 2}, None], True),
        (["close('a')", "close('b')"], [None, None], False),
        (["close('c')"], ["Error during execution: 'c'"], False),
    ],
)
def test_bfcl_is_recorded_and_its_order_tried(
    tmp_path: Path, calls: list[str], results: list[Any], sensitive: bool
) -> None:
    question = {"id": "d1", "question": [[{"role": "user", "content": "Do it."}]], "involved_classes": ["TicketAPI"],
                "initial_config": {"TicketAPI": {"open": ["a", "b"]}}}  # fmt: skip
    data = "bfcl_eval/data"
    written(tmp_path, f"{data}/BFCL_v4_multi_turn_base.json", json.dumps(question))
    truth = {"id": "d1", "ground_truth": [calls]}
    written(tmp_path, f"{data}/possible_answer/BFCL_v4_multi_turn_base.json", json.dumps(truth))
    tools = "bfcl_eval/eval_checker/multi_turn_eval/func_source_code"
    written(tmp_path, f"{tools}/ticket_api.py", TICKETS)
    made_from(SOURCES["bfcl"], tmp_path, tmp_path / "made")
    (dialogue,) = unpacked(tmp_path / "made/multi_turn_base.traces.json.gz")

    assert dialogue["turns"] == [{"user": "Do it.", "calls": calls, "results": results}]
    assert dialogue["order_sensitive"] is sensitive
    open_now = sorted({"a", "b"} - {call[7] for call in calls if call.startswith("close")})
    assert json.loads(dialogue["final_state"]) == {"TicketAPI": {"open": open_now}}


def git(folder: Path, *words: str) -> str:
    own = ["-c", "user.name=a", "-c", "user.email=a@example.com"]
    return subprocess.run(["git", *own, *words], cwd=folder, check=True, capture_output=True, text=True).stdout.strip()


def test_a_part_is_taken_at_its_commit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    git(tmp_path, "init", "--quiet", "source")
    written(tmp_path / "source", "data/one/a-data.json", "[1]")
    for change in ("add", "change"):
        git(tmp_path / "source", "add", ".")
        git(tmp_path / "source", "commit", "--quiet", "-m", change)
        written(tmp_path / "source", "data/one/a-data.json", "[2]")
    first = git(tmp_path / "source", "rev-list", "--max-parents=0", "HEAD")
    monkeypatch.setitem(material.SOURCES, "nestful", replace(SOURCES["nestful"], commit=first))

    assert main([str(tmp_path / "made"), "--parts", "nestful", "--from", f"nestful={tmp_path / 'source'}"]) == 0
    assert (tmp_path / "made/nestful/a-data.json").read_text() == "[1]"
    assert first in capsys.readouterr().out


def test_what_its_tools_need_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(material.SOURCES, "bfcl", replace(SOURCES["bfcl"], needs="no_such_module"))
    assert main([str(tmp_path), "--parts", "bfcl"]) == 2
    assert "bfcl: its tools need no_such_module, which is not installed" in capsys.readouterr().err
