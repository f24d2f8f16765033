"""A summary row per thread, stored beside the checkpoints, so that threads can be listed without opening them."""

import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from typing import Any, TypeVar
from uuid import UUID

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.store.base import BaseStore, Item, SearchItem

from wavegraph.app.storage.damaged import DamagedData, DamagedValue
from wavegraph.app.storage.leases import sole_work_on
from wavegraph.graph._langgraph import cursor_of
from wavegraph.graph.errors import ThreadBusy, WavegraphError, error_text
from wavegraph.graph.execution.write import SENDING, notes_of
from wavegraph.graph.model.spending import SPENT_THREADS
from wavegraph.graph.request.records import records_of
from wavegraph.graph.state import key_of


class UnknownThread(WavegraphError):
    """No conversation has this id."""


logger = logging.getLogger("wavegraph")
_T = TypeVar("_T")

ROWS = ("wavegraph", "threads")
LONGEST_REQUEST = 200
"""Characters of the last request kept in a row."""
PAGE = 2000
"""Items read at a time."""


@dataclass(frozen=True, kw_only=True)
class ThreadRow:
    """One conversation, as `wavegraph threads` shows it."""

    thread_id: str
    user_id: str | None
    request: str
    """The last one, shortened."""
    outcome: str | None
    """Of the last request; None = it did not end: it is running, or was cut off."""
    can_resume: bool
    updated: str
    """When the last request started or ended (ISO, UTC)."""


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def shortened(text: str, most: int = LONGEST_REQUEST) -> str:
    words = " ".join(text.split())
    return words if len(words) <= most else f"{words[: most - 1]}…"


async def all_items(store: BaseStore, thread_id: str) -> list[Item]:
    """All that a store keeps of a thread: its records, the notes of its writes, its row, what it has spent."""
    below = [each for name in (records_of, notes_of) for each in await items_of(store, name(thread_id))]
    places = [(ROWS, thread_id), *((namespace, key_of(thread_id)) for namespace in (SPENT_THREADS, SENDING))]
    alone = [await store.aget(*place) for place in places]
    return [*below, *filter(None, alone)]


async def read_row(store: BaseStore | None, thread_id: str) -> ThreadRow | None:
    item = await store.aget(ROWS, thread_id) if store else None
    return _row(thread_id, item.value) if item else None


async def write_row(store: BaseStore | None, row: ThreadRow) -> None:
    if store:
        value = {name: value for name, value in asdict(row).items() if name != "thread_id"}
        await store.aput(ROWS, row.thread_id, value, index=False)


async def rows(store: BaseStore) -> list[ThreadRow]:
    """All rows, the latest first; a damaged one is missing, as if the thread had none."""
    items = [item for item in await items_of(store, ROWS) if not isinstance(item.value, DamagedValue)]
    found = {item.key: _row(item.key, item.value) for item in items}
    return sorted(found.values(), key=lambda row: row.updated, reverse=True)


async def items_of(store: BaseStore, namespace: tuple[str, ...]) -> list[SearchItem]:
    """The items of exactly this namespace: a store searches by prefix, so `t1` would find `t10` too."""
    return [item async for item in items_below(store, namespace) if item.namespace == namespace]


async def items_below(store: BaseStore, prefix: tuple[str, ...], page: int = PAGE) -> AsyncIterator[SearchItem]:
    """All items below a prefix, in no order. If one is added meanwhile the others move: some then come twice."""
    offset = 0
    while items := await store.asearch(prefix, limit=page, offset=offset):
        for item in items:
            yield item
        offset += len(items)


def _row(thread_id: str, value: dict[str, Any]) -> ThreadRow:
    known = {name: value.get(name) for name in ("user_id", "outcome")}
    return ThreadRow(
        thread_id=thread_id, request=value.get("request", ""), can_resume=bool(value.get("can_resume")),
        updated=value.get("updated", ""), **known,
    )  # fmt: skip


OnDamaged = Callable[[DamagedData], None]


def log_damaged(error: DamagedData) -> None:
    logger.warning("left out: %s", error_text(error))


async def readable(reads: Iterable[Awaitable[_T]], skipped: OnDamaged) -> list[_T]:
    """What can be read, one after the other."""
    found = []
    for read in reads:
        try:
            found.append(await read)
        except DamagedData as error:
            skipped(error)
    return found


