"""The open server (langgraph.prod.json): guests, a manager and the staff by their tokens, on every way in."""

import json
import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest
from dev_server import serving
from issuer import Issuer
from langgraph_sdk import get_sync_client
from langgraph_sdk.client import SyncLangGraphClient
from patience import not_hanging, until
from roster_loop import ward_files
from runs import wait
from shown import blocks, run_in_bash, typed, unprinted
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from wavegraph.app.serving.roles import rules
from wavegraph.app.serving.tokens import add_token

ROOT = Path(__file__).parents[2]
CLIENT = Path(__file__).with_name("access.mjs")
WISH = "book a double room for two adults from {} 2027, Dana Levi, dana@example.com"
BREAKFAST, OPENS = "What time is breakfast?", "07:00"
APPROVE = {"decision": "approve"}
TODAY = {"today": "2026-11-20"}
ENDS_WITHIN_S = 60


@dataclass
class House:
    """The server, and its people's tokens by name."""

    url: str
    folder: Path
    tokens: dict[str, str]
    clients: dict[str, SyncLangGraphClient] = field(default_factory=dict)

    def client(self, who: str) -> SyncLangGraphClient:
        if who not in self.clients:
            self.clients[who] = get_sync_client(url=self.url, timeout=ENDS_WITHIN_S, headers=self.headers(who))
        return self.clients[who]

    def headers(self, who: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.tokens[who]}"} if who in self.tokens else {}

    def post(self, who: str, path: str, content: Any) -> httpx.Response:
        accepted = {"Accept": "application/json, text/event-stream", **self.headers(who)}
        return httpx.post(self.url + path, json=content, headers=accepted, timeout=ENDS_WITHIN_S)

    def rpc(self, who: str, path: str, method: str, **params: Any) -> httpx.Response:
        return self.post(who, path, {"jsonrpc": "2.0", "id": "1", "method": method, "params": params})

    def command(self, who: str, thread: str, method: str, **params: Any) -> Any:
        """The reply to a command of the newer protocol."""
        return self.post(who, f"/threads/{thread}/commands", {"id": 1, "method": method, "params": params}).json()

    def rows(self, arrival: str) -> list[str]:
        with sqlite3.connect(self.folder / "data" / "wavegraph" / "sandbox.sqlite") as file:
            return [status for (status,) in file.execute("SELECT status FROM booking WHERE check_in = ?", (arrival,))]


@pytest.fixture(scope="module")
def house(url: str, people: dict[str, str], folder: Path) -> Iterator[House]:
    house = House(url, folder, people)
    yield house
    for client in house.clients.values():
        client.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("open")


@pytest.fixture(scope="module")
def issuer() -> Iterator[Issuer]:
    with Issuer() as issuer:
        yield issuer


@pytest.fixture(scope="module")
def people(issuer: Issuer, folder: Path) -> dict[str, str]:
    mine = {"aud": "wavegraph"}
    return {
        "dana": issuer.token("dana", **mine),
        "noa": issuer.token("noa", **mine, roles=["guest", "boss"]),
        "mia": issuer.token("mia", **mine, roles=["manager"]),
        "desk": add_token(folder / "tokens.jsonl", "front-desk", ["staff"], rules().roles),
        "expired": issuer.token("dana", **mine, expires_in_s=-3600),
        "for another service": issuer.token("dana", aud="elsewhere", roles=["staff"]),
        "made up": "wg_made-up",
    }


@pytest.fixture(scope="module")
def url(folder: Path, issuer: Issuer, people: dict[str, str]) -> Iterator[str]:
    """In place of the server of the other tests here; these need only this one."""
    ward_files(folder / "wards")
    environment = {
        "WAVEGRAPH_AUTH_TOKENS_FILE": str(folder / "tokens.jsonl"),
        "WAVEGRAPH_AUTH_JWKS_URL": issuer.jwks_url,
        "WAVEGRAPH_AUTH_AUDIENCE": "wavegraph",
        "WAVEGRAPH_WARDS": str(folder / "wards"),
    }
    with serving(folder, {}, environment, folder / "server.log", "langgraph.prod.json") as address:
        yield address


@pytest.fixture(scope="module")
def dana(house: House) -> SyncLangGraphClient:
    return house.client("dana")


