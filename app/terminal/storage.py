"""The storage of conversations, for one piece of a command's work."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from wavegraph.app.storage.database import Storage
from wavegraph.app.storage.open import open_storage
from wavegraph.app.terminal.door import Console
from wavegraph.app.terminal.exit_errors import exit_on_error

_T = TypeVar("_T")


def with_storage(database: str | None, work: Callable[[Storage], Awaitable[_T]]) -> _T:
    """The result of `work`; an error that a person can act on ends the command."""

    async def opened() -> _T:
        async with open_storage(database) as storage:
            return await work(storage)

    with exit_on_error(Console(stderr=True)):
        return asyncio.run(opened())
