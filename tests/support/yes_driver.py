"""Books in conversations of their own, in processes that are killed (SIGKILL) at a chosen point of the yes, and says yes
again in new ones; or says yes and no at once in two processes.

Started as a program with a job as JSON on stdin: see `crash_driver`, whose kills these are; besides them `_book` and
`_hold`, when that write of the property is committed and its caller knows nothing of it yet.
"""

import asyncio
import json
import re
import sys
from pathlib import Path
from typing import Any

import booking_driver
from crash_driver import Case, dies_at_a_checkpoint, forked

from wavegraph import build_graph
from wavegraph.app.run.result import Result
from wavegraph.app.run.runner import NothingToResume, resume, run
from wavegraph.app.storage.database import Storage
from wavegraph.app.storage.open import open_storage
from wavegraph.graph.errors import ThreadBusy
from wavegraph.tools.hotel.domain import hotel_domain
from wavegraph.tools.hotel.property import store

WISH = "Book a double room March 4-6 2030 for two adults, Dana Levi, dana@example.com"
SETTINGS = {"property_id": "small", "today": booking_driver.TODAY.isoformat(), "planner": "rules"}
MOST_YESES = 3


def _graph(storage: Storage) -> Any:
    return build_graph(hotel_domain()).compile(checkpointer=storage.checkpointer, store=storage.store)


def _booked(done: Result) -> dict[str, Any] | None:
    """`reference`, and whether it was booked before (`repeated`): also where the answer says that the booking stands."""
    booked = done.results.get("create_booking")
    if booked and booked["status"] == "ok":
        return dict(booked["data"])
    stands = re.match(r"Booking (WG-\w+) stands", done.answer)
    return {"reference": stands[1], "repeated": True} if stands else None


async def first(database: str, way: str, case: Case) -> dict[str, Any]:
    """The wish, which is asked about, and the yes in which it dies."""
    async with open_storage(database) as storage:
        graph = _graph(storage)
        asked = await run(graph, WISH, thread_id=case.id, settings=SETTINGS)
        assert asked.outcome == "awaiting_approval", asked.answer
        dies_at_a_checkpoint(storage, case)
        if ":" not in case.die:
            booking_driver.dies_at_the_end(case.die)
        done = await run(graph, "yes", thread_id=case.id, settings=SETTINGS)
        return {"told": [_booked(done)]}


async def again(database: str, way: str, case: Case) -> dict[str, Any]:
    """`way`: what comes first, `yes` or `resume`; then yes until it is booked, and once more. What each time was told."""
    async with open_storage(database) as storage:
        graph = _graph(storage)
        told: list[dict[str, Any] | None] = []
        if way == "resume":
            try:
                told.append(_booked(await resume(graph, case.id, settings=SETTINGS)))
            except NothingToResume:
                told.append(None)
        while len(told) < MOST_YESES and not any(told):
            told.append(_booked(await run(graph, "yes", thread_id=case.id, settings=SETTINGS)))
        told.append(_booked(await run(graph, "yes", thread_id=case.id, settings=SETTINGS)))
        return {"told": told}


async def ask(database: str, count: str, case: Case) -> dict[str, Any]:
    """So many wishes, each asked about on a thread of its own; by the first case alone."""
    async with open_storage(database) as storage:
        for n in range(int(count) if case.id == "yes" else 0):
            asked = await run(_graph(storage), _wish_of(n), thread_id=f"t{n}", settings=SETTINGS)
            assert asked.outcome == "awaiting_approval", asked.answer
    return {}


async def say(database: str, count: str, case: Case) -> dict[str, Any]:
    """The case's own word on every thread, now before and now after the other's. What each thread said to it."""
    told: dict[str, str | None] = {}
    async with open_storage(database) as storage:
        graph = _graph(storage)
        for n in range(int(count)):
            await asyncio.sleep(0.0 if case.id == "yes" else 0.06 * (n % 5))
            try:
                told[_guest(n)] = (await run(graph, case.id, thread_id=f"t{n}", settings=SETTINGS)).answer
            except ThreadBusy:
                told[_guest(n)] = None
    return told


def _guest(n: int) -> str:
    return f"guest{n}@example.com"


def _wish_of(n: int) -> str:
    return WISH.replace("dana@example.com", _guest(n))


def main() -> None:
    job = json.load(sys.stdin)
    cases = [Case(each["id"], each["die"], Path(job["folder"])) for each in job["cases"]]
    steps = [work for work in (first, again, ask, say) if work.__name__ in job["steps"]]
    json.dump({work.__name__: forked(work, job["database"], job["agent"], cases) for work in steps}, sys.stdout)


if __name__ == "__main__":
    store.connect = booking_driver.connect
    main()
