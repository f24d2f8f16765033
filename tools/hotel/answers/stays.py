"""The part of an answer about stays: what is free, what is full and why, and what is free instead."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from wavegraph.graph.answer.words import sentences
from wavegraph.graph.ledger import GOOD
from wavegraph.graph.references.paths import references
from wavegraph.graph.state import PlannedCall, ToolOutcome
from wavegraph.tools.hotel.answers import date_text
from wavegraph.tools.hotel.answers.alternatives import Alternative, best_alternatives
from wavegraph.tools.hotel.answers.amounts import amount, cheapest, difference, priced, within
from wavegraph.tools.hotel.answers.offers import (
    Narrowed,
    combination_line,
    offer_line,
    price,
    room_name,
    sold_out_nights,
    terms,
    type_name,
    way_name,
    why,
)
from wavegraph.tools.hotel.answers.phrases import bullets, counted, free_as, party, reception, say
from wavegraph.tools.hotel.answers.room_lists import MOST_ROOMS, rest_list, room_list
from wavegraph.tools.hotel.dates.holiday_names import hebrew_name
from wavegraph.tools.hotel.dialogue.pending import choosable
from wavegraph.tools.hotel.dialogue.slots import BudgetSlot, HotelSlots, StaySlot
from wavegraph.tools.hotel.profile import PropertyProfile
from wavegraph.tools.hotel.reading.rooms import is_accessible
from wavegraph.tools.hotel.records import (
    Availability,
    Combination,
    HolidayDates,
    HotelRecord,
    Offer,
    OpenStays,
    OpenStaysQuery,
    RoomRefusal,
    Way,
)
from wavegraph.tools.hotel.results import Ends, RecordT, asked_ends, holiday_around, holiday_of, lies_in, stay_ends

_LOOK_UPS = frozenset({"get_availability", "find_open_stays"})
MOST_AT_ONCE = 6
"""Rooms listed when several stays are answered at once, over all of them."""


@dataclass(frozen=True)
class CallResults:
    """The results of one request's calls, by id."""

    outcomes: Mapping[str, ToolOutcome]
    records: Mapping[str, HotelRecord]
    """The records of the good outcomes."""
    calls: Mapping[str, PlannedCall]
    slots: HotelSlots
    language: str
    profile: PropertyProfile
    broken: frozenset[str] = frozenset()
    """Ids of the calls that did not start because of a broken reference."""
    limits_hit: frozenset[str] = frozenset()
    said: str = ""
    """The guest's own words."""
    waits: bool = False
    """Whether a booking or a cancellation waits for a yes: then no other question may be answerable by yes."""
    accessible: bool = False
    """Whether the rooms for disabled guests are spoken of with the others."""

    def good(self, call_id: str, kind: type[RecordT]) -> RecordT | None:
        record = self.records.get(call_id)
        return record if isinstance(record, kind) else None

    def instead_of(self, call_id: str) -> list[str]:
        """Ids of the calls that replace this one, directly or through others."""
        direct = [name for name, call in self.calls.items() if call.get("instead_of") == call_id]
        return [*direct, *(deeper for name in direct for deeper in self.instead_of(name))]

    def root(self, call_id: str) -> str:
        """The call that failed: this one, or the one that it waited for and was skipped with."""
        outcome = self.outcomes.get(call_id)
        if outcome is None or outcome["status"] != "skipped" or call_id in self.broken:
            return call_id
        waited_for = [name for name, _ in references(self.calls[call_id]["args"]) if name in self.outcomes]
        lost = next((name for name in waited_for if self.outcomes[name]["status"] not in GOOD), None)
        return self.root(lost) if lost else call_id

    def is_unresolved(self, call_id: str) -> bool:
        """Whether it failed because the plan refers to nothing."""
        return self.root(call_id) in self.broken

    def is_out_of_time(self, call_id: str) -> bool:
        """Whether it was cut off because the request's time was up, not its own."""
        outcome = self.outcomes.get(self.root(call_id))
        return "request_timeout_s" in self.limits_hit and outcome is not None and outcome["status"] == "timeout"

    def checks(self) -> list[str]:
        """Ids of the availability calls that answer the guest."""
        return [name for name in self._answering() if self.calls[name]["tool"] == "get_availability"]

    def searches(self) -> list[str]:
        """Ids of the calls that search a period for the guest."""
        return [name for name in self._answering() if self.calls[name]["tool"] == "find_open_stays"]

    def _answering(self) -> list[str]:
        """Look-ups in the order they were asked for; one of the wrong thing has given its place to those that replace it."""
        return [each for name in self._asked() for each in self._standing(name)]

    def _asked(self) -> list[str]:
        first = {
            name: call for name, call in self.calls.items() if not (call.get("instead_of") or call.get("elements"))
        }
        return [name for name, call in first.items() if call["tool"] in _LOOK_UPS]

    def _standing(self, call_id: str) -> list[str]:
        instead = [each for name in self._corrections(call_id) for each in self._standing(name)]
        found = self.records.get(call_id)
        return [call_id, *instead] if isinstance(found, OpenStays) and not found.stays else instead or [call_id]

    def _corrections(self, call_id: str) -> list[str]:
        """What replaces a call that had looked up the wrong thing, or never began for want of its dates: a search, or a stay
        although it had found rooms."""
        asked = [call_id, *_asked_again(call_id, self)]
        first = self.outcomes.get(call_id)
        never_began = first is not None and first["status"] == "skipped"
        is_search = self.calls[call_id]["tool"] == "find_open_stays"
        own = [call_id, *_retries(call_id, self)]
        if not (is_search or never_began or any((stay := self.good(name, Availability)) and stay.ways for name in own)):
            return []
        direct = [name for name, call in self.calls.items() if call.get("instead_of") in asked and name not in asked]
        return [name for name in direct if isinstance(self.records.get(name), Availability | OpenStays)]

    def stay_of(self, call_id: str) -> StaySlot | None:
        """The stay this call was planned for: calls are planned in the order of the stays."""
        checks = [name for name in self._asked() if self.calls[name]["tool"] == "get_availability"]
        return dict(zip(checks, self.slots.stays, strict=False)).get(call_id)


