"""The rows of the import files, one model per file. A field's description says what is expected of its cell.

Cells arrive as text without surrounding spaces; empty cells are left out, so a default takes their place.
"""

import re
from datetime import date, datetime, timedelta
from typing import Annotated, Any, Literal
from zoneinfo import ZoneInfo

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationInfo,
    field_validator,
    model_validator,
)

from wavegraph.graph.settings import FIRST_DAY, LAST_DAY, CalendarDay
from wavegraph.tools.hotel import currency
from wavegraph.tools.hotel.configuration.values import PROPERTY_ID, clock
from wavegraph.tools.hotel.dates import Church
from wavegraph.tools.hotel.dates.resolution import weekend_of_country
from wavegraph.tools.hotel.inventory.property_data import ANY, Audience
from wavegraph.tools.hotel.property.port import DEFAULT_PROPERTY
from wavegraph.tools.hotel.records import Board, FeePer, Policy

WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
HIGHEST = 10**10
"""Smallest units: a hundred million pounds, or ten thousand million dong."""
LONGEST_RANGE = timedelta(days=5 * 366)
"""A longer range is a mistyped year."""


def _date(text: Any) -> Any:
    """ISO, or day first as Excel in Israel writes it."""
    day_first = isinstance(text, str) and re.fullmatch(r"\d{1,2}[/.]\d{1,2}[/.]\d{4}", text)
    return datetime.strptime(text.replace(".", "/"), "%d/%m/%Y").date() if day_first else text


def _amount(text: Any, info: ValidationInfo) -> int:
    """An amount in the property's currency, in its smallest units."""
    minor_units = currency.exact(str(text), (info.context or {})["currency"])
    if minor_units > HIGHEST:
        raise ValueError("not an amount")
    return minor_units


def _flag(text: Any) -> Any:
    known = {"yes": True, "true": True, "1": True, "כן": True, "no": False, "false": False, "0": False, "לא": False}
    return known.get(str(text).casefold(), text)


def _list(text: Any) -> Any:
    return tuple(filter(None, map(str.strip, text.split("|")))) if isinstance(text, str) else tuple(text)


def _weekdays(text: Any) -> frozenset[int]:
    """`sun-wed`, `thu fri`, `sat`: Monday = 0."""
    days: set[int] = set()
    for part in re.split(r"[\s,|]+", str(text).strip().casefold()):
        first, _, last = part.partition("-")
        start, end = WEEKDAYS.index(first[:3]), WEEKDAYS.index((last or first)[:3])
        days.update((start + n) % 7 for n in range((end - start) % 7 + 1))
    return frozenset(days)


DateCell = Annotated[date, BeforeValidator(_date)]
NightCell = Annotated[CalendarDay, BeforeValidator(_date)]
AmountCell = Annotated[int, BeforeValidator(_amount)]
ClockCell = Annotated[str, BeforeValidator(clock)]
FlagCell = Annotated[bool, BeforeValidator(_flag)]
ListCell = Annotated[tuple[str, ...], BeforeValidator(_list)]
WeekdaysCell = Annotated[frozenset[int], BeforeValidator(_weekdays)]
CodeCell = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,19}$")]
TextCell = Annotated[str, Field(min_length=1)]

CODE = "a code of 1 to 20 letters, digits, '-', '_' or '.'"
DAY = "a date, 2026-12-31 or 31/12/2026"
NIGHT = f"a date of the years {FIRST_DAY.year} to {LAST_DAY.year}, 2026-12-31 or 31/12/2026"
MONEY = "an amount"
YES_NO = "yes or no"
NIGHTS = "a whole number of nights from 1 to 60, or empty"
TEXT = "text"
TIME = "a time of day such as 15:00, or empty"
DAYS = "weekdays such as sun-wed or thu fri, or empty for all"


