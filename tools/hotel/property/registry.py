"""The properties an agent answers for, opened on first use and kept until closed."""

import asyncio
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import date, datetime
from pathlib import Path
from typing import Protocol
from zoneinfo import ZoneInfo

from wavegraph.graph.errors import SettingsError, ToolRefusal
from wavegraph.tools.hotel.profile import PropertyProfile
from wavegraph.tools.hotel.property.credentials import EnvironmentSecrets, Secrets
from wavegraph.tools.hotel.property.port import Property, open_property
from wavegraph.tools.hotel.records import PropertyRecord
from wavegraph.tools.hotel.settings import HotelSettings

UNKNOWN = PropertyRecord(property_id="unknown", name="", name_he="", hotel_id="unknown")
"""Stands for a property that cannot be opened; every call to it fails."""


class Opener(Protocol):
    """Makes the adapter of a property, not yet opened; raises SettingsError for an unknown id.

    The adapter asks `secrets` for its credentials at each call and keeps none.
    """

    def __call__(self, property_id: str, *, data_dir: Path | None, secrets: Secrets) -> Property: ...


ProfileOf = Callable[[str], PropertyProfile]
"""The profile of a property, by its id."""


def profile_for(settings: HotelSettings, profile_of: ProfileOf | None) -> PropertyProfile:
    """The profile of a run's property, for that run's guest."""
    return (profile_of or Properties().profile)(settings.property_id).asked_from(settings.country)


class Properties:
    """Opens each property once per process; safe to use from several event loops."""

    def __init__(
        self, data_dir: Path | None = None, *, secrets: Secrets | None = None, opener: Opener = open_property
    ) -> None:
        """`data_dir`: where the property databases lie; None = the user's data folder. `secrets`: None = the environment."""
        self._data_dir, self._opener = data_dir, opener
        self._secrets = secrets or EnvironmentSecrets()
        self._open: dict[str, Property] = {}
        self._zones: dict[str, ZoneInfo] = {}

    async def open(self, property_id: str) -> Property:
        """The property, ready to be asked. Raises SettingsError for an unknown id, naming the known ones."""
        if (adapter := self._open.get(property_id)) is None:
            adapter = await asyncio.to_thread(self._opener, property_id, data_dir=self._data_dir, secrets=self._secrets)
            await adapter.open()
            self._open[property_id] = adapter
        return adapter

    def profile(self, property_id: str) -> PropertyProfile:
        """The current profile. Reads a file: do not call it on an event loop."""
        try:
            adapter = self._open.get(property_id) or self._opener(
                property_id, data_dir=self._data_dir, secrets=self._secrets
            )
            return adapter.profile()
        except (SettingsError, ToolRefusal, OSError, sqlite3.DatabaseError):
            return PropertyProfile(UNKNOWN)

    async def close(self) -> None:
        while self._open:
            _, adapter = self._open.popitem()
            await adapter.close()

    def today(self, settings: HotelSettings) -> date:
        """Today where the hotel stands."""
        return datetime.now(self._zone(settings.property_id)).date()

    def _zone(self, property_id: str) -> ZoneInfo:
        """Read once, in a separate thread: the engine asks for the day inside its event loop."""
        if property_id not in self._zones:
            with ThreadPoolExecutor(1) as thread:
                adapter = thread.submit(self.profile, property_id).result()
            if adapter.record is UNKNOWN:
                return ZoneInfo(UNKNOWN.time_zone)
            self._zones[property_id] = ZoneInfo(adapter.record.time_zone)
        return self._zones[property_id]
