"""`wavegraph feedback`: what a person says of a thread's last answer."""

import asyncio
import json
from dataclasses import asdict
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from wavegraph.app.run.feedback import Given, Verdict, give_feedback
from wavegraph.app.run.threads import Threads, shortened
from wavegraph.app.storage.database import default_database
from wavegraph.app.storage.open import open_storage
from wavegraph.app.terminal.exit_errors import told
from wavegraph.app.terminal.options import DatabaseOption, JsonOption, ThreadArgument


def feedback(
    thread: ThreadArgument,
    verdict: Annotated[Verdict, typer.Argument(metavar="good|bad", help="What the answer was.", show_default=False)],
    why: Annotated[str, typer.Option(metavar="TEXT", help="The reason, in a few words.")] = "",
    as_json: JsonOption = False,
    database: DatabaseOption = None,
) -> None:
    """Say of a thread's last answer that it was good or bad; saying it again replaces it."""
    console = Console(stderr=True, highlight=False)

    async def given() -> Given:
        async with open_storage(str(default_database()) if database is None else database) as storage:
            await Threads(storage.checkpointer, storage.store).get(thread)
            return await give_feedback(storage.store, thread, verdict, why)

    with told(console):
        kept = asyncio.run(given())
    if as_json:
        print(json.dumps(asdict(kept), ensure_ascii=False))
    else:
        Console(highlight=False).print(Text(_line(kept)), soft_wrap=True)
    if kept.posted is False:
        console.print(Text("LangSmith could not be told; the verdict is kept here", style="dim"), soft_wrap=True)


def _line(kept: Given) -> str:
    where = ", and told to LangSmith" if kept.posted else ""
    return f"{kept.feedback['verdict']}: kept with {shortened(kept.request)!r}{where}"
