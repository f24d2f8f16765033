"""Structured output: by strict JSON schema, a function call, or the schema in the instructions."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from langchain_core.runnables import Runnable

from wavegraph.graph.domain import Meter
from wavegraph.graph.model.calls import count_usage
from wavegraph.graph.model.openai_client import is_cut_off, is_openai
from wavegraph.graph.model.spending import Call, Payer

HIDDEN = ["nostream"]
"""LangGraph's tag for model output that must not show in the message stream."""


@dataclass(frozen=True)
class Form:
    """The form that a model fills in."""

    name: str
    description: str
    schema: Mapping[str, Any]
    """Strict: closed objects, every field required."""


async def filled_in(
    form: Form,
    instructions: str,
    message: str,
    *,
    model: BaseChatModel,
    method: str,
    meter: Meter,
    payer: Payer | None = None,
) -> AIMessage:
    """One call of the model. Raises CapReached, and what the client raises; the form is not checked here."""
    bound, holds_schema = _in_form(model, form, method)
    system = instructions if holds_schema else f"{instructions}\n\n{_schema_text(form.schema)}"
    paid = await payer.begin(system, message) if payer else Call(None, "")
    meter.llm_calls += 1
    try:
        raw = await bound.ainvoke([SystemMessage(system), HumanMessage(message)])
    except Exception as error:
        if is_cut_off(error):
            count_usage(error.completion.usage, meter)
            usage = error.completion.usage
            await paid.ended(None, (usage.prompt_tokens, usage.completion_tokens) if usage else None)
        raise
    answer: AIMessage = raw["raw"] if isinstance(raw, dict) else raw
    await paid.ended(answer)
    return answer


def _in_form(model: BaseChatModel, form: Form, method: str) -> tuple[Runnable[Any, Any], bool]:
    """The model bound to the form, and whether its provider gets the schema.

    The tag comes last: binding would drop it.
    """
    bound, holds_schema = _bound(model, form, method)
    return bound.with_config(tags=HIDDEN), holds_schema


def _bound(model: BaseChatModel, form: Form, method: str) -> tuple[Runnable[Any, Any], bool]:
    if is_openai(model) and method == "json_schema":
        strict = {"name": form.name, "schema": form.schema, "strict": True}
        return model.bind(response_format={"type": "json_schema", "json_schema": strict}, stream=False), True
    if is_openai(model):
        function = {"name": form.name, "description": form.description, "parameters": form.schema, "strict": True}
        # LangChain streams for a watcher; then a cut-off call would be repaired and a refusal lost.
        tools: list[dict[str, Any]] = [{"type": "function", "function": function}]
        return model.bind_tools(tools, tool_choice=form.name, stream=False), True
    try:
        titled = {"title": form.name, "description": form.description, **form.schema}
        return model.with_structured_output(titled, include_raw=True), True
    except NotImplementedError:  # a model without tools can still read the schema
        return model, False


def _schema_text(schema: Mapping[str, Any]) -> str:
    return f"# Schema\n\nAnswer with the JSON object alone, in this JSON schema:\n\n{json.dumps(schema, ensure_ascii=False)}"
