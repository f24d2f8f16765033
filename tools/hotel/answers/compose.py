"""Composes an answer: the verdict first, then the offers, the facts and the assumptions."""

from collections.abc import Iterator

from wavegraph.graph.domain import AnswerView
from wavegraph.graph.ledger import results
from wavegraph.tools.hotel.answers import date_text
from wavegraph.tools.hotel.answers.amounts import foreign
from wavegraph.tools.hotel.answers.booking import booking_part, next_to_book
from wavegraph.tools.hotel.answers.facts import contact_line, facts_part, rooms_part
from wavegraph.tools.hotel.answers.phrases import counted, guest_language, party, say
from wavegraph.tools.hotel.answers.searches import searches_part
from wavegraph.tools.hotel.answers.stays import CallResults, comparison, counted_part, stays_part
from wavegraph.tools.hotel.currency import label, spoken
from wavegraph.tools.hotel.dialogue.slots import ASSUMED_BABY_AGE, ASSUMED_CHILD_AGE, HotelSlots, loads
from wavegraph.tools.hotel.profile import PropertyProfile
from wavegraph.tools.hotel.reading.message import read
from wavegraph.tools.hotel.results import records


def compose(view: AnswerView, profile: PropertyProfile) -> str:
    """The answer to a request, from its results; the plan's own reply if nothing was looked up."""
    if view.plan["reply"] and not view.ledger["calls"]:
        return view.plan["reply"]
    found = call_results(view, profile)
    blocks = ["\n".join(part) for part in _parts(found, view)]
    answer = "\n\n".join(block for block in blocks if block)
    return answer or say("nothing", found.language)


def call_results(view: AnswerView, profile: PropertyProfile) -> CallResults:
    """What the answer draws on."""
    language = guest_language(view.request["language"])
    slots = loads(view.plan["slots"]) or HotelSlots()
    broken = frozenset(issue["tool_id"] for issue in view.issues if issue["rule"] == "broken_reference")
    limits = frozenset(view.limits_hit)
    ended, good, calls = results(view.ledger), records(view.ledger), view.ledger["calls"]
    return CallResults(ended, good, calls, slots, language, profile, broken, limits, bool(view.waiting))


def _parts(results: CallResults, view: AnswerView) -> list[Iterator[str]]:
    parts = [
        _opening(results, view),
        stays_part(results),
        searches_part(results),
        _booking(results),
        facts_part(results),
        rooms_part(results),
        notes(results, view),
    ]
    if results.slots.want == "compare" or (results.slots.want == "cheapest" and len(results.checks()) > 1):
        parts.insert(1, comparison(results))
    return parts


def _opening(results: CallResults, view: AnswerView) -> Iterator[str]:
    slots = results.slots
    of_one_party = not any(stay.adults is not None for stay in slots.stays)
    if (results.checks() or results.searches()) and of_one_party:
        who = party(slots.party_adults, slots.children_ages, results.language, slots.rooms)
        yield say("as_before" if party_kept(slots, view, results.profile) else "for_party", results.language, party=who)


def party_kept(slots: HotelSlots, view: AnswerView, profile: PropertyProfile) -> bool:
    """Whether the guests are taken over from an earlier message."""
    before = loads(view.previous["plan"]["slots"]) if view.previous and view.previous["plan"] else None
    same = before is not None and _who(before) == _who(slots)
    if not same or slots.adults is None:
        return False
    return not read(view.request["text"], today=view.today, profile=profile).party.given


def _who(slots: HotelSlots) -> tuple[int | None, list[int], int | None]:
    return slots.adults, slots.children_ages, slots.rooms


def _booking(results: CallResults) -> Iterator[str]:
    yield from booking_part(results)
    if results.slots.intent == "modify":
        yield say("hand_over", results.language)
        yield from contact_line(results)
    elif results.slots.want == "book":
        yield from next_to_book(results)


def notes(results: CallResults, view: AnswerView) -> Iterator[str]:
    """Notes on how the request was understood."""
    slots, language = results.slots, results.language
    for problem in slots.problems:
        reason = say(f"problem_{problem.error}", language)
        yield say("date_problem", language, words=problem.words, why=reason)
    if results.checks() or results.searches():
        yield from _stay_notes(slots, language)
        yield from _assumptions(slots, language)
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


def _stay_notes(slots: HotelSlots, language: str) -> Iterator[str]:
    for search in slots.searches:
        if not search.nights_explicit:
            yield say("note_span", language, words=search.hint, stay=date_text.nights(search.nights, language))
    for stay in slots.stays:
        span = date_text.stay(stay.check_in, stay.check_out, language)
        if stay.kind == "weekend":
            yield say("note_weekend", language, stay=span)
        elif stay.kind == "span" and stay.hint:
            yield say("note_span", language, words=stay.hint, stay=span)
        elif counted_part(stay) and (stay.part or (1,))[0] == 0:
            first = counted(stay.nights, "first_night", "first_nights", language)
            yield say("note_first", language, words=stay.hint.strip(" ?!.,"), nights=first)


def _assumptions(slots: HotelSlots, language: str) -> Iterator[str]:
    everyone = party(slots.party_adults, slots.children_ages, language)
    values: dict[str, object] = {"adults": slots.party_adults, "party": everyone, "age": ASSUMED_CHILD_AGE}
    for name in slots.assumed:
        if name == "baby_ages":
            values["age"] = ASSUMED_BABY_AGE
        yield say(f"assumed_{name}", language, **values)


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
