"""The commands as a person meets them: how many, what the list says of each, and help pages that fit a screen."""

from collections.abc import Iterator
from typing import Any

import pytest
import typer
from tables import table
from typer.testing import CliRunner

from wavegraph.app.command_table import COMMANDS, MOVED
from wavegraph.app.main import app
from wavegraph.app.terminal.named_commands import NamedCommand
from wavegraph.app.terminal.options import ON_MOST

SCREEN = (100, 50)
"""Columns and lines."""


@table("name", COMMANDS)
def test_a_command_s_line_is_the_first_of_its_own_help(name: str) -> None:
    command = NamedCommand(name, COMMANDS[name]).whole()

    assert (command.name, " ".join(command.help.partition("\n\n")[0].split())) == (name, COMMANDS[name].line)


def commands(of: Any, *words: str) -> Iterator[tuple[tuple[str, ...], Any]]:
    whole = of.whole() if hasattr(of, "whole") else of
    if not hasattr(whole, "commands"):
        yield words, whole
    for name, each in getattr(whole, "commands", {}).items():
        yield from commands(each, *words, name)


EVERY = dict(commands(typer.main.get_command(app)))


def options(command: Any, *, hidden: bool) -> list[str]:
    of = [each for each in command.params if each.param_type_name == "option" and "--help" not in each.opts]
    return [each.opts[0] for each in of if each.hidden is hidden]


def test_there_are_few_commands_with_few_options() -> None:
    assert len(EVERY) <= 30
    assert sum(len(options(each, hidden=False)) for each in EVERY.values()) <= 110


@pytest.mark.parametrize("words", EVERY, ids=" ".join)
def test_a_help_page_fits_a_screen_and_names_what_another_page_tells(
    words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    columns, lines = SCREEN
    monkeypatch.setenv("COLUMNS", str(columns))
    page = CliRunner().invoke(app, [*words, "--help"]).stdout
    hidden = options(EVERY[words], hidden=True)

    assert len(page.splitlines()) <= lines
    end = " ".join(page.rpartition("Also: ")[2].split())
    assert [flag for flag in hidden if flag in ON_MOST and flag not in end] == []
    assert ("the options of a request (wavegraph ask --help)" in end) == bool(set(hidden) - ON_MOST.keys())


def test_the_list_tells_of_the_options_of_most_commands() -> None:
    listed = CliRunner().invoke(app, ["--help"]).stdout

    assert [flag for flag in ON_MOST if f" {flag}" not in listed.partition("Options of most commands:")[2]] == []


@table("words", [["chat"], ["ask"], ["threads"], ["roster", "show"], ["approvals", "approve"], ["hotel", "list"]])
def test_every_option_that_a_command_takes_completes(words: list[str]) -> None:
    line = " ".join(["wavegraph", *words, "--"])
    asked = {"COMP_WORDS": line, "COMP_CWORD": str(len(words) + 1), "_WAVEGRAPH_COMPLETE": "complete_bash"}
    offered = CliRunner().invoke(app, [], prog_name="wavegraph", env=asked).stdout.split()

    command = EVERY[tuple(words)]
    taken = options(command, hidden=True) + options(command, hidden=False)
    assert [flag for flag in taken if flag not in offered] == []


def told(*words: str) -> str:
    done = CliRunner().invoke(app, words, prog_name="wavegraph", env={"COLUMNS": "200"})
    assert (done.exit_code, done.stdout) == (2, "")
    return done.stderr


@table(("gone", "line"), MOVED.items())
def test_a_command_of_an_earlier_version_names_the_one_that_does_it_now(gone: str, line: str) -> None:
    assert f"No such command {gone.split()[-1]!r}. Use: wavegraph {line} " in told(*gone.split())

    words = line.split()
    command = next(each for known, each in EVERY.items() if known == tuple(words[: len(known)]))
    flags = {word for word in words if word.startswith("--")}
    assert flags <= set(options(command, hidden=True) + options(command, hidden=False))


@table(
    ("words", "message"),
    [
        ["aks", "No such command 'aks'. Did you mean 'ask'?"],
        ["roster publsh", "No such command 'publsh'. Did you mean 'publish'?"],
        ["fly", "No such command 'fly'. "],
    ],
)
def test_a_misspelt_command_is_told_of_the_one_that_is_meant(words: str, message: str) -> None:
    assert message in told(*words.split())


@table("word", ["serve", "erse", "erase-all"])
def test_none_is_told_of_the_command_that_erases(word: str) -> None:
    assert "erase'?" not in told(word)
