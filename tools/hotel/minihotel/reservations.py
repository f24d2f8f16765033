"""What MiniHotel says of reservations: whether one was taken, and what a look-up finds."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal
from xml.etree.ElementTree import Element

from wavegraph.tools.hotel.minihotel.documents import amount, attributes, content, day, first, whole
from wavegraph.tools.hotel.minihotel.replies import code_of
from wavegraph.tools.hotel.property.guest_identity import plain


def confirms(root: Element, booking_id: str) -> bool:
    """Whether a reservation was taken. No number = broken, or its id had been used before."""
    numbers = [each for each in root.iter() if each.tag in ("bookingconfirmnumber", "bookingconfirm")]
    return any(each.get("bookingid") == booking_id for each in numbers)


@dataclass(frozen=True, slots=True)
class BookedStay:
    room_type: str
    board: str


@dataclass(frozen=True, slots=True)
class Found:
    """A reservation as the look-up gives it; what it does not say is empty or None."""

    booking_id: str
    status: str
    names: str
    """Of all guests that it names."""
    email: str
    check_in: date | None
    check_out: date | None
    total: int | None
    currency: str
    adults: int
    children: int
    babies: int
    rooms: Sequence[BookedStay]

    @property
    def cancelled(self) -> bool:
        return self.status.upper().startswith("CL")

    @property
    def booking_status(self) -> Literal["confirmed", "cancelled"]:
        """Of all statuses, the unknown ones too, only the cancelled one frees the room."""
        return "cancelled" if self.cancelled else "confirmed"


def found(root: Element, booking_id: str, usual: str) -> Found | None:
    """The reservation of this id; None = there is none."""
    same = [each for each in root.iter("booking") if plain(each.get("portal_reservation_id", "")) == plain(booking_id)]
    return _found(same[-1], booking_id, usual) if same else None


def _found(booking: Element, booking_id: str, usual: str) -> Found:
    total = first(first(booking, "resglobalinfo"), "total")
    total = total if total.attrib else first(booking, "total")
    currency = code_of(total.get("currencycode", "")) or usual
    counts = list(booking.iter("guestcount"))
    named = [each for each in booking.iter() if each.tag in ("name", "guestnames")]
    return Found(
        booking_id=booking_id,
        status=booking.get("status", ""),
        names=" ".join(_words(named)),
        email=content(booking, "email") or next(attributes(booking.iter("primaryguest"), "email"), ""),
        check_in=_end(booking, "arrival"),
        check_out=_end(booking, "departure"),
        total=_total(booking, total, currency),
        currency=currency,
        adults=sum(whole(each.get("adult")) for each in counts),
        children=sum(whole(each.get("child")) for each in counts),
        babies=sum(whole(each.get("baby")) for each in counts),
        rooms=[BookedStay(each.get("roomtypeid", ""), each.get("board", "") or each.get("mealstatus", ""))
               for each in booking.iter("roomstay")],
    )  # fmt: skip


def _words(named: Sequence[Element]) -> list[str]:
    given = ("givenname", "givename", "surname")
    return list(dict.fromkeys(each.get(name, "") for each in named for name in given if each.get(name)))


def _end(booking: Element, name: str) -> date | None:
    said = [on for each in booking.iter() if each.tag in ("timespan", "staydate") and (on := day(each.get(name)))]
    return (min if name == "arrival" else max)(said, default=None)


def _total(booking: Element, total: Element, currency: str) -> int | None:
    """Of the whole reservation; where only rooms have totals, their sum."""
    if first(booking, "resglobalinfo").find("total") is not None:
        return amount(total.get("amountaftertaxes", ""), currency)
    rooms = [each.get("amountaftertaxes", "") for stay in booking.iter("roomstay") for each in stay.iter("total")]
    return sum(amount(each, currency) for each in rooms) if rooms else None
