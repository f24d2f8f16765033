"""Whole hotel requests over the real graph and a real hotel: waves, calls, ways round, and the words that come out."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from hotel_runs import TODAY, asked, said, waves
from runs import arun, compiled

from wavegraph import PlanningView
from wavegraph.testing import ScriptedPlanner, call, planning, ref
from wavegraph.tools.hotel.domain import hotel_domain

JANUARY = {"check_in": "2027-01-17", "check_out": "2027-01-19", "adults": 2}
HANUKKAH = call("get_holiday", "get_holiday", name="Hanukkah")
FIRST_NIGHT = call(
    "check_availability",
    "get_availability",
    check_in=ref("get_holiday", "dates[0]"),
    check_out=ref("get_holiday", "dates[1]"),
    adults=2,
)


def figures(ended: Any) -> tuple[Any, ...]:
    return ended["planning_calls"], ended["waves"], ended["adaptations"], ended["tools_executed"], ended["outcome"]


def test_explicit_dates_take_one_planning_call_and_one_wave(data_dir: Path) -> None:
    ended = asked(data_dir, "Check availability for January 17-19, 2 adults")

    assert figures(ended) == (1, 1, 0, 1, "answered")
    assert waves(ended) == [["check_availability"]]
    assert "Sunday 17 January – Tuesday 19 January 2027, 2 nights" in ended["answer"]
    assert "702 NIS in total (351 NIS per night), non-refundable" in ended["answer"]
    assert "Free cancellation is until Friday 15 January 2027." in ended["answer"]


def test_good_results_mean_zero_adaptations(data_dir: Path) -> None:
    ended = asked(data_dir, "January 17-19 and January 24-26, 2 adults, and is there parking?")

    assert figures(ended) == (1, 1, 0, 3, "answered")
    assert ended["issues"] == []
    assert "adaptation_started" not in ended.names


def test_one_night_in_hanukkah_is_two_waves_of_one_plan(data_dir: Path) -> None:
    ended = asked(data_dir, "one night in Hanukkah", max_adaptations=0)

    assert (ended["planning_calls"], ended["waves"], ended["adaptations"]) == (1, 2, 0)
    assert waves(ended) == [["get_holiday"], ["check_availability"]]
    assert ended["results"]["check_availability"]["args"]["check_in"] == "2026-12-04"
    assert "A minimum stay of 2 nights applies on Friday 4 December 2026." in ended["answer"]


def test_the_same_night_is_worked_around_when_it_cannot_be_had(data_dir: Path) -> None:
    ended = asked(data_dir, "one night in Hanukkah")

    assert (ended["planning_calls"], ended["waves"], ended["adaptations"]) == (2, 3, 1)
    assert waves(ended)[:2] == [["get_holiday"], ["check_availability"]]
    assert "Friday 4 December – Sunday 6 December 2026, 2 nights: from 1,071 NIS in total" in ended["answer"]
    assert "I began with the first night of the holiday" in ended["answer"]


def test_the_same_as_continue_costs_one_planning_call_more(data_dir: Path) -> None:
    def second(view: PlanningView) -> Any:
        assert view.feedback is None
        [found] = [outcome["data"] for outcome in view.ledger["outcomes"].values()]
        stay = {"check_in": found["dates"][3], "check_out": found["dates"][4]}
        return planning(call("check_availability", "get_availability", **stay, adults=2), action="availability")

    script = ScriptedPlanner(planning(HANUKKAH, status="continue"), second)
    ended = asked(data_dir, "one night in Hanukkah", planner=script)

    script.assert_complete()
    assert figures(ended) == (2, 2, 0, 2, "answered")
    assert waves(ended) == [["get_holiday"], ["check_availability"]]
    assert "Monday 7 December – Tuesday 8 December 2026, 1 night" in ended["answer"]


def test_two_periods_are_looked_up_side_by_side(data_dir: Path) -> None:
    ended = asked(data_dir, "Check Hanukkah and next weekend")

    assert waves(ended)[:2] == [["get_holiday", "resolve_dates"], ["check_availability", "check_availability_2"]]
    assert ended["adaptations"] == 1
    assert (
        "Hanukkah, Friday 4 December – Saturday 12 December 2026, 8 nights: the whole stay is not available in one go."
        in ended["answer"]
    )
    assert "\n\nThe weekend, Thursday 26 November – Saturday 28 November 2026, 2 nights:\n" in ended["answer"]


def test_rooms_are_described_without_dates(data_dir: Path) -> None:
    ended = asked(data_dir, "What rooms do you have?")

    assert figures(ended) == (1, 1, 0, 1, "answered")
    assert ended["tools"] == ["get_rooms_info"]
    assert "Sea Front Suite: up to 4 guests, 52 m²" in ended["answer"]
    assert "list price from 950 NIS per night" in ended["answer"]


def test_a_full_night_gives_the_nights_beside_it(data_dir: Path) -> None:
    ended = asked(data_dir, "Check availability December 25")

    assert (ended["adaptations"], ended["outcome"]) == (1, "answered")
    assert waves(ended) == [["check_availability"], ["day_after", "day_before"]]
    assert ended["results"]["day_before"]["args"]["check_in"] == "2026-12-24"
    assert ended["results"]["day_after"]["args"]["check_in"] == "2026-12-26"
    free = ended["answer"].partition("What is free instead:")[2]
    assert "Thursday 24 December – Friday 25 December 2026, 1 night: from 459 NIS for the night" in free
    assert "Saturday 26 December – Sunday 27 December 2026, 1 night: from 351 NIS for the night" in free


def test_eight_full_nights_give_shorter_stays_inside_them(data_dir: Path) -> None:
    ended = asked(data_dir, "Is there a room for Hanukkah?")

    assert ended["adaptations"] == 1
    assert waves(ended)[2:] == [["three_nights", "two_nights"]]
    free = ended["answer"].partition("What is free instead:\n")[2].partition("\n\n")[0].splitlines()
    assert 1 <= len(free) <= 5
    assert free[0].startswith("- Monday 7 December – Thursday 10 December 2026, 3 nights: from 1,467 NIS in total")
    assert all("per night" in line and line.endswith(("non-refundable", "2026")) for line in free)


def test_a_saturday_closed_to_arrival_is_stated_beside_a_night_sold_out(data_dir: Path) -> None:
    ended = asked(data_dir, "Arrive Saturday December 5, 2 nights, 2 adults")

    assert "There are no arrivals on Saturday 5 December 2026." in ended["answer"]
    assert "No room is free on Sunday 6 December 2026" in ended["answer"]


def test_a_call_planned_again_is_not_run_again(data_dir: Path) -> None:
    again = call("check_again", "get_availability", **JANUARY)
    first = planning(call("check_availability", "get_availability", **JANUARY), status="continue")
    ended = asked(
        data_dir, "January 17-19, 2 adults", planner=ScriptedPlanner(first, planning(again, action="availability"))
    )

    assert (ended["tools_executed"], ended["waves"]) == (1, 1)
    assert ended["results"]["check_again"]["data"] == ended["results"]["check_availability"]["data"]


def test_a_planner_that_gives_up_after_issues_still_answers(data_dir: Path) -> None:
    full = call("check_availability", "get_availability", check_in="2026-12-25", check_out="2026-12-26", adults=2)
    script = ScriptedPlanner(planning(full, action="availability"), planning(action="availability"))
    ended = asked(data_dir, "Check availability December 25, 2 adults", planner=script)

    script.assert_complete()
    assert (ended["outcome"], ended["tools_executed"]) == ("partial", 1)
    assert "No room is free on Friday 25 December 2026" in ended["answer"]


def test_a_reference_to_no_call_goes_back_to_the_planner_once(data_dir: Path) -> None:
    script = ScriptedPlanner(planning(FIRST_NIGHT), planning(HANUKKAH, FIRST_NIGHT, action="availability"), planning())
    ended = asked(data_dir, "one night in Hanukkah", planner=script)

    assert waves(ended)[:2] == [["get_holiday"], ["check_availability"]]
    assert script.views[1].feedback is not None
    assert script.views[1].feedback["source"] == "plan"


def test_a_path_that_leads_nowhere_skips_the_call_and_says_so(data_dir: Path) -> None:
    lost = call(
        "check_availability",
        "get_availability",
        check_in=ref("get_holiday", "dates[40]"),
        check_out=ref("get_holiday", "check_out"),
        adults=2,
    )
    ended = asked(data_dir, "one night in Hanukkah", planner=ScriptedPlanner(planning(HANUKKAH, lost), planning()))

    assert ended.status("check_availability") == "skipped"
    assert [issue["type"] for issue in ended["issues"]] == ["unexpected_data"]
    assert ended["outcome"] == "partial"
    assert ended["answer"]


async def test_two_requests_at_once_share_nothing(data_dir: Path) -> None:
    graph = compiled(hotel_domain(data_dir))

    texts = ("Check availability December 25", "יש חדר פנוי לחנוכה? 3 מבוגרים", "January 17-19, 2 adults")
    christmas, hanukkah, january = await asyncio.gather(
        *(arun(graph, said(text), context={"today": TODAY}) for text in texts)
    )
    assert set(christmas["results"]) == {"check_availability", "day_before", "day_after"}
    assert hanukkah["results"]["check_availability"]["args"]["adults"] == 3
    assert [ended["adaptations"] for ended in (christmas, hanukkah, january)] == [1, 1, 0]
    assert (january["issues"], january["waves"]) == ([], 1)
    assert "אין מקום לכל הלילות ברצף" in hanukkah["answer"]


LIMITS = [({"max_tool_calls": 1}, "max_tool_calls"), ({"max_waves": 1}, "max_waves")]


@pytest.mark.parametrize(("limit", "name"), LIMITS, ids=[name for _, name in LIMITS])
def test_a_limit_ends_in_an_answer_that_says_so(data_dir: Path, limit: dict[str, int], name: str) -> None:
    ended = asked(data_dir, "Check Hanukkah and next weekend", **limit)

    assert name in ended.limits
    assert ended["outcome"] in ("partial", "failed")
    assert ended["answer"]
