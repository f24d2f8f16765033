"""The roster agent in a process of its own, over an SQLite file: to be killed in mid-solve, and gone on with in a new one.

Started as a program: `roster_driver.py FOLDER ask` asks for a roster and solves for ten minutes, `FOLDER resume` goes on
with it for a little work; a third argument is a PostgreSQL database for both, in place of the folder. Prints an event a line as JSON, and at its end the result.
"""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from roster_loop import Desk

from wavegraph.app.storage.open import open_storage


async def main(folder: Path, step: str, database: str | None = None) -> None:
    async with open_storage(database or str(folder / "threads.db")) as storage:
        desk = Desk(folder, checkpointer=storage.checkpointer, database=database, watch=_print)
        if step == "ask":
            result = await desk.ask("harbour", time_limit_s=600, max_adaptations=0)
        else:
            result = await desk.go_on(work_limit=0.1, max_adaptations=0)
    _print({"event": "ended", "outcome": result.outcome, "rounds": desk.rounds})


def _print(event: Any) -> None:
    print(json.dumps(event, default=str), flush=True)


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), *sys.argv[2:]))
