"""Quotes, holds, bookings and cancellations alike behind every adapter that declares them: once, whoever asks, however often."""

import asyncio
from datetime import date
from typing import Any

import pytest
from property_adapters import TODAY

from wavegraph.graph.errors import ToolRefusal
from wavegraph.tools.hotel.records import Booking, Guest, Quote, QuoteQuery, StayQuery, UnheldQuote

STAY = {"check_in": date(2027, 1, 17), "check_out": date(2027, 1, 19), "adults": 2}
DANA = Guest(name="Dana Levi", email="dana@example.com")
OMER = Guest(name="Omer Katz", phone="+972 50 555 0100")

GUESTS = {
    "Hebrew": (Guest(name="דנה לוי־כהן", email="dana@example.com"), "לוי"),
    "an apostrophe": (Guest(name="Mary O'Neill", email="m@example.com"), "O'Neill"),
    "markup": (Guest(name='Ann <b>"&\'</b> Smith', phone="050-1234567", notes='</Remarks><Total AmountAfterTaxes="1"/>'), "Smith"),
    "one word": (Guest(name="Madonna", email="m@example.com"), "Madonna"),
    "another alphabet": (Guest(name="Ольга Иванова", email="o@example.com", notes="прибытие ночью 🌙"), "Иванова"),
    "long remarks": (Guest(name="Dana Levi", email="dana@example.com", notes="A quiet room, please. " * 90), "levi"),
    "a tab and a line break": (Guest(name="Dana Levi", email="dana@example.com", notes="late\n\tarrival"), "Levi"),
}  # fmt: skip


def query(**more: Any) -> QuoteQuery:
    return QuoteQuery.model_validate({**STAY, **more})


def quoted(desk: Any, **more: Any) -> Quote:
    made: Quote = desk(desk.adapter.quote(query(**more), today=TODAY))
    return made


def booked(desk: Any, guest: Guest = DANA, **more: Any) -> tuple[Quote, Booking]:
    quote = quoted(desk, **more)
    return quote, desk(desk.adapter.book(quote.quote_id, guest, today=TODAY))


def free(desk: Any, room_type: str = "DBL") -> int:
    found = desk(desk.adapter.availability(StayQuery.model_validate({**STAY, "room_type": room_type}), today=TODAY))
    return max((offer.rooms_left for offer in found.offers), default=0)


def test_a_quote_is_the_cheapest_offer_that_can_be_cancelled(desk: Any) -> None:
    found = desk(desk.adapter.availability(StayQuery.model_validate(STAY), today=TODAY))
    quote = quoted(desk)
    assert quote.total_agorot == min(offer.total_agorot for offer in found.offers if offer.refundable) == 78000
    assert quote.without_cancellation_agorot == min(offer.total_agorot for offer in found.offers) == 70200
    assert (quote.check_in, quote.nights, quote.adults, quote.currency) == (STAY["check_in"], 2, 2, "ILS")
    assert [(part.room_type, part.board) for part in quote.parts] == [("DBL", "RO")], "not the accessible room"
    assert quoted(desk, refundable=False).total_agorot == 70200
    assert quoted(desk, room_type="ACC").total_agorot == 78000
    assert quoted(desk, board="HB", room_type="FAM").parts[0].board == "HB"


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"check_in": date(2026, 12, 25), "check_out": date(2026, 12, 26)}, "sold_out"),
        ({"check_in": date(2026, 12, 3), "check_out": date(2026, 12, 4)}, "min_stay"),
        ({"check_in": date(2026, 12, 5), "check_out": date(2026, 12, 6)}, "closed_arrival"),
        ({"check_in": date(2026, 11, 19)}, "past"),
        ({"check_out": date(2027, 2, 17)}, "too_long"),
        ({"room_type": "XYZ"}, "not_found"),
        ({"rate_plan": "XYZ"}, "bad_rate"),
        ({"board": "AI"}, "not_on_sale"),
    ],
)
def test_what_cannot_be_quoted(more: dict[str, Any], code: str, desk: Any) -> None:
    assert desk.refused(desk.adapter.quote(query(**more), today=TODAY)) == code


