"""Reads the hours of a text, which are no days and no numbers of guests: `at 13:00`, `בשלוש`; and whose end of a stay they are."""

import re

from wavegraph.tools.hotel.dates.holiday_names import words_of
from wavegraph.tools.hotel.reading.normalise import clean, fold, prepared

HOURS = frozenset({"check_in", "check_out", "early check in", "late check out"})
"""Topics whose answer is an hour."""
_SPOKEN = words_of("אחת שתיים שלוש ארבע חמש שש שבע שמונה תשע עשר")
"""Hours are feminine in Hebrew, days of the month are not: `בשלוש` is an hour."""
_HALF = (
    r"(?:pm|p\.m|in the (?:afternoon|evening)|at night|אחר הצהריים|אחה\"צ|בערב|בלילה|"
    r"am|a\.m|o'?clock|in the morning|בבוקר|בצהריים|לפנות בוקר)"
)
_NUMBER = r"(?:[01]?\d|2[0-4])"
_CLOCK = re.compile(
    rf"(?<![\d.,/]){_NUMBER}:[0-5]\d(?! ?[-–] ?\d)|(?<![\d./])(?<!\d-){_NUMBER} ?{_HALF}(?![\wא-ת])|"
    rf"\b(?:at|around|about|by|before|after|until|till) {_NUMBER}(?=\W*(?:$|[?.!,]|ok\b|or\b|and\b|please\b|then\b))|"
    rf"(?<![א-ת])(?:ב?שעה|בסביבות) {_NUMBER}(?!\d)|"
    rf"(?<![א-ת])(?:ב|עד|לפני|אחרי|סביב)[ -]?(?:{'|'.join(_SPOKEN)})(?: עשרה)?(?: וחצי| ורבע)?(?=\W*(?:$|[?.!,]|{_HALF}|זה|אפשר))|"
    r"\b(?:noon|midday)\b|\bmidnight\b|(?<![א-ת])[בלע]?(?:ד )?חצות(?![א-ת])"
)

_COMES = re.compile(
    r"\b(?:arriv\w*|come|coming|land(?:s|ing)?|check(?:ing)?[ -]?in|get (?:there|in|to you)|be there|reach you)\b|"
    r"(?<![א-ת])[וכש]?(?:להגיע|[נאת]גיעו?|מגיע(?:ה|ים|ות)?|לבוא|[נא]בוא|באים|להיכנס|ניכנס|לקבל את החדר)(?![א-ת])"
)
_GOES = re.compile(
    r"\b(?:leave|leaving|depart\w*|vacate|check(?:ing)?[ -]?out|stay (?:until|till)|keep the room)\b|"
    r"(?<![א-ת])[וכש]?(?:לעזוב|[נא]עזוב|עוזב(?:ת|ים)?|לצאת|[נא]צא|יוצא(?:ת|ים)?|לפנות|להישאר עד)(?![א-ת])"
)
_OF_OTHERS = re.compile(
    r"\b(?:some(?:one|body)|you (?:come|get)|taxi|driver|doctor|visitors?|friends?)\b|מישהו|מונית|רופא|אורחים"
)


def hour_topics(text: str) -> tuple[str, ...]:
    """The topics that answer an hour at which guests come or leave, `can we come at 13:00?`; empty = there is none."""
    folded = fold(text)
    comes, goes = _COMES.search(folded), _GOES.search(folded)
    if not _CLOCK.search(folded) or bool(comes) == bool(goes) or _OF_OTHERS.search(folded):
        return ()
    return ("check_in", "early check in") if comes else ("check_out", "late check out")


def without_clock(text: str) -> str:
    """Folded text without its hours."""
    return _CLOCK.sub(" ", text)


def clock_spans(text: str) -> list[tuple[int, int]]:
    """Where folded text has an hour."""
    return [found.span() for found in _CLOCK.finditer(text)]


_NAMED = ((r"midnight|חצות", {0}), (r"noon|midday|צהריים", {12}), (r"half|חצי", {30}), (r"quarter|רבע", {15, 45}))
"""Words for an hour, or for minutes of one."""


def is_hour_said(clock: str, text: str) -> bool:
    """Whether a guest's text names this time of day, `22:30`: in figures or words, counted to twelve or to twenty-four."""
    hour, minute = map(int, clock.split(":"))
    plain = prepared(fold(clean(text)))[0]
    said = {int(number) for number in re.findall(r"\d+", plain)}
    said |= {number for words, numbers in _NAMED if re.search(words, plain) for number in numbers}
    return not said.isdisjoint({hour, hour % 12 or 12, hour or 24}) and minute in {0, *said}
