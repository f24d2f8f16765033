"""Arguments in a line for a planner, so that a call can be written: `(check_in: date, adults?: int >=1, board?: "RO"|"BB")`.

In the words that `outlines` has for results; beside a type stand its bounds, those of a text or a list for its length.
"""

import json
import sys
from collections.abc import Iterator, Mapping

from wavegraph.graph.decimals import decimal
from wavegraph.graph.references.shapes import Schema, says_null

MOST_CHOICES, FEW_CHOICES = 200, 10
"""Of more choices a few are told."""
HUGE = 1e9
_SHORT = {"string": "text", "integer": "int", "boolean": "bool"}
_BOUNDS = {
    "minimum": " >=", "exclusiveMinimum": " >", "maximum": " <=", "exclusiveMaximum": " <", "minLength": " >=",
    "maxLength": " <=", "minItems": " >=", "maxItems": " <=", "pattern": " like ",
}  # fmt: skip
_LONG: Mapping[str, range] = {"maxLength": range(40, sys.maxsize), "maxItems": range(100, sys.maxsize)}


def signature(schema: Schema, said: dict[str, str] | None = None) -> str:
    """The fields of an object whose schema is tidy, in brackets; `?` = it may be left out.

    `said`: what was said last of fields by their names; the same of one of that name is not said again. It grows.
    """
    return f"({_fields(_record(schema, schema), schema, frozenset(), said)})"


def notes(schema: Schema) -> dict[str, str]:
    """The description of each field, and of those fields of inner records (`a.b`) that have one."""
    return dict(_notes(_record(schema, schema), schema, "", frozenset()))


def notes_line(schema: Schema) -> str:
    """The notes in a line, behind a blank."""
    said = "; ".join(f"{name}: {words}" for name, words in notes(schema).items() if words)
    return f" {said}." if said else ""


def _record(schema: Schema, root: Schema) -> Schema:
    """The schema itself, behind a reference; empty = it leads nowhere."""
    return root.get("$defs", {}).get(_name(schema), {}) if "$ref" in schema else schema


def _name(schema: Schema) -> str:
    return str(schema["$ref"]).rpartition("/")[2]


def _fields(record: Schema, root: Schema, seen: frozenset[str], said: dict[str, str] | None = None) -> str:
    needed = record.get("required", ())
    kinds = {name: _type(part, name in needed, root, seen) for name, part in record.get("properties", {}).items()}
    before = dict.fromkeys(kinds, "text") | (said or {})
    if said is not None:
        said |= kinds
    shown = {name: "" if kind == before[name] else f": {kind}" for name, kind in kinds.items()}
    return ", ".join(f"{name}{'' if name in needed else '?'}{kind}" for name, kind in shown.items())


def _type(schema: Schema, is_needed: bool, root: Schema, seen: frozenset[str]) -> str:
    """Its type and default."""
    kinds = _kinds(schema, root, seen)
    if says_null(schema):
        return f"{'|'.join(kinds)} = {json.dumps(schema['default'], ensure_ascii=False)}"
    return "|".join(kind for kind in kinds if is_needed or kind != "null")


def _kinds(schema: Schema, root: Schema, seen: frozenset[str]) -> list[str]:
    """The type of each option; where a record holds itself, the inner one is an `object`."""
    if "$ref" in schema:
        name = _name(schema)
        return ["object"] if name in seen else _kinds(_record(schema, root), root, seen | {name})
    if options := schema.get("anyOf") or schema.get("oneOf"):
        return list(dict.fromkeys(kind for option in options for kind in _kinds(option, root, seen)))
    return [_kind(schema, root, seen)]


def _kind(schema: Schema, root: Schema, seen: frozenset[str]) -> str:
    if choices := schema.get("enum", [schema["const"]] if "const" in schema else []):
        words = [json.dumps(each, ensure_ascii=False) for each in choices]
        return "|".join(words if len(words) <= MOST_CHOICES else [*words[:FEW_CHOICES], f"… (one of {len(words)})"])
    others = schema.get("additionalProperties")
    if "prefixItems" in schema:
        base = f"[{', '.join('|'.join(_kinds(part, root, seen)) for part in schema['prefixItems'])}]"
    elif schema.get("type") == "array":
        base = f"[{'|'.join(_kinds(schema.get('items', {}), root, seen))}]"
    elif schema.get("properties"):
        base = f"{{{_fields(schema, root, seen)}}}"
    elif isinstance(others, Mapping):
        base = f"{{any name: {'|'.join(_kinds(others, root, seen))}}}"
    else:
        kind = str(schema.get("format") or schema.get("type") or "any")
        base = _SHORT.get(kind, kind)
    return base + "".join(_bounds(schema))


def _bounds(schema: Schema) -> Iterator[str]:
    """The bounds of a field, but for those that a model meets anyway: an empty text, a very long text or list, a huge number."""
    for name, bound in ((each, schema[each]) for each in _BOUNDS if each in schema):
        is_huge = name in ("maximum", "minimum") and abs(bound) >= HUGE
        if not (is_huge or (name == "minLength" and bound <= 1) or bound in _LONG.get(name, ())):
            yield f"{_BOUNDS[name]}{decimal(bound, 10) if isinstance(bound, float) else bound}"


def _notes(record: Schema, root: Schema, at: str, seen: frozenset[str]) -> Iterator[tuple[str, str]]:
    for name, schema in record.get("properties", {}).items():
        said = " ".join(str(schema.get("description", "")).split()).rstrip(".")
        if said or not at:
            yield f"{at}{name}", said
        for inner, known in _records(schema, root, seen):
            yield from _notes(inner, root, f"{at}{name}.", known)


def _records(schema: Schema, root: Schema, seen: frozenset[str]) -> Iterator[tuple[Schema, frozenset[str]]]:
    """The records that a field may hold, one or in a list."""
    if "$ref" in schema:
        if (name := _name(schema)) not in seen:
            yield from _records(_record(schema, root), root, seen | {name})
        return
    for part in [*schema.get("anyOf", ()), *schema.get("oneOf", ()), *schema.get("prefixItems", ())]:
        yield from _records(part, root, seen)
    if isinstance(schema.get("items"), Mapping):
        yield from _records(schema["items"], root, seen)
    if schema.get("properties"):
        yield schema, seen
