"""What is wrong with an edit of the call that a person is asked about: the field, the value and the way out."""

import json
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from wavegraph.graph.approval import Question
from wavegraph.graph.domain_tool import DomainTool
from wavegraph.graph.errors import explain, short_repr
from wavegraph.graph.references.shapes import kind_of

OR_DECIDE = "or approve or reject the call as it is"


def wrong_edit(changes: Mapping[str, Any], question: Question, tool: DomainTool) -> str | None:
    """None = the edit can be taken."""
    free = [name for name in tool.arguments if tool.sources.get(name) != "results"]
    if fixed := [f"{name} = {short_repr(changes[name])}" for name in sorted(changes) if name not in free]:
        known = f"edit any of {', '.join(free)}, {OR_DECIDE}" if free else "approve or reject the call as it is"
        return f"{', '.join(fixed)}: that cannot be edited; {known}"
    try:
        edited = tool.checked_args({**question["args"], **changes})
    except ValidationError as error:
        return f"{explain(error)}; give another value, {OR_DECIDE}"
    return f"the edit changes nothing; give another value, {OR_DECIDE}" if edited == question["args"] else None


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
