"""Reads by rules that somebody is away: "Ines is off sick from the 8th to the 12th".

Word by word: what it does not know leaves the sentence unread, so that nothing of it is ignored.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

VERBS = frozenset(["is", "has", "called", "calls", "reported", "reports", "will"])
AWAY = frozenset(["sick", "ill", "off", "away", "absent", "unavailable", "leave", "holiday", "vacation"])
FILLERS = frozenset(
    [
        "a",
        "an",
        "and",
        "be",
        "been",
        "from",
        "in",
        "of",
        "on",
        "out",
        "please",
        "the",
        "through",
        "to",
        "until",
        "till",
        "for",
        "by",
        "day",
        "days",
        "so",
    ]
)
UNTIL = frozenset(["until", "till"])
KNOWN = VERBS | AWAY | FILLERS
MONTHS = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)
_ISO = re.compile(r"\d{4}-\d\d-\d\d")
_NUMBER = re.compile(r"(\d{1,2})(?:st|nd|rd|th)?")
FARTHEST = 13
"""Months from today's."""
LONGEST_NAME = 6
"""Words."""


@dataclass(frozen=True)
class Absence:
    nurse: str
    """As the person calls her."""
    first: date | None
    last: date | None
    """Included; None = no day was said."""


@dataclass(frozen=True)
class _Day:
    """A day as it was said: whole, or a day of a month that may have no name."""

    on: date | None = None
    number: int = 0
    month: int | None = None


def read_absence(text: str, today: date) -> Absence | None:
    """None = the sentence says something else, or more."""
    words = [word.strip(".,;:!?") for word in text.split()]
    verb = next((place for place, word in enumerate(words) if word.casefold() in VERBS), 0)
    if not 1 <= verb <= LONGEST_NAME:
        return None
    rest = [word.casefold() for word in words[verb + 1 :] if word]
    days = _days(rest, today)
    if days is None or AWAY.isdisjoint(rest):
        return None
    first, last = _placed(days, today, is_until=not UNTIL.isdisjoint(rest))
    return Absence(" ".join(words[:verb]), first, last)


def _days(words: Sequence[str], today: date) -> list[_Day] | None:
    """The days that are said, at most two; None = a word is not known."""
    found: list[_Day] = []
    month: int | None = None
    before = ""
    for word in (word for word in words if word not in ("of", "the")):
        number = _NUMBER.fullmatch(word)
        if word in MONTHS and _NUMBER.fullmatch(before) and found[-1].month is None:
            found = [replace(day, month=day.month or MONTHS.index(word) + 1) for day in found]
        elif word in MONTHS:  # of the number that follows
            month = MONTHS.index(word) + 1
        elif number:
            found.append(_Day(number=int(number[1]), month=month))
            month = None
        elif word in ("today", "tomorrow"):
            found.append(_Day(on=today + timedelta(days=int(word == "tomorrow"))))
        elif (on := _iso(word)) is not None:
            found.append(_Day(on=on))
        elif word not in KNOWN:
            return None
        before = word
    return found if len(found) <= 2 else None


def _iso(word: str) -> date | None:
    try:
        return date.fromisoformat(word) if _ISO.fullmatch(word) else None
    except ValueError:
        return None


def _placed(days: Sequence[_Day], today: date, *, is_until: bool) -> tuple[date | None, date | None]:
    """The first such days of which the last is not over yet."""
    if not days:
        return None, None
    if len(days) == 1 and is_until:
        days = [_Day(on=today), *days]
    for months in range(-1, FARTHEST):
        first = _on(days[0], today, months)
        last = _last(days[-1], first) if first else None
        if last and (last >= today or days[-1].on):
            return first, last
    return None, None


def _last(day: _Day, first: date) -> date | None:
    """The next such day from the first one on; without a month's name, in the same month or the next."""
    later = (_on(day, first, months) for months in range(2 if day.month is None else 12))
    return next((on for on in later if on and on >= first), None)


def _on(day: _Day, about: date, months: int) -> date | None:
    """A day of a month, so many months after the one of `about`; one with a name is looked for among them."""
    if day.on is not None:
        return day.on
    count = about.year * 12 + about.month - 1 + months
    if day.month is not None and day.month != count % 12 + 1:
        return None
    try:
        return date(count // 12, count % 12 + 1, day.number)
    except ValueError:
        return None
