"""Provides the language models: the caller's, or those of an OpenAI-compatible endpoint from the environment.

OpenAI's client is slow to import, so it is loaded only where the environment names one of its models; a caller who passes such a
model has loaded it already.
"""

import asyncio
import os
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, get_args
from weakref import finalize

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import SystemMessage
from langchain_core.runnables import Runnable
from langchain_core.runnables.base import RunnableBindingBase
from langchain_core.runnables.fallbacks import RunnableWithFallbacks
from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError
from typing_extensions import TypeIs

from wavegraph.graph.errors import ModelUnavailable, SettingsError, error_text, explain
from wavegraph.graph.model.spending import Spending
from wavegraph.graph.secrets.known import in_headers, in_model
from wavegraph.graph.secrets.scrubber import process
from wavegraph.graph.settings import Settings

if TYPE_CHECKING:
    from langchain_openai import ChatOpenAI
    from openai import DefaultAsyncHttpxClient
if TYPE_CHECKING:
    from langchain_openai.chat_models.base import BaseChatOpenAI

ChatRunnable = Runnable[Any, Any]
"""A chat model, or one that `with_fallbacks`, `with_retry`, `with_config` or `bind` made of it."""
UNNAMED = "model"
"""The name of a model that has none."""


# The wrappers LangChain puts round chat models: fallbacks, retries, bound parameters, a configuration


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


Role = Literal["planner", "responder", "validator"]
ROLES: tuple[Role, ...] = get_args(Role)
AnswerCheckMode = Literal["on", "auto", "rules", "off"]
GivenModel = str | ChatRunnable | Callable[[], ChatRunnable]
"""A model's name (`provider:name`); a model, with or without fallbacks, retries and bound parameters; or a function that
makes one: called once per event loop, since clients cannot change loops."""

DEFAULT_MODEL = "gpt-5-mini"
"""For OpenAI itself if no model is named; the client's own default is outdated."""
OPENAIS_HOST = "api.openai.com"
_NO_KEY = "not-needed"
"""Local servers need no key, but the client cannot be built without one."""


@dataclass(frozen=True)
class ModelEnvironment:
    """The model settings in the environment; read once, when a graph is built."""

    api_key: SecretStr | None = None
    base_url: str | None = None
    model: str | None = None
    roles: Mapping[Role, str] = field(default_factory=dict)
    """Names of models by role."""
    options: Mapping[Role, ModelOptions] = field(default_factory=dict)
    validator_key: SecretStr | None = None
    validator_url: str | None = None
    answer_check: AnswerCheckMode | None = None

    @classmethod
    def from_env(cls, environ: Mapping[str, str] = os.environ) -> "ModelEnvironment":
        """Raises SettingsError for an unknown way to check answers, and for wrong options."""
        key, own_key = environ.get("OPENAI_API_KEY"), environ.get("WAVEGRAPH_VALIDATOR_API_KEY")
        names: dict[Role, str] = {role: environ.get(f"WAVEGRAPH_{role.upper()}_MODEL", "") for role in ROLES}
        check: Any = environ.get("WAVEGRAPH_ANSWER_CHECK") or None
        if check not in (None, *get_args(AnswerCheckMode)):
            known = ", ".join(get_args(AnswerCheckMode))
            raise SettingsError(f"WAVEGRAPH_ANSWER_CHECK={check!r}: expected one of {known}")
        return cls(
            api_key=SecretStr(key) if key else None,
            base_url=environ.get("OPENAI_BASE_URL") or None,
            model=environ.get("WAVEGRAPH_MODEL") or None,
            roles={role: name for role, name in names.items() if name},
            options={role: options_in(environ, role) for role in ROLES},
            validator_key=SecretStr(own_key) if own_key else None,
            validator_url=environ.get("WAVEGRAPH_VALIDATOR_BASE_URL") or None,
            answer_check=check,
        )

    def key_of(self, role: Role) -> SecretStr | None:
        return (self.validator_key if role == "validator" else None) or self.api_key

    def url_of(self, role: Role) -> str | None:
        return (self.validator_url if role == "validator" else None) or self.base_url

    def has(self, role: Role) -> bool:
        """A key or an address is enough; a model's name alone reaches nothing."""
        return self.key_of(role) is not None or self.url_of(role) is not None


@dataclass
class _LoopModels:
    """What one event loop uses: a client's connections belong to the loop that opened them."""

    models: dict[Hashable, ChatRunnable] = field(default_factory=dict)
    """By id of what the caller gave; else by address, name, key and options."""
    offered: dict[str | None, str] = field(default_factory=dict)
    """The first model that a local server offers, by address."""
    pools: "list[finalize[..., Models]]" = field(default_factory=list)
    """They hold the connections open while the loop goes on and the graph is there."""


