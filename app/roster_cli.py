"""`wavegraph roster …`: rosters held against their wards."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from wavegraph.app.told import FAILED, told

if TYPE_CHECKING:
    from wavegraph.tools.roster.checks.compliance import ComplianceReport
    from wavegraph.tools.roster.checks.cost import Cost
    from wavegraph.tools.roster.checks.empathy import EmpathyReport
    from wavegraph.tools.roster.checks.findings import Finding
    from wavegraph.tools.roster.checks.measures import Share
    from wavegraph.tools.roster.ward import Ward

# The roster's own modules are imported where they are used: the other commands should not wait for them.

LEVELS = {"breach": "bold red", "compensatory": "yellow", "warning": ""}
"""In the order of the table, each with its colour."""
NUMBERS = ("hours", "target", "nights", "weekends", "wishes", "score")
WIDEST = 1000
"""Characters of a line where there is no terminal."""

roster = typer.Typer(no_args_is_help=True, help="Rosters of nurses, held against their wards.")


@roster.callback()
def _root() -> None:
    """Keeps `check` a command of its own while it is the only one."""


@roster.command()
def check(
    file: Annotated[Path, typer.Argument(metavar="ROSTER", help="The roster: .json or .csv.", show_default=False)],
    ward_file: Annotated[
        Path,
        typer.Option(
            "--ward", metavar="WARD", help="Its ward: .json, .yaml, .yml; .txt of the benchmark.", show_default=False
        ),
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Hold a roster against its ward. Exit status 0 when compliance passes, 1 when it fails, 2 for a bad file."""
    from wavegraph.tools.roster.checks.compliance import check_compliance
    from wavegraph.tools.roster.checks.cost import roster_cost
    from wavegraph.tools.roster.checks.empathy import check_empathy
    from wavegraph.tools.roster.roster_file import read_roster
    from wavegraph.tools.roster.ward_file import read_ward

    with told(Console(stderr=True, highlight=False)):
        ward = read_ward(ward_file)
        cells = read_roster(file, ward)
    compliance, empathy, cost = check_compliance(ward, cells), check_empathy(ward, cells), roster_cost(ward, cells)
    if as_json:
        print(json.dumps(_record(ward, compliance, empathy, cost), ensure_ascii=False))
    else:
        _show(ward, compliance, empathy, cost)
    if compliance.status == "FAIL":
        raise typer.Exit(FAILED)


def _record(ward: "Ward", compliance: "ComplianceReport", empathy: "EmpathyReport", cost: "Cost") -> dict[str, Any]:
    from wavegraph.tools.roster.ward_file import ward_hash

    return {
        "ward": {"name": ward.name, "start": ward.start.isoformat(), "days": ward.days, "hash": ward_hash(ward)},
        "compliance": compliance.model_dump(mode="json"),
        "empathy": empathy.model_dump(mode="json"),
        "cost": cost.model_dump(mode="json") | {"total": cost.total},
    }


def _show(ward: "Ward", compliance: "ComplianceReport", empathy: "EmpathyReport", cost: "Cost") -> None:
    console = _console()
    findings = [*compliance.findings, *empathy.findings]
    _line(console, Text(f"{_plain(ward.name)} · {ward.days} days from {ward.start}"))
    _line(console, Text.assemble("compliance ", _verdict(compliance.status), _counted(compliance.findings)))
    _line(console, Text.assemble("empathy    ", _verdict(empathy.status), _reasons(empathy)))
    by_kind = " · ".join(f"{kind} {amount}" for kind, amount in cost.model_dump().items())
    _line(console, Text(f"cost       {cost.total}: {by_kind}"))
    _line(console, Text(f"fairness   {empathy.fairness:g} of 100"))
    if findings:
        _table(console, _findings(findings))
    _table(console, _fairness(ward, empathy))


def _console() -> Console:
    """A table that goes into a file or a pipe is not folded to a terminal's width."""
    console = Console(highlight=False)
    return console if console.is_terminal else Console(highlight=False, width=WIDEST)


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
        table.add_row(Text(found.level, style=LEVELS[found.level]), *(Text(_plain(cell or "")) for cell in cells))
    return table


def _fairness(ward: "Ward", empathy: "EmpathyReport") -> Table:
    table = _columns("nurse", "name", *NUMBERS)
    for share in empathy.shares:
        name = ward.nurse_by_id[share.nurse_id].name
        cells = (share.nurse_id, name, *_numbers(share), f"{empathy.scores[share.nurse_id]:g}")
        table.add_row(*(Text(_plain(cell)) for cell in cells))
    return table


def _numbers(share: "Share") -> tuple[str, ...]:
    """Hours, target, nights, weekends, and the weight of the wishes granted of all."""
    target = "" if share.target_minutes is None else _hours(share.target_minutes)
    wishes = f"{share.wish_granted}/{share.wish_weight}" if share.wish_weight else ""
    return _hours(share.minutes), target, str(share.nights), str(share.weekends), wishes


def _hours(minutes: int) -> str:
    return f"{round(minutes / 60, 1):g}"


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


def _plain(text: str) -> str:
    """In one line, without the control characters that a file may hold and a terminal would obey."""
    return " ".join("".join(each for each in text if each.isprintable() or each.isspace()).split())
