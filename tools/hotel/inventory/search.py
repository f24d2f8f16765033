"""One inventory search: checked against what the property can ever offer, with its nights at hand."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from wavegraph.graph.errors import ToolRefusal
from wavegraph.graph.settings import CALENDAR, in_calendar
from wavegraph.tools.hotel.inventory.combinations import fewest_rooms, places
from wavegraph.tools.hotel.inventory.pricing import Guests, guests_of
from wavegraph.tools.hotel.inventory.products import Market, market
from wavegraph.tools.hotel.inventory.property_data import PropertyData, RoomKind, StayDates, Window
from wavegraph.tools.hotel.inventory.room_names import rooms_called
from wavegraph.tools.hotel.records import Board, OpenStaysQuery, PropertyRecord, StayQuery

MOST_EXTRA_ROOMS = 2
"""How many more rooms than the fewest a party may be spread over."""


@dataclass(frozen=True, kw_only=True)
class RoomRequest:
    """Who travels, and which rooms they ask for."""

    guests: Guests
    grown: int
    """Adults who can be responsible for a room; older children pay as adults but do not count here."""
    rooms: int | None
    kinds: Sequence[RoomKind]
    """The room types asked for."""
    board: Board | None


@dataclass(frozen=True, kw_only=True)
class StaySearch:
    property_data: PropertyData
    window: Window
    totals: dict[str, int]
    """Rooms the property has of each type."""
    request: RoomRequest
    today: date

    @property
    def currency(self) -> str:
        return self.property_data.record.currency

    def market(self, stay: StayDates) -> Market:
        """The products that could be sold for this stay."""
        request = self.request
        return market(self.property_data, self.window, request.kinds, stay, board=request.board, today=self.today)

    def fewest_rooms(self, kinds: Iterable[RoomKind]) -> int | None:
        counted = [(kind, self.totals.get(kind.code, 0)) for kind in kinds]
        return fewest_rooms(counted, self.request.guests, self.request.grown)

    def room_counts(self, on_sale: Market) -> Sequence[int]:
        """Numbers of rooms to try, in order: the number asked for, else the fewest of those on sale and a few more."""
        if self.request.rooms is not None:
            return [self.request.rooms]
        free, grown = [(kind, on_sale.free(kind)) for kind in self.request.kinds], self.request.grown
        fewest = fewest_rooms(free, self.request.guests, grown) or self.fewest_rooms(self.request.kinds)
        if fewest is None:
            return [self.fewest_rooms(self.property_data.rooms) or 1]
        return range(fewest, min(fewest + MOST_EXTRA_ROOMS, grown) + 1)

    def could_hold(self, count: int, kinds: Iterable[RoomKind]) -> bool:
        """Whether `count` rooms of these types hold the party in an empty property."""
        kinds = list(kinds)
        fewest = self.fewest_rooms(kinds)
        owned = sum(self.totals.get(kind.code, 0) for kind in kinds)
        return fewest is not None and fewest <= count <= min(owned, self.request.grown)


def room_request(property_data: PropertyData, query: StayQuery | OpenStaysQuery) -> RoomRequest:
    """Raises `ToolRefusal` `not_found` for a room type the property does not have."""
    guests = guests_in(query, property_data.record)
    kinds = property_data.rooms if query.room_type is None else [known_room(property_data, query.room_type)]
    return RoomRequest(guests=guests, grown=query.adults, rooms=query.rooms, kinds=kinds, board=query.board)


def guests_in(query: StayQuery | OpenStaysQuery, record: PropertyRecord) -> Guests:
    """The party, as the property counts children and babies."""
    return guests_of(
        query.adults, query.children_ages, child_max_age=record.child_max_age, baby_max_age=record.baby_max_age
    )


def known_room(property_data: PropertyData, code: str) -> RoomKind:
    found = rooms_called(property_data.rooms, code)
    if len(found) == 1:
        return found[0]
    known = ", ".join(kind.code for kind in found or property_data.rooms)
    if found:
        raise ToolRefusal(
            "not_found", f"{code!r} may be several room types: {known}; name one of them, or none to see all"
        )
    raise ToolRefusal("not_found", f"no room type {code!r} in this hotel; its room types: {known}")


def refuse_too_many(search: StaySearch) -> None:
    """Raise `ToolRefusal` `occupancy` if not even all rooms together hold the party."""
    if search.fewest_rooms(search.property_data.rooms) is not None:
        return
    rooms = [(kind, search.totals.get(kind.code, 0)) for kind in search.property_data.rooms]
    count = sum(number for _, number in rooms)
    adults = sum(kind.max_adults * number for kind, number in rooms)
    guests = sum(places(kind) * number for kind, number in rooms)
    cots = sum(kind.max_babies * number for kind, number in rooms)
    party = search.request.guests
    raise ToolRefusal(
        "occupancy",
        f"the hotel cannot take {party.adults} adults, {party.children} children and {party.babies} babies: its {count} "
        f"rooms hold at most {adults} adults, {guests} guests and {cots} babies, with an adult in every room",
    )


def refuse_dates(record: PropertyRecord, *, check_in: date, nights: int, today: date) -> None:
    """Raise `ToolRefusal` for an arrival before today (`past`) or outside the calendar (`bad_dates`), or a stay above the
    property's maximum (`too_long`)."""
    if check_in < today:
        raise ToolRefusal("past", f"arrival {check_in} is in the past: today is {today}")
    if not in_calendar(check_in):
        raise ToolRefusal("bad_dates", f"arrival {check_in} is out of range: a day from {CALENDAR} is expected")
    refuse_length(record, nights)


def refuse_length(record: PropertyRecord, nights: int) -> None:
    if nights > record.max_nights:
        raise ToolRefusal(
            "too_long",
            f"{nights} nights requested; the hotel accepts at most {record.max_nights} nights",
            limit=record.max_nights,
        )
