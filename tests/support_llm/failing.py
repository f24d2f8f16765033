"""Requests of the inn that failed, and what a model makes of them."""

import asyncio
from collections.abc import Mapping
from typing import Any

from endpoint import Turn, teaches

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


def lesson(text: str, group: str = "g1") -> dict[str, Any]:
    return {"group": group, "text": text}


def taught(*lessons: Any, **more: Any) -> Turn:
    return teaches({"lessons": list(lessons)}, **more)


def store_records(database: str, *records: Mapping[str, Any]) -> None:
    """Each on a thread of its own, if it names none."""

    async def put() -> None:
        async with open_storage(database) as storage:
            for n, record in enumerate(records):
                thread = record.get("thread", f"t{n}")
                await storage.store.aput(records_of(thread), record["request"]["id"], dict(record), index=False)

    asyncio.run(put())
