"""A note that a write which nothing can look up is about to be sent, kept in the graph's store.

The process may end before the write's end is stored. Whoever takes the call up again then finds the note of the same task,
and reports `write_unknown` where it would send a second time.
"""

import logging
from collections.abc import Awaitable, Callable
from typing import Any

from langgraph.runtime import Runtime
from langgraph.store.base import BaseStore

from wavegraph.graph.domain import DomainTool
from wavegraph.graph.errors import kind_of_fault
from wavegraph.graph.execution.tool_call import LOOK_UP, CallEnd
from wavegraph.graph.ledger import WRITE_UNKNOWN
from wavegraph.graph.state import key_of

logger = logging.getLogger("wavegraph")

SENDING = ("wavegraph", "sending")
"""One item for each thread, under its `key_of`: the task that sent last."""


async def once(tool: DomainTool, runtime: Runtime[Any], send: Callable[[], Awaitable[CallEnd]]) -> CallEnd:
    """The end of a call, sent in this task once. Where it cannot be noted it is sent all the same."""
    info = runtime.execution_info
    needs_note = tool.effect == "write" and tool.look_up is None and not tool.repeatable
    if not needs_note or runtime.store is None or info is None or not info.thread_id:
        return await send()
    key = key_of(info.thread_id)
    if not await _is_first(runtime.store, key, info.task_id):
        why = f"the process that sent {tool.name} ended; it may or may not have happened{LOOK_UP}"
        return CallEnd("error", None, {"code": WRITE_UNKNOWN, "message": why, "retryable": False}, 1)
    try:
        return await send()
    except Exception:  # a question to a person, or a setting that is wrong: nothing was cut off
        await runtime.store.adelete(SENDING, key)
        raise


async def _is_first(store: BaseStore, key: str, task: str) -> bool:
    """Whether no process has noted this task before; it is noted now."""
    try:
        before = await store.aget(SENDING, key)
        if before is None or before.value.get("task") != task:
            await store.aput(SENDING, key, {"task": task}, index=False)
            return True
    except Exception as error:  # noqa: BLE001  every store has its own errors
        logger.error("that a write is sent could not be noted: %s", kind_of_fault(error))
        return True
    return False
