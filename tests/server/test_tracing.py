"""LangSmith: what its tree shows of a request, received by a loopback endpoint. Off unless asked for."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from email.parser import BytesParser
from email.policy import HTTP
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from roster_loop import ward_files

KEY = "dummy-key-4711"
ELSEWHERE = ("OPENAI_", "WAVEGRAPH_", "LANGSMITH_", "LANGCHAIN_")
BATCHES = {
    "use_multipart_endpoint": True,
    "size_limit": 100,
    "size_limit_bytes": 20_000_000,
    "scale_up_nthreads_limit": 4,
    "scale_up_qsize_trigger": 1000,
    "scale_down_nempty_trigger": 4,
}
"""What the real one asks for; the client's own thread dies where a figure is missing."""
ASK = """
import asyncio, json, sys
from importlib import import_module
from langchain_core.tracers.langchain import wait_for_all_tracers
name, text, context = sys.argv[1:]
graph = import_module(f"wavegraph.graph.{name}").graph
asyncio.run(graph.ainvoke({"messages": [("user", text)]}, context=json.loads(context)))
wait_for_all_tracers()
"""
HOTEL = ("hotel", "a room for two adults for Hanukkah", {"today": "2026-11-20"})
ROSTER = ("roster", "make the roster", {"ward": "once", "time_limit_s": 60})
Asked = tuple[str, str, dict[str, Any]]


@dataclass
class Run:
    """One traced run: its record, and the runs below it in the order they started."""

    record: dict[str, Any] = field(default_factory=dict)
    below: list["Run"] = field(default_factory=list)

    @property
    def name(self) -> str:
        return str(self.record["name"])

    @property
    def metadata(self) -> dict[str, Any]:
        found: dict[str, Any] = self.record["extra"]["metadata"]
        return found


class LangSmith(ThreadingHTTPServer):
    """Takes batches as LangSmith does (`/runs/multipart`) and keeps what they hold."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.asked: list[str] = []
        self.bodies: list[tuple[str, bytes]] = []

    def tree(self) -> Run:
        """The root of the one trace received."""
        runs: dict[str, Run] = {}
        for kind, body in self.bodies:
            message = BytesParser(policy=HTTP).parsebytes(f"Content-Type: {kind}\r\n\r\n".encode() + body)
            for part in message.iter_parts():
                _, run_id, *rest = str(part.get_param("name", header="content-disposition")).split(".")
                content = json.loads(part.get_payload(decode=True))  # type: ignore[arg-type]
                record = runs.setdefault(run_id, Run()).record
                record.update({rest[0]: content} if rest else content)
        for run in sorted(runs.values(), key=lambda run: str(run.record["dotted_order"])):
            if parent := run.record.get("parent_run_id"):
                runs[parent].below.append(run)
        (root,) = [run for run in runs.values() if not run.record.get("parent_run_id")]
        return root


class _Handler(BaseHTTPRequestHandler):
    server: LangSmith

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        self._reply({"version": "0.10.0", "batch_ingest_config": BATCHES})

    def do_POST(self) -> None:
        self.server.asked.append(self.path)
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.bodies.append((self.headers["Content-Type"], body))
        self._reply({})

    def _reply(self, content: dict[str, Any]) -> None:
        data = json.dumps(content).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("data")


@pytest.fixture
def langsmith() -> Iterator[LangSmith]:
    with LangSmith() as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


def ask(langsmith: LangSmith, data: Path, asked: Asked = HOTEL, **environment: str) -> None:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(ELSEWHERE)}
    address = f"http://127.0.0.1:{langsmith.server_port}"
    traced = {"LANGSMITH_ENDPOINT": address, "LANGSMITH_API_KEY": KEY, "XDG_DATA_HOME": str(data), **environment}
    done = subprocess.run(
        [sys.executable, "-c", ASK, *asked[:2], json.dumps(asked[2])],
        env={**kept, **traced},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.attack  # a server of its own
def test_waves_are_readable_in_the_tree(langsmith: LangSmith, data: Path) -> None:
    ask(langsmith, data, LANGSMITH_TRACING="true")
    root = langsmith.tree()

    assert root.name == "hotel"
    steps = [run.name for run in root.below]
    assert steps[:4] == ["plan", "execute_wave", "validate", "execute_wave"]
    assert steps[-2:] == ["respond", "check_answer"]
    assert not any(run.record["run_type"] == "chain" for step in root.below for run in step.below)

    calls = [run for step in root.below if step.name == "execute_wave" for run in step.below]
    assert [run.metadata["call"] for run in calls][:2] == ["get_holiday", "check_availability"]
    assert len({run.metadata["call"] for run in calls}) == len(calls)
    for run in calls:
        wave, tool = run.metadata["wave"], run.metadata["signature"].split(":")[0]
        assert run.record["run_type"] == "tool"
        assert {f"wave:{wave}", f"tool:{tool}"} <= set(run.record["tags"])
        assert run.name == tool
        assert run.metadata["effect"] == "read"
    assert sorted({run.metadata["wave"] for run in calls}) == [1, 2, 3]

    assert root.below[0].metadata["does"].startswith("Open the request")
    assert all(KEY.encode() not in body for _, body in langsmith.bodies)


@pytest.mark.attack  # a server of its own
def test_each_round_of_a_roster_is_a_call_of_the_tree(langsmith: LangSmith, data: Path) -> None:
    ward_files(data / "wards")
    ask(langsmith, data, ROSTER, LANGSMITH_TRACING="true", WAVEGRAPH_WARDS=str(data / "wards"))
    root = langsmith.tree()

    calls = [run for step in root.below if step.name == "execute_wave" for run in step.below]
    rounds = [run for run in calls if run.metadata["signature"].startswith("generate_roster:")]
    assert root.name == "roster"
    assert [run.metadata["call"] for run in rounds] == ["generate_roster", "generate_roster_2"]
    assert [run.metadata["wave"] for run in rounds] == [2, 3]
    assert len({run.metadata["signature"] for run in rounds}) == 2


@pytest.mark.attack  # a server of its own
def test_tracing_is_off_unless_asked_for(langsmith: LangSmith, data: Path) -> None:
    ask(langsmith, data)

    assert langsmith.asked == []
