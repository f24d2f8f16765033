"""The demo hotel: a sea-side hotel whose every night follows from its seed, the room type and the date.

Never from the clock: the same date always has the same rooms, rates and rules, however far the calendar
is built. What demonstrations rely on is the same in every year (see `special_dates`).
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from hashlib import blake2b
from importlib import resources
from itertools import combinations
from typing import Any, NamedTuple

from pyluach.dates import HebrewDate  # type: ignore[import-untyped]

from wavegraph.tools.hotel.inventory.property_data import (
    ANY,
    Calendar,
    InventoryDay,
    MealPrice,
    PropertyData,
    RateDay,
    RatePlan,
    RestrictionDay,
    RoomKind,
    Topic,
)
from wavegraph.tools.hotel.records import Policy, PropertyRecord

SEED_VERSION = 5
"""Raise it when anything below or in demo_property.json changes: existing files are then rewritten."""

FIRST_NIGHT = date(2025, 10, 1)
BASE_PLAN = "FLEX-RO"

NISAN, SIVAN, TISHRI, KISLEV = 1, 3, 7, 9
THURSDAY, FRIDAY, SATURDAY = 3, 4, 5


class RoomSeed(NamedTuple):
    total: int
    base: int
    """Agorot a night for two, room only, on a low season weekday."""


ROOMS: Mapping[str, RoomSeed] = {
    "DBL": RoomSeed(12, 390_00),
    "DLX": RoomSeed(6, 510_00),
    "TRP": RoomSeed(4, 470_00),
    "FAM": RoomSeed(3, 720_00),
    "SUITE": RoomSeed(2, 980_00),
    "ACC": RoomSeed(1, 390_00),
}

ROOMY: Mapping[str, int] = {"DBL": 4, "DLX": 3, "TRP": 2, "FAM": 2, "SUITE": 1, "ACC": 1}
OPEN: Mapping[str, int] = {"DBL": 3, "DLX": 1}
"""Rooms that stay free on nights a demonstration relies on."""

KEPT_FREE = {(12, 10), (12, 11), (12, 24), (12, 26)}
"""Months and days that are never full, Hanukkah or not."""


@cache
def demo_property() -> PropertyData:
    """Everything but the nights, from demo_property.json."""
    text = resources.files(__package__).joinpath("demo_property.json").read_text(encoding="utf-8")
    data: dict[str, Any] = json.loads(text)
    return PropertyData(
        record=PropertyRecord(**data["record"]),
        check_in_time=data["check_in_time"],
        check_out_time=data["check_out_time"],
        rooms=[RoomKind(**_tuples(room)) for room in data["rooms"]],
        plans=[RatePlan(**plan) for plan in data["plans"]],
        meals=[MealPrice(meal["board"], meal["guest"], date.min, date.max, meal["agorot"]) for meal in data["meals"]],
        topics=[_topic(**_tuples(topic)) for topic in data["topics"]],
    )


def _topic(*, policy: dict[str, Any] | None = None, **said: Any) -> Topic:
    return Topic(**said, policy=Policy(**policy) if policy else None)


def _tuples(entry: dict[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in entry.items()}


def demo_calendar(first: date, last: date) -> Calendar:
    """The nights from `first` to `last`, both included."""
    nights = [first + timedelta(days=n) for n in range((last - first).days + 1)]
    return Calendar(
        inventory=[inventory_of(code, night) for night in nights for code in ROOMS],
        rates=[rate_of(code, night) for night in nights for code in ROOMS],
        restrictions=[rule for night in nights if (rule := restriction_of(night)) is not None],
    )


def draw(name: str, room_type: str, on: date) -> float:
    """A number in [0, 1) that depends on nothing but its arguments and the property."""
    key = f"shirat-hagal/{name}/{room_type}/{on.isoformat()}".encode()
    return int.from_bytes(blake2b(key, digest_size=6).digest()) / (1 << 48)


# What a date is


@dataclass(frozen=True, slots=True)
class SpecialDates:
    """What is the same every year, whatever the weekday.

    25 December is full while the nights of the 24th and 26th are available; some nights of Hanukkah
    are full, so that its eight nights are not available but parts are; 17-19 January and the last Thursday
    to Saturday of November are available; 10-12 December has several rooms of different types.
    """

    full: frozenset[date]
    roomy: frozenset[date]
    open: frozenset[date]
    any_arrival: frozenset[date]
    """Arrivals allowed even on a Saturday."""
    any_length: frozenset[date]
    """Arrivals without a minimum stay."""


@cache
def special_dates(year: int) -> SpecialDates:
    christmas = {date(year, 12, 24), date(year, 12, 26)}
    party = {date(year, 12, 10), date(year, 12, 11)}
    january = {date(year, 1, 17), date(year, 1, 18)}
    november = {_fourth_thursday(year, 11) + timedelta(days=n) for n in (0, 1)}
    eve = hanukkah_eve(year)
    hanukkah = {eve + timedelta(days=n) for n in range(8)} if eve else set()
    full = {date(year, 12, 25)} | (full_nights_of_hanukkah(eve) if eve else set())
    return SpecialDates(
        full=frozenset(full),
        roomy=frozenset(party | christmas | january),
        open=frozenset((hanukkah | november) - full),
        any_arrival=frozenset(christmas | {date(year, 12, 10), date(year, 1, 17)}),
        any_length=frozenset(christmas),
    )


def _is(kind: str, on: date) -> bool:
    # Hanukkah can begin in one civil year and end in the next.
    return on in getattr(special_dates(on.year), kind) or on in getattr(special_dates(on.year - 1), kind)


def _fourth_thursday(year: int, month: int) -> date:
    first = date(year, month, 1)
    return first + timedelta(days=(THURSDAY - first.weekday()) % 7 + 21)


def hanukkah_eve(year: int) -> date:
    """The day before 25 Kislev: the first night of the stay."""
    first_day: date = HebrewDate(year + 3761, KISLEV, 25).to_pydate()
    return first_day - timedelta(days=1)


def full_nights_of_hanukkah(eve: date) -> set[date]:
    """Up to two weekday nights of the middle, such that most short stays are left around them.

    At least three single nights and three stays of two or three nights are left. Saturdays are not filled:
    there the closed arrival should be the reason given.
    """
    nights = [eve + timedelta(days=n) for n in range(8)]
    given = {night for night in nights if (night.month, night.day) == (12, 25)}
    middle = [n for n in nights[2:7] if (n.month, n.day) not in KEPT_FREE and n.weekday() != SATURDAY]
    sizes = (2, 1, 0) if given else (2, 1)
    choices = [{*chosen, *given} for size in sizes for chosen in combinations(middle, size)]
    left = [(full, *_stays_left(nights, full)) for full in choices]
    good = [(len(full), short, full) for full, singles, short in left if singles >= 3 and short >= 3]
    return max(good, key=lambda choice: choice[:2])[2]


def _stays_left(nights: list[date], full: set[date]) -> tuple[int, int]:
    """(single nights, stays of two or three nights) inside the holiday that are on sale under the usual rules."""
    free = [night not in full for night in nights]
    arrivals = [n for n, night in enumerate(nights) if free[n] and night.weekday() != SATURDAY]
    singles = sum(nights[n].weekday() not in (THURSDAY, FRIDAY) for n in arrivals)
    short = sum(n + length <= 8 and all(free[n : n + length]) for n in arrivals for length in (2, 3))
    return singles, short


@cache
def holiday_of(night: date) -> str | None:
    """The holiday a night belongs to: a Hebrew day begins on its eve."""
    day = HebrewDate.from_pydate(night + timedelta(days=1))
    if (day.month == NISAN and 15 <= day.day <= 21) or (day.month == TISHRI and 15 <= day.day <= 22):
        return "festival"
    if (day.month, day.day) in {(TISHRI, 1), (TISHRI, 2), (SIVAN, 6)}:
        return "holiday"
    eves = (hanukkah_eve(year) for year in (night.year - 1, night.year))
    return "hanukkah" if any(0 <= (night - eve).days < 8 for eve in eves) else None


# What a night has


def price_level(night: date) -> int:
    """Per cent of the low season weekday rate."""
    season = 145 if night.month in (7, 8) else 115 if night.month in (4, 5, 6, 9, 10) else 100
    weekend = {THURSDAY: 30, FRIDAY: 45}.get(night.weekday(), 0)
    holiday = {"festival": 175, "holiday": 165, "hanukkah": 140 + weekend // 2}.get(holiday_of(night) or "", 0)
    return max(season + weekend * 3 // 4 if season > 100 else season + weekend, holiday)


def rate_of(code: str, night: date) -> RateDay:
    """Base for two in whole tens of shekels, a few per cent up or down by date; extras follow the base."""
    # The accessible room costs what the double room costs.
    wobble = 97 + int(draw("rate", "DBL" if code == "ACC" else code, night) * 7)
    base = _tens(ROOMS[code].base * price_level(night) * wobble // 10_000)
    return RateDay(
        BASE_PLAN,
        code,
        night,
        base,
        extra_adult=_tens(base * 28 // 100),
        extra_child=_tens(base * 15 // 100),
        extra_baby=0,
        single_use=_tens(base * 85 // 100),
    )


def _tens(agorot: int) -> int:
    return (agorot + 500) // 1000 * 1000


def demand(night: date) -> float:
    """The share of rooms sold on average."""
    if holiday_of(night):
        return 0.7
    busy = night.month in (7, 8) or night.weekday() in (THURSDAY, FRIDAY)
    return 0.6 if busy else 0.4


def inventory_of(code: str, night: date) -> InventoryDay:
    total = ROOMS[code].total
    if _is("full", night):
        return InventoryDay(code, night, total, sold=total)
    share = demand(night) + 0.6 * (draw("sold", code, night) - 0.5)
    kept = max(ROOMY[code] if _is("roomy", night) else 0, OPEN.get(code, 0) if _is("open", night) else 0)
    sold = max(0, min(total - kept, int(total * share + 0.3)))
    return InventoryDay(code, night, total, sold=sold, stop_sell=kept == 0 and draw("stop", code, night) < 0.015)


def restriction_of(on: date) -> RestrictionDay | None:
    """The rules of a date for the whole property; None if there are none."""
    today, tonight = HebrewDate.from_pydate(on), HebrewDate.from_pydate(on + timedelta(days=1))
    day, eve = (today.month, today.day), (tonight.month, tonight.day)
    atonement = day == (TISHRI, 10)
    weekend = on.weekday() in (THURSDAY, FRIDAY) and not _is("any_length", on)
    rule = RestrictionDay(
        ANY,
        ANY,
        on,
        min_stay=3 if eve in {(NISAN, 15), (NISAN, 21), (TISHRI, 15), (TISHRI, 22)} else None,
        min_stay_arrival=2 if weekend else None,
        cta=atonement or (on.weekday() == SATURDAY and not _is("any_arrival", on)),
        ctd=atonement or day in {(NISAN, 15), (TISHRI, 15), (TISHRI, 1)},
    )
    return rule if any(rule[3:]) else None
