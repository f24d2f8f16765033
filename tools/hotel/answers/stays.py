"""The part of an answer about stays: what is free, in which rooms and for how much."""

from collections.abc import Iterator, Sequence

from wavegraph.tools.hotel.answers import date_text
from wavegraph.tools.hotel.answers.amounts import cheapest
from wavegraph.tools.hotel.answers.budgets import Limit, limit_of
from wavegraph.tools.hotel.answers.call_results import CallResults, answered
from wavegraph.tools.hotel.answers.not_free import alternatives, failed, full_lines, refused_ends, unknown_room
from wavegraph.tools.hotel.answers.offers import (
    combination_line,
    flexible_line,
    offer_line,
    price,
    terms,
    way_name,
)
from wavegraph.tools.hotel.answers.phrases import bullets, counted, party, say
from wavegraph.tools.hotel.answers.room_lists import MOST_ROOMS, rest_list, room_list
from wavegraph.tools.hotel.answers.scope import Scope, rate_of, scope_of
from wavegraph.tools.hotel.answers.stay_names import named_stay
from wavegraph.tools.hotel.dialogue.pending import choosable
from wavegraph.tools.hotel.reading.rooms import is_accessible
from wavegraph.tools.hotel.records import (
    Availability,
    Combination,
    Offer,
    OpenStays,
    Quote,
)
from wavegraph.tools.hotel.results import stay_ends

MOST_AT_ONCE = 6
"""Rooms listed when several stays are answered at once, over all of them."""


def stays_part(results: CallResults) -> Iterator[str]:
    """Lines for every stay asked for, in order."""
    checks = results.checks()
    for position, call_id in enumerate(checks):
        if position:
            yield ""
        yield from _one_stay(call_id, results, rooms_each(len(checks)))


def quotes_part(results: CallResults) -> Iterator[str]:
    """What was quoted and is not booked."""
    yield from (quote_line(quote, results) for name in results.quotes_told() if (quote := results.good(name, Quote)))


def quote_line(quote: Quote, results: CallResults) -> str:
    language = results.language
    stay, rooms = date_text.stay(*stay_ends(quote), language), way_name(quote.parts, language)
    cost = price(quote, language, quote.nights)
    return f"{stay}{whom(quote, results)}: {rooms}: {cost}, {terms(quote.parts[0], language)}"


def whom(stay: Availability | OpenStays | Quote, results: CallResults) -> str:
    """Whom a stay is for, behind its dates; empty where all are for the same."""
    if len(results.parties()) < 2:
        return ""
    return f", {say('for_guests', results.language, party=party(stay.adults, stay.children_ages, results.language))}"


def whom_of_all(results: CallResults) -> str:
    """The same behind the first stay or search, where all are for the same guests; empty where these are not known."""
    asked = results.parties()
    if len(asked) != 1 or (guests := asked.pop()) is None:
        return ""
    told = party(guests.adults, guests.children_ages, results.language, guests.rooms)
    return f", {say('for_guests', results.language, party=told)}"


