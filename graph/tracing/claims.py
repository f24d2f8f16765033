"""The claims of a text, what of it can be looked up: figures, times, dates, currencies, addresses, codes and names.

Read alike in an answer and in its sources; in English and Hebrew words, and in the figures of any language.
"""

import re
import unicodedata
from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import partial
from typing import NamedTuple, TypeAlias

from wavegraph.graph.rewriting import rewritten
from wavegraph.graph.tracing.words import ALWAYS, CURRENCY_OF, GERMAN, MONTH_OF, TITLES, WEEKDAY_OF, spelled_numbers

Value: TypeAlias = tuple[str, Hashable]
"""Its kind, and what it is of it: `("time", 495)` in minutes, `("date", (2026, 12, 4, None))` with None for what is open."""


class Claim(NamedTuple):
    text: str
    """As written."""
    values: Sequence[Value]
    """What it may mean, the likeliest first; one of them in a source is enough."""

    @property
    def kind(self) -> str:
        return self.values[0][0]


def claims_in(text: str, *, names: bool = True) -> list[Claim]:
    """`names`: with the proper names."""
    in_digits = rewritten(text, spelled_numbers(text))
    rest = in_digits.text
    found: list[tuple[int, Claim]] = []

    def take(read: _Reader, match: re.Match[str]) -> str:
        """What is left of a match for the readers behind this one."""
        if (meanings := read(match)) is None:
            return match[0]
        written = text[in_digits.starts[match.start()] : in_digits.ends[match.end() - 1]].strip(" ,")
        found.extend((match.start(), Claim(written, values)) for values in meanings)
        return "\x00" * len(match[0])

    for pattern, read in _READERS:
        rest = pattern.sub(partial(take, read), rest)
    if names:
        found += [(at, Claim(name, [("name", form) for form in _forms(name)])) for at, name in _names(rest)]
    return [claim for _, claim in sorted(found, key=lambda pair: pair[0])]


_Reader: TypeAlias = Callable[[re.Match[str]], Sequence[Sequence[Value]] | None]
"""The values of each claim that a match holds; None = it is for another reader."""


_ITEM = re.compile(r"(?<![^\n])[ \t]*\d{1,2}[.)](?=\s)")
_LINK = re.compile(
    r"(?<![\w.+%-])[\w.+%-]+@[\w-]+(?:\.[\w-]+)+|(?:https?://|(?<!\w)www\.)[^\s<>\"')\]\x00]+|"
    r"(?<![\w.@/-])(?!\d+\.)[\w-]{2,}(?:\.[\w-]+)*\.(?-i:[a-z]{2,})(?![\w-]|\.\w)(?:/[^\s<>\"')\]\x00]*)?",
    re.IGNORECASE,
)
_FORE = re.compile(r"^(?:https?://)?(?:www\.)?")

_ISO = re.compile(r"(?<!\d)(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?|(?!\d))")
_DMY = re.compile(r"(?<![\d.,/-])(\d{1,2})(?:([./-])(\d{1,2})\2(\d{4}|\d\d)(?![\d/-])|/(\d{1,2})(?![\d/]))")


def _iso(found: re.Match[str]) -> list[Sequence[Value]]:
    day = [_day(int(found[1]), int(found[2]), int(found[3]))]
    return [day, [("time", 60 * int(found[4]) + int(found[5]))]] if found[4] else [day]


def _dmy(found: re.Match[str]) -> list[Sequence[Value]] | None:
    one, two = int(found[1]), int(found[3] or found[5])
    if not (1 <= min(one, two) <= 12 and max(one, two) <= 31):
        return None
    year = int(found[4] if len(found[4]) > 2 else f"20{found[4]}") if found[4] else None
    return [[_day(year, two, one), _day(year, one, two)]]


def _day(year: int | None, month: int, day: int, weekday: int | None = None) -> Value:
    return "date", (year, month, day, weekday)


