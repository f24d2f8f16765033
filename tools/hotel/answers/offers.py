"""Lines for what can be had and for why something cannot: offers, combinations, refusals. Data as the tools gave it."""

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any

from wavegraph.tools.hotel.answers.dates import day_list, full_day, nights
from wavegraph.tools.hotel.answers.money import amount
from wavegraph.tools.hotel.answers.words import counted, joined, say

Data = dict[str, Any]
SHOWN = 5
FEW_LEFT = 3
_SAID = frozenset(
    {"sold_out", "min_stay", "max_stay", "closed_arrival", "closed_departure", "occupancy", "not_on_sale",
     "too_long", "too_short", "past", "bad_dates"}
)  # fmt: skip


def room_name(data: Data, language: str) -> str:
    return str(data["room_name_he" if language == "he" else "room_name"])


def offer_line(offer: Data, language: str, length: int) -> str:
    """One product with all a guest compares by: room, board, total, per night, terms, rooms left."""
    line = say(
        "offer",
        language,
        room=_counted_room(offer, language),
        board=say(f"board_{offer['board']}", language),
        price=price(offer, language, length),
        terms=terms(offer, language),
    )
    return f"{line}; {left}" if (left := _left(offer, language)) else line


def short_offer(offer: Data, language: str) -> str:
    return f"{_counted_room(offer, language)}, {say('board_' + offer['board'], language)}"


def way_name(parts: Sequence[Data], language: str) -> str:
    """The rooms of one way to stay, with their board: `2 × Double Room + Family Suite, room only`."""
    boards = list(dict.fromkeys(say("board_" + part["board"], language) for part in parts))
    rooms = " + ".join(_counted_room(part, language) for part in parts)
    return ", ".join([rooms, " / ".join(boards)])


def price(data: Data, language: str, length: int) -> str:
    total = amount(data["total_agorot"], data["currency"], language)
    if length == 1:
        return say("price_one_night", language, total=total)
    return say("price", language, total=total, per_night=amount(data["per_night_agorot"], data["currency"], language))


def terms(offer: Data, language: str) -> str:
    if not offer["refundable"]:
        return say("non_refundable", language)
    if not offer["cancel_until"]:
        return say("refundable_open", language)
    return say("refundable", language, day=full_day(date.fromisoformat(offer["cancel_until"]), language))


def combination_line(combination: Data, language: str, length: int) -> str:
    parts, cost = combination["parts"], price(combination, language, length)
    if len({(part["board"], terms(part, language)) for part in parts}) == 1:
        rooms = " + ".join(_counted_room(part, language) for part in parts)
        board = say(f"board_{parts[0]['board']}", language)
        return say("offer", language, room=rooms, board=board, price=cost, terms=terms(parts[0], language))
    each = [f"{short_offer(part, language)} ({terms(part, language)})" for part in parts]
    return say("combination", language, parts=" + ".join(each), price=cost)


def by_room(offers: Iterable[Data]) -> list[list[Data]]:
    """The offers of each room type, cheapest first; the cheapest room type on top."""
    rooms: dict[str, list[Data]] = {}
    for offer in sorted(offers, key=lambda offer: int(offer["total_agorot"])):
        rooms.setdefault(offer["room_type"], []).append(offer)
    return list(rooms.values())


def variants(offers: Sequence[Data]) -> list[Data]:
    """Of one room's offers, cheapest first: beside the cheapest, what can be cancelled and what has breakfast."""
    head, *rest = offers
    flexible = next((each for each in rest if each["refundable"]), None) if not head["refundable"] else None
    fed = [each for each in rest if each["board"] != "RO"] if head["board"] == "RO" else []
    with_meal = next((each for each in fed if each["refundable"]), next(iter(fed), None))
    return [each for each in (flexible, with_meal if with_meal is not flexible else None) if each is not None]


def deadline(offers: Iterable[Data]) -> str | None:
    """The last day of free cancellation where all that can be cancelled share it."""
    days = {offer["cancel_until"] for offer in offers if offer["refundable"]}
    return days.pop() if len(days) == 1 else None


def other_rates(head: Data, others: Sequence[Data], language: str, length: int, *, day_said: bool) -> str:
    """The line below a room: its other rates, each by what sets it apart. `day_said`: the deadline stands elsewhere."""
    rates = "; ".join(_rate(each, head, language, length, day_said) for each in others)
    return "  " + say("or_rates", language, rates=rates)


def _rate(offer: Data, head: Data, language: str, length: int, day_said: bool) -> str:
    total, nightly = (amount(offer[name], offer["currency"], language) for name in ("total_agorot", "per_night_agorot"))
    cost = total if length == 1 else say("price_short", language, total=total, per_night=nightly)
    apart = [say(f"board_{offer['board']}", language)] if offer["board"] != head["board"] else []
    if (offer["refundable"], offer["cancel_until"]) != (head["refundable"], head["cancel_until"]) or not apart:
        short = offer["refundable"] and day_said
        apart.append(say("refundable_open", language) if short else terms(offer, language))
    return say("rate", language, what=joined(apart, language), price=cost)


def why(found: Data, language: str) -> str:
    """Why nothing is offered, in sentences: the main reason, then others that also stand in the way."""
    reasons = [
        _sentence(found["reason"], found.get("reason_nights"), _days_of(found, found["reason"]), found, language)
    ]
    others = {r["code"]: r for r in found["refusals"] if r["code"] not in (found["reason"], "occupancy", "sold_out")}
    if found.get("arrival_closed"):
        reasons.append(_sentence("closed_arrival", None, [], found, language))
    reasons += [
        _sentence(code, refusal["nights_required"], _days_of(found, code), found, language)
        for code, refusal in others.items()
    ]
    return " ".join(dict.fromkeys(reasons))


def _sentence(code: str | None, required: int | None, days: list[date], found: Data, language: str) -> str:
    if code == "not_on_sale" and found.get("board_asked"):
        return say("why_board", language, board=say(f"board_{found['board_asked']}", language))
    if code not in _SAID:
        return say("why_other", language)
    if code in ("closed_arrival", "closed_departure"):
        side = "check_in" if code == "closed_arrival" else "check_out"
        day = days[0] if days else date.fromisoformat(found[side])
        return say(f"why_{code}", language, days=full_day(day, language))
    if code in ("min_stay", "max_stay") and not required:
        return say("why_other", language)
    on = say("on_days", language, days=day_list(days, language)) if days else ""
    return say(f"why_{code}", language, nights=nights(required or 1, language), days=on)


def _days_of(found: Data, code: str | None) -> list[date]:
    """The days that stand in the way for this reason, for the room type where they are fewest."""
    lists: list[list[str]] = [r["dates"] for r in found["refusals"] if r["code"] == code and r["dates"]]
    return [date.fromisoformat(day) for day in min(lists, key=len, default=[])]


def _counted_room(offer: Data, language: str) -> str:
    name = room_name(offer, language)
    return name if offer.get("count", 1) == 1 else say("count", language, n=offer["count"], room=name)


def _left(offer: Data, language: str) -> str:
    left = offer["rooms_left"]
    if left > FEW_LEFT or left <= 0:
        return ""
    return counted(left, "left", "left_n", language)
