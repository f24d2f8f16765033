"""An answer is owed whatever fails on the way to it: responders, templates, rules, a late look-up of a model, planning."""

import asyncio
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from endpoint import Endpoint, answers, judges, plans
from inn import Inn, Porter, full_house
from langchain_core.messages import HumanMessage
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.errors import GraphBubbleUp
from langgraph.types import Command, interrupt
from patience import HANGS_S
from plans import aask, ask, beds, call, plan
from runs import Run
from scripted import Says
from skipping import LIMIT_S, jump
from tables import table

from wavegraph import (
    AnswerView,
    CancelHandle,
    Checks,
    Domain,
    PlanningResult,
    PlanningView,
    SettingsError,
    build_graph,
    run,
)
from wavegraph.graph.domain_tool import write

NIGHT = "2026-12-05"
TEXT = f"book a bed on {NIGHT}"
BOOK = plans(plan(call("book", "book_bed", night=NIGHT)))
PLAINLY = f"Done: book_bed (night: {NIGHT}, number: B-77)."


class Mute(Porter):
    def respond(self, view: AnswerView) -> str:
        raise LookupError("password hunter2")


class Booker(Porter):
    """Books what it is asked for, by rule."""

    def plan(self, view: PlanningView) -> PlanningResult:
        made = super().plan(view)
        return {**made, "tools": [{"id": "book", "tool": "book_bed", "args": {"night": NIGHT}}]}


class Silent(Booker):
    """Books, and has no words for it."""

    respond = Mute.respond


def raises(error: BaseException) -> Callable[..., Any]:
    def fail(*_: Any) -> Any:
        raise error

    return fail


def told_of(domain: Domain, responder: Any = None, **settings: Any) -> Run:
    return ask(build_graph(domain, responder=responder).compile(), TEXT, **settings)


@pytest.mark.parametrize(
    "writes", [RuntimeError("password hunter2"), None, " \n"], ids=["raises", "gives nothing", "gives blanks"]
)
def test_a_responder_that_fails_leaves_it_to_templates(writes: Any) -> None:
    told = told_of(Inn().domain(), Says(writes), planner="auto")
    assert (told["outcome"], told["answer"].splitlines()[0]) == ("answered", f"The porter says: {NIGHT}: 4 free")


async def test_what_passes_through_a_node_passes_through_a_responder() -> None:
    graph = build_graph(Inn().domain(), responder=Says(lambda view: interrupt("who asks?")))
    state = await graph.compile(checkpointer=InMemorySaver()).ainvoke(
        {"messages": [HumanMessage(TEXT)]}, {"configurable": {"thread_id": "t"}}
    )
    assert state["__interrupt__"][0].value == "who asks?"


def test_a_write_that_the_templates_do_not_know_is_told_where_they_stand_in(endpoint: Endpoint) -> None:
    endpoint.plays(BOOK, answers("", status=500), BOOK, answers("It is yours."))
    graph = build_graph(Inn().domain()).compile()

    stood_in = ask(graph, TEXT, model_attempts=1)
    written = ask(graph, TEXT)

    assert stood_in["answer"].startswith(f"The porter found nothing.\n\n{PLAINLY}\n\n(The language model")
    assert written["answer"] == "It is yours."


@table(
    ("receipt", "says"),
    [
        (lambda data, language: (data["number"], f"{language}: bed {data['number']}"), "en: bed B-77"),
        (raises(KeyError("password hunter2")), PLAINLY),
        (lambda data, language: None, PLAINLY),
    ],
)
@table(("offline", "outcome"), [(Booker(), "answered"), (Silent(), "failed")])
def test_a_receipt_stands_in_every_answer(receipt: Any, says: str, offline: Any, outcome: str) -> None:
    plain = Inn().domain()
    book = next(each for each in plain.tools if each.name == "book_bed")
    domain = replace(plain, tools=[*plain.tools[:2], write(book, receipt=receipt)], offline=offline)  # type: ignore[arg-type]

    told = told_of(domain)

    assert (told["outcome"], says in told["answer"]) == (outcome, True)


