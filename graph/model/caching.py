"""Hints for a provider's prompt cache: which requests begin alike, and where that beginning ends.

Only OpenAI itself and Anthropic are told: a server that merely speaks OpenAI's protocol may refuse fields it does not know,
and most cache without being told.
"""

import hashlib
from functools import lru_cache
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import SystemMessage

from wavegraph.graph.model.openai_client import is_openai

_OPENAIS_OWN = "https://api.openai.com/"


def system_message(model: Any, instructions: str) -> SystemMessage:
    """The instructions, for Anthropic marked as what is worth keeping."""
    if not _is_anthropic(model.__class__):
        return SystemMessage(instructions)
    return SystemMessage([{"type": "text", "text": instructions, "cache_control": {"type": "ephemeral"}}])


def cache_hints(model: object, instructions: str) -> dict[str, Any]:
    """Parameters of one call: for OpenAI a key that requests with the same instructions share; what the caller bound goes
    before it."""
    if not isinstance(model, BaseChatModel) or not is_openai(model) or not _is_openais_own(model):
        return {}
    digest = hashlib.blake2b(instructions.encode(errors="replace"), digest_size=12).hexdigest()
    return {"prompt_cache_key": f"wavegraph-{digest}"}


def _is_openais_own(model: Any) -> bool:
    """By the address that the client really uses: the environment may have set it."""
    client = getattr(model, "root_async_client", None)
    return str(getattr(client, "base_url", "")).startswith(_OPENAIS_OWN)


@lru_cache(maxsize=32)
def _is_anthropic(kind: Any) -> bool:
    """By the class, without loading the package."""
    names = ((each.__module__.partition(".")[0], each.__name__) for each in kind.__mro__)
    return ("langchain_anthropic", "ChatAnthropic") in names
