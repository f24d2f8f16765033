"""Keeps the text of unexpected tool errors from tracers: they record it whole, and it may quote a password."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache, wraps
from typing import Any

from langchain_core.tools import BaseTool, ToolException
from langgraph.errors import GraphBubbleUp

from wavegraph.graph._langgraph import function_of, inspected
from wavegraph.graph.domain_tool import DomainTool
from wavegraph.graph.errors import WavegraphError
from wavegraph.graph.secrets.ways_out import cleaned_errors

PASSED_ON = (WavegraphError, ToolException, GraphBubbleUp)
"""Errors whose text is meant to be shown, and LangGraph's control flow."""


class QuietError(Exception):
    """Stands in for an `error` of which only the type may be shown."""

    def __init__(self, error: Exception) -> None:
        super().__init__(type(error).__name__)
        self.error = error


@lru_cache(maxsize=256)
def quiet_tool(tool: DomainTool) -> BaseTool:
    """A tool that raises QuietError in place of an unexpected error, and an error that LangChain would turn into a result as
    itself."""
    own = tool.tool
    quiet = own.model_copy(update={"handle_tool_error": False, "handle_validation_error": False})
    object.__setattr__(quiet, "_run", _kinds_alone()(own._run))
    object.__setattr__(quiet, "_arun", _awaited_quietly(own._arun))
    return inspected(quiet)


@lru_cache(maxsize=256)
def quiet_function(tool: DomainTool) -> Callable[..., Any] | None:
    """What is left of the tool for validated arguments where nobody watches (`function_of`)."""
    wrapper = _awaited_quietly if getattr(tool.tool, "coroutine", None) else _kinds_alone()
    function = function_of(tool.tool)
    return wrapper(function) if function else None


def _awaited_quietly(function: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(function)
    async def run(*args: Any, **given: Any) -> Any:
        with _kinds_alone():
            return await function(*args, **given)

    return run


@contextmanager
def _kinds_alone() -> Iterator[None]:
    try:
        yield
    except PASSED_ON:
        with cleaned_errors():
            raise
    except Exception as error:  # noqa: BLE001  a tool may raise anything
        raise QuietError(error) from None