_EN_MONTH, _HE_MONTH = ("|".join(word for word in MONTH_OF if word.isascii() is english) for english in (True, False))
_EN_DAY, _HE_DAY = ("|".join(word for word in WEEKDAY_OF if word.isascii() is english) for english in (True, False))
_WITH_DAY = (
    rf"(?:(?<!\w)ב?(?P<day>(?i:{_EN_DAY})|יום\s{{1,3}}(?:{_HE_DAY})|שבת)\.?,?\s{{1,3}}(?:the\s{{1,3}}|ה-?\s{{0,3}})?)?"
)
_NTH = r"(?:-?(?:st|nd|rd|th))?"
_DAYS = rf"(?P<d1>\d{{1,2}}){_NTH}(?:\s{{0,3}}(?:-|–|to|and|עד)\s{{0,3}}(?P<d2>\d{{1,2}}){_NTH})?"
_DAY_MONTH = re.compile(
    rf"{_WITH_DAY}(?<!\d){_DAYS}\s{{1,3}}(?:of\s{{1,3}})?(?P<m>(?:{_EN_MONTH})(?!\w)|ב?(?:{_HE_MONTH})(?!\w))"
    r"\.?(?:,?\s{1,3}(?P<y>\d{4})(?!\d))?"
)
_MONTH_DAY = re.compile(
    rf"{_WITH_DAY}(?<!\w)(?P<m>{_EN_MONTH})\.?\s{{1,3}}{_DAYS}(?!\d|:\d)(?:,?\s{{1,3}}(?P<y>\d{{4}})(?!\d))?"
)


def _date(found: re.Match[str]) -> list[Sequence[Value]]:
    month, year = MONTH_OF[found["m"].removeprefix("ב")], int(found["y"]) if found["y"] else None
    weekday = WEEKDAY_OF[found["day"].casefold().split()[-1]] if found["day"] else None
    first = [_day(year, month, int(found["d1"]), weekday)]
    return [first, [_day(year, month, int(found["d2"]))]] if found["d2"] else [first]


_PHONE = re.compile(r"(?<![\w.,:])[+(]?\d(?:[ ()/.-]{0,2}\d){6,14}(?![\d:])")


def _phone(found: re.Match[str]) -> list[Sequence[Value]] | None:
    if not (found[0][0] in "+(0" or "-" in found[0]):
        return None
    digits = re.sub(r"\D", "", found[0])
    longest_country_code = 3 if found[0][0] == "+" else 0
    return [[("phone", digits[n:].lstrip("0")) for n in range(longest_country_code + 1)]]


_PART = (
    r"(?P<am>a\.m\.|am\b|in the morning|בבוקר)|(?P<pm>p\.m\.|pm\b|in the (?:afternoon|evening)|בצהריים|אחר[ -]הצהריים|בערב)|"
    r"(?P<night>at night|בלילה)"
)
_TIME = re.compile(
    r"(?<![\d:+.,\w])(?P<before>(?:at|from|until|till|by|בשעה|[ובלמ]?שעה) )?[ובלמהכש]{0,2}[־-]?"
    r"(?:(?:a )?(?P<past>half|quarter|\d{1,2}(?: minutes?)?) (?P<way>past|to) )?"
    r"(?P<h>\d{1,2})(?:(?P<sign>[:h.])(?P<m>\d\d)(?::\d\d)?|(?P<more> וחצי| ורבע))?(?![\d:]|[.,/]\d)(?P<clock> ?o['’]clock)?"
    rf"(?P<part>,? ?(?:{_PART}))?",
    re.IGNORECASE,
)
_MINUTES = {"half": 30, "quarter": 15, " וחצי": 30, " ורבע": 15}


def _time(found: re.Match[str]) -> list[Sequence[Value]] | None:
    """A number behind `at` may be one: `at 14 Harbour Street`."""
    hour, minute = int(found["h"]), int(found["m"] or 0)
    in_words = bool(found["past"] or found["more"] or found["clock"] or found["part"])
    is_time = in_words or found["sign"] in (":", "h", "H")
    if hour > 24 or minute > 59 or not (is_time or found["before"]) or (found["sign"] == "." and not found["part"]):
        return None
    minutes = 60 * hour + minute + _MINUTES.get(found["more"] or "", 0)
    if past := found["past"]:
        shift = _MINUTES.get(past.casefold()) or int(past.split()[0])
        minutes += shift if found["way"].casefold() == "past" else -shift
    halves = [minutes % 720, minutes % 720 + 720]
    if found["sign"] == ":" and not in_words:
        halves = [minutes]
    halves = halves[:1] if found["am"] else halves[1:] if found["pm"] else halves
    times: list[Value] = [("time", each) for each in halves]
    return [times if is_time else [("number", float(hour)), *times]]


