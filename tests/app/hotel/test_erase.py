"""A guest of the hotel is erased everywhere: what is left is searched for in every byte and every value, by a search that
shares no code with the one under test."""

import asyncio
import shutil
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from hotel_runs import TODAY
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.store.memory import InMemoryStore

from wavegraph import open_storage, resume, run
from wavegraph.app.hotel.erase import HotelGuestData
from wavegraph.app.run.erase import Erasure, Left, Unfinished, erase, find
from wavegraph.app.run.feedback import give_feedback
from wavegraph.app.run.stored import StoredConversations
from wavegraph.app.run.threads import read_row, write_row
from wavegraph.app.storage import traces
from wavegraph.app.storage.database import Storage
from wavegraph.graph.errors import ThreadBusy
from wavegraph.graph.execution.write import SENDING, notes_of
from wavegraph.graph.hotel import build
from wavegraph.graph.model.spending import SPENT_DAYS, SPENT_THREADS
from wavegraph.graph.state import key_of
from wavegraph.testing import Canaries, Collected, Leaked, assert_no_leak
from wavegraph.tools.hotel.property import sqlite_property
from wavegraph.tools.hotel.property.places.shared import shared_place
from wavegraph.tools.hotel.property.sqlite_property import SandboxProperty
from wavegraph.tools.hotel.records import QuoteQuery
from wavegraph.tools.postgres.server import close_all

NAME, EMAIL, PHONE, NOTE = (
    "Dorothea Quillfeather",
    "dorothea@quill.example",
    "+44 20 7946 0958",
    "allergic to goosedown",
)
WORDS = "Is there a piano I may play at midnight?"
HEBREW = "האם אפשר להביא איתנו את התוכי שלנו?"
BOOK = f"Book a double room January 17-19 for two adults, {NAME}, {EMAIL}, phone {PHONE}, notes: {NOTE}"
SETTINGS = {"today": TODAY}
BEFORE, AFTER = datetime(2026, 11, 20, tzinfo=UTC), datetime(2040, 1, 1, tzinfo=UTC)
"""The stay is still to come; and all times to keep anything are over."""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("built") / "sandbox.sqlite"
    sqlite_property.build(path, date.fromisoformat(TODAY))
    return path


@pytest.fixture(autouse=True)
def hotel(built: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(built, tmp_path))


@pytest.fixture
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return str(tmp_path / "desk.db")
    return str(request.getfixturevalue("postgres").fresh(f"erase_{tmp_path.name}"))


def guest_of(name: str = NAME) -> Canaries:
    """What must be gone."""
    canaries = Canaries()
    for kind, text in {
        "name": name,
        "e-mail": EMAIL,
        "phone": PHONE,
        "note": NOTE,
        "words": WORDS,
        "hebrew": HEBREW,
    }.items():
        canaries.watch(kind, text)
    return canaries


def everything(folder: Path, database: str) -> Collected:
    """Every byte of every file, and every value of the conversations' database, compressed ones opened."""
    left = Collected()
    left.files("files", folder)
    left.database(database)
    return left


async def talk(storage: Storage, hotel: Path, thread: str, *texts: str, name: str = NAME) -> Any:
    graph = build(hotel.parent).compile(checkpointer=storage.checkpointer, store=storage.store)
    return await said(graph, thread, *(text.replace(NAME, name) for text in texts))


async def said(graph: Any, thread: str, *texts: str) -> Any:
    """The last answer; a yes is in the words that its question asks for."""
    ended: Any = None
    for text in texts:
        words = ended.question["agree_with"] if text == "yes" and ended.question else text
        ended = await run(graph, words, thread_id=thread, settings=SETTINGS)
    return ended


async def erased(
    storage: Storage, hotel: Path, *threads: str, guest: str | None = None, now: datetime = AFTER, **options: Any
) -> tuple[Erasure, list[Left]]:
    kept, keepers = StoredConversations(storage), [HotelGuestData(hotel.parent, now=lambda: now)]
    found = await find(kept, keepers, threads=threads, guest=guest)
    return found, await erase(kept, keepers, found, threads=threads, **options)


def bookings(hotel: Path) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(hotel)) as file:
        sql = "SELECT status, json_extract(guest_json, '$.name'), json_extract(guest_json, '$.email'), total_agorot FROM booking"
        return file.execute(sql).fetchall()


