"""`wavegraph threads`: list, show, delete, prune."""

import asyncio
import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from io import StringIO
from typing import Any
from uuid import uuid4

import pytest
from clerk import graph as clerk
from patience import until
from rich.console import Console
from shell import Inside

from wavegraph.app.commands.threads import SHORTEST_SHOWN, listing
from wavegraph.app.run.runner import run
from wavegraph.app.run.threads import ThreadRow, Threads, write_row
from wavegraph.app.storage.open import open_storage


def threads(inside: Inside, *words: str) -> Any:
    return inside.plain("threads", *words, "--db", inside.database)


def listed(inside: Inside) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(threads(inside, "list", "--json").stdout)
    return found


def test_list_and_show(inside: Inside) -> None:
    inside("ask", "look:blue", "--thread", "t1")
    inside("ask", "look:full look:green", "--thread", "t2")
    inside("ask", "again", "--thread", "t1")

    first, second = listed(inside)
    assert (first["thread_id"], first["request"], first["state"]) == ("t1", "again", "answered")
    assert (second["thread_id"], second["request"]) == ("t2", "look:full look:green")
    table = threads(inside, "list").stdout.splitlines()
    assert table[0].split() == ["thread", "last", "user", "outcome", "request"]
    assert table[1].startswith("t1 ")
    printed = threads(inside, "show", "t1", "--domain", "clerk:graph").stdout.splitlines()
    assert printed[1:] == ["you> look:blue", "blue: 3 left", "you> again", "blue: 3 left"]
    assert json.loads(threads(inside, "show", "t1", "--json", "--domain", "clerk:graph").stdout)["messages"][0] == {
        "role": "user", "text": "look:blue",
    }  # fmt: skip


def test_delete_leaves_nothing_of_a_thread_and_the_next_one_whole(inside: Inside) -> None:
    inside("ask", "look:blue", "--thread", "t1")
    inside("ask", "look:red", "--thread", "t10")
    assert threads(inside, "delete", "t1").stdout == "deleted t1\n"

    with closing(sqlite3.connect(inside.database)) as database:
        for table, column in (("checkpoints", "thread_id"), ("writes", "thread_id")):
            assert database.execute(f"SELECT DISTINCT {column} FROM {table}").fetchall() == [("t10",)]
        kept = database.execute("SELECT prefix, key FROM store ORDER BY prefix").fetchall()
    assert [prefix for prefix, _ in kept] == ["wavegraph.requests.t10", "wavegraph.threads"]
    assert [row["thread_id"] for row in listed(inside)] == ["t10"]


def test_a_thread_may_have_any_name(inside: Inside) -> None:
    assert inside("ask", "look:blue", "--thread", "a.b 50%").returncode == 0
    assert threads(inside, "delete", "a.b 50%").returncode == 0
    with closing(sqlite3.connect(inside.database)) as database:
        assert database.execute("SELECT * FROM store").fetchall() == []


@pytest.mark.parametrize("command", ["show", "delete"])
def test_an_unknown_thread_is_named(inside: Inside, command: str) -> None:
    done = threads(inside, command, "nowhere")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "wavegraph: no thread 'nowhere' in this database; `wavegraph threads list` shows them\n"


def test_a_thread_to_resume_that_is_not_there(inside: Inside) -> None:
    done = inside("resume", "nowhere")
    assert done.returncode == 2
    assert done.stderr.startswith("wavegraph: thread 'nowhere' ")


def test_prune_takes_the_old_ones(inside: Inside) -> None:
    inside("ask", "look:blue", "--thread", "new")
    asyncio.run(_old(inside.database, "old", days=31))

    assert threads(inside, "prune", "--older-than", "30d").stdout == "deleted 1 thread\n"
    assert [row["thread_id"] for row in listed(inside)] == ["new"]
    assert threads(inside, "prune", "--older-than", "a month").returncode == 2


async def _old(database: str, thread_id: str, *, days: int) -> None:
    async with open_storage(database) as storage:
        graph = clerk.copy(update={"checkpointer": storage.checkpointer, "store": storage.store})
        await run(graph, "look:blue", thread_id=thread_id)
        await write_row(storage.store, _row(thread_id, datetime.now(UTC) - timedelta(days=days)))


def _row(thread_id: str, at: datetime) -> ThreadRow:
    return ThreadRow(thread_id=thread_id, user_id=None, request="look:blue", outcome="answered", can_resume=False,
                     updated=at.isoformat())  # fmt: skip


@pytest.mark.parametrize("width", [40, 80, 120, 1000])
def test_a_narrow_terminal_cuts_requests_and_no_id(width: int) -> None:
    thread, wish = str(uuid4()), "two rooms for a family of five over the New Year, with breakfast"
    row = replace(_row(thread, datetime.now(UTC)), request=wish, outcome="awaiting_approval", user_id="ann")
    console = Console(file=StringIO(), width=1000)
    console.print(listing([row], width), crop=False, soft_wrap=True)

    line = console.file.getvalue().splitlines()[1].rstrip()  # type: ignore[attr-defined]

    assert line.startswith(f"{thread} ")
    assert "waits for a reply" in line
    assert line.endswith("…")
    assert len(line) <= max(width, 36 + 16 + 4 + 17 + SHORTEST_SHOWN + 8)


async def test_threads_that_another_program_began_are_listed_too(
    inside: Inside, capsys: pytest.CaptureFixture[str]
) -> None:
    async with open_storage(inside.database) as storage:
        graph = clerk.copy(update={"checkpointer": storage.checkpointer})
        config = {"configurable": {"thread_id": "theirs"}, "metadata": {"user_id": "ann"}}
        await graph.ainvoke({"messages": [("user", "look:blue")]}, config)
        cut = asyncio.ensure_future(
            graph.ainvoke({"messages": [("user", "nap:9")]}, {"configurable": {"thread_id": "cut"}})
        )
        await until(lambda: "a nap began" in capsys.readouterr().err)
        cut.cancel()
        await asyncio.gather(cut, return_exceptions=True)
        cut, theirs = await Threads(storage.checkpointer, storage.store).latest()
    assert (theirs.thread_id, theirs.user_id, theirs.request, theirs.outcome) == (
        "theirs",
        "ann",
        "look:blue",
        "answered",
    )
    assert (cut.thread_id, cut.request, cut.outcome, cut.can_resume) == ("cut", "nap:9", None, True)


def test_of_thousands_of_threads_the_latest_are_listed(inside: Inside) -> None:
    async def fill() -> None:
        async with open_storage(inside.database) as storage:
            ages = [(f"t{number}", datetime.now(UTC) - timedelta(minutes=number)) for number in range(3000)]
            await asyncio.gather(*(write_row(storage.store, _row(*age)) for age in ages))

    asyncio.run(fill())

    async def latest() -> list[ThreadRow]:
        async with open_storage(inside.database) as storage:
            return await Threads(storage.checkpointer, storage.store).latest(50)

    found = asyncio.run(latest())
    assert [row.thread_id for row in found] == [f"t{number}" for number in range(50)]
