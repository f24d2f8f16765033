"""What a rule is called: by code, a kind and what tells it from others of its kind, and what it requires (`words_en`)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from wavegraph.tools.roster.told import Told, told
from wavegraph.tools.roster.ward.finding_types import CountedFinding
from wavegraph.tools.roster.ward.ward import RunLimit

RuleKind = Literal[
    "leave",
    "night_before_leave",
    "locked",
    "shift_skill",
    "succession",
    "forward_rotation",
    "daily_rest",
    "rest_after_nights",
    "weekly_rest",
    "max_run",
    "max_night_run",
    "min_run",
    "min_days_off",
    "run",
    "least_minutes",
    "most_minutes",
    "weekly_hours",
    "most_shifts",
    "most_nights",
    "most_weekends",
    "minimum",
    "target",
    "charge",
    "wishes",
    "changes",
    "pairs",
    "hours",
    "night_share",
    "weekend_share",
    "holiday_share",
    "assignments",
    "working_weekends",
    "balance",
    "isolated_day_off",
    "incomplete_weekend",
    "uneven_weekends",
    "rotation",
    "fatigue",
]
"""Rules that must hold, in the order in which they are declared, then those that cost."""


@dataclass(frozen=True)
class RuleId:
    kind: RuleKind | CountedFinding
    shift: str | None = None
    """Of a rule about one kind of shift."""
    skill: str | None = None
    """That a shift or a row of demand asks for."""
    run: "RunId | None" = None
    """Of a limit to days in a row."""
    needed: int | None = None
    """Of a row of demand."""


@dataclass(frozen=True)
class RunId:
    """One end of a limit to days in a row."""

    shifts: tuple[str, ...]
    off: bool
    bound: Literal["least", "most"]
    number: int

    @classmethod
    def of(cls, limit: RunLimit, bound: Literal["least", "most"]) -> "RunId":
        number = limit.least if bound == "least" else limit.most
        return cls(tuple(limit.shifts), limit.off, bound, number or 0)


FOUND_AS: Mapping[RuleKind | CountedFinding, str] = {
    "night_before_leave": "leave",
    "forward_rotation": "succession",
    "max_run": "consecutive_days",
    "max_night_run": "consecutive_nights",
    "min_run": "run_length",
    "min_days_off": "days_off",
    "run": "run_length",
    "least_minutes": "contract_hours",
    "most_minutes": "contract_hours",
    "most_shifts": "contract_shifts",
    "most_nights": "contract_shifts",
    "most_weekends": "weekends",
    "target": "under",
    "charge": "in_charge",
}
"""The type of finding, or of penalty, that a roster without the rule has, where it has another name than the rule."""
MINUTES = ("least_minutes", "most_minutes")
RESTS = ("daily_rest", "rest_after_nights", "weekly_rest")
"""Of which none may be left."""


def required(rule: RuleId, bound: Any = None) -> Told:
    """`bound`: where its knob stands."""
    return told(f"required.{_name(rule)}", **given_of(rule, bound))


def loosened(rule: RuleId, bound: Any, value: Any) -> Told:
    """From where its knob stands to a value; nothing left of it may have words of its own."""
    key = f"gone.{rule.kind}" if not value and rule.kind in RESTS else f"loosened.{_name(rule)}"
    return told(key, **given_of(rule, bound), value=_amount_of(rule, value))


def _name(rule: RuleId) -> str:
    return f"run.{rule.run.bound}" if rule.run else rule.kind


def given_of(rule: RuleId, bound: Any) -> dict[str, Any]:
    """What stands in the rule's phrases; `n`: its bound."""
    about = {"shift": rule.shift, "skill": rule.skill, "needed": rule.needed}
    given = {name: value for name, value in about.items() if value is not None}
    of_skill = told("required.of_skill", skill=rule.skill) if rule.skill else ""
    if rule.run is not None:
        return {"run": days_in_a_row(rule.run.shifts, rule.run.number, off=rule.run.off)}
    return {**given, "of_skill": of_skill, "n": _amount_of(rule, bound)}


def days_in_a_row(shifts: Sequence[str], count: int, *, off: bool) -> Told:
    """`2 days off in a row`."""
    kind = "days_off_in_a_row" if off else "shifts" if shifts else "working_days"
    return told(f"found.{kind}", n=count, shifts=shifts)


def _amount_of(rule: RuleId, value: Any) -> int | float | str:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return ""
    return value / 60 if rule.kind in MINUTES else value
