"""How much a client may send: in bytes, since the work that a request makes grows with what it brings."""

import ipaddress
import time
from collections import OrderedDict
from collections.abc import Callable, Collection

from wavegraph.app.serving.hosts import address_of

REQUEST_BYTES = 2000
"""That a request counts for beside its body."""
BURST_S = 10
"""A client that has been quiet may send as much at once as in this many seconds."""
CLIENTS = 10_000
"""So many are remembered, those that called last."""


class Rate:
    """A bucket of bytes for each client."""

    def __init__(self, per_second: float, most: float, clock: Callable[[], float] = time.monotonic) -> None:
        """`most`: what a bucket holds."""
        self._per_second = per_second
        self._most = most
        self._clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()
        """Bytes left, and when that was."""

    def take(self, clients: Collection[str], count: float) -> float:
        """Take so many bytes of each client: 0 if all had them, else the seconds until they have, and none is taken."""
        now = self._clock()
        left = {client: self._left(client, now) for client in clients}
        wait_s = max(0.0, *((count - has) / self._per_second for has in left.values()))
        for client, has in left.items():
            self._buckets[client] = (has if wait_s else has - count, now)
            self._buckets.move_to_end(client)
        while len(self._buckets) > CLIENTS:
            self._buckets.popitem(last=False)
        return wait_s

    def _left(self, client: str, now: float) -> float:
        has, since = self._buckets.get(client, (self._most, now))
        return min(self._most, has + (now - since) * self._per_second)


def network_of(address: str) -> str:
    """The client at an address; a /64 network is one in IPv6."""
    plain = address_of(address)
    if plain is None or ":" not in plain:
        return plain or address
    return str(ipaddress.ip_network((plain.partition("%")[0], 64), strict=False))
