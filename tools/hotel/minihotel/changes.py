"""Cancellations of bookings on MiniHotel, and changes to them: under the booking's own id, looked up where unclear."""

from datetime import date

from wavegraph.graph.errors import ToolRefusal
from wavegraph.tools.hotel.minihotel import messages
from wavegraph.tools.hotel.minihotel.bookings import Happened, MiniHotelBookings
from wavegraph.tools.hotel.minihotel.faults import unknown
from wavegraph.tools.hotel.minihotel.messages import Reservation
from wavegraph.tools.hotel.minihotel.reservations import Found
from wavegraph.tools.hotel.minihotel.terms import booking_of_quote, with_fee
from wavegraph.tools.hotel.records import Booking, Guest, Quote


class MiniHotelChanges(MiniHotelBookings):
    """The methods that end a booking or change it."""

    async def cancellation(self, reference: str, surname_or_email: str, *, today: date) -> Booking:
        self._refuse_unless_writing("cancelled")
        booking = await self.booking(reference, surname_or_email)
        return booking if booking.status == "cancelled" else with_fee(booking, today)

    async def cancel(self, reference: str, surname_or_email: str, *, today: date) -> Booking:
        self._refuse_unless_writing("cancelled")
        booking = await self.booking(reference, surname_or_email)
        if booking.status == "cancelled":
            return booking.model_copy(update={"repeated": True})
        cancelled = with_fee(booking, today).model_copy(update={"status": "cancelled"})
        if not await self._done(
            booking.reference,
            lambda login: messages.cancellation(login, booking.reference, self._config.rate_code, today),
            lambda found: found.cancelled,
        ):
            await self._refuse_unless(booking.reference, lambda found: found.cancelled, "cancel")
        return cancelled

    async def modify(
        self, reference: str, surname_or_email: str, quote_id: str, guest: Guest, *, today: date
    ) -> Booking:
        """Change a booking to the stay, rooms and price of a quote; it keeps its reference. Not part of `Property`."""
        self._refuse_unless_writing("changed")
        booking = await self.booking(reference, surname_or_email)
        if booking.status == "cancelled" or today > booking.check_in:
            raise ToolRefusal("past", f"booking {booking.reference} is cancelled, or its stay has begun")
        stored = await self._stored(quote_id, guest)
        rooms = await self._check_again(stored, today)
        what = Reservation(
            booking_id=booking.reference,
            rate_code=self._config.rate_code,
            quote=stored.quote,
            stays=rooms,
            guest=guest,
            today=today,
        )
        if not await self._done(
            booking.reference,
            lambda login: messages.reservation(login, what, "Modify"),
            lambda found: _is_as_quoted(found, stored.quote),
        ):
            await self._refuse_unless(booking.reference, lambda found: _is_as_quoted(found, stored.quote), "change")
        return booking_of_quote(stored.quote, guest.name, booking.reference)

    async def _refuse_unless(self, reference: str, happened: Happened, deed: str) -> None:
        """Nothing was confirmed: broken, or done before."""
        with unknown():
            found = await self._found(reference)
        if found is None or not happened(found):
            raise ToolRefusal("bad_response", f"the hotel's system did not {deed} booking {reference}")


def _is_as_quoted(found: Found, quote: Quote) -> bool:
    said = (found.check_in, found.check_out, found.total)
    return not found.cancelled and said == (quote.check_in, quote.check_out, quote.total_agorot)
