"""Lines for what is available and why something is not: offers, combinations, refusals."""

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple, TypeAlias

from wavegraph.tools.hotel.answers.amounts import amount
from wavegraph.tools.hotel.answers.date_text import day_list, full_day, nights
from wavegraph.tools.hotel.answers.phrases import counted, party, say
from wavegraph.tools.hotel.profile import PropertyProfile
from wavegraph.tools.hotel.reading.party_items import BABY_BELOW
from wavegraph.tools.hotel.records import (
    NO_STAY,
    Availability,
    Board,
    BookedRoom,
    Booking,
    Combination,
    Offer,
    OpenStay,
    QuotedStay,
    RoomRefusal,
    Way,
)
from wavegraph.tools.hotel.results import Ends, stay_ends

Rooms: TypeAlias = Offer | OpenStay | BookedRoom
"""Rooms of one type, with their number and board."""
FEW_LEFT = 3


def room_name(room: Rooms | RoomRefusal, language: str) -> str:
    return room.room_name_he if language == "he" else room.room_name


def type_name(code: str, profile: PropertyProfile, language: str) -> str:
    """Of the room type with this code; the code itself where the property has no such type."""
    room = profile.room(code)
    return code if room is None else room.name_he if language == "he" else room.name


def offer_line(offer: Offer, language: str, length: int) -> str:
    """One product with all that a guest compares: room, board, total, per night, terms, rooms left."""
    line = say(
        "offer",
        language,
        room=counted_room(offer, language),
        board=say(f"board_{offer.board}", language),
        price=price(offer, language, length),
        terms=terms(offer, language),
    )
    return f"{line}; {few}" if (few := left(offer, language)) else line


def short_offer(offer: Rooms, language: str) -> str:
    return f"{counted_room(offer, language)}, {say('board_' + offer.board, language)}"


def way_name(parts: Sequence[Rooms], language: str) -> str:
    """The rooms of one way to stay, with their board: `2 × Double Room + Family Suite, room only`."""
    boards = list(dict.fromkeys(say("board_" + part.board, language) for part in parts))
    rooms = " + ".join(counted_room(part, language) for part in parts)
    return ", ".join([rooms, " / ".join(boards)])


def price(stay: Way | QuotedStay | Booking, language: str, length: int) -> str:
    total = amount(stay.total_agorot, stay.currency, language)
    if length == 1:
        return say("price_one_night", language, total=total)
    return say("price", language, total=total, per_night=amount(stay.per_night_agorot, stay.currency, language))


def terms(offer: Way | OpenStay, language: str) -> str:
    if not offer.refundable:
        return say("non_refundable", language)
    if not offer.cancel_until:
        return say("refundable_terms", language)
    return say("refundable", language, day=full_day(offer.cancel_until, language))


def combination_line(combination: Combination, language: str, length: int) -> str:
    parts, cost = combination.parts, price(combination, language, length)
    if len({(part.board, terms(part, language)) for part in parts}) == 1:
        rooms = " + ".join(counted_room(part, language) for part in parts)
        board = say(f"board_{parts[0].board}", language)
        return say("offer", language, room=rooms, board=board, price=cost, terms=terms(parts[0], language))
    each = [f"{short_offer(part, language)} ({terms(part, language)})" for part in parts]
    return say("combination", language, parts=" + ".join(each), price=cost)


def flexible_line(ways: Sequence[Offer | Combination], language: str, *, each_board: bool = False) -> str:
    """The lowest refundable price, or that of each board, and until when it may be cancelled; empty = there is none."""
    flexible = sorted((way for way in ways if way.refundable), key=lambda way: way.total_agorot)
    if not flexible:
        return ""
    best: dict[str, Offer | Combination] = {}
    for way in flexible:
        best.setdefault(way.parts[0].board if each_board else "", way)
    told = {terms(way, language) for way in best.values()}
    head = told.pop() if len(told) == 1 else say("flexible", language)
    each = ", ".join(_from(way, language, with_terms=bool(told)) for way in best.values())
    return say("flexible_from", language, terms=head, each=each)


def _from(way: Way, language: str, *, with_terms: bool) -> str:
    total, name = amount(way.total_agorot, way.currency, language), way_name(way.parts, language)
    return say("from_offer", language, total=total, offer=f"{name}, {terms(way, language)}" if with_terms else name)


class Narrowed(NamedTuple):
    """What alone was looked for."""

    room_type: str | None = None
    board: Board | None = None


def why(found: Availability, only: Narrowed, language: str, profile: PropertyProfile) -> str:
    """Why nothing is offered, in sentences: the main reason, then the others."""
    if only.room_type and found.rooms > 1 and found.reason in ("occupancy", "sold_out"):
        return " ".join([_too_few_of_type(found, language), *_closed(found, language)])
    if found.reason == "occupancy" and not only.room_type:
        return " ".join([too_small(found, language, profile), *_closed(found, language)])
    if found.reason == "sold_out":
        return " ".join([_sold_out(found, only, language), *_closed(found, language)])
    of_some_rooms = (found.reason, "occupancy", "sold_out", "not_on_sale")
    others = {r.code: r for r in found.refusals if r.code not in of_some_rooms}
    required: dict[str | None, int | None] = {code: refusal.nights_required for code, refusal in others.items()}
    reasons = [(code, needed, days_of(found, code)) for code, needed in required.items()]
    reasons.insert(0, (found.reason, found.reason_nights, days_of(found, found.reason)))
    sentences = (why_not(code, stay_ends(found), only, language, needed, days) for code, needed, days in reasons)
    return " ".join(dict.fromkeys([next(sentences), *_closed(found, language), *sentences]))


