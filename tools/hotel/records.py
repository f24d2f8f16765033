"""The hotel's records: what its tools take and return, and what a property says about itself.

Money is always an integer of the currency's smallest unit, with the currency beside it: agorot, cents, fils, yen. The names
of the fields end in `_agorot` for all of them, since stored conversations and bookings use them. Dates are civil
dates in the property's time zone; `check_out` is the departure date, whose night is not included.
"""

from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta
from typing import Annotated, ClassVar, Literal, Self, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, model_validator

from wavegraph.tools.hotel.dates.records import Church, DateError, Stay

Board = Literal["RO", "BB", "HB", "FB", "AI"]
"""Room only, bed and breakfast, half board, full board, all inclusive (OpenTravel meal plans)."""

Weekday = Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
WEEKDAYS: tuple[Weekday, ...] = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
"""By `date.weekday`."""

Per = Literal["night", "stay", "person", "person_night"]
"""What a budget is for; `person`: for each guest, of the stay."""
RefusalCode = Literal[
    "bad_dates",
    "past",
    "too_long",
    "too_short",
    "min_stay",
    "max_stay",
    "closed_arrival",
    "closed_departure",
    "occupancy",
    "sold_out",
    "not_on_sale",
    "price_changed",
    "quote_expired",
    "idempotency_conflict",
    "not_found",
    "auth",
    "ip_not_allowed",
    "bad_hotel",
    "bad_rate",
    "rate_limited",
    "timeout",
    "bad_response",
    "write_unknown",
    "book_elsewhere",
]
"""Why a property refuses; one list for every property system."""
ELSEWHERE: RefusalCode = "book_elsewhere"


NOT_OFFERED: frozenset[str] = frozenset(
    {"sold_out", "min_stay", "max_stay", "closed_arrival", "closed_departure", "occupancy", "not_on_sale"}
)
"""Codes for a stay that the property has nothing for."""
NO_STAY = NOT_OFFERED | {"too_long", "too_short", "past", "bad_dates"}
"""The same, and codes for a stay that it never accepts."""


class HotelRecord(BaseModel):
    """Base of the hotel's records: frozen, no unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class HotelArguments(BaseModel):
    """Base of the tools' argument models.

    Unknown arguments are refused by the plan check; here they must pass, because LangChain validates
    the injected settings along with the rest.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")


class StayQuery(HotelArguments):
    """Which nights, for whom, as a property is asked: nothing is left open that has to be known."""

    check_in: date
    check_out: date
    adults: Annotated[int, Field(ge=1, le=60)]
    """Over all rooms."""
    children_ages: list[Annotated[int, Field(ge=0, le=17)]] = Field(default_factory=list)
    """One age in years per child; below 2 counts as a baby."""
    rooms: Annotated[int, Field(ge=1, le=20)] | None = None
    """None = as few as hold the party."""
    room_type: str | None = None
    """The code, to see this type alone."""
    board: Board | None = None

    @model_validator(mode="after")
    def _departs_after_arrival(self) -> Self:
        if self.check_out <= self.check_in:
            raise ValueError(f"check_out {self.check_out} must be after check_in {self.check_in}")
        return self

    @property
    def nights(self) -> int:
        return (self.check_out - self.check_in).days


class OpenStaysQuery(HotelArguments):
    """Which window and length, for whom."""

    from_date: date
    """First possible arrival."""
    to_date: date
    """Last possible departure."""
    nights: Annotated[int, Field(ge=1, le=60)]
    adults: Annotated[int, Field(ge=1, le=60)]
    children_ages: list[Annotated[int, Field(ge=0, le=17)]] = Field(default_factory=list)
    rooms: Annotated[int, Field(ge=1, le=20)] | None = None
    room_type: str | None = None
    board: Board | None = None
    near: date | None = None
    """Stays nearest to this arrival come first."""
    order: Literal["cheapest"] | None = None
    """The lowest prices of the whole window; None = nearest first."""
    arrive_on: list[Weekday] | None = None
    """None = any."""
    sleep_on: list[Weekday] | None = None
    """Weekdays whose nights may be in the stay; None = any."""
    limit: Annotated[int, Field(ge=1, le=30)] = 6

    @model_validator(mode="after")
    def _window_holds_the_stay(self) -> Self:
        if (self.to_date - self.from_date).days < self.nights:
            raise ValueError(f"{self.nights} nights do not fit between {self.from_date} and {self.to_date}")
        return self


