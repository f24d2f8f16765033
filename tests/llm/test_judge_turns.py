"""An answer that was sent back: every way on from there ends in an answer, and asks for nothing twice."""

import asyncio
from typing import Any

import pytest
from endpoint import Endpoint, answers, judges, plans
from inn import Inn, full_house
from langgraph.checkpoint.memory import InMemorySaver
from plans import aask, ask, beds, call, judged, plan
from skipping import LIMIT_S

from wavegraph import AnswerView, CancelHandle, Checks, build_graph, results, resume, run
from wavegraph.graph.state import Criterion

NIGHT, NEXT = "2026-12-05", "2026-12-06"
SAID = "On Saturday 2026-12-05 there are 4 free beds, 350 each."
BETTER = f"{SAID} The night after: 4 free, 350 each."
ASKED = "beds on 2026-12-05 and the night after?"
GAP = "the night after is not there"
RESERVATION = "(I could not make sure that this covers everything you asked."
FIRST = plans(plan(beds("beds", NIGHT)))
AFTER = plans(plan(beds("after", NEXT)))


GOOD, LACKING = judged(), judged(completeness=GAP, by="get_beds")


@pytest.fixture
def inn(endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch) -> Inn:
    monkeypatch.setenv("WAVEGRAPH_ANSWER_CHECK", "on")
    return Inn()


def graph_of(inn: Inn, **changes: Any) -> Any:
    return build_graph(inn.domain(**changes)).compile()


def test_the_writer_is_told_the_gap_after_new_calls_too(endpoint: Endpoint, inn: Inn) -> None:
    endpoint.plays(FIRST, answers(SAID), LACKING, AFTER, answers(BETTER), GOOD)

    ask(graph_of(inn), ASKED)

    again = endpoint.of("answer")[1]
    assert again.block("gaps") == [f"{GAP} (get_beds)"]
    assert again.block("last_answer") == SAID
    assert [row["data"]["night"] for row in again.block("results")] == [NIGHT, NEXT]


def test_a_watcher_sees_one_message_replaced_and_nothing_of_the_verdicts(endpoint: Endpoint, inn: Inn) -> None:
    endpoint.plays(FIRST, answers(SAID), LACKING, AFTER, answers(BETTER), GOOD)

    told = ask(graph_of(inn), ASKED)

    (replaced,) = told.told("answer_replaced")
    (message,) = [m for m in told["messages"] if m.type == "ai"]
    assert (message.id, message.text) == (replaced["message_id"], BETTER)
    assert replaced["answer"] == BETTER
    assert "so it is" not in told.streamed
    assert "".join(str(chunk.text) for chunk in told.tokens) == SAID


def test_every_call_of_every_model_is_counted(endpoint: Endpoint, inn: Inn) -> None:
    broken = judges({"reasoning": ""}, checked=False)
    endpoint.plays(FIRST, answers(SAID), LACKING, AFTER, answers(BETTER), broken, GOOD)

    told = ask(graph_of(inn), ASKED)

    assert told["llm_calls"] == len(endpoint.received) == 7
    assert told["llm_tokens"] == {"input": 700, "output": 70}


def test_without_a_budget_the_verdict_is_given_and_nothing_sent_back(endpoint: Endpoint, inn: Inn) -> None:
    endpoint.plays(FIRST, answers(SAID), LACKING)

    told = ask(graph_of(inn), ASKED, max_answer_replans=0)

    assert told["answer"].startswith(f"{SAID}\n\n{RESERVATION}")
    assert (told["answer_check"]["satisfied"], told["answer_replans"], told["outcome"]) == (False, 0, "partial")
    assert [event["limit"] for event in told.told("limit_reached")] == ["max_answer_replans"]


def test_unclear_to_the_last_needs_no_words_about_it(endpoint: Endpoint, inn: Inn) -> None:
    endpoint.plays(FIRST, answers(SAID), judged(clarity="whose beds?", by="words"))

    told = ask(graph_of(inn), ASKED, max_answer_replans=0)

    assert (told["answer"], told["answer_check"]["satisfied"]) == (SAID, False)


def test_a_claim_the_judge_doubts_to_the_last_goes_out_with_that_doubt(endpoint: Endpoint, inn: Inn) -> None:
    endpoint.plays(
        FIRST, answers(SAID), judged(accuracy="350 is not the price of one", completeness=GAP, by="get_beds")
    )

    told = ask(graph_of(inn), ASKED, max_answer_replans=0)

    assert told["answer"].startswith(f"{SAID}\n\n(I could not make sure that all of this is right.")
    assert told["messages"][-1].text == told["answer"]


