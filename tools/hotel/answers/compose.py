"""Composes an answer: the verdict first, then the offers, the facts and the assumptions."""

import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from datetime import date, timedelta

from langchain_core.messages import HumanMessage

from wavegraph.graph.views import AnswerView
from wavegraph.tools.hotel.answers import date_text
from wavegraph.tools.hotel.answers.amounts import foreign
from wavegraph.tools.hotel.answers.booking import HANDED_OVER, booking_part, next_to_book
from wavegraph.tools.hotel.answers.call_results import CallResults, answered, call_results
from wavegraph.tools.hotel.answers.comparison import comparison
from wavegraph.tools.hotel.answers.contradicted import contradicted
from wavegraph.tools.hotel.answers.facts import contact_line, facts_part, rooms_part, with_access
from wavegraph.tools.hotel.answers.not_free import chosen_instead, is_group, refused_or_full
from wavegraph.tools.hotel.answers.phrases import counted, joined, party, reception, say
from wavegraph.tools.hotel.answers.searches import searches_part
from wavegraph.tools.hotel.answers.stay_names import counted_part
from wavegraph.tools.hotel.answers.stays import in_question, stays_part
from wavegraph.tools.hotel.answers.unsaid import no_more_known
from wavegraph.tools.hotel.currency import label, spoken
from wavegraph.tools.hotel.dates.holiday_names import hebrew_name
from wavegraph.tools.hotel.dates.vocabulary import MONTHS
from wavegraph.tools.hotel.dialogue.slots import HotelSlots, StaySlot, slots_before
from wavegraph.tools.hotel.dialogue.understanding import ASSUMED_BABY_AGE
from wavegraph.tools.hotel.profile import PropertyProfile
from wavegraph.tools.hotel.reading.party import read_party
from wavegraph.tools.hotel.records import OpenStays
from wavegraph.tools.hotel.results import stay_ends
from wavegraph.tools.hotel.stay_arguments import AGE_TAKEN


def compose(view: AnswerView, profile: PropertyProfile) -> str:
    """The answer to a request, from its results; the plan's own reply if nothing was looked up."""
    if view.plan["reply"] and not view.ledger["calls"]:
        return view.plan["reply"]
    found = with_access(call_results(view, profile))
    blocks = ["\n".join(part) for part in _parts(found, view)]
    answer = "\n\n".join(block for block in blocks if block)
    return answer or say("nothing", found.language)


def _parts(results: CallResults, view: AnswerView) -> list[Iterator[str]]:
    parts = [
        _opening(results),
        stays_part(results),
        searches_part(results),
        _booking(results),
        _holidays(results),
        facts_part(results),
        no_more_known(results),
        rooms_part(results),
        notes(results, view),
        closing_question(results),
    ]
    if results.slots.want == "compare" or (results.slots.want == "cheapest" and len(results.checks()) > 1):
        parts.insert(1, comparison(results))
    return parts


def _opening(results: CallResults) -> Iterator[str]:
    slots = results.slots
    if slots.stands and (results.checks() or results.searches()):
        contact = reception(results.profile)
        key = "stands_beside" if contact else "stands_beside_plain"
        yield say(key, results.language, reference=slots.stands, contact=contact)
        yield ""
    parties = {guests[:2] for guests in results.parties() if guests}
    of_one_party = len(parties) < 2 and not any(stay.adults is not None for stay in slots.stays)
    if (results.checks() or results.searches()) and of_one_party:
        who = party(slots.party_adults, slots.children_ages, results.language, slots.rooms)
        yield say("for_party", results.language, party=who)


def _holidays(results: CallResults) -> Iterator[str]:
    """The days of the holidays asked about, and whether the stay spoken of touches them."""
    slots, language = results.slots, results.language
    for day in slots.holidays:
        name = hebrew_name(day.holiday or "") if language == "he" else day.holiday
        span = [date_text.full_day(each, language) for each in stay_ends(day)]
        yield say("holiday_days", language, name=name, first=span[0], last=span[1])
        for stay in slots.stays:
            touches = stay.check_in <= day.check_out and day.check_in <= stay.check_out
            dates = date_text.stay(*stay_ends(stay), language)
            yield say("holiday_touches" if touches else "holiday_apart", language, stay=dates)


def _booking(results: CallResults) -> Iterator[str]:
    yield from booking_part(results)
    if key := HANDED_OVER.get(results.slots.intent):
        yield say(key, results.language)
        yield from contact_line(results)
    elif results.slots.want == "book":
        yield from next_to_book(results)


def notes(results: CallResults, view: AnswerView) -> Iterator[str]:
    """Notes on how the request was understood."""
    slots, language = results.slots, results.language
    yield from contradicted(results, view)
    searched = bool(results.checks() or results.searches())
    for problem in slots.problems if searched or not slots.topics else ():  # `is the pool heated in winter?`
        reason = say(f"problem_{problem.error}", language)
        yield say("date_problem", language, words=problem.words, why=reason)
    if searched:
        yield from _moved(results, view)
        yield from _stay_notes(slots, language)
        yield from _assumptions(slots, _told_before(view), language)
        yield from _grown_up(results, view)
    if slots.wishes and (searched or slots.room_facts):
        yield say("wishes", language)
    own = results.profile.currency
    if slots.budget and slots.budget.is_foreign(own) and results.checks():
        values = {
            "currency": spoken(own, language),
            "label": label(own, language),
            "said": foreign(slots.budget, language),
        }
        yield say("foreign_budget", language, **values)
    if slots.floor and results.checks():
        yield say("no_floor", language, said=slots.floor)
    if slots.stays_left_out:
        yield say("stays_left_out", language, n=len(slots.stays), left=slots.stays_left_out)
    if slots.ordered:
        yield say("orders_left_out", language)
    yield from _not_done(results, view)


