"""Which penalty stands against which finding, and whether raising it can change a roster."""

from collections.abc import Mapping

from wavegraph.graph.state import ValidationIssue
from wavegraph.tools.roster.records import Generated

UNAVOIDABLE = "unavoidable"
"""Rule of an issue that no roster can avoid; no penalty is raised for it."""
GOES_ON = "goes_on"
"""Type of the issue of a round that was cut off, and not to be the last."""
NO_PART = "no_part"
"""Rule of an issue that says why a penalty is not raised."""

PENALTY_OF: Mapping[str, str] = {
    "underutilization": "underutilization",
    "overwork": "overwork",
    "night_concentration": "night_excess",
    "weekend_concentration": "weekend_excess",
    "holiday_concentration": "holiday_excess",
    "fatigue_high": "fatigue_high",
    "fatigue_moderate": "fatigue_moderate",
    "fatigue_weekend": "fatigue_weekend",
    "fatigue_night": "fatigue_night",
    "isolated_day_off": "isolated_day_off",
    "incomplete_weekend": "incomplete_weekend",
}
"""The penalty that is raised where a type of finding failed. The solver holds the other types as rules, or prices them
above all penalties (cover below the minimum), or the ward itself sets their weight (`OF_THE_WARD`)."""


def penalty_of(issue: ValidationIssue) -> str | None:
    """The penalty to raise for an issue; that of `fatigue_violation`, from a check of your own, depends on the shift."""
    if issue["rule"] == UNAVOIDABLE:
        return None
    if issue["type"] == "fatigue_violation":
        about = issue.get("about", {})
        return next((f"fatigue_{when}" for when in ("night", "weekend", "moderate") if about.get(when)), "fatigue_high")
    return PENALTY_OF.get(issue["type"])


def has_no_part(penalty: str, result: Generated) -> bool:
    """Whether a round's roster costs nothing of this kind: at a higher price it costs the same, and no other one less."""
    return not result.parts.get(penalty)