_NUMBER = r"\d[\d,.]*\d|\d"
_SHARE = re.compile(rf"(?<![\d.,])({_NUMBER})\s{{0,3}}(?:%|(?i:percent|per cent)(?!\w)|אחוז(?:ים)?(?!\w))")


_HALF: Sequence[Value] = [("share", 50.0), ("number", 0.5), ("number", 30.0)]
_QUARTER: Sequence[Value] = [("share", 25.0), ("number", 0.25), ("number", 15.0)]
_MIDNIGHT: Sequence[Value] = [("time", 0), ("time", 1440)]
_ENGLISH: dict[str, Sequence[Value]] = {
    "tomorrow": [("day", 1)], "yesterday": [("day", -1)], "noon": [("time", 720)], "midday": [("time", 720)],
    "midnight": _MIDNIGHT, "half": _HALF, "quarter": _QUARTER,
}  # fmt: skip
_HEBREW: dict[str, Sequence[Value]] = {
    "מחר": [("day", 1)], "אתמול": [("day", -1)], "חצות": _MIDNIGHT, "חצי": _HALF, "רבע": _QUARTER,
    "שבת": [("weekday", WEEKDAY_OF["שבת"])],
    **{word: [("month", n)] for word, n in MONTH_OF.items() if not word.isascii()},
}  # fmt: skip
_MONTHS = {word: n for word, n in MONTH_OF.items() if word.isascii() and len(word) > 3 and word != "March"}
_WEEKDAYS = {word: n for word, n in WEEKDAY_OF.items() if word.endswith("day")}
_MEANING: dict[str, Sequence[Value]] = {
    **{word: [("currency", code)] for word, code in CURRENCY_OF.items()},
    **{f"יום {word}": [("weekday", n)] for word, n in WEEKDAY_OF.items()},
    **{word.casefold(): [("month", n)] for word, n in _MONTHS.items()},
    **{word + end: [("weekday", n)] for word, n in _WEEKDAYS.items() for end in ("", "s")},
    **_ENGLISH,
    **_HEBREW,
}
_WORDS = re.compile(
    rf"[{''.join(word for word in CURRENCY_OF if len(word) == 1)}]|"
    rf"(?<![^\W\d_])(?i:{'|'.join(word for word in CURRENCY_OF if len(word) > 1)})(?![^\W\d_])|"
    rf"(?<!\w)(?:(?i:{'|'.join([*_ENGLISH, *(f'{word}s?' for word in _WEEKDAYS)])})|{'|'.join(_MONTHS)})(?!\w)|"
    rf"(?:יום|ימי)\s{{1,3}}(?P<day>{_HE_DAY})(?!\w)|(?<!\w)[ובלמהכש]{{0,3}}?(?P<he>{'|'.join(_HEBREW)})(?!\w)"
)


_CODE = re.compile(r"(?<![\w-])(?=[A-Z]+[\d-])[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)*(?![\w-])")
_ORDER = re.compile(r"(?<![\d.,])(\d+)(?:st|nd|rd|th)(?!\w)")
_HYPHENED = re.compile(r"(?<![\d.,])(\d+)-(?:st|nd|rd|th)(?!\w)")
"""With a hyphen no day of a month."""
_FIGURE = re.compile(_NUMBER)


def bare(text: str) -> str:
    """Its letters and digits alone, folded."""
    return re.sub(r"[\W_]+", "", folded(text))


def _figure(found: re.Match[str]) -> list[Sequence[Value]]:
    values: list[Value] = [("number", value) for value in values_of(found[0])]
    day = re.fullmatch(r"(\d{1,2})\.(\d{1,2})", found[0])
    return [[*values, _day(None, int(day[2]), int(day[1]))] if day else values]


