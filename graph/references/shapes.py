"""Declared types: where a path leads in a JSON schema (a tidy one, see `tidy`), and whether what is there fits an argument.

Undeclared values always pass: only what can never be right is refused.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NotRequired

from typing_extensions import TypedDict

from wavegraph.graph.errors import short_repr
from wavegraph.graph.references.paths import PathStep, Selector, as_number, as_plain, path_steps, values_in

Schema = Mapping[str, Any]
ANYTHING: Schema = {}
LONGEST_UNFIT = 80
"""Characters of a value that a message shows."""
_KINDS = {bool: "boolean", int: "integer", float: "number", str: "string", list: "array", dict: "object"}
_FITS = {
    "string": {"string", "integer", "number", "boolean"},
    "words": {"string", "boolean"},
    "integer": {"integer", "number", "string", "boolean"},
    "number": {"integer", "number", "string"},
    "boolean": {"boolean"},
    "object": {"object"},
    "array": {"array"},
}
"""What each type of value may be converted to; null and unknown types may be anything. `words` are strings that are
not numbers, such as dates."""


class Shape(TypedDict):
    """What an argument takes."""

    types: list[str]
    """JSON schema types."""
    items: NotRequired["Shape"]
    """The shape of a list's elements, if declared."""


class NoSuchPath(Exception):
    """A path that leads to nothing declared. `known`: the fields at the point where it fails."""

    def __init__(self, why: str, known: Sequence[str] = ()) -> None:
        super().__init__(why)
        self.known = list(known)


# Where a path leads


def at(root: Schema, path: Sequence[PathStep], schemas: Sequence[Schema] | None = None) -> list[Schema]:
    """The schemas that a value at `path` of a value of one of `schemas` (of `root`) may have, each without references.

    Raises NoSuchPath if there can be no such value.
    """
    found = options_of(root, root) if schemas is None else list(schemas)
    for step in path:
        inside = [option for schema in found for part in _step(schema, step, root) for option in options_of(part, root)]
        if not inside:
            raise _nowhere(found, step)
        found = inside
    return found


def options_of(schema: Schema, root: Schema, seen: frozenset[str] = frozenset()) -> list[Schema]:
    """The schemas that a value may have, with unions and references opened."""
    if (target := schema.get("$ref")) is not None:
        name = str(target).split("/")[-1]
        return [] if name in seen else options_of(root.get("$defs", {}).get(name, ANYTHING), root, seen | {name})
    options = schema.get("anyOf") or schema.get("oneOf")
    return [option for part in options for option in options_of(part, root, seen)] if options else [schema]


def _step(schema: Schema, step: PathStep, root: Schema) -> list[Schema]:
    """The schemas one step further; none = the step leads nowhere."""
    match schema.get("type"):
        case None:
            return [ANYTHING]
        case "array":
            return _elements(schema, step, root)
        case "object" if isinstance(step, str):
            others = schema.get("additionalProperties", "properties" not in schema)
            found = schema.get("properties", {}).get(step, others)
            return [ANYTHING if found is True else found] if found is not False else []
    return []


def _elements(schema: Schema, step: PathStep, root: Schema) -> list[Schema]:
    first = schema.get("prefixItems", [])
    parts = [*first, schema["items"]] if "items" in schema else first or [ANYTHING]
    if isinstance(step, Selector):
        options = [option for part in parts for option in options_of(part, root)]
        return [option for option in options if _has(option, step.field, root)]
    if isinstance(step, str) and not step.lstrip("-").isdigit():
        return []
    index = int(step)
    if index < 0:
        return parts
    return parts[min(index, len(first)) :][:1]


def _has(element: Schema, field: str, root: Schema) -> bool:
    try:
        return bool(at(root, path_steps(field), [element]))
    except NoSuchPath:
        return False


