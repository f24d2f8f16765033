"""Searches for stays: the ways to sell one, why there are none, and which other stays are open."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from wavegraph.graph.errors import ToolRefusal
from wavegraph.tools.hotel.inventory import offers
from wavegraph.tools.hotel.inventory.combinations import Split, holds
from wavegraph.tools.hotel.inventory.open_stays import open_stays
from wavegraph.tools.hotel.inventory.pricing import Guests
from wavegraph.tools.hotel.inventory.property_data import RoomKind, StayDates
from wavegraph.tools.hotel.inventory.restrictions import ROOM_TYPE_ORDER, Block, most_useful
from wavegraph.tools.hotel.inventory.room_names import rooms_called
from wavegraph.tools.hotel.inventory.search import StaySearch, guests_in, refuse_too_many
from wavegraph.tools.hotel.minihotel.config import MiniHotelConfig
from wavegraph.tools.hotel.minihotel.house import House, search
from wavegraph.tools.hotel.minihotel.reader import Reader, together, with_types
from wavegraph.tools.hotel.minihotel.replies import StayPrices
from wavegraph.tools.hotel.minihotel.ways import (
    FINAL,
    PriceList,
    Way,
    combinations,
    one_type,
    open_stay,
    total,
    usual_way,
)
from wavegraph.tools.hotel.property.quote_terms import usual_parts
from wavegraph.tools.hotel.records import (
    Availability,
    OpenStay,
    OpenStaysQuery,
    QuoteQuery,
    RefusalCode,
    RoomRefusal,
    StayQuery,
)

MOST_GROUPS = 6
"""Different groups of guests that are asked about for one party in several rooms: a call each."""
MOST_ROUNDS = 4
"""Of such calls, each wiser by the answers to the one before."""
MOST_CONFIRMED = 6
"""Open stays that are looked for, each confirmed by its own price."""
MOST_TRIED = 10
AT_ONCE = 3
REASONS_BESIDE_OFFERS_S = 4.0
"""How long offers wait for the reasons why other room types are not offered."""


@dataclass(frozen=True)
class Answer:
    """The ways to sell a stay, cheapest first, and why other room types are not sold."""

    ways: Sequence[Way]
    rooms: int
    refusals: Sequence[RoomRefusal] = ()
    arrival_closed: bool = False
    refused: RefusalCode | None = None
    """The rule that MiniHotel named for the whole stay."""

    @property
    def names_he(self) -> Mapping[str, str]:
        """Of the room types that have one, by code."""
        offers = (part.offer for way in self.ways for part in way)
        return {each.room_type: each.room_name_he for each in offers if each.room_name_he != each.room_name}

    @property
    def main(self) -> Block | None:
        """The reason that explains most when nothing is sold."""
        if self.ways:
            return None
        blocks = [Block(each.code, each.nights_required, tuple(each.dates)) for each in self.refusals]
        return most_useful(blocks or [Block(self.refused or "not_on_sale")], ROOM_TYPE_ORDER)


class Stays:
    """Searches of one hotel."""

    def __init__(self, config: MiniHotelConfig, reader: Reader) -> None:
        self._config, self._reader = config, reader

    async def answer(self, query: StayQuery, today: date, *, anew: bool = False) -> Answer:
        """One room first, as the system knows best whom it takes; then as many as the party needs."""
        party = guests_in(query, self._config.record)
        known = await self._reader.house_if_told()
        priced = await self._reader.prices(query.check_in, query.check_out, party, anew=anew)
        asked = self._asked(with_types(known, [priced]), query)
        prices = PriceList(query, self._config.rate_code, {party: priced})
        codes, one_room = {kind.code for kind in asked}, query.rooms in (None, 1)
        in_one = prices.in_one_room(party) if one_room else []
        ways = [way for way in in_one if {part.offer.room_type for part in way} <= codes]
        if ways and codes <= {way[0].offer.room_type for way in ways}:
            return Answer(ways, 1)
        try:
            async with asyncio.timeout(REASONS_BESIDE_OFFERS_S if ways else None):
                nights = await self._reader.reasons(query.check_in, query.check_out, anew=anew)
        except (ToolRefusal, TimeoutError):
            if not ways:
                raise
            return Answer(ways, 1)
        found = search(with_types(known, [priced]), nights, self._config.record, self._config.rate_code, query, today)
        if not ways:
            await asyncio.to_thread(_refuse_too_many, found, known)
            ways = await self._in_several_rooms(found, query, {party: priced}, anew=anew)
        return await asyncio.to_thread(_explained, found, query, ways, priced)

    def _asked(self, known: House, query: StayQuery) -> Sequence[RoomKind]:
        """The room types asked for; none if the one asked for is not known yet."""
        if query.room_type is None:
            return known.kinds
        found = rooms_called(known.kinds, query.room_type)
        return found if len(found) == 1 else []

    async def _in_several_rooms(
        self, found: StaySearch, query: StayQuery, priced: dict[Guests, StayPrices], *, anew: bool
    ) -> list[Way]:
        """The ways that nightly rates suggest, each at its own price.

        How many guests a room takes altogether is not told: a type without a price for guests whom it seemed to take is
        smaller than that, and the next round suggests other ways.
        """
        stay, wanted = StayDates(query.check_in, query.check_out), list[list[tuple[str, Split]]]()
        for _ in range(MOST_ROUNDS):
            found = _resized(found, stay, priced)
            ways = await asyncio.to_thread(offers.find_ways, found, found.market(stay), offers.MOST_COMBINATIONS)
            every = (*([part] for part in ways.equal), *(mix.parts for mix in ways.mixed))
            wanted = [[(part.product.room.code, part.split) for part in parts] for parts in every]
            named = dict.fromkeys(guests for rooms in wanted for _, split in rooms for guests in split)
            groups = [guests for guests in named if guests not in priced][:MOST_GROUPS]
            if not groups:
                break
            asked = [self._reader.prices(query.check_in, query.check_out, guests, anew=anew) for guests in groups]
            priced |= dict(zip(groups, await together(asked), strict=True))
        prices = PriceList(query, self._config.rate_code, priced)
        whole = [rooms for rooms in wanted if all(guests in priced for _, split in rooms for guests in split)]
        return sorted((way for rooms in whole for way in prices.in_rooms(rooms)), key=total)

    async def open_stays(self, query: OpenStaysQuery, first: date, today: date) -> tuple[list[OpenStay], int]:
        """Open stays that nightly rates suggest, each confirmed at its own price, and how many were looked at."""
        known = await self._reader.house_if_told()
        nights = await self._reader.nights(first, query.to_date)
        found = search(known, nights, self._config.record, self._config.rate_code, query, today)
        await asyncio.to_thread(_refuse_too_many, found, known)
        wanted = min(query.limit, MOST_CONFIRMED)
        more = query.model_copy(update={"limit": MOST_TRIED})
        likely, looked = await asyncio.to_thread(open_stays, found, more, first, usual_parts)
        sure: list[OpenStay] = []
        for batch in (likely[n : n + AT_ONCE] for n in range(0, len(likely), AT_ONCE)):
            tried = await together(self._confirmed(query, each, today) for each in batch)
            sure += [stay for stay in tried if stay]
            if len(sure) >= wanted:
                break
        near = query.near or query.from_date
        by_price = [(stay.from_agorot, stay.check_in) for stay in sure]
        order = by_price if query.order else [(abs((stay.check_in - near).days), *key)
                                              for stay, key in zip(sure, by_price, strict=True)]  # fmt: skip
        return [stay for _, stay in sorted(zip(order, sure, strict=True), key=lambda pair: pair[0])][:wanted], looked

    async def _confirmed(self, query: OpenStaysQuery, likely: OpenStay, today: date) -> OpenStay | None:
        same = {name: getattr(query, name) for name in ("adults", "children_ages", "rooms", "room_type", "board")}
        stay = StayQuery(check_in=likely.check_in, check_out=likely.check_out, **same)
        way = usual_way((await self.answer(stay, today)).ways)
        return open_stay(way, stay) if way else None


def _refuse_too_many(found: StaySearch, known: House) -> None:
    """Only of a house whose rooms are all known: a guess proves nothing."""
    if known.counts and all(kind.max_adults for kind in known.kinds):
        refuse_too_many(found)


def _resized(found: StaySearch, stay: StayDates, priced: Mapping[Guests, StayPrices]) -> StaySearch:
    """With the types smaller that are on sale, and yet have no price for guests whom they seemed to take."""
    on_sale = {product.room.code for product in found.market(stay).products}
    kinds = {kind.code: kind for kind in found.property_data.rooms}
    for guests, prices in priced.items():
        for code in on_sale - {room.code for room in prices.rooms}:
            if holds(kinds[code], guests):
                kinds[code] = replace(kinds[code], max_total=guests.adults + guests.children - 1)
    request = replace(found.request, kinds=[kinds[kind.code] for kind in found.request.kinds])
    data = replace(found.property_data, rooms=list(kinds.values()))
    return replace(found, property_data=data, request=request)


def _explained(found: StaySearch, query: StayQuery, ways: Sequence[Way], priced: StayPrices) -> Answer:
    """The ways, with a reason for each room type that they leave out."""
    told = offers.availability(found, query)
    sold = {part.offer.room_type for way in ways for part in way}
    missing = [kind for kind in found.request.kinds if kind.code not in sold]
    reasons = {each.room_type: each for each in told.refusals}
    longer = {room.code: room.minimum_nights for room in priced.rooms if room.minimum_nights > query.nights}
    refusals = [_refusal(kind, reasons.get(kind.code), longer.get(kind.code), priced) for kind in missing]
    rooms = sum(part.offer.count for part in ways[0]) if ways else told.rooms
    closed = not ways and offers.arrival_closed(found, StayDates(query.check_in, query.check_out))
    return Answer(ways, rooms, refusals, closed, priced.refused)


def _refusal(kind: RoomKind, reason: RoomRefusal | None, minimum: int | None, priced: StayPrices) -> RoomRefusal:
    """By the nights, by the type's own minimum, by the rule that MiniHotel named, or none: it is just not on sale."""
    if reason is not None:
        return reason
    return RoomRefusal(
        room_type=kind.code,
        room_name=kind.name,
        room_name_he=kind.name_he,
        code="min_stay" if minimum else priced.refused or "not_on_sale",
        nights_required=minimum,
    )


