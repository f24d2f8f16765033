"""The server answers as the vendor's documents and other people's recordings say."""

import shutil
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import minihotel_server
import pytest
from minihotel_server.faults import Fault, FaultKind
from minihotel_server.server import RESERVATION_KEY, ROOM_TYPES, ROOMS, MiniHotelServer
from patience import HANGS_S

Asks = Callable[[Any], str]


def test_the_server_imports_nothing_of_the_adapter() -> None:
    """Else both could misread the vendor alike."""
    modules = list(Path(minihotel_server.__file__).parent.glob("*.py"))
    assert len(modules) > 5
    assert [each.name for each in modules if "tools.hotel.minihotel" in each.read_text(encoding="utf-8")] == []


def test_a_stay_is_priced_by_room_and_board(vendor: Any) -> None:
    answer = vendor.read(vendor.ari("2027-01-17", "2027-01-19", login='MinimumNights="YES"'))

    hotel = answer.find("Hotel").attrib
    assert hotel == {
        "id": "H1", "Name_h": "מלון שירת הגל", "Name_e": "Shirat HaGal Hotel", "Currency": "ILS",
    }  # fmt: skip
    double = answer.find("RoomType[@id='DBL']")
    assert double.attrib == {
        "id": "DBL", "Name_h": "חדר זוגי", "Name_e": "Double Room", "MinimumNights": "0",
    }  # fmt: skip
    inventory = double.find("Inventory").attrib
    assert inventory["maxavail"] == "12"
    assert 4 <= int(inventory["Allocation"]) <= 12
    prices = {price.get("board"): (price.get("value"), price.get("value_nrf")) for price in double.iterfind("price")}
    assert list(prices) == ["RO", "BB", "HB"]
    for usual, strict in prices.values():
        assert strict == f"{float(usual) * 0.9:.2f}"


@dataclass(frozen=True)
class Told:
    id: str
    ask: Asks
    rooms: list[str]


TOLD = [
    Told("a full night", lambda v: v.ari("2026-12-25", "2026-12-26"), []),
    Told("below the minimum stay, a Thursday", lambda v: v.ari("2026-12-03", "2026-12-04"), []),
    Told("closed to arrival, a Saturday", lambda v: v.ari("2026-12-05", "2026-12-06"), []),
    Told("a wrong rate code", lambda v: v.ari("2027-01-17", "2027-01-19", rate="USD"), []),
    Told("one room type", lambda v: v.ari("2027-01-17", "2027-01-19", room="SUITE"), ["SUITE"]),
    Told("the cheapest room type", lambda v: v.ari("2027-01-17", "2027-01-19", room="*MIN*", guests=(1, 0, 0)), ["DBL"]),
    Told("a family", lambda v: v.ari("2027-01-17", "2027-01-19", guests=(2, 3, 0)), ["FAM"]),
    Told("babies need cots", lambda v: v.ari("2027-01-17", "2027-01-19", guests=(2, 0, 2)), ["DLX", "FAM", "SUITE"]),
    Told("more than any room takes", lambda v: v.ari("2027-01-17", "2027-01-19", guests=(9, 0, 0)), []),
]  # fmt: skip


@pytest.mark.parametrize("told", TOLD, ids=lambda told: told.id)
def test_rooms_of_a_stay(told: Told, vendor: Any) -> None:
    answer = vendor.read(told.ask(vendor))
    assert [room.get("id") for room in answer.iterfind("RoomType")] == told.rooms


def test_one_board_or_the_cheapest_alone(vendor: Any) -> None:
    for code, expected in {"HB": "HB", "*MIN*": "RO"}.items():
        answer = vendor.read(vendor.ari("2027-01-17", "2027-01-19", room="DBL", board=code))
        assert [price.get("board") for price in answer.iter("price")] == [expected]


def test_an_area_answers_with_a_root_for_each_hotel(hotel_file: Path, vendor: Any, tmp_path: Path) -> None:
    other = Path(shutil.copy(hotel_file, tmp_path / "other.sqlite"))
    with MiniHotelServer({"H1": hotel_file, "H2": other}, username="desk", password="open & <sesame>") as server:
        vendor.server = server
        text = vendor.post(vendor.ari("2027-01-17", "2027-01-19", where='<Area id="IL"/>')).text
        both = vendor.read(vendor.ari("2027-01-17", "2027-01-19", where='<Hotel id="H2"/><Area id="IL"/>'))
        nowhere = vendor.post(vendor.ari("2027-01-17", "2027-01-19", where='<Area id="US"/>')).text

    assert text.count("<AvailRaters>") == 2
    assert text.count('<CancellPol Full="0002" OneNight="0007"') == 2
    assert both.find("Hotel").get("id") == "H2"
    assert nowhere.startswith("ERR 109:")


