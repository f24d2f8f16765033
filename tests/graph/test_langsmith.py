"""What is posted to LangSmith, by whom, and how often and how long it is tried."""

import logging
import os
import threading
import warnings
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any
from uuid import UUID, uuid4, uuid5

import pytest
from langchain_core.callbacks import BaseCallbackHandler
from langgraph.graph import MessagesState, StateGraph
from langsmith import Client
from langsmith.run_helpers import tracing_context
from langsmith_server import KEY, LangSmithServer, project_id, traced_to

from wavegraph.graph import langsmith as tracing
from wavegraph.graph.langsmith import FeedbackScore, TracedRun, earlier_run, flush, post, scores, traced_run

RUN = UUID("00000000-0000-4000-8000-000000000007")
GOOD = FeedbackScore("verdict", 1, "as it should be", {"attempt": 2}, "model")


@pytest.fixture
def run(langsmith: LangSmithServer) -> Iterator[TracedRun]:
    """A run of a client of its own, whose projects nobody has asked for yet."""
    with traced_to(langsmith) as client:
        yield TracedRun(client, RUN, "the inn")


# The verdict on an answer


def criterion(name: str, gap: str | None = None) -> Any:
    return {"name": name, "verdict": "fail" if gap else "pass", "gap": gap}


def failure(attempt: int, name: str, gap: str) -> Any:
    return {"attempt": attempt, "criterion": name, "gap": gap, "checked_by": "judge"}


@pytest.mark.parametrize(
    ("checked_by", "source"), [("rules", "api"), ("unavailable", "api"), ("gpt-5-mini", "model"), ("scripted", "model")]
)
def test_an_answer_has_a_score_for_each_criterion(checked_by: str, source: Any) -> None:
    check: Any = {
        "checked_by": checked_by,
        "criteria": [criterion("accuracy"), criterion("clarity", "too long"), criterion("completeness", "no price")],
    }
    failures = [
        failure(1, "clarity", "whose price?"),
        failure(1, "accuracy", "7 of what?"),
        failure(2, "clarity", "too long"),
    ]
    about = {"attempt": 2, "checked_by": checked_by}

    assert scores(check, 2, failures) == [
        FeedbackScore("answer_accuracy", 1, "attempt 1: 7 of what?", about, source),
        FeedbackScore("answer_clarity", 0, "attempt 1: whose price?; attempt 2: too long", about, source),
        FeedbackScore("answer_completeness", 0, "no price", about, source),
    ]
    check["criteria"] = [criterion("accuracy")]
    assert scores(check, 1, [])[0].comment is None


# What is posted


def test_a_score_is_posted_on_its_run(langsmith: LangSmithServer, run: TracedRun) -> None:
    assert post(run, [GOOD, FeedbackScore("other", 0, None)]).result(10)

    told = langsmith.of("verdict")
    assert {name: told[name] for name in ("id", "run_id", "score", "comment", "session_id")} == {
        "id": f"{uuid5(RUN, 'verdict')}", "run_id": f"{RUN}", "score": 1, "comment": "as it should be",
        "session_id": project_id("the inn"),
    }  # fmt: skip
    assert told["feedback_source"] == {"type": "model", "metadata": {"attempt": 2}}
    assert langsmith.of("other")["feedback_source"]["type"] == "api"
    assert langsmith.of("other").get("comment") is None
    assert [method for method, path in langsmith.requests if path.startswith("/feedback")] == ["POST", "POST"]


@pytest.mark.parametrize(("comment", "kept"), [("not blue", "not blue"), (None, "")])
def test_a_score_that_replaces_one_is_changed_or_made(
    langsmith: LangSmithServer, run: TracedRun, comment: str | None, kept: str
) -> None:
    anew = FeedbackScore("verdict", 0, comment, replaces=True)
    assert post(run, [anew]).result(10)
    assert (langsmith.of("verdict")["score"], langsmith.of("verdict").get("comment")) == (0, comment)

    langsmith.given.clear()
    assert post(run, [GOOD]).result(10)
    assert post(run, [anew]).result(10)
    assert (langsmith.of("verdict")["score"], langsmith.of("verdict")["comment"]) == (0, kept)
    assert langsmith.of("verdict")["run_id"] == f"{RUN}"


