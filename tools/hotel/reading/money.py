"""Reads what a guest wants to spend, in the property's currency unless one is named; nothing is converted."""

import re
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from wavegraph.tools.hotel.currency import currency_named, digits, minor, names, names_behind, number
from wavegraph.tools.hotel.reading.normalise import blank
from wavegraph.tools.hotel.records import Per


class Budget(NamedTuple):
    """The most a guest wants to pay."""

    amount_agorot: int
    """In `currency`'s smallest unit."""
    per: Per
    """`stay` unless the guest wrote a night or a person."""
    currency: str
    """`XXX`: unknown."""
    said: str = ""
    """The amount as the guest wrote it, if it is not in the property's currency."""


class Money(NamedTuple):
    """What a text says about money."""

    budget: Budget | None
    floor: str
    """The guest's minimum price, in the guest's words; it is never used."""
    spans: list[tuple[int, int]]


_GROUPS = r"\d{1,2}(?:,\d{2}){1,5},\d{3}(?:\.\d{1,2})?|\d{1,3}(?:[,.]\d{3}){1,4}(?:[,.]\d{1,3})?|\d{1,3}(?:[\s']\d{3}){1,4}(?:[,.]\d{1,2})?"
"""`1,00,000`, `1.200,50`, `1 200,50`, `1'200`."""
_AMOUNT = rf"(?P<n>{_GROUPS}|\d+(?:[,.]\d{{1,3}})?)(?!\d)(?:[.,]-+)?(?:\s*(?P<k>k\b|thousand\b|אלף\b))?"
_MONTH_DAY = r"(?:\b(?:jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec)[a-z]*\.? \d{1,2} |\bfor \d{1,2} )?"
"""Figures before an amount that are not part of it: `May 14 200 euros`."""
_WORDS = {"אלפיים": "2000", "אלף": "1000", "a thousand": "1000", "one thousand": "1000", "two thousand": "2000"}
_CUE = (
    r"under|below|less than|up to|at most|max(?:imum)?(?: of)?|no more than|not more than|within|budget(?: (?:is|of))?|"
    r"cheaper than|cap of|spend|around|about|"
    r"עד|מתחת ל|פחות מ|לא יותר מ|מקסימום|ה?תקציב(?: של| הוא| שלנו(?: הוא)?| שלי(?: הוא)?)?|בתקציב(?: של)?|זול מ|סביב"
)
_AFTER = re.compile(
    rf"(?<![\d/.,-])(?P<amount>{_AMOUNT})\s*(?:max(?:imum)?|tops|at most|or less|or under|or below|מקסימום|לכל היותר|"
    rf"או פחות|(?:per|a|/) ?night|ללילה)(?!\w)"
)
_NOT_MONEY = re.compile(
    r"\s{0,20}+(?:[-–]\s{0,20}+)?(?:of us|people|persons?|guests?|adults?|kids?|child|nights?|days?|weeks?|rooms?|years?|"
    r"months?|am\b|pm\b|km\b|met(?:er|re)s?\b|m\b|sqm\b|square\b|"
    r"min|hours?|o'clock|%|:|/|\.\d|th\b|st\b|nd\b|rd\b|לילות|ימים|אנשים|מבוגרים|ילדים|חדרים|שנים|חודשים|"
    r"שעות|דקות|נפשות|"
    r"ב?(?:ינואר|פברואר|מרץ|אפריל|מאי|יוני|יולי|אוגוסט|ספטמבר|אוקטובר|נובמבר|דצמבר))"
)
_PER_NIGHT = re.compile(
    r"\s{0,20}+(?:\b(?:per|a|each|every|/)\s*night\b|/\s*night\b|\bnightly\b|(?<![א-ת])(?:ללילה|לכל לילה|כל לילה))"
)
_PER_PERSON = re.compile(
    r"\s{0,20}+(?:\b(?:per|a|each|every|/)\s*(?:person|head|guest)\b|/\s*person\b|\bp\.?p\b\.?|"
    r"(?<![א-ת])(?:לאדם|לכל אדם|לבן אדם|לנפש|לראש|לאורח)(?![א-ת]))"
)
_FLOOR_CUE = (
    r"at least|(?<!no )(?<!not )more than|over|above|starting (?:at|from)|from|min(?:imum)?(?: of)?|upwards of|not less than|no less than|"
    r"(?<!לא )יותר מ|לפחות|מעל|החל מ|מינימום"
)
_WEAK_FLOOR = re.compile(r"from|over|above|מעל|\d")
"""Words that start a minimum price only with a currency or a night: `from 2027`, `room 200 or more` are not prices."""
_FLOOR_AFTER = r"or more|and up|and above|or above|minimum|at least|plus\b|ומעלה|לפחות|מינימום"
_SMALLEST_BARE = 100
"""A bare number below this is a count, not a price; a tenth of it for currencies with three decimals."""


