"""Ways of agreeing, asking for something else in place of a write, and long reads that are stopped with their best."""

import asyncio
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from press import Press
from runs import compiled, on_thread
from runs import run as run_once
from till import Talk, Till, question_of
from warehouse import Clerk

from wavegraph import CancelHandle, Script, resume, run
from wavegraph.graph.errors import CutShort
from wavegraph.graph.ledger import CHANGES_ASKED, REJECTED

SHEET = "a dark sheet"
DRAFT = {"decision": "approve", "choice": "draft"}


def waiting(**changes: Any) -> tuple[Press, Talk]:
    """A press whose sheet waits for a yes."""
    press = Press(**changes)
    talk = Talk(press)
    talk.ask(SHEET)
    return press, talk


def otherwise(**changes: Any) -> dict[str, Any]:
    return {"decision": "reject", "reason": "not like this", "changes": changes}


# Choices


def test_the_choices_are_told_with_the_question() -> None:
    question = Talk(Press()).ask(SHEET)

    assert question["choices"] == {"draft": "keep it as a draft"}
    assert question["text"].endswith("Shall I go ahead? (yes / no) Or say “draft”: keep it as a draft.")


@pytest.mark.parametrize("reply", [DRAFT, "draft", " Draft! "], ids=str)
def test_a_choice_runs_the_call_with_its_arguments_and_is_not_asked_about_again(reply: Any) -> None:
    press, talk = waiting()

    ended = talk.reply(reply)

    assert (ended.outcome, ended.answer) == ("answered", "proof with ink 1, 1 passes\nkept as a draft")
    assert [sheet.as_draft for sheet in press.sent] == [True]
    assert ended.results["send_1_edited_1"]["args"] == {"ink": 1, "as_draft": True}
    assert ended.issues == []


def test_a_choice_is_said_as_the_next_message_too() -> None:
    press, talk = waiting()

    ended = talk.say("draft")

    assert (ended.outcome, [sheet.as_draft for sheet in press.sent]) == ("answered", [True])


def test_a_plain_yes_chooses_nothing() -> None:
    press, talk = waiting()
    talk.reply("yes")

    assert [sheet.as_draft for sheet in press.sent] == [False]


def test_a_choice_that_is_none_is_asked_again_with_the_reason() -> None:
    press, talk = waiting()

    again = question_of(talk.reply({"decision": "approve", "choice": "gold"}))

    assert again["problem"] == "there is no choice 'gold'; the choices are: draft"
    assert press.sent == []
    bound = {**DRAFT, "terms_hash": again["terms_hash"]}
    assert talk.reply(bound).outcome == "answered"


def test_where_nothing_is_offered_nothing_is_chosen_or_changed() -> None:
    till = Till()
    talk = Talk(till)
    first = talk.ask()
    assert (first["choices"], first["changes"]) == ({}, None)

    chosen = question_of(talk.reply(DRAFT))
    changed = question_of(talk.reply(otherwise(item="cake")))

    assert chosen["problem"] == "there is no choice 'draft' here; approve, or reject"
    assert changed["problem"] == "no further changes can be asked for here: approve, or reject"
    assert till.paid == []


# Something else in place of the write


def test_what_may_be_asked_for_is_told_as_a_schema() -> None:
    question = Talk(Press()).ask(SHEET)

    assert question["changes"]
    assert question["changes"]["properties"]["ink"]["maximum"] == 20


def test_a_no_with_changes_leads_to_new_work_and_a_new_question() -> None:
    press, talk = waiting()

    again = talk.reply(otherwise(ink=5))
    question = question_of(again)
    ended = talk.reply("yes")

    assert question["terms"] == {"ink": 5}
    assert [ink for ink, _ in press.began] == [1, 5]
    assert [sheet.ink for sheet in press.sent] == [5]
    assert (ended.outcome, ended.adaptations) == ("answered", 1)
    assert [(issue["rule"], issue["tool_id"]) for issue in ended.issues] == [(CHANGES_ASKED, "send_1")]
    assert ended.results["send_1"]["data"] == {"ink": 5}


