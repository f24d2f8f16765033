"""tau-bench's tasks: what is to be done, the world it is done to, and the faults that come in between.

tau-bench (sierra-research/tau-bench, MIT): retail and airline, each task with its ground-truth actions, what their tools
gave when they were recorded, and what each changed in the database.
"""

import asyncio
import json
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any, Literal

from benchmarks.packed import unpacked

DOMAINS = ("airline", "retail")
WHERE = (
    "the traces are tau-bench's tasks (github.com/sierra-research/tau-bench, MIT), its tools run once on each task: for "
    "each of `airline` and `retail` NAME-test.traces.json.gz, NAME.db.json.gz and NAME.tools.json"
)
OUT_OF_ORDER = {"error": "the service is out of order, try again later"}
"""An error told as an ordinary result; what was recorded is text, errors of tau-bench's own tools too."""

Fault = Literal["exception", "time-out", "time-out after the effect", "hangs", "hangs after the effect", "error result"]
Path_ = Sequence[str | int]
Patch = Sequence[tuple[Literal["set", "del", "delta", "append"], Path_, Any]]


@dataclass(frozen=True)
class Action:
    """One call of the ground truth."""

    id: str
    """Unique in the task and readable: `get_order_details_3`."""
    tool: str
    args: Mapping[str, Any]
    writes: bool
    observation: str
    """What the tool gave when it was recorded."""
    patch: Patch
    """What it changes."""
    level: int = 1
    """1 = it needs no call before it; else one more than the highest that it needs."""
    needs: frozenset[str] = frozenset()
    """Ids of the actions that have to come before it."""

    @property
    def key(self) -> str:
        """The same for equal calls."""
        return f"{self.tool} {json.dumps(self.args, sort_keys=True)}"


@dataclass(frozen=True)
class Task:
    domain: str
    number: int
    actions: Sequence[Action]
    before: Mapping[str, Any]
    """The records that the task changes, by collection and id, as they are before."""
    after: Mapping[str, Any]
    """And as they should be in the end."""
    words: str = ""
    """What the person wants."""
    database: Mapping[str, Any] = field(default_factory=dict, repr=False)
    """All records, as they are before."""

    @property
    def name(self) -> str:
        return f"{self.domain} {self.number}"


@dataclass(frozen=True)
class Book:
    """One domain: its tools' schemas and its tasks."""

    name: str
    tools: Sequence[Mapping[str, Any]]
    """`name`, `description`, `parameters` (JSON schema)."""
    tasks: Sequence[Task]
    policy: str = ""
    """What the agent is told of its work; empty where the file is missing."""


def missing(folder: Path) -> list[Path]:
    files = [
        folder / f"{name}{kind}" for name in DOMAINS for kind in ("-test.traces.json.gz", ".db.json.gz", ".tools.json")
    ]
    return [file for file in files if not file.is_file()]


def loaded(folder: Path) -> list[Book]:
    return [_book(folder, name) for name in DOMAINS]


def first_tasks(books: Sequence[Book], tasks: int) -> list[Book]:
    """The first so many tasks in all."""
    kept = []
    for book in books:
        kept.append(replace(book, tasks=book.tasks[:tasks]))
        tasks -= len(kept[-1].tasks)
    return [each for each in kept if each.tasks]


def _book(folder: Path, name: str) -> Book:
    tools = [each["function"] for each in json.loads((folder / f"{name}.tools.json").read_text(encoding="utf-8"))]
    database = unpacked(folder / f"{name}.db.json.gz")
    traces = unpacked(folder / f"{name}-test.traces.json.gz")
    wiki = folder / f"{name}.wiki.md"
    policy = wiki.read_text(encoding="utf-8") if wiki.is_file() else ""
    return Book(name, tools, [_task(name, trace, database) for trace in traces], policy)


def _task(domain: str, trace: Mapping[str, Any], database: Mapping[str, Any]) -> Task:
    ids = {each["id"]: f"{each['name']}_{each['id']}" for each in trace["actions"]}
    actions = [_action(each, ids) for each in trace["actions"]]
    patches = [step for action in actions for step in action.patch] + trace["final_patch"]
    before = _records([path for _, path, _ in patches], database)
    after = _patched(deepcopy(before), trace["final_patch"])
    return Task(domain, trace["task"], actions, before, after, trace.get("instruction", ""), database)


def _action(each: Mapping[str, Any], ids: Mapping[int, str]) -> Action:
    needs = frozenset(ids[number] for number in each.get("depends_on", ()))
    return Action(ids[each["id"]], each["name"], each["arguments"], each["kind"] != "read", each["observation"], each["patch"],
                  each.get("level", 1), needs)  # fmt: skip


def _records(paths: Sequence[Path_], database: Mapping[str, Any]) -> dict[str, Any]:
    """A copy of the records that the paths lead into: the whole database would be copied for every task."""
    found: dict[str, Any] = {}
    for collection, record in {(str(path[0]), str(path[1])) for path in paths}:
        held = found.setdefault(collection, {})
        if record in database[collection]:
            held[record] = deepcopy(database[collection][record])
    return found


