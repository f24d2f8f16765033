"""Prices of the penalties: exact, and of known kinds alone."""

from fractions import Fraction

import pytest

from wavegraph.tools.roster.problem.prices import Penalties, Prices


def test_multiplied_prices_are_exact() -> None:
    prices = Prices.make(Penalties(), {"night_excess": 1.5, "underutilization": 2.25})
    assert prices.of["night_excess"] == Fraction(45, 2)
    assert prices.of["underutilization"] == Fraction(135, 4)
    assert prices.scale == 4


@pytest.mark.parametrize("multipliers", [{"nights": 1.5}, {"overwork": -1.0}])
def test_wrong_multipliers_are_refused(multipliers: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="multiplied"):
        Prices.make(Penalties(), multipliers)
