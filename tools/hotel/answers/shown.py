"""What the last answer listed, in its order: what `the third one` means."""

import re
from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import NamedTuple

from langchain_core.messages import AIMessage, AnyMessage

from wavegraph.graph.state import PastRequest
from wavegraph.tools.hotel.answers.alternatives import best_alternatives, every_alternative
from wavegraph.tools.hotel.dates import find_dates
from wavegraph.tools.hotel.dialogue.pending import choosable, offers_given
from wavegraph.tools.hotel.dialogue.slots import HotelSlots, StaySlot
from wavegraph.tools.hotel.profile import PropertyProfile
from wavegraph.tools.hotel.reading.amounts import amounts_in
from wavegraph.tools.hotel.reading.followup import Pick
from wavegraph.tools.hotel.reading.normalise import fold, prepared
from wavegraph.tools.hotel.reading.rooms import read_rooms
from wavegraph.tools.hotel.records import Availability, Board, OpenStays, by_room
from wavegraph.tools.hotel.results import Ends, holiday_around, records, stay_ends


class Shown(NamedTuple):
    """One line of a list: a stay with the room it is told with, or a room; with the terms."""

    stay: StaySlot | None = None
    room: str | None = None
    board: Board | None = None
    refundable: bool | None = None
    price: Decimal | None = None
    """The first amount of a stay's line."""

    @property
    def names_something(self) -> bool:
        return self.stay is not None or self.room is not None


def picked(listed: Sequence[Shown], pick: int) -> Shown | None:
    """The one that a guest picks by its number, -1 = the last; None if there is none."""
    place = pick - 1 if pick > 0 else len(listed) - 1
    return listed[place] if place < len(listed) else None


def by_price(pick: Pick | None, listed: Sequence[Shown]) -> Pick | None:
    """The number of the cheapest or dearest of the stays listed with their prices; else the pick as it is."""
    prices = {number: each.price for number, each in enumerate(listed, 1) if each.stay and each.price is not None}
    if pick not in ("cheapest", "dearest") or len(prices) < len(listed) or not prices:
        return pick
    return (min if pick == "cheapest" else max)(prices, key=prices.__getitem__)


def shown(
    previous: PastRequest | None,
    conversation: Sequence[AnyMessage],
    before: HotelSlots,
    *,
    today: date,
    profile: PropertyProfile,
) -> list[Shown]:
    """The stays asked about, if several; else the list of the last answer that has one; else the last results."""
    if len(before.stays) > 1:
        return [Shown(stay) for stay in before.stays]
    for message in reversed(conversation):
        if isinstance(message, AIMessage) and (listed := _as_written(str(message.text), today, profile)):
            return listed
    return _found(previous, before) if previous else []


def _as_written(answer: str, today: date, profile: PropertyProfile) -> list[Shown]:
    """The lines of a list, if each names a stay or a room; rates of one room alone are told apart by their terms."""
    lines = [_line(line[2:], today, profile) for line in answer.splitlines() if line.startswith("- ")]
    if not all(line.names_something for line in lines):
        return []
    one_room = len({line.room for line in lines}) == 1 and len(lines) > 1
    return [line if one_room or line.stay else line._replace(board=None, refundable=None) for line in lines]


def _line(words: str, today: date, profile: PropertyProfile) -> Shown:
    stays = [stay for phrase in find_dates(words, today=today, **profile.customs) for stay in phrase.resolution.stays]
    stay = _stay(stay_ends(stays[0])) if stays and stays[0].nights_explicit else None
    amounts = amounts_in(words, profile.currency) if stay else ()
    wishes = [read_rooms(prepared(fold(part))[0], profile.rooms) for part in words.split(";")]
    terms = {wish.refundable for wish in wishes} - {None}
    refundable = terms.pop() if len(terms) == 1 else None
    return Shown(stay, _room(words, profile), wishes[0].board, refundable, amounts[0][1] if amounts else None)


def _room(words: str, profile: PropertyProfile) -> str | None:
    """The room whose name comes first; what stands after it are its beds and its view."""
    names = [(words.find(name), -len(name), room.code) for room in profile.rooms for name in (room.name, room.name_he)]
    if named := [each for each in names if each[0] >= 0 and each[1]]:
        return min(named)[2]
    wish = read_rooms(prepared(fold(re.split("[,:]", words)[0]))[0], profile.rooms, words)
    return wish.room_types[0] if wish.room_types else None


def _found(previous: PastRequest, before: HotelSlots) -> list[Shown]:
    if offers := offers_given(previous, before.stays):
        return [Shown(None, room[0].room_type) for room in by_room(choosable(offers, before.room_types))]
    known = records(previous["ledger"])
    found = [each for each in known.values() if isinstance(each, Availability | OpenStays)]
    if before.stays:
        asked = stay_ends(before.stays[0])
        holiday = holiday_around(asked, known.values())
        every = every_alternative(found, asked, holiday)
        return [Shown(_stay(way.ends)) for way in best_alternatives(every, asked, holiday)]
    return [Shown(_stay(stay_ends(stay))) for each in found if isinstance(each, OpenStays) for stay in each.stays]


def _stay(ends: Ends) -> StaySlot:
    return StaySlot(check_in=ends[0], check_out=ends[1], kind="explicit", label="", hint="")
