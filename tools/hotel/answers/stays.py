"""The part of an answer about stays: what is free, what is full and why, and what is free instead."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from wavegraph.graph.ledger import GOOD
from wavegraph.graph.references.paths import references
from wavegraph.graph.state import PlannedCall, ToolOutcome
from wavegraph.tools.hotel.answers import dates
from wavegraph.tools.hotel.answers.alternatives import (
    Alternative,
    Ends,
    best_alternatives,
    holiday_around,
    stay_ends,
)
from wavegraph.tools.hotel.answers.money import amount, cheapest, difference, priced, within
from wavegraph.tools.hotel.answers.offers import (
    SHOWN,
    Data,
    by_room,
    combination_line,
    deadline,
    offer_line,
    other_rates,
    price,
    room_name,
    short_offer,
    terms,
    variants,
    way_name,
    why,
)
from wavegraph.tools.hotel.answers.words import bullets, counted, say
from wavegraph.tools.hotel.dialogue.slots import HotelSlots, StaySlot
from wavegraph.tools.hotel.profile import HouseProfile

STAYS = ("get_availability", "find_open_stays")
"""Tools whose results are stays that can be had."""
SHOWN_WITH_OTHERS = 3
"""Offers per stay when several stays are answered at once."""


@dataclass(frozen=True)
class Found:
    """All that the calls of one request gave, by id."""

    outcomes: Mapping[str, ToolOutcome]
    calls: Mapping[str, PlannedCall]
    slots: HotelSlots
    language: str
    house: HouseProfile
    broken: frozenset[str] = frozenset()
    """Ids of the calls that a reference to nothing kept from starting."""
    limits_hit: frozenset[str] = frozenset()
    waits: bool = False
    """Whether a booking or a cancellation waits for a yes: then nothing else is asked that a yes could be meant for."""

    def good(self, call_id: str) -> Data | None:
        outcome = self.outcomes.get(call_id)
        return outcome["data"] if outcome and outcome["status"] in GOOD else None

    def instead_of(self, call_id: str) -> list[str]:
        """Ids of the calls that stand in for this one, at any remove."""
        direct = [name for name, call in self.calls.items() if call.get("instead_of") == call_id]
        return [*direct, *(deeper for name in direct for deeper in self.instead_of(name))]

    def root(self, call_id: str) -> str:
        """The call on which this one foundered: itself, or the one that a skipped call waited for in vain."""
        outcome = self.outcomes.get(call_id)
        if outcome is None or outcome["status"] != "skipped" or call_id in self.broken:
            return call_id
        waited_for = [name for name, _ in references(self.calls[call_id]["args"]) if name in self.outcomes]
        lost = next((name for name in waited_for if self.good(name) is None), None)
        return self.root(lost) if lost else call_id

    def is_unresolved(self, call_id: str) -> bool:
        """Whether it foundered on a plan that points to nothing, which is nobody's fault but ours."""
        return self.root(call_id) in self.broken

    def is_out_of_time(self, call_id: str) -> bool:
        """Whether it was cut off because the request's time was over, and not the call's own."""
        outcome = self.outcomes.get(self.root(call_id))
        return "request_timeout_s" in self.limits_hit and outcome is not None and outcome["status"] == "timeout"

    def checks(self) -> list[str]:
        """Ids of the availability calls the guest asked for."""
        return [
            name
            for name, call in self.calls.items()
            if call["tool"] == "get_availability" and not call.get("instead_of")
        ]


def stays_part(found: Found) -> Iterator[str]:
    """Lines for every stay asked for, in order."""
    checks = found.checks()
    for position, call_id in enumerate(checks):
        if position:
            yield ""
        yield from _one_stay(call_id, found, SHOWN if len(checks) == 1 else SHOWN_WITH_OTHERS)


def _one_stay(call_id: str, found: Found, shown: int) -> Iterator[str]:
    data = _answered(call_id, found)
    if data is None:
        yield from _failed(call_id, found)
        return
    language = found.language
    heading = named_stay(data, found)
    if not (data["offers"] or data["combinations"]):
        yield _full(heading, data, found)
        yield from alternatives(call_id, stay_ends(data), found)
        return
    yield say("options", language, stay=heading)
    yield from _offers(data, found, shown)
    if data.get("booking_link"):
        yield say("link", language, link=data["booking_link"])


_COUNTED = re.compile(r"^\d+ nights? of ")


def counted_part(stay: StaySlot) -> bool:
    """Whether it is so many nights of a holiday without a word on which."""
    return bool(stay.holiday and stay.part and _COUNTED.sub("", stay.label) == stay.holiday)


