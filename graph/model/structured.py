"""Structured output: by strict JSON schema, a function call, or the schema in the instructions, as a server takes it."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from langchain_core.runnables import Runnable, RunnableConfig

from wavegraph.graph._langgraph import unheard
from wavegraph.graph.errors import PlanError
from wavegraph.graph.model.caching import cache_hints, system_message
from wavegraph.graph.model.calls import count_usage, json_object, status_of, why_withheld, without_thoughts
from wavegraph.graph.model.openai_client import is_cut_off, is_openai
from wavegraph.graph.model.spending import Call, Payer
from wavegraph.graph.model.wrapped import UNNAMED, ChatRunnable, model_name, over
from wavegraph.graph.secrets.ways_out import error_text
from wavegraph.graph.views import Meter


@dataclass(frozen=True)
class Form:
    """The form that a model fills in."""

    name: str
    description: str
    schema: Mapping[str, Any]
    """Strict: closed objects, every field required."""
    _told: "list[tuple[BaseChatModel, Way, Runnable[Any, Any]]]" = field(
        default_factory=list, init=False, repr=False, compare=False
    )

    def told(self, model: BaseChatModel, way: "Way") -> Runnable[Any, Any]:
        """The model told the form by its client, once; raises NotImplementedError for one that cannot be."""
        for known, told_way, told in self._told:
            if known is model and told_way is way:
                return told
        told = _bound(model, self, way)
        self._told[:] = [*self._told[1 - MOST_TOLD :], (model, way, told)]
        return told


MOST_TOLD = 4
"""Models that a form remembers having been told to: one, its fallbacks, and that of another event loop."""


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
    with unheard() as config:
        answer: AIMessage = await asked.ainvoke([SystemMessage(instructions), HumanMessage(message)], config)
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
        prompt = [str(each.content) for each in input]
        place = _place(self.model, kwargs)
        first = Way.SCHEMA if is_openai(self.model) and self.method == "json_schema" else Way.FUNCTION
        way = max(first, learned.get(place, first))
        while True:
            try:
                answer = await self._answer(way, prompt, config, kwargs)
            except Exception as error:
                if way is Way.PROMPT or not _refuses(error, way):
                    raise
                way = Way.FUNCTION if way is Way.SCHEMA else Way.PROMPT
            else:
                self._learn(place, first, max(way, Way.BOTH) if is_ignored(self.form, answer) else way)
                return answer

    async def _answer(
        self, way: "Way", prompt: Sequence[str], config: RunnableConfig | None, kwargs: Mapping[str, Any]
    ) -> AIMessage:
        instructions, message = prompt
        bound = self.form.told(self.model, way)
        system = f"{instructions}\n\n{_schema_text(self.form.schema)}" if way >= Way.BOTH else instructions
        paid = await self._paid(kwargs, system, message)
        self.meter.llm_calls += 1
        try:
            said = [system_message(self.model, system), HumanMessage(message)]
            raw = await bound.ainvoke(said, config, **{**cache_hints(self.model, system), **kwargs})
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

    def _learn(self, place: "_Place", first: "Way", way: "Way") -> None:
        if way > max(first, learned.get(place, first)) and place[1:] != ("", UNNAMED):
            learned[place] = way


class Way(IntEnum):
    """How a model is told the form, from the best way on."""

    SCHEMA = 0
    FUNCTION = 1
    BOTH = 2
    """A function, and the schema in the instructions: for a server that passed over what it was told."""
    PROMPT = 3
    """In the instructions alone."""


_Place = tuple[str, str, str]
"""A client's class, the endpoint's address, the model's name."""
learned: dict[_Place, Way] = {}
"""The way that a model takes which refused, or ignored, a better one; as long as the process lives."""
_REFUSING = frozenset({400, 404, 422, 500, 501})
"""500 by llama.cpp, 404 by gateways that find no model with functions."""
_NAMED_IN_REFUSALS = {
    Way.SCHEMA: re.compile(r"response.?format|json.?schema|grammar|guided|structured.?output", re.IGNORECASE),
    Way.FUNCTION: re.compile(r"\btools?\b|tool_choice|function|json.?schema|grammar", re.IGNORECASE),
}


def _place(model: BaseChatModel, kwargs: Mapping[str, Any]) -> _Place:
    url = getattr(model, "openai_api_base", None) or getattr(model, "base_url", None) or ""
    return type(model).__name__, str(url), str(kwargs.get("model") or model_name(model))


def _refuses(error: Exception, way: Way) -> bool:
    """Whether a server, or a model without functions, refuses that way: for the same question it may take another."""
    if isinstance(error, NotImplementedError):
        return True
    named = _NAMED_IN_REFUSALS[min(way, Way.FUNCTION)]
    return status_of(error) in _REFUSING and named.search(error_text(error)) is not None


def is_ignored(form: Form, answer: AIMessage) -> bool:
    """Whether a whole answer shows that nobody held the model to the form, or told it: words without an object, or one
    with none of the form's fields."""
    if answer.tool_calls or answer.invalid_tool_calls or why_withheld(answer):
        return False
    text = without_thoughts(str(answer.text))
    try:
        return json_object(answer, form.schema["properties"]).keys().isdisjoint(form.schema["properties"])
    except PlanError:
        return bool(text) and "{" not in text


def _bound(model: BaseChatModel, form: Form, way: Way) -> Runnable[Any, Any]:
    """See `Form.told`."""
    if way is Way.PROMPT:
        return model
    if is_openai(model) and way is Way.SCHEMA:
        strict = {"name": form.name, "schema": form.schema, "strict": True}
        return model.bind(response_format={"type": "json_schema", "json_schema": strict}, stream=False)
    if is_openai(model):
        function = {"name": form.name, "description": form.description, "parameters": form.schema, "strict": True}
        # LangChain streams for a watcher; then a cut-off call would be repaired and a refusal lost.
        tools: list[dict[str, Any]] = [{"type": "function", "function": function}]
        return model.bind_tools(tools, tool_choice=form.name, stream=False)
    titled = {"title": form.name, "description": form.description, **form.schema}
    return _raw(model.with_structured_output(titled, include_raw=True))


def _raw(structured: Runnable[Any, Any]) -> Runnable[Any, Any]:
    """The model in it without the parser: parameters for the whole would not reach it."""
    steps = getattr(getattr(structured, "first", None), "steps__", {})
    return steps.get("raw", structured)  # type: ignore[no-any-return]


def _schema_text(schema: Mapping[str, Any]) -> str:
    return f"# Schema\n\nAnswer with the JSON object alone, in this JSON schema:\n\n{json.dumps(schema, ensure_ascii=False)}"
