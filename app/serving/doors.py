"""What is turned away before any route sees it: other hosts, pages from elsewhere, bodies that are no JSON or too large,
and more of them than a client may send.

Plain ASGI, so that streams pass as they come, and without Starlette, which only the server brings.
"""

import math
from collections.abc import Awaitable, Callable

from wavegraph.app.serving.caller import Caller, Message, Receive, Refused, Scope, Send, check_size
from wavegraph.app.serving.hosts import HOSTS, host_of, host_of_origin, is_loopback
from wavegraph.app.serving.rate import REQUEST_BYTES, Rate
from wavegraph.app.serving.settings import BYTES_PER_SECOND, DoorSettings

App = Callable[[Scope, Receive, Send], Awaitable[None]]

PROBE = "/ok"
"""A load balancer asks by the machine's address. The reply says only that the server is up."""
FOR_DEVELOPMENT = ("/deploy", "/internal")
"""The development server's: they start a deployment and empty its data, and ask for no token."""
FOR_DEVELOPERS = ("/docs", "/openapi.json", "/metrics", *FOR_DEVELOPMENT)
"""No authentication covers them."""
COMPONENTS = "/ui"
"""No authentication covers it either; where there are none, the server looks for a folder that does not exist, and fails."""


class Doors:
    """ASGI middleware for all routes, HTTP and WebSocket. Put it first: what it refuses is not read by any other."""

    def __init__(self, app: App, settings: DoorSettings, rate: Rate) -> None:
        """`rate`: one for the whole server, which may put this before each of its routes (`middleware_order`)."""
        self._app = app
        self._settings = settings
        self._rate = rate

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket") or _is_from_within(scope):
            return await self._app(scope, receive, send)
        caller = Caller(scope, receive, send)
        try:
            self._admit(caller)
        except Refused as refused:
            return await self._refuse(caller, refused)
        await self._app(scope, lambda: self._received(caller), caller.send)

    def _admit(self, caller: Caller) -> None:
        """Raises Refused. What a page on the web can cause is not counted for a client at the same address."""
        self._check_host(caller)
        if caller.method == "OPTIONS":
            return  # CORS answers it, without any effect
        self._check_page(caller)
        _check_authorization(caller)
        _check_place(caller, self._settings)
        check_size(caller.declared_bytes, self._settings.max_body_bytes)
        self._take(caller, REQUEST_BYTES + caller.declared_bytes)

    async def _received(self, caller: Caller) -> Message:
        message = await caller.receive()
        try:
            if message["type"] in ("http.request", "websocket.receive"):
                more = caller.count(message, self._settings.max_body_bytes)
                self._take(caller, more + (REQUEST_BYTES if message["type"] == "websocket.receive" else 0))
        except Refused as refused:
            await self._refuse(caller, refused)
            return await caller.receive()
        return message

    async def _refuse(self, caller: Caller, refused: Refused) -> None:
        """A page that may call may also read why not."""
        await caller.refuse(refused, caller.readers(self._settings.origins))

    def _check_host(self, caller: Caller) -> None:
        """A page whose name leads to this machine (DNS rebinding) still sends that name. Raises Refused."""
        host = _host(caller)
        if host in self._settings.hosts or (caller.path == PROBE and caller.method in ("GET", "HEAD")):
            return
        if host is None:
            raise Refused(400, "expected one Host header, with a name or an address")
        raise Refused(421, f"this server does not answer to the host {host[:253]!r}: {HOSTS} lists those it answers to")

    def _check_page(self, caller: Caller) -> None:
        """Raises Refused for a page of another site. Programs send neither header; a link may be followed."""
        origins = caller.header("origin")
        if not origins and "cross-site" in caller.header("sec-fetch-site") and not _follows_link(caller):
            raise Refused(403, "a page of another site may not call this server")
        if len(origins) > 1 or not all(map(self._may_call, origins)):
            raise Refused(
                403,
                "pages of this origin may not call this server: http.cors.allow_origins in langgraph.json lists those "
                f"that may, {HOSTS} the server's own names",
            )

    def _may_call(self, origin: str) -> bool:
        return origin in self._settings.origins or host_of_origin(origin) in self._settings.hosts

    def _take(self, caller: Caller, count: int) -> None:
        """Raises Refused."""
        if count and (wait_s := self._rate.take(caller.clients, count)):
            after_s = math.ceil(wait_s)
            why = f"too much at once: {count} bytes more may come in {after_s} s ({BYTES_PER_SECOND})"
            raise Refused(429, why, {"retry-after": str(after_s)})


def _is_from_within(scope: Scope) -> bool:
    """The server calls itself so. No request sets the root path, and the server's access control goes by it as well."""
    return f"{scope.get('root_path') or ''}/".startswith("/noauth/")


def _host(caller: Caller) -> str | None:
    given = caller.header("host")
    return host_of(given[0]) if len(given) == 1 else None


def _follows_link(caller: Caller) -> bool:
    """By hand, or by a page that then is no longer shown: it learns nothing."""
    return caller.method == "GET" and caller.header("sec-fetch-dest") == ["document"]


def _check_authorization(caller: Caller) -> None:
    """Of two, a proxy may look at one and the server at the other. Raises Refused."""
    if len(caller.header("authorization")) > 1:
        raise Refused(400, "expected one Authorization header")


def _check_place(caller: Caller, settings: DoorSettings) -> None:
    """A proxy that adds no header cannot be told from this machine: with access control what asks for no token and does
    harm is closed to all. Raises Refused."""
    if _is_below(caller, COMPONENTS) and not settings.has_components:
        raise Refused(404, "this server has no components for a page")
    place = next((place for place in FOR_DEVELOPERS if _is_below(caller, place)), None)
    if place in FOR_DEVELOPMENT and settings.has_access_control:
        raise Refused(403, f"{place} is the development server's, and closed on a server with access control")
    if place and not (caller.is_on_this_machine and is_loopback(_host(caller) or "")):
        raise Refused(403, f"{place} is for programs on the server's own machine that call it by a loopback name")


def _is_below(caller: Caller, place: str) -> bool:
    return f"{caller.path}/".startswith(f"{place}/")