def hides(outputs: dict[str, Any]) -> dict[str, Any]:
    return {name: f"{len(value)} characters" for name, value in outputs.items()}


@pytest.mark.parametrize(
    ("hide_outputs", "shown"),
    [(False, "as it should be"), (True, None), (hides, "15 characters"), (lambda outputs: {"comment": 15}, None)],
)
def test_a_comment_is_shown_as_the_runs_outputs_are(langsmith: LangSmithServer, hide_outputs: Any, shown: Any) -> None:
    with traced_to(langsmith, hide_outputs=hide_outputs) as client:
        assert post(TracedRun(client, RUN, "the inn"), [GOOD]).result(10)

    assert langsmith.of("verdict").get("comment") == shown


# The project


class Noting(Client):
    """A client that notes when it sends what it has."""

    noted: list[Any]

    def flush(self, timeout: float | None = None) -> None:
        self.noted.append(("sent", timeout))
        super().flush(timeout=timeout)


def looks(langsmith: LangSmithServer) -> int:
    return [path for _, path in langsmith.requests].count("/sessions")


@pytest.mark.parametrize(
    ("missing", "looked", "waited", "found"),
    [(0, 1, 0, True), (1, 2, 1, True), (2, 3, 2, True), (3, 3, 2, False), (9, 3, 2, False)],
)
@pytest.mark.filterwarnings("ignore:Creating feedback for a run without session_id")
def test_a_new_project_is_looked_for_three_times(
    langsmith: LangSmithServer, monkeypatch: pytest.MonkeyPatch, missing: int, looked: int, waited: int, found: bool
) -> None:
    noted: list[Any] = []
    monkeypatch.setattr(tracing, "time", SimpleNamespace(sleep=noted.append))
    langsmith.missing = missing
    client = Noting(api_url=langsmith.url, api_key=KEY, auto_batch_tracing=False)
    client.noted = noted

    assert post(TracedRun(client, RUN, "new"), [GOOD]).result(10)

    assert looks(langsmith) == looked
    assert noted == [("sent", 1.0), 1.0] * waited
    assert langsmith.of("verdict").get("session_id") == (project_id("new") if found else None)
    client.cleanup()


def test_a_project_is_asked_for_once(langsmith: LangSmithServer, run: TracedRun) -> None:
    for key in ("one", "two"):
        assert post(run, [FeedbackScore(key, 1, None)]).result(10)
    assert looks(langsmith) == 1

    assert post(TracedRun(run.client, RUN, "another"), [FeedbackScore("three", 1, None)]).result(10)
    assert looks(langsmith) == 2
    assert langsmith.of("three")["session_id"] == project_id("another")


@pytest.mark.filterwarnings("ignore:Creating feedback for a run without session_id")
def test_a_project_that_may_not_be_asked_for_is_done_without(langsmith: LangSmithServer, run: TracedRun) -> None:
    langsmith.fails_with["/sessions"] = 403

    assert post(run, [GOOD]).result(10)
    assert looks(langsmith) == 1
    assert langsmith.of("verdict").get("session_id") is None


def test_a_langsmith_that_is_not_there_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    with LangSmithServer() as gone:
        pass
    client = Client(api_url=gone.url, api_key=KEY, auto_batch_tracing=False, info={"version": "1"})

    with caplog.at_level(logging.WARNING, "wavegraph"):
        assert not post(TracedRun(client, RUN, "the inn"), [GOOD]).result(30)

    own = [record.getMessage() for record in caplog.records if record.name == "wavegraph"]
    assert own == ["feedback is not posted to LangSmith: LangSmithConnectionError"]
    client.cleanup()


# The thread that posts


