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

WISH = "Book a double room for two adults from 17 to 19 January 2027. Dana Levi, dana@example.com"
TODAY: Any = {"today": "2026-11-20"}


def beside(house: House, name: str, changed: dict[str, str]) -> Any:
    """One more API of the cluster, not started yet."""
    [api] = house.cluster.add(name, 1, {**house.cluster.apis[0].environment, **changed})
    return api


@pytest.fixture(scope="module")
def guarded(house: House) -> Iterator[tuple[str, dict[str, str]]]:
    """The address of an API with access control, and a token of each person."""
    config = json.loads(Path(house.cluster.apis[0].environment["AEGRA_CONFIG"]).read_text(encoding="utf-8"))
    config["auth"] = {"path": f"{DEPLOY}/serve_auth.py:auth"}
    (house.gates / "aegra.auth.json").write_text(json.dumps(config), encoding="utf-8")
    file = house.gates / "tokens.jsonl"
    roles = {"dana": ["guest"], "noa": ["guest"], "system": ["guest"], "anonymous": ["guest"], "desk": ["staff"]}
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
        {"checkpoint": {"checkpoint_ns": "aside"}},
        {"checkpoint": {"__pregel_checkpointer": False}},
    ],
)
def test_what_is_staffs_is_refused_to_a_guest(guarded: tuple[str, dict[str, str]], given: dict[str, Any]) -> None:
    with client(guarded, "dana") as dana:
        thread = dana.post("/threads", json={}).json()["thread_id"]
        run = {"assistant_id": "hotel", "input": said("What time is breakfast?"), **given}
        assert dana.post(f"/threads/{thread}/runs/wait", json=run).status_code == 403
        command = {"id": 1, "method": "run.start", "params": run}
        assert dana.post(f"/threads/{thread}/commands", json=command).status_code == 403


def test_staff_watches_and_guests_do_not(guarded: tuple[str, dict[str, str]]) -> None:
    with client(guarded, "desk") as desk, client(guarded, "dana") as dana:
        assert "wavegraph_approvals_waiting" in desk.get("/wavegraph/metrics").text
        assert [dana.get(path).status_code for path in ("/wavegraph/metrics", "/rosters")] == [403, 403]
        assert dana.post("/erase", json={"guest": "dana@example.com"}).status_code == 403
        assert dana.post("/store/items/search", json={"namespace_prefix": []}).status_code == 403


def test_a_guest_runs_from_no_earlier_checkpoint_wherever_it_is_named(guarded: tuple[str, dict[str, str]]) -> None:
    with client(guarded, "dana") as dana:
        thread = dana.post("/threads", json={}).json()["thread_id"]
        run = {"assistant_id": "hotel", "input": said("What time is breakfast?")}
        assert dana.post(f"/threads/{thread}/runs/wait", json=run).status_code == 200
        head, *_, earlier = (
            each["checkpoint"]["checkpoint_id"] for each in dana.get(f"/threads/{thread}/history").json()
        )
        named: list[dict[str, Any]] = [
            {"checkpoint_id": earlier},
            {"checkpoint": {"checkpoint_id": earlier}},
            {"checkpoint_id": head, "checkpoint": {"checkpoint_id": earlier}},
            {"config": {"configurable": {"checkpoint_id": earlier}}},
        ]
        tried = [dana.post(f"/threads/{thread}/runs/wait", json={**run, **each}).status_code for each in named]
        assert tried == [403] * len(named)
        again = {
            **run,
            "checkpoint": {"thread_id": thread, "checkpoint_ns": "", "checkpoint_id": head, "checkpoint_map": None},
        }
        assert dana.post(f"/threads/{thread}/runs/wait", json=again).status_code == 200


def test_doors_come_before_anything_of_aegra(guarded: tuple[str, dict[str, str]]) -> None:
    with client(guarded, "dana") as dana:
        plain = dana.post("/threads/search", content="{}", headers={"content-type": "text/plain"})
        page = dana.post("/threads/search", json={}, headers={"origin": "https://elsewhere.example"})
        assert (plain.status_code, page.status_code) == (415, 403)
        assert "access-control-allow-origin" not in page.headers
        assert dana.get("/redoc").status_code == 404


