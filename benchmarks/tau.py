"""tau-bench replayed: the same tasks by us, by LangChain's agent, by a plan-and-execute graph, by bare LangGraph.

    python -m benchmarks.tau [--data FOLDER] [--tasks 165] [--model-s 0.8] [--tool-s 0.3] [--json FILE] [--seed 1]

The model is an oracle: it answers with the task's gold calls. It is asked through the real OpenAI client, in memory; every
request and reply is weighed alike (UTF-8 bytes / 4, the whole body). It says a call only when it could be said: a value that
no one has seen yet only as a reference that the contestant understands, never by a position in a list that its author could
not know (`references_tau`). Agents that call tools turn by turn get the recorded levels, so the fewest turns there are; one call
at a time is one turn for each call. All get the calls in the order of the levels.

Each model call and each tool call takes its time on a clock that jumps over waits and counts processor time (`virtual_time`): the
wall time of a task is what it would be on a machine of its own. Tools give what was recorded and change the records as was
recorded; a call that nobody recorded gives the record of that id, or an error. An observation is right if it was made by the
recorded call, not before a write that it needs, and not after one that needs it, as was recorded.
Nothing is measured of what a model understands or decides.
"""

import argparse
import logging
import sys
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from benchmarks.peers import BUILDS
from benchmarks.references_tau import ALL, PLAIN, Said, TauCall, listed_values, plans
from benchmarks.report import DATA, ORACLE, Goal, Report, Row, add_options, forget_settings, parser_of, told
from benchmarks.storm_tasks import WHERE, Action, Book, Task, World, first_tasks, loaded, missing
from benchmarks.tau_tools import Offered, given_of, offered
from benchmarks.tokens_requests import passes, plan
from benchmarks.tokens_wire import BYTES, Asked, ToolCalls, Wire
from benchmarks.virtual_time import now_s, run
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

from wavegraph import AnswerView, Domain, Limits, PlanningResult, PlanningView, build_graph
from wavegraph.graph.build import whole_state

ROOMY = Limits(max_waves=60, max_tool_calls=100, max_adaptations=20)
"""For the longest task, of 20 calls."""
ANSWER = "Everything you asked for is done."
WALL_S = 2.8
"""The goal: a task's mean, with 0.8 s a model call and 0.3 s a tool call."""


@dataclass(frozen=True)
class Seen:
    """A call, and what the contestant has of its result in the end."""

    tool: str
    args: Mapping[str, Any]
    result: Any


@dataclass(frozen=True)
class Replayed:
    """What came of one task."""

    task: Task
    asked: Sequence[Asked]
    wall_s: float
    calls: int
    observed: int
    """Actions whose observation the contestant has, as it was recorded and in its turn."""
    is_as_it_should_be: bool
    """The database."""
    answered: bool

    @property
    def complete(self) -> bool:
        return self.observed == len(self.task.actions)


@dataclass(frozen=True)
class Setting:
    """How long a call takes."""

    model_s: float
    tool_s: float


Contestant = Callable[[Offered, World, Wire, float], Awaitable["Ended"]]


@dataclass(frozen=True)
class Ended:
    seen: Sequence[Seen]
    answer: str
    wall_s: float


# Ours


class Silent:
    """Nothing is planned or told without the model."""

    def plan(self, view: PlanningView) -> PlanningResult:
        raise AssertionError("the model plans")

    def respond(self, view: AnswerView) -> str:
        raise AssertionError("the model answers")


async def ours(shop: Offered, world: World, wire: Wire, model_s: float, *, judged: bool = False) -> Ended:
    task = world.task
    wire.script = _planner(plans(task.words, tau_calls(task, shop), ALL))
    domain = Domain(name=shop.book.name, tools=shop.declared(world), offline=Silent(), limits=ROOMY,
                    prompts={"plan": shop.book.policy or "Help."})  # fmt: skip
    graph = build_graph(domain, model=wire.model_in_memory(model_s)).compile()
    request: Any = {"messages": [HumanMessage(task.words)]}
    context = {"answer_check": "on" if judged else "rules"}
    started = now_s()
    states = [each async for each in whole_state(graph).astream(request, context=context, stream_mode="values")]
    wall_s = now_s() - started
    outcomes = [
        each for state in states for each in state["ledger"].get("outcomes", {}).values()
    ]  # a read may come again
    seen = [Seen(each["tool"], given_of(each["args"]), each["data"]) for each in outcomes]
    return Ended(seen, states[-1]["answer"], wall_s)


