"""What an answer is judged by: the kind of a request, read off its plan and its words."""

from typing import Any

import pytest
from desk_views import answered
from tables import table

from wavegraph.graph.model.judge import GENERAL, STANDARD
from wavegraph.tools.hotel.criteria import CRITERIA, KINDS, kind_of

NIGHTS = {"check_in": "2027-01-17", "check_out": "2027-01-19", "adults": 2}
STAY = ("stay", "get_availability", NIGHTS, {})
OPEN = ("open", "find_open_stays", NIGHTS, {})
QUOTE = ("quote", "quote_stay", NIGHTS, {})
INFO = ("info", "get_hotel_info", {"topic": "pool"}, {})
ROOMS = ("rooms", "get_rooms_info", {}, {})
HOLIDAY = ("holiday", "get_holiday", {"name": "Passover"}, {})
BOOK = ("book", "create_booking", {"quote_id": "Q-1"}, {})
CANCEL = ("cancel", "cancel_booking", {"reference": "WG-1"}, {})
FIND = ("find", "get_booking", {"reference": "WG-1"}, {})

KIND: list[tuple[str, list[Any], dict[str, Any], str]] = [
    ("a room 17-19 January", [STAY], {}, "availability"),
    ("a room 17-19 January", [OPEN], {}, "availability"),
    ("a room 17-19 January", [STAY], {"want": "cheapest"}, "price"),
    ("a room up to 1000 NIS", [STAY], {"budget": {"amount_agorot": 100_000, "per": "stay"}}, "price"),
    ("how much is a room 17-19 January?", [STAY], {}, "price"),
    ("your CHEAPEST room 17-19 January", [STAY], {}, "price"),
    ("כמה עולה חדר ב-17 בינואר?", [QUOTE], {}, "price"),
    ("17-19 January or a week later", [STAY], {"want": "compare"}, "comparison"),
    ("which is cheaper, 17 or 24 January?", [STAY], {}, "comparison"),
    ("מה יותר זול, חנוכה או פסח?", [HOLIDAY, STAY], {}, "comparison"),
    ("a room for Dana Levi", [STAY], {"want": "book"}, "booking"),
    ("how much? and book it for Dana Levi", [QUOTE, BOOK], {}, "booking"),
    ("cancel WG-1, Levi", [CANCEL], {}, "booking"),
    ("what does my booking WG-1 cost?", [FIND], {}, "booking"),
    ("is there a pool?", [INFO], {}, GENERAL),
    ("is there a pool?", [INFO], {"want": "book"}, GENERAL),
    ("a room 17-19 January, and is there a pool?", [STAY, INFO], {}, "availability"),
    ("how much is your double room?", [ROOMS], {}, GENERAL),
    ("when is Passover?", [HOLIDAY], {}, GENERAL),
    ("how much is a room?", [], {}, GENERAL),
    ("hello", [], {}, GENERAL),
]


@table(("text", "calls", "slots", "kind"), KIND)
def test_the_kind_of_a_request(text: str, calls: list[Any], slots: dict[str, Any], kind: str) -> None:
    view = answered(text, calls)
    view.plan["slots"] = slots
    assert kind_of(view) == kind


def test_a_call_that_failed_still_says_what_was_asked() -> None:
    view = answered("cancel WG-1, Levi", failed=[("cancel", "cancel_booking", {"reference": "WG-1"}, "not_found")])
    assert kind_of(view) == "booking"


def test_every_kind_is_judged_by_criteria_that_are_described_and_every_criterion_serves() -> None:
    used = {name for names in KINDS.values() for name in names}
    assert used == CRITERIA.keys()
    assert not used & STANDARD.keys()
    assert {kind for *_, kind in KIND} == KINDS.keys()


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != GENERAL])
def test_every_stay_has_a_way_round(kind: str) -> None:
    """Days and currency are code's in every statement, and are traced where somebody writes freely."""
    assert KINDS[kind][0] == "alternatives"
