"""What a provider is told of its prompt cache, and that all requests of a domain begin alike."""

import asyncio
import json
import sys
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from langchain_core.language_models.fake_chat_models import FakeListChatModel
from langchain_openai import AzureChatOpenAI, ChatOpenAI
from pydantic import SecretStr

from wavegraph.graph.model.chat_models import cache_hints, system_message
from wavegraph.graph.model.spending import Payer, Spending
from wavegraph.graph.model.structured import Form, answer_in_form
from wavegraph.graph.settings import Settings
from wavegraph.graph.views import Meter

KEY = SecretStr("none")
LOCAL = "http://127.0.0.1:9/v1"
FORM = Form("form", "Fill in", {"type": "object", "properties": {}, "required": [], "additionalProperties": False})


def test_openai_itself_is_told_which_requests_begin_alike() -> None:
    model = ChatOpenAI(model="m", api_key=KEY, base_url="https://api.openai.com/v1")
    first = cache_hints(model, "You plan.")
    assert first == cache_hints(model, "You plan.")
    assert first != cache_hints(model, "You judge.")
    assert list(first) == ["prompt_cache_key"]


@pytest.mark.parametrize(
    "model",
    [
        ChatOpenAI(model="m", api_key=KEY, base_url=LOCAL),
        ChatOpenAI(model="m", api_key=KEY, base_url="https://api.openai.com.example/v1"),
        AzureChatOpenAI(model="m", api_key=KEY, azure_endpoint="https://a.example", api_version="1"),
        FakeListChatModel(responses=["x"]),
    ],
    ids=["local", "a look-alike", "azure", "another client"],
)
def test_nobody_else_is_sent_a_field_it_may_not_know(model: Any) -> None:
    assert cache_hints(model, "You plan.") == {}
    assert system_message(model, "You plan.").content == "You plan."


def test_anthropic_is_told_where_the_beginning_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "langchain_anthropic", SimpleNamespace(ChatAnthropic=FakeListChatModel))
    content = system_message(FakeListChatModel(responses=[]), "You plan.").content
    assert content == [{"type": "text", "text": "You plan.", "cache_control": {"type": "ephemeral"}}]


@pytest.mark.parametrize("bound", [{}, {"prompt_cache_key": "ours"}], ids=["ours alone", "the caller's goes before"])
def test_the_key_is_in_the_request(bound: dict[str, Any]) -> None:
    bodies: list[dict[str, Any]] = []

    def answer(request: httpx.Request) -> httpx.Response:
        bodies.append(json.loads(request.content))
        choice = {"index": 0, "message": {"role": "assistant", "content": "{}"}, "finish_reason": "stop"}
        return httpx.Response(
            200, json={"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
        )

    async def asked() -> None:
        async with httpx.AsyncClient(transport=httpx.MockTransport(answer)) as client:
            model = ChatOpenAI(model="m", api_key=KEY, base_url="https://api.openai.com/v1", http_async_client=client)
            given: Any = model.bind(**bound) if bound else model
            await answer_in_form(
                FORM, "You plan.", "now", model=given, payer=Payer(Spending(), "planner", "m", Settings(), Meter())
            )

    asyncio.run(asked())
    [body] = bodies
    assert body["prompt_cache_key"] == bound.get("prompt_cache_key", cache_hints_of("You plan."))


def cache_hints_of(instructions: str) -> str:
    key: str = cache_hints(ChatOpenAI(model="m", api_key=KEY, base_url="https://api.openai.com/v1"), instructions)[
        "prompt_cache_key"
    ]
    return key
