"""Keeps the text of unexpected tool errors from tracers: they record it whole, and it may quote a password."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

from langchain_core.tools import BaseTool, ToolException
from langgraph.errors import GraphBubbleUp

from wavegraph.graph.errors import WavegraphError
from wavegraph.graph.secrets.ways_out import cleaned_errors

PASSED_ON = (WavegraphError, ToolException, GraphBubbleUp)
"""Errors whose text is meant to be shown, and LangGraph's control flow."""


class QuietError(Exception):
    """Stands in for an `error` of which only the type may be shown."""

    def __init__(self, error: Exception) -> None:
        super().__init__(type(error).__name__)
        self.error = error


def with_quiet_errors(tool: BaseTool) -> BaseTool:
    """The same tool, but it raises QuietError in place of an unexpected error, and an error that LangChain would turn into
    a result as itself."""

    @wraps(tool._run)
    def run(*args: Any, **given: Any) -> Any:
        with _kinds_alone():
            return tool._run(*args, **given)

    @wraps(tool._arun)
    async def arun(*args: Any, **given: Any) -> Any:
        with _kinds_alone():
            return await tool._arun(*args, **given)

    quiet = tool.model_copy(update={"handle_tool_error": False, "handle_validation_error": False})
    object.__setattr__(quiet, "_run", run)
    object.__setattr__(quiet, "_arun", arun)
    return quiet


@contextmanager
def _kinds_alone() -> Iterator[None]:
    try:
        yield
    except PASSED_ON:
        with cleaned_errors():
            raise
    except Exception as error:  # noqa: BLE001  a tool may raise anything
        raise QuietError(error) from None
