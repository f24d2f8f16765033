"""Chat models inside what LangChain puts round them: fallbacks, retries, bound parameters, a configuration."""

from collections.abc import Callable, Iterator
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.runnables import Runnable
from langchain_core.runnables.base import RunnableBindingBase
from langchain_core.runnables.fallbacks import RunnableWithFallbacks

ChatRunnable = Runnable[Any, Any]
"""A chat model, or one that `with_fallbacks`, `with_retry`, `with_config` or `bind` made of it."""


UNNAMED = "model"
"""One that tells no name."""


def layers(model: ChatRunnable) -> Iterator[ChatRunnable]:
    """The model and everything inside it, from outside in; of several models the first comes first."""
    yield model
    for inner in _inside(model):
        yield from layers(inner)


def chat_models(model: ChatRunnable) -> list[BaseChatModel]:
    """Those inside that nothing more is inside of."""
    return [layer for layer in layers(model) if isinstance(layer, BaseChatModel)]


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
    """What their providers call those inside."""
    if isinstance(model, RunnableBindingBase) and (bound := model.kwargs.get("model")):
        return [str(bound)]
    if inner := _inside(model):
        return [name for each in inner for name in model_names(each)]
    return [str(getattr(model, "model_name", None) or getattr(model, "model", None) or UNNAMED)]


def model_name(model: ChatRunnable) -> str:
    """What its provider calls it; of several the first."""
    return model_names(model)[0]
