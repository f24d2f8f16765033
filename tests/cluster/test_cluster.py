"""More machines than one: what a killed, frozen or drained worker leaves is finished by another, and nothing happens twice."""

import signal
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

import httpx
import psycopg
import pytest
from aegra_house import LEASE_S, House, said, statuses, until
from langgraph_sdk.errors import APIStatusError

pytestmark = [pytest.mark.distributed, pytest.mark.xdist_group("cluster")]

WISH = "Book a double room for two adults from 1 to 3 December 2026. Dana Levi, dana@example.com"
CONTEXT: Any = {"today": "2026-11-20"}


class Killed:
    """Four runs on one worker, which is killed in the midst of all of them: what came of them."""

    def __init__(self, house: House) -> None:
        self.house = house
        first, other = house.cluster.workers
        other.stop()
        wave = house.begin("quick:k-quick quick:k-quick2 slow:k-slow")
        known = house.begin("book:k-book", api=1)
        unknown = house.begin("send:k-send")
        for event, name in (("begin", "k-slow"), ("effect", "k-book"), ("effect", "k-send"), ("begin", "k-quick2")):
            until(lambda event=event, name=name: house.log(event, name))  # type: ignore[misc]
        other.start()
        self.pids = first.running.pid, other.running.pid
        until(lambda: len(house.checkpointed(wave[0])) == 2)
        first.kill()
        killed_at = time.monotonic()
        house.open("k")
        self.wave, self.known, self.unknown = (house.ended(*each, api=1) for each in (wave, known, unknown))
        self.failover_s = time.monotonic() - killed_at
        first.start()


@pytest.fixture(scope="module")
def killed(house: House) -> Killed:
    return Killed(house)


def test_a_wave_is_finished_elsewhere_and_no_finished_call_runs_again(killed: Killed) -> None:
    before, after = killed.pids
    assert killed.house.log("begin", "k-quick") == [before]
    assert killed.house.log("begin", "k-quick2") == [before]
    assert killed.house.log("begin", "k-slow") == [before, after]
    assert killed.wave["outcome"] == "answered"


def test_a_write_cut_off_is_looked_up_and_not_sent_again(killed: Killed) -> None:
    assert killed.house.log("effect", "k-book") == [killed.pids[0]]
    assert (statuses(killed.known), killed.known["outcome"]) == ({"book": "ok"}, "answered")


def test_a_write_cut_off_that_cannot_be_looked_up_is_unknown(killed: Killed) -> None:
    assert killed.house.log("effect", "k-send") == [killed.pids[0]]
    assert statuses(killed.unknown) == {"send": "write_unknown"}


def test_a_roster_is_finished_elsewhere(house: House, killed: Killed) -> None:
    thread, run = house.begin("make the roster", "roster")
    pid = until(lambda: holder(house, run))
    worker = house.worker(pid)
    worker.kill()
    try:
        values = house.ended(thread, run)
    finally:
        worker.start()
    assert values["outcome"] == "answered"


def holder(house: House, run: str) -> int | None:
    """The process that works on the run."""
    with psycopg.connect(house.cluster.database) as connection:
        row = connection.execute("SELECT claimed_by FROM runs WHERE run_id = %s", (run,)).fetchone()
    return next(
        (w.running.pid for w in house.cluster.workers if row and row[0] and f"-{w.running.pid}-" in f"-{row[0]}-"), None
    )


def test_a_worker_that_is_stopped_finishes_what_it_works_on(house: House, killed: Killed) -> None:
    thread, run = house.begin("slow:d-slow")
    [pid] = until(lambda: house.log("begin", "d-slow"))
    worker = house.worker(pid)
    worker.terminate()
    house.open("d")
    values = house.ended(thread, run)
    worker.stop()
    worker.start()
    assert (house.log("begin", "d-slow"), values["outcome"]) == ([pid], "answered")


def test_a_run_is_cancelled_through_the_other_api_and_goes_on_from_there(house: House, killed: Killed) -> None:
    first, other = house.clients
    thread, run = house.begin("quick:c-quick slow:c-slow")
    until(lambda: house.log("begin", "c-slow"))

    other.runs.cancel(thread, run, wait=True)
    assert first.runs.get(thread, run)["status"] == "interrupted"

    house.open("c")
    resumed = first.runs.create(thread, "gated", command={"update": {"answer": ""}})["run_id"]
    assert house.ended(thread, resumed)["outcome"] == "answered"
    assert len(house.log("begin", "c-quick")) == 1


