from collections.abc import Iterator
from pathlib import Path

import pytest
from shell import Shell


@pytest.fixture
def shell(tmp_path: Path) -> Iterator[Shell]:
    shell = Shell(tmp_path)
    yield shell
    shell.close()