class Models:
    """The models of one graph, by role; one client per event loop."""

    def __init__(
        self,
        given: GivenModel | Mapping[Role, GivenModel] | None,
        environment: ModelEnvironment,
        spending: Spending | None = None,
    ) -> None:
        """Raises SettingsError for an unknown role, and for anything that is neither a model nor names or makes one.

        `spending`: what they may spend; None = anything.
        """
        self.spending = spending or Spending()
        self._environment = environment
        self._options = {role: environment.options.get(role, ModelOptions()) for role in ROLES}
        self._names: dict[Role, str] = {}
        """By role, where the caller gave a name."""
        self._given: dict[Role, ChatRunnable | Callable[[], ChatRunnable]] = {}
        self._own_roles = frozenset(given) if isinstance(given, Mapping) else frozenset()
        """Those that the caller gave a model of their own."""
        for role, model in _by_role(given).items():
            self._give(role, model)
        self._by_loop: dict[asyncio.AbstractEventLoop, _LoopModels] = {}
        if any(environment.has(role) for role in ROLES):
            import langchain_openai  # noqa: F401  before the first model call: an event loop must not wait for files

    def _give(self, role: Role, model: GivenModel) -> None:
        if not isinstance(model, str):
            self._given[role] = model
            _learn_keys(model)
            return
        provider, self._names[role] = provider_and_name(model, role)
        if provider != OPENAI:
            self._given[role] = make = partial(langchain_model, provider, self._names[role], self._options[role])
            make()  # what is missing is told at once
        elif not self._environment.has(role):
            raise SettingsError(f"the model {model!r} needs OPENAI_API_KEY, or OPENAI_BASE_URL")

    def has(self, role: Role) -> bool:
        return role in self._given or self._environment.has(role)

    def has_own(self, role: Role, settings: Settings) -> bool:
        """Whether somebody named a model, or an address, for this role and not for all."""
        named = getattr(settings, f"{role}_model", None) or role in self._environment.roles
        return bool(named) or role in self._own_roles or (role == "validator" and bool(self._environment.validator_url))

    async def get(self, role: Role, settings: Settings) -> ChatRunnable:
        """The model for a role. Raises the client's errors if a local server cannot list its models."""
        here = self._here()
        if (given := self._given.get(role)) is not None:
            if id(given) not in here.models:
                here.models[id(given)] = await self._for_this_loop(given)
            return here.models[id(given)]
        if not self._environment.has(role):
            raise SettingsError(
                f"no model for the {role}: give one to build_graph, or set OPENAI_API_KEY or OPENAI_BASE_URL"
            )
        name = self._name(role, settings) or await self._offered_name(role, here)
        place = (self._environment.url_of(role), name, self._environment.key_of(role), self._options[role])
        if place not in here.models:
            here.models[place] = await self._client(role, name)
        return here.models[place]

    def _here(self) -> _LoopModels:
        """The models of the running loop; those of closed loops are dropped."""
        loop = asyncio.get_running_loop()
        if loop not in self._by_loop:
            for ended in [each for each in list(self._by_loop) if each.is_closed()]:
                for pool in self._by_loop.pop(ended, _LoopModels()).pools:
                    pool.detach()
            self._by_loop[loop] = _LoopModels()
        return self._by_loop[loop]

    def _name(self, role: Role, settings: Settings) -> str | None:
        """The judge uses the planner's model if it has neither a name nor an endpoint of its own."""
        if role in self._names:
            return self._names[role]
        env = self._environment
        is_apart = role == "validator" and env.validator_url
        roles: list[Role] = ["validator", "planner"] if role == "validator" and not is_apart else [role]
        named = (getattr(settings, f"{each}_model") or env.roles.get(each) for each in roles)
        rest = () if is_apart else (env.model, None if env.url_of(role) else DEFAULT_MODEL)
        return next(filter(None, (*named, *rest)), None)

    async def _client(self, role: Role, name: str) -> "ChatOpenAI":
        from langchain_openai import ChatOpenAI

        url, given = self._environment.url_of(role), self._options[role].model_dump(exclude_none=True)
        if url and OPENAIS_HOST not in url and "max_tokens" in given:
            # The client would send its newer name, which Ollama and others pass over in silence.
            given["extra_body"] = {"max_tokens": given.pop("max_tokens")}
        return ChatOpenAI(
            model=name,
            api_key=self._environment.key_of(role) or SecretStr(_NO_KEY),
            base_url=url,
            max_retries=0,  # retries are ours, inside the request's time
            http_async_client=await self._pool(),
            stream_usage=True,
            **given,
        )

    async def _for_this_loop(self, given: ChatRunnable | Callable[[], ChatRunnable]) -> ChatRunnable:
        """The caller's model; a client that shares connections between loops gets its own pool."""
        model = given if isinstance(given, Runnable) else given()
        _learn_keys(model)
        own = {id(each): await self._with_pool(each) for each in layers(model) if isinstance(each, BaseChatModel)}
        return over(model, lambda each: own[id(each)])

    async def _with_pool(self, model: BaseChatModel) -> BaseChatModel:
        if not is_openai(model) or model.http_async_client or not model.root_async_client:
            return model
        root = model.root_async_client.with_options(http_client=await self._pool(), max_retries=0)
        return model.model_copy(update={"root_async_client": root, "async_client": root.chat.completions})

    async def _pool(self) -> "DefaultAsyncHttpxClient":
        """The connections of one client, closed when their loop ends or this graph is garbage-collected. A redirect is not
        followed: the prompt would go wherever it leads."""
        from openai import DefaultAsyncHttpxClient

        hooks = {"response": [clean_response]}
        pool = DefaultAsyncHttpxClient(timeout=None, follow_redirects=False, event_hooks=hooks)
        holder = _holder(pool)
        await anext(holder)
        self._here().pools.append(finalize(self, id, holder))  # with this call goes the last that holds it
        return pool

    async def _offered_name(self, role: Role, here: _LoopModels) -> str:
        """The first model a local server offers."""
        url = self._environment.url_of(role)
        if url not in here.offered:
            client = (await self._client(role, UNNAMED)).root_async_client
            offered = [model.id async for model in client.models.list()]
            if not offered:
                raise ModelUnavailable("the server offers no model; name one in WAVEGRAPH_MODEL")
            here.offered[url] = offered[0]
        return here.offered[url]


