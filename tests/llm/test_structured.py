"""How a model is made to answer in a form: what is sent, by which way, and what comes back of it."""

import json
from typing import Any

import pytest
from endpoint import Endpoint, judges
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.messages import AIMessage
from langchain_openai import ChatOpenAI
from runs import wait

from wavegraph.graph._langgraph import UNHEARD
from wavegraph.graph.model.clients import ModelEnvironment, Models
from wavegraph.graph.model.structured import Form, filled_in
from wavegraph.graph.settings import Settings
from wavegraph.graph.views import Meter
from wavegraph.testing import ScriptedModel

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"satisfied": {"type": "boolean", "description": "Ob es so ist: „ja“"}},
    "required": ["satisfied"],
    "additionalProperties": False,
}
FORM = Form("verdict", "Give the verdict", SCHEMA)
FILLED = {"satisfied": True}
PLAIN_SYSTEM = f"""Judge.

# Schema

Answer with the JSON object alone, in this JSON schema:

{json.dumps(SCHEMA, ensure_ascii=False)}"""


def client(server: Endpoint) -> ChatOpenAI:
    return ChatOpenAI(model="scripted", base_url=server.url, api_key="x", max_retries=0, streaming=True)


def asked(model: Any, method: str = "json_schema", meter: Meter | None = None) -> AIMessage:
    async def once() -> AIMessage:
        models = Models(model, ModelEnvironment())
        own = await models.get("validator", Settings())
        return await filled_in(FORM, "Judge.", "4 beds", model=own, method=method, meter=meter or Meter())

    return wait(once())


@pytest.mark.parametrize(
    ("method", "asks"),
    [
        (
            "json_schema",
            {
                "response_format": {
                    "type": "json_schema",
                    "json_schema": {"name": "verdict", "schema": SCHEMA, "strict": True},
                }
            },
        ),
        (
            "function_calling",
            {
                "tools": [
                    {
                        "type": "function",
                        "function": {
                            "name": "verdict",
                            "description": "Give the verdict",
                            "parameters": SCHEMA,
                            "strict": True,
                        },
                    }
                ],
                "tool_choice": {"type": "function", "function": {"name": "verdict"}},
            },
        ),
    ],
)
def test_a_model_of_openais_is_told_the_form_and_answers_in_one_piece(
    method: str, asks: dict[str, Any], server: Endpoint
) -> None:
    server.plays(judges(FILLED, call=method == "function_calling"))
    message = asked(client(server), method)

    [received] = server.received
    sent = {name: value for name, value in received.body.items() if name not in ("model", "messages")}
    assert sent == {**asks, "stream": False}
    assert [each["content"] for each in received.body["messages"]] == ["Judge.", "4 beds"]
    given = message.tool_calls[0]["args"] if message.tool_calls else json.loads(str(message.text))
    assert given == FILLED


def test_a_model_with_functions_is_given_the_form_as_one() -> None:
    model = ScriptedModel(FILLED)
    message = asked(model)

    assert message.tool_calls[0]["args"] == FILLED
    assert [each.content for each in model.heard[0]] == ["Judge.", "4 beds"]
    [tool] = model.tools
    assert tool["function"] == {"name": "verdict", "description": "Give the verdict", "parameters": SCHEMA}


def test_a_model_without_reads_it() -> None:
    model = ScriptedModel(FILLED, calls_tools=False)

    assert asked(model).text == json.dumps(FILLED)
    assert [each.content for each in model.heard[0]] == [PLAIN_SYSTEM, "4 beds"]


class Tags(BaseCallbackHandler):
    def __init__(self) -> None:
        self.seen: list[Any] = []

    def on_chat_model_start(self, *_: Any, **known: Any) -> None:
        self.seen.append(known["tags"])


@pytest.mark.parametrize("calls_tools", [True, False, None], ids=["tools", "text", "openai"])
@pytest.mark.parametrize("method", ["json_schema", "function_calling"])
@pytest.mark.parametrize("wrapped", [False, True])
def test_no_message_stream_shows_it(calls_tools: bool | None, method: str, wrapped: bool, server: Endpoint) -> None:
    tags = Tags()
    if calls_tools is None:
        server.plays(judges(FILLED, call=method == "function_calling"))
    made: Any = client(server) if calls_tools is None else ScriptedModel(FILLED, calls_tools=calls_tools)
    model = made.model_copy(update={"callbacks": [tags]})
    asked(model.bind(stop=["#"]).with_fallbacks([model]) if wrapped else model, method)
    assert [set(UNHEARD["tags"]) <= set(each) for each in tags.seen] == [True]


def test_each_try_is_counted_and_so_are_the_tokens_of_one_that_was_cut_off(server: Endpoint) -> None:
    server.plays(judges('{"satisf', finish="length", checked=False), judges("", status=500))
    meter = Meter(1, 2, 3)
    with pytest.raises(Exception, match="length limit"):
        asked(client(server), meter=meter)
    assert (meter.llm_calls, meter.input_tokens, meter.output_tokens) == (2, 102, 13)
    with pytest.raises(Exception, match="500"):
        asked(client(server), meter=meter)
    assert (meter.llm_calls, meter.input_tokens, meter.output_tokens) == (3, 102, 13)