def _grown_up(results: CallResults, view: AnswerView) -> Iterator[str]:
    """That a child pays as an adult, in the first answer with a price for that child."""
    stays = (answered(each, results) for each in results.checks())
    found = [*stays, *(results.good(each, OpenStays) for each in results.searches())]
    ages = {age for each in found if each for age in each.children_ages if age > results.profile.record.child_max_age}
    before = slots_before(view)
    if ages and not ages.issubset(before.children_ages if before else ()):
        yield say("note_grown_up", results.language, ages=joined([*map(str, sorted(ages))], results.language))


def _told_before(view: AnswerView) -> AbstractSet[str]:
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


def _moved(results: CallResults, view: AnswerView) -> Iterator[str]:
    """Days that have passed this year and were looked up in the next: once, and only where the guest named no year."""
    said = " ".join(str(each.text) for each in view.conversation if isinstance(each, HumanMessage))
    before = slots_before(view)
    known = [each.check_in for each in before.stays] if before else []
    short = _SHORT_YEAR.findall(said)
    for stay in results.slots.stays:
        year = stay.check_in.year
        is_known = stay.check_in in known or str(year) in said or f"{year % 100:02}" in short
        if not is_known and (words := _passed_words(stay, view.today, results.said)):
            yield say("note_moved", results.language, words=words, year=year)


_SHORT_YEAR = re.compile(r"(?:'|[./-]\d\d?[./-])(\d\d)(?!\d)")


def _passed_words(stay: StaySlot, today: date, text: str) -> str:
    """The words for a day and month that has passed not long ago, so that the next one is hardly what was meant."""
    day = stay.check_in
    is_next = day.year == today.year + 1 and (day.month, day.day) < (today.month, today.day)
    if not is_next or day - today <= HALF_A_YEAR or stay.kind != "explicit" or stay.holiday:
        return ""
    named = (found for words in (stay.hint, text) for found in _DAY_AND_MONTH.finditer(words))
    return next((found.group() for found in named if _means(found.group(), day)), "")


def _means(words: str, day: date) -> bool:
    return day.month in _months(words) and day.day in map(int, re.findall(r"\d+", words))


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
    everyone = party(slots.party_adults, slots.children_ages, language)
    values: dict[str, object] = {"adults": slots.party_adults, "party": everyone, "age": AGE_TAKEN}
    babies = slots.children_ages.count(ASSUMED_BABY_AGE)
    for name in (each for each in slots.assumed if each not in told):
        key = "babies_ages" if name == "baby_ages" and babies > 1 else str(name)
        key += "_only" if key in ("adults", "adults_per_room") and _names_children(slots) else ""
        yield say(f"assumed_{key}", language, **values)


def _names_children(slots: HotelSlots) -> bool:
    return bool(slots.children_ages or any(stay.children_ages for stay in slots.stays) or "uncounted" in slots.assumed)


def not_placed(slots: HotelSlots, language: str) -> str:
    """What was not understood beside what was searched, and whether it is somebody else."""
    words = joined([say("quoted", language, words=words) for words in slots.unplaced], language)
    if not all(map(_names_people, slots.unplaced)) or any(stay.adults is not None for stay in slots.stays):
        return say("not_placed_what", language, words=words)
    who = party(slots.party_adults, slots.children_ages, language)
    return say("another_guest" if len(slots.unplaced) == 1 else "other_guests", language, party=who, words=words)


def _names_people(words: str) -> bool:
    party = read_party(words.lower())
    return not re.search(r"\d", words) and bool(party.given or party.uncounted or party.open)


def closing_question(results: CallResults) -> Iterator[str]:
    """One question at the end, where none stands there: which of what was found the guest would like."""
    slots, checks = results.slots, results.checks()
    if slots.unplaced and (checks or results.searches()):
        yield not_placed(slots, results.language)
        return
    if results.waits or slots.want == "book" or slots.intent == "modify":
        return
    searched = [results.good(name, OpenStays) for name in results.searches()]
    if not checks:
        if any(each and each.stays for each in searched):
            yield say("choose_dates", results.language)
        elif searched:
            yield _other_dates(results)
        return
    found = [stay for name in checks if (stay := answered(name, results)) and stay.ways]
    if len(checks) > 1:
        yield from [say("choose_stay", results.language)] if found else []
    elif found:
        types = {offer.room_type for offer in in_question(found[0], results)}
        yield say("choose_it" if len(types) == 1 and not found[0].combinations else "choose_room", results.language)
    elif (ends := refused_or_full(checks[0], results)) and not is_group(checks[0], results):
        instead = [each.ends for each in chosen_instead(checks[0], ends, results)]
        if instead:
            yield say("choose_room" if set(instead) == {ends} else "choose_dates", results.language)
        else:
            yield _other_dates(results)


def _other_dates(results: CallResults) -> str:
    """Where nothing was found: the question that goes on, and who else can help."""
    contact = reception(results.profile)
    return say("other_dates_or_ask" if contact else "other_dates", results.language, contact=contact)


def _not_done(results: CallResults, view: AnswerView) -> Iterator[str]:
    if any(issue["type"] == "broken_plan" for issue in view.open_issues):
        yield say("plan_refused", results.language)
    if "max_runs" in view.limits_hit:
        yield say("tried_enough", results.language)
    unfinished = [stay for name in view.unfinished if (stay := results.stay_of(name))]
    if unfinished:
        spans = "; ".join(date_text.stay(stay.check_in, stay.check_out, results.language) for stay in unfinished)
        yield say("not_done", results.language, what=spans)
    elif view.unfinished or set(view.limits_hit) - {"max_adaptations", "max_runs"}:
        yield say("not_done_plain", results.language)
