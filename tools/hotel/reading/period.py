"""Reads a search: a period, a length, and the weekdays that suit: `cheapest 3 nights in January`, `midweek, not Wednesday`."""

import re
from collections.abc import Sequence
from datetime import date
from typing import NamedTuple, TypeAlias

from wavegraph.tools.hotel.dates import DatePhrase, DateResolution
from wavegraph.tools.hotel.dates.holiday_names import words_of
from wavegraph.tools.hotel.dates.lexer import Lex
from wavegraph.tools.hotel.dates.lexer import read as lexemes

Window: TypeAlias = tuple[date, date]
CHEAP = re.compile(
    r"\bcheap(?:est|er)?\b|\blowest\b|\bbest (?:price|rate|deal)|\bleast expensive\b|\bmost affordable\b|"
    r"זול|הכי משתלם|הכי נמוך"
)
_CHOOSES = re.compile(r"\bwhich\b|\bany\b|\bwhatever\b|\bsome\b|איזה|באיזה|איזשהו|אילו|כלשהו|כל סופ")
_ANYTHING = re.compile(
    r"\b(?:any(?:thing|time)?|something|some ?time|when(?:ever)?|whatever|which)\b|(?<![א-ת])(?:משהו|מתישהו|מתי|לא משנה|גמיש|גמישים|ב?איזה|ב?אילו)(?![א-ת])"
)
_FEW, _A_FEW = re.compile(r"\b(?:a few|some|several) (?:days|nights)\b|(?<![א-ת])לכמה (?:ימים|לילות)(?![א-ת])"), 3
_MONTH, _LONGEST_MONTH = 25, 31
"""Days of a period that is as wide as a month, and of the widest one; a season is wider."""
_NOT = frozenset(
    words_of(
        "except exept excpet execpt excluding without not avoid avoiding no but besides never skip חוץ מלבד פרט בלי ללא לא למעט"
    )
)
_WEEKNIGHTS = frozenset(words_of("weeknight weeknights"))
_MIDWEEK = _WEEKNIGHTS | set(words_of("midweek midweeks weekday weekdays אמצעש"))
_SABBATH = frozenset(words_of("שבת shabbat shabbos"))
_FRIDAY = 4
_SMALL = ("in", "on", "the", "for", "of", "from", "a", "each", "and", "or", "that", "several")
_INCLUDING = re.compile(
    r"\b(?:incl(?:uding|udes|ude)?\.?|containing|with) (?:an?|one|1|the)? ?(?:shabb(?:at|os)|sabbath|weekend)\b|"
    r"(?<![א-ת])ש?כולל(?:ים|ת)? (?:את )?(?:ה?שבת|ה?סופ)"
)
_ALSO_SMALL = ("including", "any", "over", "touching", "על", "כולל", "את")
_FROM_NOW = re.compile(
    r"\b(?:between now and|(?:from )?now (?:until|till?|to|through))\b|(?<![א-ת])מעכשיו ו?עד(?![א-ת])"
)
_LENGTHS = {"night": 1, "week": 7}


class Search(NamedTuple):
    """Any stay of a length inside a period; weekdays are Monday = 0, none = any."""

    window: Window | None
    """First arrival and last departure; None = not said."""
    nights: int | None
    arrive_on: tuple[int, ...]
    without: tuple[int, ...]
    """Nights that the stay must not include."""
    cheapest: bool
    words: str


