"""The hotel's room types, put together from what its system says here and there, and its nights as the search wants them."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from wavegraph.tools.hotel.inventory.pricing import Guests
from wavegraph.tools.hotel.inventory.property_data import (
    Calendar,
    InventoryDay,
    MealPrice,
    PropertyData,
    RateDay,
    RatePlan,
    RestrictionDay,
    RoomKind,
    Window,
)
from wavegraph.tools.hotel.inventory.search import StaySearch, room_request
from wavegraph.tools.hotel.minihotel.replies import MealNight, Nights, Room, TypeName
from wavegraph.tools.hotel.records import Board, OpenStaysQuery, PropertyRecord, StayQuery

USUAL_OCCUPANCY = 2
"""Guests in a room whose size its system does not say."""
MEALS: dict[Board, str] = {"BB": "B", "HB": "BD", "FB": "BLD"}
"""The meals of a board, by MiniHotel's letters."""


@dataclass(frozen=True, slots=True)
class House:
    """Room types and how many rooms each has. A maximum of 0 in a type, or a missing count, is unknown."""

    kinds: Sequence[RoomKind] = ()
    counts: tuple[tuple[str, int], ...] = ()

    def named(self, names: Sequence[TypeName]) -> "House":
        """With the types that other replies name and the list of types does not."""
        known = {kind.code for kind in self.kinds}
        return replace(self, kinds=[*self.kinds, *(_kind(each, []) for each in names if each.code not in known)])


def house(names: Sequence[TypeName], rooms: Sequence[Room]) -> House:
    """Types in the order of their list; those of rooms alone come after them."""
    of_type: dict[str, list[Room]] = {}
    for room in rooms:
        of_type.setdefault(room.room_type, []).append(room)
    listed = {each.code: each for each in names}
    every = [*listed.values(), *(TypeName(code, code) for code in of_type if code not in listed)]
    kinds = [_kind(each, of_type.get(each.code, [])) for each in every]
    return House(kinds, tuple(Counter(room.room_type for room in rooms).items()))


def _kind(name: TypeName, rooms: Sequence[Room]) -> RoomKind:
    adults, children, babies = (max((room.most[n] for room in rooms), default=0) for n in range(3))
    return RoomKind(
        code=name.code,
        name=name.name,
        name_he=name.name,
        base_occ=0,
        max_adults=adults,
        max_children=children,
        max_babies=babies,
        max_total=adults + children if adults and children else 0,
        size_sqm=0,
        beds="",
        beds_he="",
        features=tuple(dict.fromkeys(feature for room in rooms for feature in room.features)),
    )


def _filled(kind: RoomKind, basic: int) -> RoomKind:
    """With a cautious guess for each unknown maximum: the room takes whom its base rate is for, and one cot."""
    base = basic or USUAL_OCCUPANCY
    adults = kind.max_adults or base
    return replace(
        kind,
        base_occ=base,
        max_adults=adults,
        max_children=kind.max_children or adults,
        max_babies=kind.max_babies or 1,
        max_total=kind.max_total or adults,
    )


def search(
    known: House, nights: Nights, record: PropertyRecord, rate_code: str, query: StayQuery | OpenStaysQuery, today: date
) -> StaySearch:
    """The nights as an inventory search. Raises `ToolRefusal` `not_found` for an unknown room type."""
    every = known.named([TypeName(*item) for item in nights.names.items()])
    kinds = [_filled(kind, nights.basic_occupancy.get(kind.code, 0)) for kind in every.kinds]
    plan = RatePlan(
        code=rate_code,
        name=rate_code,
        name_he=rate_code,
        board=query.board or "RO",
        refundable=True,
        rates_of=rate_code,
    )
    property_data = PropertyData(
        record=record.model_copy(update={"currency": nights.currency}),
        rooms=kinds,
        plans=[plan],
        meals=list(_meals(nights.meals, query.board)),
    )
    most_free = {night.room_type: 0 for night in nights.nights}
    for night in nights.nights:
        most_free[night.room_type] = max(most_free[night.room_type], night.free)
    return StaySearch(
        property_data=property_data,
        window=_window(nights, rate_code),
        totals={kind.code: max(dict(known.counts).get(kind.code, 0), most_free.get(kind.code, 0)) for kind in kinds},
        request=room_request(property_data, query),
        today=today,
    )


def _window(nights: Nights, rate_code: str) -> Window:
    return Window(
        Calendar(
            inventory=[InventoryDay(n.room_type, n.date, n.free, stop_sell=n.closed) for n in nights.nights],
            rates=[
                RateDay(
                    rate_code, n.room_type, n.date, n.price, n.extra_adult, n.extra_child, n.extra_baby, n.single_use
                )
                for n in nights.nights
                if n.price is not None
            ],
            restrictions=[
                RestrictionDay(
                    n.room_type,
                    rate_code,
                    n.date,
                    n.minimum_nights or None,
                    cta=n.closed_arrival,
                    ctd=n.closed_departure,
                )
                for n in nights.nights
            ],
        )
    )


def _meals(meals: Sequence[MealNight], board: Board | None) -> Iterator[MealPrice]:
    """What the board adds, as the sum of its meals on each day."""
    letters = MEALS.get(board, "") if board else ""
    sums: dict[date, Guests] = {}
    for meal in meals:
        if meal.meal in letters:
            so_far = sums.get(meal.date, Guests(0))
            sums[meal.date] = Guests(so_far[0] + meal.adult, so_far[1] + meal.child, so_far[2] + meal.baby)
    for on, (adult, child, baby) in sums.items():
        for guest, cost in (("A", adult), ("C", child), ("B", baby)):
            yield MealPrice(board, guest, on, on, cost)  # type: ignore[arg-type]
