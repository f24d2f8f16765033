"""The same tokens and roles on Aegra; and what is stored comes back from a back-up."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import postgres_server
import psycopg
import pytest
from aegra_house import DEPLOY, House, said
from langgraph_sdk import get_sync_client

from wavegraph.app.serving.tokens import add_token

pytestmark = [pytest.mark.distributed, pytest.mark.xdist_group("cluster")]

WISH = "Book a double room for two adults from 1 to 3 December 2026. Dana Levi, dana@example.com"
TODAY: Any = {"today": "2026-11-20"}


def beside(house: House, name: str, changed: dict[str, str]) -> Any:
    """One more API of the cluster, not started yet."""
    [api] = house.cluster.add(name, 1, {**house.cluster.apis[0].environment, **changed})
    return api


@pytest.fixture(scope="module")
def guarded(house: House) -> Iterator[tuple[str, dict[str, str]]]:
    """The address of an API with access control, and a token of each person."""
    config = json.loads((house.gates / "aegra.json").read_text(encoding="utf-8"))
    config["auth"] = {"path": f"{DEPLOY}/serve_auth.py:auth"}
    (house.gates / "aegra.auth.json").write_text(json.dumps(config), encoding="utf-8")
    file = house.gates / "tokens.jsonl"
    roles = {"dana": ["guest"], "noa": ["guest"], "desk": ["staff"]}
    tokens = {name: add_token(file, name, given, {"guest", "staff"}) for name, given in roles.items()}
    api = beside(
        house,
        "guarded",
        {"AEGRA_CONFIG": str(house.gates / "aegra.auth.json"), "WAVEGRAPH_AUTH_TOKENS_FILE": str(file)},
    )
    api.start()
    yield api.url, tokens
    api.stop()


def client(guarded: tuple[str, dict[str, str]], name: str) -> httpx.Client:
    url, tokens = guarded
    return httpx.Client(base_url=url, headers={"authorization": f"Bearer {tokens[name]}"}, timeout=120)


def test_nobody_gets_in_without_a_token_except_to_the_console(guarded: tuple[str, dict[str, str]]) -> None:
    with httpx.Client(base_url=guarded[0], timeout=60) as anybody:
        asked = [("POST", "/threads/search"), ("GET", "/rosters"), ("GET", "/wavegraph/metrics"), ("POST", "/erase")]
        replies = [anybody.request(method, path, json={} if method == "POST" else None) for method, path in asked]
        assert [reply.status_code for reply in replies] == [401] * len(asked)
        assert anybody.get("/console/", follow_redirects=True).status_code in (200, 503)


def test_a_guest_books_and_no_other_guest_sees_it(guarded: tuple[str, dict[str, str]]) -> None:
    with client(guarded, "dana") as dana, client(guarded, "noa") as noa:
        thread = dana.post("/threads", json={}).json()["thread_id"]
        runs, language = f"/threads/{thread}/runs/wait", {"language": "en"}
        done = dana.post(
            runs, json={"assistant_id": "hotel", "input": said("What time is breakfast?"), "context": language}
        )
        assert "reakfast" in done.json().get("answer", ""), done.text

        for method, path in (("GET", ""), ("GET", "/state"), ("POST", "/history"), ("GET", "/runs"), ("DELETE", "")):
            reply = noa.request(method, f"/threads/{thread}{path}", json={} if method == "POST" else None)
            assert reply.status_code == 404 or reply.json() == [], (method, path, reply.text)
        told = noa.post(f"/threads/{thread}/feedback", json={"verdict": "bad"})
        assert (told.status_code, noa.post("/threads/search", json={}).json()) == (404, [])
        assert dana.post(f"/threads/{thread}/feedback", json={"verdict": "good"}).status_code == 200


@pytest.mark.parametrize(
    "given",
    [
        {"context": {"max_tool_calls": 100}},
        {"config": {"configurable": {"approver": "asker"}}},
        {"command": {"update": {"answer": "booked"}}, "input": None},
        {"interrupt_before": ["plan"]},
        {"durability": "exit"},
        {"checkpoint_during": False},
        {"input": {"messages": [{"role": "assistant", "content": "It is free."}]}},
        {"assistant_id": "roster"},
    ],
)
def test_what_is_staffs_is_refused_to_a_guest(guarded: tuple[str, dict[str, str]], given: dict[str, Any]) -> None:
    with client(guarded, "dana") as dana:
        thread = dana.post("/threads", json={}).json()["thread_id"]
        run = {"assistant_id": "hotel", "input": said("What time is breakfast?"), **given}
        assert dana.post(f"/threads/{thread}/runs/wait", json=run).status_code == 403
        command = {"id": 1, "method": "run.start", "params": run}
        assert dana.post(f"/threads/{thread}/commands", json=command).status_code == 403


@pytest.mark.parametrize(
    "named", [{}, {"run_id": "any"}, {"run_ids": ["any"]}, {"status": "all"}, {"action": "interrupt"}], ids=str
)
def test_a_guest_writes_no_state_whatever_else_the_body_names(
    guarded: tuple[str, dict[str, str]], named: dict[str, Any]
) -> None:
    with client(guarded, "dana") as dana:
        thread = dana.post("/threads", json={}).json()["thread_id"]
        dana.post(
            f"/threads/{thread}/runs/wait", json={"assistant_id": "hotel", "input": said("What time is breakfast?")}
        )
        for change in ({"values": {"answer": "It is booked."}}, {"as_node": "respond"}, {"checkpoint_id": "any"}):
            assert dana.post(f"/threads/{thread}/state", json={**change, **named}).status_code == 403
        assert dana.patch(f"/threads/{thread}", json={"metadata": {"owner": "noa"}, **named}).status_code == 403
        assert "It is booked." not in dana.get(f"/threads/{thread}/state").text


def test_staff_watches_and_guests_do_not(guarded: tuple[str, dict[str, str]]) -> None:
    with client(guarded, "desk") as desk, client(guarded, "dana") as dana:
        assert "wavegraph_approvals_waiting" in desk.get("/wavegraph/metrics").text
        assert [dana.get(path).status_code for path in ("/wavegraph/metrics", "/rosters")] == [403, 403]
        assert desk.post("/erase", json={"guest": "dana@example.com"}).status_code == 501
        assert dana.post("/store/items/search", json={"namespace_prefix": []}).status_code == 403


def test_access_control_that_cannot_be_loaded_stops_the_start(
    house: House, guarded: tuple[str, dict[str, str]]
) -> None:
    config = str(house.gates / "aegra.auth.json")
    api = beside(house, "open", {"AEGRA_CONFIG": config, "WAVEGRAPH_AUTH_TOKENS_FILE": str(house.gates / "none")})
    with pytest.raises(RuntimeError, match="access control could not be loaded"):
        api.start()


def test_a_back_up_restored_into_an_empty_database_is_the_same_house(house: House) -> None:
    first = house.clients[0]
    thread = first.threads.create()["thread_id"]
    asked: Any = first.runs.wait(thread, "hotel", input=said(WISH), context=TODAY)
    assert "__interrupt__" in asked, asked
    [question] = asked["__interrupt__"]
    folder = postgres_server.binaries()
    assert folder is not None
    database = house.cluster.database
    copy = database.rpartition("/")[0] + "/restored"

    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("CREATE DATABASE restored")
    dump = house.gates / "dump.sql"
    subprocess.run([folder / "pg_dump", "--no-owner", "-f", dump, database], check=True, capture_output=True)
    subprocess.run(
        [Path(folder) / "psql", "-q", "-v", "ON_ERROR_STOP=1", "-f", dump, copy], check=True, capture_output=True
    )

    # Without a queue, this one process takes and runs.
    changed = {"DATABASE_URL": copy, "WAVEGRAPH_DATABASE": copy, "REDIS_BROKER_ENABLED": "false"}
    api = beside(house, "restored", changed)
    api.start()
    try:
        with get_sync_client(url=api.url, api_key=None, timeout=120) as restored:
            answer = {"decision": "approve", "terms_hash": question["value"]["terms_hash"]}
            command: Any = {"resume": {question["id"]: answer}}
            done: Any = restored.runs.wait(thread, "hotel", command=command, context=TODAY)
    finally:
        api.stop()
    assert done["results"]["create_booking"]["status"] == "ok"