_TOLD_PRICE = re.compile(
    r"(?:\b(?:saw|paid|pay|quoted|told|said|offered|got|costs?|prices? (?:was|were|of|is))|(?<![א-ת])(?:אמר(?:תם|ו|ת)|ראיתי|ראינו|שילמ[א-ת]{1,4}|קיבל[א-ת]{0,3}|"
    r"הציעו|הצעתם|ב?מחיר))(?: (?:me|us|it|at|for|about|a|לי|לנו|של)){0,4},? ?(?:ב-?)?(?P<price>(?<![\d/.,:])\d{3,5})(?![\d/:-])(?!\.\d)"
)
"""A price that was seen or told, which is no budget."""


@lru_cache(maxsize=64)
def _patterns(own: str) -> tuple[re.Pattern[str], ...]:
    """Two amounts with the lesser first, an amount with a word for a budget, one followed by its currency or a word."""
    cur, sign = f"(?P<cur>{names_behind(own)})", f"(?P<sign>{names(own)})"
    any_amount = re.sub(r"\?P<\w+>", "?:", rf"(?:{sign}\s*)?{_AMOUNT}(?:\s*(?:{cur}))?")
    money = rf"(?P<amount>(?:{sign}\s*)?{_AMOUNT}(?:\s*{cur})?)"
    patterns = (
        rf"\b(?:{_CUE}|between|from|בין|מ)[\s:-]*(?P<floor>{any_amount})\s*(?:-|to|and|עד|ל-?|ו-?)\s*{money}",
        rf"(?<![\d.,/-])(?P<floor>{any_amount})\s*(?:-|to|עד)\s*(?P<amount>(?:{sign}\s*){_AMOUNT})",
        rf"(?<![\d.,/-])(?P<floor>{any_amount})\s*(?:-|to|עד)\s*(?P<amount>{_AMOUNT}\s*(?:{cur}|(?={_PER_NIGHT.pattern})))",
        rf"(?:\b(?:{_CUE})[\s:-]*)(?:a |the |total |of |is )*{money}",
        rf"{_MONTH_DAY}(?<![\d.,])(?P<amount>{_AMOUNT}\s*{cur})",
        rf"(?<!\w)(?P<amount>{sign}\s*{_AMOUNT})",
    )
    return (*(re.compile(pattern, re.IGNORECASE) for pattern in patterns), _AFTER)


@lru_cache(maxsize=64)
def _floors(own: str) -> tuple[re.Pattern[str], ...]:
    """`at least 200 euros`, `200 euros or more`."""
    cur, sign = f"(?P<cur>{names_behind(own)})", f"(?P<sign>{names(own)})"
    money = rf"(?:{sign}\s*)?{_AMOUNT}(?:\s*{cur})?"
    return (
        re.compile(rf"(?<!\w)(?:{_FLOOR_CUE})\s*{money}", re.IGNORECASE),
        re.compile(rf"(?<![\w.,])(?:{sign}\s*)?{_AMOUNT}(?:\s*{cur})?\s*(?:{_FLOOR_AFTER})", re.IGNORECASE),
    )


