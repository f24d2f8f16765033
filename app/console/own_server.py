"""A development server for the console, for this machine alone."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx

from wavegraph.app.agents import installed
from wavegraph.graph.errors import SettingsError

CONFIG = "langgraph.json"
HOW_TO_GET_ONE = (
    "no LangGraph server is installed here: pip install 'langgraph-cli[inmem]' (its licence is Elastic 2.0), "
    "or name one that runs with --url"
)
STARTS_WITHIN_S = 120


@contextmanager
def own_server(port: int) -> Iterator[str]:
    """Its address, once it answers; it is stopped at the end. With the folder's `langgraph.json`, else the installed agents.

    Raises SettingsError where no server is installed, or it does not start.
    """
    if find_spec("langgraph_api") is None or find_spec("langgraph_cli") is None:
        raise SettingsError(HOW_TO_GET_ONE)
    with TemporaryDirectory() as folder, _started(_config(Path(folder)), port) as server:
        url = f"http://127.0.0.1:{port}"
        _wait(url, server)
        yield url


def _config(folder: Path) -> Path:
    if (own := Path(CONFIG)).exists():
        return own.resolve()
    agents, _ = installed()
    config = {
        "dependencies": [],
        "graphs": {name: each.entry.graph for name, each in agents.items()},
        "http": {"app": "wavegraph.app.server:app", "enable_custom_route_auth": True},
    }
    (folder / CONFIG).write_text(json.dumps(config), encoding="utf-8")
    return folder / CONFIG


@contextmanager
def _started(config: Path, port: int) -> Iterator[subprocess.Popen[bytes]]:
    quiet = {
        "LANGGRAPH_CLI_NO_ANALYTICS": "1", "LANGGRAPH_NO_VERSION_CHECK": "true", "LANGSMITH_TRACING": "false",
        "LOG_LEVEL": "warning", "LOG_COLOR": "false",
    }  # fmt: skip
    command = [
        sys.executable, "-m", "langgraph_cli", "dev", "--config", str(config), "--host", "127.0.0.1",
        "--port", str(port), "--no-browser", "--no-reload", "--n-jobs-per-worker", "10",
        "--server-log-level", "WARNING",
    ]  # fmt: skip
    server = subprocess.Popen(command, env={**quiet, **os.environ}, stdout=sys.stderr)
    try:
        yield server
    finally:
        server.terminate()
        try:
            server.wait(20)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def _wait(url: str, server: subprocess.Popen[bytes]) -> None:
    """Raises SettingsError."""
    until = time.monotonic() + STARTS_WITHIN_S
    while time.monotonic() < until:
        if server.poll() is not None:
            raise SettingsError(f"the server ended with status {server.returncode}; what it said stands above")
        try:
            if httpx.get(f"{url}/ok", timeout=5).is_success:
                return
        except httpx.HTTPError:
            time.sleep(0.3)
    raise SettingsError(f"the server did not answer at {url} within {STARTS_WITHIN_S} seconds")
