"""`wavegraph threads`: list, show and delete conversations."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any

import typer
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from wavegraph.app.agents import DEFAULT_DOMAIN, agent
from wavegraph.app.run.feedback import closed_requests
from wavegraph.app.run.runner import conversation
from wavegraph.app.run.threads import ThreadRow, Threads, shortened
from wavegraph.app.storage.database import Storage
from wavegraph.app.terminal.options import DatabaseOption, DomainOption, JsonOption, ThreadArgument
from wavegraph.app.terminal.session import with_storage

threads = typer.Typer(no_args_is_help=True, help="List, show and delete conversations.")

_UNITS = {"h": "hours", "d": "days", "w": "weeks"}
LONGEST_SHOWN = 60
"""Characters of a request in the list."""
SHORTEST_SHOWN = 12
"""Columns left for the requests, however narrow the terminal is; it wraps the lines itself."""


@threads.command("list")
def list_(
    as_json: JsonOption = False,
    limit: Annotated[int, typer.Option(min=0, help="At most so many threads, the latest first; 0 = all.")] = 50,
    database: DatabaseOption = None,
) -> None:
    """List conversations, the latest first."""
    found = with_storage(database, lambda storage: _threads(storage).latest(limit or None))
    if as_json:
        print(json.dumps([asdict(row) | {"state": _state(row)} for row in found], ensure_ascii=False))
        return
    console = Console(highlight=False)
    # A list written to a file or a pipe is not cut to a terminal's width.
    table = listing(found, console.width if console.is_terminal else 1000)
    console.print(table, width=1000, no_wrap=True, crop=False, overflow="ignore", soft_wrap=True)


@threads.command()
def show(
    thread: ThreadArgument,
    as_json: JsonOption = False,
    database: DatabaseOption = None,
    domain: DomainOption = DEFAULT_DOMAIN,
) -> None:
    """Show a conversation."""
    row, messages, verdicts = with_storage(database, lambda storage: _read(storage, thread, domain))
    entries = _judged_messages(messages, verdicts)
    if as_json:
        print(json.dumps(asdict(row) | {"state": _state(row), "messages": entries}, ensure_ascii=False))
        return
    whose = f" · user {row.user_id}" if row.user_id else ""
    console = Console(highlight=False)
    console.print(Text(f"thread {thread} · {_when(row)}{whose} · {_state(row)}", style="dim"), soft_wrap=True)
    for message in entries:
        who = "you> " if message["role"] == "user" else ""
        console.print(Text(f"{who}{message['text']}"), soft_wrap=True)
        if verdict := message.get("feedback"):
            why = f": {verdict['why']}" if verdict["why"] else ""
            console.print(Text(f"[judged {verdict['verdict']}{why}]", style="dim"), soft_wrap=True)


@threads.command()
def delete(thread: ThreadArgument, database: DatabaseOption = None) -> None:
    """Delete a conversation: its checkpoints and its records."""
    with_storage(database, lambda storage: _threads(storage).delete(thread))
    print(f"deleted {thread}")


@threads.command()
def prune(
    older_than: Annotated[str, typer.Option(metavar="AGE", help="Such as 30d, 12h or 2w.", show_default=False)],
    database: DatabaseOption = None,
) -> None:
    """Delete the conversations that were not used for a while."""
    before = datetime.now(UTC) - _age(older_than)
    gone = with_storage(database, lambda storage: _threads(storage).prune(before))
    print(f"deleted {len(gone)} thread{'' if len(gone) == 1 else 's'}")


def _threads(storage: Storage) -> Threads:
    return Threads(storage.checkpointer, storage.store)


async def _read(storage: Storage, thread_id: str, domain: str) -> tuple[ThreadRow, list[Any], dict[str, Any]]:
    """The thread, its messages, and the verdicts on its answers, by the id of the message that asked."""
    row = await _threads(storage).get(thread_id)
    graph = agent(domain).graph().compile(checkpointer=storage.checkpointer, store=storage.store, name=domain)
    records = await closed_requests(storage.store, thread_id)
    verdicts = {request: record["feedback"] for request, record in records.items() if record.get("feedback")}
    return row, await conversation(graph, thread_id), verdicts


def _judged_messages(messages: Sequence[Any], verdicts: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The messages as records, each judged answer with its verdict."""
    entries: list[dict[str, Any]] = []
    verdict = None
    for message in messages:
        is_question = message.type == "human"
        verdict = verdicts.get(message.id) if is_question else verdict
        judged = {"feedback": verdict} if verdict and not is_question else {}
        entries.append({"role": "user" if is_question else "assistant", "text": message.text, **judged})
    return entries


def _age(text: str) -> timedelta:
    if (match := re.fullmatch(r"(\d{1,6})([hdw])", text.strip())) is None:
        raise typer.BadParameter(
            f"{text!r} is not an age; write a number of hours, days or weeks, such as 30d, 12h or 2w"
        )
    return timedelta(**{_UNITS[match[2]]: int(match[1])})


def listing(found: Sequence[ThreadRow], width: int) -> Table:
    """The list, `width` columns wide if possible: only requests are cut, so that ids can be copied."""
    names = ("thread", "last", "user", "outcome", "request")
    rows = [[r.thread_id, _when(r), r.user_id or "", _state(r), shortened(r.request, LONGEST_SHOWN)] for r in found]
    widths = [max(map(cell_len, column)) for column in zip(names, *rows, strict=True)]
    left = max(width - sum(widths[:-1]) - 2 * (len(widths) - 1), SHORTEST_SHOWN)
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name, needed in zip(names, [*widths[:-1], min(left, widths[-1])], strict=True):
        table.add_column(name, no_wrap=True, overflow="ellipsis", width=needed)
    for cells in rows:
        table.add_row(*map(Text, cells))
    return table


def _state(row: ThreadRow) -> str:
    if row.outcome == "awaiting_approval":
        return "waits for a reply"
    if row.can_resume:
        return "stopped, can be resumed" if row.outcome == "cancelled" else "not ended, can be resumed"
    return row.outcome or ""


def _when(row: ThreadRow) -> str:
    return f"{datetime.fromisoformat(row.updated).astimezone():%Y-%m-%d %H:%M}" if row.updated else ""
