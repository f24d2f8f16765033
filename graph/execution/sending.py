"""A write is sent once, however many runs and processes take its call up.

In this process the runs of one request share what became of the call: who comes second waits for the first and takes its
end, also after a stop. A process may end before the write's end is stored: that the call is about to be sent is noted in the
graph's store, and whoever finds the note reports `write_unknown` where it would send a second time.
"""

import asyncio
import logging
import threading
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from hashlib import blake2b
from typing import Any
from weakref import WeakKeyDictionary

from langgraph.config import get_config
from langgraph.runtime import ExecutionInfo, Runtime
from langgraph.store.base import BaseStore

from wavegraph.graph._langgraph import CHECKPOINTER
from wavegraph.graph.domain_tool import DomainTool
from wavegraph.graph.errors import kind_of_fault
from wavegraph.graph.execution.repeats import may_have_happened
from wavegraph.graph.execution.tool_call import LOOK_UP, CallEnd
from wavegraph.graph.ledger import GOOD, WRITE_UNKNOWN
from wavegraph.graph.state import WaveCall, key_of

logger = logging.getLogger("wavegraph")

SENDING = ("wavegraph", "sending")
"""One item for each thread, under its `key_of`: the task and the call that were sent last."""
MOST_ENDED = 256
"""Ends that are kept of one checkpointer's writes, for runs that come late."""
SETTLES_WITHIN_S = 10.0
"""How long after a call's time limit its end is waited for."""

Send = Callable[[], Awaitable[CallEnd]]


class _Sent:
    """The writes that were sent over one checkpointer: those under way, and how the latest ended."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._ends: OrderedDict[str, Future[CallEnd | None]] = OrderedDict()

    def begin(self, key: str) -> tuple[Future[CallEnd | None], bool]:
        """The call's end, and whether it is the caller's to send; None as an end: it was not sent."""
        with self._lock:
            if (before := self._ends.get(key)) is not None:
                return before, False
            mine = self._ends[key] = Future()
            return mine, True

    def end(self, key: str, ended: CallEnd | None, *, keeps: bool) -> None:
        with self._lock:
            sending = self._ends.pop(key)
            if keeps:
                self._ends[key] = sending
            done = [name for name, each in self._ends.items() if each.done()]
            for name in done[:-MOST_ENDED]:
                del self._ends[name]
        sending.set_result(ended)


_lock = threading.Lock()
_sent: WeakKeyDictionary[Any, _Sent] = WeakKeyDictionary()
"""By checkpointer: its threads are its own."""


def _sent_over(checkpointer: Any) -> _Sent:
    with _lock:
        return _sent.setdefault(checkpointer, _Sent())


async def once(tool: DomainTool, call: WaveCall, runtime: Runtime[Any], send: Send) -> CallEnd:
    """The end of a call, sent once in its request. Where a graph keeps nothing, it is sent as it comes."""
    info, saver = runtime.execution_info, get_config().get("configurable", {}).get(CHECKPOINTER)
    if tool.effect != "write" or tool.repeatable or info is None or not info.thread_id or saver is None:
        return await send()
    sent, key = _sent_over(saver), _key(info, call)
    while True:
        sending, is_first = sent.begin(key)
        if is_first:
            return await _shared(sent, key, tool, lambda: _noted(tool, runtime, info, key, send))
        if (ended := await _end_of(sending, tool, call)) is not None:
            return ended


def _key(info: ExecutionInfo, call: WaveCall) -> str:
    """Names one sending of a call: the same for each run that has this request in hand, where an agent is called twice in
    a graph of its own another for each."""
    inside = info.checkpoint_ns.rpartition("|")[0]
    parts = (info.thread_id, inside, call["request_id"], call["signature"], call["run"])
    return blake2b(repr(parts).encode(errors="surrogatepass"), digest_size=16).hexdigest()


async def _shared(sent: _Sent, key: str, tool: DomainTool, send: Send) -> CallEnd:
    """The end, which every other run of the call gets as well."""
    try:
        ended = await send()
    except Exception:  # a question to a person, or a setting that is wrong: nothing was sent
        sent.end(key, None, keeps=False)
        raise
    except BaseException:
        sent.end(key, _unknown(f"{tool.name} was stopped while it ran"), keeps=tool.look_up is None)
        raise
    looked_up = tool.look_up is not None and ended.status not in GOOD
    sent.end(key, ended, keeps=may_have_happened(ended.status, ended.error) and not looked_up)
    return ended


async def _end_of(sending: "Future[CallEnd | None]", tool: DomainTool, call: WaveCall) -> CallEnd | None:
    """How another run's sending ends; None = it was not sent."""
    try:
        async with asyncio.timeout(call["timeout_s"] + SETTLES_WITHIN_S):
            return await asyncio.shield(asyncio.wrap_future(sending))
    except TimeoutError:
        return _unknown(f"another run is sending {tool.name}")


def _unknown(what: str) -> CallEnd:
    why = f"{what}; it may or may not have happened{LOOK_UP}"
    return CallEnd("error", None, {"code": WRITE_UNKNOWN, "message": why, "retryable": False}, 1)


async def _noted(tool: DomainTool, runtime: Runtime[Any], info: ExecutionInfo, key: str, send: Send) -> CallEnd:
    """The end of a call, sent after a note of it. Where it cannot be noted it is sent all the same."""
    if tool.look_up is not None or runtime.store is None:
        return await send()
    thread = key_of(str(info.thread_id))
    if not await _is_first(runtime.store, thread, {"task": info.task_id, "call": key}):
        return _unknown(f"{tool.name} was sent already, by a run or process that did not tell how it ended")
    try:
        return await send()
    except Exception:  # a question to a person, or a setting that is wrong: nothing was cut off
        await runtime.store.adelete(SENDING, thread)
        raise


async def _is_first(store: BaseStore, thread: str, note: dict[str, str]) -> bool:
    """Whether nobody has noted this task or call last; it is noted now."""
    try:
        if (put_unless := getattr(store, "aput_unless_same", None)) is not None:
            return bool(await put_unless(SENDING, thread, note))
        before = await store.aget(SENDING, thread)
        if before is None or not any(before.value.get(name) == value for name, value in note.items()):
            await store.aput(SENDING, thread, note, index=False)
            return True
    except Exception as error:  # noqa: BLE001  every store has its own errors
        logger.error("that a write is sent could not be noted: %s", kind_of_fault(error))
        return True
    return False
