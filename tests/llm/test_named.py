"""Models by name, and how one works in a role: temperature, longest output, reasoning effort."""

import sys
from typing import Any

import pytest
from endpoint import Endpoint, answers, plans
from inn import Inn
from plans import ask, beds, judged, plan
from runs import wait

from wavegraph import SettingsError, build_graph
from wavegraph.graph.model.clients import ModelEnvironment, ModelOptions, Models
from wavegraph.graph.settings import Settings

NIGHT = "2026-12-05"
TEXT = f"a bed on {NIGHT}"
PLAN, ANSWER, VERDICT = plans(plan(beds("beds", NIGHT))), answers("4 beds are free."), judged()
TURNS = {"planner": "plan", "responder": "answer", "validator": "judge"}
OPTIONS: dict[str, Any] = {"temperature": 0.25, "max_tokens": 700, "reasoning_effort": "low"}
OF_OPENAI = {"OPENAI_API_KEY": "k"}


def sent(endpoint: Endpoint) -> dict[str, dict[str, Any]]:
    """The options in each role's request."""
    known = {*OPTIONS, "max_completion_tokens"}
    return {
        role: {name: value for name, value in endpoint.of(turn)[0].body.items() if name in known}  # type: ignore[arg-type]
        for role, turn in TURNS.items()
    }


@pytest.mark.parametrize("model", [None, "openai:scripted"], ids=["from the environment", "by name"])
@pytest.mark.parametrize("name", OPTIONS)
@pytest.mark.parametrize("role", TURNS)
def test_an_option_is_one_roles(
    role: str, name: str, model: str | None, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(f"WAVEGRAPH_{role.upper()}_{name.upper()}", str(OPTIONS[name]))
    endpoint.plays(PLAN.but(model="scripted"), ANSWER.but(model="scripted"), VERDICT.but(model="scripted"))
    ask(build_graph(Inn().domain(), model=model).compile(), TEXT, answer_check="on")
    assert sent(endpoint) == {**{each: {} for each in TURNS}, role: {name: OPTIONS[name]}}


def test_an_empty_option_is_none(endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WAVEGRAPH_PLANNER_TEMPERATURE", "0")
    monkeypatch.setenv("WAVEGRAPH_RESPONDER_MAX_TOKENS", "")
    endpoint.plays(PLAN, ANSWER, VERDICT)
    ask(build_graph(Inn().domain()).compile(), TEXT, answer_check="on")
    assert sent(endpoint) == {"planner": {"temperature": 0}, "responder": {}, "validator": {}}


@pytest.mark.parametrize(
    ("url", "limit"),
    [
        ({}, (700, None)),
        ({"OPENAI_BASE_URL": "https://api.openai.com/v1"}, (700, None)),
        ({"OPENAI_BASE_URL": "http://localhost:11434/v1"}, (None, {"max_tokens": 700})),
    ],
    ids=["openai", "openai by its address", "another"],
)
def test_the_limit_is_sent_by_the_name_that_the_endpoint_knows(url: dict[str, str], limit: tuple[Any, Any]) -> None:
    environ = {**OF_OPENAI, **url, "WAVEGRAPH_MODEL": "m", "WAVEGRAPH_PLANNER_MAX_TOKENS": "700"}
    model: Any = wait(Models(None, ModelEnvironment.from_env(environ)).get("planner", Settings()))
    assert (model.max_tokens, model.extra_body) == limit


def test_a_named_model_goes_before_the_environments_and_a_runs(endpoint: Endpoint) -> None:
    endpoint.plays(PLAN.but(model="thinker"), ANSWER.but(model="scripted"))
    told = ask(build_graph(Inn().domain(), model={"planner": "openai:thinker"}).compile(), TEXT, planner_model="other")
    assert told["planner"] == "llm"


@pytest.mark.parametrize(
    ("model", "says"),
    [
        ("gpt-5", "model for the planner must be named as 'provider:name', not 'gpt-5'"),
        (":gpt-5", "must be named as 'provider:name', not ':gpt-5'"),
        ("openai:", "must be named as 'provider:name', not 'openai:'"),
        ("", "must be named as 'provider:name', not ''"),
        ({"responder": "gpt"}, "model for the responder must be named"),
        ("openai:gpt-5", "the model 'openai:gpt-5' needs OPENAI_API_KEY, or OPENAI_BASE_URL"),
        ("anthropic:claude", r"the model 'anthropic:claude' needs pip install 'wavegraph\[models\]'"),
    ],
)
def test_a_name_that_reaches_nothing_is_told_when_the_graph_is_built(
    model: Any, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "langchain.chat_models", None)
    with pytest.raises(SettingsError, match=says):
        build_graph(Inn().domain(), model=model)


@pytest.mark.parametrize(
    ("model", "says"),
    [
        ("nobody:claude", "the model 'nobody:claude' cannot be made: ValueError: Unsupported"),
        ("fireworks:llama", "the model 'fireworks:llama' needs pip install .*: .*langchain-fireworks"),
    ],
)
def test_what_langchain_cannot_make_is_told(model: str, says: str) -> None:
    pytest.importorskip("langchain")
    with pytest.raises(SettingsError, match=says):
        build_graph(Inn().domain(), model=model)


def test_langchain_makes_the_model_with_the_roles_options(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the one provider whose package is here: Azure's models come with OpenAI's."""
    pytest.importorskip("langchain")
    monkeypatch.setenv("AZURE_OPENAI_API_KEY", "azure-key-90ab")
    monkeypatch.setenv("AZURE_OPENAI_ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setenv("OPENAI_API_VERSION", "2025-01-01")
    monkeypatch.setenv("WAVEGRAPH_PLANNER_TEMPERATURE", "0.5")
    models = Models("azure_openai:gpt-4.1", ModelEnvironment.from_env())

    async def made() -> list[Any]:
        return [await models.get(role, Settings()) for role in ("planner", "planner", "responder")]  # type: ignore[arg-type]

    planner, again, responder = wait(made())
    assert planner is again
    assert (planner.model_name, planner.temperature, responder.temperature) == ("gpt-4.1", 0.5, None)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("TEMPERATURE", "warm"),
        ("TEMPERATURE", "-0.1"),
        ("TEMPERATURE", "nan"),
        ("MAX_TOKENS", "0"),
        ("MAX_TOKENS", "1.5"),
    ],
)
@pytest.mark.parametrize("role", TURNS)
def test_a_wrong_option_in_the_environment_is_told(role: str, name: str, value: str) -> None:
    with pytest.raises(SettingsError, match=rf"^WAVEGRAPH_{role.upper()}_…: {name.lower()} = '{value}'"):
        ModelEnvironment.from_env({f"WAVEGRAPH_{role.upper()}_{name}": value})


def test_every_option_has_a_test_here() -> None:
    assert set(OPTIONS) == set(ModelOptions.model_fields)
