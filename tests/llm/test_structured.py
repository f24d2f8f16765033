"""How a model is made to answer in a form: what is sent, by which way, and what comes back of it."""

import json
from functools import partial
from typing import Any

import pytest
from endpoint import Endpoint, judges
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.messages import AIMessage
from langchain_openai import ChatOpenAI
from runs import wait

from wavegraph.graph._langgraph import UNHEARD
from wavegraph.graph.model.calls import Form, answer_in_form
from wavegraph.graph.model.clients import ModelEnvironment, Models
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


def asked(model: Any, meter: Meter | None = None) -> AIMessage:
    async def once() -> AIMessage:
        models = Models(model, ModelEnvironment())
        own = await models.get("validator", Settings())
        begin = partial(models.spending.begin, "validator", Settings(), meter or Meter())
        return await answer_in_form(FORM, "Judge.", "4 beds", own, begin)

    return wait(once())


def test_a_model_of_openais_is_told_the_form_as_a_function_and_answers_in_one_piece(server: Endpoint) -> None:
    server.plays(judges(FILLED))
    message = asked(client(server))

    [received] = server.received
    sent = {name: value for name, value in received.body.items() if name not in ("model", "messages")}
    function = {"name": "verdict", "description": "Give the verdict", "parameters": SCHEMA, "strict": False}
    assert sent == {
        "tools": [{"type": "function", "function": function}],
        "tool_choice": {"type": "function", "function": {"name": "verdict"}},
        "stream": False,
    }
    assert [each["content"] for each in received.body["messages"]] == ["Judge.", "4 beds"]
    assert message.tool_calls[0]["args"] == FILLED


@pytest.mark.parametrize("written", ['[{"satisfied": true}]', '"{}"', "5"])
def test_arguments_that_are_no_object_are_an_answer_to_be_read(written: str, server: Endpoint) -> None:
    server.plays(judges(written, checked=False))
    assert json.loads(str(asked(client(server)).text)) == json.loads(written)


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
@pytest.mark.parametrize("wrapped", [False, True])
def test_no_message_stream_shows_it(calls_tools: bool | None, wrapped: bool, server: Endpoint) -> None:
    tags = Tags()
    if calls_tools is None:
        server.plays(judges(FILLED))
    made: Any = client(server) if calls_tools is None else ScriptedModel(FILLED, calls_tools=calls_tools)
    model = made.model_copy(update={"callbacks": [tags]})
    asked(model.bind(stop=["#"]).with_fallbacks([model]) if wrapped else model)
    assert [set(UNHEARD["tags"]) <= set(each) for each in tags.seen] == [True]


def test_each_try_is_counted(server: Endpoint) -> None:
    server.plays(judges('{"satisf', finish="length", checked=False), judges("", status=500))
    meter = Meter()
    assert asked(client(server), meter).response_metadata["finish_reason"] == "length"
    with pytest.raises(Exception, match="500"):
        asked(client(server), meter)
    assert sum(each["calls"] for each in meter.usage.values()) == 2
