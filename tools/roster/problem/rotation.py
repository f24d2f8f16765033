"""Which shift after another is a step back: the one definition of the direction of rotation.

A step back is work on two days in a row where the second shift begins at least an hour earlier by the clock than the first:
late, then early. With a day off between them there is none. Source: HSE good practice, forward rotation.
"""

from wavegraph.tools.roster.ward.ward import Shift, Ward

NOTICEABLE_MINUTES = 60


def steps_back(ward: Ward) -> dict[str, list[str]]:
    """By shift, those that are a step back on the next day."""
    return {
        shift.id: [after.id for after in ward.shifts if _begins(shift) - _begins(after) >= NOTICEABLE_MINUTES]
        for shift in ward.shifts
    }


def _begins(shift: Shift) -> int:
    return shift.start.hour * 60 + shift.start.minute
