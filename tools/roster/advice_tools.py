"""The tools about a roster that staff have: who can step in, why a cell is as it is, which of two is better, may two swap."""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from langchain_core.tools import tool

from wavegraph.graph.approval import Approval, Terms
from wavegraph.graph.domain_tool import DomainTool, read, write
from wavegraph.graph.errors import ToolRefusal
from wavegraph.tools.roster.advice import compare, cover, swap, why
from wavegraph.tools.roster.advice.records import CellAdvice, CoverAdvice, RosterComparison, SwapPublished
from wavegraph.tools.roster.advice.rosters import KnownRoster, named_roster, published_roster
from wavegraph.tools.roster.answers.receipts import fails, restate_swap, swap_receipt
from wavegraph.tools.roster.arguments import CellRequest, CompareRequest, CoverRequest, SwapRequest
from wavegraph.tools.roster.store import RosterStore
from wavegraph.tools.roster.versions.called import ward_called
from wavegraph.tools.roster.versions.log import VersionStore, versions_here, who_decides
from wavegraph.tools.roster.wards import Wards


def advice_tools(wards: Wards) -> Sequence[DomainTool]:
    """The tools over the wards that `wards` knows."""
    store = wards.store

    @tool(args_schema=CoverRequest)
    async def who_can_cover(
        day: date,
        shift: str | None = None,
        instead: str | None = None,
        roster_id: str | None = None,
        ward: str | None = None,
    ) -> CoverAdvice:
        """Who can take a shift, and what it costs or breaks; who else is on it."""
        of = await _asked_about(roster_id, ward, [day], wards)
        return await asyncio.to_thread(cover.who_can_cover, of, day, shift, instead)

    @tool(args_schema=CellRequest)
    async def explain_cell(nurse: str, day: date, roster_id: str | None = None, ward: str | None = None) -> CellAdvice:
        """Why a nurse has what she has on a day: what each other shift would break or cost."""
        of = await _asked_about(roster_id, ward, [day], wards)
        return await asyncio.to_thread(why.explain_cell, of, nurse, day)

    @tool(args_schema=CompareRequest)
    async def compare_rosters(before: str, now: str) -> RosterComparison:
        """Two rosters side by side: cells that differ, cost, fairness, shortages."""
        rosters = [await named_roster(name, store) for name in (before, now)]
        return await asyncio.to_thread(compare.compare_rosters, *rosters)

    @tool(args_schema=SwapRequest)
    async def swap_shifts(
        first: str, second: str, days: Sequence[date], roster_id: str | None = None, ward: str | None = None
    ) -> SwapPublished:
        """Swap what two nurses have on these days and publish it: the manager sees the cost first."""
        of = await _asked_about(roster_id, ward, days, wards)
        found = await asyncio.to_thread(swap.swap, of, first, second, days)
        return await swap.publish_swap(
            of,
            found,
            _versions(store),
            store,
            by=who_decides(),
            with_problems=True,  # its terms name them
        )

    async def terms_of_swap(args: Mapping[str, Any], settings: Any) -> Terms:
        asked = SwapRequest.model_validate(args)
        of = await _asked_about(asked.roster_id, asked.ward, asked.days, wards)
        found = await asyncio.to_thread(swap.swap, of, asked.first, asked.second, asked.days)
        await swap.require_publishable(of, found, _versions(store))
        return swap.swap_terms(of, found)

    return [
        read(who_can_cover, refer_to=["roster_id"]),
        read(explain_cell, refer_to=["roster_id"]),
        read(compare_rosters, refer_to=[]),
        write(
            swap_shifts,
            approval=Approval(
                prepare=terms_of_swap, restate=restate_swap, by_code=fails, yes=("swap them", "swap", "publish it")
            ),
            receipt=swap_receipt,
            refer_to=["roster_id"],
        ),
    ]


async def _asked_about(roster_id: str | None, ward: str | None, days: Sequence[date], wards: Wards) -> KnownRoster:
    if roster_id is not None:
        return await named_roster(roster_id, wards.store)
    versions = versions_here(wards.store)
    named = await ward_called(ward, wards, versions) if ward else None
    return await published_roster(days, versions, named)


def _versions(store: RosterStore) -> VersionStore:
    if not (versions := versions_here(store)).is_lasting:
        raise ToolRefusal("nothing_published", "this agent keeps no published rosters: name a roster by its id")
    return versions