def stays_part(results: CallResults) -> Iterator[str]:
    """Lines for every stay asked for, in order."""
    checks = results.checks()
    for position, call_id in enumerate(checks):
        if position:
            yield ""
        yield from _one_stay(call_id, results, rooms_each(len(checks)))


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
    yield say("options", results.language, stay=heading)
    yield from _offers(stay, results, most)
    if stay.booking_link:
        yield say("link", results.language, link=stay.booking_link)


_COUNTED = re.compile(r"^\d+ nights? of ")


def counted_part(stay: StaySlot) -> bool:
    """Whether it is a number of nights of a holiday, without saying which."""
    return bool(stay.holiday and stay.part and _COUNTED.sub("", stay.label) == stay.holiday)


def stay_name(stay: StaySlot, language: str) -> str:
    """What these dates are called; empty if it is not a name."""
    if not stay.holiday:
        return say("weekend", language) if stay.kind == "weekend" else ""
    label = _COUNTED.sub("", stay.label)
    if language == "he":
        return hebrew_name(stay.holiday) if label.endswith(stay.holiday) else ""
    return (
        label
        if re.fullmatch(rf"(?:[a-z\d ]+ of )?{re.escape(stay.holiday)}(?: week| eve)?", label, re.IGNORECASE)
        else ""
    )


def answered(call_id: str, results: CallResults) -> Availability | None:
    """The result of the call, or of its retry after a failure."""
    answering = _answering(call_id, results)
    return results.good(answering, Availability) if answering else None


def _answering(call_id: str, results: CallResults) -> str | None:
    asked = (call_id, *_asked_again(call_id, results))
    return next((name for name in asked if results.good(name, Availability)), None)


def _asked_again(call_id: str, results: CallResults) -> list[str]:
    """Its retries; the same look-up with the room's right name, or with any room."""
    others = [name for name in results.instead_of(call_id) if _without_the_words(name, call_id, results)]
    named_first = sorted(others, key=lambda name: not results.calls[name]["args"].get("room_type"))
    return [*_retries(call_id, results), *named_first]


