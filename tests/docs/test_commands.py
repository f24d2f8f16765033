"""Every command on a page is one: it parses, or its program and target are there. Each is run by a test, or listed with the
reason why it is not."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from shown import blocks
from typer.main import get_command

from wavegraph.app.main import app

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]
RUN_BY = {
    "README.md": ["tests/docs/test_readme.py"],
    "start/answers.md": ["tests/llm/test_readme_check.py", "tests/docs/test_own_pages.py"],
    "start/five-minutes.md": ["tests/docs/test_start.py"],
    "start/own-domain.md": ["tests/docs/test_own_pages.py"],
    "hotel/booking.md": ["tests/docs/test_own_pages.py"],
    "hotel/hotel-systems.md": ["tests/docs/test_hotel_systems.py"],
    "rosters/changes.md": ["tests/docs/test_roster_commands.py"],
    "rosters/checks.md": ["tests/docs/test_roster.py"],
    "rosters/generate.md": ["tests/docs/test_roster_commands.py"],
    "rosters/how-good.md": ["tests/benchmarks/test_roster_benchmark.py"],
    "rosters/versions.md": ["tests/docs/test_roster_commands.py"],
    "rosters/ward-file.md": ["tests/docs/test_roster_commands.py"],
    "rosters/what-if.md": ["tests/docs/test_roster.py", "tests/docs/test_roster_commands.py"],
    "running/deploy.md": ["tests/server/test_access.py"],
    "running/evaluation.md": ["tests/app/evaluate/test_command.py"],
    "running/lessons.md": ["tests/app/lessons/test_page.py"],
    "running/report.md": ["tests/docs/test_own_pages.py"],
    "running/stopping.md": ["tests/cancel/test_docs.py", "tests/server/test_cancel.py", "tests/docs/test_own_pages.py"],
}
"""The tests that run a page's commands."""
NOT_RUN = {
    "make console": "serves until Ctrl-C: tests/console drives its page",
    "make serve": "serves until Ctrl-C: tests/server runs such a server",
    "make cluster": "needs PostgreSQL, Redis and Python 3.12: `make test-distributed` does",
    "make test-distributed": "needs PostgreSQL, Redis and Python 3.12",
    "make bench": "half an hour; tests/benchmarks runs it quickly",
    "make bench-data": "needs the network",
    "make bench-inrc2": "hours",
    "make demo": "sets an environment up; its requests are run by tests/docs/test_readme.py",
    "langgraph dev": "serves until Ctrl-C: tests/server runs such a server",
    "pip install": "needs the network",
    "python -m venv": "makes an environment",
    ". .venv/bin/activate": "enters that environment",
    "export": "names a key, a model or a database of the reader's own",
    "curl": "needs the server of its page: tests/server asks it the same over HTTP",
    "id=$(curl": "the same",
    "wavegraph feedback desk-1": "tests/docs/test_own_pages.py runs it on a thread of that name",
    "wavegraph threads show desk-1": "the same",
    "npm": "needs the network",
    "node client.mjs": "needs Node.js and the network; tests/server runs it where they are",
    "python client.py": "needs the server of its page: tests/server/test_cancel.py runs it",
    "wavegraph mcp hotel": "serves until Ctrl-C: tests/docs/test_mcp.py runs such a server",
    "wavegraph ask --mcp servers.json": "needs a model: tests/docs/test_mcp.py runs it with a scripted one",
    'wavegraph ask "two nights over Hanukkah': "needs a model",
    'wavegraph ask --planner rules "..."': "its request is for the reader to write",
    "wavegraph report --db postgresql": "needs the reader's own PostgreSQL: tests/app/report opens one",
    "wavegraph ask --db": "needs a file or PostgreSQL of the reader's own: tests/app/storage opens them",
    "wavegraph hotel move": "needs a hotel in a PostgreSQL of the reader's own: tests/server/test_shared_hotels.py moves one",
    "wavegraph hotel list": "shows that PostgreSQL: tests/server/test_shared_hotels.py lists it",
    "wavegraph hotel import examples/own_hotel": "tests/app/hotel/test_commands.py imports it",
    "wavegraph ask --property beit-haerez": "tests/app/hotel/test_commands.py asks it",
    "wavegraph erase": "tests/app/commands runs it on conversations and bookings of its own",
}
"""Commands by how they begin, each with the reason."""
PLAYED = ("rosters/a-quarter.md", "rosters/a-quarter-continued.md")
"""Written from what their commands printed: `python -m examples.roster_month` runs them, in minutes."""
PROGRAMS = {"cat", "cp", "sed", "mkdir", "call", "field"}
"""Of the shell, or defined by the page."""


def commands(page: Path) -> Iterator[str]:
    text = page.read_text(encoding="utf-8")
    for kind in ("console", "shellsession"):
        for block in blocks(text, kind):
            yield from re.findall(r"^\$ (.*)$", block, flags=re.MULTILINE)
    for block in blocks(text, "sh"):
        yield from filter(None, map(str.strip, re.sub(r"\\\n\s*", "", block).splitlines()))


def name_of(page: Path) -> str:
    return page.relative_to(DOCS if page.is_relative_to(DOCS) else ROOT).as_posix()


SHOWN = [(name_of(page), command) for page in PAGES for command in commands(page)]
OWN = sorted({(page, command) for page, command in SHOWN if command.startswith("wavegraph ")})


@pytest.mark.parametrize(("page", "command"), OWN, ids=[" ".join(each) for each in OWN])
def test_it_parses(page: str, command: str) -> None:
    """By the command line's own parser; nothing is run."""
    words = shlex.split(command, comments=True)[1:]
    parse(get_command(app), [word for word in words if word not in ("-", "<")], "wavegraph")


def parse(command: click.Command, words: list[str], name: str, parent: click.Context | None = None) -> None:
    with command.make_context(name, list(words), parent) as context:
        rest = [*context._protected_args, *context.args] if isinstance(command, click.Group) else []
        if isinstance(command, click.Group):
            inner, found, left = command.resolve_command(context, rest)
            assert found is not None
            parse(found, left, str(inner), context)


def test_each_target_is_there() -> None:
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE))
    named = {command.split()[1] for _, command in SHOWN if command.startswith("make ")}

    assert named
    assert named - targets == set()


@pytest.mark.parametrize("page", sorted({page for page, _ in SHOWN}))
def test_each_is_run_or_listed(page: str) -> None:
    """By a test that reads the page."""
    if page in PLAYED:
        return
    if page in RUN_BY:
        told = {place: Path(page).name in (ROOT / place).read_text(encoding="utf-8") for place in RUN_BY[page]}
        assert all(told.values()), told
        return
    left = [command for name, command in SHOWN if name == page and not is_listed(command)]
    assert [command for command in left if command.split()[0] not in PROGRAMS] == []


def is_listed(command: str) -> bool:
    return any(command.startswith(begins) for begins in NOT_RUN)


def test_the_list_is_of_commands_that_are_shown() -> None:
    assert [begins for begins in NOT_RUN if not any(command.startswith(begins) for _, command in SHOWN)] == []
