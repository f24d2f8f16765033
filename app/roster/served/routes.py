"""Stored rosters on the LangGraph server: a list, each as its page, its versions, its files to take along, who can cover a
shift; and what is decided about one: that it is published, kept as a draft or discarded, that a decision is taken back, and
that two nurses swap.

For staff. What changes a roster is first told by the address that reads it (GET), and done by the one that is sent to (POST).
"""

from collections.abc import Awaitable, Callable
from functools import wraps

from pydantic import ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from wavegraph.app.roster.served import decisions, reading
from wavegraph.app.serving.staff import is_staff
from wavegraph.app.serving.within import own_client, own_store
from wavegraph.graph.errors import ToolRefusal, error_text, explain
from wavegraph.tools.roster.store import RosterStore
from wavegraph.tools.roster.versions.log import VersionStore

NOT_THERE = ("unknown_roster", "unknown_ward", "unknown_file")
CONFLICTS = ("breaks_rules", "conflict", "has_problems", "is_published", "not_published", "nothing_to_undo", "other_ward",
             "overlaps")  # fmt: skip
Reply = Callable[[Request, VersionStore], Awaitable[Response]]


def routes() -> list[Route]:
    """What `app.server` adds to the server."""
    return [
        Route("/rosters", for_staff(reading.rosters)),
        Route("/rosters/wards", for_staff(reading.wards)),
        Route("/rosters/{roster_id}", for_staff(reading.sheet)),
        Route("/rosters/{roster_id}/page", for_staff(reading.page)),
        Route("/rosters/{roster_id}/versions", for_staff(reading.versions)),
        Route("/rosters/{roster_id}/files/{name}", for_staff(reading.file)),
        Route("/rosters/{roster_id}/who", for_staff(reading.who)),
        Route("/rosters/{roster_id}/publication", for_staff(decisions.publication)),
        Route("/rosters/{roster_id}/publication", for_staff(decisions.publish), methods=["POST"]),
        Route("/rosters/{roster_id}/draft", for_staff(decisions.drafting)),
        Route("/rosters/{roster_id}/draft", for_staff(decisions.draft), methods=["POST"]),
        Route("/rosters/{roster_id}/discard", for_staff(decisions.discarding)),
        Route("/rosters/{roster_id}/discard", for_staff(decisions.discard), methods=["POST"]),
        Route("/rosters/{roster_id}/undo", for_staff(decisions.undoing)),
        Route("/rosters/{roster_id}/undo", for_staff(decisions.undo), methods=["POST"]),
        Route("/rosters/{roster_id}/swap", for_staff(decisions.swap)),
        Route("/rosters/{roster_id}/swap", for_staff(decisions.publish_swap), methods=["POST"]),
    ]


def for_staff(reply: Reply) -> Callable[[Request], Awaitable[Response]]:
    """A route that gives a refusal as `{"detail": …}`."""

    @wraps(reply)
    async def route(request: Request) -> Response:
        if not is_staff(request):
            return JSONResponse({"detail": "rosters are for staff"}, 403)
        async with own_client(request) as client:
            try:
                return await reply(request, VersionStore(own_store(request, client), RosterStore()))
            except ToolRefusal as refusal:
                return JSONResponse({"detail": error_text(refusal), "code": refusal.code}, _status(refusal))
            except ValidationError as error:
                return JSONResponse({"detail": explain(error)}, 422)

    return route


def _status(refusal: ToolRefusal) -> int:
    if refusal.code in CONFLICTS:
        return 409
    return 404 if refusal.code in NOT_THERE else 422
