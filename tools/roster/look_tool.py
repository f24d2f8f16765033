"""The tool that answers questions about a roster that is there."""

import asyncio
from collections.abc import Sequence
from datetime import date
from typing import Annotated

from langchain_core.tools import InjectedToolArg, tool

from wavegraph.graph.domain_tool import DomainTool, read
from wavegraph.graph.errors import ToolRefusal
from wavegraph.tools.roster.advice.rosters import named_roster, report_now
from wavegraph.tools.roster.answers.look_facts import LOOK
from wavegraph.tools.roster.arguments import ExportFormat, LookRequest, Question
from wavegraph.tools.roster.dialogue.publishing import why_not_told
from wavegraph.tools.roster.looks import look
from wavegraph.tools.roster.records import Looked, NothingPublished, PublishedDays
from wavegraph.tools.roster.settings import RosterSettings
from wavegraph.tools.roster.told import refusal
from wavegraph.tools.roster.versions.called import ward_called
from wavegraph.tools.roster.versions.decisions import Version, published_of
from wavegraph.tools.roster.versions.log import versions_here
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
        or_published: bool = False,
    ) -> Looked | NothingPublished:
        """Answer a question about a roster that is there: who works when, hours, most nights, its status."""
        asked = LookRequest.model_validate(
            {"question": question, "roster_id": roster_id, "ward": ward, "nurse": nurse, "first": first, "last": last,
             "shift": shift, "of": of, "format": format, "or_published": or_published}
        )  # fmt: skip
        named = await _named(wards, asked, settings)
        if isinstance(named, NothingPublished):
            return named
        found = await named_roster(named, store)
        report = await asyncio.to_thread(report_now, found, store)
        looked = await asyncio.to_thread(look, asked, found, report)
        if question != "status":
            return looked
        head, why_not = await versions_here(store).in_the_way(found.ward, found.roster_id)
        number, why = found.version.number if found.version else None, why_not_told(head, why_not) if why_not else ""
        return looked.model_copy(update={"version": number, "why_not": why})

    return read(look_at_roster, refer_to=["ward_hash", "roster_id"])


async def _named(wards: Wards, asked: LookRequest, settings: RosterSettings) -> str | NothingPublished:
    """The id of the roster that is asked about."""
    if asked.roster_id is not None and not asked.or_published:
        return asked.roster_id
    try:
        found = await _published(wards, asked, settings)
    except ToolRefusal:
        if asked.roster_id is None:
            raise
        return asked.roster_id
    if isinstance(found, Version):
        return found.roster_id
    return asked.roster_id or found


async def _published(wards: Wards, asked: LookRequest, settings: RosterSettings) -> Version | NothingPublished:
    """The version that is published for the day asked about; without one for today, else the next, else the last.

    Of the ward that is named, else of the settings' own, else of the only one that has such a version. Raises ToolRefusal
    `which_ward`, and as `ward_called`.
    """
    today = settings.today or date.today()
    name = asked.ward or settings.ward
    published = await _published_by_ward(name, wards)
    fitting = [(ward, one) for ward, all_of_it in published if (one := _for_days(all_of_it, asked, today))]
    found = [each for each in fitting if each[1].end >= today] or fitting
    if len(found) == 1:
        return found[0][1]
    versions = [each for _, all_of_it in published for each in all_of_it]
    if found:
        raise refusal("which_ward", wards=sorted(ward for ward, _ in found))
    return NothingPublished(
        question=asked.question,
        ward=published[0][0] if name else None,
        day=asked.first if versions else None,
        published=[
            PublishedDays(number=each.number, roster_id=each.roster_id, start=each.start, end=each.end)
            for each in versions
        ],
    )


async def _published_by_ward(name: str | None, wards: Wards) -> list[tuple[str, list[Version]]]:
    """Each ward's title and its published versions. `name`: None = of all wards."""
    versions = versions_here(wards.store)
    of = [await ward_called(name, wards, versions)] if name else await versions.wards()
    return [(ward.name, published_of(await versions.versions(ward))) for ward in of]


def _for_days(published: Sequence[Version], asked: LookRequest, today: date) -> Version | None:
    """The first that holds one of the days from `first` to `last`; without `first`, as of today."""
    first = asked.first or today
    last = max(first, asked.last or first)
    to_come = [each for each in published if each.end >= first]
    found = next((each for each in to_come if asked.first is None or each.start <= last), None)
    return found or (published[-1] if published and asked.first is None else None)
