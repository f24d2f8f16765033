"""EzGo's SOAP service, as far as its search goes. Unverified: written from what public clients send and read, and never
run against the vendor.

`zeep` is imported when the first search is made. A search blocks, so it belongs into a worker thread; one hotel's searches
run one after the other.
"""

import io
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from http import HTTPStatus
from importlib.util import find_spec
from typing import Any, get_args

from wavegraph.graph.errors import SettingsError, ToolRefusal, error_text
from wavegraph.tools.hotel.configuration.entry import PropertyEntry
from wavegraph.tools.hotel.currency import digits
from wavegraph.tools.hotel.inventory.pricing import Guests
from wavegraph.tools.hotel.property.credentials import Credential, Secrets
from wavegraph.tools.hotel.records import Board

HOST = "https://onlineres.ezgo.co.il"
SERVICE = "/service.asmx"
SEARCH = "AgencyChannels_SearchHotels"
CONNECT_S, READ_S, WHOLE_CALL_S = 4.0, 12.0, 16.0
"""Seconds: to be connected, between two parts of a reply, and for a whole reply."""
LARGEST = 4_000_000
"""Bytes of a reply."""
LONGEST_TEXT = 200
BOARDS: Mapping[str, Board] = {board: board for board in get_args(Board)}


class EzgoRefusal(ToolRefusal):
    """An answer that is not an offer."""

    def __init__(self, code: str, message: str, detail: str = "", *, retryable: bool = False) -> None:
        """`detail`: the system's own words without the login, for whoever set the hotel up and not for guests."""
        super().__init__(code, message, retryable=retryable)
        self.detail = detail


@dataclass(frozen=True, slots=True)
class FoundRoom:
    """A room type on one board, at its price for the whole stay."""

    room_type: str
    board: Board
    free: int
    total: int
    """Smallest units of the hotel's currency."""


class EzgoService:
    """One hotel's line to EzGo."""

    def __init__(self, entry: PropertyEntry, secrets: Secrets) -> None:
        """Raises `SettingsError` where zeep is not installed."""
        if find_spec("zeep") is None:
            raise SettingsError("hotels on EzGo need zeep: pip install 'wavegraph[ezgo]'")
        self._entry, self._secrets = entry, secrets
        self._lock = threading.Lock()
        self._service: Any = None

    def search(self, check_in: date, nights: int, guests: Guests, room_type: int = 0) -> list[FoundRoom]:
        """What one room for these guests costs; `room_type` 0 = all. Raises `ToolRefusal`, and `SettingsError` without a
        login."""
        credential = self._secrets.credential(self._entry.id)
        request = self._request(credential, check_in, nights, guests, room_type)
        with self._lock, _as_refusals(credential):
            service = self._service = self._service or _connected(self._entry.host or HOST)
            reply = _plain(service[SEARCH](wsRequest=request))
        return list(self._rooms(reply, credential))

    def close(self) -> None:
        self._service = None

    def _request(
        self, credential: Credential, check_in: date, nights: int, guests: Guests, room_type: int
    ) -> Mapping[str, Any]:
        entry = self._entry
        login = {
            "sUsrName": credential.username.get_secret_value(),
            "sPwd": credential.password.get_secret_value(),
        }
        return {
            "Id_AgencyChannel": entry.pms_agency_channel_id,
            "Authentication": login,
            "Date_Start": {"Year": check_in.year, "Month": check_in.month, "Day": check_in.day},
            "iNights": nights,
            "Id_Agency": 0,
            "ID_Region": 0,
            "Id_Hotel": int(entry.hotel_id),
            "iRoomTypeCode": room_type,
            "eBoardBase": "NotSet",
            "eBoardBaseOption": "AllCombination",
            "eRoomTypeCodeOption": "Specific" if room_type else "AllCombination",
            "eDomesticIncoming": "Domestic",
            "iAdults": guests.adults,
            "iChilds": guests.children,
            "iInfants": guests.babies,
            "eCurrency": entry.currency,
            "bDailyPrice": False,
            "bVerbal": False,
        }

    def _rooms(self, reply: Any, credential: Credential) -> Iterator[FoundRoom]:
        """The hotel's own rooms; a search may answer for others too."""
        if not isinstance(reply, Mapping) or not isinstance(reply.get("Error"), Mapping):
            raise EzgoRefusal("bad_response", "the hotel's system gave an answer without a result")
        if (number := _whole(reply["Error"].get("iErrorId"))) != 0:
            said = credential.scrub(str(reply["Error"].get("sErrorDescription") or ""))[:LONGEST_TEXT]
            raise EzgoRefusal("bad_response", f"the hotel's system reported an error (EzGo error {number})", said)
        for hotel in _listed(reply.get("aHotels"), "wsSearchHotel"):
            if _whole(hotel.get("iHotelCode")) == int(self._entry.hotel_id):
                for room in _listed(hotel.get("Rooms"), "wsSearchHotelRoom"):
                    yield from self._room(room)

    def _room(self, room: Mapping[str, Any]) -> Iterator[FoundRoom]:
        """Nothing for one without a free room, a price, or a board that is known."""
        board, free, price = (
            BOARDS.get(str(room.get("eBoardBase"))),
            _whole(room.get("iAvailable")),
            _amount(room.get("cPrice")),
        )
        if board and free > 0 and price > 0:
            code = str(_whole(room.get("iRoomTypeCode")))
            smallest = price.scaleb(digits(self._entry.currency)).quantize(Decimal(1), ROUND_HALF_UP)
            yield FoundRoom(code, board, free, int(smallest))


