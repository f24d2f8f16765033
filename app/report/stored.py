"""Reads the records of closed requests on all threads of a database."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from langgraph.store.base import BaseStore, SearchItem

from wavegraph.app.run.threads import PAGE, items_below
from wavegraph.graph.request.records import REQUESTS, thread_of

UNUSED = ("answer", "reasoning", "slots")
"""Long fields that no figure needs: all records are held in memory together."""


@dataclass(frozen=True, kw_only=True)
class StoredRequest:
    """One closed request as the store holds it. Older versions recorded less: any field may be missing."""

    thread_id: str
    ended: datetime
    """UTC."""
    record: Mapping[str, Any]


async def stored_requests(store: BaseStore, page: int = PAGE) -> list[StoredRequest]:
    """Every closed request once, in no order; those written meanwhile may be missing."""
    found = {(item.namespace, item.key): _stored(item) async for item in items_below(store, REQUESTS, page)}
    return list(found.values())


def _stored(item: SearchItem) -> StoredRequest:
    record = {name: value for name, value in item.value.items() if name not in UNUSED}
    return StoredRequest(thread_id=thread_of(item.namespace), ended=_ended(record, item.updated_at), record=record)


def _ended(record: Mapping[str, Any], updated_at: datetime) -> datetime:
    """When the request ended (UTC); when it was stored, if an older version did not record that."""
    if ended := record.get("ended_at"):
        return datetime.fromisoformat(ended).astimezone(UTC)
    return updated_at.astimezone(UTC) if updated_at.tzinfo else updated_at.replace(tzinfo=UTC)
