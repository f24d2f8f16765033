"""The JSON schema a model plans in: one form of call per tool, a reference allowed where a value may come from a result.

It keeps to what strict structured output accepts everywhere: closed objects with every field
required, `anyOf` unions, no defaults, no bounds, no formats. What is left out goes into the
descriptions, and is checked afterwards. It is sent with every planning call, so nothing stands in it twice: what several
tools take alike is defined once, and what the prompt says of calls is not said here. A model writes a call's tool and
arguments beside each other (`{"tool": "look", "item": 1}`), so that each tool needs one closed object and no more.
"""

import json
import sys
from collections.abc import Mapping, Sequence
from itertools import chain, count
from typing import Any

from pydantic import BaseModel

from wavegraph.graph.domain import Domain, DomainTool
from wavegraph.graph.errors import SettingsError
from wavegraph.graph.model.shared_schema import said_once

NAME = "planning_result"
_KEPT = ("type", "enum", "description", "items", "properties", "anyOf", "$ref", "const")
_BOUNDS = ("format", "minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "pattern")
_REFERENCE = {"$ref": "#/$defs/reference"}
_TEXT = {"$ref": "#/$defs/text"}
_NULL = {"type": "null"}
_SLOTS = "slots"


def planning_schema(domain: Domain) -> dict[str, Any]:
    """The strict schema of a `PlanningResult` for this domain's tools and slots."""
    definitions = _references()
    forms = _call_forms(domain, definitions)
    slots = _slots(domain.slots, definitions) if domain.slots else _closed({})
    call = {
        "id": {"type": "string"},
        "call": {"anyOf": forms},
        "each": {"anyOf": [_REFERENCE, _NULL]},
        "instead_of": {"type": ["string", "null"]},
    }
    properties = {
        "reasoning": {"type": "string"},
        "action": {"type": "string"},
        "status": {"type": "string", "enum": ["continue", "done"]},
        "slots": slots,
        "tools": {"type": "array", "items": _closed(call)},
        "reply": {"type": ["string", "null"]},
    }
    return said_once({**_closed(properties), "$defs": definitions})


def _call_forms(domain: Domain, definitions: dict[str, Any]) -> list[dict[str, Any]]:
    """Tool and arguments of a call; tools that take the same share a form."""
    names: dict[str, list[str]] = {}
    for tool in domain.registry.values():
        own: dict[str, Any] = {}
        form = json.dumps(_arguments(tool, own))
        definitions.update(own)
        names.setdefault(form, []).append(tool.name)
    key = tool_key(domain)
    return [_closed({key: {"type": "string", "enum": tools}, **json.loads(form)}) for form, tools in names.items()]


def tool_key(domain: Domain) -> str:
    """The field of a call that names its tool: `tool`, unless an argument has that name."""
    taken = {name for tool in domain.registry.values() for name in tool.arguments}
    return next(key for key in chain(["tool"], (f"tool_{number}" for number in count(2))) if key not in taken)


def planned_call(raw: Mapping[str, Any], key: str) -> dict[str, Any]:
    """A call as a model wrote it, with its arguments apart; one that has them apart stays as it is."""
    call = raw.get("call")
    if not isinstance(call, dict) or "args" in raw:
        return dict(raw)
    rest = {name: value for name, value in raw.items() if name != "call"}
    args = {name: value for name, value in call.items() if name != key}
    return {**rest, "tool": call.get(key), "args": args}


def _arguments(tool: DomainTool, definitions: dict[str, Any]) -> dict[str, Any]:
    schema: Mapping[str, Any] = tool.argument_model.model_json_schema()
    _add_definitions(schema, definitions, tool.name)
    schema = _target(schema, schema.get("$defs", {}))  # a recursive model is only referenced
    required = schema.get("required", [])
    return {
        name: _argument(_strict(part, tool.name), name in required, tool.sources.get(name) == "person")
        for name, part in schema.get("properties", {}).items()
    }


def _argument(schema: dict[str, Any], required: bool, is_said: bool) -> dict[str, Any]:
    """What may stand as an argument. One that only the person can give (`is_said`) is no reference."""
    description = schema.pop("description", None)
    options = schema["anyOf"] if set(schema) == {"anyOf"} else [schema]
    options = [option for option in options if option != _NULL]
    text = [_TEXT] if any(_takes_any_text(option, description) for option in options) else []
    nothing = [] if required else [_NULL]
    more = [] if is_said else [_REFERENCE, *text]
    return _union([*options, *more, *nothing], description)


def _union(options: Sequence[dict[str, Any]], description: str | None) -> dict[str, Any]:
    """One of the options, in as few words as they need."""
    said = {"description": description} if description else {}
    if len(options) == 1 and not (said and {"$ref", "description"} & set(options[0])):  # `$ref` stands alone
        return {**options[0], **said}
    first, *others = options
    if others == [_NULL] and set(first) == {"type"}:
        return {"type": [first["type"], "null"], **said}
    return {"anyOf": list(options), **said}


def _takes_any_text(schema: Mapping[str, Any], description: str | None) -> bool:
    described = f"{description or ''} {schema.get('description', '')}"
    return schema.get("type") == "string" and "enum" not in schema and "(format " not in described


def tool_list(domain: Domain) -> str:
    """The domain's tools for the prompt: name, purpose, result. Their arguments stand in the schema."""
    known = _Outlines()
    return "\n".join(_described(tool, known) for tool in domain.registry.values())


def _described(tool: DomainTool, known: "_Outlines") -> str:
    purpose = " ".join(tool.tool.description.split())
    return f"- {tool.name}: {purpose}{_effect(tool)}{_sources(tool)} Result: {known.outline(tool)}"


def _effect(tool: DomainTool) -> str:
    if tool.effect == "read":
        return ""
    return f" This changes something; it runs alone{'; a person agrees to it first' if tool.approval else ''}."


def _sources(tool: DomainTool) -> str:
    """Where the tool's arguments must come from."""
    givers = {
        "person": "In the person's words",
        "results": "From a result",
        "either": "In the person's words or from a result",
    }
    by_source = {source: [name for name, of in tool.sources.items() if of == source] for source in givers}
    return "".join(f" {givers[source]}: {', '.join(names)}." for source, names in by_source.items() if names)


class _Outlines:
    """The fields of results, two levels deep, so that references can be written without seeing a result. A record that
    was outlined before is named alone."""

    def __init__(self) -> None:
        self._known: dict[str, Mapping[str, Any]] = {}
        """By title."""

    def outline(self, tool: DomainTool) -> str:
        schema = next(iter(tool.result_schemas), {})
        return self._of(schema, schema.get("$defs", {}), depth=2)

    def _of(self, schema: Mapping[str, Any], definitions: Mapping[str, Any], depth: int) -> str:
        schema = _target(schema, definitions)
        if schema.get("type") == "array":
            return f"[{self._of(schema.get('items', {}), definitions, depth)}]"
        if schema.get("properties"):
            return self._record(schema, definitions, depth)
        kind = str(schema.get("format") or schema.get("type") or "object")
        return _SHORT.get(kind, kind)

    def _record(self, schema: Mapping[str, Any], definitions: Mapping[str, Any], depth: int) -> str:
        title, own = str(schema.get("title", "")), schema["properties"]
        if self._known.get(title) == own:
            return title
        if not depth:
            return "object"
        kinds = {name: self._of(part, definitions, depth - 1) for name, part in own.items()}
        fields = ", ".join(name if kind == "string" else f"{name}: {kind}" for name, kind in kinds.items())
        if not title or title in self._known or len(fields) < _SHORTEST_NAMED:
            return f"{{{fields}}}"
        self._known[title] = own
        return f"{title} {{{fields}}}"


_SHORT = {"integer": "int", "boolean": "bool"}
_SHORTEST_NAMED = 60
"""Characters of a record's fields; shorter ones are repeated."""


def _target(schema: Mapping[str, Any], definitions: Mapping[str, Any]) -> Mapping[str, Any]:
    if "$ref" in schema:
        return definitions.get(_name(schema["$ref"]), {})  # type: ignore[no-any-return]
    options = [option for option in schema.get("anyOf", ()) if option.get("type") != "null"]
    return _target(options[0], definitions) if options else schema


def _name(reference: str) -> str:
    return reference.rpartition("/")[2]


def _slots(model: type[BaseModel], definitions: dict[str, Any]) -> dict[str, Any]:
    """The model's fields; its docstring is the developers'."""
    schema = model.model_json_schema()
    _add_definitions(schema, definitions, _SLOTS)
    return _strict({name: part for name, part in schema.items() if name != "description"}, _SLOTS)


def _add_definitions(schema: Mapping[str, Any], definitions: dict[str, Any], owner: str) -> None:
    for name, part in schema.get("$defs", {}).items():
        definitions[f"{owner}_{name}"] = _strict(part, owner)


def _strict(schema: Mapping[str, Any], owner: str) -> dict[str, Any]:
    """A pydantic schema in the strict dialect. Raises SettingsError for an object with free keys."""
    if "prefixItems" in schema:
        distinct = {json.dumps(part): part for part in schema["prefixItems"]}
        schema = {**schema, "items": {"anyOf": list(distinct.values())}}
    kept = {key: schema[key] for key in _KEPT if key in schema}
    if "oneOf" in schema:
        kept["anyOf"] = schema["oneOf"]
    if "const" in kept:
        kept["enum"] = [kept.pop("const")]
    if "$ref" in kept:
        return {"$ref": f"#/$defs/{owner}_{_name(kept['$ref'])}"}
    if bounds := {key: schema[key] for key in _BOUNDS if key in schema and not _is_idle(key, schema[key])}:
        listed = ", ".join(f"{key} {value}" for key, value in bounds.items())
        kept["description"] = f"{kept.get('description', '')} ({listed})".strip()
    if "items" in kept:
        kept["items"] = _strict(kept["items"], owner)
    if "anyOf" in kept:
        kept["anyOf"] = [_strict(option, owner) for option in kept["anyOf"]]
    if kept.get("type") == "object":
        return {**kept, **_closed_object(kept, schema, owner)}
    if not {"type", "enum", "anyOf"} & set(kept):
        raise SettingsError(f"{owner}: a value of any type cannot be planned strictly; give it a type")
    return kept


def _is_idle(bound: str, value: Any) -> bool:
    """Whether a model keeps to it unasked: a text is not empty, nor as long as this, nor a list."""
    return (bound == "minLength" and value <= 1) or value in _LONG.get(bound, ())


_LONG: Mapping[str, range] = {"maxLength": range(40, sys.maxsize), "maxItems": range(100, sys.maxsize)}


def _closed_object(kept: Mapping[str, Any], schema: Mapping[str, Any], owner: str) -> dict[str, Any]:
    if "properties" not in kept or schema.get("additionalProperties") not in (None, False):
        raise SettingsError(f"{owner}: an object with free keys cannot be planned strictly; name its fields")
    fields = {name: _strict(part, owner) for name, part in kept["properties"].items()}
    if owner == _SLOTS:  # null = not mentioned; a tool's nested default is spelled out, since there null is a value
        required = schema.get("required", ())
        fields = {name: part if name in required else _or_null(part) for name, part in fields.items()}
    return _closed(fields)


def _or_null(schema: dict[str, Any]) -> dict[str, Any]:
    schema = dict(schema)
    description = schema.pop("description", None)
    options = schema["anyOf"] if set(schema) == {"anyOf"} else [schema]
    return _union([*(option for option in options if option != _NULL), _NULL], description)


def _closed(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def _references() -> dict[str, Any]:
    """What may stand in place of a value; the prompt says how they are written."""
    target = _closed({"call": {"type": "string"}, "path": {"type": "string"}})
    value = _closed({"name": {"type": "string"}, "ref": {"$ref": "#/$defs/target"}})
    return {
        "target": target,
        "reference": _closed({"ref": {"$ref": "#/$defs/target"}}),
        "text": _closed({"text": {"type": "string"}, "with": {"type": "array", "items": value}}),
    }
