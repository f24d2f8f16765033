"""What is too long for an agent is refused at the server's door: it is neither masked nor handed on."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from tables import table
from ways_of_saying import WAYS_OF_SAYING, history, rpc_body, said

from wavegraph.app import server
from wavegraph.app.server import MaskCards
from wavegraph.app.serving.hosts import Origins
from wavegraph.graph.guard.cards import mask_json
from wavegraph.graph.state import MOST_MESSAGE_CHARS, MOST_MESSAGES

FULL = "x" * MOST_MESSAGE_CHARS
LONG = FULL + "x"
CARD = "4111 1111 1111 1111"


@dataclass
class Reply:
    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""
    raw: bytes | None = None
    """What the app was given; None = it was not reached."""

    @property
    def got(self) -> Any:
        return None if self.raw is None else json.loads(self.raw)

    @property
    def detail(self) -> str:
        return str(json.loads(self.body)["detail"])


@pytest.fixture
def masked(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What was looked through for card numbers."""
    seen: list[Any] = []

    def noted(value: Any) -> Any:
        seen.append(value)
        return mask_json(value)

    monkeypatch.setattr(server, "mask_json", noted)
    return seen


def post(body: Any, headers: Sequence[tuple[str, str]] = (), origins: Origins | None = None) -> Reply:
    reply, raw = Reply(), body if isinstance(body, bytes) else json.dumps(body).encode()
    scope = {
        "type": "http",
        "method": "POST",
        "path": "/runs/wait",
        "headers": [(a.encode(), b.encode()) for a, b in headers],
    }
    left: list[Any] = [{"type": "http.request", "body": raw, "more_body": False}]

    async def app(scope: Any, receive: Any, send: Any) -> None:
        reply.raw = (await receive())["body"]
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def receive() -> Any:
        return left.pop()

    async def send(message: Any) -> None:
        if message["type"] == "http.response.start":
            reply.status = message["status"]
            reply.headers = {name.decode(): value.decode() for name, value in message["headers"]}
        else:
            reply.body += message["body"]

    asyncio.run(MaskCards(app, **({"origins": origins} if origins else {}))(scope, receive, send))
    return reply


@pytest.mark.parametrize("way", WAYS_OF_SAYING)
def test_a_text_of_one_character_too_many_is_refused_unread(way: str, masked: list[Any]) -> None:
    reply = post(WAYS_OF_SAYING[way](LONG))

    assert (reply.status, reply.got, masked) == (413, None, [])
    assert reply.detail == (
        "a text has 20001 characters, and at most 20000 are read (max_message_chars): send a shorter one"
    )


@pytest.mark.parametrize("way", WAYS_OF_SAYING)
def test_the_longest_that_is_read_passes(way: str, masked: list[Any]) -> None:
    given = WAYS_OF_SAYING[way](FULL)
    reply = post(given)

    assert (reply.status, reply.got, masked) == (200, given, [given])


def test_the_whole_conversation_may_be_sent_each_time(masked: list[Any]) -> None:
    passed = post({"input": {"messages": history(MOST_MESSAGES)}})
    refused = post({"input": {"messages": history(MOST_MESSAGES + 1)}})

    assert (passed.status, refused.status, refused.got, len(masked)) == (200, 413, None, 1)
    assert refused.detail == "501 messages came at once, and at most 500 are taken: send the latest of them"


def test_a_batch_is_of_ten_runs_at_most(masked: list[Any]) -> None:
    assert post([said("hm?")] * 10).status == 200

    refused = post([said("hm?")] * 11)
    assert (refused.status, refused.got, len(masked)) == (413, None, 1)
    assert refused.detail == "11 runs came at once, and at most 10 are taken: send them one after another"


DOCUMENTS: dict[str, Mapping[str, Any]] = {
    "the store": {"namespace": ["house"], "key": "faq", "value": {"text": LONG}},
    "metadata": {"metadata": {"note": LONG}},
}


@pytest.mark.parametrize("kind", DOCUMENTS)
def test_what_is_for_no_agent_may_be_longer(kind: str) -> None:
    assert post(DOCUMENTS[kind]).got == DOCUMENTS[kind]


def test_what_passes_is_masked(masked: list[Any]) -> None:
    assert CARD not in str(post(said(f"{CARD} {'x' * 19_000}")).got)


@table("body", [b"{broken", b"", b'"text"', b"17", b"[]"])
def test_what_is_no_input_is_left_to_the_server(body: bytes) -> None:
    assert post(body).raw == body


def test_one_that_is_nested_too_deeply_is_refused() -> None:
    for body in (b"[" * 200_000, b'{"input":' * 5000 + b"1" + b"}" * 5000):
        assert (post(body).status, post(body).detail) == (400, "the body is nested too deeply")


def test_a_page_that_may_call_reads_why(masked: list[Any]) -> None:
    own, other = "https://hotel.example.com", "https://evil.example"
    origins = Origins(frozenset({own}))
    found = {origin: post(said(LONG), [("origin", origin)], origins).headers for origin in (own, other)}

    assert found[own]["access-control-allow-origin"] == own
    assert "access-control-allow-origin" not in found[other]


def test_a_websocket_is_closed_on_it(masked: list[Any]) -> None:
    texts = [json.dumps(rpc_body("run.start", said(text))) for text in ("hm?", LONG, "hm?")]
    script: list[Any] = [
        *({"type": "websocket.receive", "text": each} for each in texts),
        {"type": "websocket.disconnect"},
    ]
    got: list[Any] = []
    sent: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        while (message := await receive())["type"] == "websocket.receive":
            got.append(message["text"])
        got.append(message["type"])

    async def receive() -> Any:
        return script.pop(0)

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(MaskCards(app)({"type": "websocket", "path": "/x", "headers": []}, receive, send))
    assert got == [texts[0], "websocket.disconnect"]
    assert (len(masked), sent[0]["code"], "20001 characters" in sent[0]["reason"]) == (1, 1009, True)
