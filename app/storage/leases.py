"""One lease per thread: no two requests work on one conversation at once, in whichever processes they are.

A lease is a row in the conversations' database. It is renewed while its holder works, and given back at the end. The
lease of a process that has ended is taken over at once on the same machine, otherwise when it has run out.
"""

import asyncio
import logging
import threading
import uuid
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from wavegraph.app.storage.database import Failed
from wavegraph.app.storage.processes import Process, this_process
from wavegraph.graph.errors import StorageError, ThreadBusy
from wavegraph.graph.secrets.ways_out import error_text

logger = logging.getLogger("wavegraph")

LEASE_S = 30.0
"""How long a lease lasts without being renewed: long enough for a database that answers late."""
RENEW_S = 10.0
_TRIES = 3
"""A lease may be given back while its holder is looked up."""


@dataclass(frozen=True)
class Lease:
    thread_id: str
    holder: str
    """Unique to this one taking."""
    process: Process
    until: datetime | None = None
    """By the database's clock; None = not taken yet."""


class Leases(ABC):
    """The leases in one database; every method raises StorageError where it fails."""

    def __init__(self, failed: Failed) -> None:
        self._failed = failed
        self.held: dict[str, str] = {}
        """Holders by thread, of those that this object has taken: the saver refuses their writes once they are lost."""

    @abstractmethod
    async def insert(self, lease: Lease) -> bool:
        """Take the thread, if no lease on it lasts."""

    @abstractmethod
    async def replace(self, other: Lease, lease: Lease) -> bool:
        """Take the thread from `other`, if that still holds it."""

    @abstractmethod
    async def read(self, thread_id: str) -> Lease | None: ...

    @abstractmethod
    async def renew(self, lease: Lease) -> bool:
        """False = another has taken it."""

    @abstractmethod
    async def delete(self, lease: Lease) -> None: ...

    async def take(self, lease: Lease) -> None:
        """Raises ThreadBusy."""
        name = lease.thread_id
        if name in self.held:
            raise ThreadBusy(_busy(name, "in this process"))
        self.held[name] = lease.holder
        _held_here.add(lease.holder)
        try:
            await self._take(lease)
        except BaseException:
            self._drop(lease)
            raise

    async def _take(self, lease: Lease) -> None:
        other = None
        for _ in range(_TRIES):
            if await self.insert(lease):
                return
            other = await self.read(lease.thread_id)
            if other and _is_left(other) and await self.replace(other, lease):
                return
        raise ThreadBusy(_of_another(other) if other else _busy(lease.thread_id, "in another process"))

    async def give_back(self, lease: Lease) -> None:
        self._drop(lease)
        try:
            await self.delete(lease)
        except StorageError as error:  # it runs out by itself, and the request has its result
            logger.warning("the lease of a thread could not be given back: %s", error_text(error))

    def _drop(self, lease: Lease) -> None:
        _held_here.discard(lease.holder)
        if self.held.get(lease.thread_id) == lease.holder:
            del self.held[lease.thread_id]


_held_here: set[str] = set()
"""Holders in this process, whatever the database."""


def _is_left(other: Lease) -> bool:
    """Whether its holder is certainly gone, or is this process, which could not give it back."""
    return other.process.is_gone() or (other.process == this_process() and other.holder not in _held_here)


def lost(thread_id: str) -> ThreadBusy:
    """The error of a holder whose lease was taken over."""
    return ThreadBusy(
        f"thread {thread_id!r} was taken over by another request: this one had not renewed its lease for "
        f"{LEASE_S:g} s; what it had stored by then is kept, and nothing was stored after it"
    )


@asynccontextmanager
async def sole_work_on(checkpointer: Any, thread_id: str) -> AsyncIterator[None]:
    """Work on a thread alone: the block is cancelled if the lease is lost.

    A checkpointer without leases (any but those of `open_storage`) keeps others of this process away only.
    Raises ThreadBusy, at once if another works on the thread.
    """
    leases: Leases | None = getattr(checkpointer, "leases", None)
    if leases is None:
        with _sole_in_this_process(checkpointer, thread_id):
            yield
        return
    lease = Lease(thread_id, uuid.uuid4().hex, this_process())
    try:
        await leases.take(lease)
        async with _renewed(leases, lease):
            yield
    finally:  # also if taking it was cancelled: then it may have been taken
        await asyncio.shield(leases.give_back(lease))


@asynccontextmanager
async def _renewed(leases: Leases, lease: Lease) -> AsyncIterator[None]:
    task = asyncio.current_task()
    assert task is not None, "a request runs in a task"
    cancelled_before = task.cancelling()
    is_lost = asyncio.Event()

    async def renew() -> None:
        while not is_lost.is_set():
            await asyncio.sleep(RENEW_S)
            if not await _is_renewed(leases, lease):
                is_lost.set()
                task.cancel()

    renewal = asyncio.create_task(renew())
    try:
        yield
        if is_lost.is_set():
            await asyncio.sleep(0)  # the cancel arrives here
    except asyncio.CancelledError:
        if is_lost.is_set() and task.uncancel() <= cancelled_before:
            raise lost(lease.thread_id) from None
        raise
    finally:
        renewal.cancel()
        await asyncio.wait([renewal])


async def _is_renewed(leases: Leases, lease: Lease) -> bool:
    """A database that does not answer takes nothing away: the next renewal tells."""
    try:
        return await leases.renew(lease)
    except StorageError as error:
        logger.warning("the lease of a thread could not be renewed: %s", error_text(error))
        return True


_busy_here: set[tuple[int, str]] = set()
"""Id of the checkpointer, id of the thread."""
_lock = threading.Lock()


@contextmanager
def _sole_in_this_process(checkpointer: Any, thread_id: str) -> Iterator[None]:
    key = (id(checkpointer), thread_id)
    with _lock:
        if key in _busy_here:
            raise ThreadBusy(_busy(thread_id, "in this process"))
        _busy_here.add(key)
    try:
        yield
    finally:
        with _lock:
            _busy_here.discard(key)


def _busy(thread_id: str, where: str, free: str = "") -> str:
    return f"thread {thread_id!r} is at work on another request, {where}; wait for it, or cancel it{free}"


def _of_another(other: Lease) -> str:
    where = f"in process {other.process.pid} on {other.process.host}"
    free = f"; if it does not answer any more, the thread is free at {other.until:%H:%M:%S} UTC" if other.until else ""
    return _busy(other.thread_id, where, free)


def utc(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)
