"""`wavegraph roster what-if`: a ward with and without changes, solved side by side."""

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import date

from rich.table import Table
from rich.text import Text

from wavegraph.app.plain_text import plain
from wavegraph.app.roster.named import named
from wavegraph.app.roster.page.words import amount
from wavegraph.app.terminal.door import Console
from wavegraph.graph.decimals import decimal
from wavegraph.tools.roster.answers.phrases import worded
from wavegraph.tools.roster.records import WhatIf, WhatIfColumn, period_of
from wavegraph.tools.roster.store import RosterStore
from wavegraph.tools.roster.ward.file import ward_hash
from wavegraph.tools.roster.ward.ward import Ward
from wavegraph.tools.roster.wards import Wards
from wavegraph.tools.roster.what_if.changes import changed, same_days
from wavegraph.tools.roster.what_if.compare import ROWS, TODAY, Effort, compared, differences, figure


@dataclass(frozen=True, kw_only=True)
class Order:
    """The options of the command."""

    ward: str
    """The name of a known ward, or a ward file."""
    changes: list[str]
    start: date | None
    days: int | None
    effort: Effort


def what_if(order: Order, console: Console) -> WhatIf:
    """Solve the columns one after another; Ctrl-C ends the running one, and those after it, with what they have.

    Raises ToolRefusal for a ward or a change that cannot be read, before anything is solved.
    """
    ward = _known(order.ward, order.start, order.days)
    wards = {TODAY: ward, **{text: changed(ward, text, lambda name: _other(name, ward)) for text in order.changes}}
    stop = threading.Event()

    def told(name: str, seconds: float) -> None:
        if not stop.is_set():
            console.print(Text(plain(f"{name}: solving, at most {decimal(seconds)} s")), soft_wrap=True)

    with ThreadPoolExecutor(1) as worker:
        work = worker.submit(compared, wards, order.effort, stop=stop, on_column=told)
        try:
            columns = work.result()
        except KeyboardInterrupt:
            stop.set()
            columns = work.result()
    return WhatIf(
        **period_of(ward, ward_hash(ward)), seconds=order.effort.seconds, columns=columns,
        differences=differences(columns),
    )  # fmt: skip


def _known(given: str, start: date | None, days: int | None) -> Ward:
    name, files = named(given)
    return Wards(RosterStore(), files).look(name, start, days, today=date.today())


def _other(given: str, ward: Ward) -> Ward:
    return same_days(ward, _known(given, ward.start, ward.days))


def table(found: WhatIf) -> Table:
    """A row a figure, a column a change, with its difference to today."""
    made = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    made.add_column("")
    for each in found.columns:
        made.add_column(Text(plain(each.name)), justify="right", overflow="fold")
    made.add_row("status", *(_status(each) for each in found.columns))
    for field, words in ROWS:
        made.add_row(words, *(_cell(found, place, field) for place in range(len(found.columns))))
    return made


def _status(column: WhatIfColumn) -> str:
    return column.status if column.cost is not None else f"no roster ({column.status})"


def _cell(found: WhatIf, place: int, field: str) -> str:
    value = figure(found.columns[place], field)
    if value is None:
        return "-"
    difference = found.differences[place].get(field, 0) if place else 0
    return amount(value) + (f" ({'+' if difference > 0 else ''}{amount(difference)})" if difference else "")


def remarks(found: WhatIf) -> list[str]:
    """Why there is no roster, and which findings fail, column by column."""
    lines = []
    for each in found.columns:
        if each.why:
            lines.append(f"{each.name}: no roster: {worded(each.why, 'en')}")
        elif each.findings:
            kinds = ", ".join(f"{kind.replace('_', ' ')} {count}" for kind, count in each.findings.items())
            lines.append(f"{each.name}: fails by {kinds}")
    return [plain(line) for line in lines]
