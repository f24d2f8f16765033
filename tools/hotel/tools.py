"""The hotel's tools that only read: what a planner can ask of the calendar and of the house."""

from collections.abc import Sequence
from datetime import date
from typing import Annotated, Any, Self

from langchain_core.tools import InjectedToolArg, tool
from pydantic import Field, model_validator

from wavegraph.graph.domain import DomainTool, read
from wavegraph.graph.errors import ToolRefusal
from wavegraph.tools.hotel import dates
from wavegraph.tools.hotel.property.registry import Houses, profile_for
from wavegraph.tools.hotel.records import (
    Arguments,
    Availability,
    Board,
    DateHint,
    HolidayDates,
    HotelInfo,
    OpenStays,
    RoomsInfo,
    StayQuery,
    every_date,
)
from wavegraph.tools.hotel.settings import HotelSettings

Run = Annotated[HotelSettings, InjectedToolArg]


class HintQuery(Arguments):
    hint: str = Field(min_length=1, max_length=300, description="The guest's own words for the dates")


class HolidayQuery(Arguments):
    name: str = Field(min_length=1, max_length=100, description="Name of the holiday, in English or Hebrew")
    year: Annotated[int, Field(ge=1900, le=2200)] | None = Field(
        default=None, description="Civil year; empty = the next one to come"
    )


class OpenStaysQuery(Arguments):
    from_date: date = Field(description="First possible arrival, ISO")
    to_date: date = Field(description="Last possible departure, ISO")
    nights: int = Field(ge=1, le=60, description="Length of each stay")
    adults: int = Field(ge=1, le=60, description="Guests of adult age, over all rooms")
    children_ages: list[Annotated[int, Field(ge=0, le=17)]] = Field(
        default_factory=list, description="One age in years per child"
    )
    rooms: Annotated[int, Field(ge=1, le=20)] | None = Field(default=None, description="How many rooms")
    room_type: str | None = Field(default=None, description="Room type code, to see this type alone")
    board: Board | None = Field(default=None, description="Meal plan, to see this board alone")
    near: date | None = Field(default=None, description="Stays nearest to this arrival come first")
    limit: int = Field(default=6, ge=1, le=30, description="Most stays to return")

    @model_validator(mode="after")
    def _window_holds_the_stay(self) -> Self:
        if (self.to_date - self.from_date).days < self.nights:
            raise ValueError(f"{self.nights} nights do not fit between {self.from_date} and {self.to_date}")
        return self


class RoomsQuery(Arguments):
    room_type: str | None = Field(default=None, description="Room type code; empty = all")


class TopicQuery(Arguments):
    topic: str = Field(min_length=1, max_length=100, description="What is asked about: parking, wifi, pets, …")


def hotel_tools(houses: Houses) -> Sequence[DomainTool]:
    """The tools over the houses that `houses` can open; each run's settings say which one speaks."""

    @tool(args_schema=HintQuery)
    def resolve_date_hint(hint: str, settings: Run) -> DateHint:
        """Turn words for dates ("next weekend", "mid January") into stays with arrival and departure."""
        customs = profile_for(settings, houses.profile).customs
        found = dates.resolve(hint, today=today_of(settings), **customs)
        return DateHint(hint=hint, stays=found.stays, error=found.error, message=found.message)

    @tool(args_schema=HolidayQuery)
    def get_holiday(name: str, settings: Run, year: int | None = None) -> HolidayDates:
        """When a holiday is, as a stay from its eve to its last day."""
        customs = profile_for(settings, houses.profile).customs
        found = dates.holiday(name, today=today_of(settings), year=year, **customs)
        if not found.stays:
            raise ToolRefusal(found.error or "unclear", found.message)
        stay = found.stays[0]
        return HolidayDates(
            name=stay.label,
            check_in=stay.check_in,
            check_out=stay.check_out,
            nights=stay.nights,
            dates=every_date(stay.check_in, stay.check_out),
            note=stay.note,
        )

    @tool(args_schema=StayQuery)
    async def get_availability(settings: Run, **stay: Any) -> Availability:
        """What can be booked for one stay, with prices and conditions, or why nothing can."""
        query = StayQuery.model_construct(**stay)  # checked on the way here
        house = await houses.open(settings.property_id)
        return await house.availability(query, today=today_of(settings))

    @tool(args_schema=OpenStaysQuery)
    async def find_open_stays(
        from_date: date,
        to_date: date,
        nights: int,
        adults: int,
        settings: Run,
        children_ages: list[int],
        rooms: int | None = None,
        room_type: str | None = None,
        board: Board | None = None,
        near: date | None = None,
        limit: int = 6,
    ) -> OpenStays:
        """Stays of one length that are open inside a window, nearest first, with their lowest price."""
        house = await houses.open(settings.property_id)
        return await house.open_stays(
            from_date=from_date,
            to_date=to_date,
            nights=nights,
            adults=adults,
            children_ages=children_ages,
            rooms=rooms,
            room_type=room_type,
            board=board,
            near=near,
            limit=limit,
            today=today_of(settings),
        )

    @tool(args_schema=RoomsQuery)
    async def get_rooms_info(settings: Run, room_type: str | None = None) -> RoomsInfo:
        """The room types of the house: size, beds, how many guests, features."""
        house = await houses.open(settings.property_id)
        return await house.rooms(room_type, today=today_of(settings))

    @tool(args_schema=TopicQuery)
    async def get_hotel_info(topic: str, settings: Run) -> HotelInfo:
        """What the house says on a topic, such as parking, wifi, pets or check-in times."""
        house = await houses.open(settings.property_id)
        return await house.info(topic)

    return [
        read(each)
        for each in (
            resolve_date_hint,
            get_holiday,
            get_availability,
            find_open_stays,
            get_rooms_info,
            get_hotel_info,
        )
    ]


def today_of(settings: HotelSettings) -> date:
    """The day the request takes for today, in the hotel's zone."""
    assert settings.today is not None, "the engine fills in today"
    return settings.today
