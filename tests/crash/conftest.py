"""One PostgreSQL server for all the tests of a worker, and databases that tests run on."""

from itertools import count
from pathlib import Path

import postgres_server
import pytest
from warehouse import Warehouse

_numbers = count(1)


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database of each kind."""
    if request.param == "sqlite":
        return str(tmp_path / "threads.db")
    server: postgres_server.Server = request.getfixturevalue("postgres")
    return server.fresh(f"test{next(_numbers)}")


@pytest.fixture
def warehouse() -> Warehouse:
    return Warehouse()
