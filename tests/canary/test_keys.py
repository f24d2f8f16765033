"""A model's key that its endpoint, or its client, quotes: in any role and any way, it is left nowhere."""

import asyncio
import base64
import gc
import inspect
import json
import logging
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from canary_traces import traced
from canary_vault import PropertySystem, vault, vault_graph
from endpoint import Endpoint, Role, Turn, answers, plans
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.language_models import BaseChatModel
from langchain_core.outputs import ChatResult
from langchain_openai import ChatOpenAI
from patience import until
from pydantic import SecretStr
from runs import wait

from wavegraph import build_graph
from wavegraph.app.storage.open import open_storage
from wavegraph.testing import Canaries, Collected, assert_no_leak, collecting
from wavegraph.tools.hotel.property.credentials import EnvironmentSecrets


@pytest.fixture(autouse=True)
def _no_second_copy(caplog: pytest.LogCaptureFixture) -> None:
    """SQLite's driver logs all that it writes, which the database itself is searched for."""
    caplog.set_level(logging.INFO, "aiosqlite")


LOOK = {"id": "look_1", "tool": "look", "args": {"word": "tea"}, "each": None, "instead_of": None}
PLAN = {"reasoning": "", "action": "look_up", "status": "done", "tools": [LOOK], "reply": None}
BEFORE: dict[Role, list[Turn]] = {"plan": [], "answer": [plans(PLAN)], "judge": [plans(PLAN), answers("tea: 3")]}
"""What an endpoint is asked before each role."""


@dataclass(frozen=True)
class Way:
    """How an endpoint quotes the key."""

    body: Callable[[str], str] | None = None
    headers: Callable[[str], Mapping[str, str]] = lambda key: {}
    status: int = 401
    followed: bool = False
    """Whether the client asks elsewhere, and is told 401 there."""


def html_page(key: str) -> str:
    return f"<html><body><h1>401</h1><p>No such key: <b>{key}</b></p></body></html>"


def event_of_error(key: str) -> str:
    return json.dumps({"error": {"message": f"the key {key} ran out", "type": "quota", "param": key, "code": None}})


AS_HTML: Mapping[str, str] = {"content-type": "text/html"}
WAYS: dict[str, Way] = {
    "in JSON": Way(lambda key: json.dumps({"error": {"message": f"wrong key {key}", "param": {"key": [key]}}})),
    "in HTML": Way(html_page, lambda key: AS_HTML),
    "in plain text": Way(lambda key: f"Authorization: Bearer {key}", lambda key: {"content-type": "text/plain"}),
    "in a header": Way(headers=lambda key: {"www-authenticate": f'Bearer error="no such key {key}"', "x-request-id": key}),
    "in another charset": Way(lambda key: f'"{key}"', lambda key: {"content-type": "text/plain; charset=utf-16-le"}),
    "cut off": Way(lambda key: f"upstream said: no such key {key[:20]}", lambda key: AS_HTML),
    "wrapped": Way(lambda key: f"no such key\n  {key[:17]}\n  {key[17:]}\n", lambda key: AS_HTML),
    "encoded": Way(lambda key: f"?key={quote(key)} {base64.b64encode(f'key:{key}'.encode()).decode()}", lambda key: AS_HTML),
    "in a redirect": Way(lambda key: "", lambda key: {"location": f"/v1/chat?key={key}"}, 307, followed=True),
    "in a page that is no error": Way(html_page, lambda key: AS_HTML, 200),
    "in a stream": Way(event_of_error, status=200),
}  # fmt: skip


SOME = ("in HTML", "in a header", "in a stream")


def turn_of(role: Role, way: Way, key: str) -> list[Turn]:
    body = way.body(key) if way.body else None
    if body == "" or body is None:
        body = "nothing"
    turns = [Turn(role, status=way.status, body=body, headers=way.headers(key), checked=False)]
    return [*turns, Turn(role, status=401, body="{}")] if way.followed else turns


class Listener(BaseCallbackHandler):
    """A tracer of the caller's own."""

    def __init__(self, left: Collected) -> None:
        self._left = left

    def on_llm_error(self, error: BaseException, **more: Any) -> None:
        self._left.add("tracer", [str(error), repr(error), more.get("response")])


async def asked(
    left: Collected, graph: Any, role: Role, database: Path, endpoint: Endpoint, key: str, ways: Iterable[str] = WAYS
) -> list[str]:
    """The outcomes of requests in which that role fails, one in each way."""
    chosen = {"answer_check": "on" if role == "judge" else "rules", "model_attempts": 1}
    async with open_storage(str(database)) as storage:
        compiled = graph.compile(checkpointer=storage.checkpointer, store=storage.store)
        compiled = compiled.with_config(callbacks=[Listener(left)])
        outcomes = []
        for name in ways:
            endpoint.script[:] = [
                *BEFORE[role],
                *turn_of(role, WAYS[name], key),
            ]  # what the last one did not come to is gone
            result = await left.run(compiled, "look:tea", thread_id=name, settings=chosen)
            outcomes.append(result.outcome if result else "raised")
    endpoint.script.clear()
    left.database(database)
    await streams_closed()
    return outcomes


