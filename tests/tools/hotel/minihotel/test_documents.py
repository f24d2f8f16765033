"""MiniHotel's replies, also in the shapes that other clients stumbled over."""

from datetime import date

import pytest
from minihotel_vendor import IMMEDIATE
from tables import table

from wavegraph.tools.hotel.minihotel import documents, replies, reservations
from wavegraph.tools.hotel.minihotel.faults import FAULTS, Unreadable, VendorRefusal, refused_by_status
from wavegraph.tools.hotel.minihotel.replies import StayPrices

ARRIVAL, DEPARTURE = date(2026, 12, 6), date(2026, 12, 8)


def read(body: bytes) -> StayPrices:
    return replies.stay_prices(documents.read(body), "seahotel", ARRIVAL, DEPARTURE, "ILS")


@table(
    ("body", "currency", "total"),
    [
        (IMMEDIATE.replace('"ILS"', '"EUR"'), "EUR", 30000),
        (IMMEDIATE.replace('"ILS"', '"NIS"'), "ILS", 30000),
        (IMMEDIATE.replace(' Currency="ILS"', ""), "ILS", 30000),
        (IMMEDIATE.replace('"ILS"', '"JPY"'), "JPY", 300),
        (IMMEDIATE.replace('"ILS"', '"KWD"').replace("300.00", "300.125"), "KWD", 300125),
        (IMMEDIATE.replace("300.00", "300.005"), "ILS", 30001),
        (IMMEDIATE.replace("300.00", "0300"), "ILS", 30000),
        ("\ufeff" + IMMEDIATE, "ILS", 30000),
        ("  \r\n" + IMMEDIATE, "ILS", 30000),
        (IMMEDIATE.replace('value="', 'value ="').replace("<price", "<Price"), "ILS", 30000),
        (f'<string xmlns="http://tempuri.org/">{IMMEDIATE.replace("&", "&amp;").replace("<", "&lt;")}</string>', "ILS", 30000),
        (IMMEDIATE.replace("<", "&lt;").replace('"', "&quot;"), "ILS", 30000),
        (IMMEDIATE.replace("seahotel", "other").replace("300.00", "1.00") + IMMEDIATE, "ILS", 30000),
        (IMMEDIATE.replace("seahotel", "SeaHotel"), "ILS", 30000),
        (IMMEDIATE.replace("<Inventory", '<RoomType/><Inventory').replace("</AvailRaters>", '<RoomType id="X"/></AvailRaters>'),
         "ILS", 30000),
        (IMMEDIATE.replace('board="RO"', 'board="ro"'), "ILS", 30000),
        (IMMEDIATE.replace('board="BB" boardDesc="BB" value="352.50"', 'board="X7" value="1.00"'), "ILS", 30000),
        (IMMEDIATE.replace('id="TRP"', 'id="DBL"').replace("500", "1"), "ILS", 30000),
    ],
)  # fmt: skip
def test_the_same_prices_in_other_shapes(body: str, currency: str, total: int) -> None:
    prices = read(body.encode())
    assert (prices.currency, min(price.total for price in prices.rooms[0].prices)) == (currency, total)


@table(
    "body",
    [
        IMMEDIATE.replace("300.00", "300,00"),
        IMMEDIATE.replace("300.00", "-300.00"),
        IMMEDIATE.replace("300.00", "NaN"),
        IMMEDIATE.replace("300.00", "1e9"),
        IMMEDIATE.replace("300.00", "٣٠٠"),
        IMMEDIATE.replace('"ILS"', '"XYZ"'),
        IMMEDIATE.replace("seahotel", "other"),
        IMMEDIATE.replace('from="2026-12-06"', 'from="2026-12-07"'),
        IMMEDIATE[:-20],
        '<!DOCTYPE x [<!ENTITY a "aaaa">]>' + IMMEDIATE,
        f"<string>{('<!doctype x>' + IMMEDIATE).replace('<', '&lt;')}</string>",
        "<html><body>Service unavailable</body></html>",
        "<!DOCTYPE html><html></html>",
        "",
        "   ",
        "OK",
        '{"statusCode":4,"message":"no"}',
        IMMEDIATE.replace("Sea Hotel", "&nbsp;"),
        IMMEDIATE.replace('board="', 'board="X'),
        "</roots><AvailRaters/>",
    ],
)  # fmt: skip
def test_what_is_no_answer_is_refused(body: str) -> None:
    with pytest.raises(Unreadable) as refusal:
        read(body.encode())
    assert refusal.value.code == "bad_response"


