"""The page served here, over the API of a server elsewhere: what is not part of the page is forwarded to it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http.cookiejar import CookieJar, DefaultCookiePolicy

import httpx
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from wavegraph.app.console.files import routes
from wavegraph.app.serving.doors import Doors
from wavegraph.app.serving.settings import DoorSettings
from wavegraph.graph.errors import SettingsError, error_text

HOP_BY_HOP_HEADERS = frozenset(
    {
        "connection", "content-length", "host", "keep-alive", "proxy-authenticate", "proxy-authorization", "proxy-connection",
        "te", "trailer", "transfer-encoding", "upgrade",
    }
)  # fmt: skip
"""Headers that belong to one connection."""
PAGE_HEADERS = frozenset({"origin", "referer", "sec-fetch-dest", "sec-fetch-mode", "sec-fetch-site", "cookie"})
"""They tell of the page here, which `Doors` has looked at; the server there knows nothing of it."""
COOKIE_HEADERS = frozenset({"set-cookie", "set-cookie2"})
"""A browser would keep cookies for this machine, whatever port asks, and another token must not come with them."""
METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"]


def proxy_to(url: str) -> Starlette:
    """The page, and everything else from the server at `url`. Raises SettingsError for what is not an address."""
    there = httpx.URL(url)
    if there.scheme not in ("http", "https") or not there.host:
        raise SettingsError(f"--url {url!r}: expected the address of a LangGraph server, such as http://127.0.0.1:2024")
    no_cookies = CookieJar(DefaultCookiePolicy(allowed_domains=()))
    timeout = httpx.Timeout(30, read=None)
    client = httpx.AsyncClient(base_url=there, timeout=timeout, follow_redirects=False, cookies=no_cookies)

    async def forward(request: Request) -> Response:
        return await _forward(client, request)

    @asynccontextmanager
    async def life(_: Starlette) -> AsyncIterator[None]:
        async with client:
            yield

    settings = DoorSettings.from_env()
    return Starlette(
        routes=[*routes(), Route("/{path:path}", forward, methods=METHODS)],
        middleware=[Middleware(Doors, settings=settings, rate=settings.rate())],
        lifespan=life,
    )


async def _forward(client: httpx.AsyncClient, request: Request) -> Response:
    left_out = HOP_BY_HOP_HEADERS | PAGE_HEADERS | _named_by_connection(request)
    headers = [(name, value) for name, value in request.headers.items() if name not in left_out]
    try:
        sent = client.build_request(
            request.method, _address(client, request), headers=headers, content=await request.body()
        )
        reply = await client.send(sent, stream=True)
    except httpx.HTTPError as error:
        there = client.base_url.copy_with(userinfo=b"")
        return JSONResponse({"detail": f"{there} cannot be reached: {error_text(error)}"}, 502)
    kept = {name: value for name, value in reply.headers.items() if name not in HOP_BY_HOP_HEADERS | COOKIE_HEADERS}
    return StreamingResponse(_raw(reply), reply.status_code, headers=kept)


def _address(client: httpx.AsyncClient, request: Request) -> httpx.URL:
    """The path as it was written: `%3F` in it begins no query, and `//` no other host."""
    path, query = request.scope["raw_path"], request.scope["query_string"]
    below = client.base_url.raw_path.rstrip(b"/") + path
    return client.base_url.copy_with(raw_path=below + b"?" + query if query else below)


def _named_by_connection(request: Request) -> set[str]:
    named = ",".join(request.headers.getlist("connection"))
    return {name.strip().lower() for name in named.split(",")}


async def _raw(reply: httpx.Response) -> AsyncIterator[bytes]:
    """As it comes: a stream of events is not held back."""
    try:
        async for chunk in reply.aiter_raw():
            yield chunk
    finally:
        await reply.aclose()
