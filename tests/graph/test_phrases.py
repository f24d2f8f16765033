"""The language of a request, and the sentences the engine says in it."""

import pytest

from wavegraph.graph.phrases import language_of


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("", "en"), ("2026-01-17", "en"), ("a room", "en"), ("חדר", "he"), ("חדר sea view", "en"), ("חדר זוגי ok", "he"),
        ("ab אב", "en"), ("une chambre", "en"),
    ],
)  # fmt: skip
def test_the_language_is_that_of_most_letters(text: str, language: str) -> None:
    """As many of both are English."""
    assert language_of(text) == language
