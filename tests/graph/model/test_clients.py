"""Which model serves whom, by environment and settings; and how long its connections live."""

import asyncio
import gc
import weakref
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, get_args

import httpx
import pytest
from langchain_openai import ChatOpenAI
from runs import wait
from tables import table

from wavegraph import SettingsError
from wavegraph.graph.model.clients import ModelEnvironment, Models, Role
from wavegraph.graph.settings import Settings
from wavegraph.testing import ScriptedModel

HERE, THERE = "http://here/v1", "http://there/v1"
KEY = {"OPENAI_API_KEY": "k"}
LOCAL = {"OPENAI_BASE_URL": HERE, "WAVEGRAPH_MODEL": "m"}
ROLES: tuple[Role, ...] = get_args(Role)

Served = tuple[str | None, str, str]
"""Address, name and key."""


@dataclass(frozen=True)
class Case:
    id: str
    environ: Mapping[str, str]
    serves: Mapping[Role, Served]
    """Who is not in it has no model."""
    settings: Mapping[str, str] = field(default_factory=dict)


def each(planner: Served, responder: Served, validator: Served) -> Mapping[Role, Served]:
    return {"planner": planner, "responder": responder, "validator": validator}


def named(planner: str, responder: str, validator: str) -> Mapping[Role, Served]:
    return each((HERE, planner, "not-needed"), (HERE, responder, "not-needed"), (HERE, validator, "not-needed"))


def env(**names: str) -> dict[str, str]:
    return {**LOCAL, **{f"WAVEGRAPH_{name}": value for name, value in names.items()}}


CASES = [
    Case("nothing", {}, {}),
    Case("nothing but empty words", dict.fromkeys([*KEY, "OPENAI_BASE_URL", "WAVEGRAPH_VALIDATOR_API_KEY"], ""), {}),
    Case("a name alone", {"WAVEGRAPH_MODEL": "m"}, {}),
    Case("a key alone", KEY, dict.fromkeys(ROLES, (None, "gpt-5-mini", "k"))),
    Case("an address and a name", LOCAL, named("m", "m", "m")),
    Case("all three", {**LOCAL, **KEY}, dict.fromkeys(ROLES, (HERE, "m", "k"))),
    Case("a planner's name is the judge's", env(PLANNER_MODEL="p"), named("p", "m", "p")),
    Case("a responder's is not", env(RESPONDER_MODEL="r"), named("m", "r", "m")),
    Case("nor are names that are empty", env(PLANNER_MODEL="p", VALIDATOR_MODEL="", RESPONDER_MODEL=""), named("p", "m", "p")),
    Case("the judge's own", env(PLANNER_MODEL="p", VALIDATOR_MODEL="v"), named("p", "m", "v")),
    Case("a setting", env(PLANNER_MODEL="p"), named("s", "m", "s"), {"planner_model": "s"}),
    Case("a setting, and the judge's own", env(VALIDATOR_MODEL="v"), named("s", "m", "v"), {"planner_model": "s"}),
    Case("a setting each", env(VALIDATOR_MODEL="v"), named("s", "t", "u"),
         {"planner_model": "s", "responder_model": "t", "validator_model": "u"}),
    Case("settings, and no name of the judge's", LOCAL, named("s", "m", "u"), {"planner_model": "s", "validator_model": "u"}),
    Case("the judge's own address and name",
         env(VALIDATOR_MODEL="v", VALIDATOR_BASE_URL=THERE),
         each((HERE, "m", "not-needed"), (HERE, "m", "not-needed"), (THERE, "v", "not-needed"))),
    Case("at its own address by the name of another", env(VALIDATOR_MODEL="m", VALIDATOR_BASE_URL=THERE),
         each((HERE, "m", "not-needed"), (HERE, "m", "not-needed"), (THERE, "m", "not-needed"))),
    Case("the judge's own key", {**env(VALIDATOR_API_KEY="j"), **KEY}, each((HERE, "m", "k"), (HERE, "m", "k"), (HERE, "m", "j"))),
    Case("the judge's alone", {"WAVEGRAPH_VALIDATOR_BASE_URL": THERE, "WAVEGRAPH_VALIDATOR_MODEL": "v"},
         {"validator": (THERE, "v", "not-needed")}),
    Case("the judge's key alone", {"WAVEGRAPH_VALIDATOR_API_KEY": "j"}, {"validator": (None, "gpt-5-mini", "j")}),
]  # fmt: skip


@table("case", CASES)
def test_who_is_served_by_what(case: Case) -> None:
    models = Models(None, ModelEnvironment.from_env(case.environ))
    settings = Settings(**case.settings)  # type: ignore[arg-type]

    async def served() -> dict[Role, Served]:
        made: dict[Role, Any] = {role: await models.get(role, settings) for role in ROLES if models.has(role)}
        return {
            role: (model.openai_api_base, model.model_name, model.openai_api_key.get_secret_value())
            for role, model in made.items()
        }

    assert wait(served()) == case.serves


@pytest.mark.parametrize("environ", [{}, {"WAVEGRAPH_VALIDATOR_API_KEY": "j", "WAVEGRAPH_PLANNER_MODEL": "p"}])
def test_a_role_without_a_model_is_told(environ: dict[str, str]) -> None:
    models = Models({"responder": ScriptedModel()}, ModelEnvironment.from_env(environ))
    assert [models.has(role) for role in ROLES] == [False, True, bool(environ)]
    with pytest.raises(SettingsError, match="no model for the planner: give one to build_graph, or set OPENAI_API_KEY"):
        wait(models.get("planner", Settings()))


