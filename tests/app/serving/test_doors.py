"""A page on the web reaches nothing, nobody sends too much; what has business here passes as it came."""

import asyncio
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from tables import table

from wavegraph.app.serving.caller import Message, Receive, Scope, Send
from wavegraph.app.serving.doors import Doors
from wavegraph.app.serving.hosts import Hosts, Origins
from wavegraph.app.serving.rate import Rate
from wavegraph.app.serving.settings import DoorSettings

Headers = Sequence[tuple[str, str]]
STUDIO = "https://smith.langchain.com"
SETTINGS = DoorSettings(Hosts.listed("hotel.example.com"), Origins(frozenset({STUDIO})), max_body_bytes=100)
HOST: Headers = [("host", "localhost:2024")]
JSON: Headers = [*HOST, ("content-type", "application/json")]
SMALL = b'{"assistant_id": "hotel"}'


def ample() -> Rate:
    return Rate(1e9, 1e9)


@dataclass
class Reply:
    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""
    got: bytes | None = None
    """The body as the app has it; None where the app was not reached, or not to the end of the body."""
    sent: list[Message] = field(default_factory=list)

    @property
    def detail(self) -> str:
        assert self.headers["content-type"] == "application/json"
        return str(json.loads(self.body)["detail"])


def scope_of(method: str, path: str, headers: Headers, **more: Any) -> dict[str, Any]:
    raw = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers]
    return {
        "type": "http",
        "method": method,
        "path": path,
        "root_path": "",
        "headers": raw,
        "client": ("127.0.0.1", 5000),
        **more,
    }


def call(
    method: str = "POST",
    path: str = "/threads/search",
    headers: Headers = JSON,
    body: Iterable[bytes] = (SMALL,),
    settings: DoorSettings = SETTINGS,
    **scope: Any,
) -> Reply:
    return asyncio.run(_call(scope_of(method, path, headers, **scope), list(body), settings))


async def _call(scope: Scope, parts: list[bytes], settings: DoorSettings) -> Reply:
    reply = Reply()

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        body = b""
        while (message := await receive())["type"] == "http.request":
            body += message.get("body", b"")
            if not message.get("more_body"):
                reply.got = body
                break
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"done"})

    await Doors(app, settings, ample())(scope, receiving(messages_of(parts)), sending(reply))
    return reply


def messages_of(parts: list[bytes]) -> list[Message]:
    parts = parts or [b""]
    return [
        {"type": "http.request", "body": part, "more_body": place < len(parts)} for place, part in enumerate(parts, 1)
    ]


def receiving(messages: list[Message]) -> Receive:
    async def receive() -> Message:
        return messages.pop(0)

    return receive


def sending(reply: Reply) -> Send:
    async def send(message: Message) -> None:
        reply.sent.append(message)
        if message["type"].endswith("response.start"):
            reply.status = message["status"]
            reply.headers = {name.decode(): value.decode() for name, value in message["headers"]}
        else:
            reply.body += message.get("body", b"")

    return send


def test_a_program_on_this_machine_is_let_in() -> None:
    reply = call(body=[SMALL[:5], SMALL[5:]])

    assert (reply.status, reply.body, reply.got) == (200, b"done", SMALL)