def test_a_judge_that_is_never_satisfied_is_heard_as_often_as_the_budget_says(endpoint: Endpoint, inn: Inn) -> None:
    endpoint.plays(FIRST)
    for n in range(4):
        endpoint.plays(answers(f"{SAID} {'Well. ' * n}"), judged(completeness=f"gap {n}", by="get_beds"))
        if n < 3:
            endpoint.plays(plans(plan(beds(f"more_{n}", f"2026-12-1{n}"))))

    told = ask(graph_of(inn), ASKED, max_answer_replans=3)

    assert (told["answer_replans"], told["outcome"]) == (3, "partial")
    assert [f["gap"] for f in told["answer_failures"]] == ["gap 0", "gap 1", "gap 2", "gap 3"]


def test_a_gap_that_no_call_is_left_for_is_not_planned(endpoint: Endpoint, inn: Inn) -> None:
    endpoint.plays(FIRST, answers(SAID), LACKING)

    told = ask(graph_of(inn), ASKED, max_tool_calls=1)

    assert (told["limits_hit"], told["planning_calls"]) == (["max_tool_calls"], 1)
    assert RESERVATION in told["answer"]


@pytest.mark.parametrize(("action", "outcome"), [("clarify", "clarify"), ("refuse", "answered")])
def test_a_question_or_refusal_behind_results_is_told_with_them(
    endpoint: Endpoint, inn: Inn, action: str, outcome: str
) -> None:
    endpoint.plays(FIRST, answers(SAID), LACKING, plans(plan(action=action, reply="Which night?")),
                   answers(f"{SAID} Which other night?"), GOOD)  # fmt: skip

    told = ask(graph_of(inn), ASKED)

    assert (told["answer"], told["outcome"]) == (f"{SAID} Which other night?", outcome)
    assert endpoint.of("answer")[1].block("understood")["reply"] == "Which night?"


def test_a_needless_refusal_becomes_an_answer(endpoint: Endpoint, inn: Inn) -> None:
    refusing = plans(plan(action="refuse", reply="Without a night I cannot look."))
    endpoint.plays(refusing, judged(completeness="the night was given", by="get_beds"), FIRST, answers(SAID), GOOD)

    told = ask(graph_of(inn), "a bed on 2026-12-05?")

    assert (told["answer"], told["outcome"]) == (SAID, "answered")


def test_a_greeting_becomes_a_refusal(endpoint: Endpoint, inn: Inn) -> None:
    greeting, refusing = (
        plans(plan(action=a, reply=r)) for a, r in (("greet", "Welcome!"), ("refuse", "We sell no horses."))
    )
    endpoint.plays(greeting, judged(completeness="no inn sells horses", by="get_beds"), refusing, GOOD)

    told = ask(graph_of(inn), "a horse")

    assert (told["answer"], told["outcome"]) == ("We sell no horses.", "refused")


def test_a_refusal_given_again_word_for_word_is_not_judged_again(endpoint: Endpoint, inn: Inn) -> None:
    refusing = plans(plan(action="refuse", reply="We have no bed."))
    endpoint.plays(refusing, judged(completeness="no night was looked at", by="get_beds"), refusing)

    told = ask(graph_of(inn), "a bed", max_answer_replans=5)

    assert told["answer"].startswith("We have no bed.\n\n(")
    assert not told["answer_check"]["satisfied"]


def test_a_question_before_anything_was_looked_up_is_not_judged(endpoint: Endpoint, inn: Inn) -> None:
    endpoint.plays(plans(plan(action="clarify", reply="Which night?")))

    told = ask(graph_of(inn), "a bed")

    assert (told["answer"], told["outcome"], told["llm_calls"]) == ("Which night?", "clarify", 1)
    assert told["answer_check"]["checked_by"] == "rules"


def test_a_plan_that_is_broken_twice_leaves_the_answer_as_it_is(endpoint: Endpoint, inn: Inn) -> None:
    broken = plans(plan(call("pool", "get_pool")), checked=False)
    endpoint.plays(FIRST, answers(SAID), LACKING, broken, broken)

    told = ask(graph_of(inn), ASKED, model_fallback=False)

    assert told["answer"].startswith(f"{SAID}\n\n{RESERVATION}")
    issues = endpoint.of("plan")[2].block("feedback")["issues"]
    assert [issue["type"] for issue in issues] == ["unsatisfied", "broken_plan"]


