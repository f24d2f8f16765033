"""`wavegraph roster …`: make rosters, and check them against their wards."""

import asyncio
from collections.abc import Iterable
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from rich.table import Table
from rich.text import Text

from wavegraph.app.plain_text import plain
from wavegraph.app.quitting import INTERRUPTED
from wavegraph.app.roster import version_commands, what_if_command
from wavegraph.app.roster.advice import commands as advice_commands
from wavegraph.app.roster.advice.days import day_option
from wavegraph.app.roster.effort import WorkOption
from wavegraph.app.roster.version_commands import RosterArgument, WardOption
from wavegraph.app.terminal.door import Console, print_json, print_text
from wavegraph.app.terminal.exit_errors import BAD_USAGE, FAILED, exit_on_error, stop
from wavegraph.app.terminal.options import EXPERTS, DatabaseOption, JsonOption, ThreadArgument, thread_or_new
from wavegraph.app.terminal.shell_words import shown_id

if TYPE_CHECKING:
    from wavegraph.app.run.threads import ThreadRow
    from wavegraph.tools.roster.checks.compliance import ComplianceReport
    from wavegraph.tools.roster.checks.cost import RosterCost
    from wavegraph.tools.roster.checks.empathy import EmpathyReport
    from wavegraph.tools.roster.checks.findings import Finding
    from wavegraph.tools.roster.checks.measures import Share
    from wavegraph.tools.roster.ward.ward import Ward

# The roster's modules are imported where they are used, so that other commands start quickly.

LEVELS = {"breach": "bold red", "compensatory": "yellow", "warning": ""}
"""In the order of the table, each with its colour."""
NUMBERS = ("hours", "target", "nights", "weekends", "wishes", "score")
WIDEST = 1000
"""Characters of a line where there is no terminal."""

roster = typer.Typer(no_args_is_help=True, help="Make nurse rosters, and check them against their wards.")
for _command in (
    version_commands.publish,
    version_commands.wards,
    advice_commands.who,
    advice_commands.swap,
    advice_commands.why,
    advice_commands.compare,
):
    roster.command()(_command)
roster.command("what-if")(what_if_command.what_if)


@roster.command()
def generate(
    ward: Annotated[
        str,
        typer.Argument(
            metavar="WARD",
            help="A ward file (.yaml, .yml, .json, .xlsx), or a known ward's name.",
            show_default=False,
        ),
    ],
    start: Annotated[
        date | None,
        typer.Option(
            parser=day_option, metavar="YYYY-MM-DD", help="First day; default: the ward's own, else next Monday."
        ),
    ] = None,
    days: Annotated[
        int | None, typer.Option(min=1, max=366, metavar="N", help="Number of days; default: the ward's own, else 7.")
    ] = None,
    time_limit: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS",
            help="Time for all rounds together, explaining included; default: 30.",
            show_default=False,
        ),
    ] = None,
    work_limit: WorkOption = None,
    seed: Annotated[
        int | None,
        typer.Option(min=0, metavar="N", help="Seed for the solver's random choices.", rich_help_panel=EXPERTS),
    ] = None,
    repair: Annotated[
        str | None,
        typer.Option(
            metavar="ROSTER",
            help="A published roster for the same days, by file (.json, .csv), id or version (V3): change as few cells as possible.",
        ),
    ] = None,
    change_weight: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=10_000,
            metavar="N",
            help="With --repair: what each changed cell costs; default: 30.",
            show_default=False,
            rich_help_panel=EXPERTS,
        ),
    ] = None,
    freeze_until: Annotated[
        date | None,
        typer.Option(parser=day_option, metavar="YYYY-MM-DD", help="With --repair: up to this day no cell is changed."),
    ] = None,
    after: Annotated[
        str | None,
        typer.Option(
            metavar="ROSTER",
            help="The roster before it, by file, id or version (V3); default: the ward's published ones; none = what the "
            "ward's file says.",
            show_default=False,
            rich_help_panel=EXPERTS,
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write NAME-START.json, .csv and .html to this folder.")
    ] = None,
    decide: Annotated[
        Literal["approve", "draft", "reject"] | None,
        typer.Option(help="The manager's decision on a roster that fails its checks; default: ask."),
    ] = None,
    as_json: JsonOption = False,
    thread: Annotated[
        str | None,
        typer.Option(metavar="ID", help="Id of the conversation; default: a new one.", rich_help_panel=EXPERTS),
    ] = None,
    database: DatabaseOption = None,
) -> None:
    """Make a roster for a ward: up to three rounds of solving and checking, then the best one.

    Ctrl-C stops with the best roster so far; a second Ctrl-C cancels. No language model is used.
    """
    from wavegraph.app.roster.generate import Order
    from wavegraph.app.roster.generate import generate as generated

    thread_id = thread_or_new(thread)
    if change_weight is not None and repair is None:
        raise typer.BadParameter("--change-weight needs the roster whose changes it prices: add --repair ROSTER")
    if freeze_until is not None and repair is None:
        raise typer.BadParameter("--freeze-until needs the roster whose cells are to stay: add --repair ROSTER")
    order = Order(
        ward=ward,
        start=start,
        days=days,
        settings={"time_limit_s": time_limit, "work_limit": work_limit, "seed": seed},
        repair=repair,
        change_weight=change_weight,
        freeze_until=freeze_until,
        after=after,
        out=out,
        decide=decide,
        thread_id=thread_id,
        database=database,
        as_json=as_json,
    )
    console = Console(stderr=True)
    with exit_on_error(console):
        try:
            done = generated(order, console)
        except KeyboardInterrupt:  # before or after the request
            stop(console, "stopped; nothing was running.", INTERRUPTED)
    if status := {"cancelled": INTERRUPTED, "failed": FAILED}.get(done.report["outcome"]):
        raise typer.Exit(status)
    if done.unsaved:
        raise typer.Exit(FAILED)