class ImportRow(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class HotelRow(ImportRow):
    """hotel.json"""

    property_id: str = Field(description="2 to 63 lower case letters, digits, '-' or '_', and not 'sandbox'")
    name: TextCell = Field(description=TEXT)
    name_he: TextCell = Field(description=TEXT)
    country: str = Field("IL", pattern="^[A-Z]{2}$", description="a two-letter country code, e.g. IL")
    currency: str = Field("ILS", description="a currency code of ISO 4217, e.g. EUR")
    time_zone: str = Field("Asia/Jerusalem", description="a time zone name, e.g. Asia/Jerusalem")
    check_in_time: str = Field("15:00", pattern=r"^([01]\d|2[0-3]):[0-5]\d$", description="a time, e.g. 15:00")
    check_out_time: str = Field("11:00", pattern=r"^([01]\d|2[0-3]):[0-5]\d$", description="a time, e.g. 11:00")
    weekend_nights: WeekdaysCell = Field(frozenset(), description="weekdays such as thu fri")
    church: Church | None = Field(None, description="western or orthodox: the church whose Easter dates apply")
    child_max_age: int = Field(12, ge=0, le=17, description="a whole number of years from 0 to 17")
    baby_max_age: int = Field(
        1, ge=-1, le=17, description="a whole number of years, below child_max_age (-1 = no babies)"
    )
    max_nights: int = Field(20, ge=1, le=365, description="a whole number of nights from 1 to 365")
    vat_bp: int = Field(0, ge=0, le=5000, description="VAT in hundredths of a per cent, e.g. 1800")
    keep_days_after_departure: int = Field(2557, ge=0, le=36_525, description="a whole number of days from 0 to 36525")
    phone: str = Field("", description=TEXT)
    email: str = Field("", description=TEXT)
    booking_url: str | None = Field(
        None, description="a link with any of {check_in} {check_out} {adults} {children} {language}, or empty"
    )

    @model_validator(mode="before")
    @classmethod
    def _of_its_country(cls, given: Any) -> Any:
        """Missing fields default to the country's; the currency, time zone and VAT defaults apply in Israel alone."""
        if not isinstance(given, dict):
            return given
        country = given.get("country", "IL")
        theirs: dict[str, Any] = {"weekend_nights": " ".join(WEEKDAYS[n] for n in weekend_of_country(str(country)))}
        theirs |= {"vat_bp": 1800} if country == "IL" else {"currency": "", "time_zone": ""}
        return {**theirs, **given}

    @field_validator("currency")
    @classmethod
    def _known_currency(cls, value: str) -> str:
        if not currency.is_currency(value):
            raise ValueError("unknown currency")
        return value

    @field_validator("property_id")
    @classmethod
    def _usable_id(cls, value: str) -> str:
        if len(value) < 2 or not PROPERTY_ID.fullmatch(value) or value == DEFAULT_PROPERTY:
            raise ValueError("not usable as an id")
        return value

    @field_validator("time_zone")
    @classmethod
    def _known_zone(cls, value: str) -> str:
        try:
            ZoneInfo(value)
        except (OSError, ValueError, KeyError):
            raise ValueError("unknown zone") from None
        return value

    @field_validator("booking_url")
    @classmethod
    def _known_places(cls, value: str | None) -> str | None:
        try:
            (value or "").format(check_in="", check_out="", adults="", children="", language="")
        except (KeyError, IndexError, AttributeError):
            raise ValueError("unknown place") from None
        return value

    @field_validator("baby_max_age")
    @classmethod
    def _babies_before_children(cls, value: int, info: ValidationInfo) -> int:
        if value >= info.data.get("child_max_age", 18):
            raise ValueError("not below child_max_age")
        return value


class RoomRow(ImportRow):
    """rooms.csv"""

    code: CodeCell = Field(description=CODE)
    name: TextCell = Field(description=TEXT)
    name_he: TextCell = Field(description=TEXT)
    base_occ: int = Field(2, ge=1, le=20, description="guests in the base price, from 1 to max_total")
    max_adults: int = Field(ge=1, le=20, description="a whole number from 1 to 20")
    max_children: int = Field(0, ge=0, le=20, description="a whole number from 0 to 20")
    max_babies: int = Field(1, ge=0, le=10, description="a whole number from 0 to 10")
    max_total: int = Field(ge=1, le=20, description="adults and children together, from max_adults to 20")
    size_sqm: int = Field(0, ge=0, le=2000, description="a whole number of square metres")
    beds: str = Field("", description=TEXT)
    beds_he: str = Field("", description=TEXT)
    features: ListCell = Field((), description="texts separated by |")
    features_he: ListCell = Field((), description="texts separated by |")
    aliases: ListCell = Field((), description="texts separated by |")

    @field_validator("max_total")
    @classmethod
    def _room_for_all(cls, value: int, info: ValidationInfo) -> int:
        if value < max(info.data.get("max_adults", 0), info.data.get("base_occ", 0)):
            raise ValueError("less than the adults")
        return value


class PlanRow(ImportRow):
    """rate_plans.csv"""

    code: CodeCell = Field(description=CODE)
    name: TextCell = Field(description=TEXT)
    name_he: TextCell = Field(description=TEXT)
    board: Board = Field(description="one of RO, BB, HB, FB, AI")
    refundable: FlagCell = Field(description=YES_NO)
    cancel_days: int = Field(0, ge=0, le=365, description="a whole number of days from 0 to 365")
    price_percent: int = Field(100, ge=1, le=200, description="a whole per cent of the rate from 1 to 200, e.g. 90")
    audience: Audience = Field("all", description="one of resident, tourist, all")
    min_adv: int | None = Field(None, ge=0, le=1000, description="a whole number of days, or empty")
    max_adv: int | None = Field(None, ge=0, le=1000, description="a whole number of days, or empty")
    rates_of: CodeCell | None = Field(None, description="the code of a rate plan with rates of its own, or empty")


class RangeRow(ImportRow):
    """Values for a range of dates, both included, on some weekdays."""

    date_from: NightCell = Field(description=NIGHT)
    date_to: NightCell = Field(description=f"{NIGHT}, not before date_from and at most five years after it")
    weekdays: WeekdaysCell = Field(frozenset(range(7)), description=DAYS)

    @field_validator("date_to")
    @classmethod
    def _in_order(cls, value: date, info: ValidationInfo) -> date:
        first = info.data.get("date_from", value)
        if not first <= value <= first + LONGEST_RANGE:
            raise ValueError("not a range")
        return value

    def dates(self) -> list[date]:
        days = (self.date_from + timedelta(days=n) for n in range((self.date_to - self.date_from).days + 1))
        return [day for day in days if day.weekday() in self.weekdays]


class RateRow(RangeRow):
    """rates.csv"""

    rate_plan: CodeCell = Field(description=CODE)
    room_type: CodeCell = Field(description=CODE)
    price: AmountCell = Field(description=MONEY)
    extra_adult: AmountCell = Field(0, description=MONEY)
    extra_child: AmountCell = Field(0, description=MONEY)
    extra_baby: AmountCell = Field(0, description=MONEY)
    single_use: AmountCell | None = Field(None, description=MONEY)


class InventoryRow(RangeRow):
    """inventory.csv"""

    room_type: CodeCell = Field(description=CODE)
    rooms: int = Field(ge=0, le=5000, description="a whole number of rooms from 0 to 5000")
    sold: int = Field(0, ge=0, le=5000, description="rooms sold elsewhere, from 0 to rooms")
    stop_sell: FlagCell = Field(False, description=YES_NO)

    @field_validator("sold")
    @classmethod
    def _not_oversold(cls, value: int, info: ValidationInfo) -> int:
        if value > info.data.get("rooms", 5000):
            raise ValueError("more than rooms")
        return value


class RestrictionRow(RangeRow):
    """restrictions.csv"""

    room_type: str = Field(ANY, description="a room type of rooms.csv, or * for all")
    rate_plan: str = Field(ANY, description="a rate plan of rate_plans.csv, or * for all")
    min_stay: int | None = Field(None, ge=1, le=60, description=NIGHTS)
    min_stay_arrival: int | None = Field(None, ge=1, le=60, description=NIGHTS)
    max_stay: int | None = Field(None, ge=1, le=60, description=NIGHTS)
    closed_to_arrival: FlagCell = Field(False, description=YES_NO)
    closed_to_departure: FlagCell = Field(False, description=YES_NO)


class MealRow(ImportRow):
    """meals.csv"""

    board: Board = Field(description="one of RO, BB, HB, FB, AI")
    guest: Literal["adult", "child", "baby"] = Field(description="one of adult, child, baby")
    date_from: DateCell = Field(date.min, description=DAY + ", or empty")
    date_to: DateCell = Field(date.max, description=DAY + ", not before date_from, or empty")
    price: AmountCell = Field(description=MONEY)

    @field_validator("date_to")
    @classmethod
    def _in_order(cls, value: date, info: ValidationInfo) -> date:
        if value < info.data.get("date_from", value):
            raise ValueError("before date_from")
        return value


class TopicRow(ImportRow):
    """info.csv or info.json"""

    topic: TextCell = Field(description=TEXT)
    title: TextCell = Field(description=TEXT)
    title_he: TextCell = Field(description=TEXT)
    text: TextCell = Field(description=TEXT)
    text_he: TextCell = Field(description=TEXT)
    aliases: ListCell = Field((), description="texts separated by |")
    max_kg: int | None = Field(None, ge=1, le=1000, description="a whole number of kilograms from 1 to 1000, or empty")
    min_age: int | None = Field(None, ge=0, le=120, description="a whole number of years from 0 to 120, or empty")
    fee: AmountCell | None = Field(None, description=MONEY)
    fee_per: FeePer = Field("stay", description="one of stay, night, each, each_night")
    fee_of: str = Field("", description="text, or empty")
    fee_of_he: str = Field("", description="text, or empty")
    fee_from: FlagCell = Field(False, description=YES_NO)
    from_time: ClockCell | None = Field(None, description=TIME)
    until_time: ClockCell | None = Field(None, description=TIME)
    rooms: ListCell = Field((), description="codes of rooms.csv separated by |")

    @property
    def policy(self) -> Policy | None:
        """What it says in figures; None = nothing."""
        given = self.model_dump(exclude={"topic", "title", "title_he", "text", "text_he", "aliases", "fee"})
        policy = Policy(**given, fee_agorot=self.fee)
        return policy if policy != Policy() else None
