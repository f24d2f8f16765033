"""One `langgraph dev` for all tests of this folder: a child process on a free loopback port, with data of its own."""

import shutil
import subprocess
import sys
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from dev_server import serving
from langgraph_sdk import get_sync_client
from langgraph_sdk.client import SyncLangGraphClient
from roster_loop import ward_files

sys.path.insert(0, str(Path(__file__).parents[1] / "support_llm"))

from endpoint import KEY, Endpoint, Serving

HERE = Path(__file__).parent
BESIDE = ("called", "modelled", "slow", "staffed")
"""Graphs served beside the repository's: an agent of `create_agent`, the hotel with a model, a slow agent, a hotel whose staff approves."""
JAVASCRIPT_SDK = "@langchain/langgraph-sdk@2.0.0"
_log = pytest.StashKey[Path]()


def pytest_itemcollected(item: pytest.Item) -> None:
    """Keep these tests in one worker (`--dist loadgroup`): the server is started once."""
    if "url" in getattr(item, "fixturenames", ()):
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
    """The address of a running server: the repository's langgraph.json, and the graphs beside it."""
    folder = log.parent
    for name in BESIDE:
        shutil.copy(HERE / f"{name}.py", folder)
    graphs = {name: f"./{name}.py:graph" for name in BESIDE}
    ward_files(folder / "wards")
    environment = {"MODEL_URL": endpoint.url, "MODEL_KEY": KEY, "WAVEGRAPH_WARDS": str(folder / "wards")}
    with serving(folder, graphs, environment, log) as address:
        yield address


@pytest.fixture(scope="session")
def client(url: str) -> Iterator[SyncLangGraphClient]:
    with get_sync_client(url=url, timeout=60) as client:
        yield client


@pytest.fixture(scope="session")
def assistant(client: SyncLangGraphClient) -> str:
    """Id of the assistant that the server makes for the hotel's graph."""
    (found,) = client.assistants.search(graph_id="hotel", metadata={"created_by": "system"})
    return found["assistant_id"]


@pytest.fixture(scope="session")
def javascript(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the JavaScript SDK, fetched for the tests."""
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        pytest.skip("node and npm are not installed")
    folder = tmp_path_factory.mktemp("javascript")
    (folder / "package.json").write_text("{}")
    install = [npm, "install", "--no-audit", "--no-fund", "--no-package-lock", "--ignore-scripts", JAVASCRIPT_SDK]
    try:
        done = subprocess.run(install, cwd=folder, capture_output=True, text=True, timeout=45, check=False)
    except subprocess.TimeoutExpired:
        pytest.skip("npm could not reach a registry within 45 s")
    if done.returncode:
        pytest.skip(f"npm could not install {JAVASCRIPT_SDK}: {done.stderr.strip()[-200:]}")
    return folder


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    log: Any = item.config.stash.get(_log, None)
    if report.failed and log is not None and "url" in getattr(item, "fixturenames", ()):
        report.sections.append(("langgraph dev", log.read_text(encoding="utf-8")[-8000:]))
    return report