def test_a_hold_holds_or_says_that_it_does_not(desk: Any) -> None:
    before, quote = free(desk), quoted(desk, room_type="DBL")
    held = desk(desk.adapter.hold(quote.quote_id, DANA, minutes=15, today=TODAY))
    assert isinstance(held, UnheldQuote) is not desk.can.holds
    assert held.total_agorot == quote.total_agorot
    assert free(desk) == before - desk.can.holds
    desk(desk.adapter.release(quote.quote_id))
    assert free(desk) == before
    assert desk(desk.adapter.book(quote.quote_id, DANA, today=TODAY)).status == "confirmed"


def test_a_booking_is_made_once_for_one_guest(desk: Any) -> None:
    before = free(desk)
    quote, made = booked(desk, room_type="DBL")
    assert (made.status, made.repeated, made.guest_name) == ("confirmed", False, "Dana Levi")
    assert (made.total_agorot, made.currency, made.check_in) == (quote.total_agorot, "ILS", STAY["check_in"])
    assert [(room.room_type, room.count) for room in made.rooms] == [("DBL", 1)]
    assert free(desk) == before - 1

    again = desk(desk.adapter.book(quote.quote_id, DANA, today=TODAY))
    assert (again.reference, again.repeated) == (made.reference, True)
    assert desk.refused(desk.adapter.book(quote.quote_id, OMER, today=TODAY)) == "idempotency_conflict"
    assert free(desk) == before - 1

    found = desk(desk.adapter.booking_of(quote.quote_id, DANA))
    assert (found.reference, found.repeated) == (made.reference, True)
    assert desk(desk.adapter.booking_of(quote.quote_id, OMER)) is None
    assert desk(desk.adapter.booking_of(quoted(desk).quote_id, DANA)) is None


def test_a_booking_is_shown_to_its_guest_alone(desk: Any) -> None:
    _, made = booked(desk)
    for known in ("Levi", "dana levi", "DANA@example.com"):
        assert desk(desk.adapter.booking(made.reference, known)).reference == made.reference
    refusals = []
    for reference, known in [(made.reference, "Katz"), (made.reference, "omer@example.com"), ("WG-22222222", "Levi")]:
        with pytest.raises(ToolRefusal) as refusal:
            desk(desk.adapter.booking(reference, known))
        refusals.append((refusal.value.code, str(refusal.value)))
    assert {code for code, _ in refusals} == {"not_found"}
    assert len(set(refusals)) == 1, "a wrong name and a wrong reference read alike"


def test_a_cancelled_booking_frees_its_rooms_once(desk: Any) -> None:
    before = free(desk)
    quote, made = booked(desk, room_type="DBL", refundable=True)
    asked = desk(desk.adapter.cancellation(made.reference, "Levi", today=TODAY))
    assert asked.status == "confirmed"
    if desk.can.policies:
        assert asked.fee_agorot == 0

    gone = desk(desk.adapter.cancel(made.reference, "Levi", today=TODAY))
    assert (gone.status, gone.repeated, gone.reference) == ("cancelled", False, made.reference)
    assert free(desk) == before
    again = desk(desk.adapter.cancel(made.reference, "Levi", today=TODAY))
    assert (again.status, again.repeated) == ("cancelled", True)
    assert free(desk) == before
    assert desk(desk.adapter.booking(made.reference, "Levi")).status == "cancelled"
    rebooked = desk(desk.adapter.book(quote.quote_id, DANA, today=TODAY))
    assert (rebooked.status, rebooked.repeated) == ("cancelled", True), "a quote books once"
    assert desk.refused(desk.adapter.cancel(made.reference, "Katz", today=TODAY)) == "not_found"