def _retries(call_id: str, results: CallResults) -> list[str]:
    """Retries of this call, or of the calendar call it waited for."""
    targets = [call_id, *(target for target, _ in references(results.calls[call_id]["args"]))]
    stand_ins = [name for target in targets for name in results.instead_of(target)]
    return [name for name in stand_ins if name.startswith(call_id) and "_again" in name]


def _without_the_words(name: str, call_id: str, results: CallResults) -> bool:
    """Whether a room that the hotel does not know by its words was looked for again: by a name it has, or any room."""
    first, found = results.outcomes.get(call_id), results.good(name, Availability)
    if first is None or first["error"] is None or first["error"]["code"] != "not_found" or found is None:
        return False
    args = results.calls[name]["args"]
    is_same = bool(args.get("room_type")) or args.get("board") == first["args"].get("board")
    return is_same and stay_ends(found) == asked_ends(first["args"])


def named_stay(stay: Availability, results: CallResults) -> str:
    """The stay with the name the guest gave it, as a heading: `Hanukkah, Friday 4 December – …`."""
    span, name = date_text.stay(*stay_ends(stay), results.language), _name_of(stay, results)
    return say("named_stay", results.language, name=name[:1].upper() + name[1:], stay=span) if name else span


def compared_stay(stay: Availability, results: CallResults) -> str:
    """The same inside a sentence: `next weekend (Thursday 26 November – …)`."""
    span, name = date_text.stay(*stay_ends(stay), results.language), _name_of(stay, results)
    return say("compared_stay", results.language, name=name, stay=span) if name else span


def _name_of(stay: Availability, results: CallResults) -> str:
    slot = next((slot for slot in results.slots.stays if stay_ends(slot) == stay_ends(stay)), None)
    if slot:
        return stay_name(slot, results.language)
    holiday = holiday_of(stay_ends(stay), results.records.values())
    return holiday_name(holiday, results.language) if holiday else ""


def begins_a_holiday(stay: Availability, results: CallResults) -> bool:
    """Whether it is the first nights of a holiday, and fewer than it has."""
    around = holiday_around(stay_ends(stay), results.records.values())
    return around is not None and around[0] == stay.check_in and around[1] != stay.check_out


def holiday_name(holiday: HolidayDates, language: str) -> str:
    return hebrew_name(holiday.name) if language == "he" else holiday.name


def full_line(call_id: str, stay: Availability, results: CallResults) -> str:
    """That the stay is not free as it was asked for, and why; a group learns whom to call."""
    language = results.language
    heading, guests = named_stay(stay, results), stay.adults + len(stay.children_ages)
    if guests >= GROUP and (contact := reception(results.profile)):
        return say("full_group", language, stay=heading, guests=guests, contact=contact)
    only = narrowed(call_id, results)
    reason = why(stay, only, language)
    if only.room_type and len(stay.refusals) == 1:
        room = room_name(stay.refusals[0], language)
        key = "full_type_some" if _kind_of_full(stay, only) == "full_some" else "full_type"
        return say(key, language, stay=heading, rooms=room, free=free_as(room, language), why=reason)
    return say(_kind_of_full(stay, only), language, stay=heading, why=reason)


def full_lines(call_id: str, stay: Availability, results: CallResults) -> list[str]:
    """That the stay is not free as it was asked for, and why; and which rule keeps other rooms or meals from it too."""
    line = full_line(call_id, stay, results)
    others = [each for each in _found_instead(call_id, results) if isinstance(each, Availability) and not each.ways]
    ruled = [each for each in others if stay_ends(each) == stay_ends(stay) and each.reason in _RULES]
    told = [part for each in ruled for part in sentences(why(each, Narrowed(), results.language))]
    return [line, *(part for part in dict.fromkeys(told) if part not in line)]


_RULES = ("min_stay", "max_stay", "closed_arrival", "closed_departure")
"""Reasons that another length or another day lifts."""


