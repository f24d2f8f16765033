"""Values held against a JSON schema: arguments of tools that bring no model of their own."""

import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from pydantic import ValidatorFunctionWrapHandler
from pydantic_core import CoreConfig, CoreSchema, PydanticCustomError, SchemaValidator, core_schema

from wavegraph.graph.references.paths import as_reference, as_text
from wavegraph.graph.references.shapes import Schema, options_of, says_null

_OF_NUMBERS = {"minimum": "ge", "maximum": "le", "exclusiveMinimum": "gt", "exclusiveMaximum": "lt"}
_BOUNDS: Mapping[str, Mapping[str, str]] = {
    "integer": _OF_NUMBERS,
    "number": _OF_NUMBERS,
    "string": {"minLength": "min_length", "maxLength": "max_length"},
    "array": {"minItems": "min_length", "maxItems": "max_length"},
}
"""What pydantic calls the bounds of a type."""


def reader_of(schema: Schema, title: str) -> SchemaValidator:
    """Reads values as a tidy schema takes them: converted where that makes them fit, and without nulls that mean "left out".
    References stay as they are. Raises ValidationError, with every fault.
    """
    parts = [{**_core(part), "ref": name} for name, part in schema.get("$defs", {}).items()]
    whole = core_schema.definitions_schema(_core(schema), parts)  # type: ignore[arg-type]
    return SchemaValidator(whole, CoreConfig(title=title))


def as_meant(value: Any, schemas: Sequence[Schema], root: Schema) -> Any:
    """The value with what models often write otherwise, where it can mean only one thing: JSON in a text where no text is
    declared, one record or number for a list, a null or a choice spelt otherwise. References stay as they are."""
    if not schemas or (isinstance(value, str) and isinstance(value := _meaning_of(value, schemas), str)):
        return value
    if as_reference(value) is not None or as_text(value) is not None:
        return value
    if isinstance(value, dict | int | float) and "array" in (kinds := _kinds(schemas)) and kinds <= {"array", "null"}:
        value = [value]
    if isinstance(value, list):
        items = [option for each in schemas if "items" in each for option in options_of(each["items"], root)]
        return [as_meant(each, items, root) for each in value]
    if not isinstance(value, dict):
        return value
    known = [each["properties"] for each in schemas if "properties" in each]
    options = {
        name: [option for each in known if name in each for option in options_of(each[name], root)] for name in value
    }
    return {name: as_meant(part, options[name], root) for name, part in value.items()}


def _meaning_of(text: str, schemas: Sequence[Schema]) -> Any:
    """What a text stands for where these are declared."""
    is_text = any(each.get("type", "string") == "string" and _CHOSEN.isdisjoint(each) for each in schemas)
    if (text in _NOTHING or not (text or is_text)) and "null" in _kinds(schemas):
        return None
    if is_text:
        return text
    if text.lstrip()[:1] in ("{", "["):
        with suppress(ValueError, RecursionError):
            return json.loads(text)
        return text
    choices = [each for schema in schemas for each in schema.get("enum", ())]
    return known_spelling(text, [each for each in choices if isinstance(each, str)])


_NOTHING = ("null", "None")
_CHOSEN = frozenset({"enum", "format"})


def _kinds(schemas: Sequence[Schema]) -> set[str]:
    return {each.get("type", "") for each in schemas}


def known_spelling(word: str, known: Iterable[str]) -> str:
    """The only known word with the same letters and digits; else the word itself."""
    found = [each for each in known if _letters(each) == _letters(word)]
    return found[0] if len(found) == 1 and _letters(word) else word


def _letters(word: str) -> str:
    return "".join(filter(str.isalnum, word.casefold()))


def _core(schema: Schema) -> CoreSchema:
    """The schema in pydantic's own form. References pass as they are, and yes or no is no number."""
    options = schema.get("anyOf") or schema.get("oneOf") or [schema]
    never_a_flag = {each.get("type") for each in options} <= {"integer", "number", "string", "null"}

    def read(value: Any, inside: ValidatorFunctionWrapHandler) -> Any:
        if as_reference(value) is not None or as_text(value) is not None:
            return value
        if never_a_flag and isinstance(value, bool) and "enum" not in schema:
            raise PydanticCustomError("flag", "Input should not be true or false")
        return inside(value)

    labelled = [(_of_kind(each), str(each.get("title") or each.get("type", "value"))) for each in options]
    return core_schema.no_info_wrap_validator_function(
        read, core_schema.union_schema([*labelled]) if labelled[1:] else labelled[0][0]
    )


def _of_kind(schema: Schema) -> CoreSchema:
    if "$ref" in schema:
        return core_schema.definition_reference_schema(str(schema["$ref"]).rpartition("/")[2])
    kind = schema.get("type", "")
    bounds_of = _BOUNDS.get(kind, {})
    known = {own: schema.get(name) for name, own in bounds_of.items()}
    least = float("-inf") if bounds_of is _OF_NUMBERS else 0  # a length below 0 says nothing
    numbers = {own: bound for own, bound in known.items() if isinstance(bound, int | float) and bound >= least}
    bounds: Any = {own: bound if kind == "number" else int(bound) for own, bound in numbers.items()}
    made: CoreSchema = core_schema.any_schema()
    match kind:
        case "string":
            made = core_schema.str_schema(coerce_numbers_to_str=True, **bounds)
        case "integer":
            made = core_schema.int_schema(**bounds)
        case "number":
            made = core_schema.float_schema(allow_inf_nan=False, **bounds)
        case "boolean":
            made = core_schema.bool_schema(strict=True)
        case "null":
            made = core_schema.none_schema()
        case "array" if first := [*map(_core, schema.get("prefixItems", ()))]:
            items = core_schema.tuple_schema(
                [*first, _core(schema.get("items", {}))], variadic_item_index=len(first), **bounds
            )
            made = core_schema.no_info_after_validator_function(list, items)
        case "array":
            made = core_schema.list_schema(_core(schema.get("items", {})), **bounds)
        case "object":
            made = _object(schema)
    allowed = schema.get("enum")
    return core_schema.chain_schema([made, core_schema.literal_schema(allowed)]) if allowed else made


def _object(schema: Schema) -> CoreSchema:
    known, needed = schema.get("properties", {}), schema.get("required", ())
    fields = {name: core_schema.typed_dict_field(_core(part), required=name in needed) for name, part in known.items()}
    others = schema.get("additionalProperties", {})
    left_out = {name for name, part in known.items() if name not in needed and not says_null(part)}

    def given(value: Any) -> Any:
        """Without the nulls that mean that a field was left out."""
        if not isinstance(value, dict):
            return value
        return {name: part for name, part in value.items() if part is not None or name not in left_out}

    more = None if others is False else _core(others if isinstance(others, Mapping) else {})
    fitted = core_schema.typed_dict_schema(fields, extra_behavior="allow" if more else "forbid", extras_schema=more)
    return core_schema.no_info_before_validator_function(given, fitted)
