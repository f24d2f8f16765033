"""One lease per thread: no two requests work on one conversation at once, in whichever processes they are.

A lease is a row in the conversations' database. It is renewed while its holder works, and given back at the end. The
lease of a process that has ended is taken over at once on the same machine, otherwise when it has run out. When it runs out
is for the database's clock to say, which may be set forward: so each checkpoint, and the note of each write that is sent,
is stored in one transaction with a look at the lease. A holder that cannot ask goes by a clock of its own, and stops in time.
"""

import asyncio
import logging
import threading
import time
import uuid
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Coroutine, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any, TypeVar

from wavegraph.app.storage.database import Failed
from wavegraph.app.storage.processes import Process, this_process
from wavegraph.graph.errors import StorageError, ThreadBusy, error_text

logger = logging.getLogger("wavegraph")

LEASE_S = 30.0
"""How long a lease lasts without being renewed: long enough for a database that answers late."""
RENEW_S = 10.0
RETRY_S = 1.0
"""After a renewal that failed."""
MARGIN_S = 5.0
"""So long before its lease can have run out, a holder that could not renew it stops."""
LAST_TRY_S = 3.0
"""How long a renewal may take that begins only then, as after a sleep of the machine."""
GIVES_BACK_WITHIN_S = 5.0
_TRIES = 3
"""A lease may be given back while its holder is looked up."""


_T = TypeVar("_T")
_CLOCK: int | None = getattr(time, "CLOCK_BOOTTIME", getattr(time, "CLOCK_MONOTONIC", None))
"""Linux's CLOCK_MONOTONIC stands still while the machine sleeps; the database's clock does not, by which a lease runs out."""


def own_time() -> float:
    """Seconds by a clock that cannot be set."""
    return time.monotonic() if _CLOCK is None else time.clock_gettime(_CLOCK)


INSERT = """
INSERT INTO thread_leases AS l (thread_id, holder, host, machine, pid, started, until)
VALUES (:thread_id, :holder, :host, :machine, :pid, :started, {until})
ON CONFLICT (thread_id) DO UPDATE SET holder = excluded.holder, host = excluded.host, machine = excluded.machine,
    pid = excluded.pid, started = excluded.started, until = excluded.until
WHERE l.until <= {now}
"""
REPLACE = """
UPDATE thread_leases SET holder = :holder, host = :host, machine = :machine, pid = :pid, started = :started,
    until = {until}
WHERE thread_id = :thread_id AND holder = :other
"""
READ = "SELECT holder, host, machine, pid, started, until FROM thread_leases WHERE thread_id = :thread_id"
RENEW = "UPDATE thread_leases SET until = {until} WHERE thread_id = :thread_id AND holder = :holder"
DELETE = "DELETE FROM thread_leases WHERE thread_id = :thread_id AND holder = :holder"


@dataclass(frozen=True)
class Lease:
    thread_id: str
    holder: str
    """Unique to this one taking."""
    process: Process
    until: datetime | None = None
    """By the database's clock; None = not taken yet."""


def _row(lease: Lease) -> dict[str, Any]:
    return {"thread_id": lease.thread_id, "holder": lease.holder, **asdict(lease.process), "lasts_s": LEASE_S}


