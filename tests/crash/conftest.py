"""One PostgreSQL server for all the tests of a worker, and databases that tests run on."""

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import postgres_server
import pytest
from warehouse import Warehouse

_numbers = count(1)


@pytest.fixture(scope="session")
def postgres() -> Iterator[postgres_server.Server]:
    if why := postgres_server.reason_to_skip():
        pytest.skip(why)
    with postgres_server.server() as server:
        yield server


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
