"""The result of reading a guest's dates: stays, or the reason there are none."""

from collections.abc import Sequence
from datetime import date
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator
from typing_extensions import TypedDict

StayKind = Literal["explicit", "relative", "weekend", "holiday", "part", "span"]
"""How the guest named the stay; `part` is part of a holiday, `span` a stay placed inside a longer period."""

DateError = Literal["invalid", "past", "order", "too_long", "unclear", "out_of_range", "weekday"]
"""No such date; before today; departure before arrival; more nights than one stay may have; not understood; outside the
calendar, or too far away to count; another day of the week than was said."""


Church = Literal["western", "orthodox"]
"""Whose Easter date applies."""


class Customs(TypedDict, total=False):
    """Where a guest's dates are read: the keywords of `resolve`, `find_dates` and `holiday`."""

    country: str
    """Whose holidays and date order are meant."""
    home: str
    """The property's own country, where the guest's is another."""
    weekend_nights: Sequence[int] | None
    """Weekend nights (Monday = 0); None = as in the property's own country."""
    church: Church | None
    """Whose Easter applies; None = as in the property's own country."""


class DateRecord(BaseModel):
    """Base of the date records: frozen, no unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Stay(DateRecord):
    """Nights from `check_in` up to, not including, `check_out`."""

    check_in: date = Field(description="Arrival date")
    check_out: date = Field(description="Departure date, not slept; always after check_in")
    nights: Annotated[int, Field(ge=1, description="check_out - check_in, in days")]
    nights_explicit: bool = Field(description="The guest fixed the length: a range, 'N nights', 'tonight'")
    kind: StayKind
    label: str = Field(description="What the guest named: 'Hanukkah', 'next weekend', '17-19 January 2027'")
    alternatives: list[tuple[date, date]] = Field(
        default_factory=list, description="Other plausible readings as (check_in, check_out)"
    )
    note: str | None = Field(default=None, description="What the guest should be told about this reading")

    @model_validator(mode="after")
    def _nights_match(self) -> Self:
        if (self.check_out - self.check_in).days != self.nights:
            raise ValueError(f"{self.nights} nights do not match {self.check_in} to {self.check_out}")
        return self


class DateResolution(DateRecord):
    """Either stays and no error, or an error with a message and no stays."""

    stays: list[Stay] = Field(default_factory=list)
    error: DateError | None = None
    message: str = Field(default="", description="Names the offending value and the way out; empty when fine")


class DatePhrase(DateRecord):
    """A date expression inside a longer sentence."""

    start: int = Field(description="Index of the first character in the given text")
    end: int = Field(description="Index after the last character")
    text: str = Field(description="The words themselves")
    kind: StayKind
    holiday: str | None = Field(
        default=None, description="English name, if the phrase is about a holiday or a part of it"
    )
    part: tuple[int, int] | None = Field(
        default=None,
        description="Indexes (i, j) into the dates check_in..check_out inclusive of the whole holiday: "
        "the stay is dates[i] to dates[j]; negative counts from the end; empty = the whole holiday",
    )
    nights: int | None = Field(default=None, description="The nights counted beside it")
    window: tuple[date, date] | None = Field(
        default=None, description="First arrival and last departure in the whole period; empty = a single day"
    )
    beside: tuple[int, int] | None = Field(
        default=None, description="Words inside the text that are not of the date, as indexes into it"
    )
    resolution: DateResolution
