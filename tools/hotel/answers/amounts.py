"""Amounts as guests read them, and the arithmetic on them. Integers of the currency's smallest unit throughout."""

from collections.abc import Iterable
from typing import TypeVar

from wavegraph.tools.hotel.currency import label, short
from wavegraph.tools.hotel.dialogue.slots import BudgetSlot
from wavegraph.tools.hotel.records import Way

WayT = TypeVar("WayT", bound=Way)


def amount(minor_units: int, currency: str, language: str) -> str:
    """`1,300 NIS`, `1,300 ש״ח`, `130.50 EUR`, `15,000 JPY`; decimals only when there are any."""
    return f"{short(minor_units, currency)} {label(currency, language)}"


def foreign(budget: BudgetSlot, language: str) -> str:
    """A budget in another currency, in the guest's words if known."""
    return budget.said or amount(budget.amount_agorot, budget.currency or "", language)


def difference(one: int, other: int) -> int:
    """The difference between two amounts."""
    return abs(one - other)


def cheapest(ways: Iterable[WayT]) -> WayT | None:
    """The lowest total; the first of equals."""
    return min(ways, key=lambda way: way.total_agorot, default=None)
