"""Several rooms for one party: who fits where, the fewest rooms, and the cheapest ways to split.

A room holds (adults, children, babies) if

    1 <= adults <= max_adults,   adults + children <= places,   babies <= max_babies
    places = min(max_total, max_adults + max_children)

so a child may take an adult's place but not the other way round. The sums of these three limits over
several rooms determine exactly which parties those rooms hold, as long as every room has an adult.
Prices do not add up that simply (a lone adult pays single use), so the cheapest split is searched.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import product as cartesian
from operator import attrgetter, itemgetter, sub
from typing import NamedTuple

from wavegraph.tools.hotel.inventory.pricing import Guests, apply_factor, room_price
from wavegraph.tools.hotel.inventory.products import Product
from wavegraph.tools.hotel.inventory.property_data import RoomKind

Split = tuple[Guests, ...]
"""The guests of each room, in no particular order."""


class OfferPart(NamedTuple):
    """Rooms of one product with their guests; `cost` is for the whole stay, rounded."""

    product: Product
    split: Split
    cost: int


class Mix(NamedTuple):
    """Parts of different room types that hold a party together. `rooms`: how many of each type, by code."""

    cost: int
    rooms: tuple[tuple[str, int], ...]
    parts: tuple[OfferPart, ...]

    def plus(self, part: OfferPart) -> "Mix":
        rooms = (*self.rooms, (part.product.room.code, len(part.split)))
        return Mix(self.cost + part.cost, rooms, (*self.parts, part))

    def priced_as(self, products: Sequence[Product]) -> "Mix | None":
        """The same rooms with the same guests on these products; None if a room is not among them."""
        parts = [part for each in self.parts if (part := _priced_as(each, products))]
        if len(parts) < len(self.parts):
            return None
        return Mix(sum(part.cost for part in parts), self.rooms, tuple(parts))

    def in_order(self, codes: Sequence[str]) -> "Mix":
        """The same parts in the order of these room types."""
        parts = sorted(self.parts, key=lambda part: codes.index(part.product.room.code))
        return Mix(self.cost, tuple(sorted(self.rooms, key=lambda room: codes.index(room[0]))), tuple(parts))


def _priced_as(part: OfferPart, products: Sequence[Product]) -> OfferPart | None:
    """The same rooms with the same guests on the cheapest of these products; None if none is of their type."""
    room = part.product.room
    prices = [
        (product, sum(room_price(product.rate, room.base_occ, guests) for guests in part.split))
        for product in products
        if product.room.code == room.code
    ]
    return min((_part(product, part.split, price) for product, price in prices), key=attrgetter("cost"), default=None)


def _part(product: Product, split: Split, price: int) -> OfferPart:
    """`price`: of these rooms before the plan's factor."""
    return OfferPart(product, split, apply_factor(price, product.plan.nrf_bp))


def places(room: RoomKind) -> int:
    return min(room.max_total, room.max_adults + room.max_children)


def holds(room: RoomKind, guests: Guests) -> bool:
    """Whether one room of this type takes these guests."""
    return (
        1 <= guests.adults <= room.max_adults
        and guests.adults + guests.children <= places(room)
        and guests.babies <= room.max_babies
    )


def fewest_rooms(rooms: Iterable[tuple[RoomKind, int]], party: Guests, grown: int) -> int | None:
    """The fewest rooms that hold the party, out of `count` rooms of each type; None = not even all of them.

    `grown`: adults who can be responsible for a room. Each room needs one, so there are at most `grown` rooms.
    """
    need = (party.adults, party.adults + party.children, party.babies)
    best = {(0, 0, 0): 0}
    for room, count in rooms:
        limits = (min(room.max_adults, places(room)), places(room), room.max_babies)
        best = _with_more_rooms(best, limits, min(count, grown), need)
    fewest = best.get(need)
    return fewest if fewest is not None and fewest <= grown else None


