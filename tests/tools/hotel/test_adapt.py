"""Ways round: which calls are proposed for which trouble. Expectations are worked out by hand."""

from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from desk_views import availability, offer, planning_view, quote
from tables import table

from wavegraph.graph.ledger import signature
from wavegraph.graph.state import Ledger, PlannedCall, ToolOutcome, empty_ledger
from wavegraph.graph.views import PlanningView
from wavegraph.tools.hotel.adapt import adapt

ERROR = {"code": "timeout", "message": "slow", "retryable": True}


def ran(ledger: Ledger, call_id: str, tool: str, args: dict[str, Any], data: Any = None, error: Any = None) -> None:
    """Put a call and its outcome into the ledger."""
    call: PlannedCall = {"id": call_id, "tool": tool, "args": args, "effect": "read", "plan": 1}
    outcome: ToolOutcome = {
        "tool": tool,
        "args": args,
        "status": "error" if error else "ok",
        "data": data,
        "error": error,
        "attempts": 1,
        "runs": 1,
        "plan": 1,
        "wave": 1,
        "elapsed_s": 0.0,
        "signature": signature(tool, args),
    }
    ledger["calls"][call_id] = call
    ledger["outcomes"][outcome["signature"]] = outcome


def full(
    check_in: str, check_out: str, *, reason: str = "sold_out", needs: int | None = None, **party: Any
) -> PlanningView:
    """A view after `check_availability` found nothing."""
    ledger = empty_ledger()
    args = {"check_in": check_in, "check_out": check_out, "adults": 2, "children_ages": [], **party}
    data = availability(check_in, check_out, reason=reason, needs=needs)
    ran(ledger, "check_availability", "get_availability", args, data)
    return troubled(ledger, "check_availability", "no_availability", reason)


def troubled(ledger: Ledger, call_id: str, kind: str, rule: str, *, today: date = date(2026, 11, 20)) -> PlanningView:
    issue: Any = {"type": kind, "tool_id": call_id, "message": rule, "severity": "warning", "rule": rule}
    feedback: Any = {"source": "results", "issues": [issue]}
    return replace(planning_view("…", today=today), ledger=ledger, feedback=feedback)


def proposals(view: PlanningView) -> dict[str, tuple[str, ...]]:
    """`id: (tool, from, to[, nights])` of every proposal."""
    found = adapt(view) or []
    assert all(call.get("instead_of") for call in found)
    return {call["id"]: short(call["tool"], call["args"]) for call in found}


def short(tool: str, args: dict[str, Any]) -> tuple[str, ...]:
    if tool == "find_open_stays":
        return tool, args["from_date"], args["to_date"], str(args["nights"])
    return tool, str(args.get("check_in")), str(args.get("check_out"))


@pytest.mark.parametrize("reason", ["sold_out", "closed_arrival", "closed_departure"])
def test_every_way_round_keeps_the_budget(reason: str) -> None:
    limit = {"max_price": 300.0, "per": "night", "currency": "ILS"}
    found = adapt(full("2026-12-12", "2026-12-15", reason=reason, **limit)) or []
    assert found
    assert all(limit.items() <= call["args"].items() for call in found)


def test_a_stay_longer_than_sold_is_looked_for_at_its_longest() -> None:
    ledger = empty_ledger()
    args = {"check_in": "2027-11-01", "check_out": "2027-12-01", "adults": 2, "children_ages": []}
    error = {
        "code": "too_long",
        "message": "30 nights are too many",
        "retryable": False,
        "limit": 20,
    }
    ran(ledger, "check_availability", "get_availability", args, error=error)

    assert proposals(troubled(ledger, "check_availability", "tool_error", "too_long")) == {
        "longest_stay": ("find_open_stays", "2027-11-01", "2027-12-01", "20"),
    }


def test_a_full_night_offers_the_days_around() -> None:
    assert proposals(full("2026-12-25", "2026-12-26")) == {
        "day_before": ("get_availability", "2026-12-24", "2026-12-25"),
        "day_after": ("get_availability", "2026-12-26", "2026-12-27"),
    }


def test_the_past_is_not_offered() -> None:
    assert list(proposals(full("2026-11-20", "2026-11-21"))) == ["day_after"]


def test_two_full_nights_offer_shorter_stays_too() -> None:
    assert proposals(full("2026-12-24", "2026-12-26"))["one_night_shorter"] == (
        "find_open_stays",
        "2026-12-24",
        "2026-12-26",
        "1",
    )


