"""Where language models come from: given by the caller, or an OpenAI-compatible endpoint named by the environment."""

import asyncio
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal
from weakref import WeakKeyDictionary

import httpx
import openai
from langchain_core.language_models import BaseChatModel
from langchain_openai import ChatOpenAI
from pydantic import SecretStr

from wavegraph.graph.errors import ModelUnavailable, SettingsError
from wavegraph.graph.settings import Settings

Role = Literal["planner", "responder", "validator"]
GivenModel = BaseChatModel | Callable[[], BaseChatModel]
"""A model, or a function that makes one: called once per event loop, since clients cannot change loops."""

DEFAULT_MODEL = "gpt-5-mini"
"""For OpenAI itself where nobody names a model; the client's own default is an old one."""
_NO_KEY = "not-needed"
"""Local servers ask for no key, but the client refuses to be built without one."""


@dataclass(frozen=True)
class ModelEnvironment:
    """What the environment says of models; read once, when a graph is built."""

    api_key: SecretStr | None = None
    base_url: str | None = None
    model: str | None = None
    roles: Mapping[Role, str] | None = None

    @classmethod
    def from_env(cls, environ: Mapping[str, str] = os.environ) -> "ModelEnvironment":
        key = environ.get("OPENAI_API_KEY")
        names: dict[Role, str] = {
            "planner": environ.get("WAVEGRAPH_PLANNER_MODEL", ""),
            "responder": environ.get("WAVEGRAPH_RESPONDER_MODEL", ""),
            "validator": environ.get("WAVEGRAPH_VALIDATOR_MODEL", ""),
        }
        return cls(
            api_key=SecretStr(key) if key else None,
            base_url=environ.get("OPENAI_BASE_URL") or None,
            model=environ.get("WAVEGRAPH_MODEL") or None,
            roles={role: name for role, name in names.items() if name},
        )

    @property
    def is_set(self) -> bool:
        """A key or an address is enough; a model's name alone reaches nothing."""
        return self.api_key is not None or self.base_url is not None


class Models:
    """The models of one graph, by role; one client per event loop."""

    def __init__(self, given: GivenModel | Mapping[Role, GivenModel] | None, environment: ModelEnvironment) -> None:
        self._given = given
        self._environment = environment
        self._by_loop: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[Any, BaseChatModel]] = WeakKeyDictionary()

    @property
    def are_set(self) -> bool:
        return self._given is not None or self._environment.is_set

    async def get(self, role: Role, settings: Settings) -> BaseChatModel:
        """The model for a role. Raises ModelUnavailable where a local server does not say what it serves."""
        made = self._by_loop.setdefault(asyncio.get_running_loop(), {})
        given = self._given.get(role) if isinstance(self._given, Mapping) else self._given
        if given is not None:
            if isinstance(given, BaseChatModel):
                return given
            return made.setdefault(role, given()) if role not in made else made[role]
        if not self._environment.is_set:
            raise SettingsError(
                f"no model for the {role}: give one to build_graph, or set OPENAI_API_KEY or OPENAI_BASE_URL"
            )
        name = self._name(role, settings) or await self._served_name(made)
        if name not in made:
            made[name] = self._client(name)
        return made[name]

    def _name(self, role: Role, settings: Settings) -> str | None:
        chosen = getattr(settings, f"{role}_model", None)
        from_env = (self._environment.roles or {}).get(role) or self._environment.model
        return chosen or from_env or (None if self._environment.base_url else DEFAULT_MODEL)

    def _client(self, name: str) -> BaseChatModel:
        return ChatOpenAI(
            model=name,
            api_key=self._environment.api_key or SecretStr(_NO_KEY),
            base_url=self._environment.base_url,
            # Retries are ours, inside the request's time; its pool of connections is per loop, as this client is.
            max_retries=0,
            http_async_client=httpx.AsyncClient(timeout=None),
            stream_usage=True,
        )

    async def _served_name(self, made: dict[Any, BaseChatModel]) -> str:
        """The first model a local server offers."""
        if "served" in made:
            return str(getattr(made["served"], "model_name", ""))
        key = self._environment.api_key.get_secret_value() if self._environment.api_key else _NO_KEY
        try:
            async with openai.AsyncOpenAI(api_key=key, base_url=self._environment.base_url, max_retries=0) as client:
                served = [model.id async for model in client.models.list()]
        except openai.OpenAIError as error:
            raise ModelUnavailable(f"could not ask the server for its models: {type(error).__name__}") from None
        if not served:
            raise ModelUnavailable("the server offers no model; name one in WAVEGRAPH_MODEL")
        made["served"] = made[served[0]] = self._client(served[0])
        return served[0]
