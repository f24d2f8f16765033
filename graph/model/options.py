"""How a model works in one role, and models that are named by a text."""

from collections.abc import Mapping
from typing import Any, NamedTuple

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

    def but(self, other: "ModelOptions") -> "ModelOptions":
        return self.model_copy(update=other.given)


def options(values: Mapping[str, Any], of: str) -> ModelOptions:
    """Raises SettingsError; `of`: whose they are."""
    try:
        return ModelOptions.model_validate(dict(values))
    except ValidationError as error:
        raise SettingsError(f"{of}: {explain(error)}") from None


def options_in(environ: Mapping[str, str], role: str) -> ModelOptions:
    """Those of a role: `WAVEGRAPH_PLANNER_TEMPERATURE`, …. Raises SettingsError."""
    prefix = f"WAVEGRAPH_{role.upper()}_"
    found = {name: environ.get(f"{prefix}{name.upper()}") for name in ModelOptions.model_fields}
    return options({name: text for name, text in found.items() if text}, f"{prefix}…")


class NamedModel(NamedTuple):
    """A model of LangChain's, as `init_chat_model` names it."""

    provider: str
    name: str

    @classmethod
    def read(cls, text: str, role: str) -> "NamedModel":
        """Raises SettingsError for a text that names none."""
        provider, _, name = text.strip().partition(":")
        if not provider or not name:
            raise SettingsError(f"model for the {role} must be named as 'provider:name', not {text!r}")
        return cls(provider, name)

    def made(self, own: ModelOptions) -> BaseChatModel:
        """Raises SettingsError where its packages, its key or what else it needs is missing."""
        try:
            from langchain.chat_models import init_chat_model
        except ImportError:
            raise SettingsError(
                f"the model '{self.provider}:{self.name}' needs LangChain: pip install 'wavegraph[models]'"
            ) from None
        try:
            made: BaseChatModel = init_chat_model(self.name, model_provider=self.provider, **own.given)
        except ImportError as error:
            raise SettingsError(
                f"the model '{self.provider}:{self.name}' needs its package: {error_text(error)}"
            ) from None
        except Exception as error:  # noqa: BLE001  every provider has its own tree of errors, and any may hold a key
            raise SettingsError(f"the model '{self.provider}:{self.name}' cannot be made: {_reason(error)}") from None
        return made


def _reason(error: Exception) -> str:
    return explain(error) if isinstance(error, ValidationError) else f"{type(error).__name__}: {error_text(error)}"
