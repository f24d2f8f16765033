"""What cannot be a guest's name or telephone, though it stands in the guest's words: a room's name, a date."""

from collections.abc import Iterator, Mapping
from datetime import date

from wavegraph.tools.hotel.dates import find_dates
from wavegraph.tools.hotel.profile import PropertyProfile
from wavegraph.tools.hotel.reading.normalise import fold
from wavegraph.tools.hotel.reading.rooms import name_words

LEAST_DIGITS = 6
"""Of a telephone number."""


def no_guest(given: Mapping[str, str | None], profile: PropertyProfile, today: date) -> Iterator[tuple[str, str]]:
    """Of `name` and `phone` that which is none, with why."""
    name, phone = given.get("name") or "", given.get("phone") or ""
    words = frozenset(fold(name).split())
    if words and any(words <= name_words(room) for room in profile.rooms):
        yield "name", f"{name!r} is the name of a room"
    elif any(map(str.isdigit, name)) and _has_date(name, profile, today):
        yield "name", f"{name!r} holds a date"
    if phone and _has_date(phone, profile, today):
        yield "phone", f"{phone!r} is a date"
    elif phone and sum(map(str.isdigit, phone)) < LEAST_DIGITS:
        yield "phone", f"{phone!r} is too short for a telephone number"


def _has_date(text: str, profile: PropertyProfile, today: date) -> bool:
    return bool(find_dates(text, today=today, **profile.customs))