def with_refusals(view: PlanningView, *refusals: tuple[str, list[str]]) -> PlanningView:
    """The same where each room was refused for its own reason, on these dates."""
    (outcome,) = view.ledger["outcomes"].values()
    names = {"room_type": "DBL", "room_name": "Double Room", "room_name_he": "חדר זוגי"}
    outcome["data"]["refusals"] = [{**names, "code": code, "dates": dates} for code, dates in refusals]
    return view


def test_no_night_that_is_gone_is_looked_up_again() -> None:
    christmas = full("2026-12-24", "2026-12-27")
    assert proposals(with_refusals(christmas, ("sold_out", ["2026-12-25"]), ("occupancy", []))) == {
        "day_before": ("get_availability", "2026-12-22", "2026-12-25"),
        "day_after": ("get_availability", "2026-12-26", "2026-12-29"),
        "one_night_shorter": ("find_open_stays", "2026-12-24", "2026-12-27", "1"),
    }


def test_a_long_stay_without_a_night_left_is_looked_for_beside_it() -> None:
    week = with_refusals(full("2026-12-04", "2026-12-08"), ("sold_out", [f"2026-12-0{day}" for day in range(4, 8)]))
    assert proposals(week) == {
        "day_before": ("get_availability", "2026-11-30", "2026-12-04"),
        "day_after": ("get_availability", "2026-12-08", "2026-12-12"),
    }


def test_a_night_that_one_room_may_still_have_is_not_gone() -> None:
    christmas = full("2026-12-24", "2026-12-27")
    found = proposals(with_refusals(christmas, ("sold_out", ["2026-12-25"]), ("min_stay", ["2026-12-24"])))
    assert found["day_before"] == ("get_availability", "2026-12-23", "2026-12-26")
    assert found["two_nights_shorter"][-1] == "2"


def test_a_board_that_is_not_sold_is_looked_for_on_no_other_day() -> None:
    assert list(proposals(full("2027-01-15", "2027-01-16", reason="not_on_sale", board="FB"))) == ["any_room"]


def test_a_minimum_stay_is_met_on_both_sides_and_by_nothing_shorter() -> None:
    assert proposals(full("2026-12-31", "2027-01-01", reason="min_stay", needs=2)) == {
        "longer_stay": ("get_availability", "2026-12-31", "2027-01-02"),
        "longer_stay_from_earlier": ("get_availability", "2026-12-30", "2027-01-01"),
    }


def test_a_maximum_stay_is_looked_for_at_its_length() -> None:
    assert proposals(full("2027-01-03", "2027-01-10", reason="max_stay", needs=5)) == {
        "longest_stay": ("find_open_stays", "2027-01-03", "2027-01-10", "5"),
    }


CLOSED = {
    "next_arrival": ("find_open_stays", "2027-01-03", "2027-01-12", "2"),
    "day_before": ("get_availability", "2027-01-01", "2027-01-04"),
}
"""Arrivals on Saturday 2 January are closed: the next open one, and the day before, with every night asked for."""


def test_a_day_closed_to_arrival_leads_to_the_next_that_is_open() -> None:
    view = full("2027-01-02", "2027-01-04", reason="closed_arrival")
    assert proposals(view) == CLOSED
    (search, _) = adapt(view) or []
    assert search["args"]["near"] == "2027-01-03"


def test_a_minimum_stay_from_a_closed_day_begins_on_another() -> None:
    view = full("2027-01-02", "2027-01-03", reason="min_stay", needs=2)
    (outcome,) = view.ledger["outcomes"].values()
    outcome["data"]["arrival_closed"] = True
    assert proposals(view) == {**CLOSED, "day_before": ("get_availability", "2027-01-01", "2027-01-03")}


def test_no_night_that_is_gone_and_no_arrival_that_is_closed_is_proposed() -> None:
    """Of the double room the 3rd is gone; in no room can anybody arrive on the 2nd, as the request before has found."""
    of_double = with_refusals(full("2027-01-02", "2027-01-05", room_type="DBL"), ("sold_out", ["2027-01-03"]))
    (outcome,) = of_double.ledger["outcomes"].values()
    outcome["data"]["arrival_closed"] = True
    assert proposals(of_double).keys() == {"any_room", "next_arrival"}

    of_all = full("2027-01-02", "2027-01-05", reason="closed_arrival")
    (before,) = of_all.ledger["outcomes"].values()
    before["data"]["arrival_closed"] = True
    known = replace(of_double, previous=finished(of_all.ledger))
    assert proposals(known).keys() == {"next_arrival"}


