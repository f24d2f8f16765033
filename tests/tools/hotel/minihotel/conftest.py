"""A hotel on MiniHotel whose system is a loopback server with canned bodies."""

import threading
from collections.abc import Iterator
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from minihotel_vendor import NOON, Keys, Opened, Vendor, handler

from wavegraph.tools.hotel.minihotel.config import MiniHotelConfig
from wavegraph.tools.hotel.minihotel.property import MiniHotelProperty


@pytest.fixture
def vendor() -> Iterator[Vendor]:
    vendor = Vendor()
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler(vendor))
    server.daemon_threads = True
    vendor.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield vendor
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def keys() -> Keys:
    return Keys()


@pytest.fixture
def opened(vendor: Vendor, keys: Keys, tmp_path: Path) -> Opened:
    """The adapter of the hotel that the server answers for."""

    def make(**changed: Any) -> MiniHotelProperty:
        now, folder = changed.pop("now", lambda: NOON), changed.pop("data_dir", tmp_path)
        database = changed.pop("database", None)
        host = f"http://127.0.0.1:{vendor.port}"
        given = {"id": "sea", "hotel_id": "seahotel", "rate_code": "ILS", "host": host, "name": "Sea Hotel", **changed}
        return MiniHotelProperty(MiniHotelConfig(**given), secrets=keys, data_dir=folder, database=database, now=now)

    return make
