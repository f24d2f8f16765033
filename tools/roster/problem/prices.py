"""The price of one unit of each kind of penalty.

Cover, wishes, pairs and changes have the ward's own weights; the rounds raise the other kinds. Prices are whole multiples
of 1/scale, the smallest scale that holds every multiplied price exactly.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from wavegraph.tools.roster.problem.fairness import PARTS
from wavegraph.tools.roster.problem.shortage import dearest_missing
from wavegraph.tools.roster.problem.totals import totals
from wavegraph.tools.roster.problem.weekends import weekend_weights
from wavegraph.tools.roster.ward.ward import Published, Ward

FATIGUE_UNIT = 10_000
"""Units of a fatigue score of 1."""
BLOCK_MINUTES = 480
"""Hours over and under contract are priced in whole blocks of eight hours."""
BREACH_FACTOR = 20
"""A nurse below minimum cover costs as much as this many of the ward's dearest wishes, pairs, breaks of a soft rule or nurses below target, and
as every change of a published roster together."""


DEAREST = 10_000
"""Highest price of one unit."""
Price = Annotated[int, Field(ge=0, le=DEAREST)]


class Penalties(BaseModel):
    """Price of one unit of each kind, which its description names."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    fatigue_high: Price = Field(
        default=30, description="A weekday shift begun with high fatigue, on the fourth working day in a row or later"
    )
    fatigue_moderate: Price = Field(
        default=12, description="A shift begun with moderate fatigue, on the fifth working day in a row or later"
    )
    fatigue_weekend: Price = Field(default=20, description="A shift on a weekend day, begun with high fatigue")
    fatigue_night: Price = Field(default=20, description="A night shift begun with high fatigue")
    underutilization: Price = Field(default=15, description="Whole eight hours below the contract's")
    overwork: Price = Field(default=10, description="Whole eight hours above the contract's")
    weekend_excess: Price = Field(
        default=15, description="A weekend worked above a fair share by contract hours, in tenths"
    )
    night_excess: Price = Field(default=15, description="A night above a fair share by contract hours, in tenths")
    holiday_excess: Price = Field(default=15, description="The same of a shift on a public holiday")
    isolated_day_off: Price = Field(
        default=5, description="A single day off between two worked ones that nobody asked for"
    )
    incomplete_weekend: Price = Field(
        default=5, description="A weekend of which one day is worked, where the ward asks for whole ones"
    )


KINDS = tuple(Penalties.model_fields)
"""The kinds that a multiplier may raise."""
BY_SHARE = ("night_excess", "weekend_excess", "holiday_excess")
"""The kinds that are charged in tenths of a unit."""
NO_PENALTIES = Penalties(**dict.fromkeys(KINDS, 0))
"""Only cover and wishes cost, as in the Curtois and Qu benchmark."""


@dataclass(frozen=True)
class Prices:
    """Penalties times multipliers, exact."""

    of: dict[str, Fraction]

    @cached_property
    def scale(self) -> int:
        return lcm(*(self.step(kind).denominator for kind in self.of))

    def step(self, kind: str) -> Fraction:
        """The price of the smallest amount of a kind that is charged: a unit, or a tenth of one."""
        return self.of[kind] / (PARTS if kind in BY_SHARE else 1)

    @classmethod
    def make(cls, penalties: Penalties, multipliers: Mapping[str, float]) -> "Prices":
        """Raises ValueError for a multiplier of an unknown kind, or below zero."""
        for kind, factor in multipliers.items():
            if kind not in KINDS or factor < 0:
                raise ValueError(f"no penalty can be multiplied so: {kind!r} by {factor!r}; the kinds are {KINDS}")
        base = penalties.model_dump()
        return cls({k: base[k] * Fraction(multipliers.get(k, 1)).limit_denominator(100) for k in KINDS})


def breach_price(ward: Ward) -> int:
    """Price of a nurse below minimum cover, and of a shift without anyone in charge."""
    weights = [row.weight for rows in (ward.wishes, ward.pairs) for row in rows]
    dearest = max([100, *weights, *_of_rules(ward), dearest_missing(ward), *(row.under_weight for row in ward.demand)])
    return BREACH_FACTOR * dearest + _all_changes(ward.published)


def _of_rules(ward: Ward) -> Iterator[int]:
    """The weights of soft rules."""
    yield ward.rules.backward_weight
    yield from (balance.weight for balance in ward.rules.balanced)
    yield from (weight for nurse in ward.nurses for weight in weekend_weights(ward, nurse))
    bands = [total for nurse in ward.nurses for _, total, _ in totals(nurse)]
    yield from (weight for total in bands for weight in (total.under_weight, total.over_weight))
    limits = [*ward.rules.runs, *(limit for nurse in ward.nurses for limit in nurse.contract.runs)]
    yield from (limit.weight * max(1, limit.least - 1) for limit in limits if limit.weight is not None)


def _all_changes(published: Published | None) -> int:
    """Price of a roster that differs from the published one in every cell."""
    return published.weight * sum(map(len, published.roster.values())) if published else 0


@dataclass(frozen=True)
class FatigueUnits:
    """A ward's scale of fatigue in whole units."""

    shift: int
    """Added by a shift by day."""
    night: int
    day_off: int
    """Taken off."""
    high: int
    moderate: int
    high_run: int
    moderate_run: int

    @classmethod
    def of(cls, ward: Ward) -> "FatigueUnits":
        scale = ward.fairness.fatigue
        return cls(
            shift=in_units(scale.per_day),
            night=in_units(scale.per_night),
            day_off=in_units(scale.per_day_off),
            high=in_units(scale.high),
            moderate=in_units(scale.moderate),
            high_run=scale.high_run,
            moderate_run=scale.moderate_run,
        )


def in_units(score: float) -> int:
    return round(FATIGUE_UNIT * score)
