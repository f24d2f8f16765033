"""A roster's terms in a ward manager's words."""

from collections.abc import Callable
from datetime import date, datetime, timedelta
from typing import Any

from wavegraph.app.pages.numbers import percent
from wavegraph.graph.decimals import decimal
from wavegraph.tools.roster import reports
from wavegraph.tools.roster.answers.phrases import say
from wavegraph.tools.roster.checks.changes import CellChange
from wavegraph.tools.roster.checks.findings import Finding
from wavegraph.tools.roster.problem.fairness import balance_in_words
from wavegraph.tools.roster.problem.runs import with_bounds
from wavegraph.tools.roster.ward.ward import Leave, Locked, RunLimit, Shift, Ward, Wish

TYPES: dict[str, str] = {
    "coverage": "Too few nurses",
    "skill_mix": "Skill missing",
    "daily_rest": "Daily rest too short",
    "weekly_rest": "Weekly rest too short",
    "weekly_hours": "Too many hours a week",
    "consecutive_days": "Too many days in a row",
    "consecutive_nights": "Too many nights in a row",
    "rest_after_nights": "Rest after nights too short",
    "succession": "Shift must not follow",
    "leave": "Works on leave",
    "locked": "Settled cell changed",
    "shift_skill": "Shift without its skill",
    "contract_hours": "Hours outside contract",
    "contract_shifts": "Too many of a shift",
    "run_length": "Run of days too short or long",
    "days_off": "Too few days off in a row",
    "weekends": "Too many weekends",
    "underutilization": "Too few hours",
    "overwork": "Too many hours",
    "night_concentration": "More nights than others",
    "weekend_concentration": "More weekends than others",
    "holiday_concentration": "More public holidays than others",
    "fatigue_high": "Tired, many days in a row",
    "fatigue_moderate": "Getting tired",
    "fatigue_weekend": "Tired on a weekend",
    "fatigue_night": "Tired at night",
    "wish": "Few wishes granted",
    "isolated_day_off": "Single day off",
    "incomplete_weekend": "Half a weekend",
    "unwelcome_run": "Run of days not as wished",
    "mixed_weekend": "Weekend of different shifts",
    "unwelcome_total": "Shifts or weekends in all not as wished",
    "backward_rotation": "Shift earlier than the day before",
    "shift_concentration": "More of a shift than a fair share",
    "pair": "Pair not kept",
}

LEVELS = {level: say(f"level.{level}", "en") for level in reports.LEVELS}
"""How bad a finding is, the worst first."""

RULES = {
    "daily_rest_hours": ("Rest between two shifts", " h at least"),
    "derogated_rest_hours": ("Shorter daily rest, where rest is given later", " h at least"),
    "weekly_rest_hours": ("Unbroken rest in every seven days (over fourteen the average counts)", " h at least"),
    "weekly_hours": ("Paid hours a week, on average", " h at most"),
    "max_days_in_a_row": ("Working days in a row", " at most"),
    "max_nights_in_a_row": ("Nights in a row", " at most"),
    "rest_after_nights_hours": ("Rest after a run of nights", " h at least"),
    "charge_skill": ("Skill in charge, on every shift", ""),
    "complete_weekends": ("Whole weekends on or off, as a wish", ""),
    "shortage": ("Price of each further nurse missing on a shift", ""),
    "leave_credit": ("Days of paid leave that count as hours", ""),
    "night_before_leave": ("A night may end on the first day of leave", ""),
    "full_time_hours": ("A full contract", " h a week"),
    "runs": ("Days in a row", ""),
    "split_weekend_weight": ("Cost of a weekend worked on one day", ""),
    "mixed_weekend_weight": ("Cost of a weekend of different shifts", ""),
    "forward_only": ("No shift earlier than the day before", ""),
    "backward_weight": ("Cost of a shift earlier than the day before", ""),
    "balanced": ("Shared by contract hours", ""),
}
"""What each rule is called, and the unit after its value."""