def stay_name(stay: StaySlot, language: str) -> str:
    """What the guest called these dates; empty where it is no name."""
    if not (stay.holiday or stay.kind == "weekend") or (language == "he" and _COUNTED.match(stay.label)):
        return ""
    label = stay.hint if language == "he" else _COUNTED.sub("", stay.label)
    return label.strip(" ?!.,")


def _answered(call_id: str, found: Found) -> Data | None:
    """The result of the call, or of the same question asked again after a failure."""
    if (data := found.good(call_id)) is not None:
        return data
    again = _asked_again(call_id, found)
    return next((data for name in again if (data := found.good(name)) is not None), None)


def _asked_again(call_id: str, found: Found) -> list[str]:
    return [name for name in _stand_ins(call_id, found) if name.startswith(call_id) and "_again" in name]


def _stand_ins(call_id: str, found: Found) -> list[str]:
    """Calls in place of this one, or of a calendar call it waited for."""
    targets = [call_id, *(target for target, _ in references(found.calls[call_id]["args"]))]
    return [name for target in targets for name in found.instead_of(target)]


def named_stay(data: Data, found: Found) -> str:
    """The stay with the name the guest gave it, as a heading: `Hanukkah, Friday 4 December – …`."""
    span, name = dates.stay(*stay_ends(data), found.language), _name_of(data, found)
    return say("named_stay", found.language, name=name[:1].upper() + name[1:], stay=span) if name else span


def compared_stay(data: Data, found: Found) -> str:
    """The same inside a sentence: `next weekend (Thursday 26 November – …)`."""
    span, name = dates.stay(*stay_ends(data), found.language), _name_of(data, found)
    return say("compared_stay", found.language, name=name, stay=span) if name else span


def _name_of(data: Data, found: Found) -> str:
    slot = next((stay for stay in found.slots.stays if (stay.check_in, stay.check_out) == stay_ends(data)), None)
    return stay_name(slot, found.language) if slot else ""


def _full(heading: str, data: Data, found: Found) -> str:
    language, slots = found.language, found.slots
    reason = why({**data, "board_asked": slots.board}, language)
    if len(slots.room_types) == 1 and data["refusals"] and len(data["refusals"]) == 1:
        room = room_name(data["refusals"][0], language)
        return say("full_type", language, stay=heading, rooms=room, why=reason)
    return say("full", language, stay=heading, why=reason)


def _offers(data: Data, found: Found, shown: int) -> Iterator[str]:
    offers, language, length = _asked_for(data["offers"], found.slots), found.language, data["nights"]
    if found.slots.refundable:
        flexible = [offer for offer in offers if offer["refundable"]]
        if offers and not flexible:
            yield say("no_refundable", language)
        offers = flexible or offers
    budget = found.slots.budget
    if budget and not budget.is_foreign(data["currency"]):
        yield from _by_budget(data, offers, found, shown)
        return
    yield from _listed(offers, language, length, shown, only_cheapest=found.slots.want == "cheapest")
    yield from _combinations(data, language, length, bool(offers))


def _asked_for(offers: Sequence[Data], slots: HotelSlots) -> list[Data]:
    """The offers of the room types named, when several were; all when none of them is offered."""
    named = [offer for offer in offers if offer["room_type"] in slots.room_types]
    return named if len(slots.room_types) > 1 and named else list(offers)


def _listed(
    offers: Sequence[Data], language: str, length: int, shown: int, *, only_cheapest: bool = False
) -> Iterator[str]:
    """One entry a room type; its other rates below it, where there is room; every rate of a single type."""
    rooms = by_room(offers)
    if only_cheapest and (best := cheapest(offers)):
        yield say("cheapest", language, offer=offer_line(best, language, length))
        chosen = [best, *(room[0] for room in rooms[1 : shown - 1])]
        yield from bullets([offer_line(offer, language, length) for offer in chosen[1:]])
    elif len(rooms) == 1 or shown < SHOWN:
        chosen = (rooms[0] if len(rooms) == 1 else [room[0] for room in rooms])[:shown] if rooms else []
        yield from bullets([offer_line(offer, language, length) for offer in chosen])
    else:
        chosen = [offer for room in rooms[:shown] for offer in (room[0], *variants(room))]
        yield from _rooms_with_rates(rooms[:shown], language, length, day_said=deadline(chosen) is not None)
    if (hidden := len(offers) - len(chosen)) > 0:
        yield counted(hidden, "more_1", "more", language)
    beside = len(rooms) > 1 and shown == SHOWN and not only_cheapest  # rates stand below their rooms
    if beside and not all(room[0]["refundable"] for room in rooms[:shown]) and (day := deadline(chosen)):
        yield say("free_until", language, day=dates.full_day(date.fromisoformat(day), language))
    yield from _flexible(offers, chosen, language)


