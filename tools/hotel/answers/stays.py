"""The part of an answer about stays: what is free, what is full and why, and what is free instead."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from wavegraph.graph.ledger import GOOD, references
from wavegraph.graph.state import PlannedCall, ToolOutcome
from wavegraph.tools.hotel.answers import dates
from wavegraph.tools.hotel.answers.money import amount, cheapest, difference, priced, within
from wavegraph.tools.hotel.answers.offers import (
    SHOWN,
    Data,
    combination_line,
    offer_line,
    room_name,
    selected,
    short_offer,
    why,
)
from wavegraph.tools.hotel.answers.words import bullets, counted, say
from wavegraph.tools.hotel.slots import HotelSlots

SHOWN_WITH_OTHERS = 3
"""Offers per stay when several stays are answered at once."""


@dataclass(frozen=True)
class Found:
    """All that the calls of one request gave, by id."""

    outcomes: Mapping[str, ToolOutcome]
    calls: Mapping[str, PlannedCall]
    slots: HotelSlots
    language: str

    def good(self, call_id: str) -> Data | None:
        outcome = self.outcomes.get(call_id)
        return outcome["data"] if outcome and outcome["status"] in GOOD else None

    def instead_of(self, call_id: str) -> list[str]:
        """Ids of the calls that stand in for this one, at any remove."""
        direct = [name for name, call in self.calls.items() if call.get("instead_of") == call_id]
        return [*direct, *(deeper for name in direct for deeper in self.instead_of(name))]

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
    heading = dates.stay(*_ends(data), language)
    if not (data["offers"] or data["combinations"]):
        yield _full(heading, data, found)
        yield from _alternatives(call_id, found)
        return
    yield say("options", language, stay=heading)
    yield from _offers(data, found, shown)
    if data.get("booking_link"):
        yield say("link", language, link=data["booking_link"])


def _answered(call_id: str, found: Found) -> Data | None:
    """The result of the call, or of the same question asked again after a failure."""
    if (data := found.good(call_id)) is not None:
        return data
    again = [name for name in _stand_ins(call_id, found) if name.startswith(call_id) and "_again" in name]
    return next((data for name in again if (data := found.good(name)) is not None), None)


def _stand_ins(call_id: str, found: Found) -> list[str]:
    """Calls in place of this one, or of a calendar call it waited for."""
    targets = [call_id, *(target for target, _ in references(found.calls[call_id]["args"]))]
    return [name for target in targets for name in found.instead_of(target)]


def _ends(data: Data) -> tuple[date, date]:
    return date.fromisoformat(data["check_in"]), date.fromisoformat(data["check_out"])


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
    if budget and budget.currency == data["currency"]:
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
    chosen = selected(offers, shown)
    if only_cheapest and (best := cheapest(offers)):
        yield say("cheapest", language, offer=offer_line(best, language, length))
        chosen = [offer for offer in chosen if offer is not best][: shown - 2]
    yield from bullets([offer_line(offer, language, length) for offer in chosen])
    if (hidden := len(offers) - len(chosen) - only_cheapest) > 0:
        yield counted(hidden, "more_1", "more", language)
    yield from _flexible(offers, chosen, language)


def _flexible(offers: Sequence[Data], shown: Sequence[Data], language: str) -> Iterator[str]:
    """The lowest price that can be cancelled, where the list shows none: it is what many guests look for."""
    if any(offer["refundable"] for offer in shown):
        return
    if best := cheapest(offer for offer in offers if offer["refundable"]):
        total = amount(best["total_agorot"], best["currency"], language)
        yield say("flexible_from", language, total=total, offer=short_offer(best, language))


def _combinations(data: Data, language: str, length: int, beside_offers: bool) -> Iterator[str]:
    if combinations := data["combinations"][: 1 if beside_offers else 3]:
        key = "combinations_beside" if beside_offers else "combinations"
        yield say(key, language, rooms=combinations[0]["rooms"])
        yield from bullets([combination_line(each, language, length) for each in combinations])


def _by_budget(data: Data, offers: Sequence[Data], found: Found, shown: int) -> Iterator[str]:
    """What the budget buys; or the nearest miss and by how much."""
    budget, language, length = found.slots.budget, found.language, data["nights"]
    assert budget is not None
    everything = [*offers, *data["combinations"]]
    affordable = within(everything, budget.amount_agorot, budget.per)
    limit = {
        "limit": amount(budget.amount_agorot, budget.currency, language),
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


def _alternatives(call_id: str, found: Found) -> Iterator[str]:
    language = found.language
    ids = [name for name in found.instead_of(call_id) if found.good(name) is not None]
    lines = [line for name in ids for line in _alternative(name, call_id, found)]
    if lines:
        yield say("alternatives", language)
        yield from bullets(list(dict.fromkeys(lines)))
    elif tried := [_span(data, language) for name in ids if (data := found.good(name)) is not None]:
        yield say("no_alternatives", language, tried="; ".join(dict.fromkeys(tried)))


def _alternative(name: str, call_id: str, found: Found) -> Iterator[str]:
    data, language = found.good(name) or {}, found.language
    if "stays" in data:
        yield from _open_stays(data, language)
        return
    ways = [*data.get("offers", []), *data.get("combinations", [])]
    best = cheapest(ways)
    if best is None:
        return
    total = amount(best["total_agorot"], data["currency"], language)
    offer = (
        short_offer(best, language)
        if "room_type" in best
        else " + ".join(short_offer(p, language) for p in best["parts"])
    )
    original = found.good(call_id) or {}
    key = (
        "same_dates"
        if (data["check_in"], data["check_out"]) == (original.get("check_in"), original.get("check_out"))
        else "from"
    )
    yield say(key, language, stay=dates.stay(*_ends(data), language), total=total, offer=offer)


def _open_stays(data: Data, language: str) -> Iterator[str]:
    shown = sorted(data["stays"], key=lambda each: str(each["check_in"]))[:SHOWN]
    for each in shown:
        yield say(
            "open_stay",
            language,
            stay=dates.stay(*_ends(each), language),
            total=amount(each["from_agorot"], each["currency"], language),
            per_night=amount(each["per_night_agorot"], each["currency"], language),
            room=room_name(each, language),
            board=say(f"board_{each['board']}", language),
        )


def _span(data: Data, language: str) -> str:
    ends = ("from_date", "to_date") if "from_date" in data else ("check_in", "check_out")
    first, last = (date.fromisoformat(data[end]) for end in ends)
    return dates.stay(first, last, language)


def _failed(call_id: str, found: Found) -> Iterator[str]:
    """What to say of a stay that was not answered; a stay that is merely unfinished is said elsewhere."""
    outcome, language = found.outcomes.get(call_id), found.language
    if outcome is None:
        return
    args = outcome["args"]
    if outcome["status"] == "skipped":
        stay = _stay_of(call_id, found)
        yield say("unreached_dates", language, words=stay.hint) if stay else say("unreached_plain", language)
        return
    code = outcome["error"]["code"] if outcome["error"] else ""
    heading = _heading(args, language)
    if code in ("past", "too_long", "too_short", "bad_dates", "occupancy", "not_on_sale"):
        yield say("full", language, stay=heading, why=say(f"why_{code}", language))
    else:
        yield say("unreached", language, stay=heading) if heading else say("unreached_plain", language)
    yield from _alternatives(call_id, found)


def _heading(args: Mapping[str, Any], language: str) -> str:
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
        return [(_type_name(code, results[0], found.language), cheapest(o for o in results[0]["offers"] if o["room_type"] == code))
                for code in found.slots.room_types]  # fmt: skip
    return [(dates.stay(*_ends(data), found.language), cheapest([*_asked_for(data["offers"], found.slots), *data["combinations"]]))
            for data in results]  # fmt: skip


def _type_name(code: str, data: Data, language: str) -> str:
    named = [each for each in (*data["offers"], *data["refusals"]) if each["room_type"] == code]
    return room_name(named[0], language) if named else say(f"type_{code}", language)


def _total(data: Data, language: str) -> str:
    return amount(data["total_agorot"], data["currency"], language)