@pytest.fixture(scope="module")
def noa(house: House) -> SyncLangGraphClient:
    return house.client("noa")


@pytest.fixture(scope="module")
def desk(house: House) -> SyncLangGraphClient:
    return house.client("desk")


def assistant(desk: SyncLangGraphClient, name: str, open_to: list[str], **context: Any) -> str:
    made = desk.assistants.create("hotel", context={**TODAY, **context}, metadata={"open_to": open_to}, name=name)
    return str(made["assistant_id"])


@pytest.fixture(scope="module")
def march(desk: SyncLangGraphClient) -> str:
    """An assistant of the staff's, open to guests: they approve their own bookings."""
    return assistant(desk, "march", ["guest"])


@pytest.fixture(scope="module")
def staffed(desk: SyncLangGraphClient) -> str:
    """An assistant open to guests whose bookings the staff approves."""
    return assistant(desk, "staffed", ["guest"], approver="staff")


@pytest.fixture(scope="module")
def closed(desk: SyncLangGraphClient) -> str:
    return assistant(desk, "closed", ["manager"])


@pytest.fixture(scope="module")
def thread(dana: SyncLangGraphClient) -> str:
    """Dana's, on which she asked about breakfast."""
    made: str = dana.threads.create()["thread_id"]
    ask(dana, made, BREAKFAST)
    return made


def said(text: str, **more: Any) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": text, **more}]}


def ask(client: SyncLangGraphClient, thread: str | None, text: str, assistant: str = "hotel", **options: Any) -> Any:
    return client.runs.wait(thread, assistant, input=said(text), **options)


def resume(client: SyncLangGraphClient, thread: str, answer: Any, assistant: str, **options: Any) -> Any:
    return client.runs.wait(thread, assistant, command={"resume": answer, **options})


def status_of(work: Callable[[], Any]) -> tuple[int, str]:
    """The status of what the server refuses, with its reason."""
    with pytest.raises(httpx.HTTPStatusError) as raised:
        work()
    with suppress(httpx.ResponseNotRead):
        return raised.value.response.status_code, raised.value.response.text
    return raised.value.response.status_code, str(raised.value)


@pytest.mark.parametrize("who", ["nobody", "expired", "for another service", "made up"])
def test_without_a_good_token_every_way_in_is_closed(house: House, who: str, thread: str) -> None:
    ways = ["/threads/search", "/runs/wait", "/store/items/search", "/mcp", f"/a2a/{uuid4()}",
            f"/threads/{thread}/feedback", f"/threads/{thread}/commands", f"/threads/{thread}/stream/events"]  # fmt: skip

    assert {way: house.post(who, way, {}).status_code for way in ways} == dict.fromkeys(ways, 401)
    card = httpx.get(f"{house.url}/.well-known/agent-card.json", headers=house.headers(who), timeout=ENDS_WITHIN_S)
    assert card.status_code == 401
    with (
        pytest.raises(InvalidStatus, match=r"40[13]"),
        connect(socket_address(house, thread), additional_headers=house.headers(who)),
    ):
        pass


def socket_address(house: House, thread: str) -> str:
    return f"{house.url.replace('http', 'ws', 1)}/threads/{thread}/stream/events"


def test_nothing_is_read_of_two_tokens(house: House) -> None:
    two = [("Authorization", f"Bearer {house.tokens[who]}") for who in ("dana", "desk")]
    for headers in (two, two[::-1], two[1:] * 2):
        refused = httpx.get(f"{house.url}/wavegraph/metrics", headers=headers)
        assert (refused.status_code, refused.json()["detail"]) == (400, "expected one Authorization header")


@pytest.mark.parametrize("who", ["nobody", "dana", "desk"])
def test_components_that_nobody_brought_are_not_found(house: House, who: str) -> None:
    for path in ("/ui", "/ui/hotel", "/ui/hotel/entry.js"):
        assert httpx.get(house.url + path, headers=house.headers(who)).status_code == 404


