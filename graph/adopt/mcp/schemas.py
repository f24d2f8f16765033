"""What a server declares of a tool's arguments and results, held against what it gives."""

import logging
from collections.abc import Mapping
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError, best_match
from jsonschema.validators import validator_for
from referencing import Registry
from referencing.exceptions import Unresolvable
from referencing.jsonschema import DRAFT202012

from wavegraph.graph.references.shapes import records

logger = logging.getLogger("wavegraph")

LONGEST_FAULT = 300


class Shape:
    """A declared schema of results; an unusable one, and None, hold nothing against any."""

    def __init__(self, schema: Any) -> None:
        self.schema: Mapping[str, Any] | None = schema if _is_usable(schema) else None
        self._validator: Any = _kind(schema)(schema) if self.schema else None

    @property
    def is_closed(self) -> bool:
        """Whether a result may have no keys besides the declared ones."""
        return self.schema is not None and self.schema.get("additionalProperties") is False

    def fault_of(self, data: Any) -> str:
        """Why data does not fit; empty = it does."""
        if self._validator is None:
            return ""
        if data is None:
            return "no structured content"
        found = best_match(self._validator.iter_errors(data))
        if found is None:
            return ""
        place = ".".join(map(str, found.absolute_path)) or "the result"
        fault = f"{place}: {found.message}"
        return fault if len(fault) <= LONGEST_FAULT else f"{fault[:LONGEST_FAULT]}…"


def arguments_schema(given: Any) -> dict[str, Any]:
    """A tool's arguments as an object's schema; anything else than one is taken for no arguments."""
    if not isinstance(given, dict) or given.get("type", "object") != "object":
        return {"type": "object", "properties": {}}
    if not given.get("properties"):  # any keys, or none are told: a planner could name no argument
        given = {key: part for key, part in given.items() if key not in ("additionalProperties", "patternProperties")}
    return {**given, "type": "object", "properties": given.get("properties") or {}}


def _is_usable(schema: Any) -> bool:
    """Whether it is a schema, and every reference of it leads somewhere within it."""
    if not isinstance(schema, dict) or not schema:
        return False
    resolver = Registry[Any]().resolver_with_root(DRAFT202012.create_resource(schema))  # which fetches nothing
    try:
        _kind(schema).check_schema(schema)
        for part in records(schema):
            for reference in map(part.get, ("$ref", "$dynamicRef")):
                if isinstance(reference, str):
                    resolver.lookup(reference)
    except (SchemaError, Unresolvable, RecursionError):
        return False
    return True


def _kind(schema: Mapping[str, Any]) -> Any:
    return validator_for(schema, default=Draft202012Validator)
