"""Private parts of LangGraph, LangChain and LangSmith that we use; each is pinned by a test."""

import json
from collections.abc import AsyncIterator, Callable, Collection, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, contextmanager
from functools import partial, wraps
from importlib.util import find_spec
from inspect import signature
from typing import Any, Final, TypeVar

import ormsgpack
from langchain_core.callbacks import BaseCallbackManager
from langchain_core.runnables.config import RunnableConfig, ensure_config, var_child_runnable_config
from langchain_core.tools import BaseTool, StructuredTool
from langchain_core.tools.base import _get_runnable_config_param
from langchain_core.tracers._streaming import _StreamingCallbackHandler as TapsTokens
from langchain_core.tracers.base import BaseTracer
from langgraph._internal._config import DEFAULT_RECURSION_LIMIT
from langgraph._internal._constants import CONF, CONFIG_KEY_READ
from langgraph._internal._serde import collect_allowlist_from_schemas
from langgraph.channels import EphemeralValue
from langgraph.channels.base import BaseChannel
from langgraph.checkpoint.base import Checkpoint
from langgraph.checkpoint.serde._msgpack import SAFE_MSGPACK_METHODS as SAFE_METHODS
from langgraph.checkpoint.serde._msgpack import SAFE_MSGPACK_TYPES as SAFE_TYPES
from langgraph.checkpoint.serde.jsonplus import (
    EXT_CONSTRUCTOR_KW_ARGS,
    EXT_CONSTRUCTOR_POS_ARGS,
    EXT_CONSTRUCTOR_SINGLE_ARG,
    EXT_DELTA_SNAPSHOT,
    EXT_NUMPY_ARRAY,
    EXT_PYDANTIC_V1,
    EXT_PYDANTIC_V2,
    JsonPlusSerializer,
)
from langgraph.checkpoint.serde.jsonplus import EXT_METHOD_SINGLE_ARG as EXT_METHOD
from langgraph.checkpoint.serde.types import _DeltaSnapshot as DeltaSnapshot
from langgraph.graph.message import _messages_delta_reducer as messages_delta_reducer
from langgraph.graph.state import CompiledStateGraph
from langgraph.utils.runnable import RunnableCallable  # type: ignore[attr-defined]
from langsmith import Client
from langsmith._internal._serde import dumps_json

__all__ = [
    "CHECKPOINTER",
    "COMMIT",
    "DEFAULT_RECURSION_LIMIT",  # a task's config has a limit only where a run gave one
    "EXT_DELTA_SNAPSHOT",  # the kinds of LangGraph's own values in msgpack: all messages of a thread
    "EXT_METHOD",  # a call of a type's method, as (module, name, argument, method)
    "EXT_NUMPY_ARRAY",
    "EXT_PYDANTIC_V2",  # and a model, as (module, name, fields, method)
    "NAMED_KINDS",
    "NS_SEP",
    "RESOLVED",
    "SAFE_METHODS",  # what LangGraph opens of them in its strict mode: (module, name, method)
    "SAFE_TYPES",  # and of the others: (module, name)
    "SENT_AT_MS",
    "UNHEARD",
    "UNTRACED",
    "DeltaSnapshot",
    "FoldingGraph",
    "RunnableCallable",  # a plain function as a router LangGraph runs in a thread, and a node with two ways in it has not
    "cursor_of",
    "function_of",
    "inspected",
    "is_in_a_graph",
    "is_watched",
    "keeping_returned",
    "made_by",
    "masked_outputs",
    "messages_delta_reducer",  # only of this one LangGraph knows that strings and dicts are messages too
    "names_of",
    "own_channels",
    "pass_posts_through",
    "read_without_copies",
    "sent_at_ms",
    "subagent_streams",
    "unheard",
    "unheard_pieces",
    "unpacked",
    "unstored",
    "with_arguments",
]

_T = TypeVar("_T")

