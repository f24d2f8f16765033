"""What a property system can do and say: declared by each adapter, so that nobody expects more of it."""

from dataclasses import dataclass
from typing import get_args

from wavegraph.tools.hotel.records import NOT_OFFERED, RefusalCode


@dataclass(frozen=True, slots=True, kw_only=True)
class Capabilities:
    """One property system. What it does not declare it leaves out, and never guesses."""

    holds: bool
    """Rooms can be held while a question waits; else every hold gives an `UnheldQuote`."""
    reasons: frozenset[RefusalCode]
    """Why a stay is not offered, as far as it can tell; empty = only that it is not."""
    policies: bool
    """The last day of free cancellation and the cost of cancelling; else only whether an offer is refundable."""
    bookings: bool
    """Bookings can be looked up."""
    writes: bool
    """Bookings can be made and cancelled; else guests get the booking link."""
    rate_plans: bool
    """Offers of several rate plans side by side; else of the one that is configured."""
    combinations: bool
    """Rooms of different types together, for a party that no type holds."""
    nightly_prices: bool
    """The price of each night; else the stay's price, spread evenly."""
    details: bool
    """Size, beds and features of rooms, and answers on topics such as parking."""


EVERYTHING = Capabilities(
    holds=True,
    reasons=frozenset(code for code in get_args(RefusalCode) if code in NOT_OFFERED),
    policies=True,
    bookings=True,
    writes=True,
    rate_plans=True,
    combinations=True,
    nightly_prices=True,
    details=True,
)
"""Of a property whose data and bookings lie in the house."""
