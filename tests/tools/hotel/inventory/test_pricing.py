"""Prices by hand-computed numbers; all integers."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import table

from wavegraph.tools.hotel.inventory.pricing import (
    Guests,
    NightRate,
    apply_factor,
    guests_of,
    meal_prices,
    night_rate,
    room_price,
    round_half_up,
    spread,
    sum_rates,
)
from wavegraph.tools.hotel.inventory.property_data import MealPrice, RateDay

RATE = NightRate(40_000, 34_000, 11_000, 6_000, 1_500, meal_adult=4_500, meal_child=3_000, meal_baby=500)
NO_MEALS = RATE._replace(meal_adult=0, meal_child=0, meal_baby=0)


@table(
    ("guests", "expected"),
    [
        pytest.param(Guests(2), 40_000, id="two-adults-are-the-base"),
        pytest.param(Guests(1), 34_000, id="one-adult-pays-single-use"),
        pytest.param(Guests(1, 1), 40_000, id="a-child-fills-the-second-base-place"),
        pytest.param(Guests(1, 2), 46_000, id="the-second-child-is-extra"),
        pytest.param(Guests(3), 51_000, id="third-adult-is-extra"),
        pytest.param(Guests(3, 1), 57_000, id="adults-fill-the-base-before-children"),
        pytest.param(Guests(2, 0, 2), 43_000, id="babies-never-fill-a-base-place"),
        pytest.param(Guests(1, 0, 1), 35_500, id="an-adult-with-a-baby-is-still-single-use"),
    ],
)
def test_room_price_without_meals(guests: Guests, expected: int) -> None:
    assert room_price(NO_MEALS, 2, guests) == expected


def test_meals_are_priced_by_guest_category() -> None:
    assert room_price(RATE, 2, Guests(2, 1, 1)) == 40_000 + 6_000 + 1_500 + 2 * 4_500 + 3_000 + 500


def test_nights_add_up_component_by_component() -> None:
    guests = Guests(3, 1, 1)
    nights = [RATE, RATE._replace(base=52_000), RATE._replace(extra_adult=13_000)]
    assert room_price(sum_rates(nights), 2, guests) == sum(room_price(night, 2, guests) for night in nights)


@table(
    ("agorot", "factor_bp", "expected"),
    [
        (96_000, 9_000, 86_400),
        (5, 9_000, 5),
        (15, 9_000, 14),
        (4, 9_000, 4),
        (33_335, 9_000, 30_002),
        (1, 5_000, 1),
        (0, 9_000, 0),
    ],
)
def test_the_factor_rounds_half_up(agorot: int, factor_bp: int, expected: int) -> None:
    assert apply_factor(agorot, factor_bp) == expected


@pytest.mark.parametrize(
    ("numerator", "denominator", "expected"), [(5, 2, 3), (7, 3, 2), (8, 3, 3), (100_001, 2, 50_001)]
)
def test_round_half_up(numerator: int, denominator: int, expected: int) -> None:
    assert round_half_up(numerator, denominator) == expected


def test_three_odd_nights_are_rounded_once_at_the_stay() -> None:
    nightly = [3_335, 3_335, 3_335]  # each alone x 0.9 = 3001.5 -> 3002, together 9004.5 -> 9005
    assert apply_factor(sum(nightly), 9_000) == 9_005
    assert spread(nightly, 9_000) == [3_002, 3_001, 3_002]


@given(st.lists(st.integers(0, 10**7), min_size=1, max_size=30), st.integers(1, 20_000))
def test_shown_nights_add_up_to_the_stay(nightly: list[int], factor_bp: int) -> None:
    shown = spread(nightly, factor_bp)
    assert sum(shown) == apply_factor(sum(nightly), factor_bp)
    assert all(abs(night - apply_factor(plain, factor_bp)) <= 1 for night, plain in zip(shown, nightly, strict=True))


@pytest.mark.parametrize(
    ("ages", "expected"),
    [
        ([0, 1], Guests(2, 0, 2)),
        ([2, 12], Guests(2, 2, 0)),
        ([13, 17], Guests(4, 0, 0)),
        ([1, 2, 12, 13], Guests(3, 2, 1)),
    ],
)
def test_ages_sort_guests_into_categories(ages: list[int], expected: Guests) -> None:
    assert guests_of(2, ages, child_max_age=12, baby_max_age=1) == expected


def test_meal_price_of_the_night_and_nothing_where_none_is_set() -> None:
    summer = MealPrice("BB", "A", date(2026, 7, 1), date(2026, 8, 31), 5_500)
    winter = MealPrice("BB", "A", date(2026, 9, 1), date(2026, 12, 31), 4_500)
    assert meal_prices([summer, winter], "BB", date(2026, 8, 31)) == (5_500, 0, 0)
    assert meal_prices([summer, winter], "BB", date(2026, 9, 1)) == (4_500, 0, 0)
    assert meal_prices([summer, winter], "HB", date(2026, 9, 1)) == (0, 0, 0)


def test_single_use_is_the_base_when_not_set() -> None:
    rate = RateDay("FLEX", "DBL", date(2026, 3, 2), 40_000, 0, 0, 0)
    assert night_rate(rate, (0, 0, 0)).single_use == 40_000
