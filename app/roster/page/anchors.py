"""Where each finding appears on the page, so that table, cell and summary link to each other."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from wavegraph.app.roster.page.words import LEVELS
from wavegraph.tools.roster.checks.changes import CellChange
from wavegraph.tools.roster.checks.findings import Finding
from wavegraph.tools.roster.checks.timelines import Checked
from wavegraph.tools.roster.reports import RosterReport
from wavegraph.tools.roster.ward.ward import Demand, Roster, Ward

CoverRow = tuple[str, str | None]
"""Shift and skill; None = nurses of any skill."""


@dataclass(frozen=True)
class AnchoredFinding:
    """A finding with its anchor in the table, and the anchor of what it is about."""

    finding: Finding
    level: str
    """Of `LEVELS`."""
    anchor: str
    place: str


def cell_anchor(nurse: int, day: int) -> str:
    return f"c{nurse}-{day}"


def nurse_anchor(nurse: int) -> str:
    return f"n{nurse}"


def cover_anchor(row: int, day: int) -> str:
    return f"v{row}-{day}"


@dataclass(frozen=True)
class StaffedDemand:
    """One row of the demand held against the roster."""

    demand: Demand
    present: int

    @property
    def state(self) -> str:
        """`short` below the minimum, `below` the target, `met`, or `over` it."""
        if self.present < self.demand.minimum:
            return "short"
        if self.present < self.demand.target:
            return "below"
        return "over" if self.present > self.demand.target else "met"


@dataclass(frozen=True)
class Sheet:
    """A ward, its roster and its report, with the tables that the page's parts look things up in."""

    ward: Ward
    roster: Roster
    report: RosterReport

    @cached_property
    def nurse_index(self) -> dict[str, int]:
        return {nurse.id: index for index, nurse in enumerate(self.ward.nurses)}

    @cached_property
    def cover_rows(self) -> list[CoverRow]:
        """In the order of the shifts, nurses of any skill first."""
        rows = {(demand.shift, demand.skill) for demand in self.ward.demand}
        shifts = list(self.ward.shift_by_id)
        return sorted(rows, key=lambda row: (shifts.index(row[0]), row[1] is not None, row[1] or ""))

    @cached_property
    def covers(self) -> dict[tuple[int, int], list[StaffedDemand]]:
        """By the index of the row and of the day."""
        row_index = {row: n for n, row in enumerate(self.cover_rows)}
        found: dict[tuple[int, int], list[StaffedDemand]] = defaultdict(list)
        for demand, there in Checked(self.ward, self.roster).presences:
            place = row_index[demand.shift, demand.skill], self.ward.index(demand.day)
            found[place].append(StaffedDemand(demand, there))
        return found

    @cached_property
    def placed(self) -> list[AnchoredFinding]:
        """All findings, the worst first, then as the checkers list them."""
        levelled = [
            (self.report.level_of(found), found)
            for found in (*self.report.compliance.findings, *self.report.empathy.findings)
        ]
        levelled.sort(key=lambda pair: list(LEVELS).index(pair[0]))
        return [
            AnchoredFinding(found, level, f"f{n}", self._place(found)) for n, (level, found) in enumerate(levelled, 1)
        ]

    @cached_property
    def by_place(self) -> dict[str, list[AnchoredFinding]]:
        """What is found at an anchor, the worst first."""
        found: dict[str, list[AnchoredFinding]] = defaultdict(list)
        for placed in self.placed:
            found[placed.place].append(placed)
        return found

    @cached_property
    def by_nurse(self) -> dict[str, list[AnchoredFinding]]:
        """All that is found of a nurse, the worst first."""
        found: dict[str, list[AnchoredFinding]] = defaultdict(list)
        for placed in self.placed:
            found[placed.finding.nurse_id or ""].append(placed)
        return found

    @cached_property
    def changes(self) -> dict[tuple[str, int], CellChange]:
        """The cells that differ from the published roster, by nurse id and day index."""
        return {(change.nurse_id, self.day(change.day)): change for change in self.report.changes}

    def at(self, anchor: str) -> Sequence[AnchoredFinding]:
        return self.by_place.get(anchor, ())

    def _place(self, found: Finding) -> str:
        if found.nurse_id is None:
            return self._cover_place(found)
        nurse = self.nurse_index[found.nurse_id]
        if found.day is None:
            return nurse_anchor(nurse)
        return cell_anchor(nurse, min(self.day(found.day), self.ward.days - 1))  # of the days after: at the last cell

    def day(self, day: str) -> int:
        return (date.fromisoformat(day) - self.ward.start).days

    def _cover_place(self, found: Finding) -> str:
        """The demand that is not met. A shift without anyone in charge is shown at its first row."""
        day = self.day(found.day or "")
        rows = [
            row for row, (shift, _) in enumerate(self.cover_rows) if shift == found.shift and (row, day) in self.covers
        ]
        exact = [row for row in rows if self.cover_rows[row][1] == found.skill]
        return cover_anchor((exact or rows)[0], day)
