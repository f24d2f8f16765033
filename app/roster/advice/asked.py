"""Which roster and which days the words of a command mean."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Self

from wavegraph.app.roster.advice.days import parse_day
from wavegraph.app.roster.named import find_roster_id, find_ward
from wavegraph.tools.roster.advice.rosters import KnownRoster, known_roster, published_roster
from wavegraph.tools.roster.versions.log import VersionStore


@dataclass(frozen=True)
class Asked:
    days: Sequence[date]
    given: str | None
    """The roster: an id, a file or a version; None = the published one."""
    ward: str | None

    @classmethod
    def of(cls, days: Sequence[str], roster: str | None, ward: str | None) -> Self:
        """Raises ToolRefusal `bad_date`."""
        return cls([parse_day(day, date.today()) for day in days], roster, ward)

    async def roster(self, versions: VersionStore) -> KnownRoster:
        """Raises ToolRefusal `unknown_roster`, `unknown_version`, and as `find_ward` and
        `published_roster`."""
        ward = await find_ward(self.ward, versions) if self.ward else None
        if self.given is None:
            return await published_roster(self.days, versions, ward)
        return await known_roster(await find_roster_id(self.given, self.ward, versions), versions)
