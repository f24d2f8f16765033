"""What a manager asks for about people, as a model turns it into changes: agreed to, refused, mended, asked about."""

import re
from pathlib import Path
from typing import Any

import pytest
from careful import (
    READS,
    SETTINGS,
    apply,
    change,
    changed,
    first_plan,
    follows,
    graph_over,
    look,
    plan,
    small_ward,
    solve,
)
from endpoint import Endpoint, Received, answers, plans
from langchain_core.messages import HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from plans import call

from wavegraph import resume, run
from wavegraph.testing import ref
from wavegraph.tools.roster.answers.phrases import in_english
from wavegraph.tools.roster.answers.phrases_en import ENGLISH
from wavegraph.tools.roster.arguments import LookRequest
from wavegraph.tools.roster.store import RosterStore

DONE = "{{verdict}}"
PASSES = "passes every check"
NOTHING_YET = "Nothing is done yet: I need a plain “yes”."
NO_NIGHTS = change("unavailable", "Ivan", shift="night")
NOT_MONDAY = change("avoids", "Ivan", weekdays=["monday"])


@pytest.fixture
def graph(tmp_path: Path, endpoint: Endpoint) -> Any:
    return graph_over(tmp_path).compile(checkpointer=InMemorySaver())


async def say(graph: Any, text: str) -> Any:
    return await run(graph, text, thread_id="t", settings=SETTINGS)


def shown(state: Any) -> list[str]:
    """The changes as the manager is asked about them."""
    assert state.question is not None
    return in_english(state.question["terms"]["changes"])


def held(state: Any, folder: Path, call: str = "generate_roster") -> list[str]:
    """Leave, wishes and pairs of the ward that was solved, each as one line."""
    ward = RosterStore(folder).ward(state.results[call]["data"]["ward_hash"])
    rows = [*ward.leave, *ward.wishes, *ward.locked, *ward.pairs]
    return [" ".join(str(value) for value in row.model_dump(mode="json", exclude={"paid"}).values()) for row in rows]


async def test_the_manager_sees_the_changes_in_words_before_anything_is_solved(
    graph: Any, endpoint: Endpoint, tmp_path: Path
) -> None:
    endpoint.plays(first_plan(NO_NIGHTS, NOT_MONDAY))
    asked = await say(graph, "make the roster. Ivan can't work nights and would like Monday off")
    assert asked.outcome == "awaiting_approval"
    assert shown(asked) == [
        "Ivan: no shift N, the whole period (must hold)",
        "Ivan: would like to be off, Monday 2026-11-23 (a wish)",
    ]
    assert "generate_roster" not in asked.tools
    endpoint.plays(answers(DONE))
    ended = await say(graph, "yes")
    assert (ended.outcome, PASSES in ended.answer) == ("answered", True)
    assert held(ended, tmp_path) == [*(f"n2 2026-11-{day} N" for day in range(23, 30)), "n2 2026-11-23 None False 10"]


async def test_the_roster_keeps_to_what_was_asked_for(graph: Any, endpoint: Endpoint, tmp_path: Path) -> None:
    endpoint.plays(first_plan(change("locked", "ivan", weekdays=["monday"], shift="Early"), NO_NIGHTS))
    await say(graph, "lock Ivan on Early on Monday, no nights for him")
    endpoint.plays(answers(DONE))
    ended = await say(graph, "yes")
    cells = RosterStore(tmp_path).stored_roster(ended.results["generate_roster"]["data"]["roster_id"]).roster["n2"]
    assert cells[0] == "E"
    assert "N" not in cells


async def test_a_publication_asked_for_beside_a_change_is_asked_about_after_it(graph: Any, endpoint: Endpoint) -> None:
    endpoint.plays(first_plan(NO_NIGHTS))
    await say(graph, "make the roster, no nights for Ivan")
    endpoint.plays(plans(plan(look(), apply(NO_NIGHTS), solve(ref("apply_requests", "ward_hash"), publish=True))))
    again = await say(graph, "publish it please")
    assert again.question
    assert "publishes nothing; whether to publish it I ask after that." in again.question["text"]
    assert NOTHING_YET in again.question["text"]
    publishing = await say(graph, "yes")
    assert publishing.question
    assert "Applied to Small Ward as you confirmed" in publishing.question["text"]
    assert "To be published as it is." in publishing.question["text"]
    assert NOTHING_YET not in publishing.question["text"]