def read_searches(
    text: str, phrases: Sequence[DatePhrase], weekend: tuple[int, int], *, limited: bool = False
) -> tuple[list[Search], list[DatePhrase]]:
    """The searches of a message, and the date phrases that are stays of their own. `weekend`: its first night and how many;
    `limited`: it names a highest price, so that any stay of a period may be meant."""
    cheapest = bool(CHEAP.search(text))
    without, spans = _without(lexemes(text), [(weekend[0] + n) % 7 for n in range(weekend[1])])
    gone = [phrase for phrase in phrases if _is_excluded(phrase, spans, phrases)]
    rest = [phrase for phrase in phrases if phrase not in gone]
    units = [phrase for phrase in rest if _bare_unit(phrase)] if cheapest and len(rest) > 1 else []
    rest = [phrase for phrase in rest if phrase not in units]
    days = [phrase for phrase in rest if is_weekdays(phrase)]
    few = bool(_FEW.search(text)) and all(phrase.kind in ("holiday", "span") for phrase in rest)
    lone = _lone_length(text, rest) or (_A_FEW if few else None)
    periods = [phrase for phrase in rest if phrase not in days and _is_period(phrase, lone)]
    apart = _weekend_apart(text, [*spans, *((phrase.start, phrase.end) for phrase in phrases)])
    on_weekend = apart or any(phrase.kind == "weekend" for phrase in [*days, *periods])
    spans_named = [phrase for phrase in periods if phrase.kind != "relative"]
    wide = max((_width(phrase) for phrase in periods), default=0)
    open_ = limited or few or wide > _LONGEST_MONTH or (wide > _MONTH and _ANYTHING.search(text))
    chosen = (
        cheapest
        or without
        or apart
        or (periods and open_)
        or (spans_named and days)
        or (on_weekend and _CHOOSES.search(text))
    )
    if not chosen or len(periods) + len(days) < len(rest):
        return [], [_unless_excluded(phrase, without) for phrase in rest]
    if not periods:
        return ([Search(None, None, (), without, cheapest, "")], rest) if without and not days else ([], rest)
    stays = [stay for phrase in days if phrase.kind != "weekend" for stay in phrase.resolution.stays]
    arrive_on = dict.fromkeys([*(stay.check_in.weekday() for stay in stays), *weekend[: 1 if on_weekend else 0]])
    counts = [_own_nights(phrase) for phrase in [*rest, *gone]] + [_LENGTHS[_bare_unit(phrase)] for phrase in units]
    counts += [*(stay.nights for stay in stays), *weekend[1 : 2 if on_weekend else 1], lone]
    nights = next((count for count in counts if count), None)
    if nights and not arrive_on and _INCLUDING.search(text):
        arrive_on = dict.fromkeys(day for day in range(7) if (_FRIDAY - day) % 7 < nights)
    windows = _in_a_row(periods, text)
    cheapest = cheapest or limited
    return [Search(window, nights, tuple(arrive_on), without, cheapest, words) for window, words in windows], []


def _is_excluded(phrase: DatePhrase, spans: Sequence[tuple[int, int]], phrases: Sequence[DatePhrase]) -> bool:
    """Whether it begins in words that exclude nights; or holds `midweek` beside a period, `2 nights midweek next month`."""
    wider = any(each is not phrase and _holds_more(each, phrase) for each in phrases)
    return any(start <= phrase.start < end or (wider and phrase.start < start < phrase.end) for start, end in spans)


def _holds_more(one: DatePhrase, other: DatePhrase) -> bool:
    length = [phrase.window[1] - phrase.window[0] if phrase.window else None for phrase in (one, other)]
    return length[0] is not None and length[1] is not None and length[0] > length[1]


def _weekend_apart(text: str, taken: Sequence[tuple[int, int]]) -> bool:
    """`Which weekends are free in March?`: the word, where no date has used it."""
    return any(
        lex.unit == "weekend" and not any(start <= lex.start < end for start, end in taken) for lex in lexemes(text)
    )


def until_then(text: str, phrases: Sequence[DatePhrase], today: date) -> list[DatePhrase]:
    """`The cheapest night between now and Purim`: the one date named ends the period that is searched."""
    stays = [stay for phrase in phrases for stay in phrase.resolution.stays]
    if len(phrases) != 1 or len(stays) != 1 or not (_FROM_NOW.search(text) and CHEAP.search(text)):
        return list(phrases)
    named = {"kind": "span", "holiday": None, "window": (today, stays[0].check_out), "nights": phrases[0].nights}
    return [phrases[0].model_copy(update=named)] if phrases[0].kind != "span" else list(phrases)


