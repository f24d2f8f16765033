"""Runs one call within its time limit; however it ends, the end is data."""

import asyncio
import random
import re
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache, partial, wraps
from typing import Any, Literal, NamedTuple

from langchain_core.messages.tool import tool_call
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import BaseTool, ToolException
from langgraph.config import get_config, get_store, get_stream_writer
from langgraph.errors import GraphBubbleUp
from pydantic import ValidationError
from pydantic_core import PydanticSerializationError

from wavegraph.graph._langgraph import (
    DEFAULT_RECURSION_LIMIT,
    function_of,
    inspected,
    is_watched,
    keeping_returned,
    with_arguments,
)
from wavegraph.graph.background import in_own_thread
from wavegraph.graph.decimals import decimal
from wavegraph.graph.domain_tool import DomainTool, OfState, Retry, Supplied
from wavegraph.graph.errors import (
    ConnectionLost,
    CutShort,
    SettingsError,
    ToolRefusal,
    WavegraphError,
    error_text,
    explain,
    frames_of,
    kind_of_fault,
    logger,
    short_repr,
    told_error,
)
from wavegraph.graph.execution.returned import BadResult, Returned, returned, thread_state
from wavegraph.graph.ledger import WRITE_UNKNOWN, canonical
from wavegraph.graph.references.storable import readable, unstorable
from wavegraph.graph.secrets.scrubber import process
from wavegraph.graph.secrets.ways_out import cleaned_errors
from wavegraph.graph.settings import Settings, told
from wavegraph.graph.state import CallStatus, Effect, ToolError, WaveCall

# What an error tells of a call that did not end: whether its connection was lost, and whether the call had been sent by then

Fate = Literal["unknown", "unsent"]

_CUT = (ConnectionLost, ConnectionResetError, ConnectionAbortedError, BrokenPipeError, EOFError)
_CUT_NAMES = frozenset({
    "NetworkError", "ReadTimeout", "WriteTimeout", "ProtocolError",  # httpx and httpcore, of any version
    "ReadTimeoutError", "ChunkedEncodingError", "ContentDecodingError",  # requests and urllib3
    "ServerDisconnectedError", "ServerTimeoutError", "ClientPayloadError",  # aiohttp
    "ClosedResourceError", "BrokenResourceError", "EndOfStream",  # anyio
    "HTTPException",  # http.client
})  # fmt: skip
"""Names of classes, anywhere among an error's bases: none of these libraries is ours to import."""
_UNSENT_NAMES = frozenset({
    "ConnectError", "ConnectTimeout", "PoolTimeout", "UnsupportedProtocol", "ProxyError",
    "NewConnectionError", "ConnectTimeoutError", "NameResolutionError", "ClientConnectorError", "gaierror",
})  # fmt: skip
_VAGUE = (ConnectionError, TimeoutError, asyncio.CancelledError)
"""Cut off at any time, unless what they caused says that nothing was sent yet."""
_VAGUE_NAMES = frozenset({"TransportError", "ClientConnectionError", "APIConnectionError"})


def fate_of(error: BaseException) -> Fate | None:
    """`unknown`: the call may have been sent before the connection was lost; `unsent`: it was not; None = nothing of the
    kind. Causes count as well as the error itself, and one that may have been sent outweighs one that was not: a tool
    may have sent twice."""
    found = set(_verdicts(error, below_unsent=False, seen=set()))
    return "unknown" if "unknown" in found else "unsent" if found else None


def _verdicts(error: BaseException, *, below_unsent: bool, seen: set[int]) -> Iterator[Fate]:
    if id(error) in seen:
        return
    seen.add(id(error))
    if _is(error, (ConnectionRefusedError,), _UNSENT_NAMES):
        below_unsent = True
        yield "unsent"
    elif _is(error, _CUT, _CUT_NAMES) or (not below_unsent and _is(error, _VAGUE, _VAGUE_NAMES)):
        yield "unknown"
    for inner in _inside(error):
        yield from _verdicts(inner, below_unsent=below_unsent, seen=seen)


def _is(error: BaseException, kinds: tuple[type[BaseException], ...], names: frozenset[str]) -> bool:
    return isinstance(error, kinds) or any(base.__name__ in names for base in type(error).__mro__)