def adults_taken(rooms: int | None) -> int:
    """How many are searched for where nobody counted them: two for each room."""
    return 2 * (rooms or 1)


class Offer(HotelRecord):
    """One room type on one rate plan for the whole stay: a product (OpenTravel)."""

    room_type: str
    room_name: str
    room_name_he: str
    rate_plan: str
    rate_name: str
    board: Board
    refundable: bool
    cancel_until: date | None
    """Last day of free cancellation; None = not refundable, or on terms that the property's system does not say."""
    count: int = 1
    """How many rooms of this type the price is for."""
    total_agorot: int
    """For all nights and all `count` rooms, VAT included."""
    per_night_agorot: int
    """total / nights, rounded half up."""
    nightly_agorot: list[int]
    """One entry a night, for `count` rooms; sums to the total before the last rounding."""
    rooms_left: int
    """Free rooms of the type over the whole stay, before this offer."""
    currency: str = "ILS"

    @property
    def parts(self) -> "list[Offer]":
        return [self]


class Combination(HotelRecord):
    """Several rooms that together hold the party, cheapest way first."""

    parts: list[Offer]
    rooms: int
    sleeps: int
    total_agorot: int
    per_night_agorot: int
    currency: str = "ILS"

    @property
    def refundable(self) -> bool:
        """All its rooms can be cancelled free of charge."""
        return all(part.refundable for part in self.parts)

    @property
    def cancel_until(self) -> date | None:
        """Last day of free cancellation of all its rooms."""
        return min((day for part in self.parts if (day := part.cancel_until)), default=None)


class RoomRefusal(HotelRecord):
    """Why one room type is not offered for the stay."""

    room_type: str
    room_name: str
    room_name_he: str
    code: RefusalCode
    nights_required: int | None = None
    """The minimum or maximum length of stay, for `min_stay`, `max_stay`."""
    dates: list[date] = Field(default_factory=list)
    """The nights (or the arrival or departure day) that cause it; of `sold_out` those that are not on sale too."""


class Availability(HotelRecord):
    """What is available for one stay. `offers` cheapest first; empty = nothing fits, `refusals` say why."""

    check_in: date
    check_out: date
    nights: int
    adults: int
    children_ages: list[int]
    rooms: int
    """Rooms asked for, or the fewest that hold the party."""
    offers: list[Offer]
    """Single products that answer the request by themselves (for `rooms` equal rooms)."""
    combinations: list[Combination]
    """Mixed room types, only when more than one room is needed."""
    refusals: list[RoomRefusal]
    reason: RefusalCode | None
    """The reason that explains most when nothing is offered; None when something is."""
    reason_nights: int | None = None
    """Nights required, when the reason is a minimum or maximum stay."""
    arrival_closed: bool = False
    """Nothing is offered, and nobody can arrive on `check_in` either, whatever the reason above."""
    free_places: int | None = None
    """Where nothing is offered: how many guests the rooms on sale hold together; None = not known."""
    currency: str = "ILS"
    booking_link: str | None = None

    @property
    def ways(self) -> list[Offer | Combination]:
        """All that is available."""
        return [*self.offers, *self.combinations]


class OpenStay(HotelRecord):
    """An available stay, with the cheapest way to book it."""

    check_in: date
    check_out: date
    nights: int
    from_agorot: int
    """Cheapest total for the party."""
    per_night_agorot: int
    room_type: str
    """Several types are named together: `DBL+FAM`."""
    room_name: str
    """With how many there are of each: `2 × Double Room + Family Suite`."""
    room_name_he: str
    rate_plan: str
    board: Board
    refundable: bool
    cancel_until: date | None
    """Last day of free cancellation of all its rooms; None = not refundable."""
    currency: str = "ILS"

    count: ClassVar[int] = 1

    @property
    def total_agorot(self) -> int:
        return self.from_agorot

    @property
    def parts(self) -> "list[OpenStay]":
        return [self]


Way: TypeAlias = Offer | Combination | OpenStay
"""What a guest can book: each has `parts`, a total, a price per night and a currency."""


class OpenStays(HotelRecord):
    """Open stays of one length inside a window: nearest to `near` first, or the cheapest."""

    from_date: date
    to_date: date
    nights: int
    adults: int
    children_ages: list[int]
    order: Literal["cheapest"] | None = None
    arrive_on: list[Weekday] | None = None
    sleep_on: list[Weekday] | None = None
    searched: int = 0
    """How many stays of the window fit the weekdays and were looked at."""
    stays: list[OpenStay]


