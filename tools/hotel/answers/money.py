"""Amounts as guests read them, and the arithmetic on them. Integers in agorot throughout."""

from collections.abc import Iterable, Sequence
from typing import Any

_NAMES = {"en": {"ILS": "NIS"}, "he": {"ILS": "ש״ח"}}


def amount(agorot: int, currency: str, language: str) -> str:
    """`1,300 NIS`, `1,300 ש״ח`; agorot only when there are any."""
    whole, rest = divmod(agorot, 100)
    number = f"{whole:,}.{rest:02d}" if rest else f"{whole:,}"
    return f"{number} {_NAMES[language].get(currency, currency)}"


def difference(one: int, other: int) -> int:
    """How far two amounts are apart."""
    return abs(one - other)


def priced(offer: dict[str, Any], per: str) -> int:
    """The price a budget is held against: of the stay, or of a night."""
    return int(offer["per_night_agorot" if per == "night" else "total_agorot"])


def within(offers: Sequence[dict[str, Any]], limit: int, per: str) -> list[dict[str, Any]]:
    """The offers that cost at most `limit`."""
    return [offer for offer in offers if priced(offer, per) <= limit]


def cheapest(offers: Iterable[dict[str, Any]]) -> dict[str, Any] | None:
    """The lowest total; the first of equals."""
    return min(offers, key=lambda offer: int(offer["total_agorot"]), default=None)