def test_a_day_closed_to_departure_is_slept_through_or_left_before() -> None:
    assert proposals(full("2027-01-03", "2027-01-05", reason="closed_departure")) == {
        "night_longer": ("get_availability", "2027-01-03", "2027-01-06"),
        "night_shorter": ("get_availability", "2027-01-03", "2027-01-04"),
    }


FIVE = {"adults": 5, "rooms": 1}


@table(
    ("party", "proposed"),
    [
        (FIVE, {"as_many_rooms": {}}),
        ({**FIVE, "room_type": "DBL"}, {"as_many_rooms": {"room_type": "DBL"}, "any_room": {}}),
        (
            {**FIVE, "room_type": "DBL", "board": "HB"},
            {"as_many_rooms": {"room_type": "DBL", "board": "HB"}, "any_room": {"board": "HB"}, "any_board": {}},
        ),
        ({"adults": 5, "room_type": "ACC"}, {"any_room": {}}),
        ({"adults": 5}, {}),
    ],
)
def test_a_room_too_small_for_five_leads_to_several_on_the_same_dates(
    party: dict[str, Any], proposed: dict[str, dict[str, Any]]
) -> None:
    dates = {"check_in": "2027-01-17", "check_out": "2027-01-19"}
    found = adapt(full(*dates.values(), reason="occupancy", **party)) or []
    same = {**dates, "adults": 5, "children_ages": []}
    assert {call["id"]: call["args"] for call in found} == {name: {**same, **more} for name, more in proposed.items()}
    assert {call["tool"] for call in found} <= {"get_availability"}


def test_where_the_one_room_that_holds_them_is_gone_several_smaller_ones_are_looked_at_first() -> None:
    """The other room types are free, but too small for all of them."""
    four = full("2027-01-17", "2027-01-19", adults=4, rooms=1)
    mixed = with_refusals(four, ("sold_out", ["2027-01-17"]), ("occupancy", []))
    first = (adapt(mixed) or [])[0]
    assert (first["id"], first["tool"], first["args"].get("rooms")) == ("as_many_rooms", "get_availability", None)
    assert first["args"]["check_in"] == "2027-01-17"
    gone = with_refusals(full("2027-01-17", "2027-01-19", adults=4, rooms=1), ("sold_out", ["2027-01-17"]))
    assert "as_many_rooms" not in proposals(gone)


def test_a_quote_for_a_room_too_small_looks_at_several_rooms() -> None:
    ledger = empty_ledger()
    asked = {**WANTED, **FIVE}
    ran(ledger, "quote", "quote_stay", asked, error={"code": "occupancy", "message": "no", "retryable": False})
    assert proposals(troubled(ledger, "quote", "error", "occupancy")) == {
        "as_many_rooms": ("get_availability", "2027-01-17", "2027-01-19")
    }


def test_a_long_stay_is_looked_for_in_parts() -> None:
    assert proposals(full("2026-12-04", "2026-12-12")) == {
        "three_nights": ("find_open_stays", "2026-12-04", "2026-12-12", "3"),
        "two_nights": ("find_open_stays", "2026-12-04", "2026-12-12", "2"),
    }


@pytest.mark.parametrize(("reason", "needs"), [("sold_out", None), ("min_stay", 2), ("closed_arrival", None)])
def test_one_night_of_a_holiday_is_looked_for_over_all_of_it(reason: str, needs: int | None) -> None:
    view = full("2026-12-04", "2026-12-05", reason=reason, needs=needs)
    holiday = {"name": "Hanukkah", "check_in": "2026-12-04", "check_out": "2026-12-12", "dates": [], "nights": 8}
    ran(view.ledger, "get_holiday", "get_holiday", {"name": "Hanukkah"}, holiday)
    assert proposals(view)["one_night_over_the_holiday"] == ("find_open_stays", "2026-12-04", "2026-12-12", "1")


def test_a_search_in_vain_is_made_wider_once() -> None:
    asked = {"from_date": "2027-01-01", "to_date": "2027-02-01", "nights": 1, "adults": 2, "children_ages": []}
    friday, ledger = {**asked, "arrive_on": ["fri"]}, empty_ledger()
    ran(ledger, "search_stays", "find_open_stays", friday, {"type": "open_stays", **friday, "stays": []})
    found = adapt(troubled(ledger, "search_stays", "no_availability", "no_open_stay")) or []

    assert {call["id"]: call["args"] for call in found} == {
        "longer_stays": {**friday, "nights": 2},
        "any_day": asked,
    }