FORGED = {
    "x-actor": "desk",
    "x-forwarded-user": "desk",
    "x-user": '{"identity": "desk", "permissions": ["staff"]}',
    "x-auth-scheme": "langsmith",
}
AS_STAFF: Any = {"identity": "desk", "actor": "desk", "permissions": ["staff", "answer_approvals"]}


def made_by_staff(desk: httpx.Client, name: str, open_to: list[str], **context: Any) -> str:
    """An assistant of the hotel; no two of a graph have the same settings."""
    settings = {**TODAY, **context}
    given = {"graph_id": "hotel", "name": name, "context": settings, "metadata": {"open_to": open_to}}
    reply = desk.post("/assistants", json=given)
    assert reply.status_code == 200, reply.text
    return str(reply.json()["assistant_id"])


@pytest.fixture(scope="module")
def staffed(guarded: tuple[str, dict[str, str]]) -> str:
    """An assistant open to guests whose bookings the staff approves."""
    with client(guarded, "desk") as desk:
        return made_by_staff(desk, "staffed", ["guest"], approver="staff")


def wished(guest: httpx.Client, assistant: str, email: str = "dana@example.com") -> tuple[str, dict[str, Any]]:
    """A thread that waits for the staff, and its question."""
    thread = guest.post("/threads", json={}).json()["thread_id"]
    run = {"assistant_id": assistant, "input": said(WISH.replace("dana@example.com", email))}
    [question] = guest.post(f"/threads/{thread}/runs/wait", json=run).json()["__interrupt__"]
    return thread, question


def approval(assistant: str, question: dict[str, Any], **more: Any) -> dict[str, Any]:
    answer = {"decision": "approve", "terms_hash": question["value"]["terms_hash"]}
    return {"assistant_id": assistant, "command": {"resume": {question["id"]: answer}}, **more}


def test_staff_finds_and_answers_what_a_guest_may_not(guarded: tuple[str, dict[str, str]], staffed: str) -> None:
    with client(guarded, "dana") as dana, client(guarded, "noa") as noa, client(guarded, "desk") as desk:
        thread, question = wished(dana, staffed)
        runs = f"/threads/{thread}/runs/wait"
        forged: list[dict[str, Any]] = [
            {},
            {"config": {"configurable": {"langgraph_auth_user": AS_STAFF}}},
            {"metadata": {"owner": "desk", "actor": "desk"}},
        ]
        for more in forged:
            tried = dana.post(runs, json=approval(staffed, question, **more), headers=FORGED)
            assert (tried.status_code, "somebody else decides this" in tried.text) == (403, True), tried.text
        assert noa.post(runs, json=approval(staffed, question), headers=FORGED).status_code == 404

        waiting = {"status": "interrupted", "limit": 100}
        [row] = [row for row in desk.post("/threads/search", json=waiting).json() if row["thread_id"] == thread]
        assert row["metadata"]["owner"] == "dana"
        assert thread not in str(noa.post("/threads/search", json=waiting, headers=FORGED).json())
        shown = desk.get("/wavegraph/metrics").text
        assert "wavegraph_approvals_waiting 0" not in shown

        done = desk.post(runs, json=approval(staffed, question)).json()

        assert done["results"]["create_booking"]["status"] == "ok"
        seen = dana.get(f"/threads/{thread}/state").json()["values"]
        assert [asked["decided_by"] for asked in seen["approvals"].values()] == ["desk"]
        assert dana.get(f"/threads/{thread}").json()["metadata"]["owner"] == "dana"
        assert [run["user_id"] for run in dana.get(f"/threads/{thread}/runs").json()] == ["dana", "dana"]
        after = dana.post(runs, json={"assistant_id": staffed, "input": said("What time is breakfast?")})
        assert "reakfast" in after.json()["answer"]