@roster.command("stop")
def stop_(
    thread: ThreadArgument,
    database: DatabaseOption = None,
) -> None:
    """Stop a roster that is being solved, in any terminal, and keep the best one so far."""
    from wavegraph.tools.roster.store import RosterStore

    console = Console(stderr=True)
    with exit_on_error(console):
        row = asyncio.run(_row(thread, database))
        if row.outcome is not None:
            stop(console, f"thread {thread!r} is not running: it ended as {row.outcome}", BAD_USAGE)
        RosterStore(database=database).ask_to_stop(thread)
    print_text(f"asked {shown_id(thread)} to stop with its best roster so far")


async def _row(thread: str, database: str | None) -> "ThreadRow":
    from wavegraph.app.run.threads import Threads
    from wavegraph.app.storage.open import open_storage

    async with open_storage(database) as storage:
        return await Threads(storage.checkpointer, storage.store).get(thread)


@roster.command("show")
def show_(
    roster: RosterArgument,
    ward: WardOption = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR|FILE.xlsx", help="Write its .json, .csv and .html to this folder, or it as a workbook."
        ),
    ] = None,
    for_nurses: Annotated[
        bool, typer.Option("--for-nurses", help="With --out DIR: a calendar (.ics) and a page (.html) for each nurse.")
    ] = False,
    as_json: JsonOption = False,
    database: DatabaseOption = None,
) -> None:
    """Show a stored roster: its status, who works when, and what fails."""
    if for_nurses and (out is None or out.suffix.lower() == ".xlsx"):
        raise typer.BadParameter(
            "--for-nurses writes a calendar and a page for each nurse to a folder: name it, --out DIR"
        )
    from wavegraph.app.roster.exports.write import export
    from wavegraph.app.roster.grid import terminal_width
    from wavegraph.app.roster.show import lines, load_roster, record
    from wavegraph.tools.roster.store import RosterStore

    console = Console(stderr=True)
    with exit_on_error(console):
        found = asyncio.run(load_roster(roster, ward, RosterStore(database=database), database))
        paths = export(found, out, for_nurses=for_nurses) if out else []
    if as_json:
        print_json(record(found))
    elif not (for_nurses or (out and out.suffix.lower() == ".xlsx")):  # files to hand out
        print_text("\n".join(lines(found, terminal_width())))
    if paths:
        written = ", ".join(map(str, paths)) if len(paths) <= 4 else f"{len(paths)} files to {paths[0].parent}"
        console.print(Text(f"wrote {written}"), soft_wrap=True)


