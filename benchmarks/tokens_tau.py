"""tau-bench: what a replay of its tasks asks of a model, and what a loop of parallel tool calls would.

Ours: each task's recorded calls in as few plans as references allow (`references_tau`), run by the real graph, which asks
the real client. Every call is written out with its recorded values, so that what was recorded comes back; the requests are
the same as with references in their place. The tools declare their results as they were recorded: without that no
planner could write a reference, so they are paid for.

Theirs: the policy, the tools' schemas and everything so far at every turn; a turn holds all calls whose arguments
need no call of the same turn (the recorded `level`), and a last one answers.
"""

import gzip
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Union

from benchmarks.references_tau import ALL, PARTS, TauCall, listed_values, plans, read_action
from benchmarks.tokens_requests import call, plan
from benchmarks.tokens_wire import Asked, Role, Wire, weight
from langchain_core.messages import HumanMessage
from langchain_core.tools import StructuredTool
from pydantic import BaseModel, Field, create_model
from pydantic_core import to_jsonable_python
from typing_extensions import TypedDict

from wavegraph import AnswerView, Domain, Limits, PlanningResult, PlanningView, build_graph, read, write
from wavegraph.graph.domain import DomainTool

FILES = tuple(f"tau/{part}{end}" for part in PARTS for end in ("-test.traces.json.gz", ".tools.json", ".wiki.md"))
ROOMY = Limits(max_waves=60, max_tool_calls=100)
"""For the longest task, of 20 calls."""
SIMPLE: Mapping[str, Any] = {"string": str, "integer": int, "number": float, "boolean": bool, "null": None}
ANSWER = "Everything you asked for is done."
Bytes = int


@dataclass(frozen=True)
class Task:
    words: str
    records: Sequence[Mapping[str, Any]]
    actions: Sequence[TauCall]


@dataclass(frozen=True)
class Shop:
    """One part of tau-bench."""

    name: str
    policy: str
    tools: Sequence[Mapping[str, Any]]
    tasks: Sequence[Task]


@dataclass(frozen=True)
class Count:
    calls: int
    sent: Bytes
    got: Bytes

    def __add__(self, other: "Count") -> "Count":
        return Count(self.calls + other.calls, self.sent + other.sent, self.got + other.got)


def shops(folder: Path) -> Iterator[Shop]:
    for part in PARTS:
        tools = json.loads((folder / f"tau/{part}.tools.json").read_text(encoding="utf-8"))
        records = json.loads(gzip.decompress((folder / f"tau/{part}-test.traces.json.gz").read_bytes()))
        policy = (folder / f"tau/{part}.wiki.md").read_text(encoding="utf-8")
        tasks = [_task(each, tools) for each in records]
        yield Shop(part, policy, tools, tasks)


def _task(record: Mapping[str, Any], tools: Sequence[Mapping[str, Any]]) -> Task:
    listed = listed_values(tools)
    return Task(record["instruction"], record["actions"], [read_action(each, listed) for each in record["actions"]])


# Theirs


def theirs(shop: Shop) -> Count:
    return sum((_turns(task, shop) for task in shop.tasks), Count(0, 0, 0))


def _turns(task: Task, shop: Shop) -> Count:
    system = {"role": "system", "content": shop.policy}
    history: list[Mapping[str, Any]] = [system, {"role": "user", "content": task.words}]
    count = Count(0, 0, 0)
    for level in sorted({each["level"] for each in task.records}):
        calls = [each for each in task.records if each["level"] == level]
        asked = [{"id": f"call_{each['id']}", "type": "function", "function": _function(each)} for each in calls]
        count += Count(1, _request(history, shop), weight({"tool_calls": asked}))
        results = (
            {"role": "tool", "tool_call_id": f"call_{each['id']}", "content": each["observation"]} for each in calls
        )
        history += [{"role": "assistant", "content": None, "tool_calls": asked}, *results]
    return count + Count(1, _request(history, shop), len(ANSWER))


def _function(record: Mapping[str, Any]) -> Mapping[str, str]:
    return {"name": record["name"], "arguments": json.dumps(record["arguments"], separators=(",", ":"))}


def _request(history: Sequence[Any], shop: Shop) -> Bytes:
    return weight({"messages": history, "model": "counted", "tools": shop.tools})


# Ours


