"""An OpenAI-compatible server on loopback that plays a script.

A script is a list of expected requests, each with its answer: `plans(…)` for a planning request, `answers(…)`
for one that writes. A request nobody scripted, one out of turn, and one that never came fail the test, and so does a
scripted plan that does not fit the schema the request asked for.
"""

import json
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from typing import Any, Literal

from jsonschema.exceptions import best_match
from jsonschema.validators import validator_for
from patience import HANGS_S
from skipping import jump

from wavegraph.graph.model.calls import without_functions

Role = Literal["plan", "answer", "judge", "check", "form", "teach"]
FORMS: Mapping[str, Role] = {
    "plan": "plan",
    "verdict": "judge",
    "roster_issues": "check",
    "response": "form",
    "lessons": "teach",
}
"""Who asks, by the name of the form that is to be filled in; without one an answer is written."""
FIELDS: Mapping[str, Role] = {
    "tools": "plan",
    "gaps": "judge",
    "issues": "check",
    "response": "form",
    "lessons": "teach",
}
"""The same by a field, where the form stands in the instructions."""
USAGE = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
KEY = "sk-canary-5f2c"
"""The key the environment holds in tests; it must show up nowhere else."""


@dataclass(frozen=True)
class Turn:
    """One expected request and what it gets."""

    role: Role
    content: str | None = None
    """The message's text; None with `arguments` (a function call) or `refusal`."""
    arguments: str | None = None
    """Arguments of the planning function, as the model wrote them."""
    refusal: str | None = None
    finish: str = "stop"
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: str | None = None
    """Send this in place of the whole JSON body or event stream."""
    delay_s: float = 0.0
    """Seconds before the first byte."""
    between_s: float = 0.0
    """Seconds between two events of a stream."""
    fault: Literal["hang", "drip", "close", "drop", "end"] | None = None
    """hang: never answer; drip: a whole answer, one byte a second; close: shut the connection unanswered; drop: break off in the middle of the stream; end: end
    the stream there, as a server does whose model crashed."""
    held: threading.Event | None = None
    """Not answered before it is set."""
    lasts_s: float = 0.0
    """How long a hang or a drip has lasted at once: the clock of who waits for it jumps so far."""
    checked: bool = True
    """Whether a plan must fit the schema that was asked for."""
    usage: Mapping[str, Any] | None = field(default_factory=lambda: USAGE)
    """The tokens that are reported; None = none."""
    model: str | None = None
    """The model the request must name; None = any."""
    made: "Callable[[Received], Mapping[str, Any]] | None" = None
    """Writes the plan when its request has come in, from what that shows."""

    def but(self, **changes: Any) -> "Turn":
        return replace(self, **changes)


def plans(plan: Mapping[str, Any] | str | None, *, call: bool = True, **more: Any) -> Turn:
    """A planning request answered with a plan, as a function call or as text."""
    text = plan if plan is None or isinstance(plan, str) else json.dumps(as_asked(plan), ensure_ascii=False)
    is_call = call and text is not None
    finish = "tool_calls" if is_call else "stop"
    return Turn("plan", **{"arguments" if is_call else "content": text, "finish": finish, **more})


def as_asked(plan: Mapping[str, Any]) -> Mapping[str, Any]:
    """The plan as models are asked for it: without what is not needed."""
    calls = plan.get("tools")
    given = {name: part for name, part in plan.items() if part is not None}
    return {**given, "tools": [_given(call) for call in calls]} if isinstance(calls, list) else given


def _given(call: Any) -> Any:
    return {name: part for name, part in call.items() if part is not None} if isinstance(call, dict) else call


def answers(text: str | None, **more: Any) -> Turn:
    return Turn("answer", content=text, **more)


def judges(verdict: Mapping[str, Any] | str | None, *, call: bool = True, **more: Any) -> Turn:
    """A request to judge an answer, answered with a verdict."""
    return plans(verdict, call=call, **more).but(role="judge")