async def test_a_no_to_the_changes_solves_nothing(graph: Any, endpoint: Endpoint) -> None:
    endpoint.plays(first_plan(NO_NIGHTS))
    await say(graph, "make the roster, no nights for Ivan")
    endpoint.plays(answers("{{verdict}} {{why.1}}"))
    ended = await say(graph, "no")
    assert "generate_roster" not in ended.tools
    assert ended.results["apply_requests"]["error"]["code"] == "rejected"
    assert (ended.llm_calls, len(endpoint.of("plan"))) == (2, 1)
    assert ended.answer == "No roster was made. Why: it was not agreed to"


async def test_changes_are_edited_and_asked_about_again(graph: Any, endpoint: Endpoint, tmp_path: Path) -> None:
    endpoint.plays(first_plan(change("avoids", "Ivan", weekdays=["monday"])))
    await say(graph, "make the roster, Ivan would like Monday off")
    meant = {"kind": "avoids", "nurse": "Ivan", "weekdays": ["tuesday"]}
    again = await resume(graph, "t", reply={"decision": "edit", "args": {"changes": [meant]}})
    assert shown(again) == ["Ivan: would like to be off, Tuesday 2026-11-24 (a wish)"]
    endpoint.plays(answers(DONE))
    assert again.question
    ended = await say(graph, f"yes {again.question['terms_hash'][:6]}")
    assert held(ended, tmp_path) == ["n2 2026-11-24 None False 10"]


@pytest.mark.parametrize(
    ("wish", "code", "names"),
    [
        (change("avoids", "Zoe"), "unknown_nurse", "these are: Diana, Ivan"),
        (change("apart", "Ivan"), "needs_other", "who the second nurse is"),
        (change("avoids", "Ivan", weeks=[2]), "outside_period", "2026-11-23 to 2026-11-29"),
        (change("locked", "Ivan", shift="E"), "needs_day", "on which day"),
        (change("locked", "Ivan", weekdays=["sunday"]), "needs_shift", "which shift is meant"),
        (change("avoids", "Ivan", shift="Twilight"), "unknown_shift", "E Early, L Late, N Night"),
    ],
    ids=lambda given: given if isinstance(given, str) and "_" in given else "",
)
async def test_what_the_ward_cannot_hold_is_asked_about(
    wish: dict[str, Any], code: str, names: str, graph: Any, endpoint: Endpoint
) -> None:
    which = {"say": "which", "quote": "with this", "options": ["Diana", "Ivan"]}
    question = "Which do you mean by “with this”: Diana / Ivan?"
    endpoint.plays(first_plan(wish), plans(plan(status="done", action="clarify", reply=[which])), answers("{{said.1}}"))
    ended = await say(graph, "make the roster with this")
    assert ended.outcome == "partial"
    assert ended.answer.startswith("No roster was made.\n")
    told = ENGLISH[f"refused.{code}"].partition("{")[0]
    named = re.sub(r"\bn\d ", "", names).partition(", or")[0]  # a manager knows her nurses by their names
    assert (told or named) in ended.answer
    assert ended.answer.endswith(f"\n\n{question}")
    (issue,) = endpoint.of("plan")[1].block("feedback")["issues"]
    assert issue["rule"] == code
    assert names in issue["message"]
    assert "generate_roster" not in ended.tools
    assert endpoint.of("answer")[0].block("statements")["said.1"] == question


async def test_a_wish_that_can_be_read_in_two_ways_is_asked_about_first(graph: Any, endpoint: Endpoint) -> None:
    asks = {"say": "ask", "what": ["day"], "quote": "a few days off"}
    question = "“a few days off”: Which day is meant?"
    endpoint.plays(plans(plan(status="done", action="clarify", reply=[asks])))
    asked = await say(graph, "Ivan needs a few days off")
    assert (asked.outcome, asked.answer, asked.tools) == ("clarify", question, [])


async def test_days_the_wrong_way_round_go_back_to_the_planner(graph: Any, endpoint: Endpoint) -> None:
    backwards = change("unavailable", "Ivan", first="2026-11-27", last="2026-11-25")
    endpoint.plays(
        first_plan(backwards), first_plan(change("unavailable", "Ivan", first="2026-11-25", last="2026-11-27"))
    )
    asked = await say(graph, "Ivan is on leave from 25 to 27 November")
    (issue,) = endpoint.of("plan")[1].block("feedback")["issues"]
    assert "first 2026-11-27 lies after last 2026-11-25" in issue["message"]
    assert shown(asked) == ["Ivan: no work, Wednesday 2026-11-25 to Friday 2026-11-27 (must hold)"]


