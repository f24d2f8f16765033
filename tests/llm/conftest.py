"""A scripted endpoint, and an environment that names it and nothing else."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "support_llm"))

from endpoint import KEY, Endpoint, Serving

from wavegraph.graph.model import calls as model_calls


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith(("OPENAI_", "WAVEGRAPH_", "LANGSMITH_", "LANGCHAIN_")) or name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("WAVEGRAPH_ANSWER_CHECK", "rules")  # a judge is asked where a test is about it
    monkeypatch.setattr(model_calls, "FIRST_PAUSE_S", 0.02)


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