def _patched(records: dict[str, Any], patch: Patch) -> dict[str, Any]:
    for step, path, value in patch:
        *way, last = path
        place: Any = records
        for name in way:
            place = place[name]
        if step == "del":
            del place[last]
        elif step == "set":
            place[last] = deepcopy(value)
        elif step == "append":
            place[last].extend(deepcopy(value))
        else:
            place[last] += value
    return records


def alike(one: Any, other: Any) -> bool:
    """Whether two states are equal; amounts that were added up in another order are."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(alike(one[name], other[name]) for name in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(alike, one, other))
    if isinstance(one, float) or isinstance(other, float):
        return (
            isinstance(one, float | int) and isinstance(other, float | int) and math.isclose(one, other, abs_tol=1e-6)
        )
    return bool(one == other)


@dataclass
class World:
    """What the tools of one task work on, with the weather they work in."""

    task: Task
    seed: int
    p: float
    """Of each attempt to fail."""
    records: dict[str, Any] = field(init=False)
    journal: list[str] = field(default_factory=list)
    """Ids of the writes that took effect, in order: what a service keeps and lets be looked up."""
    tries: Counter[str] = field(default_factory=Counter)
    looks: int = 0
    hangs_s: float = 60.0
    """Longer than any time limit."""
    takes_s: float = 0.0
    """Each call."""
    astray: list[str] = field(default_factory=list)
    """Calls that nobody recorded, beyond look-ups of a record."""
    in_turn: set[str] = field(default_factory=set)
    """Ids of the actions that ran behind every write that they need, and before every one that needs them."""

    def __post_init__(self) -> None:
        self.records = deepcopy(dict(self.task.before))

    @property
    def is_as_it_should_be(self) -> bool:
        return alike(self.records, self.task.after)

    @property
    def twice(self) -> int:
        """Writes that took effect more than once."""
        return sum(times - 1 for times in Counter(self.journal).values())

    async def call(self, tool: str, args: Mapping[str, Any]) -> Any:
        """One attempt at a tool."""
        await asyncio.sleep(self.takes_s)
        if next(self._equal(tool, args), None) is None:
            return self._beside(tool, args)
        action = self._meant(tool, args)
        self.in_turn |= {each.id for each in self._equal(tool, args) if not self._is_out_of_turn(each)}
        self.tries[action.key] += 1
        fault = self._fault(action)
        if fault == "exception":
            raise ConnectionError("reset by peer")
        if fault == "error result":
            return OUT_OF_ORDER
        if fault in ("time-out after the effect", "hangs after the effect", None):
            self._take_effect(action)
        if fault in ("hangs", "hangs after the effect"):
            await asyncio.sleep(self.hangs_s)
        if fault:
            raise TimeoutError
        return action.observation

    async def look_up(self, tool: str, args: Mapping[str, Any]) -> str | None:
        """What the write gave, where it took effect."""
        self.looks += 1
        action = self._meant(tool, args)
        return action.observation if action.id in self.journal else None

    def _beside(self, tool: str, args: Mapping[str, Any]) -> str:
        """What a call gives that nobody recorded: a record by its id, as it is in the beginning."""
        self.tries[f"{tool} {json.dumps(args, sort_keys=True, default=str)}"] += 1
        wanted = [*args.values()]
        for collection in self.task.database.values() if len(wanted) == 1 else ():
            if wanted[0] in collection:
                return json.dumps(collection[wanted[0]])
        self.astray.append(f"{tool} {json.dumps(args, sort_keys=True, default=str)}")
        return "Error: nobody recorded this call"

    def _is_out_of_turn(self, action: Action) -> bool:
        """Whether a write that it needs has not been done yet, or one that needs it has."""
        writes = (each for each in self.task.actions if each.writes)
        return any(
            (each.id in action.needs and each.id not in self.journal)
            or (action.id in each.needs and each.id in self.journal)
            for each in writes
        )

    def _meant(self, tool: str, args: Mapping[str, Any]) -> Action:
        """The action of these arguments: of equal ones, the last that may be done by now."""
        found = next(self._equal(tool, args))
        for action in self._equal(tool, args):
            if not self._is_out_of_turn(action):
                found = action
        return found

    def _equal(self, tool: str, args: Mapping[str, Any]) -> Iterator[Action]:
        return (action for action in self.task.actions if action.tool == tool and action.args == args)

    def _fault(self, action: Action) -> Fault | None:
        """Drawn by seed, call and attempt alone: which call of a wave comes first changes nothing."""
        drawn = Random(f"{self.seed} {self.task.name} {action.key} {self.tries[action.key]}")
        if drawn.random() >= self.p:
            return None
        kind = drawn.choice(("exception", "time-out", "error result"))
        if kind != "time-out":
            return "exception" if kind == "exception" else "error result"
        hangs, late = drawn.random() < 0.5, action.writes and drawn.random() < 0.5
        if hangs:
            return "hangs after the effect" if late else "hangs"
        return "time-out after the effect" if late else "time-out"

    def _take_effect(self, action: Action) -> None:
        if action.writes:
            self.journal.append(action.id)
            _patched(self.records, action.patch)
