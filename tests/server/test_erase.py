"""A guest is erased over the server: the thread, its records, and what it booked."""

from typing import Any

import httpx
import pytest
from langgraph_sdk.client import SyncLangGraphClient
from langgraph_sdk.errors import NotFoundError
from starlette.requests import Request

from wavegraph.app.serving import staff

EMAIL = "dorothea@quill.example"
BOOK = f"Book a double room January 17-19 for two adults, Dorothea Quillfeather, {EMAIL}"


def erase(url: str, **body: Any) -> httpx.Response:
    return httpx.post(f"{url}/erase", json=body, timeout=60)


def asked(client: SyncLangGraphClient, *texts: str) -> str:
    thread: str = client.threads.create()["thread_id"]
    for text in texts:
        given = {"messages": [{"role": "user", "content": text}]}
        client.runs.wait(thread, "hotel", input=given, context={"today": "2026-11-20"})
    return thread


def test_a_guest_is_found_by_the_address_and_erased(url: str, client: SyncLangGraphClient) -> None:
    thread, other = asked(client, "Is there parking?", BOOK), asked(client, "What time is breakfast?")

    shown = erase(url, guest=EMAIL.upper(), dry_run=True).json()
    assert (shown["threads"], shown["erased"]) == ([thread], False)
    assert [item["becomes"] for item in shown["items"]] == ["released and erased"]
    assert client.threads.get(thread)["values"]

    done = erase(url, guest=EMAIL)

    assert (done.status_code, done.json()["threads"], done.json()["left"]) == (200, [thread], [])
    with pytest.raises(NotFoundError):
        client.threads.get(thread)
    assert client.store.search_items(("wavegraph", "requests", thread))["items"] == []
    assert client.threads.get(other)["values"]
    for gone in (thread, "t1"):
        assert erase(url, threads=[gone]).json() == {
            "erased": True, "threads": [], "items": [], "left": [], "langsmith_runs": [],
        }  # fmt: skip


def test_a_thread_on_which_a_request_runs_is_not_torn_away(url: str, client: SyncLangGraphClient) -> None:
    thread = client.threads.create()["thread_id"]
    given = {"messages": [{"role": "user", "content": "late:erased"}]}
    run = client.runs.create(thread, "slow", input=given, stream_mode=["custom"], stream_resumable=True)
    for part in client.runs.join_stream(thread, run["run_id"]):
        if part.event == "custom" and part.data["event"] == "tool_started":
            break

    refused = erase(url, threads=[thread])

    assert (refused.status_code, "a request is running" in refused.json()["detail"]) == (409, True)
    assert client.threads.get(thread)["status"] == "busy"
    client.runs.cancel(thread, run["run_id"], wait=True)
    assert erase(url, threads=[thread]).json()["threads"] == [thread]
    with pytest.raises(NotFoundError):
        client.threads.get(thread)


@pytest.mark.parametrize(
    ("body", "status", "why"),
    [
        ({}, 422, "name what to erase"),
        ({"guest": "Dorothea"}, 422, "neither an e-mail address nor a phone number"),
        ({"thread": "t1"}, 422, "thread = 't1': Extra inputs are not permitted"),
        ({"threads": "t1"}, 422, "threads = 't1': Input should be a valid list"),
        ({"threads": ["t1"], "dry_run": "no"}, 422, "dry_run = 'no': Input should be a valid boolean"),
    ],
)
def test_what_names_nobody_is_refused(url: str, body: dict[str, Any], status: int, why: str) -> None:
    refused = erase(url, **body)
    assert (refused.status_code, why in refused.json()["detail"]) == (status, True)


class Person(dict[str, Any]):
    is_authenticated = True


@pytest.mark.parametrize(
    ("auth", "user", "is_staff"),
    [
        ("", None, True),
        ("", Person(role="guest"), True),
        ("{}", Person(role="staff"), True),
        ("{}", Person(roles=["guest", "staff"]), True),
        ("{}", Person(permissions=["staff"]), True),
        ("{}", Person(role="guest"), False),
        ("{}", Person(role="staffed", display_name="staff"), False),
        ("{}", Person(identity="staff"), False),
        ("{}", None, False),
    ],
)
def test_where_there_is_an_auth_handler_only_staff_may(
    auth: str, user: Any, is_staff: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANGGRAPH_AUTH", auth)
    scope = {"type": "http", "method": "POST", "headers": [], **({"user": user} if user is not None else {})}
    assert staff.is_staff(Request(scope)) is is_staff
