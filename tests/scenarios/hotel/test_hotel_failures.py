"""What the hotel says and does when its property system or its calendar fails."""

import asyncio
import re
from math import inf
from pathlib import Path
from typing import Any

import pytest
from hotel_runs import OUTLASTS, PATIENT, FaultyProperty, asked, domain_of, said, waves
from runs import compiled

from wavegraph import SettingsError, ToolRefusal
from wavegraph.testing import ScriptedPlanner, call, planning
from wavegraph.tools.hotel import dates
from wavegraph.tools.hotel.property.port import Property

REQUEST = "Check availability for January 17-19, 2 adults"
UNREACHED = "couldn't reach the reservation system"


def failing(adapter: Property, *acts: BaseException | float) -> tuple[FaultyProperty, Any]:
    faulty = FaultyProperty(adapter, *acts)
    return faulty, domain_of(faulty)


def test_a_passing_error_is_tried_again_inside_the_call(adapter: Property) -> None:
    faulty, domain = failing(adapter, ConnectionError("reset"))
    ended = asked(domain, REQUEST)

    assert (ended["adaptations"], ended["tools_executed"], ended["outcome"]) == (0, 1, "answered")
    assert ended["results"]["check_availability"]["attempts"] == len(faulty.asked) == 2


def test_an_error_that_stays_is_asked_again_once_as_a_new_call(adapter: Property) -> None:
    bad = ToolRefusal("bad_response", "not JSON", retryable=True)
    faulty, domain = failing(adapter, bad, bad)
    ended = asked(domain, REQUEST)

    assert (ended["adaptations"], len(faulty.asked)) == (1, 3)
    assert waves(ended) == [["check_availability"], ["check_availability_again"]]
    assert "702 NIS in total" in ended["answer"]


def test_a_calendar_that_fails_is_replaced_by_the_other_one(data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any, **__: Any) -> Any:
        raise ValueError("no such table")

    monkeypatch.setattr(dates, "holiday", broken)
    ended = asked(data_dir, "Is there a room for Hanukkah?", max_adaptations=2)

    assert waves(ended)[:3] == [["get_holiday"], ["resolve_dates"], ["check_availability_again"]]
    assert ended["results"]["check_availability_again"]["args"]["check_in"] == "2026-12-04"
    assert "no such table" not in ended["answer"]


def test_a_time_out_is_tried_again_with_a_longer_limit(adapter: Property) -> None:
    faulty, domain = failing(adapter, OUTLASTS[0])
    ended = asked(domain, REQUEST, **PATIENT)

    assert (ended["adaptations"], len(faulty.asked), ended["outcome"]) == (1, 2, "answered")
    assert "702 NIS in total" in ended["answer"]


def test_lasting_time_outs_are_reported_honestly(adapter: Property) -> None:
    ended = asked(failing(adapter, *OUTLASTS)[1], REQUEST, **PATIENT)

    assert ended["outcome"] == "failed"
    assert UNREACHED in ended["answer"]
    assert "available" not in ended["answer"]


def test_a_refused_login_shows_no_code_and_no_user(adapter: Property) -> None:
    wrong = ToolRefusal("auth", "ERR 210: Wrong user 'grandhotel', password 'hunter2'")
    faulty, domain = failing(adapter, wrong, wrong)
    ended = asked(domain, REQUEST)

    assert ended["outcome"] == "failed"
    assert len(faulty.asked) == 1
    assert UNREACHED in ended["answer"]
    assert "Sunday 17 January – Tuesday 19 January 2027" in ended["answer"]
    assert not re.search(r"210|ERR|auth|grandhotel|hunter2", ended["answer"])


def test_a_failing_stay_leaves_the_other_one(adapter: Property) -> None:
    wrong = ToolRefusal("auth", "ERR 210")
    ended = asked(failing(adapter, wrong)[1], "Check January 17-19 and January 24-26, 2 adults")

    assert ended["outcome"] == "partial"
    assert UNREACHED in ended["answer"]
    assert "NIS in total" in ended["answer"]


def test_a_tool_that_breaks_gives_its_kind_of_error_only(adapter: Property) -> None:
    ended = asked(failing(adapter, RuntimeError("password=hunter2"))[1], REQUEST)

    assert ended["results"]["check_availability"]["error"]["message"] == "get_availability failed with RuntimeError"
    assert "hunter2" not in str(ended.state)
    assert UNREACHED in ended["answer"]


