"""LangSmith's data sets and experiments on a loopback: keeps what is written, as records by id."""

import json
from datetime import UTC, datetime
from typing import Any
from urllib.parse import parse_qs, urlsplit
from uuid import uuid4

from canary_traces import LANGSMITH
from loopback import JsonHandler, LoopbackServer

Records = dict[str, dict[str, Any]]


class LangSmithDatasets(LoopbackServer):
    """Use it in a `with`. `fails_on`: the path whose requests it refuses."""

    def __init__(self) -> None:
        super().__init__(_Handler)
        self.datasets: Records = {}
        self.examples: Records = {}
        self.sessions: Records = {}
        self.runs: Records = {}
        self.feedback: Records = {}
        self.keys: set[str | None] = set()
        self.changed: list[str] = []
        """Ids of examples that were written again."""
        self.fails_on: str | None = None


class _Handler(JsonHandler):
    server: LangSmithDatasets

    def do_GET(self) -> None:
        self._answer({})

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.path.startswith("/runs/"):  # traces, which are none of this
            self.reply(202, {})
        else:
            self._answer(json.loads(body))

    do_PATCH = do_POST

    def _answer(self, told: Any) -> None:
        url = urlsplit(self.path)
        self.server.keys.add(self.headers.get("x-api-key"))
        kind, _, name = url.path.strip("/").partition("/")
        asked = {key: values[0] for key, values in parse_qs(url.query).items()}
        if kind == self.server.fails_on:
            self.reply(403, {"detail": f"no place for {self.headers.get('x-api-key')}"})
        elif kind == "info":
            self.reply(200, LANGSMITH)
        elif self.command == "GET":
            self.reply(200, self._found(kind, asked))
        elif self.command == "PATCH":
            self._records(kind)[name].update({key: value for key, value in told.items() if value is not None})
            self.server.changed += [name] if kind == "examples" else []
            self.reply(200, self._records(kind)[name])
        else:
            self.reply(200, [self._kept(kind, each) for each in told] if name == "bulk" else self._kept(kind, told))

    def _records(self, kind: str) -> Records:
        records: Records = getattr(self.server, kind)
        return records

    def _found(self, kind: str, asked: dict[str, str]) -> list[dict[str, Any]]:
        everything = list(self._records(kind).values())
        if kind == "datasets":
            return [each for each in everything if each["name"] == asked["name"]]
        if kind == "sessions":
            return everything
        return [each for each in everything if each["dataset_id"] == asked["dataset"]][int(asked.get("offset", 0)) :]

    def _kept(self, kind: str, told: dict[str, Any]) -> dict[str, Any]:
        now = datetime.now(UTC).isoformat()
        own = {"datasets": {"created_at": now}, "sessions": {"tenant_id": str(uuid4()), "start_time": now}}
        record = {"id": str(uuid4()), **own.get(kind, {}), **told}
        self._records(kind)[record["id"]] = record
        return record