CHECKPOINTER = "__pregel_checkpointer"
"""In `configurable`: the run's checkpointer. A node has no other way to know whether an interrupt can be answered."""
NS_SEP = "|"
"""In a `checkpoint_ns`: between a graph's step and that of the graph inside it."""
COMMIT = "__end__"
"""A state update without values "as" this node keeps the finished tasks of an unfinished step, and starts none."""
RESOLVED = "branch:to:__end__"
"""The key of the state that `Command(goto="__end__")` writes to. LangGraph drops it where the state has no such key, and
asks on."""
SENT_AT_MS = "__request_start_time_ms__"
"""In `configurable`, by the LangGraph server: when it was sent the run, which may have waited for another since."""
UNTRACED = "__disabled"
"""In a traced run's `extra`: LangSmith does not keep the run, so no feedback may be posted on it."""


def is_watched() -> bool:
    """Whether anybody follows the running node's run: message streams and tracers do so by callbacks."""
    callbacks = (var_child_runnable_config.get() or {}).get("callbacks")
    handlers = callbacks if isinstance(callbacks, list) or callbacks is None else callbacks.handlers
    return bool(handlers)


UNHEARD: Final[RunnableConfig] = {"tags": ["nostream"]}
"""For a model that is asked within `unheard`: LangGraph's own tag. What is bound to a model replaces the context's tags."""


@contextmanager
def unheard() -> Iterator[RunnableConfig]:
    """Models that are asked within, and so configured, are not for those who follow the run: they hear when one starts, how
    it ends and what it used, but no tokens.

    The tag keeps these out of LangGraph's message stream alone; LangChain's event stream and handlers of a caller's own do not
    know it. Tracers hear all. It is the context's handlers that change, since a bound model adds these to those it is given.
    """
    outer: RunnableConfig = var_child_runnable_config.get() or {}
    inside = var_child_runnable_config.set({**outer, "callbacks": _without_tokens(outer.get("callbacks"))})
    try:
        yield UNHEARD
    finally:
        var_child_runnable_config.reset(inside)


async def unheard_pieces(pieces: AsyncIterator[_T]) -> AsyncIterator[_T]:
    """What a model streams, unheard; what is done with it is heard."""
    while True:
        with unheard():
            try:
                piece = await anext(pieces)
            except StopAsyncIteration:
                return
        yield piece


def _without_tokens(given: Any) -> Any:
    if not isinstance(given, BaseCallbackManager):
        return given and [_deaf(handler) for handler in given]
    manager = given.copy()
    manager.handlers = [_deaf(handler) for handler in given.handlers]
    manager.inheritable_handlers = [_deaf(handler) for handler in given.inheritable_handlers]
    return manager


def _deaf(handler: Any) -> Any:
    is_tracer = isinstance(handler, BaseTracer) and not isinstance(handler, TapsTokens)
    return handler if is_tracer or not hasattr(handler, "on_llm_new_token") else _Deaf(handler)


class _Deaf:
    """A handler that hears everything but tokens; LangChain does not take it for one that a model is streamed for."""

    def __init__(self, handler: Any) -> None:
        self._handler = handler

    def __getattr__(self, name: str) -> Any:
        if name in ("_handler", "tap_output_aiter", "tap_output_iter"):
            raise AttributeError(name)
        return getattr(self._handler, name)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Deaf) and other._handler is self._handler

    def __hash__(self) -> int:
        return hash(id(self._handler))

    def on_llm_new_token(self, *_: Any, **__: Any) -> None:
        """Not told."""


def sent_at_ms() -> int | None:
    """When the running node's run was sent, in milliseconds since 1970; None = it is not known."""
    found = ((var_child_runnable_config.get() or {}).get("configurable") or {}).get(SENT_AT_MS)
    return int(found) if isinstance(found, int | float) else None