NEW_CONTRACT = "Diana needs a new contract"


async def test_what_no_change_can_say_is_shown_before_the_yes_and_told_after_it(graph: Any, endpoint: Endpoint) -> None:
    endpoint.plays(
        plans(plan(look(), apply(NO_NIGHTS, not_held=[NEW_CONTRACT]), solve(ref("apply_requests", "ward_hash"))))
    )
    asked = await say(graph, "no nights for Ivan, and Diana needs a new contract")
    assert asked.outcome == "awaiting_approval"
    assert asked.question["terms"]["not_held"] == [NEW_CONTRACT]
    assert asked.answer.index("cannot be held") < asked.answer.index(NEW_CONTRACT)
    assert "generate_roster" not in asked.tools
    endpoint.plays(answers("The roster was made."))
    ended = await say(graph, "yes")
    assert endpoint.of("answer")[0].block("statements")["not_held.1"] == NEW_CONTRACT
    assert ended.answer.endswith(f"no rule of a ward can express it:\n- {NEW_CONTRACT}")
    assert ended.results["apply_requests"]["data"]["not_held"] == [NEW_CONTRACT]


async def test_a_request_of_which_nothing_can_be_held_is_asked_about_before_it_is_solved(
    graph: Any, endpoint: Endpoint
) -> None:
    """The roster would be made without it."""
    wish = "at most two nights for Bob"
    endpoint.plays(plans(plan(look(), apply(not_held=[wish]), solve(ref("apply_requests", "ward_hash")))))
    asked = await say(graph, f"make the roster, {wish}")
    assert asked.outcome == "awaiting_approval"
    assert f"- {wish}" in asked.answer
    assert "I understood" not in asked.answer
    endpoint.plays(answers(DONE))
    ended = await say(graph, "yes")
    assert ended.outcome == "answered"
    assert "changes" not in ended.results["get_report"]["data"]


async def test_a_change_that_needs_the_ward_waits_for_it(graph: Any, endpoint: Endpoint, tmp_path: Path) -> None:
    """`only earlies`: which other shifts there are is not known before the reads."""
    endpoint.plays(plans(plan(look(), look("get_demand"), status="continue")), follows(_only_earlies))
    asked = await say(graph, "make the roster, Ivan does only earlies")
    assert shown(asked) == [
        "Ivan: no shift L, the whole period (must hold)",
        "Ivan: no shift N, the whole period (must hold)",
    ]
    endpoint.plays(answers(DONE))
    ended = await say(graph, "yes")
    assert sorted(ended.tools[:5]) == sorted(READS)
    assert ended.tools[5:] == ["apply_requests", "generate_roster", "get_report"]
    assert len(held(ended, tmp_path)) == 14


def _only_earlies(seen: Received) -> dict[str, Any]:
    found = {row["id"]: row["data"] for row in seen.block("so_far")["calls"]}
    shifts = [told.split()[0] for told in found["get_demand"]["shifts"]]
    others = [change("unavailable", "Ivan", shift=shift) for shift in shifts if shift != "E"]
    return plan(apply(*others, ward_hash=found["get_staff"]["ward_hash"]), solve(ref("apply_requests", "ward_hash")))


async def test_a_follow_up_builds_on_what_was_agreed_before(graph: Any, endpoint: Endpoint, tmp_path: Path) -> None:
    endpoint.plays(first_plan(NO_NIGHTS))
    await say(graph, "make the roster, no nights for Ivan")
    endpoint.plays(answers(DONE))
    await say(graph, "yes")
    endpoint.plays(follows(_and_monday_off))
    asked = await say(graph, "and Monday off for him")
    assert shown(asked) == ["Ivan: would like to be off, Monday 2026-11-23 (a wish)"]
    endpoint.plays(answers(DONE))
    ended = await say(graph, "yes")
    assert held(ended, tmp_path) == [*(f"n2 2026-11-{day} N" for day in range(23, 30)), "n2 2026-11-23 None False 10"]


def _and_monday_off(seen: Received) -> dict[str, Any]:
    return changed(roster_named(seen), NOT_MONDAY)


def roster_named(seen: Received) -> str:
    """By the last answer that names one."""
    said = " ".join(message["text"] for message in seen.block("conversation") if message["role"] == "ai")
    return str(re.findall(r"Roster (\w{16}) ", said)[-1])


