"""Tiny hotels for the property's tests: few rooms, round prices, a week of nights."""

from collections.abc import Callable, Iterator
from datetime import date, timedelta
from itertools import count
from typing import Any

import pytest

from wavegraph.tools.hotel.inventory.property_data import (
    Calendar,
    InventoryDay,
    PropertyData,
    RateDay,
    RatePlan,
    RoomKind,
)
from wavegraph.tools.hotel.records import PropertyRecord

MONDAY = date(2026, 3, 2)


def make_room(code: str = "DBL", **changes: Any) -> RoomKind:
    plain = {"base_occ": 2, "max_adults": 2, "max_children": 1, "max_babies": 1, "max_total": 3, "size_sqm": 20}
    return RoomKind(**{"code": code, "name": code, "name_he": code, "beds": "", "beds_he": "", **plain, **changes})


def make_plan(code: str = "FLEX", **changes: Any) -> RatePlan:
    plain = {"board": "RO", "refundable": True, "rates_of": code}
    return RatePlan(**{"code": code, "name": code, "name_he": code, **plain, **changes})


def make_property(rooms: list[RoomKind], plans: list[RatePlan], **changes: Any) -> PropertyData:
    record = PropertyRecord(property_id="tiny", name="Tiny", name_he="קטן", hotel_id="tiny")
    return PropertyData(**{"record": record, "rooms": rooms, "plans": plans, "meals": [], **changes})


def make_calendar(
    rooms: list[RoomKind], *, total: int = 2, sold: dict[date, int] | None = None, **rate: Any
) -> Calendar:
    """Seven nights from Monday, two rooms of each type at 100.00 on plan FLEX."""
    nights = [MONDAY + timedelta(days=n) for n in range(7)]
    prices = {"base": 10_000, "extra_adult": 3_000, "extra_child": 2_000, "extra_baby": 0, **rate}
    return Calendar(
        inventory=[InventoryDay(r.code, night, total, (sold or {}).get(night, 0)) for r in rooms for night in nights],
        rates=[RateDay("FLEX", room.code, night, **prices) for room in rooms for night in nights],
    )


class Tiny:
    """The builders, handed to tests as one fixture (test folders are no packages to import from)."""

    monday = MONDAY
    room: Callable[..., RoomKind] = staticmethod(make_room)
    plan: Callable[..., RatePlan] = staticmethod(make_plan)
    property_data: Callable[..., PropertyData] = staticmethod(make_property)
    calendar: Callable[..., Calendar] = staticmethod(make_calendar)


@pytest.fixture(scope="session")
def hotels_database(postgres: Any) -> Iterator[str]:
    """A database for the hotels of many tests, each in a schema of its own."""
    from wavegraph.tools.postgres.server import close_all

    yield postgres.fresh("hotels")
    close_all()


_schemas = count(1)


@pytest.fixture
def installation(hotels_database: str) -> str:
    """A schema of the test's own there, for hotels of any name: quicker to make than a database."""
    import psycopg

    name = f"installation{next(_schemas)}"
    with psycopg.connect(hotels_database, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {name}")
    return f"{hotels_database}?options=-csearch_path%3D{name}"


@pytest.fixture(params=["file", "postgres"])
def database(request: pytest.FixtureRequest) -> str | None:
    """Where a hotel is kept: None = in a file."""
    return request.getfixturevalue("hotels_database") if request.param == "postgres" else None


@pytest.fixture(scope="session")
def tiny() -> Tiny:
    return Tiny()
