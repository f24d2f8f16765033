"""A domain's own checks: how they may be given, what they may return, and how a log names one."""

import inspect
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from wavegraph.graph.errors import BadIssues, explain, short_repr
from wavegraph.graph.state import ValidationIssue

_ISSUES: TypeAdapter[list[ValidationIssue]] = TypeAdapter(list[ValidationIssue])


def wrong_checks(checks: Any) -> str | None:
    """Why a domain cannot have these `checks`; None = it can."""
    if not isinstance(checks, Mapping):
        return f"checks = {short_repr(checks)}: give a dict, {{tool: [check, …]}}"
    return next(filter(None, (_wrong(tool, own) for tool, own in checks.items())), None)


def _wrong(tool: Any, own: Any) -> str | None:
    if not isinstance(own, Sequence) or isinstance(own, str):
        return f"checks[{tool!r}] = {short_repr(own)}: give a list of checks, also of one: [check]"
    for check in own:
        if not callable(check):
            return f"checks[{tool!r}] has {short_repr(check)}: a check is a function `(result, call) -> list of issues`"
        function = _function(check)
        if inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function):
            return (
                f"checks[{tool!r}] has {named_place(check)}, which is async: a check is a plain function, which runs in a "
                "thread; what it has to wait for belongs into a tool"
            )
    return None


def issues_in(returned: Any) -> list[ValidationIssue]:
    """The issues that a check returned. Raises BadIssues."""
    if inspect.iscoroutine(returned):
        returned.close()
    if not isinstance(returned, Iterable) or isinstance(returned, str | bytes | Mapping):
        raise BadIssues(f"it returned {short_repr(returned)}, not a list of issues; [] where nothing is wrong")
    issues = list(returned)
    try:
        _ISSUES.validate_python(issues)
    except ValidationError as error:
        raise BadIssues(f"it returned issues that lack something: {explain(error)}") from None
    return issues


def named_place(check: Any) -> str:
    """A check by its name, and by file and line where these are known."""
    function = _function(check)
    name = getattr(check, "name", None) or getattr(function, "__qualname__", type(check).__name__)
    code = getattr(function, "__code__", None)
    return f"{name} ({Path(code.co_filename).name}:{code.co_firstlineno})" if code else str(name)


def _function(check: Any) -> Any:
    """The function behind a named, partial, decorated or callable object."""
    check = inspect.unwrap(check)
    while isinstance(check, partial):
        check = inspect.unwrap(check.func)
    return check if inspect.isroutine(check) or inspect.isclass(check) else inspect.unwrap(type(check).__call__)
