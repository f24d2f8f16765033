"""Rosters in PostgreSQL, as far as it is not the same as in files: who may use it, how files move there, what is told of a
database that fails, what a search of it finds."""

import asyncio
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psycopg
import pytest
from roster_wards import ROWS, rows, ward_of_two

from wavegraph.app.storage.open import open_storage
from wavegraph.app.storage.traces import Needle, postgres_traces
from wavegraph.graph.errors import SettingsError, ToolRefusal
from wavegraph.tools.postgres.server import Server
from wavegraph.tools.roster.keeping import place
from wavegraph.tools.roster.keeping.folder import FolderKeeper
from wavegraph.tools.roster.keeping.table import TableKeeper
from wavegraph.tools.roster.store import PublicationDecision, RosterStore, StoredRoster

LONG_AGO = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
DOWN = "postgresql://desk:Zq7%40secret@127.0.0.1:1/rosters"


@pytest.fixture
def url(rosters_database: str) -> str:
    return rosters_database


@pytest.fixture(autouse=True)
def _as_in_a_new_process() -> Iterator[None]:
    yield
    place._table_of.cache_clear()


def admin(url: str, statement: str) -> list[Any]:
    with psycopg.connect(url, autocommit=True) as connection:
        done = connection.execute(statement)
        return done.fetchall() if done.description else []


@contextmanager
def machines(url: str, count: int, kind: type[TableKeeper] = TableKeeper) -> Iterator[list[TableKeeper]]:
    """Each with connections of its own."""
    servers = [Server(url) for _ in range(count)]
    yield [kind(server) for server in servers]
    for server in servers:
        server.close()


def keep(store: RosterStore, **cells: str) -> str:
    return store.keep_roster(StoredRoster(ward_hash=store.keep_ward(ward_of_two()), roster=rows(**(cells or ROWS))))


def test_the_environment_names_the_database_unless_a_folder_is_named(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    roster_id = keep(RosterStore(tmp_path / "there", url))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("WAVEGRAPH_DATABASE", url)

    given: list[dict[str, Any]] = [
        {},
        {"database": "talk.db"},
        {"database": ":memory:"},
        {"data_dir": tmp_path / "here"},
    ]
    assert [RosterStore(**each).holds(roster_id) for each in given] == [True, True, True, False]


def test_machines_that_open_it_first_at_once_make_one_table(url: str) -> None:
    with machines(url, 6) as keepers, ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda keeper: keeper.write("made", "a", "{}", again=False), keepers))

    assert admin(url, "SELECT version FROM wavegraph_rosters_version") == [(1,)]
    assert admin(url, "SELECT kind, name FROM wavegraph_rosters") == [("made", "a")]


def test_two_installations_in_one_database_share_nothing(url: str, shared_house: str, tmp_path: Path) -> None:
    """Also where the search path of the one leads on to the other's schema."""
    admin(shared_house, "CREATE SCHEMA second")
    name = url.rpartition("%3D")[2]
    roster_id = keep(RosterStore(tmp_path, url))
    both = f"{shared_house}?options=-csearch_path%3Dsecond%2C{name}"

    assert not RosterStore(tmp_path, both).holds(roster_id)


# Files move over


def files_in(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*.json"))


def test_files_of_this_machine_move_over_as_they_are(url: str, tmp_path: Path) -> None:
    here = RosterStore(tmp_path)
    roster_id = keep(here)
    here.keep_remarks("remarks", roster_id, "empathy", ["ענת works too much"])
    here.decide(PublicationDecision(roster_id=roster_id, as_draft=True))
    here.ask_to_stop("t")
    for path in tmp_path.rglob("*.json"):
        os.utime(path, (LONG_AGO.timestamp(),) * 2)
    (tmp_path / "rosters" / "made" / "a-folder.json").mkdir()

    moved = RosterStore(tmp_path, url)
    assert moved.newest(5) == [(roster_id, LONG_AGO)]
    assert files_in(tmp_path) == ["rosters/made/a-folder.json"]
    there = RosterStore(tmp_path / "there", url)
    assert there.stored_roster(roster_id) == StoredRoster(
        ward_hash=there.name_of(ward_of_two()), roster=rows(**ROWS), trace=[]
    )
    assert there.remarks("remarks", roster_id) == ["ענת works too much"]
    assert there.decided() == [(LONG_AGO, PublicationDecision(roster_id=roster_id, as_draft=True))]
    assert there.take_stop("t")


def test_what_the_database_has_already_stays_as_it_is_there(url: str, tmp_path: Path) -> None:
    for store, words in ((RosterStore(tmp_path), "here"), (RosterStore(tmp_path / "there", url), "there")):
        store.keep_remarks("remarks", "ab" * 8, "empathy", [words])

    assert RosterStore(tmp_path, url).remarks("remarks", "ab" * 8) == ["there"]
    assert files_in(tmp_path) == []


@pytest.mark.parametrize("when", ["before the commit", "after the commit"])
def test_a_move_that_is_killed_is_done_again(
    when: str, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = [keep(RosterStore(tmp_path), **ROWS), keep(RosterStore(tmp_path), ann=ROWS["ben"], ben=ROWS["ann"])]
    before = files_in(tmp_path)
    monkeypatch.setattr(place, "AT_ONCE", 2)  # the second of two transactions is cut off
    added: list[Any] = []

    class Killed(TableKeeper):
        def add(self, records: Any) -> None:
            if when == "after the commit" or not added:
                super().add(records)
            if added:
                raise KeyboardInterrupt
            added.append(records)

    with machines(url, 1, Killed) as [killed], pytest.raises(KeyboardInterrupt):
        place.move(FolderKeeper(tmp_path / "rosters"), killed)
    assert 0 < len(files_in(tmp_path)) < len(before)

    assert {name for name, _ in RosterStore(tmp_path, url).newest(9)} == set(ids)
    assert files_in(tmp_path) == []


def test_two_processes_of_a_machine_move_its_files_at_once(url: str, tmp_path: Path) -> None:
    for number in range(40):
        RosterStore(tmp_path).decide(PublicationDecision(roster_id=f"{number:016x}", as_draft=False))
    with machines(url, 4) as keepers, ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda keeper: place.move(FolderKeeper(tmp_path / "rosters"), keeper), keepers))

    assert len(RosterStore(tmp_path / "there", url).decided()) == 40
    assert files_in(tmp_path) == []


