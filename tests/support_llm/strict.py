"""What a provider's strict mode accepts of a JSON schema, as OpenAI documents it; the narrowest dialect we know."""

from collections.abc import Iterator
from typing import Any

KNOWN = {"type", "enum", "description", "items", "properties", "required", "additionalProperties", "anyOf", "$ref",
         "$defs"}  # fmt: skip
TYPES = {"string", "number", "integer", "boolean", "object", "array", "null"}
DEEPEST = 10
MOST_PROPERTIES = 5000


def strict_faults(schema: dict[str, Any]) -> list[str]:
    """Why strict mode would refuse the schema; empty = it is accepted."""
    found = list(_faults(schema, schema, "$", 0))
    if schema.get("type") != "object":
        found.append("$: the root must be an object")
    for name, part in schema.get("$defs", {}).items():
        found += _faults(part, schema, f"$defs.{name}", 0)
    if (count := _properties(schema)) > MOST_PROPERTIES:
        found.append(f"$: {count} properties")
    return found


def _faults(part: Any, root: dict[str, Any], at: str, depth: int) -> Iterator[str]:
    if not isinstance(part, dict):
        yield f"{at}: not a schema: {part!r}"
        return
    if depth > DEEPEST:
        yield f"{at}: nested deeper than {DEEPEST}"
        return
    if strangers := sorted(set(part) - KNOWN):
        yield f"{at}: {strangers}"
    if "$ref" in part:
        if part["$ref"].removeprefix("#/$defs/") not in root.get("$defs", {}):
            yield f"{at}: {part['$ref']} leads nowhere"
        return
    if "anyOf" in part:
        if not part["anyOf"]:
            yield f"{at}: an empty anyOf"
        for index, option in enumerate(part["anyOf"]):
            yield from _faults(option, root, f"{at}|{index}", depth)
        return
    kinds = part.get("type")
    kinds = kinds if isinstance(kinds, list) else [kinds]
    if not set(kinds) <= TYPES:
        yield f"{at}: type {part.get('type')!r}"
    if "object" in kinds:
        yield from _object_faults(part, root, at, depth)
    if "array" in kinds:
        yield from _faults(part.get("items"), root, f"{at}[]", depth + 1)


def _object_faults(part: dict[str, Any], root: dict[str, Any], at: str, depth: int) -> Iterator[str]:
    properties = part.get("properties")
    if not isinstance(properties, dict) or part.get("additionalProperties") is not False:
        yield f"{at}: an open object"
        return
    if sorted(part.get("required", [])) != sorted(properties):
        yield f"{at}: not every field is required"
    for name, inside in properties.items():
        yield from _faults(inside, root, f"{at}.{name}", depth + 1)


def _properties(part: Any) -> int:
    if isinstance(part, list):
        return sum(map(_properties, part))
    if not isinstance(part, dict):
        return 0
    own = len(part["properties"]) if isinstance(part.get("properties"), dict) else 0
    return own + sum(map(_properties, part.values()))