def test_every_night_of_a_period(vendor: Any) -> None:
    answer = vendor.read(vendor.bulk("2026-12-02", "2026-12-06", room="DBL"))

    room = answer.find("RoomTypes/RoomType")
    assert room.attrib == {"id": "DBL", "RoomName": "Double Room", "BasicOccupancy": "002"}
    days = {day.get("Mdate"): day.attrib for day in room.iterfind("Day")}
    assert list(days) == ["20261202", "20261203", "20261204", "20261205"]
    assert [day["Minngt"] for day in days.values()] == ["0", "2", "2", "0"]
    assert [day["McloseArr"] for day in days.values()] == ["No", "No", "No", "Yes"]
    assert set(days["20261202"]) == {
        "Mdate", "Mavailability", "Mprice", "Minngt", "Mclose", "McloseArr", "McloseDep",
        "ExtraAdultFee", "ExtraChildFee", "ExtraBabyFee", "SingleUse",
    }  # fmt: skip
    meals = {meal.get("MealId"): meal.find("Day").attrib for meal in answer.iterfind("Meals/Meal")}
    assert meals == {
        "B": {"Mdate": "20261202", "MealAdult": "45.00", "MealChild": "30.00", "MealBaby": "0.00"},
        "D": {"Mdate": "20261202", "MealAdult": "120.00", "MealChild": "65.00", "MealBaby": "0.00"},
    }


def test_minimum_nights_are_told_only_when_asked_for(vendor: Any) -> None:
    answer = vendor.read(vendor.ari("2026-12-03", "2026-12-04", guests=None, login='ResponseType="05"'))
    assert {day.get("Minngt") for day in answer.find("RoomTypes").iter("Day")} == {"0"}


def test_a_night_and_its_meals_add_up_to_the_stay(vendor: Any) -> None:
    stay = vendor.read(vendor.ari("2027-01-17", "2027-01-18", room="FAM", guests=(3, 1, 1), board="HB"))
    night = vendor.read(vendor.bulk("2027-01-17", "2027-01-18", room="FAM"))

    day = night.find("RoomTypes/RoomType/Day").attrib
    meals = [
        {name: float(value) for name, value in meal.find("Day").items() if name != "Mdate"}
        for meal in night.iter("Meal")
    ]
    room = float(day["Mprice"]) + float(day["ExtraAdultFee"]) + float(day["ExtraChildFee"]) + float(day["ExtraBabyFee"])
    board = sum(3 * meal["MealAdult"] + meal["MealChild"] + meal["MealBaby"] for meal in meals)
    assert float(stay.find("RoomType/price").get("value")) == room + board


def test_room_types_and_single_rooms(vendor: Any) -> None:
    types = vendor.read(vendor.settings("getRoomTypes"), ROOM_TYPES)
    every = vendor.read(vendor.settings("getRooms", "<room_number/>"), ROOMS)
    one = vendor.read(vendor.settings("getRooms", "<room_number>401</room_number>"), ROOMS)

    assert [each.text for each in types.iterfind("ArrayOfRoomTypes/RoomTypes/Type")] == [
        "DBL", "DLX", "TRP", "FAM", "SUITE", "ACC",
    ]  # fmt: skip
    assert len(list(every.iter("rm_number"))) == 28
    (room,) = one.iter("rnm_struct_room")
    assert (room.findtext("rm_number"), room.findtext("rm_type")) == ("401", "FAM")
    limits = {each.findtext("rgm_gst_type"): each.findtext("rgm_max") for each in room.iterfind("rec_rooms_gst_max")}
    assert limits == {"A": "4", "B": "2", "C": "3"}


@dataclass(frozen=True)
class Wrong:
    id: str
    ask: Asks
    code: str


