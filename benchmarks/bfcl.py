"""BFCL's multi-turn dialogues: are calls that must be in order kept in order, and is each write done once?

    python -m benchmarks.bfcl [--data FOLDER] [--dialogues 200] [--json FILE] [--seed 1]

`FOLDER` holds `bfcl/` (ShishirPatil/gorilla, BFCL v4 multi-turn base: the ground-truth calls of each turn). An oracle asks for the
calls of a turn all at once, in their order, as models do that may call tools in parallel; `one call at a time` asks for
one after the other. A call takes 0.05 to 0.5 s, drawn by seed, dialogue and call, on a virtual clock, and takes effect at its end, as
that of a service over a network does: what is sent together arrives in any order. In a second table the oracle says
each call twice in its turn.

The upstream classes are not run: a write is in its place if exactly the recorded writes of the dialogue took effect before it, in
their order, and so is a read. Whether that would change the result is not judged; the material's `order_sensitive` marks the
dialogues where another order of a turn's calls does. A function counts as a read if it is in `READS` or begins with `get_`;
`cd` is declared with a look-up that finds nothing done: the ground truth does it twice in one dialogue, in two turns.
"""

import argparse
import ast
import asyncio
import logging
import sys
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any

from benchmarks.packed import unpacked
from benchmarks.peers import BUILDS
from benchmarks.report import DATA, ORACLE, Goal, Report, Row, add_options, forget_settings, parser_of, told
from benchmarks.tau import Silent
from benchmarks.tau_tools import given_of, shape
from benchmarks.tokens_requests import plan
from benchmarks.tokens_wire import Asked, ToolCalls, Wire
from benchmarks.virtual_time import now_s, run
from langchain_core.messages import HumanMessage
from langchain_core.tools import StructuredTool
from langgraph.checkpoint.memory import InMemorySaver
from pydantic import TypeAdapter

from wavegraph import Domain, Limits, build_graph, read, write
from wavegraph.graph.domain_tool import DomainTool

FILE = "bfcl/multi_turn_base.traces.json.gz"
READS = frozenset({
    "ls", "cat", "wc", "diff", "grep", "tail", "sort", "find", "du", "pwd", "mean", "standard_deviation", "logarithm",
    "liter_to_gallon", "gallon_to_liter", "view_messages_sent", "retrieve_invoice", "check_tire_pressure", "estimate_distance",
    "estimate_drive_feasibility_by_mileage", "find_nearest_tire_shop", "compute_exchange_rate", "displayCarStatus",
    "list_all_airports", "verify_traveler_information",
})  # fmt: skip
DONE_AGAIN = "cd"
ANSWER = "Done."
POLICY = "Do what the person asks, with the tools."
MODEL_S = 0.8
SHORTEST_S, LONGEST_S = 0.05, 0.5
ROOMY = Limits(max_waves=60, max_tool_calls=100)


@dataclass(frozen=True)
class Call:
    tool: str
    args: Mapping[str, Any]

    @property
    def writes(self) -> bool:
        return self.tool not in READS and not self.tool.startswith("get_")


@dataclass(frozen=True)
class Turn:
    words: str
    calls: Sequence[Call]
    results: Sequence[Any]


@dataclass(frozen=True)
class Dialogue:
    name: str
    turns: Sequence[Turn]
    is_order_sensitive: bool


def dialogues(folder: Path) -> list[Dialogue]:
    return [_dialogue(each) for each in unpacked(folder / FILE)]


def _dialogue(trace: Mapping[str, Any]) -> Dialogue:
    turns = [Turn(each["user"], [*map(_call, each["calls"])], each["results"]) for each in trace["turns"]]
    return Dialogue(trace["id"], turns, trace["order_sensitive"])


def _call(text: str) -> Call:
    """Of `cd(folder='..')`; what has no name is called by its place."""
    made = ast.parse(text, mode="eval").body
    assert isinstance(made, ast.Call)
    placed = {f"value_{number}": ast.literal_eval(each) for number, each in enumerate(made.args)}
    return Call(
        ast.unparse(made.func), placed | {str(each.arg): ast.literal_eval(each.value) for each in made.keywords}
    )


