"""The findings of the checks: fields, of which each language makes a sentence (`words_en`, `words_he`)."""

from collections.abc import Mapping
from dataclasses import asdict
from datetime import date
from types import MappingProxyType
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, computed_field, field_serializer, model_validator

from wavegraph.graph.decimals import decimal
from wavegraph.tools.roster.problem.ids import RuleId, required
from wavegraph.tools.roster.told import Given, Told, english, told
from wavegraph.tools.roster.ward.finding_types import FINDING_TYPES, FindingType
from wavegraph.tools.roster.ward.ward import Level, Nurse, Ward
from wavegraph.tools.roster.words_en import ENGLISH

TOO_FEW = ("coverage", "skill_mix")
"""Types of findings about a shift that lacks nurses."""
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
    """The skill that is missing; left out of all other findings."""
    level: Level = "breach"
    rule: RuleId | None = Field(default=None, exclude_if=lambda rule: rule is None)
    """The rule that is broken, where it must hold; findings of earlier versions do not say."""
    after: str | None = Field(default=None, exclude_if=lambda shift: shift is None)
    """The shift of the day before, of one that must not follow it."""
    other: str | None = Field(default=None, exclude_if=lambda nurse: nurse is None)
    """Id of the second nurse of a pair."""
    expected: Amount = None
    actual: Amount = None
    names: dict[str, str] | None = Field(default=None, exclude_if=lambda names: names is None)
    """Of the nurses, by id; None = of an earlier version."""
    form: str | None = Field(default=None, exclude_if=lambda form: form is None)
    """Which sentence says it, where that of its rule or its type does not."""
    given: dict[str, Given] = Field(default={}, exclude_if=lambda given: not given)
    """What else stands in its sentence."""
    words: str = Field(default="", exclude=True)
    """Of an earlier version, which kept no fields for them."""

    @model_validator(mode="before")
    @classmethod
    def _of_earlier_version(cls, data: Any) -> Any:
        is_earlier = isinstance(data, dict) and "detail" in data and data.get("names") is None
        return {**data, "words": data["detail"]} if is_earlier else data

    @field_serializer("rule")
    def _known_of_rule(self, rule: RuleId | None) -> dict[str, Any]:
        return {name: value for name, value in asdict(rule).items() if value is not None} if rule else {}

    def __hash__(self) -> int:
        return hash((self.type, self.nurse_id, self.day, self.shift, self.rule))

    @computed_field  # type: ignore[prop-decorator]
    @property
    def detail(self) -> str:
        """In English, with the numbers."""
        return self.words or english(self.line())

    def line(self, called: Mapping[str, str] = MappingProxyType({})) -> Told:
        """For a person. `called`: what a nurse is called, by id; else by id and name."""
        if self.words:
            about = [called.get(self.nurse_id or "", self.nurse_id), self.shift, self.skill]
            days = [told("when.day", day=self.day)] if self.day else []
            return told("found_about", kind=self.type, detail=self.words, about=[*filter(None, about), *days])
        rule = self.rule.kind if self.rule else None
        say = next(
            (key for each in (self.form, rule, self.type) if (key := f"found.{each}") in ENGLISH), "found.of_rule"
        )
        who = {nurse: called.get(nurse, f"{nurse} {name}".strip()) for nurse, name in (self.names or {}).items()}
        fields = {name: getattr(self, name) for name in ("day", "shift", "skill", "after", "expected", "actual")}
        given = {"nurse": who.get(self.nurse_id or ""), "other": who.get(self.other or ""), **fields, **self.given}
        if say == "found.of_rule" and self.rule:
            given |= {"kind": self.type, "required": required(self.rule, self.expected)}
        then = given.pop("then", None)
        line = told(say, **{name: value for name, value in given.items() if value is not None})
        return told("found.over_the_end", what=line, **then.given) if isinstance(then, Told) else line


def in_order(findings: list[Finding]) -> list[Finding]:
    """By type as listed above, then day, nurse and shift: the same whatever the order of the ward's rows."""
    place = {kind: index for index, kind in enumerate(FINDING_TYPES)}
    return sorted(
        findings, key=lambda found: (place[found.type], found.day or "", found.nurse_id or "", found.shift or "")
    )


def about(nurse: Nurse, other: Nurse | None = None) -> dict[str, Any]:
    """The fields of a finding that name her, or the two of a pair."""
    names = {each.id: each.name for each in (nurse, other) if each}
    return {"nurse_id": nurse.id, "other": other.id if other else None, "names": names}


def who(nurse: Nurse) -> str:
    return f"{nurse.id} {nurse.name}".strip()


def iso(ward: Ward, index: int) -> str:
    return ward.day(index).isoformat()


def bound(number: int, level: Literal["needed", "allowed", "wanted"], *, short: bool) -> Told:
    """`at least 2 needed`, `at most 3 wanted`."""
    return told(f"found.{'least' if short else 'most'}.{level}", bound=number)


def in_hours(minutes: float) -> float:
    """To one decimal: 8, 10.5."""
    return round(minutes / 60, 1)


def number(amount: float) -> str:
    """At most one decimal: 8, 10.5."""
    return decimal(amount, 1)


def is_weekend(day: date) -> bool:
    return day.weekday() >= 5
