"""The arguments of the roster's tools."""

from datetime import date
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema
from pydantic.json_schema import SkipJsonSchema

from wavegraph.tools.roster.problem.prices import KINDS, Price
from wavegraph.tools.roster.records import Change
from wavegraph.tools.roster.ward.ward import Id

MOST_RAISED = 2.25
"""Two raises by half: the most that three rounds can raise a penalty."""

Factor = Annotated[float, Field(ge=1, le=MOST_RAISED)]
Wish = Annotated[str, Field(min_length=1, max_length=500)]


class Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ToolArguments(BaseModel):
    """Of a tool. The engine refuses unknown ones before it runs, and adds the settings when it does."""

    model_config = ConfigDict(frozen=True)


def given_prices(prices: Any) -> Any:
    """Less what a form has left empty."""
    is_record = isinstance(prices, dict)
    return {kind: price for kind, price in prices.items() if price not in ("", None)} if is_record else prices


PRICES = {
    "type": "object",
    "propertyNames": {"enum": list(KINDS)},
    "additionalProperties": {"type": "integer"},
}
"""As a planner is shown it: the kinds stand in the settings beside it."""
Kind = Annotated[str, Field(pattern=f"^({'|'.join(KINDS)})$")]
Raised = dict[Kind, Factor]
"""How much dearer than its base price each kind of penalty is; what is left out has 1."""
OtherPrices = Annotated[dict[Kind, Price], BeforeValidator(given_prices), WithJsonSchema(PRICES)]
"""Base prices in place of the settings', by kind of penalty."""


class LockedCell(Strict):
    """A cell that is settled."""

    nurse: Id = Field(description="Id or name")
    day: date
    shift: Id | None = Field(default=None, description="Shift id; empty = a day off")


class WardRequest(ToolArguments):
    """Which ward, and which days of it."""

    ward: str = Field(min_length=1, max_length=80)
    start_date: date | None = Field(default=None, description="Null = the ward file's own, else next Monday")
    num_days: int | None = Field(default=None, ge=1, le=366, description="Null = the ward file's own, else 7")
    published_on: date | None = Field(default=None, description="Of a published roster: the first day that changes")
    roster_id: str | None = Field(
        default=None, description="That is to be changed: what was asked for of it before still holds"
    )
    after: SkipJsonSchema[str | None] = Field(
        default=None, description="Id of the roster it follows, unless the setting `after` says another"
    )


class GenerateRequest(ToolArguments):
    """Arguments of `generate_roster`. What only code plans is in no schema: a model does not see it."""

    ward_hash: str = Field(description="By reference: of get_staff, or of apply_requests")
    iteration: SkipJsonSchema[int] = Field(default=1, ge=1, le=20, description="Which round this is, from 1")
    penalty_multipliers: SkipJsonSchema[Raised] = Field(
        default={}, description="Only as suggested after a failed check"
    )
    start_from: str | None = Field(default=None, description="Id of the roster that is changed")
    locked: SkipJsonSchema[list[LockedCell]] = Field(
        default=[], max_length=1000, description="Cells the manager has settled in place of publishing"
    )
    penalties: OtherPrices = {}
    publish: bool | None = Field(
        default=None,
        description="Whether the request asks to publish it",
    )
    spent_s: SkipJsonSchema[float | None] = Field(
        default=None,
        ge=0,
        description="Of the time limit, by the rounds before, where they took more than their shares",
    )


class AmendRequest(ToolArguments):
    """Arguments of `apply_requests`."""

    ward_hash: str = Field(description="By reference: of get_staff")
    changes: list[Change] = Field(max_length=100)
    not_held: list[Wish] = Field(default=[], max_length=50, description="In the person's words")


