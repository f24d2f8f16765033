"""`wavegraph ask -`: the request from stdin."""

import codecs

import pytest
from shell import CLERK, HERE, Inside
from tables import table
from typer.testing import CliRunner

from wavegraph.app.main import app
from wavegraph.app.terminal.stdin_text import MOST_BYTES

REQUESTS = [
    ("in one line", b"look:blue\n"),
    ("in several", b"\n look:blue\r\nlook:red\r\n\n"),
    ("without an end", b"look:blue"),
    ("with Hebrew", "look:blue שלום".encode()),
    ("with a mark of its encoding", codecs.BOM_UTF8 + b"look:blue"),
]
REFUSED = [
    ("nothing", b"", "stdin is empty"),
    ("a mark alone", codecs.BOM_UTF8, "stdin is empty"),
    ("blanks", b" \r\n\t\n", "stdin is empty"),
    ("UTF-16 with a mark", codecs.BOM_UTF16_LE + b"l\0o\0", "stdin is not UTF-8 (byte 0xff at 0)"),
    ("Hebrew of Windows", "look:blue שלום".encode("cp1255"), "stdin is not UTF-8 (byte 0xf9 at 10)"),
    ("half a letter", "look:blue ש".encode()[:-1], "stdin is not UTF-8 (byte 0xd7 at 10)"),
    (
        "too much",
        b"look:blue " * (MOST_BYTES // 10 + 1),
        "stdin holds more than 80,000 bytes, and of a request at most 20,000",
    ),
]


def ask(given: bytes, *words: str) -> "tuple[int, str, str]":
    done = CliRunner(env={"COLUMNS": "200"}).invoke(app, ["ask", "-", *CLERK, "--db", ":memory:", *words], input=given)
    return done.exit_code, done.stdout, done.stderr


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(HERE)


@table("given", [case[1] for case in REQUESTS])
def test_the_request_is_all_of_stdin(given: bytes) -> None:
    status, out, _ = ask(given)
    assert (status, out.splitlines()[0]) == (0, "blue: 3 left")


@table(("given", "told"), [case[1:] for case in REFUSED])
def test_what_is_no_request_is_refused(given: bytes, told: str) -> None:
    status, out, err = ask(given)
    assert (status, out) == (2, "")
    assert told in err


def test_help_says_so(inside: Inside) -> None:
    assert "- reads it from stdin" in " ".join(inside.plain("ask", "--help").stdout.replace("│", " ").split())
