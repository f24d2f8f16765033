"""A hotel on EzGo, asked by the real SOAP client over loopback."""

import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from ezgo_server import Ezgo, EzgoServer, Reply, Room, failed, found, wsdl

from wavegraph.graph.errors import SettingsError, ToolRefusal
from wavegraph.tools.hotel.configuration.entry import PropertyEntry
from wavegraph.tools.hotel.ezgo import service
from wavegraph.tools.hotel.ezgo.property import EzgoProperty
from wavegraph.tools.hotel.property.credentials import EnvironmentSecrets
from wavegraph.tools.hotel.property.port import Property
from wavegraph.tools.hotel.records import Guest, OpenStaysQuery, QuoteQuery, StayQuery

TODAY, NOW = date(2026, 11, 20), datetime(2026, 11, 20, 12, tzinfo=UTC)
PASSWORD = "q7Zr&pW<x2"
STAY = StayQuery(check_in=date(2026, 12, 4), check_out=date(2026, 12, 6), adults=2)
WINDOW = OpenStaysQuery(from_date=date(2026, 12, 1), to_date=date(2026, 12, 31), nights=2, adults=2)


@pytest.fixture
def ezgo() -> Iterator[Ezgo]:
    with EzgoServer() as server:
        server.ezgo.url = server.url  # type: ignore[attr-defined]
        yield server.ezgo


@pytest.fixture
def hotel(ezgo: Ezgo) -> EzgoProperty:
    return adapter(ezgo)


def adapter(ezgo: Ezgo, **lines: Any) -> EzgoProperty:
    given = {"id": "inn", "pms_type": "ezgo", "hotel_id": "5", "pms_agency_channel_id": 77, "host": ezgo.url, **lines}  # type: ignore[attr-defined]
    secrets = EnvironmentSecrets({"INN_USERNAME": "clerk-of-inn", "INN_PASSWORD": PASSWORD})
    return EzgoProperty(PropertyEntry(**given), secrets=secrets, data_dir=Path(), now=lambda: NOW)


async def test_it_is_a_property_that_declares_what_it_cannot_do(hotel: EzgoProperty) -> None:
    assert isinstance(hotel, Property)
    able = hotel.capabilities
    assert [able.holds, able.bookings, able.writes, able.policies, able.details, *able.reasons] == [False] * 5
    assert hotel.profile().record.pms_type == "ezgo"


async def test_a_search_is_sent_as_its_clients_send_it(ezgo: Ezgo, hotel: EzgoProperty) -> None:
    await hotel.availability(STAY.model_copy(update={"children_ages": [1, 5, 16]}), today=TODAY)
    [asked] = ezgo.searches
    assert asked == {
        "Id_AgencyChannel": "77", "sUsrName": "clerk-of-inn", "sPwd": PASSWORD, "Year": "2026", "Month": "12", "Day": "4",
        "iNights": "2", "Id_Agency": "0", "ID_Region": "0", "Id_Hotel": "5", "iRoomTypeCode": "0", "eBoardBase": "NotSet",
        "eBoardBaseOption": "AllCombination", "eRoomTypeCodeOption": "AllCombination", "eDomesticIncoming": "Domestic",
        "iAdults": "3", "iChilds": "1", "iInfants": "1", "eCurrency": "ILS", "bDailyPrice": "false", "bVerbal": "false",
    }  # fmt: skip


@dataclass(frozen=True)
class Answered:
    id: str
    rooms: tuple[Room, ...]
    offers: list[tuple[str, str, int, int]]
    """Room type, board, total in agorot, rooms left."""
    hotel: int = 5


