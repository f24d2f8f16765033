"""A JSON schema in which nothing stands twice: what recurs is defined once and referred to."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

Schema = dict[str, Any]
_WORTH_IT = 60
"""Characters from which on a reference is shorter, a definition included."""


def said_once(schema: Schema) -> Schema:
    """The same schema, shorter. A definition has the name of the field that it is the form of, or of its type where it is
    that of several."""
    schema = _without_twins(schema)
    sharing = _Sharing(schema)
    root = sharing.inside({name: part for name, part in schema.items() if name != "$defs"})
    given = {name: sharing.inside(part) for name, part in schema.get("$defs", {}).items()}
    return {**root, "$defs": {**given, **sharing.definitions}}


def _without_twins(schema: Schema) -> Schema:
    """Without definitions that say the same as one before."""
    first: dict[str, str] = {}
    for name, part in schema.get("$defs", {}).items():
        first.setdefault(json.dumps(part), name)
    twins = {name: first[json.dumps(part)] for name, part in schema.get("$defs", {}).items()}
    if all(name == kept for name, kept in twins.items()):
        return schema
    kept = {name: part for name, part in schema["$defs"].items() if twins[name] == name}
    return _without_twins(_renamed({**schema, "$defs": kept}, twins))


def _renamed(schema: Any, names: Mapping[str, str]) -> Any:
    """With every reference under the new name of what it leads to."""
    if isinstance(schema, list):
        return [_renamed(part, names) for part in schema]
    if not isinstance(schema, dict):
        return schema
    if isinstance(pointer := schema.get("$ref"), str):
        own = pointer.removeprefix("#/$defs/")
        return {"$ref": f"#/$defs/{names.get(own, own)}"}
    return {key: _renamed(part, names) for key, part in schema.items()}


class _Sharing:
    def __init__(self, schema: Schema) -> None:
        self._times: Counter[str] = Counter()
        self._fields: dict[str, set[str]] = defaultdict(set)
        """That each part is the form of."""
        self._names: dict[str, str] = {}
        self._taken = set(schema.get("$defs", {}))
        self.definitions: Schema = {}
        for part in (schema, *schema.get("$defs", {}).values()):
            self._count(part)

    def _count(self, schema: Schema) -> None:
        """What stands inside something that recurs counts once: it is defined once with it."""
        for field, part in _parts(schema):
            text = json.dumps(part)
            self._times[text] += 1
            self._fields[text].add(field)
            if self._times[text] == 1:
                self._count(part)

    def inside(self, schema: Schema) -> Schema:
        """The schema itself, with references inside it."""
        shared = dict(schema)
        if "properties" in schema:
            shared["properties"] = {name: self._part(name, part) for name, part in schema["properties"].items()}
        if "items" in schema:
            shared["items"] = self._part("item", schema["items"])
        if _is_described_union(schema):
            union = self._part(_kind(schema), {"anyOf": schema["anyOf"]})
            shared["anyOf"] = [union] if "$ref" in union else union["anyOf"]
        elif "anyOf" in schema:
            shared["anyOf"] = [self._part(_kind(schema), part) for part in schema["anyOf"]]
        return shared

    def _part(self, name: str, part: Schema) -> Schema:
        text = json.dumps(part)
        if self._times[text] < 2 or len(text) < _WORTH_IT:
            return self.inside(part)
        if text not in self._names:
            is_of_one_field = len(self._fields[text]) == 1 or "anyOf" not in part
            self._names[text] = own = self._free(name if is_of_one_field else _kind(part))
            self.definitions[own] = {}  # keeps its place, and its name
            self.definitions[own] = self.inside(part)
        return {"$ref": f"#/$defs/{self._names[text]}"}

    def _free(self, name: str) -> str:
        number = 1
        own = name
        while own in self._taken:
            number += 1
            own = f"{name}_{number}"
        self._taken.add(own)
        return own


def _parts(schema: Schema) -> Iterator[tuple[str, Schema]]:
    """The schemas directly inside, by field; a described union holds the bare one."""
    yield from schema.get("properties", {}).items()
    if "items" in schema:
        yield "item", schema["items"]
    if _is_described_union(schema):
        yield "", {"anyOf": schema["anyOf"]}
    else:
        yield from (("", part) for part in schema.get("anyOf", ()))


def _is_described_union(schema: Schema) -> bool:
    return "anyOf" in schema and "description" in schema and len(schema["anyOf"]) > 1


def _kind(schema: Mapping[str, Any]) -> str:
    """A name for a union: the type of its first option."""
    kind = schema["anyOf"][0].get("type", "value")
    nothing = "_or_null" if {"type": "null"} in schema["anyOf"] else ""
    return f"{kind}{nothing}" if isinstance(kind, str) else "value"