@pytest.fixture
def at_exit(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What a process that has posted nothing yet is given to do at its end."""
    given: list[Any] = []
    monkeypatch.setattr(tracing, "atexit", SimpleNamespace(register=lambda *call: given.append(call)))
    tracing._jobs.cache_clear()
    return given


def posters() -> set[threading.Thread]:
    return {thread for thread in threading.enumerate() if thread.name == "wavegraph-feedback"}


def test_posts_wait_for_one_thread_that_no_process_waits_for(at_exit: list[Any], run: TracedRun) -> None:
    before = posters()
    for _ in range(3):
        assert post(run, [GOOD]).result(10)

    (thread,) = posters() - before
    assert thread.daemon


def test_what_was_handed_over_is_waited_for(langsmith: LangSmithServer, run: TracedRun) -> None:
    langsmith.gate.clear()
    post(run, [GOOD])
    assert not flush(0.05)

    langsmith.gate.set()
    assert flush(10)
    assert len(langsmith.feedback) == 1
    assert flush(10)


def test_the_end_of_a_process_waits_five_seconds_at_most(
    at_exit: list[Any], langsmith: LangSmithServer, run: TracedRun
) -> None:
    for _ in range(3):
        post(run, [GOOD])

    ((waits, seconds),) = at_exit
    assert seconds == 5.0
    assert waits(10)
    assert len(langsmith.feedback) == 1


def test_a_forked_child_posts_too(langsmith: LangSmithServer, run: TracedRun) -> None:
    assert post(run, [GOOD]).result(10)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of a fork beside threads
        child = os.fork()
    if child == 0:
        done = False
        try:
            done = post(run, [FeedbackScore("child", 1, None)]).result(10)
        finally:
            os._exit(0 if done else 1)

    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert langsmith.of("child")["score"] == 1


def test_of_more_than_two_hundred_posts_the_last_are_dropped(
    langsmith: LangSmithServer, run: TracedRun, caplog: pytest.LogCaptureFixture
) -> None:
    langsmith.gate.clear()
    first = post(run, [GOOD])
    while not any(path == "/feedback" for _, path in langsmith.requests):
        assert not first.done()
    waiting = [post(run, [GOOD]) for _ in range(200)]
    assert not any(each.done() for each in waiting)

    dropped = post(run, [GOOD])

    assert dropped.result(0) is False
    assert "feedback is not posted to LangSmith: 200 posts wait already" in caplog.text
    langsmith.gate.set()
    assert all(each.result(20) for each in [first, *waiting])


# The run that is being traced


class Other(BaseCallbackHandler):
    """Of somebody else."""


def traced_in_a_node(**config: Any) -> TracedRun | None:
    found: list[TracedRun | None] = []

    def node(state: MessagesState) -> dict[str, Any]:
        found.append(traced_run())
        return {}

    graph = StateGraph(MessagesState)
    graph.add_node("node", node)
    graph.set_entry_point("node")
    graph.compile().invoke({"messages": []}, config)  # type: ignore[arg-type]
    return found[0]


@pytest.mark.parametrize(("project", "kept"), [("the inn", "the inn"), (None, "default")])
def test_a_node_knows_the_run_it_is_part_of(langsmith: LangSmithServer, project: str | None, kept: str) -> None:
    run_id = uuid4()
    with traced_to(langsmith, project=project) as client:
        assert traced_in_a_node(run_id=run_id, callbacks=[Other()]) == TracedRun(client, run_id, kept)


def test_without_a_trace_there_is_none(langsmith: LangSmithServer) -> None:
    assert traced_in_a_node() is None
    assert traced_in_a_node(callbacks=[Other()]) is None


@pytest.mark.parametrize("project", ["the desk", None])
def test_an_earlier_run_is_named_by_its_id(
    langsmith: LangSmithServer, monkeypatch: pytest.MonkeyPatch, project: str | None
) -> None:
    with traced_to(langsmith) as client:
        monkeypatch.setattr("langsmith.run_trees._CLIENT", client)
        monkeypatch.setattr(tracing, "get_tracer_project", lambda: project)
        assert earlier_run(str(RUN)) == TracedRun(client, RUN, project or "default")
        with tracing_context(enabled=False):
            assert earlier_run(str(RUN)) is None
        with tracing_context(enabled="local"):
            assert earlier_run(str(RUN)) is None
