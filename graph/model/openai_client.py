"""OpenAI's client, which is slow to import: loaded only if the environment names one of its models.

A caller who passes such a model has loaded it already. So the checks here do not load it: while it is not loaded, no
model and no error can be one of its own.
"""

import sys
from typing import TYPE_CHECKING, Any

from langchain_core.language_models import BaseChatModel
from typing_extensions import TypeIs

if TYPE_CHECKING:
    from langchain_openai.chat_models.base import BaseChatOpenAI


def load() -> None:
    """Import the client before the first model call: an event loop must not wait for files."""
    import langchain_openai  # noqa: F401


def is_openai(model: BaseChatModel) -> "TypeIs[BaseChatOpenAI]":
    return _is(model, "langchain_openai.chat_models.base", "BaseChatOpenAI")


def is_connection_error(error: Exception) -> bool:
    """Whether the connection failed, or a stream reported an error, which raises a bare APIError."""
    sent_in_stream = _is(error, "openai", "APIError") and type(error).__name__ == "APIError"
    return sent_in_stream or _is(error, "openai", "APIConnectionError")


def _is(thing: object, module: str, name: str) -> bool:
    """Whether it is an instance of that class; while the module is not (fully) loaded, nothing is."""
    found: Any = getattr(sys.modules.get(module), name, None)
    return found is not None and isinstance(thing, found)
