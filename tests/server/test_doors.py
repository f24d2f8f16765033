"""The server as `make serve` starts it: a page on the web cannot reach it, a program on this machine can."""

import argparse
import json
import re
import shlex
import socket
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from langgraph_sdk.client import SyncLangGraphClient
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route
from websockets.exceptions import ConnectionClosedError, InvalidStatus
from websockets.sync.client import connect

from wavegraph.app.server import app
from wavegraph.graph.guard.cards import MARK

JSON = {"Content-Type": "application/json"}
STUDIO = {"Origin": "https://smith.langchain.com", "Sec-Fetch-Site": "cross-site"}
ELSEWHERE = {"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"}
BREAKFAST = json.dumps(
    {"assistant_id": "hotel", "input": {"messages": [{"role": "user", "content": "What time is breakfast?"}]}}
)


SECURITY = Path(__file__).parents[2] / "docs" / "running" / "security.md"
SHOWN = re.findall(r"\$ (curl .*)\n *(\{.*\})\n", SECURITY.read_text(encoding="utf-8"))


@pytest.mark.parametrize(("command", "printed"), SHOWN)
def test_the_refusals_that_the_docs_show(url: str, command: str, printed: str) -> None:
    options = argparse.ArgumentParser()
    options.add_argument("-s", action="store_true")
    options.add_argument("-X", default="POST")
    options.add_argument("-H", action="append")
    options.add_argument("-d", default="")
    options.add_argument("address")
    given = options.parse_args(shlex.split(command)[1:])
    address = given.address.replace("http://127.0.0.1:2024", url)
    refused = httpx.request(given.X, address, headers=dict(each.split(": ") for each in given.H), content=given.d)

    assert refused.text == printed


def test_three_refusals_are_shown() -> None:
    assert len(SHOWN) == 3


def connected(url: str) -> socket.socket:
    return socket.create_connection((urlsplit(url).hostname, urlsplit(url).port), timeout=60)


def detail(response: httpx.Response) -> str:
    assert response.headers["content-type"] == "application/json"
    return str(response.json()["detail"])


WAYS_IN = ("/threads/search", "/runs/wait", "/mcp", "/a2a/x", "/threads/x/commands", "/threads/x/stream/events",
           "/threads/x/feedback", "/store/items/search", "/internal/truncate")  # fmt: skip


@pytest.mark.parametrize("path", WAYS_IN)
def test_a_name_that_was_led_here_is_not_answered(url: str, path: str) -> None:
    refused = httpx.post(url + path, headers={**JSON, "Host": "evil.example:2024"}, content=b"{}")

    assert (refused.status_code, "'evil.example'" in detail(refused)) == (421, True)


@pytest.mark.parametrize("path", ["/docs", "/info", "/threads/x", "/threads/x/stream", "/threads/x/runs/y/join"])
def test_nor_is_it_let_read(url: str, path: str) -> None:
    assert httpx.get(url + path, headers={"Host": "evil.example:2024"}).status_code == 421


@pytest.mark.parametrize("path", WAYS_IN)
def test_what_a_page_may_send_anywhere_is_not_taken(url: str, path: str) -> None:
    assert httpx.post(url + path, headers={"Content-Type": "text/plain"}, content=b"{}").status_code == 415
    assert httpx.post(url + path, headers=ELSEWHERE).status_code == 403


def test_a_page_cannot_run_the_agent(url: str, client: SyncLangGraphClient) -> None:
    """`text/plain` is what a page may send without asking."""
    before = client.threads.count()
    for headers in (
        {"Content-Type": "text/plain"},
        {"Content-Type": "text/plain", **ELSEWHERE},
        {**JSON, **ELSEWHERE},
        {},
    ):
        for path in ("/runs/wait", "/threads"):
            refused = httpx.post(url + path, content=BREAKFAST, headers=headers)
            assert (refused.status_code, detail(refused)) == (
                (403, detail(refused)) if "Origin" in headers else (415, detail(refused))
            )

    assert client.threads.count() == before


def test_a_page_cannot_cancel_copy_or_empty_anything(url: str, client: SyncLangGraphClient) -> None:
    """None of these has a body."""
    thread = client.threads.create()["thread_id"]
    for method, path in (
        ("POST", f"/threads/{thread}/copy"),
        ("DELETE", f"/threads/{thread}"),
        ("POST", "/internal/truncate"),
    ):
        assert httpx.request(method, url + path, headers=ELSEWHERE).status_code == 403

    assert client.threads.get(thread)["thread_id"] == thread


def test_studio_reads_the_reply(url: str) -> None:
    for headers, status in (({**JSON, **STUDIO}, 200), (STUDIO, 415)):
        answered = httpx.post(f"{url}/threads/search", content=b"{}", headers=headers)

        assert answered.status_code == status
        assert answered.headers["access-control-allow-origin"] == STUDIO["Origin"]


def test_a_program_runs_the_agent(url: str) -> None:
    answered = httpx.post(f"{url}/runs/wait", content=BREAKFAST, headers=JSON, timeout=60)

    assert (answered.status_code, "07:00" in answered.json()["answer"]) == (200, True)


