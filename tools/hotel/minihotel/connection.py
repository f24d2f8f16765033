"""Calls to MiniHotel: paced, timed, bounded in size, on kept connections; the login is fetched for each and kept nowhere."""

import asyncio
import threading
import time
from collections.abc import Callable
from typing import Literal, NoReturn
from weakref import WeakKeyDictionary
from xml.etree.ElementTree import Element

import httpx

from wavegraph.graph.background import on_background
from wavegraph.graph.errors import ConnectionLost, ToolRefusal
from wavegraph.tools.hotel.minihotel import documents, messages
from wavegraph.tools.hotel.minihotel.config import MiniHotelConfig
from wavegraph.tools.hotel.minihotel.faults import Unreadable, refused_by_status
from wavegraph.tools.hotel.minihotel.messages import Login
from wavegraph.tools.hotel.property.credentials import Secrets

HEADERS = {"Content-Type": "text/xml; charset=utf-8", "Accept": "text/xml, application/xml", "User-Agent": "wavegraph"}
"""A form's content type gives an error 500."""
TIMEOUT = httpx.Timeout(12.0, connect=4.0)
WHOLE_CALL_S = 16.0
"""Also for a reply that comes drop by drop; below the time limit of the hotel's tools."""
MOST_CONNECTIONS = 4
PAUSE_S = 0.1
"""Between the beginnings of two calls to MiniHotel."""
PAUSE_AFTER_TOO_MANY_S = 2.0
ROOMS_PATH = "/agents/ws/settings/rooms/RoomsMain.asmx"
LOOK_UP_PATH = "/api/Agents/Sci/Reservation/GetReservationKey"

Effect = Literal["read", "write"]
UNREACHABLE = "the hotel's system cannot be reached; nothing was sent"
CUT_OFF = "the hotel's system did not answer in time"


class Pace:
    """Lets calls begin one after the other, whichever event loop they are on."""

    def __init__(self, pause_s: float) -> None:
        self._pause_s, self._next, self._lock = pause_s, 0.0, threading.Lock()

    async def wait(self) -> None:
        now = time.monotonic()
        await asyncio.sleep(self.turn(now) - now)

    def turn(self, now: float) -> float:
        """When the next call may begin."""
        with self._lock:
            begin = max(now, self._next)
            self._next = begin + self._pause_s
        return begin

    def slow_down(self, until: float) -> None:
        """Nothing begins before: the vendor said that it was too much."""
        with self._lock:
            self._next = max(self._next, until)


class Connection:
    """One hotel's line to MiniHotel, for any event loop."""

    def __init__(self, config: MiniHotelConfig, secrets: Secrets) -> None:
        self._config, self._secrets = config, secrets
        self._pace = Pace(0.0 if config.on_loopback else PAUSE_S)
        self._clients: WeakKeyDictionary[asyncio.AbstractEventLoop, httpx.AsyncClient] = WeakKeyDictionary()

    async def ari(self, request: Callable[[Login], Element], *, effect: Effect = "read") -> Element:
        return await self._ask(self._config.ari_url, request, effect)

    async def rooms(self, function: messages.RoomsFunction) -> Element:
        url = f"{self._config.content_host}{ROOMS_PATH}/{function}"
        return await self._ask(url, lambda login: messages.rooms(login, function), "read")

    async def look_up(self, booking_id: str) -> Element:
        url = f"{self._config.content_host}{LOOK_UP_PATH}"
        return await self._ask(url, lambda login: messages.look_up(login, booking_id), "read")

    async def close(self) -> None:
        await on_background(self._close())

    async def _close(self) -> None:
        if client := self._clients.pop(asyncio.get_running_loop(), None):
            await client.aclose()

    async def _ask(self, url: str, request: Callable[[Login], Element], effect: Effect) -> Element:
        """The reply as a tree.

        Raises `ToolRefusal`. A write raises `ConnectionLost` where it may have happened: only an error code of MiniHotel
        itself says that it did not.
        """
        credential = await asyncio.to_thread(self._secrets.credential, self._config.record.credentials_source or "")
        body = messages.written(request(Login(credential, self._config.hotel_id)))
        await self._pace.wait()
        try:
            async with asyncio.timeout(WHOLE_CALL_S):
                return await asyncio.to_thread(documents.read, await on_background(self._sent(url, body)))
        except (
            httpx.ConnectError,
            httpx.ConnectTimeout,
            httpx.PoolTimeout,
            httpx.UnsupportedProtocol,
            httpx.ProxyError,
        ):
            unsent = "timeout" if effect == "read" else "bad_response"
            raise ToolRefusal(unsent, UNREACHABLE, retryable=True) from None
        except (httpx.HTTPError, TimeoutError):
            _lost(effect)
        except Unreadable:
            if effect == "write":
                raise ConnectionLost("the hotel's system gave no readable answer to a write") from None
            raise
        except ToolRefusal as refusal:
            if refusal.code == "rate_limited":
                self._pace.slow_down(time.monotonic() + PAUSE_AFTER_TOO_MANY_S)
            raise

    async def _sent(self, url: str, body: bytes) -> bytes:
        async with self._client().stream("POST", url, content=body, headers=HEADERS) as response:
            if response.status_code != httpx.codes.OK:
                raise refused_by_status(response.status_code)
            received = bytearray()
            async for part in response.aiter_bytes():
                received += part
                if len(received) > documents.MOST_BYTES:
                    raise Unreadable(f"more than {documents.MOST_BYTES:,} bytes")
            return bytes(received)

    def _client(self) -> httpx.AsyncClient:
        """Connections belong to an event loop: to the one in the background, which outlasts the callers' own. Redirects
        would carry the login elsewhere."""
        loop = asyncio.get_running_loop()
        if (client := self._clients.get(loop)) is None:
            client = self._clients[loop] = httpx.AsyncClient(
                timeout=TIMEOUT,
                limits=httpx.Limits(max_connections=MOST_CONNECTIONS, max_keepalive_connections=MOST_CONNECTIONS),
                follow_redirects=False,
                trust_env=not self._config.on_loopback,
                verify=not self._config.ari_url.startswith("http://"),  # loads no certificates where there is no TLS
            )
        return client


def _lost(effect: Effect) -> NoReturn:
    if effect == "write":
        raise ConnectionLost(CUT_OFF) from None
    raise ToolRefusal("timeout", CUT_OFF, retryable=True) from None