@dataclass
class Service:
    """What the tools of a dialogue work on: it writes down what took effect, and in which order."""

    dialogue: Dialogue
    seed: int
    turn: int = 0
    effects: list[tuple[int, int]] = field(default_factory=list)
    """Writes: turn, and place in it."""
    right: set[tuple[int, int]] = field(default_factory=set)
    """Calls that came in their place."""
    times: Counter[tuple[int, int]] = field(default_factory=Counter)

    async def call(self, tool: str, args: Mapping[str, Any]) -> Any:
        number = self.dialogue.turns[self.turn].calls.index(Call(tool, args))
        place = (self.turn, number)
        self.times[place] += 1
        await asyncio.sleep(Random(f"{self.seed} {self.dialogue.name} {place}").uniform(SHORTEST_S, LONGEST_S))
        if self.effects == [each for each in self._writes() if each < place]:
            self.right.add(place)
        if self.dialogue.turns[self.turn].calls[number].writes:
            self.effects.append(place)
        return self.dialogue.turns[self.turn].results[number]

    def _writes(self) -> list[tuple[int, int]]:
        return [
            (t, n) for t, turn in enumerate(self.dialogue.turns) for n, each in enumerate(turn.calls) if each.writes
        ]

    @property
    def are_writes_in_order(self) -> bool:
        """Each once, in the recorded order."""
        return self.effects == self._writes()

    @property
    def is_all_right(self) -> bool:
        calls = sum(len(turn.calls) for turn in self.dialogue.turns)
        return self.are_writes_in_order and len(self.right) == calls

    @property
    def twice(self) -> int:
        return sum(times - 1 for times in Counter(self.effects).values())


@dataclass(frozen=True)
class Held:
    """What came of one dialogue."""

    service: Service
    asked: Sequence[Asked]
    wall_s: float
    answers: Sequence[str]


Schemas = Mapping[str, Mapping[str, Any]]
Hold = Callable[[Service, Schemas, Wire, int], Awaitable[list[str]]]
"""A contestant: holds the dialogue, says each call so many times, and gives its answers."""


def schemas(every: Sequence[Dialogue]) -> Schemas:
    """The arguments of each function, as the ground truth has them."""
    given: dict[str, dict[str, list[Any]]] = {}
    for call in (each for dialogue in every for turn in dialogue.turns for each in turn.calls):
        fields = given.setdefault(call.tool, {})
        for name, value in call.args.items():
            fields.setdefault(name, []).append(value)
    return {tool: _schema(fields) for tool, fields in given.items()}


def _schema(fields: Mapping[str, Sequence[Any]]) -> Mapping[str, Any]:
    properties = {name: TypeAdapter(shape(values)).json_schema() for name, values in fields.items()}
    return {"type": "object", "properties": properties}


def _tools(service: Service, known: Schemas) -> Iterator[StructuredTool]:
    used = {call.tool for turn in service.dialogue.turns for call in turn.calls}
    for name in sorted(used):

        async def attempt(_name: str = name, /, **args: Any) -> Any:
            return await service.call(_name, given_of(args))

        yield StructuredTool(name=name, description=name, args_schema=dict(known[name]), coroutine=attempt)


async def ours(service: Service, known: Schemas, wire: Wire, said: int) -> list[str]:
    plain = [_declared(each) for each in _tools(service, known)]
    domain = Domain(name="bfcl", tools=plain, offline=Silent(), limits=ROOMY, prompts={"plan": POLICY})  # fmt: skip
    graph = build_graph(domain, model=wire.model_in_memory(MODEL_S)).compile(checkpointer=InMemorySaver())
    answers = []
    for number, turn in enumerate(service.dialogue.turns):
        service.turn = number
        wire.script = _planner(turn, number, said)
        ended = await graph.ainvoke({"messages": [HumanMessage(turn.words)]}, {"configurable": {"thread_id": "1"}},
                                    context={"answer_check": "rules"})  # fmt: skip
        answers.append(ended["answer"])
    return answers


async def _nothing_done(args: Mapping[str, Any], settings: Any) -> None:
    """Whether `cd` was done: in another turn it may be done again."""


def _declared(tool: StructuredTool) -> DomainTool:
    if not Call(tool.name, {}).writes:
        return read(tool, result=Any)
    return write(tool, result=Any, look_up=_nothing_done if tool.name == DONE_AGAIN else None)


def _planner(turn: Turn, number: int, said: int) -> Callable[[Asked], Any]:
    def reply(asked: Asked) -> Any:
        if asked.role == "answer" or not turn.calls:
            return ANSWER if asked.role == "answer" else {**plan([]), "reply": ANSWER}
        return plan([{"id": name, "tool": each.tool, "args": each.args} for name, each in _named(turn, number, said)])

    return reply


def _named(turn: Turn, number: int, said: int) -> Iterator[tuple[str, Call]]:
    for place, each in enumerate(turn.calls):
        for time in range(said):
            yield f"{each.tool}_{number}_{place}_{time}", each


