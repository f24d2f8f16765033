"""One call of a language model: tried again on transient faults, counted, its output parsed without trust; and a form that it
fills in."""

import asyncio
import json
import random
import re
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from math import inf
from typing import Any, Literal, TypeVar

from langchain_core.exceptions import ModelError
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from langchain_core.runnables import Runnable, RunnableConfig
from langgraph.errors import GraphBubbleUp
from pydantic import ValidationError

from wavegraph.graph._langgraph import unheard
from wavegraph.graph.answer.words import Thoughts
from wavegraph.graph.errors import (
    ModelUnavailable,
    PlanError,
    UnusableAnswer,
    WavegraphError,
    error_text,
    explain,
    frames_of,
    kind_of_fault,
    logger,
)
from wavegraph.graph.model.clients import (
    UNNAMED,
    ChatRunnable,
    Models,
    Role,
    classes_of,
    is_openai,
    model_name,
    over,
    system_message,
)
from wavegraph.graph.model.spending import Begin
from wavegraph.graph.settings import Settings
from wavegraph.graph.state import new_issue
from wavegraph.graph.views import Meter

FIRST_PAUSE_S = 0.5
LONGEST_PAUSE_S = 20.0
"""A server that asks for a longer pause counts as down."""
SHARE_OF_TIME = 0.75
"""The share of the request's remaining time that one model call with its retries may take; the rest is for the rules."""
_PASSING_STATUS = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
_REDIRECTS = range(300, 400)
_PASSING = (TimeoutError, ConnectionError, json.JSONDecodeError)
_LOST = (".TransportError", ".APIConnectionError")
"""How the classes of lost connections end: httpx's, of any version, and OpenAI's, whose bare APIError a stream reports."""
_CUT_OFF = frozenset({"length", "max_tokens", "max_output_tokens"})
_FILTERED = frozenset({"content_filter", "safety", "blocklist", "prohibited_content"})
Withheld = Literal["truncated", "content_filter", "refusal"]
_T = TypeVar("_T")


async def with_retries(call: Callable[[], Awaitable[_T]], *, settings: Settings, within_s: float = inf) -> _T:
    """`call` until it succeeds, each try within `model_timeout_s`, all within `within_s`.

    Raises ModelUnavailable after `model_attempts` transient faults, or at once for a permanent fault or one that
    outlasts the time.
    """
    loop = asyncio.get_running_loop()
    end = loop.time() + within_s
    attempt = 0
    while True:
        attempt += 1
        try:
            async with asyncio.timeout(min(settings.model_timeout_s, end - loop.time())):
                return await call()
        except (WavegraphError, GraphBubbleUp):
            raise
        except Exception as error:  # noqa: BLE001  every provider has its own tree of errors, and any may hold a key
            pause = _pause_s(error, attempt)
            if attempt == settings.model_attempts or not _may_pass(error) or loop.time() + pause >= end:
                if status_of(error) is None and not _may_pass(error):  # it may be no model's fault
                    logger.error("%s; it came from\n%s", kind_of_fault(error), frames_of(error))
                raise ModelUnavailable(_fault_text(error)) from None
        await asyncio.sleep(pause)


def _fault_text(error: Exception) -> str:
    """What a developer may see of a fault: its type and status, never the provider's text."""
    status = status_of(error)
    fault = f"the model cannot be used: {type(error).__name__}{f', status {status}' if status else ''}"
    return f"{fault}; a redirect is not followed: give the endpoint's own address" if status in _REDIRECTS else fault


def status_of(error: Exception) -> int | None:
    response = getattr(error, "response", None)
    status = getattr(error, "status_code", None) or getattr(response, "status_code", None)
    return status if isinstance(status, int) and status >= 300 else None


def _may_pass(error: Exception) -> bool:
    if (status := status_of(error)) is not None:
        return status in _PASSING_STATUS
    if isinstance(error, ModelError):
        return error.is_retryable
    classes = classes_of(error)
    is_lost = classes[0] == "openai.APIError" or any(each.endswith(_LOST) for each in classes)
    return is_lost or isinstance(error, _PASSING)


def _pause_s(error: Exception, attempt: int) -> float:
    """Seconds to wait: what the server asks for, else doubled each time, with jitter; inf if too long."""
    headers = getattr(getattr(error, "response", None), "headers", None) or {}
    try:
        asked = float(headers.get("retry-after", ""))
    except ValueError:  # none, or a date
        doubled: float = FIRST_PAUSE_S * 2 ** (attempt - 1)
        return min(doubled, LONGEST_PAUSE_S) * random.uniform(0.5, 1.5)
    return asked if 0 <= asked <= LONGEST_PAUSE_S else inf


def bad_output(rule: str, message: str) -> PlanError:
    return PlanError([new_issue("broken_plan", "", message, rule)])


def why_withheld(message: AIMessage) -> Withheld | None:
    """Why a message is incomplete, in any provider's terms; None = it is complete."""
    blocks = message.content if isinstance(message.content, list) else []
    kinds = [block.get("type") for block in blocks if isinstance(block, dict)]
    if message.additional_kwargs.get("refusal") or "refusal" in kinds:
        return "refusal"
    metadata = message.response_metadata
    incomplete = (metadata.get("incomplete_details") or {}).get("reason")  # OpenAI's Responses API
    reasons = [metadata.get(name) for name in ("finish_reason", "stop_reason", "done_reason")]
    reason = str(next(filter(None, [incomplete, *reasons]), "")).lower()
    return "truncated" if reason in _CUT_OFF else "content_filter" if reason in _FILTERED else None


