"""`@tool` for tools that are made anew in each test: what they take is read from their signature the first time only."""

import inspect
from collections.abc import Callable
from types import CodeType
from typing import Any

from langchain_core import tools

_read: dict[CodeType, tools.BaseTool] = {}


def tool(work: Callable[..., Any]) -> tools.BaseTool:
    code = work.__code__
    if code not in _read:
        _read[code] = tools.tool(work)
    way = "coroutine" if inspect.iscoroutinefunction(work) else "func"
    return _read[code].model_copy(update={way: work})
