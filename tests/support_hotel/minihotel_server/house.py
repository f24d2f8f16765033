"""One hotel behind the server: its file, and what it sells under its rate code."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from zoneinfo import ZoneInfo

from wavegraph.tools.hotel.inventory.combinations import holds
from wavegraph.tools.hotel.inventory.pricing import Guests, apply_factor, room_price
from wavegraph.tools.hotel.inventory.products import Market, Product, market, plans_on_sale
from wavegraph.tools.hotel.inventory.property_data import PropertyData, RestrictionDay, RoomKind, StayDates, Window
from wavegraph.tools.hotel.property import store
from wavegraph.tools.hotel.records import Board


@dataclass(frozen=True, slots=True)
class BoardPrice:
    """What a room costs for the whole stay: on the usual terms, and without the right to cancel."""

    board: Board
    value: int
    value_nrf: int | None


@dataclass(frozen=True, slots=True)
class PricedRoom:
    kind: RoomKind
    free: int
    minimum_nights: int
    prices: list[BoardPrice]


@dataclass(frozen=True, kw_only=True)
class House:
    """A hotel of this machine by its id on the wire. Its file is read anew for every request."""

    hotel_id: str
    path: Path
    rate_code: str
    now: store.UtcClock

    def data(self) -> PropertyData:
        with store.reading(self.path) as connection:
            return store.read_property(connection)

    def totals(self) -> dict[str, int]:
        with store.reading(self.path) as connection:
            return store.read_totals(connection)

    def window(self, first: date, last: date) -> Window:
        with store.reading(self.path) as connection:
            return Window(store.read_nights(connection, first, last, self.now()))

    def today(self, data: PropertyData) -> date:
        return self.now().astimezone(ZoneInfo(data.record.time_zone)).date()

    def priced_rooms(self, first: date, end: date, guests: Guests) -> list[PricedRoom]:
        """The room types that take these guests, free on every night, with what they cost."""
        data, window, stay = self.data(), self.window(first, end), StayDates(first, end)
        on_sale = market(data, window, data.rooms, stay, board=None, today=self.today(data))
        found = (
            PricedRoom(
                kind, window.free(kind.code, stay), minimum(window.restrictions.get(first, []), data, kind), prices
            )
            for kind in data.rooms
            if holds(kind, guests) and (prices := list(_prices(on_sale, kind, guests)))
        )
        return sorted(found, key=lambda room: min(price.value for price in room.prices))


def _prices(on_sale: Market, kind: RoomKind, guests: Guests) -> Iterator[BoardPrice]:
    products = [product for product in on_sale.products if product.room.code == kind.code]
    for board in dict.fromkeys(product.plan.board for product in products):
        usual = _cheapest(products, board, guests, refundable=True)
        strict = _cheapest(products, board, guests, refundable=False)
        value = usual if usual is not None else strict
        assert value is not None, "there is a product of this board"
        yield BoardPrice(board, value, strict)


def _cheapest(products: list[Product], board: Board, guests: Guests, *, refundable: bool) -> int | None:
    """By what the plan is called: its last day of free cancellation is nothing that this wire tells."""
    costs = (
        apply_factor(room_price(product.rate, product.room.base_occ, guests), product.plan.nrf_bp)
        for product in products
        if (product.plan.board, product.plan.refundable) == (board, refundable)
    )
    return min(costs, default=None)


def minimum(rules: list[RestrictionDay], data: PropertyData, kind: RoomKind) -> int:
    """The minimum stay that a day asks for under every plan; 0 = none."""
    strictest = [
        max((each.min_stay or 0, each.min_stay_arrival or 0)) for each in rules if holds_for_all(each, data, kind)
    ]
    return max(strictest, default=0)


def holds_for_all(rule: RestrictionDay, data: PropertyData, kind: RoomKind) -> bool:
    """Whether the whole rate code is bound by it: the wire has no restrictions of a single plan."""
    return all(rule.applies_to(kind.code, plan.code) for plan in plans_on_sale(data, None))