async def streams_closed() -> None:
    """The client leaves what it has not read of a stream to the garbage collector, which closes it in a task."""
    gc.collect()
    await asyncio.sleep(0)
    await until(lambda: not [each for each in asyncio.all_tasks() if not inspect.iscoroutine(each.get_coro())])


@pytest.mark.parametrize("role", BEFORE)
def test_a_key_from_the_environment_is_left_nowhere(
    role: Role, endpoint: Endpoint, planted: Canaries, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with collecting() as left, traced(left, planted.plant("LANGSMITH_API_KEY")):
        outcomes = wait(
            asked(left, vault_graph(), role, tmp_path / "threads.db", endpoint, os.environ["OPENAI_API_KEY"])
        )
    left.add("terminal", list(capfd.readouterr()))

    assert outcomes == ["answered"] * len(WAYS)
    assert not endpoint.faults
    assert_no_leak(planted, left, channels=["state", "database", "events", "log", "traces", "tracer", "answer"])


def test_a_key_given_in_code_is_left_nowhere(endpoint: Endpoint, planted: Canaries, tmp_path: Path) -> None:
    key = planted.plant("given key")
    model = ChatOpenAI(api_key=SecretStr(key), base_url=endpoint.url, model="scripted", max_retries=0)
    graph = build_graph(vault(PropertySystem(EnvironmentSecrets())), model=model)
    with collecting() as left, traced(left, planted.plant("LANGSMITH_API_KEY")):
        outcomes = wait(asked(left, graph, "answer", tmp_path / "threads.db", endpoint, key, SOME))

    assert outcomes == ["answered"] * len(SOME)
    assert {request.key for request in endpoint.received} == {f"Bearer {key}"}
    assert_no_leak(planted, left, channels=["state", "database", "events", "log", "traces", "tracer"])


def test_a_key_that_a_function_gives_is_left_nowhere(endpoint: Endpoint, planted: Canaries, tmp_path: Path) -> None:
    key = planted.plant("given key")
    model = ChatOpenAI(api_key=lambda: key, base_url=endpoint.url, model="scripted", max_retries=0)
    graph = build_graph(vault(PropertySystem(EnvironmentSecrets())), model=model)
    with collecting() as left, traced(left, planted.plant("LANGSMITH_API_KEY")):
        outcomes = wait(asked(left, graph, "plan", tmp_path / "threads.db", endpoint, key, SOME))

    assert outcomes == ["answered"] * len(SOME)
    assert_no_leak(planted, left, channels=["state", "events", "log", "traces", "tracer"])


class Another(BaseChatModel):
    """Of a provider whose client says what it should not."""

    provider_key: SecretStr

    @property
    def _llm_type(self) -> str:
        return "another"

    @property
    def _identifying_params(self) -> dict[str, Any]:
        return {"key": self.provider_key.get_secret_value()}

    def _generate(self, *messages: Any, **more: Any) -> ChatResult:
        key = self.provider_key.get_secret_value()
        raise RuntimeError(f"403 with headers {{'x-api-key': '{key}'}}") from ValueError(key)


@pytest.mark.parametrize("fallback", [True, False])
def test_another_provider_s_client_is_listened_to_with_care(fallback: bool, planted: Canaries, tmp_path: Path) -> None:
    model = Another(provider_key=SecretStr(planted.plant("another key")))
    graph = build_graph(vault(PropertySystem(EnvironmentSecrets())), model=lambda: model)

    async def work(left: Collected) -> Any:
        async with open_storage(str(tmp_path / "threads.db")) as storage:
            compiled = graph.compile(checkpointer=storage.checkpointer, store=storage.store)
            return await left.run(compiled, "look:tea", thread_id="t", settings={"model_fallback": fallback})

    with collecting() as left, traced(left, planted.plant("LANGSMITH_API_KEY")):
        result = wait(work(left))
    left.database(tmp_path / "threads.db")

    assert result.outcome == ("answered" if fallback else "failed")
    assert_no_leak(planted, left, channels=["state", "database", "events", "log", "traces"])


def test_without_the_scrubber_they_would_leak(
    unscrubbed: None, endpoint: Endpoint, planted: Canaries, tmp_path: Path
) -> None:
    """What the others are held against."""
    with collecting() as left, traced(left, planted.plant("LANGSMITH_API_KEY")):
        wait(asked(left, vault_graph(), "plan", tmp_path / "threads.db", endpoint, os.environ["OPENAI_API_KEY"], SOME))

    with pytest.raises(AssertionError, match="OPENAI_API_KEY in traces"):
        assert_no_leak(planted, left)