@pytest.mark.parametrize("before", ["", " ", "<!DOCTYPE html>", '<?xml version="1.0"?>\n'])
def test_a_web_page_is_called_one(before: str) -> None:
    """Pages are rarely XML: `<br>` and `&copy;` break it."""
    with pytest.raises(Unreadable, match="a web page instead of an answer"):
        read(f"{before}<HTML><body>Back soon &copy;<br></body></HTML>".encode())


@table("encoding", ["utf-8", "utf-8-sig", "utf-16", "windows-1255", "iso-8859-8"])
def test_hebrew_names_in_any_encoding(encoding: str) -> None:
    declared = encoding.removesuffix("-sig")
    body = IMMEDIATE.replace('encoding="UTF-8"', f'encoding="{declared}"').encode(encoding)
    assert read(body).rooms[0].name_he == "חדר זוגי"


def test_bytes_in_no_encoding_are_no_crash() -> None:
    body = IMMEDIATE.encode().replace("חדר זוגי".encode(), b"\xff\xfe\xf9")
    assert read(body).rooms[0].code == "DBL"


CODES = {
    "bad_response": "001 003 004 005 006 009 013 501 516 999",
    "bad_hotel": "010 109 202 204 205 211 310",
    "auth": "210 863",
    "ip_not_allowed": "A01",
    "bad_dates": "101 102 103",
    "past": "106",
    "too_long": "107",
    "too_short": "108",
    "min_stay": "104",
    "closed_arrival": "105",
    "bad_rate": "308 803",
    "rate_limited": "209",
}


@table(("number", "code"), [(n, code) for code, numbers in CODES.items() for n in numbers.split()])
def test_each_error_code_has_its_refusal(number: str, code: str) -> None:
    bodies = [
        f"ERR {number}: the vendor's words with clerk/s3cret",
        f"  err {number.lower()}",
        f'<string xmlns="http://tempuri.org/">ERR {number}: words</string>',
        f'<Response><Errors><Error code="{number}" description="the vendor\'s words"/></Errors></Response>',
    ]
    for body in bodies:
        with pytest.raises(VendorRefusal) as refusal:
            documents.read(body.encode())
        assert (refusal.value.code, refusal.value.retryable) == (code, number == "209")
        assert number in refusal.value.message
        assert "words" not in refusal.value.message


def test_the_table_has_no_code_that_is_not_held_here() -> None:
    assert set(FAULTS) | {"999"} == {number for numbers in CODES.values() for number in numbers.split()}


def test_an_error_code_that_is_none_is_not_repeated() -> None:
    body = b'<Response><Errors><Error code="clerk-s3cret" description="x"/></Errors></Response>'
    with pytest.raises(VendorRefusal, match="MiniHotel error unknown") as refusal:
        documents.read(body)
    assert "s3cret" not in refusal.value.message


@table(
    ("status", "code", "retryable"),
    [(401, "ip_not_allowed", False), (403, "ip_not_allowed", False), (429, "rate_limited", True), (302, "bad_response", False),
     (404, "bad_response", False), (500, "bad_response", True), (503, "bad_response", True)],
)  # fmt: skip
def test_each_status_has_its_refusal(status: int, code: str, retryable: bool) -> None:
    refusal = refused_by_status(status)
    assert (refusal.code, refusal.retryable) == (code, retryable)


def test_entities_cannot_grow() -> None:
    bomb = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><AvailRaters>&b;</AvailRaters>'
    for body in (bomb, bomb.lower(), "<?xml version='1.0'?>\n" + bomb):
        with pytest.raises(Unreadable, match="document type"):
            documents.read(body.encode())


def test_wrapping_ends_somewhere() -> None:
    body = "ERR 209: x"
    for _ in range(4):
        body = f"<string>{body.replace('&', '&amp;').replace('<', '&lt;')}</string>"
    assert documents.read(body.encode())[0].tag == "string"