def test_no_booking_is_cancelled_once_the_stay_began(desk: Any) -> None:
    _, made = booked(desk)
    later = date(2027, 1, 18)
    assert desk.refused(desk.adapter.cancellation(made.reference, "Levi", today=later)) == "past"
    assert desk.refused(desk.adapter.cancel(made.reference, "Levi", today=later)) == "past"
    assert desk(desk.adapter.booking(made.reference, "Levi")).status == "confirmed"


@pytest.mark.parametrize("kind", GUESTS)
def test_a_guest_is_booked_as_written(kind: str, desk: Any) -> None:
    guest, known = GUESTS[kind]
    _, made = booked(desk, guest)
    found = desk(desk.adapter.booking(made.reference, known))
    assert (found.guest_name, found.reference) == (guest.name, made.reference)
    if desk.peer.server:
        (kept,) = desk.peer.server.bookings()
        assert kept.message.count("<Total ") == 1


def test_an_unknown_quote_is_not_found(desk: Any) -> None:
    for work in (
        desk.adapter.book("Q-XXXXXXXXXX", DANA, today=TODAY),
        desk.adapter.hold("Q-XXXXXXXXXX", DANA, minutes=5, today=TODAY),
    ):
        assert desk.refused(work) == "not_found"
    assert desk(desk.adapter.booking_of("Q-XXXXXXXXXX", DANA)) is None


def test_a_party_in_several_rooms_is_booked_whole(desk: Any) -> None:
    before = free(desk, "DLX")
    quote, made = booked(desk, adults=6, rooms=3, room_type="DLX")
    assert (quote.rooms, [(room.room_type, room.count) for room in made.rooms]) == (3, [("DLX", 3)])
    assert free(desk, "DLX") == before - 3


def test_two_guests_cannot_have_the_last_room(desk: Any) -> None:
    """All rooms but one are booked; then two quotes of the last one are booked at once."""
    quotes = [quoted(desk, room_type="ACC") for _ in range(2)]

    async def both() -> list[Any]:
        books = (
            desk.adapter.book(quote.quote_id, guest, today=TODAY)
            for quote, guest in zip(quotes, (DANA, OMER), strict=True)
        )
        return await asyncio.gather(*books, return_exceptions=True)

    ended = desk(both())
    (made,) = (each for each in ended if isinstance(each, Booking))
    (refused,) = (each for each in ended if isinstance(each, ToolRefusal))
    assert refused.code == "sold_out"
    assert free(desk, "ACC") == 0
    desk(desk.adapter.cancel(made.reference, made.guest_name, today=TODAY))
    assert free(desk, "ACC") == 1


def test_one_quote_booked_from_two_sides_is_one_booking(desk: Any) -> None:
    """Two adapters over the same folder, as of two processes, at once."""
    before, quote, other = free(desk), quoted(desk, room_type="DBL"), desk.peer.again()

    async def both() -> list[Booking]:
        await other.open()
        try:
            books = (each.book(quote.quote_id, DANA, today=TODAY) for each in (desk.adapter, other))
            return list(await asyncio.gather(*books))
        finally:
            await other.close()

    made = desk(both())
    assert len({each.reference for each in made}) == 1
    assert sorted(each.repeated for each in made) == [False, True]
    assert free(desk) == before - 1


def test_a_booking_outlasts_its_process(desk: Any) -> None:
    quote, made = booked(desk)
    other = desk.peer.again()

    async def elsewhere() -> tuple[Booking, Booking | None, Booking]:
        await other.open()
        try:
            return (
                await other.booking(made.reference, "Levi"),
                await other.booking_of(quote.quote_id, DANA),
                await other.cancel(made.reference, "Levi", today=TODAY),
            )
        finally:
            await other.close()

    found, same, gone = desk(elsewhere())
    assert same is not None
    assert {found.reference, same.reference, gone.reference} == {made.reference}
    assert gone.status == "cancelled"


def test_an_adapter_serves_several_event_loops(desk: Any) -> None:
    """Each request of an embedding program may have a loop of its own."""
    for _ in range(2):
        found = asyncio.run(desk.adapter.availability(StayQuery.model_validate(STAY), today=TODAY))
        assert found.offers
