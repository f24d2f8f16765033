"""Where models come from: environment, settings, the caller; and that none is bound to one event loop."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from endpoint import Endpoint, Turn, answers, plans
from inn import Inn
from langchain_core.messages import HumanMessage
from langchain_openai import ChatOpenAI
from plans import aask, ask, beds, plan

from wavegraph import SettingsError, build_graph
from wavegraph.graph.errors import ModelUnavailable
from wavegraph.graph.model.clients import DEFAULT_MODEL, ModelEnvironment, Models
from wavegraph.graph.settings import Settings

NIGHT = "2026-12-05"
TEXT = f"a bed on {NIGHT}"
PLAN = plans(plan(beds("beds", NIGHT)))
ANSWER = answers("4 beds are free.")


def client(server: Endpoint, name: str = "mine") -> ChatOpenAI:
    return ChatOpenAI(model=name, base_url=server.url, api_key="x", max_retries=0)


def test_an_address_alone_is_enough(server: Endpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    server.models = ["llama", "qwen"]
    server.plays(PLAN.but(model="llama"), ANSWER.but(model="llama"))
    told = ask(build_graph(Inn().domain()).compile(), TEXT)
    assert told["planner"] == "llm"
    assert server.models_asked == 1
    assert server.received[0].key == "Bearer not-needed"


@pytest.mark.parametrize(("names", "status"), [([], 200), (["x"], 500), (["x"], 401)])
def test_an_address_that_serves_nothing_leaves_it_to_the_rules(
    names: list[str], status: int, server: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    server.models, server.models_status = names, status
    told = ask(build_graph(Inn().domain()).compile(), TEXT)
    assert (told["planner"], told["outcome"], told["llm_calls"]) == ("rules", "answered", 0)
    assert "could not be used" in told["answer"]
    assert server.models_asked == (3 if status == 500 else 1)


async def test_a_key_alone_means_openai_and_a_named_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "k")

    model: Any = await Models(None, ModelEnvironment.from_env()).get("planner", Settings())
    assert (model.model_name, model.openai_api_base) == (DEFAULT_MODEL, None)
    assert model.max_retries == 0


def test_each_role_has_its_model_by_environment(endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WAVEGRAPH_PLANNER_MODEL", "thinker")
    monkeypatch.setenv("WAVEGRAPH_RESPONDER_MODEL", "writer")
    endpoint.plays(PLAN.but(model="thinker"), ANSWER.but(model="writer"))
    ask(build_graph(Inn().domain()).compile(), TEXT)


def test_a_runs_settings_go_before_the_environment(endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WAVEGRAPH_PLANNER_MODEL", "thinker")
    endpoint.plays(PLAN.but(model="other"), ANSWER.but(model="scripted"))
    ask(build_graph(Inn().domain()).compile(), TEXT, planner_model="other")


def test_a_given_model_is_used(server: Endpoint) -> None:
    server.plays(PLAN.but(model="mine"), ANSWER.but(model="mine"))
    told = ask(build_graph(Inn().domain(), model=client(server)).compile(), TEXT)
    assert told["planner"] == "llm"


def test_a_given_clients_own_retries_do_not_multiply_ours(server: Endpoint) -> None:
    model = ChatOpenAI(model="mine", base_url=server.url, api_key="x", max_retries=4)
    server.plays(*[Turn("plan", status=503)] * 3)
    told = ask(build_graph(Inn().domain(), model=model).compile(), TEXT)
    assert (told["planner"], told["llm_calls"]) == ("rules", 3)


def test_a_given_model_goes_before_the_environment(endpoint: Endpoint) -> None:
    endpoint.plays(PLAN.but(model="mine"), ANSWER.but(model="scripted"))
    ask(build_graph(Inn().domain(), model={"planner": client(endpoint)}).compile(), TEXT)


def test_a_model_for_each_role(server: Endpoint) -> None:
    models = {"planner": client(server, "p"), "responder": client(server, "r")}
    server.plays(PLAN.but(model="p"), ANSWER.but(model="r"))
    ask(build_graph(Inn().domain(), model=models).compile(), TEXT)


def test_a_role_without_a_model_is_left_to_the_rules(server: Endpoint) -> None:
    server.plays(PLAN)
    told = ask(build_graph(Inn().domain(), model={"planner": client(server)}).compile(), TEXT)
    assert (told["planner"], told["answer"]) == ("llm", f"The porter says: {NIGHT}: 4 free")
    server.plays(ANSWER)
    told = ask(build_graph(Inn().domain(), model={"responder": client(server)}).compile(), TEXT)
    assert (told["planner"], told["answer"]) == ("rules", "4 beds are free.")


def test_a_factory_is_called_once_per_loop(server: Endpoint) -> None:
    made: list[ChatOpenAI] = []

    def make() -> ChatOpenAI:
        made.append(client(server))
        return made[-1]

    graph = build_graph(Inn().domain(), model=make).compile()
    server.plays(*[PLAN, ANSWER] * 3)

    async def twice() -> None:
        await aask(graph, TEXT)
        await aask(graph, TEXT)

    asyncio.run(twice())
    assert len(made) == 1
    asyncio.run(aask(graph, TEXT))
    assert len(made) == 2


BY_CALLER: dict[str, Callable[[Endpoint], Any]] = {
    "environment": lambda server: None,
    "instance": client,
    "factory": lambda server: lambda: client(server),
}


@pytest.mark.parametrize("given", BY_CALLER.values(), ids=BY_CALLER)
def test_one_graph_works_on_loop_after_loop(given: Callable[[Endpoint], Any], endpoint: Endpoint) -> None:
    """A client's kept connections die with the loop that opened them; nobody may notice."""
    graph = build_graph(Inn().domain(), model=given(endpoint)).compile()
    asked = {"messages": [HumanMessage(TEXT)]}
    endpoint.plays(*[PLAN, ANSWER] * 6)
    ended = [asyncio.run(graph.ainvoke(asked)) for _ in range(2)]
    ended += [graph.invoke(asked) for _ in range(2)]
    ended += [asyncio.run(graph.ainvoke(asked)) for _ in range(2)]
    assert [(end["planner"], end["answer"], end["llm_calls"]) for end in ended] == [("llm", "4 beds are free.", 2)] * 6


