"""The first five minutes, each step run as it stands on the page, from an empty folder; a script answers for the model."""

import io
import json
import os
import re
import runpy
import shlex
import shutil
import signal
import sys
import tomllib
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any, Self

import pytest
from shown import blocks, missing
from typer.testing import CliRunner

pytest.importorskip("mcp", reason="the extra wavegraph[mcp] is not installed")
sys.path.insert(0, str(Path(__file__).parents[1] / "support_llm"))

import httpx
import stand_ins
from dev_server import serving
from endpoint import Endpoint, Received, Serving, answers, plans
from langgraph.checkpoint.memory import InMemorySaver
from patience import HANGS_S
from plans import call, plan

from wavegraph import create_agent
from wavegraph.app.main import app
from wavegraph.graph.adopt.mcp.connection import leave_all

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "start" / "five-minutes.md").read_text(encoding="utf-8")
FILE = re.compile(r"`([\w.]+\.(?:py|json))`[^`]*:\n\n```(?:python|json)\n(.*?)```", re.DOTALL)
OWN_MODULES = ("trips", "served")
REAL_SERVERS = os.pathsep.join([os.environ.get("WAVEGRAPH_MCP_SERVERS", ""), os.environ["PATH"]])
SEARCH = call("search", "search_flights", city="Rome")
FOUND = "There are two flights to Rome: AZ1 for 120 euros and FR2 for 80 euros."
SECOND = {"ref": {"call": "search", "path": "[1].flight"}}
TIME = {"ref": {"call": "time", "path": "datetime"}}
NOTES = plans(
    plan(
        call("time", "time_get_current_time", timezone="Asia/Tokyo"),
        call("write", "files_write_file", path="tokyo.txt", content=TIME),
        action="note",
    )
)


def section(number: int) -> str:
    return PAGE.split(f"\n## {number}. ")[1].split("\n## ")[0]


def written() -> dict[str, str]:
    """The files that the page tells to write, each with what it shows."""
    return dict(FILE.findall(PAGE))