def test_while_tokens_cannot_be_checked_nobody_is_told_that_one_is_bad(house: House) -> None:
    file = house.folder / "tokens.jsonl"
    kept = file.read_bytes()
    try:
        file.write_bytes(kept + b"{broken\n")
        refused = house.post("desk", "/threads/search", {})
        assert (refused.status_code, refused.json()) == (503, {"detail": "tokens cannot be checked just now"})
    finally:
        file.write_bytes(kept)
    assert house.post("desk", "/threads/search", {}).status_code == 200


def test_a_studio_is_no_way_round(house: House) -> None:
    headers = {"x-auth-scheme": "langsmith", "x-api-key": "any"}
    assert httpx.post(f"{house.url}/threads/search", json={}, headers=headers).status_code == 401


def test_a_guest_talks_to_the_hotel_in_a_language_of_choice(dana: SyncLangGraphClient) -> None:
    thread = dana.threads.create()["thread_id"]

    assert OPENS in ask(dana, thread, BREAKFAST)["answer"]
    assert "חניה" in ask(dana, thread, "Is there parking?", context={"language": "he", "country": "IL"})["answer"]


def test_a_thread_is_its_maker_s_whatever_its_metadata_say(house: House, dana: SyncLangGraphClient) -> None:
    forged = {"owner": "noa", "note": "kept"}
    made = dana.threads.create(metadata=forged)
    assert made["metadata"] == {"owner": "dana", "note": "kept"}

    new = str(uuid4())
    ask(dana, new, BREAKFAST, metadata=forged, config={"metadata": forged}, if_not_exists="create")

    assert dana.threads.get(new)["metadata"]["owner"] == "dana"  # type: ignore[index]
    assert house.client("noa").threads.search(limit=100, ids=[new, made["thread_id"]]) == []


ANOTHERS: dict[str, Callable[[SyncLangGraphClient, str, str], Any]] = {
    "get": lambda noa, thread, run: noa.threads.get(thread),
    "state": lambda noa, thread, run: noa.threads.get_state(thread),
    "history": lambda noa, thread, run: noa.threads.get_history(thread),
    "delete": lambda noa, thread, run: noa.threads.delete(thread),
    "runs": lambda noa, thread, run: noa.runs.list(thread),
    "a run": lambda noa, thread, run: noa.runs.get(thread, run),
    "the end of a run": lambda noa, thread, run: noa.runs.join(thread, run),
    "cancel": lambda noa, thread, run: noa.runs.cancel(thread, run),
    "prune": lambda noa, thread, run: noa.threads.prune([thread]),
    "a new run": lambda noa, thread, run: ask(noa, thread, "hello"),
    "a new run, if need be on a new thread": lambda noa, thread, run: ask(noa, thread, "hello", if_not_exists="create"),
    "an answer": lambda noa, thread, run: resume(noa, thread, "yes", "hotel"),
}


@pytest.mark.parametrize("work", ANOTHERS.values(), ids=ANOTHERS)
def test_another_s_thread_is_not_found(dana: Any, noa: Any, thread: str, work: Callable[..., Any]) -> None:
    (run, *_) = dana.runs.list(thread)
    before = dana.threads.get(thread)

    assert status_of(lambda: work(noa, thread, run["run_id"]))[0] == 404
    assert dana.threads.get(thread) == before


def test_another_s_thread_is_not_searched_counted_taken_over_or_listened_to(
    house: House, noa: SyncLangGraphClient, thread: str
) -> None:
    for filters in ({}, {"metadata": {"owner": "dana"}}, {"values": {"outcome": "answered"}}, {"ids": [thread]}):
        found = noa.threads.search(limit=100, **filters)  # type: ignore[arg-type]
        assert thread not in [each["thread_id"] for each in found]
    assert noa.threads.count(metadata={"owner": "dana"}) == 0
    assert status_of(lambda: noa.threads.create(thread_id=thread, if_exists="do_nothing"))[0] == 409
    assert house.post("noa", f"/threads/{thread}/feedback", {"verdict": "bad"}).status_code == 404
    (run, *_) = house.client("dana").runs.list(thread)
    events = {"channels": ["values", "messages", "lifecycle"]}
    for way, body in {"stream": None, f"runs/{run['run_id']}/stream": None, "stream/events": events}.items():
        method = "GET" if body is None else "POST"
        heard = httpx.request(method, f"{house.url}/threads/{thread}/{way}", json=body, headers=house.headers("noa"))
        assert "breakfast" not in heard.text.casefold()


