"""Days as a person gives them to a command."""

from datetime import date, timedelta

from wavegraph.graph.errors import ToolRefusal

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
SHORTEST = 3
"""Letters of a day's name."""


def day_called(given: str, today: date) -> date:
    """`2026-12-03`, `today`, `tomorrow`, or a day of the week (`thu`): the next one, today included.

    Raises ToolRefusal `bad_date`.
    """
    word = given.strip().casefold()
    if word in ("today", "tomorrow"):
        return today + timedelta(days=int(word == "tomorrow"))
    meant = [place for place, name in enumerate(WEEKDAYS) if len(word) >= SHORTEST and name.startswith(word)]
    if meant:
        return today + timedelta(days=(meant[0] - today.weekday()) % 7)
    try:
        return date.fromisoformat(word)
    except ValueError:
        raise ToolRefusal(
            "bad_date", f"{given[:40]!r} is no day: write 2026-12-03, today, tomorrow, or a day of the week"
        ) from None