def read_without_copies(compiled: Any) -> None:
    """The graph's routers see the state with what their node wrote, as ever; but LangGraph copies every channel for each of
    them, and here only those that change are copied."""
    kinds = compiled.channels
    for node in compiled.nodes.values():
        for writer in node.writers:
            if reader := getattr(writer, "kwargs", {}).get("reader"):
                select = [name for name in reader.keywords["select"] if isinstance(kinds[name], BaseChannel)]
                fleeting = {name: list[Any]() for name in select if isinstance(kinds[name], EphemeralValue)}
                managed = set(reader.keywords["select"]).difference(select)
                writer.kwargs["reader"] = partial(_state_after, select=select, fleeting=fleeting, managed=managed)


def _state_after(
    config: RunnableConfig, select: list[str], fleeting: Mapping[str, list[Any]], managed: Collection[str]
) -> dict[str, Any]:
    scratchpad, channels, known, task = config[CONF][CONFIG_KEY_READ].args
    written = {**fleeting}
    for name, value in task.writes:
        if name in select:
            written[name] = [*written.get(name, ()), value]
    after = {name: channels[name].copy() for name in written}
    for name, channel in after.items():
        channel.update(written[name])
    read = {**channels, **after}
    found = {name: channel.get() for name in select if (channel := read[name]).is_available()}
    return {**found, **{name: known[name].get(scratchpad) for name in managed}}


def is_in_a_graph(config: RunnableConfig | None) -> bool:
    """Whether a run with this configuration is part of another graph's."""
    return CONFIG_KEY_READ in ensure_config(config).get(CONF, {})


def own_channels(engines: Collection[str]) -> dict[str, BaseChannel[Any, Any, Any]]:
    """The channels of the running task's graph as its step began, by name: without LangGraph's own, and without `engines`."""
    config: Any = var_child_runnable_config.get() or {}
    read = config.get(CONF, {}).get(CONFIG_KEY_READ)
    channels: Mapping[str, Any] = read.args[1] if read else {}
    return {
        name: channel for name, channel in channels.items() if not (name in engines or ":" in name or name[:2] == "__")
    }


def function_of(tool: BaseTool) -> Callable[..., Any] | None:
    """The function that LangChain calls for validated arguments, if it does nothing besides but tell who watches; async if the
    tool is."""
    if type(tool) is not StructuredTool or tool.response_format != "content" or tool.callbacks or tool.verbose:
        return None
    function = tool.coroutine or tool.func
    if function is None or "callbacks" in signature(function).parameters or _get_runnable_config_param(function):
        return None
    return function


def subagent_streams() -> list[Callable[[tuple[str, ...]], Any]]:
    """What gives a run `subagents`, the agents inside it by name; none without LangChain, which is slow to load, so that only a
    run does that is asked for them."""

    def made(scope: tuple[str, ...] = ()) -> Any:
        from langchain.agents._subagent_transformer import SubagentTransformer

        return SubagentTransformer(scope)

    return [made] if find_spec("langchain") else []


def cursor_of(saver: Any) -> AbstractAsyncContextManager[Any] | None:
    """A cursor of the PostgreSQL saver, to list threads; its connection may be a pool's. None = not such a saver."""
    return saver._cursor() if hasattr(saver, "_cursor") else None


def unpacked(data: bytes, made: Callable[[int, bytes], Any]) -> Any:
    """A value that LangGraph's serializer wrote in msgpack; `made` makes what it wrapped. The library comes with it."""
    return ormsgpack.unpackb(data, ext_hook=made, option=ormsgpack.OPT_NON_STR_KEYS)


def made_by(serializer: JsonPlusSerializer, code: int, data: bytes) -> Any:
    """A value that LangGraph wrapped for msgpack, made as its own serializer makes it."""
    return serializer._unpack_ext_hook(code, data)


NAMED_KINDS = (EXT_CONSTRUCTOR_SINGLE_ARG, EXT_CONSTRUCTOR_POS_ARGS, EXT_CONSTRUCTOR_KW_ARGS, EXT_METHOD, EXT_PYDANTIC_V1,
               EXT_PYDANTIC_V2)  # fmt: skip
"""Kinds of values in msgpack that name what makes them: (module, name, arguments)."""