def test_a_filter_that_gave_nothing_is_dropped_first() -> None:
    (first, *_) = adapt(full("2027-01-17", "2027-01-19", room_type="SUITE")) or []
    assert first["id"] == "any_room"
    assert first["args"] == {"check_in": "2027-01-17", "check_out": "2027-01-19", "adults": 2, "children_ages": []}


def test_at_most_four_proposals_and_none_twice() -> None:
    view = full("2026-12-30", "2027-01-01", reason="min_stay", needs=3, room_type="DBL", board="HB")
    assert len(adapt(view) or []) == 4
    seen = full("2026-12-25", "2026-12-26")
    ran(
        seen.ledger,
        "other",
        "get_availability",
        {"check_in": "2026-12-24", "check_out": "2026-12-25", "adults": 2, "children_ages": []},
        availability("2026-12-24", "2026-12-25"),
    )
    assert list(proposals(seen)) == ["day_after"]


def test_the_budget_is_shared_between_issues() -> None:
    view = full("2026-12-25", "2026-12-26")
    args = {"check_in": "2026-12-31", "check_out": "2027-01-01", "adults": 2, "children_ages": []}
    nothing = availability("2026-12-31", "2027-01-01", reason="min_stay", needs=2)
    ran(view.ledger, "check_availability_2", "get_availability", args, nothing)
    other: Any = {**view.feedback["issues"][0], "tool_id": "check_availability_2"}  # type: ignore[index]
    feedback: Any = {**view.feedback, "issues": [*view.feedback["issues"], other]}  # type: ignore[dict-item, index]
    limited = replace(view, feedback=feedback, limits=replace(view.limits, max_tool_calls=4))
    assert {call.get("instead_of") for call in adapt(limited) or []} == {"check_availability", "check_availability_2"}


def test_a_passing_error_is_tried_again_under_a_new_id() -> None:
    ledger = empty_ledger()
    args = {"check_in": "2027-01-17", "check_out": "2027-01-19", "adults": 2, "children_ages": []}
    ran(ledger, "check_availability", "get_availability", args, error=ERROR)
    (again,) = adapt(troubled(ledger, "check_availability", "timeout", "timeout")) or []
    assert (again["id"], again["args"]) == ("check_availability_again", args)


def test_a_lasting_error_has_no_way_round() -> None:
    ledger = empty_ledger()
    args = {"check_in": "2027-01-17", "check_out": "2027-01-19", "adults": 2, "children_ages": []}
    ran(ledger, "check_availability", "get_availability", args, error={**ERROR, "code": "auth", "retryable": False})
    assert adapt(troubled(ledger, "check_availability", "error", "auth")) is None


def test_a_broken_calendar_has_a_second_door() -> None:
    ledger = empty_ledger()
    ran(
        ledger, "get_holiday", "get_holiday", {"name": "Hanukkah"}, error={**ERROR, "code": "crash", "retryable": False}
    )
    ref = {side: {"ref": {"call": "get_holiday", "path": side}} for side in ("check_in", "check_out")}
    ledger["calls"]["check_availability"] = {
        "id": "check_availability", "tool": "get_availability", "args": {**ref, "adults": 2}, "effect": "read", "plan": 1
    }  # fmt: skip
    hint, check = adapt(troubled(ledger, "get_holiday", "error", "crash")) or []
    assert (hint["tool"], hint["args"]) == ("resolve_date_hint", {"hint": "Hanukkah"})
    assert check["args"]["check_in"] == {"ref": {"call": "resolve_dates", "path": "stays[0].check_in"}}


@pytest.mark.parametrize("kind", ["unsatisfied", "unexpected_data"])
def test_other_issues_have_no_arithmetic(kind: str) -> None:
    view = full("2026-12-25", "2026-12-26")
    issue: Any = {**view.feedback["issues"][0], "type": kind}  # type: ignore[index]
    assert adapt(replace(view, feedback={**view.feedback, "issues": [issue]})) is None  # type: ignore[arg-type, misc]


WANTED = {"check_in": "2027-01-17", "check_out": "2027-01-19", "adults": 2, "children_ages": []}
GUEST = {"guest_name": "Dana Levi", "guest_email": "dana@example.com"}
CREATE = {"quote_id": {"ref": {"call": "quote", "path": "quote_id"}}, **GUEST}
RESOLVED = {"quote_id": "Q-AB12CD34EF", **GUEST}


