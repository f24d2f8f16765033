"""The hotel's booking tools: quote, book, look up, cancel.

A person approves a booking or a cancellation before it happens; see `Approval`.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.tools import tool

from wavegraph.graph.approval import Approval, Terms
from wavegraph.graph.domain_tool import DomainTool, read, write
from wavegraph.graph.errors import ToolRefusal
from wavegraph.tools.hotel.answers.booking import (
    booked_before,
    booking_receipt,
    brief_booking,
    brief_cancellation,
    cancellation_receipt,
    restate_booking,
    restate_cancellation,
)
from wavegraph.tools.hotel.answers.phrases import TABLES, say
from wavegraph.tools.hotel.booking_arguments import BookingLookUp, BookingRequest
from wavegraph.tools.hotel.property.hold_rules import MOST_OF_A_GUEST
from wavegraph.tools.hotel.property.port import Property
from wavegraph.tools.hotel.property.registry import Properties, profile_for
from wavegraph.tools.hotel.reading.no_guest import no_guest
from wavegraph.tools.hotel.records import Booking, Guest, Quote, UnheldQuote
from wavegraph.tools.hotel.settings import Approver, HotelSettings
from wavegraph.tools.hotel.stay_arguments import QuoteArguments
from wavegraph.tools.hotel.tools import RunSettings, today_of

Args = Mapping[str, Any]

_DEEDS = {
    "en": "book, reserve, confirm, approve, accept, agree, agree to, agree with, complete, finalise, finalize, go ahead with",
    "he": "תזמין, תזמיני, תזמינו, להזמין, מזמין, מזמינה, מזמינים, תסגור, תסגרי, תסגרו, סוגר, סוגרת, סוגרים, לסגור, מאשר, מאשרת, מאשרים, "
    "תאשר, תאשרי, תאשרו, לאשר, מסכים, מסכימה, מסכימים",
}
_DEALS = {
    "en": "it, this, that, the room, the booking, the reservation, the terms, the conditions, all, everything, my booking, our booking, "
    "the details, all the details, all of it, all of that",
    "he": "לי, לנו, אותו, אותה, את זה, הכל, את הכל, את החדר, את ההזמנה, את התנאים, לתנאים, לכל התנאים, את הפרטים, את כל הפרטים",
}
_FOR_WHOM = ("", " for me", " for us"), ("", " לי", " לנו")
BOOK_IT = (
    *("book", "agree", "accept", "go ahead and book", "you can book", "you may book", "you can book it", "you may book it"),
    *("סגור", "סגרנו", "אכן", "אפשר להזמין", "ניתן להזמין", "אפשר לסגור", "אפשר לאשר"),
    *_DEEDS["he"].split(", "),
    *(f"{deed} {deal}{whom}" for whom in _FOR_WHOM[0] for deed in _DEEDS["en"].split(", ") for deal in _DEALS["en"].split(", ")),
    *(f"{deed}{whom} {deal}" for whom in _FOR_WHOM[1] for deed in _DEEDS["he"].split(", ") for deal in _DEALS["he"].split(", ")),
)  # fmt: skip
"""What means yes to a booking's terms, and to no other question."""

CANCEL_IT = (
    *("cancel the booking", "cancel my booking", "cancel our booking"),
    *(f"yes {deed}" for deed in ("cancel", "cancel it", "cancel that", "cancel this")),
    *(f"{deed} את ההזמנה" for deed in ("תבטל", "תבטלי", "תבטלו", "לבטל")),
    *(f"כן {deed}" for deed in ("תבטל", "תבטלי", "תבטלו", "לבטל")),
)
"""What means yes to a cancellation's terms. A bare "cancel" is none of them: it may mean that nothing be done."""

HOLD_MINUTES: Mapping[Approver, int] = {"guest": 15, "staff": 1440}
"""How long rooms are held for an answer: a guest is in the conversation, staff have a day."""


def booking_tools(properties: Properties, *, approver: Approver | None = None) -> Sequence[DomainTool]:
    """The booking tools for the properties that `properties` can open.

    `approver`: `staff` = staff approve every booking, whatever a run's settings say; else each run's settings decide.
    """
    approvals = BookingApprovals(properties, approver)

    @tool(args_schema=QuoteArguments)
    async def quote_stay(settings: RunSettings, **asked: Any) -> Quote:
        """To book: the cheapest offer that fits what the guest chose, with free cancellation if any has it. Several rooms of
        one stay are one quote."""
        adapter = await properties.open(settings.property_id)
        return await adapter.quote(QuoteArguments.model_construct(**asked).query, today=today_of(settings))

    @tool(args_schema=BookingRequest)
    async def create_booking(settings: RunSettings, **asked: Any) -> Booking:
        """Book a quote, planned beside it: `quote_id` is {"ref": {"call": "<quote>", "path": "quote_id"}}."""
        request = BookingRequest.model_construct(**asked)
        adapter = await properties.open(settings.property_id)
        return await adapter.book(request.quote_id, request.guest, today=today_of(settings))

    @tool(args_schema=BookingLookUp)
    async def get_booking(reference: str, surname_or_email: str, settings: RunSettings) -> Booking:
        """A booking, by its reference and the surname or e-mail address it was made with."""
        adapter = await properties.open(settings.property_id)
        return await adapter.booking(reference, surname_or_email)

    @tool(args_schema=BookingLookUp)
    async def cancel_booking(reference: str, surname_or_email: str, settings: RunSettings) -> Booking:
        """Cancel a booking, found in the same way."""
        adapter = await properties.open(settings.property_id)
        return await adapter.cancel(reference, surname_or_email, today=today_of(settings))

    booked = ("reference", "check_in", "check_out", "adults", "children_ages")
    return [
        read(quote_stay, refer_to=["quote_id"]),
        write(
            create_booking,
            approval=Approval(
                prepare=approvals.prepare_booking,
                restate=restate_booking,
                brief=brief_booking,
                alike=approvals.booked_before,
                told_alike=booked_before,
                release=approvals.release,
                yes=BOOK_IT,
                rivals=("get_availability", "find_open_stays", "quote_stay"),
                no=("cancel", "cancel it", "cancel that", "תבטל", "תבטלי", "תבטלו"),
                by_asker=approvals.by_asker,
            ),
            look_up=approvals.find_booking,
            sources={
                "quote_id": "results",
                "guest_name": "person",
                "guest_email": "person",
                "guest_phone": "person",
                "notes": "person",
            },
            receipt=booking_receipt,
            refer_to=booked,
        ),
        read(get_booking, sources={"reference": "either", "surname_or_email": "person"}, refer_to=booked),
        write(
            cancel_booking,
            approval=Approval(
                prepare=approvals.prepare_cancellation,
                restate=restate_cancellation,
                brief=brief_cancellation,
                yes=CANCEL_IT,
                by_asker=approvals.by_asker,
            ),
            look_up=approvals.find_cancellation,
            sources={"reference": "either", "surname_or_email": "person"},
            receipt=cancellation_receipt,
            refer_to=booked,
        ),
    ]


