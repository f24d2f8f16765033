"""The options of `wavegraph roster what-if`."""

from datetime import date
from typing import Annotated

import typer
from rich.text import Text

from wavegraph.app.roster.advice.days import day_option
from wavegraph.app.roster.effort import WorkOption
from wavegraph.app.terminal.door import Console, print_json, print_text
from wavegraph.app.terminal.exit_errors import exit_on_error
from wavegraph.app.terminal.options import JsonOption

MOST_CHANGES = 6
WIDEST = 1000


def what_if(
    ward: Annotated[
        str, typer.Argument(metavar="WARD", help="A ward file, or a known ward's name.", show_default=False)
    ],
    change: Annotated[
        list[str] | None,
        typer.Option(
            metavar="CHANGE",
            help="A column: 'add-nurse LIKE, SKILL', 'drop-nurse NURSE', 'demand N saturday -1', 'leave NURSE DAYS', "
            "'rules.max_days_in_a_row=6', 'NURSE.max_nights=2', 'ward FILE'; parted by ; for several at once. Repeatable.",
            show_default=False,
        ),
    ] = None,
    start: Annotated[
        date | None, typer.Option(parser=day_option, metavar="YYYY-MM-DD", help="First day; default: the ward's own.")
    ] = None,
    days: Annotated[int | None, typer.Option(min=1, max=366, metavar="N", help="Number of days.")] = None,
    time_limit: Annotated[
        float, typer.Option(min=0.1, max=3600, metavar="SECONDS", help="For all columns together, each an equal part.")
    ] = 30,
    work_limit: WorkOption = None,
    seed: Annotated[int, typer.Option(min=0, metavar="N", help="Seed for the solver's random choices.")] = 1,
    as_json: JsonOption = False,
) -> None:  # fmt: skip
    """Solve a ward as it is and with each change, and show the figures side by side. Nothing is kept or published.

    Ctrl-C ends with what was found so far.
    """
    from wavegraph.app.roster.what_if import Order, remarks, table
    from wavegraph.app.roster.what_if import what_if as compared
    from wavegraph.tools.roster.answers.phrases import english_record
    from wavegraph.tools.roster.what_if.compare import Effort

    changes = change or []
    if not 1 <= len(changes) <= MOST_CHANGES or len(set(changes)) < len(changes):
        raise typer.BadParameter(
            f"1 to {MOST_CHANGES} different changes are compared with today: --change 'add-nurse 32h'"
        )
    console = Console(stderr=True)
    effort = Effort(seconds=time_limit, work=work_limit, seed=seed)
    with exit_on_error(console):
        order = Order(ward=ward, changes=changes, start=start, days=days, effort=effort)
        found = compared(order, Console(stderr=True, quiet=True) if as_json else console)
    if as_json:
        print_json(english_record(found.model_dump(mode="json")))
        return
    out = Console()
    (out if out.is_terminal else Console(width=WIDEST)).print(table(found))
    if lines := remarks(found):
        print_text("\n".join(["", *lines]))
    console.print(Text("nothing was kept or published", style="dim"))
