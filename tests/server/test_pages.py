"""The commands and programs of server.md, approvals.md and clients.md run as printed, over a server."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest
from patience import HANGS_S
from shown import blocks, run_in_bash, typed, unlike, unprinted

RUNNING = Path(__file__).parents[2] / "docs" / "running"
LOCAL = "http://127.0.0.1:2024"
ELSEWHERE = ("make ", "wavegraph ")
"""Commands that other tests run."""


def page(name: str, url: str) -> str:
    return (RUNNING / name).read_text(encoding="utf-8").replace(LOCAL, url)


@pytest.mark.parametrize("name", ["server.md", "approvals.md", "clients.md"])
def test_the_commands_of_the_page_print_what_is_shown(url: str, name: str, tmp_path: Path) -> None:
    steps = [
        step
        for block in blocks(page(name, url), "console")
        for step in typed(block)
        if not step[0].startswith(ELSEWHERE)
    ]
    printed = run_in_bash([command for command, _ in steps], tmp_path)

    assert steps
    assert unprinted(steps, printed) == []


@pytest.mark.parametrize(("name", "number"), [("server.md", 0), ("server.md", 1), ("approvals.md", 0)])
def test_the_program_of_the_page_prints_what_is_shown(url: str, name: str, number: int, tmp_path: Path) -> None:
    text = page(name, url)
    program = blocks(text, "python")[number]
    printed = [block for block in blocks(text, "console") if not block.startswith("$ ")][number]
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        capture_output=True,
        encoding="utf-8",
        timeout=HANGS_S,
        check=False,
    )

    assert (done.stderr, done.returncode) == ("", 0)
    assert unlike(printed.splitlines(), done.stdout) == []


async def test_the_page_s_own_application_keeps_the_checks() -> None:
    (program,) = blocks(page("clients.md", LOCAL), "python")
    names: dict[str, Any] = {}
    exec(program, names)  # noqa: S102
    async with httpx.AsyncClient(transport=httpx.ASGITransport(names["app"]), base_url="http://localhost") as client:
        assert (await client.get("/hello")).json() == {"hello": "guest"}
        assert (await client.get("/hello", headers={"Host": "evil.example"})).status_code == 421
