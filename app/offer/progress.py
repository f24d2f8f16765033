"""What happens in a call, told to its caller line by line."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from types import TracebackType
from typing import Any, Self

from wavegraph.app.offer.replies import clean
from wavegraph.app.plain_text import plain_lines
from wavegraph.app.terminal.live import describe
from wavegraph.graph.errors import kind_of_fault

logger = logging.getLogger("wavegraph")

Report = Callable[[float, float | None, str | None], Awaitable[None]]
"""`(how many lines so far, of how many, the line)`; does nothing where the caller has not asked for it."""


class Progress:
    """Lines sent one behind the other, all of them before the block ends; pass it as `on_event`."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._sender: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._sender = asyncio.create_task(self._send())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        assert self._sender is not None
        self._lines.put_nowait(None)
        try:
            if error is None:
                await asyncio.wait({self._sender})
        finally:
            self._sender.cancel()

    def __call__(self, event: Mapping[str, Any]) -> None:
        if line := line_of(event):
            self.tell(line)

    def tell(self, line: str) -> None:
        self._lines.put_nowait(line)

    async def _send(self) -> None:
        number = 0
        while (line := await self._lines.get()) is not None:
            number += 1
            try:
                await self._report(number, None, await clean(line))
            except Exception as error:  # noqa: BLE001  a caller that cannot be told still gets its result
                logger.info("progress could not be sent: %s", kind_of_fault(error))
                return


def line_of(event: Mapping[str, Any]) -> str:
    """An event in a line or a few; empty = it says nothing to a caller."""
    if event["event"] == "tool_progress":
        return plain_lines(" ".join([event["tool"], *(f"{name} {value}" for name, value in event["progress"].items())]))
    found = describe(event)
    return found.plain.strip() if found else ""