def test_a_body_over_the_limit_is_refused_and_the_connection_lives_on(url: str) -> None:
    def parts() -> Any:
        yield b'{"metadata": {"long": "'
        yield from [b"x" * 1_000_000] * 11
        yield b'"}}'

    with httpx.Client(timeout=60) as client:
        for content in (parts(), b"".join(parts())):
            refused = client.post(f"{url}/threads", content=content, headers=JSON)
            assert (refused.status_code, "10000000 bytes" in detail(refused)) == (413, True)
        assert client.post(f"{url}/threads", json={}).status_code == 200


@pytest.mark.parametrize("path", ["/docs", "/openapi.json", "/metrics"])
def test_the_developer_s_pages_are_for_this_machine(url: str, path: str) -> None:
    assert httpx.get(url + path, timeout=60).status_code == 200
    assert httpx.get(url + path, headers={"X-Forwarded-For": "203.0.113.5"}).status_code == 403


@pytest.mark.parametrize(
    ("host", "headers", "status"),
    [("evil.example", {}, 421), ("localhost", ELSEWHERE, 403), ("127.0.0.1", {"Origin": "null"}, 403)],
)
def test_a_page_s_websocket_is_not_opened(
    url: str, client: SyncLangGraphClient, host: str, headers: dict[str, str], status: int
) -> None:
    thread = client.threads.create()["thread_id"]
    address = f"ws://{host}/threads/{thread}/stream/events"
    with connected(url) as raw, pytest.raises(InvalidStatus) as refused:
        connect(address, sock=raw, additional_headers=headers)

    assert refused.value.response.status_code == status


def test_a_websocket_s_message_over_the_limit_closes_it(url: str, client: SyncLangGraphClient) -> None:
    thread = client.threads.create()["thread_id"]
    with connect(f"{url.replace('http', 'ws')}/threads/{thread}/stream/events", max_size=None) as opened:
        opened.send("x" * 10_000_001)
        with pytest.raises(ConnectionClosedError, match="1009"):
            list(opened)


@pytest.mark.parametrize(
    ("request_line", "headers", "status"),
    [
        ("GET /threads/x HTTP/1.1", "", b"400"),
        ("GET /threads/x HTTP/1.1", "Host: localhost\r\nHost: localhost\r\n", b"400"),
        ("GET http://localhost/threads/x HTTP/1.1", "Host: evil.example\r\n", b"421"),
        ("GET /threads/x HTTP/1.0", "", b"400"),
        ("GET /noauth/threads/x HTTP/1.1", "Host: evil.example\r\n", b"421"),
        ("GET /%6fk HTTP/1.1", "Host: 10.1.2.3\r\n", b"200"),
        ("GET /ui/hotel/entry.js HTTP/1.1", "Host: localhost\r\n", b"404"),
        ("GET /info HTTP/1.1", "Host: localhost\r\nAuthorization: Bearer x\r\nAuthorization: Bearer y\r\n", b"400"),
    ],
)
def test_requests_that_no_client_writes(url: str, request_line: str, headers: str, status: bytes) -> None:
    with connected(url) as raw:
        raw.sendall(f"{request_line}\r\n{headers}Connection: close\r\n\r\n".encode())
        assert raw.makefile("rb").readline().split()[1] == status


MARKUP = "<script>alert(4711)</script>"


@pytest.mark.parametrize(
    ("method", "path", "headers", "body"),
    [
        ("GET", f"/{MARKUP}", {}, ""),
        ("GET", f"/threads/{MARKUP}?x={MARKUP}", {}, ""),
        ("GET", "/threads/search", {"Host": MARKUP}, ""),
        ("POST", "/threads/search", {"Origin": MARKUP, **JSON}, "{}"),
        ("POST", "/threads/search", {"Content-Type": MARKUP}, "{}"),
        ("POST", "/threads/search", {"Content-Type": "text/html"}, MARKUP),
        ("POST", "/threads/search", JSON, MARKUP),
        ("POST", "/threads/search", JSON, json.dumps({"status": MARKUP})),
        ("POST", "/runs/wait", JSON, json.dumps({"assistant_id": MARKUP})),
        ("POST", "/threads/x/feedback", JSON, json.dumps({"verdict": MARKUP})),
        ("OPTIONS", "/threads", {"Origin": MARKUP, "Access-Control-Request-Method": MARKUP}, ""),
    ],
)
def test_what_is_refused_is_never_a_page(url: str, method: str, path: str, headers: dict[str, str], body: str) -> None:
    refused = httpx.request(method, url + path, headers={"X-Api-Key": "key-4711", **headers}, content=body)

    assert 400 <= refused.status_code < 500
    assert refused.headers["content-type"].partition(";")[0] in ("application/json", "text/plain")
    assert "key-4711" not in refused.text
    assert "json" in refused.headers["content-type"] or MARKUP not in refused.text


async def test_an_application_of_one_s_own_keeps_the_checks_and_the_mask() -> None:
    async def echo(request: Request) -> JSONResponse:
        return JSONResponse(await request.json())

    own = Starlette(routes=[*app.routes, Route("/echo", echo, methods=["POST"])], middleware=app.user_middleware)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(own), base_url="http://localhost") as client:
        assert (await client.post("/echo", json=["4111 1111 1111 1111"])).json() == [MARK]
        assert (await client.post("/echo", json=[], headers={"Host": "evil.example"})).status_code == 421