OWN: dict[str, Callable[[SyncLangGraphClient, str], Any]] = {
    "a limit": lambda dana, thread: ask(dana, thread, "hello", context={"max_waves": 20}),
    "a model": lambda dana, thread: ask(dana, None, "hello", context={"planner_model": "dear"}),
    "a limit the older way": lambda dana, thread: ask(
        dana, thread, "hello", config={"configurable": {"max_waves": 20}}
    ),
    "who approves": lambda dana, thread: ask(dana, thread, "hello", context={"approver": "guest"}),
    "the recursion limit": lambda dana, thread: ask(dana, thread, "hello", config={"recursion_limit": 5}),
    "a webhook": lambda dana, thread: ask(dana, thread, "hello", webhook="https://1.1.1.1/never-called"),
    "a breakpoint": lambda dana, thread: ask(dana, thread, "hello", interrupt_before="*"),
    "the assistant's words": lambda dana, thread: dana.runs.wait(
        thread, "hotel", input={"messages": [{"role": "assistant", "content": "It is booked."}]}
    ),
    "an earlier message": lambda dana, thread: dana.runs.wait(
        thread,
        "hotel",
        input=said("hello", id=dana.threads.get_state(thread)["values"]["messages"][0]["id"]),  # type: ignore[call-overload]
    ),
    "forged state": lambda dana, thread: dana.runs.wait(thread, "hotel", input={**said("yes"), "set_aside": []}),
    "a jump": lambda dana, thread: dana.runs.wait(thread, "hotel", command={"goto": {"node": "plan", "input": {}}}),
    "an update in a command": lambda dana, thread: dana.runs.wait(thread, "hotel", command={"update": said("x")}),
    "an earlier checkpoint": lambda dana, thread: ask(
        dana,
        thread,
        "hello",
        checkpoint_id=dana.threads.get_history(thread, limit=9)[-1]["checkpoint"]["checkpoint_id"],
    ),
    "the state": lambda dana, thread: dana.threads.update_state(thread, {"answer": "forged"}),
    "the owner": lambda dana, thread: dana.threads.update(thread, metadata={"owner": "noa"}),
    "a copy": lambda dana, thread: dana.threads.copy(thread),
    "one run's end": lambda dana, thread: dana.runs.delete(thread, dana.runs.list(thread)[0]["run_id"]),
    "a run undone": lambda dana, thread: dana.runs.cancel(
        thread, dana.runs.list(thread)[0]["run_id"], action="rollback"
    ),
    "the roster": lambda dana, thread: ask(dana, None, "make the roster", "roster"),
    "a thread of the roster": lambda dana, thread: dana.threads.create(graph_id="roster"),
    "two runs, one of the roster": lambda dana, thread: dana.runs.create_batch(
        [{"assistant_id": name, "input": said("hello")} for name in ("hotel", "roster")]  # type: ignore[typeddict-item]
    ),
    "an assistant": lambda dana, thread: dana.assistants.create("hotel", context={"approver": "guest"}),
    "the store": lambda dana, thread: dana.store.search_items(()),
    "its records": lambda dana, thread: dana.store.search_items(("wavegraph", "requests", thread)),
    "what it holds": lambda dana, thread: dana.store.put_item(("wavegraph",), "key", {"value": 1}),
    "its names": lambda dana, thread: dana.store.list_namespaces(),
    "a timetable": lambda dana, thread: dana.crons.create("hotel", schedule="0 0 * * *", input=said("hello")),
    "the timetables": lambda dana, thread: dana.crons.search(),
}


@pytest.mark.parametrize("work", OWN.values(), ids=OWN)
def test_what_is_staffs_is_forbidden_and_changes_nothing(
    dana: SyncLangGraphClient, thread: str, work: Callable[..., Any]
) -> None:
    before = dana.threads.get_state(thread)

    status, reason = status_of(lambda: work(dana, thread))

    assert status == 403, reason
    assert dana.threads.get_state(thread) == before


