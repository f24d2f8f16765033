"""Bookings over the wire: made, changed, cancelled and looked up, in the hotel's own file.

Each booking id works once. All that a message changes is one transaction; whatever is refused changes nothing.
"""

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal, NamedTuple
from xml.etree import ElementTree as ET
from xml.etree.ElementTree import Element

from minihotel_server.house import House
from minihotel_server.messages import WireError, count_of, day_of, needed
from wavegraph.tools.hotel.inventory.property_data import StayDates
from wavegraph.tools.hotel.property import store

Status = Literal["OK", "CL"]
FIRST_NUMBER = 7_012_539

SCHEMA = """CREATE TABLE IF NOT EXISTS minihotel_booking (
  n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, status TEXT NOT NULL, rooms_json TEXT NOT NULL, message TEXT NOT NULL
)"""


class RefusedQuietlyError(Exception):
    """Answered by an empty confirmation, which says nothing of why."""


class Rooms(NamedTuple):
    """Rooms of one type for one stay."""

    room_type: str
    first: date
    end: date
    units: int


@dataclass(frozen=True, slots=True)
class KnownBooking:
    number: str
    """`007012539`: the hotel's own, beside the client's id."""
    booking_id: str
    status: Status
    rooms: Sequence[Rooms]
    message: str
    """The `<Booking>` it was made or last changed by."""


def reserve(root: Element, house: House) -> Element:
    """Book, change or cancel, by the `type` of each `<Booking>`."""
    answer = Element("BookingConfirmRQ")
    confirmed = ET.SubElement(answer, "BookingConfirmNumbers")
    for booking in root.iterfind("Booking"):
        try:
            number = _written(booking, house)
        except RefusedQuietlyError:
            continue
        ET.SubElement(confirmed, "BookingConfirmNumber", bookingID=booking.get("id", ""), resnumber=number)
    return answer


def nothing_confirmed() -> Element:
    answer = Element("BookingConfirmRQ")
    ET.SubElement(answer, "BookingConfirmNumbers")
    return answer


def look_up(root: Element, house: House) -> Element:
    """GetReservationKey: the booking of the client's id, or none."""
    wanted = needed(root, "BookingSearch", "501").get("ReservationNumber", "")
    answer = Element("Bookings")
    for known in known_bookings(house):
        if known.booking_id == wanted:
            ids = {"Portal_reservation_id": known.booking_id, "Minihotel_reservation_id": known.number}
            found = ET.SubElement(answer, "Booking", {**ids, "Status": known.status})
            found.extend(_spelled_back(known.message))
    return answer


SPELLED_BACK: Mapping[str, str] = {"roomTypeID": "roomTypeId", "givenName": "giveName"}
"""Names of attributes in what is read back, as they were seen to differ from those that were sent."""


def _spelled_back(message: str) -> list[Element]:
    """The reservation as it was sent, in the vendor's other spelling, its dates as `17/01/2027`."""
    sent = ET.fromstring(message)
    for each in sent.iter():
        each.attrib = {SPELLED_BACK.get(name, name): value for name, value in each.attrib.items()}
    for dates in sent.iter("StayDate"):
        dates.attrib = {name: f"{date.fromisoformat(value):%d/%m/%Y}" for name, value in dates.attrib.items()}
    return list(sent)


def known_bookings(house: House) -> list[KnownBooking]:
    """All bookings that came over the wire, the first first."""
    with store.writing(house.path) as connection:
        connection.execute(SCHEMA)
        rows = connection.execute(
            "SELECT n, id, status, rooms_json, message FROM minihotel_booking ORDER BY n"
        ).fetchall()
    return [_known(row) for row in rows]


def _known(row: tuple[int, str, Status, str, str]) -> KnownBooking:
    n, booking_id, status, rooms, message = row
    read = [
        Rooms(code, date.fromisoformat(first), date.fromisoformat(end), count)
        for code, first, end, count in json.loads(rooms)
    ]
    return KnownBooking(f"{FIRST_NUMBER + n:09}", booking_id, status, read, message)


