"""Reads what is kept of closed requests, of all threads of a database."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from langgraph.store.base import BaseStore, SearchItem

from wavegraph.app.report.summary import StoredRequest
from wavegraph.app.run.threads import PAGE, items_below
from wavegraph.graph.request.records import REQUESTS, thread_of

UNUSED = ("answer", "reasoning", "slots")
"""The long fields, which no figure needs: a large database's records are held in memory together."""


async def stored_requests(store: BaseStore, page: int = PAGE) -> list[StoredRequest]:
    """Every closed request, in no order. What is written meanwhile may or may not be in it, and is in it once."""
    found = {(item.namespace, item.key): _stored(item) async for item in items_below(store, REQUESTS, page)}
    return list(found.values())


def _stored(item: SearchItem) -> StoredRequest:
    record = {name: value for name, value in item.value.items() if name not in UNUSED}
    return StoredRequest(thread_id=thread_of(item.namespace), ended=_ended(record, item.updated_at), record=record)


def _ended(record: Mapping[str, Any], updated_at: datetime) -> datetime:
    """When the request ended (UTC); when it was stored, where an older version did not record it."""
    if ended := record.get("ended_at"):
        return datetime.fromisoformat(ended).astimezone(UTC)
    return updated_at.astimezone(UTC) if updated_at.tzinfo else updated_at.replace(tzinfo=UTC)