def test_a_loops_connections_are_closed_with_it(endpoint: Endpoint) -> None:
    models = Models(None, ModelEnvironment.from_env())
    endpoint.plays(Turn("answer", content="hello"))

    async def used() -> Any:
        model: Any = await models.get("responder", Settings())
        await model.ainvoke("hi")
        assert not model.http_async_client.is_closed
        return model.http_async_client

    assert asyncio.run(used()).is_closed


async def test_no_error_quotes_the_key(endpoint: Endpoint) -> None:
    models = Models(None, ModelEnvironment.from_env())
    endpoint.plays(Turn("answer", status=401))
    with pytest.raises(Exception, match=r"the provider says 401, key Bearer \[secret removed\]"):
        await (await models.get("responder", Settings())).ainvoke("hi")


async def test_a_server_without_a_model_is_told(server: Endpoint) -> None:
    server.models = []
    with pytest.raises(ModelUnavailable, match="the server offers no model; name one in WAVEGRAPH_MODEL"):
        await Models(None, ModelEnvironment(base_url=server.url)).get("planner", Settings())


def test_a_model_that_is_asked_for_and_missing_is_told(server: Endpoint) -> None:
    with pytest.raises(SettingsError, match=r"'planner' = 'llm' needs a model.*OPENAI_BASE_URL"):
        ask(build_graph(Inn().domain()).compile(), TEXT, planner="llm")


def test_the_setting_rules_calls_no_model(endpoint: Endpoint) -> None:
    told = ask(build_graph(Inn().domain()).compile(), TEXT, planner="rules")
    assert (told["planner"], told["llm_calls"]) == ("rules", 0)
    assert told["answer"] == f"The porter says: {NIGHT}: 4 free"


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ("gpt-5", "must be named as 'provider:name', not 'gpt-5'"),
        ({"planer": object}, "unknown roles \\['planer'\\]"),
        ({"planner": 3}, "model for the planner"),
    ],
)
def test_what_is_no_model_is_refused_when_the_graph_is_built(given: Any, says: str) -> None:
    with pytest.raises(SettingsError, match=says):
        build_graph(Inn().domain(), model=given)


def test_an_environment_with_a_model_name_alone_reaches_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WAVEGRAPH_MODEL", "x")
    monkeypatch.setenv("OPENAI_API_KEY", "")
    told = ask(build_graph(Inn().domain()).compile(), TEXT)
    assert (told["planner"], told["llm_calls"]) == ("rules", 0)


def test_a_secret_key_does_not_print() -> None:
    environment = ModelEnvironment.from_env({"OPENAI_API_KEY": "sk-secret"})
    assert "sk-secret" not in repr(environment)
