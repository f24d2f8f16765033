"""What a rule is called in English, by its kind."""

from wavegraph.tools.roster.problem.ids import CountedFinding, RuleId, RuleKind
from wavegraph.tools.roster.problem.runs import days_in_a_row

NAMES: dict[RuleKind | CountedFinding, str] = {
    "night_before_leave": "night before leave",
    "shift_skill": "skill {skill} for {shift}",
    "forward_rotation": "forward rotation",
    "daily_rest": "daily rest",
    "rest_after_nights": "rest after nights",
    "weekly_rest": "weekly rest",
    "max_run": "days in a row",
    "max_night_run": "nights in a row",
    "min_run": "fewest days in a row",
    "min_days_off": "fewest days off",
    "least_minutes": "least minutes",
    "most_minutes": "most minutes",
    "weekly_hours": "weekly hours",
    "most_nights": "most nights",
    "most_weekends": "most weekends",
    "most_shifts": "most {shift}",
    "minimum": "minimum {needed}{of_skill} for {shift}",
    "target": "target {needed}{of_skill} for {shift}",
    "charge": "charge of {shift}",
}
"""Where it is not the kind itself."""


def name_of(rule: RuleId) -> str:
    if rule.run is not None:
        return f"at {rule.run.bound} {rule.run.number} {days_in_a_row(rule.run.shifts, off=rule.run.off)}"
    of_skill = f" of {rule.skill}" if rule.skill else ""
    name = NAMES.get(rule.kind, rule.kind)
    return name.format(shift=rule.shift, skill=rule.skill, needed=rule.needed, of_skill=of_skill)
