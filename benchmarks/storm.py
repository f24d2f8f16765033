"""How much gets done where attempts fail: tau-bench's tasks, replayed in a storm of faults, by us and by the peers.

    python -m benchmarks.storm [--p 0.1 0.3 0.5] [--seed 1] [--times 1] [--tasks 165] [--data FOLDER] [--json FILE]

`FOLDER` holds `tau/`. Each attempt at a tool fails with the chance p: by an exception, by a time-out, or by an error told as an
ordinary result, a third each. Half of the time-outs hang until a time limit ends them, or for a minute; half of those of a write come
after its effect. The clock jumps over all waits (`virtual_time`).

Ours: every write can be looked up, and look-ups do not fail. The planner is scripted: it plans the task's true actions, and
when it is sent back, all of them that did not come good and may be tried again. It sees what any planner sees. Once with the
default limits, once with roomy ones.

The peers: an oracle in the model's place asks for the true actions, turn by turn, reads each result, and asks again for what did
not come good, as often as ours may run a call with roomy limits; then it says what is not done. It has no look-up, for the peers have
none. Where a tool's exception ends the run, there is no answer.

A task is done when every action came good and the database is as it should be. `wrong` is an answer that says so where it is not,
`unnamed` one that leaves out something that is not done, `twice` counts writes that took effect again. Exit status 1 where that
happens to ours; 2 where the data is missing.
"""

import argparse
import json
import logging
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from benchmarks.peers import BUILDS
from benchmarks.report import DATA, ORACLE, Goal, Report, Row, add_options, forget_settings, told
from benchmarks.storm_tasks import OUT_OF_ORDER, WHERE, Action, Book, Task, World, first_tasks, loaded, missing
from benchmarks.tau_tools import as_tool, given_of
from benchmarks.tokens_wire import Asked, ToolCalls, Wire
from benchmarks.virtual_time import run
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
from wavegraph.graph.domain_tool import DomainTool, write
from wavegraph.graph.ledger import GOOD
from wavegraph.graph.state import ToolOutcome, with_defaults

LONG_ENOUGH: Mapping[str, Any] = {"max_waves": 60, "max_tool_calls": 100, "tool_timeout_s": 0.5}
"""For the longest task, of 20 actions; the time limit lets a read be tried twice in a call."""
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
    return Domain(name=book.name, tools=tools, offline=Teller(), checks=checks, limits=limits)  # fmt: skip


def _tool(schema: Mapping[str, Any], world: World, writes: bool) -> DomainTool:
    name = schema["name"]

    async def attempt(**args: Any) -> Any:
        return await world.call(name, given_of(args))

    async def look_up(args: Mapping[str, Any], settings: Any) -> Any:
        return await world.look_up(name, given_of(args))

    made = StructuredTool(
        name=name, description=schema["description"], args_schema=_arguments(schema), coroutine=attempt
    )
    return write(made, result=Any, look_up=look_up) if writes else read(made, result=Any)


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
        task,
        state["outcome"],
        done,
        left,
        named,
        with_defaults(state)["limits_hit"],
        world.twice,
        world.tries.total(),
        world.looks,
    )


# The peers


class Oracle:
    """Asks for the actions that have not come good, turn by turn, and says in the end which of them are left."""

    def __init__(self, task: Task, tries: int, at_once: bool) -> None:
        self._task, self._tries, self._at_once = task, tries, at_once

    def reply(self, asked: Asked) -> Any:
        tries, good = self.seen(asked.body["messages"])
        left = [each for each in self._task.actions if each.id not in good]
        open_ = [each for each in left if tries[each.id] < self._tries]
        if given_up := next((each for each in left if each not in open_ and each.writes), None):
            place = self._task.actions.index(given_up)
            open_ = [each for each in open_ if not each.writes or self._task.actions.index(each) < place]
        turn = [each for each in open_ if each.level == min(other.level for other in open_)]
        if not turn:
            return "\n".join(f"Not done: {each.id}." for each in left) or ALL_DONE
        return ToolCalls((f"{each.id}_try_{tries[each.id] + 1}", each.tool, each.args)
                         for each in (turn if self._at_once else turn[:1]))  # fmt: skip

    def seen(self, messages: Sequence[Mapping[str, Any]]) -> tuple[Counter[str], set[str]]:
        """How often each action was tried, and which came good."""
        gave = {each.id: each.observation for each in self._task.actions}
        tried = [
            (str(each["tool_call_id"]).rpartition("_try_")[0], each["content"])
            for each in messages
            if each["role"] == "tool"
        ]
        return Counter(name for name, _ in tried), {name for name, content in tried if content == gave[name]}