Sums = tuple[int, int, int]


def _with_more_rooms(best: Mapping[Sums, int], limits: Sums, most: int, need: Sums) -> dict[Sums, int]:
    """Fewest rooms by limits reached, each capped at what is needed, with up to `most` rooms more."""
    reached = dict(best)
    for (sums, rooms), count in cartesian(best.items(), range(1, most + 1)):
        a, b, c = (min(n, s + count * x) for n, s, x in zip(need, sums, limits, strict=True))
        reached[a, b, c] = min(rooms + count, reached.get((a, b, c), rooms + count))
    return reached


def ways_to_fill(room: RoomKind, party: Guests) -> Iterator[Guests]:
    """Every way to take guests of the party into one room."""
    ranges = (range(most + 1) for most in (party.adults, party.children, party.babies))
    within = (
        range(min(len(r), cap + 1))
        for r, cap in zip(ranges, (room.max_adults, places(room), room.max_babies), strict=True)
    )
    return (guests for guests in map(Guests._make, cartesian(*within)) if holds(room, guests))


RoomsAndGuests = tuple[int, Guests]
"""Rooms, and the guests they take together."""

CheapestSplits = dict[tuple[int, Guests], tuple[int, Split]]
"""Cheapest (price before the factor, split) by number of rooms and the guests they take together."""


def cheapest_splits(product: Product, most: int, party: Guests) -> CheapestSplits:
    """For up to `most` rooms of one product: the cheapest split of every part of the party they can take."""
    fills = [
        (guests, room_price(product.rate, product.room.base_occ, guests))
        for guests in ways_to_fill(product.room, party)
    ]
    last: dict[Guests, tuple[int, Split]] = {Guests(0): (0, ())}
    splits: CheapestSplits = {}
    for count in range(1, most + 1):
        last = _one_room_more(last, fills, party)
        splits.update({(count, guests): found for guests, found in last.items()})
    return splits


def _one_room_more(
    taken: Mapping[Guests, tuple[int, Split]], fills: Sequence[tuple[Guests, int]], party: Guests
) -> dict[Guests, tuple[int, Split]]:
    more: dict[Guests, tuple[int, Split]] = {}
    for (guests, (cost, split)), (fill, price) in cartesian(taken.items(), fills):
        total = _plus(guests, fill)
        fits = total[0] <= party[0] and total[1] <= party[1] and total[2] <= party[2]
        if fits and (total not in more or cost + price < more[total][0]):
            more[total] = (cost + price, (*split, fill))
    return more


def _plus(left: Guests, right: Guests) -> Guests:
    # Field by field: the search does little else, and a `map` makes it a third slower.
    return Guests(left[0] + right[0], left[1] + right[1], left[2] + right[2])


def equal_rooms(product: Product, count: int, party: Guests) -> OfferPart | None:
    """The party in `count` rooms of one product, split the cheapest way; None if they do not hold it."""
    if product.free < count:
        return None
    found = cheapest_splits(product, count, party).get((count, party))
    if found is None:
        return None
    price, split = found
    return _part(product, split, price)


def cheapest_mixes(products: Iterable[Product], count: int, party: Guests, keep: int) -> list[Mix]:
    """The `keep` cheapest sets of `count` rooms of at least two types that hold the party, cheapest first.

    Each set of rooms appears once, split the cheapest way. The products should be of one rate family.
    Exact: costs add up over room types, so a set among the best has, at every state of the search (rooms
    and guests placed so far), a beginning among the best of that state.
    """
    by_type: dict[str, list[Product]] = {}
    for product in products:
        by_type.setdefault(product.room.code, []).append(product)
    tables = [_parts_of_type(same_type, count, party) for same_type in by_type.values()]
    # The type with the most parts comes last, where a look-up replaces the loop.
    *first, last = sorted(tables, key=len) or [{}]
    states: dict[RoomsAndGuests, list[Mix]] = {(0, Guests(0)): [Mix(0, (), ())]}
    for done, table in enumerate(first, start=1):
        can_finish = partial(_can_finish, count=count, party=party, rest=_most_of_rest([*first[done:], last]))
        states = _with_type(states, table, keep, can_finish)
    finished = [mix for state, mixes in states.items() for mix in _finish(mixes, state, last, count, party)]
    order = list(by_type)
    return [mix.in_order(order) for mix in _best_sets(finished, keep) if len(mix.parts) > 1]


