"""Plant secrets, collect what a run leaves behind, and find none of them in it.

    canaries = Canaries()
    monkeypatch.setenv("PMS_PASSWORD", canaries.plant("PMS_PASSWORD"))
    with collecting() as left:
        asyncio.run(left.run(graph, "a room for tonight", thread_id="t"))
    left.database(path)
    assert_no_leak(canaries, left, channels=["answer", "events", "state", "log"])

A canary is a secret that nothing else can look like: wherever a piece of it turns up, it leaked. docs/running/security.md tells
what is collected by itself, and what a test has to add.
"""

import asyncio
import base64
import html
import json
import logging
import re
import secrets as random_secrets
import sqlite3
import string
import threading
import traceback
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field, fields, is_dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Self
from urllib.parse import quote, quote_plus

from pydantic import BaseModel

from wavegraph.app.run import runner
from wavegraph.app.run.result import Result
from wavegraph.tools.postgres.databases import is_postgres

__all__ = ["Canaries", "Collected", "Leaked", "Loopback", "assert_no_leak", "collecting"]

SHORTEST = 8
"""Characters of a secret that is not taken for an ordinary word."""
SHORTEST_HALVED = 16
"""From here on a half is looked for too."""
PLANTED = 32
"""Characters of a planted secret; any eight of them in a row, from every eighth on, are looked for too."""
LARGEST_OPENED = 50_000_000
"""Bytes of a compressed value that are looked at."""


class Leaked(AssertionError):
    """Tells which secrets were found where, and in which form; never a secret, nor a part of one."""


class Canaries:
    """Secrets by kind; `kind` is what a report calls them."""

    def __init__(self) -> None:
        self._secrets: dict[str, str] = {}

    def plant(self, kind: str, *, specials: str = "") -> str:
        """A new secret of letters and digits, with `specials` among them: characters that encodings change."""
        signs = [random_secrets.choice(string.ascii_letters + string.digits) for _ in range(PLANTED - len(specials))]
        for sign in specials:
            signs.insert(1 + random_secrets.randbelow(len(signs)), sign)
        return self.watch(kind, "".join(signs))

    def watch(self, kind: str, secret: str) -> str:
        """Look for a secret that exists already. Raises ValueError for one so short that chance would find it."""
        if len(secret) < SHORTEST:
            raise ValueError(
                f"the secret {kind!r} has {len(secret)} characters; under {SHORTEST}, chance would find it"
            )
        self._secrets[kind] = secret
        return secret

    def forms(self) -> Iterator[tuple[str, str, bytes]]:
        """`(kind, form, bytes)` of everything that is looked for; in lower case, as the search is."""
        for kind, secret in self._secrets.items():
            for form, found in _forms(secret):
                yield kind, form, found.lower()

    def __len__(self) -> int:
        return len(self._secrets)

    def __repr__(self) -> str:
        return f"Canaries({', '.join(self._secrets)})"


