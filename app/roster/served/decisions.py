"""Decisions about a roster, each told first (GET) and then done (POST): published, kept as a draft, discarded, a decision
taken back, two nurses swapped. For staff.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from datetime import date
from typing import Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field
from starlette.requests import Request

from wavegraph.app.roster.advice.words import published_lines, swap_lines
from wavegraph.app.roster.versions import (
    Order,
    decide,
    preview_publication,
    preview_undo,
    preview_withdrawal,
    undo,
    version_record,
)
from wavegraph.app.serving.staff import identity_of
from wavegraph.graph.errors import ToolRefusal
from wavegraph.tools.roster.advice.records import SwapAdvice
from wavegraph.tools.roster.advice.rosters import KnownRoster, known_roster
from wavegraph.tools.roster.advice.swap import publish_swap, require_publishable, swap
from wavegraph.tools.roster.answers.phrases import english_record
from wavegraph.tools.roster.store import RosterStore
from wavegraph.tools.roster.versions.decisions import Action
from wavegraph.tools.roster.versions.log import VersionStore

Record = dict[str, Any]


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    reason: str = Field(default="", max_length=2000, pattern=r"^[^\x00]*$")  # PostgreSQL keeps no NUL


class Publish(_Body):
    replaces: str | None = Field(default=None, description="The published roster whose place it takes")
    with_problems: bool = Field(default=False, description="Also if it fails its checks")


class Withdraw(_Body):
    withdraw: bool = Field(default=False, description="Also if it is published")


class TakeBack(_Body):
    decision: int = Field(ge=1, description="Number of the decision that was looked at")


class Swapped(BaseModel):
    """Whose cells of which days are swapped."""

    first: str = Field(min_length=1, max_length=80, description="By id or name")
    second: str = Field(min_length=1, max_length=80)
    days: list[date] = Field(min_length=1, max_length=366)


class PublishSwap(Swapped, _Body):
    with_problems: bool = Field(default=False, description="Also if checks fail by it")


class Decision(NamedTuple):
    summary: str
    would: Callable[[Request, VersionStore], Awaitable[Record]]
    """What it would change. Nothing is changed."""
    body: type[_Body]
    do: Callable[[Request, Any, VersionStore], Awaitable[Record]]
    """The record of what was done, with `lines` that say it. `Any`: a `body`."""
    query: type[BaseModel] | None = None


async def _publish(request: Request, given: Publish, store: VersionStore) -> Record:
    order = replace(_order(request, given), replaces=given.replaces, with_problems=given.with_problems)
    return await _decided("publish", order, store)


async def _decided(action: Action, order: Order, store: VersionStore) -> Record:
    version, lines = await decide(action, order, store)
    return {**version, "lines": lines}


def _order(request: Request, given: _Body) -> Order:
    return Order(roster_id=_roster_id(request), by=identity_of(request), reason=given.reason)


def _roster_id(request: Request) -> str:
    return str(request.path_params["roster_id"])


def _withdrawing(action: Literal["draft", "discard"], summary: str) -> Decision:
    async def would(request: Request, store: VersionStore) -> Record:
        return await preview_withdrawal(action, _roster_id(request), store)

    async def do(request: Request, given: Withdraw, store: VersionStore) -> Record:
        return await _decided(action, replace(_order(request, given), published_too=given.withdraw), store)

    return Decision(summary, would, Withdraw, do)


async def _take_back(request: Request, given: TakeBack, store: VersionStore) -> Record:
    ward, _, _ = await store.find(_roster_id(request))
    _, version, lines = await undo(ward, identity_of(request), given.reason, store, given.decision)
    return {**version_record(version), "lines": lines}


async def _would_swap(request: Request, store: VersionStore) -> Record:
    query = request.query_params
    of, found = await _swap(request, Swapped.model_validate({**query, "days": query.getlist("days")}), store)
    why_not = await _why_not(of, found, store)
    return {**english_record(found.model_dump(mode="json")), "lines": swap_lines(of.ward, found), "why_not": why_not}


async def _publish_swap(request: Request, given: PublishSwap, store: VersionStore) -> Record:
    of, found = await _swap(request, given, store)
    made = await publish_swap(
        of, found, store, RosterStore(), by=identity_of(request), reason=given.reason, with_problems=given.with_problems
    )
    return {**made.model_dump(mode="json"), "lines": published_lines(made)}


async def _swap(request: Request, asked: Swapped, store: VersionStore) -> tuple[KnownRoster, SwapAdvice]:
    of = await known_roster(_roster_id(request), store)
    return of, await asyncio.to_thread(swap, of, asked.first, asked.second, asked.days)


async def _why_not(of: KnownRoster, found: SwapAdvice, store: VersionStore) -> str | None:
    try:
        await require_publishable(of, found, store)
    except ToolRefusal as refusal:
        return refusal.message
    return None


DECISIONS: Mapping[str, Decision] = {
    "publication": Decision(
        "publish a roster", lambda of, store: preview_publication(_roster_id(of), store), Publish, _publish
    ),
    "draft": _withdrawing("draft", "keep a roster as a draft"),
    "discard": _withdrawing("discard", "discard a roster"),
    "undo": Decision(
        "take back the last decision about a ward's rosters",
        lambda of, store: preview_undo(_roster_id(of), store),
        TakeBack,
        _take_back,
    ),
    "swap": Decision("swap two nurses and publish it", _would_swap, PublishSwap, _publish_swap, Swapped),
}
"""By the last word of the address."""
