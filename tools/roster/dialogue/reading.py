"""Reads a request by rules: which ward, which days, and whether it asks for more than that.

Wishes about people ("Ivan can't work nights") are not read here: a model turns them into typed changes, and without a
model they belong in the ward file. Nothing is ignored silently: the agent asks about words that it cannot read.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from wavegraph.tools.roster.ward.ward import MOST_DAYS

_DATE = re.compile(r"\b(\d{4}-\d\d-\d\d)\b")
_LENGTH = re.compile(r"\b(\d{1,3}|one|two|three|four|six|eight|a)[ -]?(day|week|month)s?\b", re.IGNORECASE)
_NEXT_WEEK = re.compile(r"\b(?:next|coming) week\b", re.IGNORECASE)
_NUMBERS = {"a": 1, "one": 1, "two": 2, "three": 3, "four": 4, "six": 6, "eight": 8}
_DAYS = {"day": 1, "week": 7, "month": 28}
_WISH = re.compile(
    r"\b(can'?t|cannot|can ?not|unable|don'?t|not|never|apart|together|off|avoid|prefer\w*|wants?|would like|must|"
    r"only|without|except|lock\w*|swap|sick|ill|leave|away|vacation|instead|more|fewer|less)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_PLAIN = """
a again all an and at begin beginning begins can coming could create day days do duty first for from generate get
give good hello hi i in is it let's lets make making me month my need needed new next now nurse nurses of on our
period plan planning please prepare roster roster's rosters rota rotas s schedule scheduling shift shifts solve
staff start starting starts thank thanks that the then this through till to until up us ward week week's weeks work
working you
"""
"""Words that do not change which roster is asked for."""
_KNOWN = frozenset(_PLAIN.split())
_TASK = re.compile(
    r"\b(roster|rota|rotas|rosters|schedul\w*|generat\w*|plan\w*|shifts?|mak\w*|creat\w*|build|solve|week|weeks)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class ReadRequest:
    is_task: bool
    """Whether it asks for a roster."""
    ward: str | None
    start: date | None
    days: int | None
    wish: str | None
    """The first word that asks for something about people."""
    unread: str | None
    """The first other word, or length, that the rules do not know."""
    bad_date: str | None


ORDERED = ReadRequest(is_task=True, ward=None, start=None, days=None, wish=None, unread=None, bad_date=None)
"""A request that the settings define; its words are not read."""


def read(text: str, *, wards: Sequence[str], next_monday: date) -> ReadRequest:
    """The longest of several names is the ward; words inside it (`night-off`, `two weeks`) are not read."""
    ward = next((name for name in sorted(wards, key=len, reverse=True) if _named(name).search(text)), None)
    text = _named(ward).sub(" ", text) if ward else text
    dates = [_as_date(found) for found in _DATE.findall(text)]
    next_week = bool(_NEXT_WEEK.search(text))
    good = [day for day in dates if day is not None]
    start = good[0] if good else next_monday if next_week else None
    days = (good[1] - good[0]).days + 1 if len(good) > 1 and good[1] >= good[0] else _length(text)
    rest = _NEXT_WEEK.sub(" ", _DATE.sub(" ", _LENGTH.sub(" ", text)))
    wish = _WISH.search(rest)
    return ReadRequest(
        is_task=bool(_TASK.search(text)) or ward is not None,
        ward=ward,
        start=start,
        days=days if days is not None else 7 if next_week else None,
        wish=wish.group(0) if wish else None,
        unread=next((word for word in _WORD.findall(rest) if word.casefold() not in _KNOWN), None)
        or _too_long(days, text),
        bad_date=next((found for found, day in zip(_DATE.findall(text), dates, strict=True) if day is None), None),
    )


def _named(ward: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(ward)}(?!\w)", re.IGNORECASE)


def _as_date(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _too_long(days: int | None, text: str) -> str | None:
    found = _LENGTH.search(text)
    return found.group(0) if found and days is not None and not 1 <= days <= MOST_DAYS else None


def _length(text: str) -> int | None:
    if (found := _LENGTH.search(text)) is None:
        return None
    count, unit = found.group(1).casefold(), found.group(2).casefold()
    return (_NUMBERS.get(count) or int(count)) * _DAYS[unit]
