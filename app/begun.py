"""When the command began: what it was given had been said by then, however long its imports take."""

import time

_at_ms: list[int] = []


def begin() -> None:
    """Note that the command begins now."""
    _at_ms[:] = [time.time_ns() // 1_000_000]


def begun_ms() -> int | None:
    """In milliseconds since 1970; None = the process is not a command's own."""
    return _at_ms[0] if _at_ms else None
