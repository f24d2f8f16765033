"""Products on sale for one stay: a room type on a rate plan with its nights priced, or why it is not sold."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property

from wavegraph.tools.hotel.inventory.pricing import NightRate, meal_prices, night_rate, sum_rates
from wavegraph.tools.hotel.inventory.property_data import PropertyData, RatePlan, RoomKind, StayDates, Window
from wavegraph.tools.hotel.inventory.restrictions import PLAN_ORDER, Block, inventory_block, most_useful, plan_block
from wavegraph.tools.hotel.records import Board


@dataclass(frozen=True, kw_only=True)
class Product:
    room: RoomKind
    plan: RatePlan
    nights: tuple[NightRate, ...]
    free: int
    """Rooms of the type free over the whole stay."""
    cancel_until: date | None
    """Last day of free cancellation; None if the plan has none, or it has passed."""

    @cached_property
    def rate(self) -> NightRate:
        """The whole stay as one rate."""
        return sum_rates(self.nights)

    @property
    def refundable(self) -> bool:
        return self.cancel_until is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Market:
    """What the property sells for one stay: products, and one block for each room type without any."""

    products: tuple[Product, ...]
    blocks: dict[str, Block]

    def free(self, kind: RoomKind) -> int:
        """How many rooms of this type are on sale."""
        return max((product.free for product in self.products if product.room.code == kind.code), default=0)


def plans_on_sale(property_data: PropertyData, board: Board | None) -> list[RatePlan]:
    """Plans open to residents, VAT inside. A tourist's price is decided at check-in, by passport and permit."""
    return [plan for plan in property_data.plans if plan.audience != "tourist" and board in (None, plan.board)]


def market(
    property_data: PropertyData,
    window: Window,
    rooms: Iterable[RoomKind],
    stay: StayDates,
    *,
    board: Board | None,
    today: date,
) -> Market:
    """All products with at least one free room, by room type in the given order."""
    products: list[Product] = []
    blocks: dict[str, Block] = {}
    plans = plans_on_sale(property_data, board)
    meals = {
        plan.board: [meal_prices(property_data.meals, plan.board, night) for night in stay.dates] for plan in plans
    }
    for room in rooms:
        found = list(_products_of(window, room, plans, stay, meals, today))
        block = None if board is None else _unrated(window, room, plans, stay)
        block = block or inventory_block(window, room.code, stay, 1)
        block = block or (None if found else _why(window, room, plans, stay, today))
        if block is None:
            products += found
        else:
            blocks[room.code] = block
    return Market(products=tuple(products), blocks=blocks)


def _products_of(
    window: Window,
    room: RoomKind,
    plans: Iterable[RatePlan],
    stay: StayDates,
    meals: dict[Board, list[tuple[int, int, int]]],
    today: date,
) -> Iterator[Product]:
    free = window.free(room.code, stay)
    for plan in plans:
        if plan_block(window, room.code, plan, stay, today) is None:
            rates = [window.rates[plan.rates_of, room.code, night] for night in stay.dates]
            nights = tuple(map(night_rate, rates, meals[plan.board]))
            yield Product(room=room, plan=plan, nights=nights, free=free, cancel_until=_cancel_until(plan, stay, today))


def _cancel_until(plan: RatePlan, stay: StayDates, today: date) -> date | None:
    """An offer whose deadline has passed is not refundable, whatever the plan is called."""
    last_day = stay.check_in - timedelta(days=plan.cancel_days)
    return last_day if plan.refundable and last_day >= today else None


def _unrated(window: Window, room: RoomKind, plans: Iterable[RatePlan], stay: StayDates) -> Block | None:
    """That the room is not sold on these plans: a free one would change nothing."""
    rated = any((plan.rates_of, room.code, night) in window.rates for plan in plans for night in stay.dates)
    return None if rated else Block("not_on_sale", dates=tuple(stay.dates))


def _why(window: Window, room: RoomKind, plans: Iterable[RatePlan], stay: StayDates, today: date) -> Block:
    blocks = [block for plan in plans if (block := plan_block(window, room.code, plan, stay, today))]
    return most_useful(blocks or [Block("not_on_sale", dates=(stay.check_in,))], PLAN_ORDER)
