"""What a ward may say, but is seldom meant: hours typed as minutes, a night of a whole day. Each is a question."""

from collections.abc import Iterator

from wavegraph.tools.roster.ward.ward import Nurse, Ward

MOST_HOURS = 24
"""A shift of so many minutes or fewer was typed in hours."""
LONGEST_NIGHT = 16 * 60
MINUTES_A_DAY = 15
"""A contract of fewer, on average, was typed in hours; that is 105 hours a week."""


def doubts(ward: Ward) -> list[str]:
    """In the order of the file; empty = nothing is odd."""
    return [*_shifts(ward), *_grouped(ward)]


def _shifts(ward: Ward) -> Iterator[str]:
    for shift in ward.shifts:
        named = f"shift {shift.id}"
        if shift.minutes <= MOST_HOURS:
            yield f"{named} lasts {_minutes(shift.minutes)}: are {_hours(shift.minutes)} meant, {shift.minutes * 60}?"
        elif shift.paid_minutes is not None and 0 < shift.paid_minutes <= MOST_HOURS:
            paid = shift.paid_minutes
            yield f"{named} is paid for {_minutes(paid)}: are {_hours(paid)} meant, {paid * 60}?"
        if shift.night and shift.minutes > LONGEST_NIGHT:
            yield f"{named} is a night of {shift.minutes / 60:g} h: does it really end {_end(shift.minutes)}?"


def _end(minutes: int) -> str:
    return "a day later" if minutes == 1440 else f"{minutes / 60:g} h after it begins"


def _grouped(ward: Ward) -> Iterator[str]:
    """One question for all nurses with the same odd number."""
    found: dict[tuple[str, int], list[str]] = {}
    for nurse in ward.nurses:
        for field, amount in _odd(ward, nurse):
            found.setdefault((field, amount), []).append(nurse.id)
    for (field, amount), names in found.items():
        more = f" and {len(names) - 3} more" if len(names) > 3 else ""
        yield (
            f"{field} of {', '.join(names[:3])}{more} is {_minutes(amount)}, less than any shift: "
            f"are {_hours(amount)} meant, {amount * 60}?"
        )


def _odd(ward: Ward, nurse: Nurse) -> Iterator[tuple[str, int]]:
    shortest = min((shift.paid for shift in ward.shifts if shift.paid > MOST_HOURS), default=0)
    contract = nurse.contract
    for field, amount in (("target_minutes", contract.target_minutes), ("max_minutes", contract.max_minutes)):
        if amount is not None and 0 < amount < min(shortest, MINUTES_A_DAY * ward.days):
            yield field, amount


def _minutes(count: int) -> str:
    return "1 minute" if count == 1 else f"{count} minutes"


def _hours(count: int) -> str:
    return "1 hour" if count == 1 else f"{count} hours"
