"""The built page under `/console`, with headers that let it load and call nothing but this server."""

from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

PAGE = Path(__file__).parent / "page"
"""Made by `make console-page` from the folder `console`, and shipped in the wheel."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
}
NOT_BUILT = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Wavegraph console</title>
<h1>The console is not built yet</h1>
<p>In a copy of the repository, <code>make console-page</code> builds it; that needs Node.js 20 or newer.
The package that <code>make wheel</code> makes has it inside. All else works without it.</p></html>"""


class PageFiles(StaticFiles):
    """The page's files; any address of the page without a dot in it is the page itself."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        try:
            response = await super().get_response(path, scope)
        except HTTPException as error:
            if error.status_code != 404 or "." in path.rpartition("/")[2]:
                raise
            response = await super().get_response("index.html", scope)
        response.headers.update(HEADERS)
        is_named_by_content = path.startswith("assets/")
        response.headers["cache-control"] = "public, max-age=31536000, immutable" if is_named_by_content else "no-cache"
        return response


async def _to_the_page(request: Request) -> Response:
    return RedirectResponse("console/", status_code=308)


async def _not_built(request: Request) -> Response:
    return HTMLResponse(NOT_BUILT, status_code=503, headers=HEADERS)


def routes(page: Path = PAGE) -> list[BaseRoute]:
    """Where the page is served. Without a build there is one that says how to get it."""
    if not (page / "index.html").exists():
        return [Route("/console", _not_built), Route("/console/{rest:path}", _not_built)]
    return [Route("/console", _to_the_page), Mount("/console", PageFiles(directory=page, html=True))]