def finds(issues: Mapping[str, Any] | str | None, *, call: bool = True, **more: Any) -> Turn:
    """A request to look through results, answered with what was found."""
    return plans(issues, call=call, **more).but(role="check")


def teaches(lessons: Mapping[str, Any] | str | None, **more: Any) -> Turn:
    """A request for lessons from failures."""
    return plans(lessons, **more).but(role="teach")


@dataclass
class Received:
    """One request as it came in."""

    role: Role
    body: dict[str, Any]
    at: float
    key: str | None

    @property
    def system(self) -> str:
        return str(self.body["messages"][0]["content"])

    @property
    def text(self) -> str:
        return str(self.body["messages"][-1]["content"])

    @property
    def schema(self) -> dict[str, Any] | None:
        tools = [t["function"] for t in self.body.get("tools", ()) if t["function"]["name"] in FORMS]
        return tools[0]["parameters"] if tools else _told_schema(self.body)

    @property
    def way(self) -> str:
        """How the form was told: as a `function`, in `words`, or in none."""
        return "function" if "tools" in self.body else "words" if _told_schema(self.body) else ""

    def block(self, name: str) -> Any:
        """The tagged block `name` of the message, decoded; None where there is none."""
        _, _, rest = self.text.partition(f"<{name}>\n")
        return json.loads(rest.partition(f"\n</{name}>")[0]) if rest else None


@dataclass
class Endpoint:
    """The running server. `plays(…)` sets the script; `received` holds what came in."""

    url: str = ""
    models: list[str] = field(default_factory=lambda: ["scripted"])
    models_status: int = 200
    models_headers: Mapping[str, str] = field(default_factory=dict)
    models_asked: int = 0
    received: list[Received] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    script: list[Turn] = field(default_factory=list)
    released: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def plays(self, *turns: Turn) -> "Endpoint":
        self.script.extend(turns)
        return self

    def of(self, role: Role) -> list[Received]:
        return [request for request in self.received if request.role == role]

    @property
    def pauses(self) -> list[float]:
        times = [request.at for request in self.received]
        return [later - sooner for sooner, later in pairwise(times)]

    def begins_anew(self) -> None:
        """For the next test of several that share the server: nothing of this one is left, nor waits."""
        self.released.set()
        self.received, self.faults, self.script, self.released = [], [], [], threading.Event()

    def assert_complete(self) -> None:
        assert not self.faults, "\n".join(self.faults)
        assert not self.script, f"{len(self.script)} scripted requests never came: {self.script}"

    def take(self, request: Received) -> Turn | None:
        """The turn for a request; None, and a fault, where it was not to come or would not be accepted."""
        with self.lock:
            self.received.append(request)
            turn = self.script.pop(0) if self.script else None
            if turn and turn.made and turn.role == request.role:
                turn = self._written(turn.made, request) or turn
            if turn and turn.role == request.role == "plan":
                turn = _accounted(turn, request)
            fault = self._fault(request, turn)
            if fault:
                self.faults.append(f"request {len(self.received)}: {fault}")
            return None if fault else turn

    def _written(self, made: "Callable[[Received], Mapping[str, Any]]", request: Received) -> Turn | None:
        try:
            return plans(made(request))
        except (LookupError, TypeError, ValueError) as error:
            self.faults.append(f"the request does not show what is to be planned: {error!r} in {request.text}")
            return None

    def _fault(self, request: Received, turn: Turn | None) -> str | None:
        if turn is None:
            return f"nobody scripted it: {request.role} {request.text[-300:]}"
        if turn.role != request.role:
            return f"a request to {request.role} where one to {turn.role} was scripted"
        if turn.model not in (None, request.body["model"]):
            return f"model {request.body['model']!r} where {turn.model!r} was expected"
        if request.role == "answer":
            return None
        if (schema := request.schema) is None:
            return f"a request to {request.role} without a schema"
        given = turn.content if turn.arguments is None else turn.arguments
        if not turn.checked or given is None or turn.status != 200 or turn.fault:
            return None
        try:
            error = best_match(_validator(json.dumps(schema)).iter_errors(json.loads(given)))
        except ValueError as no_json:
            error = no_json
        if error is not None:
            return f"what is scripted to {request.role} does not fit the schema: {str(error)[:500]}"
        return None


