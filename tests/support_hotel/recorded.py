"""A database of recorded requests, made by really running the hotel on guests' words, and hand-made records."""

import asyncio
import copy
import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import inf
from pathlib import Path
from typing import Any

from hotel_runs import OUTLASTS, PATIENT, TODAY, FaultyProperty, domain_of
from patience import until
from runs import compiled

from wavegraph import CancelHandle, ToolRefusal
from wavegraph.app.run.result import Result
from wavegraph.app.run.runner import run
from wavegraph.app.storage.database import Storage
from wavegraph.app.storage.open import open_storage
from wavegraph.graph.request.records import records_of
from wavegraph.tools.hotel.property.port import open_property

TEXTS = (
    "Check availability for January 17-19, 2 adults",
    "a room for two adults from 3 to 5 December",
    "2 adults and 2 kids, Dec 28 to Jan 1",
    "same but two rooms",
    "what rooms do you have?",
    "when is check-in?",
    "is there parking?",
    "Is there a room for Hanukkah?",
    "a family suite for Passover, 2 adults and 3 children",
    "a room next weekend",
    "a room",
    "for two adults",
    "tomorrow, one night, one adult",
    "hello",
    "asdf qwer",
    "cancel everything in the world",
    "do you allow dogs?",
    "what is the cheapest room 10-12 January for 2 adults?",
    "compare the sea view and the double, 10-12 January",
    "30 adults from 3 to 5 December",
    "a room for 2 adults last week",
    "a room from 5 to 3 December 2026",
    "יש חדר לזוג בסוף השבוע הבא?",
    "חדר לשני מבוגרים וילד מ-3 עד 5 בדצמבר",
    "מתי ארוחת הבוקר?",
    "כמה עולה לילה בחנוכה?",
    "שלום",
    "book the double for Dana Levi, 17-19 January, 2 adults",
    "<script>alert('x')</script> a room on 3 December for 2 adults",
    "a room for 2 adults for three months from 1 January",
)


@dataclass(frozen=True)
class Failing:
    """A request to a house that fails in its own way."""

    text: str
    acts: tuple[BaseException | float, ...]
    settings: dict[str, Any]


BAD_ANSWER = ToolRefusal("bad_response", "not JSON", retryable=True)
STAY = "Check availability for January 17-19, 2 adults"
FAILING = (
    Failing(STAY, (ConnectionError("reset"),), {}),
    Failing(STAY, (BAD_ANSWER, BAD_ANSWER), {}),
    Failing(STAY, (ToolRefusal("auth", "refused"), ToolRefusal("auth", "refused")), {}),
    Failing(STAY, OUTLASTS, PATIENT),
    Failing("Check January 17-19 and January 24-26, 2 adults", (RuntimeError("broken"),), {}),
    Failing("Is there a room for Hanukkah?", (), {"max_tool_calls": 1}),
)


async def record(database: str, data_dir: Path, *, rounds: int, stopped: int = 2) -> list[Result]:
    """Ask everything `rounds` times, each round on threads of its own; then `stopped` requests that a person stops."""
    house = open_property("sandbox", data_dir=data_dir)
    results: list[Result] = []
    async with open_storage(database) as storage:
        graph = _graph(storage, FaultyProperty(house))
        for number in range(rounds):
            for at, text in enumerate(TEXTS):
                results.append(await run(graph, text, thread_id=f"r{number}.{at // 3}", settings={"today": TODAY}))
            for at, failing in enumerate(FAILING):
                faulty = _graph(storage, FaultyProperty(house, *failing.acts))
                settings = {"today": TODAY, **failing.settings}
                results.append(await run(faulty, failing.text, thread_id=f"f{number}.{at}", settings=settings))
        for number in range(stopped):
            results.append(await _stopped(storage, FaultyProperty(house, inf), f"s{number}"))
    return results


def _graph(storage: Storage, house: FaultyProperty) -> Any:
    return compiled(domain_of(house), checkpointer=storage.checkpointer, store=storage.store)


