"""A write is sent once, however many runs and processes take its call up.

In this process the runs of one request share what became of the call: who comes second waits for the first and takes its
end, also after a stop. A process may end before the write's end is stored: that the call is about to be sent is noted in the
graph's store, and whoever finds the note reports `write_unknown` where it would send a second time.
"""

import asyncio
import threading
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from typing import Any
from weakref import WeakKeyDictionary

from langgraph.config import get_config
from langgraph.runtime import ExecutionInfo, Runtime

from wavegraph.graph._langgraph import CHECKPOINTER
from wavegraph.graph.domain_tool import DomainTool
from wavegraph.graph.execution.fence import check_held, forget, noted
from wavegraph.graph.execution.repeats import may_have_happened
from wavegraph.graph.execution.tool_call import CallEnd, cut_off_end
from wavegraph.graph.ledger import GOOD
from wavegraph.graph.state import WaveCall, key_of

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
    """The end of a call, sent once in its request. Where a graph keeps nothing, it is sent as it comes. Raises ThreadBusy
    where the thread was taken over, StorageError where that cannot be known."""
    info, saver = runtime.execution_info, get_config().get("configurable", {}).get(CHECKPOINTER)
    if tool.effect != "write" or info is None or not info.thread_id or saver is None:
        return await send()
    key = _key(info, call)
    if tool.repeatable:
        return await _send_after_note(tool, runtime, saver, info, key, send)
    sent = _sent_over(saver)
    while True:
        sending, is_first = sent.begin(key)
        if is_first:
            return await _send_for_every_run(
                sent, key, tool, lambda: _send_after_note(tool, runtime, saver, info, key, send)
            )
        if (ended := await _end_of(sending, tool, call)) is not None:
            return ended


def _key(info: ExecutionInfo, call: WaveCall) -> str:
    """The key of one sending of a call: the same in every run of this request, and another for each call of an agent that a
    larger graph calls twice."""
    inside = info.checkpoint_ns.rpartition("|")[0]
    parts = (info.thread_id, inside, call["request_id"], call["signature"], call["run"])
    return key_of(repr(parts))


async def _send_for_every_run(sent: _Sent, key: str, tool: DomainTool, send: Send) -> CallEnd:
    """The end, which every other run of the call gets as well."""
    try:
        ended = await send()
    except Exception:  # a question to a person, or a setting that is wrong: nothing was sent
        sent.end(key, None, keeps=False)
        raise
    except BaseException:
        sent.end(key, cut_off_end(f"{tool.name} was stopped while it ran"), keeps=tool.look_up is None)
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
        return cut_off_end(f"another run is sending {tool.name}")


async def _send_after_note(
    tool: DomainTool, runtime: Runtime[Any], saver: Any, info: ExecutionInfo, key: str, send: Send
) -> CallEnd:
    """Send the call if this run still holds the thread. A write that nothing can look up is noted first."""
    await check_held(saver, info)
    if tool.may_repeat or runtime.store is None:
        return await send()
    if (refusal := await noted(runtime.store, tool, info, key)) is not None:
        return refusal
    try:
        return await send()
    except Exception:  # a question to a person, or a setting that is wrong: nothing was cut off
        await forget(runtime.store, info, key)
        raise