def _planner(left: list[list[Said]]) -> Callable[[Asked], Any]:
    def reply(asked: Asked) -> Any:
        if asked.role == "judge":
            return passes(asked)
        if asked.role == "answer":
            return ANSWER
        calls = left.pop(0) if left else []
        made = [_as_planned(each) for each in calls]
        return plan(made, "continue" if left else "done") if made else {**plan([]), "reply": ANSWER}

    return reply


def _as_planned(said: Said) -> Mapping[str, Any]:
    each = {"each": said.each} if said.each else {}
    return {"id": said.id, "tool": said.tool, "args": said.args, **each}


def tau_calls(task: Task, shop: Offered) -> list[TauCall]:
    listed = listed_values([{"function": each} for each in shop.book.tools])
    return [TauCall(each.tool, each.args, shop.result(each), each.writes, listed.get(each.tool, frozenset()), each.id, each.needs)
            for each in task.actions]  # fmt: skip


def by_level(task: Task) -> list[Action]:
    return sorted(task.actions, key=lambda each: each.level)


# Theirs


def peer(name: str, turns: Callable[[Task, Offered], list[list[Said]]]) -> Contestant:
    async def replay(shop: Offered, world: World, wire: Wire, model_s: float) -> Ended:
        wire.script = _turn_by_turn(turns(world.task, shop))
        tools = shop.plain(world, with_results=name == "plan-and-execute")
        graph = BUILDS[name](wire.model_in_memory(model_s), tools, shop.book.policy)
        started = now_s()
        state = await graph.ainvoke({"messages": [HumanMessage(world.task.words)]})
        return Ended(list(seen_in(state["messages"])), state["messages"][-1].text, now_s() - started)

    return replay


def _turn_by_turn(turns: list[list[Said]]) -> Callable[[Asked], Any]:
    def reply(asked: Asked) -> Any:
        done = sum(bool(each.get("tool_calls")) for each in asked.body["messages"])
        return ToolCalls((each.id, each.tool, each.args) for each in turns[done]) if done < len(turns) else ANSWER

    return reply


def seen_in(messages: Sequence[Any]) -> Iterator[Seen]:
    """Results by the arguments as the model wrote them; resolved where the message says so."""
    calls = {call["id"]: call for each in messages if isinstance(each, AIMessage) for call in each.tool_calls}
    for each in messages:
        if isinstance(each, ToolMessage):
            call = calls[each.tool_call_id]
            yield Seen(call["name"], each.artifact or call["args"], each.content)


def one_at_a_time(task: Task, shop: Offered) -> list[list[Said]]:
    return [[_said(each)] for each in by_level(task)]


def by_levels(task: Task, shop: Offered) -> list[list[Said]]:
    levels = sorted({each.level for each in task.actions})
    return [[_said(each) for each in task.actions if each.level == level] for level in levels]


def in_plans(task: Task, shop: Offered) -> list[list[Said]]:
    return plans(task.words, tau_calls(task, shop), PLAIN)


def _said(action: Action) -> Said:
    return Said(action.id, action.tool, action.args)


async def judged(shop: Offered, world: World, wire: Wire, model_s: float) -> Ended:
    return await ours(shop, world, wire, model_s, judged=True)


CONTESTANTS: Mapping[str, Contestant] = {
    "wavegraph": ours,
    "wavegraph, judged": judged,
    "create_agent, one call at a time": peer("create_agent", one_at_a_time),
    "create_agent, one call, retries": peer("create_agent, retries", one_at_a_time),
    "create_agent, parallel": peer("create_agent", by_levels),
    "create_agent, parallel, retries": peer("create_agent, retries", by_levels),
    "plan-and-execute": peer("plan-and-execute", in_plans),
    "bare LangGraph": peer("bare LangGraph", by_levels),
}
OURS = "wavegraph"


# The replay


async def replayed(shop: Offered, task: Task, contestant: Contestant, setting: Setting) -> Replayed:
    wire, world = Wire(), World(task, seed=0, p=0.0, takes_s=setting.tool_s)
    ended = await contestant(shop, world, wire, setting.model_s)
    observed = sum(_is_seen(each, ended.seen) and each.id in world.in_turn for each in task.actions)
    return Replayed(task, wire.asked, ended.wall_s, world.tries.total(), observed, world.is_as_it_should_be,
                    ended.answer == ANSWER)  # fmt: skip


def _is_seen(action: Action, seen: Sequence[Seen]) -> bool:
    return any(
        each.tool == action.tool and each.args == action.args and as_recorded(each.result, action) for each in seen
    )