def _written(booking: Element, house: House) -> str:
    booking_id = booking.get("id", "")
    if not booking_id:
        raise RefusedQuietlyError
    with store.writing(house.path) as connection:
        connection.execute(SCHEMA)
        before = _find(connection, booking_id)
        match booking.get("type"):
            case "Book" if before is None:
                return _put(connection, house, booking, _rooms(booking, house))
            case "Modify" if before and before.status == "OK":
                _free(connection, before)
                return _put(connection, house, booking, _rooms(booking, house))
            case "Cancel" if before and before.status == "OK":
                _free(connection, before)
                connection.execute("UPDATE minihotel_booking SET status = 'CL' WHERE id = ?", (booking_id,))
                return before.number
    raise RefusedQuietlyError


def _find(connection: sqlite3.Connection, booking_id: str) -> KnownBooking | None:
    sql = "SELECT n, id, status, rooms_json, message FROM minihotel_booking WHERE id = ?"
    row = connection.execute(sql, (booking_id,)).fetchone()
    return _known(row) if row else None


def _rooms(booking: Element, house: House) -> list[Rooms]:
    """What is to be booked. A wrong rate code is told, anything else that is wrong only by the empty confirmation."""
    if booking.get("rateCode") != house.rate_code:
        raise WireError("803")
    if booking.find("PrimaryGuest/Name") is None:
        raise RefusedQuietlyError
    try:
        rooms = list(_room_stays(booking))
    except WireError:
        raise RefusedQuietlyError from None
    if not rooms:
        raise RefusedQuietlyError
    return rooms


def _room_stays(booking: Element) -> Iterator[Rooms]:
    for stay in booking.iterfind("RoomStays/RoomStay"):
        dates = needed(stay, "StayDate", "003")
        first, end = day_of(dates.get("arrival"), "101"), day_of(dates.get("departure"), "102")
        count = count_of(needed(stay, "RoomCount", "501"), "NumberOfUnits", "501")
        if end <= first or count < 1 or count_of(needed(stay, "GuestCount", "004"), "adult", "004") < 1:
            raise WireError("501")
        needed(stay, "Total[@AmountAfterTaxes][@CurrencyCode]", "501")
        yield Rooms(stay.get("roomTypeID", ""), first, end, count)


def _put(connection: sqlite3.Connection, house: House, booking: Element, rooms: Sequence[Rooms]) -> str:
    for each in rooms:
        _take(connection, each)
    booking_id, message = booking.get("id", ""), ET.tostring(booking, encoding="unicode")
    connection.execute(
        "INSERT INTO minihotel_booking (id, status, rooms_json, message) VALUES (?, 'OK', ?, ?)"
        " ON CONFLICT (id) DO UPDATE SET rooms_json = excluded.rooms_json, message = excluded.message",
        (booking_id, json.dumps(rooms, default=str), message),
    )
    written = _find(connection, booking_id)
    assert written, "in the same transaction"
    return written.number


def _take(connection: sqlite3.Connection, rooms: Rooms) -> None:
    """Sold on every night, or the transaction is undone."""
    done = connection.execute(
        "UPDATE inventory SET sold = sold + :count WHERE room_type = :room_type AND date >= :first AND date < :end"
        " AND total - sold - held >= :count AND NOT stop_sell",
        _span(rooms),
    )
    if done.rowcount != StayDates(rooms.first, rooms.end).nights:
        raise RefusedQuietlyError


def _free(connection: sqlite3.Connection, known: KnownBooking) -> None:
    for each in known.rooms:
        connection.execute(
            "UPDATE inventory SET sold = sold - :count WHERE room_type = :room_type AND date >= :first AND date < :end",
            _span(each),
        )


def _span(rooms: Rooms) -> dict[str, str | int]:
    dates = {"first": rooms.first.isoformat(), "end": rooms.end.isoformat()}
    return {"room_type": rooms.room_type, "count": rooms.units, **dates}