def rooms_each(stays: int) -> int:
    """How many rooms are listed of each stay."""
    return min(MOST_ROOMS, max(1, MOST_AT_ONCE // stays - 1)) if stays > 1 else MOST_ROOMS


def _one_stay(call_id: str, results: CallResults, most: int) -> Iterator[str]:
    stay = answered(call_id, results)
    if stay and (unknown := unknown_room(call_id, results)):
        yield unknown
    if stay is None:
        yield from failed(call_id, results)
        if ends := refused_ends(call_id, results):
            yield from alternatives(call_id, ends, results)
        return
    if not stay.ways:
        yield " ".join(full_lines(call_id, stay, results))
        yield from alternatives(call_id, stay_ends(stay), results)
        return
    heading = named_stay(stay, results)
    if any(slot.adults is not None for slot in results.slots.stays):
        guests = say("for_guests", results.language, party=party(stay.adults, stay.children_ages, results.language))
        heading = f"{heading}, {guests}"
    if results.slots.or_rooms:
        heading += counted(stay.rooms, "in_room", "in_rooms", results.language)
    scope = scope_of(
        call_id, in_question(stay, results), usual(stay.offers, results), usual_mixes(stay, results), results
    )
    yield say("options", results.language, stay=heading + scope.heading(results.language))
    yield from _offers(stay, results, most, scope)
    if stay.booking_link:
        yield say("link", results.language, link=stay.booking_link)


def _offers(stay: Availability, results: CallResults, most: int, scope: Scope) -> Iterator[str]:
    language, length = results.language, stay.nights
    offers = in_question(stay, results)
    if lacks_refundable(stay, results):
        yield say("no_refundable", language)
    if limit := limit_of(stay, results):
        yield from _by_budget(limit, stay, offers, results, most, scope)
        return
    mixed = usual_mixes(stay, results)
    yield from _listed(offers, results, length, most, mixed, scope)
    yield from _combinations(mixed, language, length, bool(offers))


def in_question(stay: Availability, results: CallResults) -> list[Offer]:
    """The offers of the room types named; those with free cancellation, if that was asked for and there are any."""
    offers = asked_for(stay.offers, results)
    flexible = [offer for offer in offers if offer.refundable] if results.is_flexible(stay) else []
    return flexible or offers


def lacks_refundable(stay: Availability, results: CallResults) -> bool:
    offers = in_question(stay, results)
    return bool(results.is_flexible(stay) and offers and not offers[0].refundable)


def asked_for(offers: Sequence[Offer], results: CallResults) -> list[Offer]:
    """The offers of the room types named, if several were; all offers if none of them is offered."""
    types = results.slots.room_types
    named = [offer for offer in offers if offer.room_type in types]
    return named if len(types) > 1 and named else usual(offers, results, types)


def usual(offers: Sequence[Offer], results: CallResults, types: Sequence[str] = ()) -> list[Offer]:
    """Offers without the rooms for disabled guests, where these are not spoken of."""
    return list(offers) if results.accessible else choosable(offers, types)


def usual_mixes(stay: Availability, results: CallResults) -> list[Combination]:
    """Combinations without the rooms for disabled guests, where these are not spoken of and others are found on the same terms."""
    if results.accessible:
        return stay.combinations
    usual = [way for way in stay.ways if not any(is_accessible(part.room_name) for part in way.parts)]
    terms = {rate_of(way) for way in usual}
    return [each for each in stay.combinations if each in usual or rate_of(each) not in terms]


def _listed(
    offers: Sequence[Offer], results: CallResults, length: int, most: int, mixed: Sequence[Combination], scope: Scope
) -> Iterator[str]:
    """The rooms to choose from, or the cheapest alone if that was asked; and the lowest refundable price beside it. `scope`: of
    what alone it is the cheapest.
    """
    language = results.language
    chosen: Sequence[Offer] = offers
    best = cheapest(offers) if results.slots.want == "cheapest" else None
    if best and any(way.total_agorot < best.total_agorot for way in mixed):
        best = None
    if results.slots.rest:
        yield from rest_list(offers, 1 if best else most, length, language, results.profile)
    elif best:
        chosen = [best]
        yield say("cheapest", language, of=scope.of, offer=offer_line(best, language, length))
    else:
        yield from room_list(offers, most, length, language, results.profile, alone=len(results.checks()) == 1)
    if not any(offer.refundable for offer in chosen) and (line := flexible_line([*offers, *mixed], language)):
        yield line


def _combinations(found: Sequence[Combination], language: str, length: int, beside_offers: bool) -> Iterator[str]:
    if combinations := other_rooms(found)[:1] if beside_offers else found[:MOST_ROOMS]:
        key = "combinations_beside" if beside_offers else "combinations"
        yield say(key, language, rooms=combinations[0].rooms)
        yield from bullets([combination_line(each, language, length) for each in combinations])


def other_rooms(combinations: Sequence[Combination]) -> list[Combination]:
    """The cheapest combination of each set of rooms."""
    sets: dict[tuple[tuple[str, int], ...], Combination] = {}
    for each in combinations:
        sets.setdefault(tuple(sorted((part.room_type, part.count) for part in each.parts)), each)
    return list(sets.values())


def _by_budget(
    limit: Limit, stay: Availability, offers: Sequence[Offer], results: CallResults, most: int, scope: Scope
) -> Iterator[str]:
    """What fits the budget; or the closest offer and by how much it exceeds it."""
    language, length = results.language, stay.nights
    rooms, mixed, line = by_budget(limit, stay, offers, results)
    yield line
    if not (rooms or mixed):
        yield from bullets([way_line(closest_to(limit, stay, offers, results), language, length)])
        return
    yield from _listed(rooms, results, length, most, mixed, scope)
    yield from bullets([combination_line(each, language, length) for each in mixed[: 1 if rooms else MOST_ROOMS]])
    if line := above_budget(limit, offers, language):
        yield line


def by_budget(
    limit: Limit, stay: Availability, offers: Sequence[Offer], results: CallResults
) -> tuple[list[Offer], list[Combination], str]:
    """The offers and combinations that fit the budget, and the line that introduces them, or the closest one."""
    mixes = usual_mixes(stay, results)
    return limit.within(offers), limit.within(mixes), limit.heading([*offers, *mixes], results.language)


def closest_to(limit: Limit, stay: Availability, offers: Sequence[Offer], results: CallResults) -> Offer | Combination:
    """What costs least in the terms of the budget."""
    everything: list[Offer | Combination] = [*offers, *usual_mixes(stay, results)]
    return min(everything, key=limit.priced)


def above_budget(limit: Limit, offers: Sequence[Offer], language: str) -> str:
    """From what the offers cost that are above the budget, in its terms; empty = none is."""
    rooms = limit.within(offers)
    best = cheapest(each for each in offers if each not in rooms)
    return say("others_above", language, **limit.price_told(best, language)) if best else ""


def way_line(way: Offer | Combination, language: str, length: int) -> str:
    return offer_line(way, language, length) if isinstance(way, Offer) else combination_line(way, language, length)
