"""Stops a run without losing what has ended."""

import asyncio
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar

from langgraph.errors import GraphBubbleUp


class Stopped(GraphBubbleUp):
    """Ends a stopped run. LangGraph lets the other nodes of the step end first, and keeps what they return."""


class Stop:
    """The stop of one run: it cancels what its nodes are at, and lets no other begin.

    A run that is itself cancelled loses what a node has returned and LangGraph has not taken yet, and goes on before what
    LangGraph takes afterwards is stored.
    """

    def __init__(self) -> None:
        self.is_requested = False
        self.nodes: set[asyncio.Task[object] | None] = set()
        """Their tasks: what is at work now."""

    def request(self) -> None:
        """For the loop that the run is on."""
        self.is_requested = True
        for node in filter(None, self.nodes):
            node.cancel()

    def begin(self) -> None:
        """The run is that of this task, from here on."""
        _of_run.set(self)


_of_run: ContextVar[Stop | None] = ContextVar("stop of the run", default=None)


def stoppable() -> AbstractContextManager[None]:
    """What a node does, where its run has a stop. An agent that it calls is stopped with the call. Raises Stopped."""
    stop = _of_run.get()
    return _stopped_by(stop) if stop else nullcontext()


@contextmanager
def _stopped_by(stop: Stop) -> Iterator[None]:
    if stop.is_requested:
        raise Stopped
    node, outside = asyncio.current_task(), _of_run.set(None)
    stop.nodes.add(node)
    try:
        yield
    except asyncio.CancelledError:
        if stop.is_requested:
            raise Stopped from None
        raise
    finally:
        stop.nodes.discard(node)
        _of_run.reset(outside)
