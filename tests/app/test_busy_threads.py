"""What the command line says of a thread at which another process is at work."""

import asyncio
import os
from typing import Any

import pytest
from shell import Inside

from wavegraph.app.storage.leases import Lease
from wavegraph.app.storage.open import open_storage
from wavegraph.app.storage.processes import process_of


@pytest.fixture
def busy(inside: Inside) -> Inside:
    """A thread `t1` with an answer, and a lease on it that another request holds."""
    assert inside("ask", "look:blue", "--thread", "t1").returncode == 0

    async def take() -> None:
        async with open_storage(inside.database) as storage:
            checkpointer: Any = storage.checkpointer
            assert await checkpointer.leases.insert(Lease("t1", "other", process_of(os.getppid())))

    asyncio.run(take())
    return inside


@pytest.mark.parametrize(
    "words", [("ask", "look:red", "--thread", "t1"), ("resume", "t1"), ("resume", "t1", "--reply", "yes")]
)
def test_a_request_ends_with_one_sentence(busy: Inside, words: tuple[str, ...]) -> None:
    done = busy(*words)
    assert (done.returncode, done.stdout) == (2, "")
    [line] = done.stderr.splitlines()
    assert line.startswith("wavegraph: thread 't1' is at work on another request, in process ")
    assert "; wait for it, or cancel it; if it does not answer any more, the thread is free at " in line


def test_it_is_not_deleted(busy: Inside) -> None:
    done = busy.plain("threads", "t1", "--delete", "--db", busy.database)
    assert (done.returncode, done.stdout) == (2, "")
    assert "thread 't1' is at work on another request" in done.stderr
    assert (
        busy.plain("threads", "--delete", "--older-than", "0h", "--db", busy.database).stdout == "deleted 0 threads\n"
    )


def test_it_can_be_read_and_judged(busy: Inside) -> None:
    database = ("--db", busy.database)
    assert "blue: 3 left" in busy.plain("threads", "t1", "--domain", "clerk:graph", *database).stdout
    assert "t1" in busy.plain("threads", *database).stdout
    assert busy.plain("approvals", "list", "--domain", "clerk:graph", *database).returncode == 0
    assert busy.plain("feedback", "t1", "good", *database).returncode == 0


def test_a_chat_goes_on(busy: Inside) -> None:
    done = busy("chat", "--thread", "t1", typed="look:red\n/resume\n/new\nlook:green\n")
    assert done.returncode == 0
    assert done.stderr.count("thread 't1' is at work on another request") == 2
    assert done.stdout.strip() == "green: 3 left"