@table("said", ["on", "auto", "rules", "off", ""])
def test_how_answers_are_checked_by_the_environment(said: str) -> None:
    environment = ModelEnvironment.from_env({"WAVEGRAPH_ANSWER_CHECK": said})
    assert environment.answer_check == (said or None)


@table(
    ("given", "environ", "settings", "found"),
    [
        (ScriptedModel(), {}, {}, False),
        ({"planner": ScriptedModel(), "validator": ScriptedModel()}, {}, {}, True),
        ({"planner": ScriptedModel()}, {}, {}, False),
        (None, {"OPENAI_API_KEY": "k", "WAVEGRAPH_MODEL": "m"}, {}, False),
        (None, {"OPENAI_API_KEY": "k", "WAVEGRAPH_VALIDATOR_MODEL": "m"}, {}, True),
        (None, {"WAVEGRAPH_VALIDATOR_BASE_URL": "http://127.0.0.1:1/v1"}, {}, True),
        (None, {"OPENAI_API_KEY": "k"}, {"validator_model": "m"}, True),
    ],
)
def test_a_role_may_have_a_model_of_its_own(given: Any, environ: Any, settings: Any, found: bool) -> None:
    models = Models(given, ModelEnvironment.from_env(environ))
    assert models.has_own("validator", Settings(**settings)) is found


def test_a_way_to_check_answers_that_there_is_not_is_refused() -> None:
    with pytest.raises(SettingsError, match="WAVEGRAPH_ANSWER_CHECK='of': expected one of on, auto, rules, off"):
        ModelEnvironment.from_env({"WAVEGRAPH_ANSWER_CHECK": "of"})


def test_no_address_is_none() -> None:
    environment = ModelEnvironment.from_env({"OPENAI_BASE_URL": "", "WAVEGRAPH_MODEL": ""})
    assert (environment.base_url, environment.model, environment.validator_url) == (None, None, None)


def client(**more: Any) -> Any:
    return ChatOpenAI(model="mine", base_url=HERE, api_key="x", **more)  # type: ignore[arg-type]


async def got(given: Any, role: Role = "planner") -> Any:
    return await Models(given, ModelEnvironment()).get(role, Settings())


async def test_a_given_model_that_has_its_own_connections_is_taken_as_it_is() -> None:
    async with httpx.AsyncClient() as own:
        for model in (ScriptedModel(), client(http_async_client=own), client(async_client=object())):
            assert await got(model) is model
            assert await got({"planner": lambda model=model: model}) is model


async def test_a_given_model_gets_connections_of_the_loop_and_no_retries() -> None:
    model = client(max_retries=4)
    models = Models(model, ModelEnvironment())
    own: Any = await models.get("planner", Settings())
    assert own is not model
    assert all([await models.get(role, Settings()) is own for role in ROLES])
    assert own.root_async_client is not model.root_async_client
    assert own.async_client is own.root_async_client.chat.completions
    assert own.root_async_client.max_retries == 0


async def test_a_model_of_the_environment_is_made_once_and_counts_its_tokens() -> None:
    models = Models(None, ModelEnvironment.from_env(LOCAL))
    model: Any = await models.get("planner", Settings())
    assert all([await models.get(role, Settings()) is model for role in ROLES])
    assert (model.max_retries, model.stream_usage) == (0, True)


LOCAL_MODELS = ModelEnvironment.from_env(LOCAL)


async def test_connections_are_closed_with_their_graph_while_the_loop_goes_on() -> None:
    models = Models(None, LOCAL_MODELS)
    pool = (await models.get("planner", Settings())).http_async_client  # type: ignore[attr-defined]
    assert not pool.is_closed
    del models
    gc.collect()
    while not pool.is_closed:
        await asyncio.sleep(0)


def test_a_graph_that_outlives_its_loop_ends_quietly() -> None:
    models = Models(None, LOCAL_MODELS)
    with asyncio.Runner() as runner:
        pool: Any = runner.run(models.get("planner", Settings())).http_async_client  # type: ignore[attr-defined]
    del models
    gc.collect()

    assert pool.is_closed


def test_a_graph_holds_no_loop_that_has_ended_but_the_last() -> None:
    models = Models(None, LOCAL_MODELS)
    loops: list[weakref.ref[Any]] = []
    pools: list[weakref.ref[Any]] = []

    async def used() -> None:
        loops.append(weakref.ref(asyncio.get_running_loop()))
        pools.append(weakref.ref((await models.get("planner", Settings())).http_async_client))  # type: ignore[attr-defined]

    with asyncio.Runner() as standing:
        standing.run(used())
        for _ in range(3):
            asyncio.run(used())
        gc.collect()
        assert [loop() is not None for loop in loops] == [True, False, False, True]
        left = [pool() for pool in pools]
        assert [pool and pool.is_closed for pool in left] == [False, None, None, True]
        standing.run(used())
        assert pools[-1]() is left[0]


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"planer": ScriptedModel(), "judge": ScriptedModel()}, "model for unknown roles ['judge', 'planer']; the roles are ['planner', 'responder', 'validator']"),
        ({"responder": 3}, "model for the responder must be a chat model, its name ('provider:name') or a function that makes one, not 3"),
        ("gpt", "model for the planner must be named as 'provider:name', not 'gpt'"),
    ],
)  # fmt: skip
def test_what_is_no_model_is_told(given: Any, says: str) -> None:
    with pytest.raises(SettingsError) as refused:
        Models(given, ModelEnvironment())
    assert str(refused.value) == says
