"""Who may call the server, how much and how often: read once, from the environment."""

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, field

from wavegraph.app.serving.hosts import HOSTS, Hosts, Origins
from wavegraph.app.serving.rate import BURST_S, REQUEST_BYTES, Rate
from wavegraph.graph.errors import SettingsError

MAX_BODY_BYTES = "WAVEGRAPH_MAX_BODY_BYTES"
BYTES_PER_SECOND = "WAVEGRAPH_BYTES_PER_SECOND"
REQUESTS_PER_SECOND = "WAVEGRAPH_REQUESTS_PER_SECOND"
"""An earlier version's."""


@dataclass(frozen=True)
class DoorSettings:
    hosts: Hosts = field(default_factory=Hosts)
    origins: Origins = field(default_factory=Origins)
    max_body_bytes: int = 500_000
    """Of a request, and of each message of a WebSocket."""
    bytes_per_second: float = 200_000
    """Of one client, in the long run; each request counts for `REQUEST_BYTES` and its body."""
    has_access_control: bool = False
    has_components: bool = False
    """Whether its graphs bring components for a page (`ui` in langgraph.json)."""

    def rate(self) -> Rate:
        """One for the whole server. A client that has been quiet may send the largest body, however low the rate is."""
        most = max(BURST_S * self.bytes_per_second, REQUEST_BYTES + self.max_body_bytes)
        return Rate(self.bytes_per_second, most)

    @classmethod
    def from_env(cls, environ: Mapping[str, str] = os.environ) -> "DoorSettings":
        """Raises SettingsError."""
        _refuse_requests_per_second(environ)
        size = _above_0(environ, MAX_BODY_BYTES, cls.max_body_bytes)
        if size != int(size):
            raise SettingsError(f"{MAX_BODY_BYTES} = {size}: expected a whole number")
        return cls(
            hosts=Hosts.listed(environ.get(HOSTS, "")),
            origins=Origins.from_env(environ),
            max_body_bytes=int(size),
            bytes_per_second=_above_0(environ, BYTES_PER_SECOND, cls.bytes_per_second),
            has_access_control=has_access_control(environ),
            has_components=bool(environ.get("LANGGRAPH_UI")),
        )


def has_access_control(environ: Mapping[str, str] = os.environ) -> bool:
    """Whether the LangGraph server has an auth handler."""
    return bool(environ.get("LANGGRAPH_AUTH")) or environ.get("LANGGRAPH_AUTH_TYPE", "noop") != "noop"


def _refuse_requests_per_second(environ: Mapping[str, str]) -> None:
    """Raises SettingsError: what an operator has limited is not let go silently."""
    if text := environ.get(REQUESTS_PER_SECOND, "").strip():
        raise SettingsError(
            f"{REQUESTS_PER_SECOND} = {text!r} is read no more: a request counts for {REQUEST_BYTES} bytes and its body. "
            f"Set {BYTES_PER_SECOND} in its place, to {REQUEST_BYTES} times that number"
        )


def _above_0(environ: Mapping[str, str], name: str, default: float) -> float:
    text = environ.get(name, "").strip()
    try:
        value = float(text or default)
    except ValueError:
        value = math.nan
    if not 0 < value < math.inf:
        raise SettingsError(f"{name} = {text!r}: expected a number above 0, such as {default}")
    return value
