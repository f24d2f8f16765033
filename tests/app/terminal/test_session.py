"""A session of the command line opens the agent's resources and gives them back."""

import asyncio
import shlex
import sys
from dataclasses import replace
from types import ModuleType

import pytest
from clerk import domain as clerk
from rich.console import Console

from wavegraph import build_graph
from wavegraph.app.terminal.options import Options
from wavegraph.app.terminal.session import open_session


def test_the_domain_is_closed_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []

    async def open_() -> None:
        seen.append("open")

    async def close() -> None:
        seen.append("close")

    module = ModuleType("closing_desk")
    module.graph = build_graph(replace(clerk, open=open_, close=close))  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "closing_desk", module)
    options = Options(domain="closing_desk:graph", database=":memory:", settings={}, as_json=False, debug=False)

    async def session() -> None:
        async with open_session(options, Console(stderr=True)) as opened:
            await opened.answer("look:blue", "t")

    asyncio.run(session())

    assert set(seen[:-1]) == {"open"}
    assert seen[-1] == "close"


def test_the_line_that_resumes_says_every_setting_again() -> None:
    settings = {"language": "he", "today": None, "max_waves": "3", "penalties": {"overwork": 20}}
    own = {"--property": "sea"}
    options = Options(domain="roster", database=None, settings=settings, as_json=False, debug=False, own=own)

    assert shlex.split(options.resumes("t")) == [
        *("wavegraph", "resume", "t", "--domain", "roster"),
        *("--property", "sea", "--language", "he", "--set", "max_waves=3", "--set", 'penalties={"overwork": 20}'),
    ]
    assert options.decides("t", "reject", "--reason", "too few") == (
        "wavegraph approvals reject t --reason 'too few' --domain roster"
    )