def _width(phrase: DatePhrase) -> int:
    """Days of a period in which any nights may be meant; 0 = its own nights are."""
    stays = phrase.resolution.stays
    if phrase.window is None or any((stay.check_in, stay.check_out) == phrase.window for stay in stays):
        return 0
    return (phrase.window[1] - phrase.window[0]).days


def from_now(text: str, searches: Sequence[Search], today: date) -> list[Search]:
    """`between now and the end of January`: the period begins today."""
    if len(searches) != 1 or searches[0].window is None or not _FROM_NOW.search(text):
        return list(searches)
    return [searches[0]._replace(window=(today, searches[0].window[1]))]


def outside(searches: Sequence[Search], excluded: Sequence[DatePhrase]) -> list[Search]:
    """The searches without the days that the message excludes: `in April, but not during Passover`."""
    for phrase in excluded:
        ends = [(stay.check_in, stay.check_out) for stay in phrase.resolution.stays if not is_weekdays(phrase)]
        for gone in [phrase.window] if phrase.window and ends else ends:
            searches = [part for search in searches for part in _around(search, gone)]
    return list(searches)


def _around(search: Search, gone: Window) -> list[Search]:
    """The search before and after the days, or all of it where they are none of its own."""
    if search.window is None or gone[1] <= search.window[0] or search.window[1] <= gone[0]:
        return [search]
    parts = [(search.window[0], gone[0]), (gone[1], search.window[1])]
    long_enough = [part for part in parts if (part[1] - part[0]).days >= (search.nights or 1)]
    return [search._replace(window=part) for part in long_enough] or [search]


def _without(row: Sequence[Lex], weekend: Sequence[int]) -> tuple[tuple[int, ...], list[tuple[int, int]]]:
    """The nights excluded, and where the text says so."""
    found: list[int] = []
    spans: list[tuple[int, int]] = []
    for n, lex in enumerate(row):
        if lex.word in _MIDWEEK or _is_middle(row[n : n + 5]):
            end = n + 1
            days = list(weekend)
        elif lex.word in _NOT:
            days, end = _days_named(row, n + 1, weekend)
        else:
            continue
        if days:
            found += days
            spans.append((lex.start, row[end - 1].end))
    return tuple(dict.fromkeys(found)), spans


def _days_named(row: Sequence[Lex], start: int, weekend: Sequence[int]) -> tuple[list[int], int]:
    days: list[int] = []
    end = at = start
    while at < len(row) and (taken := _night_of(row[at], weekend)) is not None:
        days += taken
        at += 1
        end = at if taken or row[at - 1].unit else end
    return days, end


def _night_of(lex: Lex, weekend: Sequence[int]) -> list[int] | None:
    """The weekdays that a word names; none for a small word between them; None for any other word."""
    if lex.unit == "weekend":
        return list(weekend)
    if lex.word in _SABBATH:
        return [_FRIDAY]
    if lex.weekday is not None:
        return [lex.weekday]
    return [] if lex.key in _SMALL or lex.unit in ("night", "day") or lex.word in _ALSO_SMALL else None


def _is_middle(row: Sequence[Lex]) -> bool:
    """`mid-week`, `אמצע השבוע`; not the middle of one week, as in `mid next week`."""
    words = [lex for lex in row if lex.key not in ("dash", "the", "of")]
    turned = len(words) > 2 and words[2].key in ("this", "next")
    return row[0].key == "mid" and len(words) > 1 and words[1].unit == "week" and not turned


def is_weekdays(phrase: DatePhrase) -> bool:
    """Weekdays of no particular week: `Thursday to Saturday`, `the weekend`."""
    row = lexemes(phrase.text)
    if phrase.kind == "weekend":
        return all(lex.unit == "weekend" or lex.key in ("the", "a") for lex in row)
    named = any(lex.weekday is not None for lex in row)
    return named and not any(
        lex.month or lex.holiday or lex.written or lex.key in ("this", "next") or lex.unit in ("week", "weekend")
        or (lex.num is not None and lex.weekday is None and lex.num != phrase.nights)
        for lex in row
    )  # fmt: skip