@roster.command()
def check(
    file: Annotated[
        Path, typer.Argument(metavar="ROSTER", help="The roster: .json, .csv or .xlsx.", show_default=False)
    ],
    given_ward: Annotated[
        str,
        typer.Option(
            "--ward",
            metavar="WARD",
            help="Its ward: a file (.yaml, .yml, .json, .xlsx), or a known ward's name.",
            show_default=False,
        ),
    ],
    start: Annotated[
        date | None,
        typer.Option(
            parser=day_option,
            metavar="YYYY-MM-DD",
            help="First day; default: the ward's own, else the roster's.",
            show_default=False,
        ),
    ] = None,
    days: Annotated[
        int | None,
        typer.Option(min=1, max=366, metavar="N", help="Number of days; default: the ward's own, else the roster's."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Check a roster against its ward. Exit status 0 if compliance passes, 1 if it fails, 2 for a bad file."""
    from wavegraph.app.roster.named import ward_file
    from wavegraph.tools.roster.answers.phrases import in_english
    from wavegraph.tools.roster.checks.compliance import check_compliance
    from wavegraph.tools.roster.checks.cost import roster_cost
    from wavegraph.tools.roster.checks.empathy import check_empathy
    from wavegraph.tools.roster.ward.doubts import doubts
    from wavegraph.tools.roster.ward.roster_file import read_with_ward

    console = Console(stderr=True)
    with exit_on_error(console):
        ward, cells = read_with_ward(file, ward_file(given_ward), start, days)
    for doubt in in_english(doubts(ward)):
        console.print(Text(plain(f"? {doubt}")), soft_wrap=True)
    compliance, empathy, cost = check_compliance(ward, cells), check_empathy(ward, cells), roster_cost(ward, cells)
    if as_json:
        print_json(_record(ward, compliance, empathy, cost))
    else:
        _show(ward, compliance, empathy, cost)
    if compliance.status == "FAIL":
        raise typer.Exit(FAILED)


def _record(
    ward: "Ward", compliance: "ComplianceReport", empathy: "EmpathyReport", cost: "RosterCost"
) -> dict[str, Any]:
    from wavegraph.tools.roster.answers.phrases import english_record
    from wavegraph.tools.roster.ward.file import ward_hash, ward_record

    return {
        "ward": ward_record(ward, ward_hash(ward)),
        "compliance": english_record(compliance.model_dump(mode="json")),
        "empathy": english_record(empathy.model_dump(mode="json")),
        "cost": cost.model_dump(mode="json"),
    }


def _show(ward: "Ward", compliance: "ComplianceReport", empathy: "EmpathyReport", cost: "RosterCost") -> None:
    console = _console()
    findings = [*compliance.findings, *empathy.findings]
    _line(console, Text(f"{plain(ward.name)} · {ward.days} days from {ward.start}"))
    _line(console, Text.assemble("compliance ", _verdict(compliance.status), _counted(compliance.findings)))
    _line(console, Text.assemble("empathy    ", _verdict(empathy.status), _reasons(empathy)))
    by_kind = " · ".join(f"{kind} {amount}" for kind, amount in cost.by_kind.items())
    _line(console, Text(f"cost       {cost.total}: {by_kind}"))
    _line(console, Text(f"fairness   {empathy.fairness:g} of 100"))
    if findings:
        _table(console, _findings(findings))
    _table(console, _fairness(ward, empathy))


def _console() -> Console:
    """A console that folds no table in a file or a pipe."""
    console = Console()
    return console if console.is_terminal else Console(width=WIDEST)


def _verdict(status: str) -> tuple[str, str]:
    return status, "bold green" if status in ("PASS", "APPROVED") else "bold red"


def _counted(findings: "list[Finding]") -> str:
    counts = [(level, sum(found.level == level for found in findings)) for level in LEVELS]
    return _listed(f"{level} {count}" for level, count in counts if count)


def _reasons(empathy: "EmpathyReport") -> str:
    return _listed(f"{excess.type} {excess.found}, {excess.allowed} allowed" for excess in empathy.failed)


def _listed(parts: Iterable[str]) -> str:
    text = " · ".join(parts)
    return f": {text}" if text else ""


def _findings(findings: "list[Finding]") -> Table:
    """Breaches first; within a level as the checkers list them."""
    table = _columns("level", "rule", "nurse", "day", "shift", "detail")
    order = list(LEVELS)
    for found in sorted(findings, key=lambda found: order.index(found.level)):
        cells = (found.type, found.nurse_id, found.day, found.shift, found.detail)
        table.add_row(Text(found.level, style=LEVELS[found.level]), *(Text(plain(cell or "")) for cell in cells))
    return table


def _fairness(ward: "Ward", empathy: "EmpathyReport") -> Table:
    table = _columns("nurse", "name", *NUMBERS)
    for share in empathy.shares:
        name = ward.nurse_by_id[share.nurse_id].name
        cells = (share.nurse_id, name, *_numbers(share), f"{empathy.scores[share.nurse_id]:g}")
        table.add_row(*(Text(plain(cell)) for cell in cells))
    return table


def _numbers(share: "Share") -> tuple[str, ...]:
    """Hours with those of leave, target, nights and weekends with a fair share, and the weight of the wishes granted."""
    from wavegraph.app.roster.page.words import hours

    target = "" if share.target_minutes is None else hours(share.target_minutes)
    wishes = f"{share.wish_granted}/{share.wish_weight}" if share.wish_weight else ""
    leave = f" ({hours(share.leave_minutes)} leave)" if share.leave_minutes else ""
    nights, weekends = _of_fair(share.nights, share.nights_due), _of_fair(share.weekends, share.weekends_due)
    return f"{hours(share.credited_minutes)}{leave}", target, nights, weekends, wishes


def _of_fair(worked: int, due: float | None) -> str:
    return str(worked) if due is None else f"{worked}/{due:g}"


def _columns(*names: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in names:
        table.add_column(name, justify="right" if name in NUMBERS else "left", overflow="fold")
    return table


def _line(console: Console, text: Text) -> None:
    console.print(text, soft_wrap=True)


def _table(console: Console, table: Table) -> None:
    console.print()
    console.print(table)
