"""The house, the obeying model and one graph for each planner: made once, put back before each attempt."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "support_llm"))

from endpoint import Serving
from hostile_house import HostileHouse, Left, Obeying

from wavegraph.testing import Canaries


def pytest_itemcollected(item: pytest.Item) -> None:
    """Keep this folder in one worker (`--dist loadgroup`): what all attempts left is looked through together."""
    item.add_marker(pytest.mark.xdist_group("hostile"))
    item.add_marker(pytest.mark.attack)


@pytest.fixture(scope="session")
def canaries() -> Canaries:
    return Canaries()


@pytest.fixture(scope="session")
def left() -> Left:
    return Left()


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> HostileHouse:
    return HostileHouse(tmp_path_factory.mktemp("hostile"))


@pytest.fixture(scope="session")
def model() -> Iterator[Obeying]:
    serving = Serving(Obeying())
    with serving:
        yield serving.endpoint  # type: ignore[misc]


@pytest.fixture(scope="session")
def graphs(house: HostileHouse, model: Obeying, canaries: Canaries) -> dict[str, Any]:
    """By planner. The model's was built where the environment names an endpoint, and its key."""
    with pytest.MonkeyPatch.context() as patch:
        for name in list(os.environ):
            if name.startswith(("OPENAI_", "WAVEGRAPH_", "LANGSMITH_", "LANGCHAIN_")) or name.lower().endswith(
                "_proxy"
            ):
                patch.delenv(name)
        rules = house.graph()
        patch.setenv("OPENAI_BASE_URL", model.url)
        patch.setenv("OPENAI_API_KEY", canaries.plant("OPENAI_API_KEY"))
        patch.setenv("WAVEGRAPH_MODEL", "scripted")
        return {"rules": rules, "llm": house.graph()}


@pytest.fixture(scope="session")
def password(canaries: Canaries) -> str:
    return canaries.plant("PMS_PASSWORD")


@pytest.fixture(autouse=True)
def secrets_in_the_environment(password: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PMS_PASSWORD", password)
