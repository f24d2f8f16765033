import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "support_llm"))

from canary_vault import digest
from endpoint import Endpoint, Serving

from wavegraph.testing import Canaries

SPECIALS = '"\\/+%&<é'
"""In passwords: what JSON, URLs, HTML and base64 spell in their own ways."""


class Planted(Canaries):
    """The vault's user and password, in the environment."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        super().__init__()
        self._monkeypatch = monkeypatch
        self.environment = {
            "VAULT_USERNAME": self.plant("VAULT_USERNAME"),
            "VAULT_PASSWORD": self.plant("VAULT_PASSWORD", specials=SPECIALS),
        }

    def enter_environment(self) -> None:
        for name, value in self.environment.items():
            self._monkeypatch.setenv(name, value)

    def leave_environment(self) -> None:
        for name in self.environment:
            self._monkeypatch.delenv(name)

    @property
    def login(self) -> str:
        return digest(*self.environment.values())


@pytest.fixture
def planted(bare_environment: None, monkeypatch: pytest.MonkeyPatch) -> Planted:
    planted = Planted(monkeypatch)
    planted.enter_environment()
    return planted


@pytest.fixture
def endpoint(planted: Planted, monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    """A scripted model, and in the environment its address and a planted key."""
    with Serving() as endpoint:
        monkeypatch.setenv("OPENAI_BASE_URL", endpoint.url)
        monkeypatch.setenv("OPENAI_API_KEY", planted.plant("OPENAI_API_KEY"))
        monkeypatch.setenv("WAVEGRAPH_MODEL", "scripted")
        yield endpoint
