"""Numbers as pages and terminals print them, with units."""

from dataclasses import dataclass

NOTHING = "–"
"""Printed for a figure without data."""


@dataclass(frozen=True)
class Headline:
    """One of the few key figures at the top."""

    name: str
    value: str
    about: str


def percent(share: float | None) -> str:
    return NOTHING if share is None else f"{100 * share:.1f}".removesuffix(".0") + "%"


def seconds(value: float | None) -> str:
    """In the most readable unit: 12 ms, 1.34 s, 2 min 05 s, 1 h 10 min."""
    if value is None:
        return NOTHING
    if value < 0.9995:
        return f"{1000 * value:.0f} ms" if value >= 0.0005 or not value else "< 1 ms"
    if value < 59.995:
        return f"{value:.2f} s"
    minutes, rest = divmod(round(value), 60)
    return f"{minutes} min {rest:02d} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60:02d} min"


def number(value: int) -> str:
    return f"{value:,}"


def words(name: str) -> str:
    """A name from the records, in words."""
    return name.replace("_", " ")


def counted(n: int, noun: str) -> str:
    return f"{number(n)} {noun}{'' if n == 1 else 's'}"
