"""Reads an hour of arrival or departure: `can we come at 13:00?`, `at 12?` after a fact about check-in, `לעזוב בשלוש`."""

import re
from collections.abc import Collection

from wavegraph.tools.hotel.dates.holiday_names import words_of
from wavegraph.tools.hotel.reading.followup import days_in_month
from wavegraph.tools.hotel.reading.normalise import clean, fold, prepared

HOURS = frozenset({"check_in", "check_out", "early check in", "late check out"})
"""Topics whose answer is an hour."""
_EVENING, _MORNING, _AFTERNOON = 16, 5, 11
"""Nobody arrives early from the evening on, and nobody leaves late before the afternoon."""
_SPOKEN = words_of("אחת שתיים שלוש ארבע חמש שש שבע שמונה תשע עשר")
"""Hours are feminine in Hebrew, days of the month are not: `בשלוש` is an hour."""
_LATER_HALF = r"pm|p\.m|in the (?:afternoon|evening)|at night|אחר הצהריים|אחה\"צ|בערב|בלילה"
_HALF = rf"(?:{_LATER_HALF}|am|a\.m|o'?clock|in the morning|בבוקר|בצהריים|לפנות בוקר)"
_NUMBER = r"(?P<{}>[01]?\d|2[0-4])"
_CLOCK = re.compile(
    rf"(?<![\d.,/]){_NUMBER.format('time')}:[0-5]\d(?! ?[-–] ?\d)|(?<![\d./])(?<!\d-){_NUMBER.format('half')} ?{_HALF}(?![\wא-ת])|"
    rf"\b(?:at|around|about|by|before|after|until|till) {_NUMBER.format('bare')}(?=\W*(?:$|[?.!,]|ok\b|or\b|and\b|please\b|then\b))|"
    rf"(?<![א-ת])(?:ב?שעה|בסביבות) {_NUMBER.format('hour')}(?!\d)|"
    rf"(?<![א-ת])(?:ב|עד|לפני|אחרי|סביב)[ -]?(?P<spoken>{'|'.join(_SPOKEN)})(?: עשרה)?(?: וחצי| ורבע)?(?=\W*(?:$|[?.!,]|{_HALF}|זה|אפשר))|"
    r"\b(?P<noon>noon|midday)\b|\bmidnight\b|(?<![א-ת])[בלע]?(?:ד )?חצות(?![א-ת])"
)
_BARE_HE = re.compile(rf"(?<![א-ת])ב[ -]?{_NUMBER.format('bare')}(?=\W*$|[? ])(?! ?ב[א-ת]{{3}})")
"""`אפשר ב-12?`: an hour after a fact about hours, or where a departure on that day makes no sense; else a day."""
_COMES = re.compile(
    r"\b(?:arriv\w*|come|coming|land(?:s|ing)?|check(?:ing)?[ -]?in|get (?:there|in|to you)|show(?:ing)? up|be there|reach you)\b|"
    r"(?<![א-ת])[וכש]?(?:להגיע|[נאת]גיעו?|מגיע(?:ה|ים|ות)?|לבוא|[נא]בוא|באים|להיכנס|ניכנס|נכנסים|נוחת(?:ת|ים)?|ננחת|לקבל את החדר|כניסה)(?![א-ת])"
)
_GOES = re.compile(
    r"\b(?:leave|leaving|depart\w*|vacate|check(?:ing)?[ -]?out|stay (?:until|till)|keep the room)\b|"
    r"(?<![א-ת])[וכש]?(?:לעזוב|[נא]עזוב|עוזב(?:ת|ים)?|לצאת|[נא]צא|יוצא(?:ת|ים)?|לפנות|להישאר עד|עזיבה|יציאה)(?![א-ת])"
)
_OF_OTHERS = re.compile(r"\b(?:some(?:one|body)|you|taxi|driver|doctor|visitors?|friends?)\b|מישהו|מונית|רופא|אורחים")
_SMALL = frozenset(
    words_of(
        "at around by before after until till ב עד what how about and or but so is it that ok okay fine possible can could may i we if then too late early please a בסדר זה אפשר האם ואם אם "
        "מה לגבי גם ו או יהיה אפשרי מוקדם מאוחר מדי בבקשה"
    )
)


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


def hours_asked(text: str, told: Collection[str] = (), *, unclear: bool = False) -> tuple[str, ...]:
    """The topics that answer a message with an hour in it; empty = it has none, or it is the hour of something else.

    `told`: the topics of the fact told last; `unclear`: the message has a day of which nothing could be made.
    """
    folded = fold(text)
    of_hours = bool(HOURS.intersection(told))
    found = _CLOCK.search(folded) or (_BARE_HE.search(folded) if told or unclear else None)
    rest = f"{folded[: found.start()]} {folded[found.end() :]}" if found else ""
    if found is None or _OF_OTHERS.search(folded) or days_in_month(rest, ""):
        return ()
    comes, goes = _COMES.search(folded), _GOES.search(folded)
    alone = _SMALL.issuperset(re.findall(r"[^\W\d_]+", rest))
    if alone and told and not of_hours:
        return tuple(told)
    if (comes and goes) or not (comes or goes or of_hours or alone):
        return ()
    leaves = goes or (not comes and {"check_out", "late check out"}.intersection(told))
    if leaves:
        return ("check_out", "late check out") if _hour(found) >= _AFTERNOON else ("check_out",)
    return ("check_in", "early check in") if _MORNING <= _hour(found) < _EVENING else ("check_in",)


def _hour(found: re.Match[str]) -> int:
    """Of the day; a small number without its half of the day is in the afternoon."""
    named = {name: value for name, value in found.groupdict().items() if value}
    if "noon" in named or not named:
        return 12 if named else 0
    name, value = next(iter(named.items()))
    hour = _SPOKEN.index(value) + 1 + 10 * ("עשרה" in found.group()) if name == "spoken" else int(value)
    later = re.search(_LATER_HALF, found.group()) or (name != "half" and ":" not in found.group() and hour < 7)
    return hour + 12 if later and hour < 12 else hour