ALL_DONE = "All is done."


async def replay_by(name: str, at_once: bool, book: Book, task: Task, tries: int, seed: int, p: float) -> Replay:
    """One task by a peer."""
    wire, world = Wire(), World(task, seed, p)
    oracle = Oracle(task, tries, at_once)
    wire.script = oracle.reply
    used = {action.tool for action in task.actions}
    tools = [_plain(schema, world) for schema in book.tools if schema["name"] in used]
    graph = BUILDS[name](wire.model_in_memory(), tools, book.policy)
    try:
        ended = await graph.ainvoke({"messages": [HumanMessage(f"task {task.number}")]})
        answer = ended["messages"][-1].text
    except (ConnectionError, TimeoutError):
        answer = ""
    left = [action.id for action in task.actions if answer != ALL_DONE and (not answer or f"{action.id}." in answer)]
    done = answer == ALL_DONE and world.is_as_it_should_be
    outcome = "answered" if answer == ALL_DONE else "partial" if answer else "none"
    return Replay(task, outcome, done, left, bool(answer), [], world.twice, world.tries.total(), world.looks)


def _plain(schema: Mapping[str, Any], world: World) -> StructuredTool:
    async def attempt(**args: Any) -> Any:
        found = await world.call(schema["name"], given_of(args))
        return found if isinstance(found, str) else json.dumps(found)

    return as_tool(schema, attempt)


PEERS: Mapping[str, tuple[str, bool]] = {
    "create_agent, one call at a time": ("create_agent", False),
    "create_agent, one call, retries": ("create_agent, retries", False),
    "create_agent, parallel": ("create_agent", True),
    "create_agent, parallel, retries": ("create_agent, retries", True),
    "plan-and-execute": ("plan-and-execute", True),
    "bare LangGraph": ("bare LangGraph", True),
}
OURS, ROOMY = "wavegraph", "wavegraph, roomy limits"
ENDED_BY_LIMITS = (
    "the default limits end a request, with an answer that says what is left, before a peer's model gives up trying"
)


# What is counted


async def replayed(books: Sequence[Book], limits: Limits, seed: int, p: float) -> list[Replay]:
    return [await replay(book, task, limits, seed, p) for book in books for task in book.tasks]


async def replayed_by(name: str, books: Sequence[Book], tries: int, seed: int, p: float) -> list[Replay]:
    build, at_once = PEERS[name]
    return [await replay_by(build, at_once, book, task, tries, seed, p) for book in books for task in book.tasks]


def rows(name: str, p: float, found: Sequence[Replay]) -> Iterator[Row]:
    counts: Mapping[str, Callable[[Replay], int]] = {
        "tasks": lambda each: 1,
        "done": lambda each: each.done,
        "partial": lambda each: is_partial(each) and each.outcome != "none",
        "no answer": lambda each: each.outcome == "none",
        "unnamed": lambda each: is_unnamed(each) and each.outcome != "none",
        "wrong": is_wrong,
        "twice": lambda each: each.twice,
        "calls": lambda each: each.calls,
        "look-ups": lambda each: each.looks,
    }
    for measure, of in counts.items():
        yield Row("fault storm", name, measure, sum(map(of, found)), x=p)


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