def _accounted(turn: Turn, request: Received) -> Turn:
    """A plan whose test does not care which pieces of the request it serves: each call and each form serves them all; nor what
    language it is in: English."""
    schema, given = request.schema or {}, turn.content if turn.arguments is None else turn.arguments
    try:
        plan = json.loads(given or "")
        asked = {"context", "language"} & schema["properties"].keys() if isinstance(plan["tools"], list) else ()
    except (ValueError, LookupError, TypeError, RecursionError):
        return turn
    if not asked:
        return turn
    if "language" in asked:
        plan.setdefault("language", "en")
    if "context" not in asked:
        return _with(turn, plan)
    forms, every = plan.get("reply"), list(range(1, len(request.block("pieces") or "1") + 1))
    for each in [*plan["tools"], *(forms if isinstance(forms, list) else [])]:
        if isinstance(each, dict):
            each.setdefault("serves", every)
    plan.setdefault("context", [])
    return _with(turn, plan)


def _with(turn: Turn, plan: Mapping[str, Any]) -> Turn:
    text = json.dumps(plan, ensure_ascii=False)
    return turn.but(content=text) if turn.arguments is None else turn.but(arguments=text)


@lru_cache(maxsize=64)
def _validator(schema: str) -> Any:
    """Of a schema that is one itself, which takes far longer to check than any plan."""
    kind = validator_for(parsed := json.loads(schema))
    kind.check_schema(parsed)
    return kind(parsed)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    endpoint: Endpoint

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that gave up is none of the test's business."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def do_GET(self) -> None:
        end = self.server.endpoint
        end.models_asked += 1
        served = [{"id": name, "object": "model", "created": 1, "owned_by": "test"} for name in end.models]
        self._send(end.models_status, json.dumps({"object": "list", "data": served}), end.models_headers)

    def do_POST(self) -> None:
        at = time.perf_counter()
        end = self.server.endpoint
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        request = Received(_role(body), body, at, self.headers.get("authorization"))
        turn = end.take(request)
        if turn is None:
            self._send(400, json.dumps({"error": {"message": "not in the script", "type": "script"}}))
            return
        time.sleep(turn.delay_s)
        if turn.held:
            turn.held.wait(HANGS_S)
        if turn.fault == "hang":
            jump(turn.lasts_s)
            end.released.wait(10 * HANGS_S)
        if turn.fault in ("hang", "close"):
            self.close_connection = True
        elif turn.fault == "drip":
            self._drip(turn, body)
        elif turn.status != 200 or (turn.body is not None and not body.get("stream")):
            error = json.dumps(
                {"error": {"message": f"the provider says {turn.status}, key {request.key}", "code": None}}
            )
            self._send(turn.status, turn.body or error, turn.headers)
        elif body.get("stream"):
            self._stream(turn, body)
        else:
            self._send(200, json.dumps(_completion(turn, body)), turn.headers)

    def _send(self, status: int, text: str, headers: Mapping[str, str] | None = None) -> None:
        raw = text.encode()
        self.send_response(status)
        for name, value in {"content-type": "application/json", **(headers or {})}.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)

    def _drip(self, turn: Turn, body: dict[str, Any]) -> None:
        released = self.server.endpoint.released
        streamed = bool(body.get("stream"))
        whole = "".join(f"data: {event}\n\n" for event in _events(turn, body)) if streamed else ""
        raw = (whole or json.dumps(_completion(turn, body))).encode()
        self.send_response(200)
        self.send_header("content-type", "text/event-stream" if streamed else "application/json")
        self.send_header("content-length", str(len(raw)))
        self.end_headers()
        for byte in raw:
            self.wfile.write(bytes([byte]))
            jump(turn.lasts_s)
            if released.wait(1.0):
                self.close_connection = True
                return

    def _stream(self, turn: Turn, body: dict[str, Any]) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        events = [turn.body] if turn.body is not None else _events(turn, body)
        if turn.fault in ("drop", "end"):
            events = events[: len(events) // 2]
        for event in events:
            raw = f"data: {event}\n\n".encode()
            self.wfile.write(f"{len(raw):x}\r\n".encode() + raw + b"\r\n")
            self.wfile.flush()
            time.sleep(turn.between_s)
        if turn.fault == "drop":
            self.close_connection = True
        else:
            self.wfile.write(b"0\r\n\r\n")


def _role(body: dict[str, Any]) -> Role:
    functions = [tool["function"] for tool in body.get("tools", ())]
    if not functions and (told := _told_schema(body)):
        return next(role for name, role in FIELDS.items() if name in told["properties"])
    name = functions[0]["name"] if functions else ""
    return FORMS.get(name, "answer")


def _told_schema(body: dict[str, Any]) -> dict[str, Any] | None:
    """The schema in the instructions."""
    _, _, told = str(body["messages"][0]["content"]).partition("in this JSON schema:\n\n")
    return json.loads(told) if told else None


def _message(turn: Turn) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": turn.content}
    if turn.refusal is not None:
        message["refusal"] = turn.refusal
    if turn.arguments is not None:
        function = {"name": _form_of(turn), "arguments": turn.arguments}
        message["tool_calls"] = [{"id": "call_1", "type": "function", "function": function}]
    return message


def _base(body: dict[str, Any]) -> dict[str, Any]:
    return {"id": f"chatcmpl-{time.perf_counter_ns()}", "created": 1, "model": body["model"]}


def _completion(turn: Turn, body: dict[str, Any]) -> dict[str, Any]:
    choice = {"index": 0, "message": _message(turn), "finish_reason": turn.finish}
    return {**_base(body), "object": "chat.completion", "usage": turn.usage, "choices": [choice]}


def _events(turn: Turn, body: dict[str, Any]) -> list[str]:
    base = {**_base(body), "object": "chat.completion.chunk"}
    words = (turn.content or "").split(" ")
    pieces = [word + " " for word in words[:-1]] + words[-1:]
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}, *({"content": piece} for piece in pieces)]
    if turn.refusal is not None:
        deltas.append({"refusal": turn.refusal})
    if turn.arguments is not None:
        half = len(turn.arguments) // 2
        deltas += [_called(turn.arguments[:half], _form_of(turn)), _called(turn.arguments[half:])]
    chunks = [{**base, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]} for delta in deltas]
    chunks.append({**base, "choices": [{"index": 0, "delta": {}, "finish_reason": turn.finish}]})
    if turn.usage and (body.get("stream_options") or {}).get("include_usage"):
        chunks.append({**base, "choices": [], "usage": turn.usage})
    return [*(json.dumps(chunk, ensure_ascii=False) for chunk in chunks), "[DONE]"]


def _form_of(turn: Turn) -> str:
    return next(name for name, role in FORMS.items() if role == turn.role)


def _called(arguments: str, name: str | None = None) -> dict[str, Any]:
    start = {"id": "call_1", "type": "function"} if name else {}
    function = {"name": name, "arguments": arguments} if name else {"arguments": arguments}
    return {"tool_calls": [{"index": 0, **start, "function": function}]}


class Serving:
    """The server for the time of a `with`; a test that passed is held to its script at the end."""

    def __init__(self, endpoint: Endpoint | None = None) -> None:
        """`endpoint`: one of the test's own kind."""
        self.endpoint = endpoint or Endpoint()

    def __enter__(self) -> Endpoint:
        without_functions.clear()  # of another server that had its port
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self.endpoint.url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"
        self._server.endpoint = self.endpoint
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()
        return self.endpoint

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.endpoint.released.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(5)
        if kind is None:
            self.endpoint.assert_complete()
