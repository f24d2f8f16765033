"""What a rule is called by code: a kind, and what tells it from others of its kind. Words for it come last (`wording`)."""

from dataclasses import dataclass
from typing import Literal

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
    kind: RuleKind
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