def goals(found: Mapping[tuple[str, float], Sequence[Replay]]) -> Iterator[Goal]:
    for p in dict.fromkeys(p for _, p in found):
        wrong = {
            name: sum(is_wrong(each) or each.twice > 0 for each in of) for (name, at), of in found.items() if at == p
        }
        done = {name: sum(each.done for each in of) for (name, at), of in found.items() if at == p}
        best = max(PEERS, key=lambda name: done[name])
        yield Goal(f"fault storm, p = {p:g}: no false answer, no write twice", f"{wrong[best]} ({best})",
                   f"{wrong[OURS]}, roomy limits {wrong[ROOMY]}", not wrong[OURS] and not wrong[ROOMY])  # fmt: skip
        yield Goal(f"fault storm, p = {p:g}: as many tasks done as the best peer", f"{done[best]} ({best})",
                   f"{done[OURS]}, roomy limits {done[ROOMY]}", done[OURS] >= done[best], ENDED_BY_LIMITS)  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> int:
    given = parser().parse_args(arguments)
    logging.getLogger("wavegraph").addHandler(logging.NullHandler())  # each fault is logged, and there are thousands
    if lacking := missing(given.data / "tau"):
        print(f"no {', no '.join(map(str, lacking))}; {WHERE}", file=sys.stderr)
        return 2
    forget_settings()
    books = first_tasks(loaded(given.data / "tau"), given.tasks)
    rooms = {OURS: replace(Limits(), **LONG_ENOUGH), ROOMY: replace(Limits(), **LONG_ENOUGH, **_own(given))}
    seeds = range(given.seed, given.seed + given.times)
    found: dict[tuple[str, float], list[Replay]] = {}
    for p in given.p:
        for name, limits in rooms.items():
            found[name, p] = [each for seed in seeds for each in run(replayed(books, limits, seed, p))]
        for name in PEERS:
            found[name, p] = [each for seed in seeds for each in run(replayed_by(name, books, given.max_runs, seed, p))]
    notes = [*(f"{name}: {limits_line(limits)}" for name, limits in rooms.items()), ORACLE,
             *(f"p = {p:g}, {about(each)}" for (name, p), of in found.items() if name == ROOMY for each in of if not each.done)]  # fmt: skip
    measured = [row for (name, p), of in found.items() for row in rows(name, p, of)]
    told(Report("storm", given.seed, measured, list(goals(found)), notes), given)
    own = (each for (name, _), of in found.items() if name in rooms for each in of)
    return int(any(each.twice or is_wrong(each) or is_unnamed(each) for each in own))


def _own(options: argparse.Namespace) -> dict[str, Any]:
    given = vars(options)
    return {each.name: given[each.name] for each in fields(Limits) if each.name in given}


def parser() -> argparse.ArgumentParser:
    ways = argparse.ArgumentParser(prog="python -m benchmarks.storm", allow_abbrev=False,
                                   description="Replay tau-bench's tasks while attempts fail.")  # fmt: skip
    ways.add_argument(
        "--times", type=int, default=1, help="how often, each with a seed of its own (default: %(default)s)"
    )
    ways.add_argument("--p", type=float, nargs="+", default=[0.1, 0.3, 0.5], help="chances of each attempt to fail")
    ways.add_argument("--tasks", type=int, default=sys.maxsize, help="how many of them (default: all)")
    ways.add_argument("--data", type=Path, default=DATA, metavar="FOLDER", help="with tau/ in it")
    for name, most in (("max_runs", 6), ("max_adaptations", 8), ("max_retries_per_issue", 6), ("tool_attempts", 2)):
        ways.add_argument(
            f"--{name.replace('_', '-')}", type=int, default=most, help="of the roomy rows (default: %(default)s)"
        )
    add_options(ways)
    return ways


if __name__ == "__main__":
    sys.exit(main())
