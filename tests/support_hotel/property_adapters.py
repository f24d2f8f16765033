"""Every adapter of the port, each over its own server and its own copy of the same hotel.

A new adapter joins by its line in `ADAPTERS`; `tests/tools/hotel/property/conformance` then holds it.
"""

import asyncio
import atexit
import secrets
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import cache
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import psycopg
import pytest
from minihotel_server.server import MiniHotelServer

from wavegraph.tools.hotel.minihotel.config import MiniHotelConfig
from wavegraph.tools.hotel.minihotel.property import MiniHotelProperty
from wavegraph.tools.hotel.property import store
from wavegraph.tools.hotel.property.credentials import EnvironmentSecrets
from wavegraph.tools.hotel.property.places.moving import move
from wavegraph.tools.hotel.property.places.shared import shared_place
from wavegraph.tools.hotel.property.port import DEFAULT_PROPERTY, Property
from wavegraph.tools.hotel.property.sqlite_property import SandboxProperty, SqliteProperty, StoredProperty
from wavegraph.tools.hotel.records import WEEKDAYS, PropertyRecord
from wavegraph.tools.postgres.server import close_all

TODAY = date(2026, 11, 20)
NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
USERNAME = "desk"


@dataclass(frozen=True)
class Peer:
    """An adapter that answers for a hotel, and what its server knows."""

    adapter: Property
    again: Callable[[], Property]
    """Another adapter for the same hotel and the same folder, as in another process."""
    server: MiniHotelServer | None = None
    password: str = ""


Joins = Callable[[Path, Path], AbstractContextManager[Peer]]
"""From the hotel's file and an empty folder."""


@contextmanager
def in_one_file(hotel: Path, folder: Path) -> Iterator[Peer]:
    path = Path(shutil.copy(hotel, folder / "hotel.sqlite"))

    def opened() -> Property:
        if record_of(path).property_id == DEFAULT_PROPERTY:
            return SandboxProperty(path, clock=lambda: TODAY, now=lambda: NOW)
        return SqliteProperty(path, now=lambda: NOW)

    yield Peer(opened(), opened)


@contextmanager
def in_postgres(hotel: Path, folder: Path) -> Iterator[Peer]:
    """The same file, moved into a database of the peer's own."""
    property_id, name = record_of(hotel).property_id, f"peer{next(_peers)}"
    with psycopg.connect(_postgres().url(), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE {_moved(hotel)}")
    place = shared_place(_postgres().url(name), property_id)

    def opened() -> Property:
        if property_id == DEFAULT_PROPERTY:
            return SandboxProperty(place, clock=lambda: TODAY, now=lambda: NOW)
        return StoredProperty(place, now=lambda: NOW)

    yield Peer(opened(), opened)
    close_all()


_peers = count(1)


@cache
def _moved(hotel: Path) -> str:
    """The database that peers of this hotel are copies of: PostgreSQL copies one sooner than it takes in each night of it."""
    name = f"moved{next(_peers)}"
    with TemporaryDirectory() as folder:
        path = Path(shutil.copy(hotel, folder))
        move(path, shared_place(_postgres().fresh(name), record_of(path).property_id))
    close_all()  # a copy waits until nobody is connected
    return name


@cache
def _postgres() -> Any:
    """One server for the process."""
    import postgres_server  # drivers of their own process import this module, and need no server

    if why := postgres_server.reason_to_skip():
        pytest.skip(why)
    running = ExitStack()
    atexit.register(running.close)
    return running.enter_context(postgres_server.server())


@contextmanager
def on_minihotel(hotel: Path, folder: Path) -> Iterator[Peer]:
    path = Path(shutil.copy(hotel, folder / "hotel.sqlite"))
    password = f"{secrets.token_urlsafe(12)}&<\"'é"
    environment = EnvironmentSecrets({"WIRE_USERNAME": USERNAME, "WIRE_PASSWORD": password})
    with MiniHotelServer({"H1": path}, username=USERNAME, password=password, now=lambda: NOW) as server:
        config = minihotel_config(path, server.url)

        made = list[Property]()

        def opened() -> Property:
            made.append(MiniHotelProperty(config, secrets=environment, data_dir=folder, now=lambda: NOW))
            return made[-1]

        yield Peer(opened(), opened, server, password)
        for each in made:
            asyncio.run(each.close())


def minihotel_config(path: Path, url: str) -> MiniHotelConfig:
    """What the hotel would write down of itself."""
    record = record_of(path)
    return MiniHotelConfig(
        id="wire",
        hotel_id="H1",
        rate_code="STD",
        host=url,
        writes=True,
        name=record.name,
        name_he=record.name_he,
        currency=record.currency,
        time_zone=record.time_zone,
        country=record.country,
        weekend=tuple(WEEKDAYS[day] for day in record.weekend_nights),
        child_ages=(record.baby_max_age + 1, record.child_max_age),
        max_nights=min(20, record.max_nights),
        phone=record.phone,
        email=record.email,
    )


def record_of(path: Path) -> PropertyRecord:
    with store.reading(path) as connection:
        return store.read_property(connection).record


ADAPTERS: Mapping[str, Joins] = {
    "sandbox-sqlite": in_one_file,
    "minihotel": on_minihotel,
    "sandbox-postgresql": in_postgres,
}
