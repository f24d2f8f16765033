"""What each check costs in a request: its own processor time, and its share of the request's.

    python -m benchmarks.checks [--rounds 40] [--calls 4]

A request plans one read that lists items and as many more that refer to its result, runs them in two waves and answers
with figures of the results, so that every check has something to do. A clock around each check's functions counts the
processor time of the thread inside them, without that of the other checks they call; it is the benchmark's own, so no
check has a switch for it. The judge has one, so it is measured by requests with and without it, in turn. Medians.
"""

import asyncio
import functools
import importlib
import inspect
import sys
import threading
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from statistics import median
from typing import Any

from benchmarks.overhead import spent
from benchmarks.overhead_graphs import OURS, Clerk, Request, asking, look
from benchmarks.report import Report, Row, add_options, forget_settings, parser_of, told
from langchain_core.tools import tool
from typing_extensions import TypedDict

from wavegraph import Domain, Limits, ResolvedCall, ValidationIssue, build_graph, read

TABLE, TIME, SHARE = "checks of a request", "processor time", "share of the request"
WHOLE, JUDGE = "a request with all checks but the judge", "judge, a model that answers at once"
WARM_UP = 3
CHECKS: Mapping[str, Sequence[str]] = {
    "plan: form, ids, order, budget": ["wavegraph.graph.guard.plan_check:checked_plan"],
    "plan: references against declared results": ["wavegraph.graph.guard.reference_check:ReferenceCheck.issues"],
    "arguments against their model": ["wavegraph.graph.domain_tool:DomainTool.checked_args", "wavegraph.graph.domain_tool:DomainTool.values"],
    "references resolved, calls ordered": ["wavegraph.graph.ready:steps", "wavegraph.graph.ledger:Resolver.__init__"],
    "results against their model": ["wavegraph.graph.execution.tool_call:as_result"],
    "validation: the domain's checks": ["wavegraph.nodes.validate:_issues_by"],
    "validation: what is left to do": ["wavegraph.nodes.validate:validate"],
    "claims of the answer": ["wavegraph.graph.tracing.untraced:untraced"],
    "form of the answer": ["wavegraph.graph.tracing.untraced:misformed"],
    "secret scan": ["wavegraph.graph.secrets.scrubber:Scrubber.holds", "wavegraph.graph.secrets.scrubber:Scrubber.scrub",
                    "wavegraph.graph.secrets.scrubber:Scrubber.scrub_json"],
}  # fmt: skip
"""The functions of each check, as `module:name`."""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = parser_of("checks", __doc__)
    parser.add_argument("--rounds", type=int, default=40, help="requests of each kind (default: %(default)s)")
    parser.add_argument("--calls", type=int, default=4, help="calls that refer to the first (default: %(default)s)")
    add_options(parser)
    given = parser.parse_args(arguments)
    forget_settings()
    rows = asyncio.run(measured(given.calls, given.rounds, given.seed))
    notes = [
        f"Medians of {given.rounds} requests of 1 + {given.calls} calls, no saver. The shares leave the judge out."
    ]
    return told(Report("checks", given.seed, rows, notes=notes), given)


async def measured(calls: int, rounds: int, seed: int) -> list[Row]:
    whole, shares = await inside(calls, rounds)
    both = {OURS: request(calls), JUDGE: request(calls, judged=True)}
    times = await spent(both, rounds, seed)
    found = {JUDGE: times[JUDGE] - times[OURS], **shares}
    base = {JUDGE: times[OURS]}
    rows = [[Row(TABLE, name, TIME, took, "ms"), Row(TABLE, name, SHARE, 100 * took / base.get(name, whole), "%")]
            for name, took in found.items()]  # fmt: skip
    return [Row(WHOLE, OURS, TIME, whole, "ms"), *(row for both_of_one in rows for row in both_of_one)]


async def inside(calls: int, rounds: int) -> tuple[float, dict[str, float]]:
    """Milliseconds of a request, and of each check in it."""
    clock = Clock()
    wholes: list[float] = []
    parts: dict[str, list[float]] = {name: [] for name in CHECKS}
    with clocked(CHECKS, clock):
        ask = request(calls)  # under the clock, since a graph keeps its nodes' functions
        for number in range(WARM_UP + rounds):
            clock.spent = dict.fromkeys(CHECKS, 0)
            before = time.process_time_ns()
            await ask()
            if number >= WARM_UP:
                wholes.append((time.process_time_ns() - before) / 1e6)
                for name, took in clock.spent.items():
                    parts[name].append(took / 1e6)
    return median(wholes), {name: median(each) for name, each in parts.items()}