def as_availability(answer: Answer, query: StayQuery, currency: str, booking_link: str | None) -> Availability:
    main = answer.main
    return Availability(
        check_in=query.check_in,
        check_out=query.check_out,
        nights=query.nights,
        adults=query.adults,
        children_ages=list(query.children_ages),
        rooms=answer.rooms,
        offers=one_type(answer.ways),
        combinations=combinations(answer.ways, query.nights),
        refusals=list(answer.refusals),
        reason=main.code if main else None,
        reason_nights=main.nights if main else None,
        arrival_closed=answer.arrival_closed,
        currency=answer.ways[0][0].offer.currency if answer.ways else currency,
        booking_link=booking_link,
    )


def refused_stay(answer: Answer, query: QuoteQuery, rate_code: str) -> ToolRefusal:
    """Why there is nothing to quote."""
    stay, main = f"{query.check_in} to {query.check_out}", answer.main
    if main is not None:
        needs = f" (needs {main.nights} nights)" if main.nights else ""
        return ToolRefusal(main.code, f"nothing for {stay}: {main.code}{needs}")
    known = [rate_code, f"{rate_code}{FINAL}"]
    if query.rate_plan and query.rate_plan.strip().casefold() not in map(str.casefold, known):
        return ToolRefusal(
            "bad_rate", f"no rate plan {query.rate_plan!r} in this hotel; its rate plans: {', '.join(known)}"
        )
    kind = "with" if query.refundable else "without"
    return ToolRefusal("not_on_sale", f"nothing {kind} free cancellation for {stay}; there are other offers")
