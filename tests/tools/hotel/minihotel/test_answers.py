"""What guests of a hotel on MiniHotel read: terms that are not known, rooms that are not held, bookings made elsewhere."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from minihotel_vendor import CONFIRMED, NONE_FOUND, TODAY, CutOff, Keys, Opened, Vendor, ask, booking, for_dates

from wavegraph.app.run.result import Result
from wavegraph.testing import Conversation
from wavegraph.tools.hotel.domain import hotel_domain

URL_CODE = "0123456789ABCDEF0123456789ABCDEF/0f0e0d0c-0b0a-4908-8706-050403020100"
BOOK = "Book a double room with breakfast, refundable, for 2 adults, 6 to 8 December 2026. Dana Levi, dana@example.com"
HE = "2 מבוגרים מ-6 עד 8 בדצמבר 2026"

FOUND = """<Bookings><Booking Portal_reservation_id="WG-ABCD2345" Status="OK"><RoomStays><RoomStay roomTypeID="DBL" mealStatus="BB">
<GuestCount adult="2"/></RoomStay></RoomStays><PrimaryGuest><Name givenName="Dana" surname="Levi"/></PrimaryGuest><ResGlobalInfo>
<Timespan arrival="06/12/2026" departure="08/12/2026"/><Total AmountAfterTaxes="352.50" CurrencyCode="ILS"/></ResGlobalInfo>
</Booking></Bookings>"""

Desk = Callable[..., Conversation]


@pytest.fixture
def desk(opened: Opened, vendor: Vendor) -> Iterator[Desk]:
    hotels = []

    def make(**config: Any) -> Conversation:
        hotel = opened(url_code=URL_CODE, **config)
        hotels.append(hotel)
        ask(hotel, lambda hotel: hotel.rooms(today=TODAY))
        domain = hotel_domain(opener=lambda property_id, *, data_dir, secrets: hotel, secrets=Keys())
        return Conversation(domain, settings={"today": f"{TODAY}", "property_id": "sea"})

    yield make
    for hotel in hotels:
        ask(hotel, lambda hotel: hotel.holds())


def answer(ended: Result) -> str:
    return f"{ended.answer}"


def test_prices_come_with_the_terms_that_are_known_and_the_link(desk: Desk) -> None:
    said = answer(desk().say("a room for 2 adults, 6 to 8 December 2026"))
    assert "300 NIS" in said
    assert "cancellation on the hotel's terms" in said
    assert "free" not in said.replace("free rooms", "")
    assert f"/{URL_CODE}/book/rooms?from=20261206&to=20261208&nAdults=2" in said


def test_the_same_in_hebrew(desk: Desk) -> None:
    said = answer(desk().say(HE))
    assert "ביטול בתנאי המלון" in said
    assert "ללא עלות" not in said


def test_a_room_is_asked_for_by_its_hebrew_name_once_it_was_priced(desk: Desk) -> None:
    talk = desk()
    talk.say(HE)
    assert "Triple room" not in answer(talk.say(f"חדר זוגי, {HE}"))


def test_what_is_booked_elsewhere_leads_to_the_page(desk: Desk, vendor: Vendor) -> None:
    said = answer(desk().say(BOOK))
    assert said.startswith("Nothing was booked. Bookings of this hotel are made on its own page or by reception")
    assert f"Booking link: http://127.0.0.1:{vendor.port}/BookingFrameClient/hotel/{URL_CODE}/book/rooms" in said
    assert "write" not in vendor.kinds()


def test_a_question_never_says_that_a_room_is_held(desk: Desk, vendor: Vendor) -> None:
    talk = desk(writes=True)
    ended = talk.say(BOOK)
    assert ended.outcome == "awaiting_approval"
    assert ended.question is not None
    assert "Nothing can be kept for you until you answer" in ended.question["text"]
    assert "Cancellation: on the hotel's terms" in ended.question["text"]
    assert "free" not in ended.question["text"]
    assert ended.question["valid_until"] is None
    asked = vendor.kinds().count("immediate")
    done = answer(talk.reply("yes"))
    assert done.startswith("Your booking is confirmed: WG-")
    assert vendor.kinds()[-2:] == ["immediate", "write"]
    assert vendor.kinds().count("immediate") > asked


def test_terms_that_nobody_chose_are_named_with_what_they_save(desk: Desk) -> None:
    ended = desk(writes=True).say(BOOK.replace(", refundable", ""))
    assert ended.question is not None
    assert "Non-refundable, it costs 317.25 NIS" in ended.question["text"]
    assert "free" not in ended.question["text"]


def test_a_price_that_moved_before_the_yes_is_asked_about_again(desk: Desk, vendor: Vendor) -> None:
    talk = desk(writes=True)
    assert "352.50 NIS" in f"{talk.say(BOOK).question}"
    vendor.immediate = lambda request: for_dates(request).replace("352.50", "360.00")
    assert "now: 360 NIS in total" in answer(talk.reply("yes"))
    assert "write" not in vendor.kinds()


def sent(vendor: Vendor) -> list[str | None]:
    """The ids of the reservations that went out."""
    return [booking(request).get("id") for kind, request in vendor.asked if kind == "write"]


def agreed(talk: Conversation) -> str:
    """The answer to a yes, and to the question that may come of it."""
    ended = talk.say("yes")
    return answer(talk.reply("yes") if ended.question else ended)


def test_a_yes_after_a_lost_booking_means_the_same_one(desk: Desk, vendor: Vendor) -> None:
    """It may still be done after it was looked for: only under its own id can it not be done twice."""
    talk = desk(writes=True)
    talk.say(BOOK)
    vendor.write = lambda request: CutOff()
    lost = answer(talk.reply("yes"))
    assert "did not confirm the booking, and right after it I found none there" in lost
    assert "Nothing was booked" not in lost
    vendor.write = lambda request: CONFIRMED.format(id=booking(request).get("id"))
    assert agreed(talk).startswith("Your booking is confirmed: WG-")
    first, again = sent(vendor)
    assert first == again


@pytest.mark.parametrize(
    ("asked", "said"),
    [("is it booked?", "may or may not have gone through"), ("האם הוזמן?", "ייתכן שזה נעשה וייתכן שלא")],
)
def test_whether_a_lost_booking_was_made_is_not_known(asked: str, said: str, desk: Desk, vendor: Vendor) -> None:
    talk = desk(writes=True, phone="04-5550100")
    talk.say(BOOK)
    vendor.write = lambda request: CutOff()
    talk.reply("yes")
    told = answer(talk.say(asked))
    assert said in told
    assert "04-5550100" in told


def test_a_lost_booking_is_told_in_hebrew(desk: Desk, vendor: Vendor) -> None:
    talk = desk(writes=True)
    talk.say(BOOK, settings={"language": "he", "today": f"{TODAY}", "property_id": "sea"})
    vendor.write = lambda request: CutOff()
    assert "מערכת המלון לא אישרה את ההזמנה" in answer(talk.reply("כן"))


def test_a_lost_booking_that_comes_late_is_found_at_the_next_yes(desk: Desk, vendor: Vendor) -> None:
    talk = desk(writes=True)
    talk.say(BOOK)
    vendor.write = lambda request: CutOff()
    talk.reply("yes")
    (first,) = sent(vendor)
    vendor.found = lambda request: FOUND.replace("WG-ABCD2345", f"{first}")
    assert agreed(talk).startswith(f"This is already booked: {first}.")
    assert len(sent(vendor)) == 1


def test_a_booking_that_was_never_sent_is_not_said_to_be_unknown(desk: Desk, vendor: Vendor) -> None:
    """The look-up before it fails already."""
    talk = desk(writes=True)
    talk.say(BOOK)
    vendor.found = lambda request: CutOff()
    assert answer(talk.reply("yes")).startswith("Nothing was booked.")
    assert sent(vendor) == []
    vendor.found = lambda request: NONE_FOUND
    assert "Nothing waits for your yes" in answer(talk.say("yes"))
    assert sent(vendor) == []
    talk.say("book it after all")
    assert answer(talk.reply("yes")).startswith("Your booking is confirmed: WG-")
    assert len(sent(vendor)) == 1


def test_a_cancellation_of_unknown_cost_says_so(desk: Desk, vendor: Vendor) -> None:
    talk = desk(writes=True)
    vendor.found = lambda request: FOUND
    asked = talk.say("cancel booking WG-ABCD2345, Levi")
    assert asked.question is not None
    assert "What it would cost follows from the hotel's terms" in asked.question["text"]
    done = answer(talk.reply("yes"))
    assert "Booking WG-ABCD2345 has been cancelled." in done
    assert "What it costs follows from the hotel's terms" in done


def test_room_types_of_unknown_size_are_told_without_one(desk: Desk, vendor: Vendor) -> None:
    vendor.rooms = lambda request: "<Response/>"
    said = answer(desk().say("Which room types do you have?"))
    assert "Double room" in said
    assert "guest" not in said