@table("path", ["/threads/search", "/runs/wait", "/mcp", "/a2a/x", "/store/items", "/", "/info", "/ok/x"])
@table("method", ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD"])
def test_a_name_that_was_led_here_is_not_answered(method: str, path: str) -> None:
    """DNS rebinding: the page's own name, so no header of the browser tells that it is from elsewhere."""
    headers = [("host", "evil.example:2024"), ("content-type", "application/json"), ("sec-fetch-site", "same-origin")]
    reply = call(method, path, headers)

    assert (reply.status, reply.got) == (421, None)
    assert reply.detail == (
        "this server does not answer to the host 'evil.example': WAVEGRAPH_HOSTS lists those it answers to"
    )


@table(
    ("headers", "status"),
    [
        ([("host", "HOTEL.example.com")], 200),
        ([("Host", "localhost")], 200),
        ([("host", "[::1]:2024"), ("x-forwarded-host", "evil.example")], 200),
        ([("host", "evil.example"), ("x-forwarded-host", "localhost")], 421),
        ([("host", "evil.example"), ("forwarded", "host=localhost")], 421),
        ([("host", "x" * 100_000)], 421),
        ([], 400),
        ([("host", "")], 400),
        ([("host", "localhost"), ("host", "localhost")], 400),
        ([("host", "localhost"), ("host", "evil.example")], 400),
        ([("host", "key:password@localhost")], 400),
        ([("host", "<script>alert(1)</script>")], 400),
    ],
)
def test_hosts(headers: Headers, status: int) -> None:
    reply = call("GET", headers=headers, body=[])

    assert (reply.status, reply.got is None) == (status, status != 200)
    assert len(reply.body) < 500
    assert not any(part in reply.body for part in (b"password", b"<script"))


def test_a_load_balancer_may_ask_by_any_name_whether_the_server_is_up() -> None:
    assert [call(method, "/ok", [("host", "10.1.2.3:8000")], []).status for method in ("GET", "HEAD", "POST")] == [
        200,
        200,
        421,
    ]


@table(
    "type_",
    ["application/json", "Application/JSON", "application/json; charset=utf-8", "application/json;x=y", " application/json ",
     "application/vnd.api+json", "application/json-patch+json"],
)  # fmt: skip
def test_json_is_taken(type_: str) -> None:
    assert call(headers=[*HOST, ("content-type", type_)]).got == SMALL


def test_what_is_sent_is_judged_by_its_headers_as_they_came() -> None:
    """Aegra calls plain text JSON."""
    reply = Reply()

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        scope["headers"] = [(b"content-type", b"application/json")]
        reply.got = (await receive()).get("body")

    scope = scope_of("POST", "/runs/wait", [*HOST, ("content-type", "text/plain")])
    asyncio.run(Doors(app, SETTINGS, ample())(scope, receiving(messages_of([SMALL])), sending(reply)))

    assert (reply.status, reply.got) == (415, None)


@table(
    "types",
    [["text/plain"], ["text/plain;charset=UTF-8"], ["application/x-www-form-urlencoded"], ["multipart/form-data; boundary=x"],
     [], [""], ["text/plain; application/json"], ["text/plain, application/json"], ["application/json, text/plain"],
     ["text/json"], ["application/jsonp"], ["application/json x"], ["application/json", "text/plain"], ["+json"],
     ["text/plain", "application/json"], ["application/x+json/../text"], ["<b>x</b>"]],
)  # fmt: skip
@table("method", ["POST", "PUT", "PATCH", "DELETE"])
def test_a_body_that_is_not_called_json_is_not_read(types: list[str], method: str) -> None:
    """What a page may send anywhere without asking first."""
    reply = call(method, "/runs/wait", [*HOST, *(("content-type", type_) for type_ in types)])

    assert (reply.status, reply.got) == (415, None)
    assert reply.detail == "expected a body of JSON, with the header Content-Type: application/json"


@pytest.mark.parametrize("headers", [HOST, [*HOST, ("content-length", "0")], [*HOST, ("content-type", "text/plain")]])
def test_a_request_without_a_body_needs_no_type(headers: Headers) -> None:
    assert call("POST", "/threads/x/runs/y/cancel", headers, []).got == b""


@table(
    ("headers", "status"),
    [
        ([("origin", STUDIO), ("sec-fetch-site", "cross-site")], 200),
        ([("origin", "http://localhost:3000")], 200),
        ([("origin", "http://127.0.0.1:2024"), ("sec-fetch-site", "same-origin")], 200),
        ([("origin", "http://[::1]:2024")], 200),
        ([("origin", "https://hotel.example.com")], 200),
        ([("sec-fetch-site", "same-origin")], 200),
        ([("sec-fetch-site", "same-site")], 200),
        ([("sec-fetch-site", "none")], 200),
        ([("origin", "https://evil.example")], 403),
        ([("origin", "https://evil.example"), ("sec-fetch-site", "same-origin")], 403),
        ([("origin", "null")], 403),
        ([("origin", "")], 403),
        ([("origin", "file://")], 403),
        ([("origin", "http://localhost.evil.example")], 403),
        ([("origin", "https://smith.langchain.com.evil.example")], 403),
        ([("origin", "http://smith.langchain.com")], 403),
        ([("origin", STUDIO), ("origin", "https://evil.example")], 403),
        ([("origin", STUDIO), ("origin", STUDIO)], 403),
        ([("origin", f"{STUDIO} https://evil.example")], 403),
        ([("sec-fetch-site", "cross-site")], 403),
        ([("sec-fetch-site", "none"), ("sec-fetch-site", "cross-site")], 403),
        ([("sec-fetch-site", "cross-site"), ("sec-fetch-dest", "empty"), ("sec-fetch-mode", "no-cors")], 403),
    ],
)
@table(
    ("method", "body"), [("POST", [SMALL]), ("POST", []), ("DELETE", []), ("PATCH", [SMALL]), ("GET", []), ("HEAD", [])]
)
def test_pages(headers: Headers, status: int, method: str, body: list[bytes]) -> None:
    reply = call(method, headers=[*JSON, *headers], body=body)

    assert (reply.status, reply.got is None) == (status, status != 200)
    assert b"evil" not in reply.body


@pytest.mark.parametrize(
    ("method", "dest", "status"),
    [("GET", "document", 200), ("GET", "iframe", 403), ("GET", "image", 403), ("POST", "document", 403)],
)
def test_a_link_may_be_followed_from_anywhere(method: str, dest: str, status: int) -> None:
    headers = [*HOST, ("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate"), ("sec-fetch-dest", dest)]
    assert call(method, "/docs", headers, []).status == status


def test_what_a_browser_asks_first_is_for_cors_to_answer() -> None:
    asked = [*HOST, ("origin", "https://evil.example"), ("access-control-request-method", "POST")]
    assert call("OPTIONS", headers=asked, body=[]).status == 200


@table(
    "parts",
    [[b"x" * 101], [b"x" * 100, b"x"], [b"x"] * 101, [b"", b"x" * 60, b"", b"x" * 60], [b"x" * 40] * 1000],
)
@table("length", [None, "3", "100", "0", "-1", "999999999"])
def test_a_body_over_the_limit_is_counted_whatever_it_claims(parts: list[bytes], length: str | None) -> None:
    claimed = [("content-length", length)] if length else [("transfer-encoding", "chunked")]
    reply = call(headers=[*JSON, *claimed], body=parts)

    assert (reply.status, reply.got) == (413, None)
    said = (
        "999999999 bytes, and the most are 100" if length == "999999999" else "more than 100 bytes, which is the most"
    )
    assert reply.detail == f"the body has {said} (WAVEGRAPH_MAX_BODY_BYTES)"
    assert [message["type"] for message in reply.sent] == ["http.response.start", "http.response.body"]


def test_a_body_at_the_limit_passes() -> None:
    assert call(body=[b"x" * 50, b"x" * 50]).got == b"x" * 100


def test_no_more_is_read_once_the_limit_is_passed() -> None:
    left = messages_of([b"x" * 60] * 10)
    seen: list[str] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        seen.extend([(await receive())["type"] for _ in range(5)])

    asyncio.run(Doors(app, SETTINGS, ample())(scope_of("POST", "/x", JSON), receiving(left), sending(Reply())))
    assert seen == ["http.request", *["http.disconnect"] * 4]
    assert len(left) == 8


def test_a_reply_that_has_begun_goes_no_further() -> None:
    reply = Reply()

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        while (await receive())["type"] == "http.request":
            await send({"type": "http.response.body", "body": b".", "more_body": True})
        await send({"type": "http.response.body", "body": b"end"})

    asyncio.run(
        Doors(app, SETTINGS, ample())(
            scope_of("POST", "/x", JSON), receiving(messages_of([b"x" * 60] * 3)), sending(reply)
        )
    )
    assert (reply.status, reply.body) == (200, b".")


def test_a_stream_passes_as_it_comes() -> None:
    """Each part goes out before the next is made."""
    reply, seen = Reply(), []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        for place in range(5):
            await send({"type": "http.response.body", "body": b"%d" % place, "more_body": place < 4})
            seen.append(reply.body)

    asyncio.run(Doors(app, SETTINGS, ample())(scope_of("GET", "/stream", HOST), receiving([]), sending(reply)))
    assert seen == [b"0", b"01", b"012", b"0123", b"01234"]


PLACES = ("/docs", "/docs/", "/openapi.json", "/metrics", "/deploy", "/deploy/x/stream", "/internal/truncate")


@table("path", PLACES)
@table(
    ("client", "headers", "status"),
    [
        (("127.0.0.1", 1), HOST, 200),
        (("::1", 1), HOST, 200),
        (("::ffff:127.0.0.1", 1), HOST, 200),
        (("127.0.0.1", 1), [("host", "hotel.example.com")], 403),
        (("127.0.0.1", 1), [*HOST, ("x-forwarded-for", "127.0.0.1")], 403),
        (("127.0.0.1", 1), [*HOST, ("x-real-ip", "203.0.113.5")], 403),
        (("127.0.0.1", 1), [*HOST, ("Forwarded", "for=127.0.0.1")], 403),
        (("127.0.0.1", 1), [*HOST, ("via", "1.1 proxy")], 403),
        (("10.0.0.7", 1), HOST, 403),
        (("::ffff:10.0.0.7", 1), HOST, 403),
        (("localhost.evil.example", 1), HOST, 403),
        (None, HOST, 403),
    ],
)
def test_the_developer_s_pages_are_for_this_machine(
    path: str, client: tuple[str, int] | None, headers: Headers, status: int
) -> None:
    reply = call("GET", path, headers, [], client=client)

    assert (reply.status, reply.got is None) == (status, status != 200)


@table(("path", "status"), [(path, 403 if path[:4] in ("/dep", "/int") else 200) for path in PLACES])
def test_with_access_control_the_development_server_s_are_for_nobody(path: str, status: int) -> None:
    assert call("GET", path, HOST, [], replace(SETTINGS, has_access_control=True)).status == status


@table("method", ["GET", "HEAD", "POST"])
@table("path", ["/ui", "/ui/", "/ui/hotel/entry.js"])
def test_components_that_nobody_brought_are_not_found(path: str, method: str) -> None:
    """The server would look for them in a folder that is not there, and for that asks no token."""
    assert call(method, path, HOST, []).status == 404
    assert call(method, path, HOST, [], replace(SETTINGS, has_components=True)).status == 200
    assert call(method, "/uinfo", HOST, []).status == 200


@pytest.mark.parametrize("second", ["Bearer two", "Bearer one", "", "Basic x"])
def test_a_second_authorization_is_refused(second: str) -> None:
    one = [*HOST, ("authorization", "Bearer one")]
    refused = call("GET", "/threads/x", [*one, ("Authorization", second)], [])
    assert (refused.status, refused.detail) == (400, "expected one Authorization header")
    assert call("GET", "/threads/x", one, []).status == 200


def test_they_are_found_below_a_prefix_too_and_others_are_not_taken_for_them() -> None:
    away = {"client": ("10.0.0.7", 1), "headers": HOST, "body": []}

    assert call("GET", "/v1/docs", root_path="/v1", **away).status == 403
    assert [
        call("GET", path, **away).status for path in ("/documents", "/ok", "/info", "/threads/docs", "/x/metrics")
    ] == [200] * 5


@pytest.mark.parametrize("root_path", ["/noauth", "/noauth/v1"])
def test_the_server_s_calls_to_itself_pass(root_path: str) -> None:
    assert call(headers=[("host", "api")], body=[b"x" * 1000], root_path=root_path, client=None).got == b"x" * 1000


@pytest.mark.parametrize(
    ("path", "root_path"), [("/noauth", ""), ("/noauth/threads/search", ""), ("/x", "/noauthority")]
)
def test_no_request_passes_for_one_of_them(path: str, root_path: str) -> None:
    assert call(path=path, headers=[("host", "evil.example")], root_path=root_path).status == 421


def test_other_messages_of_the_server_pass() -> None:
    seen = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        seen.append(scope["type"])

    asyncio.run(Doors(app, SETTINGS, ample())({"type": "lifespan"}, receiving([]), sending(Reply())))
    assert seen == ["lifespan"]


class Crowd:
    """Doors whose clock stands still: five empty requests each."""

    def __init__(self) -> None:
        self.doors = Doors(self.app, SETTINGS, Rate(1000, 10_000, clock=lambda: 0.0))

    async def app(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})

    def call(self, address: str, method: str = "GET", headers: Headers = HOST) -> Reply:
        reply = Reply()
        scope = scope_of(method, "/threads/x", headers, client=(address, 1))
        asyncio.run(self.doors(scope, receiving([]), sending(reply)))
        return reply