def names_of(types: Collection[type]) -> set[tuple[str, ...]]:
    """What LangGraph stores of these types as theirs, module and name, and of the types of their fields."""
    return {(each.__module__, each.__name__) for each in types} | collect_allowlist_from_schemas(schemas=list(types))


class FoldingGraph(CompiledStateGraph[Any, Any, Any, Any]):
    """A compiled graph that opens checkpoints whose channels an earlier version laid out in another way: `fold` of its builder
    makes them this version's, in place."""

    def _migrate_checkpoint(self, checkpoint: Checkpoint) -> None:
        super()._migrate_checkpoint(checkpoint)
        builder: Any = self.builder
        builder.fold(checkpoint["channel_values"], checkpoint["channel_versions"])


_V = TypeVar("_V", str, int)


def unstored(version: _V) -> _V:
    """A channel's version that counts as newer than itself: LangGraph stores a channel with the next checkpoint only if its
    version has moved, and what was folded into another has not been stored under that one's name. It is stored as a plain
    one."""
    kind = type(version)
    newer: Any = type("Unstored", (kind,), {"__gt__": kind.__ge__, "__reduce__": lambda self: (kind, (kind(self),))})
    return newer(version)  # type: ignore[no-any-return]


def masked_outputs(client: Client, outputs: dict[str, Any]) -> dict[str, Any]:
    """Outputs with the client's masking applied: it masks runs by itself, but not the feedback on them."""
    return client._hide_run_outputs(outputs)  # type: ignore[no-any-return]


_POSTED = ("inputs", "outputs", "error", "events", "extra", "serialized", "name", "tags")


def pass_posts_through(client: Client, door: Any) -> None:
    """Every run that the client posts, new or ended, passes the door from now on, after the client's own masking.

    That leaves out `extra` and `serialized`, and cannot be added to. The client takes no attributes, but another class.
    `door`: a `Scrubber`.
    """
    if getattr(type(client), "_passes_door", False):
        return

    def cleaned(run: dict[str, Any]) -> dict[str, Any]:
        posted = {name: run[name] for name in _POSTED if run.get(name) is not None}
        text = dumps_json(posted).decode(errors="surrogateescape")
        return {**run, **door.scrub_json(json.loads(text))} if door.holds(text) else run

    kind: Any = type(client)

    class Guarded(kind):  # type: ignore[misc]
        __slots__ = ()
        _passes_door = True

        def _create_run(self, run: dict[str, Any], **given: Any) -> None:
            super()._create_run(cleaned(run), **given)

        def _update_run(self, run: dict[str, Any], **given: Any) -> None:
            super()._update_run(cleaned(run), **given)

    Guarded.__name__, Guarded.__qualname__, Guarded.__module__ = kind.__name__, kind.__qualname__, kind.__module__
    client.__class__ = Guarded


def inspected(tool: BaseTool) -> BaseTool:
    """The same tool, once LangChain has read which of its arguments are injected: copies of it keep that."""
    getattr(tool, "_injected_args_keys", None)
    return tool


def keeping_returned(tool: BaseTool, kept: list[Any]) -> BaseTool:
    """The same tool, which puts into `kept` what its function returns: who calls it by an id gets a message of LangChain's, whose
    content is a text."""
    keeping, run, arun = tool.model_copy(), tool._run, tool._arun

    @wraps(run)
    def keep(*args: Any, **given: Any) -> Any:
        kept.append(run(*args, **given))
        return kept[-1]

    @wraps(arun)
    async def keep_awaited(*args: Any, **given: Any) -> Any:
        kept.append(await arun(*args, **given))
        return kept[-1]

    object.__setattr__(keeping, "_run", keep)
    object.__setattr__(keeping, "_arun", keep_awaited)
    return inspected(keeping)


def with_arguments(tool: BaseTool, given: Mapping[str, Any]) -> BaseTool:
    """The same tool, its function always called with these arguments, which were validated already."""
    ready = tool.model_copy()
    object.__setattr__(ready, "_parse_input", lambda *_: dict(given))
    return ready
