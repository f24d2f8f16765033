"""`wavegraph threads`: list conversations, show or delete one."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any

import typer
from rich.cells import cell_len, set_cell_size
from rich.text import Text

from wavegraph.app.agents import DEFAULT_DOMAIN, agent
from wavegraph.app.pages.numbers import counted
from wavegraph.app.plain_text import plain, visible
from wavegraph.app.run.feedback import closed_requests
from wavegraph.app.run.threads import ThreadRow, Threads
from wavegraph.app.storage.database import Storage
from wavegraph.app.terminal.door import Console, print_json, print_text
from wavegraph.app.terminal.exit_errors import tell_left_out
from wavegraph.app.terminal.options import DatabaseOption, DomainOption, JsonOption, thread_ids
from wavegraph.app.terminal.shell_words import shown_id
from wavegraph.app.terminal.storage import with_storage

_UNITS = {"h": "hours", "d": "days", "w": "weeks"}
COLUMNS = ("thread", "last", "user", "outcome", "request")
LONGEST_SHOWN = 60
"""Columns of a request in the list on a terminal."""
SHORTEST = {4: 12, 2: 8}
"""Columns left for requests and users, however narrow the terminal is; it wraps the lines itself."""


def threads(
    thread: Annotated[
        str | None,
        typer.Argument(
            metavar="[THREAD]",
            help="Show this one; --domain says whose it is.",
            show_default=False,
            callback=thread_ids,
        ),
    ] = None,
    limit: Annotated[int, typer.Option(min=0, help="At most so many, the latest first; 0 = all.")] = 50,
    delete: Annotated[
        bool, typer.Option("--delete", help="Delete it: its checkpoints and its records. Or those of --older-than.")
    ] = False,
    older_than: Annotated[
        str | None, typer.Option(metavar="AGE", help="With --delete: not used for that long, such as 30d, 12h or 2w.")
    ] = None,
    as_json: JsonOption = False,
    database: DatabaseOption = None,
    domain: DomainOption = "",
) -> None:
    """List conversations, the latest first; show or delete one."""
    if (delete and (thread is None) == (older_than is None)) or (older_than is not None and not delete):
        raise typer.BadParameter("--delete takes a THREAD, or --older-than AGE for all that were not used for so long")
    if domain and thread is None:
        raise typer.BadParameter(
            "--domain says whose conversation THREAD is: name a THREAD, or leave --domain out for all of them"
        )
    if delete:
        _delete(thread, older_than, database)
    elif thread is None:
        _list(limit, as_json, database)
    else:
        _show(thread, as_json, database, domain or DEFAULT_DOMAIN)


def _list(limit: int, as_json: bool, database: str | None) -> None:
    found = with_storage(database, lambda storage: _threads(storage).latest(limit or None, tell_left_out))
    if as_json:
        print_json([asdict(row) | {"state": _state(row)} for row in found])
        return
    console = Console()
    for number, line in enumerate(listing(found, console.width if console.is_terminal else None)):
        console.print(Text(line, style="" if number else "bold"), soft_wrap=True)


def _show(thread: str, as_json: bool, database: str | None, domain: str) -> None:
    row, messages, verdicts = with_storage(database, lambda storage: _read(storage, thread, domain))
    entries = _judged_messages(messages, verdicts)
    if as_json:
        print_json(asdict(row) | {"state": _state(row), "messages": entries})
        return
    whose = f" · user {shown_id(row.user_id)}" if row.user_id else ""
    console = Console()
    console.print(Text(f"thread {shown_id(thread)} · {_when(row)}{whose} · {_state(row)}", style="dim"), soft_wrap=True)
    for message in entries:
        text = visible(message["text"])
        console.print(Text(_asked(text) if message["role"] == "user" else text), soft_wrap=True)
        if verdict := message.get("feedback"):
            why = f": {plain(verdict['why'])}" if verdict["why"] else ""
            console.print(Text(f"[judged {verdict['verdict']}{why}]", style="dim"), soft_wrap=True)


def _delete(thread: str | None, older_than: str | None, database: str | None) -> None:
    if thread is not None:
        with_storage(database, lambda storage: _threads(storage).delete(thread))
        print_text(f"deleted {shown_id(thread)}")
    elif older_than is not None:
        before = datetime.now(UTC) - _age(older_than)
        gone = with_storage(database, lambda storage: _threads(storage).prune(before))
        print_text(f"deleted {counted(len(gone), 'thread')}")


def _threads(storage: Storage) -> Threads:
    return Threads(storage.checkpointer, storage.store)


async def _read(storage: Storage, thread_id: str, domain: str) -> tuple[ThreadRow, list[Any], dict[str, Any]]:
    """The thread, its messages, and the verdicts on its answers, by the id of the message that asked."""
    from wavegraph.app.run.runner import conversation

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


def _asked(text: str) -> str:
    """A person's message, its further lines indented: none of them looks like an answer."""
    return "you> " + text.replace("\n", "\n     ")


def _age(text: str) -> timedelta:
    if (match := re.fullmatch(r"(\d{1,6})([hdw])", text.strip())) is None:
        raise typer.BadParameter(
            f"{text!r} is not an age; write a number of hours, days or weeks, such as 30d, 12h or 2w"
        )
    return timedelta(**{_UNITS[match[2]]: int(match[1])})


def listing(found: Sequence[ThreadRow], width: int | None) -> list[str]:
    """The list, its head first. In `width` columns requests and then users are cut, never an id; None = nothing is cut."""
    rows = [[shown_id(r.thread_id), _when(r), plain(r.user_id or ""), _state(r), plain(r.request)] for r in found]
    table = [list(COLUMNS), *rows]
    widths = [max(map(cell_len, column)) for column in zip(*table, strict=True)]
    if width is not None:
        widths[-1] = min(widths[-1], LONGEST_SHOWN)
        for column, shortest in SHORTEST.items():
            excess = max(sum(widths) + 2 * (len(widths) - 1) - width, 0)
            widths[column] = min(widths[column], max(widths[column] - excess, shortest))
    return ["  ".join(map(_cell, cells, widths)).rstrip() for cells in table]


def _cell(text: str, width: int) -> str:
    return set_cell_size(text if cell_len(text) <= width else f"{set_cell_size(text, width - 1)}…", width)


def _state(row: ThreadRow) -> str:
    if row.outcome == "awaiting_approval":
        return "waits for a reply"
    if row.can_resume:
        return "stopped, can be resumed" if row.outcome == "cancelled" else "not ended, can be resumed"
    return plain(row.outcome or "")


def _when(row: ThreadRow) -> str:
    return f"{datetime.fromisoformat(row.updated).astimezone():%Y-%m-%d %H:%M}" if row.updated else ""
