from collections.abc import Iterator
from pathlib import Path

import pytest
from shell import Inside, Shell


@pytest.fixture
def shell(tmp_path: Path) -> Iterator[Shell]:
    shell = Shell(tmp_path)
    yield shell
    shell.close()


@pytest.fixture
def inside(tmp_path: Path) -> Inside:
    """The same without a process: where it is about what a command does, and not about its process."""
    return Inside(tmp_path)
