"""What a rule is called by code: a kind, and what tells it from others of its kind. Words for it come last (`wording`)."""

from dataclasses import dataclass
from typing import Literal

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
CountedFinding = Literal[
    "underutilization",
    "overwork",
    "night_concentration",
    "weekend_concentration",
    "holiday_concentration",
    "fatigue_high",
    "fatigue_moderate",
    "fatigue_weekend",
    "fatigue_night",
]
"""What the empathy check finds too much of, where a roster can be held to have no more than allowed."""


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
