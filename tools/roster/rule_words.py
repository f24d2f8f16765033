"""The rules of a ward in English, each kind once: what it requires, and how it is loosened."""

from collections.abc import Mapping
from typing import Any

from wavegraph.graph.decimals import decimal
from wavegraph.tools.roster.problem.ids import CountedFinding, RuleId, RuleKind
from wavegraph.tools.roster.problem.rules.knobs import Knob
from wavegraph.tools.roster.problem.runs import days_in_a_row
from wavegraph.tools.roster.ward.ward import Ward

MINUTES = ("least_minutes", "most_minutes")

REQUIRED: Mapping[RuleKind | CountedFinding, str] = {
    "leave": "leave",
    "night_before_leave": "no night before leave",
    "locked": "the settled cell",
    "shift_skill": "skill {skill} for {shift}",
    "succession": "the forbidden successions",
    "forward_rotation": "forward rotation",
    "daily_rest": "{bound} h of daily rest",
    "rest_after_nights": "{bound} h of rest after nights",
    "weekly_rest": "{bound} h of weekly rest",
    "max_run": "at most {bound} day{s} in a row",
    "max_night_run": "at most {bound} night{s} in a row",
    "min_run": "at least {bound} days in a row",
    "min_days_off": "at least {bound} days off in a row",
    "run": "at {end} {bound} {alike}",
    "least_minutes": "at least {bound} h",
    "most_minutes": "at most {bound} h",
    "weekly_hours": "at most {bound} h a week",
    "most_shifts": "at most {bound} {shift}",
    "most_nights": "at most {bound} night{s}",
    "most_weekends": "at most {bound} weekend{s}",
    "minimum": "minimum {needed}{of_skill} for {shift}",
    "target": "target {needed}{of_skill} for {shift}",
    "charge": "charge of {shift}",
    "underutilization": "Too few hours",
    "overwork": "Too many hours",
    "night_concentration": "More nights than a fair share",
    "weekend_concentration": "More weekends than a fair share",
    "holiday_concentration": "More public holidays than a fair share",
    "fatigue_high": "Tired shifts late in a run of days",
    "fatigue_moderate": "Too many shifts begun tired late in a run of days",
    "fatigue_weekend": "Weekends begun tired",
    "fatigue_night": "Nights begun tired",
}
"""And what there would be too much of."""

LOOSENED: Mapping[RuleKind | CountedFinding, str] = {
    "leave": "giving up leave",
    "night_before_leave": "a night before leave",
    "locked": "giving up the settled cell",
    "shift_skill": "no rule of skill {skill} for {shift}",
    "forward_rotation": "a step back in the rotation",
    "daily_rest": "{value} h of daily rest instead of {bound} h",
    "rest_after_nights": "{value} h of rest after nights instead of {bound} h",
    "weekly_rest": "{value} h of weekly rest instead of {bound} h",
    "max_run": "at most {value} instead of {bound} days in a row",
    "max_night_run": "at most {value} instead of {bound} nights in a row",
    "min_run": "at least {value} instead of {bound} days in a row",
    "min_days_off": "at least {value} instead of {bound} days off in a row",
    "run": "at {end} {value} instead of {bound} {alike}",
    "least_minutes": "at least {value} h instead of {bound} h",
    "most_minutes": "at most {value} h instead of {bound} h",
    "weekly_hours": "at most {value} h a week instead of {bound} h",
    "most_shifts": "at most {value} instead of {bound} {shift}",
    "most_nights": "at most {value} instead of {bound} nights",
    "most_weekends": "at most {value} instead of {bound} weekends",
    "minimum": "a minimum of {value} instead of {bound}{of_skill} for {shift}",
    "charge": "shifts without a nurse in charge",
}
NO_REST: Mapping[RuleKind | CountedFinding, str] = {
    "daily_rest": "no rule of daily rest",
    "rest_after_nights": "no rule of rest after nights",
    "weekly_rest": "no rule of weekly rest",
}


def required(rule: RuleId, bound: float | None = None) -> str:
    """`bound`: where its knob stands."""
    return REQUIRED[rule.kind].format(**_given(rule, bound))


def loosened(knob: Knob, value: Any) -> str:
    """Without whom it is for."""
    if not knob.ordered:
        return ", ".join(f"{then} allowed the day after {shift}" for shift, then in value)
    table = LOOSENED if value or knob.rule.kind not in NO_REST else NO_REST
    words = table[knob.rule.kind].format(**_given(knob.rule, knob.bound), value=_amount(knob.rule, value))
    return words + (", also by the ward's rules," if knob.raises is not None and value > knob.raises else "")


def loosened_for(ward: Ward, knob: Knob, value: Any) -> str:
    """With whom, and without the day."""
    words = loosened(knob, value)
    if knob.nurse is None:
        return words if knob.rule.kind in ("minimum", "charge") else f"{words} for everybody"
    whom = f"{knob.nurse} {ward.nurse_by_id[knob.nurse].name}".strip()
    return f"{words} {'of' if knob.day else 'for'} {whom}"


def _given(rule: RuleId, bound: Any) -> dict[str, Any]:
    given = {"shift": rule.shift, "skill": rule.skill, "needed": rule.needed, "s": "" if bound == 1 else "s"}
    if rule.run is not None:
        bound = rule.run.number
        given |= {"end": rule.run.bound, "alike": days_in_a_row(rule.run.shifts, off=rule.run.off)}
    return {**given, "of_skill": f" of {rule.skill}" if rule.skill else "", "bound": _amount(rule, bound)}


def _amount(rule: RuleId, value: Any) -> str:
    if type(value) not in (int, float):
        return ""
    return decimal(value / 60 if rule.kind in MINUTES else value)
