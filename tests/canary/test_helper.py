"""`wavegraph.testing` finds what leaks: through every channel, in every form, and it refuses to check nothing."""

import base64
import gzip
import json
import os
import sqlite3
import zlib
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import quote, quote_plus

import pytest
import zstandard
from canary_traces import traced
from canary_vault import PropertySystem, vault_graph
from runs import wait
from tables import table

from wavegraph.app.storage.open import open_storage
from wavegraph.app.storage.serializer import CompressingSerializer
from wavegraph.testing import Canaries, Collected, Leaked, assert_no_leak, collecting
from wavegraph.tools.hotel.property.credentials import EnvironmentSecrets

SPECIALS = '"\\/+%&<é'


def leaks(canaries: Canaries, left: Collected) -> str:
    """What the check says; empty where it finds nothing. It never shows a secret, nor a part."""
    try:
        assert_no_leak(canaries, left)
    except Leaked as found:
        text = str(found)
        for secret in canaries._secrets.values():
            assert not any(secret[n : n + 6].lower() in text.lower() for n in range(len(secret) - 6))
        return text
    return ""


# Forms


def b64(text: str, before: str = "") -> str:
    return base64.b64encode(f"{before}{text} and more".encode()).decode()


FORMS: dict[str, Callable[[str], Any]] = {
    "plain": str,
    "in a sentence": lambda secret: f"user x, password {secret}!",
    "upper case": str.upper,
    "JSON": lambda secret: json.dumps({"a": [secret]}),
    "JSON in JSON": lambda secret: json.dumps(json.dumps(secret)),
    "Python": lambda secret: repr([secret]),
    "URL": lambda secret: f"https://x.example/?p={quote(secret, safe='')}",
    "URL path": lambda secret: quote(secret),
    "form": quote_plus,
    "base64": b64,
    "base64 from the second byte": lambda secret: b64(secret, "x"),
    "base64 from the third byte": lambda secret: b64(secret, "xy"),
    "base64 for URLs": lambda secret: base64.urlsafe_b64encode(secret.encode()),
    "HTTP basic": lambda secret: b64(secret, "clerk:"),
    "hexadecimal": lambda secret: secret.encode().hex(),
    "hexadecimal, capitals": lambda secret: secret.encode().hex().upper(),
    "reversed": lambda secret: secret[::-1],
    "UTF-16": lambda secret: secret.encode("utf-16"),
    "first half": lambda secret: secret[:16],
    "second half": lambda secret: secret[16:],
    "a half from the middle": lambda secret: secret[8:24],
    "half in base64": lambda secret: b64(secret[:16]),
    "half reversed": lambda secret: secret[16:][::-1],
    "half in hexadecimal": lambda secret: secret[:16].encode().hex(),
    "zlib": lambda secret: zlib.compress(secret.encode()),
    "zlib inside": lambda secret: b"a row: " + zlib.compress(secret.encode() * 3) + b" and more",
    "gzip": lambda secret: gzip.compress(secret.encode()),
    "Zstandard": lambda secret: b"trace " + zstandard.compress(secret.encode()),
    "zlib in gzip": lambda secret: gzip.compress(zlib.compress(secret.encode())),
    "our serializer": lambda secret: CompressingSerializer().dumps_typed({"note": secret, "more": "x" * 300}),
    "a key": lambda secret: {"a": {secret: 1}},
    "deep": lambda secret: [{"a": ({"b": {secret}},)}],
    "an object": lambda secret: type("Thing", (), {"__repr__": lambda self: f"Thing({secret})"})(),
    "an error": lambda secret: RuntimeError("no", {"found": secret}),
    "the cause of an error": lambda secret: caused(secret),
    "a note of an error": lambda secret: noted(secret),
}  # fmt: skip


def caused(secret: str) -> Exception:
    try:
        try:
            raise ValueError(secret)
        except ValueError as error:
            raise LookupError("no answer") from error
    except LookupError as error:
        return error


def noted(secret: str) -> Exception:
    error = LookupError("no answer")
    error.add_note(secret)
    return error


@table("form", FORMS)
@table("specials", ["", SPECIALS])
def test_every_form_is_found(form: str, specials: str) -> None:
    canaries, left = Canaries(), Collected()
    secret = canaries.plant("password", specials=specials)
    canaries.plant("another")
    left.add("answer", {"harmless": "text"})
    assert leaks(canaries, left) == ""

    left.add("log", FORMS[form](secret))
    assert "password in log" in leaks(canaries, left)
    assert "another" not in leaks(canaries, left)


def test_what_exists_already_is_watched_and_what_is_too_short_refused() -> None:
    canaries, left = Canaries(), Collected()
    canaries.watch("token", "hunter2-hunter2")
    left.add("log", "with hunter2-hunter2")

    assert "token in log (as it is)" in leaks(canaries, left)
    with pytest.raises(ValueError, match="'pin' has 4 characters"):
        canaries.watch("pin", "1234")


