"""What is wrong with an edit of the call that a person is asked about: the field, the value and the way out."""

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from wavegraph.graph.approval import Question
from wavegraph.graph.domain_tool import DomainTool
from wavegraph.graph.errors import short_repr
from wavegraph.graph.references.shapes import kind_of

OR_DECIDE = "or approve or reject the call as it is"
_SUBJECT = re.compile(
    r"^(?:Value error, |Assertion failed, )|^(?:Input|String|Value|List|Dictionary|Number)(?= should )"
)


def wrong_edit(changes: Mapping[str, Any], question: Question, tool: DomainTool) -> str | None:
    """None = the edit can be taken."""
    free = [name for name in tool.arguments if tool.sources.get(name) != "results"]
    known = f"edit any of {', '.join(free)}, {OR_DECIDE}" if free else "nothing here can be edited: approve, or reject"
    if not changes:
        return f"the edit names nothing to change: {known}"
    if strangers := [name for name in sorted(changes) if name not in tool.arguments]:
        return f"{_names_and_values(strangers, changes)}: {tool.name} has no such field; {known}"
    if fixed := [name for name in changes if name not in free]:
        return f"{_names_and_values(fixed, changes)}: it comes from a result and cannot be edited; reject, and have it planned again"
    try:
        edited = tool.checked_args({**question["args"], **changes})
    except ValidationError as error:
        return f"{in_words(error, changes)}; give another value, {OR_DECIDE}"
    if edited == question["args"]:
        return f"{_names_and_values(changes, changes)}: the edit changes nothing; give another value, {OR_DECIDE}"
    return None


def typed_value(text: str, name: str, tool: DomainTool) -> Any:
    """What somebody typed for an argument: as JSON reads it where that is of the argument's declared type, the very text
    where it may be a text. So a phone number's digits stay as they are; what is of neither type is read as JSON."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    shape, kind = tool.declares([name]), kind_of(value)
    types = shape["types"] if shape else [kind]
    is_of_type = kind in types or (kind == "integer" and "number" in types)
    return text if "string" in types and not is_of_type else value


def in_words(error: ValidationError, given: Mapping[str, Any]) -> str:
    """Each fault as `field = value: it should be …`; one of several fields together names those of `given`."""
    return "; ".join(_fault(each, given) for each in error.errors())


def _fault(found: ErrorDetails, given: Mapping[str, Any]) -> str:
    words = _SUBJECT.sub(lambda match: "" if match[0].endswith(", ") else "it", found["msg"])
    if place := ".".join(map(str, found["loc"])):
        return (
            f"{place} is needed" if found["type"] == "missing" else f"{place} = {short_repr(found['input'])}: {words}"
        )
    return f"{_names_and_values([name for name in given if name in words] or given, given)}: {words}"


def _names_and_values(names: Iterable[str], given: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} = {short_repr(given[name])}" for name in names)
