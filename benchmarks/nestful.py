"""NESTFUL: right plans run, and broken ones refused before anything runs, beside a plain plan-and-execute graph.

    python -m benchmarks.nestful [--data FOLDER] [--tasks 300] [--json FILE] [--seed 1]

`FOLDER` holds `nestful/` (IBM/NESTFUL: requests with their plans, and specifications of the tools). An oracle hands over the plan of
each request, whole; then, for each kind of `KINDS`, the plan broken in one place that the seed draws. Both contestants get the same
calls. A plan is refused in time if none of its calls has run when the contestant gives up; a plan that cites a field or tool which the
specification lacks is broken as it was published, and counted by itself.

Tools give made-up results: the declared fields, and in right plans what the plan refers to, each value naming its place, so a
wrong reference would show. An argument has the types that it has as a literal anywhere in the data (where it is also given by
reference, any but an object), and is required where every call gives it. The oracle sends a plan once more, unchanged, when it
comes back. Nothing is measured of who writes better plans.
"""

import argparse
import asyncio
import json
import logging
import re
import sys
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.peers import plan_and_execute
from benchmarks.references_nestful import (
    FILES,
    Spec,
    fields_declared,
    is_declared,
    parts,
    planned,
    result_type,
    with_wrong_field,
)
from benchmarks.report import DATA, ORACLE, Goal, Report, Row, add_options, forget_settings, parser_of, told
from benchmarks.tau_tools import given_of, shape
from benchmarks.tokens_wire import ToolCalls, Wire
from langchain_core.messages import HumanMessage
from langchain_core.tools import StructuredTool
from pydantic import Field, TypeAdapter, ValidationError, create_model

from wavegraph import AnswerView, Domain, Limits, PlanningResult, PlanningView, build_graph, read
from wavegraph.graph.references.paths import references
from wavegraph.graph.state import ToolCall

OURS, THEIRS = "wavegraph", "plan-and-execute"
REFUSED_RIGHT = (
    "a plan that puts a list into the middle of a text is refused: what its author wants to read there is not known"
)
ANSWER = "Done."
WHERE = "NESTFUL is at github.com/IBM/NESTFUL (Apache-2.0)"
VALUES: Mapping[str, Any] = {"number": 1.5, "float": 1.5, "integer": 7, "boolean": True}
PLAIN_VALUE: Any = str | int | float | bool | list[Any]
NOT_A_VALUE: Mapping[str, Any] = {"of": {"nothing": True}}
Calls = list[ToolCall]


@dataclass(frozen=True)
class Task:
    name: str
    calls: Calls
    is_declared: bool
    """Whether the specification holds every tool and field of the plan."""


@dataclass
class Desk:
    """The tools of one part, and what was called of them."""

    spec: Spec
    tasks: Sequence[Task]
    fields: Mapping[str, Mapping[str, Any]]
    """Each tool's arguments, as pydantic takes them."""
    results: Mapping[str, Any] = field(default_factory=dict)
    """Of the plan in work, by call."""
    calls: Calls = field(default_factory=list)
    """The right plan in work: what its calls give is made up."""
    plan: Calls = field(default_factory=list)
    """The same, or broken: what is run."""
    made: list[tuple[str, Mapping[str, Any]]] = field(default_factory=list)

    def tools(self) -> list[StructuredTool]:
        return [self._tool(name) for name in self.spec]

    def _tool(self, name: str) -> StructuredTool:
        async def run(**args: Any) -> Any:
            given = given_of(args)
            self.made.append((name, given))
            return self._result(name, given)

        arguments = create_model("Arguments", **self.fields[name])
        return StructuredTool(name=name, description=name, args_schema=arguments, coroutine=run)

    def _result(self, name: str, given: Mapping[str, Any]) -> Any:
        """Of the call of the plan that these arguments make, else of any of the tool."""
        named = [each["id"] for each in self.calls if each["tool"] == name]
        return next(
            (self.results[each] for each in named if resolved(self._args(each), self.results) == given),
            self.results[named[0]],
        )

    def _args(self, name: str) -> Mapping[str, Any]:
        return next(each["args"] for each in self.calls if each["id"] == name)

    def begin(self, calls: Calls, plan: Calls) -> None:
        self.calls, self.plan, self.made = calls, plan, []
        self.results = made_up(calls, self.spec)


def desks(folder: Path, most: int = sys.maxsize) -> Iterator[Desk]:
    number = 0
    for spec, records in parts(folder):
        plans = [planned(each) for each in records]
        tasks = [Task(f"{number + place}", calls, is_declared(calls, spec)) for place, calls in enumerate(plans)]
        yield Desk(spec, tasks[: max(0, most - number)], arguments(spec, [call for calls in plans for call in calls]))
        number += len(tasks)


