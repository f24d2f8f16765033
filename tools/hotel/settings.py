"""The hotel's own settings, beside those every agent has."""

from typing import Annotated

from pydantic import Field, StringConstraints

from wavegraph.graph.settings import Settings


class HotelSettings(Settings):
    """Settings of one run of the hotel agent."""

    property_id: str = Field(
        default="sandbox", min_length=1, max_length=64, description="Which hotel answers; `sandbox` is the demo house"
    )
    country: Annotated[str, StringConstraints(pattern="^[A-Z]{2}$")] = Field(
        default="IL", description="ISO 3166-1 country whose holidays, weekend and date order the guest means"
    )
