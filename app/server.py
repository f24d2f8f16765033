"""This package's part of the LangGraph server (`http.app` in langgraph.json): it turns away what has no business here or
is too long to be read, masks card numbers before any route sees them, and takes verdicts on a thread's last answer.

Starlette comes with that server; nothing else in this package imports it.
"""

import asyncio
import json
import warnings
from dataclasses import asdict
from typing import Any
from urllib.parse import quote

import httpx
from pydantic import BaseModel, ConfigDict, Field
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from wavegraph.app.agents import agents_routes
from wavegraph.app.console import files as console
from wavegraph.app.run.feedback import (
    LONGEST_WHY,
    NothingToJudge,
    StoredFeedback,
    Verdict,
    keep_verdict,
    persons_verdict,
)
from wavegraph.app.serving import declarations
from wavegraph.app.serving.api_page import described
from wavegraph.app.serving.body import read_body
from wavegraph.app.serving.caller import Caller, Message, Receive, Refused, Scope, Send
from wavegraph.app.serving.declarations import SCHEMA, TYPESCRIPT
from wavegraph.app.serving.doors import Doors
from wavegraph.app.serving.erase import guest_routes
from wavegraph.app.serving.hosts import Origins
from wavegraph.app.serving.inputs import check_inputs
from wavegraph.app.serving.metrics import metrics_routes
from wavegraph.app.serving.own_server import own_client, own_store
from wavegraph.app.serving.settings import DoorSettings
from wavegraph.graph.errors import error_text
from wavegraph.graph.guard.cards import mask_json
from wavegraph.graph.request.records import PersonsVerdict

__all__ = ["MaskCards", "app"]

# LangGraph's server asks for a durability in every run, also where the client keeps no thread, and is then warned of it.
warnings.filterwarnings("ignore", "`durability` has no effect")

NO_ORIGINS = Origins()
SMALL_BYTES = 50_000
"""Masked in a few milliseconds; a larger body goes to a thread, so that other requests need not wait."""


class MaskCards:
    """ASGI middleware: every JSON body and every WebSocket message is masked before a route sees it, and one that holds
    more than an agent reads is refused before that.

    It covers all routes, not a list: runs, thread states, MCP, A2A, the store, and what a later server adds. A body
    without card numbers passes unchanged, byte for byte; so does one that is not JSON, which the server refuses.
    """

    def __init__(self, app: ASGIApp, origins: Origins = NO_ORIGINS) -> None:
        """`origins`: of the pages that may read why they were refused."""
        self._app = app
        self._origins = origins

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            caller = Caller(scope, receive, send)
            await self._app(scope, lambda: _masked_message(caller), caller.send)
        elif scope["type"] == "http" and scope["method"] not in ("GET", "HEAD", "OPTIONS"):
            await self._pass_body(scope, Caller(scope, receive, send))
        else:
            await self._app(scope, receive, send)

    async def _pass_body(self, scope: Scope, caller: Caller) -> None:
        body = await _read(caller.receive)
        if body is None:
            return
        try:
            masked = await _masked(body)
        except Refused as refused:
            return await caller.refuse(refused, caller.readers(self._origins))
        if masked is not body:
            headers = [(name, value) for name, value in scope["headers"] if name != b"content-length"]
            scope = {**scope, "headers": [*headers, (b"content-length", str(len(masked)).encode())]}
        waiting: list[Message] = [{"type": "http.request", "body": masked, "more_body": False}]

        async def replay() -> Message:
            return waiting.pop() if waiting else await caller.receive()

        await self._app(scope, replay, caller.send)


async def _read(receive: Receive) -> bytes | None:
    """The whole body; None if the client has disconnected."""
    parts = []
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        parts.append(message.get("body", b""))
        if not message.get("more_body"):
            return b"".join(parts)