def test_a_write_nobody_knows_of_is_told_as_that() -> None:
    @tool
    async def book_bed(night: str) -> str:
        """Book one bed."""
        raise TimeoutError

    plain = Inn().domain()
    told = told_of(replace(plain, tools=[*plain.tools[:2], book_bed], offline=Silent()))
    assert "It is not known whether this was done. Please have it checked" in told["answer"]
    assert told["answer"].endswith("it will not be sent again: book_bed.")


class Halting(Booker):
    """Books, and cannot plan what it wanted to do then."""

    def plan(self, view: PlanningView) -> PlanningResult:
        if view.plan:
            raise ZeroDivisionError("password hunter2")
        return {**super().plan(view), "status": "continue"}


@pytest.mark.parametrize("opens", [True, False], ids=["planner", "resources"])
def test_planning_that_fails_after_a_write_takes_no_news(opens: bool) -> None:
    inn = Inn()

    async def lost() -> None:
        if inn.booked:
            raise ConnectionError("password hunter2")

    told = told_of(inn.domain(offline=Halting(), **({} if opens else {"open": lost})), responder=Says("B-77"))

    assert (told["outcome"], told["answer"]) == ("partial", "B-77")
    assert [issue["rule"] for issue in told["issues"]] == ["planning_failed"]


def test_planning_that_fails_before_anything_was_done_is_answered_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    lost = type("Lost", (Porter,), {"plan": raises(ZeroDivisionError("password hunter2"))})()
    told = told_of(Inn().domain(offline=lost))
    assert told["outcome"] == "failed"
    assert "nothing was done" in told["answer"]
    assert "the plan of inn failed: ZeroDivisionError at test_answer_owed.py:" in caplog.text
    assert "hunter2" not in caplog.text + told["answer"]


@pytest.mark.parametrize(
    "fail", [raises(KeyError("password hunter2")), lambda *_: None, lambda *_: 5], ids=["raises", "nothing", "nonsense"]
)
def test_a_rule_that_fails_leaves_the_answer_and_the_other_rules(fail: Any) -> None:
    other = {"name": "manners", "verdict": "fail", "gap": "say please"}
    rules: Any = [fail, lambda *_: other]
    domain = Inn().domain(checks=Checks({"get_beds": [full_house]}, answers=rules))

    told = told_of(domain, max_answer_replans=0)

    assert told["answer"] == f"The porter says: {NIGHT}: 4 free"
    check = told["answer_check"]
    assert (check["checked_by"], check["satisfied"], check["reasoning"]) == (
        "unavailable",
        False,
        "manners: say please",
    )
    assert [criterion["name"] for criterion in check["criteria"]] == ["accuracy", "manners"]


def test_a_rule_that_hangs_is_not_waited_for() -> None:
    released = threading.Event()

    def hangs(answer: str, view: AnswerView) -> Any:
        jump()
        released.wait(HANGS_S)

    graph = build_graph(Inn().domain(checks=Checks({"get_beds": [full_house]}, answers=[hangs]))).compile()
    with asyncio.Runner() as runner:
        told = runner.run(aask(graph, TEXT, answer_check_timeout_s=LIMIT_S))
        released.set()  # a thread cannot be stopped, and the loop's end waits for it

    assert (told["answer"], told["answer_check"]["checked_by"]) == (f"The porter says: {NIGHT}: 4 free", "unavailable")