def _finish(
    mixes: Iterable[Mix], state: RoomsAndGuests, last: Mapping[RoomsAndGuests, OfferPart], count: int, party: Guests
) -> Iterator[Mix]:
    """The mixes completed by the last type, or complete without it."""
    if state == (count, party):
        yield from mixes
    part = last.get((count - state[0], Guests(*map(sub, party, state[1]))))
    if part is not None:
        yield from (mix.plus(part) for mix in mixes)


def _with_type(
    states: Mapping[RoomsAndGuests, list[Mix]],
    table: Mapping[RoomsAndGuests, OfferPart],
    keep: int,
    promising: Callable[[RoomsAndGuests], bool],
) -> dict[RoomsAndGuests, list[Mix]]:
    """The states after adding one type, which may also be left out."""
    grown = {state: list(mixes) for state, mixes in states.items() if promising(state)}
    for (placed, guests), mixes in states.items():
        for (rooms, taken), part in table.items():
            state = placed + rooms, _plus(guests, taken)
            if promising(state):
                grown.setdefault(state, []).extend([mix.plus(part) for mix in mixes])
    return {state: _best_sets(mixes, keep) for state, mixes in grown.items()}


def _best_sets(mixes: list[Mix], keep: int) -> list[Mix]:
    """The cheapest way of each set of rooms; `keep` sets of several types, and all sets of one type.

    Sets of one type are kept as well: they may still become mixed, but must not push out mixed ones.
    """
    cheapest: dict[tuple[tuple[str, int], ...], Mix] = {}
    for mix in sorted(mixes, key=itemgetter(0, 1)):
        cheapest.setdefault(mix.rooms, mix)
    mixed = [mix for mix in cheapest.values() if len(mix.parts) > 1]
    return mixed[:keep] + [mix for mix in cheapest.values() if len(mix.parts) <= 1]


def _most_of_rest(tables: Sequence[Mapping[RoomsAndGuests, OfferPart]]) -> tuple[int, Guests]:
    """How many rooms the remaining types can add, and the most guests of each category in one of them."""
    single = [guests for table in tables for rooms, guests in table if rooms == 1]
    most = Guests(*map(max, zip(*single, strict=True))) if single else Guests(0)
    return sum(max((rooms for rooms, _ in table), default=0) for table in tables), most


def _can_finish(state: RoomsAndGuests, count: int, party: Guests, rest: tuple[int, Guests]) -> bool:
    """Whether the remaining rooms might take exactly the remaining guests (a no is certain, a yes is not)."""
    placed, (adults, children, babies) = state
    rooms, most = count - placed, rest[1]
    return (
        0 <= rooms <= rest[0]
        and rooms <= party[0] - adults <= rooms * most[0]
        and 0 <= party[1] - children <= rooms * most[1]
        and 0 <= party[2] - babies <= rooms * most[2]
    )


def _parts_of_type(products: Sequence[Product], count: int, party: Guests) -> dict[RoomsAndGuests, OfferPart]:
    """All parts of one room type: for each number of rooms and guests, the cheapest product and split."""
    cheapest: dict[RoomsAndGuests, OfferPart] = {}
    for product in products:
        for key, (price, split) in cheapest_splits(product, min(count, product.free), party).items():
            part = _part(product, split, price)
            if key not in cheapest or part.cost < cheapest[key].cost:
                cheapest[key] = part
    return cheapest