class RoomType(HotelRecord):
    code: str
    name: str
    name_he: str
    max_adults: int
    max_children: int
    max_total: int
    """Most guests in the room, babies in a cot not counted; 0 = not known, as for the two above."""
    size_sqm: int
    beds: str
    beds_he: str
    features: list[str]
    features_he: list[str]
    from_agorot: int | None = None
    """Lowest nightly base rate from today on, as a guide; None = no rates."""
    currency: str = "ILS"


class RoomsInfo(HotelRecord):
    rooms: list[RoomType]


FeePer = Literal["stay", "night", "each", "each_night"]
"""What a fee is for: the stay, a night, one person, animal or car, or a night of one."""
Clock = Annotated[str, Field(pattern=r"^([01]\d|2[0-3]):[0-5]\d$")]
"""A time of day, `15:00`: such texts compare as times do."""


class Policy(HotelRecord):
    """What a topic's text says in figures, as far as the property gives them too; None = the text alone says it.

    No figure is ever read out of a text.
    """

    max_kg: Annotated[int, Field(ge=1, le=1000)] | None = None
    """The heaviest that is accepted."""
    min_age: Annotated[int, Field(ge=0, le=120)] | None = None
    """In years."""
    fee_agorot: Annotated[int, Field(ge=0)] | None = None
    """0 = free of charge."""
    fee_per: FeePer = "stay"
    fee_of: str = ""
    fee_of_he: str = ""
    """What the fee is for, where that is one thing of the topic: `Massage, 45 minutes`. Empty = the topic."""
    fee_from: bool = False
    """Whether it is the lowest of several."""
    from_time: Clock | None = None
    until_time: Clock | None = None
    """Earlier than `from_time`: of the next day."""
    rooms: tuple[str, ...] = ()
    """Codes of the rooms that its fee is charged for; empty = it may be had with any."""


class TopicText(HotelRecord):
    """What the property says on one topic."""

    topic: str
    title: str = ""
    text: str = ""
    text_he: str = ""
    contact: str = ""
    """Whom to ask instead: reception's phone and e-mail."""
    policy: Policy | None = None
    currency: str = "ILS"
    """Of the fee."""


class HotelInfo(TopicText):
    """What the property says on what was asked. `found` is false if it says nothing; nothing is invented."""

    found: bool
    topics: list[str] = Field(default_factory=list)
    """The topics the property does know, when `found` is false."""
    more: list[TopicText] = Field(default_factory=list)
    """What else it says on it: where words of the question stand in several texts."""
    unsaid: list[str] = Field(default_factory=list)
    """Words of the question that stand nowhere in what the property says."""


class HolidayDates(HotelRecord):
    """A holiday as a stay: from its eve to its last day."""

    name: str
    check_in: date
    check_out: date
    nights: int
    dates: list[date]
    """Every date from check_in to check_out inclusive: `dates[0]` arrives, `dates[2]` leaves after two nights."""
    note: str | None = None


class QuoteQuery(StayQuery):
    """Which offer is wanted. The cheapest that fits all of it is quoted; with free cancellation, where there is one and
    neither `refundable` nor `order` says otherwise."""

    rate_plan: str | None = None
    """The code, to get exactly that one."""
    refundable: bool | None = None
    """True = only with free cancellation; False = only without."""
    order: Literal["cheapest"] | None = None
    """The lowest price, whatever its terms."""

    @property
    def terms(self) -> Sequence[bool | None]:
        """Whether it can be cancelled, None = either: the first that is offered is quoted."""
        if self.refundable is not None:
            return (self.refundable,)
        return (None,) if self.order else (True, False)


class QuotedStay(HotelRecord):
    """What is agreed to when a quote is booked."""

    quote_id: str
    """`Q-` and ten characters."""
    check_in: date
    check_out: date
    nights: int
    adults: int
    children_ages: list[int]
    rooms: int
    parts: list[Offer]
    """One per room type and rate plan, with how many rooms of it (`count`)."""
    total_agorot: int
    """For all rooms and nights, VAT included."""
    per_night_agorot: int
    refundable: bool
    """All its rooms can be cancelled free of charge until `cancel_until`."""
    cancel_until: date | None
    without_cancellation_agorot: int | None = None
    """What the same rooms cost without free cancellation, if that is less and the guest has not chosen."""
    currency: str = "ILS"


