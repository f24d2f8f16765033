"""A finding of the checks as a line for a person: its fields, which each language words, beside the checks' own English."""

from collections.abc import Iterator, Mapping
from datetime import date

from wavegraph.tools.roster.checks.findings import Finding, who
from wavegraph.tools.roster.told import Told, told
from wavegraph.tools.roster.ward.names import called
from wavegraph.tools.roster.ward.ward import Ward

TOO_FEW = ("coverage", "skill_mix")
TOO_MANY = ("consecutive_days", "consecutive_nights", "weekends")
"""Types of findings whose two numbers say by themselves what was found, and what is needed or allowed."""


def finding_line(found: Finding, names: Mapping[str, str]) -> Told:
    """`names`: what each nurse is called, by id."""
    about = list(_about(found, names))
    more = {"about": about} if about else {}
    return told("found_about" if about else "found", kind=found.type, detail=found.detail, **more)


def finding_of_ward(found: Finding, ward: Ward) -> Told:
    """With the nurse by name in the checks' own words too."""
    line = finding_line(found, called(ward))
    if found.nurse_id is None:
        return line
    detail = found.detail.replace(who(ward.nurse_by_id[found.nurse_id]), called(ward)[found.nurse_id])
    return line.model_copy(update={"given": {**line.given, "detail": detail}})


def _about(found: Finding, names: Mapping[str, str]) -> Iterator[Told | str]:
    yield from filter(None, (names.get(found.nurse_id or "", found.nurse_id), found.shift, found.skill))
    if found.day:
        yield told("when.day", day=date.fromisoformat(found.day))
    if found.type in (*TOO_FEW, *TOO_MANY) and isinstance(found.actual, int) and isinstance(found.expected, int):
        key = "found_of_needed" if found.type in TOO_FEW else "found_of_allowed"
        yield told(key, actual=found.actual, expected=found.expected)
