"""The words in which figures, days and currencies are written, in English and Hebrew, and what they mean."""

import re
from collections.abc import Iterator, Mapping
from typing import TypeVar

_T = TypeVar("_T")


def _by_word(table: Mapping[_T, str]) -> dict[str, _T]:
    return {word: value for value, words in table.items() for word in words.split()}


def _numbered(*languages: str) -> dict[str, int]:
    return {word: n for words in languages for n, word in enumerate(words.split(), 1)}


_COUNTED = _by_word(
    {
        0: "zero אפס",
        2: "two twice couple pair שתיים שניים שתי שני זוג פעמיים יומיים שבועיים חודשיים שעתיים שנתיים",
        3: "three thrice שלוש שלושה שלושת",
        4: "four ארבע ארבעה ארבעת",
        5: "five חמש חמישה חמשת",
        6: "six שש שישה ששה ששת",
        7: "seven שבע שבעה שבעת",
        8: "eight שמונה שמונת",
        9: "nine תשע תשעה תשעת",
        10: "ten עשר עשרה עשרת",
        11: "eleven",
        12: "twelve dozen תריסר",
        13: "thirteen",
        14: "fourteen",
        15: "fifteen",
        16: "sixteen",
        17: "seventeen",
        18: "eighteen",
        19: "nineteen",
        20: "twenty עשרים",
        30: "thirty שלושים",
        40: "forty ארבעים",
        50: "fifty חמישים",
        60: "sixty שישים",
        70: "seventy שבעים",
        80: "eighty שמונים",
        90: "ninety תשעים",
        100: "hundred hundreds מאה מאות",
        200: "מאתיים",
        1000: "thousand thousands אלף אלפים אלפי",
        2000: "אלפיים",
        1_000_000: "million millions מיליון מיליוני",
    }
)
_ORDERED = _by_word(
    {
        2: "second שנייה שניה",
        3: "third שלישי שלישית",
        4: "fourth רביעי רביעית",
        5: "fifth חמישי חמישית",
        6: "sixth שישי שישית",
        7: "seventh שביעי שביעית",
        8: "eighth שמיני שמינית",
        9: "ninth תשיעי תשיעית",
        10: "tenth עשירי עשירית",
    }
)
"""`One` and `first` are no figures: too often they mean something else."""
MONTH_OF = {
    **_numbered(
        "January February March April May June July August September October November December",
        "Jan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec",
        "ינואר פברואר מרץ אפריל מאי יוני יולי אוגוסט ספטמבר אוקטובר נובמבר דצמבר",
    ),
    "Sep": 9,
}
WEEKDAY_OF = _numbered(
    "monday tuesday wednesday thursday friday saturday sunday",
    "mon tue wed thu fri sat sun",
    "שני שלישי רביעי חמישי שישי שבת ראשון",
)
CURRENCY_OF = _by_word(
    {
        "EUR": "€ eur euro euros אירו יורו",
        "USD": "$ usd dollar dollars דולר דולרים",
        "GBP": "£ gbp pound pounds פאונד",
        "ILS": '₪ ils nis shekel shekels ש"ח ש״ח שח שקל שקלים',
        "JPY": "¥ jpy yen ין",
        "CHF": "chf francs פרנק",
        "INR": "₹ inr rupee rupees",
        "RUB": "₽ rub rouble roubles ruble rubles רובל",
    }
)
_ALWAYS = """
    the a an and or but if in on at to of for from by with as is are was it its this that these those there here we you i he
    she they your our my his her their no not yes please all any both each what when where which who how why so then also
    mr mrs ms am pm ok
"""
_GERMAN = "der das dem den ein eine einen einem und ist sind nicht für auf es gibt wir ich sie ihr ihnen kostet"
ALWAYS, GERMAN = frozenset(_ALWAYS.split()), frozenset(_GERMAN.split())
"""Words that name nobody, with a capital too; words that tell a German text from others."""
TITLES = "מר גברת גב׳ גב' ד״ר ד\"ר פרופ׳ פרופ' הרב רחוב רח׳ רח' שדרות כיכר"
"""Behind these a name follows, in a script without capitals."""
_NUMBER_WORD = re.compile(
    r"(?<![^\W\d_])(?<!יום[ ־-])(?<!ימי[ ־-])[ובלמהכש]{0,2}?(?P<word>"
    + "|".join({**_COUNTED, **_ORDERED})
    + r")(?![^\W\d_])",
    re.IGNORECASE,
)
"""In Hebrew with up to two prefixes; "the second day" is Monday there, no number."""


def spelled_numbers(text: str) -> Iterator[tuple[int, int, str]]:
    """The numbers that a text holds in words: from where to where, and in digits, an ordinal as `2-th`."""
    start = end = -1
    total = current = 0
    for found in _NUMBER_WORD.finditer(text):
        word = found["word"].casefold()
        value = _COUNTED.get(word, 0)
        joined = start >= 0 and word in _COUNTED and text[end : found.start()].strip(" -") in ("", "and")
        if start >= 0 and not (joined and _goes_on(current, value)):
            yield start, end, str(total + current)
            start, total, current = -1, 0, 0
        if word in _ORDERED:
            yield *found.span(), f"{_ORDERED[word]}-th"
            continue
        start, end = found.start() if start < 0 else start, found.end()
        if value >= 1000:
            total, current = total + max(current, 1) * value, 0
        else:
            current = max(current, 1) * value if value == 100 else current + value
    if start >= 0:
        yield start, end, str(total + current)


def _goes_on(current: int, value: int) -> bool:
    """Whether a number goes on with this one: `forty` with `two`, `two` with `hundred`."""
    if value >= 100:
        return value in (100, 1000, 1_000_000)
    if value == 10:  # in Hebrew: three ten
        return current % 100 < 10
    return current % 100 == 0 or (value < 10 and current % 10 == 0 and current % 100 >= 20)
