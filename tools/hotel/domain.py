"""The hotel as a domain: its tools, checks, grammar and limits put together."""

from pathlib import Path

from wavegraph.graph.domain import Domain
from wavegraph.graph.limits import Limits
from wavegraph.prompts import render
from wavegraph.tools.hotel.adapt import adapt
from wavegraph.tools.hotel.checks import CHECKS
from wavegraph.tools.hotel.claims import unsupported
from wavegraph.tools.hotel.houses import Houses
from wavegraph.tools.hotel.offline import HotelOffline
from wavegraph.tools.hotel.settings import HotelSettings
from wavegraph.tools.hotel.slots import HotelSlots
from wavegraph.tools.hotel.tools import hotel_tools

DESCRIPTION = (
    "Answers hotel guests: free rooms and prices for dates or holidays, other dates when full, "
    "room types, and questions about the house. Reads English and Hebrew."
)


def hotel_domain(data_dir: Path | None = None) -> Domain:
    """The hotel agent. `data_dir`: where the property databases lie; None = the user's data folder."""
    houses = Houses(data_dir)
    return Domain(
        name="hotel",
        description=DESCRIPTION,
        tools=hotel_tools(houses),
        offline=HotelOffline(),
        checks=CHECKS,
        adapt=adapt,
        supports=unsupported,
        # Ten calls hold a comparison of three holidays with its way round; twenty seconds cover a slow house.
        limits=Limits(max_adaptations=1, max_waves=5, max_tool_calls=10, tool_timeout_s=20),
        settings=HotelSettings,
        clock=houses.today,
        slots=HotelSlots,
        prompts={"plan": render("hotel/plan"), "respond": render("hotel/respond")},
        close=houses.close,
    )
