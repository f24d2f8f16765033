"""The entry points: resolve a hint, find dates in a sentence, look up a holiday by name."""

from dataclasses import replace
from datetime import date

from typing_extensions import Unpack

from wavegraph.tools.hotel.dates.holiday_names import close_names
from wavegraph.tools.hotel.dates.lexer import Lex, plain, read
from wavegraph.tools.hotel.dates.merging import together
from wavegraph.tools.hotel.dates.phrases import Phrase, evaluate, scan
from wavegraph.tools.hotel.dates.records import Customs, DatePhrase, DateResolution
from wavegraph.tools.hotel.dates.resolution import (
    DateFault,
    ResolvedStay,
    Setting,
    WrittenDay,
    begun,
    count_fault,
    date_resolution,
    read_holiday,
    setting,
)
from wavegraph.tools.hotel.dates.sentence import Sentence
from wavegraph.tools.hotel.dates.vocabulary import FILLERS, QUANTITIES

_LONGEST = 2000
"""At most this many characters of a text are read; a guest's message is far shorter."""


def _sentence(text: str, here: Setting, strict: bool) -> Sentence:
    return Sentence(tuple(read(text[:_LONGEST])), here, text[:_LONGEST], strict)


def resolve(hint: str, *, today: date, max_nights: int = 30, **customs: Unpack[Customs]) -> DateResolution:
    """Read a hint that is a date expression, English or Hebrew, into the stays it names.

    A date that does not exist, has passed, ends before it starts or is too long gives an error and no stays; so does a
    word that could change the meaning. Never raises.
    """
    here = setting(today, max_nights, **customs)
    s = _sentence(hint, here, True)
    phrases, loose = scan(s)
    phrases = together(s, phrases)
    found = [evaluate(phrase, here) for phrase in phrases]
    fault = next((one for one in found if isinstance(one, DateFault)), None)
    fault = fault or _nothing(s, phrases, loose) or _leftover(s, phrases, loose)
    if fault:
        return date_resolution(fault, here)
    results = [date_resolution(one, here) for one in found]
    broken = next((result for result in results if result.error), None)
    return broken or DateResolution(stays=[stay for result in results for stay in result.stays])


def _nothing(s: Sentence, phrases: list[Phrase], loose: list[tuple[int, int, int]]) -> DateFault | None:
    """Why a hint without a date resolves to no stay."""
    if phrases:
        return None
    for nights, _, _ in loose:
        fault = count_fault(nights, s.here)
        return fault or DateFault("unclear", f"{nights} nights from which date? Give the arrival date")
    shortened = " ".join(s.text.split())[:60]
    return DateFault(
        "unclear", f"no date found in {shortened!r}: give dates such as '17-19 January', or a holiday's name"
    )


def _leftover(s: Sentence, phrases: list[Phrase], loose: list[tuple[int, int, int]]) -> DateFault | None:
    """The fault for a word that no phrase used and that may change the meaning."""
    taken = {n for phrase in phrases for n in range(phrase.start, phrase.end)}
    taken |= {n for _, start, end in loose for n in range(start, end)}
    months = {
        point.month for phrase in phrases for point in (phrase.first, phrase.last) if isinstance(point, WrittenDay)
    }
    for n, lex in enumerate(s.lexemes):
        lent = lex.month is not None and lex.month in months
        if n not in taken and not lent and not _harmless(s, n, lex):
            return DateFault("unclear", f"{lex.word!r} makes the dates unclear: leave it out, or give the dates")
    return None


_SILENT = {
    "and",
    "or",
    "vs",
    "for",
    "in",
    "on",
    "of",
    "the",
    "from",
    "arrive",
    "a",
    ",",
    "each",
    "that",
    "this",
    "about",
    "another",
}
_LOUD_MARKS = {"<", ">", "=", "%", "*"}


def _harmless(s: Sentence, n: int, lex: Lex) -> bool:
    if lex.mark and not lex.key:
        return lex.word not in _LOUD_MARKS
    if (lex.unit and s.key(n + 1, "between")) or _few_of_month(s, n if lex.key else n - 1):
        return True
    return lex.counted or lex.key in _SILENT or lex.word in FILLERS or lex.word in QUANTITIES


