"""The demo hotel, built once, and a conversation with its desk."""

import shutil
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from runs import compiled

from wavegraph import run
from wavegraph.app.run.result import Result
from wavegraph.tools.hotel.domain import hotel_domain
from wavegraph.tools.hotel.property import sqlite_property
from wavegraph.tools.hotel.property.port import Property, open_property


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file as it was built: nobody opens it, copies are used."""
    path = tmp_path_factory.mktemp("built") / "sandbox.sqlite"
    sqlite_property.build(path, date(2026, 11, 20))
    return path


@pytest.fixture
def database(built: Path, tmp_path: Path) -> Path:
    """The file of a demo hotel of the test's own, in `tmp_path`."""
    return Path(shutil.copy(built, tmp_path))


@pytest.fixture(scope="session")
def data_dir(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hotels")
    shutil.copy(built, folder)
    return folder


@pytest.fixture
def adapter(data_dir: Path) -> Property:
    return open_property("sandbox", data_dir=data_dir)


@pytest.fixture
def graph(database: Path) -> Any:
    return compiled(hotel_domain(database.parent), checkpointer=InMemorySaver())


@pytest.fixture
def talk(graph: Any) -> Callable[..., Any]:
    """Says one message of a conversation."""

    async def say(text: str, settings: dict[str, Any] | None = None, **options: Any) -> Result:
        return await run(graph, text, thread_id="t", settings=settings, **options)

    return say
