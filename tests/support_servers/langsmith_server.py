"""LangSmith on a loopback: takes traces and feedback, knows its projects, and fails when it is told to."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import parse_qs, urlsplit
from uuid import NAMESPACE_URL, uuid5

from canary_traces import LANGSMITH
from langsmith import Client
from langsmith.run_helpers import tracing_context
from loopback import JsonHandler, LoopbackServer
from patience import HANGS_S

KEY = "dummy-key-4711"
TENANT = str(uuid5(NAMESPACE_URL, "tenant"))


def project_id(name: str) -> str:
    return str(uuid5(NAMESPACE_URL, name))


class LangSmithServer(LoopbackServer):
    """Use it in a `with`. Feedback by its id, as LangSmith keeps it: the same id again replaces it."""

    def __init__(self) -> None:
        super().__init__(_Handler)
        self.requests: list[tuple[str, str]] = []
        self.traces: list[bytes] = []
        self.given: dict[str, dict[str, Any]] = {}
        self.fails_with: dict[str, int] = {}
        """Status by the beginning of a path."""
        self.missing = 0
        """How often the project is not there yet."""
        self.gate = threading.Event()
        """Feedback is answered when it is set."""
        self.gate.set()

    def __exit__(self, *_: object) -> None:
        self.gate.set()
        super().__exit__()

    @property
    def feedback(self) -> list[dict[str, Any]]:
        return list(self.given.values())

    def of(self, key: str) -> dict[str, Any]:
        (found,) = [each for each in self.feedback if each["key"] == key]
        return found


class _Handler(JsonHandler):
    server: LangSmithServer

    def do_GET(self) -> None:
        self._answer(b"")

    def do_POST(self) -> None:
        self._answer(self.rfile.read(int(self.headers["Content-Length"])))

    do_PATCH = do_POST

    def _answer(self, body: bytes) -> None:
        server, url = self.server, urlsplit(self.path)
        server.requests.append((self.command, url.path))
        failing = [status for start, status in server.fails_with.items() if url.path.startswith(start)]
        if failing:
            self.reply(failing[0], {"detail": "as scripted"})
        elif url.path.startswith("/sessions"):
            self._sessions(parse_qs(url.query)["name"][0])
        elif url.path == "/feedback":
            server.gate.wait(10 * HANGS_S)
            told = json.loads(body)
            server.given[told["id"]] = told
            self.reply(200, told)
        elif url.path.startswith("/feedback/"):
            known = server.given.get(url.path.rpartition("/")[2])
            if known is not None:
                known.update(json.loads(body))
            self.reply(200 if known is not None else 404, known or {"detail": "not found"})
        else:
            server.traces += [body] if body else []
            self.reply(200, LANGSMITH)

    def _sessions(self, name: str) -> None:
        self.server.missing -= 1
        known = {"id": project_id(name), "name": name, "tenant_id": TENANT, "reference_dataset_id": None}
        self.reply(200, [] if self.server.missing >= 0 else [known])


@contextmanager
def traced_to(server: LangSmithServer, *, project: str | None = None, **options: Any) -> Iterator[Client]:
    """Everything inside is traced to `server`; `options` are the client's."""
    client = Client(api_url=server.url, api_key=KEY, auto_batch_tracing=True, **options)
    try:
        with tracing_context(enabled=True, client=client, project_name=project):
            yield client
        client.flush(timeout=HANGS_S)
    finally:
        client.cleanup()
