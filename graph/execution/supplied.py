"""What a tool is given besides its planned arguments, and its result without LangChain's wrapping."""

from collections.abc import Mapping
from typing import Any, Literal

from langchain_core.messages import ToolMessage
from langchain_core.tools import ToolException
from langgraph.config import get_config, get_store, get_stream_writer
from langgraph.types import Command

from wavegraph.graph.domain_tool import DomainTool, Supplied
from wavegraph.graph.errors import ToolRefusal
from wavegraph.graph.settings import Settings, told


class BadResult(Exception):
    """A result that cannot be kept: it is no data, does not fit the tool's result model, or is too large."""

    def __init__(self, why: str, *, code: Literal["unexpected_data", "too_large"] = "unexpected_data") -> None:
        super().__init__(why)
        self.code = code
        self.is_done = False
        """Whether it is that of a write that ran to its end."""


def supplied_values(tool: DomainTool, call_id: str, settings: Settings) -> Mapping[str, Any]:
    """The values of the parameters that are not planned. Raises ToolRefusal for a store that the graph does not have."""
    return {name: _value(kind, tool, call_id, settings) for name, kind in tool.supplied.items()}


def _value(kind: Supplied, tool: DomainTool, call_id: str, settings: Settings) -> Any:
    match kind:
        case "settings":
            return settings
        case "call_id":
            return call_id
        case "store":
            if (store := _store()) is None:
                raise ToolRefusal("no_store", f"{tool.name} needs the graph's store, and it has none; give store=…")
            return store
        case "runtime":
            from langgraph.prebuilt import ToolRuntime  # not before a tool asks for it: it brings much

            return ToolRuntime(
                state=None,  # a tool sees no graph's state, and no empty one from which it would take a default
                context=told(settings),
                config=get_config(),
                stream_writer=get_stream_writer(),
                tool_call_id=call_id,
                store=_store(),
            )


def _store() -> Any:
    try:
        return get_store()
    except (RuntimeError, KeyError):
        return None


def result_data(raw: Any) -> Any:
    """The data of a result: a message's content. Raises ToolException for a message that says that the tool failed, and
    BadResult for a command to a graph."""
    if isinstance(raw, Command):
        raise BadResult("a Command, which changes a graph's state; let the tool return data")
    if not isinstance(raw, ToolMessage):
        return raw
    if raw.status == "error":
        raise ToolException(str(raw.text))
    return raw.content
