"""References as models write them from habit: `{{dates.check_in}}`, `$dates.check_in`, `{"ref": "dates.check_in"}`.

They are read where they name a call that there is. Any other text stays one.
"""

import re
from collections.abc import Collection
from typing import Any

from wavegraph.graph.references.paths import reference

_BRACED = re.compile(r"\$?\{{1,2}\s*+([\w-]++)\s*+((?:[.\[][^{}]*+)?)\}{1,2}")
_DOLLAR = re.compile(r"\$([\w-]++)([.\[][^{}$]*+)\$?")
"""With a path: `$5` is a price."""
_DOUBLED = str.maketrans({"{": "{{", "}": "}}"})
_PLAIN = re.compile(r"([\w-]++)((?:[.\[][^{}]*+)?)")


def as_references(value: Any, calls: Collection[str]) -> Any:
    """The value with what mentions one of these calls as a reference to it, at any depth."""
    match value:
        case str():
            return _of_text(value, calls)
        case {"ref": str() as words, **rest} | {"$ref": str() as words, **rest} if not rest:
            return _reference(_PLAIN.fullmatch(words.strip("${} ")), calls) or value
        case {"call": str() as call, "path": str() as path, **rest} if not rest and call in calls:
            return reference(call, path)
        case {"ref": dict(), **rest} if not rest:
            return value
        case {"text": str(), "with": dict() as named, **rest} if not rest:
            return {**value, "with": {name: as_references(part, calls) for name, part in named.items()}}
        case dict():
            return {name: as_references(part, calls) for name, part in value.items()}
        case list():
            return [as_references(part, calls) for part in value]
    return value


def _of_text(text: str, calls: Collection[str]) -> Any:
    """One reference, or a text with values in it."""
    words = text.strip()
    if whole := _reference(_BRACED.fullmatch(words) or _DOLLAR.fullmatch(words), calls):
        return whole
    template, values, end = "", dict[str, Any](), 0
    for found in _BRACED.finditer(text):
        if found[2] and (value := _reference(found, calls)):
            name = f"value_{len(values) + 1}"
            template += f"{text[end : found.start()].translate(_DOUBLED)}{{{name}}}"
            values[name], end = value, found.end()
    return {"text": template + text[end:].translate(_DOUBLED), "with": values} if values else text


def _reference(found: re.Match[str] | None, calls: Collection[str]) -> dict[str, Any] | None:
    if found is None or found[1] not in calls:
        return None
    return reference(found[1], found[2].strip().removeprefix("."))