@pytest.mark.parametrize(
    "fault", [{"models": []}, {"models_status": 500}, {"models_status": 404}], ids=["offers none", "500", "404"]
)
def test_a_judges_server_that_names_no_model_holds_nothing_up(
    fault: dict[str, Any], server: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WAVEGRAPH_VALIDATOR_BASE_URL", server.url)
    monkeypatch.setenv("WAVEGRAPH_ANSWER_CHECK", "on")
    for name, value in fault.items():
        setattr(server, name, value)

    told = told_of(Inn().domain(), model_attempts=1)

    assert (told["outcome"], told["answer_check"]["checked_by"]) == ("answered", "unavailable")


@pytest.mark.parametrize(
    "error", [ValueError("password hunter2"), SettingsError("no"), ExceptionGroup("", [OSError()])]
)
def test_whatever_a_judges_model_raises_the_answer_goes_out(error: Exception) -> None:
    told = ask(build_graph(Inn().domain(), model={"validator": raises(error)}).compile(), TEXT, answer_check="on")
    assert (told["outcome"], told["answer_check"]["checked_by"]) == ("answered", "unavailable")


async def test_a_check_that_is_asked_for_on_the_way_and_cannot_be_had_is_unavailable() -> None:
    """The run that goes on may be given other settings than the one that began."""

    graph = build_graph(Inn().domain(), responder=Says(lambda view: interrupt("who asks?") and "4 free"))
    thread: Any = {"configurable": {"thread_id": "t"}}
    compiled = graph.compile(checkpointer=InMemorySaver())
    await compiled.ainvoke({"messages": [HumanMessage(TEXT)]}, thread)
    state = await compiled.ainvoke(Command(resume="I"), thread, context={"answer_check": "on"})
    assert (state["answer"], state["answer_check"]["checked_by"]) == ("4 free", "unavailable")


def test_what_bubbles_up_passes_through_rules() -> None:
    with pytest.raises(GraphBubbleUp):
        told_of(Inn().domain(checks=Checks({"get_beds": [full_house]}, answers=[raises(GraphBubbleUp())])))


def test_thoughts_and_data_reach_no_guest(endpoint: Endpoint) -> None:
    look = plans(plan(beds("beds", NIGHT)))
    endpoint.plays(look, answers("<think>4? Or 350?</think>There are 4 beds."), look, answers("<think>4? 4 beds."),
                   look, answers('```json\n{"free": 4}\n```'), look, answers('[{"free": 4}] {}'))  # fmt: skip
    graph = build_graph(Inn().domain()).compile()

    told = [ask(graph, TEXT) for _ in range(4)]

    assert told[0]["answer"] == "There are 4 beds."
    assert [event["answer"] for event in told[0].told("answer_replaced")] == ["There are 4 beds."]
    assert [each["answer"].splitlines()[0] for each in told[1:]] == [f"The porter says: {NIGHT}: 4 free"] * 3


async def test_a_stop_tells_what_was_written_though_the_templates_fail(endpoint: Endpoint) -> None:
    handle = CancelHandle()
    endpoint.plays(BOOK, answers("Booked.", fault="hang"))
    graph = build_graph(Inn().domain(offline=Mute())).compile(checkpointer=InMemorySaver())

    def stop(event: Any) -> None:
        if event["event"] == "validation_complete":
            handle.cancel()

    ended = await run(graph, TEXT, thread_id="t", cancel=handle, on_event=stop)

    endpoint.script.clear()
    assert (ended.outcome, PLAINLY in ended.answer) == ("cancelled", True)


async def test_a_stop_while_the_judge_is_asked_is_a_stop(endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WAVEGRAPH_ANSWER_CHECK", "on")
    handle = CancelHandle()
    endpoint.plays(plans(plan(beds("beds", NIGHT))), answers("4 free beds."), judges("", fault="hang"))
    graph = build_graph(Inn().domain()).compile(checkpointer=InMemorySaver())

    async def stop() -> None:
        while not endpoint.of("judge"):
            await asyncio.sleep(0.02)
        handle.cancel()

    stopping = asyncio.create_task(stop())
    ended = await run(graph, TEXT, thread_id="t", cancel=handle)
    await stopping
    assert ended.outcome == "cancelled"
