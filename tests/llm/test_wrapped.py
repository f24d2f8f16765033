"""Models in what LangChain puts round them: fallbacks, retries, bound parameters, a configuration."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import pytest
from endpoint import Endpoint, Turn, answers, plans
from inn import Inn
from langchain_core.runnables import RunnableLambda
from langchain_openai import ChatOpenAI
from plans import ask, beds, judged, plan

from wavegraph import SettingsError, build_graph
from wavegraph.graph.model.clients import ModelEnvironment, Models, model_name, model_names
from wavegraph.testing import ScriptedModel

NIGHT = "2026-12-05"
TEXT = f"a bed on {NIGHT}"
PLAN, ANSWER, VERDICT = plans(plan(beds("beds", NIGHT))), answers("4 beds are free."), judged()
GOOD = {"plan": PLAN, "answer": ANSWER, "judge": VERDICT}
Role = Literal["plan", "answer", "judge"]
ROLES: tuple[Role, ...] = ("plan", "answer", "judge")
Make = Callable[..., ChatOpenAI]


@dataclass(frozen=True)
class Way:
    id: str
    made: Callable[[Make], Any]
    name: str = "one"
    """The model that a check is signed with."""
    fails: tuple[int, ...] = ()
    """The status that the first models get, one after another, in every role."""
    serves: str = "one"
    sent: tuple[tuple[str, Any], ...] = ()
    """What is in every request."""


TWICE: dict[str, Any] = {"stop_after_attempt": 2, "wait_exponential_jitter": False}
WAYS = [
    Way("fallbacks not needed", lambda make: make("one").with_fallbacks([make("two")])),
    Way("the key is refused", lambda make: make("one").with_fallbacks([make("two")]), fails=(401,), serves="two"),
    Way("down", lambda make: make("one").with_fallbacks([make("two")]), fails=(503,), serves="two"),
    Way("two are", lambda make: make("one").with_fallbacks([make("two"), make("three")]), fails=(404, 500), serves="three"),
    Way("retried, after ours", lambda make: make("one").with_retry(**TWICE)),
    Way("bound", lambda make: make("one").bind(temperature=0.5), sent=(("temperature", 0.5),)),
    Way("bound to another model", lambda make: make("one").bind(model="two"), name="two", serves="two"),
    Way("configured", lambda make: make("one").with_config(tags=["mine"], run_name="mine")),
    Way("bound, then with fallbacks that are", lambda make: make("one").bind(temperature=0.5).with_fallbacks(
        [make("two").with_retry(**TWICE).bind(top_p=0.5)]).with_config(tags=["mine"]), fails=(400,), serves="two",
        sent=(("top_p", 0.5),)),
    Way("fallbacks of fallbacks, bound", lambda make: make("one").with_fallbacks(
        [make("two").with_fallbacks([make("three")])]).bind(seed=7), fails=(401, 401), serves="three",
        sent=(("seed", 7),)),
]  # fmt: skip


@pytest.mark.parametrize("given", ["itself", "made"])
@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.id)
@pytest.mark.parametrize("role", ROLES)
def test_it_plans_answers_and_judges(way: Way, role: Role, given: str, server: Endpoint) -> None:
    """The role's first models fail as they do; in the others it serves at once."""

    def make(name: str) -> ChatOpenAI:
        return ChatOpenAI(model=name, base_url=server.url, api_key="x", max_retries=0)

    for each in ROLES:
        failing = way.fails if each == role else ()
        server.plays(*[Turn(each, status=status) for status in failing], GOOD[each])
    graph = build_graph(
        Inn().domain(), model=way.made(make) if given == "itself" else partial(way.made, make)
    ).compile()
    told = ask(graph, TEXT, answer_check="on")

    assert (told["planner"], told["answer"], told.streamed) == ("llm", "4 beds are free.", "4 beds are free.")
    assert told["answer_check"]["checked_by"] == way.name
    asked = server.of(role)
    assert asked[-1].body["model"] == (way.serves if way.fails or way.name != "one" else "one")
    assert {name: asked[-1].body[name] for name, _ in way.sent} == dict(way.sent)
    assert all(request.body["model"] != way.serves for request in asked[:-1])


