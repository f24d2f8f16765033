"""Stored rosters on the LangGraph server: a list, each as its page, its versions, its files to take along, who can cover a
shift; and what is decided about one: that it is published, kept as a draft or discarded, that a decision is taken back, and
that two nurses swap.

For staff. What changes a roster is first told by the address that reads it (GET), and done by the one that is sent to (POST).
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from datetime import UTC, date, datetime
from functools import wraps
from typing import Any
from urllib.parse import quote

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from wavegraph.app.roster.advice.words import published_lines, swap_lines
from wavegraph.app.roster.exports.calendar import nurse_calendar
from wavegraph.app.roster.exports.my_shifts import my_shifts
from wavegraph.app.roster.named import known_wards
from wavegraph.app.roster.show import KeptRoster, kept, page_of
from wavegraph.app.roster.versions import Order, decide, version_record, withdrawal
from wavegraph.app.roster.versions import publication as publication_of
from wavegraph.app.roster.versions import undo as taken_back
from wavegraph.app.roster.versions import undoing as undoing_of
from wavegraph.app.serving.staff import identity_of, is_staff
from wavegraph.app.serving.within import own_client, own_store
from wavegraph.graph.errors import ToolRefusal, explain
from wavegraph.graph.secrets.ways_out import error_text
from wavegraph.tools.roster.advice.cover import who_can_cover
from wavegraph.tools.roster.advice.records import SwapAdvice
from wavegraph.tools.roster.advice.rosters import KnownRoster, known_roster
from wavegraph.tools.roster.advice.swap import publish_swap as published_swap
from wavegraph.tools.roster.advice.swap import require_publishable
from wavegraph.tools.roster.advice.swap import swap as swapping
from wavegraph.tools.roster.arguments import CoverRequest
from wavegraph.tools.roster.store import RosterStore
from wavegraph.tools.roster.versions.decisions import Action, Version, versions_of
from wavegraph.tools.roster.versions.log import VersionStore, key_of
from wavegraph.tools.roster.ward.ward import Ward

MOST = 100
"""Rosters in the list."""
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"
"""Of a roster's page: its style is inside, it has no script, and nothing comes from elsewhere."""
WORKBOOK = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

NOT_THERE = ("unknown_roster", "unknown_ward", "unknown_file")
CONFLICTS = ("breaks_rules", "conflict", "has_problems", "is_published", "not_published", "nothing_to_undo", "other_ward",
             "overlaps")  # fmt: skip

Reply = Callable[[Request, VersionStore], Awaitable[Response]]


