"""Column generation without its compiled search: the numpy one says what is computed, and needs no compiling."""

import pytest


@pytest.fixture(autouse=True)
def numpy_search(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("highspy")
    from wavegraph.tools.roster.columns import pricing

    monkeypatch.setattr(pricing, "fast_search", None)