@dataclass
class Collected:
    """What runs left behind, by channel: `answer`, `events`, `state`, … and what a test adds under a name of its own."""

    _pieces: dict[tuple[str, bytes], str] = field(default_factory=dict, repr=False)
    """By channel and content: where it was first seen, as a path that begins with the channel."""
    _lock: threading.RLock = field(default_factory=threading.RLock, repr=False)

    def add(self, channel: str, value: Any) -> None:
        """Take all texts and bytes in `value`: records at any depth, messages, models, exceptions with their traceback."""
        for where, piece in _pieces(channel, value, set()):
            self._take(channel, where, piece)

    def files(self, channel: str, *paths: Path) -> None:
        """Take all bytes of files, and of all files in folders."""
        for path in paths:
            for each in sorted(path.rglob("*")) if path.is_dir() else [path]:
                if each.is_file():
                    self._take(channel, f"{channel}: {each.name}", each.read_bytes())

    def database(self, database: str | Path) -> None:
        """Take a database that conversations are kept in: every value of every table, compressed ones opened, and of an
        SQLite file its bytes and those of the files beside it (-wal, -shm, -journal).
        """
        if is_postgres(str(database)):
            return self._rows(_postgres_rows(str(database)))
        path = Path(database)
        self.files("database", *sorted(path.parent.glob(f"{path.name}*")))
        with closing(sqlite3.connect(path)) as connection:
            names = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            self._rows((name, row) for name in names for row in connection.execute(f'SELECT * FROM "{name}"'))

    async def thread(self, graph: Any, thread_id: str) -> None:
        """Take what a compiled graph keeps of a thread: state, its history, pending writes; and all rows of its store."""
        config: Any = {"configurable": {"thread_id": thread_id}}
        if graph.checkpointer:
            self.add("state", await graph.aget_state(config))
            self.add("state", [snapshot async for snapshot in graph.aget_state_history(config)])
            self.add("state", [saved async for saved in graph.checkpointer.alist(config)])
        if graph.store:
            for namespace in await graph.store.alist_namespaces(limit=10_000):
                self.add("store", [item.dict() for item in await graph.store.asearch(namespace, limit=10_000)])

    async def run(self, graph: Any, request: str, *, thread_id: str, **options: Any) -> Result | None:
        """`wavegraph.run`, with its answer, events and thread collected; None where it raised (`errors`)."""
        return await self._watched(graph, thread_id, runner.run(graph, request, **self._with(options, thread_id)))

    async def resume(self, graph: Any, thread_id: str, **options: Any) -> Result | None:
        """`wavegraph.resume`, collected as `run` is."""
        return await self._watched(graph, thread_id, runner.resume(graph, **self._with(options, thread_id)))

    def _with(self, options: dict[str, Any], thread_id: str) -> dict[str, Any]:
        return {**options, "thread_id": thread_id, "on_event": lambda event: self.add("events", event)}

    async def _watched(self, graph: Any, thread_id: str, work: Any) -> Result | None:
        ended: Any = (await asyncio.gather(work, return_exceptions=True))[0]
        self.add("errors" if isinstance(ended, BaseException) else "answer", ended)
        await self.thread(graph, thread_id)
        return ended if isinstance(ended, Result) else None

    def _rows(self, rows: Iterable[tuple[str, Sequence[Any]]]) -> None:
        for table, row in rows:
            for number, cell in enumerate(row):
                self.add("database", cell if isinstance(cell, bytes) else {f"{table}.{number}": cell})

    def _take(self, channel: str, where: str, piece: bytes) -> None:
        with self._lock:
            is_new = piece and (channel, piece) not in self._pieces
            if is_new:
                self._pieces[channel, piece] = where
        if is_new:
            for opened in _opened(piece):
                self._take(channel, f"{where}, decompressed", opened)

    def pieces(self) -> Mapping[tuple[str, bytes], str]:
        with self._lock:
            return dict(self._pieces)

    def missing(self, channels: Iterable[str]) -> list[str]:
        """Those of `channels` that nothing came in."""
        return sorted(set(channels) - {channel for channel, _ in self.pieces()})


def assert_no_leak(canaries: Canaries, collected: Collected, *, channels: Iterable[str] = ()) -> None:
    """Raises Leaked with every place that holds a secret, a half of one, or one in another form: JSON, URL, HTML, base64,
    hexadecimal, UTF-16, reversed, compressed; in upper or lower case.

    `channels`: those that must have been collected. Raises ValueError where one is missing, or nothing was planted or
    collected: such a check could not fail.
    """
    __tracebackhide__ = True
    if not len(canaries) or not collected.pieces():
        raise ValueError("nothing was planted, or nothing collected: the check could not fail")
    if missing := collected.missing(channels):
        raise ValueError(f"nothing was collected of {', '.join(missing)}: the check could not fail there")
    if found := _found(canaries, collected.pieces()):
        raise Leaked("\n".join([f"{len(found)} leaks:", *found]))


