"""One call, run within its time limit: whatever its tool does, its end is data."""

import asyncio
import gc
import logging
import random
import re
import threading
from dataclasses import dataclass, field
from typing import Any

import pytest
from langchain_core.callbacks import AsyncCallbackHandler
from langchain_core.runnables import RunnableLambda
from langchain_core.tools import ToolException, tool
from langgraph.errors import GraphInterrupt
from patience import HANGS_S, until
from pydantic import BaseModel
from scripted import planned
from skipping import LIMIT_S, jump
from warehouse import Act, Outlasts, Pause, Raw, Warehouse, When

from wavegraph import Settings, SettingsError, ToolRefusal
from wavegraph.graph.domain_tool import DomainTool, read, write
from wavegraph.graph.errors import ConnectionLost, CutShort
from wavegraph.graph.execution import tool_call
from wavegraph.graph.execution.tool_call import CallEnd, call_values, pause_s, run_tool
from wavegraph.graph.state import WaveCall

BUSY = ToolRefusal("busy", "try later", retryable=True)
CLOSED = ToolRefusal("closed", "closed until noon")
LOST = ConnectionError("password=hunter2")
UNKNOWN = "; it may or may not have happened, look it up"


def calling(name: str, *, attempts: int = 2, timeout_s: float = LIMIT_S, **args: Any) -> WaveCall:
    made = planned("a", name, **args)
    return {"request_id": "m1", "wave": 3, "call": {**made, "plan": 2}, "signature": "s", "run": 1,
            "attempts": attempts, "timeout_s": timeout_s, "approval": None}  # fmt: skip


async def nothing(args: Any, settings: Any) -> None:
    return None


def tools_of(house: Warehouse) -> dict[str, DomainTool]:
    """Async and sync; by name. Of a write, with a look-up and without."""
    count, weigh, _, listing, move, scrap = house.tools()
    return {
        "count": read(count), "weigh": read(weigh), "listing": read(listing, result=Any), "move": write(move),
        "scrap": write(scrap), "found move": write(move, look_up=nothing), "found scrap": write(scrap, look_up=nothing),
    }  # fmt: skip


async def ended(name: str, *acts: Act, settings: Settings | None = None, house: Any = None, **changes: Any) -> CallEnd:
    house = house or Warehouse()
    chosen = tools_of(house)[name]
    of = {"kind": "bolt"} if chosen.name == "listing" else {"sku": "bolt"}
    house.on(chosen.name, "bolt", *acts)
    return await sent(chosen, calling(chosen.name, **{**of, **changes}), settings or Settings())


async def sent(tool: DomainTool, call: WaveCall, settings: Settings) -> CallEnd:
    """The end of a call as `execute_wave` sends it."""
    values = call_values(tool, call, settings)
    return values if isinstance(values, CallEnd) else await run_tool(tool, call, values, settings)


def failed(code: str, message: str, retryable: bool, *, tries: int = 1, status: Any = "error") -> CallEnd:
    return CallEnd(status, None, {"code": code, "message": message, "retryable": retryable}, tries)


def caused(error: Exception, cause: Exception) -> Exception:
    error.__cause__ = cause
    return error


@dataclass(frozen=True)
class Case:
    id: str
    tool: str
    acts: tuple[Any, ...]
    ends: CallEnd
    call: dict[str, Any] = field(default_factory=dict)


COUNTED = {"sku": "bolt", "units": 40}
WEIGHED = {"sku": "bolt", "grams": 1004}
LATE = "count did not end within 60 s"


def jumps_and_loses() -> Any:
    jump()
    raise LOST