class Quote(QuotedStay):
    """An offer with an id, kept for a while at its price. It books once."""

    expires_at: datetime
    """UTC, seconds. Until then the price is kept; rooms are kept only by a hold."""


class UnheldQuote(Quote):
    """What a hold gives where the rooms cannot be held: the quote is kept, and booked if its rooms are still free then."""

    unheld_for: Literal["guest", "night"] | None = Field(default=None, exclude=True)
    """Whose questions hold as many rooms as they may: the guest's, or all those of a night. None = no room is ever held."""


class Guest(HotelRecord):
    """Who books, as they wrote it."""

    name: str
    email: str | None = None
    phone: str | None = None
    notes: str | None = None


class BookedRoom(HotelRecord):
    """Rooms of one type in a booking."""

    room_type: str
    room_name: str
    room_name_he: str
    count: int
    board: Board
    rate_name: str


class Booking(HotelRecord):
    """A booking as its guest may see it: no e-mail, no phone."""

    reference: str
    """`WG-` and eight characters without 0, O, 1, I."""
    status: Literal["confirmed", "cancelled"]
    guest_name: str
    check_in: date
    check_out: date
    nights: int
    adults: int
    children_ages: list[int]
    rooms: list[BookedRoom]
    total_agorot: int
    per_night_agorot: int
    currency: str = "ILS"
    refundable: bool
    cancel_until: date | None
    """Last day of free cancellation; None = not refundable."""
    fee_agorot: int | None = None
    """What a cancellation costs (when cancelled) or would cost now (when asked about): 0 = free of charge, None = the
    property's terms are not known."""
    repeated: bool = False
    """The write had been done before: this is the booking (or cancellation) from then."""


class HeldStay(HotelRecord):
    """A hold, for the front desk: rooms kept for a booking that awaits approval."""

    quote_id: str
    status: Literal["hold", "expired"]
    guest_name: str
    check_in: date
    check_out: date
    rooms: list[BookedRoom]
    total_agorot: int
    currency: str = "ILS"
    hold_until: datetime


class PropertyRecord(HotelRecord):
    """One hotel, and where its system is reached. Holds no credential, only the name of their source."""

    property_id: str
    name: str
    name_he: str
    pms_type: Literal["sandbox", "minihotel", "ezgo"] = "sandbox"
    hotel_id: str
    """The hotel's id inside its property system."""
    use_sandbox: bool = True
    """Whether the system's test host is meant."""
    url_code: str | None = None
    """The hotel's part of the public booking link."""
    booking_url: str | None = None
    """Template of the booking link, with {check_in} {check_out} {adults} {children} {language}."""
    agency_channel_id: int | None = None
    currency: str = "ILS"
    time_zone: str = "Asia/Jerusalem"
    country: str = "IL"
    weekend_nights: list[Annotated[int, Field(ge=0, le=6)]] = [3, 4]
    """Weekdays (Monday = 0) whose nights make the weekend: Thursday and Friday in Israel."""
    church: Church | None = None
    """Whose Easter the property keeps; None = the one most of its country keeps."""
    child_max_age: int = 12
    baby_max_age: int = 1
    max_nights: int = 20
    vat_bp: int = 1800
    """Value added tax inside resident prices, in basis points."""
    keep_days_after_departure: int = 2557
    """How long the accounts need the name of a guest whose data is erased: seven years."""
    phone: str = ""
    email: str = ""
    credentials_source: str | None = None
    """Name the secret resolver looks up, e.g. an environment variable prefix; never a secret itself."""


class DateHint(HotelRecord):
    """A hint resolved to stays. No stays if `error` is set: an impossible date is never guessed at."""

    hint: str
    stays: list[Stay]
    error: DateError | None
    message: str


def every_date(first: date, last: date) -> list[date]:
    """All dates from first to last, both included."""
    return [first + timedelta(days=offset) for offset in range((last - first).days + 1)]


def by_room(offers: Iterable[Offer]) -> list[list[Offer]]:
    """The offers of each room type, cheapest first; the cheapest room type first."""
    rooms: dict[str, list[Offer]] = {}
    for offer in sorted(offers, key=lambda offer: offer.total_agorot):
        rooms.setdefault(offer.room_type, []).append(offer)
    return list(rooms.values())