@pytest.mark.parametrize(("database", "by"), [("sqlite", "thread"), ("postgres", "guest")], indirect=["database"])
async def test_nothing_is_left_of_a_guest_and_all_of_the_next_one(
    database: str, hotel: Path, tmp_path: Path, by: str
) -> None:
    async with open_storage(database) as storage:
        await talk(storage, hotel, "t1", WORDS, HEBREW, BOOK, "yes")
        await give_feedback(storage.store, "t1", "bad", f"{NAME} was not pleased")
        await talk(storage, hotel, "t10", "What time is breakfast in the garden?")
        with pytest.raises(Leaked):
            assert_no_leak(guest_of(), everything(tmp_path, database))

        named: Any = [["t1"], None] if by == "thread" else [[], EMAIL.upper()]
        found, left = await erased(storage, hotel, *named[0], guest=named[1])

        assert (list(found.threads), left) == (["t1"], [])
        assert_no_leak(guest_of(), everything(tmp_path, database), channels=["files", "database"])
        other = await talk(storage, hotel, "t10", "And in the room?")
    assert other.outcome in ("answered", "clarify")
    assert [row[:3] for row in bookings(hotel)] == [("confirmed", "[erased]", None)]
    assert bookings(hotel)[0][3] > 0
    assert_no_leak(guest_of(), everything(tmp_path, database))