CASES = [
    Case("a result", "count", (), CallEnd("ok", COUNTED, None, 1)),
    Case("of a sync tool", "weigh", (), CallEnd("ok", {"sku": "bolt", "grams": 1004}, None, 1)),
    Case("the second try of a read", "count", (LOST,), CallEnd("ok", COUNTED, None, 2)),
    Case("behind a refusal that passes", "weigh", (BUSY,), CallEnd("ok", {"sku": "bolt", "grams": 1004}, None, 2)),
    Case("the third try", "count", (LOST, BUSY), CallEnd("ok", COUNTED, None, 3), {"attempts": 3}),
    Case("no time for a second try", "count", (jumps_and_loses,), failed("timeout", LATE, True, status="timeout")),
    Case("no try is left", "count", (LOST, LOST), failed("tool_error", "count failed with ConnectionError", True, tries=2)),
    Case("one try alone", "count", (BUSY,), failed("busy", "try later", True), {"attempts": 1}),
    Case("a refusal that lasts", "count", (CLOSED,), failed("closed", "closed until noon", False)),
    Case("an error that lasts", "count", (RuntimeError("x"),), failed("tool_error", "count failed with RuntimeError", False)),
    Case("an error meant to be shown", "count", (ToolException("try box"),), failed("tool_error", "try box", False)),
    Case("a write tries once", "move", (LOST,), failed("write_unknown", f"move lost its connection{UNKNOWN}", False)),
    Case("a write that can be looked up", "found move", (LOST,),
         failed("write_unknown", f"move lost its connection{UNKNOWN}", True)),
    Case("an adapter's loss", "count", (ConnectionLost("bye"),), CallEnd("ok", COUNTED, None, 2)),
    Case("an adapter's loss of a write", "move", (ConnectionLost("bye"),),
         failed("write_unknown", f"move lost its connection{UNKNOWN}", False)),
    Case("a write that was not sent", "move", (ConnectionRefusedError(),),
         failed("tool_error", "move failed with ConnectionRefusedError", False)),
    Case("a write cancelled from within", "move", (asyncio.CancelledError(),),
         failed("write_unknown", f"move lost its connection{UNKNOWN}", False)),
    Case("a write that tells why it failed", "move", (caused(RuntimeError("no"), LOST),),
         failed("write_unknown", f"move lost its connection{UNKNOWN}", False)),
    Case("whatever it raises", "found move", (RuntimeError(),), failed("tool_error", "move failed with RuntimeError", True)),
    Case("a write refused for now", "move", (BUSY,), failed("busy", "try later", False)),
    Case("a write refused for now, to be looked up", "found move", (BUSY,), failed("busy", "try later", True)),
    Case("a write refused for good", "found move", (CLOSED,), failed("closed", "closed until noon", False)),
    Case("too slow", "count", (Outlasts(),), failed("timeout", LATE, True, status="timeout")),
    Case("too slow in a thread", "weigh", (Outlasts(),),
         failed("timeout", "weigh did not end within 60 s", True, status="timeout")),
    Case("a time-out of its own", "count", (TimeoutError(), TimeoutError()),
         failed("timeout", "count timed out", True, tries=2, status="timeout")),
    Case("a write that was too slow", "move", (Outlasts(),),
         failed("write_unknown", f"move did not end within 60 s{UNKNOWN}", False, status="timeout")),
    Case("a write that was too slow, to be looked up", "found move", (Outlasts(),),
         failed("write_unknown", f"move did not end within 60 s{UNKNOWN}", True, status="timeout")),
    Case("a write that still runs in its thread", "found scrap", (Outlasts(),),
         failed("write_unknown", f"scrap did not end within 60 s{UNKNOWN}", False, status="timeout")),
    Case("a time-out of a write's own", "move", (TimeoutError(),),
         failed("write_unknown", f"move timed out{UNKNOWN}", False, status="timeout")),
    Case("a time-out of a thread's own, to be looked up", "found scrap", (TimeoutError(),),
         failed("write_unknown", f"scrap timed out{UNKNOWN}", True, status="timeout")),
    Case("the best so far", "count", (CutShort(COUNTED),), CallEnd("partial", COUNTED, None, 1)),
    Case("cancelled from within", "count", (asyncio.CancelledError(),),
         failed("tool_error", "count failed with CancelledError", False)),
    Case("the end of a program", "weigh", (SystemExit(3),), failed("tool_error", "weigh failed with SystemExit", False)),
    Case("the end of an iterator", "weigh", (StopIteration(),), failed("tool_error", "weigh failed with RuntimeError", False)),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
async def test_however_a_tool_ends_it_is_data(case: Case) -> None:
    assert await ended(case.tool, *case.acts, **case.call) == case.ends


class NoJson:
    pass


@pytest.mark.parametrize(
    ("name", "retryable"), [("count", False), ("move", False), ("found move", True)], ids=["a read", "a write", "found"]
)
async def test_a_result_that_does_not_fit(name: str, retryable: bool) -> None:
    found = await ended(name, Raw({"sku": "bolt", "units": "many"}))

    assert found.error
    message, tool = found.error["message"], name.split()[-1]
    status = "error" if name == "count" else "partial"
    assert found == failed("unexpected_data", message, retryable, status=status)
    done = "" if name == "count" else f"{tool} ran to its end, so it is done, but its result cannot be read: "
    assert message.startswith(f"{done}{tool} gave units")


@pytest.mark.parametrize("act", [Raw(NoJson()), CutShort(NoJson())], ids=["a result", "the best so far"])
async def test_a_result_that_is_no_json(act: Any) -> None:
    found = await ended("listing", act)

    assert found.error
    assert (found.status, found.error["code"]) == ("error", "unexpected_data")
    assert found.error["message"].startswith("listing gave a value that is not JSON: ")


@pytest.mark.parametrize("name", ["count", "found move"])
async def test_a_result_is_kept_up_to_the_size_that_is_set(name: str) -> None:
    result = {"sku": "ü" * 600, "units": 1, **({"ticket": "T"} if name != "count" else {})}
    size = len(str(result).replace(" ", "").encode())

    assert (await ended(name, Raw(result), settings=Settings(max_result_bytes=size))).data == result
    found = await ended(name, Raw(result), settings=Settings(max_result_bytes=size - 1))
    assert found.error
    assert (found.status, found.error["code"]) == ("error" if name == "count" else "partial", "too_large")
    why = f"{name.split()[-1]} gave a result of {size:,} bytes, but at most {size - 1:,} are kept; ask it for less"
    assert found.error["message"].endswith(why)


class Inner(BaseModel):
    units: int


async def test_what_a_tool_finds_wrong_inside_is_its_own_failure() -> None:
    def inside() -> Any:
        return Inner.model_validate({"units": "hunter2"})

    assert await ended("move", inside) == failed("tool_error", "move failed with ValidationError", False)


@pytest.mark.parametrize("error", [GraphInterrupt(()), SettingsError("no key")], ids=["a question", "a setting"])
@pytest.mark.parametrize("name", ["count", "weigh"], ids=["async", "sync"])
async def test_what_is_no_end_of_a_call_passes_through(name: str, error: Exception) -> None:
    with pytest.raises(type(error)):
        await ended(name, error)


async def test_what_a_tool_needs_and_was_not_given_is_null() -> None:
    seen: list[Any] = []

    @tool
    async def note(text: str | None, size: int = 3, settings: Any = None) -> str:
        """Note."""
        seen.append((text, size, settings.planner))
        return "noted"

    await sent(read(note), calling("note"), Settings(planner="rules"))

    assert seen == [(None, 3, "rules")]


# A stop


async def stopped(name: str, *acts: Act, house: Warehouse) -> asyncio.Task[CallEnd]:
    """The call's task, when it was told to stop and has ended."""
    running = asyncio.create_task(ended(name, *acts, house=house))
    while not house.log:
        await asyncio.sleep(0.01)
    running.cancel()
    await asyncio.wait({running})
    return running


@pytest.mark.parametrize("name", ["count", "weigh"], ids=["async", "sync"])
async def test_a_read_that_is_stopped_has_not_ended(name: str) -> None:
    assert (await stopped(name, Pause(HANGS_S), house=Warehouse())).cancelled()


@pytest.mark.parametrize("name", ["move", "found move"])
async def test_a_write_that_is_stopped_may_have_happened(name: str) -> None:
    running = await stopped(name, Pause(HANGS_S), house=Warehouse())

    assert running.result() == failed("write_unknown", f"move was stopped while it ran{UNKNOWN}", False)


@pytest.mark.parametrize("why", ["its time is up", "the request is stopped"])
async def test_a_write_in_a_thread_has_a_moment_to_end(why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tool_call, "SETTLES_WITHIN_S", {"read": 0, "write": HANGS_S})
    house, over = Warehouse(), list[str]()
    running = asyncio.create_task(ended("scrap", When(lambda: over), house=house))
    await until(lambda: house.log)
    if why == "its time is up":
        jump()
    else:
        running.cancel()
    for _ in range(5):  # it is told, and waits for the thread
        await asyncio.sleep(0)
    over.append(why)

    assert await running == CallEnd("ok", "bolt is scrapped", None, 1)


async def test_a_read_in_a_thread_that_has_returned_when_the_stop_comes_has_ended() -> None:
    threads: list[threading.Thread] = []
    told = threading.Event()

    def weighs() -> Any:
        threads.append(threading.current_thread())
        told.wait()
        return WEIGHED

    running = asyncio.create_task(ended("weigh", weighs))
    while not threads:
        await asyncio.sleep(0)
    told.set()
    threads[0].join()  # the loop, which stood still, has heard nothing of it
    running.cancel()

    assert (await running).data == WEIGHED


async def test_a_stop_is_no_fault_that_passes() -> None:
    house, held = Warehouse(), asyncio.Event()

    async def loses_its_connection() -> Any:
        held.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            raise LOST from None

    running = asyncio.create_task(ended("count", loses_its_connection, house=house))
    await held.wait()
    running.cancel()

    assert (await running).status == "error"
    assert house.ran() == ["count:bolt"]


async def test_a_read_that_fails_when_nobody_waits_any_more_is_not_told(caplog: pytest.LogCaptureFixture) -> None:
    failing, told, threads = threading.Event(), [], list[threading.Thread]()
    asyncio.get_running_loop().set_exception_handler(lambda _, context: told.append(context))

    def fails() -> Any:
        threads.append(threading.current_thread())
        jump()
        failing.wait(HANGS_S)
        raise ValueError("password=hunter2")

    found = await ended("weigh", fails)
    failing.set()
    threads[0].join()
    await asyncio.sleep(0)
    gc.collect()

    assert (found.status, told, "hunter2" in caplog.text) == ("timeout", [], False)


async def test_the_best_so_far_of_a_request_that_is_stopped_is_no_end() -> None:
    async def counts() -> Any:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            raise CutShort(COUNTED) from None

    async def counts_too_long() -> Any:
        jump()
        await counts()

    error: Any = {"code": "cut_short", "message": "stopped with the best so far", "retryable": True}
    assert (await stopped("count", counts, house=Warehouse())).result() == CallEnd("cancelled", COUNTED, error, 1)
    assert await ended("count", counts_too_long) == CallEnd("partial", COUNTED, None, 1)


# What else is seen of it


class Watcher(AsyncCallbackHandler):
    def __init__(self) -> None:
        self.seen: list[Any] = []

    async def on_tool_start(self, *_: Any, **given: Any) -> None:
        self.seen.append((given["name"], sorted(given["tags"]), given["metadata"]))


@pytest.mark.parametrize(("name", "effect"), [("count", "read"), ("scrap", "write")], ids=["async", "sync"])
async def test_a_trace_shows_the_tool_with_its_wave_and_the_id_of_the_call(name: str, effect: str) -> None:
    watcher = Watcher()

    async def runs(_: Any) -> Any:
        return await ended(name, *([LOST] if name == "count" else []))

    await RunnableLambda(runs).ainvoke(None, {"callbacks": [watcher]})

    facts = {"call": "a", "wave": 3, "effect": effect, "plan": 2, "request_id": "m1", "signature": "s"}
    shown = [(of, tags, {key: facts[key] for key in facts if key in seen}, seen["attempt"]) for of, tags, seen in watcher.seen]  # fmt: skip
    tries = [1, 2] if name == "count" else [1]
    assert shown == [(name, [f"tool:{name}", "wave:3"], facts, n) for n in tries]


async def test_a_sync_tool_runs_in_a_thread_that_holds_up_no_exit() -> None:
    seen: list[threading.Thread] = []

    def weighs() -> Any:
        seen.append(threading.current_thread())
        return {"sku": "bolt", "grams": 1}

    await ended("weigh", weighs)

    assert [(thread.name, thread.daemon) for thread in seen] == [("wavegraph-tool-weigh", True)]


@pytest.mark.parametrize(("tries", "least", "most"), [(1, 0.1, 0.3), (2, 0.2, 0.6), (3, 0.4, 1.2)])
def test_each_pause_is_twice_as_long_and_no_two_alike(tries: int, least: float, most: float) -> None:
    random.seed(7)
    drawn = [pause_s(tries) for _ in range(200)]

    assert least <= min(drawn) < 1.2 * least
    assert 0.9 * most < max(drawn) <= most


def test_arguments_that_do_not_fit_are_not_sent(caplog: pytest.LogCaptureFixture) -> None:
    move = tools_of(Warehouse())["move"]

    assert call_values(move, calling("move", sku="bolt", units=2), Settings()) == {
        "sku": "bolt",
        "units": 2,
        "to": "dock",
        "note": None,
    }
    found = call_values(move, calling("move", sku="bolt", units=50, to="cellar"), Settings())
    assert isinstance(found, CallEnd)
    assert found.error
    assert found == CallEnd("skipped", None, {**found.error, "code": "unexpected_data", "retryable": False}, 0)
    assert found.error["message"].startswith("move was not called: ")
    assert caplog.records == []


@tool
def anything(**kwargs: Any) -> dict[str, Any]:
    """Anything."""
    return kwargs


@pytest.mark.parametrize("args", [{}, {"kwargs": {"a": 1}}], ids=["nothing", "something"])
async def test_a_function_that_takes_anything_is_given_what_the_call_gives(args: dict[str, Any]) -> None:
    made = {**calling("anything"), "call": {**calling("anything")["call"], "args": args}}
    assert (await sent(read(anything), made, Settings())).data == args.get("kwargs", {})


async def test_an_error_is_logged_with_its_place_and_not_its_text(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, "wavegraph"):
        await ended("weigh", KeyError("password=hunter2"))

    short, whole = [record.getMessage() for record in caplog.records if "failed" in record.getMessage()]
    assert re.fullmatch(r"tool weigh failed with KeyError at \w+\.py:\d+", short)
    assert "warehouse.py" in whole
    assert "hunter2" not in caplog.text
