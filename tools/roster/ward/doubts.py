"""What a ward may say, but is seldom meant: hours typed as minutes, a night of a whole day. Each is a question."""

from collections.abc import Iterator

from wavegraph.tools.roster.told import Told, told
from wavegraph.tools.roster.ward.ward import Nurse, Ward

MOST_HOURS = 24
"""A shift of so many minutes or fewer was typed in hours."""
LONGEST_NIGHT = 16 * 60
A_DAY = 24 * 60
MINUTES_A_DAY = 15
"""A contract of fewer, on average, was typed in hours; that is 105 hours a week."""


def doubts(ward: Ward) -> list[Told]:
    """In the order of the file; empty = nothing is odd."""
    return [*_shifts(ward), *_grouped(ward)]


def _shifts(ward: Ward) -> Iterator[Told]:
    for shift in ward.shifts:
        about = {"shift": shift.id, "minutes": _minutes(shift.minutes), "meant": str(shift.minutes * 60)}
        paid = shift.paid_minutes
        if shift.minutes <= MOST_HOURS:
            yield told("doubt.lasts", hours=_hours(shift.minutes), **about)
        elif paid is not None and 0 < paid <= MOST_HOURS:
            yield told("doubt.paid", shift=shift.id, minutes=_minutes(paid), hours=_hours(paid), meant=str(paid * 60))
        if shift.night and shift.minutes > LONGEST_NIGHT:
            key = "doubt.night_of_a_day" if shift.minutes == A_DAY else "doubt.night"
            yield told(key, shift=shift.id, hours=shift.minutes / 60)


def _grouped(ward: Ward) -> Iterator[Told]:
    """One question for all nurses with the same odd number."""
    found: dict[tuple[str, int], list[str]] = {}
    for nurse in ward.nurses:
        for field, amount in _odd(ward, nurse):
            found.setdefault((field, amount), []).append(nurse.id)
    for (field, amount), names in found.items():
        about = {
            "nurses": names[:3],
            "field": field,
            "minutes": _minutes(amount),
            "hours": _hours(amount),
            "meant": str(amount * 60),
        }
        left = len(names) - 3
        yield told("doubt.contracts", more=left, **about) if left > 0 else told("doubt.contract", **about)


def _odd(ward: Ward, nurse: Nurse) -> Iterator[tuple[str, int]]:
    shortest = min((shift.paid for shift in ward.shifts if shift.paid > MOST_HOURS), default=0)
    contract = nurse.contract
    for field, amount in (("target_minutes", contract.target_minutes), ("max_minutes", contract.max_minutes)):
        if amount is not None and 0 < amount < min(shortest, MINUTES_A_DAY * ward.days):
            yield field, amount


def _minutes(count: int) -> Told:
    return told("minutes", n=count)


def _hours(count: int) -> Told:
    return told("whole_hours", n=count)
