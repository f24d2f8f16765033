"""The roster generator's own settings, beside those every agent has."""

from collections.abc import Mapping
from datetime import date
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema

from wavegraph.graph.settings import Settings
from wavegraph.tools.roster.problem.prices import Penalties
from wavegraph.tools.roster.ward.ward import CHANGE_WEIGHT

DEAREST = 10_000
"""Highest price of one unit."""
COUNTED: Mapping[str, str] = {
    "fatigue_high": "A weekday shift begun with high fatigue, on the fourth working day in a row or later",
    "fatigue_moderate": "A shift begun with moderate fatigue, on the fifth working day in a row or later",
    "fatigue_weekend": "A shift on a weekend day, begun with high fatigue",
    "fatigue_night": "A night shift begun with high fatigue",
    "underutilization": "Whole eight hours below the contract's",
    "overwork": "Whole eight hours above the contract's",
    "weekend_excess": "A weekend worked above a fair share by contract hours, in tenths",
    "night_excess": "A night above a fair share by contract hours, in tenths",
    "holiday_excess": "The same of a shift on a public holiday",
    "isolated_day_off": "A single day off between two worked ones that nobody asked for",
    "incomplete_weekend": "A weekend of which one day is worked, where the ward asks for whole ones",
}
"""What one unit of each kind of penalty is."""


def _price_form(kind: str, usual: int) -> dict[str, Any]:
    title = kind.replace("_", " ").capitalize()
    bounds = {"type": "integer", "minimum": 0, "maximum": DEAREST, "default": usual}
    return {**bounds, "title": title, "description": f"{COUNTED[kind]}; {usual} by default"}


def _penalties_form() -> dict[str, Any]:
    prices = {kind: _price_form(kind, usual) for kind, usual in Penalties().model_dump().items()}
    return {"type": "object", "title": "Penalties", "properties": prices, "additionalProperties": False}


def _without_emptied(given: Any) -> Any:
    """Less the fields that a form has left empty."""
    return (
        {kind: price for kind, price in given.items() if price not in ("", None)} if isinstance(given, dict) else given
    )


def _bounded(prices: Penalties) -> Penalties:
    if dear := [f"{kind} = {price}" for kind, price in prices if price > DEAREST]:
        raise ValueError(f"{', '.join(dear)}: the highest price is {DEAREST}")
    return prices


PenaltyPrices = Annotated[
    Penalties, BeforeValidator(_without_emptied), AfterValidator(_bounded), WithJsonSchema(_penalties_form())
]


class RosterSettings(Settings):
    """Settings of one run of the roster generator."""

    language: Literal["auto", "en", "he"] = Field(
        default="auto", description="Language of the answers; auto = the request's own"
    )
    ward: str | None = Field(
        default=None,
        min_length=1,
        max_length=80,
        description="Name of the ward, of those the agent knows; empty = the one that the request names, else the only one that "
        "there is beside the demo wards `harbour` and `willow`",
    )
    start: date | None = Field(
        default=None, description="First day of the roster (ISO); empty = the request's, else the ward file's own"
    )
    days: int | None = Field(
        default=None,
        ge=1,
        le=366,
        description="Length in days; empty = the request's, else the ward file's own, else 7",
    )
    ordered: bool = Field(
        default=False,
        description="Whether the rules take ward, start and days from here alone and read none of them in the request",
    )
    time_limit_s: float = Field(
        default=30,
        gt=0,
        le=3600,
        description="Time of all rounds together, seconds, with explaining what cannot be met; each gets an equal part, and "
        "all that is left while there is no roster",
    )
    work_limit: float | None = Field(
        default=None,
        ge=0,
        le=100_000,
        description="Solver work of one round, in units of about a second or two of one core; 0 = enough for the ward's size. With it a "
        "seed gives the same roster every time, as long as the time limit does not end the work first",
    )
    seed: int = Field(default=1, ge=0, le=2**31 - 1, description="Of the solver's random choices")
    repair: str | None = Field(
        default=None,
        max_length=64,
        description="Id of a roster that is published for the same days: the new one leaves it as it is where it can",
    )
    change_weight: int = Field(
        default=CHANGE_WEIGHT,
        ge=0,
        le=DEAREST,
        description="With `repair`, what each cell that differs from the published roster costs",
    )
    freeze_until: date | None = Field(
        default=None,
        description="With `repair`, the last day (ISO) whose cells stay as they are published; empty = none",
    )
    after: str | None = Field(
        default=None,
        max_length=64,
        description="Id of the roster that this one follows; empty = the ward's published ones; `none` = the ward file's "
        "own history",
    )
    penalties: PenaltyPrices = Field(
        default_factory=Penalties,
        description="Base price of a unit of each kind of penalty; what is left out has its own",
    )

    @property
    def rounds(self) -> int:
        """Most rounds that are made unasked."""
        return ROUNDS if self.max_adaptations is None else self.max_adaptations + 1


ROUNDS = 3