ANSWERED = [
    Answered("one room", (Room(),), [("101", "BB", 90_000, 3)]),
    Answered("several, cheapest first", (Room(), Room(102, "RO", price="750.5")), [("102", "RO", 75_050, 3), ("101", "BB", 90_000, 3)]),
    Answered("an odd amount is rounded to the agora", (Room(price="0.285"),), [("101", "BB", 29, 3)]),
    Answered("the cheapest of two alike", (Room(price="900"), Room(price="880")), [("101", "BB", 88_000, 3)]),
    Answered("none free", (Room(free="0"),), []),
    Answered("no price", (Room(price="0"),), []),
    Answered("a board that is not known", (Room(board="NotSet"),), []),
    Answered("no rooms", (), []),
    Answered("another hotel's", (Room(),), [], hotel=6),
]  # fmt: skip


@pytest.mark.parametrize("case", ANSWERED, ids=lambda case: case.id)
async def test_a_search_is_answered(case: Answered, ezgo: Ezgo, hotel: EzgoProperty) -> None:
    ezgo.reply = lambda asked: found(*case.rooms, hotel=case.hotel)
    answer = await hotel.availability(STAY, today=TODAY)

    assert [(o.room_type, o.board, o.total_agorot, o.rooms_left) for o in answer.offers] == case.offers
    assert all(sum(offer.nightly_agorot) == offer.total_agorot for offer in answer.offers)
    assert (answer.reason, answer.refusals, answer.combinations) == (None, [], [])


async def test_a_list_of_one_may_be_an_object(ezgo: Ezgo, hotel: EzgoProperty) -> None:
    ezgo.describes = lambda url: wsdl(url, most="1")
    assert [offer.room_type for offer in (await hotel.availability(STAY, today=TODAY)).offers] == ["101"]


async def test_no_hotel_at_all_is_no_offer(ezgo: Ezgo, hotel: EzgoProperty) -> None:
    ezgo.reply = lambda asked: "<Error><iErrorId>0</iErrorId></Error>"
    assert (await hotel.availability(STAY, today=TODAY)).offers == []


async def test_several_rooms_are_priced_as_equal_ones(ezgo: Ezgo, hotel: EzgoProperty) -> None:
    four = STAY.model_copy(update={"adults": 4, "rooms": 2})
    [offer] = (await hotel.availability(four, today=TODAY)).offers
    assert (offer.count, offer.total_agorot, ezgo.searches[0]["iAdults"]) == (2, 180_000, "2")
    ezgo.reply = lambda asked: found(Room(free="1"))
    assert (await hotel.availability(four, today=TODAY)).offers == []
    with pytest.raises(ToolRefusal, match="ask for each of the 2 rooms") as refused:
        await hotel.availability(STAY.model_copy(update={"adults": 3, "rooms": 2}), today=TODAY)
    assert refused.value.code == "occupancy"


async def test_other_dates_are_asked_about_one_by_one(ezgo: Ezgo, hotel: EzgoProperty) -> None:
    ezgo.reply = lambda asked: found(*([Room(price=f"{asked['Day']}00")] if asked["Day"] in ("9", "11") else []))
    near = WINDOW.model_copy(update={"near": date(2026, 12, 10)})
    answer = await hotel.open_stays(near, today=TODAY)

    assert [(stay.check_in.day, stay.from_agorot) for stay in answer.stays] == [(9, 90_000), (11, 110_000)]
    assert (answer.searched, len(ezgo.searches)) == (7, 7)
    assert (answer.from_date, answer.to_date) == (date(2026, 12, 7), date(2026, 12, 15))
    fridays = await hotel.open_stays(WINDOW.model_copy(update={"arrive_on": ["fri"], "order": "cheapest"}), today=TODAY)
    assert [stay.check_in.day for stay in fridays.stays] == [11]
    assert (fridays.from_date, fridays.to_date, fridays.searched) == (date(2026, 12, 4), date(2026, 12, 27), 4)
    over = await hotel.open_stays(WINDOW, today=date(2027, 1, 5))
    assert (over.searched, over.stays, over.from_date) == (0, [], WINDOW.from_date)


