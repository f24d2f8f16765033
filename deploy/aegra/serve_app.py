"""What `wavegraph.app.server` adds to a LangGraph server, as Aegra takes it: a FastAPI application."""

import logging
import os
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from aegra_api.config import load_auth_config
from aegra_api.core.auth_deps import get_current_user, require_auth
from aegra_api.core.auth_middleware import get_auth_instance
from aegra_api.core.database import db_manager
from aegra_api.core.orm import Thread, get_session_maker
from aegra_api.models.auth import User
from aegra_api.services.langgraph_service import get_langgraph_service
from aegra_api.utils.assistants import resolve_assistant_id
from fastapi import FastAPI, HTTPException, Request
from fastapi.responses import JSONResponse
from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp

if load_auth_config():
    os.environ["LANGGRAPH_AUTH_TYPE"] = "custom"  # read by the import below
    if get_auth_instance() is None:  # Aegra would go on, open to everybody
        raise RuntimeError("access control could not be loaded: see the log above for what is missing")

from wavegraph.app.server import app as ours
from wavegraph.app.serving.doors import Doors
from wavegraph.app.serving.roles import STAFF, user_of

logger = logging.getLogger(__name__)

PAGE = "/console/"
HOUSE = "system"
"""Aegra's name for what all may see, as far as the rules go: its own assistants, and here those that staff makes."""
LISTS = {("GET", "/threads"), ("POST", "/threads/search")}
IN_THE_BODY = {("POST", "/threads"), ("POST", "/runs/cancel")}
"""Where a body may name the thread."""
CRONS = "/threads/{thread_id}/runs/crons"
"""Later they would run in the owner's name, with nothing of who made them."""


def known(route: BaseRoute) -> BaseRoute:
    """The route for those whom Aegra knows. The console's files are anybody's: what they show comes from other routes."""
    if not isinstance(route, Route) or f"{route.path}/".startswith(PAGE):
        return route
    reply: Callable[[Request], Awaitable[Response]] = route.endpoint

    async def for_known(request: Request) -> Response:
        await require_auth(request)
        return await reply(request)

    return Route(route.path, for_known, methods=[*(route.methods or ())])


class Guarded(FastAPI):
    """Aegra puts its own middleware around what is there already; `Doors` comes before that, too."""

    def build_middleware_stack(self) -> ASGIApp:
        self.user_middleware.sort(key=lambda each: each.cls is not Doors)
        return super().build_middleware_stack()


app = Guarded(routes=[*map(known, ours.routes)], middleware=[*ours.user_middleware], redoc_url=None)
app.state.own_store = db_manager.get_store


async def acting(request: Request) -> User:
    """Under whose name a request reads and writes. Aegra shows each row only to the one under whose name it stands.

    For staff that is the name of the thread's owner; `actor` then says who it is, to the graph, which keeps who decided.
    Anybody else's requests stay as they are. The roles are the caller's own in any case, and the rules go by these.
    """
    user = await require_auth(request)
    name = await name_for_staff(request) if STAFF in user.permissions else None
    if name is None:
        return user
    logger.info("staff %s acts for %s: %s %s", user.identity, name, request.method, request.url.path)
    return user.model_copy(update={"identity": name, "actor": user.identity})


async def name_for_staff(request: Request) -> Any:
    """None = their own."""
    route = request.method, request.scope["route"].path
    if route in LISTS:
        return Thread.user_id  # a column that is compared with itself: everybody's rows
    if route[1].startswith("/assistants"):
        return None if is_graphs_own(request.path_params.get("assistant_id")) else HOUSE
    body = await body_of(request) if route in IN_THE_BODY else {}
    thread_id = request.path_params.get("thread_id") or body.get("thread_id") or body.get("threadId")
    owner = await owner_of(thread_id) if isinstance(thread_id, str) and route[1] != CRONS else None
    return owner or wanted_owner(body)


def is_graphs_own(assistant_id: str | None) -> bool:
    """Nobody changes these; without one a graph could not be run by its name."""
    graphs = get_langgraph_service().list_graphs()
    return assistant_id in {resolve_assistant_id(name, graphs) for name in graphs}


async def body_of(request: Request) -> Mapping[str, Any]:
    try:
        body = await request.json()
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}


async def owner_of(thread_id: str) -> str | None:
    async with get_session_maker()() as session:
        owner: str | None = await session.scalar(select(Thread.user_id).where(Thread.thread_id == thread_id))
    return owner


def wanted_owner(body: Mapping[str, Any]) -> str | None:
    """Of a new thread that staff makes for somebody else. Raises 422."""
    metadata = body.get("metadata")
    owner = metadata.get("owner") if isinstance(metadata, dict) else None
    if owner is not None and user_of(owner, (), ()) is None:
        raise HTTPException(422, "metadata.owner is no name")
    return owner


if load_auth_config():
    app.dependency_overrides |= {require_auth: acting, get_current_user: acting}


@app.exception_handler(IntegrityError)
async def one_active_run(request: Request, error: IntegrityError) -> JSONResponse:
    """A second run of a thread meets the index of `one_active_run.sql`."""
    if "one_active_run" in str(error):
        told = {"error": "conflict", "message": "thread already has an active run", "details": None}
        return JSONResponse(told, status_code=409)
    return JSONResponse({"error": "internal_error", "message": "database constraint", "details": None}, status_code=500)
