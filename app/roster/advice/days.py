"""Days as a person gives them to a command."""

from datetime import date, timedelta

import typer

from wavegraph.graph.errors import ToolRefusal

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
SHORTEST = 3
"""Letters of a day's name."""


def parse_day(given: str, today: date) -> date:
    """`2026-12-03`, `3.12.2026`, `today`, `tomorrow`, or a day of the week (`thu`): the next one, today included.

    Raises ToolRefusal `bad_date`.
    """
    word = given.strip().casefold()
    if word in ("today", "tomorrow"):
        return today + timedelta(days=int(word == "tomorrow"))
    meant = [place for place, name in enumerate(WEEKDAYS) if len(word) >= SHORTEST and name.startswith(word)]
    if meant:
        return today + timedelta(days=(meant[0] - today.weekday()) % 7)
    return written_day(given, ", today, tomorrow, or a day of the week")


def written_day(given: str, others: str = "") -> date:
    """A date in one of the ways in which files may have it. `others`: what may be written instead.

    Raises ToolRefusal `bad_date`, also where day and month may be swapped (`3/12/2026`).
    """
    from wavegraph.tools.roster.told import english
    from wavegraph.tools.roster.ward.faults import date_expected, wanted
    from wavegraph.tools.roster.ward.workbook.kinds import dates_of

    found = [] if given.strip().isdecimal() else dates_of(given)  # a number is a date in a spreadsheet alone
    if len(found) == 1:
        return found[0]
    if found:
        raise ToolRefusal("bad_date", f"{given[:40]!r} is {found[0]} or {found[1]}: write the one that is meant")
    day = english(date_expected(given, wanted("day_written", others=others)))
    raise ToolRefusal("bad_date", f"{given[:40]!r} is no day: write {day}")


def day_option(given: str) -> date:
    """The value of an option; a usage error for what is no day."""
    try:
        return written_day(given)
    except ToolRefusal as error:
        raise typer.BadParameter(error.message) from None
