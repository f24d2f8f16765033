"""Many callers on one thread, in several processes at once; and a process that is killed while it works on one.

Started as a program with a job as JSON on stdin. It imports everything once and forks for each process.
"""

import asyncio
import json
import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

from crash_driver import Case, forked
from runs import compiled
from warehouse import Clerk, Warehouse

from wavegraph import ThreadBusy, run
from wavegraph.app.storage.database import Storage
from wavegraph.app.storage.open import open_storage
from wavegraph.testing import call, planning
from wavegraph.tools.postgres.databases import is_postgres

THREAD = "t"


def graph_on(storage: Storage, warehouse: Warehouse) -> Any:
    """Counts bolts, and names the request in its answer."""
    clerk = Clerk(
        lambda view: planning(call("bolts", "count", sku="bolt")), lambda view: f"answer to {view.request['text']}"
    )
    return compiled(warehouse.domain(offline=clerk), checkpointer=storage.checkpointer, store=storage.store)


async def callers(database: str, count: str, case: Case) -> dict[str, Any]:
    """So many callers at once; each asks until it is answered. What they were told, and how often to wait."""
    async with open_storage(database) as storage:
        graph = graph_on(storage, Warehouse())
        busy = [0]

        async def ask(name: str) -> str:
            while True:
                try:
                    return (await run(graph, name, thread_id=THREAD)).answer
                except ThreadBusy:
                    busy[0] += 1
                    await asyncio.sleep(0.1)

        names = [f"{case.id}-{n}" for n in range(int(count))]
        while time.time() < float(case.die):  # all processes begin together
            await asyncio.sleep(0.001)
        told = await asyncio.gather(*map(ask, names))
        return {"told": dict(zip(names, told, strict=True)), "busy": busy[0]}


async def killed(database: str, way: str, case: Case) -> dict[str, Any]:
    """Dies in the middle of its work."""
    async with open_storage(database) as storage:
        warehouse = Warehouse().on("count", "bolt", lambda: os.kill(os.getpid(), signal.SIGKILL))
        await run(graph_on(storage, warehouse), "killed", thread_id=THREAD)
    return {}


WORKS = {work.__name__: work for work in (callers, killed)}


def main() -> None:
    job = json.load(sys.stdin)
    if is_postgres(job["database"]):
        import wavegraph.app.storage.postgres  # noqa: F401  once, and not in each process
    begin = str(time.time() + 0.5)
    cases = [Case(name, begin, Path(job["folder"])) for name in job["names"]]
    json.dump(forked(WORKS[job["work"]], job["database"], job["way"], cases), sys.stdout)


if __name__ == "__main__":
    main()
