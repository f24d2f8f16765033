"""What was understood of a manager's request: the roster generator's slots."""

from datetime import date

from pydantic import BaseModel, ConfigDict, Field


class RosterSlots(BaseModel):
    """Plain values; unknown ones are dropped, so that an older version's slots stay readable."""

    model_config = ConfigDict(extra="ignore")

    ward: str | None = Field(default=None, description="As it is known here")
    start_date: date | None = None
    num_days: int | None = None
    changes: list[str] = Field(default=[], description="What was asked for about people, in the person's words")
    not_held: list[str] = Field(
        default=[], description="What was asked for and no tool can hold, in the person's words: the answer says so"
    )
