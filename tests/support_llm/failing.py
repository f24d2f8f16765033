"""Requests of the inn that failed, what a model makes of them, and `wavegraph lessons …` over them."""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from endpoint import Endpoint, Received, Turn, teaches
from typer.testing import CliRunner, Result

from wavegraph.app.main import app
from wavegraph.app.storage.open import open_storage
from wavegraph.graph.request.records import records_of

GAP = {"attempt": 1, "criterion": "completeness", "gap": "breakfast is missing", "checked_by": "scripted"}
BROKEN = {
    "type": "broken_plan", "tool_id": "x", "message": "no tool 'get_pool'", "severity": "critical", "rule": "unknown_tool",
}  # fmt: skip
BAD = {"verdict": "bad", "why": "I asked for a lake view", "given_at": "2026-11-20T10:00:00+00:00"}


def record(text: str = "is there breakfast?", number: int = 1, **changes: Any) -> dict[str, Any]:
    """One closed request of the inn; nothing failed in it."""
    asked = {"id": f"m{number}", "number": number, "text": text, "language": "en"}
    whole: dict[str, Any] = {"domain": "inn", "request": asked, "answer": "Yes.", "outcome": "answered", "issues": [], "calls": [],
             "answer_failures": [], "unsupported": [], "feedback": None,
             "ended_at": f"2026-11-20T10:00:{number % 60:02}+00:00"}  # fmt: skip
    return {**whole, **changes}


def lesson(text: str, reader: str = "writer", group: str = "g1") -> dict[str, Any]:
    return {"group": group, "reader": reader, "text": text}


def taught(*lessons: Any, **more: Any) -> Turn:
    return teaches({"lessons": list(lessons)}, **more)


@dataclass
class Desk:
    """`wavegraph lessons …` for the inn."""

    database: str
    folder: Path
    lessons: Path

    def __call__(self, *words: str, typed: str = "") -> Result:
        line = ["lessons", *words, "--domain", "inn:build", "--db", self.database]
        return CliRunner().invoke(app, line, input=typed, catch_exceptions=False)

    def json(self, *words: str) -> Any:
        done = self(*words, "--json")
        assert done.exit_code == 0, done.output
        return json.loads(done.stdout)

    def says(self, *words: str) -> str:
        done = self(*words)
        assert done.exit_code == 0, done.output
        return done.stdout

    def refuses(self, *words: str, status: int = 2) -> str:
        done = self(*words)
        assert done.exit_code == status, done.output
        return done.stderr

    def store(self, *records: Mapping[str, Any]) -> None:
        """Each on a thread of its own, if it names none."""

        async def put() -> None:
            async with open_storage(self.database) as storage:
                for n, record in enumerate(records):
                    thread = record.get("thread", f"t{n}")
                    await storage.store.aput(records_of(thread), record["request"]["id"], dict(record), index=False)

        asyncio.run(put())

    def ask(self, endpoint: Endpoint, *turns: Turn) -> list[Received]:
        """What models received for one request."""
        endpoint.plays(*turns)
        before = len(endpoint.received)
        line = ["ask", "beds on 2026-12-05?", "--domain", "inn:build", "--db", self.database]
        done = CliRunner().invoke(app, line, catch_exceptions=False)
        assert done.exit_code == 0, done.output
        return endpoint.received[before:]

    @property
    def file(self) -> Path:
        return self.lessons / "inn.json"