def _inside(error: BaseException) -> Iterator[BaseException]:
    """What it groups, and what caused it."""
    if isinstance(error, BaseExceptionGroup):
        yield from error.exceptions
    before = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if before is not None:
        yield before


# The text of unexpected errors is kept from tracers: they record it whole, and it may quote a password

PASSED_ON = (WavegraphError, ToolException, GraphBubbleUp)
"""Errors whose text is meant to be shown, and LangGraph's control flow."""


class QuietError(Exception):
    """Stands in for an `error` of which only the type may be shown."""

    def __init__(self, error: Exception) -> None:
        super().__init__(type(error).__name__)
        self.error = error


@lru_cache(maxsize=256)
def quiet_tool(tool: DomainTool) -> BaseTool:
    """A tool that raises QuietError in place of an unexpected error, and an error that LangChain would turn into a result as
    itself."""
    own = tool.tool
    quiet = own.model_copy(update={"handle_tool_error": False, "handle_validation_error": False})
    object.__setattr__(quiet, "_run", _kinds_alone()(own._run))
    object.__setattr__(quiet, "_arun", _awaited_quietly(own._arun))
    return inspected(quiet)


@lru_cache(maxsize=256)
def quiet_function(tool: DomainTool) -> Callable[..., Any] | None:
    """What is left of the tool for validated arguments where nobody watches (`function_of`)."""
    wrapper = _awaited_quietly if getattr(tool.tool, "coroutine", None) else _kinds_alone()
    function = function_of(tool.tool)
    return wrapper(function) if function else None


