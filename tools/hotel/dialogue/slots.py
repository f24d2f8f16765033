"""What was understood of a guest, carried from request to request: the hotel's slots."""

from datetime import date, timedelta
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from wavegraph.graph.views import View
from wavegraph.tools.hotel.records import Board, Per, Weekday, adults_taken

Assumed = Literal["adults", "adults_per_room", "family", "child_ages", "baby_ages", "uncounted", "nights"]
"""In the order in which an answer says them."""
Want = Literal["cheapest", "compare", "book", "cancel", "find"]
ASKING = frozenset({"availability", "book", "change_guest", "not_yet", "pick", "read_back", "summary", "wait"})
"""Intents whose answer ends in a question, or an offer, that a yes takes up."""


class Slot(BaseModel):
    """Base of the slots: plain values; unknown ones are dropped, so that other versions' slots stay readable."""

    model_config = ConfigDict(extra="ignore")


class StaySlot(Slot):
    """One stay the guest asks about."""

    check_in: date
    check_out: date
    hint: str
    """Its dates in the guest's own words, or in the desk's where it offered them; empty = not known."""
    kind: str = "explicit"
    label: str = ""
    nights_explicit: bool = True
    holiday: str | None = None
    part: tuple[int, int] | None = None
    """Indexes into the holiday's dates; None = the whole of it."""
    index: int = 0
    """Which stay of its phrase this is."""
    note: str | None = None
    adults: int | None = None
    """None = the party is the one of all stays."""
    children_ages: list[int] = []

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
    hint: str = ""
    """The guest's own words for the period."""


class DateProblem(Slot):
    """Words for dates that gave no stay, and why."""

    words: str
    error: str
    message: str


class BudgetSlot(Slot):
    amount_agorot: int
    """In the smallest unit of `currency`."""
    per: Per
    currency: str | None = None
    """ISO 4217, as the guest named it; None = none was named."""
    said: str = ""
    """The amount in the guest's words, if it is not in the property's currency."""

    @property
    def is_each(self) -> bool:
        """Whether it is for each guest."""
        return self.per.startswith("person")

    @property
    def is_nightly(self) -> bool:
        return self.per.endswith("night")

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


class PartySlot(Slot):
    """Whom one look-up is for."""

    dates: tuple[date, date] | None
    """Of its stay, or of the period that is searched; None = not known when it was planned."""
    adults: int
    children_ages: list[int] = []
    assumed: list[Assumed] = []


class BookingSlot(Slot):
    """A booking that exists, or is said to."""

    reference: str | None = None
    """Its number, as typed."""
    holder: str | None = None
    """Surname or e-mail it was made under."""
    made: bool = False
    """Made in this conversation, for the current stay."""


GUESTS_AND_ROOMS = ("adults", "children_ages", "rooms", "room_types", "board", "refundable", "budget")
"""What is wished for whatever the dates."""


class HotelSlots(Slot):
    """Everything understood so far. The second half is about the newest message only.

    The rules fill them in from the guest's words; of a model's plan they are derived (`derived`).
    """

    stays: list[StaySlot] = []
    searches: list[SearchSlot] = []
    """What is looked for in a period, if no stay is chosen yet."""
    adults: int | None = None
    """None = not given yet; `party_adults` is what is searched for."""
    children_ages: list[int] = []
    """Babies are the ages below 2."""
    rooms: int | None = None
    room_types: list[str] = []
    board: Board | None = None
    refundable: bool | None = None
    wishes: bool = False
    """The message has wishes for the room's place or beds, which only reception can grant."""
    budget: BudgetSlot | None = None
    guest: GuestSlot = GuestSlot()
    booking: BookingSlot = BookingSlot()
    notes: str | None = None
    """What is to be noted with the booking, in the guest's own words."""
    chosen: bool = False
    """The room is settled without a type: the cheapest."""
    cheapest: bool = False
    """The cheapest was asked for, whatever its terms."""
    assumed: list[Assumed] = []
    apart: list[PartySlot] = []
    """Of each look-up of a model's plan, where they are for different guests; empty = all are for the same."""

    intent: str = ""
    topics: list[str] = []
    want: Want | None = None
    """`book`, `cancel` and `find` persist until they are done or dropped."""
    problems: list[DateProblem] = []
    floor: str = ""
    """The guest's minimum price, in the guest's words; it is not used."""
    ordered: bool = False
    """The message also gave orders to the system, which were not followed."""
    length: int | None = None
    """Nights named before any date."""
    rest: bool = False
    """It asks for what the last answer left out."""
    pets: bool = False
    """Animals were spoken of, and have not been left at home since."""
    room_facts: list[str] = []
    """Topics that the rooms' own facts answer."""
    holidays: list[StaySlot] = []
    """Holidays whose days are asked for."""
    rooms_too: bool = False
    """The message also asks about the rooms themselves."""
    or_rooms: int = 0
    """Rooms that the message compares with one; 0 = none."""
    read_back: bool = False
    """It was read back to the guest, who has not said yet whether it is right."""
    amends: bool = False
    """It changes the booking that waits for a yes, whose new terms cannot be asked about yet."""
    unplaced: list[str] = []
    """Words of the message that were not understood, where it was searched all the same."""
    stays_left_out: int = 0
    stands: str = ""
    """Number of the booking just made, where the message asks for a stay that would be another one."""
    replaced: list[StaySlot] = []
    """The previous stays, if this message moved them."""

    @property
    def asks(self) -> bool:
        """Whether the answer asked, or offered, what a yes takes up."""
        return self.intent in ASKING

    @property
    def lacks_name(self) -> bool:
        """Whether a booking is under way whose guest's name was asked for."""
        return self.want == "book" and not self.guest.name

    @property
    def party_adults(self) -> int:
        return self.adults if self.adults is not None else adults_taken(self.rooms)


def loads(raw: Any) -> HotelSlots | None:
    """Slots from a plan's record; None if there are none."""
    return HotelSlots.model_validate(raw) if raw else None


def slots_before(view: View) -> HotelSlots | None:
    """The slots of the previous request, of the last one with calls where it has none; None if neither has any."""
    plans = [past["plan"] for past in (view.previous, view.worked_before) if past]
    return next((loads(plan["slots"]) for plan in plans if plan and plan["slots"]), None)