def test_a_client_that_calls_too_often_is_told_when_to_come_again() -> None:
    crowd = Crowd()
    replies = [crowd.call("10.0.0.7") for _ in range(7)]

    assert [reply.status for reply in replies] == [200] * 5 + [429] * 2
    assert replies[-1].headers["retry-after"] == "2"
    assert replies[-1].detail == "too much at once: 2000 bytes more may come in 2 s (WAVEGRAPH_BYTES_PER_SECOND)"
    assert crowd.call("10.0.0.8").status == 200


LONG = 2_000_000
GENEROUS = replace(SETTINGS, max_body_bytes=LONG)


def test_a_body_that_announces_too_much_is_not_read_at_all() -> None:
    left = messages_of([b"x" * 60] * 10)
    reply = Reply()

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        raise AssertionError("the app is not reached")

    scope = scope_of("POST", "/x", [*JSON, ("content-length", "600")])
    asyncio.run(Doors(app, SETTINGS, ample())(scope, receiving(left), sending(reply)))
    assert (reply.status, len(left)) == (413, 10)


@pytest.mark.parametrize("announced", [True, False])
def test_a_client_s_bytes_are_counted_as_they_come(announced: bool) -> None:
    """One that announces its body is told before any of it is read, so that trying again costs it nothing."""
    rate = Rate(1000, 6000, clock=lambda: 0.0)
    seen: list[int] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        while (message := await receive())["type"] == "http.request":
            seen.append(len(message["body"]))
            if not message["more_body"]:
                await send({"type": "http.response.start", "status": 200, "headers": []})
                break

    def post(parts: list[int]) -> Reply:
        reply, length = Reply(), [("content-length", str(sum(parts)))] if announced else []
        scope = scope_of("POST", "/x", [*JSON, *length])
        told = receiving(messages_of([b"x" * size for size in parts]))
        asyncio.run(Doors(app, GENEROUS, rate)(scope, told, sending(reply)))
        return reply

    assert post([500, 500]).status == 200
    refused = post([500, 400, 200])
    assert (refused.status, seen) == (429, [500, 500] if announced else [500, 500, 500, 400])
    assert refused.headers["retry-after"] == "1"
    assert post([1000]).status == (200 if announced else 429)