BULK = """<RoomTypes><RoomType id="DBL" RoomName="Double Room" BasicOccupancy="002">
 <Day Mdate="20261206" Mavailability="4" Mprice="26.10" Minngt="0" Mclose="No" McloseArr="No" McloseDep="Yes"
      ExtraAdultFee="22.00" ExtraChildFee="10.00" ExtraBabyFee="7.00" SingleUse="0.00" /></RoomType></RoomTypes>
<Meals><Meal MealId="B"><Day Mdate="20261206" MealAdult="5.00" MealBaby="0.00" MealChild="2.50" /></Meal></Meals>"""


def test_nights_and_meals_are_read_from_roots_in_a_row() -> None:
    found = replies.nights(documents.read(BULK.encode()), "seahotel", "EUR")
    (night,) = found.nights
    assert (night.free, night.price, night.single_use, night.closed_departure) == (4, 2610, None, True)
    assert (night.extra_adult, night.extra_child, night.extra_baby) == (2200, 1000, 700)
    assert found.meals == [replies.MealNight("B", ARRIVAL, 500, 250, 0)]
    assert (found.currency, found.basic_occupancy, found.names) == ("EUR", {"DBL": 2}, {"DBL": "Double Room"})


@table("text", ["2026-07-06", "20260706", "06/07/2026", " 2026-07-06T00:00:00", "06/07/2026 14:00"])
def test_dates_are_day_first_and_in_any_spelling(text: str) -> None:
    assert documents.day(text) == date(2026, 7, 6)


@table("text", ["", None, "2026-02-30", "31/02/2026", "٠٦/٠٧/٢٠٢٦", "6 July", "13/13/2026"])
def test_no_date_is_guessed(text: str | None) -> None:
    assert documents.day(text) is None


FOUND = """<Bookings><Booking Portal_reservation_id="WG-ABCD2345" Minihotel_reservation_id="007004348" createDateTime="07/07/2026"
 Status="{status}"><RoomStays><RoomStay roomNumber="301" {type}="DBL" mealStatus="BB"><GuestCount adult="2" child="1" baby="0"/>
 <GuestNames giveName="Dana" surname="Levi"/><Total AmountAfterTaxes="62.00" CurrencyCode="USD"/></RoomStay></RoomStays>
 <PrimaryGuest><Name givenName="Dana" surname="Levi"/><Email>dana@example.com</Email></PrimaryGuest>
 <ResGlobalInfo><Timespan arrival="{first}" departure="{last}"/><Total AmountAfterTaxes="124.00" CurrencyCode="USD"/></ResGlobalInfo>
 </Booking></Bookings>"""


@pytest.mark.parametrize("kind", ["roomTypeID", "roomTypeId"])
@pytest.mark.parametrize(("first", "last"), [("06/07/2026", "08/07/2026"), ("2026-07-06", "2026-07-08")])
def test_a_reservation_in_either_spelling(kind: str, first: str, last: str) -> None:
    body = FOUND.format(status="OK4", type=kind, first=first, last=last)
    found = reservations.found(documents.read(body.encode()), "wg-abcd2345", "ILS")
    assert found is not None
    assert (found.check_in, found.check_out, found.total, found.currency) == (
        date(2026, 7, 6),
        date(2026, 7, 8),
        12400,
        "USD",
    )
    assert (found.names, found.email, found.adults, found.children) == ("Dana Levi", "dana@example.com", 2, 1)
    assert (found.rooms, found.booking_status) == ([reservations.BookedStay("DBL", "BB")], "confirmed")


@table(
    ("status", "means"),
    [("OK", "confirmed"), ("WL", "confirmed"), ("IN", "confirmed"), ("OUT", "confirmed"), ("BL", "confirmed"),
     ("??", "confirmed"), ("CL", "cancelled"), ("cl", "cancelled")],
)  # fmt: skip
def test_only_a_cancelled_status_is_cancelled(status: str, means: str) -> None:
    body = FOUND.format(status=status, type="roomTypeID", first="06/07/2026", last="08/07/2026")
    found = reservations.found(documents.read(body.encode()), "WG-ABCD2345", "ILS")
    assert found is not None
    assert found.booking_status == means


def test_a_reservation_of_another_id_is_not_taken() -> None:
    body = FOUND.format(status="OK", type="roomTypeID", first="06/07/2026", last="08/07/2026")
    assert reservations.found(documents.read(body.encode()), "WG-ABCD2346", "ILS") is None
    assert reservations.found(documents.read(b"<Bookings/>"), "WG-ABCD2345", "ILS") is None