@pytest.mark.parametrize("role", ROLES)
def test_a_retry_of_its_own_is_before_ours(role: Role, server: Endpoint) -> None:
    """An answer is streamed, which LangChain's own does not try again: ours does."""
    model = ChatOpenAI(model="one", base_url=server.url, api_key="x", max_retries=0).with_retry(**TWICE)
    for each in ROLES:
        server.plays(*[Turn(each, status=503)] * (each == role), GOOD[each])
    told = ask(build_graph(Inn().domain(), model=model).compile(), TEXT, answer_check="on")
    assert (told["planner"], told["answer"], told["llm_calls"]) == ("llm", "4 beds are free.", 4)
    assert told["answer_check"]["satisfied"]


def test_where_all_fail_the_rules_take_over(server: Endpoint) -> None:
    def make(name: str) -> ChatOpenAI:
        return ChatOpenAI(model=name, base_url=server.url, api_key="x")

    server.plays(*[Turn("plan", status=401)] * 2)
    told = ask(build_graph(Inn().domain(), model=make("one").with_fallbacks([make("two")])).compile(), TEXT)
    assert (told["planner"], told["outcome"], told["llm_calls"]) == ("rules", "answered", 2)


@pytest.mark.parametrize("tools", [(True, True), (True, False), (False, True)])
def test_a_fallback_is_asked_in_its_own_way(tools: tuple[bool, bool]) -> None:
    """One that calls functions beside one that has to read the schema."""
    one = ScriptedModel(ConnectionResetError(), ValueError(), calls_tools=tools[0])
    two = ScriptedModel(plan(beds("beds", NIGHT)), "4 beds are free.", calls_tools=tools[1])
    told = ask(build_graph(Inn().domain(), model=one.with_fallbacks([two])).compile(), TEXT)
    assert (told["planner"], told["answer"]) == ("llm", "4 beds are free.")
    assert ['"instead_of"' in str(each.heard[0][0].content) for each in (one, two)] == [not each for each in tools]


def test_what_is_bound_reaches_a_model_of_another_make() -> None:
    class Bound(ScriptedModel):
        def _generate(self, messages: Any, stop: Any = None, run_manager: Any = None, **kwargs: Any) -> Any:
            assert kwargs["top_k"] == 3
            return super()._generate(messages, stop, run_manager, **kwargs)

    model = Bound(plan(beds("beds", NIGHT)), "4 beds are free.")
    told = ask(build_graph(Inn().domain(), model=model.bind(top_k=3)).compile(), TEXT)
    assert (told["planner"], told["answer"]) == ("llm", "4 beds are free.")


@pytest.mark.parametrize(
    "given",
    [
        RunnableLambda(str),
        ScriptedModel().with_fallbacks([RunnableLambda(str)]),
        ScriptedModel() | RunnableLambda(str),
        ScriptedModel().with_structured_output({"title": "form", "type": "object", "properties": {}}),
    ],
    ids=["a function", "a fallback that is none", "a chain", "with a form of its own"],
)
def test_a_runnable_with_anything_else_inside_is_refused(given: Any) -> None:
    with pytest.raises(SettingsError, match="model for the planner must be a chat model"):
        build_graph(Inn().domain(), model=given)


def test_a_key_that_is_bound_is_known_as_a_secret(server: Endpoint) -> None:
    from wavegraph.graph.secrets.scrubber import process

    one = ChatOpenAI(model="one", api_key="sk-inside-5d21cc")
    two = ChatOpenAI(model="two", api_key="x").bind(extra_headers={"Authorization": "Bearer bound-77aa31f"})
    Models(one.with_fallbacks([two]), ModelEnvironment())
    assert process.scrub("sk-inside-5d21cc bound-77aa31f") == "[secret removed] [secret removed]"


def test_the_names_of_all_inside_are_known() -> None:
    one, two, three = (ChatOpenAI(model=name, api_key="x") for name in ("one", "two", "three"))
    given: Any = one.with_fallbacks([two.bind(model="bound"), three.with_retry()]).with_config(tags=["mine"])
    assert model_names(given) == ["one", "bound", "three"]
    assert model_name(given) == "one"
