"""What the LangGraph server puts before its own routes (`http.app` in langgraph.json): card numbers are masked.

Starlette comes with that server; nothing else of this package imports it.
"""

import asyncio
import json
from typing import Any

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from wavegraph.app.cards import mask_json

SMALL_BYTES = 50_000
"""What is masked in a few milliseconds; a larger body goes to a thread, so that others need not wait."""


class MaskCards:
    """ASGI middleware: every JSON body and every WebSocket message is masked before a route sees it.

    All routes, not a list of them: runs, thread states, MCP, A2A, the store, and what a later server adds. What holds no
    card number passes as it came, byte for byte; so does what is no JSON, which the server refuses by itself.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await self._app(scope, lambda: _masked_message(receive), send)
        elif scope["type"] == "http" and scope["method"] not in ("GET", "HEAD", "OPTIONS"):
            await self._pass_body(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _pass_body(self, scope: Scope, receive: Receive, send: Send) -> None:
        body = await _read(receive)
        if body is None:
            return
        try:
            masked = await _masked(body)
        except RecursionError:
            return await JSONResponse({"detail": "the body is nested too deeply"}, 400)(scope, receive, send)
        if masked is not body:
            headers = [(name, value) for name, value in scope["headers"] if name != b"content-length"]
            scope = {**scope, "headers": [*headers, (b"content-length", str(len(masked)).encode())]}
        waiting: list[Message] = [{"type": "http.request", "body": masked, "more_body": False}]

        async def replay() -> Message:
            return waiting.pop() if waiting else await receive()

        await self._app(scope, replay, send)


async def _read(receive: Receive) -> bytes | None:
    """The whole body; None where the client has gone."""
    parts = []
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        parts.append(message.get("body", b""))
        if not message.get("more_body"):
            return b"".join(parts)


async def _masked_message(receive: Receive) -> Message:
    message = await receive()
    for kind in ("text", "bytes"):
        if content := message.get(kind):
            raw = content.encode() if kind == "text" else content
            masked = await _masked(raw)
            return message if masked is raw else {**message, kind: masked.decode() if kind == "text" else masked}
    return message


async def _masked(body: bytes) -> bytes:
    """The JSON text with card numbers masked; `body` itself where there are none. Raises RecursionError."""
    return _mask(body) if len(body) < SMALL_BYTES else await asyncio.to_thread(_mask, body)


def _mask(body: bytes) -> bytes:
    try:
        content: Any = json.loads(body)
    except ValueError:
        return body
    masked = mask_json(content)
    return body if masked == content else json.dumps(masked).encode()


app = Starlette(middleware=[Middleware(MaskCards)])
