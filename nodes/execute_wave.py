"""execute_wave: one call of a wave, as one task of the graph."""

import asyncio
import contextvars
import logging
import random
import threading
import time
from contextlib import suppress
from functools import partial
from typing import Any

from langchain_core.runnables import RunnableConfig
from langchain_core.tools import ToolException
from langgraph.errors import GraphBubbleUp
from langgraph.runtime import Runtime
from pydantic import ValidationError
from pydantic_core import PydanticSerializationError

from wavegraph.graph.agent import Agent
from wavegraph.graph.domain import DomainTool, explain
from wavegraph.graph.errors import SettingsError, ToolRefusal
from wavegraph.graph.events import emit
from wavegraph.graph.ledger import WRITE_UNKNOWN, canonical, stored
from wavegraph.graph.settings import Settings
from wavegraph.graph.state import CallStatus, ToolError, ToolOutcome, WaveCall

logger = logging.getLogger("wavegraph")

TRANSIENT = (ConnectionError, TimeoutError)
"""Errors that may pass by themselves, besides a refusal that says so."""
FIRST_PAUSE_S = 0.2
SETTLES_WITHIN_S = 1.0
"""How long a stop waits for a write that runs in a thread."""


async def execute_wave(call: WaveCall, runtime: Runtime[Any], agent: Agent) -> dict[str, Any]:
    """Run one call within its time limit; errors become data, so that siblings go on.

    Reads the payload alone. Writes the outcome under its signature in `ledger`.
    """
    settings = agent.settings(runtime)
    await agent.domain.open()
    tool = _tool(call["call"]["tool"], agent)
    _tell_start(call)
    started = time.perf_counter()
    status, data, error, attempts = await _run(tool, call, settings, call["attempts"])
    kept, artifacts = stored(data)
    outcome: ToolOutcome = {
        "tool": tool.name,
        "args": call["call"]["args"],
        "status": status,
        "data": kept,
        "error": error,
        "attempts": attempts,
        "runs": call["run"],
        "plan": call["call"]["plan"],
        "wave": call["wave"],
        "elapsed_s": round(time.perf_counter() - started, 3),
        "signature": call["signature"],
    }
    _tell_end(call, outcome)
    return {"ledger": {"calls": {}, "outcomes": {call["signature"]: outcome}, "artifacts": artifacts}}


def _tool(name: str, agent: Agent) -> DomainTool:
    tool = agent.domain.registry.get(name)
    if tool is None:  # the plan was checked, but by whom?
        own = f"this graph is of {agent.domain.name!r}, which has no tool {name!r}"
        raise SettingsError(f"the thread belongs to another agent: {own}; go on with the agent it was begun with")
    return tool


_Ended = tuple[CallStatus, Any, ToolError | None, int]


async def _run(tool: DomainTool, call: WaveCall, settings: Settings, attempts: int) -> _Ended:
    """Status, data, error and tries of one run. Only a read is tried again, and only within its time limit."""
    tries = 0
    most = attempts if tool.effect == "read" else 1
    try:
        async with asyncio.timeout(call["timeout_s"]) as limit:
            while True:
                tries += 1
                try:
                    return "ok", await _result(tool, call, settings, tries), None, tries
                except (ToolRefusal, *TRANSIENT) as error:
                    if tries >= most or not _passing(error):
                        raise
                await asyncio.sleep(FIRST_PAUSE_S * 2 ** (tries - 1) * random.uniform(0.5, 1.5))
    except (GraphBubbleUp, SettingsError):  # a question to a person; a setting no other call can work with either
        raise
    except TimeoutError:
        return "timeout", None, _timed_out(tool, call["timeout_s"] if limit.expired() else None), tries
    except asyncio.CancelledError as error:
        task = asyncio.current_task()
        if task is not None and not task.cancelling():
            return "error", None, _as_data(error, tool), tries  # cancelled from within: nobody asked this run to stop
        if tool.effect == "read":
            raise
        # LangGraph keeps what a cancelled task returns, so no resume sends this write a second time.
        return "error", None, _unknown(tool, f"{tool.name} was stopped while it ran"), tries
    except (Exception, SystemExit) as error:  # noqa: BLE001  a tool may raise anything, and whatever it raises is data
        return "error", None, _as_data(error, tool), tries


async def _result(tool: DomainTool, call: WaveCall, settings: Settings, attempt: int) -> Any:
    """The tool's result as JSON, checked against its result model."""
    nulls = dict.fromkeys(name for name, info in tool.arguments.items() if info.is_required())
    given = {**nulls, **call["call"]["args"], **dict.fromkeys(tool.injected, settings)}
    traced = _trace(tool, call, attempt)
    raw = await (tool.tool.ainvoke(given, traced) if tool.is_async else _in_thread(tool, given, traced))
    try:
        checked = tool.result_adapter.validate_python(raw)
        return _bounded(tool.result_adapter.dump_python(checked, mode="json"), settings.max_result_bytes)
    except ValidationError as error:
        raise _UnexpectedData(explain(error)) from None
    except PydanticSerializationError as error:
        raise _UnexpectedData(f"what is no JSON: {error}") from None


