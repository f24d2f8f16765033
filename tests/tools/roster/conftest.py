"""Where a roster store keeps its records: the same tests for files and for PostgreSQL."""

from collections.abc import Callable
from pathlib import Path

import pytest

from wavegraph.tools.roster.store import RosterStore

Opened = Callable[[], RosterStore]


@pytest.fixture(params=["files", "postgres"])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Opened:
    """Opens the same records again and again, as processes do; those of a database each with a data folder of its own."""
    if request.param == "files":
        return lambda: RosterStore(tmp_path)
    database, folders = request.getfixturevalue("rosters_database"), iter(range(100))
    return lambda: RosterStore(tmp_path / str(next(folders)), database)
