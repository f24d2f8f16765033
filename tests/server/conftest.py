"""One `langgraph dev` for all tests of this folder: a child process on a free loopback port, with data of its own."""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Generator, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import httpx
import pytest
from langgraph_sdk import get_sync_client
from langgraph_sdk.client import SyncLangGraphClient

sys.path.insert(0, str(Path(__file__).parents[1] / "support_llm"))

from endpoint import KEY, Endpoint, Serving

HERE = Path(__file__).parent
ROOT = Path(__file__).parents[2]
READY_WITHIN_S = 90
"""A first start compiles some hundred modules; later ones take four seconds."""
ELSEWHERE = ("OPENAI_", "WAVEGRAPH_", "LANGSMITH_", "LANGCHAIN_", "LANGGRAPH_", "LOG_")
"""Names of a developer's own environment begin so: the server is not to see them."""
_log = pytest.StashKey[Path]()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep these tests in one worker (`--dist loadgroup`): the server is started once."""
    for item in items:
        if HERE in item.path.parents and "url" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.xdist_group("server"))


@pytest.fixture(scope="session")
def log(tmp_path_factory: pytest.TempPathFactory, pytestconfig: pytest.Config) -> Path:
    """What the server printed."""
    pytestconfig.stash[_log] = tmp_path_factory.mktemp("server") / "server.log"
    return pytestconfig.stash[_log]


@pytest.fixture(scope="session")
def endpoint() -> Iterator[Endpoint]:
    """The scripted language model of the graph `modelled`."""
    with Serving() as endpoint:
        yield endpoint


@pytest.fixture(scope="session")
def url(log: Path, endpoint: Endpoint) -> Iterator[str]:
    """The address of a running server: the repository's langgraph.json, and beside it the hotel with a model, and a slow agent."""
    if find_spec("langgraph_api") is None or find_spec("langgraph_cli") is None:
        pytest.skip("langgraph-cli[inmem] is not installed: pip install -U 'langgraph-cli[inmem]'")
    folder = log.parent
    config = json.loads((ROOT / "langgraph.json").read_text(encoding="utf-8"))
    config["graphs"] |= {"modelled": "./modelled.py:graph", "slow": "./slow.py:graph"}
    (folder / "langgraph.json").write_text(json.dumps(config), encoding="utf-8")
    for name in ("modelled.py", "slow.py"):
        shutil.copy(HERE / name, folder)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "langgraph_cli", "dev", "--host", "127.0.0.1", "--port", str(port),
               "--no-browser", "--no-reload", "--n-jobs-per-worker", "10"]  # fmt: skip
    with log.open("wb") as out:
        server = subprocess.Popen(command, cwd=folder, env=_environment(folder, endpoint), stdout=out, stderr=out)
    try:
        _wait_until_ready(server, f"http://127.0.0.1:{port}", log)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        try:
            server.wait(timeout=15)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def _environment(folder: Path, endpoint: Endpoint) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(ELSEWHERE)}
    kept.pop("PYTHONDONTWRITEBYTECODE", None)  # without compiled modules a start takes half a minute
    return {**kept, "XDG_DATA_HOME": str(folder / "data"), "MODEL_URL": endpoint.url, "MODEL_KEY": KEY,
            "LOG_COLOR": "false", "LANGGRAPH_NO_VERSION_CHECK": "true", "LANGGRAPH_CLI_NO_ANALYTICS": "1", "PYTHONIOENCODING": "utf-8"}  # fmt: skip


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


@pytest.fixture(scope="session")
def client(url: str) -> Iterator[SyncLangGraphClient]:
    with get_sync_client(url=url, timeout=60) as client:
        yield client


@pytest.fixture(scope="session")
def assistant(client: SyncLangGraphClient) -> str:
    """Id of the assistant that the server makes for the hotel's graph."""
    (found,) = client.assistants.search(graph_id="hotel", metadata={"created_by": "system"})
    return found["assistant_id"]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    log: Any = item.config.stash.get(_log, None)
    if report.failed and log is not None and "url" in getattr(item, "fixturenames", ()):
        report.sections.append(("langgraph dev", log.read_text(encoding="utf-8")[-8000:]))
    return report