def test_a_guest_who_answers_an_own_question_is_who_decided(guarded: tuple[str, dict[str, str]]) -> None:
    with client(guarded, "desk") as desk, client(guarded, "dana") as dana:
        own = made_by_staff(desk, "own", ["guest"], approver="guest")
        thread, question = wished(dana, own)
        done = dana.post(f"/threads/{thread}/runs/wait", json=approval(own, question), headers=FORGED).json()
        assert done["results"]["create_booking"]["status"] == "ok"
        seen = desk.get(f"/threads/{thread}/state").json()["values"]
        assert [asked["decided_by"] for asked in seen["approvals"].values()] == ["dana"]


def test_a_guest_gains_nothing_by_another_s_thread(guarded: tuple[str, dict[str, str]], staffed: str) -> None:
    with client(guarded, "dana") as dana, client(guarded, "noa") as noa:
        thread, question = wished(dana, staffed)
        [run] = [each["run_id"] for each in dana.get(f"/threads/{thread}/runs").json()]
        asked: list[tuple[str, str, Any]] = [
            ("GET", "", None),
            ("GET", "/state", None),
            ("POST", "/state", {"run_id": run}),
            ("POST", "/history", {"thread_id": thread}),
            ("GET", f"/runs/{run}", None),
            ("GET", f"/runs/{run}/join", None),
            ("GET", f"/runs/{run}/stream", None),
            ("POST", f"/runs/{run}/cancel", {}),
            ("POST", "/runs", approval(staffed, question)),
            ("POST", "/runs/stream", {"assistant_id": "hotel", "input": said("hello")}),
            ("POST", "/stream/events", {"channels": ["values"]}),
            ("POST", "/feedback", {"verdict": "bad"}),
            ("DELETE", "", None),
        ]
        got = {
            (method, path): noa.request(method, f"/threads/{thread}{path}", json=body, headers=FORGED)
            for method, path, body in asked
        }
        assert {where: reply.status_code for where, reply in got.items()} == dict.fromkeys(got, 404)
        assert noa.post("/runs/cancel", json={"thread_id": thread, "run_ids": [run]}).status_code == 404
        assert noa.post("/threads", json={"thread_id": thread, "if_exists": "do_nothing"}).status_code == 409
        mine = noa.post("/threads", json={"metadata": {"owner": "dana"}}).json()
        assert (mine["user_id"], mine["metadata"]["owner"]) == ("noa", "noa")
        assert thread not in noa.get("/threads").text
        assert dana.get(f"/threads/{thread}/state").json()["interrupts"]


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


def test_staff_may_do_on_a_guest_s_thread_what_the_guest_may(guarded: tuple[str, dict[str, str]]) -> None:
    with client(guarded, "dana") as dana, client(guarded, "desk") as desk:
        thread = dana.post("/threads", json={}).json()["thread_id"]
        question = {"assistant_id": "hotel", "input": said("What time is breakfast?")}
        run = desk.post(f"/threads/{thread}/runs", json=question).json()["run_id"]
        assert desk.get(f"/threads/{thread}/runs/{run}/join").status_code == 200
        assert [each["run_id"] for each in dana.get(f"/threads/{thread}/runs").json()] == [run]
        assert thread in desk.get("/threads").text
        assert desk.post(f"/threads/{thread}/history", json={}).json()
        assert desk.post(f"/threads/{thread}/runs/{run}/cancel", json={}).status_code == 200
        assert desk.post("/runs/cancel", json={"thread_id": thread, "run_ids": [run]}).status_code == 204
        assert desk.post(f"/threads/{thread}/feedback", json={"verdict": "good"}).status_code == 200
        assert desk.patch(f"/threads/{thread}", json={"metadata": {"note": "late"}}).json()["user_id"] == "dana"
        assert desk.patch(f"/threads/{thread}", json={"metadata": {"owner": "noa"}}).status_code == 409
        assert desk.delete(f"/threads/{thread}").status_code == 200
        assert dana.get(f"/threads/{thread}").status_code == 404


