"""How a model works in one role, and models that are named by a text."""

from collections.abc import Mapping
from typing import Any

from langchain_core.language_models import BaseChatModel
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from wavegraph.graph.errors import SettingsError, explain
from wavegraph.graph.secrets.ways_out import error_text

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

    @property
    def given(self) -> dict[str, Any]:
        return self.model_dump(exclude_none=True)


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

        return init_chat_model(name, model_provider=provider, **own.given)  # type: ignore[no-any-return]
    except ImportError as error:
        packages = "pip install 'wavegraph[models]', and the provider's package"
        raise SettingsError(f"{model} needs {packages}: {error_text(error)}") from None
    except Exception as error:  # noqa: BLE001  every provider has its own tree of errors, and any may hold a key
        own_text = isinstance(error, ValidationError) and explain(error)
        why = own_text or f"{type(error).__name__}: {error_text(error)}"
        raise SettingsError(f"{model} cannot be made: {why}") from None