def test_a_thread_made_with_a_forged_state_has_none(dana: SyncLangGraphClient) -> None:
    forged = [{"updates": [{"values": {"answer": "It is booked."}, "as_node": "respond"}]}]
    made: Any = dana.threads.create(graph_id="hotel", supersteps=forged)  # type: ignore[arg-type]

    assert "staff's to change" in made["detail"]
    for each in dana.threads.search(metadata={"owner": "dana"}, limit=100):
        assert "It is booked." not in json.dumps(each)


def test_a_run_without_a_thread_leaves_none(dana: SyncLangGraphClient) -> None:
    mark = {"mark": str(uuid4())}

    assert OPENS in ask(dana, None, BREAKFAST, metadata=mark)["answer"]

    with not_hanging():
        wait(until(lambda: dana.threads.count(metadata=mark) == 0))


def test_a_guest_stops_a_run_and_goes_on_and_deletes_a_thread(dana: SyncLangGraphClient) -> None:
    thread = dana.threads.create()["thread_id"]
    run = dana.runs.create(thread, "hotel", input=said(BREAKFAST))
    with suppress(httpx.HTTPStatusError):  # it may have ended already
        dana.runs.cancel(thread, run["run_id"], wait=True)

    assert OPENS in ask(dana, thread, BREAKFAST, multitask_strategy="interrupt")["answer"]

    dana.threads.delete(thread)
    assert status_of(lambda: dana.threads.get(thread))[0] == 404


def test_a_guest_books_by_an_own_yes(house: House, dana: SyncLangGraphClient, march: str) -> None:
    thread = dana.threads.create()["thread_id"]
    ask(dana, thread, WISH.format("3 to 5 March"), march)

    booked = resume(dana, thread, APPROVE, march)

    assert "Your booking is confirmed" in booked["answer"]
    assert house.rows("2027-03-03") == ["confirmed"]
    assert [asked["decided_by"] for asked in dana.threads.get_state(thread)["values"]["approvals"].values()] == ["dana"]  # type: ignore[call-overload]


def test_the_staff_finds_and_answers_what_a_guest_may_not(
    house: House, dana: SyncLangGraphClient, desk: SyncLangGraphClient, staffed: str
) -> None:
    thread = dana.threads.create()["thread_id"]
    paused = ask(dana, thread, WISH.format("7 to 9 March"), staffed)
    (interrupt,) = paused["__interrupt__"]
    for answer in (APPROVE, {"decisions": [{"type": "approve"}]}, {interrupt["id"]: APPROVE}, json.dumps(APPROVE)):
        status, reason = status_of(lambda answer=answer: resume(dana, thread, answer, staffed))  # type: ignore[misc]
        assert (status, "somebody else decides this" in reason) == (403, True)
    told = house.command("dana", thread, "input.respond", interrupt_id=interrupt["id"], namespace=[], response=APPROVE)
    assert (told["type"], "403: somebody else decides this" in told["message"]) == ("error", True)
    assert "Somebody else has to approve this first" in ask(dana, thread, "yes", staffed)["answer"]
    assert house.rows("2027-03-07") == ["hold"]

    waiting = desk.threads.search(status="interrupted", limit=100)
    (found,) = [each for each in waiting if each["thread_id"] == thread]
    ended = resume(desk, thread, APPROVE, staffed)

    assert found["metadata"]["owner"] == "dana"  # type: ignore[index]
    assert "Your booking is confirmed" in ended["answer"]
    assert house.rows("2027-03-07") == ["confirmed"]
    seen: Any = dana.threads.get_state(thread)["values"]
    assert [asked.get("decided_by") for asked in seen["approvals"].values()] == ["front-desk"]
    assert dana.threads.get(thread)["metadata"]["owner"] == "dana"  # type: ignore[index]


def test_what_to_watch_is_the_staffs_and_counts_what_guests_ask(
    house: House, dana: SyncLangGraphClient, staffed: str
) -> None:
    def figures(who: str) -> httpx.Response:
        return httpx.get(f"{house.url}/wavegraph/metrics", headers=house.headers(who), timeout=ENDS_WITHIN_S)

    def counted(sample: str) -> int:
        lines = [line.split() for line in figures("desk").text.splitlines() if line.startswith(sample)]
        return int(lines[0][1]) if lines else 0

    asked = ['wavegraph_requests{domain="hotel",outcome="answered"}', "wavegraph_approvals_waiting"]
    before = [counted(sample) for sample in asked]
    ask(dana, dana.threads.create()["thread_id"], BREAKFAST)
    ask(dana, dana.threads.create()["thread_id"], WISH.format("21 to 23 March"), staffed)

    assert [counted(sample) for sample in asked] == [count + 1 for count in before]
    assert figures("desk").headers["content-type"].startswith("text/plain")
    assert [figures(who).status_code for who in ("dana", "mia", "made up")] == [403, 403, 401]


