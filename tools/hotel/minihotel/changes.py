"""Cancellations of bookings on MiniHotel: under the booking's own id, looked up where unclear."""

from datetime import date

from wavegraph.graph.errors import ToolRefusal
from wavegraph.tools.hotel.minihotel import messages
from wavegraph.tools.hotel.minihotel.bookings import MiniHotelBookings
from wavegraph.tools.hotel.minihotel.faults import unknown
from wavegraph.tools.hotel.minihotel.terms import with_fee
from wavegraph.tools.hotel.records import Booking


class MiniHotelChanges(MiniHotelBookings):
    """The methods that end a booking."""

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
            with unknown():
                found = await self._found(booking.reference)
            if found is None or not found.cancelled:
                raise ToolRefusal("bad_response", f"the hotel's system did not cancel booking {booking.reference}")
        return cancelled
