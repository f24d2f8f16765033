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
    "start/mcp.md": ["tests/docs/test_mcp.py"],
    "start/models.md": ["tests/docs/test_models.py"],
    "start/own-domain.md": ["tests/docs/test_own_pages.py"],
    "hotel/booking.md": ["tests/docs/test_own_pages.py"],
    "hotel/hotel-systems.md": ["tests/docs/test_hotel_systems.py"],
    "hotel/own-hotel.md": ["tests/docs/test_own_pages.py"],
    "rosters/changes.md": ["tests/docs/test_roster_commands.py"],
    "rosters/checks.md": ["tests/docs/test_roster.py"],
    "rosters/generate.md": ["tests/docs/test_roster_commands.py"],
    "rosters/how-good.md": ["tests/benchmarks/test_roster_benchmark.py"],
    "rosters/versions.md": ["tests/docs/test_roster_commands.py"],
    "rosters/ward-file.md": ["tests/docs/test_roster_commands.py"],
    "rosters/what-if.md": ["tests/docs/test_roster.py", "tests/docs/test_roster_commands.py"],
    "running/approvals.md": ["tests/server/test_pages.py"],
    "running/clients.md": ["tests/server/test_pages.py", "tests/docs/test_own_pages.py"],
    "running/deploy.md": ["tests/server/test_access.py"],
    "running/erasing.md": ["tests/docs/test_own_pages.py"],
    "running/evaluation.md": ["tests/docs/test_own_pages.py"],
    "running/report.md": [
        "tests/docs/test_own_pages.py",
        "tests/app/report/test_lessons.py",
        "tests/docs/test_databases.py",
    ],
    "running/security.md": ["tests/server/test_doors.py"],
    "running/server.md": ["tests/server/test_pages.py"],
    "running/sharing.md": ["tests/docs/test_databases.py"],
    "running/stopping.md": ["tests/cancel/test_docs.py", "tests/server/test_cancel.py", "tests/docs/test_own_pages.py"],
    "running/storage.md": ["tests/docs/test_databases.py"],
}
"""The tests that run a page's commands, but for those listed below."""
NOT_RUN = {
    "make console": "serves until Ctrl-C: tests/console/test_console.py walks through such a page",
    "make serve": "serves until Ctrl-C: tests/server/conftest.py starts such a server",
    "make cluster": "needs PostgreSQL, Redis and Python 3.12: tests/cluster/conftest.py starts such a cluster",
    "make test-distributed": "is the tests in tests/cluster",
    "make bench": "half an hour: tests/benchmarks/test_bench_command.py runs it quickly",
    "make bench-data": "needs the network: tests/benchmarks/test_material.py makes the material from small repositories",
    "make bench-inrc2": "hours: tests/benchmarks/test_roster_inrc2.py solves a small instance",
    "make demo": "sets an environment up, and solves a roster: tests/docs/test_readme.py asks its requests",
    "langgraph dev": "serves until Ctrl-C: tests/docs/test_start.py and tests/server/test_access.py start such servers",
    "pip install": "needs the network",
    "python -m venv": "makes an environment",
    ". .venv/bin/activate": "enters that environment",
    "npm": "needs the network: tests/server/conftest.py does it where there is one",
    "node client.mjs": "needs Node.js: tests/server/test_javascript.py runs it where it is",
    "wavegraph mcp hotel": "serves until Ctrl-C: tests/docs/test_mcp.py starts such a server",
}
"""Commands by how they begin, each with the reason; a reason names the test that does the like, where there is one."""
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


def test_the_list_is_of_commands_that_are_shown_and_names_tests_that_are_there() -> None:
    assert [begins for begins in NOT_RUN if not any(command.startswith(begins) for _, command in SHOWN)] == []
    named = [place for why in NOT_RUN.values() for place in re.findall(r"tests/[\w/.]+\w", why)]
    assert named
    assert [place for place in named if not (ROOT / place).exists()] == []
