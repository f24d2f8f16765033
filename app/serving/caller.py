"""One HTTP request or one WebSocket: what its headers say, what it sends, and the reply if it is refused."""

import hashlib
import json
import re
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any

from wavegraph.app.serving.hosts import Origins, address_of, is_loopback
from wavegraph.app.serving.rate import network_of
from wavegraph.app.serving.settings import MAX_BODY_BYTES

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

FORWARDED = ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip")
"""A proxy on this machine adds one of them: the client may be anywhere."""
_LENGTH = re.compile(r"[0-9]{1,18}")
_JSON = re.compile(r"application/(?:[\w.-]+\+)?json", re.ASCII | re.IGNORECASE)
POLICY, TOO_LARGE = 1008, 1009
"""Why an open WebSocket is closed (RFC 6455)."""


class Refused(Exception):
    """What the caller is told, in JSON."""

    def __init__(self, status: int, detail: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail
        self.headers = headers or {}


class Caller:
    """Once refused, nothing that the app sends goes out, and the app hears that the client has gone."""

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.kind: str = scope["type"]
        self.method: str = scope.get("method", "GET")
        self.path: str = scope["path"].removeprefix(scope.get("root_path") or "")
        self.address = str((scope.get("client") or ("",))[0])
        """Empty for one that comes by a socket file: a proxy, as a rule."""
        self._scope = scope
        self._headers = scope["headers"]  # as they came: another server's middleware may put others in their place
        self._receive = receive
        self._send = send
        self._has_reply = False
        self._is_refused = False
        self._body_bytes = 0

    @property
    def clients(self) -> set[str]:
        """Whom what it sends is counted for: the network it comes from, and the token it shows, wherever that is used."""
        return {network_of(self.address), *map(_holder, self.header("authorization"))}

    @property
    def declared_bytes(self) -> int:
        """Of the body, by its header; 0 = it does not say."""
        given = self.header("content-length")
        return int(given[0]) if len(given) == 1 and _LENGTH.fullmatch(given[0]) else 0

    def header(self, name: str) -> list[str]:
        """Every header of this name, which is in lower case."""
        return [value.decode("latin-1") for key, value in self._headers if key.lower() == name.encode()]

    @property
    def is_on_this_machine(self) -> bool:
        return is_loopback(address_of(self.address) or "") and not any(map(self.header, FORWARDED))

    async def receive(self) -> Message:
        if not self._is_refused:
            return await self._receive()
        return {"type": f"{self.kind}.disconnect", **({"code": POLICY} if self.kind == "websocket" else {})}

    def count(self, message: Message, most_bytes: int) -> int:
        """The bytes that came and were not announced. Raises Refused for what is not JSON or larger than `most_bytes`,
        whatever its headers promise."""
        if message["type"] == "websocket.receive":
            size = len(message.get("bytes") or (message.get("text") or "").encode())
            check_size(size, most_bytes)
            return size
        types, body = self.header("content-type"), message.get("body", b"")
        if body and not (len(types) == 1 and _JSON.fullmatch(types[0].partition(";")[0].strip())):
            raise Refused(415, "expected a body of JSON, with the header Content-Type: application/json")
        before = max(self._body_bytes, self.declared_bytes)
        self._body_bytes += len(body)
        if self._body_bytes > most_bytes:
            raise Refused(413, f"the body has more than {most_bytes} bytes, which is the most ({MAX_BODY_BYTES})")
        return max(0, self._body_bytes - before)

    async def send(self, message: Message) -> None:
        if not self._is_refused:
            self._has_reply = True
            await self._send(message)

    def readers(self, origins: Origins) -> dict[str, str]:
        """The headers by which a page of these reads why it was refused: the server's own CORS comes later."""
        own = [origin for origin in self.header("origin") if origin in origins]
        return {"access-control-allow-origin": own[0], "vary": "Origin"} if own else {}

    async def refuse(self, refused: Refused, headers: Mapping[str, str]) -> None:
        """Where a reply has begun, a request ends without the rest of it. `headers`: more of them."""
        self._is_refused = True
        may_reply = self.kind == "http" or "websocket.http.response" in self._scope.get("extensions", {})
        if may_reply and not self._has_reply:
            await self._reply(refused, headers)
        elif self.kind == "websocket":
            code = TOO_LARGE if refused.status == 413 else POLICY
            await self._send({"type": "websocket.close", "code": code, "reason": refused.detail})

    async def _reply(self, refused: Refused, headers: Mapping[str, str]) -> None:
        body = json.dumps({"detail": refused.detail}).encode()
        every = {
            "content-type": "application/json",
            "content-length": str(len(body)),
            "x-content-type-options": "nosniff",
            **refused.headers,
            **headers,
        }
        kind = "http.response" if self.kind == "http" else "websocket.http.response"
        raw = [(name.encode(), value.encode()) for name, value in every.items()]
        await self._send({"type": f"{kind}.start", "status": refused.status, "headers": raw})
        await self._send({"type": f"{kind}.body", "body": body})


def check_size(size: int, most_bytes: int) -> None:
    """Raises Refused."""
    if size > most_bytes:
        raise Refused(413, f"the body has {size} bytes, and the most are {most_bytes} ({MAX_BODY_BYTES})")


def _holder(authorization: str) -> str:
    """Whose token it is, as far as it shows: of a JWT by what is signed, since the signature may be written in many ways.
    Hashed, as tokens are kept nowhere."""
    token = authorization.partition(" ")[2].strip()
    signed = token.rpartition(".")[0] or token
    return f"token {hashlib.sha256(signed.encode('latin-1')).hexdigest()}"
