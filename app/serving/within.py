"""The server as one of its own routes reaches it: within the process, past no door twice.

The LangGraph server has a way of its own for that. Another server of the same API says where its store is by
`app.state.own_store`, a function that returns a `BaseStore`; its other routes are called in the name of the caller.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
from langgraph.store.base import BaseStore
from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient
from starlette.requests import Request

from wavegraph.app.serving.served_store import ServedStore

ROOT = "/noauth"
"""As the LangGraph server's own: `Doors` lets pass what comes from within. Access control goes by the token all the same."""


@asynccontextmanager
async def own_client(request: Request) -> AsyncIterator[LangGraphClient]:
    """A client of this server. On another than LangGraph's it may do what the caller may."""
    if not hasattr(request.app.state, "own_store"):
        async with get_client(api_key=None) as client:  # no address: this server, within the process
            yield client
        return
    headers = {name: given for name in ("authorization",) if (given := request.headers.get(name))}
    async with client_of(request.app, headers) as client:
        yield client


@asynccontextmanager
async def client_of(app: Any, headers: dict[str, str]) -> AsyncIterator[LangGraphClient]:
    transport = httpx.ASGITransport(app, root_path=ROOT)
    async with httpx.AsyncClient(transport=transport, base_url="http://api", headers=headers, timeout=300) as calls:
        yield LangGraphClient(calls)


def own_store(request: Request, client: LangGraphClient) -> BaseStore:
    """The store that the graphs write to, whoever calls."""
    found: BaseStore = request.app.state.own_store() if hasattr(request.app.state, "own_store") else ServedStore(client)
    return found
