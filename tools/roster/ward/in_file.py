"""A ward's records as a file may have them: rows by weekdays, leave from a first to a last day, hours as a part of full time."""

from datetime import date
from typing import Literal, get_args

from pydantic import Field, create_model

from wavegraph.tools.roster.ward.ward import MOST_DAYS, Contract, Demand, Leave, Nurse, Ward, Wish

Weekday = Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
WEEKDAYS: tuple[Weekday, ...] = get_args(Weekday)
NO_DAY = date.min
"""Where a row does not have this day."""
MOST_PERCENT = 200
"""Of a full contract."""


class DemandInFile(Demand):
    day: date = NO_DAY
    weekdays: list[Weekday] = Field(default=[], min_length=1)
    """Each such day of the period, instead of `day`."""


class WishInFile(Wish):
    day: date = NO_DAY
    weekdays: list[Weekday] = Field(default=[], min_length=1)
    """Each such day of the period, instead of `day`."""


class LeaveInFile(Leave):
    day: date = NO_DAY
    first: date = NO_DAY
    """Of its days, instead of `day`."""
    last: date = NO_DAY
    """Included."""


class ContractInFile(Contract):
    per_days: int | None = Field(default=None, ge=1, le=MOST_DAYS)
    """Of how many days its bounds are; None = of the file's own."""
    percent: float | None = Field(default=None, ge=0, le=MOST_PERCENT)
    """Of `Rules.full_time_hours`, instead of `target_minutes`."""


class NurseInFile(Nurse):
    contract: ContractInFile = ContractInFile()


WardInFile = create_model(
    "WardInFile",
    __base__=Ward,
    nurses=(list[NurseInFile], Field(min_length=1)),
    demand=(list[DemandInFile], []),
    leave=(list[LeaveInFile], []),
    wishes=(list[WishInFile], []),
)
