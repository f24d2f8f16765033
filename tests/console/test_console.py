"""The console in a real Chromium, over a real server: every flow, as `console/e2e.test.mjs` walks it."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from dev_server import serving
from langgraph_sdk import get_sync_client
from roster_loop import ward_files

ROOT = Path(__file__).parents[2]
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
PARTS = [name for name in ("node", "npm") if shutil.which(name) is None] + ([] if CHROMIUM else ["chromium"])

pytestmark = [
    pytest.mark.attack,
    pytest.mark.xdist_group("console"),
    pytest.mark.skipif(bool(PARTS), reason=f"not installed: {', '.join(PARTS)}"),
]


@pytest.fixture(scope="module")
def built() -> Path:
    """The folder of the page's sources, with what they need, and the page built beside the package."""
    folder = ROOT / "console"
    for command in (["npm", "ci", "--silent"], ["npm", "run", "--silent", "build"]):
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=240, check=False)
        if done.returncode and command[1] == "ci" and "network" in done.stderr:
            pytest.skip("the packages of the page cannot be fetched")
        assert done.returncode == 0, done.stderr + done.stdout
    return folder


@pytest.fixture(scope="module")
def url(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("console")
    ward_files(folder / "wards")
    with serving(folder, {}, {"WAVEGRAPH_WARDS": str(folder / "wards")}, folder / "server.log") as address:
        with get_sync_client(url=address) as client:
            for graph, settings in (("hotel", {"today": "2026-11-20"}), ("roster", {"ward": "harbour"})):
                (found,) = client.assistants.search(graph_id=graph)
                client.assistants.update(found["assistant_id"], context=settings)
        yield address


def test_every_flow_in_a_browser(built: Path, url: str) -> None:
    environment = {**os.environ, "URL": url, "CHROMIUM": str(CHROMIUM), "SHOTS": os.environ.get("SHOTS", "")}
    command = ["node", "--test", "--test-reporter=spec", "e2e.test.mjs"]

    done = subprocess.run(command, cwd=built, env=environment, capture_output=True, text=True, timeout=400, check=False)

    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
