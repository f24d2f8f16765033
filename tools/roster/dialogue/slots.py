"""What was understood of a manager's request: the roster generator's slots."""

from pydantic import BaseModel, ConfigDict, Field


class RosterSlots(BaseModel):
    """What a model reads out of a request beside the calls; ward, days and `not_held` are filled in from those.

    Unknown ones are dropped, so that an older version's slots stay readable.
    """

    model_config = ConfigDict(extra="ignore")

    changes: list[str] = Field(
        default=[], description="What was asked for about people, each thing in the person's words"
    )
    publish: bool = Field(
        default=False, description="Whether the request itself asks to publish the roster it asks for"
    )