def _awaited_quietly(function: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(function)
    async def run(*args: Any, **given: Any) -> Any:
        with _kinds_alone():
            return await function(*args, **given)

    return run


@contextmanager
def _kinds_alone() -> Iterator[None]:
    try:
        yield
    except PASSED_ON:
        with cleaned_errors():
            raise
    except Exception as error:  # noqa: BLE001  a tool may raise anything
        raise QuietError(error) from None


# The call

FIRST_PAUSE_S = 0.2
PASSED_ON_AT_ONCE = (CutShort, GraphBubbleUp, SettingsError)
"""What ends a call whatever its retries are: a best result so far, a question to a person, a setting that breaks every call."""
LONGEST_ERROR = 2000
"""Characters told of what an error says."""
LOOK_UP = ", look it up"
"""Ends the message of a write that was cut short and not looked up yet."""
SETTLES_WITHIN_S: Mapping[Effect, float] = {"read": 0.02, "write": 1.0}
"""How long a stop waits for a call that runs in a thread: one that is just returning waits for Python's lock, which another
thread may keep for 0.005 s."""


class CallEnd(NamedTuple):
    """How one run ended."""

    status: CallStatus
    data: Any
    error: ToolError | None
    attempts: int
    more: Mapping[str, Any] = {}
    """Fields of the outcome that a tool gave beside its result (`Returned`)."""


def call_values(tool: DomainTool, call: WaveCall, settings: Settings) -> dict[str, Any] | CallEnd:
    """What the tool's function is given; the end of the call if what its references brought does not fit."""
    try:
        return tool.values(call["call"]["args"], supplied_values(tool, call["call"]["id"], settings))
    except ValidationError as error:
        message = f"{tool.name} was not called: {explain(error)}"
        return CallEnd("skipped", None, {"code": "unexpected_data", "message": message, "retryable": False}, 0)
    except Exception as error:  # noqa: BLE001  a validator may raise anything
        return CallEnd("error", None, _error_data(error, tool, "read"), 0)


def supplied_values(tool: DomainTool, call_id: str, settings: Settings) -> Mapping[str, Any]:
    """The values of the parameters that are not planned; of a key that the thread's state does not have the parameter's own
    default. Raises ToolRefusal for one without a default, and for a store that the graph does not have."""
    state = thread_state() if tool.reads_state else {}
    return {
        name: _value(kind, tool, call_id, settings, state)
        for name, kind in tool.supplied.items()
        if not (name in tool.defaulted and isinstance(kind, OfState) and kind.key and kind.key not in state)
    }


def _value(kind: Supplied, tool: DomainTool, call_id: str, settings: Settings, state: dict[str, Any]) -> Any:
    match kind:
        case OfState(None):
            return state
        case OfState(str() as key):
            if key not in state:
                raise ToolRefusal("no_state", f"{tool.name} needs {key!r} of the thread's state; give it in the input")
            return state[key]
        case "settings":
            return settings
        case "call_id":
            return call_id
        case "store":
            if (store := _store()) is None:
                raise ToolRefusal("no_store", f"{tool.name} needs the graph's store, and it has none; give store=…")
            return store
        case "runtime":
            from langgraph.prebuilt import ToolRuntime  # not before a tool asks for it: it brings much

            return ToolRuntime(
                state=state,
                context=told(settings),
                config={"recursion_limit": DEFAULT_RECURSION_LIMIT, **get_config()},
                stream_writer=get_stream_writer(),
                tool_call_id=call_id,
                store=_store(),
            )


def _store() -> Any:
    try:
        return get_store()
    except (RuntimeError, KeyError):
        return None


async def run_tool(tool: DomainTool, call: WaveCall, values: dict[str, Any], settings: Settings) -> CallEnd:
    """Run the call's tool. `values`: its `call_values`."""
    ended = await run(lambda attempt: _returned(tool, call, values, settings, attempt), tool, tool.effect, call)
    return ended._replace(data=ended.data.data, more=ended.data.more) if isinstance(ended.data, Returned) else ended


async def run(work: Callable[[int], Awaitable[Any]], tool: DomainTool, effect: Effect, call: WaveCall) -> CallEnd:
    """Run `work` with the number of its attempt. Only reads are retried, and only within the call's time limit."""
    tries = 0
    own = tool.retry or Retry(attempts=call["attempts"], on=_may_pass, pause_s=pause_s)
    most = own.attempts if effect == "read" else 1
    try:
        async with asyncio.timeout(call["timeout_s"]) as limit:
            if call["timeout_s"] <= 0:
                await asyncio.sleep(0)  # nothing starts: the limit ends the call here
            while True:
                tries += 1
                try:
                    return CallEnd("ok", await work(tries), None, tries)
                except Exception as error:
                    if tries >= most or _is_stopped() or isinstance(error, PASSED_ON_AT_ONCE) or not own.on(error):
                        raise
                await asyncio.sleep(own.pause_s(tries))
    except CutShort as cut:
        if not _is_stopped():
            return CallEnd("partial", cut.data, None, tries)
        # The request is being stopped: the call counts as not ended, so that a resume runs it.
        stopped: ToolError = {"code": "cut_short", "message": "stopped with the best so far", "retryable": True}
        return CallEnd("cancelled", cut.data, stopped, tries)
    except (GraphBubbleUp, SettingsError):  # a question to a person; a setting that breaks every call
        raise
    except TimeoutError:
        return CallEnd("timeout", None, _timed_out(tool, effect, call["timeout_s"] if limit.expired() else None), tries)
    except asyncio.CancelledError as error:
        if not _is_stopped():  # cancelled from within
            return CallEnd("error", None, _error_data(error, tool, effect), tries)
        if effect == "read":
            raise
        # LangGraph keeps what a cancelled task returns, so no resume sends this write a second time.
        # A stop may mean that it must not happen: no planner may send it again.
        return CallEnd("error", None, _unknown_end(f"{tool.name} was stopped while it ran", again=False), tries)
    except (Exception, SystemExit) as error:  # noqa: BLE001  a tool may raise anything, and whatever it raises is data
        is_done = isinstance(error, BadResult) and error.is_done
        return CallEnd("partial" if is_done else "error", None, _error_data(error, tool, effect), tries)


def _may_pass(error: Exception) -> bool:
    """Whether another try may succeed."""
    if isinstance(error, ToolRefusal):
        return error.retryable
    return fate_of(error) is not None


def pause_s(tries: int) -> float:
    """How long to wait after so many tries: doubled each time, with jitter."""
    return FIRST_PAUSE_S * 2.0 ** (tries - 1) * random.uniform(0.5, 1.5)


def _is_stopped() -> bool:
    """Whether this run was asked to stop."""
    task = asyncio.current_task()
    return bool(task and task.cancelling())


def never_started(code: str, message: str) -> CallEnd:
    """The end of a call that was never started."""
    return CallEnd("error", None, {"code": code, "message": message, "retryable": False}, 0)


def cut_off_end(what: str) -> CallEnd:
    """The end of a write that was sent, and whose end was not seen."""
    return CallEnd("error", None, _unknown_end(what, again=False), 1)


async def _returned(
    tool: DomainTool, call: WaveCall, values: dict[str, Any], settings: Settings, attempt: int
) -> Returned:
    """What the tool gives back, as JSON; its result checked against its result model."""
    if attempt > 1:  # the try before may have modified its arguments
        values = tool.values(call["call"]["args"], supplied_values(tool, call["call"]["id"], settings))
    kept = list[Any]()
    tried = _try_of(tool, call, values, attempt, kept)
    try:
        raw = await (tried() if tool.is_async else _in_thread(tool, tried))
        raw = kept[0] if kept else raw
        given = returned(*(raw if tool.tool.response_format == "content_and_artifact" else (raw, None)))
        data = as_result(tool, given.data, settings)
        return Returned(data, dict(_storable_fields(tool, given.more, settings)))
    except CutShort as cut:
        raise CutShort(as_result(tool, cut.data, settings)) from None
    except QuietError as stand_in:
        failure = stand_in.error
    except BadResult as bad:  # it ran to its end: a write is done then, whatever it gave
        bad.is_done = tool.effect == "write"
        raise
    raise failure  # here, where nothing is handled, it keeps its own causes


def _storable_fields(tool: DomainTool, more: Mapping[str, Any], settings: Settings) -> Iterator[tuple[str, Any]]:
    """What a tool gave beside its result, as a store can hold it; without an artifact that none can, which the log says."""
    for name, value in more.items():
        try:
            yield name, _storable_result(value, settings.max_result_bytes)
        except BadResult as bad:
            if name != "artifact":
                raise
            logger.warning("the artifact of %s is left out: %s", tool.name, error_text(bad))


def _try_of(
    tool: DomainTool, call: WaveCall, values: dict[str, Any], attempt: int, kept: list[Any]
) -> Callable[[], Any]:
    """One try of the tool: a run of LangChain's for who watches, else its function alone. `kept`: gets what the function gave,
    of which LangChain makes a message for the call's id."""
    if (function := quiet_function(tool)) and not is_watched():
        return partial(function, **values)
    ready = keeping_returned(with_arguments(quiet_tool(tool), values), kept)
    planned = tool_call(name=tool.name, args=tool.as_called(call["call"]["args"]), id=call["call"]["id"])
    return partial(ready.ainvoke if tool.is_async else ready.invoke, planned, _trace(tool, call, attempt))


def as_result(tool: DomainTool, raw: Any, settings: Settings) -> Any:
    """A tool's result as JSON, checked against its result model. Raises BadResult."""
    try:
        checked = tool.result_adapter.validate_python(raw)
        return _storable_result(tool.result_adapter.dump_python(checked, mode="json"), settings.max_result_bytes)
    except ValidationError as error:
        why = explain(error)
    except (PydanticSerializationError, UnicodeError) as error:
        why = f"a value that is not JSON: {error_text(error)}"
    except BadResult:
        raise
    except Exception as error:  # noqa: BLE001  a type of anybody's reads and writes it
        why = f"a value that is not JSON ({type(error).__name__})"
    raise BadResult(why)


def _trace(tool: DomainTool, call: WaveCall, attempt: int) -> RunnableConfig:
    """How the run shows to callbacks and in LangSmith: as the tool, to be found by its wave; `metadata` has the call's id."""
    facts = {"call": call["call"]["id"], "wave": call["wave"], "effect": tool.effect, "plan": call["call"]["plan"],
             "request_id": call["request_id"], "signature": call["signature"], "attempt": attempt}  # fmt: skip
    outer = get_config().get("metadata", {})  # an agent inside takes the name of the one round it
    return {
        "run_name": tool.name,
        "tags": [f"wave:{call['wave']}", f"tool:{tool.name}"],
        "metadata": {**outer, **facts},
    }


async def _in_thread(tool: DomainTool, tried: Callable[[], Any]) -> Any:
    """A sync tool, which may outlive its time limit."""
    ended = in_own_thread(tried, f"wavegraph-tool-{tool.name}")
    try:
        return await asyncio.shield(ended)
    except asyncio.CancelledError:
        # Nothing stops the thread. What has ended counts; a write gets a moment to end, so that its effect is known.
        if (await asyncio.wait({ended}, timeout=SETTLES_WITHIN_S[tool.effect]))[0]:
            return ended.result()
        ended.cancel()
        raise


def _storable_result(data: Any, max_bytes: int) -> Any:
    """The result without secrets, as a store can hold it, unless it is too large: every later checkpoint of the request
    would hold it."""
    text = canonical(data)
    size = len(text.encode(errors="surrogatepass"))
    if size > max_bytes:
        why = f"a result of {size:,} bytes, but at most {max_bytes:,} are kept; ask it for less"
        raise BadResult(why, code="too_large")
    data = process.scrub_json(data) if process.holds(text) else data
    if not _ODD.search(text):
        return data
    for place, value, why in unstorable(data):
        if isinstance(value, int):
            where = ".".join(map(str, place)) or "the result"
            raise BadResult(f"{where} = {short_repr(readable(value))}: {why}")
    return readable(data)


_ODD = re.compile("NaN|Infinity|[0-9]{19}|[\ud800-\udfff]")
"""In a result's JSON: it may hold what no store takes."""


def _timed_out(tool: DomainTool, effect: Effect, limit_s: float | None) -> ToolError:
    """`limit_s`: the call's time limit; None = the tool gave up waiting by itself."""
    what = f"{tool.name} timed out" if limit_s is None else f"{tool.name} did not end within {decimal(limit_s, 3)} s"
    if effect == "read":
        return {"code": "timeout", "message": what, "retryable": True}
    # A thread cannot be stopped: as long as it runs, no look-up proves anything.
    return _unknown_end(what, again=tool.look_up is not None and (limit_s is None or tool.is_async))


def _unknown_end(what: str, *, again: bool) -> ToolError:
    """The error of a write that was cut short: how far it came is unknown, so it must not be sent again blindly.

    `again`: whether it may be sent again once a look-up has found that it did not happen.
    """
    return {"code": WRITE_UNKNOWN, "message": f"{what}; it may or may not have happened{LOOK_UP}", "retryable": again}


def _error_data(error: BaseException, tool: DomainTool, effect: Effect) -> ToolError:
    """An error as the planner sees it, without secrets: a remote system may quote a login in its refusal."""
    made = _shown_error(error, tool, effect)
    return {**made, "message": process.scrub(made["message"])}


def _shown_error(error: BaseException, tool: DomainTool, effect: Effect) -> ToolError:
    """Only texts that are meant to be shown are shown, unless the tool's are all to be (`error_texts`).

    A write is `retryable` here if it may be retried once a look-up shows that it did not happen (`settled_write`).
    """
    looked_up = effect == "write" and tool.look_up is not None
    match error:
        case ToolRefusal():
            retryable = error.retryable and (effect == "read" or looked_up)
            made: ToolError = {"code": error.code, "message": error.message, "retryable": retryable}
            if error.limit is not None:
                made["limit"] = error.limit
            return {**made, "about": dict(error.about)} if error.about else made
        case BadResult():
            gave = f"{tool.name} gave {error_text(error)}"
            done = f"{tool.name} ran to its end, so it is done, but its result cannot be read: "
            retryable = looked_up and error.code == "unexpected_data"
            return {"code": error.code, "message": f"{done if error.is_done else ''}{gave}", "retryable": retryable}
        case _ if effect == "write" and fate_of(error) == "unknown":
            logger.error("tool %s lost its connection: %s", tool.name, kind_of_fault(error))
            return _unknown_end(f"{tool.name} lost its connection", again=looked_up)
        case ToolException():
            return {"code": "tool_error", "message": error_text(error), "retryable": False}
    logger.error("tool %s failed with %s", tool.name, kind_of_fault(error))
    logger.debug("tool %s failed in\n%s", tool.name, frames_of(error))
    retryable = looked_up or (effect == "read" and isinstance(error, Exception) and _may_pass(error))
    what = f"{tool.name} failed with {type(error).__name__}"
    text = told_error(error)[:LONGEST_ERROR] if tool.error_texts else ""
    message = f"{what}: {text}" if text else what
    return {"code": "tool_error", "message": message, "retryable": retryable}