async def test_nothing_is_left_of_a_guest_of_hotels_in_postgres(
    postgres: Any, hotel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Conversations and hotels in one database; and one booking in a file of this machine that is still to move."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    database = postgres.fresh("hotels_of_an_erased_guest")
    async with open_storage(database) as storage:
        graph = build(database=database).compile(checkpointer=storage.checkpointer, store=storage.store)
        ended = await said(graph, "t1", WORDS, BOOK, "yes", BOOK.replace("17-19", "20-22"))
        assert ended.outcome == "awaiting_approval"
        (tmp_path / "wavegraph").mkdir()
        file = Path(shutil.move(hotel, tmp_path / "wavegraph"))
        await talk(storage, file, "t2", BOOK, "yes")
        kept, keepers = StoredConversations(storage), [HotelGuestData(database=database, now=lambda: AFTER)]
        found = await find(kept, keepers, guest=EMAIL)
        assert sorted(item.becomes.split()[0] for item in found.all_items) == ["name,", "name,", "released"]
        assert await erase(kept, keepers, found) == []
    assert_no_leak(guest_of(), everything(tmp_path, database), channels=["files", "database"])
    assert [row[:2] for row in bookings(file)] == [("confirmed", "[erased]")]
    with shared_place(database, "sandbox").reading() as rows:
        assert rows.execute("SELECT status FROM booking").fetchall() == [("confirmed",)]
        assert rows.execute("SELECT SUM(held) FROM inventory").fetchone() == (0,)
    close_all()


async def test_what_the_hotel_needs_is_kept_and_told_and_goes_when_its_time_is_over(
    hotel: Path, tmp_path: Path
) -> None:
    database = str(tmp_path / "desk.db")
    async with open_storage(database) as storage:
        await talk(storage, hotel, "t1", BOOK, "yes")
        found, left = await erased(storage, hotel, "t1", now=BEFORE)
    (item,) = found.all_items
    assert item.becomes == "name, e-mail, phone and notes are kept until 2027-01-19, because the stay is not over"
    assert left == []
    assert bookings(hotel)[0][1:3] == (NAME, EMAIL)

    adapter = SandboxProperty(hotel, now=lambda: datetime(2027, 1, 20, 12, tzinfo=UTC))
    await a_quote(adapter)  # any guest's: what is due goes with it
    assert bookings(hotel)[0][1:3] == (NAME, None)
    adapter.now = lambda: datetime(2034, 1, 19, 12, tzinfo=UTC)  # 2557 days after the departure
    await a_quote(adapter)
    assert bookings(hotel)[0][1] == NAME
    adapter.now = lambda: datetime(2034, 1, 20, 12, tzinfo=UTC)
    await a_quote(adapter)
    assert bookings(hotel)[0][:3] == ("confirmed", "[erased]", None)


async def a_quote(adapter: SandboxProperty) -> None:
    query = QuoteQuery(check_in=date(2027, 3, 1), check_out=date(2027, 3, 3), adults=2)
    await adapter.quote(query, today=date.fromisoformat(TODAY))


async def test_a_waiting_question_goes_with_its_hold_and_frees_the_rooms(hotel: Path, tmp_path: Path) -> None:
    database = str(tmp_path / "desk.db")
    async with open_storage(database) as storage:
        asked = await talk(storage, hotel, "t1", BOOK)
        assert asked.outcome == "awaiting_approval"
        found, left = await erased(storage, hotel, "t1", now=BEFORE)
    assert [item.becomes for item in found.all_items] == ["released and erased"]
    assert (left, bookings(hotel)) == ([], [])
    with closing(sqlite3.connect(hotel)) as file:
        assert file.execute("SELECT sum(held), (SELECT count(*) FROM quote) FROM inventory").fetchone() == (0, 0)
    assert_no_leak(guest_of(), everything(tmp_path, database))


async def test_another_booking_of_the_same_guest_and_no_other_guest_s_goes_too(hotel: Path, tmp_path: Path) -> None:
    """By the phone as somebody else's clerk would type it; another guest has the same name and asks the same."""
    database = str(tmp_path / "desk.db")
    other = BOOK.replace(EMAIL, "someone@else.example").replace(PHONE, "+44 161 7946 0958")
    async with open_storage(database) as storage:
        await talk(storage, hotel, "t1", BOOK, "yes")
        await talk(storage, hotel, "t2", other, "yes")
        found, left = await erased(storage, hotel, guest="(020) 7946-0958")
        assert (list(found.threads), len(found.all_items), left) == (["t1"], 1, [])
        (row,) = [row for row in bookings(hotel) if row[1] != "[erased]"]
        assert row[1:3] == (NAME, "someone@else.example")


async def test_a_contact_in_another_thread_is_told(hotel: Path, tmp_path: Path) -> None:
    async with open_storage(str(tmp_path / "desk.db")) as storage:
        await talk(storage, hotel, "t1", BOOK, "yes")
        await talk(storage, hotel, "t2", f"Please write to {EMAIL}")
        _, left = await erased(storage, hotel, "t1")
        assert {(each.what, each.thread_id) for each in left} == {("e-mail", "t2")}
        _, left = await erased(storage, hotel, guest=EMAIL)
        assert left == []


class Crash(BaseException):
    pass


@pytest.mark.parametrize("at", ["adelete_thread", "adelete", "rewrite"])
async def test_after_a_crash_the_same_call_completes_it(
    hotel: Path, tmp_path: Path, at: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = str(tmp_path / "desk.db")

    def crash(*_: Any, **__: Any) -> Any:
        raise Crash

    async with open_storage(database) as storage:
        await talk(storage, hotel, "t1", WORDS, HEBREW, BOOK, "yes")
        with monkeypatch.context() as broken:
            holder: Any = {"adelete_thread": storage.checkpointer, "adelete": storage.store}.get(at)
            broken.setattr(holder, at, crash) if holder else broken.setattr("wavegraph.app.run.stored.rewrite", crash)
            with pytest.raises(Crash):
                await erased(storage, hotel, "t1", guest=EMAIL)
    async with open_storage(database) as storage:
        _, left = await erased(storage, hotel, "t1", guest=EMAIL)
        assert left == []
    assert_no_leak(guest_of(), everything(tmp_path, database))


async def test_two_at_once_and_one_after_them_find_no_fault(hotel: Path, tmp_path: Path) -> None:
    database = str(tmp_path / "desk.db")
    async with open_storage(database) as storage, open_storage(database) as second:
        await talk(storage, hotel, "t1", WORDS, HEBREW, BOOK, "yes")
        both = await asyncio.gather(erased(storage, hotel, "t1"), erased(second, hotel, "t1"), return_exceptions=True)
        told_to_wait = [each for each in both if isinstance(each, BaseException)]
        assert len(told_to_wait) < 2
        assert all(isinstance(each, ThreadBusy) for each in told_to_wait)
        found, left = await erased(second, hotel, "t1")
        assert (found.is_empty, left) == (True, [])
    assert_no_leak(guest_of(), everything(tmp_path, database))


async def test_a_request_that_did_not_end_is_not_torn_away(hotel: Path, tmp_path: Path) -> None:
    async with open_storage(str(tmp_path / "desk.db")) as storage:
        graph = build(hotel.parent).compile(
            checkpointer=storage.checkpointer, store=storage.store, interrupt_before=["respond"]
        )
        await run(graph, WORDS, thread_id="t1", settings=SETTINGS)
        row = await read_row(storage.store, "t1")
        assert row
        await write_row(storage.store, replace(row, outcome=None, can_resume=True))  # as while it runs
        with pytest.raises(Unfinished, match="running, or was cut off"):
            await erased(storage, hotel, "t1")
        assert (await resume(graph, "t1")).outcome
        await write_row(storage.store, replace(row, outcome=None, can_resume=True))
        _, left = await erased(storage, hotel, "t1", unfinished=True)
        assert left == []


async def test_the_search_sees_what_stays(hotel: Path, tmp_path: Path) -> None:
    """A store item of somebody else's making, with the guest's address in it."""
    async with open_storage(str(tmp_path / "desk.db")) as storage:
        await talk(storage, hotel, "t1", BOOK, "yes")
        await storage.store.aput(("notes",), "n1", {"text": f"call {EMAIL}"})
        _, left = await erased(storage, hotel, "t1")
    assert [(each.what, each.where, each.thread_id) for each in left] == [("e-mail", "desk.db, table store", None)]


async def test_what_a_thread_spent_goes_and_the_day_s_sum_stays(hotel: Path, tmp_path: Path) -> None:
    """Else whoever is erased could spend the day's share again."""
    spent: dict[str, Any] = {"calls": 1, "tokens": 10}
    async with open_storage(str(tmp_path / "desk.db")) as storage:
        await talk(storage, hotel, "t1", WORDS)
        for namespace in (SPENT_THREADS, (*SPENT_DAYS, "2026-11-20")):
            await storage.store.aput(namespace, key_of("t1"), spent)
        _, left = await erased(storage, hotel, "t1")
        assert left == []
        assert await storage.store.aget(SPENT_THREADS, key_of("t1")) is None
        assert await storage.store.aget((*SPENT_DAYS, "2026-11-20"), key_of("t1"))


async def test_the_notes_of_writes_that_were_sent_go_too(hotel: Path, tmp_path: Path) -> None:
    async with open_storage(str(tmp_path / "desk.db")) as storage:
        await talk(storage, hotel, "t1", WORDS)
        await storage.store.aput(SENDING, key_of("t1"), {"task": "one"})
        await storage.store.aput(notes_of("t1"), "a", {"tool": "send"})
        _, left = await erased(storage, hotel, "t1")
        assert left == []
        assert await storage.store.asearch(SENDING) == []


async def test_details_go_and_the_name_stays_while_the_accounts_need_it(hotel: Path, tmp_path: Path) -> None:
    database = str(tmp_path / "desk.db")
    gone = Canaries()
    for kind, text in {"e-mail": EMAIL, "phone": PHONE, "note": NOTE}.items():
        gone.watch(kind, text)
    async with open_storage(database) as storage:
        await talk(storage, hotel, "t1", BOOK, "yes")
        found, left = await erased(storage, hotel, "t1", now=datetime(2027, 6, 1, tzinfo=UTC))
    (item,) = found.all_items
    told = "e-mail, phone and notes erased; the name is kept until 2034-01-19, because the accounts need it"
    assert (item.becomes, left) == (told, [])
    assert bookings(hotel)[0][1:3] == (NAME, None)
    assert_no_leak(gone, everything(tmp_path, database))


async def test_a_reader_in_the_way_is_told_and_the_next_call_completes_it(
    hotel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(traces, "REWRITE_WITHIN_S", 0.2)
    database = str(tmp_path / "desk.db")
    async with open_storage(database) as storage:
        await talk(storage, hotel, "t1", WORDS, HEBREW, BOOK, "yes")
        with closing(sqlite3.connect(database, isolation_level=None)) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM checkpoints").fetchone()
            _, left = await erased(storage, hotel, "t1")
        assert ("deleted rows", "desk.db: another program reads it; run this again") in [
            (e.what, e.where) for e in left
        ]
        monkeypatch.undo()
        _, left = await erased(storage, hotel, "t1")
        assert left == []
    assert_no_leak(guest_of(), everything(tmp_path, database))


@asynccontextmanager
async def in_memory(kind: str) -> AsyncIterator[Storage]:
    if kind == "sqlite":
        async with open_storage(":memory:") as storage:
            yield storage
    else:
        yield Storage(InMemorySaver(), InMemoryStore())


@pytest.mark.parametrize("kind", ["sqlite", "plain"])
async def test_in_memory_too(hotel: Path, kind: str) -> None:
    async with in_memory(kind) as storage:
        await talk(storage, hotel, "t1", WORDS, BOOK, "yes")
        await talk(storage, hotel, "t2", f"Please write to {EMAIL}")
        _, left = await erased(storage, hotel, "t1")
        assert {(each.what, each.thread_id) for each in left} == {("e-mail", "t2")}
        assert [saved async for saved in storage.checkpointer.alist({"configurable": {"thread_id": "t1"}})] == []