@pytest.fixture
def folder(tmp_path: Path, bare_environment: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with the page's files and nothing else."""
    (here := tmp_path / "here").mkdir()
    for name, text in written().items():
        (here / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(here)
    monkeypatch.syspath_prepend("")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "200")
    yield here
    for name in OWN_MODULES:
        sys.modules.pop(name, None)


@pytest.fixture
def endpoint(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    with Serving() as endpoint:
        monkeypatch.setenv("OPENAI_API_KEY", "k")
        monkeypatch.setenv("OPENAI_BASE_URL", endpoint.url)
        yield endpoint


@pytest.fixture
def servers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder in which the page's MCP servers are found first."""
    (programs := tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    yield programs
    leave_all()


class Steps:
    """Runs the commands of a block one by one, and holds what they print against what it shows."""

    def __init__(self, number: int) -> None:
        (block,) = blocks(section(number), "console")
        head, *rest = re.split(r"^\$ ", block, flags=re.MULTILINE)
        assert head == ""
        self._left = [each.partition("\n") for each in rest]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        assert kind or not self._left, f"nobody ran: {self._left}"

    def next(self) -> None:
        line, _, shown = self._left.pop(0)
        program, *words = shlex.split(line)
        printed = {"wavegraph": self._command, "python": self._program}[program](words)
        assert missing(shown, printed) == [], printed

    def _command(self, words: list[str]) -> str:
        return CliRunner().invoke(app, words, catch_exceptions=False).output

    def _program(self, words: list[str]) -> str:
        with redirect_stdout(io.StringIO()) as printed:
            runpy.run_path(words[0], run_name="__main__")
        return printed.getvalue()


def interrupted(_: Received) -> dict[str, Any]:
    os.kill(os.getpid(), signal.SIGINT)
    return plan()


def test_the_agent_answers_asks_goes_on_and_is_stopped(folder: Path, endpoint: Endpoint) -> None:
    with Steps(2) as steps:
        endpoint.plays(plans(plan(SEARCH)), answers(FOUND))
        steps.next()
    with Steps(3) as steps:
        endpoint.plays(plans(plan(call("book", "book_flight", flight="FR2", passenger="Ada"), action="book")))
        steps.next()
        assert not (folder / "bookings.txt").exists()
        endpoint.plays(answers("FR2 is booked for Ada."))
        steps.next()
    assert f"`bookings.txt` says `{(folder / 'bookings.txt').read_text().strip()}`" in section(3)
    with Steps(4) as steps:
        endpoint.plays(plans(plan(reply="It is FR2, for 80 euros.", action="answer")))
        steps.next()
    with Steps(5) as steps:
        endpoint.plays(plans(None, made=interrupted, fault="hang"))
        steps.next()
        endpoint.released.set()
        oslo = plan(call("search", "search_flights", city="Oslo"))
        endpoint.plays(plans(oslo), answers("AZ1 costs 120 euros, FR2 80 euros."))
        steps.next()


def test_the_program_asks_and_books(folder: Path, endpoint: Endpoint) -> None:
    booking = call("book", "book_flight", flight=SECOND, passenger="Ada")
    endpoint.plays(plans(plan(SEARCH, booking)), answers("FR2 is booked for Ada."))
    with Steps(6) as steps:
        steps.next()
    assert (folder / "bookings.txt").read_text() == "FR2 Ada\n"


def test_with_the_look_up_of_the_page_it_books_once(folder: Path, endpoint: Endpoint) -> None:
    shown: dict[str, Any] = {}
    exec(blocks(section(6), "python")[1], shown)  # noqa: S102
    agent = create_agent("openai:gpt-5-mini", [shown["book"]])
    for _ in range(2):
        endpoint.plays(
            plans(plan(call("book", "book_flight", flight="FR2", passenger="Ada"))), answers("It is booked.")
        )
        ended = agent.invoke({"messages": [("user", "Book FR2 for Ada")]})
        assert ended["results"]["book"]["data"] == "FR2 is booked for Ada"
    assert (folder / "bookings.txt").read_text() == "FR2 Ada\n"


def test_the_servers_tools_are_called_and_asked_about(folder: Path, endpoint: Endpoint, servers: Path) -> None:
    stand_ins.install(servers)
    notes_are_written(folder, endpoint)


@pytest.mark.attack  # processes of some hundred megabytes each
def test_the_real_servers_too(folder: Path, endpoint: Endpoint, servers: Path) -> None:
    """`npx` would fetch the second; the one that is here is run in its place."""
    for program, found in {"mcp-server-time": "mcp-server-time", "npx": "mcp-server-filesystem"}.items():
        if (place := shutil.which(found, path=REAL_SERVERS)) is None:
            pytest.skip(f"the program {found} is not here; WAVEGRAPH_MCP_SERVERS may name its folder")
        (servers / program).write_text(f'#!/bin/sh\nexec "{place}" $([ {program} = npx ] && echo .)\n')
        (servers / program).chmod(0o755)
    notes_are_written(folder, endpoint)


def notes_are_written(folder: Path, endpoint: Endpoint) -> None:
    with Steps(7) as steps:
        endpoint.plays(NOTES)
        steps.next()
        assert not (folder / "tokyo.txt").exists()
        endpoint.plays(answers("The time is in tokyo.txt."))
        steps.next()
    assert (folder / "tokyo.txt").read_text().endswith("+09:00")


def test_the_served_graph_answers_with_the_server_s_checkpointer(folder: Path, endpoint: Endpoint) -> None:
    config = json.loads(written()["langgraph.json"])
    file, _, name = config["graphs"]["trips"].partition(":")
    graph = runpy.run_path(file)[name]
    assert graph.checkpointer is None
    endpoint.plays(plans(plan(SEARCH)), answers(FOUND))
    given: Any = {"messages": [("user", "What does a flight to Rome cost?")]}
    kept = graph.copy(update={"checkpointer": InMemorySaver()})
    assert kept.invoke(given, {"configurable": {"thread_id": "1"}})["answer"] == FOUND


@pytest.mark.attack  # a development server
def test_the_server_of_the_page_answers(folder: Path, endpoint: Endpoint, servers: Path) -> None:
    stand_ins.install(servers)
    _, asking = blocks(section(8), "sh")
    _, address, *_, body = shlex.split(asking)
    to_mcp = {**json.loads(body), "assistant_id": "mcp"}
    yes = {"assistant_id": "mcp", "input": {"messages": [{"role": "user", "content": "yes"}]}}
    environment = {"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": endpoint.url, "WAVEGRAPH_MCP": "servers.json"}
    endpoint.plays(plans(plan(SEARCH)), answers(FOUND), NOTES, answers("The time is in tokyo.txt."))
    server = serving(folder, {}, environment, folder / "log", str(folder / "langgraph.json"))
    with server as url, httpx.Client(base_url=url, timeout=HANGS_S) as client:
        ended = client.post(address.removeprefix("http://127.0.0.1:2024"), json=json.loads(body)).json()
        thread = f"/threads/{client.post('/threads', json={}).json()['thread_id']}/runs/wait"
        asked = client.post(thread, json=to_mcp).json()
        agreed = client.post(thread, json=yes).json()
    assert ended["answer"] == FOUND
    assert asked["messages"][-1]["content"].startswith("Write tokyo.txt: ")
    assert agreed["answer"] == "The time is in tokyo.txt."


def test_what_is_installed_is_there() -> None:
    install = blocks(section(1), "sh")[0]
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    assert set(re.findall(r"wavegraph\[(\w+)\]", PAGE)) <= set(extras)
    assert "\npip install './wavegraph[mcp]'\n" in install


def test_no_step_is_left_out() -> None:
    """Those that print something are run above; the first installs, the last serves."""
    numbered = [int(number) for number in re.findall(r"^## (\d+)\.", PAGE, flags=re.MULTILINE)]
    assert numbered == list(range(1, 9))
    assert [number for number in numbered if blocks(section(number), "console")] == [2, 3, 4, 5, 6, 7]
    assert sorted(written()) == ["langgraph.json", "program.py", "served.py", "servers.json", "trips.py"]
