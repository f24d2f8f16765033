"""What a hotel on MiniHotel sells for a stay, and why it sells nothing."""

from datetime import date
from typing import Any
from xml.etree.ElementTree import Element

import pytest
from minihotel_vendor import (
    HOUSE,
    IMMEDIATE,
    ROOMS,
    TODAY,
    Body,
    CutOff,
    Opened,
    Reply,
    Vendor,
    ask,
    bulk,
    days,
    empty,
    for_dates,
    night,
    one_room,
)

from wavegraph.graph.errors import ToolRefusal
from wavegraph.tools.hotel.records import Availability, StayQuery

ARRIVAL, DEPARTURE = date(2026, 12, 6), date(2026, 12, 8)
NIGHTS = [*days(ARRIVAL, 2), DEPARTURE]


def stay(**changed: Any) -> StayQuery:
    return StayQuery(**{"check_in": ARRIVAL, "check_out": DEPARTURE, "adults": 2, **changed})


def found(opened: Opened, query: StayQuery, **config: Any) -> Availability:
    answer: Availability = ask(opened(**config), lambda hotel: hotel.availability(query, today=TODAY))
    return answer


def refused(opened: Opened, query: StayQuery, today: date = TODAY) -> ToolRefusal:
    with pytest.raises(ToolRefusal) as refusal:
        ask(opened(), lambda hotel: hotel.availability(query, today=today))
    return refusal.value


def test_offers_come_from_the_prices_of_the_whole_stay(vendor: Vendor, opened: Opened) -> None:
    answer = found(opened, stay())
    said = [(o.room_type, o.board, o.refundable, o.total_agorot, o.nightly_agorot, o.rooms_left) for o in answer.offers]
    assert said == [
        ("DBL", "RO", True, 30000, [15000, 15000], 8),
        ("DBL", "BB", False, 31725, [15863, 15862], 8),
        ("DBL", "BB", True, 35250, [17625, 17625], 8),
        ("TRP", "BB", True, 50000, [25000, 25000], 2),
    ]
    assert (answer.reason, answer.refusals, answer.currency, answer.rooms) == (None, [], "ILS", 1)
    assert answer.offers[0].room_name_he == "חדר זוגי"
    assert "bulk" not in vendor.kinds()
    assert vendor.types_of_content == {"text/xml; charset=utf-8"}


def test_the_request_says_stay_party_and_rate(vendor: Vendor, opened: Opened) -> None:
    found(opened, stay(children_ages=[1, 2, 12, 13]))
    request = vendor.last("immediate")
    said = {child.tag: dict(child.attrib) for child in request if child.tag != "Authentication"}
    assert said == {
        "Hotel": {"id": "seahotel"},
        "DateRange": {"from": "2026-12-06", "to": "2026-12-08"},
        "Guests": {"adults": "3", "child": "2", "babies": "1"},
        "RoomTypes": {},
        "Prices": {"rateCode": "ILS"},
    }
    assert [each.attrib for each in request.iter("RoomType")] == [{"id": "*ALL*"}]
    assert [each.attrib for each in request.iter("Price")] == [{"boardCode": "*ALL*"}]


@pytest.mark.parametrize("status", [302, 404, 500, 503])
def test_another_status_is_no_answer_and_is_not_followed(vendor: Vendor, opened: Opened, status: int) -> None:
    elsewhere = {"Location": f"http://127.0.0.1:{vendor.port}/elsewhere"}
    vendor.immediate = lambda request: Body(IMMEDIATE, status=status, headers=elsewhere)
    refusal = refused(opened, stay())
    assert (refusal.code, refusal.retryable) == ("bad_response", status >= 500)
    assert vendor.kinds().count("immediate") == 1


