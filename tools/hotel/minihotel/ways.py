"""From the prices of a stay to what a guest can book: one room, or several that hold the party together.

The price of every room comes from an Immediate ARI answer for the guests of that room, never from nightly rates.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from wavegraph.tools.hotel.inventory.combinations import Split
from wavegraph.tools.hotel.inventory.offers import MOST_COMBINATIONS
from wavegraph.tools.hotel.inventory.pricing import Guests, round_half_up
from wavegraph.tools.hotel.minihotel.replies import RoomPrices, StayPrices
from wavegraph.tools.hotel.reading.rooms import is_accessible
from wavegraph.tools.hotel.records import Board, Combination, Offer, OpenStay, StayQuery

FINAL = "-NRF"
"""What the code of the configured rate ends in where the price is the non-refundable one."""


@dataclass(frozen=True, slots=True)
class PricedPart:
    """Rooms of one type with their guests, and what each of them costs for the stay."""

    offer: Offer
    split: Split
    totals: tuple[int, ...]


Way = tuple[PricedPart, ...]
"""Parts that hold the party together, all of one board and one kind of terms."""
Terms = tuple[Board, bool]
"""The board, and whether the price is refundable."""


def total(way: Way) -> int:
    return sum(part.offer.total_agorot for part in way)


def usual_way(ways: Sequence[Way], kinds: Sequence[bool | None] = (None,)) -> Way | None:
    """The cheapest, without a room for disabled guests where as many others are free; None if there is none.

    `kinds`: whether it can be cancelled, None = either; the first with any way decides.
    """
    found = _cheapest(ways, kinds)
    if found is None or not _is_accessible(found):
        return found
    other = _cheapest([way for way in ways if not _is_accessible(way)], kinds)
    return other if other and _rooms(other) <= _rooms(found) else found


def _cheapest(ways: Sequence[Way], kinds: Sequence[bool | None]) -> Way | None:
    for refundable in kinds:
        if fitting := [way for way in ways if refundable in (None, way[0].offer.refundable)]:
            return min(fitting, key=total)
    return None


def _is_accessible(way: Way) -> bool:
    return any(is_accessible(part.offer.room_name) for part in way)


def _rooms(way: Way) -> int:
    return sum(part.offer.count for part in way)


@dataclass(frozen=True)
class PriceList:
    """What the stay costs in one room, for each group of guests that was asked about."""

    query: StayQuery
    rate_code: str
    by_guests: Mapping[Guests, StayPrices]

    @property
    def currency(self) -> str:
        return next(iter(self.by_guests.values())).currency

    def in_one_room(self, guests: Guests) -> list[Way]:
        """One room of each type that takes these guests, on each board and kind of terms; cheapest first."""
        types = [room.code for room in self.by_guests[guests].rooms]
        return sorted((way for code in types for way in self.in_rooms([(code, (guests,))])), key=total)

    def in_rooms(self, wanted: Sequence[tuple[str, Split]]) -> list[Way]:
        """These room types with these guests, on each board and kind of terms that all of them are sold on."""
        known = [{guests: self._room(code, guests) for guests in split} for code, split in wanted]
        rooms = [(len(split), room) for (_, split), same in zip(wanted, known, strict=True) for room in same.values()]
        if not all(room and room.free >= count for count, room in rooms):
            return []
        on_sale = [set(_totals(room)) for _, room in rooms if room]
        return [
            tuple(self._part(code, split, terms) for code, split in wanted)
            for terms in sorted(set.intersection(*on_sale))
        ]

    def _room(self, code: str, guests: Guests) -> RoomPrices | None:
        """The type, if it is sold for this length. One whose minimum is longer is listed with its price all the same."""
        found = next((room for room in self.by_guests[guests].rooms if room.code == code), None)
        if found is None or found.minimum_nights > self.query.nights:
            return None
        prices = [price for price in found.prices if self.query.board in (None, price.board)]
        return replace(found, prices=prices)

    def _part(self, code: str, split: Split, terms: Terms) -> PricedPart:
        rooms = [room for guests in split if (room := self._room(code, guests))]
        totals = tuple(_totals(room)[terms] for room in rooms)
        return PricedPart(self._offer(rooms[0], terms, totals), split, totals)

    def _offer(self, room: RoomPrices, terms: Terms, totals: Sequence[int]) -> Offer:
        (board, refundable), nights, cost = terms, self.query.nights, sum(totals)
        return Offer(
            room_type=room.code,
            room_name=room.name,
            room_name_he=room.name_he,
            rate_plan=self.rate_code if refundable else f"{self.rate_code}{FINAL}",
            rate_name=self.rate_code if refundable else f"{self.rate_code}, non-refundable",
            board=board,
            refundable=refundable,
            cancel_until=None,
            count=len(totals),
            total_agorot=cost,
            per_night_agorot=round_half_up(cost, nights),
            nightly_agorot=evenly(cost, nights),
            rooms_left=room.free,
            currency=self.currency,
        )


def _totals(room: RoomPrices) -> dict[Terms, int]:
    return {(price.board, price.refundable): price.total for price in room.prices}


def evenly(total: int, nights: int) -> list[int]:
    """A stay's price over its nights, the odd units on the first ones: the price of each night is not known."""
    each, odd = divmod(total, nights)
    return [each + (night < odd) for night in range(nights)]


def one_type(ways: Iterable[Way]) -> list[Offer]:
    """Ways of one room type: the cheapest of each on each board and kind of terms, cheapest first."""
    alone = sorted((way[0].offer for way in ways if len(way) == 1), key=lambda offer: offer.total_agorot)
    cheapest: dict[tuple[str, str, bool], Offer] = {}
    for offer in alone:
        cheapest.setdefault((offer.room_type, offer.board, offer.refundable), offer)
    return list(cheapest.values())


def combinations(ways: Iterable[Way], nights: int) -> list[Combination]:
    """Ways of several room types, cheapest first; one for each set of rooms and kind of terms, the cheapest on each terms among
    them."""
    mixed = sorted((way for way in ways if len(way) > 1), key=total)
    cheapest: dict[tuple[str, bool], Way] = {}
    for way in mixed:
        cheapest.setdefault((way[0].offer.board, way[0].offer.refundable), way)
    others = [way for way in mixed if all(way is not each for each in cheapest.values())]
    chosen = [*cheapest.values(), *others[: max(0, MOST_COMBINATIONS - len(cheapest))]]
    return [_combination(way, nights) for way in sorted(chosen, key=total)]


def _combination(way: Way, nights: int) -> Combination:
    return Combination(
        parts=[part.offer for part in way],
        rooms=sum(part.offer.count for part in way),
        sleeps=sum(guests.adults + guests.children for part in way for guests in part.split),
        total_agorot=total(way),
        per_night_agorot=round_half_up(total(way), nights),
        currency=way[0].offer.currency,
    )


def open_stay(way: Way, query: StayQuery) -> OpenStay:
    parts = [part.offer for part in way]
    return OpenStay(
        check_in=query.check_in,
        check_out=query.check_out,
        nights=query.nights,
        from_agorot=total(way),
        per_night_agorot=round_half_up(total(way), query.nights),
        room_type="+".join(part.room_type for part in parts),
        room_name=" + ".join(_counted(part.count, part.room_name) for part in parts),
        room_name_he=" + ".join(_counted(part.count, part.room_name_he) for part in parts),
        rate_plan=parts[0].rate_plan,
        board=parts[0].board,
        refundable=parts[0].refundable,
        cancel_until=None,
        currency=parts[0].currency,
    )


def _counted(count: int, name: str) -> str:
    return f"{count} × {name}" if count > 1 else name