def _rooms_with_rates(rooms: Sequence[list[Data]], language: str, length: int, *, day_said: bool) -> Iterator[str]:
    """`day_said`: the one deadline of all rates that can be cancelled stands below the list."""
    for room in rooms:
        yield f"- {offer_line(room[0], language, length)}"
        if others := variants(room):
            yield other_rates(room[0], others, language, length, day_said=day_said)


def _flexible(offers: Sequence[Data], shown: Sequence[Data], language: str) -> Iterator[str]:
    """The lowest price that can be cancelled, where the list shows none: it is what many guests look for."""
    if any(offer["refundable"] for offer in shown):
        return
    if best := cheapest(offer for offer in offers if offer["refundable"]):
        total = amount(best["total_agorot"], best["currency"], language)
        yield say("flexible_from", language, total=total, offer=short_offer(best, language))


def _combinations(data: Data, language: str, length: int, beside_offers: bool) -> Iterator[str]:
    if combinations := _other_rooms(data["combinations"])[:2] if beside_offers else data["combinations"][:3]:
        key = "combinations_beside" if beside_offers else "combinations"
        yield say(key, language, rooms=combinations[0]["rooms"])
        yield from bullets([combination_line(each, language, length) for each in combinations])


def _other_rooms(combinations: Sequence[Data]) -> list[Data]:
    """The cheapest combination of each set of rooms."""
    sets: dict[tuple[tuple[str, int], ...], Data] = {}
    for each in combinations:
        sets.setdefault(tuple(sorted((part["room_type"], part["count"]) for part in each["parts"])), each)
    return list(sets.values())


def _by_budget(data: Data, offers: Sequence[Data], found: Found, shown: int) -> Iterator[str]:
    """What the budget buys; or the nearest miss and by how much."""
    budget, language, length = found.slots.budget, found.language, data["nights"]
    assert budget is not None
    everything = [*offers, *data["combinations"]]
    affordable = within(everything, budget.amount_agorot, budget.per)
    limit = {
        "limit": amount(budget.amount_agorot, data["currency"], language),
        "per": say(f"per_{budget.per}", language),
    }
    if not affordable:
        closest = min(everything, key=lambda each: priced(each, budget.per))
        gap = difference(priced(closest, budget.per), budget.amount_agorot)
        nearest = amount(priced(closest, budget.per), data["currency"], language)
        yield say("over_budget", language, **limit, price=nearest, over=amount(gap, data["currency"], language))
        yield from bullets([_any_line(closest, language, length)])
        return
    yield say("within_budget", language, **limit)
    rooms = [each for each in affordable if "room_type" in each]
    mixed = [each for each in affordable if "parts" in each][: 2 if rooms else 3]
    yield from _listed(rooms, language, length, shown, only_cheapest=found.slots.want == "cheapest")
    yield from bullets([combination_line(each, language, length) for each in mixed])
    above = [each for each in offers if each not in affordable]
    if best := cheapest(above):
        total = amount(best["total_agorot"], data["currency"], language)
        yield say("others_above" if len(above) > 1 else "others_above_1", language, n=len(above), total=total)


def _any_line(each: Data, language: str, length: int) -> str:
    return combination_line(each, language, length) if "parts" in each else offer_line(each, language, length)


def alternatives(call_id: str, asked: Ends, found: Found) -> Iterator[str]:
    """What is free instead of the stay asked for, as far as calls in its place found it."""
    language = found.language
    doors = [call_id, *_asked_again(call_id, found)]
    ids = dict.fromkeys(name for door in doors for name in found.instead_of(door))
    given = [data for name in ids if found.calls[name]["tool"] in STAYS and (data := found.good(name)) is not None]
    if chosen := best_alternatives(given, asked, holiday_around(asked, found.outcomes.values())):
        yield say("alternatives", language)
        yield from bullets([_alternative(each, asked, language) for each in chosen])
    elif tried := list(dict.fromkeys(span for data in given if (span := _span(data)) != asked)):
        yield say("no_alternatives", language, tried="; ".join(dates.stay(*span, language) for span in tried))


def _alternative(each: Alternative, asked: Ends, language: str) -> str:
    parts = each.way.get("parts", [each.way])
    return say(
        "alternative_same" if each.ends == asked else "alternative",
        language,
        stay=dates.stay(*each.ends, language),
        price=price(each.way, language, each.nights),
        offer=way_name(parts, language),
        terms=terms(parts[0], language),
    )