def narrowed(call_id: str, results: CallResults) -> Narrowed:
    """The room type and the board that alone were looked for."""
    outcome = results.outcomes.get(_answering(call_id, results) or call_id)
    args = outcome["args"] if outcome else {}
    return Narrowed(args.get("room_type"), args.get("board"))


GROUP = 20
"""From this many guests on, a full house is a matter for reception."""


def _kind_of_full(stay: Availability, only: Narrowed) -> str:
    """Whether the house is full, on some nights or on all, or has no room under these terms alone."""
    if stay.reason != "sold_out":
        return "full_rules" if stay.reason in _RULES or (stay.reason == "not_on_sale" and only.board) else "full"
    nights_gone = sold_out_nights(stay)
    if stay.rooms == 1 and (nights_gone is None or 0 < len(nights_gone) < stay.nights):
        return "full_some"
    is_house = stay.rooms == 1 and {each.code for each in stay.refusals} <= {"sold_out"}
    return "full" if is_house else "full_rules"


def _offers(stay: Availability, results: CallResults, most: int) -> Iterator[str]:
    language, length = results.language, stay.nights
    offers = in_question(stay, results)
    if lacks_refundable(stay, results):
        yield say("no_refundable", language)
    if own_budget(stay, results.slots):
        yield from _by_budget(stay, offers, results, most)
        return
    yield from _listed(offers, results, length, most, stay.combinations)
    yield from _combinations(stay.combinations, language, length, bool(offers))


def in_question(stay: Availability, results: CallResults) -> list[Offer]:
    """The offers of the room types named; those with free cancellation, if that was asked for and there are any."""
    offers = asked_for(stay.offers, results)
    flexible = [offer for offer in offers if offer.refundable] if results.slots.refundable else []
    return flexible or offers


def lacks_refundable(stay: Availability, results: CallResults) -> bool:
    offers = in_question(stay, results)
    return bool(results.slots.refundable and offers and not offers[0].refundable)


def own_budget(stay: Availability, slots: HotelSlots) -> BudgetSlot | None:
    """The guest's budget, if the prices can be held against it."""
    return slots.budget if slots.budget and not slots.budget.is_foreign(stay.currency) else None


def asked_for(offers: Sequence[Offer], results: CallResults) -> list[Offer]:
    """The offers of the room types named, if several were; all offers if none of them is offered."""
    types = results.slots.room_types
    named = [offer for offer in offers if offer.room_type in types]
    return named if len(types) > 1 and named else usual(offers, results, types)


def usual(offers: Sequence[Offer], results: CallResults, types: Sequence[str] = ()) -> list[Offer]:
    """Offers without the rooms for disabled guests, where these are not spoken of."""
    return list(offers) if results.accessible else choosable(offers, types)


def _listed(
    offers: Sequence[Offer], results: CallResults, length: int, most: int, mixed: Sequence[Combination]
) -> Iterator[str]:
    """The rooms to choose from, or the cheapest alone if that was asked; and the lowest refundable price beside it."""
    language = results.language
    chosen: Sequence[Offer] = offers
    best = cheapest(offers) if results.slots.want == "cheapest" else None
    if results.slots.rest:
        yield from rest_list(offers, 1 if best else most, length, language, results.profile)
    elif best:
        chosen = [best]
        yield say("cheapest", language, offer=offer_line(best, language, length))
    else:
        yield from room_list(offers, most, length, language, results.profile, alone=len(results.checks()) == 1)
    if not any(offer.refundable for offer in chosen) and (line := flexible_line([*offers, *mixed], language)):
        yield line


def flexible_line(ways: Sequence[Offer | Combination], language: str, *, each_board: bool = False) -> str:
    """The lowest refundable price, or that of each board; empty = there is none."""
    flexible = sorted((way for way in ways if way.refundable), key=lambda way: way.total_agorot)
    if not flexible:
        return ""
    best: dict[str, Offer | Combination] = {}
    for way in flexible:
        best.setdefault(way.parts[0].board if each_board else "", way)
    key = "flexible_from" if flexible[0].cancel_until else "flexible_from_terms"
    return say(key, language, each=", ".join(_from(way, language) for way in best.values()))


