"""The way out to the terminal: everything printed goes through here, and only visible text passes.

Commands print with `Console`, `print_text` and `print_json`. What else is written (a warning, a log line, a traceback)
passes the `Door` that stands before stdout and stderr.
"""

import json
import os
import sys
from collections.abc import Iterable
from contextlib import suppress
from typing import IO, Any

import rich.console
from rich.console import ConsoleOptions, RenderableType
from rich.segment import Segment

from wavegraph.app.plain_text import visible, visible_json


class OutputLost(Exception):
    """stdout cannot be written to; `reason` is empty if its reader has what it wanted (`| head`)."""

    def __init__(self, reason: str = "") -> None:
        super().__init__(reason)
        self.reason = reason


class Door:
    """A text stream before another: `visible` text passes, and nothing else."""

    def __init__(self, stream: IO[str]) -> None:
        self.rich_proxied_file = stream
        """Rich reads it: its consoles write their own colours behind the door. Ours let only visible text so far."""

    def write(self, text: str) -> int:
        self.rich_proxied_file.write(visible(text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.rich_proxied_file, name)


def stand_before_the_streams() -> None:
    """Put a door before stdout and stderr of this process. What a stream cannot encode is shown as `?`."""
    for name in ("stdout", "stderr"):
        stream: Any = getattr(sys, name)
        if stream is not None and not isinstance(stream, Door):
            with suppress(AttributeError):  # not a stream of the system's
                stream.reconfigure(errors="replace")
            setattr(sys, name, Door(stream))


class Console(rich.console.Console):
    """Prints visible text in colours of ours: no text is read as markup, and no sequence in it reaches the terminal.

    On stderr it falls silent where that cannot be written to; on stdout it raises OutputLost.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"highlight": False, "markup": False, "emoji": False, **options})
        self._on_stdout = "file" not in options and not self.stderr

    @property
    def file(self) -> IO[str]:
        stream = super().file
        # A live view puts a stream of its own before the door.
        while (behind := getattr(stream, "rich_proxied_file", None)) is not None:
            stream = behind
        return stream

    @file.setter
    def file(self, stream: IO[str]) -> None:
        self._file = stream

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        for segment in super().render(renderable, options):
            yield segment if segment.control else Segment(_in_its_lines(segment.text), segment.style)

    def print(self, *objects: Any, **options: Any) -> None:
        if self._on_stdout:
            check_stdout()
        try:
            super().print(*objects, **options)
        except OSError as error:
            self._lost(error)

    def on_broken_pipe(self) -> None:
        self._lost(BrokenPipeError())

    def _lost(self, error: OSError) -> None:
        self.quiet = True
        if self._on_stdout:
            raise _lost(error)


def _in_its_lines(text: str) -> str:
    """Visible, with no line break that Rich did not know of when it laid the lines out."""
    shown = visible(text)
    return shown if shown.count("\n") == text.count("\n") else shown.replace("\n", " ")


def print_text(text: str) -> None:
    """Print on stdout. Raises OutputLost."""
    check_stdout()
    try:
        print(visible(text), flush=True)
    except OSError as error:
        raise _lost(error) from None


def print_json(value: Any) -> None:
    """Print on stdout as JSON in one line; in ASCII where stdout is not Unicode. Raises OutputLost."""
    check_stdout()
    is_unicode = (sys.stdout.encoding or "").lower().startswith("utf")
    print_text(visible_json(json.dumps(value, ensure_ascii=not is_unicode, default=str)))


def check_stdout() -> None:
    """Raises OutputLost if this process was started without it."""
    if sys.stdout is None:
        raise OutputLost("it is closed")


def give_up_stdout_if_lost() -> None:
    """Drop what stdout's buffer holds if it cannot be written, so that Python does not fail on it at its end."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError as error:
        _lost(error)


def _lost(error: OSError) -> OutputLost:
    """What is still in the stream's buffer goes nowhere."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
    return OutputLost("" if isinstance(error, BrokenPipeError) else error.strerror or type(error).__name__)
