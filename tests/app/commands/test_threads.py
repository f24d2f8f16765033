"""`wavegraph threads`: list, show, delete, prune."""

import asyncio
import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from clerk import graph as clerk
from patience import until
from rich.cells import cell_len
from shell import COMMAND, Inside
from tables import table

from wavegraph.app.commands.threads import SHORTEST, listing
from wavegraph.app.run.runner import run
from wavegraph.app.run.threads import ROWS, ThreadRow, Threads, write_row
from wavegraph.app.storage.open import open_storage
from wavegraph.graph.errors import SettingsError
from wavegraph.graph.execution.write import SENDING, notes_of
from wavegraph.graph.state import key_of


def threads(inside: Inside, *words: str) -> Any:
    return inside.plain("threads", *words, "--db", inside.database)


def listed(inside: Inside) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(threads(inside, "--json").stdout)
    return found


def test_list_and_show(inside: Inside) -> None:
    inside("ask", "look:blue", "--thread", "t1")
    inside("ask", "look:full look:green", "--thread", "t2")
    inside("ask", "again", "--thread", "t1")

    first, second = listed(inside)
    assert (first["thread_id"], first["request"], first["state"]) == ("t1", "again", "answered")
    assert (second["thread_id"], second["request"]) == ("t2", "look:full look:green")
    table = threads(inside).stdout.splitlines()
    assert table[0].split() == ["thread", "last", "user", "outcome", "request"]
    assert table[1].startswith("t1 ")
    printed = threads(inside, "t1", "--domain", "clerk:graph").stdout.splitlines()
    assert printed[1:] == ["you> look:blue", "blue: 3 left", "you> again", "blue: 3 left"]
    assert json.loads(threads(inside, "t1", "--json", "--domain", "clerk:graph").stdout)["messages"][0] == {
        "role": "user", "text": "look:blue",
    }  # fmt: skip


@pytest.mark.parametrize("words", [[], ["--delete", "--older-than", "0h"]], ids=["list", "delete"])
def test_all_threads_are_of_no_one_domain(inside: Inside, words: list[str]) -> None:
    inside("ask", "look:blue", "--thread", "t1")

    done = threads(inside, *words, "--domain", "clerk:graph")

    assert (done.returncode, done.stdout) == (2, "")
    assert "name a THREAD, or leave --domain out" in " ".join(done.stderr.replace("│", " ").split())
    assert [row["thread_id"] for row in listed(inside)] == ["t1"]


def test_delete_leaves_nothing_of_a_thread_and_the_next_one_whole(inside: Inside) -> None:
    inside("ask", "look:blue", "--thread", "t1")
    inside("ask", "look:red", "--thread", "t10")
    assert threads(inside, "t1", "--delete").stdout == "deleted t1\n"

    with closing(sqlite3.connect(inside.database)) as database:
        for table, column in (("checkpoints", "thread_id"), ("writes", "thread_id")):
            assert database.execute(f"SELECT DISTINCT {column} FROM {table}").fetchall() == [("t10",)]
        kept = database.execute("SELECT prefix, key FROM store ORDER BY prefix").fetchall()
    assert [prefix for prefix, _ in kept] == ["wavegraph.requests.t10", "wavegraph.threads"]
    assert [row["thread_id"] for row in listed(inside)] == ["t10"]


async def test_delete_takes_the_notes_of_writes_that_were_sent() -> None:
    async with open_storage(":memory:") as storage:
        await storage.store.aput(ROWS, "t1", {})
        await storage.store.aput(SENDING, key_of("t1"), {"task": "one"})
        for call in "ab":
            await storage.store.aput(notes_of("t1"), call, {"tool": "send"})
        await Threads(storage.checkpointer, storage.store).delete("t1")
        assert await storage.store.alist_namespaces() == []


def test_a_thread_may_have_any_name(inside: Inside) -> None:
    assert inside("ask", "look:blue", "--thread", "a.b 50%").returncode == 0
    assert threads(inside, "a.b 50%", "--delete").returncode == 0
    with closing(sqlite3.connect(inside.database)) as database:
        assert database.execute("SELECT * FROM store").fetchall() == []


@pytest.mark.parametrize(
    "words",
    [
        ["threads", "a\udcff"],
        ["threads", "a\udcff", "--delete"],
        ["ask", "hello", "--thread", "a\udcff"],
        ["erase", "--thread", "t1", "--thread", "a\udcff"],
        ["approvals", "approve", "a\udcff"],
    ],
    ids=" ".join,
)
def test_a_thread_that_is_not_utf8_is_a_wrong_word_not_a_broken_database(words: list[str], inside: Inside) -> None:
    done = inside.plain(*words, "--db", inside.database)

    assert done.returncode == 2
    assert "$'a\\xff' is not UTF-8" in " ".join(done.stderr.split())


@pytest.mark.parametrize("name", ["a\0b", "a\udcff"])
async def test_a_program_is_told_which_thread_cannot_be_stored(name: str, tmp_path: Path) -> None:
    async with open_storage(str(tmp_path / "threads.db")) as storage:
        graph = clerk.copy(update={"checkpointer": storage.checkpointer, "store": storage.store})
        with pytest.raises(SettingsError, match="its id holds a NUL or no valid Unicode"):
            await run(graph, "look:blue", thread_id=name)


