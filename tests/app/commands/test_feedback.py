"""A person's verdict: kept with the thread's last closed request, shown with its answer, sent to LangSmith."""

import json
from threading import Timer
from typing import Any
from uuid import UUID, uuid5

import pytest
from clerk import graph as clerk
from langgraph.store.memory import InMemoryStore
from langsmith_server import KEY, LangSmithServer, project_id, traced_to
from runs import wait
from shell import Inside, Shell
from skipping import LIMIT_S

from wavegraph.app.run import feedback as posting
from wavegraph.app.run.feedback import (
    LONGEST_WHY,
    BadVerdict,
    NothingToJudge,
    StoredFeedback,
    closed_requests,
    give_feedback,
)
from wavegraph.app.run.runner import run
from wavegraph.app.storage.open import open_storage
from wavegraph.graph.guard.cards import MARK
from wavegraph.graph.request.records import records_of


def judge(shell: Shell, *words: str, **environment: str) -> Any:
    return shell.plain("feedback", *words, "--db", shell.database, **environment)


def messages(shell: Shell) -> list[dict[str, Any]]:
    printed = shell.plain("threads", "t1", "--json", "--domain", "clerk:graph", "--db", shell.database)
    found: list[dict[str, Any]] = json.loads(printed.stdout)["messages"]
    return found


async def ask(shell: Shell, *texts: str) -> None:
    """Have these answered on the thread `t1` of the shell's database."""
    async with open_storage(shell.database) as storage:
        graph = clerk.builder.compile(checkpointer=storage.checkpointer, store=storage.store)
        for text in texts:
            await run(graph, text, thread_id="t1")


def test_the_last_answer_is_judged_and_judged_anew(inside: Inside) -> None:
    wait(ask(inside, "look:blue", "look:green"))

    assert judge(inside, "t1", "bad", "--why", "I asked for red").stdout == "bad: kept with 'look:green'\n"
    assert [message.get("feedback", {}).get("why") for message in messages(inside)] == [
        None, None, None, "I asked for red",
    ]  # fmt: skip
    kept = json.loads(judge(inside, "t1", "good", "--json").stdout)
    assert kept == {"thread_id": "t1", "request": "look:green", "feedback": kept["feedback"], "posted": None}
    assert messages(inside)[-1]["feedback"] == kept["feedback"]
    assert (kept["feedback"]["verdict"], kept["feedback"]["why"]) == ("good", "")


def test_a_thread_shows_what_was_said_of_each_answer(inside: Inside) -> None:
    async def judged_request(text: str, verdict: str, why: str = "") -> None:
        await ask(inside, text)
        async with open_storage(inside.database) as storage:
            await give_feedback(storage.store, "t1", verdict, why)

    wait(judged_request("look:blue", "good"))
    wait(judged_request("look:green", "bad", "not that"))

    printed = inside.plain("threads", "t1", "--domain", "clerk:graph", "--db", inside.database).stdout.splitlines()
    assert printed[1:] == [
        "you> look:blue", "blue: 3 left", "[judged good]", "you> look:green", "green: 3 left", "[judged bad: not that]",
    ]  # fmt: skip


def test_what_cannot_be_judged_is_refused(inside: Inside) -> None:
    unknown = judge(inside, "nowhere", "good")
    assert (unknown.returncode, unknown.stdout) == (2, "")
    assert unknown.stderr == "wavegraph: no thread 'nowhere' in this database; `wavegraph threads` shows them\n"
    assert judge(inside, "t1", "splendid").returncode == 2


async def test_the_last_request_is_the_one_of_the_highest_number() -> None:
    store = InMemoryStore()
    for key, number, ended in (("z", 1, "2026-01-01"), ("a", 2, "2026-01-02"), ("m", 2, "2026-01-03")):
        record = {"request": {"number": number, "text": key}, "ended_at": ended, "feedback": None, "run_id": None}
        await store.aput(records_of("t"), key, record)
    await store.aput(records_of("t.2"), "other", {"request": {"number": 9}})
    assert (await give_feedback(store, "t", "good")).request == "m"


def test_a_thread_without_an_answer_has_nothing_to_judge() -> None:
    with pytest.raises(NothingToJudge, match="thread 't' has no answered request to judge"):
        wait(give_feedback(InMemoryStore(), "t", "good"))


@pytest.mark.parametrize(
    ("verdict", "why"), [("maybe", ""), (None, ""), (["good"], ""), ("good", 5), ("bad", "x" * (LONGEST_WHY + 1))]
)
def test_a_verdict_that_is_none(verdict: Any, why: Any) -> None:
    with pytest.raises(BadVerdict, match="expected"):
        wait(give_feedback(InMemoryStore(), "t", verdict, why))


