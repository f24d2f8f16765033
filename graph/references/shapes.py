"""What is declared of a value: where a path leads in a JSON schema, and whether what lies there fits an argument.

Nothing is said where nothing is declared: an alarm is raised only about what can never be right.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NotRequired

from typing_extensions import TypedDict

from wavegraph.graph.errors import short_repr
from wavegraph.graph.references.paths import PathStep, Selector, as_number, as_plain, path_steps

Schema = Mapping[str, Any]
ANYTHING: Schema = {}
LONGEST_UNFIT = 80
"""Characters of a value that a message shows."""
_TELLING = ("type", "enum", "const", "properties", "items", "prefixItems")
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
"""What may be made of each kind of value, but of null and what is no kind of JSON schema: those stand for anything.
`words` are strings that spell no number, such as dates."""


class Shape(TypedDict):
    """What an argument takes."""

    types: list[str]
    """Of JSON schema."""
    items: NotRequired["Shape"]
    """Of a list's elements, where they are declared."""


class NoSuchPath(Exception):
    """A path that leaves what is declared. `known`: the fields there are where it does."""

    def __init__(self, why: str, known: Sequence[str] = ()) -> None:
        super().__init__(why)
        self.known = list(known)


class Unfit(ValueError):
    """A value that an argument does not take."""


# Where a path leads


def at(root: Schema, path: Sequence[PathStep]) -> list[Schema]:
    """What may lie at `path` of a value of this schema: one or several schemas, each without references.

    Raises NoSuchPath where nothing can.
    """
    return _at(_options(root, root), path, root)


def elements_of(places: list[Schema], path: Sequence[PathStep], root: Schema) -> list[Schema]:
    """What may lie at `path` of the elements of lists of these schemas. Raises NoSuchPath."""
    return _at(places, [-1, *path], root)


def _at(places: list[Schema], path: Sequence[PathStep], root: Schema) -> list[Schema]:
    for step in path:
        inside = [option for place in places for part in _step(place, step, root) for option in _options(part, root)]
        if not inside:
            raise _nowhere(places, step)
        places = inside
    return places


def _options(schema: Any, root: Schema, seen: frozenset[str] = frozenset()) -> list[Schema]:
    """The schemas that a value may have by this one: unions and references opened."""
    if not isinstance(schema, Mapping):
        return [] if schema is False else [ANYTHING]
    if (target := schema.get("$ref")) is not None:
        name = str(target).split("/")[-1]
        return [] if name in seen else _options(root.get("$defs", {}).get(name, ANYTHING), root, seen | {name})
    for union in ("anyOf", "oneOf", "allOf"):
        if union in schema:
            return [option for part in schema[union] for option in _options(part, root, seen)]
    if isinstance(schema.get("type"), list):
        return [{**schema, "type": kind} for kind in schema["type"]]
    return [schema]


def _is_anything(schema: Schema) -> bool:
    return not any(key in schema for key in _TELLING)


def _is_list(schema: Schema) -> bool:
    return schema.get("type") == "array" or "items" in schema or "prefixItems" in schema


def _step(place: Schema, step: PathStep, root: Schema) -> Iterator[Any]:
    """What lies one step further; nothing = the step leads nowhere."""
    if _is_anything(place):
        yield ANYTHING
    elif _is_list(place):
        yield from _elements(place, step, root)
    elif isinstance(step, str) and (place.get("type") == "object" or "properties" in place):
        yield from _field(place, step)


def _elements(place: Schema, step: PathStep, root: Schema) -> Iterator[Any]:
    if isinstance(step, Selector):
        for part in [*place.get("prefixItems", ()), place.get("items", not place.get("prefixItems"))]:
            yield from (option for option in _options(part, root) if _has(option, step.field, root))
        return
    if isinstance(step, str) and not step.lstrip("-").isdigit():
        return
    first = place.get("prefixItems", ())
    index = int(step)
    if index < 0 or not first:
        yield from first
        yield place.get("items", not first)
    else:
        yield first[index] if index < len(first) else place.get("items", False)


def _has(element: Schema, field: str, root: Schema) -> bool:
    try:
        return bool(_at([element], path_steps(field), root))
    except NoSuchPath:
        return False


def _field(place: Schema, name: str) -> Iterator[Any]:
    known = place.get("properties", {})
    if name in known:
        yield known[name]
    elif "patternProperties" in place:
        yield ANYTHING
    else:
        yield place.get("additionalProperties", "properties" not in place)


