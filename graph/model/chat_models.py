"""What the engine knows of chat models: what is inside the wrappers LangChain puts round them (fallbacks, retries, bound
parameters, a configuration), which of them are OpenAI's, the mark that Anthropic's prompt cache takes, the options of a role's
model, and models that are named by a text.

OpenAI's client is slow to import, so it is loaded only where the environment names one of its models; a caller who passes such a
model has loaded it already.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import SystemMessage
from langchain_core.runnables import Runnable
from langchain_core.runnables.base import RunnableBindingBase
from langchain_core.runnables.fallbacks import RunnableWithFallbacks
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from typing_extensions import TypeIs

from wavegraph.graph.errors import SettingsError, explain
from wavegraph.graph.secrets.ways_out import error_text

if TYPE_CHECKING:
    from langchain_openai.chat_models.base import BaseChatOpenAI

ChatRunnable = Runnable[Any, Any]
"""A chat model, or one that `with_fallbacks`, `with_retry`, `with_config` or `bind` made of it."""
UNNAMED = "model"
"""The name of a model that has none."""


# Wrappers


def layers(model: ChatRunnable) -> Iterator[ChatRunnable]:
    """The model and everything inside it, from outside in; of several models the first comes first."""
    yield model
    for inner in _inside(model):
        yield from layers(inner)


def is_chat_model(thing: object) -> bool:
    """Whether chat models, and nothing else, are inside."""
    if not isinstance(thing, Runnable):
        return False
    return all(isinstance(layer, BaseChatModel) or any(_inside(layer)) for layer in layers(thing))


def _inside(model: ChatRunnable) -> list[ChatRunnable]:
    match model:
        case RunnableWithFallbacks():
            return [model.runnable, *model.fallbacks]
        case RunnableBindingBase():
            return [model.bound]
    return []


def over(model: ChatRunnable, change: Callable[[Any], ChatRunnable]) -> ChatRunnable:
    """The same wrappers round what `change` makes of each chat model inside."""
    match model:
        case RunnableWithFallbacks():
            inner = [over(each, change) for each in model.fallbacks]
            return model.model_copy(update={"runnable": over(model.runnable, change), "fallbacks": inner})
        case RunnableBindingBase():
            return model.model_copy(update={"bound": over(model.bound, change)})
    return change(model)


def model_names(model: ChatRunnable) -> list[str]:
    """What their providers call the chat models inside."""
    if isinstance(model, RunnableBindingBase) and (bound := model.kwargs.get("model")):
        return [str(bound)]
    if inner := _inside(model):
        return [name for each in inner for name in model_names(each)]
    return [str(getattr(model, "model_name", None) or getattr(model, "model", None) or UNNAMED)]


def model_name(model: ChatRunnable) -> str:
    """What its provider calls it; of several the first."""
    return model_names(model)[0]


# OpenAI's client


def is_openai(model: BaseChatModel) -> "TypeIs[BaseChatOpenAI]":
    return "langchain_openai.chat_models.base.BaseChatOpenAI" in classes_of(model)


def classes_of(thing: object) -> Sequence[str]:
    """The names of its classes with their modules, its own first: so no library is loaded to ask after one of its classes."""
    return [f"{kind.__module__}.{kind.__name__}" for kind in type(thing).__mro__]


# Prompt caches: most servers cache without being told.


def system_message(model: Any, instructions: str) -> SystemMessage:
    """The instructions; for Anthropic marked as what is worth keeping."""
    if not any(each.startswith("langchain_anthropic.") for each in classes_of(model)):
        return SystemMessage(instructions)
    return SystemMessage([{"type": "text", "text": instructions, "cache_control": {"type": "ephemeral"}}])


# How a model works in one role, and models that are named by a text

OPENAI = "openai"
"""The provider whose client is always there."""


class ModelOptions(BaseModel):
    """None = as the provider has it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    temperature: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    max_tokens: int | None = Field(default=None, ge=1)
    """The longest output."""
    reasoning_effort: str | None = Field(default=None, min_length=1)
    """In the provider's words: `low`, `medium`, `high`, …"""


def options_in(environ: Mapping[str, str], role: str) -> ModelOptions:
    """Those of a role: `WAVEGRAPH_PLANNER_TEMPERATURE`, …. Raises SettingsError."""
    prefix = f"WAVEGRAPH_{role.upper()}_"
    found = {name: environ.get(f"{prefix}{name.upper()}") for name in ModelOptions.model_fields}
    try:
        return ModelOptions.model_validate({name: text for name, text in found.items() if text})
    except ValidationError as error:
        raise SettingsError(f"{prefix}…: {explain(error)}") from None


def provider_and_name(text: str, role: str) -> tuple[str, str]:
    """Of a model as `init_chat_model` of LangChain names it. Raises SettingsError for a text that names none."""
    provider, _, name = text.strip().partition(":")
    if not provider or not name:
        raise SettingsError(f"model for the {role} must be named as 'provider:name', not {text!r}")
    return provider, name


def langchain_model(provider: str, name: str, own: ModelOptions) -> BaseChatModel:
    """Raises SettingsError where its packages, its key or what else it needs is missing."""
    model = f"the model '{provider}:{name}'"
    try:
        from langchain.chat_models import init_chat_model

        return init_chat_model(name, model_provider=provider, **own.model_dump(exclude_none=True))  # type: ignore[no-any-return]
    except ImportError as error:
        packages = "pip install 'wavegraph[models]', and the provider's package"
        raise SettingsError(f"{model} needs {packages}: {error_text(error)}") from None
    except Exception as error:  # noqa: BLE001  every provider has its own tree of errors, and any may hold a key
        own_text = isinstance(error, ValidationError) and explain(error)
        why = own_text or f"{type(error).__name__}: {error_text(error)}"
        raise SettingsError(f"{model} cannot be made: {why}") from None
