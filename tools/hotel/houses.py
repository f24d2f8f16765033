"""The houses an agent speaks for, opened when first asked and kept until closed."""

import asyncio
from datetime import date, datetime
from pathlib import Path
from typing import Protocol
from zoneinfo import ZoneInfo

from wavegraph.tools.hotel.credentials import EnvironmentSecrets, Secrets
from wavegraph.tools.hotel.property import Property, open_property
from wavegraph.tools.hotel.settings import HotelSettings

HOME_ZONE = "Asia/Jerusalem"
"""Where the clock is read before a house has been opened."""


class Opener(Protocol):
    """Makes the adapter of a property, not yet opened; raises SettingsError for an unknown id.

    What the adapter needs to log in it asks of `secrets`, at each call, and keeps nothing of it.
    """

    def __call__(self, property_id: str, *, data_dir: Path | None, secrets: Secrets) -> Property: ...


class Houses:
    """Opens each property once per process; safe to use from several event loops."""

    def __init__(
        self, data_dir: Path | None = None, *, secrets: Secrets | None = None, opener: Opener = open_property
    ) -> None:
        """`data_dir`: where the property databases lie; None = the user's data folder. `secrets`: None = the environment."""
        self._data_dir, self._opener = data_dir, opener
        self._secrets = secrets or EnvironmentSecrets()
        self._open: dict[str, Property] = {}

    async def open(self, property_id: str) -> Property:
        """The property, ready to be asked. Raises SettingsError for an unknown id, naming the known ones."""
        if (house := self._open.get(property_id)) is None:
            house = await asyncio.to_thread(self._opener, property_id, data_dir=self._data_dir, secrets=self._secrets)
            await house.open()
            self._open[property_id] = house
        return house

    async def close(self) -> None:
        while self._open:
            _, house = self._open.popitem()
            await house.close()

    def today(self, settings: HotelSettings) -> date:
        """Today where the hotel stands."""
        house = self._open.get(settings.property_id)
        return datetime.now(ZoneInfo(house.record.time_zone if house else HOME_ZONE)).date()
