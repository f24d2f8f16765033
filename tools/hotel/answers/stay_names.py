"""What a stay is called: its dates, with the name the guest or the calendar gives it."""

import re

from wavegraph.tools.hotel.answers import date_text
from wavegraph.tools.hotel.answers.call_results import CallResults
from wavegraph.tools.hotel.answers.phrases import say
from wavegraph.tools.hotel.dates.holiday_names import hebrew_name
from wavegraph.tools.hotel.dialogue.slots import StaySlot
from wavegraph.tools.hotel.records import (
    Availability,
    HolidayDates,
)
from wavegraph.tools.hotel.results import holiday_of, stay_ends

_COUNTED = re.compile(r"^\d+ nights? of ")


def counted_part(stay: StaySlot) -> bool:
    """Whether it is a number of nights of a holiday, without saying which."""
    return bool(stay.holiday and stay.part and _COUNTED.sub("", stay.label) == stay.holiday)


def stay_name(stay: StaySlot, language: str) -> str:
    """What these dates are called; empty if it is not a name."""
    if not stay.holiday:
        return say("weekend", language) if stay.kind == "weekend" else ""
    label = _COUNTED.sub("", stay.label)
    if language == "he":
        return hebrew_name(stay.holiday) if label.endswith(stay.holiday) else ""
    return (
        label
        if re.fullmatch(rf"(?:[a-z\d ]+ of )?{re.escape(stay.holiday)}(?: week| eve)?", label, re.IGNORECASE)
        else ""
    )


def named_stay(stay: Availability, results: CallResults) -> str:
    """The stay with the name the guest gave it, as a heading: `Hanukkah, Friday 4 December – …`."""
    span, name = date_text.stay(*stay_ends(stay), results.language), _name_of(stay, results)
    return say("named_stay", results.language, name=name[:1].upper() + name[1:], stay=span) if name else span


def compared_stay(stay: Availability, results: CallResults) -> str:
    """The same inside a sentence: `next weekend (Thursday 26 November – …)`."""
    span, name = date_text.stay(*stay_ends(stay), results.language), _name_of(stay, results)
    return say("compared_stay", results.language, name=name, stay=span) if name else span


def _name_of(stay: Availability, results: CallResults) -> str:
    """Where it is a part of a holiday, which of its nights."""
    slot = next((slot for slot in results.slots.stays if stay_ends(slot) == stay_ends(stay)), None)
    holiday = holiday_of(stay_ends(stay), results.records.values())
    of_holidays = any(isinstance(each, HolidayDates) for each in results.records.values())
    if slot and slot.holiday and results.by_model and holiday is None and of_holidays:
        return ""  # its nights are a model's: longer than the holiday, whatever the guest called it
    whole = holiday_name(holiday, results.language) if holiday else ""
    name = stay_name(slot, results.language) if slot else whole
    return _with_its_nights(name, stay, holiday, results.language) if holiday and name == whole else name


def _with_its_nights(name: str, stay: Availability, holiday: HolidayDates, language: str) -> str:
    if stay.nights == holiday.nights:
        return name
    first = (stay.check_in - holiday.check_in).days + 1
    nights = str(first) if stay.nights == 1 else f"{first}–{first + stay.nights - 1}"
    key = "night_of_holiday" if stay.nights == 1 else "nights_of_holiday"
    return say(key, language, name=name, nights=nights, all=holiday.nights)


def holiday_name(holiday: HolidayDates, language: str) -> str:
    return hebrew_name(holiday.name) if language == "he" else holiday.name