def as_recorded(result: Any, action: Action) -> bool:
    return bool(result == action.observation or result == Offered.decoded(action.observation))


async def replays(books: Sequence[Book], contestant: Contestant, setting: Setting) -> list[Replayed]:
    """One task after the other: each has the clock to itself. The first is run once more: what is loaded late is not counted."""
    shops = [(offered(book), book.tasks) for book in books]
    pairs = [(shop, task) for shop, tasks in shops for task in tasks]
    await replayed(*pairs[0], contestant, setting)
    return [await replayed(shop, task, contestant, setting) for shop, task in pairs]


def rows(name: str, found: Sequence[Replayed]) -> Iterator[Row]:
    def row(measure: str, value: float, unit: str = "") -> Row:
        return Row("tau-bench replay", name, measure, value, unit)

    yield row("model calls", sum(len(each.asked) for each in found))
    yield row("tool calls", sum(each.calls for each in found))
    for measure, of in (("tokens sent", "sent"), ("tokens received", "got")):
        yield row(measure, round(sum(getattr(each, of) for task in found for each in task.asked) / BYTES))
    yield row("wall, mean", fmean(each.wall_s for each in found), "s")
    yield row("answered", sum(each.answered for each in found))
    yield row("database right", sum(each.is_as_it_should_be for each in found))
    yield row("every observation right", sum(each.complete for each in found))


def goals(found: Mapping[str, Sequence[Replayed]]) -> list[Goal]:
    walls = {name: fmean(each.wall_s for each in of) for name, of in found.items()}
    sent = {name: sum(each.sent for task in of for each in task.asked) for name, of in found.items()}
    right = {name: sum(each.is_as_it_should_be and each.complete for each in of) for name, of in found.items()}
    tasks = len(found[OURS])
    return [
        Goal(f"tau-bench, mean wall per task ≤ {WALL_S} s", _best(walls, "{:.2f} s"), f"{walls[OURS]:.2f} s", walls[OURS] <= WALL_S,
             "a value that only a result tells takes another planning call, and the answer takes one more"),
        Goal("tau-bench, tokens sent: fewest of all", _best(sent, "{:.0f}", BYTES), f"{sent[OURS] / BYTES:.0f}",
             sent[OURS] == min(sent.values()),
             "each planning call carries the form of a plan, its rules and what is known so far, more than a list of tools"),
        Goal(f"tau-bench, database and every observation right in all {tasks} tasks",
             _best({name: -count for name, count in right.items()}, "{:.0f}", -1), f"{right[OURS]}", right[OURS] == tasks),
    ]  # fmt: skip


def _best(values: Mapping[str, float], form: str, divisor: float = 1) -> str:
    """The peer with the least."""
    name = min((each for each in values if not each.startswith(OURS)), key=lambda each: values[each])
    return f"{form.format(values[name] / divisor)} ({name})"


def main(arguments: Sequence[str] | None = None) -> int:
    given = parser().parse_args(arguments)
    logging.getLogger("wavegraph").addHandler(logging.NullHandler())
    folder: Path = given.data / "tau"
    if lacking := missing(folder):
        print(f"no {', no '.join(map(str, lacking))}; {WHERE}", file=sys.stderr)
        return 2
    forget_settings()
    books, setting = first_tasks(loaded(folder), given.tasks), Setting(given.model_s, given.tool_s)
    found = {name: run(replays(books, contestant, setting)) for name, contestant in CONTESTANTS.items()}
    tasks = sum(len(book.tasks) for book in books)
    notes = [
        f"{tasks} tasks, {setting.model_s:g} s a model call, {setting.tool_s:g} s a tool call, on a virtual clock",
        ORACLE,
    ]
    measured = [row for name, of in found.items() for row in rows(name, of)]
    return told(Report("tau", given.seed, measured, goals(found), notes), given)


def parser() -> argparse.ArgumentParser:
    ways = parser_of("tau", __doc__)
    ways.add_argument("--data", type=Path, default=DATA, metavar="FOLDER", help="with tau/ in it")
    ways.add_argument("--tasks", type=int, default=sys.maxsize, help="how many of them (default: all)")
    ways.add_argument("--model-s", type=float, default=0.8, help="seconds of a model call (default: %(default)s)")
    ways.add_argument("--tool-s", type=float, default=0.3, help="seconds of a tool call (default: %(default)s)")
    add_options(ways)
    return ways


if __name__ == "__main__":
    sys.exit(main())