def _nowhere(places: list[Schema], step: PathStep) -> NoSuchPath:
    known = sorted({name for place in places for name in place.get("properties", ())})
    what = (
        f"[{step.field}={step.value}]" if isinstance(step, Selector) else f"[{step}]" if isinstance(step, int) else step
    )
    if known and isinstance(step, str):
        return NoSuchPath(f"there is no field {what!r}; the fields are {known}", known)
    if known:
        return NoSuchPath(f"{what} selects an element, but this is not a list; its fields are {known}", known)
    if any(_is_list(place) for place in places):
        if isinstance(step, str):
            return NoSuchPath(f"{what!r} is a field, but this is a list; name an element first, such as [0].{what}")
        return NoSuchPath(f"the list has no {what}")
    kinds = sorted({str(place.get("type", "value")) for place in places})
    return NoSuchPath(f"{what!r} does not exist in a value of type {' or '.join(kinds)}")


# Whether it fits


def taken(places: Sequence[Schema], root: Schema) -> Shape | None:
    """What an argument of one of these schemas takes; None = anything."""
    if not places or any(_is_anything(place) for place in places):
        return None
    shape: Shape = {"types": sorted({kind for place in places for kind in _types(place)})}
    lists = [place for place in places if _is_list(place)]
    if len(lists) == 1 and "items" in lists[0] and (items := taken(_options(lists[0]["items"], root), root)):
        shape["items"] = items
    return shape


def may_fit(places: Sequence[Schema], shape: Shape | None, root: Schema) -> bool:
    """Whether a value of one of these schemas may be taken."""
    if shape is None or any(_is_anything(place) for place in places):
        return True
    return any(_may_fit(place, shape, root) for place in places)


def _may_fit(place: Schema, shape: Shape, root: Schema) -> bool:
    if _is_list(place):
        items = shape.get("items")
        known = _options(place["items"], root) if "items" in place else [ANYTHING]
        return "array" in shape["types"] and may_fit(known, items, root)
    return any(kind not in _FITS or _FITS[kind] & set(shape["types"]) for kind in _kinds(place))


def kinds_of(places: Sequence[Schema]) -> str:
    """What lies there, in words."""
    return " or ".join(sorted({kind for place in places for kind in _types(place)} - {"null"}))


def _types(place: Schema) -> set[str]:
    if isinstance(place.get("type"), str):
        return {place["type"]}
    values = place.get("enum") or ([place["const"]] if "const" in place else [])
    found = {_KINDS.get(type(value), "null") for value in values}
    return found or ({"array"} if _is_list(place) else {"object"})


def _kinds(place: Schema) -> set[str]:
    spelled = [value for value in place.get("enum", [place.get("const")]) if isinstance(value, str)]
    no_number = "format" in place or (spelled and all(as_number(value) is None for value in spelled))
    return {"words" if kind == "string" and no_number else kind for kind in _types(place)}


def named(shape: Shape) -> str:
    """What the argument takes, in words."""
    return " or ".join(kind for kind in shape["types"] if kind != "null")


def fitted(value: Any, shape: Shape | None) -> Any:
    """The value as the argument spells it: a number for a text that is one, or the reverse.

    `True` is no number. Raises Unfit.
    """
    if shape is None or value is None:
        return value
    types = set(shape["types"])
    match value:
        case bool():
            fits = "boolean" in types
        case int() | float():
            return _number(value, types)
        case str():
            return _text(value, types)
        case list():
            if "array" in types:
                return [fitted(each, shape.get("items")) for each in value]
            fits = False
        case _:
            fits = "object" in types
    if not fits:
        raise Unfit(f"{short_repr(value, LONGEST_UNFIT)} is not of type {named(shape)}")
    return value


def _number(value: float, types: set[str]) -> Any:
    whole = isinstance(value, int) or value.is_integer()
    if "number" in types:
        return value if "integer" in types else _as_float(value)
    if "integer" in types and whole:
        return int(value)
    if "string" in types:
        return as_plain(value)
    if "boolean" in types and whole:
        return int(value)
    raise Unfit(f"{value!r} is not of type {named({'types': sorted(types)})}")


def _as_float(value: float) -> float:
    try:
        return float(value)
    except OverflowError:
        raise Unfit(f"{short_repr(value, LONGEST_UNFIT)} is too large a number") from None


def _text(value: str, types: set[str]) -> Any:
    if "string" in types:
        return value
    if {"integer", "number"} & types and (number := as_number(value)) is not None:
        return _number(number, types)
    if "boolean" in types:
        return value
    raise Unfit(f"{short_repr(value, LONGEST_UNFIT)} is not of type {named({'types': sorted(types)})}")
