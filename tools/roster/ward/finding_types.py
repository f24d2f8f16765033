"""The names of what the checks find. A ward file names some of them too, with how many of each are allowed."""

from typing import Literal, get_args

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
FindingType = Literal[
    "coverage",
    "skill_mix",
    "daily_rest",
    "weekly_rest",
    "weekly_hours",
    "consecutive_days",
    "consecutive_nights",
    "rest_after_nights",
    "succession",
    "leave",
    "locked",
    "shift_skill",
    "contract_hours",
    "contract_shifts",
    "run_length",
    "days_off",
    "weekends",
    CountedFinding,
    "wish",
    "isolated_day_off",
    "incomplete_weekend",
    "unwelcome_run",
    "mixed_weekend",
    "unwelcome_total",
    "backward_rotation",
    "shift_concentration",
    "pair",
]
FINDING_TYPES: tuple[FindingType, ...] = get_args(FindingType)
