"""A person's verdict over the server: a route of our own beside the server's, on the record the graph kept there."""

from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest
from dev_server import serving
from langgraph_sdk import get_sync_client
from langgraph_sdk.client import SyncLangGraphClient
from langsmith_server import KEY, LangSmithServer, project_id

from wavegraph.graph.guard.cards import MARK


def asked(client: SyncLangGraphClient, *texts: str) -> str:
    """A thread on which these were answered."""
    thread: str = client.threads.create()["thread_id"]
    for text in texts:
        client.runs.wait(thread, "hotel", input={"messages": [{"role": "user", "content": text}]})
    return thread


def records(client: SyncLangGraphClient, thread: str) -> list[Any]:
    found = client.store.search_items(("wavegraph", "requests", thread))["items"]
    return sorted((item["value"] for item in found), key=lambda record: record["request"]["number"])


def judge(url: str, thread: str, **options: Any) -> httpx.Response:
    return httpx.post(f"{url}/threads/{thread}/feedback", timeout=60, **options)


@pytest.fixture(scope="module")
def thread(client: SyncLangGraphClient) -> str:
    return asked(client, "What time is breakfast?", "Is there parking?")


def test_the_last_answer_is_judged_and_judged_anew(url: str, client: SyncLangGraphClient, thread: str) -> None:
    first = judge(url, thread, json={"verdict": "bad", "why": "it lost my card 4111 1111 1111 1111"})
    assert first.status_code == 200
    assert first.json()["feedback"]["why"] == f"it lost my card {MARK}"

    told = judge(url, thread, json={"verdict": "good"}).json()

    assert told == {"thread_id": thread, "request": "Is there parking?", "feedback": told["feedback"], "posted": None}
    assert [record["feedback"] for record in records(client, thread)] == [None, told["feedback"]]
    assert records(client, thread)[1]["answer"]


def test_what_cannot_be_judged_is_refused(url: str, client: SyncLangGraphClient, thread: str) -> None:
    good = {"verdict": "good"}
    unknown = judge(url, str(uuid4()), json=good)
    assert (unknown.status_code, "not found" in unknown.text) == (404, True)
    assert judge(url, "no-uuid", json=good).status_code == 422
    empty = judge(url, asked(client), json=good)
    assert (empty.status_code, "has no answered request to judge" in empty.text) == (404, True)
    for body in (b"", b"{broken", b"[1]", b'"good"'):
        refused = judge(url, thread, content=body, headers={"Content-Type": "application/json"})
        assert (refused.status_code, refused.json()) == (400, {"detail": "the body is not a JSON object"})
    for given in ({}, {"verdict": "maybe"}, {"verdict": "bad", "why": 7}, {"verdict": "bad", "why": "x" * 2001}):
        refused = judge(url, thread, json=given)
        assert (refused.status_code, refused.json()["detail"].startswith(("verdict", "why"))) == (422, True)


def test_a_key_nobody_knows_is_refused_and_the_reason_kept(url: str, client: SyncLangGraphClient) -> None:
    thread = asked(client, "Is there parking?")
    judge(url, thread, json={"verdict": "bad", "why": "too short"})

    refused = judge(url, thread, json={"verdict": "bad", "wy": "too long"})

    assert (refused.status_code, refused.json()["detail"].startswith("wy")) == (422, True)
    assert records(client, thread)[0]["feedback"]["why"] == "too short"


def test_the_servers_own_routes_stay(url: str, client: SyncLangGraphClient, thread: str) -> None:
    assert client.threads.get(thread)["thread_id"] == thread
    assert client.threads.get_state(thread)["values"]
    described = httpx.get(f"{url}/openapi.json", timeout=60).json()["paths"]
    assert {"/threads/{thread_id}", "/threads/{thread_id}/runs", "/threads/{thread_id}/feedback"} <= set(described)
    assert set(described["/threads/{thread_id}/feedback"]["post"]["responses"]) >= {"200", "400", "404", "422"}
    assert httpx.get(f"{url}/threads/{thread}/feedback", timeout=60).status_code in (404, 405)


@pytest.mark.attack  # a server of its own
def test_traced_the_verdict_reaches_langsmith(langsmith: LangSmithServer, tmp_path: Path) -> None:
    environment = {"LANGSMITH_TRACING": "true", "LANGSMITH_ENDPOINT": langsmith.url, "LANGSMITH_API_KEY": KEY,
                   "LANGSMITH_PROJECT": "the hotel"}  # fmt: skip
    with (
        serving(tmp_path, {}, environment, tmp_path / "server.log") as url,
        get_sync_client(url=url, timeout=60) as client,
    ):
        thread = asked(client, "What time is breakfast?")
        (run,) = client.runs.list(thread)
        told = judge(url, thread, json={"verdict": "bad", "why": "too early"}).json()
        (record,) = records(client, thread)

    assert told["posted"] is True
    assert record["run_id"] == run["run_id"]
    verdict = langsmith.of("user_verdict")
    assert (verdict["score"], verdict["comment"], verdict["run_id"]) == (0, "too early", run["run_id"])
    assert verdict["session_id"] == project_id("the hotel")
    assert KEY not in (tmp_path / "server.log").read_text(encoding="utf-8")
