"""An agent that is asked in any language: a model reads which, the engine's own words are in it, and so is a yes."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver

import wavegraph
from wavegraph import Domain, SettingsError, build_graph, create_agent, read, write
from wavegraph.graph.build import whole_state
from wavegraph.graph.language import Language
from wavegraph.testing import ScriptedModel, call, planning

SENT: list[str] = []
CONFIG: Any = {"configurable": {"thread_id": "t"}}


@pytest.fixture(autouse=True)
def _nothing_sent() -> None:
    SENT.clear()


def send_mail(to: str) -> str:
    """Send a mail."""
    SENT.append(to)
    return f"sent to {to}"


def get_weather(city: str) -> str:
    """The weather in a city."""
    return f"sun in {city}"


def in_language(language: str | None, *calls: Any, **more: Any) -> Mapping[str, Any]:
    made = dict(planning(*calls, **more))
    return {**made, "language": language} if language else made


SEND = call("s", "send_mail", to="Ada")


class Thread:
    """A conversation with an agent that asks before it sends."""

    def __init__(self, *replies: Any, **given: Any) -> None:
        self.model = ScriptedModel(*replies)
        tools = [send_mail, read(get_weather)]
        given = {"approve": {"send_mail": True}, "checkpointer": InMemorySaver(), **given}
        self.agent = create_agent(self.model, tools, **given)

    def say(self, text: str, **context: Any) -> Any:
        given = {"answer_check": "rules", **context}
        self.ended = self.agent.invoke({"messages": [("user", text)]}, CONFIG, context=given)
        return self.ended

    @property
    def asked(self) -> Any:
        return self.ended["__interrupt__"][0].value

    def request(self) -> Any:
        return whole_state(self.agent).get_state(CONFIG).values["request"]


CASES: Sequence[tuple[str, str, str, str]] = [
    ("de", "Schick Ada eine Mail", "Soll ich fortfahren? (ja / nein)", "Ja, bitte"),
    ("fr", "Envoie un mail à Ada", "Dois-je continuer ? (oui / non)", "oui"),
    ("ja", "Adaにメールを送って", "実行してよろしいですか？（はい / いいえ）", "はい、お願いします"),
    ("ar", "أرسل بريدا إلى Ada", "هل أتابع؟ (نعم / لا)", "نعم"),
]


@pytest.mark.parametrize(("language", "wish", "question", "yes"), CASES)
def test_a_write_is_asked_about_and_agreed_to_in_the_language_of_its_request(
    language: str, wish: str, question: str, yes: str
) -> None:
    thread = Thread(in_language(language, SEND), "…")
    thread.say(wish)
    assert thread.asked["text"].endswith(question)
    assert (thread.asked["languages"], thread.asked["agree_with"]) == ([language], "yes")
    assert SENT == []

    thread.say(yes)
    assert SENT == ["Ada"]
    thread.model.assert_complete()
    assert f'"{language}"' in str(thread.model.heard[-1][-1].text)  # who writes the answer is told it


def test_a_japanese_no_is_one() -> None:
    thread = Thread(in_language("ja", SEND), "送りませんでした。")
    thread.say("Adaにメールを送って")
    ended = thread.say("いいえ、やめてください。")

    assert SENT == []
    assert ended["answer"].startswith("送りませんでした。")
    assert "同意がなかったため、実行していません" in ended["answer"]


def test_a_word_of_another_language_is_no_answer() -> None:
    """`ja` is a yes in German and no word in French: the planner reads it."""
    thread = Thread(in_language("fr", SEND), in_language("fr", reply="Pardon ?"))
    thread.say("Envoie un mail à Ada")
    thread.say("ja")

    assert SENT == []
    thread.model.assert_complete()


def test_a_program_s_yes_agrees_in_any_language() -> None:
    thread = Thread(in_language("ru", SEND), "Готово.")
    thread.say("Отправь письмо Аде")
    thread.say("yes")

    assert SENT == ["Ada"]


def test_the_language_of_a_thread_may_change() -> None:
    thread = Thread(in_language("de", reply="Gern!"), in_language("pt", reply="Olá!"), in_language("de", reply="Ja."))
    for text, language in (("Hallo du", "de"), ("Bom dia", "pt"), ("Und jetzt?", "de")):
        thread.say(text)
        assert thread.request()["language"] == language
    assert thread.say(" ")["answer"] == "Ich habe keine Frage erhalten. Was kann ich für Sie tun?"


def test_a_planner_that_does_not_say_goes_on_in_the_language_spoken() -> None:
    thread = Thread(in_language("de", reply="Gern!"), in_language(None, reply="Ja."))
    thread.say("Hallo du")
    thread.say("Geht das?")
    assert thread.request()["language"] == "de"


def test_a_broken_plan_is_told_in_the_language_that_it_was_read_in() -> None:
    thread = Thread(*2 * [in_language("nl", call("x", "unknown_tool"))])
    assert thread.say("Doe iets").get("answer", "").startswith("Ik kon niet uitvinden hoe dat moet")


def test_without_a_table_the_engine_speaks_english_and_a_yes_needs_its_code() -> None:
    thread = Thread(in_language("sw", SEND), in_language("sw", reply="?"), "Imetumwa.")
    thread.say("Mtumie Ada barua")
    assert thread.asked["languages"] == ["sw"]
    agree = thread.asked["agree_with"]
    code = agree.removeprefix("yes ")
    assert thread.asked["text"].endswith(f"Shall I go ahead? (yes {code} / no)")

    thread.say("ndiyo")
    assert SENT == []
    thread.say(code)
    assert SENT == ["Ada"]
    assert '"sw"' in str(thread.model.heard[-1][-1].text)


SWAHILI = Language(
    code="sw",
    letters="a-z",
    phrases={"approval_question": "Niendelee? (ndiyo{code} / hapana)"},
    words={"yes": ["Ndiyo", "sawa-sawa"], "no": ["hapana"]},
)


def test_a_language_is_added_with_its_words() -> None:
    thread = Thread(in_language("sw", SEND), "Imetumwa.", languages=[SWAHILI])
    thread.say("Mtumie Ada barua")
    assert thread.asked["text"].endswith("Niendelee? (ndiyo / hapana)")
    thread.say("ndiyo, sawa-sawa")
    assert SENT == ["Ada"]


def test_the_setting_goes_before_what_the_planner_reads() -> None:
    thread = Thread(in_language("en", SEND))
    thread.say("Send Ada a mail", language="it")
    assert thread.asked["text"].endswith("Procedo? (sì / no)")
    assert "<language>" in str(thread.model.heard[0][-1].text)


@pytest.mark.parametrize(
    ("text", "settings", "says"),
    [("Привет " * 20, {}, "Пожалуйста"), ("Привет " * 20, {"language": "de"}, "Bitte"), ("Hello " * 20, {}, "Please")],
)
async def test_a_request_that_is_too_long_is_answered_in_its_language(
    text: str, settings: dict[str, Any], says: str
) -> None:
    ended = await wavegraph.run(
        create_agent(ScriptedModel(), []), text, settings={"max_message_chars": 100, **settings}
    )
    assert says in ended.answer


def test_the_planner_is_not_told_a_language_that_nobody_knows() -> None:
    thread = Thread(in_language("de", reply="Gern!"))
    thread.say("Hallo du")
    assert "<language>" not in str(thread.model.heard[0][-1].text)


@pytest.mark.parametrize("given", ["pt-BR", "PT", "pt_PT", " pt "])
def test_a_code_with_its_country_is_one(given: str) -> None:
    thread = Thread(in_language(given, reply="Olá!"))
    thread.say("Bom dia")
    assert thread.request()["language"] == "pt"


def test_a_domain_is_open_to_any_language_where_it_says_so() -> None:
    """Without `any_language` the plan has no language, and its words are the domain's."""
    tools = [write(send_mail)]
    model = ScriptedModel(in_language("de", reply="Gern!"))
    graph = build_graph(Domain(name="post", tools=tools), model=model).compile(InMemorySaver())
    graph.invoke({"messages": [("user", "Hallo du")]}, CONFIG, context={"answer_check": "rules"})
    assert whole_state(graph).get_state(CONFIG).values["request"]["language"] == "en"
    with pytest.raises(SettingsError, match="'language' = 'de' is not one of auto, en, he"):
        graph.invoke({"messages": [("user", "Hallo")]}, CONFIG, context={"language": "de"})
