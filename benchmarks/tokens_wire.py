"""A scripted model behind the real client, over HTTP or in memory, and what every request to it weighs.

In memory the requests are the same to the byte, and a reply may take its time on the loop's clock. A token is four bytes
of UTF-8 here: of a request the whole body as the client sends it (messages and tools), of a reply the text. So
ours and others' are counted alike, and no tokenizer has to be believed.
"""

import asyncio
import json
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal, Self

import httpx
from langchain_openai import ChatOpenAI

Role = Literal["plan", "answer", "judge", "check", "act"]
"""`act`: a model that may call tools itself."""
FORMS: Mapping[str, Role] = {"plan": "plan", "verdict": "judge"}
BYTES = 4
"""Of a token."""


@dataclass(frozen=True)
class Asked:
    """One request to the model."""

    role: Role
    body: Mapping[str, Any]
    sent: int
    """Bytes of the request."""
    got: int
    """Bytes of the reply's text."""

    @property
    def characters(self) -> int:
        """Of the request: a letter of any script is one."""
        return len(_encoded(self.body))

    @property
    def changing(self) -> int:
        """Characters of the messages behind the first, which is the same for every request, as the form is."""
        return len(_encoded(self.body["messages"][1:]))

    def block(self, name: str) -> Any:
        """The tagged block of the message, decoded; None = there is none."""
        _, _, rest = str(self.body["messages"][-1]["content"]).partition(f"<{name}>\n")
        return json.loads(rest.partition(f"\n</{name}>")[0]) if rest else None

    @property
    def form(self) -> str:
        """The name of the function that has to be called; empty = none has."""
        chosen = self.body.get("tool_choice")
        return str(chosen["function"]["name"]) if isinstance(chosen, dict) else ""

    @property
    def fields(self) -> Mapping[str, Any]:
        """The schema of each field of the form that is asked for."""
        [form] = self.body["tools"]
        return dict(form["function"]["parameters"]["properties"])


class ToolCalls(list[tuple[str, str, Mapping[str, Any]]]):
    """Calls of tools: id, tool, arguments."""

    @property
    def message(self) -> Mapping[str, Any]:
        made = [{"id": name, "type": "function", "function": {"name": tool, "arguments": _encoded(args)}}
                for name, tool, args in self]  # fmt: skip
        return {"role": "assistant", "content": None, "tool_calls": made}


Script = Callable[[Asked], Any]
"""The reply to a request: a text, `ToolCalls`, or what fills in the form."""


@dataclass
class Wire:
    """The server, while it is open."""

    script: Script = lambda asked: ""
    asked: list[Asked] = field(default_factory=list)

    def __enter__(self) -> Self:
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.wire = self
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def model(self) -> ChatOpenAI:
        url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"
        return ChatOpenAI(model="counted", api_key=lambda: "none", base_url=url, max_retries=0, stream_usage=True)

    def model_in_memory(self, takes_s: float = 0.0) -> ChatOpenAI:
        """Without a server: the wire need not be open."""
        client = httpx.AsyncClient(transport=_InMemory(self, takes_s))
        return ChatOpenAI(model="counted", api_key=lambda: "none", base_url="http://memory/v1", max_retries=0,
                          stream_usage=True, http_async_client=client)  # fmt: skip

    def reply(self, raw: bytes) -> tuple[str, str]:
        """The type and text of the body of the response."""
        body = json.loads(raw)
        asked = Asked(_role(body), body, len(raw), 0)
        made = self.script(asked)
        if asked.role == "plan" and isinstance(made, Mapping) and "context" in asked.fields:
            made = _serving_all(made, asked)
        message: Mapping[str, Any]
        if isinstance(made, str):
            text = made
            message = {"role": "assistant", "content": text}
        elif isinstance(made, ToolCalls):
            message = made.message
            text = _encoded({"tool_calls": message["tool_calls"]})
        else:
            message, text = ToolCalls([("form", asked.form, made)]).message, _encoded(made)
        self.asked.append(Asked(asked.role, body, len(raw), len(text.encode())))
        return _streamed(message) if body.get("stream") else _whole(message)


def _serving_all(plan: Mapping[str, Any], asked: Asked) -> Mapping[str, Any]:
    """The plan with every piece of the request in each call's `serves`."""
    every = list(range(1, len(asked.block("pieces") or "1") + 1))
    return {**plan, "tools": [{**call, "serves": every} for call in plan["tools"]], "context": []}


class _InMemory(httpx.AsyncBaseTransport):
    def __init__(self, wire: Wire, takes_s: float) -> None:
        self._wire, self._takes_s = wire, takes_s

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        await asyncio.sleep(self._takes_s)
        kind, text = self._wire.reply(await request.aread())
        return httpx.Response(200, headers={"content-type": kind}, content=text.encode())


def tokens(size: int) -> int:
    """Of bytes, or of characters."""
    return round(size / BYTES)


def weight(body: Mapping[str, Any]) -> int:
    """Bytes of a request that nobody sends, as the client would write it."""
    return len(_encoded(body).encode())


def _role(body: Mapping[str, Any]) -> Role:
    if form := Asked("act", body, 0, 0).form:
        return FORMS.get(form, "check")
    return "act" if body.get("tools") else "answer"


def _encoded(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    wire: Wire


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def do_POST(self) -> None:
        self._send(*self.server.wire.reply(self.rfile.read(int(self.headers["content-length"]))))

    def _send(self, kind: str, text: str) -> None:
        raw = text.encode()
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)


ABOUT: Mapping[str, Any] = {"id": "1", "created": 1, "model": "counted"}


def _whole(message: Mapping[str, Any]) -> tuple[str, str]:
    reason = "tool_calls" if "tool_calls" in message else "stop"
    whole: Mapping[str, Any] = {
        "object": "chat.completion",
        "choices": [{"index": 0, "message": message, "finish_reason": reason}],
    }
    return "application/json", _encoded({**ABOUT, **whole})


def _streamed(message: Mapping[str, Any]) -> tuple[str, str]:
    """Of a text alone."""
    choices: list[Mapping[str, Any]] = [
        {"delta": message, "finish_reason": None},
        {"delta": {}, "finish_reason": "stop"},
    ]
    chunks = [{**ABOUT, "object": "chat.completion.chunk", "choices": [{"index": 0, **each}]} for each in choices]
    return "text/event-stream", "".join(f"data: {event}\n\n" for event in (*map(_encoded, chunks), "[DONE]"))