def not_booked(code: str, *, quoted_before: bool = False) -> PlanningView:
    """A view after `create_booking` failed; the quote was given in this request, or in the one before."""
    ledger, earlier = empty_ledger(), empty_ledger()
    ran(earlier if quoted_before else ledger, "quote", "quote_stay", WANTED, quote(offer("DLX", 182_000, 2)))
    error = {"code": code, "message": "no", "retryable": code == "rate_limited"}
    ran(ledger, "create_booking", "create_booking", RESOLVED, error=error)
    if not quoted_before:
        ledger["calls"]["create_booking"]["args"] = CREATE
    return replace(troubled(ledger, "create_booking", "error", code), previous=finished(earlier))


def finished(ledger: Ledger) -> Any:
    """The request before, with what it has run."""
    request = {"id": "p", "number": 1, "text": "", "language": "en"}
    return {"request": request, "plan": {"tools": [], "slots": {}}, "ledger": ledger, "outcome": None}


@pytest.mark.parametrize("code", ["price_changed", "quote_expired"])
@pytest.mark.parametrize("quoted_before", [False, True])
def test_an_offer_that_lapsed_is_quoted_and_booked_anew(code: str, quoted_before: bool) -> None:
    again, create = adapt(not_booked(code, quoted_before=quoted_before)) or []
    assert (again["tool"], again["args"]["room_type"], again["args"]["rate_plan"]) == ("quote_stay", "DLX", "BAR")
    assert again["args"] != WANTED
    assert create["args"] == {"quote_id": {"ref": {"call": "quote_again", "path": "quote_id"}}, **GUEST}
    assert {again["instead_of"], create["instead_of"]} == {"create_booking"}
    assert (again["id"], create["id"]) == ("quote_again", "create_booking_again")


def test_ids_of_a_third_offer_are_new() -> None:
    view = not_booked("price_changed")
    for call_id in ("quote_again", "create_booking_again"):
        view.ledger["calls"][call_id] = {**view.ledger["calls"]["quote"], "id": call_id}
    again, create = adapt(view) or []
    assert (again["id"], create["id"]) == ("quote_again_2", "create_booking_again_2")
    assert create["args"]["quote_id"] == {"ref": {"call": "quote_again_2", "path": "quote_id"}}


def test_a_room_gone_before_the_yes_offers_other_dates_and_books_none() -> None:
    found = adapt(not_booked("sold_out")) or []
    assert {call["tool"] for call in found} == {"get_availability", "find_open_stays"}
    assert {call["instead_of"] for call in found} == {"create_booking"}


@pytest.mark.parametrize(
    ("code", "departure"), [("sold_out", "2027-01-18"), ("min_stay", "2027-01-18"), ("closed_arrival", "2027-01-19")]
)
def test_no_offer_at_all_looks_around_too(code: str, departure: str) -> None:
    ledger = empty_ledger()
    ran(ledger, "quote", "quote_stay", WANTED, error={"code": code, "message": "no", "retryable": False})
    found = proposals(troubled(ledger, "quote", "error", code))
    assert found["day_before"] == ("get_availability", "2027-01-16", departure)
    assert not {"create_booking", "quote_stay"} & {row[0] for row in found.values()}


def test_a_slow_quote_is_asked_for_again_with_its_booking() -> None:
    ledger = empty_ledger()
    ran(ledger, "quote", "quote_stay", WANTED, error=ERROR)
    ledger["calls"]["create_booking"] = {"id": "create_booking", "tool": "create_booking", "args": CREATE,
                                         "effect": "write", "plan": 1}  # fmt: skip
    again, create = adapt(troubled(ledger, "quote", "timeout", "timeout")) or []
    assert (again["id"], again["args"]) == ("quote_again", WANTED)
    assert create["args"]["quote_id"] == {"ref": {"call": "quote_again", "path": "quote_id"}}


@table("code", ["write_unknown", "timeout", "approval_impossible", "idempotency_conflict"])
@table("tool", ["create_booking", "cancel_booking"])
def test_a_write_is_never_sent_again_but_reception_is_named(code: str, tool: str) -> None:
    ledger = empty_ledger()
    ran(ledger, tool, tool, RESOLVED, error={"code": code, "message": "no", "retryable": True})
    found = adapt(troubled(ledger, tool, "error", code)) or []
    assert [(call["tool"], call.get("instead_of")) for call in found] == [("get_hotel_info", None)]


@pytest.mark.parametrize("code", ["rejected", "not_found", "past", "rate_limited"])
def test_a_no_is_not_worked_around(code: str) -> None:
    assert adapt(not_booked(code)) is None
