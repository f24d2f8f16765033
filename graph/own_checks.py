"""A domain's own checks: how they may be given, and what they may return."""

import inspect
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ConfigDict, TypeAdapter, ValidationError

from wavegraph.graph.errors import BadIssues, explain, short_repr
from wavegraph.graph.state import ValidationIssue

_ISSUES: TypeAdapter[list[ValidationIssue]] = TypeAdapter(list[ValidationIssue], config=ConfigDict(extra="allow"))


def wrong_checks(checks: Any) -> str | None:
    """Why a domain cannot have these `checks`; None = it can."""
    if not isinstance(checks, Mapping):
        return f"checks = {short_repr(checks)}: give a dict, {{tool: [check, …]}}"
    for tool, own in checks.items():
        if not isinstance(own, Sequence) or isinstance(own, str):
            return f"checks[{tool!r}] = {short_repr(own)}: give a list of checks, also of one: [check]"
        for check in own:
            function = inspect.unwrap(check) if callable(check) else None
            if not function or any(map(inspect.iscoroutinefunction, (function, type(function).__call__))):
                return (
                    f"checks[{tool!r}] has {short_repr(check)}: a check is a plain function `(result, call) -> list of "
                    "issues`, which runs in a thread; what it has to wait for belongs into a tool"
                )
    return None


def issues_in(returned: Any) -> list[ValidationIssue]:
    """The issues that a check returned. Raises BadIssues."""
    if inspect.iscoroutine(returned):
        returned.close()
    try:
        return _ISSUES.validate_python(returned)
    except ValidationError as error:
        raise BadIssues(f"it returned no list of issues ([] where nothing is wrong): {explain(error)}") from None