async def test_a_card_number_in_the_reason_is_not_kept() -> None:
    store = InMemoryStore()
    await run(clerk.builder.compile(store=store), "look:blue", thread_id="t")
    given = await give_feedback(store, "t", "bad", " it lost my card 4111 1111 1111 1111 ")
    assert given.feedback["why"] == f"it lost my card {MARK}"
    (item,) = store.search(records_of("t"))
    assert item.value["feedback"] == given.feedback
    assert item.value["answer"] == "blue: 3 left"


async def closed(shell: Shell) -> dict[str, Any]:
    async with open_storage(shell.database) as storage:
        return await closed_requests(storage.store, "t1")


def hides(outputs: dict[str, Any]) -> dict[str, Any]:
    return {name: f"{len(value)} characters" for name, value in outputs.items()}


@pytest.mark.parametrize(
    ("hide_outputs", "shown"),
    [(False, "not blue"), (True, None), (hides, "8 characters"), (lambda outputs: {"comment": 15}, None)],
)
def test_a_reason_is_shown_as_the_runs_outputs_are(
    shell: Shell, langsmith: LangSmithServer, monkeypatch: pytest.MonkeyPatch, hide_outputs: Any, shown: Any
) -> None:
    async def judged() -> StoredFeedback:
        async with open_storage(shell.database) as storage:
            return await give_feedback(storage.store, "t1", "bad", "not blue")

    with traced_to(langsmith, hide_outputs=hide_outputs) as client:
        monkeypatch.setattr("langsmith.run_trees._CLIENT", client)
        wait(ask(shell, "look:blue"))
        assert wait(judged()).posted

    assert langsmith.of("user_verdict").get("comment") == shown


@pytest.mark.filterwarnings("ignore:Creating feedback for a run without session_id")
def test_a_langsmith_that_is_slow_or_tells_no_project_takes_no_verdict(
    shell: Shell, langsmith: LangSmithServer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def judged() -> StoredFeedback:
        async with open_storage(shell.database) as storage:
            return await give_feedback(storage.store, "t1", "bad", "not blue")

    with traced_to(langsmith) as client:
        monkeypatch.setattr("langsmith.run_trees._CLIENT", client)
        wait(ask(shell, "look:blue"))
        langsmith.fails_with["/sessions"] = 403
        assert wait(judged()).posted
        assert langsmith.of("user_verdict").get("session_id") is None

        langsmith.gate.clear()
        langsmith.given.clear()
        monkeypatch.setattr(posting, "POSTED_WITHIN_S", 0.1)
        late = Timer(LIMIT_S, langsmith.gate.set)
        late.start()
        assert wait(judged()).posted is False
        assert not langsmith.gate.is_set(), "what is still being posted held up the end"
        late.cancel()
        langsmith.gate.set()
    assert "feedback is not posted to LangSmith yet" in caplog.text


def test_a_traced_answers_verdict_is_told_to_langsmith(
    shell: Shell, inside: Inside, langsmith: LangSmithServer
) -> None:
    environment = {"LANGSMITH_TRACING": "true", "LANGSMITH_ENDPOINT": langsmith.url, "LANGSMITH_API_KEY": KEY,
                   "LANGSMITH_PROJECT": "the desk"}  # fmt: skip
    with traced_to(langsmith):
        wait(ask(shell, "look:blue"))
        (record,) = wait(closed(shell)).values()

    judged = judge(shell, "t1", "bad", "--why", "not blue", **environment)
    assert judged.stdout == "bad: kept with 'look:blue', and sent to LangSmith\n"
    verdict = langsmith.of("user_verdict")
    assert (verdict["score"], verdict["comment"]) == (0, "not blue")
    assert (verdict["run_id"], verdict["id"]) == (record["run_id"], f"{uuid5(UUID(record['run_id']), 'user_verdict')}")
    assert verdict["session_id"] == project_id("the desk")
    assert verdict["feedback_source"]["type"] == "api"

    judge(shell, "t1", "good", **environment)
    assert (langsmith.of("user_verdict")["score"], langsmith.of("user_verdict")["comment"]) == (1, "")

    asked = len(langsmith.requests)
    untraced = judge(inside, "t1", "bad")
    assert (untraced.stdout, len(langsmith.requests)) == ("bad: kept with 'look:blue'\n", asked)

    langsmith.fails_with["/"] = 500
    failed = judge(shell, "t1", "bad", **environment)
    assert (failed.returncode, failed.stdout) == (0, "bad: kept with 'look:blue'\n")
    assert "LangSmith could not be reached; the verdict is kept here" in failed.stderr.splitlines()
    assert KEY not in failed.stderr
