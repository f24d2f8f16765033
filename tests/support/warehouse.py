"""A small made-up domain: a warehouse whose shelves are counted, weighed, moved and scrapped.

`Warehouse` is the one boundary a test may bend: `on(tool, sku, *acts)` says what the next calls do.
Everything else (graph, checks, checkpointer) is the real thing.
"""

import asyncio
import threading
import time
from collections import Counter, defaultdict, deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, TypeVar

from langchain_core.tools import BaseTool
from langchain_core.tools import tool as tool_of
from patience import until
from pydantic import BaseModel, Field, model_validator
from scripted import issue
from skipping import LIMIT_S, jump
from tools_once import tool

from wavegraph import (
    AnswerView,
    Domain,
    Limits,
    PlanningResult,
    PlanningView,
    ResolvedCall,
    ToolCall,
    ValidationIssue,
    read,
    results,
)
from wavegraph.testing import call

_T = TypeVar("_T")


class Count(BaseModel):
    sku: str
    units: int = Field(ge=0)


class Weight(BaseModel):
    sku: str
    grams: int


class Shelf(BaseModel):
    kind: str
    skus: list[str]


class Moved(BaseModel):
    sku: str
    units: int
    ticket: str


class Mark(NamedTuple):
    """One start or end of a tool body."""

    what: Literal["start", "end"]
    tool: str
    sku: str
    at: float


@dataclass(frozen=True)
class Raw:
    """Give this back instead of the tool's own result."""

    value: Any


@dataclass(frozen=True)
class Pause:
    """Take this long, then go on."""

    seconds: float


@dataclass(frozen=True)
class Outlasts:
    """Outlast a limit: the clock jumps past it, and the act does not end."""

    limit_s: float = LIMIT_S


@dataclass(frozen=True)
class When:
    """Wait for this, then go on."""

    happened: Callable[[], object]


Act = Raw | Pause | Outlasts | When | BaseException | Callable[[], Any]


class MoveArgs(BaseModel):
    sku: str
    units: int = Field(default=1, ge=1, le=100)
    to: Literal["dock", "cellar"] = "dock"
    note: str | None = None

    @model_validator(mode="after")
    def _no_big_moves_to_the_cellar(self) -> "MoveArgs":
        if self.to == "cellar" and self.units > 10:
            raise ValueError("the cellar takes 10 units at a time")
        return self


