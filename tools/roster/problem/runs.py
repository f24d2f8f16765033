"""Days in a row that are alike, and what too few or too many of them are: the one definition of `RunLimit`.

A run is the longest stretch of known days, the tail's included, that all count: days off, working days, or days of some
shifts. Of a limit with `least` and `most`

    too few  = max(0, least - length)      of a run with a known day on both sides, the later one in the horizon
    too many = days of a run in the horizon that come after its first `most` days

A hard limit allows none of them. A soft one costs its weight for each such day, too few or too many. So a run that touches
either end of what is known is taken as long enough, and its days are counted from the first one known.
"""

from wavegraph.tools.roster.ward.ward import Nurse, RunLimit, Ward


def run_limits(ward: Ward, nurse: Nurse) -> list[RunLimit]:
    """The ward's, where they hold for her, then those of her contract."""
    common = ward.rules.runs if nurse.contract.ward_runs else []
    return [*common, *nurse.contract.runs]


def counts(limit: RunLimit, shift: str | None) -> bool:
    """Whether a day with this shift, or None for a day off, belongs to a run."""
    if limit.off or shift is None:
        return limit.off and shift is None
    return not limit.shifts or shift in limit.shifts


def with_bounds(limit: RunLimit) -> str:
    """`N in a row: at least 2, at most 3, cost 15 a day`."""
    least = [f"at least {limit.least}"] if limit.least > 1 else []
    most = [f"at most {limit.most}"] if limit.most is not None else []
    cost = [] if limit.weight is None else [f"cost {limit.weight} a day"]
    counted = "days off" if limit.off else " or ".join(limit.shifts) or "working days"
    return f"{counted} in a row: {', '.join([*least, *most, *cost])}"
