"""Who may call the server, how much and how often: read once, from the environment."""

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, field

from wavegraph.app.serving.hosts import HOSTS, Hosts, Origins
from wavegraph.graph.errors import SettingsError

MAX_BODY_BYTES = "WAVEGRAPH_MAX_BODY_BYTES"
REQUESTS_PER_SECOND = "WAVEGRAPH_REQUESTS_PER_SECOND"


@dataclass(frozen=True)
class DoorSettings:
    hosts: Hosts = field(default_factory=Hosts)
    origins: Origins = field(default_factory=Origins)
    max_body_bytes: int = 10_000_000
    """Of a request, and of each message of a WebSocket."""
    requests_per_second: float = 100
    """Of one client, in the long run."""
    has_access_control: bool = False
    has_components: bool = False
    """Whether its graphs bring components for a page (`ui` in langgraph.json)."""

    @classmethod
    def from_env(cls, environ: Mapping[str, str] = os.environ) -> "DoorSettings":
        """Raises SettingsError."""
        size = _above_0(environ, MAX_BODY_BYTES, cls.max_body_bytes)
        if size != int(size):
            raise SettingsError(f"{MAX_BODY_BYTES} = {size}: expected a whole number")
        return cls(
            hosts=Hosts.listed(environ.get(HOSTS, "")),
            origins=Origins.from_env(environ),
            max_body_bytes=int(size),
            requests_per_second=_above_0(environ, REQUESTS_PER_SECOND, cls.requests_per_second),
            has_access_control=has_access_control(environ),
            has_components=bool(environ.get("LANGGRAPH_UI")),
        )


def has_access_control(environ: Mapping[str, str] = os.environ) -> bool:
    """Whether the LangGraph server has an auth handler."""
    return bool(environ.get("LANGGRAPH_AUTH")) or environ.get("LANGGRAPH_AUTH_TYPE", "noop") != "noop"


def _above_0(environ: Mapping[str, str], name: str, default: float) -> float:
    text = environ.get(name, "").strip()
    try:
        value = float(text or default)
    except ValueError:
        value = math.nan
    if not 0 < value < math.inf:
        raise SettingsError(f"{name} = {text!r}: expected a number above 0, such as {default}")
    return value