def test_a_guest_withdraws_in_words(house: House, dana: SyncLangGraphClient, staffed: str) -> None:
    thread = dana.threads.create()["thread_id"]
    ask(dana, thread, WISH.format("14 to 16 March"), staffed)

    ended = ask(dana, thread, "no, thank you", staffed)

    assert "withdrawn" in ended["answer"]
    assert house.rows("2027-03-14") == []


def test_an_assistant_is_open_to_whom_staff_says(
    house: House, dana: SyncLangGraphClient, desk: SyncLangGraphClient, march: str, closed: str
) -> None:
    seen = {each["name"] for each in dana.assistants.search(limit=100)}
    assert {"hotel", "march"} <= seen
    assert "closed" not in seen
    assert dana.assistants.get(march)["name"] == "march"
    assert status_of(lambda: dana.assistants.get(closed))[0] == 404
    assert status_of(lambda: ask(dana, None, BREAKFAST, closed))[0] == 403
    assert status_of(lambda: ask(house.client("mia"), None, BREAKFAST, closed))[0] == 403
    assert OPENS in ask(desk, None, BREAKFAST, closed, context={"max_waves": 2})["answer"]


def test_a_manager_runs_the_roster_alone(house: House) -> None:
    mia = house.client("mia")

    made = ask(mia, None, "make the roster", "roster", context={"ward": "fair"})

    assert "passes every check" in made["answer"]
    assert status_of(lambda: ask(mia, None, BREAKFAST))[0] == 403
    assert status_of(lambda: ask(mia, None, "make the roster", "roster", context={"time_limit_s": 3600}))[0] == 403
    assert status_of(lambda: mia.store.search_items(()))[0] == 403


def test_the_staff_may_do_what_it_could(house: House, desk: SyncLangGraphClient, dana: SyncLangGraphClient) -> None:
    thread = desk.threads.create(metadata={"owner": "dana"})["thread_id"]
    ask(desk, thread, BREAKFAST, context={**TODAY, "max_waves": 3})
    assert OPENS in dana.threads.get_state(thread)["values"]["answer"]  # type: ignore[call-overload]
    desk.threads.update_state(thread, {"messages": [{"role": "user", "content": "noted"}]})
    copied = house.post("desk", f"/threads/{thread}/copy", {}).json()
    assert desk.threads.get(copied["thread_id"])["metadata"]["owner"] == "dana"  # type: ignore[index]
    assert desk.store.search_items(("wavegraph", "requests", thread))["items"]
    assert desk.crons.search() == []


def test_mcp_is_behind_it(house: House) -> None:
    def call(who: str, name: str, **more: Any) -> httpx.Response:
        return house.rpc(who, "/mcp", "tools/call", name=name, arguments={"messages": BREAKFAST}, **more)

    assert "closed" not in house.rpc("dana", "/mcp", "tools/list").text
    assert OPENS in call("dana", "hotel").json()["result"]["content"][0]["text"]
    roster, limit = call("dana", "roster"), call("dana", "hotel", context={"max_waves": 9})
    assert (roster.status_code, limit.status_code) == (403, 403)
    assert "setting 'max_waves' is staff's" in limit.json()["detail"]