def has_ended(message: AIMessage) -> bool:
    """OpenAI's streams end with a reason or a status: one without was cut off. Other providers' may end without."""
    metadata = message.response_metadata
    return metadata.get("model_provider") != "openai" or bool(metadata.get("finish_reason") or metadata.get("status"))


_WITHHELD: Mapping[Withheld, str] = {
    "truncated": "the answer was cut off by the length limit; be briefer",
    "content_filter": "the answer was withheld by a content filter; keep to the task",
    "refusal": "the model refused; plan what can be done, or refuse in `reply`",
}


def json_object(message: AIMessage, form: Collection[str]) -> dict[str, Any]:
    """The JSON object that a model returned, as a tool call's arguments or as text; `form`: the fields asked for.

    Raises PlanError with the reason if there is none.
    """
    if why := why_withheld(message):
        raise bad_output(why, _WITHHELD[why])
    if message.tool_calls:
        return _unwrapped(message.tool_calls[0]["args"], form)
    text = message.invalid_tool_calls[0]["args"] or "" if message.invalid_tool_calls else str(message.text)
    return _object_in_text(text, form)


def _object_in_text(text: str, form: Collection[str]) -> dict[str, Any]:
    """The text as an object; else, in the text of a talkative model, the object with most of the form's fields."""
    try:
        found = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        words = without_thoughts(text)
        found = _among_words(words, form) or _among_words(without_last_commas(words), form)
        if found is None:
            why = f"not JSON: {error_text(error)}" if words else "the answer was empty; give one JSON object"
            raise bad_output("malformed_json", why) from None
    if isinstance(found, str):  # JSON in JSON
        return _object_in_text(found, form)
    if not isinstance(found, dict):
        raise bad_output("malformed_json", f"the answer must be one JSON object with {', '.join(map(repr, form))}")
    return _unwrapped(found, form)


def _unwrapped(found: dict[str, Any], form: Collection[str]) -> dict[str, Any]:
    """The object, or the one inside it if only that has fields of the form: some models wrap it in the form's name."""
    known = [each for each in found.values() if isinstance(each, dict) and not each.keys().isdisjoint(form)]
    return known[0] if len(known) == 1 and found.keys().isdisjoint(form) else found


def _among_words(text: str, form: Collection[str]) -> dict[str, Any] | None:
    """The complete object in the text with the most of the form's fields; None = none has any.

    Raises PlanError if two that differ have as many: either may be meant.
    """
    found = [each for each in (_unwrapped(each, form) for each in _objects(text)) if not each.keys().isdisjoint(form)]
    most = max((len(each.keys() & form) for each in found), default=0)
    fullest = [each for each in found if len(each.keys() & form) == most]
    if any(each != fullest[0] for each in fullest):
        raise bad_output("malformed_json", "two different objects; give one JSON object")
    return fullest[0] if fullest else None


def _objects(text: str) -> Iterator[dict[str, Any]]:
    """The complete JSON objects in the text, in order; nested ones are parts of the outer one."""
    decoder, at = json.JSONDecoder(), text.find("{")
    broken = 0
    while at >= 0 and broken < MOST_BROKEN:
        try:
            found, end = decoder.raw_decode(text, at)
        except json.JSONDecodeError:
            end, broken = at + 1, broken + 1
        except RecursionError:
            return
        else:
            yield found
        at = text.find("{", end)


MOST_BROKEN = 100
"""Braces that begin no object, after which no more is parsed: each is read as far as it goes, which would take quadratic
time."""
_LAST_COMMA = re.compile(r'("(?:[^"\\]|\\.)*+"?)|,(?=\s*+[}\]])', re.DOTALL)
"""Before a closing bracket; or a string, which is kept, even one that does not end: so each is read once."""
_THOUGHT_TAG = re.compile(r"<(/?)(think|thinking|reasoning)>", re.IGNORECASE)


def without_last_commas(text: str) -> str:
    """JSON without the commas before its closing brackets."""
    return _LAST_COMMA.sub(lambda found: found[1] or "", text)


def without_thoughts(text: str) -> str:
    """A model's text without its reasoning; empty if the reasoning does not end.

    A server that puts the opening tag into the prompt returns only the closing one.
    """
    if (first := _THOUGHT_TAG.search(text)) and first[1]:
        text = f"<{first[2]}>{text}"
    thoughts = Thoughts()
    said = thoughts.without(text) + thoughts.rest()
    return "" if thoughts.inside else said.strip()


_WORD = re.compile(r"\w+")
PASSAGE = 15
"""Words in a row that an answer does not share with the instructions by chance."""


def repeats(text: str, instructions: str) -> bool:
    """Whether a text repeats a passage of the instructions word for word, and so is no answer."""
    own = _passages(text)
    return bool(own) and not own.isdisjoint(_passages(instructions))


def _passages(text: str) -> set[str]:
    """All runs of `PASSAGE` words, case-folded."""
    words = _WORD.findall(text.casefold())
    return {" ".join(words[n : n + PASSAGE]) for n in range(len(words) - PASSAGE + 1)}


# A form filled in: by a function call, or by the schema in the instructions where a server has no functions

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
