"""The rooms a guest chooses from: at most three, a line each, and below them what all of them share."""

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from datetime import date

from wavegraph.tools.hotel.answers import date_text
from wavegraph.tools.hotel.answers.amounts import amount, cheapest
from wavegraph.tools.hotel.answers.offers import counted_room, left, offer_line, price, room_name, terms
from wavegraph.tools.hotel.answers.phrases import bullets, few, joined, say
from wavegraph.tools.hotel.inventory.property_data import RoomKind
from wavegraph.tools.hotel.profile import PropertyProfile
from wavegraph.tools.hotel.reading.rooms import speaks_of_a_view
from wavegraph.tools.hotel.records import Board, Offer, by_room

MOST_ROOMS = 3
"""Rooms that an answer lists; the others are named below."""


def room_list(
    offers: Sequence[Offer], most: int, length: int, language: str, profile: PropertyProfile, *, alone: bool = True
) -> Iterator[str]:
    """The rooms, cheapest first; of a single room its boards. Then the board, the deadline and the rooms not listed.

    `alone`: it is the only list of the answer; others leave out what can be asked for.
    """
    rooms = by_room(offers)
    entries = rooms[:most] if len(rooms) > 1 else _by_board(offers)[:most]
    shown = [rate for entry in entries for rate in _rates(entry)]
    boards = {entry[0].board for entry in entries}
    day = deadline(shown)
    for place, entry in enumerate(entries):
        yield "- " + _line(
            entry,
            length,
            language,
            profile,
            with_board=len(boards) > 1 or len(entries) == 1,
            described=len(rooms) > 1 or place == 0,
            with_left=len(rooms) > 1 or place == 0,
            day=day,
        )
    listed = set() if len(entries) == 1 else boards
    if shared := " ".join(_shared(offers if alone else shown, listed, day, language)):
        yield shared
    if alone and (more := more_rooms(offers, most, language)):
        yield more


def rest_list(
    offers: Sequence[Offer], most: int, length: int, language: str, profile: PropertyProfile
) -> Iterator[str]:
    """What a list of so many rooms leaves out: the other rooms, else other rates; all of them if it leaves out none."""
    rooms = by_room(offers)
    if rest := [offer for room in rooms[most:] for offer in room]:
        yield from room_list(rest, len(rooms), length, language, profile)
        return
    entries = rooms if len(rooms) > 1 else _by_board(offers)[:most]
    listed = [rate for entry in entries for rate in _rates(entry)]
    if others := [offer for offer in offers if offer not in listed]:
        yield from bullets([offer_line(offer, language, length) for offer in others])
    else:
        yield from room_list(offers, most, length, language, profile)


def more_rooms(offers: Sequence[Offer], most: int, language: str) -> str:
    """The free rooms that are not listed; empty = all are."""
    others = [room_name(room[0], language) for room in by_room(offers)[most:]]
    return say("more_rooms", language, rooms=few(others, language)) if others else ""


def _by_board(offers: Sequence[Offer]) -> list[list[Offer]]:
    boards: dict[str, list[Offer]] = {}
    for offer in sorted(offers, key=lambda offer: offer.total_agorot):
        boards.setdefault(offer.board, []).append(offer)
    return list(boards.values())


def _rates(entry: Sequence[Offer]) -> list[Offer]:
    """The lowest rate, and the lowest of the same board on the other terms."""
    head = entry[0]
    other = next((each for each in entry if each.board == head.board and each.refundable != head.refundable), None)
    return [head] if other is None else [head, other]


def deadline(offers: Iterable[Offer]) -> date | None:
    """The last day of free cancellation, where several refundable offers share it."""
    days = [offer.cancel_until for offer in offers if offer.refundable]
    return days[0] if len(days) > 1 and len(set(days)) == 1 else None


def _line(
    entry: Sequence[Offer],
    length: int,
    language: str,
    profile: PropertyProfile,
    *,
    with_board: bool,
    described: bool,
    with_left: bool,
    day: date | None,
) -> str:
    head, *others = _rates(entry)
    room = profile.room(head.room_type)
    parts = [counted_room(head, language), *(traits(room, language) if room and described else [])]
    parts += [say(f"board_{head.board}", language)] if with_board else []
    rates = [f"{price(head, language, length)}, {_terms(head, day, language)}"]
    rates += [
        say(
            "or_rate",
            language,
            total=amount(each.total_agorot, each.currency, language),
            terms=_terms(each, day, language),
        )
        for each in others
    ]
    few = left(head, language) if with_left else ""
    return "; ".join([f"{', '.join(parts)}: {rates[0]}", *rates[1:], *filter(None, [few])])


def _terms(offer: Offer, day: date | None, language: str) -> str:
    return say("refundable_open", language) if offer.refundable and day else terms(offer, language)


def traits(room: RoomKind, language: str) -> list[str]:
    """What sets a room apart, unless its name says so: its view and its beds."""
    features, beds, name = (
        (room.features_he, room.beds_he, room.name_he) if language == "he" else (room.features, room.beds, room.name)
    )
    view = next((each for each in features if speaks_of_a_view(each)), "")
    return [each for each in (view, beds.split(",")[0]) if each and each.casefold() not in name.casefold()]


def _with_meals(offers: Sequence[Offer]) -> list[Offer]:
    """The lowest price with a meal, and the lowest of these that can be cancelled."""
    fed = [offer for offer in offers if offer.board != "RO"]
    lowest = [cheapest(fed), cheapest(offer for offer in fed if offer.refundable)]
    return list({id(each): each for each in lowest if each}.values())


def _shared(offers: Sequence[Offer], boards: AbstractSet[Board], day: date | None, language: str) -> Iterator[str]:
    """The board of all the rooms listed, what breakfast would make of it, and the deadline."""
    for board in boards if len(boards) == 1 else ():
        yield say("all_board", language, board=say(f"board_{board}", language))
        for fed in _with_meals(offers) if board == "RO" else ():
            freedom = say("refundable_open", language) if fed.cancel_until else terms(fed, language)
            what = joined([say(f"board_{fed.board}", language), freedom], language)
            total = amount(fed.total_agorot, fed.currency, language)
            yield say("fed_from", language, board=what, total=total, room=counted_room(fed, language))
    if day:
        yield say("free_until", language, day=date_text.full_day(day, language))
