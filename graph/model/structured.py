"""Structured output: by a function call, or by the schema in the instructions where a server has no functions."""

import json
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from math import inf
from typing import Any, TypeVar

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from langchain_core.runnables import Runnable, RunnableConfig
from pydantic import ValidationError

from wavegraph.graph._langgraph import unheard
from wavegraph.graph.errors import PlanError, UnusableAnswer, explain
from wavegraph.graph.model.calls import json_object, status_of, why_withheld, with_retries, without_thoughts
from wavegraph.graph.model.chat_models import (
    UNNAMED,
    ChatRunnable,
    is_openai,
    model_name,
    over,
    system_message,
)
from wavegraph.graph.model.clients import Models, Role
from wavegraph.graph.model.spending import Begin
from wavegraph.graph.secrets.ways_out import error_text
from wavegraph.graph.settings import Settings
from wavegraph.graph.views import Meter

_T = TypeVar("_T")
Content = str | list[str | dict[str, Any]]
"""Of a message."""


@dataclass(frozen=True)
class Form:
    """The form that a model fills in."""

    name: str
    description: str
    schema: Mapping[str, Any]
    """Of an object: what the function takes."""

    async def object_from(
        self,
        models: Models,
        role: Role,
        instructions: str,
        message: Content,
        *,
        settings: Settings,
        meter: Meter,
        within_s: float = inf,
        counted_as: str | None = None,
    ) -> dict[str, Any]:
        """The JSON object that the role's model gives, whose fields are not checked here. `counted_as`: the role that its calls
        are counted for, if it is another.

        Raises ModelUnavailable as `with_retries`, CapReached, and PlanError for output without an object.
        """

        async def once() -> AIMessage:
            begin = partial(models.spending.begin, counted_as or role, settings, meter)
            return await answer_in_form(self, instructions, message, await models.get(role, settings), begin)

        answer = await with_retries(once, settings=settings, within_s=within_s)
        return json_object(answer, self.schema["properties"])


async def with_second_try(attempt: Callable[[str], Awaitable[_T]]) -> _T:
    """`attempt("")`; and once more with the reason, if what the model gave does not fit. Raises UnusableAnswer if it then
    does not fit either."""
    problem = ""
    for _ in range(2):
        try:
            return await attempt(problem)
        except (PlanError, ValidationError) as error:
            problem = explain(error) if isinstance(error, ValidationError) else error_text(error)
    raise UnusableAnswer(f"no usable answer: {problem}")


async def answer_in_form(
    form: Form, instructions: str, message: Content, model: ChatRunnable, begin: Begin
) -> AIMessage:
    """One call of the model. Raises CapReached, and what the client raises; the form is not checked here.

    Each model inside is asked for the form by itself, so that a fallback gives it as well.
    """
    asked = over(model, lambda each: _FillsIn(each, form, begin))
    with unheard() as config:
        answer: AIMessage = await asked.ainvoke([SystemMessage(instructions), HumanMessage(message)], config)
    return answer


@dataclass
class _FillsIn(Runnable[Any, Any]):
    """A chat model that fills in the form."""

    model: BaseChatModel
    form: Form
    begin: Begin

    def invoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> AIMessage:
        raise NotImplementedError("the engine's models are asked in its event loop")

    async def ainvoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> AIMessage:
        """`input`: the instructions and the message; `kwargs`: what is bound to the model."""
        system, message = str(input[0].content), input[1]
        place = _place(self.model, kwargs)
        if place not in without_functions:
            try:
                answer = await self._answer(_bound(self.model, self.form), system, message, place[2], config, kwargs)
            except Exception as error:
                if not _refuses(error):
                    raise
            else:
                if is_ignored(self.form, answer):
                    _remember(place)
                return answer
        schema = json.dumps(self.form.schema, ensure_ascii=False)
        system += f"\n\n# Schema\n\nAnswer with the JSON object alone, in this JSON schema:\n\n{schema}"
        answer = await self._answer(self.model, system, message, place[2], config, kwargs)
        _remember(place)
        return answer

    async def _answer(
        self,
        bound: Runnable[Any, Any],
        system: str,
        message: HumanMessage,
        name: str,
        config: RunnableConfig | None,
        kwargs: Mapping[str, Any],
    ) -> AIMessage:
        count = await self.begin(name, system, str(message.text))
        messages = [system_message(self.model, system), message]
        try:
            answer: AIMessage = await bound.ainvoke(messages, config, **kwargs)
        except ValidationError as error:
            answer = _without_object(error)
        await count(answer)
        return answer


_Place = tuple[str, str, str]
"""A client's class, the endpoint's address, the model's name."""
without_functions: set[_Place] = set()
"""Models that refused a function, or answered as if they had none; as long as the process lives."""
_REFUSING = frozenset({400, 404, 422, 500, 501})
"""500 by llama.cpp, 404 by gateways that find no model with functions."""
_NAMED_IN_REFUSALS = re.compile(r"\btools?\b|tool_choice|function|json.?schema|grammar", re.IGNORECASE)


def _remember(place: _Place) -> None:
    if place[1:] != ("", UNNAMED):  # else it cannot be told from another of its class
        without_functions.add(place)


def _place(model: BaseChatModel, kwargs: Mapping[str, Any]) -> _Place:
    url = getattr(model, "openai_api_base", None) or getattr(model, "base_url", None) or ""
    return type(model).__name__, str(url), str(kwargs.get("model") or model_name(model))


def _refuses(error: Exception) -> bool:
    """Whether a server or a model refuses functions: asked the same question with the schema in words, it may answer."""
    if isinstance(error, NotImplementedError):
        return True
    return status_of(error) in _REFUSING and _NAMED_IN_REFUSALS.search(error_text(error)) is not None


def is_ignored(form: Form, answer: AIMessage) -> bool:
    """Whether a complete answer shows that the server did not pass the form on to the model, or did not make it keep to it:
    the answer is words without an object, or an object with none of the form's fields."""
    if answer.tool_calls or answer.invalid_tool_calls or why_withheld(answer):
        return False
    text = without_thoughts(str(answer.text))
    try:
        return json_object(answer, form.schema["properties"]).keys().isdisjoint(form.schema["properties"])
    except PlanError:
        return bool(text) and "{" not in text


def _bound(model: BaseChatModel, form: Form) -> Runnable[Any, Any]:
    """The model with the form as its client sends it; raises NotImplementedError for a client that cannot."""
    function = {"name": form.name, "description": form.description, "parameters": form.schema}
    if not is_openai(model):
        return model.bind_tools([{"type": "function", "function": function}], tool_choice="any")
    # LangChain streams for a watcher; then a cut-off call would be repaired and a refusal lost.
    tools: list[dict[str, Any]] = [{"type": "function", "function": {**function, "strict": False}}]
    return model.bind_tools(tools, tool_choice=form.name, stream=False)


def _without_object(error: ValidationError) -> AIMessage:
    """The answer of a model whose arguments are JSON but not an object, of which LangChain makes no message. Raises any other
    error again."""
    for fault in error.errors():
        if fault["loc"][:1] == ("tool_calls",) and fault["loc"][-1:] == ("args",):
            return AIMessage(json.dumps(fault["input"]))
    raise error
