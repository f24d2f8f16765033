"""The roster generator's own settings, beside those every agent has."""

from datetime import date
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, WithJsonSchema

from wavegraph.graph.settings import Settings
from wavegraph.tools.roster.arguments import given_prices
from wavegraph.tools.roster.problem.prices import DEAREST, Penalties
from wavegraph.tools.roster.ward.ward import CHANGE_WEIGHT

PenaltyPrices = Annotated[
    Penalties, BeforeValidator(given_prices), WithJsonSchema({**Penalties.model_json_schema(), "title": "Penalties"})
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