def _learn_keys(model: object) -> None:
    for layer in layers(model) if isinstance(model, Runnable) else ():
        process.learn(*in_model(layer))


def _by_role(given: GivenModel | Mapping[Role, GivenModel] | None) -> Mapping[Role, GivenModel]:
    by_role = given if isinstance(given, Mapping) else dict.fromkeys(ROLES, given) if given is not None else {}
    if strangers := sorted(set(by_role) - set(ROLES)):
        raise SettingsError(f"model for unknown roles {strangers}; the roles are {list(ROLES)}")
    for role, model in by_role.items():
        if not isinstance(model, str) and not is_chat_model(model) and not callable(model):
            raise SettingsError(
                f"model for the {role} must be a chat model, its name ('provider:name') or a function that makes one, not {model!r}"
            )
    return by_role


async def _holder(pool: "DefaultAsyncHttpxClient") -> AsyncGenerator[None]:
    """Started and left open. A loop closes its async generators before it ends, and one without a reference at once; this
    one then closes the pool."""
    try:
        yield
    finally:
        await pool.aclose()


# What an endpoint sends, without the key: tracers of any make record the responses that a client fails on

_STREAMED = b'"stream":true'


async def clean_response(response: Any) -> None:
    """For the client's hook, of whichever `httpx` it uses."""
    process.learn(*in_headers(response.request.headers))  # a key that a function gives is in no model
    for name, value in list(response.headers.items()):
        if process.holds(value):
            response.headers[name] = process.scrub(value)
    if response.is_success and _STREAMED in response.request.content.replace(b" ", b""):
        response.aiter_bytes = _line_by_line(response.aiter_bytes)
        return
    await response.aread()
    if (content := _clean(response.content)) != response.content:
        response._content = content
    if (text := process.scrub(response.text)) != response.text:  # in the charset it claims
        response._text, response._content = text, text.encode(response.encoding or "utf-8", errors="replace")


def _line_by_line(read: Callable[..., AsyncGenerator[bytes]]) -> Callable[..., AsyncIterator[bytes]]:
    """The events of a stream, each in a line of its own, as soon as they are whole."""

    async def lines(*given: Any, **options: Any) -> AsyncIterator[bytes]:
        kept: list[bytes] = []
        async with aclosing(read(*given, **options)) as chunks:
            async for chunk in chunks:
                whole, end, rest = chunk.rpartition(b"\n")
                if end:
                    yield _clean(b"".join([*kept, whole, end]))
                    kept = []
                kept.append(rest)
        if any(kept):
            yield _clean(b"".join(kept))

    return lines


def _clean(content: bytes) -> bytes:
    text = content.decode(errors="surrogateescape")
    return process.scrub(text).encode(errors="surrogateescape") if process.holds(text) else content
