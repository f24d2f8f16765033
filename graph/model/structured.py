"""Structured output: by strict JSON schema, a function call, or the schema in the instructions."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from langchain_core.runnables import Runnable, RunnableConfig

from wavegraph.graph.domain import Meter
from wavegraph.graph.model.calls import count_usage
from wavegraph.graph.model.openai_client import is_cut_off, is_openai
from wavegraph.graph.model.spending import Call, Payer
from wavegraph.graph.model.wrapped import ChatRunnable, model_name, over

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
    model: ChatRunnable,
    method: str,
    meter: Meter,
    payer: Payer | None = None,
) -> AIMessage:
    """One call of the model. Raises CapReached, and what the client raises; the form is not checked here.

    Each model inside is asked for the form in its own way, so that a fallback gives it as well.
    """
    asked = over(model, lambda each: _Asked(each, form, method, meter, payer))
    answer: AIMessage = await asked.with_config(tags=HIDDEN).ainvoke(
        [SystemMessage(instructions), HumanMessage(message)]
    )
    return answer


@dataclass
class _Asked(Runnable[Any, Any]):
    """A chat model that fills in the form."""

    model: BaseChatModel
    form: Form
    method: str
    meter: Meter
    payer: Payer | None

    def invoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> AIMessage:
        raise NotImplementedError("the engine's models are asked in its event loop")

    async def ainvoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> AIMessage:
        """`input`: the instructions and the message; `kwargs`: what is bound to the model."""
        instructions, message = (str(each.content) for each in input)
        bound, holds_schema = _bound(self.model, self.form, self.method)
        system = instructions if holds_schema else f"{instructions}\n\n{_schema_text(self.form.schema)}"
        paid = await self._paid(kwargs, system, message)
        self.meter.llm_calls += 1
        try:
            raw = await bound.ainvoke([SystemMessage(system), HumanMessage(message)], config, **kwargs)
        except Exception as error:
            if is_cut_off(error):
                count_usage(error.completion.usage, self.meter)
                usage = error.completion.usage
                await paid.ended(None, (usage.prompt_tokens, usage.completion_tokens) if usage else None)
            raise
        answer: AIMessage = raw["raw"] if isinstance(raw, dict) else raw
        await paid.ended(answer)
        return answer

    async def _paid(self, kwargs: Mapping[str, Any], *prompt: str) -> Call:
        if self.payer is None:
            return Call(None, "")
        name = str(kwargs.get("model") or model_name(self.model))
        return await replace(self.payer, model=name).begin(*prompt)


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
        return _raw(model.with_structured_output(titled, include_raw=True)), True
    except NotImplementedError:  # a model without tools can still read the schema
        return model, False


def _raw(structured: Runnable[Any, Any]) -> Runnable[Any, Any]:
    """The model in it without the parser: parameters for the whole would not reach it."""
    steps = getattr(getattr(structured, "first", None), "steps__", {})
    return steps.get("raw", structured)  # type: ignore[no-any-return]


def _schema_text(schema: Mapping[str, Any]) -> str:
    return f"# Schema\n\nAnswer with the JSON object alone, in this JSON schema:\n\n{json.dumps(schema, ensure_ascii=False)}"