def test_a_check_that_could_not_fail_is_refused() -> None:
    canaries, left = Canaries(), Collected()
    left.add("log", "x")
    with pytest.raises(ValueError, match="nothing was planted"):
        assert_no_leak(canaries, left)
    canaries.plant("password")
    with pytest.raises(ValueError, match="nothing was planted, or nothing collected"):
        assert_no_leak(canaries, Collected())
    with pytest.raises(ValueError, match="nothing was collected of events, state"):
        assert_no_leak(canaries, left, channels=["log", "state", "events"])
    assert_no_leak(canaries, left, channels=["log"])


def test_neither_canaries_nor_what_was_collected_show_themselves() -> None:
    canaries, left = Canaries(), Collected()
    secret = canaries.plant("password")
    left.add("log", secret)

    assert secret not in f"{canaries!r} {left!r}"


def test_files_and_folders(tmp_path: Path) -> None:
    canaries, left = Canaries(), Collected()
    secret = canaries.plant("password")
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "state.pckl").write_bytes(b"\x80\x04" + secret.encode())
    left.files("server", tmp_path)

    assert "password in server: state.pckl" in leaks(canaries, left)


def test_a_database_and_what_is_only_in_its_wal(tmp_path: Path) -> None:
    canaries, left = Canaries(), Collected()
    secret = canaries.plant("password")
    with closing(sqlite3.connect(tmp_path / "t.db")) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE notes (id, note)")
        connection.execute("INSERT INTO notes VALUES (1, ?)", (zlib.compress(os.urandom(9000) + secret.encode()),))
        connection.execute("INSERT INTO notes VALUES (2, ?)", (secret,))
        connection.commit()
        connection.execute("DELETE FROM notes WHERE id = 2")
        connection.commit()
        left.database(tmp_path / "t.db")

    found = leaks(canaries, left)
    assert "password in database: t.db-wal (as it is)" in found
    assert "password in database, decompressed" in found, "no page holds the whole of this value"


# Channels: a tool that leaks on purpose


CHANNELS = {
    "event": "events", "log": "log", "log record": "log", "log error": "log", "error": "errors", "result": "answer",
    "reversed result": "answer", "half of a result": "answer",
}  # fmt: skip


@pytest.mark.usefixtures("unscrubbed")
@pytest.mark.parametrize("way", CHANNELS)
def test_a_tool_that_leaks_is_caught(way: str, planted: Canaries, tmp_path: Path) -> None:
    found = wait(leaking(way, planted, tmp_path / "t.db"))

    assert f"VAULT_PASSWORD in {CHANNELS[way]}" in found
    assert "VAULT_USERNAME" not in found
    if way == "result":
        assert all(f"VAULT_PASSWORD in {channel}" in found for channel in ("answer", "state", "database"))


async def leaking(way: str, planted: Canaries, database: Path) -> str:
    """What is found where the vault's tool leaks that way."""
    with collecting() as left:
        async with open_storage(str(database)) as storage:
            graph = vault_graph().compile(checkpointer=storage.checkpointer, store=storage.store)
            await left.run(graph, f"leak:{way.replace(' ', '_')}", thread_id="t")
            left.database(database)
    return leaks(planted, left)


@pytest.mark.usefixtures("unscrubbed")
def test_a_leak_that_only_tracing_sees_is_caught(planted: Canaries) -> None:
    left = Collected()
    with traced(left, "key"):
        wait(vault_graph().compile().ainvoke({"messages": [("user", "leak:result")]}))

    assert "VAULT_PASSWORD in traces" in leaks(planted, left)


def test_a_leak_into_the_store_is_caught(planted: Canaries, tmp_path: Path) -> None:
    async def kept(left: Collected) -> None:
        async with open_storage(str(tmp_path / "t.db")) as storage:
            await storage.store.aput(("of", "a", "tool"), "login", {"with": os.environ["VAULT_PASSWORD"]})
            await left.thread(vault_graph().compile(store=storage.store), "t")

    left = Collected()
    wait(kept(left))
    assert "VAULT_PASSWORD in store" in leaks(planted, left)


def test_a_leak_to_the_terminal_is_caught(planted: Canaries, capfd: pytest.CaptureFixture[str]) -> None:
    left = Collected()
    wait(vault_graph().compile().ainvoke({"messages": [("user", "leak:stdout")]}))
    left.add("terminal", list(capfd.readouterr()))

    assert "VAULT_PASSWORD in terminal" in leaks(planted, left)


def test_a_leaking_tool_needs_the_secret_to_leak_it() -> None:
    """The proof's own proof: without a login nothing is found."""
    canaries, left = Canaries(), Collected()
    canaries.plant("VAULT_PASSWORD")
    system = PropertySystem(EnvironmentSecrets({"VAULT_USERNAME": "somebody", "VAULT_PASSWORD": "something"}))
    wait(left.run(vault_graph(system=system).compile(), "leak:result look:tea", thread_id="t"))

    assert len(system.logins) == 2
    assert leaks(canaries, left) == ""