def test_when_the_planner_goes_the_rules_fill_the_gap(endpoint: Endpoint, inn: Inn) -> None:
    endpoint.plays(FIRST, answers(SAID), LACKING, plans("", status=401))

    told = ask(graph_of(inn), f"beds on {NIGHT} and {NEXT}?")

    assert f"The porter says: {NEXT}: 4 free" in told["answer"]
    assert (told["outcome"], told["answer_check"]["checked_by"]) == ("answered", "unavailable")
    assert told["tools_executed"] == 2


def test_when_the_time_is_over_no_judge_is_asked(endpoint: Endpoint, inn: Inn) -> None:
    endpoint.plays(FIRST, answers(SAID, fault="hang", lasts_s=LIMIT_S + 1))

    told = ask(graph_of(inn), f"a bed on {NIGHT}?", request_timeout_s=LIMIT_S)

    endpoint.released.set()

    assert told["answer"].startswith(f"The porter says: {NIGHT}: 4 free")
    assert told["answer_check"]["checked_by"] == "unavailable"


def test_a_judge_that_outlasts_the_request_is_left(endpoint: Endpoint, inn: Inn) -> None:
    endpoint.plays(FIRST, answers(SAID), judges("", fault="hang", lasts_s=LIMIT_S + 1))

    told = ask(graph_of(inn), f"a bed on {NIGHT}?", request_timeout_s=LIMIT_S)

    endpoint.released.set()
    assert (told["answer"], told["answer_check"]["checked_by"]) == (SAID, "unavailable")


async def test_a_stop_while_the_judge_is_asked_is_gone_on_with(endpoint: Endpoint, inn: Inn) -> None:
    graph, handle = build_graph(inn.domain()).compile(InMemorySaver()), CancelHandle()
    endpoint.plays(FIRST, answers(SAID), judges("", fault="hang"))
    running = asyncio.create_task(run(graph, f"a bed on {NIGHT}?", thread_id="t", cancel=handle))
    while not endpoint.of("judge"):
        await asyncio.sleep(0.01)
    handle.cancel()
    stopped = await running

    endpoint.released.set()
    endpoint.plays(answers(SAID), GOOD)
    ended = await resume(graph, "t")

    assert (stopped.outcome, stopped.can_resume) == ("cancelled", True)
    assert (ended.outcome, ended.answer) == ("answered", SAID)
    assert ended.answer_check
    assert ended.answer_check["checked_by"] == "scripted"


def wants_two(answer: str, view: AnswerView) -> Criterion:
    gap = None if len(results(view.ledger)) > 1 else "look at two nights"
    return {"name": "two", "verdict": "fail" if gap else "pass", "gap": gap}


def test_an_answer_the_rules_failed_is_judged_once_they_pass_it(endpoint: Endpoint, inn: Inn) -> None:
    endpoint.plays(FIRST, answers(SAID), AFTER, answers(SAID), GOOD)

    told = ask(graph_of(inn, checks=Checks({"get_beds": [full_house]}, answers=[wants_two])), ASKED)

    assert (told["answer_check"]["checked_by"], told["answer"]) == ("scripted", SAID)
    assert told["answer_check"]["satisfied"]
    assert {c["name"] for c in told["answer_check"]["criteria"]} == {"accuracy", "completeness", "clarity", "two"}


async def test_a_run_that_broke_off_before_the_check_is_checked_when_it_goes_on(endpoint: Endpoint, inn: Inn) -> None:
    built, saver, on = build_graph(inn.domain()), InMemorySaver(), {"configurable": {"thread_id": "t"}}
    endpoint.plays(FIRST, answers(SAID))
    cut = await aask(built.compile(saver, interrupt_before=["check_answer"]), f"a bed on {NIGHT}?", on)
    assert (cut["answer"], cut["outcome"]) == (SAID, None)

    endpoint.plays(GOOD)
    ended = await built.compile(saver).ainvoke(None, on)

    assert (ended["outcome"], ended["answer_check"]["checked_by"], ended["llm_calls"]) == ("answered", "scripted", 3)
    assert [m.text for m in ended["messages"] if m.type == "ai"] == [SAID]
