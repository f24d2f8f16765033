"""What is said of a stay that is not to be had: why, and what is free instead."""

from collections.abc import Iterator, Sequence

from wavegraph.graph.answer.words import sentences
from wavegraph.tools.hotel.answers import date_text
from wavegraph.tools.hotel.answers.alternatives import (
    Alternative,
    best_alternatives,
    every_alternative,
    is_as_wanted,
    lowest_of_others,
    offers_beside,
)
from wavegraph.tools.hotel.answers.budgets import Limit, limit_of
from wavegraph.tools.hotel.answers.call_results import CallResults, answered, answered_by, asked_again, narrowed
from wavegraph.tools.hotel.answers.facts import rooms_as_asked, rooms_pointed_at
from wavegraph.tools.hotel.answers.offers import (
    Narrowed,
    flexible_line,
    price,
    room_name,
    sold_out_nights,
    terms,
    type_name,
    way_name,
    why,
)
from wavegraph.tools.hotel.answers.phrases import bullets, counted, free_as, party, reception, say
from wavegraph.tools.hotel.answers.room_lists import MOST_ROOMS
from wavegraph.tools.hotel.answers.stay_names import named_stay
from wavegraph.tools.hotel.records import (
    Availability,
    Offer,
    OpenStays,
)
from wavegraph.tools.hotel.results import Ends, asked_ends, holiday_around, stay_ends
from wavegraph.tools.hotel.stay_arguments import Party, party_asked


def full_line(call_id: str, stay: Availability, results: CallResults, whom: str = "") -> str:
    """That the stay is not free as it was asked for, and why; a group learns whom to call. `whom`: behind the dates, where
    the reason does not name them."""
    language, heading = results.language, named_stay(stay, results)
    if is_group(call_id, results):
        return group_line(call_id, heading, results)
    only = narrowed(call_id, results)
    reason = why(stay, only, language, results.profile)
    if stay.reason == "occupancy":  # rooms may be free
        return say("refused", language, stay=heading, why=reason)
    heading += whom
    if only.room_type and stay.rooms == len(stay.refusals) == 1:
        room = room_name(stay.refusals[0], language)
        key = "full_type_some" if _kind_of_full(stay, only) == "full_some" else "full_type"
        return say(key, language, stay=heading, rooms=room, free=free_as(room, language), why=reason)
    return say(_kind_of_full(stay, only), language, stay=heading, why=reason)


def full_lines(call_id: str, stay: Availability, results: CallResults, whom: str = "") -> list[str]:
    """That the stay is not free as it was asked for, and why; and what keeps other rooms or meals from it too."""
    line = full_line(call_id, stay, results, whom)
    ruled = [each for each in _on_these_dates(call_id, results) if not each.ways and each.reason in _RULES]
    told = [part for each in ruled for part in sentences(why(each, Narrowed(), results.language, results.profile))]
    who = counted(_guests_asked(call_id, results), "guest", "guests", results.language)
    taken = [say("full_others", results.language, guests=who)] if _all_are_taken(call_id, stay, results) else []
    return [line, *(part for part in dict.fromkeys(told) if part not in line), *taken]


def group_line(call_id: str, heading: str, results: CallResults) -> str:
    """That so many guests cannot be placed, how many the free rooms hold as far as that is known, and whom to call."""
    contact, language = reception(results.profile), results.language
    stays = [answered(call_id, results), *_on_these_dates(call_id, results)]
    most = max((each.free_places or 0 for each in stays if each), default=0)
    places = say("places_in_all", language, most=counted(most, "guest", "guests", language)) if most else ""
    line = say("full_group", language, stay=heading, guests=_guests_asked(call_id, results), contact=contact)
    return f"{line} {places}".rstrip()


def _guests_asked(call_id: str, results: CallResults) -> int:
    """How many guests a call is for; 0 = that is not known."""
    outcome = results.outcomes.get(call_id)
    asked = answered(call_id, results) or (party_asked(outcome["args"]) if outcome else None)
    return asked.adults + len(asked.children_ages) if asked else 0


def _on_these_dates(call_id: str, results: CallResults) -> list[Availability]:
    """What was looked up in place of a call for its own nights."""
    ends = refused_or_full(call_id, results)
    return [
        each for each in found_instead(call_id, results) if isinstance(each, Availability) and stay_ends(each) == ends
    ]


