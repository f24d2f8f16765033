"""Composes an answer: the verdict first, then the offers, the facts and the assumptions."""

import re
from collections.abc import Iterator

from wavegraph.graph.views import AnswerView
from wavegraph.tools.hotel.answers import date_text
from wavegraph.tools.hotel.answers.amounts import foreign
from wavegraph.tools.hotel.answers.booking import HANDED_OVER, booking_part, next_to_book
from wavegraph.tools.hotel.answers.call_results import CallResults, answered, call_results
from wavegraph.tools.hotel.answers.comparison import comparison
from wavegraph.tools.hotel.answers.contradicted import contradicted
from wavegraph.tools.hotel.answers.facts import contact_line, facts_part, rooms_part, with_access
from wavegraph.tools.hotel.answers.not_free import chosen_instead, is_group, refused_or_full
from wavegraph.tools.hotel.answers.phrases import joined, party, reception, say
from wavegraph.tools.hotel.answers.searches import searches_part
from wavegraph.tools.hotel.answers.stays import in_question, quotes_part, stays_part
from wavegraph.tools.hotel.answers.taken import cheapest_taken, promises_no_room, taken, told_before
from wavegraph.tools.hotel.answers.unsaid import no_more_known
from wavegraph.tools.hotel.currency import label, spoken
from wavegraph.tools.hotel.dates.holiday_names import hebrew_name
from wavegraph.tools.hotel.dialogue.slots import HotelSlots, slots_before
from wavegraph.tools.hotel.profile import PropertyProfile
from wavegraph.tools.hotel.reading.party import read_party
from wavegraph.tools.hotel.records import OpenStays
from wavegraph.tools.hotel.results import stay_ends


def compose(view: AnswerView, profile: PropertyProfile) -> str:
    """The answer to a request, from its results; the plan's own reply if nothing was looked up."""
    if view.plan["reply"] and not view.ledger["calls"]:
        return view.plan["reply"]
    found = with_access(call_results(view, profile))
    blocks = ["\n".join(part) for part in _parts(found, view)]
    answer = "\n\n".join(block for block in blocks if block)
    return answer or say("nothing", found.language)


def found_beside(view: AnswerView, profile: PropertyProfile) -> str:
    """What a request's look-ups say, for a guest who is asked about its booking or cancellation."""
    found = with_access(call_results(view, profile))
    parts = [stays_part(found), searches_part(found), facts_part(found), no_more_known(found), rooms_part(found)]
    return "\n\n".join(block for part in parts if (block := "\n".join(part)))


def told_above(view: AnswerView) -> str:
    """What was looked up and told above the terms that the guest has answered by now."""
    return view.plan.get("beside", "") if view.decided else ""


def _parts(results: CallResults, view: AnswerView) -> list[Iterator[str]]:
    if told_above(view):
        return [quotes_part(results), _booking(results), _holidays(results), notes(results, view)]
    parts = [
        _opening(results),
        stays_part(results),
        searches_part(results),
        quotes_part(results),
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
    elif results.slots.want == "book" and not results.slots.amends:
        yield from next_to_book(results)


def notes(results: CallResults, view: AnswerView) -> Iterator[str]:
    """Notes on how the request was understood."""
    slots, language = results.slots, results.language
    yield from contradicted(results, view)
    searched = bool(results.checks() or results.searches() or results.quotes_told())
    for problem in slots.problems if searched or not slots.topics else ():  # `is the pool heated in winter?`
        reason = say(f"problem_{problem.error}", language)
        yield say("date_problem", language, words=problem.words, why=reason)
    if searched:
        yield from taken(slots, view, language, told=told_before(view))
        quotes = [results.outcomes[name]["args"] for name in results.quotes_told() if name in results.outcomes]
        yield from cheapest_taken(quotes, view, language)
        yield from _grown_up(results, view)
    if slots.wishes and (searched or slots.room_facts) and not promises_no_room(view.plan):
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
    """That a child of an age that the guest gave pays as an adult, in the first answer with a price for that child."""
    stays = (answered(each, results) for each in results.checks())
    found = [*stays, *(results.good(each, OpenStays) for each in results.searches())]
    own = {age for each in found if each for age in each.children_ages if age > results.profile.record.child_max_age}
    ages = {age for age in own if results.is_said("age", age)}
    before = slots_before(view)
    if ages and not ages.issubset(before.children_ages if before else ()):
        yield say("note_grown_up", results.language, ages=joined([*map(str, sorted(ages))], results.language))


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
    if results.waits or (slots.want == "book" and not slots.amends) or slots.intent == "modify":
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
