"""What a tool raises, kept from those who watch it run: a tracer records the whole text of an error it sees, and the
text of an error that nobody meant to show may quote a password.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

from langchain_core.tools import BaseTool, ToolException
from langgraph.errors import GraphBubbleUp

from wavegraph.graph.errors import WavegraphError

SHOWN = (WavegraphError, ToolException, GraphBubbleUp)
"""Errors whose text is meant to be shown, and what is no error."""


class Untold(Exception):
    """Stands in for an `error` of which only the kind may be told."""

    def __init__(self, error: Exception) -> None:
        super().__init__(type(error).__name__)
        self.error = error


def untold(tool: BaseTool) -> BaseTool:
    """The same tool, but it raises Untold for an error whose text nobody meant to show."""
    quiet = tool.model_copy()
    for name, function in (("_run", _quiet(tool._run)), ("_arun", _quiet_async(tool._arun))):
        object.__setattr__(quiet, name, function)
    return quiet


def _quiet(function: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(function)
    def run(*args: Any, **given: Any) -> Any:
        try:
            return function(*args, **given)
        except SHOWN:
            raise
        except Exception as error:  # noqa: BLE001  a tool may raise anything
            raise Untold(error) from None

    return run


def _quiet_async(function: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(function)
    async def run(*args: Any, **given: Any) -> Any:
        try:
            return await function(*args, **given)
        except SHOWN:
            raise
        except Exception as error:  # noqa: BLE001  a tool may raise anything
            raise Untold(error) from None

    return run
