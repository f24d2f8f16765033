"""JSON schemas of any author, put into the one form that the engine reads.

Every `$ref` leads to `$defs`; a type is one word, and stands wherever something is said of one; nothing is said by a boolean,
by `const`, `allOf` or `nullable`. What cannot be said so, or leads elsewhere (another file, nowhere), is anything: it is not
checked here.
"""

import re
from collections.abc import Mapping
from typing import Any

from wavegraph.graph.references.shapes import ANYTHING, Schema

_DEFINITIONS = "#/$defs/"
_DEEPEST = 50
"""Levels of a schema that are read; below them is anything."""


def tidy_schema(schema: Schema) -> dict[str, Any]:
    """The same schema in that form; it stands alone, with its `$defs`."""
    tidier = _Tidier(schema)
    made = tidier.part(schema, 0)
    return {**made, "$defs": tidier.defined} if tidier.defined else made


class _Tidier:
    def __init__(self, root: Schema) -> None:
        self._root = root
        self._names: dict[str, str] = {}
        """Names of definitions, by the pointer that led there."""
        self.defined: dict[str, Any] = {}

    def part(self, schema: Any, depth: int) -> dict[str, Any]:
        if not isinstance(schema, Mapping) or depth > _DEEPEST:
            return dict(ANYTHING)
        if "$ref" in schema:
            return self._reference(str(schema["$ref"]), schema)
        if isinstance(schema.get("allOf"), list):
            return self._merged(schema, depth)
        if "const" in schema:
            schema = {"enum": [schema["const"]], **{name: part for name, part in schema.items() if name != "const"}}
        if "type" not in schema and isinstance(values := schema.get("enum"), list) and values:
            kinds = [*dict.fromkeys(_SCALARS.get(type(value), "") for value in values)]
            if "" in kinds:  # of objects or lists
                return _kept(schema, "description")
            schema = {"type": kinds, **schema}
        if isinstance(kinds := schema.get("type"), list):
            return self._one_of_kinds(schema, kinds, depth)
        made = {name: part for name, part in schema.items() if name not in _SAID_OTHERWISE}
        # Beside a type they say which fields go together, or more of a text: that is not read.
        parts = ("prefixItems",) if {"type", "properties", "enum"} & set(schema) else ("anyOf", "oneOf", "prefixItems")
        made |= {name: [self.part(each, depth + 1) for each in schema[name]] for name in parts if name in schema}
        if isinstance(schema.get("properties"), Mapping):
            made["properties"] = {
                str(name): self.part(part, depth + 1)
                for name, part in schema["properties"].items()
                if part is not False
            }
            made.setdefault("type", "object")
        if isinstance(items := schema.get("items"), list):  # as older drafts write a tuple
            made["prefixItems"] = [self.part(each, depth + 1) for each in items]
        elif "items" in schema and items is not False:
            made["items"] = self.part(items, depth + 1)
        others = True if "patternProperties" in schema else schema.get("additionalProperties")
        if others is not None:
            made["additionalProperties"] = others if isinstance(others, bool) else self.part(others, depth + 1)
        if "items" in made or "prefixItems" in made:
            made.setdefault("type", "array")
        return {"anyOf": [made, {"type": "null"}]} if schema.get("nullable") is True else made

    def _one_of_kinds(self, schema: Mapping[str, Any], kinds: list[Any], depth: int) -> dict[str, Any]:
        """One option for each type, each with what is said of that type."""
        said = _kept(schema, "description", "default")
        rest = {name: part for name, part in schema.items() if name not in ("type", *said)}
        if "enum" in rest:
            rest["enum"] = [value for value in rest["enum"] if value is not None]
        options = [{"type": "null"} if kind == "null" else {**rest, "type": kind} for kind in kinds]
        made = [self.part(option, depth + 1) for option in options]
        return {**(made[0] if len(made) == 1 else {"anyOf": made}), **said}

    def _merged(self, schema: Mapping[str, Any], depth: int) -> dict[str, Any]:
        """The schema with the fields of its `allOf` parts; if they cannot be merged, a schema that allows anything."""
        made = self.part({name: part for name, part in schema.items() if name != "allOf"}, depth + 1)
        for part in schema["allOf"]:
            found = self.part(part, depth + 1)
            if "$ref" in found:  # while it is defined itself it is anything
                found = self.defined[found["$ref"].removeprefix(_DEFINITIONS)]
            clash = made.get("type", found.get("type")) != found.get("type", made.get("type"))
            if clash or {"anyOf", "oneOf"} & set(found) & set(made):
                return _kept(made, "description", "title")
            both = {
                "properties": {**made.get("properties", {}), **found.get("properties", {})},
                "required": [*dict.fromkeys([*made.get("required", ()), *found.get("required", ())])],
            }
            made = {**made, **found, **{name: part for name, part in both.items() if part}}
        return made

    def _reference(self, pointer: str, schema: Mapping[str, Any]) -> dict[str, Any]:
        said = _kept(schema, "description")
        if not isinstance(target := self._target(pointer), Mapping):
            return said
        if pointer not in self._names:
            name = re.sub(r"\W", "_", pointer.rpartition("/")[2].strip("#")) or "root"
            while name in self._names.values():
                name += "_"
            self._names[pointer] = name
            self.defined[name] = {}  # its place, in the order they are met
            self.defined[name] = self.part(target, 0)
        return {"$ref": f"{_DEFINITIONS}{self._names[pointer]}", **said}

    def _target(self, pointer: str) -> Any:
        """What a pointer leads to in this schema; None = nothing."""
        found: Any = self._root if pointer.startswith("#") else None
        try:
            for step in pointer.split("/")[1:]:
                key = step.replace("~1", "/").replace("~0", "~")
                found = found[int(key)] if isinstance(found, list) else found[key]
        except (LookupError, TypeError, ValueError):
            return None
        return found


def _kept(schema: Mapping[str, Any], *names: str) -> dict[str, Any]:
    return {name: schema[name] for name in names if name in schema}


_SCALARS = {str: "string", bool: "boolean", int: "integer", float: "number", type(None): "null"}


_SAID_OTHERWISE = frozenset({
    "items", "nullable", "$schema", "$id", "$defs", "definitions", "if", "then", "else", "not", "dependentSchemas",
    "properties", "patternProperties", "additionalProperties", "anyOf", "oneOf", "prefixItems",
})  # fmt: skip
