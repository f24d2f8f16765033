"""Pages of rosters, opened beside what they are made from."""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from functools import cached_property
from itertools import cycle, islice
from typing import Any

from pages import Page
from roster_wards import ROWS, rows, ward_of_two

from wavegraph.app.roster.page.page import roster_page
from wavegraph.tools.roster.problem.result import Point
from wavegraph.tools.roster.records import Round
from wavegraph.tools.roster.reports import RosterReport, report_of
from wavegraph.tools.roster.ward.ward import Roster, Ward

BROKEN = {"ann": "EELLEEEEE--E--", "ben": "NEEE--------N-"}
"""Of the ward of two: too many days, short rests, nobody where somebody is needed."""


class Opened:
    """A roster's page with the ward, roster and report it shows."""

    def __init__(self, ward: Ward, roster: Roster, *rounds: Round, **more: Any) -> None:
        self.ward, self.roster = ward, roster
        self.report: RosterReport = report_of(ward, roster)
        traces: Mapping[int, Sequence[Point]] = more.pop("traces", {})
        self.html = roster_page(ward, roster, self.report, rounds, traces, **more)

    @cached_property
    def page(self) -> Page:
        return Page(self.html)

    @cached_property
    def by_id(self) -> dict[str, dict[str, str | None]]:
        """The attributes of each element with an id."""
        return {str(attributes["id"]): attributes for _, attributes in self.page.tags if "id" in attributes}

    @property
    def links(self) -> list[str]:
        return [str(link["href"]) for link in self.page.of("a")]


def of_two(
    *rounds: Round, cells: Mapping[str, str] = ROWS, more: Mapping[str, Any] | None = None, **changes: Any
) -> Opened:
    """The ward of two with changes, and a roster of one letter a day."""
    return Opened(ward_of_two(**changes), rows(**cells), *rounds, **(more or {}))


def made(iteration: int = 1, **changes: Any) -> Round:
    """A round that passed at a cost of 165, where 151 is proven."""
    record = {
        "iteration": iteration,
        "status": "passed",
        "issues": [],
        "penalty_multipliers": {},
        "roster_id": f"roster_{iteration}",
        "solver": "feasible",
        "breaches": 0,
        "failed": [],
        "cost": 165.0,
        "bound": 151.0,
        "seconds": 10.0,
    }
    return Round.model_validate(record | changes)


def large_ward(nurses: int, days: int) -> tuple[Ward, Roster]:
    """A ward of this size with demand on every day, and a roster that takes turns."""
    start = date(2026, 11, 30)
    shifts = [
        {"id": "E", "name": "Early", "start": "07:00", "minutes": 480},
        {"id": "L", "name": "Late", "start": "14:00", "minutes": 480},
        {"id": "N", "name": "Night", "start": "22:00", "minutes": 600, "night": True},
    ]
    staff = [
        {"id": f"nurse_{n:03}", "name": f"Name Surname {n:03}", "grade": "staff", "skills": ["RN"],
         "history": {"tail": ["E", "E", None, None, "L", "L", None]}}
        for n in range(nurses)
    ]  # fmt: skip
    horizon = [start + timedelta(days=day) for day in range(days)]
    demand = [
        {"day": day, "shift": shift, "skill": skill, "minimum": nurses // 8, "target": nurses // 5}
        for day in horizon
        for shift in "ELN"
        for skill in (None, "RN")
    ]
    wishes = [
        {"nurse": nurse["id"], "day": horizon[n % days], "wants": False, "weight": 3} for n, nurse in enumerate(staff)
    ]
    ward = Ward.model_validate(
        {"name": "Large", "start": start, "days": days, "skills": ["RN"], "shifts": shifts, "nurses": staff,
         "demand": demand, "wishes": wishes}
    )  # fmt: skip
    turns = [*"EEEEE", None, None, *"LLLL", None, None, None, *"NNN", None, None, None, None]
    return ward, {
        nurse.id: list(islice(cycle(turns), 7 * n % 21, 7 * n % 21 + days)) for n, nurse in enumerate(ward.nurses)
    }
