"""The hotel as a domain: its tools, checks, grammar and limits put together."""

import os
from functools import partial
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from wavegraph.graph.domain import Checks, Domain, Sayable
from wavegraph.graph.errors import SettingsError
from wavegraph.graph.limits import Limits
from wavegraph.prompts import render
from wavegraph.tools.hotel.answers.reply_forms import hotel_replies
from wavegraph.tools.hotel.booking_tools import booking_tools
from wavegraph.tools.hotel.checks import CHECKS
from wavegraph.tools.hotel.criteria import CRITERIA, KINDS, kind_of
from wavegraph.tools.hotel.held import contradictions
from wavegraph.tools.hotel.offline import HotelOffline
from wavegraph.tools.hotel.property.credentials import Secrets
from wavegraph.tools.hotel.property.port import open_property
from wavegraph.tools.hotel.property.registry import Opener, Properties
from wavegraph.tools.hotel.script import hotel_script
from wavegraph.tools.hotel.settings import Approver, HotelSettings
from wavegraph.tools.hotel.tools import hotel_tools

DESCRIPTION = (
    "Answers hotel guests: free rooms and prices for dates or holidays, other dates when full, "
    "room types, and questions about the hotel. Reads English and Hebrew."
)


APPROVER = "WAVEGRAPH_APPROVER"
"""Environment variable: `staff` = staff approve every booking, whatever a run's settings say."""


def hotel_domain(
    data_dir: Path | None = None,
    *,
    database: str | None = None,
    secrets: Secrets | None = None,
    opener: Opener | None = None,
    approver: Approver | None = None,
) -> Domain:
    """The hotel agent.

    `data_dir`: where the property databases lie; None = the user's data folder. `database`: a PostgreSQL database that
    holds them instead, for any number of machines; None = the one that WAVEGRAPH_DATABASE names, unless there is a
    `data_dir`. `secrets`: where adapters find their credentials; None = the environment. `opener`: makes the adapter of a
    property. `approver`: who approves bookings, see `booking_tools`; None = the environment's WAVEGRAPH_APPROVER.
    Raises SettingsError for an unknown approver.
    """
    properties = Properties(data_dir, secrets=secrets, opener=opener or partial(open_property, database=database))
    bookings = booking_tools(properties, approver=approver or _approver_of_environment())
    offline = HotelOffline(properties.profile)
    return Domain(
        name="hotel",
        description=DESCRIPTION,
        tools=[*hotel_tools(properties), *bookings],
        offline=offline,
        checks=Checks(CHECKS, calls=partial(contradictions, profile_of=properties.profile)),
        script=hotel_script(properties.profile),
        catalogue=Sayable(
            offline.statements, replies=hotel_replies(properties.profile), above_terms=offline.above_terms
        ),
        criteria=CRITERIA,
        kinds=KINDS,
        kind_of=kind_of,
        # Ten calls are enough to compare three holidays and adapt once; twenty seconds cover a slow property system.
        limits=Limits(max_adaptations=1, max_waves=5, max_tool_calls=10, tool_timeout_s=20),
        settings=HotelSettings,
        clock=properties.today,
        prompts={
            "plan": render("hotel/plan"),
            "plan_again": render("hotel/plan_again"),
            "plan_follow_up": render("hotel/plan_follow_up"),
            "respond": render("hotel/respond"),
            "check_answer": render("hotel/check_answer"),
        },
        close=properties.close,
    )


def _approver_of_environment() -> Approver | None:
    given = os.environ.get(APPROVER) or None
    try:
        return TypeAdapter[Approver | None](Approver | None).validate_python(given)
    except ValidationError:
        raise SettingsError(f"{APPROVER} = {given!r}: expected guest or staff, or nothing") from None