async def _masked_message(caller: Caller) -> Message:
    message = await caller.receive()
    kind = next((kind for kind in ("text", "bytes") if message.get(kind)), None)
    if kind is None:
        return message
    raw = message[kind].encode() if kind == "text" else message[kind]
    try:
        masked = await _masked(raw)
    except Refused as refused:
        await caller.refuse(refused, {})
        return await caller.receive()
    return message if masked is raw else {**message, kind: masked.decode() if kind == "text" else masked}


async def _masked(body: bytes) -> bytes:
    """The JSON text with card numbers masked; `body` itself if it has none. Raises Refused."""
    try:
        return _mask(body) if len(body) < SMALL_BYTES else await asyncio.to_thread(_mask, body)
    except RecursionError:
        raise Refused(400, "the body is nested too deeply") from None


def _mask(body: bytes) -> bytes:
    try:
        content: Any = json.loads(body)
    except ValueError:
        return body
    check_inputs(content)
    masked = mask_json(content)
    return body if masked == content else json.dumps(masked).encode()


class Judgement(BaseModel):
    """A person's verdict on an answer; an unknown key is refused, as a misspelled reason would erase the earlier one."""

    model_config = ConfigDict(extra="forbid")

    verdict: Verdict
    why: str = Field(default="", max_length=LONGEST_WHY)


async def feedback(request: Request) -> Response:
    thread_id = request.path_params["thread_id"]
    given = await read_body(request, Judgement)
    if isinstance(given, JSONResponse):
        return given
    try:
        refused = await _refused(request, thread_id)
        return refused or JSONResponse(
            asdict(await _keep(request, thread_id, persons_verdict(given.verdict, given.why)))
        )
    except NothingToJudge as error:
        return JSONResponse({"detail": error_text(error)}, 404)


async def _refused(request: Request, thread_id: str) -> Response | None:
    """The server's own reply if the client may not see the thread or it does not exist; else None."""
    headers = {name: value for name, value in request.headers.items() if name not in _OF_THE_BODY}
    transport = httpx.ASGITransport(request.app)
    async with httpx.AsyncClient(transport=transport, base_url="http://api", headers=headers) as client:
        found = await client.get(f"/threads/{quote(thread_id, safe='')}")
    return None if found.is_success else Response(found.content, found.status_code, media_type="application/json")


_OF_THE_BODY = ("content-length", "content-type", "content-encoding", "transfer-encoding", "accept-encoding")


async def _keep(request: Request, thread_id: str, verdict: PersonsVerdict) -> StoredFeedback:
    """Store it with the graph's record of the request, in the server's store. Raises NothingToJudge."""
    async with own_client(request) as client:
        return await keep_verdict(own_store(request, client), thread_id, verdict)


_settings = DoorSettings.from_env()
_doors = Middleware(Doors, settings=_settings, rate=_settings.rate())

app = Starlette(
    routes=[
        described(
            "/threads/{thread_id}/feedback",
            feedback,
            "Judge a thread's last answer",
            "Keep a person's verdict with the thread's last closed request. An earlier one is replaced.",
            tag="Threads",
            replies={
                200: "The verdict as it is kept, and whether LangSmith has it (null: the request was not traced)",
                400: "The body is not a JSON object",
                404: "The thread is unknown, or has no answered request",
                422: "An unknown verdict, a reason that is too long, or an unknown key",
            },
            body=Judgement,
        ),
        *guest_routes(),
        *metrics_routes(),
        Route(f"/{SCHEMA}", declarations.send),
        Route(f"/{TYPESCRIPT}", declarations.send),
        *agents_routes(),
        *console.routes(),
    ],
    middleware=[_doors, Middleware(MaskCards, origins=_settings.origins)],
)


async def refused_within(request: Request, error: Exception) -> Response:
    """A call that the server makes to itself and refuses, as of MCP, is refused to its client the same way."""
    assert isinstance(error, httpx.HTTPStatusError)
    try:
        detail = error.response.json()["detail"]
    except (ValueError, KeyError, TypeError, httpx.ResponseNotRead):
        detail = error.response.reason_phrase
    return JSONResponse({"detail": detail}, error.response.status_code)


app.add_exception_handler(httpx.HTTPStatusError, refused_within)
