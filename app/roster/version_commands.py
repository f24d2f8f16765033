"""`wavegraph roster publish`, `draft`, `discard`, `undo`, `versions` and `diff`."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer
from rich.table import Table
from rich.text import Text

from wavegraph.app.plain_text import plain
from wavegraph.app.terminal.door import Console, print_json, print_text
from wavegraph.app.terminal.options import DatabaseOption, JsonOption
from wavegraph.app.terminal.shell_words import shell_line
from wavegraph.tools.postgres.databases import without_password

if TYPE_CHECKING:
    from wavegraph.tools.roster.versions.decisions import Action
    from wavegraph.tools.roster.versions.log import VersionStore

_T = TypeVar("_T")
WIDEST = 1000

RosterArgument = Annotated[
    str,
    typer.Argument(metavar="ROSTER", help="Its id, .json file as it was written, or version (V3).", show_default=False),
]
WardOption = Annotated[
    str | None, typer.Option("--ward", metavar="WARD", help="Whose version; default: the one ward that has it.")
]
WardArgument = Annotated[
    str, typer.Argument(metavar="WARD", help="A known ward, a ward file, or the ward's own name.", show_default=False)
]
ByOption = Annotated[str | None, typer.Option("--by", metavar="NAME", help="Who decides; default: this user.")]
WithProblemsOption = Annotated[bool, typer.Option("--with-problems", help="Also if it fails its checks.")]
ReasonOption = Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why; kept with the decision.")]


def publish(
    roster: RosterArgument,
    replaces: Annotated[
        str | None,
        typer.Option(
            metavar="ROSTER", help="The published roster of these days whose place it takes, by id, file or version."
        ),
    ] = None,
    with_problems: WithProblemsOption = False,
    ward: WardOption = None,
    reason: ReasonOption = "",
    by: ByOption = None,
    as_json: JsonOption = False,
    database: DatabaseOption = None,
) -> None:
    """Publish a roster: it is what staff have for these days, and what the next roster follows."""
    _decide("publish", roster, ward, reason, by, as_json, database, replaces, with_problems)


def draft(
    roster: RosterArgument, ward: WardOption = None, reason: ReasonOption = "", by: ByOption = None,
    as_json: JsonOption = False, database: DatabaseOption = None,
) -> None:  # fmt: skip
    """Keep a roster as a draft; a published one is withdrawn."""
    _decide("draft", roster, ward, reason, by, as_json, database)


def discard(
    roster: RosterArgument, ward: WardOption = None, reason: ReasonOption = "", by: ByOption = None,
    as_json: JsonOption = False, database: DatabaseOption = None,
) -> None:  # fmt: skip
    """Discard a roster; a published one is withdrawn. It can still be looked at."""
    _decide("discard", roster, ward, reason, by, as_json, database)


def undo(
    ward: WardArgument, reason: ReasonOption = "", by: ByOption = None, as_json: JsonOption = False,
    database: DatabaseOption = None,
) -> None:  # fmt: skip
    """Take back the last decision about a ward's rosters that stands; again, the one before it."""

    async def work(versions: "VersionStore") -> tuple[dict[str, Any], list[str]]:
        from wavegraph.app.roster.named import ward_called
        from wavegraph.app.roster.versions import again, version_record
        from wavegraph.app.roster.versions import undo as taken_back

        known = await ward_called(ward, versions)
        last, version, (taken, stands) = await taken_back(known, user_called(by), reason, versions)
        place = ["--db", without_password(database)] if database else []
        line = shell_line([*await again(last, versions), *place])
        return version_record(version), [f"{taken} To do it again: {line}", stands]

    _print(*with_versions(database, work), as_json)


def versions(ward: WardArgument, as_json: JsonOption = False, database: DatabaseOption = None) -> None:
    """List the versions of a ward's rosters: which is published, and who decided what, when and why."""

    async def work(versions: "VersionStore") -> list[dict[str, Any]]:
        from wavegraph.app.roster.named import ward_called
        from wavegraph.app.roster.versions import listed

        return await listed(await ward_called(ward, versions), versions)

    found = with_versions(database, work)
    if as_json:
        print_json(found)
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("version", "roster", "days", "status", "by", "at", "reason"):
        table.add_column(name, overflow="fold")
    for each in found:
        cells = (f"V{each['version']}", each["roster_id"], f"{each['start']} to {each['end']}", each["status"],
                 each["by"], each["at"][:16].replace("T", " "), each["reason"])  # fmt: skip
        table.add_row(*(Text(plain(cell)) for cell in cells))
    console = Console()
    (console if console.is_terminal else Console(width=WIDEST)).print(table)


def diff(
    before: Annotated[
        str,
        typer.Argument(metavar="BEFORE", help="A roster's id, .json file or version (V3).", show_default=False),
    ],
    now: Annotated[str, typer.Argument(metavar="NOW", help="The other one's.", show_default=False)],
    ward: WardOption = None,
    as_json: JsonOption = False,
    database: DatabaseOption = None,
) -> None:
    """List the cells in which two rosters of the same days differ."""

    async def work(versions: "VersionStore") -> tuple[list[dict[str, Any]], list[str]]:
        from wavegraph.app.roster.versions import differing

        found = await differing(before, now, ward, versions)
        return found.cells, [found.head, *found.lines]

    _print(*with_versions(database, work), as_json)


def _decide(
    action: "Action", roster: str, ward: str | None, reason: str, by: str | None, as_json: bool, database: str | None,
    replaces: str | None = None, with_problems: bool = False,
) -> None:  # fmt: skip
    async def work(versions: "VersionStore") -> tuple[dict[str, Any], list[str]]:
        from wavegraph.app.roster.named import replaced_called, roster_called
        from wavegraph.app.roster.versions import Order, decide

        roster_id = await roster_called(roster, ward, versions)
        order = Order(
            roster_id=roster_id, by=user_called(by), reason=reason, with_problems=with_problems,
            replaces=await replaced_called(replaces, roster_id, versions) if replaces else None,
        )  # fmt: skip
        return await decide(action, order, versions)

    _print(*with_versions(database, work), as_json)


def user_called(by: str | None) -> str:
    """Who decides; None = this machine's user."""
    from wavegraph.tools.roster.versions.log import machine_user

    return machine_user() if by is None else by


def with_versions(database: str | None, work: "Callable[[VersionStore], Awaitable[_T]]") -> _T:
    """Do a command's work over the versions of a database; what fails ends the command."""
    from wavegraph.app.storage.database import Storage
    from wavegraph.app.terminal.storage import with_storage
    from wavegraph.tools.roster.store import RosterStore
    from wavegraph.tools.roster.versions.log import VersionStore

    async def opened(storage: Storage) -> _T:
        return await work(VersionStore(storage.store, RosterStore(database=database)))

    return with_storage(database, opened)


def _print(record: Any, lines: list[str], as_json: bool) -> None:
    if as_json:
        print_json(record)
    else:
        print_text("\n".join(lines))
