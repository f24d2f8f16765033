"""`langgraph dev` as a child process on a free loopback port, in a folder of its own."""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import httpx
import pytest
from langgraph_sdk.client import SyncLangGraphClient
from patience import HANGS_S

ROOT = Path(__file__).parents[2]
QUICK = Path(__file__).with_name("quick_queue.py")
READY_WITHIN_S = HANGS_S
"""A first start compiles some hundred modules; later ones take four seconds."""
ELSEWHERE = ("OPENAI_", "WAVEGRAPH_", "LANGSMITH_", "LANGCHAIN_", "LANGGRAPH_", "LOG_")
"""Names of a developer's own environment begin so: the server is not to see them."""


@contextmanager
def serving(
    folder: Path, graphs: Mapping[str, str], environment: Mapping[str, str], log: Path, name: str = "langgraph.json"
) -> Iterator[str]:
    """The address of a running server (`running`)."""
    with running(folder, graphs, environment, log, name) as (address, _):
        yield address


@contextmanager
def running(
    folder: Path,
    graphs: Mapping[str, str],
    environment: Mapping[str, str],
    log: Path,
    name: str = "langgraph.json",
    port: int | None = None,
) -> Iterator[tuple[str, "subprocess.Popen[bytes]"]]:
    """A server's address and process: the repository's configuration of this name, and beside its graphs those in
    `graphs`. `port`: None = a free one."""
    if find_spec("langgraph_api") is None or find_spec("langgraph_cli") is None:
        pytest.skip("langgraph-cli[inmem] is not installed: pip install -U 'langgraph-cli[inmem]'")
    config = json.loads((ROOT / name).read_text(encoding="utf-8"))
    config["graphs"] |= graphs
    (folder / "langgraph.json").write_text(json.dumps(config), encoding="utf-8")
    port = port or free_port()
    command = [sys.executable, str(QUICK), "dev", "--host", "127.0.0.1", "--port", str(port),
               "--no-browser", "--no-reload", "--n-jobs-per-worker", "10"]  # fmt: skip
    with log.open("ab") as out:
        server = subprocess.Popen(command, cwd=folder, env=_environment(folder, environment), stdout=out, stderr=out)
    try:
        _wait_until_ready(server, f"http://127.0.0.1:{port}", log)
        yield f"http://127.0.0.1:{port}", server
    finally:
        server.terminate()
        try:
            server.wait(timeout=60)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def rpc(url: str, path: str, method: str, **params: Any) -> dict[str, Any]:
    """The result of a JSON-RPC call, as MCP (`/mcp`) and A2A (`/a2a/<assistant>`) speak it; an error fails the test."""
    response = httpx.post(
        url + path,
        json={"jsonrpc": "2.0", "id": "1", "method": method, "params": params},
        headers={"Accept": "application/json, text/event-stream"},
        timeout=60,
    )
    assert response.status_code == 200, response.text
    result: dict[str, Any] = response.json()["result"]
    return result


def let_go(client: SyncLangGraphClient, thread: str) -> None:
    """Say no to what a conversation still waits for, and delete it: a room that stays held counts for the same guest of
    other tests, who may hold only so many."""
    found = client.threads.get(thread)
    if found["status"] == "interrupted":
        graph = (found["metadata"] or {})["graph_id"]
        client.runs.wait(thread, graph, command={"resume": {"decision": "reject"}})
    client.threads.delete(thread)


def _environment(folder: Path, more: Mapping[str, str]) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(ELSEWHERE)}
    kept["WAVEGRAPH_ANSWER_CHECK"] = "rules"  # a judge is asked where a test is about it
    kept.pop("PYTHONDONTWRITEBYTECODE", None)  # without compiled modules a start takes half a minute
    return {**kept, "XDG_DATA_HOME": str(folder / "data"), "LOG_COLOR": "false", "LANGGRAPH_NO_VERSION_CHECK": "true",
            "LANGGRAPH_CLI_NO_ANALYTICS": "1", "PYTHONIOENCODING": "utf-8", **more}  # fmt: skip


def _wait_until_ready(server: "subprocess.Popen[bytes]", address: str, log: Path) -> None:
    ends = time.monotonic() + READY_WITHIN_S
    while time.monotonic() < ends and server.poll() is None:
        try:
            if httpx.get(f"{address}/ok", timeout=5).status_code == 200:
                return
        except httpx.TransportError:
            pass
        time.sleep(0.1)
    pytest.fail(f"langgraph dev did not start:\n{log.read_text(encoding='utf-8')[-4000:]}", pytrace=False)
