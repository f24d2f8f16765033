"""JSON as editors write it: with comments, and commas after the last element."""

import json
import re
from typing import Any

from wavegraph.graph.model.calls import without_last_commas

_STRING_OR_COMMENT = re.compile(r'"(?:[^"\\]|\\.)*"|//[^\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL)


def loads(text: str) -> Any:
    """Raises ValueError for what is not JSON either way."""
    try:
        return json.loads(text)
    except ValueError:
        plain = _STRING_OR_COMMENT.sub(lambda found: found[0] if found[0].startswith('"') else " ", text)
        return json.loads(without_last_commas(plain))
