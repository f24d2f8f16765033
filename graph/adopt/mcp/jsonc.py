"""JSON as editors write it: with comments, and commas after the last element."""

import json
import re
from typing import Any

_STRING = r'"(?:[^"\\]|\\.)*"'
_STRING_OR_COMMENT = re.compile(rf"{_STRING}|//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
_STRING_OR_LAST_COMMA = re.compile(rf"({_STRING})|,(?=\s*[}}\]])", re.DOTALL)


def loads(text: str) -> Any:
    """Raises ValueError for what is not JSON either way."""
    try:
        return json.loads(text)
    except ValueError:
        plain = _STRING_OR_COMMENT.sub(lambda found: found[0] if found[0].startswith('"') else " ", text)
        return json.loads(_STRING_OR_LAST_COMMA.sub(lambda found: found[1] or "", plain))
