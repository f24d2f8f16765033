"""Which stored threads this program can go on with."""

from collections.abc import Mapping
from typing import Any

from wavegraph.graph.errors import SettingsError
from wavegraph.graph.state import STATE_VERSION


def check_version(state: Mapping[str, Any]) -> None:
    """Raises SettingsError for a thread that a newer program wrote.

    Older ones open as they are: threads without a version have the form of version 1.
    """
    written = state.get("version")
    if written and written > STATE_VERSION:
        raise SettingsError(
            f"this thread was written with version {written} of the stored state, and this program reads up to "
            f"version {STATE_VERSION}: use the newer program for it, or begin a new thread"
        )
