"""Which roster a question is about: the one that is named, else the one published for its days."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from wavegraph.graph.errors import ToolRefusal
from wavegraph.tools.roster.checks.findings import Finding
from wavegraph.tools.roster.records import period_of
from wavegraph.tools.roster.reports import RosterReport, report_of
from wavegraph.tools.roster.store import RosterStore, StoredRoster
from wavegraph.tools.roster.told import refusal
from wavegraph.tools.roster.versions.decisions import Version, published_of, versions_of
from wavegraph.tools.roster.versions.following import with_days_before
from wavegraph.tools.roster.versions.log import VersionStore, WardName, versions_here
from wavegraph.tools.roster.ward.ward import Roster, Ward

MOST_LISTED, MOST_NAMED = 20, 5
"""Findings by which a roster fails its checks that are told one by one: in a question, and in a refusal."""


@dataclass(frozen=True, kw_only=True)
class KnownRoster:
    """A stored roster with its ward, as it was made for, and the days after it as they are published now."""

    roster_id: str
    ward: Ward
    stored: StoredRoster
    version: Version | None = None
    """Among the ward's versions; None = nothing was decided about it."""
    repaired: Version | None = None
    """The version whose cells it keeps to; None = it keeps to none, or to a roster about which nothing was decided."""

    @property
    def roster(self) -> Roster:
        return self.stored.roster

    @property
    def about(self) -> dict[str, Any]:
        """The fields of `Advice`."""
        number = self.version.number if self.version else None
        return {**period_of(self.ward, self.stored.ward_hash), "roster_id": self.roster_id, "version": number}

    def index(self, day: date) -> int:
        """Raises ToolRefusal `outside_period`."""
        if not 0 <= (index := self.ward.index(day)) < self.ward.days:
            raise refusal("outside_period", first=self.ward.start, last=self.ward.day(self.ward.days - 1))
        return index


async def known_roster(roster_id: str, versions: VersionStore) -> KnownRoster:
    """Raises ToolRefusal `unknown_roster`."""
    ward, stored, log = await versions.find(roster_id)
    by_id = {each.roster_id: each for each in versions_of(log)}
    repaired = by_id.get(ward.published.roster_id or "") if ward.published else None
    ward = await versions.with_days_after(ward)
    return KnownRoster(roster_id=roster_id, ward=ward, stored=stored, version=by_id.get(roster_id), repaired=repaired)


async def roster_to_publish(roster_id: str, versions: VersionStore) -> KnownRoster:
    """With the days before it, too, as they are published now: another roster may have been when it was made. Raises
    ToolRefusal `unknown_roster`."""
    found = await known_roster(roster_id, versions)
    earlier = await versions.followed(found.ward)
    return replace(found, ward=await asyncio.to_thread(with_days_before, found.ward, earlier))


async def named_roster(roster_id: str, kept: RosterStore) -> KnownRoster:
    """In the graph that runs, which may keep no versions. Raises ToolRefusal `unknown_roster`."""
    return await known_roster(roster_id, versions_here(kept))


def report_now(of: KnownRoster, kept: RosterStore) -> RosterReport:
    """What the checkers say of a roster with its ward as it is known."""
    as_made = of.ward == kept.ward(of.stored.ward_hash)
    return kept.report(of.roster_id) if as_made else report_of(of.ward, of.roster)


def require_no_problems(about: str, problems: Sequence[Finding]) -> None:
    """Raises ToolRefusal `has_problems` for what fails its checks and should be published without a word about that."""
    if not problems:
        return
    listed = "; ".join(found.detail for found in problems[:MOST_NAMED])
    more = f"; and {len(problems) - MOST_NAMED} more" if len(problems) > MOST_NAMED else ""
    raise ToolRefusal(
        "has_problems",
        f"{about} fails its checks: {listed}{more}. To publish it all the same, add --with-problems",
    )


async def published_roster(days: Sequence[date], versions: VersionStore, ward: WardName | None = None) -> KnownRoster:
    """The roster that staff have for these days. `ward`: None = the one ward that has one.

    Raises ToolRefusal `nothing_published`, `which_ward` where several wards have one, and `other_ward` where that is of
    another ward of its name.
    """
    of_each = [await versions.versions(ward)] if ward else await versions.everywhere()
    published = [each for of_one in of_each for each in published_of(of_one)]
    found = [each for each in published if all(each.start <= day <= each.end for day in days)]
    if len(found) == 1:
        if ward is not None:
            await versions.require_own(ward, found[0])
        return await known_roster(found[0].roster_id, versions)
    asked = " and ".join(f"{day:%A} {day}" for day in days)
    if found:
        raise refusal("which_ward", wards=sorted([(await versions.made(each.roster_id))[0].name for each in found]))
    listed = ", ".join(map(str, published)) or "none"
    of = f"of {ward.name} " if ward else ""
    raise ToolRefusal("nothing_published", f"no roster {of}is published for {asked}; published: {listed}")