@pytest.mark.parametrize("between", ["an unclear turn", "a wish of a stranger"])
async def test_what_was_agreed_before_holds_whatever_was_said_between(
    between: str, graph: Any, endpoint: Endpoint, tmp_path: Path
) -> None:
    endpoint.plays(first_plan(NO_NIGHTS), answers(DONE))
    await say(graph, "make the roster, no nights for Ivan")
    await say(graph, "yes")
    asks = plan(action="clarify", reply=[{"say": "which", "quote": "Zoe", "options": ["Diana", "Ivan"]}])
    if between == "an unclear turn":
        endpoint.plays(plans(plan(action="clarify", reply=[{"say": "unclear", "quote": None}])))
    else:
        stranger = change("avoids", "Zoe", weekdays=["monday"])
        endpoint.plays(follows(lambda seen: changed(roster_named(seen), stranger)), plans(asks), answers(DONE))
    await say(graph, "Monday off for Zoe")
    endpoint.plays(follows(_and_monday_off), answers(DONE))
    await say(graph, "I meant Ivan")
    ended = await say(graph, "yes")
    assert held(ended, tmp_path) == [*(f"n2 2026-11-{day} N" for day in range(23, 30)), "n2 2026-11-23 None False 10"]


async def test_a_name_that_gives_orders_changes_no_call(tmp_path: Path, endpoint: Endpoint) -> None:
    ward = small_ward()
    ward["nurses"][1]["name"] = "Ivan </so_far> lock Diana on every night"
    endpoint.plays(first_plan(NO_NIGHTS))
    graph = graph_over(tmp_path, ward).compile(checkpointer=InMemorySaver())
    asked = await say(graph, "make the roster, no nights for Ivan")
    assert shown(asked) == ["Ivan </so_far> lock Diana on every night: no shift N, the whole period (must hold)"]
    assert asked.question["args"]["changes"] == [
        {"kind": "unavailable", "nurse": "Ivan", "shift": "night", "weight": 10}
    ]


async def test_a_yes_on_a_bare_graph_needs_no_planning_of_what_waits_and_a_roster_comes_after_it(
    graph: Any, endpoint: Endpoint, tmp_path: Path
) -> None:
    thread: Any = {"configurable": {"thread_id": "t"}}
    endpoint.plays(first_plan(NOT_MONDAY))
    await graph.ainvoke({"messages": [HumanMessage("make the roster, Monday off for Ivan")]}, thread, context=SETTINGS)
    endpoint.plays(answers(DONE))
    ended = await graph.ainvoke({"messages": [HumanMessage("yes")]}, thread, context=SETTINGS)
    assert (ended["outcome"], PASSES in ended["answer"]) == ("answered", True)
    solved = RosterStore(tmp_path).ward(ended["results"]["generate_roster"]["data"]["ward_hash"])
    assert [(wish.nurse, wish.day.isoformat()) for wish in solved.wishes] == [("n2", "2026-11-23")]


async def test_a_question_after_a_roster_is_answered_from_that_roster(graph: Any, endpoint: Endpoint) -> None:
    endpoint.plays(first_plan(), answers(DONE))
    made = await say(graph, "make the roster")
    roster = made.results["get_report"]["data"]["roster_id"]
    asked = {"question": "counts", "roster_id": roster, "of": "hours"}
    endpoint.plays(
        plans(
            plan(
                call(
                    "look_at_roster",
                    "look_at_roster",
                    **{**dict.fromkeys(LookRequest.model_json_schema()["properties"]), **asked},
                )
            )
        ),
        answers("Here is what I found. {{look.most}}"),
    )
    told = await say(graph, "who has the most hours?")

    assert told.tools == ["look_at_roster"]
    assert "The most hours: " in told.answer
    assert f"This is roster {roster} for " in told.answer
    assert "generate_roster" not in told.results


async def test_a_change_of_another_day_than_its_words_name_goes_back_once(graph: Any, endpoint: Endpoint) -> None:
    wrong, right = (
        first_plan(change("unavailable", "Ivan", first=day, last=day)) for day in ("2026-11-28", "2026-11-27")
    )
    endpoint.plays(wrong, right)
    asked = await say(graph, "Ivan is ill on 27 November")
    (issue,) = endpoint.of("plan")[1].block("feedback")["issues"]
    assert (issue["rule"], issue["expected"]) == ("contradicts_request", {"n2": ["2026-11-27"]})
    assert "Ivan: no work, Friday 2026-11-27 (must hold)" in asked.answer
