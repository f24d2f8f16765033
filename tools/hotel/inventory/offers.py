"""From products on sale to what a guest reads: offers, combinations and refusals."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from wavegraph.tools.hotel.inventory.combinations import Mix, OfferPart, cheapest_mixes, equal_rooms, places
from wavegraph.tools.hotel.inventory.pricing import room_price, round_half_up, spread
from wavegraph.tools.hotel.inventory.products import Market, Product, plans_on_sale
from wavegraph.tools.hotel.inventory.property_data import RoomKind, StayDates
from wavegraph.tools.hotel.inventory.restrictions import ROOM_TYPE_ORDER, Block, inventory_block, most_useful
from wavegraph.tools.hotel.inventory.search import StaySearch
from wavegraph.tools.hotel.records import Availability, Board, Combination, Offer, RoomRefusal, StayQuery

MOST_COMBINATIONS = 4
"""More only where boards and terms are more: the cheapest on each is always one."""
GROUP_ROOMS = 10
"""From this many rooms on, mixes are searched once, and the sets found priced on the other boards and terms: the search grows
with every room."""


@dataclass(frozen=True, slots=True)
class Ways:
    """All ways found to accommodate the party in `count` rooms, of one type or mixed."""

    count: int
    equal: list[OfferPart]
    mixed: list[Mix]

    @property
    def found(self) -> bool:
        return bool(self.equal or self.mixed)

    @property
    def cheapest(self) -> tuple[OfferPart, ...]:
        """The parts of the cheapest way; empty if nothing was found."""
        ways = [*((part,) for part in self.equal), *(mix.parts for mix in self.mixed)]
        return min(ways, key=lambda parts: sum(part.cost for part in parts), default=())


def find_ways(search: StaySearch, on_sale: Market, keep: int) -> Ways:
    """The ways for the first number of rooms that works, with up to `keep` mixes per rate family; empty if none."""
    counts = search.room_counts(on_sale)
    for count in counts:
        equal = [part for product in on_sale.products if (part := equal_rooms(product, count, search.request.guests))]
        ways = Ways(count, _cheapest_of_each(equal), list(_mixes(search, on_sale, count, keep)))
        if ways.found and count <= search.request.grown:
            return ways
    return Ways(counts[0], [], [])


def _cheapest_of_each(parts: Iterable[OfferPart]) -> list[OfferPart]:
    """One part for each room type, board and refundability: the cheapest. Cheapest first."""
    cheapest: dict[tuple[str, Board, bool], OfferPart] = {}
    for part in sorted(parts, key=lambda part: part.cost):
        cheapest.setdefault((part.product.room.code, *family(part.product)), part)
    return list(cheapest.values())


def family(product: Product) -> tuple[Board, bool]:
    """What must be the same in all rooms of one party: the board, and whether they are refundable."""
    return product.plan.board, product.refundable


def _mixes(search: StaySearch, on_sale: Market, count: int, keep: int) -> Iterator[Mix]:
    found: list[Mix] = []
    for wanted in dict.fromkeys(map(family, on_sale.products)) if count > 1 else ():
        products = [product for product in on_sale.products if family(product) == wanted]
        priced = [mix for each in found if (mix := each.priced_as(products))]
        mixes = priced or cheapest_mixes(products, count, search.request.guests, keep)
        if count >= GROUP_ROOMS and not found:
            found = mixes
        yield from mixes


def availability(search: StaySearch, query: StayQuery, booking_link: str | None = None) -> Availability:
    """The whole answer for one stay. Pure: everything it needs is in `search`."""
    stay = StayDates(query.check_in, query.check_out)
    on_sale = search.market(stay)
    ways = find_ways(search, on_sale, MOST_COMBINATIONS)
    mixes = varied(ways.mixed)
    blocks = _blocks(search, on_sale, stay, ways, mixes)
    main = None if ways.found else most_useful(blocks.values(), ROOM_TYPE_ORDER)
    return Availability(
        check_in=query.check_in,
        check_out=query.check_out,
        nights=query.nights,
        adults=query.adults,
        children_ages=list(query.children_ages),
        rooms=ways.count,
        offers=[offer(part, search.currency) for part in ways.equal],
        combinations=[combination(mix, search.currency) for mix in mixes],
        refusals=[_refusal(kind, blocks[kind.code]) for kind in search.request.kinds if kind.code in blocks],
        reason=main.code if main else None,
        reason_nights=main.nights if main else None,
        arrival_closed=main is not None and arrival_closed(search, stay),
        free_places=None if ways.found else _places_in_all(search, on_sale),
        currency=search.currency,
        booking_link=booking_link,
    )


def _places_in_all(search: StaySearch, on_sale: Market) -> int:
    """How many guests all rooms that could be sold hold together: adults alone, where no child comes."""
    most = places if search.request.guests.children else lambda kind: min(kind.max_adults, places(kind))
    return sum(on_sale.free(kind) * most(kind) for kind in search.request.kinds)


def arrival_closed(search: StaySearch, stay: StayDates) -> bool:
    """Whether the day is closed to arrival for every room type and rate plan."""
    plans = plans_on_sale(search.property_data, search.request.board)
    rules = [
        search.window.rules(stay.check_in, kind.code, plan.code) for kind in search.request.kinds for plan in plans
    ]
    return bool(rules) and all(any(rule.cta for rule in each) for each in rules)


def varied(mixes: Iterable[Mix]) -> list[Mix]:
    """The cheapest mix of each rate family, among equals the one of the fewest kinds; beside few of them other sets of rooms, each
    twice at most and a fair share for a family.
    """
    ordered = sorted(mixes, key=lambda mix: (mix.cost, len(mix.rooms), mix.rooms))
    cheapest: dict[tuple[Board, bool], Mix] = {}
    for mix in ordered:
        cheapest.setdefault(family(mix.parts[0].product), mix)
    chosen = [*cheapest.values()]
    seen: Counter[object] = Counter([*(mix.rooms for mix in chosen), *cheapest])
    for mix in ordered:
        rate_family = family(mix.parts[0].product)
        fits = seen[mix.rooms] < 2 and seen[rate_family] < MOST_COMBINATIONS // len(cheapest)
        if len(chosen) < MOST_COMBINATIONS and fits and all(mix is not each for each in chosen):
            seen.update([mix.rooms, rate_family])
            chosen.append(mix)
    return sorted(chosen, key=lambda mix: mix.cost)


def offer(part: OfferPart, currency: str) -> Offer:
    product = part.product
    nightly = [
        sum(room_price(night, product.room.base_occ, guests) for guests in part.split) for night in product.nights
    ]
    return Offer(
        room_type=product.room.code,
        room_name=product.room.name,
        room_name_he=product.room.name_he,
        rate_plan=product.plan.code,
        rate_name=product.plan.name,
        board=product.plan.board,
        refundable=product.refundable,
        cancel_until=product.cancel_until,
        count=len(part.split),
        total_agorot=part.cost,
        per_night_agorot=round_half_up(part.cost, len(nightly)),
        nightly_agorot=spread(nightly, product.plan.nrf_bp),
        rooms_left=product.free,
        currency=currency,
    )


def combination(mix: Mix, currency: str) -> Combination:
    return Combination(
        parts=[offer(part, currency) for part in mix.parts],
        rooms=sum(len(part.split) for part in mix.parts),
        sleeps=sum(places(part.product.room) * len(part.split) for part in mix.parts),
        total_agorot=mix.cost,
        per_night_agorot=round_half_up(mix.cost, len(mix.parts[0].product.nights)),
        currency=currency,
    )


def _blocks(search: StaySearch, on_sale: Market, stay: StayDates, ways: Ways, mixes: Iterable[Mix]) -> dict[str, Block]:
    """Why each requested room type is not offered; types that are, alone or in a combination, are left out."""
    offered = {part.product.room.code for part in ways.equal}
    offered |= {part.product.room.code for mix in mixes for part in mix.parts}
    possible = search.could_hold(ways.count, search.request.kinds)
    missing = [kind for kind in search.request.kinds if kind.code not in offered]
    return {
        kind.code: _block(search, on_sale, stay, ways.count, kind) if possible else Block("occupancy")
        for kind in missing
    }


def _block(search: StaySearch, on_sale: Market, stay: StayDates, count: int, kind: RoomKind) -> Block:
    """One room type's reason; where several rooms are needed, closed or sold out comes before occupancy."""
    if count == 1 and not search.could_hold(1, [kind]):
        return Block("occupancy")
    useful = min(count, search.totals.get(kind.code, 0))
    closed = on_sale.blocks.get(kind.code) or inventory_block(search.window, kind.code, stay, useful)
    return closed or Block("occupancy")


def _refusal(kind: RoomKind, block: Block) -> RoomRefusal:
    return RoomRefusal(
        room_type=kind.code,
        room_name=kind.name,
        room_name_he=kind.name_he,
        code=block.code,
        nights_required=block.nights,
        dates=list(block.dates),
    )
