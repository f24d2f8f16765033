"""What is stored is whole, whoever is stopped meanwhile; and one connection to SQLite, used by many requests in turn."""

import asyncio
import functools
from collections.abc import Callable, Coroutine
from contextlib import suppress
from types import TracebackType
from typing import Any, ParamSpec, TypeVar

import aiosqlite

_P = ParamSpec("_P")
_T = TypeVar("_T")

SETTLES_WITHIN_S = 40.0
"""How long a stop waits for it: longer than one process waits for another's write to the same file."""


class Turns(asyncio.Lock):
    """Held for one transaction of a connection: committed at its end, taken back if it failed, before the next begins."""

    def __init__(self, connection: aiosqlite.Connection) -> None:
        super().__init__()
        self._connection = connection

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        try:
            if error is None:
                await self._commit()
            else:  # also after a read: a statement that was stopped would keep its old view of the file
                await self._connection.rollback()
        finally:
            self.release()

    async def _commit(self) -> None:
        if not self._connection.in_transaction:
            return
        try:
            await self._connection.commit()
        except BaseException:
            await self._connection.rollback()
            raise


def unstoppable(work: Callable[_P, Coroutine[Any, Any, _T]]) -> Callable[_P, Coroutine[Any, Any, _T]]:
    """Work that goes on to its end where its caller is cancelled: the caller is cancelled afterwards. It is cancelled as well
    where the database does not answer for long."""

    @functools.wraps(work)
    async def to_its_end(*given: _P.args, **options: _P.kwargs) -> _T:
        task = asyncio.ensure_future(work(*given, **options))
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            patience = asyncio.get_running_loop().call_later(SETTLES_WITHIN_S, task.cancel)
            while not task.done():
                with suppress(asyncio.CancelledError):
                    await asyncio.wait([task])
            patience.cancel()
            raise

    return to_its_end