def test_a_token_is_one_client_wherever_it_comes_from() -> None:
    crowd = Crowd()
    ways = ["Bearer mine", "bearer mine", "BEARER   mine", "Bearer mine ", "Bearer mine", "Bearer mine", "bEARER mine"]
    statuses = [crowd.call(f"10.0.0.{n}", headers=[*HOST, ("authorization", way)]).status for n, way in enumerate(ways)]
    other = [*HOST, ("authorization", "Bearer other")]

    assert statuses == [200] * 5 + [429] * 2
    assert crowd.call("10.0.0.9", headers=other).status == 200
    assert [crowd.call("10.0.0.9", headers=HOST).status for _ in range(5)] == [200] * 4 + [429]


def test_a_jwt_is_one_client_however_its_signature_is_written() -> None:
    """A decoder passes over what is no letter of base64."""
    crowd = Crowd()
    ways = ["e30.e30.c2ln", "e30.e30.c2l!n", "e30.e30.c2ln==", "e30.e30.!c2ln", "e30.e30.c2lo", "e30.e30.c2ln!"]
    statuses = [
        crowd.call(f"10.0.0.{n}", headers=[*HOST, ("authorization", f"Bearer {way}")]).status
        for n, way in enumerate(ways)
    ]

    assert statuses == [200] * 5 + [429]
    assert crowd.call("10.0.0.9", headers=[*HOST, ("authorization", "Bearer e30.e31.c2ln")]).status == 200


