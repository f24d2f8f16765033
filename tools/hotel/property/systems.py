"""The remote property systems: which adapter each has. It is imported when a hotel on the system is opened."""

import importlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from wavegraph.tools.hotel.configuration.entry import PropertyEntry, System
from wavegraph.tools.hotel.property.credentials import NamedVariables, Secrets
from wavegraph.tools.hotel.property.store import UtcClock

ADAPTERS: Mapping[System, str] = {
    "minihotel": "wavegraph.tools.hotel.minihotel.connected:connected",
    "ezgo": "wavegraph.tools.hotel.ezgo.property:EzgoProperty",
}
"""`package.module:attribute`, called as `adapter_of` is."""


class RemoteProperty(Protocol):
    """What the adapter of a remote system has besides the methods of `Property`."""

    async def check(self) -> None:
        """Ask the system something harmless. Raises what any call to it raises."""
        ...


def adapter_of(entry: PropertyEntry, *, secrets: Secrets, data_dir: Path, now: UtcClock) -> Any:
    """The adapter of a configured property, not yet opened. Raises `SettingsError` naming an extra that is missing.

    The login is in the variables that the file names; where it names none, `secrets` is asked by the property's id.
    """
    if entry.username_variable and entry.password_variable:
        secrets = NamedVariables(entry.username_variable, entry.password_variable)
    module, _, attribute = ADAPTERS[entry.pms_type].partition(":")
    make = getattr(importlib.import_module(module), attribute)
    return make(entry, secrets=secrets, data_dir=data_dir, now=now)