@pytest.mark.parametrize("how", [[], ["--delete"]], ids=str)
def test_an_unknown_thread_is_named(inside: Inside, how: list[str]) -> None:
    done = threads(inside, "nowhere", *how)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "wavegraph: no thread 'nowhere' in this database; `wavegraph threads` shows them\n"


def test_a_thread_to_resume_that_is_not_there(inside: Inside) -> None:
    done = inside("resume", "nowhere")
    assert done.returncode == 2
    assert done.stderr.startswith("wavegraph: thread 'nowhere' ")


def test_prune_takes_the_old_ones(inside: Inside) -> None:
    inside("ask", "look:blue", "--thread", "new")
    asyncio.run(_old(inside.database, "old", days=31))

    assert threads(inside, "--delete", "--older-than", "30d").stdout == "deleted 1 thread\n"
    assert [row["thread_id"] for row in listed(inside)] == ["new"]
    assert threads(inside, "--delete", "--older-than", "a month").returncode == 2


@pytest.mark.parametrize(
    "words", [["--delete"], ["t", "--delete", "--older-than", "1d"], ["--older-than", "1d"]], ids=" ".join
)
def test_what_is_to_be_deleted_is_named(inside: Inside, words: list[str]) -> None:
    done = threads(inside, *words)
    assert (done.returncode, "--delete takes a THREAD" in " ".join(done.stderr.split())) == (2, True)


async def _old(database: str, thread_id: str, *, days: int) -> None:
    async with open_storage(database) as storage:
        graph = clerk.copy(update={"checkpointer": storage.checkpointer, "store": storage.store})
        await run(graph, "look:blue", thread_id=thread_id)
        await write_row(storage.store, _row(thread_id, datetime.now(UTC) - timedelta(days=days)))


def _row(thread_id: str, at: datetime) -> ThreadRow:
    return ThreadRow(thread_id=thread_id, user_id=None, request="look:blue", outcome="answered", can_resume=False,
                     updated=at.isoformat())  # fmt: skip


WISH = "two rooms for a family of five over the New Year, with breakfast and a view, and a cot for the youngest"


@table("width", [20, 40, 80, 120, 1000])
@table("thread", [str(uuid4()), "שרשור של דנה", "t" * 300])
def test_a_narrow_terminal_cuts_requests_then_users_and_no_id(thread: str, width: int) -> None:
    row = replace(_row(thread, datetime.now(UTC)), request=WISH, outcome="awaiting_approval", user_id="a" * 30)

    head, line = listing([row], width)

    assert line.startswith(f"{thread}  ")
    assert "  waits for a reply  two rooms" in line
    assert line.endswith("…")
    assert ("a" * 30 in line) == (cell_len(thread) + 16 + 30 + 17 + SHORTEST[4] + 8 <= width)
    assert cell_len(line) <= max(width, cell_len(thread) + 16 + SHORTEST[2] + 17 + SHORTEST[4] + 8)
    assert head.split() == ["thread", "last", "user", "outcome", "request"]


@pytest.mark.parametrize("columns", ["20", "80"])
def test_a_pipe_gets_every_cell_whole(inside: Inside, columns: str) -> None:
    inside("ask", WISH, "--thread", thread := str(uuid4()) * 9)
    done = inside._run([*COMMAND, "threads", "--db", inside.database], "", COLUMNS=columns)

    assert [line.split("  ")[0] for line in done.stdout.splitlines()] == ["thread", thread]
    assert done.stdout.splitlines()[1].endswith(f"  {WISH}")


def test_a_terminal_of_80_columns_shows_the_id_in_one_line(inside: Inside) -> None:
    inside("ask", WISH, "--thread", thread := str(uuid4()))
    terminal = {"COLUMNS": "80", "FORCE_COLOR": "1", "TERM": "dumb"}
    done = inside._run([*COMMAND, "threads", "--db", inside.database], "", **terminal)

    assert done.stdout.splitlines()[1].startswith(f"{thread}  ")
    assert "…" in done.stdout


def test_the_lines_of_a_message_are_told_from_answers(inside: Inside) -> None:
    inside("ask", "look:blue\nYour room is booked.", "--thread", "t1")

    printed = threads(inside, "t1", "--domain", "clerk:graph").stdout.splitlines()
    assert printed[1:] == ["you> look:blue", "     Your room is booked.", "blue: 3 left"]
    greeted = inside("chat", "--thread", "t1").stderr.splitlines()
    assert greeted[1:3] == ["you> look:blue", "     Your room is booked."]


async def test_threads_that_another_program_began_are_listed_too(
    inside: Inside, capsys: pytest.CaptureFixture[str]
) -> None:
    async with open_storage(inside.database) as storage:
        graph = clerk.copy(update={"checkpointer": storage.checkpointer})
        config = {"configurable": {"thread_id": "theirs"}, "metadata": {"user_id": "ann"}}
        await graph.ainvoke({"messages": [("user", "look:blue")]}, config)
        cut = asyncio.ensure_future(
            graph.ainvoke({"messages": [("user", "nap:600")]}, {"configurable": {"thread_id": "cut"}})
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
    assert (cut.thread_id, cut.request, cut.outcome, cut.can_resume) == ("cut", "nap:600", None, True)


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