def read_money(text: str, own: str = "ILS", written: str = "") -> Money:
    """What folded `text` says about money, and where.

    `own`: the property's currency, which bare numbers are in; `written`: the same text as the guest wrote it.
    """
    spelled, written = _spelled(text), written or text
    if not any(map(str.isdecimal, spelled)):  # no amount, so none of the long patterns is needed
        return Money(None, "", [])
    told = [found.span("price") for found in _TOLD_PRICE.finditer(spelled)]
    spelled = blank(spelled, told)
    floor, spans = _floor(spelled, own)
    spans += told
    spelled = blank(spelled, spans)
    for pattern in _patterns(own):
        for found in pattern.finditer(spelled):
            currency = _currency(found, own)
            amount = _amount(found["n"], found["k"], currency)
            if amount and _is_money(found, spelled, amount, currency) and _in_order(found, amount, currency):
                as_written = written[slice(*found.span("amount"))].strip() if currency != own else ""
                low = found.span("floor") if _groups(found, "floor") else floor
                budget = Budget(amount, _unit(found, spelled), currency, as_written)
                return Money(budget, written[slice(*low)].strip(), [*spans, _with_unit(found, spelled)])
    return Money(None, written[slice(*floor)].strip(), spans)


def _floor(text: str, own: str) -> tuple[tuple[int, int], list[tuple[int, int]]]:
    """Where the minimum price is; a `from` before a range is not one."""
    ranges = [found.span() for pattern in _patterns(own)[:3] for found in pattern.finditer(text)]
    for pattern in _floors(own):
        for found in pattern.finditer(text):
            currency = _currency(found, own)
            amount = _amount(found["n"], found["k"], currency)
            if any(start <= found.start() < end for start, end in ranges):
                continue
            marked = _groups(found, "sign") or _groups(found, "cur") or _PER_NIGHT.match(text, found.end())
            if not marked and _WEAK_FLOOR.match(found.group()):
                continue
            if amount and _is_money(found, text, amount, currency):
                return found.span(), [_with_unit(found, text)]
    return (0, 0), []


def _unit(found: re.Match[str], text: str) -> Per:
    is_nightly, is_each = bool(_PER_NIGHT.search(text)), bool(_PER_PERSON.search(text, found.end(), _end(found, text)))
    if is_each:
        return "person_night" if is_nightly else "person"
    return "night" if is_nightly else "stay"


def _end(found: re.Match[str], text: str) -> int:
    """Where the amount ends with the `per night` and the `per person` that follow it, in any order."""
    end = found.end()
    for unit in (_PER_NIGHT, _PER_PERSON, _PER_NIGHT):
        end = each.end() if (each := unit.match(text, end)) else end
    return end


def _with_unit(found: re.Match[str], text: str) -> tuple[int, int]:
    """The amount with what it is for, which is no length of stay and counts nobody."""
    start = found.start("floor") if _groups(found, "floor") else found.start()
    if found.re.pattern.startswith(_MONTH_DAY):
        start = found.start("amount")
    return start, _end(found, text)


def _in_order(found: re.Match[str], amount: int, currency: str) -> bool:
    """Whether the first of two amounts is the lesser, unlike `2027 - 200 euros`."""
    low = re.search(_AMOUNT, _groups(found, "floor") or "")
    return low is None or 0 < _amount(low["n"], low["k"], currency) < amount


def _spelled(text: str) -> str:
    """Number words as digits in the same width, so that offsets hold."""
    for word, figures in _WORDS.items():
        text = re.sub(rf"(?<!\d )(?<!\d)\b{word}\b", figures.ljust(len(word)), text)
    return text


def _amount(figures: str, thousands: str | None, currency: str) -> int:
    value = number(figures, currency)
    return minor(value * 1000 if thousands else value, currency)


def _is_money(found: re.Match[str], text: str, amount: int, currency: str) -> bool:
    sign, after = _groups(found, "sign") or "", _groups(found, "cur")
    if after or (sign and not sign.isalpha()) or _PER_NIGHT.match(text, found.end()):
        return True
    if sign:  # `try 5 nights` does not name liras
        return not _NOT_MONEY.match(text, found.end())
    smallest = _SMALLEST_BARE // (10 if digits(currency) == 3 else 1)
    return amount >= minor(Decimal(smallest), currency) and not _NOT_MONEY.match(text, found.end())


def _currency(found: re.Match[str], own: str) -> str:
    name = _groups(found, "sign") or _groups(found, "cur")
    return currency_named(name, own) if name else own


def _groups(found: re.Match[str], name: str) -> str | None:
    return found.groupdict().get(name)