@pytest.mark.parametrize(
    ("changes", "problem"),
    [({"ink": 99}, "ink = 99"), ({}, "ink = {}: Field required"), ({"ink": "much"}, "ink = 'much'")],
    ids=["out of bounds", "nothing", "no number"],
)
def test_changes_that_do_not_fit_are_told_why_and_asked_again(changes: dict[str, Any], problem: str) -> None:
    press, talk = waiting()

    again = question_of(talk.reply(otherwise(**changes)))

    assert again["problem"]
    assert again["problem"].startswith(problem)
    assert again["problem"].endswith("; ask for other changes, approve, or reject")
    assert len(press.began) == 1
    assert talk.reply(otherwise(ink=2)).outcome == "awaiting_approval"


def test_changes_that_the_domain_cannot_make_are_told_why_and_asked_again() -> None:
    press, talk = waiting()

    again = question_of(talk.reply(otherwise(ink=13)))

    assert again["problem"] == "there is no ink 13"
    assert again["changes"]
    assert len(press.began) == 1
    assert question_of(talk.reply(otherwise(ink=12)))["terms"] == {"ink": 12}


def test_changes_may_be_asked_for_once() -> None:
    press, talk = waiting()
    assert question_of(talk.reply(otherwise(ink=2)))["changes"] is None

    refused = question_of(talk.reply(otherwise(ink=9)))
    ended = talk.reply({"decision": "reject", "reason": "enough"})

    assert refused["problem"] == "no further changes can be asked for here: approve, or reject"
    assert [ink for ink, _ in press.began] == [1, 2]
    assert "not sent: it was not agreed to: enough" in ended.answer
    assert press.sent == []


@pytest.mark.parametrize("most", [0, 1, 2])
def test_what_a_person_asks_for_is_not_taken_from_what_is_mended_unasked(most: int) -> None:
    press = Press(dark_from=99)
    talk = Talk(press)
    first = talk.ask(SHEET, settings={"max_adaptations": most})
    assert first["terms"] == {"ink": 1 + most}

    again = talk.reply(otherwise(ink=11), settings={"max_adaptations": most})

    assert question_of(again)["terms"] == {"ink": 11}
    assert again.adaptations == most + 1


def test_a_plain_no_is_the_end_and_no_issue() -> None:
    press, talk = waiting()

    ended = talk.reply({"decision": "reject", "reason": "crooked"})

    assert ended.results["send_1"]["error"]["code"] == REJECTED
    assert (ended.outcome, ended.issues, ended.adaptations) == ("answered", [], 0)
    assert len(press.began) == 1
    assert "crooked" in ended.answer


# A plan that goes on


def test_a_mended_plan_goes_on_like_the_one_before() -> None:
    press = Press(dark_from=3)
    talk = Talk(press)

    question = talk.ask(SHEET)

    assert [ink for ink, _ in press.began] == [1, 2, 3]
    assert question["terms"] == {"ink": 3}


def test_one_trouble_in_many_places_is_worked_on_as_one() -> None:
    press = Press(dark_from=3, places=5)

    question = Talk(press).ask(SHEET, settings={"max_retries_per_issue": 1})

    assert question["terms"] == {"ink": 3}


def test_where_no_way_round_is_left_the_plan_still_goes_on() -> None:
    press = Press(dark_from=99, most_ink=2)
    talk = Talk(press)
    question = talk.ask(SHEET)
    assert question["terms"] == {"ink": 2}

    ended = talk.reply("yes")

    assert (ended.outcome, [sheet.ink for sheet in press.sent]) == ("partial", [2])


# What a domain tells of its work


