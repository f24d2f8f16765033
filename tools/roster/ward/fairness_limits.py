"""The limits of the empathy check, with their defaults. A ward file may set its own."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, field_validator

from wavegraph.tools.roster.ward.finding_types import FindingType


class Numbers(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class FatigueScale(Numbers):
    """How a nurse's fatigue score changes from day to day, between 0 and 1.

    A week of five days and two off leaves it where it was; three nights weigh as much as six days. The bounds of high
    and moderate are those of `Nurse.fatigue`.
    """

    per_day: float = Field(default=0.04, ge=0, le=1)
    """Added by a shift."""
    per_night: float = Field(default=0.08, ge=0, le=1)
    """Added by a night shift, instead."""
    per_quick_return: float = Field(default=0.08, ge=0, le=1)
    """Added on top by a shift begun less than `quick_return_hours` after the one before."""
    quick_return_hours: float = Field(default=11.0, ge=0, le=24)
    """A rest shorter than this is a quick return."""
    per_day_off: float = Field(default=0.10, ge=0, le=1)
    """Taken off by a day off."""
    high: float = Field(default=0.7, ge=0, le=1)
    """A score is high from here."""
    moderate: float = Field(default=0.4, ge=0, le=1)
    """A score is moderate from here."""
    high_run: int = Field(default=3, ge=1)
    """Most days in a row with a high score."""
    moderate_run: int = Field(default=4, ge=1)
    """Most days in a row with a moderate score."""


class Points(Numbers):
    """What a nurse's score of 100 loses."""

    hours: float = Field(default=40, ge=0, le=100)
    """All of it at a whole contract's hours too few or too many, else in proportion."""
    wishes: float = Field(default=30, ge=0, le=100)
    """All of it when none is granted, else in proportion to the weight."""
    night: float = Field(default=10, ge=0, le=100)
    """Each night above a fair share."""
    weekend: float = Field(default=10, ge=0, le=100)
    """Each weekend above a fair share."""
    fatigue: float = Field(default=10, ge=0, le=100)
    """Each finding of high fatigue, or of fatigue at night or on a weekend; a moderate one half of it."""
    pattern: float = Field(default=5, ge=0, le=100)
    """Each isolated day off, incomplete or mixed weekend, and unwelcome run."""


ALLOWED: dict[FindingType, int | None] = {
    "underutilization": 0,
    "overwork": 0,
    "night_concentration": 0,
    "weekend_concentration": 0,
    "holiday_concentration": None,
    "fatigue_high": 0,
    "fatigue_moderate": 2,
    "fatigue_weekend": 0,
    "fatigue_night": 0,
    "wish": None,
    "isolated_day_off": None,
    "incomplete_weekend": None,
    "unwelcome_run": None,
    "mixed_weekend": None,
    "unwelcome_total": None,
    "backward_rotation": None,
    "shift_concentration": None,
    "pair": None,
}


class EmpathyLimits(Numbers):
    """When a roster is rejected."""

    allowed: dict[FindingType, Annotated[int, Field(ge=0)] | None] = ALLOWED
    """Findings of each type that a roster may have; None = any number. A type that is not listed has its
    default."""
    under_share: float = Field(default=0.25, ge=0, le=1)
    """Hours missing to the contract's, as a share of them, up to which nothing is found."""
    over_share: float = Field(default=0.15, ge=0, le=1)
    """Hours above the contract's, as a share of them, up to which nothing is found."""
    shift_minutes: int = Field(default=480, ge=0)
    """Less than this much too few or too many is never found: no roster can divide a shift."""
    nights_over_mean: float = Field(default=1.5, ge=0)
    """Nights above a fair share (`problem.fairness`) up to which nothing is found: nights come in twos, for the rest that
    follows them. It is called after the mean, which a share was once."""
    weekends_over_mean: float = Field(default=1.0, ge=0)
    """Weekends above a fair share up to which nothing is found."""
    holidays_over_mean: float = Field(default=1.0, ge=0)
    """Shifts on public holidays above a fair share up to which nothing is found."""
    history_share: float = Field(default=0.5, ge=0, le=1)
    """How much of the nights, weekends, holidays and hours above a fair share in the periods before is carried over."""
    wish_share: float = Field(default=0.5, ge=0, le=1)
    """Least share of a nurse's wishes, by weight, that should be granted."""
    fatigue: FatigueScale = FatigueScale()
    """How the score of fatigue moves."""
    points: Points = Points()
    """What a nurse's score loses."""

    @field_validator("allowed")
    @classmethod
    def _with_defaults(cls, given: dict[FindingType, int | None]) -> dict[FindingType, int | None]:
        return {**ALLOWED, **given}
