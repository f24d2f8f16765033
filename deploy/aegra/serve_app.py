"""What `wavegraph.app.server` adds to a LangGraph server, as Aegra takes it: a FastAPI application."""

from aegra_api.core.database import db_manager
from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
from sqlalchemy.exc import IntegrityError

from wavegraph.app.server import app as ours

app = FastAPI(routes=[*ours.routes], middleware=[*ours.user_middleware])
app.state.own_store = db_manager.get_store


@app.exception_handler(IntegrityError)
async def one_active_run(request: Request, error: IntegrityError) -> JSONResponse:
    """A second run of a thread meets the index of `one_active_run.sql`."""
    if "one_active_run" in str(error):
        told = {"error": "conflict", "message": "thread already has an active run", "details": None}
        return JSONResponse(told, status_code=409)
    return JSONResponse({"error": "internal_error", "message": "database constraint", "details": None}, status_code=500)
