"""One process that books a quote at a hotel on MiniHotel: `python minihotel_driver.py URL HOTEL FOLDER QUOTE`, when a line comes.

The login is in the environment.
"""

import asyncio
import sys
from pathlib import Path

from property_adapters import NOW, TODAY, minihotel_config

from wavegraph.tools.hotel.minihotel.property import MiniHotelProperty
from wavegraph.tools.hotel.property.credentials import EnvironmentSecrets
from wavegraph.tools.hotel.records import Booking, Guest


async def book(url: str, hotel: str, folder: str, quote_id: str) -> Booking:
    config = minihotel_config(Path(hotel), url)
    adapter = MiniHotelProperty(config, secrets=EnvironmentSecrets(), data_dir=Path(folder), now=lambda: NOW)
    try:
        return await adapter.book(quote_id, Guest(name="Dana Levi", email="dana@example.com"), today=TODAY)
    finally:
        await adapter.close()


if __name__ == "__main__":
    print("ready", flush=True)
    sys.stdin.readline()
    made = asyncio.run(book(*sys.argv[1:]))
    print(made.reference, made.repeated)
