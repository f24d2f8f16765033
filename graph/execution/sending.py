"""A write is sent once, however many runs and processes take its call up.

In this process the runs of one request share what became of the call: who comes second waits for the first and takes its
end, also after a stop. A process may end before the write's end is stored: that the call is about to be sent is noted in the
graph's store, and whoever finds the note reports `write_unknown` where it would send a second time.

A store and a checkpointer of `open_storage` know which run holds a thread. The note is kept in one transaction with a look
at that, so that whoever takes the thread over finds the note, or the run that has lost it sends nothing.
"""

import asyncio
import logging
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from typing import Any
from weakref import WeakKeyDictionary

from langgraph.config import get_config
from langgraph.runtime import ExecutionInfo, Runtime
from langgraph.store.base import BaseStore

from wavegraph.graph._langgraph import CHECKPOINTER
from wavegraph.graph.domain_tool import DomainTool
from wavegraph.graph.errors import ThreadBusy, kind_of_fault
from wavegraph.graph.execution.tool_call import CallEnd, cut_off_end
from wavegraph.graph.execution.write import may_have_happened
from wavegraph.graph.ledger import GOOD
from wavegraph.graph.state import WaveCall, key_of

logger = logging.getLogger("wavegraph")

MOST_ENDED = 256
"""Ends that are kept of one checkpointer's writes, for runs that come late."""
SETTLES_WITHIN_S = 10.0
"""How long after a call's time limit its end is waited for."""
SENDING = ("wavegraph", "sending")
"""An item here is an earlier version's: the task and the call that the thread of this `key_of` had sent last."""

Send = Callable[[], Awaitable[CallEnd]]


_Sent = dict[str, "Future[CallEnd | None]"]
"""The writes that were sent over one checkpointer: those under way, and how the latest ended; None: it was not sent."""
_sent: WeakKeyDictionary[Any, _Sent] = WeakKeyDictionary()
"""By checkpointer: its threads are its own."""
_lock = threading.Lock()


async def once(tool: DomainTool, call: WaveCall, runtime: Runtime[Any], send: Send) -> CallEnd:
    """The end of a call, sent once in its request. Where a graph keeps nothing, it is sent as it comes. Raises ThreadBusy
    where the thread was taken over, StorageError where that cannot be known."""
    info, saver = runtime.execution_info, get_config().get("configurable", {}).get(CHECKPOINTER)
    if tool.effect != "write" or info is None or not info.thread_id or saver is None:
        return await send()
    inside = info.checkpoint_ns.rpartition("|")[0]  # a larger graph may call its agent twice
    key = key_of(repr((info.thread_id, inside, call["request_id"], call["signature"], call["run"])))

    async def send_after_note() -> CallEnd:
        return await _send_after_note(tool, runtime, saver, info, key, send)

    if tool.repeatable:
        return await send_after_note()
    while True:
        mine: Future[CallEnd | None] = Future()
        with _lock:
            sent = _sent.setdefault(saver, {})
            sending = sent.setdefault(key, mine)
        if sending is mine:
            return await _send_for_every_run(sent, key, tool, send_after_note)
        if (ended := await _end_of(sending, tool, call)) is not None:
            return ended


async def _send_for_every_run(sent: _Sent, key: str, tool: DomainTool, send: Send) -> CallEnd:
    """The end, which every other run of the call gets as well."""
    try:
        ended = await send()
    except Exception:  # a question to a person, or a setting that is wrong: nothing was sent
        _end(sent, key, None, keeps=False)
        raise
    except BaseException:
        _end(sent, key, cut_off_end(f"{tool.name} was stopped while it ran"), keeps=tool.look_up is None)
        raise
    looked_up = tool.look_up is not None and ended.status not in GOOD
    _end(sent, key, ended, keeps=may_have_happened(ended.status, ended.error) and not looked_up)
    return ended


def _end(sent: _Sent, key: str, ended: CallEnd | None, *, keeps: bool) -> None:
    with _lock:
        sending = sent.pop(key)
        if keeps:
            sent[key] = sending
        done = [name for name, each in sent.items() if each.done()]
        for name in done[:-MOST_ENDED]:
            del sent[name]
    sending.set_result(ended)


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
    if (leases := getattr(saver, "leases", None)) is not None:
        await leases.check(str(info.thread_id))
    if tool.may_repeat or runtime.store is None:
        return await send()
    if (refusal := await _noted(runtime.store, tool, info, key)) is not None:
        return refusal
    try:
        return await send()
    except Exception:  # a question to a person, or a setting that is wrong: nothing was cut off
        await runtime.store.adelete(notes_of(str(info.thread_id)), key)
        raise


def notes_of(thread_id: str) -> tuple[str, ...]:
    """Where a store keeps an item for each write that a thread has sent, and that nothing can look up."""
    return (*SENDING, key_of(thread_id))


async def _noted(store: BaseStore, tool: DomainTool, info: ExecutionInfo, call: str) -> CallEnd | None:
    """None = the call is noted now, and may be sent; else its end without sending. Raises ThreadBusy."""
    try:
        is_first = await _is_first(store, tool, info, call)
    except ThreadBusy:
        raise
    except Exception as error:  # noqa: BLE001  every store has its own errors
        logger.error("that %s is sent could not be noted: %s", tool.name, kind_of_fault(error))
        why = "its store could not note it, and what is not noted may be sent twice; try again"
        message = f"{tool.name} was not sent: {why}"
        return CallEnd("error", None, {"code": "not_noted", "message": message, "retryable": True}, 0)
    again = f"{tool.name} was sent already, by a run or process that did not tell how it ended"
    return None if is_first else cut_off_end(again)


async def _is_first(store: BaseStore, tool: DomainTool, info: ExecutionInfo, call: str) -> bool:
    """Whether nobody has noted the call before; it is noted now."""
    thread = str(info.thread_id)
    old = await store.aget(SENDING, key_of(thread))
    if old is not None and any(name in (info.task_id, call) for name in old.value.values()):
        return False
    note = {"tool": tool.name}
    if (put_new := getattr(store, "aput_new", None)) is not None:
        return bool(await put_new(notes_of(thread), call, note, holding=thread))
    if await store.aget(notes_of(thread), call) is not None:
        return False
    await store.aput(notes_of(thread), call, note, index=False)
    return True
