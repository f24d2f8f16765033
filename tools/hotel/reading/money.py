"""Reads what a guest wants to spend. Amounts are agorot; a foreign currency is named, never converted."""

import re
from typing import Literal, NamedTuple

Per = Literal["stay", "night"]


class Budget(NamedTuple):
    """The most a guest wants to pay."""

    amount_agorot: int
    """In `currency`'s hundredths."""
    per: Per
    """`stay` unless the guest said a night."""
    currency: str


_AMOUNT = r"(?P<n>\d{1,3}(?:,\d{3})+|\d+)(?P<dec>\.\d{1,2})?\s*(?P<k>k\b|thousand\b|אלף\b)?"
_WORDS = {"אלפיים": "2000", "אלף": "1000", "a thousand": "1000", "one thousand": "1000", "two thousand": "2000"}
_SIGNS = {"₪": "ILS", "$": "USD", "€": "EUR", "£": "GBP"}
_CURRENCIES = {
    "ILS": r"₪|nis\b|ils\b|shekels?\b|sheqels?\b|shekalim\b|שקל(?:ים)?\b|ש\"ח|שח\b",
    "USD": r"\$|usd\b|dollars?\b|bucks\b|דולר(?:ים)?\b",
    "EUR": r"€|eur\b|euros?\b|אירו\b|יורו\b",
    "GBP": r"£|gbp\b|pounds?\b|פאונד\b|ליש\"ט",
}
_ANY = "|".join(_CURRENCIES.values())
_CUE = (
    r"under|below|less than|up to|at most|max(?:imum)?(?: of)?|no more than|not more than|within|budget(?: (?:is|of))?|"
    r"cheaper than|cap of|spend|around|about|"
    r"עד|מתחת ל|פחות מ|לא יותר מ|מקסימום|תקציב(?: של| הוא)?|בתקציב(?: של)?|זול מ|סביב"
)
_BEFORE = re.compile(
    rf"(?:\b(?:{_CUE})[\s:-]*)(?:a |the |total |of |is )*(?P<sign>[₪$€£])?\s*{_AMOUNT}\s*(?P<cur>{_ANY})?"
)
_PLAIN = re.compile(
    rf"(?P<sign>[₪$€£])\s*{_AMOUNT}|"
    rf"{_AMOUNT.replace('<n>', '<n2>').replace('<dec>', '<dec2>').replace('<k>', '<k2>')}\s*(?P<cur>{_ANY})"
)
_AFTER = re.compile(
    rf"(?<![\d/.,-]){_AMOUNT}\s*(?:max(?:imum)?|tops|at most|or less|or under|or below|מקסימום|לכל היותר|"
    rf"או פחות|(?:per|a|/) ?night|ללילה)(?!\w)"
)
_NOT_MONEY = re.compile(
    r"\s*[-–]?\s*(?:people|persons?|guests?|adults?|kids?|child|nights?|days?|weeks?|rooms?|years?|"
    r"months?|am\b|pm\b|km\b|"
    r"min|hours?|o'clock|%|:|/|\.\d|th\b|st\b|nd\b|rd\b|לילות|ימים|אנשים|מבוגרים|ילדים|חדרים|שנים|חודשים|"
    r"שעות|דקות|נפשות|"
    r"ב?(?:ינואר|פברואר|מרץ|אפריל|מאי|יוני|יולי|אוגוסט|ספטמבר|אוקטובר|נובמבר|דצמבר))"
)
_PER_NIGHT = re.compile(r"\b(?:per|a|each|every|/)\s*night|/\s*night|\bnightly\b|ללילה|לכל לילה|כל לילה")
_SMALLEST_BARE = 100
"""A bare number below this is a count of something, not a price."""


def read_budget(text: str) -> tuple[Budget | None, list[tuple[int, int]]]:
    """The budget in folded `text`, and where its words stand. None when no amount is named as one."""
    spelled = _spelled(text)
    for pattern in (_BEFORE, _PLAIN, _AFTER):
        for found in pattern.finditer(spelled):
            if (amount := _amount(found)) and _is_money(found, spelled, amount):
                return Budget(amount, _per(spelled), _currency(found)), [found.span()]
    return None, []


def _spelled(text: str) -> str:
    """Number words as digits in the same width, so that offsets hold."""
    for word, digits in _WORDS.items():
        text = re.sub(rf"(?<!\d )(?<!\d)\b{word}\b", digits.ljust(len(word)), text)
    return text


def _amount(found: re.Match[str]) -> int:
    groups = found.groupdict()
    number = groups.get("n") or groups.get("n2") or "0"
    decimals = (groups.get("dec") or groups.get("dec2") or ".").ljust(3, "0")[1:]
    thousand = groups.get("k") or groups.get("k2")
    if thousand:
        return round(float(f"{number.replace(',', '')}.{decimals}") * 100_000)
    return int(number.replace(",", "")) * 100 + int(decimals)


def _is_money(found: re.Match[str], text: str, amount: int) -> bool:
    if _groups(found, "sign") or _groups(found, "cur"):
        return True
    return amount >= _SMALLEST_BARE * 100 and not _NOT_MONEY.match(text, found.end())


def _currency(found: re.Match[str]) -> str:
    if sign := _groups(found, "sign"):
        return _SIGNS[sign]
    word = _groups(found, "cur")
    return next((code for code, words in _CURRENCIES.items() if word and re.fullmatch(words, word)), "ILS")


def _groups(found: re.Match[str], name: str) -> str | None:
    return found.groupdict().get(name)


def _per(text: str) -> Per:
    return "night" if _PER_NIGHT.search(text) else "stay"