@dataclass
class Warehouse:
    stock: dict[str, int] = field(default_factory=lambda: {"bolt": 40, "nut": 7, "gear": 0, "belt": 12})
    log: list[Mark] = field(default_factory=list)
    opened: int = 0
    moves: list[tuple[str, int]] = field(default_factory=list)
    _acts: dict[tuple[str, str], deque[Act]] = field(default_factory=lambda: defaultdict(deque))

    def on(self, name: str, sku: str, *acts: Act) -> "Warehouse":
        """The next calls of `name` for `sku` do this, one act each; after that, the ordinary thing."""
        self._acts[name, sku].extend(acts)
        return self

    def ran(self, name: str | None = None) -> list[str]:
        """`tool:sku` of every body that started, in order."""
        return [f"{m.tool}:{m.sku}" for m in self.log if m.what == "start" and name in (None, m.tool)]

    def running(self) -> list[str]:
        """`tool:sku` of every body that has started and not ended, in order."""
        ended = Counter(f"{m.tool}:{m.sku}" for m in self.log if m.what == "end")
        return list((Counter(self.ran()) - ended).elements())

    def span(self, name: str, sku: str) -> tuple[float, float]:
        """When the first such call started and ended."""
        start, end = (next(m.at for m in self.log if m[:3] == (what, name, sku)) for what in ("start", "end"))
        return start, end

    def _mark(self, what: Literal["start", "end"], name: str, sku: str) -> None:
        self.log.append(Mark(what, name, sku, time.perf_counter()))

    def _act(self, name: str, sku: str) -> Act | None:
        waiting = self._acts[name, sku]
        return waiting.popleft() if waiting else None

    async def _async(self, name: str, sku: str, usual: Callable[[], _T | Awaitable[_T]]) -> _T:
        self._mark("start", name, sku)
        act = self._act(name, sku)
        if isinstance(act, Pause):
            await asyncio.sleep(act.seconds)
        elif isinstance(act, When):
            await until(act.happened)
        elif isinstance(act, Outlasts):
            jump(act.limit_s + 1)
            await asyncio.Event().wait()
        made = _done(act, usual)
        result: _T = await made if hasattr(made, "__await__") else made
        self._mark("end", name, sku)
        return result

    def _sync(self, name: str, sku: str, usual: Callable[[], _T]) -> _T:
        self._mark("start", name, sku)
        act = self._act(name, sku)
        if isinstance(act, Pause):
            time.sleep(act.seconds)
        elif isinstance(act, When):
            while not act.happened():
                time.sleep(0.005)
        elif isinstance(act, Outlasts):
            jump(act.limit_s + 1)
            threading.Event().wait()
        result: _T = _done(act, usual)
        self._mark("end", name, sku)
        return result

    def tools(self) -> Sequence[BaseTool]:
        @tool
        async def count(sku: str, unit: Literal["piece", "box"] = "piece", note: str | None = None) -> Count:
            """Units of an article."""
            return await self._async("count", sku, lambda: Count(sku=sku, units=self.stock[sku]))

        @tool
        def weigh(sku: str) -> Weight:
            """Weight of an article; a scale that blocks its thread."""
            return self._sync("weigh", sku, lambda: Weight(sku=sku, grams=1000 + len(sku)))

        @tool
        async def search(kind: str) -> Shelf:
            """Articles of a kind."""
            return await self._async(
                "search", kind, lambda: Shelf(kind=kind, skus=[s for s in self.stock if kind in s])
            )

        @tool
        async def listing(kind: str) -> list[str]:
            """A long list."""
            return await self._async("listing", kind, lambda: [f"{kind}-{n:05}" for n in range(5000)])

        @tool_of(args_schema=MoveArgs)
        async def move(sku: str, units: int = 1, to: str = "dock", note: str | None = None) -> Moved:
            """Move units."""

            def usual() -> Moved:
                self.stock[sku] -= units
                self.moves.append((sku, units))
                return Moved(sku=sku, units=units, ticket=f"T-{sku}")

            return await self._async("move", sku, usual)

        @tool
        def scrap(sku: str) -> str:
            """Throw an article away; blocks its thread."""

            def usual() -> str:
                self.moves.append((sku, -1))
                return f"{sku} is scrapped"

            return self._sync("scrap", sku, usual)

        return [count, weigh, search, listing, move, scrap]

    async def open(self) -> None:
        self.opened += 1

    def domain(self, **changes: Any) -> Domain:
        count, weigh, search, listing, move, scrap = self.tools()
        given: dict[str, Any] = {
            "name": "warehouse",
            "tools": [read(count), read(weigh), read(search), read(listing), move, scrap],
            "offline": Clerk(),
            "checks": {"count": [out_of_stock]},
            "limits": Limits(tool_timeout_s=LIMIT_S, request_timeout_s=60 * LIMIT_S),
            "open": self.open,
        }
        return Domain(**{**given, **changes})


def _done(act: Act | None, usual: Callable[[], Any]) -> Any:
    if isinstance(act, BaseException):
        raise act
    if isinstance(act, Raw):
        return act.value
    return act() if callable(act) else usual()


def out_of_stock(found: Count, call: ResolvedCall) -> list[ValidationIssue]:
    none = issue("no_availability", call.id, f"there is no {found.sku} left", "in_stock")
    return [] if found.units else [none]


class Clerk:
    """The offline side: plans nothing unless told to, and answers with the bare results or as told."""

    def __init__(
        self,
        plan: Callable[[PlanningView], PlanningResult] | None = None,
        respond: Callable[[AnswerView], str] | None = None,
    ) -> None:
        self._plan, self._respond = plan, respond

    def plan(self, view: PlanningView) -> PlanningResult:
        assert self._plan, "the offline planner was not to be asked"
        return self._plan(view)

    def respond(self, view: AnswerView) -> str:
        if self._respond:
            return self._respond(view)
        lines = [f"{name}: {found['data']}"[:200] for name, found in results(view.ledger).items() if found["data"]]
        return "\n".join(lines) or "nothing was found"


def calls_by_word(text: str, *tools: BaseTool) -> list[ToolCall]:
    """A call for each word of a request: of `look:blue nap:2`, `look_1` and `nap_2`. Words that name no tool are none."""
    arguments = {each.name: list(each.args)[:1] for each in tools}
    words = enumerate((word.partition(":") for word in text.split()), 1)
    return [
        call(f"{name}_{number}", name, **dict.fromkeys(arguments[name], value))
        for number, (name, _, value) in words
        if name in arguments
    ]
