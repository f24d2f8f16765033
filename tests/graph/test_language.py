"""The language of a request, and the sentences the engine says in it."""

import re
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from warehouse import Clerk, Warehouse

from wavegraph import SettingsError, build_graph
from wavegraph.graph.build import whole_state
from wavegraph.graph.dialogue.consent import consent
from wavegraph.graph.language import ENGLISH, HEBREW, SHIPPED, Language, know, language_of, say
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


def test_words_of_an_unknown_sort_are_refused() -> None:
    with pytest.raises(SettingsError, match=r"has words for \['maybe'\]; the sorts are yes, takes_up"):
        Language(code="pt", letters="a-z", words={"maybe": ["talvez"]})


def test_what_is_said_in_a_language_does_not_change_under_another_domain() -> None:
    know([Language(code="uk", letters="а-яєіїґ")])
    with pytest.raises(SettingsError, match="language 'uk' is already known"):
        know([Language(code="uk", letters="a-z")])


def test_a_domain_has_a_language() -> None:
    with pytest.raises(SettingsError, match="has no language"):
        build_graph(Warehouse().domain(languages=[]))


MEANINGS = ("yes", "takes_up", "acknowledges", "no", "thanks", "polite")


@pytest.mark.parametrize("language", SHIPPED, ids=lambda language: language.code)
def test_a_shipped_language_has_every_sentence_and_words_of_one_meaning_each(language: Language) -> None:
    """That each sentence keeps its values is checked where the table is read."""
    assert language.phrases.keys() == ENGLISH.phrases.keys()
    assert say("a_yes", language.code) in say("approval_question", language.code, code="")

    words = [word for sort in MEANINGS for word in language.words.get(sort, ())]
    assert sorted(words) == sorted(set(words))
    for said in ("yes", "no"):
        assert language.words[said]
        assert {consent(word, languages=[language.code]) for word in language.words[said]} == {said}

    question = say("approval_question", language.code, code="")
    yes, _, no = re.search(r"[(（](.+?)( / )(.+?)[)）]", question).groups()  # type: ignore[union-attr]
    assert (consent(yes, languages=[language.code]), consent(no, languages=[language.code])) == ("yes", "no")


@pytest.mark.parametrize(
    ("text", "language", "said"),
    [
        ("Ja, bitte!", "de", "yes"), ("nein danke", "de", "no"), ("ok, danke", "de", "perhaps"), ("d'accord", "fr", "yes"),
        ("Oui, allez-y.", "fr", "yes"), ("Non merci", "fr", "no"), ("¡Sí, adelante!", "es", "yes"), ("no, gracias", "es", "no"),
        ("Sì, va bene", "it", "yes"), ("Não, obrigada", "pt", "no"), ("nee, laat maar", "nl", "no"), ("Tak, proszę", "pl", "yes"),
        ("no tak", "pl", "yes"), ("no", "pl", None), ("Да, пожалуйста", "ru", "yes"), ("не надо", "ru", "no"),
        ("نعم، من فضلك", "ar", "yes"), ("لا، شكرًا", "ar", "no"), ("はい、お願いします。", "ja", "yes"), ("いいえ、結構です", "ja", None),
        ("いいえ、やめてください", "ja", "no"), ("好的，谢谢！", "zh", "perhaps"), ("是的", "zh", "yes"), ("不用了，谢谢", "zh", "no"),
        ("ja", "en", None), ("ja", "fr", None), ("sí", "de", None), ("はい", "de", None), ("yes", "ja", "yes"), ("👍", "ru", "yes"),
        ("ja aber erst morgen", "de", None), ("tak?", "pl", None), ("assolutamente", "it", None), ("assolutamente sì", "it", "yes"),
        ("知道了", "zh", None), ("明白了，谢谢", "zh", None), ("わかりました", "ja", None), ("承知しました。", "ja", None), ("確認しました", "ja", None),
        ("はい、わかりました", "ja", "yes"), ("好的，明白", "zh", "yes"),
    ],
)  # fmt: skip
def test_words_count_in_the_language_of_their_question(text: str, language: str, said: str | None) -> None:
    assert consent(text, languages=[language]) == said


@pytest.mark.parametrize(
    ("text", "before", "language"),
    [
        ("Wie spät ist es?", None, "en"), ("Wie spät ist es?", "de", "de"), ("123", "ja", "ja"), ("今日は", None, "ja"),
        ("东京的天气", None, "zh"), ("東京", "ja", "ja"), ("Погода", "de", "ru"), ("الطقس", None, "ar"), ("weather", "he", "en"),
        ("한국어", None, "en"),
    ],
)  # fmt: skip
def test_before_there_is_a_plan_the_script_decides(text: str, before: str | None, language: str) -> None:
    assert language_of(text, SHIPPED, before) == language