def _found(canaries: Canaries, pieces: Mapping[tuple[str, bytes], str]) -> list[str]:
    forms = list(canaries.forms())
    lines: dict[str, str] = {}
    for (_, piece), where in pieces.items():
        lower = piece.lower()
        for kind, form, wanted in forms:
            if wanted in lower:
                lines.setdefault(f"- {kind} in {_safe(where, forms)}", form)
    return [f"{line} ({form})" for line, form in lines.items()]


def _safe(where: str, forms: Sequence[tuple[str, str, bytes]]) -> str:
    """A path may itself hold the secret: as a key, as a file's name."""
    raw = where.lower().encode(errors="replace")
    return re.split(r"[.\[:]", where)[0] if any(wanted in raw for _, _, wanted in forms) else where


def _forms(secret: str) -> Iterator[tuple[str, bytes]]:
    yield from _encodings(secret, "")
    if len(secret) >= SHORTEST_HALVED:
        half = len(secret) // 2
        yield from _encodings(secret[:half], "first half")
        yield from _encodings(secret[half:], "second half")
    if len(secret) >= PLANTED:
        quarter = len(secret) // 4
        for start in range(0, len(secret) - quarter + 1, quarter):
            yield "a part", secret[start : start + quarter].encode()


def _encodings(text: str, part: str) -> Iterator[tuple[str, bytes]]:
    raw = text.encode(errors="surrogatepass")
    plain = {
        "as it is": text,
        "as JSON": json.dumps(text)[1:-1],
        "as JSON with its letters": json.dumps(text, ensure_ascii=False)[1:-1],
        "as Python": repr(text)[1:-1],
        "URL-encoded": quote(text, safe=""),
        "URL-encoded as a path": quote(text),
        "URL-encoded as a form": quote_plus(text),
        "HTML-escaped": html.escape(text),
        "reversed": text[::-1],
    }
    for form, spelled in plain.items():
        yield _named(part, form), spelled.encode(errors="surrogatepass")
    yield _named(part, "hexadecimal"), raw.hex().encode()
    yield _named(part, "UTF-16"), text.encode("utf-16-le", errors="surrogatepass")
    for spelled_64 in _in_base64(raw):
        yield _named(part, "base64"), spelled_64


def _named(part: str, form: str) -> str:
    return f"{part}, {form}" if part else form