@pytest.mark.parametrize(
    ("method", "headers"),
    [
        ("GET", [("host", "evil.example")]),
        ("POST", [*HOST, ("origin", "https://evil.example")]),
        ("GET", [*HOST, ("sec-fetch-site", "cross-site"), ("sec-fetch-dest", "image")]),
        ("OPTIONS", [*HOST, ("origin", "https://evil.example")]),
    ],
)
def test_a_page_cannot_use_up_what_its_reader_may_ask(method: str, headers: Headers) -> None:
    crowd = Crowd()
    for _ in range(20):
        crowd.call("127.0.0.1", method, headers)

    assert crowd.call("127.0.0.1").status == 200


class Socket:
    """A WebSocket whose client sends `messages` and then goes."""

    def __init__(
        self, headers: Headers, *messages: str | bytes, extensions: bool = True, rate: Rate | None = None
    ) -> None:
        self.got: list[Any] = []
        self.sent: list[Message] = []
        """What goes out."""
        texts = [{"type": "websocket.receive", "text" if isinstance(each, str) else "bytes": each} for each in messages]
        scope = scope_of("", "/threads/x/stream/events", headers) | {"type": "websocket"}
        del scope["method"]
        if extensions:
            scope["extensions"] = {"websocket.http.response": {}}
        script: list[Message] = [{"type": "websocket.connect"}, *texts, {"type": "websocket.disconnect", "code": 1000}]

        async def send(message: Message) -> None:
            self.sent.append(message)

        asyncio.run(Doors(self.app, SETTINGS, rate or ample())(scope, receiving(script), send))

    async def app(self, scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        while (message := await receive())["type"] == "websocket.receive":
            self.got.append(message.get("text") or message.get("bytes"))
            await send({"type": "websocket.send", "text": "taken"})
        self.got.append(message["code"])
        await send({"type": "websocket.send", "text": "bye"})

    @property
    def status(self) -> int | None:
        return next((each["status"] for each in self.sent if each["type"] == "websocket.http.response.start"), None)


def test_a_websocket_passes() -> None:
    socket = Socket(HOST, "one", b"two", "", "four")

    assert socket.got == ["one", b"two", None, "four", 1000]
    assert len([each for each in socket.sent if each.get("text") == "taken"]) == 4


@table(
    ("headers", "status"),
    [
        ([*HOST, ("origin", STUDIO)], None),
        ([*HOST, ("origin", "http://localhost:3000")], None),
        ([("host", "evil.example"), ("origin", "http://evil.example")], 421),
        ([*HOST, ("origin", "https://evil.example")], 403),
        ([*HOST, ("origin", "null")], 403),
        ([], 400),
    ],
)
def test_a_page_s_websocket(headers: Headers, status: int | None) -> None:
    """CORS does not hold for these: nothing but the server refuses them."""
    socket = Socket(headers, "one")

    assert socket.status == status
    assert bool(socket.got) is (status is None)


def test_where_a_websocket_cannot_be_answered_it_is_closed() -> None:
    socket = Socket([("host", "evil.example")], "one", extensions=False)

    assert (socket.got, [each["type"] for each in socket.sent]) == ([], ["websocket.close"])


@pytest.mark.parametrize("large", ["x" * 101, "ש" * 51, b"x" * 101])
def test_a_message_over_the_limit_closes_it(large: str | bytes) -> None:
    socket = Socket(HOST, "x" * 100, large, "three")

    assert socket.got == ["x" * 100, 1008]
    assert [(each["type"], each.get("code")) for each in socket.sent[1:]] == [
        ("websocket.send", None),
        ("websocket.close", 1009),
    ]


def test_its_messages_count_as_requests_by_their_bytes() -> None:
    socket = Socket(HOST, *"123456789", rate=Rate(1000, 10_004, clock=lambda: 0.0))

    assert socket.got == [*"1234", 1008]
    assert socket.sent[-1]["code"] == 1008