WRONG = [
    Wrong("no XML", lambda v: "<AvailRaterq", "001"),
    Wrong("entities", lambda v: '<!DOCTYPE a [<!ENTITY b "c">]><AvailRaterq/>', "001"),
    Wrong("no dates", lambda v: v.ari("2027-01-17", "2027-01-19").replace("DateRange", "Dates"), "003"),
    Wrong("no guests", lambda v: v.ari("2027-01-17", "2027-01-19", guests=None), "004"),
    Wrong("nobody", lambda v: v.ari("2027-01-17", "2027-01-19", guests=(0, 1, 0)), "004"),
    Wrong("no hotel", lambda v: v.ari("2027-01-17", "2027-01-19", where=""), "009"),
    Wrong("an unknown hotel", lambda v: v.ari("2027-01-17", "2027-01-19", where='<Hotel id="X"/>'), "202"),
    Wrong("a wrong password", lambda v: v.ari("2027-01-17", "2027-01-19").replace("sesame", "barley"), "210"),
    Wrong("another notation", lambda v: v.ari("17/01/2027", "2027-01-19"), "101"),
    Wrong("no such day", lambda v: v.ari("2027-02-28", "2027-02-30"), "102"),
    Wrong("the wrong way round", lambda v: v.ari("2027-01-19", "2027-01-17"), "103"),
    Wrong("past", lambda v: v.ari("2026-11-19", "2026-11-21"), "106"),
    Wrong("21 nights", lambda v: v.ari("2027-01-01", "2027-01-22"), "107"),
    Wrong("no night", lambda v: v.ari("2027-01-17", "2027-01-17"), "108"),
    Wrong("two years", lambda v: v.bulk("2027-01-01", "2028-12-31"), "103"),
    Wrong("a wrong rate code in bulk", lambda v: v.bulk("2027-01-17", "2027-01-19", rate="USD"), "308"),
    Wrong("a wrong rate code of a booking", lambda v: v.booking("B-1", rate="USD"), "803"),
    Wrong("an unknown request", lambda v: "<Hello/>", "501"),
]


@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: wrong.id)
def test_what_is_wrong_is_told_as_html(wrong: Wrong, vendor: Any) -> None:
    answer = vendor.post(wrong.ask(vendor))
    assert answer.status_code == 200
    assert answer.headers["Content-Type"].startswith("text/html")
    assert answer.text.startswith(f"ERR {wrong.code}: ")


def test_the_content_api_tells_errors_in_xml(vendor: Any) -> None:
    answer = vendor.read(vendor.settings("getRoomTypes", hotel='<Hotel id="X"/>'), ROOM_TYPES)
    assert answer.find("Errors/Error").attrib == {"code": "202", "description": "Hotel not found."}


def test_a_form_is_a_server_fault(vendor: Any) -> None:
    answer = vendor.post(vendor.ari("2027-01-17", "2027-01-19"), content_type="application/x-www-form-urlencoded")
    assert answer.status_code == 500
    assert "Runtime Error" in answer.text


def test_the_vendors_test_host_takes_any_password(hotel_file: Path, vendor: Any) -> None:
    with MiniHotelServer({"H1": hotel_file}, username="desk", password="x", accepts_any_password=True) as server:
        vendor.server = server
        assert vendor.read(vendor.ari("2027-01-17", "2027-01-19")).find("RoomType") is not None


def test_a_request_of_twenty_nights_from_today_on_is_read(vendor: Any) -> None:
    assert vendor.read(vendor.ari("2026-11-20", "2026-12-10")).tag == "AvailRaters"


# Bookings


def confirmed(vendor: Any, *given: Any, **more: Any) -> list[dict[str, str]]:
    answer = vendor.read(vendor.booking(*given, **more))
    assert answer.tag == "BookingConfirmRQ"
    return [number.attrib for number in answer.iterfind("BookingConfirmNumbers/BookingConfirmNumber")]


def status(vendor: Any, name: str) -> list[dict[str, str]]:
    return [found.attrib for found in vendor.read(vendor.key(name), RESERVATION_KEY).iterfind("Booking")]


def sold(path: Path, room: str = "DBL") -> int:
    sql = "SELECT SUM(sold) FROM inventory WHERE room_type = ? AND date BETWEEN '2027-01-17' AND '2027-01-18'"
    with closing(sqlite3.connect(path)) as connection:
        return int(connection.execute(sql, (room,)).fetchone()[0])


def test_a_booking_from_start_to_end(vendor: Any, hotel_file: Path) -> None:
    before = sold(hotel_file)

    assert status(vendor, "B-1") == []
    (made,) = confirmed(vendor, "B-1")
    assert made == {"bookingID": "B-1", "resnumber": "007012540"}
    assert sold(hotel_file) == before + 2
    assert status(vendor, "B-1") == [
        {"Portal_reservation_id": "B-1", "Minihotel_reservation_id": "007012540", "Status": "OK"}
    ]
    found = vendor.read(vendor.key("B-1"), RESERVATION_KEY).find("Booking")
    assert found.find("RoomStays/RoomStay").get("roomTypeId") == "DBL"
    assert found.find("RoomStays/RoomStay/StayDate").attrib == {"arrival": "17/01/2027", "departure": "19/01/2027"}
    assert found.find("PrimaryGuest/Name").attrib == {"giveName": "D", "surname": "L"}
    assert confirmed(vendor, "B-1", "Modify", units=2) == [made]
    assert sold(hotel_file) == before + 4
    assert confirmed(vendor, "B-1", "Cancel") == [made]
    assert sold(hotel_file) == before
    assert status(vendor, "B-1")[0]["Status"] == "CL"