class BookingApprovals:
    """What surrounds a write: terms and holds, who approves, whether it has happened already."""

    def __init__(self, properties: Properties, approver: Approver | None) -> None:
        self._properties, self._approver = properties, approver

    def approver(self, settings: HotelSettings) -> Approver:
        """A run may be stricter than the property, never laxer: on a server the client writes the settings."""
        return "staff" if "staff" in (self._approver, settings.approver) else "guest"

    def by_asker(self, settings: HotelSettings) -> bool:
        return self.approver(settings) == "guest"

    async def prepare_booking(self, args: Args, settings: HotelSettings) -> Terms:
        """Check price and rooms again and hold the rooms, if that is allowed. Raises ToolRefusal as `Property.hold` does."""
        request = BookingRequest.model_validate(args)
        profile = profile_for(settings, self._properties.profile)
        for field, why in no_guest(request.guest.model_dump(), profile, today_of(settings)):
            raise ToolRefusal("no_guest", f"guest_{field}: {why}; ask the guest for it")
        minutes = settings.hold_minutes or HOLD_MINUTES[self.approver(settings)]
        adapter = await self._properties.open(settings.property_id)
        quote = await adapter.hold(request.quote_id, request.guest, minutes=minutes, today=today_of(settings))
        details = {
            "property_id": settings.property_id,
            "quote": quote.model_dump(mode="json", exclude={"expires_at"}),
            "guest": request.guest.model_dump(mode="json"),
            **({} if adapter.record.vat_bp else {"without_vat": True}),
        }
        if isinstance(quote, UnheldQuote):
            reasons = {
                each: say(f"unheld_{quote.unheld_for}", each, most=MOST_OF_A_GUEST)
                for each in TABLES
                if quote.unheld_for
            }
            return {"details": details, "valid_until": None, "kept": False, "why_not_kept": reasons}
        return {"details": details, "valid_until": quote.expires_at.isoformat()}

    async def release(self, args: Args, settings: HotelSettings) -> None:
        adapter = await self._properties.open(settings.property_id)
        await adapter.release(args["quote_id"])

    async def find_booking(self, args: Args, settings: HotelSettings) -> Booking | None:
        request = BookingRequest.model_validate(args)
        adapter = await self._properties.open(settings.property_id)
        return await adapter.booking_of(request.quote_id, request.guest)

    async def booked_before(self, details: Args, references: Sequence[str], settings: HotelSettings) -> Args:
        """`booked_before`: the bookings among these that the same guest has for the same nights, and that still stand."""
        quote, guest = details["quote"], Guest.model_validate(details["guest"])
        adapter = await self._properties.open(settings.property_id)
        found = [await _known(adapter, each, guest.email or guest.name.split()[-1]) for each in references]
        nights = quote["check_in"], quote["check_out"]
        stand = [each for each in found if each and each.status == "confirmed"]
        same = [each.reference for each in stand if (f"{each.check_in}", f"{each.check_out}") == nights]
        return {"booked_before": same} if same else {}

    async def prepare_cancellation(self, args: Args, settings: HotelSettings) -> Terms:
        """What the cancellation would cost now; nothing is held. Raises ToolRefusal `not_found` or `past`."""
        known = BookingLookUp.model_validate(args)
        adapter = await self._properties.open(settings.property_id)
        booking = await adapter.cancellation(known.reference, known.surname_or_email, today=today_of(settings))
        details = {"property_id": settings.property_id, "booking": booking.model_dump(mode="json")}
        return {"details": details, "valid_until": None}

    async def find_cancellation(self, args: Args, settings: HotelSettings) -> Booking | None:
        known = BookingLookUp.model_validate(args)
        adapter = await self._properties.open(settings.property_id)
        try:
            booking = await adapter.booking(known.reference, known.surname_or_email)
        except ToolRefusal as refusal:
            if refusal.code != "not_found":
                raise
            return None
        return booking.model_copy(update={"repeated": True}) if booking.status == "cancelled" else None


async def _known(adapter: Property, reference: str, surname_or_email: str) -> Booking | None:
    try:
        return await adapter.booking(reference, surname_or_email)
    except ToolRefusal:  # another guest's, or of a system that does not show bookings
        return None
