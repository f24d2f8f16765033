"""`wavegraph report`: what the stored requests teach."""

from collections.abc import Iterator
from dataclasses import asdict
from datetime import date, datetime
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from wavegraph.app.agents import DEFAULT_DOMAIN, agent
from wavegraph.app.pages.numbers import NOTHING, counted, number, percent, seconds, words
from wavegraph.app.report.lessons import Proposal, proposal, proposal_lines
from wavegraph.app.report.stored import stored_requests
from wavegraph.app.report.summary import Report, Row, Spread, report_on
from wavegraph.app.run.threads import rows
from wavegraph.app.storage.database import Storage
from wavegraph.app.terminal.door import Console, print_json
from wavegraph.app.terminal.exit_errors import BAD_USAGE, os_fault, stop
from wavegraph.app.terminal.options import DatabaseOption, DomainOption, JsonOption
from wavegraph.app.terminal.storage import with_storage
from wavegraph.graph.build import AgentGraph
from wavegraph.graph.errors import SettingsError

WIDTH_OF_A_FILE = 160
"""Columns, if the output is not a terminal."""


def report_(
    since: Annotated[
        str | None,
        typer.Option(metavar="DATE", help="Only requests that ended on this day (UTC) or later: YYYY-MM-DD."),
    ] = None,
    propose: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Let a model write lessons from the failures of --domain into a new file."),
    ] = None,
    as_json: JsonOption = False,
    database: DatabaseOption = None,
    domain: DomainOption = DEFAULT_DOMAIN,
) -> None:
    """Show what the stored requests teach: outcomes, issues, failed answers, limits, latency, cost."""
    first_day = _first_day_of(since)

    async def read(storage: Storage) -> Report:
        return report_on(await stored_requests(storage.store), await rows(storage.store), first_day)

    async def proposed(storage: Storage) -> Proposal:
        graph = agent(domain).graph()
        if not isinstance(graph, AgentGraph):
            raise SettingsError("this agent's graph is not made by build_graph: its prompts hold no lessons")
        found = await stored_requests(storage.store)
        return await proposal(
            graph.agent, [s for s in found if not first_day or s.ended.date() >= first_day], storage.store
        )

    if propose:
        made = with_storage(database, proposed)
        print_json(asdict(made)) if as_json else _print_lines(proposal_lines(made))
        _write(propose, made)
    else:
        report = with_storage(database, read)
        print_json(asdict(report)) if as_json else _print(report)


def _write(file: Path, made: Proposal) -> None:
    """Into a new file: a kept one may have been changed by hand."""
    errors = Console(stderr=True)
    if not made.lessons:
        errors.print(Text(f"no lesson; {file} is not written"), soft_wrap=True)
        return
    try:
        with file.open("x", encoding="utf-8") as opened:
            opened.write("".join(f"- {lesson}\n" for lesson in made.lessons))
    except OSError as error:
        stop(errors, os_fault(error, "write"), BAD_USAGE)
    errors.print(Text(f"wrote {file}; compare: wavegraph eval REQUESTS --lessons {file}"), soft_wrap=True)


def _first_day_of(text: str | None) -> date | None:
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


def _print_lines(lines: Iterator[str]) -> None:
    console = Console()
    for line in lines:
        console.print(Text(line), soft_wrap=True)


def _print(report: Report) -> None:
    console = Console()
    if not console.is_terminal:
        console.width = WIDTH_OF_A_FILE
    heading = nothing_recorded(report) if not report.requests else _heading(report)
    console.print(Text(heading, style="bold" if report.requests else "dim"), soft_wrap=True)
    if report.rows:
        console.print(_table(report))


def _heading(report: Report) -> str:
    first, last = (str(moment)[:10] for moment in (report.first, report.last))
    days = first if first == last else f"{first} to {last}"
    return f"{counted(report.requests, 'request')} on {counted(report.threads, 'thread')}, {days} (UTC)"


def _table(report: Report) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    table.add_column("part", no_wrap=True)
    table.add_column("name", overflow="fold", min_width=16)
    for name in ("n", "share", "median", "95%", "longest"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("of these, such as", overflow="fold")
    before = ""
    for row in report.rows:
        if before and row.part != before:
            table.add_section()
        table.add_row(*map(Text, _cells(row)))
        before = row.part
    return table


def _cells(row: Row) -> list[str]:
    about = [f"{number(n)} {words(name)}" for name, n in row.counts.items() if n]
    return [row.part, words(row.name), number(row.n), percent(row.share), *_times(row.seconds),
            "; ".join([*([", ".join(about)] if about else []), *row.examples])]  # fmt: skip


def _times(spread: Spread | None) -> list[str]:
    return [seconds(s) for s in (spread.median_s, spread.p95_s, spread.max_s)] if spread else [NOTHING] * 3