class Leases(ABC):
    """The leases in one database; every method raises StorageError where it fails."""

    def __init__(self, failed: Failed) -> None:
        self._failed = failed
        self.held: dict[str, str] = {}
        """Holders by thread, of those that this object has taken: nothing more is stored or sent for them once they are lost."""
        self._sure_until: dict[str, float] = {}
        """By thread, in `own_time`: no lease has run out before, unless somebody has set the database's clock."""

    @abstractmethod
    async def change(self, statement: str, given: Mapping[str, Any]) -> bool:
        """Whether it changed a row. `statement`: one of those below, with the database's own `{now}` and `{until}`."""

    @abstractmethod
    async def read(self, thread_id: str) -> Lease | None: ...

    async def insert(self, lease: Lease) -> bool:
        """Take the thread, if no lease on it lasts."""
        return await self.change(INSERT, _row(lease))

    async def replace(self, other: Lease, lease: Lease) -> bool:
        """Take the thread from `other`, if that still holds it."""
        return await self.change(REPLACE, {**_row(lease), "other": other.holder})

    async def renew(self, lease: Lease) -> bool:
        """False = another has taken it."""
        return await self.change(RENEW, _row(lease))

    async def delete(self, lease: Lease) -> None:
        await self.change(DELETE, _row(lease))

    async def take(self, lease: Lease) -> None:
        """Raises ThreadBusy."""
        name = lease.thread_id
        if name in self.held:
            raise ThreadBusy(_busy(name, "in this process"))
        self.held[name] = lease.holder
        _held_here.add(lease.holder)
        began = own_time()
        try:
            await self._take(lease)
        except BaseException:
            self._drop(lease)
            raise
        self._is_ours_from(began, name)

    async def _take(self, lease: Lease) -> None:
        other = None
        for _ in range(_TRIES):
            if await self.insert(lease):
                return
            other = await self.read(lease.thread_id)
            if other and _is_left(other) and await self.replace(other, lease):
                return
        raise ThreadBusy(_of_another(other) if other else _busy(lease.thread_id, "in another process"))

    def _is_ours_from(self, began: float, thread_id: str) -> None:
        self._sure_until[thread_id] = began + LEASE_S - MARGIN_S

    def sure_for_s(self, thread_id: str) -> float:
        """How long the thread is certainly ours; negative = since when it need not be."""
        return self._sure_until.get(thread_id, 0.0) - own_time()

    async def check(self, thread_id: str) -> None:
        """Raises ThreadBusy where another has taken the thread from us; StorageError where the database does not say, and
        the thread need not be ours any more. One that we have not taken is no concern of ours."""
        if (holder := self.held.get(thread_id)) is None:
            return
        try:
            now = await self.read(thread_id)
        except StorageError:
            if self.sure_for_s(thread_id) <= 0:
                raise
            return
        if now is None or now.holder != holder:
            raise lost(thread_id)

    async def until_lost(self, lease: Lease) -> Exception:
        """Renew the lease for as long as that is possible; why it is not any more."""
        pause = RENEW_S
        while True:
            await asyncio.sleep(pause)
            left_s = self.sure_for_s(lease.thread_id)
            try:
                if not await self._renewed(lease, left_s if left_s > 0 else LAST_TRY_S):
                    return lost(lease.thread_id)
                pause = RENEW_S
            except (StorageError, TimeoutError) as error:
                logger.warning(
                    "the lease of a thread could not be renewed: %s", error_text(error) or "no answer in time"
                )
                if left_s <= 0:
                    return _not_renewed(lease.thread_id)
                pause = RETRY_S

    async def _renewed(self, lease: Lease, patience_s: float) -> bool:
        """False = another has taken it. Raises StorageError, TimeoutError."""
        began = own_time()
        if not await _within(patience_s, self.renew(lease)):
            return False
        self._is_ours_from(began, lease.thread_id)
        return True

    async def give_back(self, lease: Lease) -> None:
        self._drop(lease)
        try:
            await _within(GIVES_BACK_WITHIN_S, self.delete(lease))
        except (StorageError, TimeoutError) as error:  # it runs out by itself, and the request has its result
            logger.warning(
                "the lease of a thread could not be given back: %s", error_text(error) or "no answer in time"
            )

    def _drop(self, lease: Lease) -> None:
        _held_here.discard(lease.holder)
        if self.held.get(lease.thread_id) == lease.holder:
            del self.held[lease.thread_id]
            self._sure_until.pop(lease.thread_id, None)


async def _within(seconds: float, work: Coroutine[Any, Any, _T]) -> _T:
    """What the work gives. Raises TimeoutError when it takes longer, by `own_time`, and does not wait until it has stopped:
    over a connection that was cut that takes seconds more."""
    ends = own_time() + seconds
    task = asyncio.ensure_future(work)
    task.add_done_callback(lambda ended: ended.cancelled() or ended.exception())
    try:
        await asyncio.sleep(0)
        while not task.done() and (left := ends - own_time()) > 0:
            await asyncio.wait([task], timeout=min(left, RETRY_S))
    finally:
        task.cancel()
    if not task.done():
        raise TimeoutError
    return task.result()


_held_here: set[str] = set()
"""Holders in this process, whatever the database."""


def _is_left(other: Lease) -> bool:
    """Whether its holder is certainly gone, or is this process, which could not give it back."""
    return other.process.is_gone() or (other.process == this_process() and other.holder not in _held_here)


def lost(thread_id: str) -> ThreadBusy:
    """The error of a holder whose lease was taken over."""
    return ThreadBusy(
        f"thread {thread_id!r} was taken over by another request: by the database's clock this one had not renewed its "
        f"lease for {LEASE_S:g} s; what it had stored by then is kept, and nothing was stored after it"
    )


def _not_renewed(thread_id: str) -> StorageError:
    return StorageError(
        f"the lease on thread {thread_id!r} could not be renewed, because the database did not answer for "
        f"{LEASE_S - MARGIN_S:g} s; the request was stopped before another can take the thread over; what it had stored "
        "is kept: go on with it when the database answers"
    )


@asynccontextmanager
async def sole_work_on(checkpointer: Any, thread_id: str) -> AsyncIterator[None]:
    """Work on a thread alone: the block is cancelled if the lease is lost, or could not be renewed in time.

    A checkpointer without leases (any but those of `open_storage`) keeps others of this process away only.
    Raises ThreadBusy, at once if another works on the thread; StorageError.
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
    why: list[Exception] = []

    async def stop_when_lost() -> None:
        why.append(await leases.until_lost(lease))
        task.cancel()

    renewal = asyncio.create_task(stop_when_lost())
    try:
        yield
        if why:
            await asyncio.sleep(0)  # the cancel arrives here
    except asyncio.CancelledError:
        if why and task.uncancel() <= cancelled_before:
            raise why[0] from None
        raise
    finally:
        renewal.cancel()
        await asyncio.wait([renewal])


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
