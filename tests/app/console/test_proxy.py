"""The console over a server elsewhere: what is passed to it, and what is not."""

import json
from collections.abc import AsyncIterator, Iterator
from threading import Thread
from time import monotonic, sleep

import pytest
import uvicorn
from patience import HANGS_S
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from wavegraph.app.console.proxy import proxy_to
from wavegraph.graph.errors import SettingsError


async def echo(request: Request) -> Response:
    body = (await request.body()).decode()
    told = {
        "path": request.scope["raw_path"].decode(),
        "query": request.url.query,
        "body": body,
        "headers": dict(request.headers),
    }
    return JSONResponse(told, status_code=207, headers={"x-own": "kept", "set-cookie": "session=of-the-first; Path=/"})


async def events(request: Request) -> Response:
    async def parts() -> AsyncIterator[bytes]:
        yield b"event: one\n\n"
        yield b"event: two\n\n"

    return StreamingResponse(parts(), media_type="text/event-stream")


@pytest.fixture(scope="module")
def there() -> Iterator[str]:
    app = Starlette(routes=[Route("/events", events), Route("/{rest:path}", echo, methods=["GET", "POST", "DELETE"])])
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=0, log_level="error", ws="none"))
    thread = Thread(target=server.run)
    thread.start()
    until = monotonic() + HANGS_S
    while not server.started and monotonic() < until:
        sleep(0.01)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = True
    thread.join()


@pytest.fixture
def here(there: str) -> Iterator[TestClient]:
    with TestClient(proxy_to(there), base_url="http://127.0.0.1:2024") as client:
        yield client


def test_a_call_is_passed_with_its_token_and_without_what_tells_of_this_page(here: TestClient, there: str) -> None:
    headers = {
        "authorization": "Bearer t",
        "origin": "http://127.0.0.1:2024",
        "cookie": "c=1",
        "sec-fetch-site": "same-origin",
    }
    reply = here.post("/threads/search?a=%20b", json={"limit": 1}, headers=headers)
    told = reply.json()

    assert (reply.status_code, reply.headers["x-own"]) == (207, "kept")
    assert (told["path"], told["query"], json.loads(told["body"])) == ("/threads/search", "a=%20b", {"limit": 1})
    assert told["headers"]["authorization"] == "Bearer t"
    assert told["headers"]["host"] == there.removeprefix("http://")
    assert not {"origin", "cookie", "sec-fetch-site"} & told["headers"].keys()


@pytest.mark.parametrize(
    "path", ["//evil.example/x", "/threads/a%2Fb", "/threads/a%3Fb", "/threads/a%23b", "/threads/%2e%2e/store"]
)
def test_an_address_is_passed_as_it_is_written(here: TestClient, path: str) -> None:
    told = here.get(f"http://127.0.0.1:2024{path}?a=1").json()

    assert (told["path"], told["query"]) == (path, "a=1")


def test_cookies_are_kept_neither_here_nor_in_the_browser(here: TestClient) -> None:
    first, second = here.get("/threads"), here.get("/threads")

    assert "set-cookie" not in first.headers
    assert "cookie" not in second.json()["headers"]


def test_headers_of_one_connection_go_no_further(here: TestClient) -> None:
    headers = {"connection": "close, X-Of-The-Hop", "x-of-the-hop": "1", "proxy-authorization": "Basic c2VjcmV0"}
    told = here.get("/threads", headers=headers).json()["headers"]

    assert not {"x-of-the-hop", "proxy-authorization"} & told.keys()


def test_a_stream_is_passed_as_it_is(here: TestClient) -> None:
    reply = here.get("/events")

    assert reply.headers["content-type"].startswith("text/event-stream")
    assert reply.text == "event: one\n\nevent: two\n\n"


def test_the_page_is_served_here(here: TestClient) -> None:
    assert here.get("/console/").status_code in (200, 503)


@pytest.mark.parametrize(
    ("headers", "status"),
    [({"origin": "https://evil.example"}, 403), ({"host": "evil.example"}, 421)],
    ids=["page of another site", "name of another host"],
)
def test_pages_of_other_sites_cannot_call_through_it(here: TestClient, headers: dict[str, str], status: int) -> None:
    assert here.get("/threads", headers=headers).status_code == status


def test_a_server_that_cannot_be_reached_is_told() -> None:
    with TestClient(proxy_to("http://127.0.0.1:9"), base_url="http://127.0.0.1:2024") as client:
        reply = client.get("/threads")

    assert reply.status_code == 502
    assert "http://127.0.0.1:9 cannot be reached" in reply.json()["detail"]


def test_a_password_in_the_address_is_not_told() -> None:
    with TestClient(proxy_to("http://ann:secret@127.0.0.1:9"), base_url="http://127.0.0.1:2024") as client:
        assert "secret" not in client.get("/threads").text


@pytest.mark.parametrize("url", ["ftp://x", "127.0.0.1:2024", "http://", "nonsense"])
def test_an_address_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(SettingsError, match="expected the address of a LangGraph server"):
        proxy_to(url)
