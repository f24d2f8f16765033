"""How often a client may call."""

import ipaddress
import time
from collections import OrderedDict
from collections.abc import Callable

from wavegraph.app.serving.hosts import address_of

BURST_S = 10
"""A client that has been quiet may send as much at once as in this many seconds."""
CLIENTS = 10_000
"""So many are remembered, those that called last."""


class Rate:
    """A token bucket for each client address; a /64 network is one client in IPv6."""

    def __init__(self, per_second: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._per_second = per_second
        self._burst = max(1.0, per_second * BURST_S)
        self._clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()
        """Tokens left, and when that was."""

    def take(self, address: str) -> float:
        """Take a token: 0 if there was one, else the seconds until there is."""
        client, now = _client(address), self._clock()
        left, since = self._buckets.pop(client, (self._burst, now))
        left = min(self._burst, left + (now - since) * self._per_second)
        self._buckets[client] = (left - 1 if left >= 1 else left, now)
        if len(self._buckets) > CLIENTS:
            self._buckets.popitem(last=False)
        return 0 if left >= 1 else (1 - left) / self._per_second


def _client(address: str) -> str:
    plain = address_of(address)
    if plain is None or ":" not in plain:
        return plain or address
    return str(ipaddress.ip_network((plain.partition("%")[0], 64), strict=False))