# Who may do what


@pytest.fixture
def as_user(url: str, postgres: Any, request: pytest.FixtureRequest) -> Callable[..., str]:
    """The address for a user with these rights alone."""

    def made(*rights: str) -> str:
        schema = url.rpartition("%3D")[2]
        admin(url, f"CREATE USER {schema}_u PASSWORD 'pw'; GRANT USAGE ON SCHEMA {schema} TO {schema}_u")
        for each in rights:
            admin(url, f"GRANT {each} TO {schema}_u")
        return url.replace(url.split("//")[1].split("@")[0], f"{schema}_u:pw", 1)

    return made


def test_who_may_not_make_tables_is_told_what_to_do(as_user: Callable[..., str], url: str, tmp_path: Path) -> None:
    theirs = as_user()
    with pytest.raises(SettingsError, match="let a user who may create tables open it once") as refused:
        keep(RosterStore(tmp_path, theirs))
    assert ":pw" not in str(refused.value)
    assert not RosterStore(tmp_path, theirs).is_asked_to_stop("t")  # who only looks needs no table

    roster_id = keep(RosterStore(tmp_path / "there", url))
    admin(url, f"GRANT SELECT, INSERT, UPDATE, DELETE ON wavegraph_rosters TO {theirs.split('//')[1].split(':')[0]}")
    admin(url, f"GRANT SELECT ON wavegraph_rosters_version TO {theirs.split('//')[1].split(':')[0]}")
    assert RosterStore(tmp_path, theirs).holds(roster_id)
    assert RosterStore(tmp_path, theirs).take_stop("t") is False


def test_who_may_only_read_reads_and_keeps_the_files(
    as_user: Callable[..., str], url: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    roster_id = keep(RosterStore(tmp_path / "there", url))
    mine = keep(RosterStore(tmp_path), ann=ROWS["ben"], ben=ROWS["ann"])
    theirs = as_user("SELECT ON wavegraph_rosters", "SELECT ON wavegraph_rosters_version")

    reader = RosterStore(tmp_path, theirs)
    assert reader.stored_roster(roster_id).roster == rows(**ROWS)
    assert "do not move to" in caplog.text
    with pytest.raises(ToolRefusal, match="does not let this program do that") as refused:
        reader.ask_to_stop("t")
    assert (refused.value.code, refused.value.retryable) == ("auth", False)
    assert RosterStore(tmp_path).holds(mine)


# A database that fails


def test_a_database_that_is_down_may_be_tried_again_and_no_password_is_told(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    mine = keep(RosterStore(tmp_path))
    for store in (RosterStore(tmp_path, DOWN), RosterStore(tmp_path / "there", DOWN)):
        with pytest.raises(ToolRefusal, match="the rosters' database cannot be reached") as refused:
            store.newest(1)
        assert (refused.value.code, refused.value.retryable) == ("timeout", True)
        assert "Zq7" not in f"{refused.value} {refused.value.__cause__} {refused.value.__context__} {caplog.text}"
    assert "127.0.0.1" in caplog.text
    assert RosterStore(tmp_path).holds(mine)


def test_a_connection_that_the_server_ended_is_not_noticed(url: str, tmp_path: Path) -> None:
    store = RosterStore(tmp_path, url)
    roster_id = keep(store)
    admin(
        url,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND query LIKE '%wavegraph_rosters%'",
    )

    assert store.holds(roster_id)


def test_tables_of_a_later_version_are_refused(url: str, tmp_path: Path) -> None:
    keep(RosterStore(tmp_path, url))
    admin(url, "UPDATE wavegraph_rosters_version SET version = 99")

    with pytest.raises(SettingsError, match="later version of wavegraph: update this one"):
        RosterStore(tmp_path / "there", url).newest(1)


# What it holds


def test_a_search_of_the_database_opens_what_is_kept(url: str, tmp_path: Path) -> None:
    RosterStore(tmp_path, url).keep_remarks("remarks", "ab" * 8, "empathy", ["Dorothea Quillfeather asked for it"])

    async def found(text: str) -> set[str]:
        async with open_storage(url) as storage:
            return {trace.table for trace in await postgres_traces(storage, [Needle("name", text)]) or ()}

    assert asyncio.run(found("Dorothea Quillfeather")) == {"wavegraph_rosters"}
    assert asyncio.run(found("Ebenezer")) == set()


def test_a_large_record_is_small_in_the_database(url: str, tmp_path: Path) -> None:
    columns: Any = {f"nurse_{n:03}": [["E", None, "N", "L"] * 7] * 200 for n in range(50)}
    store = RosterStore(tmp_path, url)
    store.keep_columns("solve", columns)

    [(size,)] = admin(url, "SELECT octet_length(content) FROM wavegraph_rosters")
    assert size < len(str(columns)) / 20
    assert store.columns("solve") == columns
