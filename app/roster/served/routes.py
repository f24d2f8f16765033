"""Stored rosters on the LangGraph server: a list, each as its page, its versions, its files to take along, who can cover a
shift; and what is decided about one: that it is published, kept as a draft or discarded, that a decision is taken back, and
that two nurses swap.

For staff. What changes a roster is first told by the address that reads it (GET), and done by the one that is sent to (POST).
"""

from collections.abc import Awaitable, Callable, Iterator
from typing import Any

from pydantic import BaseModel, ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from wavegraph.app.roster.served import reading
from wavegraph.app.roster.served.decisions import DECISIONS, Decision
from wavegraph.app.serving.api_page import Endpoint, described
from wavegraph.app.serving.own_server import own_client, own_store
from wavegraph.app.serving.staff import is_staff
from wavegraph.graph.errors import ToolRefusal, error_text, explain
from wavegraph.tools.roster.store import RosterStore
from wavegraph.tools.roster.versions.log import VersionStore

NOT_THERE = ("unknown_roster", "unknown_ward", "unknown_file")
CONFLICTS = ("breaks_rules", "conflict", "has_problems", "is_published", "not_published", "nothing_to_undo", "other_ward",
             "overlaps")  # fmt: skip
Reply = Callable[[Request, VersionStore], Awaitable[Any]]
"""A response, or what it holds as JSON."""


def routes() -> list[Route]:
    """What `app.server` adds to the server."""
    return [
        _route("", reading.rosters, "List the newest rosters",
               "The latest made first, each with its status: roster_id, ward, start, end, status, made_at."),
        _route("/wards", reading.wards, "List the known wards", "Those that a roster can be made for: name, ward (of a file "
               "that cannot be read, why), days, nurses, start."),
        _route("/{roster_id}", reading.sheet, "A roster's cells",
               "roster_id, ward, status, nurses, shifts, days, and in roster who has which shift when."),
        _route("/{roster_id}/page", reading.page, "A roster as one page of HTML",
               "May it be published, what is wrong, who works when, is it fair."),
        _route("/{roster_id}/versions", reading.versions, "The versions of a roster's ward", "Every roster of the ward that "
               "somebody decided about: version, roster_id, status, start, days, end, by, at, reason."),
        _route("/{roster_id}/files/{name}", reading.file, "A roster as a file",
               "`roster.xlsx` (a workbook), or a nurse's `<id>.ics` (a calendar) and `<id>.html` (a page)."),
        _route("/{roster_id}/who", reading.who, "Who can take a shift",
               "Those who may, the cheapest first, then who may not, and why.", query=reading.ShiftToCover),
        *(route for name, each in DECISIONS.items() for route in _pair(name, each)),
    ]  # fmt: skip


def _pair(name: str, decision: Decision) -> Iterator[Route]:
    async def do(request: Request, store: VersionStore) -> Any:
        return await decision.do(request, decision.body.model_validate_json(await request.body()), store)

    path, summary = f"/{{roster_id}}/{name}", decision.summary
    yield _route(
        path, decision.would, f"What it would change to {summary}", "Nothing is changed.", query=decision.query
    )
    yield _route(path, do, f"{summary[0].upper()}{summary[1:]}", "`lines` say what was done.", body=decision.body)


def _route(
    path: str, reply: Reply, summary: str, description: str, *, query: type[BaseModel] | None = None,
    body: type[BaseModel] | None = None,
) -> Route:  # fmt: skip
    replies = {
        200: "As described",
        403: "The caller is not staff",
        404: "No roster has this id, or it has no such file",
        409: "The roster, or what was decided meanwhile, is against it",
        422: "An unknown key or a value that cannot be",
    }
    endpoint, about = for_staff(reply), f"{description} For staff."
    return described(
        f"/rosters{path}", endpoint, summary, about, tag="Rosters", replies=replies, query=query, body=body
    )


def for_staff(reply: Reply) -> Endpoint:
    """A route that gives a refusal as `{"detail": …}`."""

    async def route(request: Request) -> Response:
        if not is_staff(request):
            return JSONResponse({"detail": "rosters are for staff"}, 403)
        async with own_client(request) as client:
            try:
                made = await reply(request, VersionStore(own_store(request, client), RosterStore()))
            except ToolRefusal as refusal:
                return JSONResponse({"detail": error_text(refusal), "code": refusal.code}, _status(refusal))
            except ValidationError as error:
                return JSONResponse({"detail": explain(error)}, 422)
        return made if isinstance(made, Response) else JSONResponse(made)

    return route


def _status(refusal: ToolRefusal) -> int:
    if refusal.code in CONFLICTS:
        return 409
    return 404 if refusal.code in NOT_THERE else 422