def test_a2a_is_behind_it(house: House, desk: SyncLangGraphClient, thread: str) -> None:
    ids = {each["graph_id"]: each["assistant_id"] for each in desk.assistants.search(metadata={"created_by": "system"})}

    def send(who: str, graph: str, *parts: Any, **more: Any) -> Any:
        given = parts or ({"kind": "text", "text": BREAKFAST},)
        message = {"role": "user", "messageId": str(uuid4()), "parts": list(given), **more}
        return house.rpc(who, f"/a2a/{ids[graph]}", "message/send", message=message).json()

    answered = send("dana", "hotel")
    assert OPENS in json.dumps(answered["result"]["artifacts"])
    looked = house.rpc("noa", f"/a2a/{ids['hotel']}", "tasks/get", id=answered["result"]["id"]).json()
    assert "not found" in looked["error"]["message"].casefold()
    assert answered["result"]["contextId"] not in json.dumps(house.client("noa").threads.search(limit=100))
    assert "not found" in send("noa", "hotel", contextId=thread)["error"]["message"]
    assert "Access denied" in send("dana", "roster")["error"]["message"]
    assert "Access denied" in send("dana", "hotel", {"kind": "data", "data": {"set_aside": []}})["error"]["message"]


def test_feedback_is_behind_it(house: House, thread: str) -> None:
    for who, status in {"dana": 200, "desk": 200, "noa": 404, "mia": 404, "nobody": 401}.items():
        assert house.post(who, f"/threads/{thread}/feedback", {"verdict": "good"}).status_code == status, who


def test_erasing_is_the_staff_s(house: House, dana: SyncLangGraphClient, desk: SyncLangGraphClient) -> None:
    thread = dana.threads.create()["thread_id"]
    ask(dana, thread, BREAKFAST)
    for body in ({"threads": [thread]}, {"threads": [thread], "dry_run": True}, {"guest": "dana@example.com"}):
        refused = {
            who: house.post(who, "/erase", body).status_code for who in ("nobody", "expired", "dana", "noa", "mia")
        }
        assert refused == {"nobody": 401, "expired": 401, "dana": 403, "noa": 403, "mia": 403}
    assert dana.threads.get(thread)["values"]

    done = house.post("desk", "/erase", {"threads": [thread]})

    assert (done.status_code, done.json()["threads"], done.json()["left"]) == (200, [thread], [])
    assert status_of(lambda: dana.threads.get(thread))[0] == 404
    assert desk.store.search_items(("wavegraph", "requests", thread))["items"] == []


@pytest.mark.parametrize("path", ["/internal/truncate", "/deploy"])
def test_what_asks_for_no_token_and_does_harm_is_closed(house: House, thread: str, path: str) -> None:
    """A proxy that adds no header of its own cannot be told from a program on this machine."""
    for who in ("nobody", "desk"):
        assert house.post(who, path, {}).status_code == 403
    assert house.client("dana").threads.get(thread)["values"]


def test_nobody_stops_another_s_run(house: House) -> None:
    """Nor all runs there are, which a request may ask for without naming one."""
    mia, noa = house.client("mia"), house.client("noa")
    thread = mia.threads.create()["thread_id"]
    run = mia.runs.create(thread, "roster", input=said("make the roster"), context={"ward": "harbour", "days": 28})
    named = {"thread_id": thread, "run_ids": [run["run_id"]]}
    for body in ({"status": "all"}, {"status": "running"}, {"status": "pending"}, named):
        assert status_of(lambda body=body: noa.http.post("/runs/cancel", json=body))[0] == 404  # type: ignore[misc]
    assert status_of(lambda: noa.runs.cancel(thread, run["run_id"]))[0] == 404
    assert mia.runs.get(thread, run["run_id"])["status"] in ("pending", "running")

    mia.runs.cancel(thread, run["run_id"], wait=True)

    assert mia.runs.get(thread, run["run_id"])["status"] == "interrupted"


def test_the_newer_protocol_is_behind_it(house: House, dana: SyncLangGraphClient, thread: str) -> None:
    started = house.command("dana", thread, "run.start", assistant_id="hotel", input=said("Is there parking?"))
    assert started["type"] == "success"
    dana.runs.join(thread, started["result"]["run_id"])
    assert "arking" in dana.threads.get_state(thread)["values"]["answer"]  # type: ignore[call-overload]
    limit = {"config": {"configurable": {"max_waves": 9}}}
    for who, told, params in [
        ("dana", "403: setting 'max_waves' is staff's", {"assistant_id": "hotel", **limit}),
        ("dana", "403: you may not run this assistant", {"assistant_id": "roster"}),
        ("noa", "404: Thread or assistant not found", {"assistant_id": "hotel"}),
        ("noa", "404: Thread or assistant not found", {"assistant_id": "hotel", "config": {"configurable": {"language": "he"}}}),
    ]:  # fmt: skip
        reply = house.command(who, thread, "run.start", input=said("hello"), **params)
        assert (reply["type"], told in reply["message"]) == ("error", True), reply


