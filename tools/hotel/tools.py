"""The hotel's read-only tools: the calendar and the property.

A tool that takes a whole query gets its arguments as LangChain has validated them.
"""

from collections.abc import Sequence
from datetime import date
from typing import Annotated, Any

from langchain_core.tools import InjectedToolArg, tool
from pydantic import Field

from wavegraph.graph.domain_tool import DomainTool, read
from wavegraph.tools.hotel.calendar_dates import holiday_dates, resolved_hint
from wavegraph.tools.hotel.property.registry import Properties, profile_for
from wavegraph.tools.hotel.reading.normalise import fold
from wavegraph.tools.hotel.reading.topics import read_topics
from wavegraph.tools.hotel.records import (
    Availability,
    Clock,
    DateHint,
    HolidayDates,
    HotelArguments,
    HotelInfo,
    OpenStays,
    RoomsInfo,
)
from wavegraph.tools.hotel.settings import HotelSettings
from wavegraph.tools.hotel.stay_arguments import ROOM_TYPE, AvailabilityArguments, OpenStaysArguments

RunSettings = Annotated[HotelSettings, InjectedToolArg]


class HintQuery(HotelArguments):
    hint: str = Field(min_length=1, max_length=300, description="The guest's own words, nights included")


class HolidayQuery(HotelArguments):
    name: str = Field(min_length=1, max_length=100, description="In English or Hebrew")
    year: Annotated[int, Field(ge=1900, le=2200)] | None = Field(
        default=None, description="Civil year; left out = the next to come"
    )


class RoomsQuery(HotelArguments):
    room_type: str | None = Field(default=None, description=ROOM_TYPE)


class TopicQuery(HotelArguments):
    """The figures are the guest's own: an answer holds those of the property against them."""

    topic: str = Field(
        min_length=1,
        max_length=100,
        description="An English word or two. Houses mostly have: parking, wifi, breakfast, meals (half board: breakfast too), vegetarian food, check in (late arrivals too), check out, early check in, late check out, luggage, pets, rooms (how many), pool, spa, gym, kosher, shabbat, accessibility, lift, children, cots, VAT, cancellation, payment, transport, beach, smoking, contact, address, events, laundry, views",
    )
    kg: Annotated[float, Field(gt=0, le=1000)] | None = Field(
        default=None, description='A weight of the request ("my dog is 15 kg")'
    )
    age: Annotated[int, Field(ge=0, le=120)] | None = Field(default=None, description='An age ("he is 14")')
    time: Clock | None = Field(default=None, description='A time of day, 23:00 ("we come at 11 pm")')


def hotel_tools(properties: Properties) -> Sequence[DomainTool]:
    """The tools for the properties that `properties` can open; each run's settings name the one that answers."""

    @tool(args_schema=HintQuery)
    def resolve_date_hint(hint: str, settings: RunSettings) -> DateHint:
        """Words for dates as stays: weekends ("next weekend"), vague words ("mid January"), days beside a holiday ("the week
        before Passover, Sunday to Thursday"), figures with two readings ("2/7"). One weekend of a month or all of them: the
        plural as hint ("weekends in February"), and the call that follows for `each` of its `stays`."""
        return resolved_hint(hint, profile_for(settings, properties.profile), today=today_of(settings))

    @tool(args_schema=HolidayQuery)
    def get_holiday(name: str, settings: RunSettings, year: int | None = None) -> HolidayDates:
        """A holiday as a stay, from its eve to its last day. `dates`: every date from arrival to departure, so one night in
        Hanukkah is `dates[0]` to `dates[1]`, the last two nights `dates[-3]` to `dates[-1]`."""
        profile = profile_for(settings, properties.profile)
        return holiday_dates(name, year, profile, today=today_of(settings))

    @tool(args_schema=AvailabilityArguments)
    async def get_availability(settings: RunSettings, **asked: Any) -> Availability:
        """What can be booked for one stay, with prices and terms, or why nothing can. A call for each period; where the guest
        says who sleeps in which room, for each room with its own guests."""
        adapter = await properties.open(settings.property_id)
        return await adapter.availability(
            AvailabilityArguments.model_construct(**asked).query, today=today_of(settings)
        )

    @tool(args_schema=OpenStaysArguments)
    async def find_open_stays(settings: RunSettings, **asked: Any) -> OpenStays:
        """Open stays of one length in a period, with their lowest price: "cheapest nights in January", "midweek", "Thursday to
        Saturday in March"; never one guess."""
        adapter = await properties.open(settings.property_id)
        return await adapter.open_stays(OpenStaysArguments.model_construct(**asked).query, today=today_of(settings))

    @tool(args_schema=RoomsQuery)
    async def get_rooms_info(settings: RunSettings, room_type: str | None = None) -> RoomsInfo:
        """Which rooms there are: size, beds, how many guests, what they have ("with a whirlpool": this, and with dates the
        availability of all types)."""
        adapter = await properties.open(settings.property_id)
        return await adapter.rooms(room_type, today=today_of(settings))

    @tool(args_schema=TopicQuery)
    async def get_hotel_info(topic: str, settings: RunSettings, **_figures: Any) -> HotelInfo:
        """What the house says on a topic (anything "do you have …"); a call for each, with the guest's figure where the
        question turns on it."""
        adapter = await properties.open(settings.property_id)
        found = await adapter.info(topic)
        usual = read_topics(fold(topic)) if not found.found else ()  # `left luggage` is luggage
        others = [each for name in usual if (each := await adapter.info(name)).found]
        return others[0] if others else found

    ends, choice = ("check_in", "check_out"), ("room_type", "rate_plan", "board", "refundable")
    return [
        read(resolve_date_hint, choose_from=["stays"], refer_to=["stays", *ends]),
        read(get_holiday, refer_to=[*ends, "dates"]),
        read(get_availability, refer_to=["offers", *choice]),
        read(find_open_stays, refer_to=["stays", *ends, *choice]),
        read(get_rooms_info, refer_to=["rooms", "code", "name"]),
        read(get_hotel_info, refer_to=[]),
    ]


def today_of(settings: HotelSettings) -> date:
    """The request's `today`, in the hotel's time zone."""
    assert settings.today is not None, "the engine fills in today"
    return settings.today
