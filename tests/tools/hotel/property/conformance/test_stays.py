"""Equal answers on stays from every adapter, in what it declares: rooms, prices, reasons, other dates, and what is refused."""

from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any

import pytest
from property_adapters import ADAPTERS, TODAY

from wavegraph.tools.hotel.property.capabilities import Capabilities
from wavegraph.tools.hotel.records import Availability, OpenStaysQuery, StayQuery

JANUARY = ("2027-01-17", "2027-01-19")


@dataclass(frozen=True)
class Case:
    """One stay. `rooms`: the types that answer it by themselves; `reason`: why none does."""

    id: str
    check_in: str
    check_out: str
    rooms: str = ""
    reason: str | None = None
    nights: int | None = None
    """Required by the reason."""
    adults: int = 2
    ages: tuple[int, ...] = ()
    hotel: str = "demo"
    more: dict[str, Any] = field(default_factory=dict)

    @property
    def query(self) -> StayQuery:
        given = {"check_in": self.check_in, "check_out": self.check_out, "adults": self.adults}
        return StayQuery.model_validate({**given, "children_ages": list(self.ages), **self.more})


EVERY = "ACC DBL DLX FAM SUITE TRP"
STAYS = [
    Case("one night", "2027-01-17", "2027-01-18", EVERY),
    Case("two nights", *JANUARY, EVERY),
    Case("20 nights", "2027-03-01", "2027-03-21", "DBL DLX FAM SUITE TRP"),
    Case("over the end of a year", "2026-12-30", "2027-01-02", "DBL DLX FAM SUITE TRP"),
    Case("over 29 February", "2028-02-28", "2028-03-01", "ACC DLX FAM SUITE TRP"),
    Case("arrival today", "2026-11-20", "2026-11-22", EVERY),
    Case("arrival the day after tomorrow", "2026-11-22", "2026-11-23", EVERY),
    Case("one adult", *JANUARY, EVERY, adults=1),
    Case("three adults", *JANUARY, "FAM SUITE TRP", adults=3),
    Case("a baby", *JANUARY, EVERY, ages=(1,)),
    Case("two babies", *JANUARY, "DLX FAM SUITE", ages=(0, 1)),
    Case("a child of the youngest age", *JANUARY, EVERY, ages=(2,)),
    Case("children of the oldest age", *JANUARY, "FAM", ages=(4, 9, 12)),
    Case("a child who pays as an adult", *JANUARY, "FAM SUITE TRP", ages=(13,)),
    Case("one parent with two", *JANUARY, EVERY, adults=1, ages=(1, 5, 7)),
    Case("a full night", "2026-12-25", "2026-12-26", reason="sold_out"),
    Case("a full night inside", "2026-12-24", "2026-12-27", reason="sold_out"),
    Case("below the minimum stay", "2026-12-03", "2026-12-04", reason="min_stay", nights=2),
    Case("below a holiday's", "2027-04-20", "2027-04-22", reason="min_stay", nights=3),
    Case("closed to arrival", "2026-12-05", "2026-12-06", reason="closed_arrival"),
    Case("closed to departure", "2027-10-07", "2027-10-11", reason="closed_departure"),
    Case("beyond the calendar that is sold", "2031-01-17", "2031-01-19", reason="not_on_sale"),
    Case("one room type", *JANUARY, "SUITE", more={"room_type": "SUITE"}),
    Case("one in small letters", *JANUARY, "SUITE", more={"room_type": "suite"}),
    Case("one that is closed", "2027-01-28", "2027-01-29", reason="not_on_sale", more={"room_type": "DBL"}),
    Case("half board", *JANUARY, EVERY, more={"board": "HB"}),
    Case("a board that is not sold", *JANUARY, reason="not_on_sale", more={"board": "FB"}),
    Case("two rooms", *JANUARY, "DBL DLX FAM TRP", adults=4, more={"rooms": 2}),
    Case("three of one type", *JANUARY, "DLX", adults=6, more={"rooms": 3, "room_type": "DLX"}),
    Case("euros", *JANUARY, "MAIS PENT STDQ", hotel="eur"),
    Case("yen", *JANUARY, "MAIS PENT STDQ", hotel="jpy"),
    Case("dinars", *JANUARY, "MAIS PENT STDQ", hotel="kwd"),
    Case("a family in dinars", *JANUARY, "MAIS", adults=3, ages=(1, 6), hotel="kwd"),
]  # fmt: skip