@pytest.mark.parametrize(
    ("check_in", "nights", "code"), [(date(2026, 11, 19), 1, "past"), (date(2026, 12, 4), 21, "too_long")]
)
async def test_a_stay_that_cannot_be_is_not_asked_about(
    check_in: date, nights: int, code: str, ezgo: Ezgo, hotel: EzgoProperty
) -> None:
    stay = StayQuery(check_in=check_in, check_out=date.fromordinal(check_in.toordinal() + nights), adults=2)
    with pytest.raises(ToolRefusal) as refused:
        await hotel.availability(stay, today=TODAY)
    assert (refused.value.code, ezgo.searches) == (code, [])


async def test_rooms_are_known_by_the_names_in_the_file(ezgo: Ezgo, hotel: EzgoProperty) -> None:
    [offer] = (await hotel.availability(STAY, today=TODAY)).offers
    assert (offer.room_name, offer.room_name_he) == ("Room type 101", "סוג חדר 101")
    with pytest.raises(ToolRefusal, match="does not describe its rooms"):
        await hotel.rooms(today=TODAY)

    named = adapter(ezgo, room_names={"101": "Garden Room"}, phone="04-555 01 00")
    [offer] = (await named.availability(STAY.model_copy(update={"room_type": "101"}), today=TODAY)).offers
    assert (offer.room_name, ezgo.searches[-1]["iRoomTypeCode"]) == ("Garden Room", "101")
    assert [room.name for room in (await named.rooms(today=TODAY)).rooms] == ["Garden Room"]
    for unknown in ("SUITE", "102"):
        with pytest.raises(ToolRefusal, match=f"no room type '{unknown}'"):
            await named.rooms(unknown, today=TODAY)
    with pytest.raises(ToolRefusal, match="they have numbers"):
        await named.availability(STAY.model_copy(update={"room_type": "SUITE"}), today=TODAY)


async def test_what_the_file_says_is_told(ezgo: Ezgo) -> None:
    hotel = adapter(ezgo, check_in="14:00", links={"spa": "https://inn.example/spa"}, phone="04-555 01 00")
    assert "14:00" in (await hotel.info("When is check-in?")).text
    assert "https://inn.example/spa" in (await hotel.info("spa")).text
    unknown = await hotel.info("parking")
    assert (unknown.found, unknown.topics, unknown.contact) == (
        False,
        ["check-in", "check-out", "children", "spa"],
        "04-555 01 00",
    )


@pytest.mark.parametrize(
    "call",
    [
        lambda hotel: hotel.quote(QuoteQuery(**STAY.model_dump()), today=TODAY),
        lambda hotel: hotel.hold("Q-1", Guest(name="Dana"), minutes=5, today=TODAY),
        lambda hotel: hotel.book("Q-1", Guest(name="Dana"), today=TODAY),
        lambda hotel: hotel.booking("WG-1", "Levi"),
        lambda hotel: hotel.cancellation("WG-1", "Levi", today=TODAY),
        lambda hotel: hotel.cancel("WG-1", "Levi", today=TODAY),
    ],
    ids=["quote", "hold", "book", "booking", "cancellation", "cancel"],
)
async def test_writes_are_refused_in_words(call: Callable[[EzgoProperty], Any], ezgo: Ezgo) -> None:
    hotel = adapter(ezgo, phone="04-555 01 00")
    with pytest.raises(ToolRefusal, match=r"cannot be .* from here; ask the hotel: 04-555 01 00"):
        await call(hotel)
    assert (await hotel.booking_of("Q-1", Guest(name="Dana")), await hotel.holds(), ezgo.searches) == (None, [], [])


@dataclass(frozen=True)
class Faulty:
    id: str
    code: str
    reply: str | Reply = ""
    describes: str | Reply = ""


