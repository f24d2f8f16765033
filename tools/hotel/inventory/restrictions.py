"""Why a stay is not sold: the rules of inventory and of arrival, departure and length of stay.

A stay is sold in a room type on a rate plan if every night has enough free rooms, is on sale and has a
rate; the arrival is not closed (CTA) and reaches `min_stay_arrival`; every night's `min_stay` and
`max_stay` hold (*through*); and the departure date is not closed (CTD).
"""

from collections.abc import Iterable
from datetime import date
from typing import NamedTuple

from wavegraph.tools.hotel.inventory.property_data import RatePlan, RestrictionDay, StayDates, Window
from wavegraph.tools.hotel.records import RefusalCode


class Block(NamedTuple):
    """Why a stay is refused: the rule, the nights it requires, and the dates that set it."""

    code: RefusalCode
    nights: int | None = None
    dates: tuple[date, ...] = ()


PLAN_ORDER: tuple[RefusalCode, ...] = (
    "closed_departure",
    "max_stay",
    "min_stay",
    "closed_arrival",
    "not_on_sale",
    "sold_out",
    "occupancy",
)
"""For blocks of one room type under several plans: the one that the smallest change would lift comes first."""

ROOM_TYPE_ORDER: tuple[RefusalCode, ...] = (
    "min_stay",
    "max_stay",
    "closed_departure",
    "closed_arrival",
    "sold_out",
    "not_on_sale",
    "occupancy",
)
"""For blocks of several room types: what a guest can change comes first; occupancy only if nothing else explains it."""


def most_useful(blocks: Iterable[Block], order: tuple[RefusalCode, ...]) -> Block:
    """The block to report out of several; of equal codes the least demanding. Raises if there are none."""
    return min(blocks, key=lambda block: (order.index(block.code), block.nights or 0, block.dates))


def inventory_block(window: Window, room_type: str, stay: StayDates, count: int) -> Block | None:
    """Sold out before not on sale: other dates help with the first, only the property with the second; with every night that
    keeps the room from being sold."""
    days = {night: window.inventory.get((room_type, night)) for night in stay.dates}
    full = tuple(night for night, day in days.items() if day is not None and not day.stop_sell and day.free < count)
    closed = tuple(night for night, day in days.items() if day is None or day.stop_sell)
    if full:
        return Block("sold_out", dates=tuple(sorted({*full, *closed})))
    return Block("not_on_sale", dates=closed) if closed else None


def rate_block(window: Window, room_type: str, plan: RatePlan, stay: StayDates, today: date) -> Block | None:
    """A night without a rate, or a plan whose booking window is not open today."""
    missing = tuple(night for night in stay.dates if (plan.rates_of, room_type, night) not in window.rates)
    if missing:
        return Block("not_on_sale", dates=missing)
    days_ahead = (stay.check_in - today).days
    too_late = plan.min_adv is not None and days_ahead < plan.min_adv
    too_early = plan.max_adv is not None and days_ahead > plan.max_adv
    return Block("not_on_sale", dates=(stay.check_in,)) if too_late or too_early else None


def restriction_block(window: Window, room_type: str, plan: RatePlan, stay: StayDates) -> Block | None:
    """The first rule broken: arrival, then length, then departure (a longer stay often cures the last)."""
    arrival = window.rules(stay.check_in, room_type, plan.code)
    if any(rule.cta for rule in arrival):
        return Block("closed_arrival", dates=(stay.check_in,))
    length = length_block(window, room_type, plan, stay, arrival)
    if length is not None:
        return length
    if any(rule.ctd for rule in window.rules(stay.check_out, room_type, plan.code)):
        return Block("closed_departure", dates=(stay.check_out,))
    return None


def length_block(
    window: Window, room_type: str, plan: RatePlan, stay: StayDates, arrival: Iterable[RestrictionDay]
) -> Block | None:
    """Minimum stay on arrival and through, maximum stay through; the strictest of each, with the dates that set it."""
    through = [rule for night in stay.dates for rule in window.rules(night, room_type, plan.code)]
    minima = [(rule.min_stay, rule.date) for rule in through if rule.min_stay]
    minima += [(rule.min_stay_arrival, rule.date) for rule in arrival if rule.min_stay_arrival]
    maxima = [(rule.max_stay, rule.date) for rule in through if rule.max_stay]
    required = max((nights for nights, _ in minima), default=0)
    if stay.nights < required:
        return Block("min_stay", required, _set_by(minima, required))
    allowed = min((nights for nights, _ in maxima), default=stay.nights)
    if stay.nights > allowed:
        return Block("max_stay", allowed, _set_by(maxima, allowed))
    return None


def _set_by(limits: Iterable[tuple[int, date]], nights: int) -> tuple[date, ...]:
    return tuple(sorted({on for limit, on in limits if limit == nights}))


def plan_block(window: Window, room_type: str, plan: RatePlan, stay: StayDates, today: date) -> Block | None:
    """Why this plan does not sell the stay in this room type; None = it does, inventory aside."""
    return rate_block(window, room_type, plan, stay, today) or restriction_block(window, room_type, plan, stay)