def _trace(tool: DomainTool, call: WaveCall, attempt: int) -> RunnableConfig:
    """How the run shows in LangSmith: under the call's own id, to be found by its wave and its tool."""
    facts = {"call": call["call"]["id"], "wave": call["wave"], "effect": tool.effect, "plan": call["call"]["plan"],
             "request_id": call["request_id"], "signature": call["signature"], "attempt": attempt}  # fmt: skip
    return {"run_name": call["call"]["id"], "tags": [f"wave:{call['wave']}", f"tool:{tool.name}"], "metadata": facts}


async def _in_thread(tool: DomainTool, given: dict[str, Any], traced: RunnableConfig) -> Any:
    """A sync tool, in a thread of its own: one that outlives its time limit starves no pool and holds up no exit."""
    loop = asyncio.get_running_loop()
    ended: asyncio.Future[Any] = loop.create_future()
    context = contextvars.copy_context()

    def work() -> None:
        try:
            tell = partial(ended.set_result, context.run(tool.tool.invoke, given, traced))
        except BaseException as error:  # noqa: BLE001  whatever ends the thread is the call's end
            tell = partial(ended.set_exception, _carried(error))
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(lambda: None if ended.done() else tell())

    threading.Thread(target=work, name=f"wavegraph-tool-{tool.name}", daemon=True).start()
    try:
        return await asyncio.shield(ended)
    except asyncio.CancelledError:
        # Nothing stops the thread. A write is given a moment to end, so that it is known what it did.
        if tool.effect == "write" and (await asyncio.wait({ended}, timeout=SETTLES_WITHIN_S))[0]:
            return ended.result()
        ended.cancel()
        raise


def _carried(error: BaseException) -> BaseException:
    """A future cannot carry StopIteration: whoever waits for it would wait for ever."""
    return RuntimeError("StopIteration") if isinstance(error, StopIteration) else error


def _bounded(data: Any, max_bytes: int) -> Any:
    """The result, where it is not larger than what is kept: every later checkpoint of the request would hold it."""
    size = len(canonical(data).encode(errors="surrogatepass"))
    if size > max_bytes:
        raise _TooLarge(f"a result of {size:,} bytes, and up to {max_bytes:,} are kept; ask it for less")
    return data


class _UnexpectedData(Exception):
    """A result that does not fit the tool's result model."""


class _TooLarge(Exception):
    """A result above `max_result_bytes`."""


def _passing(error: Exception) -> bool:
    return error.retryable if isinstance(error, ToolRefusal) else True


def _timed_out(tool: DomainTool, limit_s: float | None) -> ToolError:
    """`limit_s`: the call's time limit; None = the tool gave up waiting by itself."""
    what = f"{tool.name} timed out" if limit_s is None else f"{tool.name} did not end within {limit_s:g} s"
    return _unknown(tool, what) if tool.effect == "write" else {"code": "timeout", "message": what, "retryable": True}


def _unknown(tool: DomainTool, what: str) -> ToolError:
    """Of a write that was cut short: nobody knows how far it came, so nobody may send it again blindly."""
    message = f"{what}; it may or may not have happened, look it up"
    return {"code": WRITE_UNKNOWN, "message": message, "retryable": False}


def _as_data(error: BaseException, tool: DomainTool) -> ToolError:
    """An error as the planner sees it. Only texts that are meant to be shown are: others may hold secrets."""
    match error:
        case ToolRefusal():
            retryable = error.retryable and tool.effect == "read"
            return {"code": error.code, "message": error.message, "retryable": retryable}
        case _UnexpectedData():
            return {"code": "unexpected_data", "message": f"{tool.name} gave {error}", "retryable": False}
        case _TooLarge():
            return {"code": "too_large", "message": f"{tool.name} gave {error}", "retryable": False}
        case ValidationError() if error.title == getattr(tool.tool.args_schema, "__name__", None):
            return {"code": "bad_arguments", "message": f"{tool.name}: {explain(error)}", "retryable": False}
        case ToolException():
            return {"code": "tool_error", "message": str(error), "retryable": False}
    logger.error("tool %s failed with %s", tool.name, type(error).__name__)
    retryable = isinstance(error, TRANSIENT) and tool.effect == "read"
    return {"code": "tool_error", "message": f"{tool.name} failed with {type(error).__name__}", "retryable": retryable}


def _tell_start(call: WaveCall) -> None:
    planned = call["call"]
    emit({"event": "tool_started", "id": planned["id"], "tool": planned["tool"], "args": planned["args"],
          "wave": call["wave"]})  # fmt: skip


def _tell_end(call: WaveCall, outcome: ToolOutcome) -> None:
    error = outcome["error"]["message"] if outcome["error"] else None
    emit({"event": "tool_finished", "id": call["call"]["id"], "tool": outcome["tool"], "status": outcome["status"],
          "elapsed_s": outcome["elapsed_s"], "error": error})  # fmt: skip