FAULTS = [
    Faulty("error number", "bad_response", failed(12, f"no agent clerk-of-inn {PASSWORD}")),
    Faulty("no error record", "bad_response", "<aHotels/>"),
    Faulty("an amount that is none", "bad_response", found(Room(price="NaN"))),
    Faulty("a page", "bad_response", (200, "<html><body>Maintenance</body></html>")),
    Faulty("no XML", "bad_response", (200, f"user {PASSWORD} unknown")),
    Faulty("nothing", "bad_response", (200, "")),
    Faulty("an entity", "bad_response", (200, '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>')),
    Faulty("broken down", "bad_response", (500, "")),
    Faulty("elsewhere", "bad_response", (307, "")),
    Faulty("too much", "bad_response", (200, "x" * (service.LARGEST + 1))),
    Faulty("address not allowed", "ip_not_allowed", (403, "")),
    Faulty("too often", "rate_limited", (429, "")),
    Faulty("no description", "bad_response", describes=(404, "")),
    Faulty("description not allowed", "ip_not_allowed", describes=(403, "")),
    Faulty("another description", "bad_response", describes=wsdl("http://x", operation="Other")),
    Faulty("a description of files", "bad_response",
           describes=wsdl("http://x").replace("<w:types>", '<w:import namespace="a" location="file:///etc/passwd"/><w:types>')),
]  # fmt: skip


@pytest.mark.parametrize("case", FAULTS, ids=lambda case: case.id)
async def test_a_fault_is_a_refusal_without_the_login(case: Faulty, ezgo: Ezgo, hotel: EzgoProperty) -> None:
    if case.describes:
        ezgo.describes = lambda url: case.describes
    else:
        ezgo.reply = lambda asked: case.reply
        ezgo.redirects_to = "/elsewhere" if case.id == "elsewhere" else ""
    with pytest.raises(ToolRefusal) as refused:
        await hotel.availability(STAY, today=TODAY)
    said = f"{refused.value} {getattr(refused.value, 'detail', '')}"
    assert refused.value.code == case.code, said
    assert PASSWORD not in said
    assert "clerk-of-inn" not in said


async def test_the_login_goes_only_to_the_configured_host(ezgo: Ezgo, hotel: EzgoProperty) -> None:
    """Whatever address the description names."""
    ezgo.describes = lambda url: wsdl("http://127.0.0.1:9/evil.asmx")
    assert (await hotel.availability(STAY, today=TODAY)).offers != []


async def test_a_service_that_does_not_answer_in_time(
    ezgo: Ezgo, hotel: EzgoProperty, monkeypatch: pytest.MonkeyPatch
) -> None:
    ezgo.stalls = threading.Event()
    monkeypatch.setattr(service, "READ_S", 0.05)
    try:
        with pytest.raises(ToolRefusal) as refused:
            await hotel.availability(STAY, today=TODAY)
    finally:
        ezgo.stalls.set()
    assert (refused.value.code, refused.value.retryable) == ("timeout", True)


async def test_nobody_listens(ezgo: Ezgo) -> None:
    with EzgoServer() as gone:
        url = gone.url
    hotel = adapter(ezgo, host=url)
    with pytest.raises(ToolRefusal, match="cannot be reached") as refused:
        await hotel.availability(STAY, today=TODAY)
    assert refused.value.code == "timeout"


async def test_without_a_login_or_zeep_the_way_out_is_named(
    ezgo: Ezgo, hotel: EzgoProperty, monkeypatch: pytest.MonkeyPatch
) -> None:
    hotel._service._secrets = EnvironmentSecrets({"INN_USERNAME": "clerk"})
    with pytest.raises(SettingsError, match="set INN_PASSWORD"):
        await hotel.check()
    monkeypatch.setitem(sys.modules, "zeep", None)
    with pytest.raises(SettingsError, match=r"pip install 'wavegraph\[ezgo\]'"):
        adapter(ezgo)


async def test_the_check_is_a_search(ezgo: Ezgo, hotel: EzgoProperty) -> None:
    await hotel.check()
    [asked] = ezgo.searches
    assert (asked["Day"], asked["Month"], asked["iNights"]) == ("20", "12", "1")
    await hotel.close()