def told(found: Availability, can: Capabilities) -> dict[str, Any]:
    """What an answer says, as far as a property of these capabilities can say it."""
    offers = {}
    for offer in found.offers:  # the cheapest first
        offers.setdefault((offer.room_type, offer.count), (offer.total_agorot, offer.rooms_left, offer.currency))
    answer: dict[str, Any] = {
        "stay": (found.check_in, found.check_out, found.nights, found.adults, found.children_ages),
        "offers": offers,
        "currency": found.currency,
    }
    if not found.ways and found.reason in can.reasons:
        answer |= {"reason": found.reason, "nights": found.reason_nights}
        answer["refusals"] = {each.room_type: each.code for each in found.refusals}
    return answer


@pytest.mark.parametrize("case", STAYS, ids=lambda case: case.id)
def test_a_stay_is_answered_alike(case: Case, name: str, opens: Any) -> None:
    asked, reference = opens(name, case.hotel), opens("reference", case.hotel)
    found = asked(asked.adapter.availability(case.query, today=TODAY))
    right = reference(reference.adapter.availability(case.query, today=TODAY))

    assert told(found, asked.can) == told(right, asked.can)
    assert " ".join(sorted({offer.room_type for offer in found.offers})) == case.rooms
    if not case.rooms and case.reason in asked.can.reasons:
        assert (found.reason, found.reason_nights) == (case.reason, case.nights)
    assert all(offer.per_night_agorot * found.nights - offer.total_agorot < found.nights for offer in found.offers)


@pytest.mark.parametrize("room_type", ["DBL", "FAM"])
def test_boards_and_terms_of_a_room_are_priced_alike(room_type: str, name: str, opens: Any) -> None:
    """Every price that is told, not the cheapest alone."""
    asked, reference = opens(name, "demo"), opens("reference", "demo")
    query = Case("", *JANUARY, ages=(1, 5), more={"room_type": room_type}, adults=1).query

    def prices(each: Any) -> dict[Any, int]:
        found = each(each.adapter.availability(query, today=TODAY))
        return {(offer.board, offer.refundable): offer.total_agorot for offer in found.offers}

    assert prices(asked) == prices(reference)
    assert len(prices(asked)) == 6


@pytest.mark.parametrize("hotel", ["demo", "jpy", "kwd"])
def test_nights_add_up_to_the_stay(hotel: str, name: str, opens: Any) -> None:
    asked = opens(name, hotel)
    found = asked(asked.adapter.availability(Case("", "2027-01-17", "2027-01-20").query, today=TODAY))
    assert found.offers
    for offer in found.offers:
        assert (len(offer.nightly_agorot), sum(offer.nightly_agorot)) == (3, offer.total_agorot)


FAMILIES = {
    "in two rooms of a type": Case("", *JANUARY, adults=4, ages=(4, 9, 13)),
    "since the only type that takes them is full": Case("", "2027-01-10", "2027-01-13", ages=(4, 9, 12)),
    "in rooms of several types": Case("", *JANUARY, adults=9),
}


@pytest.mark.parametrize("family", FAMILIES)
def test_a_family_that_no_room_takes_is_given_several(family: str, name: str, opens: Any) -> None:
    """In as many rooms, at the same price; which types are mixed may differ where they cost the same."""
    asked, reference = opens(name, "demo"), opens("reference", "demo")
    query = FAMILIES[family].query
    found, right = (each(each.adapter.availability(query, today=TODAY)) for each in (asked, reference))

    assert (found.rooms, found.reason) == (right.rooms, None)
    assert told(found, asked.can)["offers"] == told(right, asked.can)["offers"]
    if asked.can.combinations:
        assert min(way.total_agorot for way in found.ways) == min(way.total_agorot for way in right.ways)


@dataclass(frozen=True)
class Refused:
    id: str
    case: Case
    code: str


REFUSED = [
    Refused("yesterday", Case("", "2026-11-19", "2026-11-21"), "past"),
    Refused("years ago", Case("", "2020-01-01", "2020-01-02"), "past"),
    Refused("out of the calendar", Case("", "9999-12-30", "9999-12-31"), "bad_dates"),
    Refused("21 nights", Case("", "2027-02-01", "2027-02-22"), "too_long"),
    Refused("a room type that is none", Case("", *JANUARY, more={"room_type": "XYZ"}), "not_found"),
    Refused("markup for a room type", Case("", *JANUARY, more={"room_type": '"/><RoomType id="*ALL*'}), "not_found"),
    Refused("more babies than cots in the hotel", Case("", *JANUARY, adults=20, ages=(0,) * 41), "occupancy"),
]  # fmt: skip


