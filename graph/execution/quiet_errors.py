"""Keeps the text of unexpected tool errors from tracers: they record it whole, and it may quote a password."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache, wraps
from inspect import signature
from typing import Any, NamedTuple, TypeVar, cast, get_type_hints

from langchain_core.tools import BaseTool, ToolException
from langgraph.errors import GraphBubbleUp

from wavegraph.graph._langgraph import function_of, inspected
from wavegraph.graph.errors import WavegraphError
from wavegraph.graph.secrets.ways_out import cleaned_errors

PASSED_ON = (WavegraphError, ToolException, GraphBubbleUp)
"""Errors whose text is meant to be shown, and LangGraph's control flow."""


_F = TypeVar("_F", bound=Callable[..., Any])


class QuietError(Exception):
    """Stands in for an `error` of which only the type may be shown."""

    def __init__(self, error: Exception) -> None:
        super().__init__(type(error).__name__)
        self.error = error


class Quiet(NamedTuple):
    """A tool that raises QuietError in place of an unexpected error, and an error that LangChain would turn into a result as
    itself."""

    tool: BaseTool
    function: Callable[..., Any] | None
    """What is left of the tool for validated arguments where nobody watches (`function_of`)."""


def with_quiet_errors(tool: BaseTool, spread: str | None = None) -> Quiet:
    """Made once: LangChain reads the signature of a tool at each call, and is told it here. `spread`: the argument that
    holds what its function takes as `**kwargs`."""
    return _quiet(_Same(tool), spread)


class _Same:
    """A tool as a cache key: equal if it is the very same."""

    def __init__(self, tool: BaseTool) -> None:
        self.tool = tool

    def __hash__(self) -> int:
        return id(self.tool)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.tool is self.tool


@lru_cache(maxsize=256)
def _quiet(same: _Same, spread: str | None) -> Quiet:
    tool = same.tool
    function = function_of(tool)

    quiet = tool.model_copy(update={"handle_tool_error": False, "handle_validation_error": False})
    object.__setattr__(quiet, "_run", _described(_quietly(tool._run, spread), tool._run))
    object.__setattr__(quiet, "_arun", _described(_awaited_quietly(tool._arun, spread), tool._arun))
    wrapper = _awaited_quietly if getattr(tool, "coroutine", None) else _quietly
    return Quiet(inspected(quiet), wrapper(function, spread) if function else None)


def _spread(given: dict[str, Any], name: str | None) -> dict[str, Any]:
    """With the fields of that argument beside the others."""
    if name is None or not isinstance(given.get(name), dict):
        return given
    return {**given[name], **{other: value for other, value in given.items() if other != name}}


def _quietly(function: _F, spread: str | None) -> _F:
    @wraps(function)
    def run(*args: Any, **given: Any) -> Any:
        with _kinds_alone():
            return function(*args, **_spread(given, spread))

    return cast(_F, run)


def _awaited_quietly(function: _F, spread: str | None) -> _F:
    @wraps(function)
    async def run(*args: Any, **given: Any) -> Any:
        with _kinds_alone():
            return await function(*args, **_spread(given, spread))

    return cast(_F, run)


def _described(wrapper: _F, function: Callable[..., Any]) -> _F:
    """The wrapper with the function's signature and types read already."""
    described: Any = wrapper
    described.__signature__ = signature(function)
    with suppress(NameError, TypeError):  # types that are imported for type checkers alone
        described.__annotations__ = get_type_hints(function, include_extras=True)
    return wrapper


@contextmanager
def _kinds_alone() -> Iterator[None]:
    try:
        yield
    except PASSED_ON:
        with cleaned_errors():
            raise
    except Exception as error:  # noqa: BLE001  a tool may raise anything
        raise QuietError(error) from None
