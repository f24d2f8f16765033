"""`wavegraph new`: a project with an agent that runs, and tests that pass."""

import os
import shutil
import sys
from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from keyword import iskeyword
from pathlib import Path, PurePosixPath
from string import Template
from typing import Annotated

import typer
from rich.text import Text

from wavegraph.app.agents import COMMON_COMMANDS, further_commands, installed
from wavegraph.app.terminal.door import Console, print_text
from wavegraph.app.terminal.exit_errors import BAD_USAGE, exit_on_error, os_fault, stop
from wavegraph.graph.errors import SettingsError

_OWN_FOLDER = "tests"
_NEXT = """cd {name}
pip install -e '.[dev]'
python -m pytest
wavegraph ask --domain {name}.agent:graph "Is a tent left?\""""


def new(
    name: Annotated[
        str,
        typer.Argument(metavar="NAME", help="Of the project, its package and its agent: my_desk.", show_default=False),
    ],
) -> None:
    """Write a project into a new folder: an agent with a read and a write that asks, its tests, langgraph.json."""
    console = Console(stderr=True)
    with exit_on_error(console):
        try:
            check_name(name, here=Path())
            write_project(Path(name), name)
        except FileExistsError:
            message = f"{name!r} is there already; choose another name, or remove it or go to another folder"
            stop(console, message, BAD_USAGE)
        except OSError as error:
            stop(console, os_fault(error, "write"), BAD_USAGE)
    print_text(_NEXT.format(name=name))
    console.print(Text(f"wrote {name}; its README.md says what is where", style="dim"), soft_wrap=True)


def check_name(name: str, here: Path) -> None:
    """Raises SettingsError for a name that cannot be a package's and an agent's, with one that can, and FileExistsError for
    one that `here` holds already: Python may find that as a module.
    """
    if not _can_be_a_package(name):
        raise SettingsError(
            f"{name!r} cannot be the name of a Python package: letters of English, digits and _ between them; "
            f"try {_another(name)!r}"
        )
    if os.path.lexists(here / name):
        raise FileExistsError(name)
    if why := _taken(name):
        raise SettingsError(f"{name!r} {why}; try {_another(name)!r}")


def _can_be_a_package(name: str) -> bool:
    return name.isascii() and name.isidentifier() and not iskeyword(name) and name.strip("_") == name


def _taken(name: str) -> str:
    """Whose the name is; empty = nobody's."""
    if name in COMMON_COMMANDS | further_commands():
        return "is a command of wavegraph"
    agents, unusable = installed()
    if name in agents or name in unusable:
        return "is an agent that is installed"
    if name == _OWN_FOLDER or name in sys.stdlib_module_names or find_spec(name):
        return "is the name of another Python module"
    return ""


def _another(name: str) -> str:
    words = "".join(letter if letter.isascii() and letter.isalnum() else " " for letter in name).split()
    made = "_".join(words).lower()
    if not made[:1].isalpha():
        made = f"agent_{made}".rstrip("_")
    return made if made != name and _can_be_a_package(made) and not _taken(made) else f"{made}_agent"


def write_project(folder: Path, name: str) -> None:
    """All of it, or nothing. Raises OSError; FileExistsError if there is something of this name."""
    contents = {path: Template(text).substitute(name=name) for path, text in _templates()}
    folder.mkdir()
    try:
        for path, text in contents.items():
            file = folder / Template(str(path)).substitute(name=name)
            file.parent.mkdir(exist_ok=True)
            file.write_text(text, encoding="utf-8")
    except OSError:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def _templates() -> Iterator[tuple[PurePosixPath, str]]:
    """Each file's path within the project, and its text, both with `$name` where the name belongs."""
    return _below(files("wavegraph.app.commands") / "project", PurePosixPath())


def _below(folder: Traversable, path: PurePosixPath) -> Iterator[tuple[PurePosixPath, str]]:
    for each in folder.iterdir():
        if each.is_dir():
            yield from _below(each, path / each.name.replace("NAME", "$name"))
        else:
            yield path / each.name.removesuffix(".txt"), each.read_text(encoding="utf-8")
