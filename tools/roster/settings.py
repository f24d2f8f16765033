"""The roster generator's own settings, beside those every agent has."""

from datetime import date

from pydantic import Field

from wavegraph.graph.settings import Settings
from wavegraph.tools.roster.solver.objective import Penalties

DEMO_WARD = "harbour"


class RosterSettings(Settings):
    """Settings of one run of the roster generator."""

    ward: str = Field(
        default=DEMO_WARD,
        min_length=1,
        max_length=80,
        description="Name of the ward, of those the agent knows; `harbour` and `willow` are demo wards",
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
    time_limit_s: float = Field(
        default=30, gt=0, le=3600, description="Solving time of all rounds together, seconds; each gets an equal part"
    )
    work_limit: float | None = Field(
        default=None,
        gt=0,
        le=100_000,
        description="Solver work of one round, in CP-SAT's deterministic units (about a second of one core); with it a "
        "seed gives the same roster every time, as long as the time limit does not end the work first",
    )
    seed: int = Field(default=1, ge=0, le=2**31 - 1, description="Of the solver's random choices")
    penalties: Penalties = Field(
        default_factory=Penalties,
        description="Base price of a unit of each kind of penalty; what is left out has its own",
    )

    @property
    def rounds(self) -> int:
        """Most rounds that are made unasked."""
        return ROUNDS if self.max_adaptations is None else self.max_adaptations + 1


ROUNDS = 3
