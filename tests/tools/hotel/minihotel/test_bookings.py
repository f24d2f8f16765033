"""Quotes, bookings and cancellations on MiniHotel: at the price agreed to, once, and never told to be held."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

import pytest
from minihotel_vendor import (
    CONFIRMED,
    NO_NUMBER,
    NONE_FOUND,
    NOON,
    TODAY,
    Body,
    CutOff,
    Opened,
    Reply,
    Vendor,
    ask,
    booking,
    bulk,
    days,
    empty,
    for_dates,
    night,
)

from wavegraph.graph.errors import ToolRefusal
from wavegraph.tools.hotel.minihotel.property import MiniHotelProperty
from wavegraph.tools.hotel.minihotel.quotes import MAY_COME, reference_of
from wavegraph.tools.hotel.property.places.shared import shared_properties
from wavegraph.tools.hotel.records import Booking, Guest, Quote, QuoteQuery, UnheldQuote

ARRIVAL, DEPARTURE = date(2026, 12, 6), date(2026, 12, 8)
DANA = Guest(name="Dana Ruth Levi", email="dana@example.com", phone="050-1234567", notes="a quiet room")
NOAM = Guest(name="Noam Cohen", email="noam@example.com")
URL_CODE = "0123456789ABCDEF0123456789ABCDEF/0f0e0d0c-0b0a-4908-8706-050403020100"


def query(**changed: Any) -> QuoteQuery:
    return QuoteQuery(**{"check_in": ARRIVAL, "check_out": DEPARTURE, "adults": 2, **changed})


@dataclass
class Ledger:
    """What the vendor has taken: each id once. `replies`: what it says to the next writes instead of the truth."""

    taken: dict[str, Element] = field(default_factory=dict)
    cancelled: set[str] = field(default_factory=set)
    replies: list[Reply] = field(default_factory=list)
    loses: bool = False
    """Whether writes with a reply of their own are not taken."""

    def write(self, request: Element) -> Reply:
        what = booking(request)
        number = what.get("id", "")
        reply = self.replies.pop(0) if self.replies else None
        if reply is None or not self.loses:
            if what.get("type") == "Cancel":
                self.cancelled.add(number)
            elif number in self.taken:
                return NO_NUMBER
            else:
                self.taken[number] = what
        return reply if reply is not None else CONFIRMED.format(id=number)

    def found(self, request: Element) -> Reply:
        search = request.find("BookingSearch")
        assert search is not None
        number = search.get("ReservationNumber", "")
        if number not in self.taken:
            return NONE_FOUND
        what = self.taken[number]
        names = what.find("PrimaryGuest/Name")
        stay, guests = what.find("RoomStays/RoomStay/StayDate"), what.find("RoomStays/RoomStay/GuestCount")
        assert names is not None
        assert stay is not None
        assert guests is not None
        total = sum(float(each.get("AmountAfterTaxes", "0")) for each in what.iter("Total"))
        status = "CL" if number in self.cancelled else "OK"
        return (
            f'<Bookings><Booking Portal_reservation_id="{number}" Minihotel_reservation_id="007004348" Status="{status}">'
            f'<RoomStays><RoomStay roomTypeId="DBL" mealStatus="BB"><GuestCount adult="{guests.get("adult")}"/></RoomStay></RoomStays>'
            f'<PrimaryGuest><Name giveName="{names.get("givenName")}" surname="{names.get("surname")}"/>'
            f"<Email>{what.findtext('PrimaryGuest/Email')}</Email></PrimaryGuest><ResGlobalInfo>"
            f'<Timespan arrival="{stay.get("arrival")}" departure="{stay.get("departure")}"/>'
            f'<Total AmountAfterTaxes="{total:.2f}" CurrencyCode="ILS"/></ResGlobalInfo></Booking></Bookings>'
        )


@pytest.fixture
def ledger(vendor: Vendor) -> Ledger:
    ledger = Ledger()
    vendor.write, vendor.found = ledger.write, ledger.found
    return ledger


def quoted(hotel: MiniHotelProperty, **changed: Any) -> Quote:
    quote: Quote = ask(hotel, lambda hotel: hotel.quote(query(**changed), today=TODAY))
    return quote


def refused(hotel: MiniHotelProperty, question: Callable[[MiniHotelProperty], Any]) -> ToolRefusal:
    with pytest.raises(ToolRefusal) as refusal:
        ask(hotel, question)
    return refusal.value


def book(hotel: MiniHotelProperty, quote: Quote, guest: Guest = DANA) -> Booking:
    made: Booking = ask(hotel, lambda hotel: hotel.book(quote.quote_id, guest, today=TODAY))
    return made


# Quotes


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({}, ("RO", True, 30000, "ILS", None)),
        ({"board": "BB"}, ("BB", True, 35250, "ILS", 31725)),
        ({"board": "BB", "refundable": True}, ("BB", True, 35250, "ILS", None)),
        ({"refundable": False}, ("BB", False, 31725, "ILS-NRF", None)),
        ({"rate_plan": "ils-nrf"}, ("BB", False, 31725, "ILS-NRF", None)),
        ({"room_type": "TRP"}, ("BB", True, 50000, "ILS", None)),
    ],
)
def test_the_cheapest_that_fits_is_quoted(vendor: Vendor, opened: Opened, asked: Any, said: Any) -> None:
    quote = quoted(opened(), **asked)
    (part,) = quote.parts
    without = quote.without_cancellation_agorot
    assert (part.board, quote.refundable, quote.total_agorot, part.rate_plan, without) == said
    assert (quote.cancel_until, quote.currency) == (None, "ILS")
    assert quote.expires_at == NOON + timedelta(minutes=30)


@pytest.mark.parametrize(
    ("asked", "code"),
    [({"rate_plan": "SUMMER"}, "bad_rate"), ({"refundable": False, "board": "RO"}, "not_on_sale"), ({"board": "FB"}, "not_on_sale")],
)  # fmt: skip
def test_what_is_not_sold_is_not_quoted(vendor: Vendor, opened: Opened, asked: Any, code: str) -> None:
    vendor.bulk = lambda request: bulk({c: [night(day) for day in days(ARRIVAL, 3)] for c in ("DBL", "TRP")})
    assert refused(opened(), lambda hotel: hotel.quote(query(**asked), today=TODAY)).code == code


@pytest.mark.parametrize(("asked", "room_type"), [({}, "TRP"), ({"room_type": "DBL"}, "DBL"), ({"board": "RO"}, "DBL")])
def test_a_room_for_disabled_guests_is_not_quoted_unasked(
    vendor: Vendor, opened: Opened, asked: Any, room_type: str
) -> None:
    vendor.immediate = lambda request: for_dates(request).replace("Double room", "Accessible room")
    assert quoted(opened(), **asked).parts[0].room_type == room_type


def test_a_quote_asks_anew(vendor: Vendor, opened: Opened) -> None:
    hotel = opened()
    ask(hotel, lambda hotel: hotel.availability(query(), today=TODAY))
    vendor.immediate = lambda request: for_dates(request).replace("300.00", "280.00")
    assert quoted(hotel).total_agorot == 28000


# Holds


def test_a_hold_holds_nothing_and_says_so(vendor: Vendor, ledger: Ledger, opened: Opened) -> None:
    hotel = opened(writes=True)
    quote = quoted(hotel)
    held = ask(hotel, lambda hotel: hotel.hold(quote.quote_id, DANA, minutes=45, today=TODAY))
    assert isinstance(held, UnheldQuote)
    assert held.expires_at == NOON + timedelta(minutes=45)
    assert ask(hotel, lambda hotel: hotel.release(quote.quote_id), lambda hotel: hotel.holds()) == []
    later = opened(writes=True, now=lambda: NOON + timedelta(minutes=44))
    assert book(later, quote).status == "confirmed"


MOVED: dict[str, tuple[Callable[[Element], Reply], str]] = {
    "price": (lambda request: for_dates(request).replace("300.00", "310.00"), "price_changed"),
    "currency": (lambda request: for_dates(request).replace('"ILS"', '"EUR"'), "price_changed"),
    "room": (lambda request: for_dates(request).replace('Allocation="8"', 'Allocation="0"'), "sold_out"),
    "board": (lambda request: for_dates(request).replace('board="RO"', 'board="HB"'), "not_on_sale"),
    "rule": (lambda request: Body("ERR 105: Closed To arrival", "text/html"), "closed_arrival"),
    "limit": (lambda request: Body("ERR 209: Too many requests", "text/html"), "rate_limited"),
    "line": (lambda request: CutOff(), "bad_response"),
}


@pytest.mark.parametrize("act", ["hold", "book"])
@pytest.mark.parametrize(("now", "code"), MOVED.values(), ids=MOVED.keys())
def test_what_moved_since_the_quote_is_not_booked(
    vendor: Vendor, ledger: Ledger, opened: Opened, now: Callable[[Element], Reply], code: str, act: str
) -> None:
    free = {"room": 0}.get(next(name for name, each in MOVED.items() if each[0] is now), 4)
    vendor.bulk = lambda request: bulk({"DBL": [night(day, free) for day in days(ARRIVAL, 3)], "TRP": []})
    hotel = opened(writes=True)
    quote = quoted(hotel)
    vendor.immediate = now
    again = {
        "hold": lambda hotel: hotel.hold(quote.quote_id, DANA, minutes=15, today=TODAY),
        "book": lambda hotel: hotel.book(quote.quote_id, DANA, today=TODAY),
    }
    assert refused(hotel, again[act]).code == code
    assert "write" not in vendor.kinds()
    if code == "price_changed":
        assert "300.00 ILS" in refused(hotel, again[act]).message


def test_a_quote_ends(vendor: Vendor, ledger: Ledger, opened: Opened) -> None:
    quote = quoted(opened(writes=True))
    late = opened(writes=True, now=lambda: NOON + timedelta(minutes=31))
    assert refused(late, lambda hotel: hotel.book(quote.quote_id, DANA, today=TODAY)).code == "quote_expired"
    assert refused(late, lambda hotel: hotel.book("Q-2222222222", DANA, today=TODAY)).code == "not_found"


# Bookings


def test_a_booking_says_what_was_agreed_to(vendor: Vendor, ledger: Ledger, opened: Opened) -> None:
    hotel = opened(writes=True)
    quote = quoted(hotel, board="BB", refundable=False, children_ages=[1])
    made = book(hotel, quote)
    assert (made.reference, made.status, made.repeated) == (reference_of(quote.quote_id), "confirmed", False)
    assert (made.guest_name, made.total_agorot, made.refundable) == ("Dana Ruth Levi", 31725, False)
    request = vendor.last("write")
    what = booking(request)
    assert what.attrib == {"id": made.reference, "type": "Book", "createDateTime": "20/11/2026", "source": "Wavegraph",
                           "rateCode": "ILS"}  # fmt: skip
    said = {each.tag: each.attrib or (each.text or "").strip() for each in what.iter()}
    assert said["RoomStay"] == {"roomTypeID": "DBL", "roomTypeName": "Double room", "Board": "BB"}
    assert said["StayDate"] == {"arrival": "2026-12-06", "departure": "2026-12-08"}
    assert said["GuestCount"] == {"adult": "2", "child": "0", "baby": "1"}
    assert said["Total"] == {"AmountAfterTaxes": "317.25", "CurrencyCode": "ILS"}
    assert said["Name"] == said["GuestNames"] == {"givenName": "Dana Ruth", "surname": "Levi"}
    assert (said["Email"], said["Phone"], said["Remarks"]) == (
        "dana@example.com", "050-1234567", "Non-refundable price. a quiet room",
    )  # fmt: skip
    assert not any("card" in each.tag.casefold() for each in request.iter())


def test_several_rooms_are_several_stays_with_their_own_guests_and_prices(
    vendor: Vendor, ledger: Ledger, opened: Opened
) -> None:
    def price(request: Element) -> Reply:
        guests = request.find("Guests")
        assert guests is not None
        adults = int(guests.get("adults", ""))
        return empty(request) if adults > 2 else for_dates(request).replace("300.00", f"{adults * 100}.00")

    vendor.immediate = price
    vendor.bulk = lambda request: bulk({"DBL": [night(day) for day in days(ARRIVAL, 3)], "TRP": []})
    hotel = opened(writes=True)
    quote = quoted(hotel, adults=3, board="RO")
    assert (quote.rooms, quote.total_agorot) == (2, 30000)
    assert book(hotel, quote).rooms[0].count == 2
    stays = [(stay.find("GuestCount"), stay.find("Total")) for stay in vendor.last("write").iter("RoomStay")]
    said = {
        (guests.get("adult"), total.get("AmountAfterTaxes"))
        for guests, total in stays
        if guests is not None and total is not None
    }
    assert said == {("2", "200.00"), ("1", "100.00")}


HOSTILE = '"/><Total AmountAfterTaxes="1.00"/>\u0000\u000b\ud800 <!DOCTYPE x> ]]> &lt; \u202e'


def test_what_a_guest_writes_stays_text(vendor: Vendor, ledger: Ledger, opened: Opened) -> None:
    hotel = opened(writes=True)
    quote = quoted(hotel)
    vendor.found = lambda request: NONE_FOUND
    book(hotel, quote, Guest(name=f"Dana {HOSTILE}", email=HOSTILE, phone=HOSTILE, notes=HOSTILE))
    what = booking(vendor.last("write"))
    assert [total.get("AmountAfterTaxes") for total in what.iter("Total")] == ["300.00"]
    assert "<Total" in (what.findtext("Remarks") or "")


def test_a_repeated_booking_is_the_same_one(vendor: Vendor, ledger: Ledger, opened: Opened) -> None:
    hotel = opened(writes=True)
    quote = quoted(hotel)
    made = book(hotel, quote)
    again = book(hotel, quote)
    assert again == made.model_copy(update={"repeated": True})
    assert vendor.kinds().count("write") == 1
    assert ask(hotel, lambda hotel: hotel.booking_of(quote.quote_id, DANA)) == again
    assert ask(hotel, lambda hotel: hotel.booking_of(quote.quote_id, NOAM)) is None
    other = refused(hotel, lambda hotel: hotel.book(quote.quote_id, NOAM, today=TODAY))
    assert other.code == "idempotency_conflict"
    assert "Dana" not in other.message


def test_a_hold_after_the_booking_gives_the_quote_unchanged(vendor: Vendor, ledger: Ledger, opened: Opened) -> None:
    hotel = opened(writes=True)
    quote = quoted(hotel)
    book(hotel, quote)
    assert ask(hotel, lambda hotel: hotel.hold(quote.quote_id, DANA, minutes=15, today=TODAY)) == quote


def test_another_machine_finds_the_booking_by_its_id(
    vendor: Vendor, ledger: Ledger, opened: Opened, tmp_path_factory: pytest.TempPathFactory
) -> None:
    made = book(opened(writes=True), quoted(opened(writes=True)))
    elsewhere = opened(writes=True, data_dir=tmp_path_factory.mktemp("elsewhere"))
    found = ask(elsewhere, lambda hotel: hotel.booking(made.reference, "levi"))
    assert (found.guest_name, found.check_in, found.total_agorot, found.status) == (
        "Dana Ruth Levi",
        ARRIVAL,
        30000,
        "confirmed",
    )
    assert (found.refundable, found.cancel_until, found.fee_agorot) == (True, None, None)
    assert [(room.room_type, room.room_name, room.board) for room in found.rooms] == [("DBL", "Double room", "BB")]


def test_two_at_once_make_one_booking(vendor: Vendor, ledger: Ledger, opened: Opened) -> None:
    hotel = opened(writes=True)
    quote = quoted(hotel)

    async def both(hotel: MiniHotelProperty) -> list[Booking]:
        return await asyncio.gather(*(hotel.book(quote.quote_id, DANA, today=TODAY) for _ in range(2)))

    first, second = ask(hotel, both)
    assert first.reference == second.reference
    assert len(ledger.taken) == 1


LOST: dict[str, Reply] = {
    "cut off": CutOff(),
    "an HTML page": Body("<html>504 Gateway Time-out</html>", "text/html"),
    "an empty answer": "",
    "half an answer": "<BookingConfirmRQ><Booking",
    "status 500": Body("oops", "text/plain", 500),
    "too much": "x" * 100,
}


@pytest.mark.parametrize("reply", LOST.values(), ids=LOST.keys())
def test_a_lost_answer_is_looked_up_and_never_sent_again(
    vendor: Vendor, ledger: Ledger, opened: Opened, reply: Reply
) -> None:
    hotel = opened(writes=True)
    quote = quoted(hotel)
    ledger.replies = [reply]
    assert book(hotel, quote).status == "confirmed"
    assert vendor.kinds().count("write") == 1


@pytest.mark.parametrize("reply", [CutOff(), ""], ids=["cut off", "an empty answer"])
def test_a_lost_write_that_is_not_found_stays_unknown(
    vendor: Vendor, ledger: Ledger, opened: Opened, reply: Reply
) -> None:
    hotel = opened(writes=True)
    quote = quoted(hotel)
    ledger.replies, ledger.loses = [reply], True
    refusal = refused(hotel, lambda hotel: hotel.book(quote.quote_id, DANA, today=TODAY))
    assert (refusal.code, refusal.retryable) == ("write_unknown", True)
    assert vendor.kinds().count("write") == 1
    assert book(hotel, quote).status == "confirmed"  # asked for again, it is looked up first
    assert vendor.kinds()[-3:] == ["found", "immediate", "write"]


def test_a_lost_write_keeps_another_quote_of_the_same_stay_from_being_booked(
    vendor: Vendor, ledger: Ledger, opened: Opened
) -> None:
    clock = [NOON]
    hotel = opened(writes=True, now=lambda: clock[0])
    ledger.replies, ledger.loses = [CutOff()], True
    first = quoted(hotel)
    assert refused(hotel, lambda hotel: hotel.book(first.quote_id, DANA, today=TODAY)).code == "write_unknown"
    again = quoted(hotel)
    assert refused(hotel, lambda hotel: hotel.book(again.quote_id, DANA, today=TODAY)).code == "write_unknown"
    assert vendor.kinds().count("write") == 1
    clock[0] += MAY_COME
    assert book(hotel, quoted(hotel)).status == "confirmed"


def test_a_lost_write_that_came_after_all_is_the_booking_of_another_quote_of_the_stay(
    vendor: Vendor, ledger: Ledger, opened: Opened
) -> None:
    hotel = opened(writes=True)
    first = quoted(hotel)
    ledger.replies = [CutOff()]
    truth, vendor.found = vendor.found, lambda request: NONE_FOUND
    assert refused(hotel, lambda hotel: hotel.book(first.quote_id, DANA, today=TODAY)).code == "write_unknown"
    vendor.found = truth
    booked = book(hotel, quoted(hotel))
    assert (booked.reference, booked.repeated) == (reference_of(first.quote_id), True)
    assert vendor.kinds().count("write") == 1
    assert book(hotel, quoted(hotel)).reference != booked.reference  # that it is settled, a second one may be wanted


def test_machines_that_share_a_database_share_the_quotes(
    vendor: Vendor, ledger: Ledger, opened: Opened, hotels_database: str, tmp_path: Path
) -> None:
    shared = {"writes": True, "database": hotels_database, "id": "shared-sea"}
    quote = quoted(opened(**shared, data_dir=tmp_path / "one"))
    booked = book(opened(**shared, data_dir=tmp_path / "other"), quote)
    assert (booked.status, booked.repeated) == ("confirmed", False)
    assert book(opened(**shared, data_dir=tmp_path / "one"), quote).repeated
    assert vendor.kinds().count("write") == 1
    assert not list(tmp_path.rglob("*.sqlite"))
    assert "shared-sea" not in shared_properties(hotels_database)


def test_while_the_look_up_fails_too_nobody_knows(vendor: Vendor, ledger: Ledger, opened: Opened) -> None:
    hotel = opened(writes=True)
    quote = quoted(hotel)
    ledger.replies = [CutOff()]
    truth, vendor.found = vendor.found, lambda request: NONE_FOUND if "write" not in vendor.kinds() else CutOff()
    assert refused(hotel, lambda hotel: hotel.book(quote.quote_id, DANA, today=TODAY)).code == "write_unknown"
    assert refused(hotel, lambda hotel: hotel.book(quote.quote_id, DANA, today=TODAY)).code == "write_unknown"
    vendor.found = truth
    assert book(hotel, quote).repeated
    assert vendor.kinds().count("write") == 1


def test_a_broken_request_is_a_refusal_once_nothing_is_found(vendor: Vendor, ledger: Ledger, opened: Opened) -> None:
    hotel = opened(writes=True)
    quote = quoted(hotel)
    ledger.replies, ledger.loses = [NO_NUMBER], True
    refusal = refused(hotel, lambda hotel: hotel.book(quote.quote_id, DANA, today=TODAY))
    assert (refusal.code, refusal.retryable) == ("bad_response", False)


def test_a_refused_write_leaves_the_quote_to_be_booked(vendor: Vendor, ledger: Ledger, opened: Opened) -> None:
    hotel = opened(writes=True)
    quote = quoted(hotel)
    ledger.replies, ledger.loses = [Body("ERR 516: No Reservation created", "text/html")], True
    assert refused(hotel, lambda hotel: hotel.book(quote.quote_id, DANA, today=TODAY)).code == "bad_response"
    assert book(hotel, quote, NOAM).guest_name == "Noam Cohen"


def test_an_id_that_somebody_else_has_is_a_conflict(vendor: Vendor, ledger: Ledger, opened: Opened) -> None:
    hotel = opened(writes=True)
    quote = quoted(hotel)
    book(hotel, quote)
    for _, request in vendor.asked:
        for name in request.iter("Name"):
            name.set("surname", "Cohen")
    assert ask(hotel, lambda hotel: hotel.booking_of(quote.quote_id, DANA)) is None


# Look-up and cancellation


@pytest.mark.parametrize("known", ["Levi", "dana levi", "DANA@example.com", "lévi"])
def test_a_guest_is_known_by_surname_or_address(vendor: Vendor, ledger: Ledger, opened: Opened, known: str) -> None:
    hotel = opened(writes=True)
    made = book(hotel, quoted(hotel))
    typed = made.reference.replace("-", " ").lower()
    found = ask(hotel, lambda hotel: hotel.booking(typed, known))
    assert found == made


@pytest.mark.parametrize("known", ["Cohen", "noam@example.com", "", "L", "example.com"])
def test_nobody_else_is_shown_a_booking(vendor: Vendor, ledger: Ledger, opened: Opened, known: str) -> None:
    hotel = opened(writes=True)
    made = book(hotel, quoted(hotel))
    wrong = refused(hotel, lambda hotel: hotel.booking(made.reference, known))
    unknown = refused(hotel, lambda hotel: hotel.booking("WG-22222222", "Levi"))
    assert (wrong.code, wrong.message) == (unknown.code, unknown.message) == ("not_found", unknown.message)


def test_a_reservation_without_names_is_shown_to_nobody(vendor: Vendor, opened: Opened) -> None:
    vendor.found = lambda request: '<Bookings><Booking Portal_reservation_id="WG-22222222" Status="OK"/></Bookings>'
    assert refused(opened(), lambda hotel: hotel.booking("WG-22222222", "Levi")).code == "not_found"


@pytest.mark.parametrize(("refundable", "fee"), [(True, None), (False, 31725)])
def test_a_cancellation_costs_what_is_known(
    vendor: Vendor, ledger: Ledger, opened: Opened, refundable: bool, fee: int | None
) -> None:
    hotel = opened(writes=True)
    made = book(hotel, quoted(hotel, board="BB", refundable=refundable))
    asked = ask(hotel, lambda hotel: hotel.cancellation(made.reference, "Levi", today=TODAY))
    assert (asked.status, asked.fee_agorot) == ("confirmed", fee)
    done = ask(hotel, lambda hotel: hotel.cancel(made.reference, "Levi", today=TODAY))
    assert (done.status, done.fee_agorot, done.repeated) == ("cancelled", fee, False)
    assert booking(vendor.last("write")).attrib["type"] == "Cancel"
    assert booking(vendor.last("write")).attrib["id"] == made.reference
    again = ask(hotel, lambda hotel: hotel.cancel(made.reference, "Levi", today=TODAY))
    assert (again.status, again.repeated) == ("cancelled", True)
    assert vendor.kinds().count("write") == 2


def test_a_lost_cancellation_is_looked_up(vendor: Vendor, ledger: Ledger, opened: Opened) -> None:
    hotel = opened(writes=True)
    made = book(hotel, quoted(hotel))
    ledger.replies = [CutOff()]
    assert ask(hotel, lambda hotel: hotel.cancel(made.reference, "Levi", today=TODAY)).status == "cancelled"
    other = book(hotel, quoted(hotel))
    ledger.replies, ledger.loses = [CutOff(), NO_NUMBER], True
    assert refused(hotel, lambda hotel: hotel.cancel(other.reference, "Levi", today=TODAY)).code == "write_unknown"
    assert refused(hotel, lambda hotel: hotel.cancel(other.reference, "Levi", today=TODAY)).code == "bad_response"


def test_a_stay_that_began_is_not_cancelled(vendor: Vendor, ledger: Ledger, opened: Opened) -> None:
    hotel = opened(writes=True)
    made = book(hotel, quoted(hotel))
    after = ARRIVAL + timedelta(days=1)
    assert refused(hotel, lambda hotel: hotel.cancel(made.reference, "Levi", today=after)).code == "past"


# Switched off


OFF: dict[str, Callable[[MiniHotelProperty], Any]] = {
    "hold": lambda hotel: hotel.hold("Q-2222222222", DANA, minutes=15, today=TODAY),
    "book": lambda hotel: hotel.book("Q-2222222222", DANA, today=TODAY),
    "cancellation": lambda hotel: hotel.cancellation("WG-22222222", "Levi", today=TODAY),
    "cancel": lambda hotel: hotel.cancel("WG-22222222", "Levi", today=TODAY),
}


@pytest.mark.parametrize("act", OFF)
def test_nothing_is_written_unless_it_is_switched_on(vendor: Vendor, opened: Opened, act: str) -> None:
    refusal = refused(opened(url_code=URL_CODE), OFF[act])
    assert (refusal.code, refusal.retryable) == ("book_elsewhere", False)
    assert (f"hotel/{URL_CODE}/book/rooms" in refusal.message) == (act in ("hold", "book"))
    assert "reception" in refused(opened(), OFF[act]).message
    assert vendor.asked == []


def test_capabilities_follow_the_switch(opened: Opened) -> None:
    assert (opened().capabilities.writes, opened(writes=True).capabilities.writes) == (False, True)
    assert not opened(writes=True).capabilities.holds
