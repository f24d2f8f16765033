"""An inn at the command line, on a database, a folder of lessons and an endpoint of its own."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "support_llm"))

from endpoint import KEY, Endpoint, Serving
from failing import Desk

from wavegraph.graph.model import lessons


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bare_environment: None) -> Desk:
    monkeypatch.setenv("WAVEGRAPH_LESSONS", str(tmp_path / "lessons"))
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setattr(lessons, "READ_AGAIN_S", 0)  # each command would be a process of its own
    return Desk(str(tmp_path / "test.db"), tmp_path, tmp_path / "lessons")


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch, desk: Desk) -> Iterator[Endpoint]:
    with Serving() as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
        monkeypatch.setenv("WAVEGRAPH_MODEL", "scripted")
        yield server