async def ours(shop: Shop, wire: Wire) -> tuple[Count, Mapping[Role, Count]]:
    """All calls, and those of each role."""
    shapes = {name: _shape(results) for name, results in _results(shop.tasks).items()}
    asked = [each for task in shop.tasks for each in await _replayed(task, shop, shapes, wire)]
    roles = {each.role: Count(0, 0, 0) for each in asked}
    for each in asked:
        roles[each.role] += Count(1, each.sent, each.got)
    return sum(roles.values(), Count(0, 0, 0)), roles


async def _replayed(task: Task, shop: Shop, shapes: Mapping[str, Any], wire: Wire) -> list[Asked]:
    wire.asked.clear()
    left = plans(task.words, list(task.actions), ALL)
    numbers = iter(range(1, 100))

    def reply(asked: Asked) -> Any:
        if asked.role == "answer":
            return ANSWER
        calls = left.pop(0) if left else []
        made = [call(f"{each.tool}_{next(numbers)}", each.tool, **each.args) for each in calls]
        return plan(made, "continue" if left else "done") if made else {**plan([]), "reply": ANSWER}

    wire.script = reply
    tools = [_tool(each["function"], task, shop, shapes) for each in shop.tools]
    domain = Domain(name=shop.name, tools=tools, offline=Silent(), limits=ROOMY, prompts={"plan": shop.policy},
                    supports=lambda answer, view: [])  # fmt: skip
    graph = build_graph(domain, model=wire.model()).compile()
    ended = await graph.ainvoke({"messages": [HumanMessage(task.words)]}, context={"answer_check": "off"})
    assert not left, f"{task.words}: {left} not asked for; {ended['answer']}"
    return list(wire.asked)


class Silent:
    """Nothing is planned or told without the model."""

    def plan(self, view: PlanningView) -> PlanningResult:
        raise AssertionError("the model plans")

    def respond(self, view: AnswerView) -> str:
        raise AssertionError("the model answers")


def _tool(schema: Mapping[str, Any], task: Task, shop: Shop, shapes: Mapping[str, Any]) -> DomainTool:
    name = schema["name"]
    recorded = [each for each in task.actions if each.tool == name]

    async def run(**args: Any) -> Any:
        given = to_jsonable_python({key: value for key, value in args.items() if value is not None}, exclude_none=True)
        return next(each.result for each in recorded if each.args == given)

    fields = _fields(schema["parameters"], name)
    made = StructuredTool(
        name=name, description=schema["description"], args_schema=create_model(name, **fields), coroutine=run
    )
    writes = {each.tool for task in shop.tasks for each in task.actions if each.writes}
    return write(made, result=shapes.get(name, str)) if name in writes else read(made, result=shapes.get(name, str))


def _fields(schema: Mapping[str, Any], name: str) -> dict[str, Any]:
    needed = schema.get("required", [])
    found: dict[str, Any] = {}
    for key, about in schema["properties"].items():
        kind, described = _type(about, key), Field(description=about.get("description"))
        found[key] = (
            (kind, described) if key in needed else (kind | None, Field(None, description=about.get("description")))
        )
    return found


def _type(schema: Mapping[str, Any], name: str) -> Any:
    if "enum" in schema:
        return Literal[tuple(schema["enum"])]
    if schema["type"] == "array":
        return list[_type(schema["items"], name)]  # type: ignore[misc]
    if schema["type"] == "object":
        made: type[BaseModel] = create_model(name, **_fields(schema, name))
        return made
    return SIMPLE[schema["type"]]


def _results(tasks: Iterable[Task]) -> Mapping[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    for action in (each for task in tasks for each in task.actions):
        found.setdefault(action.tool, []).append(action.result)
    return found


def _shape(values: Sequence[Any]) -> Any:
    """A type that takes all the values: records by their fields' names, unless those are data."""
    kinds = [_shape_of(kind, [each for each in values if isinstance(each, kind)]) for kind in (dict, list)]
    kinds += dict.fromkeys(type(each) for each in values if not isinstance(each, dict | list))
    found = [each for each in kinds if each is not None]
    return Union[tuple(found)] if found else Any  # noqa: UP007  of a tuple


def _shape_of(kind: type, values: Sequence[Any]) -> Any:
    if not values:
        return None
    if kind is list:
        return list[_shape([each for value in values for each in value])]  # type: ignore[misc]
    keys = list(dict.fromkeys(key for value in values for key in value))
    if any(not re.fullmatch(r"[a-z_]+\d?", key) for key in keys):
        return dict[str, _shape([part for value in values for part in value.values()])]  # type: ignore[misc]
    fields = {key: _shape([value[key] for value in values if key in value]) for key in keys}
    return TypedDict("Recorded", fields, total=False)  # type: ignore[operator]