def test_a_reply_is_read_no_further_than_its_bound(
    vendor: Vendor, opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wavegraph.tools.hotel.minihotel.documents.MOST_BYTES", 10_000)
    vendor.immediate = lambda request: IMMEDIATE + " " * 20_000
    assert "more than 10,000 bytes" in refused(opened, stay()).message


def test_a_room_type_whose_minimum_is_longer_is_not_sold_though_it_has_a_price(vendor: Vendor, opened: Opened) -> None:
    vendor.immediate = lambda request: IMMEDIATE.replace('MinimumNights="2"', 'MinimumNights="3"')
    vendor.bulk = lambda request: bulk({code: [night(day) for day in NIGHTS] for code in ("DBL", "TRP")})
    answer = found(opened, stay())
    assert [offer.room_type for offer in answer.offers] == ["TRP"]
    assert [(each.room_type, each.code, each.nights_required) for each in answer.refusals] == [("DBL", "min_stay", 3)]


def test_a_board_alone(vendor: Vendor, opened: Opened) -> None:
    answer = found(opened, stay(board="BB"))
    assert {offer.board for offer in answer.offers} == {"BB"}
    assert len(answer.offers) == 3


@pytest.mark.parametrize("asked", ["trp", "TRP", "triple room"])
def test_a_room_type_alone_by_code_or_name(vendor: Vendor, opened: Opened, asked: str) -> None:
    assert {offer.room_type for offer in found(opened, stay(room_type=asked)).offers} == {"TRP"}


def test_an_unknown_room_type_is_named_with_the_known_ones(vendor: Vendor, opened: Opened) -> None:
    refusal = refused(opened, stay(room_type="SUITE"))
    assert refusal.code == "not_found"
    assert "DBL, TRP" in refusal.message


def test_a_room_type_that_only_the_prices_name_is_sold(vendor: Vendor, opened: Opened) -> None:
    vendor.immediate = lambda request: IMMEDIATE.replace('id="TRP"', 'id="LOFT"')
    vendor.bulk = lambda request: bulk({"TRP": [night(day, 0) for day in NIGHTS]})
    assert {offer.room_type for offer in found(opened, stay(room_type="LOFT")).offers} == {"LOFT"}


REASONS = {
    "sold out": ({"free": 0}, {}, {}, ("sold_out", None)),
    "one night full": ({}, {"free": 0}, {}, ("sold_out", None)),
    "minimum stay": ({"Minngt": "4"}, {}, {}, ("min_stay", 4)),
    "minimum stay of a later night": ({}, {"Minngt": "3"}, {}, ("min_stay", 3)),
    "no arrivals": ({"McloseArr": "Yes"}, {}, {}, ("closed_arrival", None)),
    "no departures": ({}, {}, {"McloseDep": "YES"}, ("closed_departure", None)),
    "closed": ({"Mclose": "Yes"}, {"Mclose": "Yes"}, {}, ("not_on_sale", None)),
    "no price": ({"Mprice": "0.00"}, {}, {}, ("not_on_sale", None)),
    "no visible reason": ({}, {}, {}, ("not_on_sale", None)),
}  # fmt: skip


@pytest.mark.parametrize(("first", "second", "last", "reason"), REASONS.values(), ids=REASONS.keys())
def test_nights_explain_why_nothing_is_sold(
    vendor: Vendor, opened: Opened, first: Any, second: Any, last: Any, reason: Any
) -> None:
    vendor.immediate = empty
    nights = [night(day, **said) for day, said in zip(NIGHTS, (first, second, last), strict=True)]
    vendor.bulk = lambda request: bulk({"DBL": nights, "TRP": nights})
    answer = found(opened, stay())
    assert (answer.offers, answer.combinations, (answer.reason, answer.reason_nights)) == ([], [], reason)
    assert {each.code for each in answer.refusals} == {reason[0]}
    assert answer.arrival_closed == (reason[0] == "closed_arrival")


def test_the_nights_asked_for_reach_the_day_of_departure(vendor: Vendor, opened: Opened) -> None:
    vendor.immediate = empty
    found(opened, stay())
    request = vendor.last("bulk")
    dates, login = request.find("DateRange"), request.find("Authentication")
    assert dates is not None
    assert login is not None
    assert dates.attrib == {"from": "2026-12-06", "to": "2026-12-09"}
    assert (login.get("ResponseType"), login.get("MinimumNights")) == ("05", "YES")
    assert request.find("Guests") is None


def test_types_beside_an_offer_have_reasons_too(vendor: Vendor, opened: Opened) -> None:
    vendor.immediate = lambda request: for_dates(request).replace('Allocation="2"', 'Allocation="0"')
    vendor.bulk = lambda request: bulk(
        {"DBL": [night(day) for day in NIGHTS], "TRP": [night(day, 0) for day in NIGHTS]}
    )
    answer = found(opened, stay())
    assert {offer.room_type for offer in answer.offers} == {"DBL"}
    assert [(each.room_type, each.code) for each in answer.refusals] == [("TRP", "sold_out")]
    assert answer.reason is None


@pytest.mark.parametrize(
    "reply", [Body("ERR 209: Too many requests", "text/html"), Body("<html/>", "text/html"), CutOff()]
)
def test_offers_do_not_depend_on_the_reasons_of_others(vendor: Vendor, opened: Opened, reply: Reply) -> None:
    vendor.immediate = lambda request: for_dates(request).replace('Allocation="2"', 'Allocation="0"')
    vendor.bulk = lambda request: reply
    answer = found(opened, stay())
    assert ({offer.room_type for offer in answer.offers}, answer.refusals) == ({"DBL"}, [])


def test_a_wrong_rate_code_is_not_taken_for_a_full_hotel(vendor: Vendor, opened: Opened) -> None:
    vendor.immediate = empty
    vendor.bulk = lambda request: Body("ERR 308: Wrong rate code", "text/html")
    assert refused(opened, stay()).code == "bad_rate"


def test_a_type_without_basic_occupancy_hides_the_reasons_not_the_answer(vendor: Vendor, opened: Opened) -> None:
    vendor.immediate = empty
    vendor.bulk = lambda request: Body("ERR 310: Basic occupancy", "text/html")
    answer = found(opened, stay())
    assert (answer.offers, answer.reason) == ([], "not_on_sale")


@pytest.mark.parametrize(
    ("body", "reason"),
    [("ERR 104: Minimal Nights Exception", "min_stay"), ("ERR 105: Closed To arrival", "closed_arrival")],
)
def test_a_rule_that_the_prices_name_is_an_answer(vendor: Vendor, opened: Opened, body: str, reason: str) -> None:
    vendor.immediate = lambda request: Body(body, "text/html")
    vendor.bulk = lambda request: bulk({code: [night(day) for day in NIGHTS] for code in ("DBL", "TRP")})
    assert found(opened, stay()).reason == reason


def by_adults(request: Element) -> str:
    """Each room takes three guests at most."""
    guests = request.find("Guests")
    assert guests is not None
    return for_dates(request) if int(guests.get("adults", "")) + int(guests.get("child", "")) <= 3 else empty(request)


def test_a_party_in_two_rooms_pays_the_price_of_each(vendor: Vendor, opened: Opened) -> None:
    vendor.immediate = by_adults
    vendor.bulk = lambda request: bulk(
        {"DBL": [night(day) for day in NIGHTS], "TRP": [night(day, 2) for day in NIGHTS]}
    )
    answer = found(opened, stay(adults=4))
    assert answer.rooms == 2
    cheapest = answer.offers[0]
    assert (cheapest.room_type, cheapest.count, cheapest.board, cheapest.total_agorot) == ("DBL", 2, "RO", 60000)
    assert {(each.parts[0].room_type, each.parts[1].room_type) for each in answer.combinations} == {("DBL", "TRP")}
    assert (
        min(each.total_agorot for each in answer.combinations) == 85250
    )  # a triple has only breakfast, at a refundable price


def test_rooms_asked_for_must_be_free_for_each(vendor: Vendor, opened: Opened) -> None:
    vendor.bulk = lambda request: bulk(
        {"DBL": [night(day, 9) for day in NIGHTS], "TRP": [night(day, 9) for day in NIGHTS]}
    )
    answer = found(opened, stay(adults=3, rooms=3))
    assert [(offer.room_type, offer.count) for offer in answer.offers] == [
        ("DBL", 3)
    ] * 3  # two triples are free, not three


def test_a_party_that_the_house_cannot_hold_is_refused(vendor: Vendor, opened: Opened) -> None:
    vendor.immediate = empty
    refusal = refused(opened, stay(adults=40))
    assert refusal.code == "occupancy"
    assert "its 12 rooms hold at most 28 adults" in refusal.message


def test_unknown_maxima_refuse_nobody(vendor: Vendor, opened: Opened) -> None:
    vendor.immediate = empty
    vendor.rooms = lambda request: ROOMS.replace("<rgm_max>3</rgm_max>", "<rgm_max>0</rgm_max>")
    vendor.bulk = lambda request: bulk({code: [night(day) for day in NIGHTS] for code in ("DBL", "TRP")})
    answer = found(opened, stay(adults=40))
    assert (answer.offers, answer.reason) == ([], "occupancy")


@pytest.mark.parametrize("broken", ["types", "rooms"])
def test_without_the_list_of_rooms_stays_are_still_sold(vendor: Vendor, opened: Opened, broken: str) -> None:
    setattr(
        vendor,
        broken,
        lambda request: Body("<Response><Errors><Error code='013' description='x'/></Errors></Response>"),
    )
    assert [offer.room_type for offer in found(opened, stay()).offers] == ["DBL", "DBL", "DBL", "TRP"]


@pytest.mark.parametrize(
    ("query", "today", "code"),
    [
        ({}, date(2026, 12, 7), "past"),
        ({"check_out": date(2026, 12, 27)}, TODAY, "too_long"),
        ({"check_in": date(2399, 1, 1), "check_out": date(2399, 1, 2)}, TODAY, "bad_dates"),
    ],
)
def test_what_cannot_be_is_refused_without_a_call(
    vendor: Vendor, opened: Opened, query: Any, today: date, code: str
) -> None:
    assert refused(opened, stay(**query), today).code == code
    assert vendor.asked == []


def test_a_read_is_remembered_for_a_moment(vendor: Vendor, opened: Opened) -> None:
    hotel = opened()
    again = lambda hotel: hotel.availability(stay(), today=TODAY)
    ask(hotel, again, again)
    assert sorted(vendor.kinds()) == ["immediate", "rooms", "types"]


def test_the_booking_link_has_the_stay_and_the_party(vendor: Vendor, opened: Opened) -> None:
    code = "0123456789ABCDEF0123456789ABCDEF/0f0e0d0c-0b0a-4908-8706-050403020100"
    answer = found(opened, stay(children_ages=[1, 7]), url_code=code)
    assert answer.booking_link == (
        f"http://127.0.0.1:{vendor.port}/BookingFrameClient/hotel/{code}/book/rooms?from=20261206&to=20261208&nAdults=2&nChilds=1"
        "&nBabies=1&currency=ILS&language=he-IL"
    )
    assert found(opened, stay()).booking_link is None


def test_room_types_are_told_with_what_is_known(vendor: Vendor, opened: Opened) -> None:
    vendor.types = lambda request: (
        "<Response><RoomTypes><Type>DBL</Type><Description>Double &amp; sea</Description></RoomTypes></Response>"
    )
    vendor.rooms = lambda request: f"<Response>{''.join(HOUSE)}{one_room(99, 'ATTIC', 0)}</Response>"
    rooms = ask(opened(), lambda hotel: hotel.rooms(today=TODAY)).rooms
    said = {room.code: (room.name, room.max_adults, room.max_children, room.max_total) for room in rooms}
    assert said == {"DBL": ("Double & sea", 2, 1, 3), "TRP": ("TRP", 3, 1, 4), "ATTIC": ("ATTIC", 0, 0, 0)}
    assert rooms[0].features == ["Sea view"]


def test_room_names_are_known_to_the_profile_from_then_on(vendor: Vendor, opened: Opened) -> None:
    hotel = opened()
    assert hotel.profile().rooms == []
    ask(hotel, lambda hotel: hotel.availability(stay(), today=TODAY))
    assert [room.name for room in opened().profile().rooms] == ["Double room", "Triple room"]


def test_hebrew_names_that_only_the_prices_have_are_known_from_then_on(vendor: Vendor, opened: Opened) -> None:
    ask(opened(), lambda hotel: hotel.availability(stay(), today=TODAY))
    told = ask(opened(), lambda hotel: hotel.rooms(today=TODAY)).rooms
    assert [room.name_he for room in told] == ["חדר זוגי", "Triple room"]
    assert [room.name_he for room in opened().profile().rooms] == ["חדר זוגי", "Triple room"]
