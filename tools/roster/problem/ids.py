"""What a rule is called: by code, a kind and what tells it from others of its kind, and in English (`rule_words`)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from wavegraph.graph.decimals import decimal
from wavegraph.tools.roster.problem.runs import days_in_a_row
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


class Words(NamedTuple):
    """`bound`: where the rule's knob stands; `s`: the ending of what is counted."""

    required: str
    """Or what there would be too much of."""
    loosened: str = ""
    """To a `value`."""
    gone: str = ""
    """Loosened to nothing, where that is no number."""
    found_as: str | None = None
    """The type of finding, or of penalty, that a roster without the rule has; None = it has the rule's own name."""


WORDS: Mapping[RuleKind | CountedFinding, Words] = {
    "leave": Words("leave", "giving up leave"),
    "night_before_leave": Words("no night before leave", "a night before leave", found_as="leave"),
    "locked": Words("the settled cell", "giving up the settled cell"),
    "shift_skill": Words("skill {skill} for {shift}", "skill {skill}"),
    "succession": Words("the forbidden successions", "{then} allowed the day after {before}"),
    "forward_rotation": Words("forward rotation", "a step back in the rotation", found_as="succession"),
    "daily_rest": Words(
        "{bound} h of daily rest", "{value} h of daily rest instead of {bound} h", "no rule of daily rest"
    ),
    "rest_after_nights": Words(
        "{bound} h of rest after nights", "{value} h of rest after nights instead of {bound} h",
        "no rule of rest after nights",
    ),
    "weekly_rest": Words(
        "{bound} h of weekly rest", "{value} h of weekly rest instead of {bound} h", "no rule of weekly rest"
    ),
    "max_run": Words(
        "at most {bound} day{s} in a row", "at most {value} instead of {bound} day{s} in a row",
        found_as="consecutive_days",
    ),
    "max_night_run": Words(
        "at most {bound} night{s} in a row", "at most {value} instead of {bound} night{s} in a row",
        found_as="consecutive_nights",
    ),
    "min_run": Words(
        "at least {bound} day{s} in a row", "at least {value} instead of {bound} day{s} in a row", found_as="run_length"
    ),
    "min_days_off": Words(
        "at least {bound} day{s} off in a row", "at least {value} instead of {bound} day{s} off in a row",
        found_as="days_off",
    ),
    "run": Words(
        "at {end} {bound} {alike}", "at {end} {value} instead of {bound} {alike}", found_as="run_length"
    ),
    "least_minutes": Words(
        "at least {bound} h", "at least {value} h instead of {bound} h", found_as="contract_hours"
    ),
    "most_minutes": Words("at most {bound} h", "at most {value} h instead of {bound} h", found_as="contract_hours"),
    "weekly_hours": Words("at most {bound} h a week", "at most {value} h a week instead of {bound} h"),
    "most_shifts": Words(
        "at most {bound} {shift}", "at most {value} instead of {bound} {shift}", found_as="contract_shifts"
    ),
    "most_nights": Words(
        "at most {bound} night{s}", "at most {value} instead of {bound} night{s}", found_as="contract_shifts"
    ),
    "most_weekends": Words(
        "at most {bound} weekend{s}", "at most {value} instead of {bound} weekend{s}", found_as="weekends"
    ),
    "minimum": Words(
        "minimum {needed}{of_skill} for {shift}", "a minimum of {value} instead of {bound}{of_skill} for {shift}"
    ),
    "target": Words("target {needed}{of_skill} for {shift}", found_as="under"),
    "charge": Words("charge of {shift}", "shifts without a nurse in charge", found_as="in_charge"),
    "underutilization": Words("Too few hours"),
    "overwork": Words("Too many hours"),
    "night_concentration": Words("More nights than a fair share"),
    "weekend_concentration": Words("More weekends than a fair share"),
    "holiday_concentration": Words("More public holidays than a fair share"),
    "fatigue_high": Words("Tired shifts late in a run of days"),
    "fatigue_moderate": Words("Too many shifts begun tired late in a run of days"),
    "fatigue_weekend": Words("Weekends begun tired"),
    "fatigue_night": Words("Nights begun tired"),
}  # fmt: skip
"""Of every rule that must hold, of cover, and of findings that a roster can be held to have no more of than allowed."""

MINUTES = ("least_minutes", "most_minutes")


def required(rule: RuleId, bound: Any = None) -> str:
    """`bound`: where its knob stands."""
    return WORDS[rule.kind].required.format(**given_of(rule, bound))


def given_of(rule: RuleId, bound: Any) -> dict[str, Any]:
    given = {"shift": rule.shift, "skill": rule.skill, "needed": rule.needed, "s": "" if bound == 1 else "s"}
    if rule.run is not None:
        bound = rule.run.number
        given |= {"end": rule.run.bound, "alike": days_in_a_row(rule.run.shifts, off=rule.run.off)}
    return {**given, "of_skill": f" of {rule.skill}" if rule.skill else "", "bound": amount_of(rule, bound)}


def amount_of(rule: RuleId, value: Any) -> str:
    if type(value) not in (int, float):
        return ""
    return decimal(value / 60 if rule.kind in MINUTES else value)