def test_an_unknown_property_stops_the_run_and_names_the_known_ones(data_dir: Path) -> None:
    with pytest.raises(SettingsError, match=r"unknown property_id 'ritz'; known: sandbox"):
        asked(data_dir, REQUEST, property_id="ritz")


def test_a_plan_broken_twice_ends_in_an_answer(data_dir: Path) -> None:
    broken = planning(call("x", "get_availability", check_in="2027-01-17", check_out="2027-01-15", adults=2))
    ended = asked(data_dir, REQUEST, planner=ScriptedPlanner(broken, broken))

    assert ended["tools_executed"] == 0
    assert ended["outcome"] in ("failed", "partial")
    assert ended["answer"]


STAY = {"check_in": "2027-01-17", "check_out": "2027-01-19", "adults": 2}


def test_a_room_that_the_hotel_does_not_have_is_no_outage(data_dir: Path) -> None:
    castle = planning(call("x", "get_availability", **STAY, room_type="castle"))
    ended = asked(data_dir, REQUEST, planner=ScriptedPlanner(castle, planning()))

    assert "we have no room type called “castle”" in ended["answer"]
    assert UNREACHED not in ended["answer"]


def test_a_room_found_by_its_own_name_after_all_is_told_alone(data_dir: Path) -> None:
    castle = planning(call("x", "get_availability", **STAY, room_type="castle"))
    double = planning({**call("y", "get_availability", **STAY, room_type="DLX"), "instead_of": "x"})
    ended = asked(data_dir, REQUEST, planner=ScriptedPlanner(castle, double))

    assert "Deluxe Sea View Room" in ended["answer"]
    assert "castle" not in ended["answer"]
    assert UNREACHED not in ended["answer"]


WRONG = {**STAY, "check_in": "2027-02-17", "check_out": "2027-02-19"}


@pytest.mark.parametrize("text", [REQUEST, "two adults, the days that my agent named"], ids=["sent back", "looked up"])
def test_a_look_up_of_the_wrong_days_gives_way_to_the_right_ones(text: str, data_dir: Path) -> None:
    wrong = planning(call("x", "get_availability", **WRONG))
    wrong["status"] = "continue"
    right = planning({**call("y", "get_availability", **STAY), "instead_of": "x"})
    ended = asked(data_dir, text, planner=ScriptedPlanner(wrong, right))

    assert "17 January" in ended["answer"]
    assert "February" not in ended["answer"]


def search(call_id: str, first: str, last: str, instead_of: str | None = None) -> Any:
    window = {"from_date": first, "to_date": last, "nights": 2, "adults": 2}
    return {**call(call_id, "find_open_stays", **window), "instead_of": instead_of}


RIGHT = {**call("y", "get_availability", **STAY), "instead_of": "x"}
NEXT = {**call("z", "get_availability", **{**STAY, "check_in": "2027-01-18", "check_out": "2027-01-20"})}
CORRECTED = {
    "a stay by two": (call("x", "get_availability", **WRONG), [RIGHT, {**NEXT, "instead_of": "x"}], ["17 J", "18 J"]),
    "a stay by a search": (
        call("x", "get_availability", **WRONG),
        [search("y", "2027-01-10", "2027-01-31", "x")],
        ["10 J"],
    ),
    "a search by a stay": (search("x", "2027-02-01", "2027-02-28"), [RIGHT], ["17 J"]),
    "a search by a search": (
        search("x", "2027-02-01", "2027-02-28"),
        [search("y", "2027-01-10", "2027-01-31", "x")],
        ["10 J"],
    ),
}


@pytest.mark.parametrize("name", CORRECTED)
def test_what_replaces_a_wrong_look_up_is_told_in_its_place(name: str, data_dir: Path) -> None:
    wrong, right, told = CORRECTED[name]
    first = {**planning(wrong), "status": "continue"}
    planner: Any = ScriptedPlanner(first, planning(*right))
    ended = asked(data_dir, "two adults, the days that my agent named", planner=planner)

    assert all(each in ended["answer"] for each in told)
    assert "February" not in ended["answer"]


def test_a_cancelled_request_leaves_the_hotel_usable(adapter: Property) -> None:
    domain = failing(adapter, inf)[1]

    async def cut_off() -> None:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.5):
                await compiled(domain).ainvoke(said(REQUEST), context={"today": "2026-11-20"})

    asyncio.run(cut_off())
    assert asked(domain, REQUEST)["outcome"] == "answered"