async def _stopped(storage: Storage, house: FaultyProperty, thread_id: str) -> Result:
    cancel = CancelHandle()
    work = asyncio.ensure_future(
        run(_graph(storage, house), STAY, thread_id=thread_id, settings={"today": TODAY}, cancel=cancel)
    )
    await until(lambda: house.asked)
    cancel.cancel()
    return await work


async def store(database: str, *records: tuple[str, dict[str, Any]]) -> None:
    """Put records, by thread, into a database; each under an id of its own."""
    async with open_storage(database) as storage:
        for number, (thread_id, value) in enumerate(records):
            await storage.store.aput(records_of(thread_id), f"request-{number}", value)


GAPS = {
    "completeness": ("the second week was asked for too", "no price for the child's bed", "לא נאמר מה כלול במחיר"),
    "accuracy": ("traces to no result: 1,250 NIS",),
    "alternatives": ("full, and no other dates are offered",),
    "clarity": ("the total is hard to find among the nights",),
}
REASONS = (
    "exactly what I asked",
    "הטון נעים, תודה",
    "it did not say whether breakfast is in the price",
    "<b>wrong</b> dates",
)


def varied(real: Sequence[dict[str, Any]], count: int, last: datetime) -> list[dict[str, Any]]:
    """`count` records made of real ones, as a model-run hotel of three weeks would have left them; the same each time."""
    chance = random.Random(6)
    return [_varied(copy.deepcopy(chance.choice(real)), chance, last) for _ in range(count)]


def _varied(record: dict[str, Any], chance: random.Random, last: datetime) -> dict[str, Any]:
    by_model = chance.random() < 0.7
    record["ended_at"] = (last - timedelta(days=chance.random() ** 1.3 * 20)).isoformat(timespec="milliseconds")
    record["feedback"] = _feedback(chance, record["ended_at"]) if chance.random() < 0.15 else None
    for call in record["calls"]:
        call["elapsed_s"] = round(call["elapsed_s"] * chance.lognormvariate(1.5, 1), 3)
    if by_model:
        _by_model(record, chance)
    record["elapsed_s"] = round(sum(record["times"].values()), 3)
    return record


def _by_model(record: dict[str, Any], chance: random.Random) -> None:
    record["planner"], record["llm_calls"] = "llm", chance.randint(2, 5)
    record["llm_tokens"] = {"input": chance.randint(2000, 9000), "output": chance.randint(150, 900)}
    record["times"] = {
        step: took + chance.lognormvariate(0, 0.5) * ("wave" not in step) for step, took in record["times"].items()
    }
    judge = "unavailable" if chance.random() < 0.04 else "judge-mini"
    record["answer_check"] = {**record["answer_check"], "checked_by": judge}
    if judge != "unavailable" and chance.random() < 0.2:
        _failed_once(record, chance, judge)


def _failed_once(record: dict[str, Any], chance: random.Random, judge: str) -> None:
    criterion = chance.choice(list(GAPS))
    gap, mended = chance.choice(GAPS[criterion]), chance.random() < 0.6
    record["rewrites" if criterion == "accuracy" else "answer_replans"] = 1
    attempts = (1,) if mended else (1, 2)
    record["answer_failures"] = [
        {"attempt": attempt, "criterion": criterion, "gap": gap, "checked_by": judge} for attempt in attempts
    ]
    verdict = {"name": criterion, "verdict": "pass" if mended else "fail", "gap": None if mended else gap}
    record["answer_check"] = {**record["answer_check"], "satisfied": mended, "criteria": [verdict]}
    if not mended:
        record["limits_hit"], record["outcome"] = [*record["limits_hit"], "max_answer_replans"], "partial"


def _feedback(chance: random.Random, at: str) -> dict[str, Any]:
    verdict = "good" if chance.random() < 0.7 else "bad"
    why = chance.choice(REASONS[:2] if verdict == "good" else REASONS[2:]) if chance.random() < 0.6 else ""
    return {"verdict": verdict, "why": why, "given_at": at}
