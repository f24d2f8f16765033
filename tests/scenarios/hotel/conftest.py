"""The demo hotel, built once."""

import shutil
from datetime import date
from pathlib import Path

import pytest

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