def _span(data: Data) -> Ends:
    """The dates that were looked at."""
    return stay_ends({"check_in": data["from_date"], "check_out": data["to_date"]} if "stays" in data else data)


def _failed(call_id: str, found: Found) -> Iterator[str]:
    """What to say of a stay that was not answered; a stay that is merely unfinished is said elsewhere."""
    outcome, language = found.outcomes.get(call_id), found.language
    if outcome is None:
        return
    args = outcome["args"]
    if outcome["status"] == "skipped":
        yield _not_begun(call_id, found)
        return
    code = outcome["error"]["code"] if outcome["error"] else ""
    where = heading(args, language)
    if code in ("past", "too_long", "too_short", "bad_dates", "occupancy", "not_on_sale"):
        yield say("full", language, stay=where, why=say(f"why_{code}", language))
    else:
        key = "out_of_time" if found.is_out_of_time(call_id) else "unreached"
        yield say(key, language, stay=where) if where else say(f"{key}_plain", language)
    if where:
        yield from alternatives(call_id, stay_ends(args), found)


def _not_begun(call_id: str, found: Found) -> str:
    """What to say of a stay whose call waited in vain, for its dates in most cases."""
    stay = _stay_of(call_id, found)
    words = stay.hint if stay else ""
    if found.is_unresolved(call_id):
        return say("unresolved_dates", found.language, words=words) if words else say("unresolved", found.language)
    if found.is_out_of_time(call_id):
        return say("out_of_time_plain", found.language)
    return say("unreached_dates", found.language, words=words) if words else say("unreached_plain", found.language)


def heading(args: Mapping[str, Any], language: str) -> str:
    """The dates of a call in words; empty where they are none."""
    try:
        return dates.stay(date.fromisoformat(args["check_in"]), date.fromisoformat(args["check_out"]), language)
    except (KeyError, TypeError, ValueError):
        return ""


def _stay_of(call_id: str, found: Found) -> Any:
    """The stay this call was planned for: calls are made in the order of the stays."""
    checks = found.checks()
    position = checks.index(call_id) if call_id in checks else len(found.slots.stays)
    return found.slots.stays[position] if position < len(found.slots.stays) else None


def comparison(found: Found) -> Iterator[str]:
    """Which of several stays, or of several room types, is cheaper, and by how much."""
    rows = _compared(found)
    if len(rows) < 2:
        return
    language = found.language
    free = sorted(((best, name) for name, best in rows if best), key=lambda row: int(row[0]["total_agorot"]))
    if not free:
        yield say("compare_none", language)
    elif len(free) == 1:
        others = "; ".join(name for name, best in rows if not best)
        yield say("compare_one", language, one=free[0][1], low=_total(free[0][0], language), other=others)
    else:
        yield from _ranked(free, language)


def _ranked(free: list[tuple[Data, str]], language: str) -> Iterator[str]:
    (low, one), (high, other) = free[0], free[1]
    if low["total_agorot"] == high["total_agorot"]:
        yield say("compare_equal", language, one=one, other=other, low=_total(low, language))
        return
    gap = amount(difference(low["total_agorot"], high["total_agorot"]), low["currency"], language)
    yield say(
        "compare", language, better=one, low=_total(low, language), other=other, high=_total(high, language), gap=gap
    )
    if _length(low) != _length(high):
        nightly = [amount(each["per_night_agorot"], each["currency"], language) for each in (low, high)]
        yield say("compare_night", language, low=nightly[0], high=nightly[1])


def _length(priced_stay: Data) -> int:
    """Nights that a total is for."""
    return round(int(priced_stay["total_agorot"]) / int(priced_stay["per_night_agorot"]))


def _compared(found: Found) -> list[tuple[str, Data | None]]:
    """What is compared, by name: the stays, or the room types of a single stay."""
    results = [data for call_id in found.checks() if (data := _answered(call_id, found)) is not None]
    if len(results) == 1 and len(found.slots.room_types) > 1:
        return [(_type_name(code, results[0], found), cheapest(o for o in results[0]["offers"] if o["room_type"] == code))
                for code in found.slots.room_types]  # fmt: skip
    return [(compared_stay(data, found), cheapest([*_asked_for(data["offers"], found.slots), *data["combinations"]]))
            for data in results]  # fmt: skip


def _type_name(code: str, data: Data, found: Found) -> str:
    named = [each for each in (*data["offers"], *data["refusals"]) if each["room_type"] == code]
    if named:
        return room_name(named[0], found.language)
    room = found.house.room(code)
    return code if room is None else room.name_he if found.language == "he" else room.name


def _total(data: Data, language: str) -> str:
    return amount(data["total_agorot"], data["currency"], language)
