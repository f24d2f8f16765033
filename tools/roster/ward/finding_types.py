"""The names of what the checks find. A ward file names some of them too, with how many of each are allowed."""

from typing import Literal, get_args

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
    "contract_hours",
    "contract_shifts",
    "run_length",
    "days_off",
    "weekends",
    "underutilization",
    "overwork",
    "night_concentration",
    "weekend_concentration",
    "holiday_concentration",
    "fatigue_high",
    "fatigue_moderate",
    "fatigue_weekend",
    "fatigue_night",
    "wish",
    "isolated_day_off",
    "incomplete_weekend",
    "pair",
]
FINDING_TYPES: tuple[FindingType, ...] = get_args(FindingType)