def _from(way: Way, language: str) -> str:
    total = amount(way.total_agorot, way.currency, language)
    return say("from_offer", language, total=total, offer=way_name(way.parts, language))


def _combinations(found: Sequence[Combination], language: str, length: int, beside_offers: bool) -> Iterator[str]:
    usual = [each for each in other_rooms(found) if not any(is_accessible(part.room_name) for part in each.parts)]
    if combinations := usual[:1] if beside_offers else found[:MOST_ROOMS]:
        key = "combinations_beside" if beside_offers else "combinations"
        yield say(key, language, rooms=combinations[0].rooms)
        yield from bullets([combination_line(each, language, length) for each in combinations])


def other_rooms(combinations: Sequence[Combination]) -> list[Combination]:
    """The cheapest combination of each set of rooms."""
    sets: dict[tuple[tuple[str, int], ...], Combination] = {}
    for each in combinations:
        sets.setdefault(tuple(sorted((part.room_type, part.count) for part in each.parts)), each)
    return list(sets.values())


def _by_budget(stay: Availability, offers: Sequence[Offer], results: CallResults, most: int) -> Iterator[str]:
    """What fits the budget; or the closest offer and by how much it exceeds it."""
    language, length = results.language, stay.nights
    rooms, mixed, line = by_budget(stay, offers, results)
    yield line
    if not (rooms or mixed):
        yield from bullets([way_line(closest_to(stay, offers, results.slots), language, length)])
        return
    yield from _listed(rooms, results, length, most, mixed)
    yield from bullets([combination_line(each, language, length) for each in mixed[: 1 if rooms else MOST_ROOMS]])
    if line := above_budget(stay, offers, results):
        yield line


def by_budget(
    stay: Availability, offers: Sequence[Offer], results: CallResults
) -> tuple[list[Offer], list[Combination], str]:
    """The offers and combinations that fit the budget, and the line that introduces them, or the closest one."""
    budget, language = results.slots.budget, results.language
    assert budget is not None
    rooms = within(offers, budget.amount_agorot, budget.per)
    mixed = within(stay.combinations, budget.amount_agorot, budget.per)
    limit = {
        "limit": amount(budget.amount_agorot, stay.currency, language),
        "per": say(f"per_{budget.per}", language),
    }
    if rooms or mixed:
        return rooms, mixed, say("within_budget", language, **limit)
    nearest = priced(closest_to(stay, offers, results.slots), budget.per)
    over = amount(difference(nearest, budget.amount_agorot), stay.currency, language)
    return [], [], say("over_budget", language, **limit, price=amount(nearest, stay.currency, language), over=over)


def closest_to(stay: Availability, offers: Sequence[Offer], slots: HotelSlots) -> Offer | Combination:
    """What costs least in the terms of the budget."""
    assert slots.budget is not None
    per = slots.budget.per
    everything: list[Offer | Combination] = [*offers, *stay.combinations]
    return min(everything, key=lambda each: priced(each, per))


def above_budget(stay: Availability, offers: Sequence[Offer], results: CallResults) -> str:
    """From what the offers cost that are above the budget; empty = none is."""
    rooms, _, _ = by_budget(stay, offers, results)
    if (best := cheapest(each for each in offers if each not in rooms)) is None:
        return ""
    return say("others_above", results.language, total=amount(best.total_agorot, stay.currency, results.language))


def way_line(way: Offer | Combination, language: str, length: int) -> str:
    return offer_line(way, language, length) if isinstance(way, Offer) else combination_line(way, language, length)


def alternatives(call_id: str, asked: Ends, results: CallResults) -> Iterator[str]:
    """What is free instead of the stay asked for, as far as the replacing calls found out."""
    if is_group(call_id, results):
        return
    if chosen := chosen_instead(call_id, asked, results):
        yield say("alternatives", results.language)
        yield from bullets([alternative_line(each, asked, results.language) for each in chosen[:MOST_ROOMS]])
    elif line := tried_in_vain(call_id, asked, results):
        yield line


