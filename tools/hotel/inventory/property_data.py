"""A property's data as its system stores it: room types, rate plans, and one row per night.

The demo hotel and an imported hotel are both written from these records, and read back into them.
Money is in whole smallest units of the property's currency (`currency.py`) per night, VAT included.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any, Literal, NamedTuple

from wavegraph.tools.hotel.records import Board, Policy, PropertyRecord, RoomType

ANY = "*"
"""In a restriction: every room type, or every rate plan."""

Audience = Literal["resident", "tourist", "all"]

_SENTENCE = re.compile(r"(?<=[^\W\d_]{4})[.!?…]+(?=\s).*", re.DOTALL)
"""From the end of a sentence on; `St.` and `Dbl.` end none."""


def one_phrase(text: str) -> str:
    """A name without the sentences that somebody wrote behind it: they would stand among ours."""
    return _SENTENCE.sub("", text)


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomKind:
    """One room type, with what pricing and occupancy need."""

    code: str
    name: str
    name_he: str
    base_occ: int
    """Guests covered by the base rate."""
    max_adults: int
    max_children: int
    max_babies: int
    """Cots; a baby takes no other bed."""
    max_total: int
    """Adults and children together, babies not counted."""
    size_sqm: int
    beds: str
    beds_he: str
    features: tuple[str, ...] = ()
    features_he: tuple[str, ...] = ()
    images: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    """Other words guests have for it."""

    def __post_init__(self) -> None:
        """Names and beds are told inside our sentences: each is one phrase."""
        for told in ("name", "name_he", "beds", "beds_he"):
            object.__setattr__(self, told, one_phrase(getattr(self, told)))

    @property
    def words(self) -> tuple[str, ...]:
        """All its names."""
        return (self.code, self.name, self.name_he, *self.aliases)

    @property
    def description(self) -> tuple[str, ...]:
        """All that is said about it: its names, its beds and what it has."""
        return (*self.words, self.beds, self.beds_he, *self.features, *self.features_he)

    def as_room_type(self, from_agorot: int | None, currency: str) -> RoomType:
        return RoomType(
            code=self.code,
            name=self.name,
            name_he=self.name_he,
            max_adults=self.max_adults,
            max_children=self.max_children,
            max_total=self.max_total,
            size_sqm=self.size_sqm,
            beds=self.beds,
            beds_he=self.beds_he,
            features=list(self.features),
            features_he=list(self.features_he),
            from_agorot=from_agorot,
            currency=currency,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class RatePlan:
    """Board and cancellation policy under which a room is sold."""

    code: str
    name: str
    name_he: str
    board: Board
    refundable: bool
    cancel_days: int = 0
    """Free cancellation until this many days before arrival, that day included."""
    nrf_bp: int = 10_000
    """Price of this plan in basis points of base rate and meals; 9000 = ten per cent off."""
    audience: Audience = "all"
    min_adv: int | None = None
    """Fewest days between booking and arrival; None = no limit."""
    max_adv: int | None = None
    rates_of: str
    """The plan whose nightly rates this plan uses; its own code when it has rates of its own."""


class InventoryDay(NamedTuple):
    room_type: str
    date: date
    total: int
    sold: int = 0
    held: int = 0
    stop_sell: bool = False

    @property
    def free(self) -> int:
        return self.total - self.sold - self.held


class RateDay(NamedTuple):
    rate_plan: str
    room_type: str
    date: date
    base: int
    extra_adult: int
    extra_child: int
    extra_baby: int
    single_use: int | None = None
    """The room for one adult alone; None = the base rate."""


class RestrictionDay(NamedTuple):
    """Rules of one date. `min_stay` and `max_stay` hold for every stay *through* the night,
    `min_stay_arrival` only for stays that begin on it."""

    room_type: str
    rate_plan: str
    date: date
    min_stay: int | None = None
    min_stay_arrival: int | None = None
    max_stay: int | None = None
    cta: bool = False
    ctd: bool = False

    def applies_to(self, room_type: str, rate_plan: str) -> bool:
        return self.room_type in (ANY, room_type) and self.rate_plan in (ANY, rate_plan)


class MealPrice(NamedTuple):
    """What a board adds per night and guest: A adult, C child, B baby. `date_to` is included."""

    board: Board
    guest: Literal["A", "C", "B"]
    date_from: date
    date_to: date
    agorot: int


class Topic(NamedTuple):
    """What the property says on one topic, in both languages."""

    topic: str
    title: str
    title_he: str
    text: str
    text_he: str
    aliases: tuple[str, ...] = ()
    policy: Policy | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PropertyData:
    """Everything but the nights: what rarely changes."""

    record: PropertyRecord
    check_in_time: str = "15:00"
    check_out_time: str = "11:00"
    rooms: Sequence[RoomKind]
    plans: Sequence[RatePlan]
    meals: Sequence[MealPrice]
    topics: Sequence[Topic] = ()

    def room(self, code: str) -> RoomKind | None:
        return next((room for room in self.rooms if room.code == code), None)

    @property
    def terms(self) -> dict[str, dict[str, Any]]:
        """What the rate plans stand for, by their codes in small letters."""
        return {plan.code.casefold(): {"board": plan.board, "refundable": plan.refundable} for plan in self.plans}


@dataclass(frozen=True, slots=True)
class Calendar:
    """What is set night by night. A departure date has a restriction but needs no rate."""

    inventory: Iterable[InventoryDay] = ()
    rates: Iterable[RateDay] = ()
    restrictions: Iterable[RestrictionDay] = ()


@dataclass(frozen=True, slots=True)
class StayDates:
    """The dates of a stay, arrival to departure."""

    check_in: date
    check_out: date
    dates: tuple[date, ...] = field(init=False)
    """The nights."""

    def __post_init__(self) -> None:
        nights = (self.check_out - self.check_in).days
        object.__setattr__(self, "dates", tuple(self.check_in + timedelta(days=n) for n in range(nights)))

    @property
    def nights(self) -> int:
        return len(self.dates)


class Window:
    """The nights of a range of dates, looked up by room type, plan and date."""

    def __init__(self, calendar: Calendar) -> None:
        self.inventory = {(day.room_type, day.date): day for day in calendar.inventory}
        self.rates = {(day.rate_plan, day.room_type, day.date): day for day in calendar.rates}
        self.restrictions: dict[date, list[RestrictionDay]] = {}
        for day in calendar.restrictions:
            self.restrictions.setdefault(day.date, []).append(day)

    def free(self, room_type: str, stay: StayDates) -> int:
        """Rooms of the type free on every night of the stay; 0 where a night is not in the inventory."""
        days = [self.inventory.get((room_type, night)) for night in stay.dates]
        return min(0 if day is None or day.stop_sell else day.free for day in days)

    def rules(self, on: date, room_type: str, rate_plan: str) -> list[RestrictionDay]:
        return [day for day in self.restrictions.get(on, ()) if day.applies_to(room_type, rate_plan)]
