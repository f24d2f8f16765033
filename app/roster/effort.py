"""How much the solver may work, as an option of commands."""

from typing import Annotated

import typer

from wavegraph.app.terminal.options import EXPERTS


def _units(given: str) -> float:
    """The value of the option; a usage error for what is neither."""
    if given == "auto":
        from wavegraph.tools.roster.problem.clock import ENOUGH_WORK

        return ENOUGH_WORK
    try:
        units = float(given)
    except ValueError:
        units = 0.0
    if not 0 < units <= 100_000:
        raise typer.BadParameter(f"{given[:40]!r} is no amount of work: a number above 0, up to 100000, or auto")
    return units


WorkOption = Annotated[
    float | None,
    typer.Option(
        parser=_units,
        metavar="UNITS|auto",
        help="Solver work for each solve, auto = enough for the ward's size; a seed then gives the same every time, unless the time limit comes first.",
        show_default=False,
        rich_help_panel=EXPERTS,
    ),
]
