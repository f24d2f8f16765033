"""The words in which figures, days and currencies are written, in English and Hebrew, and what they mean."""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

_COUNTED = {
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
_ORDERED = {
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
"""`One` and `first` are no figures: too often they mean something else."""


def _by_word(table: Mapping[int, str]) -> dict[str, int]:
    return {word: value for value, words in table.items() for word in words.split()}


COUNTED, ORDERED = _by_word(_COUNTED), _by_word(_ORDERED)
MONTHS = (
    "January February March April May June July August September October November December",
    "Jan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec",
    "ינואר פברואר מרץ אפריל מאי יוני יולי אוגוסט ספטמבר אוקטובר נובמבר דצמבר",
)
MONTH_OF = {word: n for words in MONTHS for n, word in enumerate(words.split(), 1)} | {"Sep": 9}
WEEKDAYS = (
    "monday tuesday wednesday thursday friday saturday sunday",
    "mon tue wed thu fri sat sun",
    "שני שלישי רביעי חמישי שישי שבת ראשון",
)
WEEKDAY_OF = {word: n for words in WEEKDAYS for n, word in enumerate(words.split())}
CURRENCIES = {
    "EUR": "€ eur euro euros אירו יורו",
    "USD": "$ usd dollar dollars דולר דולרים",
    "GBP": "£ gbp pound pounds פאונד",
    "ILS": '₪ ils nis shekel shekels ש"ח ש״ח שח שקל שקלים',
    "JPY": "¥ jpy yen ין",
    "CHF": "chf francs פרנק",
    "INR": "₹ inr rupee rupees",
    "RUB": "₽ rub rouble roubles ruble rubles רובל",
}
CURRENCY_OF = {word: code for code, words in CURRENCIES.items() for word in words.split()}
_ALWAYS = """
    the a an and or but if in on at to of for from by with as is are was it its this that these those there here we you i he
    she they your our my his her their no not yes please all any both each what when where which who how why so then also
    mr mrs ms am pm ok
"""
ALWAYS = frozenset(_ALWAYS.split())
"""Words that name nobody, with a capital too."""
_GERMAN = "der das dem den ein eine einen einem und ist sind nicht für auf es gibt wir ich sie ihr ihnen kostet"
GERMAN = frozenset(_GERMAN.split())
"""Words that tell a German text from others."""
TITLES = "מר גברת גב׳ גב' ד״ר ד\"ר פרופ׳ פרופ' הרב רחוב רח׳ רח' שדרות כיכר"
"""Behind these a name follows, in a script without capitals."""
_TOKEN = re.compile(r"[^\W\d_]+")
_ENGLISH_NUMBERS = frozenset(word for word in (*COUNTED, *ORDERED) if word.isascii())
_HEBREW_PREFIXES = "ובלמהכש"


class Spelled(NamedTuple):
    """A number written in words: where, and in digits."""

    start: int
    end: int
    digits: str


def spelled_numbers(text: str) -> Iterator[Spelled]:
    """The numbers that a text holds in words, an ordinal as `2th`."""
    if text.isascii() and _ENGLISH_NUMBERS.isdisjoint(_TOKEN.findall(text.casefold())):
        return
    run: list[tuple[int, int]] = []
    total = current = 0
    for found in _TOKEN.finditer(text):
        word = found[0].casefold()
        if (_is_day(text, found.start(), word)) or (value := _meant(word, COUNTED)) is None:
            if (place := _meant(word, ORDERED)) is not None and not _is_day(text, found.start(), word):
                yield Spelled(found.start(), found.end(), f"{place}th")
            continue
        joined = bool(run) and text[run[-1][1] : found.start()].strip(" -") in ("", "and")
        if not (joined and _goes_on(current, value)):
            if run:
                yield Spelled(run[0][0], run[-1][1], str(total + current))
            run, total, current = [], 0, 0
        run.append(found.span())
        if value >= 1000:
            total, current = total + max(current, 1) * value, 0
        else:
            current = max(current, 1) * value if value == 100 else current + value
    if run:
        yield Spelled(run[0][0], run[-1][1], str(total + current))


def _meant(word: str, table: Mapping[str, int]) -> int | None:
    """A word's value, in Hebrew with up to two prefixes."""
    for front in range(3):
        if (value := table.get(word[front:])) is not None:
            return value
        if word[front : front + 1] not in tuple(_HEBREW_PREFIXES):
            break
    return None


def _is_day(text: str, at: int, word: str) -> bool:
    """Whether a Hebrew number is a day of the week: "the second day" is Monday."""
    return "א" <= word[0] <= "ת" and text[max(0, at - 6) : at].rstrip(" -־").endswith(("יום", "ימי"))


def _goes_on(current: int, value: int) -> bool:
    """Whether a number goes on with this one: `forty` with `two`, `two` with `hundred`."""
    if value >= 100:
        return value in (100, 1000, 1_000_000)
    if value == 10:  # in Hebrew: three ten
        return current % 100 == 0 or current % 100 < 10
    return current % 100 == 0 or (value < 10 and current % 10 == 0 and current % 100 >= 20)