def values_of(text: str) -> list[float]:
    """What a figure may be: `1,250` a thousand and more, `64,50` with a comma for its point; a date or a version is its
    digits as one number."""
    *front, last = re.split(r"[,.]", text)
    signs, whole = re.sub(r"\d", "", text), float("".join([*front, last]))
    if not signs or signs.count(signs[-1]) > 1:
        return [whole]
    decimal = float(f"{''.join(front)}.{last}")
    if len(signs) > 1 or len(last) != 3:
        return [decimal]
    return [whole] if signs == "," else [decimal, whole]


_READERS: Sequence[tuple[re.Pattern[str], _Reader]] = (
    (_ITEM, lambda found: []),  # the number of a list's item states nothing
    (_LINK, lambda found: [[("link", _FORE.sub("", found[0].rstrip(".,;:!?").casefold()).rstrip("/"))]]),
    (_ISO, _iso),
    (_DAY_MONTH, _date),
    (_MONTH_DAY, _date),
    (_DMY, _dmy),
    (_PHONE, _phone),
    (_SHARE, lambda found: [[("share", value) for value in values_of(found[1])]]),
    (_TIME, _time),
    (_WORDS, lambda found: [_MEANING[f"יום {found['day']}" if found["day"] else found["he"] or found[0].casefold()]]),
    (_CODE, lambda found: [[("code", bare(found[0]))]]),
    (_HYPHENED, lambda found: [[(kind, float(found[1])) for kind in ("order", "number")]]),
    (_ORDER, lambda found: [[(kind, float(found[1])) for kind in ("order", "number", "day of month")]]),
    (_FIGURE, _figure),
)
"""In this order: each leaves to the next what it did not read."""


def folded(text: str) -> str:
    """A word without case and accents."""
    if text.isascii():
        return text.casefold()
    return "".join(c for c in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(c))


_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_OPENING = re.compile(r"[\n.!?…¿¡][^\w:\n.!?…¿¡]*\Z")
"""What stands before the first word of a sentence or a line."""
_SHORT = re.compile(r"(?<!\w)(?:Dr|St|Mr|Mrs|Ms|Prof|Ave|Mt)\.\s{0,3}\Z")
_TITLED = re.compile(rf"(?<!\w)[ובלמהכש]{{0,2}}(?:{'|'.join(map(re.escape, TITLES.split()))})\s{{1,3}}([^\W\d_]+)")


def _names(text: str) -> Iterator[tuple[int, str]]:
    """Words that name something: with a capital inside a sentence; of Latin letters among others; behind a title."""
    for found in _TITLED.finditer(text):
        yield found.start(1), found[1]
    letters = re.sub(r"[\W\d_]+", "", text)
    is_foreign = 2 * sum(c < "ɐ" for c in letters) < len(letters)
    words = [found.casefold() for found in _WORD.findall(text)]
    # in German every noun has a capital
    is_german = sum(word in GERMAN for word in words) > sum(word in ALWAYS for word in words)
    end = 0
    for found in _WORD.finditer(text):
        name = re.sub(r"['’](?:s|m|ll|d|ve|re)?$", "", found[0])
        between = text[end : found.start()] if end else f"\n{text[: found.start()]}"
        opens = _OPENING.search(between) and not _SHORT.search(text[max(0, found.start() - 8) : found.start()])
        has_capital = (name[0].isupper() and not is_german) or any(c.isupper() for c in name[1:])
        end = found.end()
        is_name = (has_capital and not opens) or (is_foreign and name[0] < "ɐ")
        if is_name and len(name) > 1 and name.casefold() not in ALWAYS:
            yield found.start(), name


def _forms(name: str) -> set[str]:
    """How a name may be written: in the plural or without it, in Hebrew without a prefix."""
    word = folded(name)
    prefixed = {word[1:], word[2:]} - {""} if "א" <= word[0] <= "ת" else set()
    return {word, word.removesuffix("s"), f"{word}s", *prefixed}
