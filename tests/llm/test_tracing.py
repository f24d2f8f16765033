"""The check's verdict at LangSmith: a score per criterion on the traced run, posted behind the answer's back."""

import logging
import os
import subprocess
import sys
from typing import Any
from uuid import uuid4

import pytest
from endpoint import Endpoint, answers, plans
from inn import Inn
from langchain_core.messages import HumanMessage
from langchain_core.runnables import RunnableConfig
from langchain_core.tracers.langchain import LangChainTracer
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import MessagesState, StateGraph
from langgraph.store.memory import InMemoryStore
from langsmith.run_helpers import tracing_context
from langsmith_server import LangSmithServer, project_id, traced_to
from patience import HANGS_S
from plans import ask, beds, judged, plan

from wavegraph import build_graph
from wavegraph.graph import langsmith as tracing
from wavegraph.graph.request.records import records_of

NIGHT = "2026-12-05"
SAID = "On Saturday 2026-12-05 there are 4 free beds, 350 each."
QUESTION = "a bed on 2026-12-05?"
GOOD = plans(plan(beds("beds", NIGHT)))


@pytest.fixture(autouse=True)
def with_a_judge(endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WAVEGRAPH_ANSWER_CHECK", "on")
    monkeypatch.setattr(tracing, "PAUSE_S", 0.02)


def compiled(**options: Any) -> Any:
    return build_graph(Inn().domain()).compile(**options)


def posted(langsmith: LangSmithServer) -> dict[str, dict[str, Any]]:
    """Feedback by key, once all of it is there."""
    assert tracing.flush(10)
    return {each["key"]: each for each in langsmith.feedback}


def human(text: str = QUESTION) -> dict[str, Any]:
    return {"messages": [HumanMessage(text)]}


def on_thread(**more: Any) -> RunnableConfig:
    return {"configurable": {"thread_id": "t"}, **more}  # type: ignore[typeddict-item]


def run_id_in(store: InMemoryStore) -> Any:
    (item,) = store.search(records_of("t"))
    return item.value["run_id"]


def test_each_criterion_is_posted_on_the_run(endpoint: Endpoint, langsmith: LangSmithServer) -> None:
    endpoint.plays(
        GOOD, answers(SAID), judged(completeness="the night after", by="get_beds"),
        plans(plan(beds("after", "2026-12-06"))), answers(f"{SAID} More I do not know."),
        judged(completeness="still not there"),
    )  # fmt: skip
    run_id, store = uuid4(), InMemoryStore()

    with traced_to(langsmith, project="the inn"):
        compiled(store=store).invoke(human("beds on 2026-12-05 and after?"), on_thread(run_id=run_id))
        found = posted(langsmith)

    assert {key: each["score"] for key, each in found.items()} == {
        "answer_accuracy": 1, "answer_completeness": 0, "answer_clarity": 1,
    }  # fmt: skip
    failed = found["answer_completeness"]
    assert failed["comment"] == "attempt 1: the night after; attempt 2: still not there"
    assert found["answer_clarity"].get("comment") is None
    assert (failed["run_id"], failed["session_id"]) == (str(run_id), project_id("the inn"))
    assert failed["feedback_source"]["type"] == "model"
    assert failed["feedback_source"]["metadata"] == {"attempt": 2, "checked_by": "scripted"}
    assert run_id_in(store) == str(run_id)


def test_a_gap_that_was_mended_is_told_with_the_good_score(endpoint: Endpoint, langsmith: LangSmithServer) -> None:
    endpoint.plays(GOOD, answers(SAID), judged(clarity="whose price?", by="words"), answers(f"{SAID} A bed."), judged())

    with traced_to(langsmith):
        ask(compiled(), QUESTION)
        found = posted(langsmith)

    assert (found["answer_clarity"]["score"], found["answer_clarity"]["comment"]) == (1, "attempt 1: whose price?")
    assert found["answer_clarity"]["session_id"] == project_id("default")


def test_the_rules_verdict_is_a_programs(endpoint: Endpoint, langsmith: LangSmithServer) -> None:
    endpoint.plays(GOOD, answers(SAID))

    with traced_to(langsmith):
        ask(compiled(), QUESTION, answer_check="rules")
        found = posted(langsmith)

    assert list(found) == ["answer_accuracy"]
    assert found["answer_accuracy"]["feedback_source"]["type"] == "api"


def test_untraced_nothing_is_posted_and_no_run_named(endpoint: Endpoint, langsmith: LangSmithServer) -> None:
    endpoint.plays(*[GOOD, answers(SAID), judged()] * 2)
    store = InMemoryStore()

    with traced_to(langsmith) as client:
        tracer = LangChainTracer(client=client)
        with tracing_context(enabled=False):
            compiled(store=store).invoke(human(), on_thread())
            assert run_id_in(store) is None
            ask(compiled(), QUESTION, {"callbacks": [tracer]})  # a tracer that is told to keep nothing
        assert posted(langsmith) == {}


def test_a_resumed_request_is_judged_on_the_run_that_ended_it(endpoint: Endpoint, langsmith: LangSmithServer) -> None:
    endpoint.plays(GOOD, answers(SAID), judged())
    store, first, last = InMemoryStore(), uuid4(), uuid4()
    graph = compiled(store=store, checkpointer=InMemorySaver(), interrupt_before=["check_answer"])

    with traced_to(langsmith):
        graph.invoke(human(), on_thread(run_id=first))
        graph.invoke(None, on_thread(run_id=last))
        found = posted(langsmith)

    assert {each["run_id"] for each in found.values()} == {str(last)}
    assert run_id_in(store) == str(last)


def test_inside_another_graph_the_whole_run_is_judged(endpoint: Endpoint, langsmith: LangSmithServer) -> None:
    endpoint.plays(GOOD, answers(SAID), judged())
    outer = StateGraph(MessagesState)
    outer.add_node("inn", compiled())
    outer.set_entry_point("inn")
    run_id = uuid4()

    with traced_to(langsmith):
        outer.compile().invoke(human(), {"run_id": run_id})  # type: ignore[call-overload]
        found = posted(langsmith)

    assert len(found) == 3
    assert {each["run_id"] for each in found.values()} == {str(run_id)}


def test_the_answer_does_not_wait_for_langsmith(endpoint: Endpoint, langsmith: LangSmithServer) -> None:
    endpoint.plays(GOOD, answers(SAID), judged())
    langsmith.gate.clear()

    with traced_to(langsmith):
        told = ask(compiled(), QUESTION)
        assert not tracing.flush(0.1)
        langsmith.gate.set()
        assert len(posted(langsmith)) == 3

    assert told["answer"] == SAID


@pytest.mark.parametrize("path", ["/feedback", "/sessions", "/"])
@pytest.mark.filterwarnings("ignore:Creating feedback for a run without session_id")  # where projects are not told
def test_a_langsmith_that_fails_is_logged_and_no_more(
    endpoint: Endpoint, langsmith: LangSmithServer, caplog: pytest.LogCaptureFixture, path: str
) -> None:
    endpoint.plays(GOOD, answers(SAID), judged())
    langsmith.fails_with[path] = 403

    with caplog.at_level(logging.WARNING, "wavegraph"), traced_to(langsmith):
        told = ask(compiled(), QUESTION)
        posted(langsmith)

    own = [record.getMessage() for record in caplog.records if record.name == "wavegraph"]
    assert told["answer"] == SAID
    assert own == (["feedback is not posted to LangSmith: LangSmithError"] if path != "/sessions" else [])
    assert len(langsmith.feedback) == (3 if path == "/sessions" else 0)


def test_a_project_that_is_not_there_yet_is_waited_for(endpoint: Endpoint, langsmith: LangSmithServer) -> None:
    endpoint.plays(GOOD, answers(SAID), judged())
    langsmith.missing = 2

    with traced_to(langsmith, project="new"):
        ask(compiled(), QUESTION)
        found = posted(langsmith)

    assert {each["session_id"] for each in found.values()} == {project_id("new")}


def test_where_outputs_are_hidden_no_comment_quotes_them(endpoint: Endpoint, langsmith: LangSmithServer) -> None:
    endpoint.plays(GOOD, answers(SAID), judged(clarity="350 of what?", by="words"), answers(SAID))

    with traced_to(langsmith, hide_outputs=True):
        ask(compiled(), QUESTION)
        found = posted(langsmith)

    assert (found["answer_clarity"]["score"], found["answer_clarity"].get("comment")) == (0, None)


def test_more_than_can_wait_is_dropped(langsmith: LangSmithServer, caplog: pytest.LogCaptureFixture) -> None:
    langsmith.gate.clear()
    with traced_to(langsmith) as client:
        run = tracing.TracedRun(client, uuid4(), "default")
        score = tracing.FeedbackScore("verdict", 1, None)
        given = [tracing.post(run, [score]) for _ in range(tracing.MOST_WAITING + 2)]
        langsmith.gate.set()
        assert [each.result(20) for each in given].count(False) >= 1
    assert "posts wait already" in caplog.text


SHORT = f"""
from inn import Inn
from wavegraph import build_graph
from wavegraph.graph import langsmith as tracing
tracing.AT_EXIT_S = %s
print(build_graph(Inn().domain()).compile().invoke({{"messages": [("user", {QUESTION!r})]}})["answer"])
"""


@pytest.mark.parametrize("answers_in_time", [True, False])
def test_a_process_ends_when_all_is_posted_or_its_patience_is_over(
    endpoint: Endpoint, langsmith: LangSmithServer, monkeypatch: pytest.MonkeyPatch, answers_in_time: bool
) -> None:
    endpoint.plays(GOOD, answers(SAID), judged())
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    for name, value in {"TRACING": "true", "ENDPOINT": langsmith.url, "API_KEY": "dummy-key-4711"}.items():
        monkeypatch.setenv(f"LANGSMITH_{name}", value)
    if not answers_in_time:
        langsmith.gate.clear()

    command = [sys.executable, "-c", SHORT % (20 if answers_in_time else 0.2)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=HANGS_S, check=False)

    assert (done.returncode, done.stdout) == (0, f"{SAID}\n"), done.stderr
    assert "Traceback" not in done.stderr
    assert len(langsmith.feedback) == (3 if answers_in_time else 0)