def _in_base64(raw: bytes) -> Iterator[bytes]:
    """What the base64 of any text around `raw` has of it alone: three alignments, two alphabets."""
    for before in range(3):
        first, last = -(-before * 8 // 6), (before + len(raw)) * 8 // 6
        spelled = base64.b64encode(bytes(before) + raw)[first:last]
        yield spelled
        yield spelled.translate(bytes.maketrans(b"+/", b"-_"))


def _pieces(where: str, value: Any, above: set[int]) -> Iterator[tuple[str, bytes]]:
    if isinstance(value, bytes | bytearray | memoryview):
        yield where, bytes(value)
    elif isinstance(value, str):
        yield where, value.encode(errors="surrogatepass")
    elif value is None or isinstance(value, bool | int | float):
        yield where, str(value).encode()
    elif id(value) not in above:
        for name, inner in _parts(value):
            yield from _pieces(f"{where}{name}", inner, above | {id(value)})


def _parts(value: Any) -> Iterator[tuple[str, Any]]:
    match value:
        case Mapping():
            for key, inner in value.items():
                yield f".{key}", inner
                yield " (a key)", key
        case BaseException():
            yield " (traceback)", "".join(traceback.format_exception(value))
            yield ".args", value.args
            yield ".__dict__", value.__dict__
        case BaseModel():
            yield "", dict(value)
            yield ".extra", value.model_extra
            yield " (repr)", repr(value)
        case list() | tuple() | set() | frozenset():
            for number, inner in enumerate(value):
                yield f"[{number}]", inner
        case _ if is_dataclass(value) and not isinstance(value, type):
            for each in fields(value):
                yield f".{each.name}", getattr(value, each.name, None)
        case _:
            yield " (repr)", repr(value)
            yield " (str)", str(value)


_COMPRESSED = re.compile(rb"\x1f\x8b\x08|\x78[\x01\x5e\x9c\xda]|\x28\xb5\x2f\xfd")
"""How gzip, zlib and Zstandard begin."""


def _opened(piece: bytes) -> Iterator[bytes]:
    """What is compressed in `piece`, wherever it begins."""
    for start in _COMPRESSED.finditer(piece):
        with suppress(Exception):  # most of them only look like a beginning
            if content := _decompressed(piece[start.start() :]):
                yield content


def _decompressed(data: bytes) -> bytes:
    if data.startswith(b"\x28\xb5"):
        import zstandard  # comes with langsmith, which sends traces in it

        return zstandard.ZstdDecompressor().decompressobj().decompress(data)
    opener = zlib.decompressobj(zlib.MAX_WBITS | 32)  # zlib or gzip, as it says
    return opener.decompress(data, LARGEST_OPENED)


def _postgres_rows(database: str) -> Iterator[tuple[str, Sequence[Any]]]:
    import psycopg
    from psycopg import sql

    names = (
        "SELECT table_schema, table_name FROM information_schema.tables"
        " WHERE table_schema NOT IN ('pg_catalog', 'information_schema')"
    )
    with psycopg.connect(database) as connection:
        for schema, name in connection.execute(names).fetchall():
            query = sql.SQL("SELECT * FROM {}").format(sql.Identifier(schema, name))
            for row in connection.execute(query).fetchall():
                yield name, row


class _Listener(logging.Handler):
    def __init__(self, collected: Collected) -> None:
        super().__init__(logging.DEBUG)
        self._collected = collected

    def emit(self, record: logging.LogRecord) -> None:
        details = {name: value for name, value in vars(record).items() if name not in ("exc_info", "msg", "args")}
        error = record.exc_info[1] if record.exc_info else None
        parts = [self.format(record), str(record.msg), repr(record.args), details, error]
        self._collected.add("log", {record.name: parts})


@contextmanager
def collecting() -> Iterator[Collected]:
    """A `Collected` that hears every logger at DEBUG, for the time of the `with`."""
    collected = Collected()
    root, own = logging.getLogger(), logging.getLogger("wavegraph")
    before = root.level, own.level
    listener = _Listener(collected)
    root.addHandler(listener)
    root.setLevel(logging.DEBUG)
    own.setLevel(logging.DEBUG)
    try:
        yield collected
    finally:
        root.removeHandler(listener)
        root.setLevel(before[0])
        own.setLevel(before[1])


class Loopback:
    """An HTTP server on this machine that keeps what it is sent, for the time of a `with`: where traces go.

    It answers every request with `reply` as JSON. `channel`: what paths and bodies are collected as; `only`: of paths
    that begin so. Of the headers none is collected: there a key belongs.
    """

    def __init__(
        self, collected: Collected, channel: str, reply: Mapping[str, Any] | None = None, *, only: str = "/"
    ) -> None:
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.taken = lambda path, body: collected.add(channel, [path, body] if path.startswith(only) else [])
        self._server.reply = json.dumps(reply or {}).encode()
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> Self:
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(5)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    taken: Any
    reply: bytes


class _Handler(BaseHTTPRequestHandler):
    server: _Server

    def do_POST(self) -> None:
        self.server.taken(self.path, self.rfile.read(int(self.headers.get("Content-Length") or 0)))
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(self.server.reply)))
        self.end_headers()
        self.wfile.write(self.server.reply)

    do_GET = do_PATCH = do_PUT = do_POST

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""
