"""One lease per thread: who has it, who is told so, and what becomes of it after a crash."""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import lease_driver
import pytest
from langgraph.checkpoint.memory import InMemorySaver
from lease_driver import THREAD, graph_on
from runs import compiled
from warehouse import Warehouse

from wavegraph import CancelHandle, NothingToResume, ThreadBusy, resume, run, stream
from wavegraph.app.run.runner import conversation
from wavegraph.app.run.threads import Threads
from wavegraph.app.storage import leases as module
from wavegraph.app.storage.database import Storage
from wavegraph.app.storage.leases import Lease, Leases, sole_work_on
from wavegraph.app.storage.open import open_storage
from wavegraph.app.storage.processes import Process, process_of, this_process
from wavegraph.testing import ScriptedPlanner, call, planning
from wavegraph.tools.postgres.databases import is_postgres

AT_WORK = r"thread 't' is at work on another request"


def leases_of(storage: Storage) -> Leases:
    leases: Leases = storage.checkpointer.leases  # type: ignore[attr-defined]
    return leases


def held_warehouse() -> tuple[Warehouse, asyncio.Event, asyncio.Event]:
    """Its first count of bolts sets the first event and waits for the second."""
    reached, freed = asyncio.Event(), asyncio.Event()

    async def hold() -> dict[str, Any]:
        reached.set()
        await freed.wait()
        return {"sku": "bolt", "units": 40}

    return Warehouse().on("count", "bolt", hold), reached, freed


async def run_out(storage: Storage) -> None:
    """Let the lease on the thread end now, as if its holder had been stopped for long."""
    leases: Any = leases_of(storage)
    if hasattr(leases, "_pool"):
        async with leases._pool.connection() as connection:
            await connection.execute("UPDATE thread_leases SET until = clock_timestamp() - interval '1 second'")
    else:
        await leases._connection.execute("UPDATE thread_leases SET until = 0")


def foreign(process: Process) -> Process:
    """A process of which nothing can be known here."""
    return replace(process, machine=f"another {process.machine}", host="far")


async def test_the_second_of_two_is_told_at_once_who_works(database: str) -> None:
    async with open_storage(database) as mine, open_storage(database) as theirs:
        warehouse, reached, freed = held_warehouse()
        first = asyncio.ensure_future(run(graph_on(mine, warehouse), "first", thread_id=THREAD))
        await reached.wait()
        for storage in (mine, theirs):
            other = graph_on(storage, Warehouse())
            for second in (run(other, "second", thread_id=THREAD), resume(other, THREAD, reply="yes")):
                with pytest.raises(ThreadBusy, match=AT_WORK) as told:
                    await second
            with pytest.raises(ThreadBusy, match=AT_WORK):
                await Threads(storage.checkpointer, storage.store).delete(THREAD)
            assert (await run(other, "else", thread_id="else")).answer == "answer to else"
            assert await Threads(storage.checkpointer, storage.store).prune(datetime.now(UTC)) == ["else"]
        assert f"in process {os.getpid()} on " in str(told.value)
        assert re.search(r"the thread is free at \d\d:\d\d:\d\d UTC", str(told.value))
        freed.set()
        assert (await first).answer == "answer to first"
        assert (await run(graph_on(theirs, Warehouse()), "second", thread_id=THREAD)).answer == "answer to second"
        texts = [message.text for message in await conversation(graph_on(mine, Warehouse()), THREAD)]
    assert texts == ["first", "answer to first", "second", "answer to second"]


async def _answered(storage: Storage) -> None:
    await run(graph_on(storage, Warehouse()), "one", thread_id=THREAD)


async def _failed(storage: Storage) -> None:
    class Broken:
        async def plan(self, view: Any) -> Any:
            raise KeyError("plan")

    with pytest.raises(KeyError):
        await run(compiled(Warehouse().domain(), Broken(), checkpointer=storage.checkpointer), "one", thread_id=THREAD)


async def _nothing_to_resume(storage: Storage) -> None:
    with pytest.raises(NothingToResume):
        await resume(graph_on(storage, Warehouse()), THREAD)


async def _stopped(storage: Storage) -> None:
    warehouse, reached, _ = held_warehouse()
    handle = CancelHandle()
    work = asyncio.ensure_future(run(graph_on(storage, warehouse), "one", thread_id=THREAD, cancel=handle))
    await reached.wait()
    handle.cancel()
    assert (await work).outcome == "cancelled"


async def _given_up(storage: Storage) -> None:
    warehouse, reached, _ = held_warehouse()
    work = asyncio.ensure_future(run(graph_on(storage, warehouse), "one", thread_id=THREAD))
    await reached.wait()
    work.cancel()
    with pytest.raises(asyncio.CancelledError):
        await work


async def _given_up_while_it_begins(storage: Storage) -> None:
    for turns in range(12):
        work = asyncio.ensure_future(run(graph_on(storage, Warehouse()), "one", thread_id=THREAD))
        for _ in range(turns):
            await asyncio.sleep(0)
        work.cancel()
        await asyncio.wait([work])


