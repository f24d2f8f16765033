"""How our routes call the server they are part of: within the process, without the checks of `Doors` again.

The LangGraph server has a way of its own for that. Another server of the same API says where its store is by
`app.state.own_store`, a function that returns a `BaseStore`; its other routes are called in the name of the caller.
"""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from contextvars import ContextVar
from typing import Any

import httpx
from langgraph.store.base import BaseStore
from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient
from starlette.requests import Request

from wavegraph.app.serving.served_store import ServedStore

ROOT = "/noauth"
"""As the LangGraph server's own: `Doors` lets pass what comes from within. Access control goes by the token all the same."""


calls_as: ContextVar[tuple[Any, str | None] | None] = ContextVar("calls_as", default=None)
"""Another server's application and the caller's token, for its access control, which is shown no request."""


@asynccontextmanager
async def own_client(request: Request) -> AsyncIterator[LangGraphClient]:
    """A client of this server. On another than LangGraph's it may do what the caller may."""
    app = request.app if hasattr(request.app.state, "own_store") else None
    async with _client_of(app, request.headers.get("authorization")) as client:
        yield client


@asynccontextmanager
async def callers_client() -> AsyncIterator[LangGraphClient]:
    """The same for the server's access control."""
    async with _client_of(*calls_as.get() or (None, None)) as client:
        yield client


@asynccontextmanager
async def _client_of(app: Any, token: str | None) -> AsyncIterator[LangGraphClient]:
    """`app`: of another server than LangGraph's."""
    if app is None:
        async with get_client(api_key=None) as client:  # no address: this server, within the process
            yield client
        return
    headers = {"authorization": token} if token else {}
    transport = httpx.ASGITransport(app, root_path=ROOT)
    async with httpx.AsyncClient(transport=transport, base_url="http://api", headers=headers, timeout=300) as calls:
        yield LangGraphClient(calls)


async def with_state(client: LangGraphClient, thread: Mapping[str, Any]) -> Mapping[str, Any]:
    """A thread's row with what is said and asked on it, which not every server puts there."""
    if "values" in thread and "interrupts" in thread:
        return thread
    state: Any = await client.threads.get_state(thread["thread_id"])
    return {**thread, "values": state["values"], "interrupts": {"": state.get("interrupts") or []}}


def own_store(request: Request, client: LangGraphClient) -> BaseStore:
    """The store that the graphs write to, whoever calls."""
    found: BaseStore = request.app.state.own_store() if hasattr(request.app.state, "own_store") else ServedStore(client)
    return found