def routes() -> list[Route]:
    """What `app.server` adds to the server."""
    return [
        Route("/rosters", for_staff(rosters)),
        Route("/rosters/wards", for_staff(wards)),
        Route("/rosters/{roster_id}", for_staff(sheet)),
        Route("/rosters/{roster_id}/page", for_staff(page)),
        Route("/rosters/{roster_id}/versions", for_staff(versions)),
        Route("/rosters/{roster_id}/files/{name}", for_staff(file)),
        Route("/rosters/{roster_id}/who", for_staff(who)),
        Route("/rosters/{roster_id}/publication", for_staff(publication)),
        Route("/rosters/{roster_id}/publication", for_staff(publish), methods=["POST"]),
        Route("/rosters/{roster_id}/draft", for_staff(drafting)),
        Route("/rosters/{roster_id}/draft", for_staff(draft), methods=["POST"]),
        Route("/rosters/{roster_id}/discard", for_staff(discarding)),
        Route("/rosters/{roster_id}/discard", for_staff(discard), methods=["POST"]),
        Route("/rosters/{roster_id}/undo", for_staff(undoing)),
        Route("/rosters/{roster_id}/undo", for_staff(undo), methods=["POST"]),
        Route("/rosters/{roster_id}/swap", for_staff(swap)),
        Route("/rosters/{roster_id}/swap", for_staff(publish_swap), methods=["POST"]),
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


# The server builds its API page from these docstrings.
async def rosters(request: Request, store: VersionStore) -> Response:
    """
    summary: List the newest rosters
    description: >-
      Those of this machine, or of the database that machines share, the latest made first, each with its status among its
      ward's versions. For staff.
    tags: [Rosters]
    responses:
      "200": {description: "A list of roster_id, ward, start, end, status, made_at"}
      "403": {description: The caller is not staff}
    """
    found = await asyncio.to_thread(_newest, RosterStore())
    wards = {key_of(ward): ward for _, ward, _ in found}
    logs = {key: await store.versions(ward) for key, ward in wards.items()}
    return JSONResponse([_line(roster_id, ward, made_at, logs[key_of(ward)]) for roster_id, ward, made_at in found])


def _newest(store: RosterStore) -> list[tuple[str, Ward, datetime]]:
    """Without those whose ward is gone."""
    found = []
    for roster_id, made_at in store.newest(MOST):
        with suppress(ToolRefusal):
            found.append((roster_id, store.ward(store.stored_roster(roster_id).ward_hash), made_at))
    return found


def _line(roster_id: str, ward: Ward, made_at: datetime, versions: Iterable[Version]) -> dict[str, Any]:
    version = next((each for each in versions if each.roster_id == roster_id), None)
    return {
        "roster_id": roster_id,
        "ward": ward.name,
        "start": ward.start.isoformat(),
        "end": ward.day(ward.days - 1).isoformat(),
        "status": f"V{version.number} {version.status}" if version else "not decided",
        "made_at": made_at.isoformat(),
    }


async def wards(request: Request, store: VersionStore) -> Response:
    """
    summary: List the known wards
    description: Those that a roster can be made for. For staff.
    tags: [Rosters]
    responses:
      "200": {description: "A list of name, ward, days, nurses, start; of a file that cannot be read, why, in place of ward"}
      "403": {description: The caller is not staff}
    """
    found = await asyncio.to_thread(known_wards)
    return JSONResponse([{name: value for name, value in each.items() if name != "from"} for each in found])


async def sheet(request: Request, store: VersionStore) -> Response:
    """
    summary: A roster's cells
    description: Its ward's nurses, shifts and days, and who has which shift when. For staff.
    tags: [Rosters]
    parameters: [{name: roster_id, in: path, required: true, schema: {type: string}}]
    responses:
      "200": {description: "roster_id, ward, status, nurses, shifts, days, roster"}
      "403": {description: The caller is not staff}
      "404": {description: No roster has this id}
    """
    found = await known_roster(request.path_params["roster_id"], store)
    ward = found.ward
    return JSONResponse({
        "roster_id": found.roster_id,
        "ward": ward.name,
        "status": found.version.status if found.version else "not decided",
        "nurses": [{"id": each.id, "name": each.name} for each in ward.nurses],
        "shifts": [{"id": each.id, "name": each.name} for each in ward.shifts],
        "days": [ward.day(day).isoformat() for day in range(ward.days)],
        "roster": found.roster,
    })  # fmt: skip


async def page(request: Request, store: VersionStore) -> Response:
    """
    summary: A roster as one page of HTML
    description: May it be published, what is wrong, who works when, is it fair. For staff.
    tags: [Rosters]
    parameters: [{name: roster_id, in: path, required: true, schema: {type: string}}]
    responses:
      "200": {description: The page}
      "403": {description: The caller is not staff}
      "404": {description: No roster has this id}
    """
    text = await asyncio.to_thread(page_of, await _found(request, store))
    return HTMLResponse(text, headers={"content-security-policy": POLICY, "x-content-type-options": "nosniff"})


async def versions(request: Request, store: VersionStore) -> Response:
    """
    summary: The versions of a roster's ward
    description: Every roster of the ward that somebody decided about, and how it stands. For staff.
    tags: [Rosters]
    parameters: [{name: roster_id, in: path, required: true, schema: {type: string}}]
    responses:
      "200": {description: "A list of version, roster_id, status, start, days, end, by, at, reason"}
      "403": {description: The caller is not staff}
      "404": {description: No roster has this id}
    """
    _, _, log = await store.find(request.path_params["roster_id"])
    return JSONResponse([version_record(each) for each in versions_of(log)])


async def file(request: Request, store: VersionStore) -> Response:
    """
    summary: A roster as a file
    description: >-
      `roster.xlsx` (a workbook), `roster.png` (a picture), or a nurse's `<id>.ics` (a calendar) and `<id>.html` (a page).
      For staff.
    tags: [Rosters]
    parameters:
      - {name: roster_id, in: path, required: true, schema: {type: string}}
      - {name: name, in: path, required: true, schema: {type: string}}
    responses:
      "200": {description: The file}
      "403": {description: The caller is not staff}
      "404": {description: "No roster has this id, or it has no such file"}
    """
    found, name = await _found(request, store), request.path_params["name"]
    kind, content = await asyncio.to_thread(_content, found, name)
    disposition = f"attachment; filename*=UTF-8''{quote(name)}"
    return Response(content, media_type=kind, headers={"content-disposition": disposition})


async def _found(request: Request, store: VersionStore) -> KeptRoster:
    """Raises ToolRefusal `unknown_roster`."""
    roster_id = request.path_params["roster_id"]
    _, _, log = await store.find(roster_id)
    version = next((each for each in versions_of(log) if each.roster_id == roster_id), None)
    return await asyncio.to_thread(kept, roster_id, RosterStore(), version)


def _content(found: KeptRoster, name: str) -> tuple[str, bytes | str]:
    """Its media type and what is in it. Raises ToolRefusal `unknown_file`."""
    if name == "roster.xlsx":
        from wavegraph.app.roster.exports.workbook import roster_workbook  # openpyxl is slow to import

        return WORKBOOK, roster_workbook(found.ward, found.roster, found.report, found.note)
    if name == "roster.png":
        from wavegraph.app.roster.exports.picture import roster_picture

        return "image/png", roster_picture(found.ward, found.roster)
    nurse_id, _, ending = name.rpartition(".")
    nurse = found.ward.nurse_by_id.get(nurse_id)
    if nurse and ending == "ics":
        return "text/calendar", nurse_calendar(found.ward, found.roster, nurse, datetime.now(UTC))
    if nurse and ending == "html":
        return "text/html", my_shifts(found.ward, found.roster, nurse, found.note)
    raise ToolRefusal("unknown_file", f"{name!r}: expected roster.xlsx, roster.png, or a nurse's id with .ics or .html")


async def who(request: Request, store: VersionStore) -> Response:
    """
    summary: Who can take a shift
    description: Those who may, the cheapest first, then who may not, and why. For staff.
    tags: [Rosters]
    parameters:
      - {name: roster_id, in: path, required: true, schema: {type: string}}
      - {name: day, in: query, required: true, schema: {type: string, format: date}}
      - {name: shift, in: query, required: true, description: Its id or name, schema: {type: string}}
      - {name: instead, in: query, description: "The nurse who falls away, by id or name; none = one more is wanted", schema: {type: string}}
    responses:
      "200": {description: What `wavegraph roster who --json` prints}
      "403": {description: The caller is not staff}
      "404": {description: No roster has this id}
      "422": {description: "A day outside the roster, a shift or nurse that is not known"}
    """
    asked = CoverRequest.model_validate(dict(request.query_params))
    of = await known_roster(request.path_params["roster_id"], store)
    found = await asyncio.to_thread(who_can_cover, of, asked.day, asked.shift, asked.instead)
    return JSONResponse(found.model_dump(mode="json"))


async def publication(request: Request, store: VersionStore) -> Response:
    """
    summary: What publishing a roster would change
    description: >-
      The published roster whose place it would take, the cells that staff would then have otherwise, the checks that it fails,
      and why it cannot be published. Nothing is changed. For staff.
    tags: [Rosters]
    parameters: [{name: roster_id, in: path, required: true, schema: {type: string}}]
    responses:
      "200": {description: "roster_id, is_published, replaces, changes, problems, why_not, may_insist"}
      "403": {description: The caller is not staff}
      "404": {description: No roster has this id}
    """
    return JSONResponse(await publication_of(request.path_params["roster_id"], store))


async def publish(request: Request, store: VersionStore) -> Response:
    """
    summary: Publish a roster
    description: It is then what staff have for its days, and what the next roster follows. For staff.
    tags: [Rosters]
    parameters: [{name: roster_id, in: path, required: true, schema: {type: string}}]
    requestBody:
      required: true
      content:
        application/json:
          schema:
            type: object
            additionalProperties: false
            properties:
              replaces: {type: string, description: The published roster whose place it takes}
              with_problems: {type: boolean, description: Also if it fails its checks}
              reason: {type: string, maxLength: 2000}
    responses:
      "200": {description: The version, and `lines` that say what was done}
      "403": {description: The caller is not staff}
      "404": {description: No roster has this id}
      "409": {description: "It fails its checks, or another roster is published for these days"}
      "422": {description: An unknown key or a value that cannot be}
    """
    given = Publish.model_validate_json(await request.body())
    order = Order(
        roster_id=request.path_params["roster_id"], by=identity_of(request), reason=given.reason, replaces=given.replaces,
        with_problems=given.with_problems,
    )  # fmt: skip
    version, lines = await decide("publish", order, store)
    return JSONResponse({**version, "lines": lines})


async def drafting(request: Request, store: VersionStore) -> Response:
    """
    summary: What keeping a roster as a draft would change
    description: Whether it is one already, and whether staff have it. Nothing is changed. For staff.
    tags: [Rosters]
    parameters: [{name: roster_id, in: path, required: true, schema: {type: string}}]
    responses:
      "200": {description: "roster_id, ward, is_so, is_published, lines"}
      "403": {description: The caller is not staff}
      "404": {description: No roster has this id}
    """
    return JSONResponse(await withdrawal("draft", request.path_params["roster_id"], store))


async def draft(request: Request, store: VersionStore) -> Response:
    """
    summary: Keep a roster as a draft
    description: A published one is withdrawn. For staff.
    tags: [Rosters]
    parameters: [{name: roster_id, in: path, required: true, schema: {type: string}}]
    requestBody:
      required: true
      content:
        application/json:
          schema:
            type: object
            additionalProperties: false
            properties:
              withdraw: {type: boolean, description: Also if it is published}
              reason: {type: string, maxLength: 2000}
    responses:
      "200": {description: The version, and `lines` that say what was done}
      "403": {description: The caller is not staff}
      "404": {description: No roster has this id}
      "409": {description: It is published}
      "422": {description: An unknown key or a value that cannot be}
    """
    return await _withdrawn("draft", request, store)


async def discarding(request: Request, store: VersionStore) -> Response:
    """
    summary: What discarding a roster would change
    description: Whether it is discarded already, and whether staff have it. Nothing is changed. For staff.
    tags: [Rosters]
    parameters: [{name: roster_id, in: path, required: true, schema: {type: string}}]
    responses:
      "200": {description: "roster_id, ward, is_so, is_published, lines"}
      "403": {description: The caller is not staff}
      "404": {description: No roster has this id}
    """
    return JSONResponse(await withdrawal("discard", request.path_params["roster_id"], store))


async def discard(request: Request, store: VersionStore) -> Response:
    """
    summary: Discard a roster
    description: A published one is withdrawn. It can still be looked at, and published. For staff.
    tags: [Rosters]
    parameters: [{name: roster_id, in: path, required: true, schema: {type: string}}]
    requestBody:
      required: true
      content:
        application/json:
          schema:
            type: object
            additionalProperties: false
            properties:
              withdraw: {type: boolean, description: Also if it is published}
              reason: {type: string, maxLength: 2000}
    responses:
      "200": {description: The version, and `lines` that say what was done}
      "403": {description: The caller is not staff}
      "404": {description: No roster has this id}
      "409": {description: It is published}
      "422": {description: An unknown key or a value that cannot be}
    """
    return await _withdrawn("discard", request, store)


async def _withdrawn(action: Action, request: Request, store: VersionStore) -> Response:
    given = Withdraw.model_validate_json(await request.body())
    order = Order(
        roster_id=request.path_params["roster_id"], by=identity_of(request), reason=given.reason,
        published_too=given.withdraw,
    )  # fmt: skip
    version, lines = await decide(action, order, store)
    return JSONResponse({**version, "lines": lines})


async def undoing(request: Request, store: VersionStore) -> Response:
    """
    summary: What taking back the last decision would change
    description: >-
      The last decision about the rosters of this roster's ward that stands, what staff would then have, and the cells that
      they would have otherwise. Nothing is changed. For staff.
    tags: [Rosters]
    parameters: [{name: roster_id, in: path, required: true, schema: {type: string}}]
    responses:
      "200": {description: "roster_id, ward, decision (null where none stands), changes, lines"}
      "403": {description: The caller is not staff}
      "404": {description: No roster has this id}
    """
    return JSONResponse(await undoing_of(request.path_params["roster_id"], store))


async def undo(request: Request, store: VersionStore) -> Response:
    """
    summary: Take back the last decision
    description: That about the rosters of this roster's ward; the log keeps both. Again, the one before it. For staff.
    tags: [Rosters]
    parameters: [{name: roster_id, in: path, required: true, schema: {type: string}}]
    requestBody:
      required: true
      content:
        application/json:
          schema:
            type: object
            additionalProperties: false
            required: [decision]
            properties:
              decision: {type: integer, minimum: 1, description: Number of the decision that was looked at}
              reason: {type: string, maxLength: 2000}
    responses:
      "200": {description: "The version whose decision it was, and `lines` that say what was done"}
      "403": {description: The caller is not staff}
      "404": {description: No roster has this id}
      "409": {description: "No decision stands, or somebody decided in between"}
      "422": {description: An unknown key or a value that cannot be}
    """
    given = TakeBack.model_validate_json(await request.body())
    ward, _, _ = await store.find(request.path_params["roster_id"])
    _, version, lines = await taken_back(ward, identity_of(request), given.reason, store, given.decision)
    return JSONResponse({**version_record(version), "lines": lines})


async def swap(request: Request, store: VersionStore) -> Response:
    """
    summary: What it would mean if two nurses swapped
    description: >-
      Which cells change, what breaks or costs, and who is worse off; and why it cannot be published. Nothing is changed. For
      staff.
    tags: [Rosters]
    parameters:
      - {name: roster_id, in: path, required: true, schema: {type: string}}
      - {name: first, in: query, required: true, description: By id or name, schema: {type: string}}
      - {name: second, in: query, required: true, schema: {type: string}}
      - {name: days, in: query, required: true, description: Once for each day, schema: {type: array, items: {type: string, format: date}}}
    responses:
      "200": {description: "What `wavegraph roster swap --json` prints, `lines` that say it, and `why_not`"}
      "403": {description: The caller is not staff}
      "404": {description: No roster has this id}
      "422": {description: "A day outside the roster, a nurse who is not known, two who have the same"}
    """
    query = request.query_params
    asked = Swap.model_validate({**query, "days": query.getlist("days")})
    of, found = await _swapped(request, asked, store)
    lines = swap_lines(of.ward, found)
    return JSONResponse({**found.model_dump(mode="json"), "lines": lines, "why_not": await _why_not(of, found, store)})


async def publish_swap(request: Request, store: VersionStore) -> Response:
    """
    summary: Swap two nurses and publish it
    description: It takes the place of the published roster, if no rule is broken. For staff.
    tags: [Rosters]
    parameters: [{name: roster_id, in: path, required: true, schema: {type: string}}]
    requestBody:
      required: true
      content:
        application/json:
          schema:
            type: object
            additionalProperties: false
            required: [first, second, days]
            properties:
              first: {type: string}
              second: {type: string}
              days: {type: array, items: {type: string, format: date}}
              reason: {type: string, maxLength: 2000}
    responses:
      "200": {description: "What `wavegraph roster swap --publish --json` prints, and `lines` that say it"}
      "403": {description: The caller is not staff}
      "404": {description: No roster has this id}
      "409": {description: "It breaks a rule, or another roster is published for these days"}
      "422": {description: "A day outside the roster, a nurse who is not known, two who have the same"}
    """
    asked = Swap.model_validate_json(await request.body())
    of, found = await _swapped(request, asked, store)
    made = await published_swap(of, found, store, RosterStore(), by=identity_of(request), reason=asked.reason)
    return JSONResponse({**made.model_dump(mode="json"), "lines": published_lines(made)})


async def _swapped(request: Request, asked: "Swap", store: VersionStore) -> tuple[KnownRoster, SwapAdvice]:
    of = await known_roster(request.path_params["roster_id"], store)
    return of, await asyncio.to_thread(swapping, of, asked.first, asked.second, asked.days)


async def _why_not(of: KnownRoster, found: SwapAdvice, store: VersionStore) -> str | None:
    try:
        await require_publishable(of, found, store)
    except ToolRefusal as refusal:
        return refusal.message
    return None


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    reason: str = Field(default="", max_length=2000, pattern=r"^[^\x00]*$")  # PostgreSQL keeps no NUL


class Publish(_Body):
    """What is sent to publish a roster."""

    replaces: str | None = None
    with_problems: bool = False


class Withdraw(_Body):
    """What is sent to keep a roster as a draft, or to discard it."""

    withdraw: bool = False


class TakeBack(_Body):
    """What is sent to take back a decision."""

    decision: int = Field(ge=1)


class Swap(_Body):
    """Whose cells of which days are swapped."""

    first: str = Field(min_length=1, max_length=80)
    second: str = Field(min_length=1, max_length=80)
    days: list[date] = Field(min_length=1, max_length=366)
