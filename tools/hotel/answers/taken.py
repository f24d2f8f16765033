"""What was taken for granted of a request: days, nights and guests that its words leave open."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import date, timedelta
from typing import Any

from langchain_core.messages import HumanMessage

from wavegraph.graph.state import Plan, PlanningResult
from wavegraph.graph.views import View
from wavegraph.tools.hotel.answers import date_text
from wavegraph.tools.hotel.answers.phrases import counted, party, say
from wavegraph.tools.hotel.answers.stay_names import counted_part
from wavegraph.tools.hotel.dates.vocabulary import MONTHS
from wavegraph.tools.hotel.dialogue.slots import Assumed, HotelSlots, StaySlot, slots_before
from wavegraph.tools.hotel.dialogue.understanding import ASSUMED_BABY_AGE
from wavegraph.tools.hotel.reading.intent import read_intents
from wavegraph.tools.hotel.reading.normalise import fold, prepared
from wavegraph.tools.hotel.stay_arguments import AGE_TAKEN


def taken(slots: HotelSlots, view: View, language: str, *, told: AbstractSet[str] = frozenset()) -> Iterator[str]:
    """What was taken for granted, in sentences. `told`: assumptions that need not be said again."""
    yield from _moved(slots, view, language)
    yield from _stay_notes(slots, language)
    yield from _assumptions(slots, told, language)


def cheapest_taken(quotes: Iterable[Mapping[str, Any]], view: View, language: str) -> Iterator[str]:
    """Of which prices the cheapest was quoted, where that was asked for and a model's call does not say so. `quotes`: the arguments
    of the calls."""
    before = slots_before(view)
    asks = "cheapest" in read_intents(prepared(fold(view.request["text"]))[0])
    open_terms = any(all(args.get(each) is None for each in ("refundable", "rate_plan", "order")) for args in quotes)
    if open_terms and (asks or (before is not None and before.want == "cheapest")):
        yield say("cheapest_taken", language)


def promises_no_room(plan: Plan | PlanningResult) -> bool:
    """Whether a reply of the plan says already that a certain room cannot be promised."""
    return any(form.get("thing") == "promise_room" for form in plan.get("said") or ())


def told_before(view: View) -> AbstractSet[str]:
    """What the answer before has said that it assumes, about the same guests."""
    before = slots_before(view)
    return {*before.assumed} - {"nights"} if before and before.intent == "availability" else set()


def _stay_notes(slots: HotelSlots, language: str) -> Iterator[str]:
    for search in slots.searches:
        if not search.nights_explicit:
            yield say("note_span", language, words=search.hint, stay=date_text.nights(search.nights, language))
    for stay in slots.stays:
        span = date_text.stay(stay.check_in, stay.check_out, language)
        if stay.kind == "weekend" and sum(each.kind == "weekend" for each in slots.stays) == 1:
            yield say("note_weekend", language, stay=span)
        if stay.kind == "span" and stay.hint:
            yield say("note_span", language, words=stay.hint, stay=span)
        elif counted_part(stay) and (stay.part or (1,))[0] == 0:
            first = counted(stay.nights, "first_night", "first_nights", language)
            yield say("note_first", language, words=stay.hint.strip(" ?!.,"), nights=first)


def _moved(slots: HotelSlots, view: View, language: str) -> Iterator[str]:
    """Days that have passed this year and were looked up in the next: once, and only where the guest named no year."""
    said = " ".join(str(each.text) for each in view.conversation if isinstance(each, HumanMessage))
    before = slots_before(view)
    known = [each.check_in for each in before.stays] if before else []
    short = _SHORT_YEAR.findall(said)
    for stay in slots.stays:
        year = stay.check_in.year
        is_known = stay.check_in in known or str(year) in said or f"{year % 100:02}" in short
        if not is_known and (words := _passed_words(stay, view.today, view.request["text"])):
            yield say("note_moved", language, words=words, year=year)


_SHORT_YEAR = re.compile(r"(?:'|[./-]\d\d?[./-])(\d\d)(?!\d)")


def _passed_words(stay: StaySlot, today: date, text: str) -> str:
    """The words for a day and month that has passed not long ago, so that the next one is hardly what was meant."""
    day = stay.check_in
    is_next = day.year == today.year + 1 and (day.month, day.day) < (today.month, today.day)
    if not is_next or day - today <= HALF_A_YEAR or stay.kind != "explicit" or stay.holiday:
        return ""
    found = (each.group() for words in (stay.hint, text) for each in _DAY_AND_MONTH.finditer(words))
    named = (words for words in found if day.month in _months(words))
    return next((words for words in named if day.day in map(int, re.findall(r"\d+", words))), "")


def _months(words: str) -> set[int]:
    """The months that a day's words may name: by name, or by a number beside a dot or a slash."""
    lower = words.lower()
    numbers = [int(each) for each in re.findall(r"\d+", lower)] if re.search(r"\d[./]\d", lower) else []
    return {*numbers, *(month for month, names in enumerate(MONTHS, 1) if any(name in lower for name in names.split()))}


_DAYS = r"\d{1,2}(?:st|nd|rd|th)?(?:\s?(?:-|–|to|until|till?|and|עד|ועד)\s?ה?-?\d{1,2}(?:st|nd|rd|th)?)?"
_MONTH = "|".join(sorted((name for names in MONTHS for name in names.split()), key=len, reverse=True))
_DAY_AND_MONTH = re.compile(
    rf"(?<![\d.,/]){_DAYS}\s?(?:of |[בל]-?)?(?:{_MONTH})(?![^\W\d_])|"
    rf"(?<![^\W\d_])(?:{_MONTH})\.? (?:the )?{_DAYS}(?![\d:])|"
    r"(?<![\d.,/])(?:\d{1,2}-)?\d{1,2}[./]\d{1,2}(?:\s?(?:-|–|to|until|till?|עד)\s?ה?-?\d{1,2}[./]\d{1,2})?(?![\d/])",
    re.IGNORECASE,
)
HALF_A_YEAR = timedelta(days=183)


def _assumptions(slots: HotelSlots, told: AbstractSet[str], language: str) -> Iterator[str]:
    """Of the guests that everything was looked up for; where it was for several parties, of each look-up with its dates."""
    for each in slots.apart:
        when = f"{date_text.short_stay(*each.dates, language)}: " if each.dates else ""
        yield from (f"{when}{line}" for line in _assumed(each.assumed, each.adults, each.children_ages, language))
    of_each = {name for each in slots.apart for name in each.assumed}
    left = [name for name in slots.assumed if name not in (of_each if slots.apart else told)]
    names_children = any(stay.children_ages for stay in slots.stays) or "uncounted" in slots.assumed
    yield from _assumed(left, slots.party_adults, slots.children_ages, language, with_children=names_children)


def _assumed(
    names: Iterable[Assumed], adults: int, ages: Sequence[int], language: str, *, with_children: bool = False
) -> Iterator[str]:
    values: dict[str, object] = {"adults": adults, "party": party(adults, ages, language), "age": AGE_TAKEN}
    for name in names:
        key = "babies_ages" if name == "baby_ages" and ages.count(ASSUMED_BABY_AGE) > 1 else str(name)
        key += "_only" if key in ("adults", "adults_per_room") and (with_children or ages) else ""
        yield say(f"assumed_{key}", language, **values)