def test_staff_makes_a_thread_for_somebody_else(guarded: tuple[str, dict[str, str]]) -> None:
    with client(guarded, "dana") as dana, client(guarded, "noa") as noa, client(guarded, "desk") as desk:
        thread = desk.post("/threads", json={"metadata": {"owner": "noa"}}).json()["thread_id"]
        own = desk.post("/threads", json={}).json()
        found = [each.get(f"/threads/{thread}").status_code for each in (noa, dana, desk)]
        assert (found, own["user_id"]) == ([200, 404, 200], "desk")
        again = desk.post("/threads", json={"thread_id": thread, "if_exists": "do_nothing"})
        assert (again.status_code, again.json()["user_id"]) == (200, "noa")
        camel = desk.post("/threads", json={"threadId": thread, "ifExists": "do_nothing"})
        assert (camel.status_code, camel.json().get("user_id")) == (200, "noa")
        assert [
            desk.post("/threads", json={"metadata": {"owner": owner}}).status_code for owner in ("", 7, "a\nb")
        ] == [422] * 3


def test_an_assistant_is_the_role_s_that_it_is_opened_to(guarded: tuple[str, dict[str, str]], staffed: str) -> None:
    with client(guarded, "dana") as dana, client(guarded, "desk") as desk:
        closed = made_by_staff(desk, "closed", ["manager"], approver="guest", country="IL")
        listed = {each["assistant_id"] for each in dana.post("/assistants/search", json={"limit": 100}).json()}
        assert (staffed in listed, closed in listed) == (True, False)
        assert {each["name"] for each in desk.post("/assistants/search", json={"limit": 100}).json()} >= {
            "staffed",
            "closed",
        }
        for path in ("", "/schemas", "/graph", "/subgraphs"):
            assert dana.get(f"/assistants/{closed}{path}").status_code == 404
        assert dana.post(f"/assistants/{closed}/versions", json={}).status_code == 404
        thread = dana.post("/threads", json={}).json()["thread_id"]
        run = {"assistant_id": closed, "input": said("What time is breakfast?")}
        assert dana.post(f"/threads/{thread}/runs/wait", json=run).status_code == 403
        for name in (staffed, closed, "hotel"):
            assert dana.patch(f"/assistants/{name}", json={"name": "mine"}, headers=FORGED).status_code == 403
            assert dana.delete(f"/assistants/{name}", headers=FORGED).status_code == 403
        assert dana.post("/assistants", json={"graph_id": "hotel", "name": "mine"}).status_code == 403

        assert desk.patch(f"/assistants/{closed}", json={"metadata": {"open_to": ["guest"]}}).status_code == 200
        assert "reakfast" in dana.post(f"/threads/{thread}/runs/wait", json=run).json()["answer"]
        [own] = [
            each
            for each in desk.post("/assistants/search", json={"graph_id": "hotel", "limit": 100}).json()
            if each["name"] == "hotel"
        ]
        assert desk.delete(f"/assistants/{own['assistant_id']}").status_code == 404


@pytest.mark.parametrize("name", ["system", "anonymous"])
def test_nobody_bears_a_name_that_the_server_gives(guarded: tuple[str, dict[str, str]], name: str) -> None:
    with client(guarded, name) as guest:
        assert guest.post("/threads/search", json={}).status_code == 401


def test_staff_erases_a_guest_s_data(guarded: tuple[str, dict[str, str]], staffed: str) -> None:
    with client(guarded, "noa") as noa, client(guarded, "desk") as desk:
        thread, _ = wished(noa, staffed, "noa.erased@example.com")
        assert noa.post("/erase", json={"threads": [thread]}, headers=FORGED).status_code == 403
        told = desk.post("/erase", json={"guest": "noa.erased@example.com"})
        assert (told.status_code, told.json()["left"]) == (200, []), told.text
        assert noa.get(f"/threads/{thread}").status_code == 404


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
