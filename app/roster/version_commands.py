"""`wavegraph roster publish` and `wards`: decisions about rosters, and what is known of wards."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

import typer
from rich.table import Table
from rich.text import Text

from wavegraph.app.plain_text import plain
from wavegraph.app.terminal.door import Console, print_json, print_text
from wavegraph.app.terminal.exit_errors import exit_on_error
from wavegraph.app.terminal.options import DatabaseOption, JsonOption
from wavegraph.app.terminal.shell_words import shell_line
from wavegraph.tools.postgres.databases import without_password

if TYPE_CHECKING:
    from wavegraph.tools.roster.versions.decisions import Action
    from wavegraph.tools.roster.versions.log import VersionStore

_T = TypeVar("_T")
WIDEST = 1000
ACTIONS: "Mapping[str, Action]" = {"draft": "draft", "discarded": "discard"}

RosterArgument = Annotated[
    str,
    typer.Argument(metavar="ROSTER", help="Its id, .json file as it was written, or version (V3).", show_default=False),
]
WardOption = Annotated[
    str | None, typer.Option("--ward", metavar="WARD", help="Whose version; default: the one ward that has it.")
]
ByOption = Annotated[str | None, typer.Option("--by", metavar="NAME", help="Who decides; default: this user.")]
WithProblemsOption = Annotated[bool, typer.Option("--with-problems", help="Also if it fails its checks.")]
ReasonOption = Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why; kept with the decision.")]


def publish(
    roster: Annotated[
        str,
        typer.Argument(
            metavar="ROSTER", help="Its id, .json file as it was written, or version (V3). With --undo: the ward.",
            show_default=False,
        ),
    ],
    status: Annotated[
        Literal["draft", "discarded"] | None,
        typer.Option("--as", help="Instead: keep it as a draft, or discard it; a published one is withdrawn."),
    ] = None,
    takes_back: Annotated[
        bool, typer.Option("--undo", help="Instead: take back the ward's last decision that stands; again, the one before.")
    ] = False,
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
) -> None:  # fmt: skip
    """Publish a roster: it is what staff have for these days, and what the next roster follows."""
    if takes_back:
        _refuse_with_undo({"--as": status, "--with-problems": with_problems, "--replaces": replaces, "--ward": ward})
        _undo(roster, reason, by, as_json, database)
        return
    action: Action = "publish" if status is None else ACTIONS[status]

    async def work(versions: "VersionStore") -> tuple[dict[str, Any], list[str]]:
        from wavegraph.app.roster.named import find_replaced_id, find_roster_id
        from wavegraph.app.roster.versions import Order, decide

        roster_id = await find_roster_id(roster, ward, versions)
        order = Order(
            roster_id=roster_id, by=deciding_user(by), reason=reason, with_problems=with_problems,
            replaces=await find_replaced_id(replaces, roster_id, versions) if replaces else None,
        )  # fmt: skip
        return await decide(action, order, versions)

    _print(*with_versions(database, work), as_json)


def _refuse_with_undo(others: Mapping[str, Any]) -> None:
    given = [flag for flag, value in others.items() if value]
    if given:
        raise typer.BadParameter(
            f"--undo takes back the ward's last decision, whatever it was: leave {' and '.join(given)} out, or leave --undo out"
        )


def _undo(given: str, reason: str, by: str | None, as_json: bool, database: str | None) -> None:
    async def work(versions: "VersionStore") -> tuple[dict[str, Any], list[str]]:
        from wavegraph.app.roster.named import find_ward
        from wavegraph.app.roster.versions import command_to_redo, undo, version_record

        ward = await find_ward(given, versions)
        last, version, (taken, stands) = await undo(ward, deciding_user(by), reason, versions)
        place = ["--db", without_password(database)] if database else []
        line = shell_line([*await command_to_redo(last, versions), *place])
        return version_record(version), [f"{taken} To do it again: {line}", stands]

    _print(*with_versions(database, work), as_json)


def wards(
    ward: Annotated[
        str | None,
        typer.Argument(
            metavar="[WARD]", help="The versions of this ward's rosters: a known ward, a ward file, or the ward's own name.",
            show_default=False,
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE.xlsx", help="Write the ward as a new workbook to fill in; default: willow, an example."),
    ] = None,
    empty: Annotated[
        bool, typer.Option("--empty", help="Without its rows, name, skills and first day, but with its rules.")
    ] = False,
    as_json: JsonOption = False,
    database: DatabaseOption = None,
) -> None:  # fmt: skip
    """List the known wards (the demo wards, and those in the folder that WAVEGRAPH_WARDS names), or a ward's versions."""
    if empty and out is None:
        raise typer.BadParameter("--empty makes a workbook without the ward's rows: name it, --out FILE.xlsx")
    if out is not None:
        _write_workbook(out, ward or "willow", empty)
    elif ward is None:
        _list_wards(as_json)
    else:
        _list_versions(ward, as_json, database)


def _write_workbook(file: Path, ward: str, empty: bool) -> None:
    from wavegraph.app.roster.exports.template import write_template

    with exit_on_error(Console(stderr=True)):
        write_template(file, ward, empty=empty)
    print_text(f"wrote {file}")


def _list_wards(as_json: bool) -> None:
    from wavegraph.app.roster.named import known_wards

    with exit_on_error(Console(stderr=True)):
        found = known_wards()
    if as_json:
        print_json(found)
        return
    columns = {"name": "name", "ward": "ward", "days": "days", "nurses": "nurses", "first day": "start", "from": "from"}
    _print_table([*columns], [[str(each[name] or "") for name in columns.values()] for each in found])


def _list_versions(given: str, as_json: bool, database: str | None) -> None:
    """Which is published, and who decided what, when and why."""

    async def work(versions: "VersionStore") -> list[dict[str, Any]]:
        from wavegraph.app.roster.named import find_ward
        from wavegraph.app.roster.versions import version_history

        return await version_history(await find_ward(given, versions), versions)

    found = with_versions(database, work)
    if as_json:
        print_json(found)
        return
    rows = [[f"V{each['version']}", each["roster_id"], f"{each['start']} to {each['end']}", each["status"],
             each["by"], each["at"][:16].replace("T", " "), each["reason"]] for each in found]  # fmt: skip
    _print_table(["version", "roster", "days", "status", "by", "at", "reason"], rows)


def _print_table(names: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in names:
        table.add_column(name, overflow="fold")
    for row in rows:
        table.add_row(*(Text(plain(cell)) for cell in row))
    console = Console()
    (console if console.is_terminal else Console(width=WIDEST)).print(table)


def deciding_user(by: str | None) -> str:
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