def amount(value: float) -> str:
    """Two decimals where they are needed: 151, 130.5."""
    return decimal(value, mark=",")


def hours(minutes: float) -> str:
    return decimal(minutes / 60, 1)


LIMITS: dict[str, tuple[str, Callable[[float], str]]] = {
    "under_share": ("Hours missing to the contract's, before it counts", percent),
    "over_share": ("Hours above the contract's, before it counts", percent),
    "shift_minutes": ("Hours off the contract's that never count", lambda minutes: f"less than {hours(minutes)} h"),
    "nights_over_mean": ("Nights above a fair share, before it counts", amount),
    "weekends_over_mean": ("Weekends above a fair share, before it counts", amount),
    "holidays_over_mean": ("Public holidays above a fair share, before it counts", amount),
    "history_share": ("Of what is above a fair share, carried over from before", percent),
    "wish_share": ("Share of a nurse's wishes to be granted, by weight", percent),
}
"""What each limit of fairness that is one number is called, and how it is written."""


def type_name(kind: str) -> str:
    """Of a type this version does not know, its own name."""
    return TYPES.get(kind, kind.replace("_", " "))


def rule_rows(ward: Ward) -> list[tuple[str, str]]:
    """Each rule of the ward with its value."""
    values = ((title, unit, getattr(ward.rules, name)) for name, (title, unit) in RULES.items())
    return [(title, _rule_value(value, unit)) for title, unit, value in values if value != []]


def limit_rows(ward: Ward) -> list[tuple[str, str]]:
    """How many findings of each type the fairness check lets pass, then from where on something is found."""
    limits = ward.fairness
    allowed = [
        (type_name(kind), "any number" if n is None else f"at most {n} found" if n else "none")
        for kind, n in limits.allowed.items()
    ]
    return [*allowed, *((title, written(getattr(limits, name))) for name, (title, written) in LIMITS.items())]


def _rule_value(value: Any, unit: str) -> str:
    if isinstance(value, bool):
        return "asked for" if value else "not asked for"
    if value is None or value == 0:
        return "not checked"
    if isinstance(value, list):
        return "; ".join(with_bounds(each) if isinstance(each, RunLimit) else balance_in_words(each) for each in value)
    return f"{decimal(value)}{unit}" if isinstance(value, int | float) else f"{value}{unit}"


def day_name(day: date) -> str:
    return f"{day:%a} {day.day} {day:%b}"


def period(ward: Ward) -> str:
    """23 Nov to 29 Nov 2026; the first year too where it is another."""
    first, last = ward.start, ward.day(ward.days - 1)
    if first == last:
        return f"{first.day} {first:%b %Y}"
    year = "" if first.year == last.year else f" {first.year}"
    return f"{first.day} {first:%b}{year} to {last.day} {last:%b %Y}"


def shift_times(shift: Shift) -> str:
    """07:00–15:00"""
    ends = datetime.combine(date.min, shift.start) + timedelta(minutes=shift.minutes)
    return f"{shift.start:%H:%M}–{ends:%H:%M}"


def shift_title(shift: Shift) -> str:
    """`E Early 07:00–15:00`."""
    return f"{shift.id} {shift.name} {shift_times(shift)}".replace("  ", " ")


def wish_title(wish: Wish, granted: bool) -> str:
    what = {
        (True, True): f"wish to work {wish.shift}",
        (True, False): f"wish not to work {wish.shift}",
        (False, True): "wish to work",
        (False, False): "wish for a day off",
    }[wish.shift is not None, wish.wants]
    return f"{what} (weight {wish.weight}) {'granted' if granted else 'not granted'}"


def leave_title(leave: Leave) -> str:
    return "leave" if leave.shift is None else f"cannot work {leave.shift}"


def locked_title(locked: Locked) -> str:
    return f"settled: {locked.shift or 'day off'}"


def finding_title(found: Finding) -> str:
    return f"{type_name(found.type)}: {found.detail}"


def change_title(change: CellChange) -> str:
    return f"changed, {change.before or 'off'} was published: {change.reason}"
