"""A MiniHotel that answers with canned bodies, as the vendor's documents and its users' records print them."""

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from http.server import BaseHTTPRequestHandler
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from pydantic import SecretStr

from wavegraph.tools.hotel.minihotel.property import MiniHotelProperty
from wavegraph.tools.hotel.property.credentials import Credential

TODAY = date(2026, 11, 20)
NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
USER, PASSWORD = "clerk-of-sea", "p<a>ss&w'ord-7731"
XML = "text/xml; charset=utf-8"


@dataclass
class Body:
    text: str | bytes
    content_type: str = XML
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)


class CutOff:
    """The connection ends without an answer."""


Reply = str | Body | CutOff
IMMEDIATE = """<?xml version="1.0" encoding="UTF-8" ?>
<AvailRaters>
 <Hotel id="seahotel" Name_h="מלון הים" Name_e="Sea Hotel" Currency="ILS" />
 <DateRange from="2026-12-06" to="2026-12-08" /><Guests adults="2" child="0" babies="0" />
 <RoomType id="DBL" Name_h="חדר זוגי" Name_e="Double room" MinimumNights="2">
  <Inventory Allocation="8" maxavail="8" />
  <price board="BB" boardDesc="BB" value="352.50" value_nrf="317.25" />
  <price board="RO" boardDesc="RO" value="300.00" />
 </RoomType>
 <RoomType id="TRP" Name_h="" Name_e="Triple room" MinimumNights="0">
  <Inventory Allocation="2" maxavail="4" />
  <price board="BB" boardDesc="BB" value="500" value_nrf="0.00" />
 </RoomType>
</AvailRaters>"""
TYPES = """<Response><ServerInfo>x</ServerInfo><ArrayOfRoomTypes>
<RoomTypes><Type>DBL</Type><Description>Double room</Description><Image/></RoomTypes>
<RoomTypes><Type>TRP</Type><Description>Triple room</Description><Image/></RoomTypes>
</ArrayOfRoomTypes></Response>"""


def one_room(number: int, kind: str, adults: int, children: int = 0, babies: int = 0) -> str:
    most = "".join(
        f"<rec_rooms_gst_max><rgm_gst_type>{letter}</rgm_gst_type><rgm_max>{count}</rgm_max></rec_rooms_gst_max>"
        for letter, count in (("A", adults), ("B", babies), ("C", children))
    )
    return (
        f"<rnm_struct_room><rm_number>{number}</rm_number><rm_type>{kind}</rm_type><rm_status>C</rm_status>{most}"
        f'<rnm_attribute code="SV" description="Sea view"/></rnm_struct_room>'
    )


HOUSE = [one_room(n, "DBL", 2, 1, 1) for n in range(8)] + [one_room(n, "TRP", 3, 1, 1) for n in range(20, 24)]
ROOMS = f"<Response><ServerInfo/>{''.join(HOUSE)}</Response>"


def night(day: date, free: int = 4, **changed: str) -> str:
    said = {
        "Mdate": f"{day:%Y%m%d}", "Mavailability": f"{free}", "Mprice": "176.25", "Minngt": "0", "Mclose": "No",
        "McloseArr": "No", "McloseDep": "No", "ExtraAdultFee": "22.00", "ExtraChildFee": "10.00", "ExtraBabyFee": "7.00",
        "SingleUse": "0.00", **changed,
    }  # fmt: skip
    attributes = " ".join(f'{name}="{value}"' for name, value in said.items())
    return f"<Day {attributes}/>"


def bulk(types: dict[str, list[str]], hotel: str = '<Hotel id="seahotel" Currency="ILS"/>') -> str:
    rooms = "".join(
        f'<RoomType id="{code}" RoomName="{code.title()} room" BasicOccupancy="002">{"".join(nights)}</RoomType>'
        for code, nights in types.items()
    )
    meal = '<Meals><Meal MealId="B"><Day Mdate="20261206" MealAdult="0.00" MealBaby="0.00" MealChild="0.00"/></Meal></Meals>'
    return f"<AvailRaters>{hotel}<RoomTypes>{rooms}</RoomTypes>{meal}</AvailRaters>"


def days(first: date, count: int) -> list[date]:
    return [first + timedelta(days=n) for n in range(count)]


