"""How much gets done where every third attempt fails: tau-bench's tasks, replayed in a storm of faults.

    python -m benchmarks.storm [--seeds 1 2 3] [--p 0.3] [--tasks 165] [--data ../shared/data/bench/tau]

Each attempt at a tool fails with the chance p: by an exception, by a time-out, or by an error told as an ordinary result,
a third each. Half of the time-outs hang until the call's time limit ends them; half of those of a write come after its
effect. Every write can be looked up; look-ups do not fail. The planner is scripted: it plans the task's true actions, and
when it is sent back, all of them that did not come good and may be tried again. It sees what any planner sees.

A task is done when every action came good and the database is as it should be. Else the answer has to name what is not
done. Exit status 1 where a task was answered with work missing, an answer left something out, or a write took effect
twice; 2 where the data is missing.
"""

import argparse
import asyncio
import logging
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from benchmarks.storm_tasks import OUT_OF_ORDER, WHERE, Action, Book, Task, World, loaded, missing
from langchain_core.messages import HumanMessage
from langchain_core.tools import StructuredTool
from pydantic import BaseModel, Field, create_model

from wavegraph import (
    AnswerView,
    Domain,
    Limits,
    PlanningResult,
    PlanningView,
    ResolvedCall,
    ToolCall,
    ValidationIssue,
    build_graph,
    read,
    results,
)
from wavegraph.graph.build import whole_state
from wavegraph.graph.domain import DomainTool, write
from wavegraph.graph.ledger import GOOD
from wavegraph.graph.state import ToolOutcome

DATA = Path("../shared/data/bench/tau")
AT_ONCE = 8
"""Tasks that run beside each other: most of the time is pauses and time limits."""
LONG_ENOUGH: Mapping[str, Any] = {"max_waves": 60, "max_tool_calls": 100, "tool_timeout_s": 0.5}
"""For the longest task, of 20 actions; the time limit lets a read be tried twice in a call."""
HEADER = f"{'limits':<8} {'seed':>4} {'done':>5} {'partial':>7} {'unnamed':>7} {'wrong':>5} {'twice':>5} {'calls':>6} {'look-ups':>8} {'seconds':>7}"
JSON_TYPES: Mapping[str, Any] = {
    "string": str,
    "integer": int,
    "boolean": bool,
    "array": list[Any],
    "object": dict[str, Any],
}


@dataclass(frozen=True)
class Replay:
    """What came of one task."""

    task: Task
    outcome: str
    done: bool
    """Every action came good, and the database is as it should be."""
    left: Sequence[str]
    """Ids of the actions that did not come good."""
    named: bool
    """Whether the answer names them all."""
    limits: Sequence[str]
    twice: int
    calls: int
    looks: int


class Replayer:
    """Plans the task's actions in order; sent back, those that did not come good and may be tried again."""

    name = "replay"

    def __init__(self, task: Task) -> None:
        self._task = task

    async def plan(self, view: PlanningView) -> PlanningResult:
        number = view.plan["number"] + 1 if view.plan else 1
        tools = [_call(action, number) for action in self._to_do(view)]
        return {"status": "done", "action": "do", "reasoning": "the task's own actions", "slots": {}, "tools": tools,
                "reply": None if view.ledger["calls"] or tools else "There is nothing to do."}  # fmt: skip

    def _to_do(self, view: PlanningView) -> Iterator[Action]:
        """No write behind one that can't be done: it was to come after it."""
        last = last_outcomes(results(view.ledger))
        for action in self._task.actions:
            outcome = last.get(action.id)
            if outcome is not None and is_good(outcome):
                continue
            if outcome is None or _may_be_tried(outcome):
                yield action
            elif action.writes:
                return


def _call(action: Action, plan: int) -> ToolCall:
    return {"id": f"{action.id}_in_plan_{plan}", "tool": action.tool, "args": dict(action.args)}


def last_outcomes(found: Mapping[str, ToolOutcome]) -> dict[str, ToolOutcome]:
    """The last outcome of each action."""
    return {call_id.rpartition("_in_plan_")[0]: outcome for call_id, outcome in found.items()}


