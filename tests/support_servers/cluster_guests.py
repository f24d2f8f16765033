"""Guests of a hotel on a cluster: each asks, books and says yes by the question's id, on one API after the other."""

import shutil
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import cycle
from pathlib import Path
from typing import Any

from aegra_house import ROOT, said
from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient

from wavegraph.graph.hotel import import_hotel

PROPERTY = "beit-haerez"
"""The hotel of `examples/own_hotel`."""
ROOM_TYPES: Mapping[str, str] = {"GARDEN": "Garden Room", "LOFT": "Cedar Loft"}
TODAY = date(2026, 11, 20)
STREAM_MODES: Any = ["values", "custom", "messages-tuple"]
"""Those of the console."""


def import_with_rooms(folder: Path, database: str, rooms: int) -> None:
    """The hotel with so many rooms of each type, and without rules about the length of a stay."""
    shutil.copytree(ROOT / "examples" / "own_hotel", folder)
    inventory = [f"{code},2026-11-01,2028-12-31,,{rooms},0,no" for code in (*ROOM_TYPES, "CABIN")]
    header = "room_type,date_from,date_to,weekdays,rooms,sold,stop_sell"
    (folder / "inventory.csv").write_text("\n".join([header, *inventory, ""]), encoding="utf-8")
    (folder / "restrictions.csv").unlink()
    import_hotel(folder, database=database)


@dataclass(frozen=True)
class Turn:
    """What came of one run."""

    values: dict[str, Any]
    """The state as it was last streamed."""
    seconds: float
    events: int

    @property
    def question(self) -> dict[str, Any] | None:
        """What waits for a yes."""
        asked = self.values.get("__interrupt__") or [None]
        return dict(asked[0]) if asked[0] else None

    @property
    def reference(self) -> str | None:
        """Of what was booked."""
        outcome = (self.values.get("results") or {}).get("create_booking")
        return str(outcome["data"]["reference"]) if outcome and outcome["status"] == "ok" else None


class Guest:
    """One conversation; the next run goes to the next API."""

    def __init__(self, clients: Sequence[LangGraphClient], number: int, property_id: str = PROPERTY) -> None:
        self.number = number
        self.turns: list[Turn] = []
        self.thread = ""
        self._clients: Iterator[LangGraphClient] = cycle([*clients[number % len(clients) :], *clients])
        self._context: Any = {"today": TODAY.isoformat(), "property_id": property_id, "language": "en"}

    @property
    def email(self) -> str:
        return f"guest{self.number}@example.com"

    async def begin(self) -> None:
        self.thread = (await next(self._clients).threads.create())["thread_id"]

    async def say(self, text: str) -> Turn:
        return await self._run(input=said(text))

    async def approve(self, question: Mapping[str, Any]) -> Turn:
        """Raises an API's refusal."""
        answer = {"decision": "approve", "terms_hash": question["value"]["terms_hash"]}
        return await self._run(command={"resume": {question["id"]: answer}})

    async def _run(self, **given: Any) -> Turn:
        client, began = next(self._clients), time.monotonic()
        values: dict[str, Any] = {}
        events = 0
        async for part in client.runs.stream(
            self.thread, "hotel", context=self._context, stream_mode=STREAM_MODES, **given
        ):
            events += 1
            if part.event == "values":
                values = part.data
            elif part.event == "error":
                raise RuntimeError(f"a run failed: {part.data}")
        self.turns.append(Turn(values, time.monotonic() - began, events))
        return self.turns[-1]


def clients_of(urls: Sequence[str]) -> list[LangGraphClient]:
    return [get_client(url=url, api_key=None, timeout=300) for url in urls]


async def close(clients: Sequence[LangGraphClient]) -> None:
    for client in clients:
        await client.http.client.aclose()
