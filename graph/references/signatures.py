"""Arguments in a line for a planner, so that a call can be written: `(check_in: date, adults?: int >=1, board?: "RO"|"BB")`;
and results, so that a later call can refer to them before one was seen: `{stays: [{check_in: date}]}`.

Beside the type of an argument stand its bounds, those of a text or a list for its length.
"""

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from wavegraph.graph.decimals import decimal
from wavegraph.graph.errors import SettingsError
from wavegraph.graph.references.shapes import Schema, options_of, records, says_null

MOST_CHOICES, FEW_CHOICES = 200, 10
"""Of more choices a few are told."""
HUGE = 1e9
_DEEP = 2
"""Levels of records that are told of a result, or of what is said of arguments."""
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
    return f"({_fields(options_of(schema, schema)[0], schema, frozenset(), said)})"


def outline(tool: str, schema: Schema, wanted: Sequence[str] | None = None) -> str:
    """The fields of a result that are wanted, at any depth. `wanted`: None = all; empty if none is.

    Raises SettingsError for a field that the result does not have.
    """
    known = {name for part in records(schema) for name in part.get("properties", ())}
    if unknown := [name for name in wanted or () if name not in known]:
        raise SettingsError(f"tool {tool!r}: refer_to names {unknown}, which its result does not have")
    return "" if wanted is not None and not wanted else _kind(_outlined(schema, schema, wanted, _DEEP), {}, frozenset())


def _outlined(schema: Schema, root: Schema, wanted: Sequence[str] | None, depth: int) -> Schema:
    """The schema as far as it is told of a result: types and fields, what is behind a reference or beside a null."""
    options = options_of(schema, root) or [{}]
    schema = next((option for option in options if option.get("type") != "null"), options[0])
    told = {name: schema[name] for name in ("type", "format") if name in schema}
    if told.get("type") == "array":
        return {**told, "items": _outlined(schema.get("items", {}), root, wanted, depth)}
    names = [name for name in schema.get("properties", ()) if depth and (wanted is None or name in wanted)]
    fields = {name: _outlined(schema["properties"][name], root, wanted, depth - 1) for name in names}
    return {"type": "object", **told, "properties": fields, "required": names}


def notes(schema: Schema) -> dict[str, str]:
    """The description of each field, and of those fields of inner records (`a.b`) that have one, two deep."""
    return dict(_notes(options_of(schema, schema)[0], schema, "", _DEEP))


def notes_line(schema: Schema) -> str:
    """The notes in a line, behind a blank."""
    said = "; ".join(f"{name}: {words}" for name, words in notes(schema).items() if words)
    return f" {said}." if said else ""


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
        name = str(schema["$ref"]).rpartition("/")[2]
        return ["object"] if name in seen else _kinds(root["$defs"].get(name, {}), root, seen | {name})
    if options := schema.get("anyOf") or schema.get("oneOf"):
        return list(dict.fromkeys(kind for option in options for kind in _kinds(option, root, seen)))
    return [_kind(schema, root, seen)]


def _kind(schema: Schema, root: Schema, seen: frozenset[str]) -> str:
    if choices := schema.get("enum"):
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


def _notes(record: Schema, root: Schema, at: str, depth: int) -> Iterator[tuple[str, str]]:
    for name, schema in record.get("properties", {}).items():
        said = " ".join(str(schema.get("description", "")).split()).rstrip(".")
        if said or not at:
            yield f"{at}{name}", said
        options = options_of(schema, root)
        parts = [part for each in options for part in (each.get("items", {}), *each.get("prefixItems", ()))]
        for inner in (*options, *chain.from_iterable(options_of(part, root) for part in parts)) if depth else ():
            yield from _notes(inner, root, f"{at}{name}.", depth - 1)
