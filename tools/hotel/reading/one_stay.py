"""Date phrases apart that name one stay: `Simchat Torah, 2 adults, Friday to Sunday`, `5 March, and the night before`."""

import re
from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from wavegraph.tools.hotel.dates import DatePhrase, Stay, find_dates
from wavegraph.tools.hotel.dates.resolution import setting
from wavegraph.tools.hotel.dates.spans import week_start
from wavegraph.tools.hotel.profile import PropertyProfile
from wavegraph.tools.hotel.reading.period import is_weekdays

DAY, WEEK = timedelta(days=1), timedelta(days=7)
_MOST_BETWEEN = 60
"""Characters from one to the other."""
_CHOICE = re.compile(r"\b(?:or|vs|versus|than|not|except)\b|(?<![א-ת])(?:או|לעומת|לא|מול)(?![א-ת])|[/;]")
_AND = re.compile(r"\b(?:and|also|then|plus)\b|(?<![א-ת])(?:ו?גם|ואז|ועוד)(?![א-ת])|[+&]")
_UNTIL = re.compile(
    r"\b(?:until|till|through|thru|to|leav(?:e|es|ing)(?: on)?|check(?:ing)?[\s-]?out(?: on)?)\b[^.?!\d]{0,30}$|(?<![א-ת])ו?עד[^.?!\d]{0,12}$"
)
_AFTER = re.compile(r"^(?:after|אחרי)\b")
_WEEKS_AWAY = re.compile(
    r"^(?:in )?(?:a|one|two|three|\d)? ?weeks?(?: time)?$|^(?:ב?עוד )?(?:שבוע|שבועיים|\d שבועות|שלושה שבועות)$"
)
_NIGHT_TOO = re.compile(
    r"(?:(?:\b(?:and|plus|also|with)|[+&]) (?:the |a |1 |that )?(?:night|day|evening)|(?<![א-ת])(?:ו|גם |עם )(?:את )?ה?(?:לילה|ערב|יום)) ?"
    r"(?:(?P<before>before|ש?לפני[וה]?)|(?:after|ש?(?:אחרי|למחרת)[וה]?))(?: that| it| כן| זה)?(?= ?(?:$|[.,;:?!)|]|with\b|for\b|please\b|עם|בבקשה))|"
    r"\b(?:and|plus|also) (?:the (?:next|following)|another|1 (?:more|extra)) night\b|(?<![א-ת])ועוד (?:1 )?לילה(?: 1| אחד)?(?![א-ת])|\b(?P<both>nights? before and after)\b"
)


def as_one_stay(text: str, phrases: Sequence[DatePhrase], today: date, profile: PropertyProfile) -> list[DatePhrase]:
    """The phrases; two that the calendar reads as one, were it not for the words between them, are one."""
    kept: list[DatePhrase] = []
    night = _NIGHT_TOO.search(text)
    for phrase in [each for each in phrases if not (night and night.start() <= each.start < night.end())]:
        one = _together(text, kept[-1], phrase, today, profile) if kept else None
        kept[-1:] = [one] if one else [*kept[-1:], phrase]
    return [_with_night(text, kept[0], night)] if night and len(kept) == 1 else kept


def _together(text: str, one: DatePhrase, two: DatePhrase, today: date, profile: PropertyProfile) -> DatePhrase | None:
    between = text[one.end : two.start]
    stays = [*one.resolution.stays, *two.resolution.stays]
    until = _UNTIL.search(between)
    apart = len(stays) != 2 or one.beside or two.beside or len(between) > _MOST_BETWEEN or _CHOICE.search(between)
    again = not apart and (_holds(two, stays[0]) or _holds(one, stays[1]))
    if (
        apart
        or _is_wide(one)
        or (_is_wide(two) and not again)
        or not (until or is_weekdays(one) or is_weekdays(two) or again)
    ):
        return None
    found = next(_readings(one, two, until.group() if until else "", today, profile), None)
    if found and _AND.search(between) and found not in stays:
        return None
    if found is None or (until and found.check_in != stays[0].check_in):
        return None
    beside = (one.end - one.start, (one.end + until.start() if until else two.start) - one.start)
    return _told(one, text, (one.start, two.end), beside, found)


