"""Everything printed goes through one door."""

import ast
import errno
import io
import json
import logging
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from graffiti import COMMANDING, HOSTILE, MARKUP
from rich.live import Live
from rich.table import Table
from rich.text import Text

from wavegraph.app.main import app
from wavegraph.app.plain_text import visible
from wavegraph.app.terminal.door import Console, Door, OutputLost, print_json, print_text, stand_before_the_streams

ROOT = Path(__file__).parents[3]
DOOR = "app/terminal/door.py"
AROUND = {
    ("app/terminal/chat.py", "input"),  # its prompt, which is ours
    ("app/terminal/interrupt.py", "os.write"),  # shows the cursor again, in a signal handler
}
WRITERS = {
    "print",
    "input",
    "os.write",
    "pprint",
    "pprint.pprint",
    "typer.echo",
    "typer.secho",
    "click.echo",
    "rich.print",
}
STREAMS = {"sys.stdout", "sys.stderr", "sys.__stdout__", "sys.__stderr__"}
METHODS = {"write", "writelines", "buffer"}
MODULES = {"rich.console.Console", "rich.print", "rich.get_console", "rich.inspect", "rich.progress", "rich.traceback",
           "click", "pprint", "curses"}  # fmt: skip


def sources() -> Iterator[tuple[str, ast.Module]]:
    for folder in ("app", "graph", "nodes", "prompts", "tools", "src/wavegraph"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            yield path.relative_to(ROOT).as_posix(), ast.parse(path.read_text(encoding="utf-8"))


def dotted(node: ast.AST) -> str:
    """`a.b.c`; of anything else its last part."""
    if isinstance(node, ast.Attribute):
        return f"{dotted(node.value)}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""


def is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def ways_out(tree: ast.Module) -> Iterator[str]:
    """What of a module prints by itself: calls, streams written to, and what else prints brought in."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=func, args=args):
                if (name := dotted(func)) in WRITERS or (name == "sys.exit" and any(map(is_text, args))):
                    yield name
            case ast.Attribute(value=value, attr=attr):
                if attr in METHODS and dotted(value) in STREAMS:
                    yield dotted(node)
            case ast.Import(names=names):
                yield from (alias.name for alias in names if alias.name in MODULES)
            case ast.ImportFrom(module=module, names=names):
                yield from {str(module), *(f"{module}.{alias.name}" for alias in names)} & MODULES


def test_nothing_prints_around_the_door() -> None:
    found = {(place, way) for place, tree in sources() if place != DOOR for way in ways_out(tree)}

    assert found == AROUND


@pytest.mark.parametrize(
    "code",
    ["print(1)", "sys.stdout.write(x)", "sys.stderr.buffer.write(x)", "typer.echo(x)", "from rich.console import Console",
     "from rich import print", "import click", "sys.exit(f'{x}')", "sys.exit('no')", "os.write(2, x)"],
)  # fmt: skip
def test_what_would_print_around_it_is_seen(code: str) -> None:
    assert list(ways_out(ast.parse(code)))


@pytest.mark.parametrize(
    "code", ["print_text(x)", "sys.exit(2)", "sys.exit(FAILED)", "file.write(x)", "sys.stdout.flush()"]
)
def test_what_does_not_is_not(code: str) -> None:
    assert list(ways_out(ast.parse(code))) == []


def console(**options: Any) -> tuple[Console, io.StringIO]:
    file = io.StringIO()
    return Console(file=file, width=200, **options), file


def table() -> Table:
    drawn = Table(HOSTILE)
    drawn.add_row(Text(HOSTILE))
    return drawn


@pytest.mark.parametrize(
    "thing", [lambda: HOSTILE, lambda: Text(HOSTILE), table], ids=["a string", "a text", "a table"]
)
def test_a_console_prints_visible_text_and_reads_no_markup(thing: Callable[[], Any]) -> None:
    printer, file = console()
    printer.print(thing())

    assert visible(file.getvalue()) == file.getvalue()
    assert "[red]red[/red]" in file.getvalue()


def test_on_a_terminal_the_only_sequences_are_its_own() -> None:
    printer, file = console(force_terminal=True, color_system="standard")
    printer.print(Text(HOSTILE, style="bold"), soft_wrap=True)

    (line,) = file.getvalue().splitlines()
    assert line == f"\x1b[1m{visible(line)}\x1b[0m"


def test_a_live_view_of_ours_keeps_its_colours_before_a_door(monkeypatch: pytest.MonkeyPatch) -> None:
    behind = io.StringIO()
    monkeypatch.setattr(sys, "stderr", Door(behind))
    printer = Console(stderr=True, force_terminal=True, color_system="standard", width=80, legacy_windows=False)
    with Live(Text("spins", style="cyan"), console=printer, auto_refresh=False):
        print(HOSTILE, file=sys.stderr)
        printer.print(Text("done", style="green"))

    assert "\x1b[32mdone\x1b[0m" in behind.getvalue()
    assert "\x1b[36mspins\x1b[0m" in behind.getvalue()
    assert not any(part in behind.getvalue() for part in COMMANDING)


def test_text_and_json(capsys: pytest.CaptureFixture[str]) -> None:
    print_text(HOSTILE)
    print_json({HOSTILE: [HOSTILE]})

    out = capsys.readouterr().out
    assert visible(out) == out
    assert MARKUP in out
    assert json.loads(out.splitlines()[-1]) == {HOSTILE: [HOSTILE]}


def test_json_is_ascii_where_the_stream_is_not_unicode(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="cp1255"))
    print_json("שלום 你")

    assert raw.getvalue().isascii()
    assert json.loads(raw.getvalue()) == "שלום 你"


def _log() -> None:
    log = logging.getLogger("somebody's")
    log.propagate = False
    log.error("%s", HOSTILE)


def _traceback() -> None:
    try:
        raise RuntimeError(HOSTILE)
    except RuntimeError as error:
        sys.__excepthook__(type(error), error, error.__traceback__)


@pytest.mark.parametrize(
    "write", [_log, _traceback, lambda: print(HOSTILE, file=sys.stderr), lambda: sys.stderr.writelines([HOSTILE])],
    ids=["a log line", "a traceback", "a library's print", "lines"],
)  # fmt: skip
def test_what_others_write_passes_the_door(write: Callable[[], None], monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stderr", io.TextIOWrapper(raw, encoding="ascii", write_through=True))
    monkeypatch.setattr(sys, "stdout", sys.stdout)
    stand_before_the_streams()
    stand_before_the_streams()
    write()

    written = raw.getvalue().decode("ascii")
    assert "[red]red[/red]" in written
    assert "????" in written
    assert visible(written) == written


class Full(io.StringIO):
    def __init__(self, code: int) -> None:
        super().__init__()
        self.code = code

    def write(self, text: str) -> int:
        raise OSError(self.code, os.strerror(self.code))


@pytest.mark.parametrize(
    ("code", "reason"),
    [(errno.EPIPE, ""), (errno.ENOSPC, "No space left on device"), (errno.EIO, "Input/output error")],
)
@pytest.mark.parametrize("write", [print_text, print_json, lambda text: Console().print(text)])
def test_a_stdout_that_takes_nothing_is_told(
    code: int, reason: str, write: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdout", Full(code))
    with pytest.raises(OutputLost) as lost:
        write("x")
    assert lost.value.reason == reason


@pytest.mark.parametrize("write", [print_text, print_json, lambda text: Console().print(text)])
def test_no_stdout_is_told(write: Callable[[str], None], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    with pytest.raises(OutputLost, match="it is closed"):
        write("x")


@pytest.mark.parametrize("stream", [Full(errno.EPIPE), Full(errno.ENOSPC), None])
def test_a_stderr_that_takes_nothing_stops_no_work(stream: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", stream)
    printer = Console(stderr=True)
    printer.print("x")
    printer.print("y")

    assert printer.quiet == (stream is not None)


@pytest.mark.parametrize("words", [["--help"], ["--version"], ["threads", "--db", ":memory:"], ["ask", "--help"]])
def test_a_command_on_a_full_disk_says_so(
    words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdout", Full(errno.ENOSPC))
    with pytest.raises(SystemExit) as ended:
        app(words)

    assert ended.value.code == 1
    assert capsys.readouterr().err.rstrip().endswith("No space left on device")
