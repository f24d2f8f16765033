"""What a text states that can be looked up: figures, times, dates, currencies, addresses, codes and names.

Read alike in an answer and in its sources; in English and Hebrew words, and in the figures of any language.
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from datetime import date
from itertools import pairwise
from typing import Literal, NamedTuple, TypeAlias

from wavegraph.graph.guard.stated_words import (
    ALWAYS,
    CURRENCY_OF,
    GERMAN,
    MONTH_OF,
    TITLES,
    WEEKDAY_OF,
    spelled_numbers,
)

Kind: TypeAlias = Literal[
    "number", "order", "share", "time", "date", "month", "weekday", "day", "currency", "phone", "link", "code", "name"
]


class Stated(NamedTuple):
    """One thing that a text states."""

    text: str
    """As written."""
    kind: Kind
    values: frozenset[Hashable]
    """What it may mean; one of them is enough."""


_Read: TypeAlias = tuple[Kind, Sequence[Hashable]]
_Reader: TypeAlias = Callable[[re.Match[str]], "list[_Read] | None"]


def stated_in(text: str, *, names: bool = True) -> list[Stated]:
    """`names`: with the proper names."""
    digits, place = _in_digits(text)
    found: list[tuple[int, Stated]] = []
    rest, parts = digits, _parts_of(digits)
    for pattern, read, needs in _READERS:
        if parts is not None and parts.isdisjoint(needs):
            continue
        blanked = []
        for match in pattern.finditer(rest):
            if (made := read(match)) is None:
                continue
            blanked.append(match.span())
            written = text[place(match.start(), end=False) : place(match.end(), end=True)].strip(" ,")
            found += [(match.start(), Stated(written, kind, frozenset(values))) for kind, values in made]
        rest = _without(rest, blanked) if blanked else rest
    if names:
        found += [(at, Stated(name, "name", frozenset([folded(name)]))) for at, name in _names(rest)]
    return [each for _, each in sorted(found, key=lambda pair: pair[0])]


def _parts_of(text: str) -> set[str] | None:
    """The words and signs of an English text, and what stands in it of `_MARKS`; None = it may be in any language."""
    if not text.isascii():
        return None
    lowered = text.lower()
    marks = [mark for mark, pattern in _MARKS.items() if pattern.search(lowered)]
    return {*_PART_OF_TEXT.findall(lowered), *marks}


_PART_OF_TEXT = re.compile(r"[a-z]+|[^a-z0-9\s]")
_MARKS = {
    "0": re.compile(r"[0-9]"),
    "0th": re.compile(r"[0-9](?:st|nd|rd|th)"),
    "0:00": re.compile(r"[0-9][:h][0-9][0-9]"),
    "0 am": re.compile(r"[0-9],? ?[ap]\.?m"),
    ".com": re.compile(r"\.[a-z][a-z]"),
}
"""By an example."""


def _in_digits(text: str) -> tuple[str, Callable[..., int]]:
    """The text with its numbers in digits, and where a place of it was in the text."""
    parts: list[str] = []
    starts, shifts, ends = [0], [0], [0]
    at = new = 0
    for spelled in sorted(spelled_numbers(text)):
        parts += [text[at : spelled.start], spelled.digits]
        new += spelled.start - at + len(spelled.digits)
        at = spelled.end
        starts.append(new)
        shifts.append(at - new)
        ends.append(new - len(spelled.digits))
    parts.append(text[at:])

    def place(position: int, *, end: bool) -> int:
        n = bisect_right(starts, position) - 1
        inside = n + 1 < len(starts) and position > ends[n + 1]
        if inside and end:
            return starts[n + 1] + shifts[n + 1]
        return (ends[n + 1] if inside else position) + shifts[n]

    return "".join(parts), place


def _without(text: str, spans: Sequence[tuple[int, int]]) -> str:
    parts, at = [], 0
    for start, end in spans:
        parts += [text[at:start], "\x00" * (end - start)]
        at = end
    return "".join([*parts, text[at:]])


def folded(text: str) -> str:
    """A word without case and accents."""
    if text.isascii():
        return text.casefold()
    return "".join(c for c in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(c))


_ITEM = re.compile(r"(?<![^\n])[ \t]*\d{1,2}[.)](?=\s)")


def _item(found: re.Match[str]) -> list[_Read]:
    return []  # the number of a list's item states nothing


_LINK = re.compile(
    r"(?<![\w.+%-])[\w.+%-]+@[\w-]+(?:\.[\w-]+)+|(?:https?://|(?<!\w)www\.)[^\s<>\"')\]\x00]+|"
    r"(?<![\w.@/-])[\w-]+(?:\.[\w-]+)+(?:/[^\s<>\"')\]\x00]*)?",
    re.IGNORECASE,
)


def _is_host(text: str) -> bool:
    first, *_, last = text.split(".")
    return (
        len(first) > 1
        and not first.isdigit()
        and len(last) > 1
        and last.isascii()
        and last.isalpha()
        and last.islower()
    )


def _link(found: re.Match[str]) -> list[_Read] | None:
    address = found[0].rstrip(".,;:!?").casefold()
    bare = re.sub(r"^(?:https?://)?(?:www\.)?", "", address).rstrip("/")
    is_link = "@" in bare or bare != address or _is_host(found[0].partition("/")[0])
    return [("link", [bare])] if is_link else None


_YMD = re.compile(r"(?<!\d)(\d{4})-(\d\d)-(\d\d)(?!\d)")
_DMY = re.compile(r"(?<![\d.,/-])(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d\d)(?![\d/-])")
_DM = re.compile(r"(?<![\d.,/-])(\d{1,2})/(\d{1,2})(?![\d/])")


def _ymd(found: re.Match[str]) -> list[_Read]:
    return [("date", [(int(found[1]), int(found[2]), int(found[3]))])]


def _dmy(found: re.Match[str]) -> list[_Read] | None:
    one, two, year = int(found[1]), int(found[3]), int(found[4])
    year += 2000 if year < 100 else 0
    if not (1 <= one <= 31 and 1 <= two <= 31 and min(one, two) <= 12):
        return None
    return [("date", [(year, two, one), (year, one, two)])]


def _dm(found: re.Match[str]) -> list[_Read] | None:
    one, two = int(found[1]), int(found[2])
    return (
        [("date", [(None, two, one), (None, one, two)])] if 1 <= min(one, two) <= 12 and max(one, two) <= 31 else None
    )


_EN_MONTH = "|".join(sorted((word for word in MONTH_OF if word[0] < "א"), key=len, reverse=True))
_HE_MONTH = "|".join(word for word in MONTH_OF if word[0] >= "א")
_EN_DAY = "|".join(sorted((word for word in WEEKDAY_OF if word[0] < "א"), key=len, reverse=True))
_HE_DAY = "|".join(word for word in WEEKDAY_OF if word[0] >= "א")
_WITH_DAY = rf"(?:(?<!\w)(?i:(?P<en>{_EN_DAY}))\.?,?\s{{1,3}}(?:the\s{{1,3}})?|(?:יום\s{{1,3}}|ב?שבת\s{{0,3}})(?P<he>{_HE_DAY})?,?\s{{0,3}}(?:ה-?\s{{0,3}})?)?"
_NTH = r"(?:st|nd|rd|th)?"
_DAY_MONTH = re.compile(
    rf"{_WITH_DAY}(?<!\d)(?P<d1>\d{{1,2}}){_NTH}(?:\s{{0,3}}(?:-|–|to|and|עד)\s{{0,3}}(?P<d2>\d{{1,2}}){_NTH})?\s{{1,3}}(?:of\s{{1,3}})?"
    rf"(?P<m>(?:{_EN_MONTH})(?!\w)|ב?(?:{_HE_MONTH})(?!\w))\.?(?:,?\s{{1,3}}(?P<y>\d{{4}})(?!\d))?"
)
_MONTH_DAY = re.compile(
    rf"{_WITH_DAY}(?<!\w)(?P<m>{_EN_MONTH})\.?\s{{1,3}}(?P<d1>\d{{1,2}}){_NTH}(?:\s{{0,3}}(?:-|–|to|and)\s{{0,3}}(?P<d2>\d{{1,2}}){_NTH})?"
    r"(?!\d|:\d)(?:,?\s{1,3}(?P<y>\d{4})(?!\d))?"
)


def _date(found: re.Match[str]) -> list[_Read]:
    name = found["m"]
    month = MONTH_OF.get(name) or MONTH_OF[name.removeprefix("ב")]
    day = (found["en"] or found["he"] or "").casefold()
    weekday = WEEKDAY_OF.get(day) if day else None
    year = int(found["y"]) if found["y"] else None
    first: list[_Read] = [("date", [(year, month, int(found["d1"]), weekday)])]
    return [*first, ("date", [(year, month, int(found["d2"]))])] if found["d2"] else first


_MONTH = re.compile(rf"(?<!\w)(?:{'|'.join(n for n in MONTH_OF if n[0] < 'א' and len(n) > 3 and n != 'March')})(?!\w)|"
                    rf"(?<!\w)[ובלמהכש]{{0,2}}({_HE_MONTH})(?!\w)")  # fmt: skip


def _month(found: re.Match[str]) -> list[_Read]:
    return [("month", [MONTH_OF[found[1] or found[0]]])]


_WEEKDAY = re.compile(
    r"(?<!\w)(?i:(?P<en>monday|tuesday|wednesday|thursday|friday|saturday|sunday)s?)(?!\w)|"
    rf"(?:יום|ימי)\s{{1,3}}(?P<he>{_HE_DAY})(?!\w)|(?<!\w)[ובלמהכש]{{0,3}}(?P<sat>שבת)(?!\w)"
)


def _weekday(found: re.Match[str]) -> list[_Read]:
    return [("weekday", [WEEKDAY_OF[(found["en"] or found["he"] or found["sat"]).casefold()]])]


_RELATIVE = re.compile(
    r"(?<!\w)(?i:(?P<on>tomorrow)|(?P<back>yesterday))(?!\w)|(?<!\w)[ולמ]?(?:(?P<he_on>מחר)|(?P<he_back>אתמול))(?!\w)"
)


def _relative(found: re.Match[str]) -> list[_Read]:
    return [("day", [1 if found["on"] or found["he_on"] else -1])]


_PHONE = re.compile(r"(?<![\w.,:])[+(]?\d(?:[ ()/.-]{0,2}\d){6,14}(?![\d:])")


def _phone(found: re.Match[str]) -> list[_Read] | None:
    is_phone = found[0][0] in "+(0" or "-" in found[0]
    return [("phone", [re.sub(r"\D", "", found[0])])] if is_phone else None


_PART = (
    r"(?P<am>a\.m\.|am\b|in the morning|בבוקר)|(?P<pm>p\.m\.|pm\b|in the (?:afternoon|evening)|בצהריים|אחר[ -]הצהריים|בערב)|"
    r"(?P<night>at night|בלילה)"
)
_TIME = re.compile(
    r"(?<![\d:+.,\w])(?P<before>(?:at|from|until|till|by|בשעה|[ובלמ]?שעה) )?[ובלמהכש]{0,2}[־-]?"
    r"(?:(?:a )?(?P<past>half|quarter|\d{1,2}(?: minutes?)?) (?P<way>past|to) )?"
    r"(?P<h>\d{1,2})(?:(?P<sign>[:h.])(?P<m>\d\d)(?::\d\d)?|(?P<more> וחצי| ורבע))?(?![\d:]|[.,/]\d)(?P<clock> ?o['’]clock)?"
    rf"(?:,? ?(?:{_PART}))?",
    re.IGNORECASE,
)
_ISO_TIME = re.compile(r"T(?P<h>\d\d):(?P<m>\d\d)(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?")
_PARTS = {"half": 30, "quarter": 15, " וחצי": 30, " ורבע": 15}


def _iso_time(found: re.Match[str]) -> list[_Read]:
    return [("time", [60 * int(found["h"]) + int(found["m"])])]


def _time(found: re.Match[str]) -> list[_Read] | None:
    hour, minute = int(found["h"]), int(found["m"] or 0)
    half = found["am"] or found["pm"] or found["night"]
    plain = found["sign"] == ":" or (found["sign"] == "h" and found["m"])
    loose = bool(found["past"] or found["more"] or found["clock"])
    if hour > 24 or minute > 59 or not (plain or loose or half or found["before"]):
        return None
    if found["sign"] == "." and not half:
        return None
    minutes = 60 * hour + minute + _PARTS.get(found["more"] or "", 0)
    if past := found["past"]:
        shift = _PARTS.get(past.casefold()) or int(past.split()[0])
        minutes += shift if found["way"].casefold() == "past" else -shift
    exact = plain and not half and not loose
    times = {minutes} if exact else {minutes % 720, minutes % 720 + 720}
    if found["am"]:
        times = {minutes % 720}
    elif found["pm"]:
        times = {minutes % 720 + 720}
    if plain or loose or half:
        return [("time", sorted(times))]
    return [("number", [float(hour), *(("time", each) for each in times)])]


_NOON = re.compile(r"(?<!\w)(?i:(?P<noon>noon|midday)|midnight)(?!\w)|(?<!\w)[בלמ]?חצות(?!\w)")


def _noon(found: re.Match[str]) -> list[_Read]:
    return [("time", [720] if found["noon"] else [0, 1440])]


_NUMBER = r"\d[\d,.]*\d|\d"
_SHARE = re.compile(rf"(?<![\d.,])({_NUMBER})\s{{0,3}}(?:%|(?i:percent|per cent)(?!\w)|אחוז(?:ים)?(?!\w))")


def _share(found: re.Match[str]) -> list[_Read]:
    return [("share", sorted(values_of(found[1])))]


_HALF = re.compile(r"(?<!\w)(?i:half|(?P<quarter>quarter))(?!\w)|(?<!\w)[ובלמהכש]{0,2}(?:חצי|(?P<he>רבע))(?!\w)")


def _half(found: re.Match[str]) -> list[_Read]:
    part = 25 if found["quarter"] or found["he"] else 50
    return [("share", [float(part), ("number", part / 100), ("number", 30.0 if part == 50 else 15.0)])]


_CURRENCY = re.compile(
    "|".join([
        rf"[{re.escape(''.join(word for word in CURRENCY_OF if len(word) == 1))}]",
        rf"(?<![^\W\d_])(?i:{'|'.join(re.escape(w) for w in sorted(CURRENCY_OF, key=len, reverse=True) if len(w) > 1)})(?![^\W\d_])",
    ])
)  # fmt: skip


def _currency(found: re.Match[str]) -> list[_Read]:
    return [("currency", [CURRENCY_OF[found[0].casefold()]])]


_CODE = re.compile(r"(?<![\w-])[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)*(?![\w-])")


def _code(found: re.Match[str]) -> list[_Read] | None:
    return [("code", [plain(found[0])])] if re.search(r"[\d-]", found[0]) else None


def plain(text: str) -> str:
    return re.sub(r"[\W_]+", "", folded(text))


_ORDER = re.compile(r"(?<![\d.,])(\d+)(?:st|nd|rd|th)(?!\w)")
_FIGURE = re.compile(_NUMBER)


def _order(found: re.Match[str]) -> list[_Read]:
    return [("order", [float(found[1])])]


def _figure(found: re.Match[str]) -> list[_Read]:
    if found[0].isdecimal():
        return [("number", [float(found[0])])]
    values: list[Hashable] = [*sorted(values_of(found[0]))]
    if day := re.fullmatch(r"(\d{1,2})\.(\d{1,2})", found[0]):
        values.append(("date", (None, int(day[2]), int(day[1]))))
    return [("number", values)]


def values_of(text: str) -> set[float]:
    """What a figure may be: `1,250` a thousand and more, `64,50` with a comma for its point."""
    if (text.count(",") and text.count(".")) or text.count(",") > 1 or text.count(".") > 1:
        whole, _, cents = text.replace(".", ",").rpartition(",")
        last = text[len(whole)]
        if text.count(last) > 1:  # thousands all through, or a date, or a version: its digits as one number
            return {float(re.sub(r"\D", "", text))}
        return {float(f"{re.sub(r'[,.]', '', whole)}.{cents}")}
    whole, comma, cents = text.partition(",")
    if comma:
        return {float(whole + cents) if len(cents) == 3 else float(f"{whole}.{cents}")}
    thousands = {float(text.replace(".", ""))} if re.fullmatch(r"\d{1,3}\.\d{3}", text) else set()
    return {float(text), *thousands}


def _english(words: Iterable[str]) -> frozenset[str]:
    return frozenset(word.lower() for word in words if word.isascii())


_DIGITS = frozenset("0")
_MONTHS = _english(MONTH_OF)
_TIMES = frozenset(
    {
        "0:00",
        "0 am",
        "at",
        "from",
        "until",
        "till",
        "by",
        "past",
        "to",
        "morning",
        "afternoon",
        "evening",
        "night",
        "clock",
    }
)
_READERS: Sequence[tuple[re.Pattern[str], _Reader, frozenset[str]]] = (
    (_ITEM, _item, frozenset(".)")),
    (_LINK, _link, frozenset({"@", "/", "www", ".com"})),
    (_YMD, _ymd, frozenset("-")),
    (_ISO_TIME, _iso_time, frozenset({"0:00"})),
    (_DMY, _dmy, frozenset("./-")),
    (_DAY_MONTH, _date, _MONTHS),
    (_MONTH_DAY, _date, _MONTHS),
    (_PHONE, _phone, _DIGITS),
    (_DM, _dm, frozenset("/")),
    (_RELATIVE, _relative, frozenset({"tomorrow", "yesterday"})),
    (_WEEKDAY, _weekday, _english([*WEEKDAY_OF, *(f"{word}s" for word in WEEKDAY_OF)])),
    (_MONTH, _month, _MONTHS),
    (_SHARE, _share, frozenset({"%", "percent", "per"})),
    (_TIME, _time, _TIMES),
    (_NOON, _noon, frozenset({"noon", "midday", "midnight"})),
    (_HALF, _half, frozenset({"half", "quarter"})),
    (_CURRENCY, _currency, _english(CURRENCY_OF)),
    (_CODE, _code, _DIGITS | {"-"}),
    (_ORDER, _order, frozenset({"0th"})),
    (_FIGURE, _figure, _DIGITS),
)
"""In this order: each leaves to the next what it did not read. An English text without any of the words and signs behind
a reader holds nothing for it."""

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_SHORT = re.compile(r"(?<!\w)(?:Dr|St|Mr|Mrs|Ms|Prof|Ave|Mt)\.\s{0,3}$")
_TITLED = re.compile(rf"(?<!\w)[ובלמהכש]{{0,2}}(?:{'|'.join(map(re.escape, TITLES.split()))})\s{{1,3}}([^\W\d_]+)")


def _names(text: str) -> Iterator[tuple[int, str]]:
    """Words that name something: with a capital inside a sentence; of Latin letters among others; behind a title."""
    for found in _TITLED.finditer(text):
        yield found.start(1), found[1]
    letters = re.sub(r"[\W\d_]+", "", text)
    is_foreign = 2 * sum(c < "ɐ" for c in letters) < len(letters)
    tells_by_capitals = not _capitalises_nouns(text)
    for found in _WORD.finditer(text):
        word = found[0]
        base = re.sub(r"['’](?:s|m|ll|d|ve|re)?$", "", word)
        has_capital = (base[0].isupper() and tells_by_capitals) or any(c.isupper() for c in base[1:])
        is_latin = is_foreign and base[0] < "ɐ"
        opens = _opens(text, found.start()) and not _SHORT.search(text[max(0, found.start() - 8) : found.start()])
        if len(base) > 1 and (is_latin or (has_capital and not opens)) and base.casefold() not in ALWAYS:
            yield found.start(), base


def _capitalises_nouns(text: str) -> bool:
    """Whether a text is German, where every noun has a capital."""
    words = [found.casefold() for found in _WORD.findall(text)]
    return sum(word in GERMAN for word in words) > sum(word in ALWAYS for word in words)


def _opens(text: str, at: int) -> bool:
    """Whether a sentence begins at a place: a line does, or one has ended, perhaps before quotes and brackets."""
    while at > 0 and not (text[at - 1].isalnum() or text[at - 1] in "_:\n.!?…¿¡"):
        at -= 1
    return at == 0 or text[at - 1] in "\n.!?…¿¡"


def words_of(text: str) -> set[str]:
    """The words of a text, folded, and the parts of those that are joined."""
    words = {folded(found) for found in _WORD.findall(text)}
    return words | {part for word in words for part in re.split(r"['’]", word)}


def codes_of(text: str) -> set[str]:
    """The words and codes of a text without their signs, also two together: `IC 204`."""
    tokens = [plain(each) for each in re.findall(r"[\w-]+", text)]
    return {*tokens, *(one + other for one, other in pairwise(tokens))}


def is_day(value: tuple[int | None, ...], day: date) -> bool:
    """Whether a date that was read, perhaps without its year or with a weekday, is this day."""
    year, month, number, weekday = (*value, None)[:4]
    same = (month, number) == (day.month, day.day) and year in (None, day.year)
    return same and weekday in (None, day.weekday())
