"""What `wavegraph.app.server` adds to a LangGraph server, as Aegra takes it: a FastAPI application."""

import os
from collections.abc import Awaitable, Callable

from aegra_api.config import load_auth_config
from aegra_api.core.auth_deps import require_auth
from aegra_api.core.auth_middleware import get_auth_instance
from aegra_api.core.database import db_manager
from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
from sqlalchemy.exc import IntegrityError
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

if load_auth_config():
    os.environ["LANGGRAPH_AUTH_TYPE"] = "custom"  # read by the import below
    if get_auth_instance() is None:  # Aegra would go on, open to everybody
        raise RuntimeError("access control could not be loaded: see the log above for what is missing")

from wavegraph.app.server import app as ours

PAGE = "/console/"


def known(route: BaseRoute) -> BaseRoute:
    """The route for those whom Aegra knows. The console's files are anybody's: what they show comes from other routes."""
    if not isinstance(route, Route) or f"{route.path}/".startswith(PAGE):
        return route
    reply: Callable[[Request], Awaitable[Response]] = route.endpoint

    async def for_known(request: Request) -> Response:
        await require_auth(request)
        return await reply(request)

    return Route(route.path, for_known, methods=[*(route.methods or ())])


app = FastAPI(routes=[*map(known, ours.routes)], middleware=[*ours.user_middleware])
app.state.own_store = db_manager.get_store


@app.exception_handler(IntegrityError)
async def one_active_run(request: Request, error: IntegrityError) -> JSONResponse:
    """A second run of a thread meets the index of `one_active_run.sql`."""
    if "one_active_run" in str(error):
        told = {"error": "conflict", "message": "thread already has an active run", "details": None}
        return JSONResponse(told, status_code=409)
    return JSONResponse({"error": "internal_error", "message": "database constraint", "details": None}, status_code=500)
