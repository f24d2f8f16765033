"""The hotel with a judge: what it finds missing is looked up and told, and never booked.

The model writes freely here; what a judge finds of statements is in test_statements.py.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from endpoint import Endpoint, answers
from hotel_plans import about, booking, open_stays, plan, rows, stay
from langgraph.checkpoint.memory import InMemorySaver
from plans import ask, judged

from wavegraph import CancelHandle, Domain, build_graph, run
from wavegraph.tools.hotel.criteria import CRITERIA, KINDS
from wavegraph.tools.hotel.domain import hotel_domain

TODAY = "2026-11-20"
SETTINGS = {"today": TODAY}
ROOM = "From Sunday 17 January to Tuesday 19 January 2027, a Double Room is free: 702 NIS in total, 351 NIS a night, non-refundable."
POOL = "The heated indoor pool is open all year, 07:00-20:00."


@pytest.fixture(autouse=True)
def _judged(endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WAVEGRAPH_ANSWER_CHECK", "on")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("houses")


@pytest.fixture
def domain(folder: Path) -> Domain:
    return replace(hotel_domain(folder), catalogue=None)


@pytest.fixture
def graph(domain: Domain) -> Any:
    return build_graph(domain).compile(checkpointer=InMemorySaver())


@pytest.fixture
def bare(domain: Domain) -> Any:
    return build_graph(domain).compile()


JANUARY = stay("january", "2027-01-17", "2027-01-19")


def info(topic: str) -> dict[str, Any]:
    return about(topic, f"info_{topic}")


def test_a_second_question_that_was_missed_is_looked_up_and_answered(endpoint: Endpoint, bare: Any) -> None:
    endpoint.plays(
        plan(JANUARY), answers(ROOM), judged(completeness="whether there is a pool is not answered", by="get_hotel_info"),
        plan(info("pool"), action="hotel_info"), answers(f"{ROOM}\n{POOL}"), judged(),
    )  # fmt: skip

    told = ask(bare, "A room 17-19 January, and could we take a dip?", **SETTINGS)

    assert (told["answer"], told["outcome"], told["answer_replans"]) == (f"{ROOM}\n{POOL}", "answered", 1)
    assert told["tools"] == ["get_availability", "get_hotel_info"]
    assert endpoint.of("answer")[1].block("gaps") == ["whether there is a pool is not answered (get_hotel_info)"]


def test_in_hebrew(endpoint: Endpoint, bare: Any) -> None:
    room = "מיום ראשון 17 בינואר עד יום שלישי 19 בינואר 2027 יש חדר זוגי פנוי: 702 ש״ח בסך הכול, 351 ש״ח ללילה, ללא החזר בביטול."
    lacking = judged(completeness="לא נאמר אם אפשר במזומן", by="get_hotel_info")
    endpoint.plays(plan(JANUARY), answers(room), lacking, plan(info("payment")), answers(f"{room}\nועוד."), lacking)

    told = ask(bare, "כמה עולה חדר ב-17.1 עד 19.1, ואפשר לשלם במזומן?", **SETTINGS)

    judge = endpoint.of("judge")[0]
    assert (judge.block("language"), judge.block("answer")) == ("he", room)
    assert told["answer"].startswith(f"{room}\nועוד.\n\n(לא הצלחתי לוודא שהתשובה מכסה")
    assert told["answer_check"]["reasoning"] == "as it should be"


def test_a_full_hotel_told_without_what_is_free_instead_is_planned_again(endpoint: Endpoint, bare: Any) -> None:
    full = "Hanukkah, Friday 4 December to Saturday 12 December 2026, is not available as a whole."
    better = f"{full}\nFree instead: Monday 7 December to Thursday 10 December 2026, from 1,467 NIS."
    endpoint.plays(
        plan(stay("hanukkah", "2026-12-04", "2026-12-12")), plan(), answers(full),
        judged(alternatives="no shorter stay was looked for", by="find_open_stays"),
        plan(open_stays(3)), answers(better), judged(),
    )  # fmt: skip

    told = ask(bare, "a room over Hanukkah, 4-12 December", **SETTINGS)

    assert (told["answer"], told["answer_check"]["satisfied"]) == (better, True)
    assert (told["adaptations"], told["answer_replans"]) == (1, 1)
    issue = endpoint.of("plan")[2].block("feedback")["issues"][0]
    assert (issue["rule"], issue["message"]) == ("alternatives", "no shorter stay was looked for (find_open_stays)")


async def test_a_booking_is_judged_as_one(graph: Any, endpoint: Endpoint, folder: Path) -> None:
    confirmed = "Your booking is confirmed for Sunday 10 January to Tuesday 12 January 2027, 702 NIS."
    endpoint.plays(booking("2027-01-10", "2027-01-12"), answers(confirmed), judged())

    asked = await run(
        graph, "Book 10-12 January for two. Dana Levi, dana@example.com", thread_id="t", settings=SETTINGS
    )
    assert (asked.outcome, endpoint.of("judge")) == ("awaiting_approval", [])
    ended = await run(graph, "yes", thread_id="t", settings=SETTINGS)

    number = ended.results["book"]["data"]["reference"]
    assert (ended.outcome, ended.answer) == ("answered", f"{confirmed}\n\nYour booking is confirmed: {number}.")
    judge = endpoint.of("judge")[0]
    assert judge.block("criteria") == {name: CRITERIA[name] for name in KINDS["booking"]}
    assert (judge.block("request"), judge.block("decision")[0].partition(".")[0]) == ("yes", "create_booking: approve")
    assert "confirmed" in str(judge.block("results"))
    assert rows(folder, "2027-01-10") == ["confirmed"]


async def test_a_gap_books_nothing_without_a_yes(graph: Any, endpoint: Endpoint, folder: Path) -> None:
    endpoint.plays(plan(JANUARY), answers(ROOM), judged(completeness="the room was not booked", by="quote_stay"),
                   booking("2027-01-17", "2027-01-19"))  # fmt: skip
    text = "A room 17-19 January? I am Dana Levi, dana@example.com"

    asked = await run(graph, text, thread_id="t", settings=SETTINGS)
    assert asked.outcome == "awaiting_approval"
    assert asked.answer.endswith("Shall I go ahead? (yes / no)")
    assert rows(folder, "2027-01-17") == ["hold"]

    endpoint.plays(answers(f"{ROOM} Nothing was booked."), judged())
    ended = await run(graph, "no", thread_id="t", settings=SETTINGS)

    told, added = ended.answer.split("\n\n")
    assert (ended.outcome, told) == ("answered", f"{ROOM} Nothing was booked.")
    assert added.startswith("Not done, since it was not agreed to: create booking (")
    assert rows(folder, "2027-01-17") == []


def test_a_gap_cannot_book_for_a_guest_nobody_named(endpoint: Endpoint, bare: Any, folder: Path) -> None:
    unasked = booking("2027-01-24", "2027-01-26")
    endpoint.plays(plan(stay("stay", "2027-01-24", "2027-01-26")), answers("A Double Room is free."),
                   judged(completeness="book it for Dana Levi, dana@example.com", by="quote_stay"),
                   unasked, plan())  # fmt: skip

    told = ask(bare, "A room 24-26 January?", **SETTINGS)

    refused = endpoint.of("plan")[2].block("feedback")["issues"]
    assert {issue["rule"] for issue in refused} == {"completeness", "untraced_argument"}
    assert (told["outcome"], rows(folder, "2027-01-24")) == ("answered", [])


def test_what_the_rules_catch_no_judge_sees(endpoint: Endpoint, bare: Any) -> None:
    endpoint.plays(plan(JANUARY), answers(ROOM.replace("702", "699")), answers(ROOM), judged())

    told = ask(bare, "A room 17-19 January", **SETTINGS)

    assert told["answer"] == ROOM
    assert endpoint.of("answer")[1].block("unsupported_claims") == ["699"]
    assert [f["checked_by"] for f in told["answer_failures"]] == ["rules"]


def test_who_insists_on_what_is_not_so_is_answered_for_by_the_templates(endpoint: Endpoint, bare: Any) -> None:
    untrue = "All this for 13,579 NIS."
    endpoint.plays(plan(JANUARY), answers(f"{ROOM} {untrue}"), answers(f"Well: {ROOM} {untrue}"), judged())

    told = ask(bare, "A room 17-19 January", **SETTINGS)

    assert untrue not in told["answer"]
    assert "702 NIS" in told["answer"]
    assert (told["answer_check"]["satisfied"], len(told["answer_failures"])) == (True, 2)


def test_an_answer_cut_short_by_a_limit_is_traced_and_judged_with_that_limit(endpoint: Endpoint, bare: Any) -> None:
    told_so = f"{ROOM} The second stay was not checked."
    late = stay("late", "2027-01-24", "2027-01-26")
    endpoint.plays(plan(JANUARY, late), plan(JANUARY, late), answers(f"{told_so} It is 640 NIS."), answers(told_so),
                   judged())  # fmt: skip

    told = ask(bare, "A room 17-19 or 24-26 January", max_tool_calls=1, **SETTINGS)

    left = "get availability (check in: 2027-01-24, check out: 2027-01-26, adults: 2)"
    assert told["answer"] == f"{told_so}\n\nNot done, since a limit was reached: {left}."
    assert told["outcome"] == "partial"
    assert endpoint.of("judge")[0].block("not_done") == {"calls": ["late"], "limits": ["max_tool_calls"]}


async def test_a_stopped_answer_is_the_templates_and_asks_no_judge(endpoint: Endpoint, domain: Domain) -> None:
    handle = CancelHandle()
    graph = build_graph(domain).compile(checkpointer=InMemorySaver())
    endpoint.plays(plan(JANUARY), answers(ROOM, fault="hang"))

    def stop(event: Any) -> None:
        if event["event"] == "validation_complete":
            handle.cancel()

    ended = await run(graph, "A room 17-19 January", thread_id="t", settings=SETTINGS, cancel=handle, on_event=stop)

    endpoint.script.clear()
    assert ended.outcome == "cancelled"
    assert "702 NIS" in ended.answer
    assert endpoint.of("judge") == []
