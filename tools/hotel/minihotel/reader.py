"""What the adapter reads of MiniHotel, and remembers for a moment."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine, Hashable, Iterable
from dataclasses import replace
from datetime import date
from typing import Any, TypeVar

from wavegraph.graph.errors import ToolRefusal
from wavegraph.tools.hotel.inventory.pricing import Guests
from wavegraph.tools.hotel.minihotel import messages, replies
from wavegraph.tools.hotel.minihotel.config import MiniHotelConfig
from wavegraph.tools.hotel.minihotel.connection import Connection
from wavegraph.tools.hotel.minihotel.faults import NO_BASIC_OCCUPANCY, VendorRefusal
from wavegraph.tools.hotel.minihotel.house import House, house
from wavegraph.tools.hotel.minihotel.replies import Nights, StayPrices, TypeName
from wavegraph.tools.hotel.records import NOT_OFFERED

logger = logging.getLogger("wavegraph")

T = TypeVar("T")
MOST_KEPT = 50


class Memory:
    """What was read a moment ago, by what was asked for, each for its own time. Failures are not kept.

    For reads alone: a write, and the check before it, ask anew.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._kept: dict[Hashable, tuple[float, Any]] = {}

    async def get(self, key: Hashable, keep_s: float, ask: Callable[[], Awaitable[T]], *, anew: bool = False) -> T:
        until, value = self._kept.get(key, (0.0, None))
        if not anew and self._clock() < until:
            return value  # type: ignore[no-any-return]  # put in under the same key
        value, now = await ask(), self._clock()
        others = [(name, kept) for name, kept in list(self._kept.items()) if name != key and now < kept[0]]
        self._kept = {**dict(others[1 - MOST_KEPT :]), key: (now + keep_s, value)}
        return value

    def forget(self) -> None:
        """After a write, what was read before it is out of date."""
        self._kept = {}


async def together(asked: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """All answers, asked at once; where one fails, the others are called off."""
    tasks = [asyncio.ensure_future(each) for each in asked]
    try:
        return await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


PRICES_KEPT_S = 60.0
HOUSE_KEPT_S = 600.0


class Reader:
    """Reads one hotel. `anew` = not from memory: for a quote, and for the check before a write."""

    def __init__(self, config: MiniHotelConfig, connection: Connection) -> None:
        self._config, self._connection = config, connection
        self.memory = Memory()

    async def prices(self, check_in: date, check_out: date, guests: Guests, *, anew: bool = False) -> StayPrices:
        """Immediate ARI: what one room costs these guests. A stay that MiniHotel refuses by a rule has no prices."""

        async def ask() -> StayPrices:
            config = self._config
            try:
                root = await self._connection.ari(
                    lambda login: messages.immediate(login, config.rate_code, check_in, check_out, guests)
                )
            except VendorRefusal as refusal:
                if refusal.code in NOT_OFFERED:
                    return StayPrices(config.currency, (), refusal.reason)
                raise
            return replies.stay_prices(root, config.hotel_id, check_in, check_out, config.currency)

        return await self.memory.get(("prices", check_in, check_out, guests), PRICES_KEPT_S, ask, anew=anew)

    async def nights(self, first: date, last: date, *, anew: bool = False) -> Nights:
        """Bulk ARI from `first` to `last`, both included."""

        async def ask() -> Nights:
            config = self._config
            root = await self._connection.ari(lambda login: messages.bulk(login, config.rate_code, first, last))
            found = replies.nights(root, config.hotel_id, config.currency)
            return replace(found, nights=[night for night in found.nights if first <= night.date <= last])

        return await self.memory.get(("nights", first, last), PRICES_KEPT_S, ask, anew=anew)

    async def reasons(self, first: date, last: date, *, anew: bool = False) -> Nights:
        """The nights, to explain what is not sold. None where one room type's setup keeps MiniHotel from listing any."""
        try:
            return await self.nights(first, last, anew=anew)
        except VendorRefusal as refusal:
            if refusal.number != NO_BASIC_OCCUPANCY:
                raise
            logger.warning("%s: no reasons and no other dates: %s", self._config.id, refusal.message)
            return Nights(self._config.currency, {}, {}, (), ())

    async def house(self) -> House:
        """The room types and rooms of the hotel. Raises `ToolRefusal`."""

        async def ask() -> House:
            names = replies.type_names(await self._connection.rooms("getRoomTypes"))
            return house(names, replies.house_rooms(await self._connection.rooms("getRooms")))

        return await self.memory.get("house", HOUSE_KEPT_S, ask)

    async def house_if_told(self) -> House:
        """The same; without it, stays are still sold: their types come with the prices."""
        try:
            return await self.house()
        except ToolRefusal as refusal:
            logger.warning("%s: its rooms could not be read: %s", self._config.id, refusal.message)
            return House()


def with_types(known: House, every: Iterable[StayPrices]) -> House:
    return known.named([TypeName(room.code, room.name) for prices in every for room in prices.rooms])
