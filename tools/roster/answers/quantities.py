"""What statements about rosters count, for what is worked out of them: hours, nights, weekends."""

from wavegraph.graph.answer.operators import Arithmetic, Quantity
from wavegraph.tools.roster.answers.phrases import number, say

HUNDREDTHS = 100
"""Of an hour: hours are told with two decimals."""


def hours(amount: float) -> Quantity:
    return Quantity(round(amount * HUNDREDTHS), "hours")


def count(amount: float, kind: str) -> Quantity:
    """`kind`: nights, weekends."""
    return Quantity(int(amount), kind)


def arithmetic(language: str) -> Arithmetic:
    return Arithmetic(language, lambda amount, unit: written(amount, unit, language))


def written(amount: int, unit: str, language: str) -> str:
    """`38.5 h`, `2 nights`, `no weekends`."""
    if unit == "hours":
        return say("hours", language, hours=number(amount / HUNDREDTHS, language))
    return say(unit.removesuffix("s"), language, n=amount)