def arguments(spec: Spec, calls: Sequence[ToolCall]) -> dict[str, dict[str, Any]]:
    return {name: _arguments([each["args"] for each in calls if each["tool"] == name]) for name in spec}


def _arguments(given: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for name in dict.fromkeys(each for args in given for each in args):
        values = [args[name] for args in given if name in args]
        kind = _kind(values)
        fields[name] = (kind, Field()) if len(values) == len(given) else (kind | None if kind is not Any else Any, None)
    return fields


def _kind(values: Sequence[Any]) -> Any:
    """The types of the literals; where references stand too, any value but an object, and any at all for a whole result."""
    paths = [path for each in values for _, path in references(each)]
    return (PLAIN_VALUE if all(paths) else Any) if paths else shape(values)


# What the tools give


def made_up(calls: Calls, spec: Spec) -> dict[str, Any]:
    """The declared fields of each call's result, and what the plan refers to in it."""
    results = {each["id"]: _declared(spec.get(each["tool"], {}), each["id"]) for each in calls}
    for target, path in (found for call in calls for found in references(call["args"])):
        if path and target in results:
            results[target] = _reaching(results[target], path, f"{target}.{path}")
    return results


def _declared(api: Mapping[str, Any], name: str) -> Any:
    given = api.get("output_parameters") or {}
    return _record(fields_declared(given), name) if given else {}


def _record(fields: Mapping[str, Any], name: str) -> dict[str, Any]:
    return {each: _value(about, f"{name}.{each}") for each, about in fields.items()}


def _value(about: Any, name: str) -> Any:
    kind = str(about.get("type", "") if isinstance(about, dict) else about).lower()
    if kind == "object":
        return _record(about.get("properties") or {}, name) if isinstance(about, dict) else {}
    return [] if kind == "array" else VALUES.get(kind, name)


def _reaching(data: Any, path: str, value: Any) -> Any:
    """The data, with the value at the path where nothing stands there."""
    step, rest = re.findall(r"^(\[\d+\]|[^.\[]+)\.?(.*)$", path, re.DOTALL)[0]
    if step.startswith("["):
        held, place = list(data) if isinstance(data, list) else [], int(step[1:-1])
        held += [None] * (place + 1 - len(held))
        held[place] = _reaching(held[place], rest, value) if rest else value if held[place] is None else held[place]
        return held
    record = dict(data) if isinstance(data, dict) else {}
    record[step] = _reaching(record.get(step), rest, value) if rest else record.get(step, value)
    return record


def resolved(value: Any, results: Mapping[str, Any]) -> Any:
    """Arguments with what they refer to; by no code of a contestant."""
    match value:
        case {"ref": {"call": str() as call, "path": str() as path}}:
            data: Any = results[call]
            for name, index in re.findall(r"([^.\[\]]+)|\[(\d+)\]", path):
                data = data[int(index)] if index else data[name]
            return data
        case {"text": str() as text, "with": dict() as named}:
            return text.format(**{name: resolved(part, results) for name, part in named.items()})
        case dict():
            return {name: resolved(part, results) for name, part in value.items()}
        case list():
            return [resolved(part, results) for part in value]
    return value


# Broken plans; empty = this one can't be broken so


def with_unknown_tool(calls: Calls, desk: Desk, chance: Random) -> Calls:
    broken = deepcopy(calls)
    chance.choice(broken)["tool"] += "_of_nothing"
    return broken


def with_missing_argument(calls: Calls, desk: Desk, chance: Random) -> Calls:
    return _changed(calls, desk, chance, _is_required, lambda args, name: args.pop(name))


def with_ill_typed_argument(calls: Calls, desk: Desk, chance: Random) -> Calls:
    return _changed(calls, desk, chance, _is_typed, lambda args, name: args.update({name: NOT_A_VALUE}))


def _changed(
    calls: Calls,
    desk: Desk,
    chance: Random,
    may: Callable[[ToolCall, str, Desk], bool],
    change: Callable[[dict[str, Any], str], Any],
) -> Calls:
    """One argument changed, of those that may be."""
    broken = deepcopy(calls)
    places = [(call, name) for call in broken for name in call["args"] if may(call, name, desk)]
    if not places:
        return []
    call, name = chance.choice(places)
    change(call["args"], name)
    return broken


def _is_required(call: ToolCall, name: str, desk: Desk) -> bool:
    return call["tool"] in desk.fields and desk.fields[call["tool"]][name][1] is not None


def _is_typed(call: ToolCall, name: str, desk: Desk) -> bool:
    if call["tool"] not in desk.fields:
        return False
    return not _takes(desk.fields[call["tool"]][name][0], NOT_A_VALUE)


def _takes(kind: Any, value: Any) -> bool:
    try:
        TypeAdapter(kind).validate_python(value)
    except ValidationError:
        return False
    return True


def with_dangling_reference(calls: Calls, desk: Desk, chance: Random) -> Calls:
    """To a call that is not in the plan."""
    target = chance.choice([target for call in calls for target, _ in references(call["args"])])
    return list(json.loads(json.dumps(calls).replace(f'"call": "{target}"', '"call": "var99"', 1)))


def with_cycle(calls: Calls, desk: Desk, chance: Random) -> Calls:
    """A call that another one refers to refers back to it."""
    broken = deepcopy(calls)
    named = {each["id"]: each for each in broken}
    pairs = [(named[target], call) for call in broken for target, _ in references(call["args"]) if target in named]
    target, call = chance.choice([(one, other) for one, other in pairs if one["args"]] or pairs)
    name = chance.choice(sorted(target["args"]) or ["of"])
    target["args"][name] = {"ref": {"call": call["id"], "path": ""}}
    return broken


def with_unknown_field(calls: Calls, desk: Desk, chance: Random) -> Calls:
    return with_wrong_field(calls, set(desk.spec))


KINDS: Mapping[str, Callable[[Calls, Desk, Random], Calls]] = {
    "unknown tool": with_unknown_tool,
    "missing argument": with_missing_argument,
    "ill-typed argument": with_ill_typed_argument,
    "reference to no call": with_dangling_reference,
    "circular references": with_cycle,
    "unknown field of a result": with_unknown_field,
}


# The contestants


@dataclass(frozen=True)
class Ran:
    """What came of one plan."""

    calls: Sequence[tuple[str, Mapping[str, Any]]]
    gave_up: bool
    why: str = ""

    @property
    def refused_in_time(self) -> bool:
        return self.gave_up and not self.calls

    def is_right(self, expected: Sequence[tuple[str, Mapping[str, Any]]]) -> bool:
        """Who runs equal calls twice is not wrong, and who runs them once is not either."""
        return not self.gave_up and set(map(repr_of, self.calls)) == set(map(repr_of, expected))


def repr_of(call: tuple[str, Mapping[str, Any]]) -> str:
    return json.dumps(call, sort_keys=True)


class Hander:
    """Hands over the desk's plan, again where it comes back; once it has run, there is nothing more to do."""

    name = "oracle"

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    async def plan(self, view: PlanningView) -> PlanningResult:
        tools = [] if view.ledger["outcomes"] else deepcopy(self._desk.plan)
        return {"status": "done", "action": "do", "reasoning": "the gold plan", "slots": {}, "tools": tools,
                "reply": None if tools else ANSWER}  # fmt: skip


class Teller:
    """Answers. The planning is the oracle's."""

    def plan(self, view: PlanningView) -> PlanningResult:
        raise AssertionError("the oracle plans")

    def respond(self, view: AnswerView) -> str:
        return ANSWER


Run = Callable[[], Awaitable[Ran]]
"""Runs the desk's plan."""


def ours(desk: Desk) -> Run:
    tools = [read(each, result=result_type(desk.spec[each.name])) for each in desk.tools()]
    domain = Domain(name="nestful", tools=tools, offline=Teller(), limits=Limits(max_waves=60, max_tool_calls=100))  # fmt: skip
    graph = build_graph(domain, planner=Hander(desk)).compile()

    async def run() -> Ran:
        ended = await graph.ainvoke({"messages": [HumanMessage("Do it.")]})
        return Ran(desk.made, ended["outcome"] != "answered", "; ".join(each["message"] for each in ended["issues"]))

    return run


def theirs(desk: Desk) -> Run:
    wire = Wire()
    graph = plan_and_execute(wire.model_in_memory(), desk.tools(), "Do what the person asks.")

    async def run() -> Ran:
        planned = ToolCalls((each["id"], each["tool"], each["args"]) for each in desk.plan)
        wire.script = lambda asked: planned if asked.body["messages"][-1]["role"] == "user" else ANSWER
        try:
            await graph.ainvoke({"messages": [HumanMessage("Do it.")]})
        except (LookupError, TypeError, ValueError):  # the tool's, the graph's or pydantic's own
            return Ran(desk.made, True)
        return Ran(desk.made, False)

    return run


BUILDS: Mapping[str, Callable[[Desk], Run]] = {OURS: ours, THEIRS: theirs}


# The figures


@dataclass
class Found:
    right: int = 0
    """Plans of declared fields that ran with the right arguments."""
    not_run: list[str] = field(default_factory=list)
    """The others of these, and why."""
    lacking: int = 0
    """Plans that cite what the specification lacks, refused in time."""
    plans: dict[str, int] = field(default_factory=lambda: dict.fromkeys(KINDS, 0))
    """That could be broken so."""
    refused: dict[str, int] = field(default_factory=lambda: dict.fromkeys(KINDS, 0))
    calls: dict[str, int] = field(default_factory=lambda: dict.fromkeys(KINDS, 0))
    """Calls that ran of broken plans."""
    accepted: dict[str, int] = field(default_factory=lambda: dict.fromkeys(KINDS, 0))
    """Broken plans that were run as if nothing were wrong."""


async def figures(every: Sequence[Desk], build: Callable[[Desk], Run], seed: int) -> Found:
    found = Found()
    for desk in every:
        run = build(desk)
        for task in desk.tasks:
            await _right(task, desk, run, found)
            for kind, with_fault in KINDS.items():
                calls = with_fault(task.calls, desk, Random(f"{seed} {task.name} {kind}"))
                if not calls:
                    continue
                desk.begin(task.calls, calls)
                ran = await run()
                found.plans[kind] += 1
                found.refused[kind] += ran.refused_in_time
                found.calls[kind] += len(ran.calls)
                found.accepted[kind] += not ran.gave_up
    return found


async def _right(task: Task, desk: Desk, run: Run, found: Found) -> None:
    desk.begin(task.calls, task.calls)
    ran = await run()
    if task.is_declared:
        is_right = ran.is_right([(each["tool"], resolved(each["args"], desk.results)) for each in task.calls])
        found.right += is_right
        found.not_run += [] if is_right else [f"plan {task.name}: {ran.why or 'wrong calls'}"]
    else:
        found.lacking += ran.refused_in_time


def rows(name: str, found: Found, every: Sequence[Desk]) -> Iterator[Row]:
    tasks = [task for desk in every for task in desk.tasks]
    table = "NESTFUL, plans as published"
    yield Row(table, name, "of declared fields", sum(task.is_declared for task in tasks))
    yield Row(table, name, "ran rightly", found.right)
    yield Row(table, name, "of others", sum(not task.is_declared for task in tasks))
    yield Row(table, name, "refused in time", found.lacking)
    for kind in KINDS:
        table = f"NESTFUL, broken: {kind}"
        yield Row(table, name, "plans", found.plans[kind])
        yield Row(table, name, "refused in time", found.refused[kind])
        yield Row(table, name, "run to the end", found.accepted[kind])
        yield Row(table, name, "calls run", found.calls[kind])


def goals(found: Mapping[str, Found], every: Sequence[Desk]) -> list[Goal]:
    declared = sum(task.is_declared for desk in every for task in desk.tasks)

    def refused(name: str) -> int:
        return sum(found[name].refused.values())

    broken = sum(found[OURS].plans.values())
    return [
        Goal(f"NESTFUL, all {broken} broken plans refused before a call ran", f"{refused(THEIRS)} ({THEIRS})", str(refused(OURS)), refused(OURS) == broken),
        Goal(f"NESTFUL, all {declared} plans of declared fields run rightly", f"{found[THEIRS].right} ({THEIRS})", str(found[OURS].right), found[OURS].right == declared, REFUSED_RIGHT),
    ]  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> int:
    given = parser().parse_args(arguments)
    logging.getLogger("wavegraph").addHandler(logging.NullHandler())
    if lacking := [name for name in FILES if name.startswith("nestful") and not (given.data / name).is_file()]:
        print(f"{given.data} lacks {', '.join(lacking)}; {WHERE}", file=sys.stderr)
        return 2
    forget_settings()
    every = list(desks(given.data, given.tasks))
    found = {name: asyncio.run(figures(every, build, given.seed)) for name, build in BUILDS.items()}
    measured = [row for name, of in found.items() for row in rows(name, of, every)]
    notes = [ORACLE, *(f"{name} does not run {each}" for name, of in found.items() for each in of.not_run)]
    return told(Report("nestful", given.seed, measured, goals(found, every), notes), given)


def parser() -> argparse.ArgumentParser:
    ways = parser_of("nestful", __doc__)
    ways.add_argument("--data", type=Path, default=DATA, metavar="FOLDER", help="with nestful/ in it")
    ways.add_argument("--tasks", type=int, default=sys.maxsize, help="how many of them (default: all)")
    add_options(ways)
    return ways


if __name__ == "__main__":
    sys.exit(main())