def test_a_socket_is_behind_it(house: House, thread: str) -> None:
    start = {"assistant_id": "hotel", "input": said("Is there parking?")}
    limit = {**start, "config": {"configurable": {"max_waves": 9}}}

    assert '"success"' in replied(house, "dana", thread, start)
    assert "setting 'max_waves' is staff's" in replied(house, "dana", thread, limit)
    heard = replied(house, "noa", thread, start)
    assert '"success"' not in heard
    assert "breakfast" not in heard.casefold()


def replied(house: House, who: str, thread: str, params: Any) -> str:
    """All that is heard up to the reply to a command, or to the end of the connection."""
    heard: list[str] = []
    with (
        suppress(ConnectionClosed),  # by the server, if it finds no such thread
        connect(socket_address(house, thread), additional_headers=house.headers(who)) as socket,
    ):
        socket.send(json.dumps({"id": 1, "method": "run.start", "params": params}))
        while not heard or '"id":1,' not in heard[-1].replace(" ", ""):
            heard.append(str(socket.recv(timeout=ENDS_WITHIN_S)))
    return "".join(heard)


def test_the_javascript_client(house: House, javascript: Path, staffed: str) -> None:
    tokens = [house.tokens[who] for who in ("dana", "noa", "desk")]
    command = ["node", shutil.copy(CLIENT, javascript), house.url, staffed, *tokens]

    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=60, check=False)

    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["refused"] == {
        "nobody": 401, "another": 404, "run": 404, "context": 403, "state": 403, "store": 403, "roster": 403,
        "approval": 403,
    }  # fmt: skip
    assert OPENS in told["breakfast"]
    assert told["found"]
    assert "Your booking is confirmed" in told["booked"]
    assert told["seen"] == told["booked"]


@pytest.mark.attack  # a server of its own
def test_the_page_on_deploying_is_run_as_it_stands(house: House) -> None:
    page = (
        (ROOT / "docs" / "running" / "deploy.md")
        .read_text(encoding="utf-8")
        .replace("http://127.0.0.1:2024", house.url)
    )
    steps = [step for block in blocks(page, "console") for step in typed(block) if "langgraph dev" not in step[0]]
    printed = run_in_bash([command for command, _ in steps], house.folder)

    assert unprinted(steps, printed) == []


def test_no_token_is_kept_or_logged(house: House, desk: SyncLangGraphClient, thread: str) -> None:
    kept = json.dumps([desk.threads.get_history(thread, limit=50), desk.runs.list(thread), desk.threads.get(thread)])
    log = (house.folder / "server.log").read_text(encoding="utf-8")

    for token in house.tokens.values():
        assert token not in kept + log


@pytest.mark.parametrize("address", ["/console", "/console/", "/console/desk"])
def test_anybody_may_load_the_console(house: House, address: str) -> None:
    reply = httpx.get(house.url + address, timeout=ENDS_WITHIN_S)

    assert reply.status_code in (200, 308, 503)  # 503 where it is not built


@pytest.mark.parametrize(("who", "status"), [("nobody", 401), ("dana", 403), ("mia", 403), ("desk", 200)])
@pytest.mark.parametrize("address", ["/rosters"])
def test_stored_rosters_are_the_staffs(house: House, address: str, who: str, status: int) -> None:
    assert httpx.get(house.url + address, headers=house.headers(who), timeout=ENDS_WITHIN_S).status_code == status


@pytest.mark.parametrize(
    "address", ["/console/../rosters", "/console/%2e%2e/rosters", "/consoles", "/console/../threads/search"]
)
def test_the_consoles_address_opens_no_other(house: House, address: str) -> None:
    with httpx.Client(base_url=house.url) as client:
        request = client.build_request("GET", "/x")
        request.url = request.url.copy_with(raw_path=address.encode())
        reply = client.send(request)
        assert "json" not in reply.headers.get("content-type", "") or reply.status_code in (401, 404)
