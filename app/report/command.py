"""`wavegraph report`: what the stored requests teach."""

from dataclasses import asdict
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from wavegraph.app.pages.files import write_page
from wavegraph.app.pages.numbers import counted
from wavegraph.app.report.figures import Report
from wavegraph.app.report.page import page
from wavegraph.app.report.stored import stored_requests
from wavegraph.app.report.summary import report_on
from wavegraph.app.report.tables import FigureTable, headlines, span, tables
from wavegraph.app.run.threads import rows
from wavegraph.app.storage.database import Storage
from wavegraph.app.terminal.door import Console, print_json
from wavegraph.app.terminal.exit_errors import BAD_USAGE, os_fault, stop
from wavegraph.app.terminal.options import DatabaseOption, JsonOption
from wavegraph.app.terminal.storage import with_storage

WIDTH_OF_A_FILE = 160
"""Columns, if the output is not a terminal."""


def report_(
    since: Annotated[
        str | None,
        typer.Option(metavar="DATE", help="Only requests that ended on this day (UTC) or later: YYYY-MM-DD."),
    ] = None,
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a page with charts, as one HTML file.")
    ] = None,
    as_json: JsonOption = False,
    database: DatabaseOption = None,
) -> None:
    """Show what the stored requests teach: outcomes, issues, failed answers, limits, latency, cost."""
    first_day = first_day_of(since)

    async def read(storage: Storage) -> Report:
        return report_on(await stored_requests(storage.store), await rows(storage.store), first_day)

    report = with_storage(database, read)
    if html:
        _write(html, page(report, datetime.now(UTC)))
    if as_json:
        print_json(asdict(report))
    elif not html:
        _print(report)


def _write(file: Path, text: str) -> None:
    errors = Console(stderr=True)
    try:
        write_page(file, text)
    except OSError as error:
        stop(errors, os_fault(error, "write"), BAD_USAGE)
    errors.print(Text(f"wrote {file}"), soft_wrap=True)


def first_day_of(text: str | None) -> date | None:
    """Raises BadParameter for anything but YYYY-MM-DD."""
    try:
        return datetime.strptime(text, "%Y-%m-%d").date() if text is not None else None
    except ValueError:
        raise typer.BadParameter(
            f"{text!r} is not a date; write YYYY-MM-DD, such as 2026-11-20", param_hint="--since"
        ) from None


def nothing_recorded(report: Report) -> str:
    when = f" since {report.since}" if report.since else ""
    return (
        f"no request is recorded in this database{when}; each request is recorded when it ends, for example after\n"
        '  wavegraph ask "Is a double room free 10 to 12 May?"'
    )


def _print(report: Report) -> None:
    console = Console()
    if not console.is_terminal:
        console.width = WIDTH_OF_A_FILE
    if not report.requests:
        console.print(Text(nothing_recorded(report), style="dim"), soft_wrap=True)
    else:
        heading = f"{counted(report.requests, 'request')} on {counted(report.threads, 'thread')}, {span(report)}"
        console.print(Text(heading, style="bold"), soft_wrap=True)
        for line in headlines(report)[1:]:
            console.print(
                Text.assemble(f"{line.name.lower()}: ", (line.value, "bold"), f", {line.about}"), soft_wrap=True
            )
    for table in tables(report):
        console.print()
        console.print(Text.assemble((table.title, "bold"), (f"  {table.about}", "dim")), soft_wrap=True)
        console.print(_rich(table))


def _rich(table: FigureTable) -> Table:
    drawn = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    for column in table.columns:
        is_number, is_name = column.kind == "number", column.kind == "name"
        drawn.add_column(column.name, justify="right" if is_number else "left", no_wrap=is_number, overflow="fold",
                         min_width=len(column.name) if is_name else None)  # fmt: skip
    for row in table.rows:
        drawn.add_row(*map(Text, row))
    return drawn
