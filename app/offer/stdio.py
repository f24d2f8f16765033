"""An agent offered over stdin and stdout, which belong to the protocol alone."""

import asyncio
import logging
import os
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import Any

from mcp.server.stdio import stdio_server

from wavegraph.app.offer.server import Offer
from wavegraph.app.terminal.door import check_stdout

logger = logging.getLogger("wavegraph")

LONGEST_LINE = 10_000_000
"""Bytes of one message; what is longer is taken for none."""
PIECE = 65_536
WAITING_LINES = 100
"""Lines that are read ahead."""


async def serve_stdio(offer: Offer) -> None:
    """Until stdin ends, or the caller cancels. What else is printed goes to stderr. Raises OutputLost."""
    check_stdout()
    with _own_stdin() as number:
        lines: Any = _Lines(number)  # all that the SDK asks of it is its lines
        try:
            async with stdio_server(stdin=lines) as (read, write):
                await offer.server.run(read, write, offer.server.create_initialization_options())
        except* (BrokenPipeError, ConnectionResetError):
            pass  # the other side has gone
    await offer.stop()


@contextmanager
def _own_stdin() -> Iterator[int]:
    """A descriptor of stdin that nobody else reads: tools and the processes that they start find it empty.

    It is never closed: a thread may still read it.
    """
    number = sys.stdin.fileno()
    own, nothing = os.dup(number), os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, number)
    os.close(nothing)
    try:
        yield own
    finally:
        os.dup2(own, number)


class _Lines:
    """The lines of a descriptor, read in a thread that holds nothing up: the SDK's own could not be stopped while it waits."""

    def __init__(self, number: int) -> None:
        self._number = number
        self._loop = asyncio.get_running_loop()
        self._lines: asyncio.Queue[str | None] = asyncio.Queue(WAITING_LINES)
        threading.Thread(target=self._read, name="wavegraph-stdin", daemon=True).start()

    async def __aiter__(self) -> AsyncIterator[str]:
        while (line := await self._lines.get()) is not None:
            yield line

    def _read(self) -> None:
        try:
            for line in lines_of(self._number):
                asyncio.run_coroutine_threadsafe(self._lines.put(line), self._loop).result()
            asyncio.run_coroutine_threadsafe(self._lines.put(None), self._loop).result()
        except (RuntimeError, asyncio.CancelledError):
            return  # the loop has ended


def lines_of(number: int, longest: int = LONGEST_LINE) -> Iterator[str]:
    """The lines that a descriptor gives; empty ones in place of those that are too long."""
    held, is_too_long = bytearray(), False
    while piece := _piece(number):
        *ends, rest = piece.split(b"\n")
        for end in ends:
            line = held + end
            yield "" if is_too_long or len(line) > longest else line.decode("utf-8", "replace")
            held, is_too_long = bytearray(), False
        held += rest
        if len(held) > longest:
            if not is_too_long:
                logger.warning("a message of more than %s bytes is passed over", longest)
            held, is_too_long = bytearray(), True
    if held:
        yield held.decode("utf-8", "replace")


def _piece(number: int) -> bytes:
    try:
        return os.read(number, PIECE)
    except OSError:  # the other side is gone
        return b""
