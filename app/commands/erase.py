"""`wavegraph erase`: a guest's data, erased everywhere and searched for."""

from collections.abc import Sequence
from typing import Annotated

import typer
from rich.text import Text

from wavegraph.app.agents import keepers_of_guests
from wavegraph.app.run.erase import Erasure, Left, find, record
from wavegraph.app.run.erase import erase as erase_found
from wavegraph.app.run.stored import StoredConversations
from wavegraph.app.storage.database import Storage
from wavegraph.app.terminal.door import Console, print_json
from wavegraph.app.terminal.exit_errors import BAD_USAGE, FAILED
from wavegraph.app.terminal.options import DatabaseOption, JsonOption, thread_ids
from wavegraph.app.terminal.storage import with_storage


def erase(
    threads: Annotated[
        list[str] | None,
        typer.Option(
            "--thread",
            metavar="ID",
            help="A conversation, with what it booked; may be repeated.",
            callback=thread_ids,
        ),
    ] = None,
    guest: Annotated[
        str | None,
        typer.Option(metavar="CONTACT", help="E-mail address or phone number: all conversations and bookings with it."),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Erase without asking.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what would be erased.")] = False,
    unfinished: Annotated[
        bool, typer.Option("--unfinished", help="Also a conversation whose last request did not end.")
    ] = False,
    as_json: JsonOption = False,
    database: DatabaseOption = None,
) -> None:
    """Erase a guest's data everywhere, by each hotel's rule, and search for what is left of it."""
    names = list(dict.fromkeys(threads or ()))
    if not names and not guest:
        raise typer.BadParameter("name what to erase: --thread ID, --guest CONTACT, or both")
    keepers = keepers_of_guests(database)

    async def look(storage: Storage) -> Erasure:
        return await find(StoredConversations(storage), keepers, threads=names, guest=guest)

    async def work(storage: Storage) -> tuple[Erasure, list[Left]]:
        found = await look(storage)  # again: something may have happened since it was shown
        kept = StoredConversations(storage)
        return found, await erase_found(kept, keepers, found, threads=names, unfinished=unfinished)

    console = Console(stderr=as_json)
    if dry_run or not yes:
        found = with_storage(database, look)
        _print(console, _shown(found))
        if not dry_run and not typer.confirm("Erase this? It cannot be undone.", err=as_json):
            raise typer.Exit(BAD_USAGE)
    if dry_run:
        if as_json:
            print_json(record(found, [], erased=False))
        return
    found, left = with_storage(database, work)
    _print(console, [*(_shown(found) if yes else ()), *_told(found, left)])
    if as_json:
        print_json(record(found, left, erased=True))
    if any(each.thread_id is None for each in left):
        raise typer.Exit(FAILED)


def _print(console: Console, lines: Sequence[str]) -> None:
    for line in lines:
        console.print(Text(line), soft_wrap=True)


def _shown(found: Erasure) -> list[str]:
    lines = [f"thread {name}: {count} message{'' if count == 1 else 's'}" for name, count in found.threads.items()]
    lines += [f"{item.what}: {item.becomes}" for item in found.all_items]
    return lines or ["nothing is stored of this guest"]


def _told(found: Erasure, left: Sequence[Left]) -> list[str]:
    gone = [each for each in left if each.thread_id is None]
    lines = [f"still there: {each.what} in {each.where}" for each in gone] or ["searched for it: nothing is left"]
    lines += [
        f"named elsewhere too: {each.what} in thread {each.thread_id}" for each in left if each.thread_id is not None
    ]
    if found.langsmith_runs:
        lines.append(f"LangSmith keeps its own copy; delete these runs there: {', '.join(found.langsmith_runs)}")
    return lines
