"""The findings of the checks."""

from dataclasses import asdict
from datetime import date
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, field_serializer

from wavegraph.graph.decimals import decimal
from wavegraph.tools.roster.problem.ids import RuleId
from wavegraph.tools.roster.ward.finding_types import FINDING_TYPES, FindingType
from wavegraph.tools.roster.ward.ward import Level, Nurse, Ward

Amount = int | float | str | None


class Finding(BaseModel):
    """One thing that is wrong, or worth a look."""

    model_config = ConfigDict(frozen=True)

    type: FindingType
    nurse_id: str | None = None
    """None where no single nurse is meant, as with coverage."""
    day: str | None = None
    """ISO date; None where the whole horizon is meant."""
    shift: str | None = None
    skill: str | None = Field(default=None, exclude_if=lambda skill: skill is None)
    """The skill that is missing on the shift; left out of all other findings."""
    level: Level = "breach"
    rule: RuleId | None = Field(default=None, exclude_if=lambda rule: rule is None)
    """The rule that is broken, where it must hold; findings of earlier versions do not say."""
    after: str | None = Field(default=None, exclude_if=lambda shift: shift is None)
    """The shift of the day before, of one that must not follow it."""
    other: str | None = Field(default=None, exclude_if=lambda nurse: nurse is None)
    """Id of the second nurse of a pair."""
    detail: str
    """For a person, with the numbers."""
    expected: Amount = None
    actual: Amount = None

    @field_serializer("rule")
    def _known_of_rule(self, rule: RuleId | None) -> dict[str, Any]:
        return {name: value for name, value in asdict(rule).items() if value is not None} if rule else {}


def in_order(findings: list[Finding]) -> list[Finding]:
    """By type as listed above, then day, nurse and shift: the same whatever the order of the ward's rows."""
    place = {kind: index for index, kind in enumerate(FINDING_TYPES)}
    return sorted(
        findings, key=lambda found: (place[found.type], found.day or "", found.nurse_id or "", found.shift or "")
    )


def who(nurse: Nurse) -> str:
    return f"{nurse.id} {nurse.name}".strip()


def iso(ward: Ward, index: int) -> str:
    return ward.day(index).isoformat()


def number(amount: float) -> str:
    """At most one decimal: 8, 10.5."""
    return decimal(amount, 1)


def is_weekend(day: date) -> bool:
    return day.weekday() >= 5
