"""When the process of a command started: its request was typed by then, however long the imports take."""

import time

_noted_at_ms: list[int] = []


def note_start() -> None:
    """Note that the process of a command starts now."""
    _noted_at_ms[:] = [time.time_ns() // 1_000_000]


def started_at_ms() -> int | None:
    """In milliseconds since 1970; None = the process is not a command's."""
    return _noted_at_ms[0] if _noted_at_ms else None
