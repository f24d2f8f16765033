"""The demo hotel, built once."""

from datetime import date
from pathlib import Path

import pytest

from wavegraph.tools.hotel.property import sqlite_property
from wavegraph.tools.hotel.property.port import Property, open_property


@pytest.fixture(scope="session")
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hotels")
    sqlite_property.build(folder / "sandbox.sqlite", date(2026, 11, 20))
    return folder


@pytest.fixture
def adapter(data_dir: Path) -> Property:
    return open_property("sandbox", data_dir=data_dir)
