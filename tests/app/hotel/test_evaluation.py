"""What the hotel's calls say in the words of files with expectations."""

from datetime import date
from typing import Any

import pytest
from tables import table

from wavegraph.app.evaluate.scores import Call
from wavegraph.app.hotel.evaluation import ASKS, booking_of, facts, is_relative, same_hint

HERE: dict[str, Any] = {"today": date(2026, 11, 20), "country": "IL"}
STAY = {"check_in": "2027-03-01", "check_out": "2027-03-04", "adults": 2}


def said(tool: str, args: dict[str, Any], *others: Call) -> dict[str, tuple[Any, ...]]:
    call = Call(tool=tool, args=args)
    return facts(call, [*others, call])


def test_children_are_counted_by_age() -> None:
    found = said("get_availability", {**STAY, "children_ages": [0, 1, 2, 9]})

    assert (found["children"], found["babies"], found["nights"]) == ((2,), (2,), (3,))


@pytest.mark.parametrize(
    ("adults", "rooms", "either"), [(6, 3, (6, 2)), (5, 2, (5,)), (2, None, (2,))], ids=("even", "uneven", "one room")
)
def test_adults_may_be_counted_by_room(adults: int, rooms: int | None, either: tuple[int, ...]) -> None:
    assert said("get_availability", {**STAY, "adults": adults, "rooms": rooms})["adults"] == either


def test_what_a_call_leaves_open_is_what_is_taken_for_it() -> None:
    found = said("get_availability", {"check_in": "2027-03-01", "children_ages": [None, 1]})

    given = {name: found[name] for name in ("check_out", "nights", "adults", "children", "babies")}
    assert given == {"check_out": ("2027-03-02",), "nights": (1,), "adults": (2,), "children": (1,), "babies": (1,)}


def test_a_booking_has_the_stay_of_its_own_quote() -> None:
    booking = {"quote_id": "Q-2", "guest_name": "Noa Bar"}
    other = Call(tool="quote_stay", args={**STAY, "check_in": "2027-02-01"}, data={"quote_id": "Q-1"})
    own = Call(tool="quote_stay", args=STAY, data={"quote_id": "Q-2"})

    found = said("create_booking", booking, other, own)
    assert (found["check_in"], found["adults"], found["guest_name"]) == (("2027-03-01",), (2,), ("Noa Bar",))
    assert "check_in" not in said("create_booking", booking, other)


def test_a_cancellation_names_its_guest_either_way() -> None:
    found = said("cancel_booking", {"reference": "WG-1", "surname_or_email": "Bar"})

    assert (found["reference"], found["surname"], found["email"]) == (("WG-1",), ("Bar",), ("Bar",))


@pytest.mark.parametrize("tool", ["resolve_date_hint", "get_holiday"])
def test_either_calendar_call_has_a_hint(tool: str) -> None:
    assert said(tool, {"hint" if tool == "resolve_date_hint" else "name": "Purim"})["hint"] == ("Purim",)


@table(
    ("expected", "given", "same"),
    [
        ("Purim", "purim 2027", True),
        ("פורים", "Purim", True),
        ("next weekend", "the weekend after this one", False),
        ("Purim", "Passover", False),
        ("something", "else", False),
    ],
)
def test_hints_are_the_same_by_words_or_by_dates(expected: str, given: str, same: bool) -> None:
    assert same_hint(expected, given, **HERE) is same


def test_only_holidays_must_be_looked_up() -> None:
    assert is_relative("calendar", {"hint": "next Monday"}, **HERE)
    assert not is_relative("calendar", {"hint": "Purim"}, **HERE)
    assert not is_relative("pms.get_availability", {"hint": "next Monday"}, **HERE)


def test_a_booking_is_known_by_its_reference() -> None:
    assert booking_of({"reference": "WG-1", "repeated": True}) == "WG-1"
    assert booking_of(None) is None


@table(
    ("question", "slots"),
    [
        ("Which dates would you like?", {"dates"}),
        ("And how many guests: adults, and children?", {"guests"}),
        ("כמה מבוגרים תהיו?", {"guests"}),
        ("לאילו תאריכים?", {"dates"}),
        ("Under which full name?", {"name"}),
        ("Please send me the booking number.", {"reference"}),
        ("The pool is open.", set()),
    ],
)
def test_questions_are_known_by_their_words(question: str, slots: set[str]) -> None:
    assert {slot for slot, pattern in ASKS.items() if pattern.search(question)} == slots
