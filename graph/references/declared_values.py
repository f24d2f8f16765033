"""Values held against a JSON schema: arguments of tools that bring no model of their own."""

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from pydantic_core import InitErrorDetails, PydanticCustomError, ValidationError

from wavegraph.graph.references.paths import as_reference, as_text, with_plain_text
from wavegraph.graph.references.shapes import (
    Schema,
    Unfit,
    argument_shape,
    fitting_value,
    kind_of,
    options_of,
    says_null,
)
from wavegraph.graph.secrets.ways_out import error_text

_Where = tuple[str | int, ...]
_BOUNDS: Mapping[str, tuple[Callable[[Any, Any], bool], str]] = {
    "minimum": (lambda value, bound: value >= bound, "at least {}"),
    "maximum": (lambda value, bound: value <= bound, "at most {}"),
    "exclusiveMinimum": (lambda value, bound: value > bound, "more than {}"),
    "exclusiveMaximum": (lambda value, bound: value < bound, "less than {}"),
    "minLength": (lambda value, bound: len(value) >= bound, "at least {} characters"),
    "maxLength": (lambda value, bound: len(value) <= bound, "at most {} characters"),
    "minItems": (lambda value, bound: len(value) >= bound, "at least {} elements"),
    "maxItems": (lambda value, bound: len(value) <= bound, "at most {} elements"),
}
_OF_KIND = {"number": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), "string": ("minLength", "maxLength"),
            "array": ("minItems", "maxItems")}  # fmt: skip


def read_values(values: Mapping[str, Any], schema: Schema, title: str) -> dict[str, Any]:
    """The values as a tidy schema takes them: converted where that makes them fit, and without nulls that mean "left out".
    References stay as they are. Raises ValidationError, with every fault.
    """
    reader = _Reader(schema)
    found = reader.read_object(values, schema, ())
    if reader.faults:
        raise ValidationError.from_exception_data(title, reader.faults)
    return found


def as_meant(value: Any, schemas: Sequence[Schema], root: Schema) -> Any:
    """The value with what models often write otherwise, where it can mean only one thing: JSON in a text where no text is
    declared, one record or number for a list, a null or a choice spelt otherwise. References stay as they are."""
    if isinstance(value, str):
        value = _meaning_of(value, schemas)
    if not any("with" in each.get("properties", ()) for each in schemas):
        value = with_plain_text(value)
    if isinstance(value, dict) and (as_reference(value) is not None or set(value) == {"text", "with"}):
        return value
    lists = [each for each in schemas if each.get("type") == "array"]
    if isinstance(value, dict | int | float) and lists and all(each in lists or _is_null(each) for each in schemas):
        value = [value]
    if isinstance(value, list):
        items = [option for each in schemas if "items" in each for option in options_of(each["items"], root)]
        return [as_meant(each, items, root) for each in value]
    if not isinstance(value, dict):
        return value
    known = [
        (name, option)
        for each in schemas
        for name, part in each.get("properties", {}).items()
        for option in options_of(part, root)
    ]
    return {name: as_meant(part, [each for of, each in known if of == name], root) for name, part in value.items()}


def _meaning_of(text: str, schemas: Sequence[Schema]) -> Any:
    """What a text stands for where these are declared."""
    free = [each for each in schemas if _CHOSEN.isdisjoint(each)]
    is_text = not schemas or any(each.get("type") == "string" or "string" in _types(each, "string") for each in free)
    if (text in _NOTHING or not (text or is_text)) and any(map(_is_null, schemas)):
        return None
    if is_text:
        return text
    if text.lstrip()[:1] in ("{", "["):
        return _json_in(text)
    choices = [each for schema in schemas for each in schema.get("enum", [schema.get("const")])]
    return known_spelling(text, [each for each in choices if isinstance(each, str)])


_NOTHING = ("null", "None")
_CHOSEN = frozenset({"enum", "const", "format"})


def _types(schema: Schema, otherwise: str) -> list[str]:
    """The types of a schema; where it says none, another."""
    shape = argument_shape([schema], {})
    return shape["types"] if shape else [otherwise]


def _is_null(schema: Schema) -> bool:
    return schema.get("type") == "null"