def _few_of_month(s: Sentence, i: int) -> bool:
    """`a few days in March` is as open as `March`; "a few nights from Dec 5" fixes the arrival."""
    of = s.skip(i + 2, "in", "of", "the")
    named = s.at(of).month or s.at(of).holiday
    return s.key(i, "several") and of > i + 2 and bool(named) and s.at(of + 1).num is None


def find_dates(text: str, *, today: date, max_nights: int = 30, **customs: Unpack[Customs]) -> list[DatePhrase]:
    """The date expressions of a guest's sentence, in order; numbers of guests, rooms, ages and money are not dates.

    A separate departure or count of nights belongs to the date before it, a single count of nights to every
    date of a list. Arguments as for `resolve`. Never raises.
    """
    here = setting(today, max_nights, **customs)
    s = _sentence(text, here, False)
    phrases = [phrase for phrase in together(s, scan(s)[0]) if not _is_the_last(s, phrase)]
    return _without_memories([_as_phrase(s, phrase, text) for phrase in phrases])


def _without_memories(found: list[DatePhrase]) -> list[DatePhrase]:
    """Drop "last Christmas" from "I was there last Christmas, is there space this Christmas?"."""
    if not any(phrase.resolution.stays for phrase in found):
        return found
    return [phrase for phrase in found if phrase.resolution.error != "past" or phrase.kind == "explicit"]


def _is_the_last(s: Sentence, phrase: Phrase) -> bool:
    """`only for the last night`: of the stay, not yesterday."""
    lead, *named = [lex.key or lex.unit for lex in s.lexemes[phrase.start : phrase.end]] + [""]
    return (lead, *named)[:3] == ("the", "last", "night")


def _as_phrase(s: Sentence, phrase: Phrase, text: str) -> DatePhrase:
    found = evaluate(phrase, s.here)
    start, end = s.at(phrase.start).start, s.at(phrase.end - 1).end
    good = isinstance(found, ResolvedStay)
    named = (
        found if isinstance(found, ResolvedStay) else phrase.first if isinstance(phrase.first, ResolvedStay) else None
    )
    day = isinstance(phrase.first, WrittenDay)
    return DatePhrase(
        start=start,
        end=end,
        text=text[start:end],
        kind=named.kind if named else "explicit" if day else "holiday" if _holiday_in(s, phrase) else "relative",
        holiday=named.holiday if named else _holiday_in(s, phrase),
        part=named.part if named and good else None,
        nights=phrase.nights,
        window=_window(evaluate(replace(phrase, nights=None), s.here)),
        beside=_beside(s, phrase, start),
        resolution=date_resolution(found, s.here),
    )


def _beside(s: Sentence, phrase: Phrase, start: int) -> tuple[int, int] | None:
    if phrase.gap is None:
        return None
    return s.at(phrase.gap[0] - 1).end - start, s.at(phrase.gap[1]).start - start


def _window(whole: ResolvedStay | DateFault) -> tuple[date, date] | None:
    if isinstance(whole, DateFault) or (whole.nights == 1 and not whole.window):
        return None
    return whole.window or (whole.check_in, whole.check_out)


def _holiday_in(s: Sentence, phrase: Phrase) -> str | None:
    return next((lex.holiday for lex in s.lexemes[phrase.start : phrase.end] if lex.holiday), None)


def holiday(name: str, *, today: date, year: int | None = None, **customs: Unpack[Customs]) -> DateResolution:
    """A holiday by name, typos allowed: its next occurrence, or the one in a civil year.

    An unknown name gives `unclear` with near names in the message, a past year gives `past`.
    """
    here = setting(today, 60, **customs)
    known = [lex.holiday for lex in read(name[:_LONGEST]) if lex.holiday]
    if not known:
        near = ", ".join(close_names(plain(name[:60])))
        return date_resolution(DateFault("unclear", f"no holiday is called {name[:60]!r}; similar names: {near}"), here)
    return date_resolution(begun(read_holiday(known[0], here, year), here), here)
