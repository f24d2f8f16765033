"""The tool that answers questions about a roster that is there."""

import asyncio
from datetime import date
from typing import Annotated

from langchain_core.tools import InjectedToolArg, tool

from wavegraph.graph.domain import DomainTool, read
from wavegraph.graph.errors import ToolRefusal
from wavegraph.tools.roster.advice.rosters import KnownRoster, known_roster
from wavegraph.tools.roster.answers.look_facts import LOOK
from wavegraph.tools.roster.arguments import ExportFormat, LookRequest, Question
from wavegraph.tools.roster.looks import look
from wavegraph.tools.roster.records import Looked
from wavegraph.tools.roster.settings import RosterSettings
from wavegraph.tools.roster.store import RosterStore
from wavegraph.tools.roster.versions.decisions import Version, published_of
from wavegraph.tools.roster.versions.log import VersionStore, versions_here
from wavegraph.tools.roster.wards import Wards

Run = Annotated[RosterSettings, InjectedToolArg]


def look_tool(wards: Wards) -> DomainTool:
    """Over the wards that `wards` knows, and their stored rosters."""
    store = wards.store

    @tool(LOOK, args_schema=LookRequest)
    async def look_at_roster(
        question: Question,
        settings: Run,
        roster_id: str | None = None,
        ward: str | None = None,
        nurse: str | None = None,
        first: date | None = None,
        last: date | None = None,
        shift: str | None = None,
        of: str = "hours",
        format: ExportFormat = "workbook",
    ) -> Looked:
        """Answer a question about a roster that was made or published: who works when, hours, most nights, its status."""
        asked = LookRequest.model_validate(
            {"question": question, "roster_id": roster_id, "ward": ward, "nurse": nurse, "first": first, "last": last,
             "shift": shift, "of": of, "format": format}
        )  # fmt: skip
        named = roster_id or (await _published(wards, asked, settings)).roster_id
        found = await _known(named, store)
        report = await asyncio.to_thread(store.report, named)
        return await asyncio.to_thread(look, asked, found, report)

    return read(look_at_roster, refer_to=["ward_hash", "roster_id"])


async def _known(roster_id: str, store: RosterStore) -> KnownRoster:
    if (versions := versions_here(store)) is not None:
        return await known_roster(roster_id, versions)
    stored = await asyncio.to_thread(store.stored_roster, roster_id)
    return KnownRoster(roster_id=roster_id, ward=await asyncio.to_thread(store.ward, stored.ward_hash), stored=stored)


async def _published(wards: Wards, asked: LookRequest, settings: RosterSettings) -> Version:
    """The version that is published for the day asked about; without one for today, else the next, else the last.

    Raises ToolRefusal `nothing_published`.
    """
    today = settings.today or date.today()
    ward = await asyncio.to_thread(wards.look, asked.ward or settings.ward, None, None, today=today)
    versions: VersionStore | None = versions_here(wards.store)
    published = published_of(await versions.versions(ward)) if versions else []
    day = asked.first or today
    to_come = [each for each in published if each.end >= day]
    found = next((each for each in to_come if each.start <= day or asked.first is None), None)
    if found is None and asked.first is None and published:
        found = published[-1]
    if found is None:
        listed = ", ".join(map(str, published)) or "none"
        when = f" for {asked.first}" if asked.first and published else ""
        raise ToolRefusal("nothing_published", f"no roster of {ward.name} is published{when}; published: {listed}")
    return found