def test_an_empty_confirmation_says_neither_why_nor_changes_anything(vendor: Any, hotel_file: Path) -> None:
    confirmed(vendor, "B-1")
    taken = sold(hotel_file)

    assert confirmed(vendor, "B-1") == []
    assert confirmed(vendor, "") == []
    assert confirmed(vendor, "B-2", units=13) == []
    assert confirmed(vendor, "B-2", room="XYZ") == []
    assert confirmed(vendor, "B-2", "Modify") == []
    assert confirmed(vendor, "B-2", "Cancel") == []
    assert confirmed(vendor, "B-1", "Modify", units=13) == []
    broken = vendor.booking("B-3").replace("Total", "Sum")
    assert list(vendor.read(broken).find("BookingConfirmNumbers")) == []
    confirmed(vendor, "B-1", "Cancel")
    assert confirmed(vendor, "B-1", "Cancel") == []
    assert confirmed(vendor, "B-1") == []
    assert sold(hotel_file) == taken - 2
    assert [(known.booking_id, known.status) for known in vendor.server.bookings()] == [("B-1", "CL")]


# Faults


def test_a_dropped_booking_is_not_made_or_is(vendor: Any) -> None:
    vendor.server.faults.plan(Fault("drop_before", on="book"))
    vendor.server.faults.plan(Fault("drop_after", on="book"))
    for name in ("B-1", "B-2"):
        with pytest.raises(httpx.TransportError):
            vendor.post(vendor.booking(name))
    assert [known.booking_id for known in vendor.server.bookings()] == ["B-2"]


def test_a_late_booking_outlasts_its_client(vendor: Any) -> None:
    vendor.server.faults.plan(Fault("late_after", on="book"))
    with pytest.raises(httpx.ReadTimeout), httpx.Client(timeout=httpx.Timeout(HANGS_S, read=0.05)) as hasty:
        hasty.post(
            f"{vendor.server.url}/gds", content=vendor.booking("B-1").encode(), headers={"Content-Type": "text/xml"}
        )
    vendor.server.faults.let_go()
    while not (made := vendor.server.bookings()):
        time.sleep(0.01)
    assert [known.booking_id for known in made] == ["B-1"]


@dataclass(frozen=True)
class Spoiled:
    kind: FaultKind
    code: str
    seen: Callable[[httpx.Response], bool]


SPOILED = [
    Spoiled("html", "", lambda a: "<html>" in a.text and "html" in a.headers["Content-Type"]),
    Spoiled("empty", "", lambda a: a.text == ""),
    Spoiled("truncated", "", lambda a: a.text.startswith("<?xml") and not a.text.endswith("</AvailRaters>")),
    Spoiled("oversized", "", lambda a: len(a.content) > 16_000_000),
    Spoiled("doctype", "", lambda a: "<!DOCTYPE" in a.text and "<!ENTITY" in a.text),
    Spoiled("escaped", "", lambda a: a.text.startswith("<string") and "&lt;AvailRaters&gt;" in a.text),
    Spoiled("leading_space", "", lambda a: a.text.startswith(" \n<?xml")),
    Spoiled("err", "209", lambda a: a.text == "ERR 209: Too many requests."),
    Spoiled("content_err", "013", lambda a: '<Error code="013"' in a.text),
    Spoiled("status", "401", lambda a: a.status_code == 401),
    Spoiled("echo", "", lambda a: a.text.startswith("ERR 210:") and "&lt;sesame&gt;" in a.text),
]


@pytest.mark.parametrize("spoiled", SPOILED, ids=lambda spoiled: spoiled.kind)
def test_an_answer_is_spoiled_once(spoiled: Spoiled, vendor: Any) -> None:
    ask = vendor.ari("2027-01-17", "2027-01-19")
    vendor.server.faults.plan(Fault(spoiled.kind, on="immediate", code=spoiled.code))

    assert vendor.read(vendor.settings("getRoomTypes"), ROOM_TYPES).find("Errors") is None, "another kind is left alone"
    assert spoiled.seen(vendor.post(ask))
    assert vendor.read(ask).find("RoomType") is not None


def test_calls_are_counted_by_kind_and_fault(vendor: Any) -> None:
    vendor.server.faults.plan(Fault("html", on="book"))
    vendor.post(vendor.ari("2027-01-17", "2027-01-19"))
    vendor.post(vendor.booking("B-1"))

    assert [(call.kind, call.fault) for call in vendor.server.calls] == [("immediate", None), ("book", "html")]
    assert vendor.server.connections == 1