class Referring(Clerk):
    """Plans a list of the items first, and then look-ups that refer to it."""

    def _tool_calls(self, name: str) -> list[Any]:
        (made,) = super()._tool_calls(name)
        for number, call in enumerate(made["args"].get("tools", ())):
            call["args"] = {"item": {"ref": {"call": "list", "path": f"items[{number}].name"}}}
        if "tools" in made["args"]:
            made["args"]["tools"].insert(0, {"id": "list", "tool": "stock", "args": {}})
        return [made]


class Item(TypedDict):
    name: str
    place: str


class Stock(TypedDict):
    items: list[Item]


class Left(TypedDict):
    item: str
    left: int
    price: float
    places: list[str]


def is_in_stock(result: Left, call: ResolvedCall) -> list[ValidationIssue]:
    return [] if result["left"] else [_gone(call)]


def _gone(call: ResolvedCall) -> ValidationIssue:
    return {
        "type": "no_stock",
        "tool_id": call.id,
        "message": "none is left",
        "severity": "warning",
        "rule": "in_stock",
    }


def request(calls: int, *, judged: bool = False) -> Request:
    @tool
    async def stock() -> Stock:
        """The items, and where each lies."""
        return {"items": [{"name": f"item {number}", "place": "front"} for number in range(calls)]}

    domain = Domain(name="store", tools=[read(stock), read(look, result=Left)], checks={look.name: [is_in_stock]},
                    limits=Limits(max_tool_calls=calls + 1))  # fmt: skip
    graph: Any = build_graph(domain, model=Referring(calls=calls)).compile()
    return asking(graph, context={"answer_check": "on" if judged else "rules"})


class Clock:
    """Nanoseconds of processor time by check: of the thread inside its functions, without the checks they call."""

    def __init__(self) -> None:
        self.spent: dict[str, int] = {}
        self._local = threading.local()

    @contextmanager
    def of(self, check: str) -> Iterator[None]:
        inner: list[int] = self._local.__dict__.setdefault("inner", [])
        inner.append(0)
        before = time.thread_time_ns()
        try:
            yield
        finally:
            took = time.thread_time_ns() - before
            self.spent[check] = self.spent.get(check, 0) + took - inner.pop()
            if inner:
                inner[-1] += took


@contextmanager
def clocked(checks: Mapping[str, Sequence[str]], clock: Clock) -> Iterator[None]:
    """The clock around these functions, wherever they are imported."""
    undo: list[Callable[[], None]] = []
    try:
        for check, places in checks.items():
            for place in places:
                undo += _wrapped(check, place, clock)
        yield
    finally:
        for each in reversed(undo):
            each()


def _wrapped(check: str, place: str, clock: Clock) -> list[Callable[[], None]]:
    module, _, path = place.partition(":")
    *owners, name = path.split(".")
    owner = functools.reduce(getattr, owners, importlib.import_module(module))
    original = vars(owner)[name]
    timed = _timed(original, check, clock)
    held_by = [owner] if owners else [each for each in _modules() if vars(each).get(name) is original]
    for each in held_by:
        setattr(each, name, timed)
    return [functools.partial(setattr, each, name, original) for each in held_by]


def _modules() -> list[Any]:
    return [module for name, module in list(sys.modules.items()) if name.startswith("wavegraph.")]


def _timed(function: Callable[..., Any], check: str, clock: Clock) -> Callable[..., Any]:
    @functools.wraps(function)
    def plain(*args: Any, **kwargs: Any) -> Any:
        with clock.of(check):
            return function(*args, **kwargs)

    @functools.wraps(function)
    def generator(*args: Any, **kwargs: Any) -> Iterator[Any]:
        with clock.of(check):
            return iter([*function(*args, **kwargs)])

    @functools.wraps(function)
    async def coroutine(*args: Any, **kwargs: Any) -> Any:
        return await _Stepwise(function(*args, **kwargs), check, clock)

    if inspect.iscoroutinefunction(function):
        return coroutine
    return generator if inspect.isgeneratorfunction(function) else plain


class _Stepwise:
    """A coroutine whose steps are clocked one by one: what runs while it waits is not its own."""

    def __init__(self, coroutine: Any, check: str, clock: Clock) -> None:
        self._coroutine, self._check, self._clock = coroutine, check, clock

    def __await__(self) -> Generator[Any, Any, Any]:
        steps = self._coroutine.__await__()
        go_on: Callable[[], Any] = functools.partial(next, steps)
        while True:
            try:
                with self._clock.of(self._check):
                    waits_for = go_on()
            except StopIteration as end:
                return end.value
            try:
                sent = yield waits_for
                go_on = functools.partial(steps.send, sent)
            except BaseException as error:  # noqa: BLE001  a cancel, which is the coroutine's own to take
                go_on = functools.partial(steps.throw, error)


if __name__ == "__main__":
    sys.exit(main())
