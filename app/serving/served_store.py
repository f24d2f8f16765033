"""The LangGraph server's store as a `BaseStore`, through the server's own API."""

import asyncio
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from langgraph.store.base import BaseStore, GetOp, Item, Op, PutOp, Result, SearchItem, SearchOp
from langgraph_sdk.client import LangGraphClient
from langgraph_sdk.errors import NotFoundError


class ServedStore(BaseStore):
    """For code that is written against a store, in a route of the server. Asynchronous use only."""

    def __init__(self, client: LangGraphClient) -> None:
        self._store = client.store

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        raise NotImplementedError("the server's store is asynchronous: use abatch")

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        return list(await asyncio.gather(*map(self._done, ops)))

    async def _done(self, op: Op) -> Result:
        match op:
            case GetOp():
                return await self._get(op)
            case PutOp(value=None):
                await self._store.delete_item(op.namespace, op.key)
            case PutOp():
                await self._store.put_item(op.namespace, op.key, op.value or {}, index=False)
            case SearchOp():
                return await self._search(op)
            case _:
                raise NotImplementedError(type(op).__name__)
        return None

    async def _get(self, op: GetOp) -> Item | None:
        try:
            found: Any = await self._store.get_item(op.namespace, op.key)
        except NotFoundError:
            return None
        return Item(**_fields(found)) if found else None

    async def _search(self, op: SearchOp) -> list[SearchItem]:
        """Page by page: the server gives a thousand at most."""
        found: list[Any] = []
        while len(found) < op.limit:
            ask = min(_PAGE, op.limit - len(found))
            page: Any = await self._store.search_items(
                op.namespace_prefix, filter=op.filter, limit=ask, offset=op.offset + len(found)
            )
            found += page["items"]
            if len(page["items"]) < ask:
                break
        return [SearchItem(**_fields(item), score=None) for item in found]


_PAGE = 1000


def _fields(item: dict[str, Any]) -> dict[str, Any]:
    return {
        "namespace": tuple(item["namespace"]),
        "key": item["key"],
        "value": item["value"],
        "created_at": datetime.fromisoformat(item["created_at"]),
        "updated_at": datetime.fromisoformat(item["updated_at"]),
    }
