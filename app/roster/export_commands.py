"""`wavegraph roster template` and `export`: wards and rosters for people and their programs."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from wavegraph.app.roster.version_commands import RosterArgument, WardOption
from wavegraph.app.terminal.door import Console, print_text
from wavegraph.app.terminal.exit_errors import exit_on_error
from wavegraph.app.terminal.options import DatabaseOption


def template(
    file: Annotated[Path, typer.Argument(metavar="FILE.xlsx", help="The workbook to write.", show_default=False)],
    of: Annotated[
        str, typer.Option("--ward", metavar="WARD", help="The ward it holds: a known one, or a ward file.")
    ] = "willow",
    empty: Annotated[
        bool, typer.Option("--empty", help="Without that ward's rows, name, skills and first day, but with its rules.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there.")] = False,
) -> None:
    """Write a ward as an Excel workbook to fill in: an example, any ward, or an empty one."""
    from wavegraph.app.roster.exports.template import write_template

    console = Console(stderr=True)
    with exit_on_error(console):
        write_template(file, of, empty=empty, force=force)
    print_text(f"wrote {file}")


def export(
    roster: RosterArgument,
    target: Annotated[
        Path,
        typer.Argument(
            metavar="TARGET", help="FILE.xlsx, or a folder for each nurse's calendar and page.",
            show_default=False,
        ),
    ],
    ward: WardOption = None,
    database: DatabaseOption = None,
) -> None:  # fmt: skip
    """Write a stored roster as a workbook, or a calendar (.ics) and a page (.html) for each nurse."""
    from wavegraph.app.roster.exports.write import export as exported
    from wavegraph.app.roster.show import looked_up
    from wavegraph.tools.roster.store import RosterStore

    console = Console(stderr=True)
    with exit_on_error(console):
        found = asyncio.run(looked_up(roster, ward, RosterStore(database=database), database))
        paths = exported(found, target)
    console.print(Text(f"wrote {_listed(paths)}"), soft_wrap=True)


def _listed(paths: list[Path]) -> str:
    return ", ".join(map(str, paths)) if len(paths) <= 4 else f"{len(paths)} files to {paths[0].parent}"
