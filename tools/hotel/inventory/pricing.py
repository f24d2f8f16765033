"""What a stay costs, in integers of the currency's smallest unit, rounded once per stay.

    stay = round_half_up( sum over nights and rooms (base + extras + meals) x plan factor )

Nights add up component by component, so a stay's rate is one `NightRate` that holds the sums.
"""

from collections.abc import Iterable, Sequence
from datetime import date
from itertools import accumulate, pairwise
from typing import NamedTuple

from wavegraph.tools.hotel.inventory.property_data import MealPrice, RateDay
from wavegraph.tools.hotel.records import Board

FULL_BP = 10_000
"""A whole, in basis points."""


class Guests(NamedTuple):
    """Guests by price category; `adults` includes children too old for a child's price."""

    adults: int
    children: int = 0
    babies: int = 0


class NightRate(NamedTuple):
    """What one night in one room costs per guest, in smallest units, before the plan's factor."""

    base: int
    single_use: int
    extra_adult: int = 0
    extra_child: int = 0
    extra_baby: int = 0
    meal_adult: int = 0
    meal_child: int = 0
    meal_baby: int = 0


def round_half_up(numerator: int, denominator: int) -> int:
    """numerator / denominator to the nearest integer, halves up; both non-negative."""
    return (2 * numerator + denominator) // (2 * denominator)


def guests_of(adults: int, children_ages: Sequence[int], *, child_max_age: int, baby_max_age: int) -> Guests:
    """Sort a party into price categories: baby <= baby_max_age < child <= child_max_age < adult."""
    babies = sum(age <= baby_max_age for age in children_ages)
    grown = sum(age > child_max_age for age in children_ages)
    return Guests(adults + grown, len(children_ages) - babies - grown, babies)


def meal_prices(meals: Iterable[MealPrice], board: Board, night: date) -> tuple[int, int, int]:
    """Supplement of a board per adult, child and baby on one night; 0 where the property charges nothing."""
    on_sale = {m.guest: m.agorot for m in meals if m.board == board and m.date_from <= night <= m.date_to}
    return on_sale.get("A", 0), on_sale.get("C", 0), on_sale.get("B", 0)


def night_rate(rate: RateDay, meals: tuple[int, int, int]) -> NightRate:
    single_use = rate.base if rate.single_use is None else rate.single_use
    return NightRate(rate.base, single_use, rate.extra_adult, rate.extra_child, rate.extra_baby, *meals)


def sum_rates(nights: Iterable[NightRate]) -> NightRate:
    return NightRate(*map(sum, zip(*nights, strict=True)))


def room_price(rate: NightRate, base_occ: int, guests: Guests) -> int:
    """One room for these guests, before the plan's factor.

    Adults fill the base places first, then children; the others pay the extra. Babies never
    take a base place. One adult alone pays the single use price.
    """
    alone = guests.adults == 1 and guests.children == 0
    extra_adults = max(0, guests.adults - base_occ)
    extra_children = max(0, guests.children - max(0, base_occ - guests.adults))
    return (
        (rate.single_use if alone else rate.base)
        + extra_adults * rate.extra_adult
        + extra_children * rate.extra_child
        + guests.babies * rate.extra_baby
        + guests.adults * rate.meal_adult
        + guests.children * rate.meal_child
        + guests.babies * rate.meal_baby
    )


def apply_factor(agorot: int, factor_bp: int) -> int:
    """A sum under the plan's factor, rounded half up to the smallest unit."""
    return round_half_up(agorot * factor_bp, FULL_BP)


def spread(nightly: Sequence[int], factor_bp: int) -> list[int]:
    """The price of each night under the plan's factor, such that the nights add up to the stay's price exactly.

    Rounds the running sum, not the night: three nights of 33.35 x 0.9 must not drift from their total.
    """
    running = [apply_factor(so_far, factor_bp) for so_far in accumulate(nightly, initial=0)]
    return [after - before for before, after in pairwise(running)]
