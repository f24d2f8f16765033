"""Which errors say that a connection was lost, and whether the call was sent before: libraries as they are, and as they
wrap one another."""

import asyncio
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import anyio
import httpx
import pytest
from patience import HANGS_S

from wavegraph.graph.errors import ConnectionLost, ToolRefusal
from wavegraph.graph.execution.tool_call import Fate, fate_of


def caused(error: BaseException, *causes: BaseException) -> BaseException:
    """`error` raised from the first of these, that from the next."""
    for outer, inner in zip((error, *causes), causes, strict=False):
        outer.__cause__ = inner
    return error


def during(error: BaseException, handled: BaseException, *, hidden: bool = False) -> BaseException:
    """`error` raised while another was handled; `hidden`: `from None`."""
    error.__context__, error.__suppress_context__ = handled, hidden
    return error


def named(name: str, base: type[Exception] = Exception) -> Exception:
    """An error of a library that is not here."""
    return type(name, (base,), {})("x")


@dataclass(frozen=True)
class Case:
    id: str
    error: BaseException
    fate: Fate | None


CASES = [
    Case("reset", ConnectionResetError(), "unknown"),
    Case("a broken pipe", BrokenPipeError(), "unknown"),
    Case("any connection error", ConnectionError("gone"), "unknown"),
    Case("a time-out", TimeoutError(), "unknown"),
    Case("a socket's time-out", socket.timeout(), "unknown"),  # noqa: UP041
    Case("the end of a stream", EOFError(), "unknown"),
    Case("cancelled from within", asyncio.CancelledError(), "unknown"),
    Case("an adapter's", ConnectionLost("x"), "unknown"),
    Case("refused", ConnectionRefusedError(), "unsent"),
    Case("an unknown host", socket.gaierror(-2, "x"), "unsent"),
    Case("httpx, reading", httpx.ReadError("x"), "unknown"),
    Case("httpx, writing", httpx.WriteError("x"), "unknown"),
    Case("httpx, too slow", httpx.ReadTimeout("x"), "unknown"),
    Case("httpx, a server that hung up", httpx.RemoteProtocolError("x"), "unknown"),
    Case("httpx, connecting", httpx.ConnectError("x"), "unsent"),
    Case("httpx, connecting too slowly", httpx.ConnectTimeout("x"), "unsent"),
    Case("httpx, no connection free", httpx.PoolTimeout("x"), "unsent"),
    Case("httpx, a status", httpx.HTTPStatusError("x", request=httpx.Request("GET", "http://x"), response=httpx.Response(500)), None),
    Case("anyio, closed", anyio.ClosedResourceError(), "unknown"),
    Case("anyio, broken", anyio.BrokenResourceError(), "unknown"),
    Case("requests, reset", caused(named("ConnectionError", OSError), named("ProtocolError"), ConnectionResetError()), "unknown"),
    Case("requests, refused", caused(named("ConnectionError", OSError), named("MaxRetryError"), named("NewConnectionError"),
                                     ConnectionRefusedError()), "unsent"),
    Case("connecting too slowly, from a time-out", caused(httpx.ConnectTimeout("x"), named("ConnectTimeout"), TimeoutError()), "unsent"),
    Case("aiohttp, disconnected", named("ServerDisconnectedError"), "unknown"),
    Case("aiohttp, no connection", named("ClientConnectorError", OSError), "unsent"),
    Case("openai", named("APIConnectionError"), "unknown"),
    Case("a group of them", ExceptionGroup("x", [ValueError(), ExceptionGroup("y", [BrokenPipeError()])]), "unknown"),
    Case("what a tool made of it", caused(RuntimeError("booking failed"), httpx.ReadError("x")), "unknown"),
    Case("what a tool raised meanwhile", during(RuntimeError("booking failed"), ConnectionResetError()), "unknown"),
    Case("what a tool hides", during(RuntimeError("booking failed"), ConnectionResetError(), hidden=True), None),
    Case("sent, and then refused", during(httpx.ConnectError("x"), httpx.ReadError("x")), "unknown"),
    Case("an error of the tool's own", ValueError("x"), None),
    Case("a refusal", ToolRefusal("closed", "closed"), None),
    Case("a missing file", FileNotFoundError(), None),
    Case("its own cause", during(ValueError(), ValueError()), None),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_what_became_of_the_call(case: Case) -> None:
    assert fate_of(case.error) == case.fate


def test_a_circle_of_causes_ends() -> None:
    one, other = ValueError(), RuntimeError()
    one.__context__, other.__context__ = other, one

    assert fate_of(one) is None


@contextmanager
def listening(answer: Callable[[socket.socket], None]) -> Iterator[str]:
    """A server that does `answer` with its one connection."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            connection, _ = server.accept()
            with connection:
                connection.recv(1024)
                answer(connection)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}"
        thread.join(HANGS_S)


@pytest.mark.parametrize(
    "answer", [lambda _: None, lambda c: c.send(b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nha")]
)
def test_a_server_that_hangs_up_may_have_done_it(answer: Callable[[socket.socket], None]) -> None:
    with listening(answer) as url, pytest.raises(httpx.HTTPError) as lost:
        httpx.post(url)

    assert fate_of(lost.value) == "unknown"


def test_nothing_was_sent_where_nobody_listens() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        url = f"http://127.0.0.1:{server.getsockname()[1]}"
    with pytest.raises(httpx.HTTPError) as refused:
        httpx.post(url)

    assert fate_of(refused.value) == "unsent"