def _readings(one: DatePhrase, two: DatePhrase, until: str, today: date, profile: PropertyProfile) -> Iterator[Stay]:
    first, last = one.resolution.stays[0], two.resolution.stays[0]
    if not until and (_holds(two, first) or _holds(one, last)):
        yield first if _holds(two, first) else last
    for anchor, days, words in ((first, last, one.text), (last, first, two.text)):
        if _WEEKS_AWAY.match(words.lower()):  # `in two weeks, Monday to Wednesday`
            here = setting(today, 1, **profile.customs)
            later = week_start(anchor.check_in, here) - week_start(days.check_in, here)
            yield _moved(days, days.check_in + later, days.check_out + later)
    joint = (" עד " if "עד" in until else " until ") if until else ", "
    words = joint.join(phrase.text.strip(" .,") for phrase in (one, two))
    found = find_dates(words, today=today, **profile.customs)
    if len(found) == 1 and len(found[0].resolution.stays) == 1 and found[0].end - found[0].start >= len(words) - 5:
        yield found[0].resolution.stays[0]
    for anchor, days, words in ((first, last, one.text), (last, first, two.text)):
        if _AFTER.match(words.lower()) and days.nights_explicit:  # `Sunday to Wednesday, after Passover`
            later = max(0, -((days.check_in - anchor.check_in).days // 7)) * WEEK
            yield _moved(days, days.check_in + later, days.check_out + later)


def _is_wide(phrase: DatePhrase) -> bool:
    """A period in which stays are looked for."""
    stay = phrase.resolution.stays[0]
    if phrase.kind == "relative":
        return False  # `after Purim`, from the first day on
    return phrase.window is not None and phrase.window[1] - phrase.window[0] > stay.check_out - stay.check_in


def _holds(phrase: DatePhrase, stay: Stay) -> bool:
    """Whether it says the stay again, its month, a day of it, or a holiday in it: `Christmas by the sea, 24-27 December`."""
    again = phrase.resolution.stays[0]
    if again.nights == 1 < stay.nights and stay.nights_explicit and not phrase.nights:
        later = (again.check_in - stay.check_in).days
        if is_weekdays(phrase) and stay.nights <= WEEK.days:
            return later % WEEK.days < stay.nights
        if phrase.kind == "holiday":
            return 0 <= later < stay.nights
    if is_weekdays(phrase) and again.nights == stay.nights < WEEK.days and stay.nights_explicit:
        return again.check_in.weekday() == stay.check_in.weekday()  # `5-6 March, Friday to Saturday`
    if _is_wide(phrase) and phrase.window and not phrase.nights:
        return phrase.window[0] <= stay.check_in and stay.check_out <= phrase.window[1]
    return (again.check_in, again.check_out) == (stay.check_in, stay.check_out)


def _moved(stay: Stay, first: date, last: date) -> Stay:
    ends = {"check_in": first, "check_out": last, "nights": (last - first).days}
    return stay.model_copy(update={**ends, "nights_explicit": True, "kind": "explicit"})


def _with_night(text: str, phrase: DatePhrase, night: re.Match[str]) -> DatePhrase:
    """The stay with the night before or after it: `Purim, that night and the night before`."""
    stays = phrase.resolution.stays
    if len(stays) != 1 or phrase.beside:
        return phrase
    earlier = DAY * bool(night["before"] or night["both"])
    wider = _moved(stays[0], stays[0].check_in - earlier, stays[0].check_out + (DAY - earlier))
    (start, inner), (outer, end) = sorted([(phrase.start, phrase.end), night.span()])
    return _told(phrase, text, (start, end), (inner - start, outer - start), wider)


def _told(phrase: DatePhrase, text: str, span: tuple[int, int], beside: tuple[int, int], stay: Stay) -> DatePhrase:
    """A phrase for the stay that all the words of the span name, but for those beside it."""
    named = {"start": span[0], "end": span[1], "text": text[slice(*span)], "beside": beside, "kind": "explicit"}
    resolution = phrase.resolution.model_copy(update={"stays": [stay]})
    unset = dict.fromkeys(("holiday", "part", "window", "nights"))
    return phrase.model_copy(update={**named, **unset, "resolution": resolution})