class WhatIfRequest(ToolArguments):
    """Arguments of `what_if`."""

    ward_hash: str = Field(description="By reference: of get_staff")
    changes: list[Annotated[str, Field(min_length=1, max_length=200)]] = Field(
        min_length=1,
        max_length=6,
        description="A column each, several changes of one parted by `;`: `add-nurse LIKE, SKILL` (LIKE: a nurse, `32h` or "
        "`75%`), `drop-nurse NURSE`, `demand SHIFT [SKILL] [DAYS] N` (N: `-1`, `+1`, `2`; DAYS: `saturday`, `weekends`, "
        "`2026-12-07`, `2026-12-07..2026-12-13`), `leave NURSE DAYS`, `no-leave NURSE DAYS`, `rules.FIELD=VALUE`, "
        "`NURSE.FIELD=VALUE` (of a contract), `ward NAME`",
    )
    seconds: float | None = Field(default=None, gt=0, le=600, description="For all columns")
    roster_id: str | None = Field(default=None, description="That stands, to compare with")


class RosterRequest(ToolArguments):
    """Arguments of `get_report`."""

    roster_id: str


class PublishRequest(ToolArguments):
    """Arguments of `publish_roster`; as for `generate_roster`."""

    roster_id: str
    as_draft: SkipJsonSchema[bool] = Field(default=False, description="The manager chooses")
    only_draft: SkipJsonSchema[bool] = Field(default=False, description="A draft is what was asked for")
    asked: SkipJsonSchema[int] = Field(
        default=1, ge=1, le=20, description="Which question to the manager this is: one more after each round asked for"
    )


class Rework(Strict):
    """What a manager may ask for in place of publishing: one more round."""

    locked: list[LockedCell] = Field(default=[], max_length=1000)
    penalties: OtherPrices = {}
    """Base prices from now on; what is left out stays."""


class AboutRoster(ToolArguments):
    """Which roster is asked about."""

    roster_id: str | None = Field(default=None, description="Null = the one published for these days")
    ward: str | None = Field(
        default=None,
        max_length=80,
        description="Whose published roster; null = the only one",
    )


class CoverRequest(AboutRoster):
    """Arguments of `who_can_cover`."""

    day: date
    shift: str | None = Field(
        default=None, min_length=1, max_length=40, description="Null = the one that `instead` has"
    )
    instead: str | None = Field(
        default=None, max_length=80, description="The nurse who falls away; null = one more is wanted"
    )


class CellRequest(AboutRoster):
    """Arguments of `explain_cell`."""

    nurse: str = Field(min_length=1, max_length=80)
    day: date


class CompareRequest(ToolArguments):
    """Arguments of `compare_rosters`."""

    before: str = Field(description="Id of a roster")
    now: str = Field(description="Id of the other one")


class SwapRequest(AboutRoster):
    """Arguments of `swap_shifts`."""

    first: str = Field(min_length=1, max_length=80, description="One nurse")
    second: str = Field(min_length=1, max_length=80)
    days: list[date] = Field(min_length=1, max_length=31)


Question = Literal["show", "works", "off", "nurse", "share", "counts", "short", "status", "export"]
ExportFormat = Literal["workbook", "calendars", "page"]


class LookRequest(AboutRoster):
    """Arguments of `look_at_roster`."""

    or_published: SkipJsonSchema[bool] = Field(
        default=False, description="Whether the one published for these days comes before roster_id"
    )
    question: Question = Field(
        description="works, off: who; nurse: one's shifts; share: one's hours, nights, weekends; counts: of all nurses; short: below "
        "target; status: published?; export: the command that writes a file"
    )
    nurse: str | None = Field(default=None, max_length=80, description="As it was said")
    first: date | None = Field(default=None, description="Null = all days")
    last: date | None = Field(default=None, description="Included; null = `first` alone")
    shift: str | None = Field(default=None, max_length=40, description="Or `night`; null = every shift, of counts `of`")
    of: Literal["hours", "weekends"] = Field(default="hours", description="What counts are of")
    format: ExportFormat = Field(default="workbook", description="Of export")
