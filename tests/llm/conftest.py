"""A scripted endpoint, and an environment that names it and nothing else."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "support_llm"))

from endpoint import KEY, Endpoint, Serving


@pytest.fixture(autouse=True)
def _bare(bare_environment: None) -> None:
    """Every test here has nothing but its own."""


@pytest.fixture
def server() -> Iterator[Endpoint]:
    """The endpoint alone; nothing in the environment points to it."""
    with Serving() as endpoint:
        yield endpoint


@pytest.fixture
def endpoint(server: Endpoint, monkeypatch: pytest.MonkeyPatch) -> Endpoint:
    """The endpoint, named by the environment with a key and a model."""
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("WAVEGRAPH_MODEL", "scripted")
    return server