def test_details_are_in_state_feedback_event_and_answer() -> None:
    press, talk = waiting(dark_from=2)

    told = [event.get("details") for event in talk.events if event["event"] == "validation_complete"]
    assert told[:2] == [{"proofs": [1]}, {"proofs": [1, 2]}]
    state = talk.state.values
    assert state["validation"]["details"] == {"proofs": [1, 2]}

    talk.reply("yes")
    assert press.views[-1].details == {"proofs": [1, 2]}


def test_the_planner_knows_of_the_details_without_issues_too() -> None:
    press = Press(dark_from=1)
    Talk(press).ask(SHEET)

    assert [view.details for view in press.views] == [None, {"proofs": [1]}]


def test_details_go_back_to_the_planner_with_the_issues() -> None:
    press = Press(dark_from=2)
    Talk(press).ask(SHEET)

    feedback = [view.feedback for view in press.views if getattr(view, "feedback", None)]
    assert feedback[-1]["details"] == {"proofs": [1]}
    assert feedback[-1]["issues"][0]["about"] == {"ink": 1}


def test_a_domain_with_nothing_to_tell_tells_nothing() -> None:
    ended = run_once(compiled(Press().domain(checks={}), checkpointer=InMemorySaver()), config=on_thread())

    assert "details" not in ended["validation"]
    assert all("details" not in event for event in ended.told("validation_complete"))


# A long read that is stopped


async def until_it_runs(press: Press) -> None:
    while not press.kept.get(1):
        await asyncio.sleep(0.005)


async def test_a_read_that_is_told_to_stop_is_partial_and_the_work_goes_on() -> None:
    press = Press(passes=10_000)
    graph = Talk(press).graph
    work = asyncio.ensure_future(run(graph, SHEET, thread_id="t"))
    await until_it_runs(press)
    press.stop.set()

    question = question_of(await work)
    ended = await resume(graph, "t", reply="yes")

    assert question["terms"] == {"ink": 1}
    assert ended.results["proof"]["status"] == "partial"
    assert 0 < ended.results["proof"]["data"]["passes"] < 10_000
    assert len(press.began) == 1


def test_a_read_that_runs_out_of_time_is_partial_with_its_best() -> None:
    press = Press(passes=10_000, out_of_time_after=3)
    talk = Talk(press)
    talk.ask(SHEET)

    ended = talk.reply("yes")

    assert ended.results["proof"]["status"] == "partial"
    assert ended.results["proof"]["data"]["passes"] == 3
    assert ended.outcome == "answered"


async def test_a_stop_of_the_request_tells_the_best_so_far_and_a_resume_runs_it_on() -> None:
    press = Press(passes=10_000)
    graph = Talk(press).graph
    handle = CancelHandle()
    work = asyncio.ensure_future(run(graph, SHEET, thread_id="t", cancel=handle))
    await until_it_runs(press)
    handle.cancel()
    stopped = await work

    assert (stopped.outcome, stopped.can_resume) == ("cancelled", True)
    assert stopped.results["proof"]["status"] == "cancelled"
    assert f"proof with ink 1, {press.kept[1]} passes" in stopped.answer

    press.passes = press.kept[1] + 3
    question = question_of(await resume(graph, "t"))
    ended = await resume(graph, "t", reply="yes")

    assert question["terms"] == {"ink": 1}
    assert press.began == [(1, 0), (1, press.passes - 3)]
    assert ended.results["proof"]["status"] == "ok"
    assert ended.results["proof"]["data"]["passes"] == press.passes


def test_a_best_so_far_that_does_not_fit_its_type_is_no_result() -> None:
    press = Press()
    press.on("proof", "1", CutShort({"ink": "blue"}))

    once = Clerk(lambda view: press.plan(view) | {"status": "done"}, lambda view: "one proof")
    ended = Talk(press.domain(script=Script(), checks={}, offline=once)).say(SHEET)

    assert ended.results["proof"]["status"] == "error"
    assert ended.results["proof"]["error"]["code"] == "unexpected_data"