def is_group(call_id: str, results: CallResults) -> bool:
    """Whether reception has to place these guests: a dozen rooms on other days are no offer."""
    stay = answered(call_id, results)
    return stay is not None and stay.adults + len(stay.children_ages) >= GROUP and bool(reception(results.profile))


def chosen_instead(call_id: str, asked: Ends, results: CallResults) -> list[Alternative]:
    given = _found_instead(call_id, results)
    return best_alternatives(given, asked, holiday_around(asked, results.records.values()))


def tried_in_vain(call_id: str, asked: Ends, results: CallResults) -> str:
    """Where else nothing is free; empty = nowhere else was looked."""
    spans = [_tried(each, asked, results.language) for each in _found_instead(call_id, results)]
    tried = "; ".join(dict.fromkeys(spans))
    return say("no_alternatives", results.language, tried=tried) if tried else ""


def _found_instead(call_id: str, results: CallResults) -> list[Availability | OpenStays]:
    doors = [call_id, *_asked_again(call_id, results)]
    ids = dict.fromkeys(name for door in doors for name in results.instead_of(door))
    return [each for name in ids if isinstance(each := results.records.get(name), Availability | OpenStays)]


def alternative_line(each: Alternative, asked: Ends, language: str) -> str:
    return say(
        "alternative_same" if each.ends == asked else "alternative",
        language,
        stay=date_text.stay(*each.ends, language),
        price=price(each.way, language, each.nights),
        offer=way_name(each.way.parts, language),
        terms=terms(each.way.parts[0], language),
    )


def _tried(found: Availability | OpenStays, asked: Ends, language: str) -> str:
    """What was looked at: a stay, or so many nights somewhere in a period."""
    if isinstance(found, Availability):
        same = stay_ends(found) == asked
        return say("tried_same", language) if same else date_text.stay(*stay_ends(found), language)
    return _period(found, language)


def _period(found: OpenStays, language: str) -> str:
    first, last = (date_text.full_day(day, language) for day in (found.from_date, found.to_date))
    return say("tried_search", language, nights=date_text.nights(found.nights, language), first=first, last=last)


def refused_ends(call_id: str, results: CallResults) -> Ends | None:
    """The stay of a call that ran and failed; None = it was not begun, or its dates are not known."""
    outcome = results.outcomes.get(call_id)
    return asked_ends(outcome["args"]) if outcome and outcome["status"] != "skipped" else None


def refused_or_full(call_id: str, results: CallResults) -> Ends | None:
    """The stay of a call that found nothing free."""
    stay = answered(call_id, results)
    return stay_ends(stay) if stay else refused_ends(call_id, results)


def failed(call_id: str, results: CallResults) -> Iterator[str]:
    """What to say about a stay whose call failed; one that is merely unfinished is named elsewhere."""
    outcome, language = results.outcomes.get(call_id), results.language
    if outcome is None:
        return
    if outcome["status"] == "skipped":
        yield _not_begun(call_id, results)
        return
    code = outcome["error"]["code"] if outcome["error"] else ""
    ends = asked_ends(outcome["args"])
    where = date_text.stay(*ends, language) if ends else ""
    if code in _REFUSED or code in ("occupancy", "not_on_sale"):
        yield refusal(code, where, say(f"why_{code}", language), language)
    elif ends and (unknown := unknown_room(call_id, results)):
        others = [*_found_instead(call_id, results), *(answered(name, results) for name in results.checks())]
        if any(stay_ends(each) == ends for each in others if isinstance(each, Availability)):
            yield say("refused", language, stay=where, why=unknown)
        else:
            yield say("no_such_room", language, stay=where, words=outcome["args"]["room_type"])
    else:
        key = "out_of_time" if results.is_out_of_time(call_id) else "unreached"
        yield say(key, language, stay=where) if where else say(f"{key}_plain", language)


def refusal(code: str, stay: str, why: str, language: str) -> str:
    """The stay and why it cannot be; that nothing is free is said only of one that was looked up."""
    return say("refused" if code in _REFUSED else "full", language, stay=stay, why=why)


