"""`wavegraph feedback`: a person's verdict on a thread's last answer."""

from dataclasses import asdict
from typing import Annotated

import typer
from rich.text import Text

from wavegraph.app.run.feedback import StoredFeedback, Verdict, give_feedback
from wavegraph.app.run.threads import Threads, shortened
from wavegraph.app.storage.database import Storage
from wavegraph.app.terminal.door import Console, print_json
from wavegraph.app.terminal.options import DatabaseOption, JsonOption, ThreadArgument
from wavegraph.app.terminal.storage import with_storage


def feedback(
    thread: ThreadArgument,
    verdict: Annotated[
        Verdict, typer.Argument(metavar="good|bad", help="Your verdict on the answer.", show_default=False)
    ],
    why: Annotated[str, typer.Option(metavar="TEXT", help="The reason, in a few words.")] = "",
    as_json: JsonOption = False,
    database: DatabaseOption = None,
) -> None:
    """Judge a thread's last answer good or bad; a new verdict replaces the earlier one."""

    async def given(storage: Storage) -> StoredFeedback:
        await Threads(storage.checkpointer, storage.store).get(thread)
        return await give_feedback(storage.store, thread, verdict, why)

    kept = with_storage(database, given)
    if as_json:
        print_json(asdict(kept))
    else:
        where = ", and sent to LangSmith" if kept.posted else ""
        line = f"{kept.feedback['verdict']}: kept with {shortened(kept.request)!r}{where}"
        Console().print(Text(line), soft_wrap=True)
    if kept.posted is False:
        line = "LangSmith could not be reached; the verdict is kept here"
        Console(stderr=True).print(Text(line, style="dim"), soft_wrap=True)
