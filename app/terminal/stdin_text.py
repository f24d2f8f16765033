"""The request of `ask -`: all of stdin."""

import sys

import typer

from wavegraph.app.terminal.door import Console
from wavegraph.graph.state import MOST_MESSAGE_CHARS

MOST_BYTES = 4 * MOST_MESSAGE_CHARS
"""More cannot be a request that is read, and may never end."""


def request_text(given: str) -> str:
    """The request as given on the command line, or from stdin where that is `-`. Raises BadParameter."""
    return _from_stdin() if given == "-" else given


def _from_stdin() -> str:
    if sys.stdin.isatty():
        Console(stderr=True).print("reading the request from stdin; Ctrl-D ends it")
    try:
        data = sys.stdin.buffer.read(MOST_BYTES + 1)
    except OSError as error:
        raise typer.BadParameter(f"stdin cannot be read: {error.strerror}") from None
    if len(data) > MOST_BYTES:
        raise typer.BadParameter(
            f"stdin holds more than {MOST_BYTES:,} bytes, and of a request at most {MOST_MESSAGE_CHARS:,} characters are read"
        )
    try:
        text = data.decode("utf-8-sig").strip()
    except UnicodeDecodeError as error:
        wrong = f"byte {data[error.start]:#04x} at {error.start}"
        raise typer.BadParameter(f"stdin is not UTF-8 ({wrong}); write the request as UTF-8") from None
    if not text:
        raise typer.BadParameter("stdin is empty; it should hold the request")
    return text