def unknown_room(call_id: str, results: CallResults) -> str:
    """That there is no room of the type asked for, in the guest's own words if they said them; empty = there is, or a
    room was found by its right name."""
    outcome, answering = results.outcomes.get(call_id), _answering(call_id, results)
    if outcome is None or outcome["error"] is None or outcome["error"]["code"] != "not_found":
        return ""
    asked = str(outcome["args"].get("room_type") or "")
    if not asked or (answering and results.calls[answering]["args"].get("room_type")):
        return ""
    key = "no_room_called" if asked.casefold() in results.said.casefold() else "no_room_like_it"
    return say(key, results.language, words=asked)


_REFUSED = ("past", "too_long", "too_short", "bad_dates")
"""Codes of stays that were not looked up, so that nothing is known of what is free."""


def _not_begun(call_id: str, results: CallResults) -> str:
    """What to say about a stay whose call was skipped, mostly because its dates were not found."""
    stay = results.stay_of(call_id)
    words = stay.hint if stay else ""
    if results.is_unresolved(call_id):
        return say("unresolved_dates", results.language, words=words) if words else say("unresolved", results.language)
    if results.is_out_of_time(call_id):
        return say("out_of_time_plain", results.language)
    return say("unreached_dates", results.language, words=words) if words else say("unreached_plain", results.language)


def comparison(results: CallResults) -> Iterator[str]:
    """Which of several stays, or of several room types, is cheaper, and by how much."""
    rows = compared(results)
    if len(rows) < 2:
        return
    language = results.language
    ways = [(best, name) for name, best in rows if best]
    is_even = len({_length(way) for way, _ in ways}) < 2
    free = sorted(ways, key=lambda row: row[0].total_agorot if is_even else row[0].per_night_agorot)
    if not free:
        yield say("compare_none", language)
    elif len(free) == 1:
        others = "; ".join(name for name, best in rows if not best)
        yield say("compare_one", language, one=free[0][1], low=_total(free[0][0], language), other=others)
    elif is_even:
        yield _ranked(free, language)
    else:
        (low, one), (high, other) = free[0], free[1]
        nightly = [amount(each.per_night_agorot, each.currency, language) for each in (low, high)]
        key = "compare_night_equal" if low.per_night_agorot == high.per_night_agorot else "compare_night"
        yield say(key, language, better=one, other=other, low=nightly[0], high=nightly[1])


def _ranked(free: list[tuple[Way, str]], language: str) -> str:
    (low, one), (high, other) = free[0], free[1]
    if low.total_agorot == high.total_agorot:
        return say("compare_equal", language, one=one, other=other, low=_total(low, language))
    gap = amount(difference(low.total_agorot, high.total_agorot), low.currency, language)
    totals = {"low": _total(low, language), "high": _total(high, language), "gap": gap}
    key = "compare" if len(free) == 2 else "compare_most"
    return say(key, language, better=_capital(one), other=other, **totals)


def _capital(name: str) -> str:
    return name[:1].upper() + name[1:]


def _length(way: Way) -> int:
    """The number of nights that a total covers."""
    return round(way.total_agorot / way.per_night_agorot)


def compared(results: CallResults) -> list[tuple[str, Way | None]]:
    """What is compared, with names: the stays of one party, the room types of a single stay, or periods searched."""
    if not results.checks():
        return _compared_searches(results)
    stays = [(call_id, stay) for call_id in results.checks() if (stay := answered(call_id, results))]
    if len(stays) == 1 and len(results.slots.room_types) > 1:
        [(_, stay)] = stays
        return [(_type_name(code, stay, results), cheapest(o for o in stay.offers if o.room_type == code))
                for code in results.slots.room_types]  # fmt: skip
    parties = {(stay.adults, tuple(stay.children_ages)) for _, stay in stays}
    if len(parties) != 1:
        return []
    if len({stay_ends(stay) for _, stay in stays}) == 1:
        return _compared_rooms(stays, results)
    rows: dict[Ends, tuple[str, Way | None]] = {}
    for call_id, stay in stays:  # of the same dates, looked up twice, the cheaper counts
        name, best = _compared(call_id, stay, results)
        held = rows.get(stay_ends(stay), (name, None))[1]
        ways = [each for each in (held, best) if each]
        rows[stay_ends(stay)] = name, min(ways, key=lambda way: way.total_agorot, default=None)
    return list(rows.values())


