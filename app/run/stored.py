"""The conversations of one database, as they are erased."""

import asyncio
import os
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from langchain_core.runnables import RunnableConfig

from wavegraph.app.run.contact import Contact
from wavegraph.app.run.erase import CONTACT_KINDS, Left, names, parts
from wavegraph.app.run.threads import ROWS, Threads, UnknownThread, all_items, items_of, newest_checkpoints
from wavegraph.app.storage.database import Storage
from wavegraph.app.storage.leases import sole_work_on
from wavegraph.app.storage.traces import (
    Needle,
    Row,
    Trace,
    beside,
    file_rows,
    in_bytes,
    postgres_traces,
    rewrite,
    sqlite_file,
    traces_in,
)
from wavegraph.graph.request.records import REQUESTS, records_of, thread_of

PAGE = 1000
"""Namespaces read at a time."""


class StoredConversations:
    """`app.run.erase.Conversations` of a database that this process has open."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._threads = Threads(storage.checkpointer, storage.store)

    async def naming(self, contact: Contact) -> list[str]:
        found: dict[str, None] = {}
        async for thread_id, value in self._all_checkpoints():
            if thread_id not in found and (contact.is_in(thread_id) or names(value, contact)):
                found[thread_id] = None
        async for namespace in self._namespaces():
            for item in await items_of(self._storage.store, namespace):
                owner = thread_of_item(namespace, item.key)
                if owner is not None and names(item.value, contact):
                    found[owner] = None
        return list(found)

    async def values(self, thread_id: str) -> list[Any]:
        found = [value async for value in self._checkpoints(thread_id)]
        return [*found, *(item.value for item in await self._items(thread_id))]

    async def records(self, thread_id: str) -> list[Mapping[str, Any]]:
        return [item.value for item in await items_of(self._storage.store, records_of(thread_id))]

    async def is_unfinished(self, thread_id: str) -> bool:
        try:
            row = await self._threads.get(thread_id)
        except UnknownThread:
            return False
        return row.can_resume and row.outcome is None

    async def erase(self, thread_ids: Collection[str]) -> None:
        for thread_id in thread_ids:
            async with sole_work_on(self._storage.checkpointer, thread_id):
                for item in await self._items(thread_id):
                    await self._storage.store.adelete(item.namespace, item.key)
                await self._storage.checkpointer.adelete_thread(thread_id)

    async def left(self, needles: Sequence[Needle], thread_ids: Collection[str]) -> Sequence[Left]:
        """An SQLite file is written anew before it is searched, rows and bytes."""
        found = [
            Left(what="a record", where="the database", thread_id=None)
            for name in thread_ids
            if await self.values(name)
        ]
        if path := await sqlite_file(self._storage):
            return [*found, *await asyncio.to_thread(left_in_file, path, needles, _of_row)]
        traces = await postgres_traces(self._storage, needles)
        if traces is None:
            traces = list(traces_in([row async for row in self._rows()], needles))
        return [*found, *left_in_rows(traces, "", _of_row)]

    async def _items(self, thread_id: str) -> list[Any]:
        """Everything in the store by the thread's id."""
        own = records_of(thread_id)[-1]
        found = [item async for namespace in self._namespaces() if own in namespace
                 for item in await items_of(self._storage.store, namespace)]  # fmt: skip
        known = [*found, *await all_items(self._storage.store, thread_id)]
        return list({(item.namespace, item.key): item for item in known}.values())

    async def _namespaces(self) -> AsyncIterator[tuple[str, ...]]:
        found: list[tuple[str, ...]] = []
        while page := await self._storage.store.alist_namespaces(limit=PAGE, offset=len(found)):
            found += page
        for namespace in found:
            yield namespace

    async def _all_checkpoints(self) -> AsyncIterator[tuple[str, Any]]:
        """A thread at a time, so that one which cannot be read is named."""
        for thread_id in await newest_checkpoints(self._storage.checkpointer):
            async for value in self._checkpoints(thread_id):
                yield thread_id, value

    async def _checkpoints(self, thread_id: str) -> AsyncIterator[Any]:
        config: RunnableConfig = {"configurable": {"thread_id": thread_id}}
        async for saved in self._storage.checkpointer.alist(config):
            yield [saved.checkpoint["channel_values"], saved.metadata, saved.pending_writes]

    async def _rows(self) -> AsyncIterator[tuple[str, Row]]:
        """What is in memory, as rows of a table."""
        async for thread_id, value in self._all_checkpoints():
            texts = [part for part in parts(value) if isinstance(part, str)]
            yield "checkpoints", {"thread_id": thread_id, "texts": texts}
        async for namespace in self._namespaces():
            for item in await items_of(self._storage.store, namespace):
                yield "store", {"prefix": ".".join(namespace), "key": item.key, "value": item.value}


def thread_of_item(namespace: Sequence[str], key: str) -> str | None:
    if tuple(namespace) == ROWS:
        return key
    return thread_of(tuple(namespace)) if tuple(namespace[:-1]) == REQUESTS else None


def _of_row(table: str, row: Row) -> str | None:
    """The thread that a row belongs to; None = none, or it cannot be told."""
    if table == "store":
        return thread_of_item(str(row["prefix"]).split("."), str(row["key"]))
    return row.get("thread_id")


def left_in_rows(traces: Sequence[Trace], place: str, of_row: Any) -> list[Left]:
    """Of texts that others may share, names and messages, those in other conversations do not count."""
    found = []
    for trace in traces:
        thread_id = of_row(trace.table, trace.row)
        if thread_id is None or trace.needle.kind in CONTACT_KINDS:
            where = f"{place}, table {trace.table}" if place else f"table {trace.table}"
            found.append(Left(what=trace.needle.kind, where=where, thread_id=thread_id))
    return list(dict.fromkeys(found))


def left_in_file(path: Path, needles: Sequence[Needle], of_row: Any) -> list[Left]:
    """What an SQLite file still holds after it is written anew; bytes in no row count whatever they are."""
    if not path.exists():
        return []
    is_clean = rewrite(path)
    traces = list(traces_in(file_rows(path), needles))
    explained = {trace.needle for trace in traces}
    found = left_in_rows(traces, path.name, of_row)
    for file in beside(path):
        hidden = [needle for needle in in_bytes(file, needles) if needle not in explained]
        found += [Left(what=needle.kind, where=f"the bytes of {os.fspath(file.name)}") for needle in hidden]
    if not is_clean:
        found.append(Left(what="deleted rows", where=f"{path.name}: another program reads it; run this again"))
    return found