def _closed(found: Availability, language: str) -> list[str]:
    return [why_not("closed_arrival", stay_ends(found), Narrowed(), language)] if found.arrival_closed else []


def _too_few_of_type(found: Availability, language: str) -> str:
    """That so many rooms of one type are not to be had: by the guests that its free ones hold, where these are too few."""
    if 0 < (most := found.free_places or 0) < _beds(found):
        return say("places_of_type", language, most=counted(most, "guest", "guests", language))
    return say(
        f"why_{found.reason}_rooms_type",
        language,
        n=found.rooms,
        party=party(found.adults, found.children_ages, language),
    )


def _beds(found: Availability) -> int:
    """How many guests need a place; babies need none."""
    return found.adults + sum(age >= BABY_BELOW for age in found.children_ages)


def too_small(found: Availability, language: str, profile: PropertyProfile) -> str:
    """That the rooms asked for do not hold this party; of one room, how many the largest holds, where that is known."""
    who = party(found.adults, found.children_ages, language)
    if found.rooms > 1:
        return say("why_occupancy_rooms", language, n=found.rooms, party=who)
    return above_the_largest(found, language, profile) or say("why_occupancy_one", language, party=who)


def above_the_largest(found: Availability, language: str, profile: PropertyProfile) -> str:
    """That no single room holds this party, by what the largest holds; empty = one may, or that is not known."""
    most = [room.max_total for room in profile.rooms]
    if not most or not all(most) or _beds(found) <= max(most):
        return ""
    who = party(found.adults, found.children_ages, language)
    return say("why_occupancy_largest", language, party=who, most=counted(max(most), "guest", "guests", language))


def _sold_out(found: Availability, only: Narrowed, language: str) -> str:
    """Which rooms are gone: all of the house, or those that this party or board could have had."""
    codes, nights_gone = {refusal.code for refusal in found.refusals}, sold_out_nights(found)
    if found.rooms > 1:
        guests = counted(found.adults + len(found.children_ages), "guest", "guests", language)
        return say("why_too_few_rooms", language, guests=guests)
    if nights_gone is None:
        return say("why_no_one_room", language)
    key = "type" if only.room_type else "board" if only.board and "not_on_sale" in codes else ""
    key = key or ("party" if "occupancy" in codes else "")
    on = say("on_days", language, days=day_list(nights_gone, language)) if nights_gone else ""
    board = say(f"board_{only.board}", language) if only.board else ""
    return say(f"why_sold_out_{key}" if key else "why_sold_out", language, days=on, board=board)


def sold_out_nights(found: Availability) -> list[date] | None:
    """The nights that no room has; empty = they are not told, None = there are none, no room has all nights."""
    each = [set(refusal.dates) for refusal in found.refusals if refusal.code == "sold_out" and refusal.dates]
    return (sorted(set.intersection(*each)) or None) if each else []


def why_not(
    code: str | None,
    stay: Ends,
    only: Narrowed,
    language: str,
    required: int | None = None,
    days: Sequence[date] = (),
) -> str:
    """One reason in a sentence."""
    on = say("on_days", language, days=day_list(days, language)) if days else ""
    if code == "not_on_sale" and only.board:
        key = "why_board_type" if only.room_type else "why_board"
        return say(key, language, board=say(f"board_{only.board}", language))
    if code == "sold_out" and only.room_type:
        return say("why_sold_out_type", language, days="")
    if code == "not_on_sale" and only.room_type:
        return say("why_not_on_sale_type", language, days=on)
    if code == "occupancy" and only.room_type:
        return say("why_occupancy_type", language)
    if code not in NO_STAY:
        return say("why_other", language)
    if code in ("closed_arrival", "closed_departure"):
        day = days[0] if days else stay[0 if code == "closed_arrival" else 1]
        return say(f"why_{code}", language, days=full_day(day, language))
    if code in ("min_stay", "max_stay") and not required:
        return say("why_other", language)
    return say(f"why_{code}", language, nights=nights(required or 1, language), days=on)


def not_offered(refusal: RoomRefusal, found: Availability, only: Narrowed, language: str) -> str:
    """Why one room is not among the offers of a stay: `Sea Front Suite: not on sale on Tuesday 19 January 2027.`"""
    room, who = room_name(refusal, language), party(found.adults, found.children_ages, language)
    if refusal.code in ("sold_out", "occupancy") or (refusal.code == "not_on_sale" and not only.board):
        on = say("on_days", language, days=day_list(refusal.dates, language)) if refusal.dates else ""
        return say(f"room_{refusal.code}", language, room=room, days=on, party=who)
    narrowed = only._replace(room_type=refusal.room_type)
    reason = why_not(refusal.code, stay_ends(found), narrowed, language, refusal.nights_required, refusal.dates)
    return f"{room}: {reason}"


def days_of(found: Availability, code: str | None) -> list[date]:
    """The days that cause this refusal, for the room type with the fewest of them."""
    return min((r.dates for r in found.refusals if r.code == code and r.dates), key=len, default=[])


def price_of_each(mix: Combination, language: str) -> str:
    """What different rooms cost each, behind their line."""
    totals = " + ".join(amount(part.total_agorot, part.currency, language) for part in mix.parts)
    return say("each_of_rooms", language, totals=totals)


def counted_room(rooms: Rooms, language: str) -> str:
    name = room_name(rooms, language)
    return name if rooms.count == 1 else say("count", language, n=rooms.count, room=name)


def left(offer: Offer, language: str) -> str:
    number = offer.rooms_left
    if number > FEW_LEFT or number <= 0:
        return ""
    return counted(number, "left", "left_n", language)