def is_good(outcome: ToolOutcome) -> bool:
    return outcome["status"] in GOOD and not outcome.get("doubted")


def _may_be_tried(outcome: ToolOutcome) -> bool:
    failure = outcome.get("fault") or outcome["error"]
    return outcome["status"] == "skipped" or bool(failure and failure["retryable"])


class Teller:
    """Answers with what is not done. The planning is the replayer's."""

    def plan(self, view: PlanningView) -> PlanningResult:
        raise AssertionError("the replayer plans")

    def respond(self, view: AnswerView) -> str:
        open_calls = [issue["tool_id"] for issue in view.open_issues] + list(view.unfinished)
        lines = [f"Not done: {name}." for name in dict.fromkeys(open_calls)]
        lines += [f"Limit reached: {name}." for name in view.limits_hit]
        return "\n".join(lines) or "All is done."


def out_of_order(found: Any, call: ResolvedCall) -> Sequence[ValidationIssue]:
    """The check that every tool has."""
    if found != OUT_OF_ORDER:
        return []
    return [
        {"type": "error", "tool_id": call.id, "message": found["error"], "severity": "critical", "rule": "out_of_order"}
    ]


def storm_domain(book: Book, world: World, limits: Limits) -> Domain:
    used = {action.tool for action in world.task.actions}
    writes = {action.tool for task in book.tasks for action in task.actions if action.writes}
    tools = [_tool(schema, world, schema["name"] in writes) for schema in book.tools if schema["name"] in used]
    checks = {tool.name: [out_of_order] for tool in tools}
    return Domain(name=book.name, tools=tools, offline=Teller(), checks=checks, limits=limits,
                  supports=lambda answer, view: [])  # fmt: skip


def _tool(schema: Mapping[str, Any], world: World, writes: bool) -> DomainTool:
    name = schema["name"]

    async def attempt(**args: Any) -> Any:
        return await world.call(name, _given(args))

    async def look_up(args: Mapping[str, Any], settings: Any) -> Any:
        return await world.look_up(name, _given(args))

    made = StructuredTool(
        name=name, description=schema["description"], args_schema=_arguments(schema), coroutine=attempt
    )
    return write(made, result=Any, look_up=look_up) if writes else read(made, result=Any)


def _given(args: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in args.items() if value is not None}


def _arguments(schema: Mapping[str, Any]) -> type[BaseModel]:
    needed = schema["parameters"].get("required", [])
    given: dict[str, Any] = {}
    for name, about in schema["parameters"]["properties"].items():
        kind = JSON_TYPES.get(about.get("type", ""), Any)
        given[name] = (kind, Field()) if name in needed else (kind | None, None)
    return create_model(schema["name"], **given)


async def replay(book: Book, task: Task, limits: Limits, seed: int, p: float) -> Replay:
    """One task, from its request to its answer."""
    world = World(task, seed, p)
    graph = build_graph(storm_domain(book, world, limits), planner=Replayer(task)).compile()
    request: Any = {"messages": [HumanMessage(f"task {task.number}")]}
    *_, state = [each async for each in whole_state(graph).astream(request, stream_mode="values")]
    last = last_outcomes(state["results"])
    left = [action.id for action in task.actions if action.id not in last or not is_good(last[action.id])]
    named = all(f"{name}_in_plan_" in state["answer"] for name in left)
    done = state["outcome"] == "answered" and not left and world.is_as_it_should_be
    return Replay(
        task, state["outcome"], done, left, named, state["limits_hit"], world.twice, world.tries.total(), world.looks
    )


async def replayed(books: Sequence[Book], limits: Limits, seed: int, p: float) -> list[Replay]:
    free = asyncio.Semaphore(AT_ONCE)

    async def one(book: Book, task: Task) -> Replay:
        async with free:
            return await replay(book, task, limits, seed, p)

    return await asyncio.gather(*(one(book, task) for book in books for task in book.tasks))