def _compared_rooms(stays: Sequence[tuple[str, Availability]], results: CallResults) -> list[tuple[str, Way | None]]:
    """Of the same dates, looked up for one room type, one number of rooms or one board after another."""
    types = [narrowed(call_id, results).room_type for call_id, _ in stays]
    if None in types or len(set(types)) < len(types):
        names = _asked_apart([call_id for call_id, _ in stays], results)
        found = [cheapest(_everything_in_question(stay, results)) for _, stay in stays]
        return list(zip(names, found, strict=True)) if names else []
    return [
        (_type_name(_code(stay), stay, results), cheapest(stay.offers))
        for _, stay in stays
        if stay.offers or stay.refusals
    ]


def _asked_apart(call_ids: Sequence[str], results: CallResults) -> list[str]:
    """Names of look-ups of the same dates, by the number of rooms or the board; empty if neither tells them apart."""
    language = results.language
    stays = [answered(name, results) for name in call_ids]
    rooms = [stay.rooms for stay in stays if stay]
    if len(set(rooms)) == len(call_ids):
        return [counted(number, "one_room", "so_many_rooms", language) for number in rooms]
    boards = [narrowed(name, results).board for name in call_ids]
    if None in boards or len(set(boards)) < len(boards):
        return []
    return [say(f"board_{board}", language) for board in boards]


def _compared_searches(results: CallResults) -> list[tuple[str, Way | None]]:
    """Periods of one party, by the lowest prices, where these are known."""
    searches = [(name, found) for name in results.searches() if (found := results.good(name, OpenStays))]
    windows = {(found.from_date, found.to_date) for _, found in searches}
    parties = {(found.adults, tuple(found.children_ages)) for _, found in searches}
    if len(parties) != 1 or len(windows) < len(searches) or not all(knows_lowest(*each, results) for each in searches):
        return []
    return [(_period(found, results.language), cheapest(found.stays)) for _, found in searches]


def knows_lowest(call_id: str, found: OpenStays, results: CallResults) -> bool:
    """Whether the lowest price that a search found is that of the whole period."""
    return bool(found.order) or is_all(call_id, found, results)


def is_all(call_id: str, found: OpenStays, results: CallResults) -> bool:
    """Whether a search gave all there is: as many stays as it gives at most may not be."""
    most = results.outcomes[call_id]["args"].get("limit") or OpenStaysQuery.model_fields["limit"].default
    return len(found.stays) < int(most)


def _code(stay: Availability) -> str:
    """Of the first room that was looked up."""
    return stay.offers[0].room_type if stay.offers else stay.refusals[0].room_type


def _compared(call_id: str, stay: Availability, results: CallResults) -> tuple[str, Way | None]:
    """The stay and its lowest price; of a full one in a holiday, what is free in that holiday instead."""
    if best := cheapest(_everything_in_question(stay, results)):
        return compared_stay(stay, results), best
    holiday = holiday_of(stay_ends(stay), results.records.values())
    instead = chosen_instead(call_id, stay_ends(stay), results) if holiday else []
    if holiday and instead and lies_in(instead[0].ends, stay_ends(holiday)):
        name, span = holiday_name(holiday, results.language), date_text.stay(*instead[0].ends, results.language)
        return say("compared_stay", results.language, name=name or holiday.name, stay=span), instead[0].way
    return compared_stay(stay, results), None


def _everything_in_question(stay: Availability, results: CallResults) -> list[Offer | Combination]:
    return [*asked_for(stay.offers, results), *stay.combinations]


def _type_name(code: str, stay: Availability, results: CallResults) -> str:
    named: list[Offer | RoomRefusal] = [*stay.offers, *stay.refusals]
    if rooms := [each for each in named if each.room_type == code]:
        return room_name(rooms[0], results.language)
    return type_name(code, results.profile, results.language)


def _total(way: Way, language: str) -> str:
    return amount(way.total_agorot, way.currency, language)
