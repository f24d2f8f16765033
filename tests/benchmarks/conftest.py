"""The benchmarks are run as modules from the repository's root, so they are imported alike."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2]))

from benchmarks import smoke


@pytest.fixture(autouse=True)
def _bare(bare_environment: None) -> None:
    """No model of this machine's environment is asked, nor anything traced."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A little of each public material, of our own."""
    made = tmp_path_factory.mktemp("smoke")
    smoke.write(made)
    return made
