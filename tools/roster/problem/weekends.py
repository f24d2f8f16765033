"""Which weekends of a nurse cost something: the one definition of split and mixed weekends.

A weekend counts when its Saturday and Sunday are both known and the Sunday lies in the horizon. It is

    split    one of the two days is worked, the other free, whether that was asked for or not
    mixed    both are worked, on different kinds of shift; kinds of the same times that need a skill each are one here
"""

from collections.abc import Hashable
from typing import NamedTuple

from wavegraph.tools.roster.ward.ward import Nurse, Ward


class WeekendWeights(NamedTuple):
    split: int
    mixed: int


def weekend_weights(ward: Ward, nurse: Nurse) -> WeekendWeights:
    """Her contract's, where it has them, else the ward's."""
    rules, contract = ward.rules, nurse.contract
    split, mixed = contract.split_weekend_weight, contract.mixed_weekend_weight
    return WeekendWeights(
        rules.split_weekend_weight if split is None else split, rules.mixed_weekend_weight if mixed is None else mixed
    )


def alike(ward: Ward) -> dict[str, Hashable]:
    """What is the same for kinds of shift that differ in the skill alone, by the shift's id."""
    return {shift.id: (shift.start, shift.minutes) if shift.skill else shift.id for shift in ward.shifts}