def known_spelling(word: str, known: Iterable[str]) -> str:
    """The only known word with the same letters and digits; else the word itself."""
    found = [each for each in known if _letters(each) == _letters(word)]
    return found[0] if len(found) == 1 and _letters(word) else word


def _letters(word: str) -> str:
    return "".join(filter(str.isalnum, word.casefold()))


def _json_in(text: str) -> Any:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return found if isinstance(found, dict | list) else text


class _Reader:
    def __init__(self, root: Schema) -> None:
        self._root = root
        self.faults: list[InitErrorDetails] = []

    def read_object(self, value: Mapping[str, Any], schema: Schema, at: _Where) -> dict[str, Any]:
        known: Mapping[str, Any] = schema.get("properties", {})
        needed = schema.get("required", ())
        given = {
            name: part
            for name, part in value.items()
            if part is not None or name in needed or name not in known or says_null(known[name])
        }
        others = schema.get("additionalProperties")
        for name in (each for each in needed if each not in given):
            self._fault("missing", "Field required", (*at, name), value)
        for name in sorted(set(given) - set(known)) if others is False else ():
            self._fault("unknown", f"there is no such field; the fields are {sorted(known)}", (*at, name), given[name])
        return {
            name: self._read(part, known.get(name, others if isinstance(others, Mapping) else {}), (*at, name))
            for name, part in given.items()
        }

    def _read(self, value: Any, schema: Schema, at: _Where) -> Any:
        if as_reference(value) is not None or as_text(value) is not None:
            return value
        options = options_of(schema, self._root)
        if (shape := argument_shape(options, self._root)) is None:
            return value
        fits = [option for option in options if _is_kind(value, option)]
        if not fits and value is not None:
            try:
                value = fitting_value(value, shape)
            except Unfit as error:
                self._fault("type", error_text(error), at, value)
                return value
            fits = [option for option in options if _is_kind(value, option)]
        if not fits:
            self._fault("type", f"expected {' or '.join(shape['types'])}", at, value)
        return self._best(value, fits, at) if fits else value

    def _best(self, value: Any, options: Sequence[Schema], at: _Where) -> Any:
        """The value as the first option without a fault reads it; if each finds one, as the first option does, with its faults."""
        before = self.faults
        tries = []
        for option in options:
            self.faults = []
            tries.append((self._of_kind(value, option, at), self.faults))
            if not self.faults:
                break
        found, faults = next((each for each in tries if not each[1]), tries[0])
        self.faults = [*before, *faults]
        return found

    def _of_kind(self, value: Any, option: Schema, at: _Where) -> Any:
        allowed = option.get("enum", [option["const"]] if "const" in option else None)
        if allowed is not None and not any(value == each and type(value) is type(each) for each in allowed):
            self._fault("enum", f"expected one of {', '.join(map(repr, allowed))}", at, value)
        for wrong in _out_of_bounds(value, option):
            self._fault("bounds", f"expected {wrong}", at, value)
        if isinstance(value, dict):
            return self.read_object(value, option, at)
        if isinstance(value, list):
            first, rest = option.get("prefixItems", ()), option.get("items", {})
            return [self._read(each, first[n] if n < len(first) else rest, (*at, n)) for n, each in enumerate(value)]
        return value

    def _fault(self, kind: str, why: str, at: _Where, value: Any) -> None:
        error = PydanticCustomError(kind, "{why}", {"why": why})
        self.faults.append(InitErrorDetails(type=error, loc=at, input=value))


def _is_kind(value: Any, option: Schema) -> bool:
    """Whether the value is of the option's type as it stands."""
    kind = kind_of(value)
    kinds = _types(option, kind)
    return kind in kinds or (kind == "integer" and "number" in kinds)


def _out_of_bounds(value: Any, option: Schema) -> Iterator[str]:
    if isinstance(value, float) and not math.isfinite(value):
        yield "a finite number"
        return
    for name in _OF_KIND.get(kind_of(value).replace("integer", "number"), ()):
        bound, (holds, words) = option.get(name), _BOUNDS[name]
        if type(bound) in (int, float) and not holds(value, bound):
            yield words.format(bound)
