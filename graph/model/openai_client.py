"""OpenAI's client, which takes longer to import than all the rest: loaded where the environment names a model of it.

Whoever gives such a model has loaded it already. So what is not loaded is asked after here without loading it: no model
is one of its models then, and no error one of its errors.
"""

import sys
from typing import TYPE_CHECKING, Any

from langchain_core.language_models import BaseChatModel
from typing_extensions import TypeIs

if TYPE_CHECKING:
    from langchain_openai.chat_models.base import BaseChatOpenAI
    from openai import ContentFilterFinishReasonError, LengthFinishReasonError


def load() -> None:
    """Import the client. Not to be left to the first call of a model: an event loop must not wait for files."""
    import langchain_openai  # noqa: F401


def is_openai(model: BaseChatModel) -> "TypeIs[BaseChatOpenAI]":
    return _is(model, "langchain_openai.chat_models.base", "BaseChatOpenAI")


def is_cut_off(error: Exception) -> "TypeIs[LengthFinishReasonError]":
    """Whether the client found an answer that was cut off by the length limit."""
    return _is(error, "openai", "LengthFinishReasonError")


def is_filtered(error: Exception) -> "TypeIs[ContentFilterFinishReasonError]":
    """Whether the client found an answer that was withheld by a content filter."""
    return _is(error, "openai", "ContentFilterFinishReasonError")


def is_connection_error(error: Exception) -> bool:
    """Whether the connection failed, or a stream told of an error: then it is an APIError, and nothing more exact."""
    sent_in_stream = _is(error, "openai", "APIError") and type(error).__name__ == "APIError"
    return sent_in_stream or _is(error, "openai", "APIConnectionError")


def _is(thing: object, module: str, name: str) -> bool:
    """Whether it is an instance of that class, where its module is loaded; half loaded, it has no instances yet."""
    found: Any = getattr(sys.modules.get(module), name, None)
    return found is not None and isinstance(thing, found)