CONFIRMED = (
    '<BookingConfirmRQ><BookingConfirmNumbers><BookingConfirmNumber bookingID="{id}" resnumber="007012539"/>'
    "</BookingConfirmNumbers></BookingConfirmRQ>"
)
NO_NUMBER = "<BookingConfirmRQ><BookingConfirmNumbers/></BookingConfirmRQ>"
NONE_FOUND = "<Bookings/>"


def empty(request: Element) -> str:
    """An Immediate answer without rooms, which the real test host gives for an unknown rate code too."""
    dates = request.find("DateRange")
    assert dates is not None
    return f'<AvailRaters><Hotel id="seahotel" Currency="ILS"/><DateRange from="{dates.get("from")}" to="{dates.get("to")}"/></AvailRaters>'


def for_dates(request: Element, text: str = IMMEDIATE) -> str:
    """The same answer for the dates asked about."""
    dates = request.find("DateRange")
    assert dates is not None
    said = f'from="{dates.get("from")}" to="{dates.get("to")}"'
    return text.replace('from="2026-12-06" to="2026-12-08"', said)


@dataclass
class Vendor:
    """What the server answers to each kind of request, and what it was asked."""

    port: int = 0
    immediate: Callable[[Element], Reply] = for_dates
    bulk: Callable[[Element], Reply] = lambda request: bulk({})
    types: Callable[[Element], Reply] = lambda request: TYPES
    rooms: Callable[[Element], Reply] = lambda request: ROOMS
    write: Callable[[Element], Reply] = lambda request: CONFIRMED.format(id=booking(request).get("id"))
    found: Callable[[Element], Reply] = lambda request: NONE_FOUND
    asked: list[tuple[str, Element]] = field(default_factory=list)
    types_of_content: set[str] = field(default_factory=set)
    connections: int = 0

    def answer(self, path: str, body: bytes) -> Reply:
        request = ElementTree.fromstring(body)
        kind = self.kind_of(path, request)
        self.asked.append((kind, request))
        reply: Reply = getattr(self, kind)(request)
        return reply

    @staticmethod
    def kind_of(path: str, request: Element) -> str:
        if path == "/gds":
            login = request.find("Authentication")
            assert login is not None
            return (
                "write" if request.tag == "Bookings" else "bulk" if login.get("ResponseType") == "05" else "immediate"
            )
        return {"getRoomTypes": "types", "getRooms": "rooms", "GetReservationKey": "found"}[path.rsplit("/", 1)[-1]]

    def kinds(self) -> list[str]:
        return [kind for kind, _ in self.asked]

    def last(self, kind: str) -> Element:
        return [request for each, request in self.asked if each == kind][-1]


def booking(request: Element) -> Element:
    found = request.find("Booking")
    assert found is not None
    return found


class Keys:
    """The login, and how often it was asked for."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def credential(self, source: str) -> Credential:
        self.asked.append(source)
        return Credential(username=SecretStr(USER), password=SecretStr(PASSWORD))


def handler(vendor: Vendor) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def setup(self) -> None:
            super().setup()
            vendor.connections += 1

        def do_POST(self) -> None:
            vendor.types_of_content.add(self.headers["Content-Type"])
            reply = vendor.answer(self.path, self.rfile.read(int(self.headers["Content-Length"])))
            if isinstance(reply, CutOff):
                self.close_connection = True
                return
            given = reply if isinstance(reply, Body) else Body(reply)
            data = given.text if isinstance(given.text, bytes) else given.text.encode()
            self.send_response(given.status)
            for name, value in {
                "Content-Type": given.content_type,
                "Content-Length": str(len(data)),
                **given.headers,
            }.items():
                self.send_header(name, value)
            self.end_headers()
            try:
                self.wfile.write(data)
            except ConnectionError:  # the client had enough
                self.close_connection = True

        def log_message(self, format: str, *args: Any) -> None:
            """Quiet."""

    return Handler


Opened = Callable[..., MiniHotelProperty]


def ask(hotel: MiniHotelProperty, *questions: Callable[[MiniHotelProperty], Coroutine[Any, Any, Any]]) -> Any:
    """The answer to the last question, all asked on one event loop."""

    async def all_of_them() -> Any:
        try:
            await hotel.open()
            return [await question(hotel) for question in questions][-1]
        finally:
            await hotel.close()

    return asyncio.run(all_of_them())