@pytest.mark.parametrize("refused", REFUSED, ids=lambda refused: refused.id)
def test_what_can_never_be_is_refused_alike(refused: Refused, name: str, opens: Any) -> None:
    asked = opens(name, "demo")
    assert asked.refused(asked.adapter.availability(refused.case.query, today=TODAY)) == refused.code


# Other dates


def window(first: str, last: str, nights: int, **more: Any) -> OpenStaysQuery:
    given = {"from_date": first, "to_date": last, "nights": nights, "adults": 2}
    return OpenStaysQuery.model_validate({**given, **more})


WINDOWS = {
    "around a full night": window("2026-12-20", "2026-12-31", 1, near="2026-12-25"),
    "a weekend": window("2026-12-01", "2026-12-20", 2, arrive_on=["thu"]),
    "a family": window("2027-01-10", "2027-01-24", 3, children_ages=[4, 9, 12]),
    "one room type": window("2027-01-10", "2027-01-24", 2, room_type="SUITE"),
    "half board": window("2027-01-10", "2027-01-24", 2, board="HB", limit=2),
    "from the past on": window("2026-11-01", "2026-11-29", 2),
    "over two Saturdays": window("2026-12-04", "2026-12-13", 1, limit=3, near="2026-12-05"),
}


@pytest.mark.parametrize("case", WINDOWS)
def test_open_stays_are_found_alike(case: str, name: str, opens: Any) -> None:
    """As many as are asked for may be too many to confirm: what an adapter gives are the first of the right ones."""
    asked, reference = opens(name, "demo"), opens("reference", "demo")
    found, right = (each(each.adapter.open_stays(WINDOWS[case], today=TODAY)) for each in (asked, reference))

    def stays(answer: Any) -> list[Any]:
        return [(stay.check_in, stay.check_out, stay.from_agorot, stay.currency) for stay in answer.stays]

    assert stays(found)
    assert stays(found) == stays(right)[: len(stays(found))]
    assert len(stays(found)) >= min(3, len(stays(right)))


@pytest.mark.parametrize(
    ("query", "code"),
    [(window("2027-01-01", "2027-02-28", 21), "too_long"), (window("2020-01-01", "2020-02-01", 2), "past")],
    ids=["too long", "past"],
)
def test_a_window_is_refused_alike(query: OpenStaysQuery, code: str, name: str, opens: Any) -> None:
    asked = opens(name, "demo")
    assert asked.refused(asked.adapter.open_stays(query, today=TODAY)) == code


# The hotel itself


def test_room_types_are_the_same(name: str, opens: Any) -> None:
    asked, reference = opens(name, "demo"), opens("reference", "demo")
    rooms, right = (each(each.adapter.rooms(today=TODAY)).rooms for each in (asked, reference))
    assert [(room.code, room.name) for room in rooms] == [(room.code, room.name) for room in right]
    if asked.can.details:
        assert rooms == right
    one = asked(asked.adapter.rooms("FAM", today=TODAY)).rooms
    assert [room.code for room in one] == ["FAM"]
    assert asked.refused(asked.adapter.rooms("XYZ", today=TODAY)) == "not_found"


def test_a_topic_that_nobody_wrote_is_not_invented(name: str, opens: Any) -> None:
    asked = opens(name, "demo")
    found = asked(asked.adapter.info("helicopter landing"))
    assert (found.found, found.text) == (False, "")


def test_todays_date_is_the_hotels(name: str, opens: Any) -> None:
    """A stay of today is sold to the end of the day there, and refused from midnight on."""
    asked = opens(name, "demo")
    case = Case("", "2026-11-22", "2026-11-23")
    assert asked(asked.adapter.availability(case.query, today=date(2026, 11, 22))).offers
    assert asked.refused(asked.adapter.availability(case.query, today=TODAY + timedelta(days=3))) == "past"


def test_every_adapter_joined() -> None:
    assert {"sandbox-sqlite", "minihotel"} <= set(ADAPTERS)