def _all_are_taken(call_id: str, stay: Availability, results: CallResults) -> bool:
    """Whether of a kind of room that alone was asked for any other was looked up too, for the same guests and nights, in vain: of
    several rooms together some may be free."""
    if not narrowed(call_id, results).room_type:
        return False
    found = [(narrowed(name, results), results.good(name, Availability)) for name in results.instead_of(call_id)]
    own = stay_ends(stay), stay.adults, stay.children_ages
    return any(
        only == Narrowed()
        and each
        and (each.reason, each.rooms) == ("sold_out", 1)
        and (stay_ends(each), each.adults, each.children_ages) == own
        for only, each in found
    )


_RULES = ("min_stay", "max_stay", "closed_arrival", "closed_departure")
"""Reasons that another length or another day lifts."""


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


def alternatives(call_id: str, asked: Ends, results: CallResults) -> Iterator[str]:
    """What is free instead of the stay asked for, as far as the replacing calls found out."""
    if is_group(call_id, results):
        return
    if chosen := chosen_instead(call_id, asked, results):
        yield instead_heading(chosen, call_id, results)
        if limit := limit_instead(call_id, results):
            yield limit.heading([each.way for each in chosen], results.language, none="none_within")
        yield from bullets([alternative_line(each, asked, results.language) for each in chosen[:MOST_ROOMS]])
    elif line := tried_in_vain(call_id, asked, results):
        yield line


def is_group(call_id: str, results: CallResults) -> bool:
    """Whether reception has to place these guests: no rooms hold them together then, and a dozen on other days are no offer."""
    return (
        _guests_asked(call_id, results) >= GROUP
        and bool(reception(results.profile))
        and not any(each.ways for each in _on_these_dates(call_id, results))
    )


def chosen_instead(call_id: str, asked: Ends, results: CallResults) -> list[Alternative]:
    return _best(_every(call_id, asked, results), call_id, asked, results)


def every_instead(call_id: str, asked: Ends, results: CallResults) -> tuple[list[Alternative], list[Alternative]]:
    """Those to be chosen from, with every stay that was looked up by its dates; and what else searches found."""
    every = _every(call_id, asked, results)
    chosen = _best(every, call_id, asked, results)
    found = (each for each in found_instead(call_id, results) if isinstance(each, Availability))
    own = {stay_ends(each) for each in found}
    told = [*chosen, *(each for each in every if each.ends in own and each not in chosen)]
    return told, [each for each in every if each not in told]


def _every(call_id: str, asked: Ends, results: CallResults) -> list[Alternative]:
    found, limit = found_instead(call_id, results), limit_instead(call_id, results)
    holiday = holiday_around(asked, results.records.values())
    return every_alternative(found, asked, holiday, _wanted(call_id, results), limit.allows if limit else None)


def _best(every: Sequence[Alternative], call_id: str, asked: Ends, results: CallResults) -> list[Alternative]:
    return best_alternatives(every, asked, holiday_around(asked, results.records.values()), _wanted(call_id, results))


def limit_instead(call_id: str, results: CallResults) -> Limit | None:
    """The budget that what is free instead is held against."""
    limits = (limit_of(each, results) for each in found_instead(call_id, results))
    return next((each for each in limits if each), None)


def lowest_beside(each: Alternative, call_id: str, results: CallResults) -> dict[str, Offer]:
    """What else that stay costs: with another board, in a room that the request or a call in place of this one names."""
    own = [
        results.good(name, Availability) for name in results.instead_of(call_id) if narrowed(name, results).room_type
    ]
    rooms = {part.room_type for stay in own if stay for way in stay.ways for part in way.parts}
    found, wanted = found_instead(call_id, results), _wanted(call_id, results)
    lowest = lowest_of_others(found, each, rooms | rooms_pointed_at(results) | rooms_as_asked(results), wanted)
    limit = limit_instead(call_id, results)
    fits = limit.allows if limit else lambda _: True
    return {code: offer for code, offer in lowest.items() if fits(offer) is fits(each.way)}


def flexible_beside(each: Alternative, call_id: str, results: CallResults) -> str:
    """What that stay costs with free cancellation, with each board; empty where its own price has it, or nothing has."""
    if each.way.refundable or limit_instead(call_id, results):
        return ""
    offers = offers_beside(found_instead(call_id, results), each, _wanted(call_id, results))
    line = flexible_line(offers, results.language, each_board=True)
    return f"{date_text.short_stay(*each.ends, results.language)}: {line}" if line else ""


