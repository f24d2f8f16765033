"""The JavaScript SDK runs one request. It is fetched for the test and never a dependency."""

import shutil
import subprocess
from pathlib import Path

import pytest
from patience import HANGS_S

CLIENT = Path(__file__).with_name("client.mjs")


@pytest.fixture(scope="session")
def node_client(javascript: Path) -> Path:
    """`client.mjs` beside an installed SDK."""
    return Path(shutil.copy(CLIENT, javascript))


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
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=HANGS_S, check=False)

    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[0] == "plan_created"
    assert told in done.stdout
