"""The hotel's own settings, in addition to those of every agent."""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from wavegraph.graph.settings import Settings
from wavegraph.graph.state import MOST_MESSAGE_CHARS

Approver = Literal["guest", "staff"]


class HotelSettings(Settings):
    """Settings of one run of the hotel agent."""

    language: Literal["auto", "en", "he"] = Field(
        default="auto", description="Language of the answers; auto = the request's own"
    )
    max_message_chars: int = Field(
        default=4000,
        ge=100,
        le=MOST_MESSAGE_CHARS,
        description="Longest message that is read, in characters; a longer one is refused",
    )
    property_id: str = Field(
        default="sandbox", min_length=1, max_length=64, description="Which hotel answers; `sandbox` is the demo hotel"
    )
    country: Annotated[str, StringConstraints(pattern="^[A-Z]{2}$")] | None = Field(
        default=None,
        description="ISO 3166-1 country whose holidays and date order the guest means; empty = the hotel's own",
    )
    approver: Approver = Field(
        default="guest",
        description="Who approves a booking or a cancellation: the guest in the conversation, or staff elsewhere; "
        "a hotel that requires staff overrides `guest`",
    )
    hold_minutes: int | None = Field(
        default=None,
        ge=1,
        le=2880,
        description="How long rooms are held for approval, in minutes; empty = 15 for a guest, a day for staff",
    )
