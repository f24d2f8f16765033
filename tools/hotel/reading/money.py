"""Reads what a guest wants to spend, in the house's currency where none is named; a foreign one is never converted."""

import re
from decimal import Decimal
from functools import lru_cache
from typing import Literal, NamedTuple

from wavegraph.tools.hotel.currency import currency_named, digits, minor, names, number

Per = Literal["stay", "night"]


class Budget(NamedTuple):
    """The most a guest wants to pay."""

    amount_agorot: int
    """In `currency`'s smallest unit."""
    per: Per
    """`stay` unless the guest said a night."""
    currency: str


_AMOUNT = r"(?P<n>\d{1,3}(?:[,.]\d{3})+(?:[,.]\d{1,3})?|\d+(?:[,.]\d{1,3})?)(?!\d)\s*(?P<k>k\b|thousand\b|אלף\b)?"
_WORDS = {"אלפיים": "2000", "אלף": "1000", "a thousand": "1000", "one thousand": "1000", "two thousand": "2000"}
_CUE = (
    r"under|below|less than|up to|at most|max(?:imum)?(?: of)?|no more than|not more than|within|budget(?: (?:is|of))?|"
    r"cheaper than|cap of|spend|around|about|"
    r"עד|מתחת ל|פחות מ|לא יותר מ|מקסימום|תקציב(?: של| הוא)?|בתקציב(?: של)?|זול מ|סביב"
)
_AFTER = re.compile(
    rf"(?<![\d/.,-]){_AMOUNT}\s*(?:max(?:imum)?|tops|at most|or less|or under|or below|מקסימום|לכל היותר|"
    rf"או פחות|(?:per|a|/) ?night|ללילה)(?!\w)"
)
_NOT_MONEY = re.compile(
    r"\s*[-–]?\s*(?:of us|people|persons?|guests?|adults?|kids?|child|nights?|days?|weeks?|rooms?|years?|"
    r"months?|am\b|pm\b|km\b|"
    r"min|hours?|o'clock|%|:|/|\.\d|th\b|st\b|nd\b|rd\b|לילות|ימים|אנשים|מבוגרים|ילדים|חדרים|שנים|חודשים|"
    r"שעות|דקות|נפשות|"
    r"ב?(?:ינואר|פברואר|מרץ|אפריל|מאי|יוני|יולי|אוגוסט|ספטמבר|אוקטובר|נובמבר|דצמבר))"
)
_PER_NIGHT = re.compile(r"\s*\b(?:per|a|each|every|/)\s*night|/\s*night|\bnightly\b|ללילה|לכל לילה|כל לילה")
_SMALLEST_BARE = 100
"""A bare number below this is a count of something, not a price; a tenth of it where a unit is worth ten times more."""


@lru_cache(maxsize=64)
def _patterns(own: str) -> tuple[re.Pattern[str], ...]:
    """An amount with a word that makes it a budget, an amount with its currency, and one with a word behind it."""
    cur, sign = f"(?P<cur>{names(own)})", f"(?P<sign>{names(own)})"
    return (
        re.compile(
            rf"(?:\b(?:{_CUE})[\s:-]*)(?:a |the |total |of |is )*(?:{sign}\s*)?{_AMOUNT}\s*{cur}?", re.IGNORECASE
        ),
        re.compile(rf"(?<![\d.,]){_AMOUNT}\s*{cur}", re.IGNORECASE),
        re.compile(rf"(?<!\w){sign}\s*{_AMOUNT}", re.IGNORECASE),
        _AFTER,
    )


def read_budget(text: str, own: str = "ILS") -> tuple[Budget | None, list[tuple[int, int]]]:
    """The budget in folded `text`, and where its words stand. None when no amount is named as one.

    `own`: the house's currency, which a bare number is taken to be in.
    """
    spelled = _spelled(text)
    for pattern in _patterns(own):
        for found in pattern.finditer(spelled):
            currency = _currency(found, own)
            if (amount := _amount(found, currency)) and _is_money(found, spelled, amount, currency):
                return Budget(amount, _per(spelled), currency), [found.span()]
    return None, []


def _spelled(text: str) -> str:
    """Number words as digits in the same width, so that offsets hold."""
    for word, figures in _WORDS.items():
        text = re.sub(rf"(?<!\d )(?<!\d)\b{word}\b", figures.ljust(len(word)), text)
    return text


def _amount(found: re.Match[str], currency: str) -> int:
    value = number(found["n"], currency)
    return minor(value * 1000 if found["k"] else value, currency)


def _is_money(found: re.Match[str], text: str, amount: int, currency: str) -> bool:
    sign, after = _groups(found, "sign") or "", _groups(found, "cur")
    if after or (sign and not sign.isalpha()) or _PER_NIGHT.match(text, found.end()):
        return True
    if sign:  # `try 5 nights` names no liras
        return not _NOT_MONEY.match(text, found.end())
    smallest = _SMALLEST_BARE // (10 if digits(currency) == 3 else 1)
    return amount >= minor(Decimal(smallest), currency) and not _NOT_MONEY.match(text, found.end())


def _currency(found: re.Match[str], own: str) -> str:
    name = _groups(found, "sign") or _groups(found, "cur")
    return currency_named(name, own) if name else own


def _groups(found: re.Match[str], name: str) -> str | None:
    return found.groupdict().get(name)


def _per(text: str) -> Per:
    return "night" if _PER_NIGHT.search(text) else "stay"
