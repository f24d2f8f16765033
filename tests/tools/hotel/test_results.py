"""Stored results as records again: those of this version, and those of the versions before."""

from pathlib import Path
from typing import Any

import pytest
from desk_views import answered, availability, booked, offer, quote

from wavegraph.tools.hotel.answers.booking import restate_booking
from wavegraph.tools.hotel.domain import hotel_domain
from wavegraph.tools.hotel.records import Availability, Booking, HotelInfo, HotelRecord, OpenStay, OpenStays, Quote
from wavegraph.tools.hotel.results import KINDS, asked_ends, opened, record_of, records, records_of

STAY = {"check_in": "2027-01-17", "check_out": "2027-01-19", "adults": 2}
FREE = availability("2027-01-17", "2027-01-19", offer("DBL", 130_000, 2))


def test_each_tool_is_read_as_what_it_declares(tmp_path: Path) -> None:
    declared = {name: tool.result_adapter._type for name, tool in hotel_domain(tmp_path).registry.items()}
    assert {name: declared[name] for name in KINDS} == KINDS
    assert set(declared) - set(KINDS) == {"resolve_date_hint"}


@pytest.mark.parametrize(
    ("kind", "stored"),
    [
        (Availability, FREE),
        (Quote, quote(offer("DLX", 182_000, 2))),
        (Booking, booked(quote(offer("DLX", 182_000, 2)))),
    ],
    ids=["availability", "quote", "booking"],
)
def test_what_was_stored_is_stored_again_as_it_was(kind: type[HotelRecord], stored: dict[str, Any]) -> None:
    again = opened(kind, stored).model_dump(mode="json")
    assert {name: again[name] for name in stored} == stored


def test_a_result_of_another_version_opens() -> None:
    later = ("count", "currency")
    first = {name: value for name, value in FREE["offers"][0].items() if name not in later}
    old = {**FREE, "offers": [{**first, "dropped_since": 1}], "dropped_since": {"a": 1}}
    del old["currency"], old["booking_link"], old["reason_nights"]
    assert opened(Availability, old).ways == opened(Availability, FREE).ways
    info = opened(HotelInfo, {"topic": "wifi", "found": False})
    assert (info.topics, info.contact) == ([], "")


def test_terms_that_wait_for_a_yes_open_without_the_end_of_their_offer() -> None:
    terms = {name: value for name, value in quote(offer("DLX", 182_000, 2)).items() if name != "expires_at"}
    text = restate_booking({"quote": terms, "guest": {"name": "Dana Levi"}}, "en")
    assert text.splitlines()[-1] == "- Name: Dana Levi"


def test_a_failed_call_and_a_tool_that_is_not_the_hotels_have_no_record() -> None:
    view = answered(
        "January 17-19",
        [("check_availability", "get_availability", STAY, FREE), ("mine", "tide_table", {}, {"high": "04:10"})],
        failed=[("again", "get_availability", {**STAY, "adults": 3}, "timeout")],
    )
    assert list(records(view.ledger)) == ["check_availability"]
    assert records_of(Booking, view.ledger) == []
    assert [record_of(outcome) is None for outcome in view.ledger["outcomes"].values()] == [False, True, True]


def test_an_open_stay_is_a_way_like_an_offer() -> None:
    stay = OpenStay.model_validate(
        {"check_in": "2027-01-17", "check_out": "2027-01-19", "nights": 2, "from_agorot": 90_000, "per_night_agorot": 45_000,
         "room_type": "DBL+FAM", "room_name": "Double Room + Family Suite", "room_name_he": "", "rate_plan": "BAR",
         "board": "BB", "refundable": False, "cancel_until": None}
    )  # fmt: skip
    assert (stay.total_agorot, stay.parts, stay.count) == (90_000, [stay], 1)
    assert not {"total_agorot", "parts", "count"} & set(stay.model_dump())
    assert not {"total_agorot", "parts", "count"} & set(
        OpenStays.model_json_schema()["$defs"]["OpenStay"]["properties"]
    )


@pytest.mark.parametrize(
    "args",
    [{}, {"check_in": {"ref": {"call": "dates", "path": "check_in"}}, "check_out": None},
     {"check_in": "soon", "check_out": "2027-01-19"}],
)  # fmt: skip
def test_a_call_without_dates_asks_for_no_stay(args: dict[str, Any]) -> None:
    assert asked_ends(args) is None