def _unless_excluded(phrase: DatePhrase, without: Sequence[int]) -> DatePhrase:
    """A stay with a night that the message excludes, `January 17-22, not Wednesday`, is asked about."""
    nights = {(stay.check_in.weekday() + n) % 7 for stay in phrase.resolution.stays for n in range(stay.nights)}
    if not nights & set(without):
        return phrase
    fault = DateResolution(error="unclear", message=f"{phrase.text!r} has a night that is excluded: which nights?")
    return phrase.model_copy(update={"resolution": fault})


def _bare_unit(phrase: DatePhrase) -> str:
    """`השבוע`, `הלילה` of `השבוע הכי זול במרץ`, which alone would be this week and tonight."""
    row = [lex for lex in lexemes(phrase.text) if lex.key != "the"]
    if len(row) != 1:
        return ""
    return "night" if row[0].word == "הלילה" else row[0].unit if row[0].unit in _LENGTHS else ""


def _is_period(phrase: DatePhrase, lone: int | None) -> bool:
    """Wider than the stay that is looked for in it; `lone`: a length that no date has taken."""
    if phrase.window is None:
        return False
    weekends = phrase.resolution.stays if phrase.kind == "weekend" else []
    nights = _own_nights(phrase) or (weekends[0].nights if weekends else lone or 0)
    is_open = phrase.kind == "span" or (not nights and _width(phrase))
    return bool(is_open) or nights in range(1, (phrase.window[1] - phrase.window[0]).days)


def _own_nights(phrase: DatePhrase) -> int | None:
    """The length that it names: also `2 nights after Passover`, which stands in some weeks."""
    stays = phrase.resolution.stays if phrase.kind == "relative" and _width(phrase) else []
    return phrase.nights or next((stay.nights for stay in stays if stay.nights_explicit), None)


def _lone_length(text: str, phrases: Sequence[DatePhrase]) -> int | None:
    """`the cheapest week in March`, `the 3 cheapest nights`: a length that no date has taken."""
    lead: list[Lex] = []
    for lex in lexemes(text):
        if any(phrase.start <= lex.start < phrase.end for phrase in phrases):
            continue
        counts = [each.num for each in lead if each.num and not each.counted]
        unit = "night" if lex.word in _WEEKNIGHTS else lex.unit
        if unit in _LENGTHS and (
            counts or (lead and (CHEAP.search(lead[-1].word) or lead[-1].word == "any") and not lex.word.endswith("s"))
        ):
            return _LENGTHS[unit] * (counts[-1] if counts else 1)
        if lex.key not in ("the", "dash"):
            lead = [*lead[-1:], lex]
    return None


_UP_TO = re.compile(r"\W*(?:to|until|till|through|and|ו?עד|ל)?[ -]*$")
_BETWEEN = re.compile(r"(?:\b(?:between|from) |(?<![א-ת])(?:בין |מ-?))\w{3,10}(?: \d{4})?$")


def _in_a_row(periods: Sequence[DatePhrase], text: str) -> list[tuple[Window, str]]:
    """The windows with their words; those that meet are one, `January or February`, and `from January to April` too."""
    found: list[tuple[Window, str]] = []
    for before, phrase in zip([None, *periods], periods, strict=False):
        assert phrase.window is not None
        if before and _BETWEEN.search(text[: before.end]) and _UP_TO.match(text[before.end : phrase.start]):
            found[-1] = ((found[-1][0][0], phrase.window[1]), text[before.start : phrase.end])
            continue
        if found and found[-1][0][1] == phrase.window[0]:
            found[-1] = ((found[-1][0][0], phrase.window[1]), f"{found[-1][1]}, {phrase.text}")
        else:
            found.append((phrase.window, phrase.text))
    return found
