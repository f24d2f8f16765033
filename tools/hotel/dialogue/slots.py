"""What was understood of a guest, carried from request to request: the hotel's slots."""

from datetime import date, timedelta
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.json_schema import SkipJsonSchema as OfRules

from wavegraph.graph.views import AnswerView, PlanningView
from wavegraph.tools.hotel.records import Board, Weekday

Assumed = Literal["adults", "adults_per_room", "child_ages", "baby_ages", "family", "nights", "uncounted"]
Want = Literal["cheapest", "compare", "book", "cancel", "find"]


class Slot(BaseModel):
    """Base of the slots: plain values; unknown ones are dropped, so that other versions' slots stay readable."""

    # A docstring is for developers; what a model is told stands in the planning prompt.
    model_config = ConfigDict(extra="ignore", json_schema_extra=lambda schema: schema.pop("description", None))


class StaySlot(Slot):
    """One stay the guest asks about."""

    check_in: date
    check_out: date
    hint: str = Field(description="Its dates in the guest's own words, or in the desk's where it offered them")
    kind: OfRules[str] = "explicit"
    label: OfRules[str] = ""
    nights_explicit: OfRules[bool] = True
    holiday: OfRules[str | None] = None
    part: OfRules[tuple[int, int] | None] = None
    """Indexes into the holiday's dates; None = the whole of it."""
    index: OfRules[int] = 0
    """Which stay of its phrase this is."""
    note: OfRules[str | None] = None
    adults: OfRules[int | None] = None
    """None = the party is the one of all stays."""
    children_ages: OfRules[list[int]] = []

    @property
    def nights(self) -> int:
        return (self.check_out - self.check_in).days

    def moved(self, days: int, nights: int | None = None) -> "StaySlot":
        """The same stay some days later, as dates alone."""
        arrival = self.check_in + timedelta(days=days)
        return StaySlot(
            check_in=arrival,
            check_out=arrival + timedelta(days=nights or self.nights),
            kind="explicit",
            label="",
            hint="",
            adults=self.adults,
            children_ages=self.children_ages,
        )


class SearchSlot(Slot):
    """Any stay of a length inside a period."""

    from_date: date
    to_date: date
    nights: int
    nights_explicit: bool = True
    arrive_on: list[Weekday] = []
    sleep_on: list[Weekday] = []
    cheapest: bool = False
    hint: str = Field(default="", description="The guest's own words for the period")


class DateProblem(Slot):
    """Words for dates that gave no stay, and why."""

    words: str
    error: str
    message: str


class BudgetSlot(Slot):
    amount_agorot: int = Field(description="In the smallest unit of `currency`")
    per: Literal["stay", "night"]
    currency: str | None = Field(default=None, description="ISO 4217, as the guest named it; null = none was named")

    said: OfRules[str] = ""
    """The amount in the guest's words, if it is not in the property's currency."""

    def is_foreign(self, own: str) -> bool:
        return self.currency not in (None, own)


class GuestSlot(Slot):
    """Who books, word for word."""

    name: str | None = None
    email: str | None = None
    phone: str | None = None

    @property
    def complete(self) -> bool:
        """Whether a booking can be made: a name, and a way to reach the guest."""
        return bool(self.name and (self.email or self.phone))


class BookingSlot(Slot):
    """A booking that exists, or is said to."""

    reference: str | None = None
    """Its number, as typed."""
    holder: str | None = None
    """Surname or e-mail it was made under."""
    made: OfRules[bool] = False
    """Made in this conversation, for the current stay."""


class HotelSlots(Slot):
    """Everything understood so far. The second half is about the newest message only.

    What only the rules find (`OfRules`) is not asked of a model.
    """

    stays: list[StaySlot] = []
    searches: OfRules[list[SearchSlot]] = []
    """What is looked for in a period, if no stay is chosen yet."""
    adults: int | None = None
    """None = not given yet; `party_adults` is what is searched for."""
    children_ages: list[int] = []
    """Babies are the ages below 2."""
    rooms: int | None = None
    room_types: list[str] = []
    board: Board | None = None
    refundable: bool | None = None
    wishes: OfRules[bool] = False
    """The message has wishes for the room's place or beds, which only reception can grant."""
    budget: BudgetSlot | None = None
    guest: GuestSlot = GuestSlot()
    booking: BookingSlot = BookingSlot()
    chosen: bool = False
    """The room is settled without a type: the cheapest."""
    assumed: list[Assumed] = []

    intent: OfRules[str] = ""
    topics: OfRules[list[str]] = []
    want: Want | None = None
    """`book`, `cancel` and `find` persist until they are done or dropped."""
    problems: OfRules[list[DateProblem]] = []
    floor: OfRules[str] = ""
    """The guest's minimum price, in the guest's words; it is not used."""
    ordered: OfRules[bool] = False
    """The message also gave orders to the system, which were not followed."""
    length: OfRules[int | None] = None
    """Nights named before any date."""
    rest: OfRules[bool] = False
    """It asks for what the last answer left out."""
    pets: OfRules[bool] = False
    """Animals were spoken of, and have not been left at home since."""
    room_facts: OfRules[list[str]] = []
    """Topics that the rooms' own facts answer."""
    holidays: OfRules[list[StaySlot]] = []
    """Holidays whose days are asked for."""
    rooms_too: OfRules[bool] = False
    """The message also asks about the rooms themselves."""
    or_rooms: OfRules[int] = 0
    """Rooms that the message compares with one; 0 = none."""
    read_back: OfRules[bool] = False
    """It was read back to the guest, who has not said yet whether it is right."""
    unplaced: OfRules[list[str]] = []
    """Words of the message that were not understood, where it was searched all the same."""
    stays_left_out: OfRules[int] = 0
    stands: OfRules[str] = ""
    """Number of the booking just made, where the message asks for a stay that would be another one."""
    replaced: OfRules[list[StaySlot]] = []
    """The previous stays, if this message moved them."""

    @property
    def lacks_name(self) -> bool:
        """Whether a booking is under way whose guest's name was asked for."""
        return self.want == "book" and not self.guest.name

    @property
    def party_adults(self) -> int:
        return self.adults if self.adults is not None else 2 * (self.rooms or 1)


def loads(raw: Any) -> HotelSlots | None:
    """Slots from a plan's record; None if there are none."""
    return HotelSlots.model_validate(raw) if raw else None


def slots_before(view: PlanningView | AnswerView) -> HotelSlots | None:
    """The slots of the previous request; None if there are none."""
    return loads(view.previous["plan"]["slots"]) if view.previous and view.previous["plan"] else None
