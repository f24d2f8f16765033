"""Routes that decide about a roster, each told first (GET) and then done (POST): published, kept as a draft, discarded, a
decision taken back, two nurses swapped. For staff.

The server builds its API page from these docstrings.
"""

import asyncio
from dataclasses import replace
from datetime import date

from pydantic import BaseModel, ConfigDict, Field
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from wavegraph.app.roster.advice.words import published_lines, swap_lines
from wavegraph.app.roster.versions import Order, decide, version_record, withdrawal
from wavegraph.app.roster.versions import publication as publication_of
from wavegraph.app.roster.versions import undo as taken_back
from wavegraph.app.roster.versions import undoing as undoing_of
from wavegraph.app.serving.staff import identity_of
from wavegraph.graph.errors import ToolRefusal
from wavegraph.tools.roster.advice.records import SwapAdvice
from wavegraph.tools.roster.advice.rosters import KnownRoster, known_roster
from wavegraph.tools.roster.advice.swap import publish_swap as published_swap
from wavegraph.tools.roster.advice.swap import require_publishable
from wavegraph.tools.roster.advice.swap import swap as swapping
from wavegraph.tools.roster.answers.phrases import english_record
from wavegraph.tools.roster.store import RosterStore
from wavegraph.tools.roster.versions.decisions import Action
from wavegraph.tools.roster.versions.log import VersionStore


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
    return await _decided(
        "publish", replace(_order(request, given), replaces=given.replaces, with_problems=given.with_problems), store
    )


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
    return await _decided(action, replace(_order(request, given), published_too=given.withdraw), store)


def _order(request: Request, given: "_Body") -> Order:
    return Order(roster_id=request.path_params["roster_id"], by=identity_of(request), reason=given.reason)


async def _decided(action: Action, order: Order, store: VersionStore) -> Response:
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
      "409": {description: It is one of another ward of the same name}
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
      "409": {description: "No decision stands, somebody decided in between, or it is one of another ward of the same name"}
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
    return JSONResponse(
        {**english_record(found.model_dump(mode="json")), "lines": lines, "why_not": await _why_not(of, found, store)}
    )


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
              with_problems: {type: boolean, description: Also if checks fail by it}
    responses:
      "200": {description: "What `wavegraph roster swap --publish --json` prints, and `lines` that say it"}
      "403": {description: The caller is not staff}
      "404": {description: No roster has this id}
      "409": {description: "It breaks a rule, checks fail by it, or another roster is published for these days"}
      "422": {description: "A day outside the roster, a nurse who is not known, two who have the same"}
    """
    asked = Swap.model_validate_json(await request.body())
    of, found = await _swapped(request, asked, store)
    made = await published_swap(
        of, found, store, RosterStore(), by=identity_of(request), reason=asked.reason, with_problems=asked.with_problems
    )
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
    with_problems: bool = False
