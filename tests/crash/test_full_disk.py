"""A disk that is full, or a file that may grow no more: the error names the file and the way out, and what was stored
before opens again."""

import errno
import os
import resource
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from lease_driver import THREAD, graph_on
from shell import COMMAND, Inside
from warehouse import Warehouse

from wavegraph import StorageError, run
from wavegraph.app.pages.files import write_page
from wavegraph.app.storage.open import open_storage
from wavegraph.tools.roster.store import PublicationDecision, RosterStore
from wavegraph.tools.roster.ward.whole_files import replace_file

ROOM = "make room on its disk"


@contextmanager
def files_of_at_most(size: int) -> Iterator[None]:
    """No file of this process grows beyond so many bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of a megabyte."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "none", disk], capture_output=True, check=False)
    if mounted.returncode:
        pytest.skip("only who may mount a file system can fill one")
    try:
        yield disk
    finally:
        subprocess.run(["umount", "-l", disk], check=True)


def fill(disk: Path) -> Path:
    """A file that takes all room that is left."""
    ballast = disk / "ballast"
    with ballast.open("wb", buffering=0) as file, suppress(OSError):
        while True:
            file.write(bytes(4096))
    return ballast


async def full(storage: Any) -> None:
    """Let none of its connections make the file larger."""
    for connection in (storage.checkpointer.conn, storage.store.conn):
        [[pages]] = await connection.execute_fetchall("PRAGMA page_count")
        await connection.execute(f"PRAGMA max_page_count = {pages}")


async def until_it_fails(work: Callable[[], Any]) -> None:
    while True:
        await work()


async def test_a_database_that_is_full_is_named_and_can_be_used_again(tmp_path: Path) -> None:
    database = str(tmp_path / "threads.db")
    async with open_storage(database) as storage:
        assert (await run(graph_on(storage, Warehouse()), "before", thread_id=THREAD)).outcome == "answered"
        await full(storage)
        for part in ("x" * 3000, "y" * 3000):  # the second: no transaction of the first is left open
            with pytest.raises(StorageError, match=ROOM) as told:
                await until_it_fails(partial(run, graph_on(storage, Warehouse()), part, thread_id=THREAD))
            assert repr(database) in str(told.value)
        with pytest.raises(StorageError, match=ROOM):
            await until_it_fails(lambda: storage.store.aput(("large",), os.urandom(8).hex(), {"text": "z" * 9000}))

    async with open_storage(database) as storage:
        ended = await run(graph_on(storage, Warehouse()), "after", thread_id=THREAD)
        assert (ended.outcome, ended.answer) == ("answered", "answer to after")
        assert await storage.store.aget(("large",), "none") is None


def test_a_full_disk_ends_each_command_with_a_line_that_names_the_file(small_disk: Path, tmp_path: Path) -> None:
    shell = Inside(tmp_path)
    database = small_disk / "threads.db"
    ask = ("ask", "look:blue", "--thread", "t1", "--domain", "clerk:graph", "--db", str(database))

    ballast = fill(small_disk)
    first = shell.plain(*ask)
    ballast.unlink()
    assert shell.plain(*ask).stdout.strip() == "blue: 3 left"
    ballast = fill(small_disk)
    done = [shell.plain(*ask), shell._run([*COMMAND, "chat", *ask[2:]], "look:red\n")]
    done += [shell.plain("feedback", "t1", "good", "--why", "x" * 2000, "--db", str(database))]
    ballast.unlink()

    for each in [first, *done]:
        assert (each.returncode, each.stdout.count("\n")) == (2, 0), each
        assert repr(str(database)) in each.stderr
        assert ROOM in each.stderr
        assert "Traceback" not in each.stderr
    assert shell.plain(*ask).stdout.strip() == "blue: 3 left"


def test_a_hotel_that_finds_no_room_is_not_imported_and_the_place_is_named(small_disk: Path) -> None:
    shell, folder = Inside(small_disk), str(Path(__file__).parents[2] / "examples" / "own_hotel")
    place = small_disk / "wavegraph"
    place.mkdir()
    ballast = fill(small_disk)
    done = shell.plain("hotel", "import", folder)
    ballast.unlink()

    assert (done.returncode, done.stdout) == (2, "")
    assert f"cannot import {folder!r} into {str(place)!r}: " in done.stderr
    assert list(place.rglob("*.sqlite*")) == []
    assert shell.plain("hotel", "import", folder).returncode == 0


@pytest.mark.parametrize("write", [replace_file, write_page])
def test_a_file_that_cannot_be_written_stays_as_it_was_and_is_named(
    write: Callable[[Path, str], None], tmp_path: Path
) -> None:
    path = tmp_path / "page.html"
    write(path, "before")
    with files_of_at_most(1000), pytest.raises(OSError, match="page") as told:
        write(path, "after" * 1000)

    assert (told.value.errno, told.value.filename) == (errno.EFBIG, str(path))
    assert path.read_text(encoding="utf-8") == "before"
    assert list(tmp_path.iterdir()) == [path]


def test_a_page_goes_through_a_link_and_into_a_pipe(tmp_path: Path) -> None:
    page, link, pipe = tmp_path / "page.html", tmp_path / "link.html", tmp_path / "pipe"
    link.symlink_to(page)
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_page(link, "drawn")
    write_page(pipe, "drawn")

    assert (link.is_symlink(), page.read_text(encoding="utf-8"), os.read(reader, 9)) == (True, "drawn", b"drawn")
    os.close(reader)


def test_a_roster_store_that_is_full_names_the_file_and_keeps_what_it_had(small_disk: Path) -> None:
    store = RosterStore(small_disk)
    store.decide(PublicationDecision(roster_id="1" * 16, as_draft=True))
    ballast = fill(small_disk)
    with pytest.raises(OSError, match="columns") as told:
        store.keep_columns("ab" * 8, {"n": [["D"] * 5000]})  # type: ignore[dict-item,list-item]
    ballast.unlink()

    assert told.value.errno == errno.ENOSPC
    assert [path.name for path in (small_disk / "rosters").rglob("*.*")] == ["1" * 16 + ".json"]
    assert store.decision("1" * 16) == PublicationDecision(roster_id="1" * 16, as_draft=True)


def test_a_drawing_on_a_full_disk_is_named(tmp_path: Path) -> None:
    shell = Inside(tmp_path)
    out = tmp_path / "out.mmd"
    with files_of_at_most(100):
        done = shell.plain("graph", "--domain", "clerk:graph", "--out", str(out))

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"wavegraph: cannot write {str(out)!r}: File too large; {ROOM}, then try again\n"
    assert list(tmp_path.iterdir()) == []