def row(name: str, seed: int, found: Sequence[Replay], seconds: float) -> str:
    done = sum(each.done for each in found)
    partial = sum(is_partial(each) for each in found)
    unnamed, wrong = sum(is_unnamed(each) for each in found), sum(is_wrong(each) for each in found)
    twice, calls, looks = (sum(getattr(each, of) for each in found) for of in ("twice", "calls", "looks"))
    return (f"{name:<8} {seed:>4} {done:>5} {partial:>7} {unnamed:>7} {wrong:>5} {twice:>5} {calls:>6} {looks:>8} "
            f"{seconds:>7.1f}")  # fmt: skip


def is_wrong(each: Replay) -> bool:
    """Answered as if it were done."""
    return each.outcome == "answered" and not each.done


def is_partial(each: Replay) -> bool:
    return each.outcome != "answered"


def is_unnamed(each: Replay) -> bool:
    """Partial, with something left out of the answer."""
    return is_partial(each) and not each.named


def about(each: Replay) -> str:
    why = f" ({', '.join(each.limits)})" if each.limits else ""
    return f"{each.task.name}: {', '.join(each.left) or 'all came good'} left{why}"


def limits_line(limits: Limits) -> str:
    names = ("max_runs", "max_adaptations", "max_retries_per_issue", "tool_attempts", *LONG_ENOUGH)
    return ", ".join(f"{name} {getattr(limits, name):g}" for name in names)


def main(arguments: Sequence[str] | None = None) -> int:
    options = parser().parse_args(arguments)
    logging.getLogger("wavegraph").addHandler(logging.NullHandler())  # each fault is logged, and there are thousands
    if lacking := missing(options.data):
        print(f"no {', no '.join(map(str, lacking))}; {WHERE}", file=sys.stderr)
        return 2
    books = _first(loaded(options.data), options.tasks)
    rooms = {"default": replace(Limits(), **LONG_ENOUGH), "roomy": replace(Limits(), **LONG_ENOUGH, **_own(options))}
    print(f"{sum(len(book.tasks) for book in books)} tasks of tau-bench, each attempt fails with p = {options.p:g}")
    print(*(f"{name:<8} {limits_line(limits)}" for name, limits in rooms.items()), "", HEADER, sep="\n")
    everything = [each for name, limits in rooms.items() for seed in options.seeds
                  for each in _printed(name, seed, books, limits, options.p)]  # fmt: skip
    return int(any(each.twice or is_wrong(each) or is_unnamed(each) for each in everything))


def _printed(name: str, seed: int, books: Sequence[Book], limits: Limits, p: float) -> list[Replay]:
    started = time.perf_counter()
    found = asyncio.run(replayed(books, limits, seed, p))
    print(row(name, seed, found, time.perf_counter() - started))
    if name != "default":
        print(
            *(f"{'':>13} {about(each)}" for each in found if not each.done),
            sep="\n",
            end="" if all(each.done for each in found) else "\n",
        )
    return found


def _own(options: argparse.Namespace) -> dict[str, Any]:
    given = vars(options)
    return {each.name: given[each.name] for each in fields(Limits) if each.name in given}


def _first(books: Sequence[Book], tasks: int) -> list[Book]:
    """The first so many tasks in all."""
    kept = []
    for book in books:
        kept.append(replace(book, tasks=book.tasks[:tasks]))
        tasks -= len(kept[-1].tasks)
    return kept


def parser() -> argparse.ArgumentParser:
    ways = argparse.ArgumentParser(prog="python -m benchmarks.storm", allow_abbrev=False,
                                   description="Replay tau-bench's tasks while attempts fail.")  # fmt: skip
    ways.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    ways.add_argument("--p", type=float, default=0.3, help="chance of each attempt to fail (default: %(default)s)")
    ways.add_argument("--tasks", type=int, default=sys.maxsize, help="how many of them (default: all)")
    ways.add_argument("--data", type=Path, default=DATA, help="folder of the traces (default: %(default)s)")
    for name, most in (("max_runs", 6), ("max_adaptations", 8), ("max_retries_per_issue", 6), ("tool_attempts", 2)):
        ways.add_argument(
            f"--{name.replace('_', '-')}", type=int, default=most, help="of the roomy rows (default: %(default)s)"
        )
    return ways


if __name__ == "__main__":
    sys.exit(main())