@dataclass(frozen=True)
class Threads:
    """The conversations of one database, with a row or without."""

    checkpointer: BaseCheckpointSaver[Any]
    store: BaseStore

    async def latest(self, limit: int | None = None, skipped: OnDamaged = log_damaged) -> list[ThreadRow]:
        """The latest first. Checkpoints are opened only for listed threads without a row. `skipped` gets the error of each
        thread that cannot be read."""
        known = await self._known()
        return await readable(map(self._with_details, known[:limit]), skipped)

    async def get(self, thread_id: str) -> ThreadRow:
        """Raises UnknownThread."""
        row = await read_row(self.store, thread_id)
        if row is None and await self.checkpointer.aget_tuple(_config(thread_id)) is None:
            raise UnknownThread(f"no thread {thread_id!r} in this database; `wavegraph threads` shows them")
        return row or await self._with_details(_bare(thread_id, ""))

    async def delete(self, thread_id: str) -> None:
        """Delete everything stored for a thread: checkpoints, records, row. Raises UnknownThread, ThreadBusy."""
        with suppress(DamagedData):  # there is one
            await self.get(thread_id)
        async with sole_work_on(self.checkpointer, thread_id):
            await self.checkpointer.adelete_thread(thread_id)
            for item in await all_items(self.store, thread_id):
                await self.store.adelete(item.namespace, item.key)

    async def prune(self, before: datetime) -> list[str]:
        """Delete the threads whose last request started or ended before a time, but for those at work; returns their
        ids."""
        known = await self._known()
        gone = []
        for row in known:
            if row.updated and datetime.fromisoformat(row.updated) < before:
                with suppress(ThreadBusy):
                    await self.delete(row.thread_id)
                    gone.append(row.thread_id)
        return gone

    async def _known(self) -> list[ThreadRow]:
        found = {row.thread_id: row for row in await rows(self.store)}
        newest = await newest_checkpoints(self.checkpointer)
        bare = [_bare(name, checkpoint) for name, checkpoint in newest.items() if name not in found]
        return sorted([*found.values(), *bare], key=lambda row: row.updated, reverse=True)

    async def _with_details(self, row: ThreadRow) -> ThreadRow:
        if row.request or (saved := await self.checkpointer.aget_tuple(_config(row.thread_id))) is None:
            return row
        values = saved.checkpoint["channel_values"]
        asked, outcome = values.get("request") or {}, values.get("outcome")
        waits = any(name.startswith("branch:to:") for name in values) or bool(asked and outcome is None)
        return replace(
            row,
            user_id=saved.metadata.get("user_id"),  # type: ignore[arg-type]
            request=shortened(asked.get("text", "")),
            outcome=None if waits else outcome,
            can_resume=waits,
            updated=saved.checkpoint["ts"],
        )


async def newest_checkpoints(checkpointer: Any) -> dict[str, str]:
    """Id of the last checkpoint by thread, by one query if the database allows it."""
    if hasattr(checkpointer, "conn") and hasattr(checkpointer.conn, "execute_fetchall"):  # SQLite's
        return {row[0]: row[1] for row in await checkpointer.conn.execute_fetchall(_NEWEST)}
    if (opened := cursor_of(checkpointer)) is not None:
        async with opened as cursor:
            await cursor.execute(_NEWEST)
            return {row["thread_id"]: row["newest"] for row in await cursor.fetchall()}
    found: dict[str, str] = {}
    async for saved in checkpointer.alist(None):
        name = saved.config["configurable"]["thread_id"]
        found[name] = max(found.get(name, ""), saved.checkpoint["id"])
    return found


_NEWEST = """
SELECT thread_id, max(checkpoint_id) AS newest FROM checkpoints GROUP BY thread_id
"""


def _config(thread_id: str) -> RunnableConfig:
    return {"configurable": {"thread_id": thread_id}}


def _bare(thread_id: str, checkpoint_id: str) -> ThreadRow:
    return ThreadRow(
        thread_id=thread_id, user_id=None, request="", outcome=None, can_resume=False, updated=_made_at(checkpoint_id)
    )


def _made_at(checkpoint_id: str) -> str:
    """When a checkpoint was made: its id is a UUID of version 6, in 100 ns since October 1582."""
    try:
        number = UUID(checkpoint_id).int
    except ValueError:
        return ""
    ticks = (number >> 80 << 12) | (number >> 64 & 0xFFF)
    return datetime.fromtimestamp((ticks - 0x01B21DD213814000) / 1e7, UTC).isoformat(timespec="milliseconds")