async def _left(storage: Storage) -> None:
    warehouse, _, _ = held_warehouse()
    events: Any = stream(graph_on(storage, warehouse), "one", thread_id=THREAD)
    async for _ in events:
        break
    await events.aclose()


@pytest.mark.parametrize(
    "ends", [_answered, _failed, _nothing_to_resume, _stopped, _given_up, _given_up_while_it_begins, _left]
)
async def test_a_lease_is_given_back_however_a_request_ends(ends: Callable[[Storage], Any], database: str) -> None:
    async with open_storage(database) as storage:
        await ends(storage)
        await asyncio.sleep(0)  # who is cancelled twice does not wait for it
        assert leases_of(storage).held == {}
        assert await leases_of(storage).read(THREAD) is None


def ended_process() -> int:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    return ended.pid


def test_a_killed_process_is_gone_before_its_parent_has_looked_after_it() -> None:
    if not this_process().machine:
        pytest.skip("this system does not tell one start of a process from another")
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as child:
        stat = Path(f"/proc/{child.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        process = replace(this_process(), pid=child.pid, started=stat[19])
        assert not process.is_gone()
        child.kill()
        while not process.is_gone():
            time.sleep(0.01)
        assert child.returncode is None


async def test_the_lease_of_a_process_that_ended_on_this_machine_is_taken_over_at_once(database: str) -> None:
    me = this_process()
    if not me.machine:
        pytest.skip("this system does not tell one start of a process from another")
    gone = [replace(me, pid=ended_process()), replace(me, started="1")]
    async with open_storage(database) as storage:
        for process in gone:
            assert await leases_of(storage).insert(Lease(THREAD, "before", process))
            await _answered(storage)
            assert await leases_of(storage).read(THREAD) is None


async def test_a_lease_lasts_while_its_process_may_live(database: str) -> None:
    me, parent = this_process(), process_of(os.getppid())
    async with open_storage(database) as storage:
        for process in (parent, foreign(me), replace(foreign(me), pid=2**22), replace(parent, machine="")):
            lease = Lease(THREAD, "other", process)
            assert await leases_of(storage).insert(lease)
            with pytest.raises(ThreadBusy, match=f"in process {process.pid} on {process.host}"):
                await _answered(storage)
            kept = await leases_of(storage).read(THREAD)
            assert kept is not None
            assert kept.until is not None
            assert timedelta(0) < kept.until - datetime.now(UTC) <= timedelta(seconds=module.LEASE_S)
            await run_out(storage)
            await _answered(storage)
            assert await leases_of(storage).read(THREAD) is None


async def test_a_lease_that_this_process_could_not_give_back_is_taken_at_once(database: str) -> None:
    async with open_storage(database) as storage:
        assert await leases_of(storage).insert(Lease(THREAD, "before", this_process()))
        await _answered(storage)


async def taken_over(first: Storage, second: Storage) -> None:
    """A request of another process, after the first has been stopped for long."""
    await run_out(first)
    assert (await run(graph_on(second, Warehouse()), "second", thread_id=THREAD)).answer == "answer to second"


async def texts_on(storage: Storage) -> list[str]:
    return [message.text for message in await conversation(graph_on(storage, Warehouse()), THREAD)]


async def test_a_holder_whose_lease_was_taken_over_stores_nothing_more(database: str) -> None:
    async with open_storage(database) as mine, open_storage(database) as theirs:
        warehouse, reached, freed = held_warehouse()
        first = asyncio.ensure_future(run(graph_on(mine, warehouse), "first", thread_id=THREAD))
        await reached.wait()
        await taken_over(mine, theirs)
        before = await texts_on(theirs)
        freed.set()
        with pytest.raises(ThreadBusy, match=r"'t' was taken over by another request.* renewed its lease for 30 s"):
            await first
        assert await texts_on(theirs) == before
        assert before[-2:] == ["second", "answer to second"]
        assert (await run(graph_on(mine, Warehouse()), "third", thread_id=THREAD)).answer == "answer to third"


async def test_a_holder_notices_at_the_next_renewal_and_stops(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "RENEW_S", 0.01)
    async with open_storage(database) as mine, open_storage(database) as theirs:
        warehouse, reached, _ = held_warehouse()
        first = asyncio.ensure_future(run(graph_on(mine, warehouse), "first", thread_id=THREAD))
        await reached.wait()
        other = Lease(THREAD, "other", this_process())
        while not await leases_of(theirs).insert(other):  # a renewal may come in between
            await run_out(mine)
        with pytest.raises(ThreadBusy, match="was taken over"):
            await first
        assert await leases_of(theirs).renew(other)


async def test_a_lease_is_renewed_while_its_holder_works(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with open_storage(database) as mine, open_storage(database) as theirs:
        monkeypatch.setattr(module, "RENEW_S", 0.01)
        async with sole_work_on(mine.checkpointer, THREAD):
            await run_out(mine)
            while (lease := await leases_of(theirs).read(THREAD)) is None or lease.until is None or (
                lease.until < datetime.now(UTC)
            ):  # fmt: skip
                await asyncio.sleep(0.01)
            with pytest.raises(ThreadBusy):
                await _answered(theirs)


async def test_a_graph_on_another_saver_keeps_others_of_its_process_away(tmp_path: Path) -> None:
    warehouse, reached, freed = held_warehouse()
    script = [planning(call("bolts", "count", sku="bolt"))] * 2
    graph = compiled(warehouse.domain(), ScriptedPlanner(*script), checkpointer=InMemorySaver())
    other = compiled(Warehouse().domain(), ScriptedPlanner(*script), checkpointer=InMemorySaver())
    first = asyncio.ensure_future(run(graph, "first", thread_id=THREAD))
    await reached.wait()
    with pytest.raises(ThreadBusy, match=f"{AT_WORK}, in this process"):
        await run(graph, "second", thread_id=THREAD)
    assert (await run(other, "first", thread_id=THREAD)).outcome == "answered"
    freed.set()
    assert (await first).outcome == "answered"
    assert (await run(graph, "second", thread_id=THREAD)).outcome == "answered"


async def test_a_database_of_an_earlier_version_gets_the_table(database: str) -> None:
    async with open_storage(database) as storage:
        await _answered(storage)
        leases: Any = leases_of(storage)
        if is_postgres(database):
            async with leases._pool.connection() as connection:
                await connection.execute("DROP TABLE thread_leases")
        else:
            await leases._connection.execute("DROP TABLE thread_leases")
    async with open_storage(database) as storage:
        await _answered(storage)
        assert len(await texts_on(storage)) == 4


def test_the_documentation_names_the_times() -> None:
    page = Path(__file__).parents[2] / "docs" / "running" / "storage.md"
    text = " ".join(page.read_text(encoding="utf-8").split())
    assert f"a lease runs out {module.LEASE_S:g} s after its last renewal" in text
    assert f"renewed every {module.RENEW_S:g} s" in text
    assert f"for {module.LEASE_S - module.MARGIN_S:g} s after the last renewal" in text
    assert f"Within {module.RETRY_S + module.LAST_TRY_S:g} s more" in text


# Processes


def processes(work: str, way: str, names: list[str], database: str, folder: Path) -> dict[str, int]:
    """Exit statuses by name."""
    job = {"work": work, "way": way, "names": names, "database": database, "folder": str(folder)}
    done = subprocess.run([sys.executable, lease_driver.__file__], input=json.dumps(job), capture_output=True, text=True,
                          timeout=300, check=False)  # fmt: skip
    assert not done.stderr, done.stderr
    ended: dict[str, int] = json.loads(done.stdout)
    return ended


def crowd(count: int, callers: int, database: str, folder: Path) -> tuple[list[str], int]:
    """The answers told to callers in so many processes, and how often they were told to wait."""
    names = [f"p{n}" for n in range(count)]
    assert processes("callers", str(callers), names, database, folder) == dict.fromkeys(names, 0)
    found = [json.loads((folder / f"{name}.callers.json").read_text()) for name in names]
    told = {name: answer for each in found for name, answer in each["told"].items()}
    assert told == {name: f"answer to {name}" for name in told}
    return sorted(told), sum(each["busy"] for each in found)


async def kept_requests(database: str) -> list[str]:
    """Those that are in the thread with their answers."""
    async with open_storage(database) as storage:
        texts = await texts_on(storage)
    assert texts[1::2] == [f"answer to {text}" for text in texts[::2]]
    return sorted(texts[::2])


def test_no_answer_of_two_processes_on_one_thread_is_lost(tmp_path: Path) -> None:
    database = str(tmp_path / "threads.db")
    told, busy = crowd(2, 2, database, tmp_path)
    assert busy
    assert asyncio.run(kept_requests(database)) == told


@pytest.mark.attack
def test_no_answer_of_many_processes_on_one_thread_is_lost(
    database: str, tmp_path: Path, figures: Callable[[str], None], attempts: Callable[[str, int], None]
) -> None:
    told, busy = crowd(6, 8, database, tmp_path)
    assert busy
    assert asyncio.run(kept_requests(database)) == told
    attempts("requests on one thread, by six processes", len(told) + busy)
    kind = "PostgreSQL" if is_postgres(database) else "SQLite"
    figures(f"{len(told)} callers on one thread, in 6 processes on {kind}: all kept; told to wait {busy} times")


async def test_the_thread_of_a_killed_process_can_be_resumed_at_once(tmp_path: Path) -> None:
    database = str(tmp_path / "threads.db")
    ended = await asyncio.to_thread(processes, "killed", "", ["k"], database, tmp_path)
    assert ended == {"k": -signal.SIGKILL}
    async with AsyncExitStack() as stack:
        storage = await stack.enter_async_context(open_storage(database))
        assert await leases_of(storage).read(THREAD) is not None
        done = await resume(graph_on(storage, Warehouse()), THREAD)
    assert (done.outcome, done.answer) == ("answered", "answer to killed")
