"""The JavaScript SDK runs one request. It is fetched for the test and never a dependency."""

import shutil
import subprocess
from pathlib import Path

import pytest

SDK = "@langchain/langgraph-sdk@2.0.0"
CLIENT = Path(__file__).with_name("client.mjs")


@pytest.fixture(scope="session")
def node_client(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`client.mjs` beside an installed SDK."""
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        pytest.skip("node and npm are not installed")
    folder = tmp_path_factory.mktemp("javascript")
    (folder / "package.json").write_text("{}")
    install = [npm, "install", "--no-audit", "--no-fund", "--no-package-lock", "--ignore-scripts", SDK]
    try:
        done = subprocess.run(install, cwd=folder, capture_output=True, text=True, timeout=45, check=False)
    except subprocess.TimeoutExpired:
        pytest.skip("npm could not reach a registry within 45 s")
    if done.returncode:
        pytest.skip(f"npm could not install {SDK}: {done.stderr.strip()[-200:]}")
    return Path(shutil.copy(CLIENT, folder))


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (["a room for two adults from 3 to 5 December"], "3 December"),
        (["make the roster for the ward fair", "roster"], "passes every check"),
    ],
    ids=["hotel", "roster"],
)
def test_one_request_in_javascript(node_client: Path, url: str, asked: list[str], told: str) -> None:
    command = ["node", str(node_client), url, *asked]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=30, check=False)

    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[0] == "plan_created"
    assert told in done.stdout
