"""Names of databases: what is PostgreSQL, what is a file, what is neither; and no message shows a password."""

import asyncio
import logging
from dataclasses import dataclass
from pathlib import Path

import pytest
from tables import table

from wavegraph.app.storage.open import open_storage
from wavegraph.app.terminal.options import Options
from wavegraph.graph.errors import StorageError
from wavegraph.graph.secrets.scrubber import process
from wavegraph.tools.postgres.databases import connection_string, is_no_file, is_postgres, printable, without_password

HERE = "127.0.0.1:1"
"""Where nobody listens."""


@dataclass(frozen=True)
class Case:
    id: str
    database: str
    seen: str
    """What messages show."""
    again: str
    """What a command line shows, to continue with."""
    said: str = "cannot use the database"
    """Of the error."""


ODD = "cannot read the connection string"
CASES = [
    Case("plain", f"postgresql://desk:Zq7pw@{HERE}/hotel", f"postgresql://{HERE}/hotel", f"postgresql://desk@{HERE}/hotel"),
    Case("short scheme", f"postgres://desk:Zq7pw@{HERE}/hotel", f"postgresql://{HERE}/hotel", f"postgres://desk@{HERE}/hotel"),
    Case("upper case", f"PostgreSQL://desk:Zq7pw@{HERE}/x", f"postgresql://{HERE}/x", f"PostgreSQL://desk@{HERE}/x"),
    Case("with a driver", f"postgresql+psycopg://desk:Zq7pw@{HERE}/x", f"postgresql://{HERE}/x", f"postgresql+psycopg://desk@{HERE}/x"),
    Case("no user", f"postgresql://:Zq7pw@{HERE}/x", f"postgresql://{HERE}/x", f"postgresql://{HERE}/x"),
    Case("percent-encoded", f"postgresql://desk:Zq7%40p%2Fw@{HERE}/x", f"postgresql://{HERE}/x", f"postgresql://desk@{HERE}/x"),
    Case("a colon", f"postgresql://desk:Zq7:pw@{HERE}/x", f"postgresql://{HERE}/x", f"postgresql://desk@{HERE}/x"),
    Case("a hash", f"postgresql://desk:Zq7#pw@{HERE}/x", f"postgresql://{HERE}/x", f"postgresql://desk@{HERE}/x"),
    Case("a question mark", f"postgresql://desk:Zq7?pw@{HERE}/x", f"postgresql://{HERE}/x", f"postgresql://desk@{HERE}/x"),
    Case("a parameter", f"postgresql://desk@{HERE}/x?password=Zq7pw", f"postgresql://{HERE}/x", f"postgresql://desk@{HERE}/x"),
    Case("a parameter with an at", f"postgresql://desk@{HERE}/x?password=a@Zq7pw&sslmode=disable", f"postgresql://{HERE}/x",
         f"postgresql://desk@{HERE}/x?sslmode=disable"),
    Case("a key's password", f"postgresql://desk@{HERE}/x?sslpassword=Zq7pw", f"postgresql://{HERE}/x", f"postgresql://desk@{HERE}/x"),
    Case("two hosts", "postgresql://desk:Zq7pw@127.0.0.1:1,127.0.0.1:2/x", "postgresql://127.0.0.1:1,127.0.0.1:2/x",
         "postgresql://desk@127.0.0.1:1,127.0.0.1:2/x"),
    Case("IPv6", "postgresql://desk:Zq7pw@[::1]:1/x", "postgresql://[::1]:1/x", "postgresql://desk@[::1]:1/x"),
    Case("an at", f"postgresql://desk:p@Zq7pw@{HERE}/x", "postgresql://…", "postgresql://…", ODD),
    Case("a slash", f"postgresql://desk:p/Zq7pw@{HERE}/x", "postgresql://…", "postgresql://…", ODD),
    Case("like a port", f"postgresql://desk:12/Zq7pw@{HERE}/x", "postgresql://…", "postgresql://…", ODD),
    Case("a blank", f"postgresql://desk:p Zq7pw@{HERE}/x", "postgresql://…", "postgresql://…", ODD),
    Case("all of them", f"postgresql://desk:a@b/c?d#Zq7=pw@{HERE}/x", "postgresql://…", "postgresql://…", ODD),
    Case("an at and a parameter", f"postgresql://desk:a@b@{HERE}/x?password=p@Zq7pw", "postgresql://…", "postgresql://…", ODD),
    Case("half a percent", f"postgresql://desk:half%Zq7pw@{HERE}/x", f"postgresql://{HERE}/x", f"postgresql://desk@{HERE}/x", ODD),
    Case("no parameter's name", f"postgresql://desk@{HERE}/x?Zq7pw", f"postgresql://{HERE}/x", f"postgresql://desk@{HERE}/x", ODD),
    Case("keywords", "host=127.0.0.1 port=1 dbname=x user=desk password=Zq7pw", "postgresql://127.0.0.1:1/x",
         "host=127.0.0.1 port=1 dbname=x user=desk"),
    Case("keywords, quoted", r"host = 127.0.0.1 port = '1' password = 'it\'s Zq7 pw'", "postgresql://127.0.0.1:'1'", "host=127.0.0.1 port='1'"),
    Case("the password first", "password=Zq7pw host=127.0.0.1 port=1", "postgresql://127.0.0.1:1", "host=127.0.0.1 port=1"),
    Case("keywords, open", "host=127.0.0.1 port=1 password='Zq7 pw", "postgresql://…", "postgresql://…", ODD),
    Case("keywords, doubled", "host=127.0.0.1 password='it''s Zq7pw'", "postgresql://…", "postgresql://…", ODD),
    Case("an unknown keyword", "host=127.0.0.1 port=1 pass=Zq7pw", "postgresql://127.0.0.1:1", "host=127.0.0.1 port=1", ODD),
    Case("no scheme", f"desk:Zq7pw@{HERE}/x", "…", "…"),
    Case("half a scheme", f"postgres:desk:Zq7pw@{HERE}/x", "…", "…"),
    Case("another database", "mysql://desk:Zq7pw@db.example/x", "…", "…"),
    Case("another, with a driver", "mssql+pyodbc://desk:Zq7pw@db.example/x", "…", "…"),
    Case("Java's", "jdbc:postgresql://db.example/x?password=Zq7pw", "…", "…"),
    Case("ADO.NET's", "Server=db.example;User Id=desk;Password=Zq7pw;", "…", "…"),
    Case("ADO.NET's, short", "Server = db.example; Uid = desk; Pwd = Zq7pw", "…", "…"),
    Case("SQLAlchemy's SQLite", "sqlite:///desk.db?Zq7pw", "…", "…"),
    Case("a file's URL", "file:desk.db?mode=ro&key=Zq7pw", "…", "…"),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_no_message_shows_a_password(
    case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.chdir(tmp_path)

    async def opened() -> None:
        async with open_storage(case.database):
            pytest.fail("it was opened")

    with caplog.at_level(logging.DEBUG), pytest.raises(StorageError) as raised:
        asyncio.run(opened())

    assert case.said in str(raised.value)
    assert process.scrub(str(raised.value)) == str(raised.value), "a hint that looks like a login"
    assert printable(case.database) == case.seen
    line = Options(domain="hotel", database=case.database).again("chat", "t1")
    assert without_password(case.database) == case.again
    shown = [printable(case.database), line, str(raised.value), repr(raised.value), caplog.text]
    assert not [text for text in shown for part in ("Zq7", "pw") if part in text.lower() or part in text]
    assert list(tmp_path.iterdir()) == []


@table("case", [case for case in CASES if case.said != ODD])
def test_what_a_command_line_shows_names_the_same_database(case: Case) -> None:
    if not is_no_file(case.database):
        assert is_postgres(case.again)
        assert printable(case.again) == case.seen


@table(
    "file", ["threads.db", "/srv/desk/threads.db", "./host=x", ":memory:", r"C:\desk\threads.db", "my threads (2).db", "a@b.db",
             "über=1.db", "notes:today.db", "./mysql:x", "~/x.db", "./pwd=x", "forgotten password.db"],
)  # fmt: skip
def test_a_file_is_a_file(file: str) -> None:
    assert (is_postgres(file), is_no_file(file)) == (False, False)
    assert printable(file) == without_password(file) == file


def test_libpq_gets_what_it_understands() -> None:
    assert (
        connection_string("postgresql+asyncpg://desk@db/hotel?sslmode=require")
        == "postgresql://desk@db/hotel?sslmode=require"
    )
    assert connection_string("host=db dbname='my hotel'") == "host=db dbname='my hotel'"
    assert connection_string("postgresql://") == "postgresql://"
    assert connection_string("postgresql://%2Fvar%2Frun/hotel") == "postgresql://%2Fvar%2Frun/hotel"
