"""Structured output: by a function call, or by the schema in the instructions where a server has no functions."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from langchain_core.runnables import Runnable, RunnableConfig
from pydantic import ValidationError

from wavegraph.graph._langgraph import unheard
from wavegraph.graph.errors import PlanError
from wavegraph.graph.model.caching import cache_hints, system_message
from wavegraph.graph.model.calls import json_object, status_of, why_withheld, without_thoughts
from wavegraph.graph.model.openai_client import is_openai
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
    """Of an object: what the function takes."""
    _told: "list[tuple[BaseChatModel, Runnable[Any, Any]]]" = field(
        default_factory=list, init=False, repr=False, compare=False
    )

    def told(self, model: BaseChatModel) -> Runnable[Any, Any]:
        """The model told the form by its client, once; raises NotImplementedError for one that cannot be."""
        for known, told in self._told:
            if known is model:
                return told
        told = _bound(model, self)
        self._told[:] = [*self._told[1 - MOST_TOLD :], (model, told)]
        return told


MOST_TOLD = 4
"""Models that a form remembers having been told to: one, its fallbacks, and that of another event loop."""


async def filled_in(
    form: Form,
    instructions: str,
    message: str,
    *,
    model: ChatRunnable,
    meter: Meter,
    payer: Payer | None = None,
) -> AIMessage:
    """One call of the model. Raises CapReached, and what the client raises; the form is not checked here.

    Each model inside is asked for the form by itself, so that a fallback gives it as well.
    """
    asked = over(model, lambda each: _Asked(each, form, meter, payer))
    with unheard() as config:
        answer: AIMessage = await asked.ainvoke([SystemMessage(instructions), HumanMessage(message)], config)
    return answer


@dataclass
class _Asked(Runnable[Any, Any]):
    """A chat model that fills in the form."""

    model: BaseChatModel
    form: Form
    meter: Meter
    payer: Payer | None

    def invoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> AIMessage:
        raise NotImplementedError("the engine's models are asked in its event loop")

    async def ainvoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> AIMessage:
        """`input`: the instructions and the message; `kwargs`: what is bound to the model."""
        prompt = [str(each.content) for each in input]
        place = _place(self.model, kwargs)
        if place in without_functions:
            return await self._answer(True, prompt, config, kwargs)
        try:
            answer = await self._answer(False, prompt, config, kwargs)
        except Exception as error:
            if not _refuses(error):
                raise
            answer = await self._answer(True, prompt, config, kwargs)
            _learn(place)
        else:
            if is_ignored(self.form, answer):
                _learn(place)
        return answer

    async def _answer(
        self, in_words: bool, prompt: Sequence[str], config: RunnableConfig | None, kwargs: Mapping[str, Any]
    ) -> AIMessage:
        """`in_words`: the form stands in the instructions."""
        instructions, message = prompt
        bound = self.model if in_words else self.form.told(self.model)
        system = f"{instructions}\n\n{_schema_text(self.form.schema)}" if in_words else instructions
        paid = await self._paid(kwargs, system, message)
        self.meter.llm_calls += 1
        try:
            said = [system_message(self.model, system), HumanMessage(message)]
            raw = await bound.ainvoke(said, config, **{**cache_hints(self.model, system), **kwargs})
        except ValidationError as error:
            raw = _no_object(error)
        answer: AIMessage = raw["raw"] if isinstance(raw, dict) else raw
        if paid:
            await paid.ended(answer)
        return answer

    async def _paid(self, kwargs: Mapping[str, Any], *prompt: str) -> Call | None:
        if self.payer is None:
            return None
        name = str(kwargs.get("model") or model_name(self.model))
        return await replace(self.payer, model=name).begin(*prompt)


_Place = tuple[str, str, str]
"""A client's class, the endpoint's address, the model's name."""
without_functions: set[_Place] = set()
"""Models that refused a function, or passed over it; as long as the process lives."""
_REFUSING = frozenset({400, 404, 422, 500, 501})
"""500 by llama.cpp, 404 by gateways that find no model with functions."""
_NAMED_IN_REFUSALS = re.compile(r"\btools?\b|tool_choice|function|json.?schema|grammar", re.IGNORECASE)


def _learn(place: _Place) -> None:
    if place[1:] != ("", UNNAMED):  # nobody could tell it from another of its class
        without_functions.add(place)


def _place(model: BaseChatModel, kwargs: Mapping[str, Any]) -> _Place:
    url = getattr(model, "openai_api_base", None) or getattr(model, "base_url", None) or ""
    return type(model).__name__, str(url), str(kwargs.get("model") or model_name(model))


def _refuses(error: Exception) -> bool:
    """Whether a server, or a model without functions, refuses them: for the same question it may take the schema in words."""
    if isinstance(error, NotImplementedError):
        return True
    return status_of(error) in _REFUSING and _NAMED_IN_REFUSALS.search(error_text(error)) is not None


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


def _bound(model: BaseChatModel, form: Form) -> Runnable[Any, Any]:
    """See `Form.told`."""
    if is_openai(model):
        function = {"name": form.name, "description": form.description, "parameters": form.schema, "strict": False}
        # LangChain streams for a watcher; then a cut-off call would be repaired and a refusal lost.
        tools: list[dict[str, Any]] = [{"type": "function", "function": function}]
        return model.bind_tools(tools, tool_choice=form.name, stream=False)
    titled = {"title": form.name, "description": form.description, **form.schema}
    return _raw(model.with_structured_output(titled, include_raw=True, method="function_calling"))


def _no_object(error: ValidationError) -> AIMessage:
    """What a model gave as arguments that are JSON and no object: LangChain makes no message of it. Else raises the error."""
    for fault in error.errors():
        if fault["loc"][:1] == ("tool_calls",) and fault["loc"][-1:] == ("args",):
            return AIMessage(json.dumps(fault["input"]))
    raise error


def _raw(structured: Runnable[Any, Any]) -> Runnable[Any, Any]:
    """The model in it without the parser: parameters for the whole would not reach it."""
    steps = getattr(getattr(structured, "first", None), "steps__", {})
    return steps.get("raw", structured)  # type: ignore[no-any-return]


def _schema_text(schema: Mapping[str, Any]) -> str:
    return f"# Schema\n\nAnswer with the JSON object alone, in this JSON schema:\n\n{json.dumps(schema, ensure_ascii=False)}"
