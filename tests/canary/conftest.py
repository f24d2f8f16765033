import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "support_llm"))

from canary_vault import digest

from wavegraph.graph import model_calls
from wavegraph.testing import Canaries

SPECIALS = '"\\/+%&<é'
"""In passwords: what JSON, URLs, HTML and base64 spell in their own ways."""


class Planted(Canaries):
    """The vault's user and password, in the environment."""

    def __init__(self) -> None:
        super().__init__()
        self.environment = {
            "VAULT_USERNAME": self.plant("VAULT_USERNAME"),
            "VAULT_PASSWORD": self.plant("VAULT_PASSWORD", specials=SPECIALS),
        }

    @property
    def login(self) -> str:
        return digest(*self.environment.values())


@pytest.fixture
def planted(monkeypatch: pytest.MonkeyPatch) -> Planted:
    for name in list(os.environ):
        if name.startswith(("OPENAI_", "WAVEGRAPH_", "LANGSMITH_", "LANGCHAIN_")) or name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)
    monkeypatch.setattr(model_calls, "FIRST_PAUSE_S", 0.02)
    planted = Planted()
    for name, value in planted.environment.items():
        monkeypatch.setenv(name, value)
    return planted
