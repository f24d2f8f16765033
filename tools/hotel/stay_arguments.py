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
    Per,
    QuoteQuery,
    StayQuery,
    Weekday,
    adults_taken,
)

ROOM_TYPE = (
    'Code or the guest\'s word, for this type alone, if asked for; a "single room" (`adults` 1) and a word for several types '
    '("suite") are none'
)
AGE_TAKEN = 8
"""Of a child whose age was not said."""
NIGHT = timedelta(days=1)


def _known_currency(code: str) -> str:
    if not is_currency(code):
        raise ValueError(f"{code!r} is no currency of ISO 4217; give its three letters, or null")
    return code


STAYS, SEARCHES = frozenset({"get_availability", "quote_stay"}), frozenset({"find_open_stays"})
"""The tools that look up a stay of given dates, and those that look for one."""
LOOK_UPS = STAYS | SEARCHES


class Party(NamedTuple):
    """Who is searched for, with what was not said filled in."""

    adults: int
    children_ages: tuple[int, ...]
    rooms: int | None


class StayArguments(HotelArguments):
    """Who comes, which rooms, and for how much: what all tools about stays take."""

    adults: Annotated[int, Field(ge=1, le=60)] | None = Field(
        default=None,
        description="Over all rooms, everyone named (wife, grandma, the guest); left out = nobody counted them",
    )
    children_ages: list[Annotated[int, Field(ge=0, le=17)] | None] = Field(
        default_factory=list,
        description="One for each child, null where it was not said; a baby's is 1, a toddler's 2",
    )
    rooms: Annotated[int, Field(ge=1, le=20)] | None = Field(
        default=None, description='How many; left out = as few as hold the party ("do we fit in one?")'
    )
    room_type: str | None = Field(default=None, description=ROOM_TYPE)
    board: Board | None = Field(default=None, description="For this board alone, if asked for")
    max_price: Annotated[float, Field(gt=0, le=1e12)] | None = Field(
        default=None, description="A budget, the figure as said, in each call"
    )
    per: Per | None = Field(default=None, description="What max_price is for, if said")
    currency: Annotated[str, AfterValidator(_known_currency)] | None = Field(
        default=None, description="Of max_price, ISO 4217, if named"
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

    check_in: date = Field(description="Day of arrival")
    check_out: date | None = Field(
        default=None, description="Day of departure; left out = neither it nor a number of nights was said"
    )

    @model_validator(mode="after")
    def _departs_after_arrival(self) -> Self:
        if self.check_out is not None and self.check_out <= self.check_in:
            raise ValueError(f"check_out {self.check_out} must be after check_in {self.check_in}")
        return self


# A model's fields are those of its last base first: dates come first in every plan that is shown.
class AvailabilityArguments(StayArguments, Nights):
    """The arguments of `get_availability`."""

    refundable: bool | None = Field(
        default=None, description="true = only with free cancellation, false = only without"
    )

    @property
    def query(self) -> StayQuery:
        return StayQuery(**self._asked, check_in=self.check_in, check_out=departure(self.check_in, self.check_out))


class QuoteArguments(AvailabilityArguments):
    """The arguments of `quote_stay`. The cheapest that fits all of them is quoted; with free cancellation, where there is one
    and neither `refundable` nor `order` says otherwise."""

    rate_plan: str | None = Field(default=None, description="Code of an offer, for exactly that one")
    order: Literal["cheapest"] | None = Field(default=None, description="cheapest = whatever its terms")

    @property
    def query(self) -> QuoteQuery:
        stay = super().query
        return QuoteQuery(**stay.model_dump(), rate_plan=self.rate_plan, refundable=self.refundable, order=self.order)


class Window(HotelArguments):
    """Which period and length."""

    from_date: date = Field(description="First possible arrival")
    to_date: date = Field(description="Last possible departure: the day after the last night")
    nights: int = Field(ge=1, le=60, description="Length of each stay")

    @model_validator(mode="after")
    def _window_holds_the_stay(self) -> Self:
        if (self.to_date - self.from_date).days < self.nights:
            raise ValueError(f"{self.nights} nights do not fit between {self.from_date} and {self.to_date}")
        return self


class OpenStaysArguments(StayArguments, Window):
    """The arguments of `find_open_stays`. With a budget the lowest prices are found: whether any is within it is then known."""

    near: date | None = Field(default=None, description="Nearest to this arrival first")
    order: Literal["cheapest"] | None = Field(
        default=None, description="cheapest = lowest prices first; left out = nearest first"
    )
    arrive_on: list[Weekday] | None = Field(default=None, description="Weekdays to arrive on")
    sleep_on: list[Weekday] | None = Field(
        default=None, description="Weekdays whose nights may be in it: midweek = those of no weekend"
    )
    limit: int = Field(default=6, ge=1, le=30, description="Most stays")

    @property
    def query(self) -> OpenStaysQuery:
        own = ("from_date", "to_date", "nights", "near", "arrive_on", "sleep_on", "limit")
        order = self.order or ("cheapest" if self.max_price else None)
        return OpenStaysQuery(**self._asked, order=order, **{name: getattr(self, name) for name in own})


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
