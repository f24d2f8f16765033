"""An upgrade with runs in flight: what an earlier version began, this one ends, and nothing happens twice."""

import io
import subprocess
import tarfile
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from aegra_house import ROOT, House, environment_of, house_in, reason_to_skip, said, statuses, until

from wavegraph.graph.state import STATE_VERSION

pytestmark = [pytest.mark.distributed, pytest.mark.xdist_group("cluster")]

WISH = "Book a double room for two adults from 1 to 3 December 2026. Dana Levi, dana@example.com"
CONTEXT: Any = {"today": "2026-11-20"}
DRAINS_S = 2
"""Too short for what waits at the gate: it goes back to the queue."""


def git(*arguments: str) -> bytes:
    return subprocess.run(["git", *arguments], cwd=ROOT, check=False, capture_output=True).stdout


def earlier_commit() -> str | None:
    """The last whose stored state is of another version; None = the history is not here."""
    commits = git("log", "--format=%H", "--", "deploy/aegra").decode().split()
    return next((each for each in commits if b"\nSTATE_VERSION = 1\n" in git("show", f"{each}:graph/state.py")), None)


class Upgraded:
    """Runs that the earlier version began, once workers and then APIs are of this one."""

    def __init__(self, house: House) -> None:
        self.house, self.environment = house, environment_of(house.gates)
        first, last = house.cluster.workers
        client = house.clients[0]
        self.talked = client.threads.create()["thread_id"]
        client.runs.wait(self.talked, "hotel", input=said("What time is breakfast?"), context=CONTEXT)
        self.asked = client.threads.create()["thread_id"]
        waits: Any = client.runs.wait(self.asked, "hotel", input=said(WISH), context=CONTEXT)
        [self.question] = waits["__interrupt__"]
        self.version = self.stored_version()
        first.stop()
        begun = {
            "wave": house.begin("quick:u-quick quick:u-quick2 slow:u-slow"),
            "known": house.begin("book:u-book", api=1),
            "unknown": house.begin("send:u-send"),
        }
        for event, name in (("begin", "u-slow"), ("effect", "u-book"), ("effect", "u-send"), ("begin", "u-quick2")):
            until(lambda event=event, name=name: house.log(event, name))  # type: ignore[misc]
        until(lambda: len(house.checkpointed(begun["wave"][0])) == 2)
        self.old = last.running.pid
        for process in (first, last, *house.cluster.apis):
            self.upgrade(process)
        house.open("u")
        self.values = {name: house.ended(*each, api=1) for name, each in begun.items()}

    def stored_version(self) -> Any:
        """Of the conversation's state."""
        with psycopg.connect(self.house.cluster.database) as connection:
            rows = connection.execute(
                "SELECT checkpoint->'channel_values'->'version' FROM checkpoints WHERE thread_id = %s"
                " ORDER BY checkpoint_id DESC LIMIT 1",
                (self.talked,),
            ).fetchall()
        return rows[0][0]

    def upgrade(self, process: Any) -> None:
        process.stop()
        process.environment = {**process.environment, **self.environment}
        process.start()


@pytest.fixture(scope="module")
def upgraded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Upgraded]:
    if reason := reason_to_skip():
        pytest.skip(reason)
    commit = earlier_commit()
    if commit is None:
        pytest.skip("no earlier version to upgrade from: git's history is not here")
    tree, folder = tmp_path_factory.mktemp("earlier"), tmp_path_factory.mktemp("upgrade")
    with tarfile.open(fileobj=io.BytesIO(git("archive", commit))) as archive:
        archive.extractall(tree, filter="tar")
    with house_in(folder, {**environment_of(folder, tree), "WORKER_DRAIN_TIMEOUT": str(DRAINS_S)}) as house:
        yield Upgraded(house)


def pids(house: House) -> set[int]:
    return {worker.running.pid for worker in house.cluster.workers}


def test_a_wave_in_flight_ends_on_the_new_version_and_no_finished_call_runs_again(upgraded: Upgraded) -> None:
    log = upgraded.house.log
    assert [log("begin", name) for name in ("u-quick", "u-quick2")] == [[upgraded.old]] * 2
    before, *after = log("begin", "u-slow")
    assert (before, len(after), set(after) <= pids(upgraded.house)) == (upgraded.old, 1, True)
    assert upgraded.values["wave"]["outcome"] == "answered"
    assert statuses(upgraded.values["wave"]) == {"quick": "ok", "slow": "ok"}


def test_a_write_in_flight_is_sent_once(upgraded: Upgraded) -> None:
    assert [upgraded.house.log("effect", name) for name in ("u-book", "u-send")] == [[upgraded.old]] * 2
    assert statuses(upgraded.values["known"]) == {"book": "ok"}
    assert statuses(upgraded.values["unknown"]) == {"send": "write_unknown"}


def test_a_question_that_waited_is_answered(upgraded: Upgraded) -> None:
    client = upgraded.house.clients[1]
    answer = {"decision": "approve", "terms_hash": upgraded.question["value"]["terms_hash"]}
    command: Any = {"resume": {upgraded.question["id"]: answer}}
    done: Any = client.runs.wait(upgraded.asked, "hotel", command=command, context=CONTEXT)
    assert done["results"]["create_booking"]["status"] == "ok"
    texts = [message["content"] for message in done["messages"]]
    assert len(set(texts)) == len(texts)


def test_a_conversation_goes_on(upgraded: Upgraded) -> None:
    client = upgraded.house.clients[0]
    done: Any = client.runs.wait(upgraded.talked, "hotel", input=said("Is there parking?"), context=CONTEXT)
    assert (done["outcome"], len(done["messages"])) == ("answered", 4)
    assert (upgraded.version, upgraded.stored_version()) == (1, STATE_VERSION)