def test_a_stream_is_joined_on_the_other_api_where_it_broke_off(house: House, killed: Killed) -> None:
    first, other = house.clients
    thread, run = house.begin("quick:s-quick slow:s-slow")
    until(lambda: house.log("begin", "s-slow"))
    seen: list[str] = []
    for part in first.runs.join_stream(thread, run, last_event_id="-1"):
        seen += [part.id] if part.id else []
        if len(seen) == 2:
            break
    house.open("s")
    rest = [part for part in other.runs.join_stream(thread, run, last_event_id=seen[-1]) if part.id]

    assert rest
    assert not {part.id for part in rest} & set(seen)
    assert house.ended(thread, run)["outcome"] == "answered"


def test_redis_may_be_gone_for_seconds(house: House, killed: Killed) -> None:
    thread, run = house.begin("slow:r-slow")
    until(lambda: house.log("begin", "r-slow"))
    house.cluster.redis.kill()
    time.sleep(3)
    house.cluster.redis.start()
    house.open("r")
    assert house.ended(thread, run)["outcome"] == "answered"
    assert len(house.log("begin", "r-slow")) == 1


def test_a_frozen_worker_that_comes_back_sends_nothing_again(house: House, killed: Killed) -> None:
    thread, run = house.begin("send:f-send")
    [pid] = until(lambda: house.log("effect", "f-send"))
    worker = house.worker(pid)
    worker.running.send_signal(signal.SIGSTOP)
    try:
        values = house.ended(thread, run)
    finally:
        worker.running.send_signal(signal.SIGCONT)
    until(worker.is_ready)
    house.open("f")

    assert statuses(values) == {"send": "write_unknown"}
    time.sleep(LEASE_S)
    assert house.log("effect", "f-send") == [pid]
    assert statuses(house.ended(thread, run)) == {"send": "write_unknown"}


def asked(house: House, wish: str = WISH) -> tuple[str, dict[str, Any]]:
    """A thread on the first API with its question."""
    client = house.clients[0]
    thread = client.threads.create()["thread_id"]
    done: Any = client.runs.wait(thread, "hotel", input=said(wish), context=CONTEXT)
    [question] = done["__interrupt__"]
    return thread, question


def approve(house: House, api: int, thread: str, question: dict[str, Any]) -> Any:
    """What the run gives, or the status of its refusal."""
    answer = {"decision": "approve", "terms_hash": question["value"]["terms_hash"]}
    command: Any = {"resume": {question["id"]: answer}}
    try:
        return house.clients[api].runs.wait(thread, "hotel", command=command, context=CONTEXT)
    except (APIStatusError, httpx.HTTPStatusError) as refused:
        return refused.response.status_code


def booked(outcomes: Sequence[Any]) -> list[str]:
    """The references of what was booked."""
    done = [each["results"]["create_booking"] for each in outcomes if isinstance(each, dict) and each.get("results")]
    return [each["data"]["reference"] for each in done if each["status"] == "ok"]


def test_four_yeses_at_once_on_two_apis_book_once(house: House, killed: Killed) -> None:
    thread, question = asked(house)
    with ThreadPoolExecutor(4) as four:
        outcomes = list(four.map(lambda n: approve(house, n % 2, thread, question), range(4)))

    assert len(set(booked(outcomes))) == 1
    assert {each for each in outcomes if isinstance(each, int)} <= {400, 409}


def test_a_verdict_and_the_figures_come_from_any_api(house: House, killed: Killed) -> None:
    thread, question = asked(house)
    assert booked([approve(house, 1, thread, question)])

    told = httpx.post(f"{house.cluster.apis[1].url}/threads/{thread}/feedback", json={"verdict": "good"}, timeout=60)
    assert (told.status_code, told.json()["feedback"]["verdict"]) == (200, "good")

    pages = [httpx.get(f"{api.url}/wavegraph/metrics", timeout=60).text for api in house.cluster.apis]
    assert 'wavegraph_requests{domain="hotel",outcome="answered"}' in pages[0]
    assert [line for line in pages[0].splitlines() if "approvals" in line] == [
        line for line in pages[1].splitlines() if "approvals" in line
    ]


def test_what_a_guest_said_is_found_and_erased_by_any_api(house: House, killed: Killed) -> None:
    thread, _ = asked(house, WISH.replace("Dana Levi, dana@", "Noa Bar, noa.bar@"))
    url = f"{house.cluster.apis[1].url}/erase"
    until(lambda: house.clients[0].threads.get(thread)["status"] == "interrupted")

    found = httpx.post(url, json={"guest": "noa.bar@example.com"}, timeout=120)

    assert found.status_code == 200, found.text
    with suppress(APIStatusError):
        assert house.clients[0].threads.get(thread) is None
    assert thread not in {row["thread_id"] for row in house.clients[0].threads.search(limit=500)}
