"""A server over the demo hotel, and the vendor's requests as plain text."""

import shutil
from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import httpx
import pytest
from minihotel_server.server import GDS, MiniHotelServer
from patience import HANGS_S

from wavegraph.tools.hotel.property import sqlite_property

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
USER, PASSWORD = "desk", "open & <sesame>"
LOGIN = '<Authentication username="desk" password="open &amp; &lt;sesame&gt;"{}/>'
HOTEL = '<Hotel id="H1"/>'


class Vendor:
    """The server, asked as a client with a connection of its own asks it."""

    def __init__(self, server: MiniHotelServer, client: httpx.Client) -> None:
        self.server, self.client = server, client

    def post(self, body: str, path: str = GDS, content_type: str = "text/xml; charset=utf-8") -> httpx.Response:
        return self.client.post(self.server.url + path, content=body.encode(), headers={"Content-Type": content_type})

    def read(self, body: str, path: str = GDS) -> ET.Element:
        answer = self.post(body, path)
        assert answer.headers["Content-Type"].startswith("text/xml"), answer.text
        return ET.fromstring(answer.text)

    def ari(
        self,
        first: str,
        end: str,
        *,
        guests: tuple[int, int, int] | None = (2, 0, 0),
        where: str = HOTEL,
        room: str = "*ALL*",
        rate: str = "STD",
        board: str = "*ALL*",
        login: str = "",
    ) -> str:
        """An Immediate request; a Bulk one with `login=BULK`."""
        party = '<Guests adults="{}" child="{}" babies="{}"/>'.format(*guests) if guests else ""
        return (
            f'<?xml version="1.0" encoding="UTF-8" ?><AvailRaterq>{LOGIN.format(" " + login)}{where}'
            f'<DateRange from="{first}" to="{end}"/>{party}<RoomTypes><RoomType id="{room}"/></RoomTypes>'
            f'<Prices rateCode="{rate}"><Price boardCode="{board}"/></Prices></AvailRaterq>'
        )

    def bulk(self, first: str, end: str, **more: Any) -> str:
        return self.ari(first, end, guests=None, login='ResponseType="05" MinimumNights="YES"', **more)

    def booking(self, name: str, kind: str = "Book", *, room: str = "DBL", units: int = 1, rate: str = "STD") -> str:
        return (
            f'<Bookings>{LOGIN.format("")}{HOTEL}<Booking id="{name}" type="{kind}" createDateTime="20/11/2026" source="A"'
            f' rateCode="{rate}"><RoomStays><RoomStay roomTypeID="{room}" roomTypeName="R" Board="BB">'
            f'<StayDate arrival="2027-01-17" departure="2027-01-19"/><RoomCount NumberOfUnits="{units}"/>'
            '<GuestCount adult="2" child="0" baby="0"/><Total AmountAfterTaxes="900" CurrencyCode="ILS"/></RoomStay>'
            '</RoomStays><PrimaryGuest><Name givenName="D" surname="L"/></PrimaryGuest><Remarks/></Booking></Bookings>'
        )

    def key(self, name: str) -> str:
        return (
            f"<GetReservationKey>{LOGIN.format('')}{HOTEL}"
            f'<BookingSearch ReservationNumber="{name}"/></GetReservationKey>'
        )

    def settings(self, name: str, more: str = "", hotel: str = HOTEL) -> str:
        return f'<Request><Settings name="{name}">{LOGIN.format("")}{hotel}{more}</Settings></Request>'


@pytest.fixture(scope="session")
def built_hotel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("wire") / "hotel.sqlite"
    sqlite_property.build(path, date(2026, 11, 20))
    return path


@pytest.fixture
def hotel_file(built_hotel: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(built_hotel, tmp_path / "hotel.sqlite"))


@pytest.fixture
def vendor(hotel_file: Path) -> Iterator[Vendor]:
    with (
        MiniHotelServer({"H1": hotel_file}, username=USER, password=PASSWORD, now=lambda: NOW) as server,
        httpx.Client(timeout=HANGS_S) as client,
    ):
        yield Vendor(server, client)
