"""The language of a request, and the sentences the engine says in it."""

from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from warehouse import Clerk, Warehouse

from wavegraph import SettingsError, build_graph
from wavegraph.graph.build import whole_state
from wavegraph.graph.language import ENGLISH, HEBREW, Language, know, language_of
from wavegraph.testing import planning


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("", "en"), ("2026-01-17", "en"), ("a room", "en"), ("חדר", "he"), ("חדר sea view", "en"), ("חדר זוגי ok", "he"),
        ("ab אב", "en"), ("une chambre", "en"), ("דנה לוי, dana.levi.cohen@example.com", "he"), ("dana@example.com", "en"),
    ],
)  # fmt: skip
def test_the_language_is_that_of_most_letters(text: str, language: str) -> None:
    """As many of both are English."""
    assert language_of(text) == language


EMPTY: Any = {"configurable": {"thread_id": "empty"}}
SPANISH = Language(code="es", letters="a-zñáéíóú", phrases={"empty": "No he recibido ninguna pregunta."})


async def test_a_domain_brings_its_own_language() -> None:
    graph = build_graph(Warehouse().domain(languages=[SPANISH, HEBREW], offline=Clerk(lambda _: planning()))).compile(
        InMemorySaver()
    )

    assert (await graph.ainvoke({"messages": [("user", " ")]}, EMPTY))["answer"] == "No he recibido ninguna pregunta."
    for number, (text, language) in enumerate([("¿qué hay?", "es"), ("מה יש?", "he"), ("123", "es")]):
        config: Any = {"configurable": {"thread_id": str(number)}}
        await graph.ainvoke({"messages": [("user", text)]}, config)
        assert (await whole_state(graph).aget_state(config)).values["request"]["language"] == language
    with pytest.raises(SettingsError, match="'language' = 'en' is not one of auto, es, he"):
        await graph.ainvoke({"messages": [("user", "what is there?")]}, EMPTY, context={"language": "en"})


@pytest.mark.parametrize(
    ("phrases", "told"),
    [({"emty": "?"}, "unknown phrase 'emty'"), ({"done": "Hecho."}, r"'done' has the values \[\], not \['what'\]")],
)
def test_a_language_with_a_wrong_table_is_refused(phrases: dict[str, str], told: str) -> None:
    with pytest.raises(SettingsError, match=told):
        Language(code="pt", letters="a-z", phrases=phrases)


def test_what_is_said_in_a_language_does_not_change_under_another_domain() -> None:
    know([Language(code="ru", letters="а-я")])
    with pytest.raises(SettingsError, match="language 'ru' is already known"):
        know([Language(code="ru", letters="a-z")])


def test_a_domain_has_a_language() -> None:
    with pytest.raises(SettingsError, match="has no language"):
        build_graph(Warehouse().domain(languages=[]))


def test_both_shipped_languages_have_every_sentence() -> None:
    assert HEBREW.phrases.keys() == ENGLISH.phrases.keys()
