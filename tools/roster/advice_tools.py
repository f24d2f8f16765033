"""The tools about a roster that staff have: who can step in."""

import asyncio
from collections.abc import Sequence
from datetime import date

from langchain_core.tools import tool

from wavegraph.graph.domain import DomainTool, read
from wavegraph.graph.errors import ToolRefusal
from wavegraph.tools.roster.advice.cover import who_can_cover as replacements
from wavegraph.tools.roster.advice.records import CoverAdvice
from wavegraph.tools.roster.advice.rosters import KnownRoster, known_roster, published_roster
from wavegraph.tools.roster.arguments import CoverRequest
from wavegraph.tools.roster.versions.log import Called, WardName, versions_here
from wavegraph.tools.roster.wards import Wards


def advice_tools(wards: Wards) -> Sequence[DomainTool]:
    """The tools over the wards that `wards` knows."""
    store = wards.store

    async def asked_about(roster_id: str | None, ward: str | None, days: Sequence[date]) -> KnownRoster:
        if (versions := versions_here(store)) is not None:
            if roster_id is not None:
                return await known_roster(roster_id, versions)
            return await published_roster(days, versions, await asyncio.to_thread(called, ward) if ward else None)
        if roster_id is None:
            raise ToolRefusal(
                "nothing_published", "this graph has no store of published rosters: name a roster by its id"
            )
        stored = await asyncio.to_thread(store.stored_roster, roster_id)
        of = await asyncio.to_thread(store.ward, stored.ward_hash)
        return KnownRoster(roster_id=roster_id, ward=of, stored=stored)

    def called(ward: str) -> WardName:
        if ward in wards.names:
            return wards.look(ward, None, None, today=date.today())
        return Called(ward)

    @tool(args_schema=CoverRequest)
    async def who_can_cover(
        day: date, shift: str, instead: str | None = None, roster_id: str | None = None, ward: str | None = None
    ) -> CoverAdvice:
        """Who can take a shift: everybody, those who may first, with what it costs, or the rule against it."""
        of = await asked_about(roster_id, ward, [day])
        return await asyncio.to_thread(replacements, of, day, shift, instead)

    return [read(who_can_cover, refer_to=["roster_id"])]
