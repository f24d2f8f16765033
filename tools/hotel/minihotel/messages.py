"""MiniHotel's requests, written by an XML writer: nothing that a guest writes can become an element."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from wavegraph.tools.hotel.currency import digits, major
from wavegraph.tools.hotel.inventory.pricing import Guests
from wavegraph.tools.hotel.property.credentials import Credential
from wavegraph.tools.hotel.records import Guest, Quote

SOURCE = "Wavegraph"
ALL = "*ALL*"
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 cannot hold, even escaped."""

Deed = Literal["Book", "Cancel"]


@dataclass(frozen=True, slots=True)
class Login:
    """Who asks, and for which hotel."""

    credential: Credential
    hotel_id: str

    def __repr__(self) -> str:
        return f"Login({self.hotel_id!r})"


def written(root: Element) -> bytes:
    return bytes(ElementTree.tostring(root, encoding="utf-8", xml_declaration=True))


def immediate(login: Login, rate_code: str, check_in: date, check_out: date, guests: Guests) -> Element:
    """Prices of one stay in one room, for every room type and board."""
    root = _ari(login, check_in, check_out)
    _add(root, "Guests", adults=guests.adults, child=guests.children, babies=guests.babies)
    _everything(root, rate_code)
    return root


def _everything(root: Element, rate_code: str) -> None:
    """Every room type and board under this rate code."""
    _add(_add(root, "RoomTypes"), "RoomType", id=ALL)
    _add(_add(root, "Prices", rateCode=rate_code), "Price", boardCode=ALL)


def bulk(login: Login, rate_code: str, first: date, last: date) -> Element:
    """Rooms, rates and restrictions night by night, `last` included."""
    root = _ari(login, first, last + timedelta(days=1), ResponseType="05")
    _everything(root, rate_code)
    return root


def _ari(login: Login, first: date, last: date, **more: str) -> Element:
    root = Element("AvailRaterq")
    _sign(root, login, MinimumNights="YES", **more)
    _add(root, "DateRange", **{"from": first, "to": last})
    return root


def _sign(parent: Element, login: Login, **more: str) -> None:
    """Login and hotel, which every request begins with."""
    user, password = login.credential.username.get_secret_value(), login.credential.password.get_secret_value()
    _add(parent, "Authentication", username=user, password=password, **more)
    _add(parent, "Hotel", id=login.hotel_id)


def _add(parent: Element, tag: str, **attributes: object) -> Element:
    return SubElement(parent, tag, {name: _clean(f"{value}") for name, value in attributes.items()})


def _add_text(parent: Element, tag: str, text: str) -> None:
    SubElement(parent, tag).text = _clean(text)


def _clean(text: str) -> str:
    return _NOT_XML.sub("", text)


RoomsFunction = Literal["getRoomTypes", "getRooms"]


def rooms(login: Login, function: RoomsFunction) -> Element:
    root = Element("Request")
    settings = _add(root, "Settings", name=function)
    _sign(settings, login)
    if function == "getRooms":
        SubElement(settings, "room_number")  # empty = all
    return root


def look_up(login: Login, booking_id: str) -> Element:
    """A reservation by our own id of it."""
    root = Element("GetReservationKey")
    _sign(root, login)
    _add(root, "BookingSearch", ReservationNumber=booking_id)
    return root


@dataclass(frozen=True, slots=True)
class Stay:
    """One room of a reservation."""

    room_type: str
    room_name: str
    board: str
    guests: Guests
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Reservation:
    """A reservation under our own id, which MiniHotel takes once."""

    booking_id: str
    rate_code: str
    quote: Quote
    stays: Sequence[Stay]
    guest: Guest
    today: date


def reservation(login: Login, what: Reservation) -> Element:
    """Fields of payment cards exist and are never filled."""
    root = _deed(login, "Book", what.booking_id, what.rate_code, what.today)
    booking = root[-1]
    room_stays = SubElement(booking, "RoomStays")
    for stay in what.stays:
        _room_stay(room_stays, what, stay)
    _primary_guest(booking, what.guest)
    refundable = "" if what.quote.refundable else "Non-refundable price. "
    _add_text(booking, "Remarks", f"{refundable}{what.guest.notes or ''}".strip())
    return root


def cancellation(login: Login, booking_id: str, rate_code: str, today: date) -> Element:
    return _deed(login, "Cancel", booking_id, rate_code, today)


def _deed(login: Login, deed: Deed, booking_id: str, rate_code: str, today: date) -> Element:
    root = Element("Bookings")
    _sign(root, login)
    made = f"{today:%d/%m/%Y}"
    _add(root, "Booking", id=booking_id, type=deed, createDateTime=made, source=SOURCE, rateCode=rate_code)
    return root


def _room_stay(parent: Element, what: Reservation, stay: Stay) -> None:
    quote, room = (
        what.quote,
        _add(parent, "RoomStay", roomTypeID=stay.room_type, roomTypeName=stay.room_name, Board=stay.board),
    )
    _add(room, "StayDate", arrival=quote.check_in, departure=quote.check_out)
    _add(room, "RoomCount", NumberOfUnits=1)
    _add(room, "GuestCount", adult=stay.guests.adults, child=stay.guests.children, baby=stay.guests.babies)
    _add(room, "Total", AmountAfterTaxes=decimal(stay.total, quote.currency), CurrencyCode=quote.currency)
    given, surname = names(what.guest)
    _add(room, "GuestNames", givenName=given, surname=surname)


def _primary_guest(parent: Element, guest: Guest) -> None:
    primary = SubElement(parent, "PrimaryGuest")
    given, surname = names(guest)
    _add(primary, "Name", givenName=given, surname=surname)
    _add(primary, "Country", Vat="Yes")  # whence the guest comes is not asked; the price has the tax in it
    _add_text(primary, "Phone", guest.phone or "")
    _add_text(primary, "Email", guest.email or "")


def decimal(minor_units: int, currency: str) -> str:
    return f"{major(minor_units, currency):.{digits(currency)}f}"


def names(guest: Guest) -> tuple[str, str]:
    """Given names and surname: the last word is the surname, and all there is of a single one."""
    given, _, surname = " ".join(guest.name.split()).rpartition(" ")
    return given, surname