def _listed(parent: Any, name: str) -> list[Mapping[str, Any]]:
    """The children of a list: none, several, or one that arrives as an object by itself."""
    inside = parent.get(name) if isinstance(parent, Mapping) else parent
    several = inside if isinstance(inside, list) else [inside]
    return [each for each in several if isinstance(each, Mapping)]


def _amount(value: Any) -> Decimal:
    try:
        amount = Decimal(str(0 if value is None else value))
    except InvalidOperation:
        amount = Decimal("nan")
    if not amount.is_finite():
        raise EzgoRefusal("bad_response", "the hotel's system gave an amount that is not a number")
    return amount


def _whole(value: Any) -> int:
    return int(_amount(value))


def _plain(reply: Any) -> Any:
    from zeep.helpers import serialize_object

    return serialize_object(reply, dict)


def _connected(host: str) -> Any:
    """The service at this host, whatever address its description names: the login goes nowhere else."""
    from zeep import Client, Settings

    settings = Settings(forbid_dtd=True, forbid_entities=True, forbid_external=True)
    client = Client(f"{host}{SERVICE}?WSDL", settings=settings, transport=_transport(host))
    for name, binding in client.wsdl.bindings.items():
        if SEARCH in binding.all():
            return client.create_service(name, f"{host}{SERVICE}")
    raise EzgoRefusal("bad_response", f"the hotel's system describes no search called {SEARCH}")


def _transport(host: str) -> Any:
    from requests import Response, Session
    from zeep.transports import Transport

    class Bounded(Transport):
        """Replies of a bounded size and time, from this host alone; no redirect, which would carry the login elsewhere."""

        def load(self, url: str) -> bytes:
            if not url.startswith(f"{host}/"):
                raise EzgoRefusal("bad_response", "the description of the hotel's system refers to another place")
            reply = self._bounded("GET", url)
            if reply.status_code != HTTPStatus.OK:
                raise _refused_by_status(reply.status_code)
            return reply.content

        def post(self, address: str, message: Any, headers: Any) -> Response:
            return self._bounded("POST", address, data=message, headers=headers)

        def _bounded(self, method: str, address: str, **content: Any) -> Response:
            until = time.monotonic() + WHOLE_CALL_S
            sent = self.session.request(
                method, address, timeout=(CONNECT_S, READ_S), stream=True, allow_redirects=False, **content
            )
            body = bytearray()
            for part in sent.iter_content(65_536):
                body += part
                if len(body) > LARGEST:
                    raise EzgoRefusal("bad_response", f"the hotel's system gave more than {LARGEST:,} bytes")
                if time.monotonic() > until:
                    raise _late()
            reply = Response()
            reply.status_code, reply.headers, reply.encoding = sent.status_code, sent.headers, sent.encoding
            reply.raw = io.BytesIO(bytes(body))
            return reply

    session = Session()
    session.trust_env = not host.startswith("http://")  # a server on this machine is behind no proxy
    return Bounded(session=session)  # type: ignore[no-untyped-call]


@contextmanager
def _as_refusals(credential: Credential) -> Iterator[None]:
    """The errors of zeep and of its HTTP client as refusals. What led to them stays for `check`; none quotes the login."""
    from requests import RequestException, Timeout
    from zeep.exceptions import Error

    try:
        yield
    except Timeout:
        raise _late() from None
    except RequestException:
        raise ToolRefusal("timeout", "the hotel's system cannot be reached", retryable=True) from None
    except (Error, TypeError) as error:  # a TypeError: the description has no such field
        if status := getattr(error, "status_code", None):
            raise _refused_by_status(status) from None
        said = credential.scrub(f"{type(error).__name__}: {error_text(error)}")[:LONGEST_TEXT]
        raise EzgoRefusal("bad_response", "the hotel's system gave no answer that can be read", said) from None


def _late() -> ToolRefusal:
    return ToolRefusal("timeout", "the hotel's system did not answer in time", retryable=True)


def _refused_by_status(status: int) -> ToolRefusal:
    """The login is in the body: 401 and 403 are about the address."""
    if status in (401, 403):
        return ToolRefusal("ip_not_allowed", f"the hotel's system does not accept calls from here (HTTP {status})")
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        return ToolRefusal(
            "rate_limited", "the hotel's system was asked too often; it may answer in a while", retryable=True
        )
    said = f"HTTP status {status} instead of an answer"
    return EzgoRefusal("bad_response", f"the hotel's system gave {said}", retryable=status >= 500)


def split(guests: Guests, rooms: int) -> Guests:
    """The guests of each of several equal rooms. Raises `ToolRefusal` where they cannot be equal."""
    parts: Sequence[int] = guests
    if any(count % rooms for count in parts):
        raise ToolRefusal(
            "occupancy",
            f"this hotel's system prices one room at a time: ask for each of the {rooms} rooms with its own guests",
        )
    return Guests(*(count // rooms for count in parts))