def instead_heading(chosen: Sequence[Alternative], call_id: str, results: CallResults) -> str:
    """What introduces them; where none has the kind of room, or the meals, that were wanted, that too."""
    wanted, language = _wanted(call_id, results), results.language
    lacks = [
        each
        for each in (Narrowed(wanted.room_type), Narrowed(board=wanted.board))
        if not any(is_as_wanted(part, each) for one in chosen for part in one.way.parts)
    ]
    named = [
        type_name(each.room_type, results.profile, language) if each.room_type else say(f"board_{each.board}", language)
        for each in lacks
    ]
    return say("alternatives_other" if named else "alternatives", language, what=", ".join(named))


def _wanted(call_id: str, results: CallResults) -> Narrowed:
    """The kind of room and the meals of the call; no kind that is too small for these guests."""
    only, stay = narrowed(call_id, results), answered(call_id, results)
    known = results.profile.room(only.room_type) if only.room_type else None
    is_too_small = stay is not None and stay.reason == "occupancy"
    return Narrowed(None if is_too_small or known is None else known.code, only.board)


def tried_in_vain(call_id: str, asked: Ends, results: CallResults) -> str:
    """Where else nothing is free; empty = nowhere else was looked."""
    outcome = results.outcomes.get(call_id)
    guests = party_asked(outcome["args"]) if outcome else None
    spans = [
        _tried(each, asked, results.language) + _for_others(each, guests, results.language)
        for each in found_instead(call_id, results)
    ]
    tried = "; ".join(dict.fromkeys(spans))
    return say("no_alternatives", results.language, tried=tried) if tried else ""


def unchecked_shorter(call_id: str, asked: Ends, results: CallResults) -> str:
    """That shorter stays inside these dates were not looked up, where some of the nights are free in a room."""
    stay = answered(call_id, results)
    least = min([(asked[1] - asked[0]).days, *(each.nights for each in found_instead(call_id, results))])
    nightly = [each.dates for each in stay.refusals if each.code in _OF_NIGHTS] if stay else []
    is_free_on_some = stay is not None and any(0 < len(gone) < stay.nights for gone in nightly)
    if least == 1 or not is_free_on_some or is_group(call_id, results):
        return ""
    return say("shorter_unchecked", results.language, n=least)


_OF_NIGHTS = ("sold_out", "not_on_sale")
"""Reasons that hold of certain nights, whatever the length of the stay."""


def found_instead(call_id: str, results: CallResults) -> list[Availability | OpenStays]:
    doors = [call_id, *asked_again(call_id, results)]
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
    return period_searched(found, language)


def _for_others(found: Availability | OpenStays, asked: Party | None, language: str) -> str:
    """Whom it was looked for, where these are not the guests who were asked for."""
    if asked is None or (found.adults, sorted(found.children_ages)) == (asked[0], sorted(asked[1])):
        return ""
    return f" {say('for_guests', language, party=party(found.adults, found.children_ages, language))}"


def period_searched(found: OpenStays, language: str) -> str:
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
        yield refusal(code, where, say(f"why_{code}", language), call_id, results)
    elif ends and (unknown := unknown_room(call_id, results)):
        others = [*found_instead(call_id, results), *(answered(name, results) for name in results.checks())]
        if any(stay_ends(each) == ends for each in others if isinstance(each, Availability)):
            yield say("refused", language, stay=where, why=unknown)
        else:
            yield say("no_such_room", language, stay=where, words=outcome["args"]["room_type"])
    else:
        key = "out_of_time" if results.is_out_of_time(call_id) else "unreached"
        yield say(key, language, stay=where) if where else say(f"{key}_plain", language)


def refusal(code: str, stay: str, why: str, call_id: str, results: CallResults) -> str:
    """The stay and why it cannot be; that nothing is free is said only of one that was looked up, with any room and board."""
    if is_group(call_id, results):
        return group_line(call_id, stay, results)
    is_house = code != "occupancy" and narrowed(call_id, results) == Narrowed()
    return say(
        "refused" if code in _REFUSED else "full" if is_house else "full_rules", results.language, stay=stay, why=why
    )


def unknown_room(call_id: str, results: CallResults) -> str:
    """That there is no room of the type asked for, in the guest's own words if they said them; empty = there is, or a
    room was found by its right name."""
    outcome, answering = results.outcomes.get(call_id), answered_by(call_id, results)
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
