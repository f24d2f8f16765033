"""The HTTP server: on 127.0.0.1 only, a thread for each connection."""

import socket
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Self
from xml.etree.ElementTree import Element

from minihotel_server import availability, reservations, rooms
from minihotel_server.faults import NOT_DONE, Fault, FaultKind, Faults, RequestKind, spoiled
from minihotel_server.house import House
from minihotel_server.messages import (
    ContentError,
    Reply,
    WireError,
    error_reply,
    read_xml,
    server_fault,
    xml_reply,
)
from wavegraph.tools.hotel.property.store import UtcClock, utc_now

GDS = "/gds"
ROOM_TYPES = "/agents/ws/settings/rooms/RoomsMain.asmx/getRoomTypes"
ROOMS = "/agents/ws/settings/rooms/RoomsMain.asmx/getRooms"
RESERVATION_KEY = "/api/Agents/Sci/Reservation/GetReservationKey"
CONTENT: Mapping[str, RequestKind] = {ROOM_TYPES: "room_types", ROOMS: "rooms", RESERVATION_KEY: "reservation_key"}
XML_TYPES = frozenset({"text/xml", "application/xml"})
BOOKING_TYPES: Mapping[str | None, RequestKind] = {"Book": "book", "Modify": "modify", "Cancel": "cancel"}


@dataclass(frozen=True, slots=True)
class WireCall:
    kind: RequestKind
    fault: FaultKind | None
    """What came in between."""


class MiniHotelServer:
    """A context manager: serves from `with` on, on a port that is free.

    `hotels`: the files by their hotel ids. `accepts_any_password`: as the vendor's test host was seen to do.
    """

    def __init__(
        self,
        hotels: Mapping[str, Path],
        *,
        username: str,
        password: str,
        rate_code: str = "STD",
        now: UtcClock = utc_now,
        accepts_any_password: bool = False,
        on_call: Callable[[WireCall], None] | None = None,
    ) -> None:
        self.houses = {
            name: House(hotel_id=name, path=path, rate_code=rate_code, now=now) for name, path in hotels.items()
        }
        self.faults = Faults()
        self.calls: list[WireCall] = []
        self.connections = 0
        """How many were opened; a client that keeps its connection makes few."""
        self._login = (username, password)
        self._accepts_any_password = accepts_any_password
        self._on_call = on_call
        self._http = _Http(self)
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02})

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_port}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.faults.let_go()
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()

    def bookings(self, hotel_id: str | None = None) -> list[reservations.KnownBooking]:
        """What came over the wire, for a hotel or the only one."""
        return reservations.known_bookings(self.houses[hotel_id] if hotel_id else next(iter(self.houses.values())))

    # One request

    def answer(self, path: str, content_type: str, body: bytes) -> Reply | None:
        """None = the connection drops."""
        if content_type.partition(";")[0].strip().lower() not in XML_TYPES:
            return server_fault()
        try:
            root = read_xml(body)
        except WireError as error:
            return error_reply(error)
        kind = _kind(path, root)
        fault = self.faults.next_for(kind)
        reply = self._done(kind, path, root) if fault is None or fault.kind not in NOT_DONE else _instead(fault, body)
        self._log(WireCall(kind, fault.kind if fault else None))
        return reply if fault is None else self._after(fault, reply)

    def _after(self, fault: Fault, reply: Reply) -> Reply | None:
        if fault.kind in ("late_before", "late_after"):
            self.faults.wait()
        if fault.kind in ("drop_before", "drop_after", "late_before"):
            return None
        return (
            xml_reply(reservations.nothing_confirmed())
            if fault.kind == "unconfirmed_after"
            else spoiled(reply, fault.kind)
        )

    def _done(self, kind: RequestKind, path: str, root: Element) -> Reply:
        try:
            return xml_reply(*self._roots(kind, root))
        except WireError as error:
            return error_reply(ContentError(error.code) if path in CONTENT else error)

    def _roots(self, kind: RequestKind, root: Element) -> list[Element]:
        request = root.find("Settings") if kind in ("room_types", "rooms") else root
        if request is None or kind == "unknown":
            raise WireError("501")
        houses = self._houses(request)
        match kind:
            case "immediate":
                return availability.immediate(request, houses)
            case "bulk":
                return [availability.bulk(request, houses[0])]
            case "room_types":
                return [rooms.room_types(houses[0])]
            case "rooms":
                return [rooms.single_rooms(houses[0], (request.findtext("room_number") or "").strip())]
            case "reservation_key":
                return [reservations.look_up(request, houses[0])]
        return [reservations.reserve(request, houses[0])]

    def _houses(self, request: Element) -> list[House]:
        """The hotel asked for, or all of an area; after the login is checked."""
        login, hotel, area = request.find("Authentication"), request.find("Hotel"), request.find("Area")
        if login is None:
            raise WireError("501")
        if not self._accepts_any_password and (login.get("username"), login.get("password")) != self._login:
            raise WireError("210")
        if hotel is not None:
            if (house := self.houses.get(hotel.get("id", ""))) is None:
                raise WireError("202")
            return [house]
        if area is None:
            raise WireError("009")
        found = [house for house in self.houses.values() if house.data().record.country == area.get("id")]
        if not found:
            raise WireError("109")
        return found

    def _log(self, call: WireCall) -> None:
        self.calls.append(call)
        if self._on_call:
            self._on_call(call)


def _kind(path: str, root: Element) -> RequestKind:
    if path != GDS:
        return CONTENT.get(path, "unknown")
    if root.tag == "AvailRaterq":
        return "bulk" if availability.is_bulk(root) else "immediate"
    booking = root.find("Booking") if root.tag == "Bookings" else None
    return "unknown" if booking is None else BOOKING_TYPES.get(booking.get("type"), "unknown")


def _instead(fault: Fault, body: bytes) -> Reply:
    match fault.kind:
        case "err":
            return error_reply(WireError(fault.code))
        case "content_err":
            return error_reply(ContentError(fault.code))
        case "status":
            return Reply("", status=int(fault.code), content_type="text/html; charset=utf-8")
        case "echo":
            quoted = f"{WireError('210').body} {body.decode()}"
            return Reply(quoted, content_type="text/html; charset=utf-8")
    return xml_reply(reservations.nothing_confirmed())


class _Http(ThreadingHTTPServer):
    """Ends with its connections, also those that a client keeps open."""

    def __init__(self, server: MiniHotelServer) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.minihotel = server
        self.opened = set[socket.socket]()

    def server_close(self) -> None:
        for connection in list(self.opened):
            _hang_up(connection)
        super().server_close()

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that hung up is no news."""


def _hang_up(connection: socket.socket) -> None:
    with suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)


class _Handler(BaseHTTPRequestHandler):
    server: _Http
    protocol_version = "HTTP/1.1"

    def setup(self) -> None:
        super().setup()
        self.server.minihotel.connections += 1
        self.server.opened.add(self.connection)

    def finish(self) -> None:
        super().finish()
        self.server.opened.discard(self.connection)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        reply = self.server.minihotel.answer(self.path, self.headers.get("Content-Type", ""), body)
        if reply is None:
            self.close_connection = True
            _hang_up(self.connection)
            return
        with suppress(OSError):
            self._send(reply)

    def _send(self, reply: Reply) -> None:
        content = reply.body.encode()
        self.send_response(reply.status)
        self.send_header("Content-Type", reply.content_type)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:
        """Tests read `calls`."""
