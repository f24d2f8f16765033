"""The arguments of the tools about stays, as the guest said them: null is what was not said, and only here code fills it in.

A property is asked with what was filled in (`query`); an answer tells from the nulls what was taken for granted.
"""

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Annotated, Any, Literal, NamedTuple, Self

from pydantic import AfterValidator, Field, model_validator

from wavegraph.tools.hotel.currency import is_currency
from wavegraph.tools.hotel.records import (
    Board,
    HotelArguments,
    OpenStaysQuery,
    QuoteQuery,
    StayQuery,
    Weekday,
    adults_taken,
)

AGE_TAKEN = 8
"""Of a child whose age was not said."""
NIGHT = timedelta(days=1)


def _known_currency(code: str) -> str:
    if not is_currency(code):
        raise ValueError(f"{code!r} is no currency of ISO 4217; give its three letters, or null")
    return code


class Party(NamedTuple):
    """Who is searched for, with what was not said filled in."""

    adults: int
    children_ages: tuple[int, ...]
    rooms: int | None


class StayArguments(HotelArguments):
    """Who comes, which rooms, and for how much: what all tools about stays take."""

    adults: Annotated[int, Field(ge=1, le=60)] | None = Field(
        default=None, description="Over all rooms; null = nobody counted them: 2 are taken, 2 for each room"
    )
    children_ages: list[Annotated[int, Field(ge=0, le=17)] | None] = Field(
        default_factory=list,
        description="One age in years for each child, null where it was not said; a baby's is 0 or 1",
    )
    rooms: Annotated[int, Field(ge=1, le=20)] | None = Field(
        default=None, description="How many rooms; empty = as few as hold the party"
    )
    room_type: str | None = Field(default=None, description="Room type code, to see this type alone")
    board: Board | None = Field(default=None, description="Meal plan, to see this board alone")
    max_price: Annotated[float, Field(gt=0, le=1e12)] | None = Field(
        default=None, description="The most the guest wants to pay, the figure as said; what costs more is found too"
    )
    per: Literal["night", "stay"] | None = Field(default=None, description="What max_price is for, if it was said")
    currency: Annotated[str, AfterValidator(_known_currency)] | None = Field(
        default=None, description="Of max_price, ISO 4217, if it was named"
    )

    @property
    def party(self) -> Party:
        ages = tuple(AGE_TAKEN if age is None else age for age in self.children_ages)
        return Party(self.adults or adults_taken(self.rooms), ages, self.rooms)

    @property
    def _asked(self) -> dict[str, Any]:
        """What a property is asked, of what all tools take."""
        adults, ages, rooms = self.party
        return {
            "adults": adults,
            "children_ages": list(ages),
            "rooms": rooms,
            "room_type": self.room_type,
            "board": self.board,
        }


class Nights(HotelArguments):
    """Which nights."""

    check_in: date = Field(description="Arrival date, ISO (YYYY-MM-DD), in the hotel's time zone")
    check_out: date | None = Field(
        default=None, description="Departure date, ISO; null = neither it nor a number of nights was said: one night"
    )

    @model_validator(mode="after")
    def _departs_after_arrival(self) -> Self:
        if self.check_out is not None and self.check_out <= self.check_in:
            raise ValueError(f"check_out {self.check_out} must be after check_in {self.check_in}")
        return self


# A model's fields are those of its last base first: dates come first in every plan that is shown.
class AvailabilityArguments(StayArguments, Nights):
    """The arguments of `get_availability`."""

    refundable: bool | None = Field(default=None, description="True: only with free cancellation; false: only without")

    @property
    def query(self) -> StayQuery:
        return StayQuery(**self._asked, check_in=self.check_in, check_out=departure(self.check_in, self.check_out))


class QuoteArguments(AvailabilityArguments):
    """The arguments of `quote_stay`. The cheapest that fits all of them is quoted; with free cancellation, where there is one
    and `refundable` does not say otherwise."""

    rate_plan: str | None = Field(default=None, description="Rate plan code of an offer, to get exactly that one")

    @property
    def query(self) -> QuoteQuery:
        stay = super().query
        return QuoteQuery(**stay.model_dump(), rate_plan=self.rate_plan, refundable=self.refundable)


class Window(HotelArguments):
    """Which period and length."""

    from_date: date = Field(description="First possible arrival, ISO")
    to_date: date = Field(description="Last possible departure, ISO")
    nights: int = Field(ge=1, le=60, description="Length of each stay")

    @model_validator(mode="after")
    def _window_holds_the_stay(self) -> Self:
        if (self.to_date - self.from_date).days < self.nights:
            raise ValueError(f"{self.nights} nights do not fit between {self.from_date} and {self.to_date}")
        return self


class OpenStaysArguments(StayArguments, Window):
    """The arguments of `find_open_stays`."""

    near: date | None = Field(default=None, description="Stays nearest to this arrival come first")
    order: Literal["cheapest"] | None = Field(
        default=None, description="cheapest = the lowest prices of the whole window; empty = nearest first"
    )
    arrive_on: list[Weekday] | None = Field(default=None, description="Weekdays to arrive on; empty = any")
    sleep_on: list[Weekday] | None = Field(
        default=None, description="Weekdays whose nights may be in the stay: midweek = those of no weekend; empty = any"
    )
    limit: int = Field(default=6, ge=1, le=30, description="Most stays to return")

    @property
    def query(self) -> OpenStaysQuery:
        own = ("from_date", "to_date", "nights", "near", "order", "arrive_on", "sleep_on", "limit")
        return OpenStaysQuery(**self._asked, **{name: getattr(self, name) for name in own})


def departure(check_in: date, check_out: date | None) -> date:
    """The day of departure; one night where none was said."""
    return check_out or check_in + NIGHT


def party_asked(args: Mapping[str, Any]) -> Party | None:
    """Who a call is for; None if its arguments do not say so yet."""
    adults, ages, rooms = args.get("adults"), args.get("children_ages") or [], args.get("rooms")
    known = isinstance(ages, list) and all(isinstance(age, int | None) for age in ages)
    if not (known and isinstance(adults, int | None) and isinstance(rooms, int | None)):
        return None
    return StayArguments.model_construct(adults=adults, children_ages=ages, rooms=rooms).party
