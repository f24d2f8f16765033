"""What must be so for a write to be sent: its thread is this run's, and that it is sent is noted in the graph's store.

A store and a checkpointer of `open_storage` know which run holds a thread. The note is kept in one transaction with a look
at that, so that whoever takes the thread over finds the note, or the run that has lost it sends nothing.
"""

import logging
from typing import Any

from langgraph.runtime import ExecutionInfo
from langgraph.store.base import BaseStore

from wavegraph.graph.domain_tool import DomainTool
from wavegraph.graph.errors import ThreadBusy, kind_of_fault
from wavegraph.graph.execution.tool_call import CallEnd, cut_off_end
from wavegraph.graph.state import key_of

logger = logging.getLogger("wavegraph")

SENDING = ("wavegraph", "sending")
"""An item here is an earlier version's: the task and the call that the thread of this `key_of` had sent last."""


def notes_of(thread_id: str) -> tuple[str, ...]:
    """Where a store keeps an item for each write that a thread has sent, and that nothing can look up."""
    return (*SENDING, key_of(thread_id))


async def check_held(checkpointer: Any, info: ExecutionInfo) -> None:
    """Raises ThreadBusy if another run has taken the thread over, StorageError if that cannot be found out."""
    if (leases := getattr(checkpointer, "leases", None)) is not None:
        await leases.check(str(info.thread_id))


async def noted(store: BaseStore, tool: DomainTool, info: ExecutionInfo, call: str) -> CallEnd | None:
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