def peer(name: str, *, at_once: bool = True) -> Hold:
    async def hold(service: Service, known: Schemas, wire: Wire, said: int) -> list[str]:
        graph = BUILDS[name](wire.model_in_memory(MODEL_S), list(_tools(service, known)), POLICY)
        messages, answers = list[Any](), []
        for number, turn in enumerate(service.dialogue.turns):
            service.turn = number
            wire.script = _speaker([*_named(turn, number, said)], at_once)
            ended = await graph.ainvoke({"messages": [*messages, HumanMessage(turn.words)]})
            messages = ended["messages"]
            answers.append(messages[-1].text)
        return answers

    return hold


def _speaker(calls: Sequence[tuple[str, Call]], at_once: bool) -> Callable[[Asked], Any]:
    turns = [calls] if at_once and calls else [[each] for each in calls]

    def reply(asked: Asked) -> Any:
        roles = [each["role"] for each in asked.body["messages"]]
        last_words = len(roles) - roles[::-1].index("user")
        done = roles[last_words:].count("assistant")
        return ToolCalls((name, each.tool, each.args) for name, each in turns[done]) if done < len(turns) else ANSWER

    return reply


CONTESTANTS: Mapping[str, Hold] = {
    "wavegraph": ours,
    "create_agent, one call at a time": peer("create_agent", at_once=False),
    "create_agent, parallel": peer("create_agent"),
    "create_agent, parallel, retries": peer("create_agent, retries"),
    "plan-and-execute": peer("plan-and-execute"),
    "bare LangGraph": peer("bare LangGraph"),
}
OURS, LOOP, PLANNER = "wavegraph", "create_agent, parallel", "plan-and-execute"


async def held(every: Sequence[Dialogue], hold: Hold, seed: int, said: int) -> list[Held]:
    known, found = schemas(every), []
    for dialogue in every:
        service, wire, started = Service(dialogue, seed), Wire(), now_s()
        answers = await hold(service, known, wire, said)
        found.append(Held(service, wire.asked, now_s() - started, answers))
    return found


def rows(table: str, name: str, found: Sequence[Held]) -> Iterator[Row]:
    sensitive = [each for each in found if each.service.dialogue.is_order_sensitive]
    yield Row(table, name, "dialogues", len(found))
    yield Row(table, name, "all in order", sum(each.service.is_all_right for each in found))
    yield Row(table, name, "order-sensitive", len(sensitive))
    yield Row(table, name, "of these in order", sum(each.service.is_all_right for each in sensitive))
    yield Row(table, name, "writes twice", sum(each.service.twice for each in found))
    yield Row(table, name, "answered", sum(set(each.answers) == {ANSWER} for each in found))
    yield Row(table, name, "model calls", sum(len(each.asked) for each in found))
    yield Row(table, name, "wall, mean", fmean(each.wall_s for each in found), "s")


def goals(plain: Mapping[str, Sequence[Held]], doubled: Mapping[str, Sequence[Held]]) -> list[Goal]:
    def kept(name: str) -> int:
        return sum(each.service.is_all_right for each in plain[name])

    def twice(name: str) -> int:
        return sum(each.service.twice for each in doubled[name])

    count = len(plain[OURS])
    return [
        Goal(f"BFCL, all calls in order in all {count} dialogues", f"{kept(LOOP)} ({LOOP})", str(kept(OURS)), kept(OURS) == count),
        Goal("BFCL, each call said twice: no write done twice", f"{twice(LOOP)} ({LOOP})", str(twice(OURS)), not twice(OURS)),
    ]  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> int:
    given = parser().parse_args(arguments)
    logging.getLogger("wavegraph").addHandler(logging.NullHandler())
    if not (given.data / FILE).is_file():
        print(f"no {given.data / FILE}; BFCL is at github.com/ShishirPatil/gorilla (Apache-2.0)", file=sys.stderr)
        return 2
    forget_settings()
    every = dialogues(given.data)[: given.dialogues]
    plain = {name: run(held(every, hold, given.seed, 1)) for name, hold in CONTESTANTS.items()}
    doubled = {name: run(held(every, CONTESTANTS[name], given.seed, 2)) for name in (OURS, LOOP, PLANNER)}
    measured = [row for table, found in (("BFCL multi-turn", plain), ("each call said twice", doubled))
                for name, of in found.items() for row in rows(table, name, of)]  # fmt: skip
    notes = [f"{SHORTEST_S:g} to {LONGEST_S:g} s a tool call, {MODEL_S:g} s a model call, on a virtual clock", ORACLE]
    return told(Report("bfcl", given.seed, measured, goals(plain, doubled), notes), given)


def parser() -> argparse.ArgumentParser:
    ways = parser_of("bfcl", __doc__)
    ways.add_argument("--data", type=Path, default=DATA, metavar="FOLDER", help="with bfcl/ in it")
    ways.add_argument("--dialogues", type=int, default=sys.maxsize, help="how many of them (default: all)")
    add_options(ways)
    return ways


if __name__ == "__main__":
    sys.exit(main())