def _nowhere(schemas: list[Schema], step: PathStep) -> NoSuchPath:
    known = sorted({name for schema in schemas for name in schema.get("properties", ())})
    what = f"element [{step.field}={step.value}]" if isinstance(step, Selector) else f"element [{step}]"
    kinds = {schema["type"] for schema in schemas}
    instead = f"the fields are {known}" if known else f"this is of type {' or '.join(sorted(kinds))}"
    if isinstance(step, str) and not known and "array" in kinds:
        instead = f"this is a list; name an element of it first, such as [0].{step}"
    return NoSuchPath(f"there is no {f'field {step!r}' if isinstance(step, str) else what}; {instead}", known)


def says_null(schema: Schema) -> bool:
    """Whether null means something for a field: it may be null, and has another default."""
    return schema.get("default") is not None and any(each.get("type") == "null" for each in options_of(schema, {}))


def records(schema: Any) -> Iterator[Mapping[str, Any]]:
    """Every object in a schema, JSON's or pydantic's, itself first."""
    return (part for part in values_in(schema) if isinstance(part, Mapping))


# Whether it fits


def argument_shape(schemas: Sequence[Schema], root: Schema) -> Shape | None:
    """What an argument of one of these schemas takes; None = anything."""
    if not schemas or not all("type" in schema for schema in schemas):
        return None
    shape: Shape = {"types": sorted({schema["type"] for schema in schemas})}
    lists = [schema.get("items", ANYTHING) for schema in schemas if schema["type"] == "array"]
    if len(lists) == 1 and (items := argument_shape(options_of(lists[0], root), root)):
        shape["items"] = items
    return shape


def may_fit(schemas: Sequence[Schema], shape: Shape | None, root: Schema) -> bool:
    """Whether a value of one of these schemas may fit."""
    return shape is None or any("type" not in schema or _may_fit(schema, shape, root) for schema in schemas)


def _may_fit(schema: Schema, shape: Shape, root: Schema) -> bool:
    if schema["type"] == "array":
        known = options_of(schema.get("items", ANYTHING), root)
        return "array" in shape["types"] and may_fit(known, shape.get("items"), root)
    texts = [value for value in schema.get("enum", ()) if isinstance(value, str)]
    is_words = "format" in schema or (texts and all(as_number(value) is None for value in texts))
    kind = "words" if schema["type"] == "string" and is_words else schema["type"]
    return kind not in _FITS or not _FITS[kind].isdisjoint(shape["types"])


def kinds_of(schemas: Sequence[Schema]) -> str:
    """The types of these schemas, in words."""
    return " or ".join(sorted({schema["type"] for schema in schemas} - {"null"}))


def kind_of(value: Any) -> str:
    """The JSON schema type of a value that JSON has."""
    return _KINDS.get(type(value), "null")


def shape_words(shape: Shape) -> str:
    """What the argument takes, in words."""
    return " or ".join(kind for kind in shape["types"] if kind != "null")


def fitting_value(value: Any, shape: Shape | None) -> Any:
    """The value converted for the argument: a numeric text to a number, or the reverse.

    `True` is not a number. Raises ValueError for a value that does not fit.
    """
    if shape is None or value is None:
        return value
    types = set(shape["types"])
    match value:
        case int() | float() if not isinstance(value, bool):
            found = _number(value, types)
        case str() if "string" not in types and (number := as_number(value)) is not None and types & _NUMBERS:
            found = _number(number, types)
        case str():
            found = value if types & {"string", "boolean"} else None
        case list():
            found = [fitting_value(each, shape.get("items")) for each in value] if "array" in types else None
        case _:
            found = value if kind_of(value) in types else None
    if found is None:
        raise ValueError(f"{short_repr(value, LONGEST_UNFIT)} is not of type {shape_words(shape)}")
    return found


_NUMBERS = {"integer", "number"}


def _number(value: float, types: set[str]) -> Any:
    """None = it does not fit."""
    if "number" in types and "integer" not in types:
        try:
            return float(value)
        except OverflowError:
            raise ValueError(f"{short_repr(value, LONGEST_UNFIT)} is too large a number") from None
    if "number" in types:
        return value
    is_whole = isinstance(value, int) or value.is_integer()
    if "string" in types and not ("integer" in types and is_whole):
        return as_plain(value)
    return int(value) if is_whole and types & {"integer", "boolean"} else None
