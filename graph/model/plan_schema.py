"""The JSON schema a model plans in: one branch per tool, a reference allowed in every argument.

It keeps to what strict structured output accepts everywhere: closed objects with every field
required, `anyOf` unions, no defaults, no bounds, no formats. What is left out goes into the
descriptions, and is checked afterwards.
"""

import json
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

from wavegraph.graph.domain import Domain, DomainTool
from wavegraph.graph.errors import SettingsError

NAME = "planning_result"
_KEPT = ("type", "enum", "description", "items", "properties", "anyOf", "$ref", "const")
_BOUNDS = ("format", "minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "pattern")
_REFERENCE = {"$ref": "#/$defs/reference"}
_TEXT = {"$ref": "#/$defs/text"}
_NULL = {"type": "null"}
_SLOTS = "slots"


def planning_schema(domain: Domain) -> dict[str, Any]:
    """The strict schema of a `PlanningResult` for this domain's tools and slots."""
    definitions: dict[str, Any] = {**_ids(), **_references()}
    tools = [_branch(tool, definitions) for tool in domain.registry.values()]
    slots = _model(domain.slots, definitions) if domain.slots else _closed({})
    properties = {
        "reasoning": _text("One or two sentences: what is asked, and why these calls"),
        "action": _text("What is being done, in a word or two; `clarify` for a question back, `refuse` for a no"),
        "status": {"type": "string", "enum": ["continue", "done"]},
        "slots": slots,
        "tools": {"type": "array", "items": {"anyOf": tools}},
        "reply": {"type": ["string", "null"], "description": "The whole answer where no tool can help; else null"},
    }
    return {**_closed(properties), "$defs": definitions}


def tool_list(domain: Domain) -> str:
    """The domain's tools for the prompt: name, purpose, arguments."""
    return "\n".join(_described(tool) for tool in domain.registry.values())


def _described(tool: DomainTool) -> str:
    arguments = ", ".join(tool.arguments) or "none"
    purpose = " ".join(tool.tool.description.split())
    summary = f"{purpose}{_effect(tool)}{_sources(tool)}"
    return f"- {tool.name}: {summary} Arguments: {arguments}. Result: {_fields(tool)}"


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


def _fields(tool: DomainTool) -> str:
    """The result's fields, two levels deep, so that references can be written without seeing a result."""
    schema = next(iter(tool.result_schemas), {})
    return _outline(schema, schema.get("$defs", {}), depth=2)


def _outline(schema: Mapping[str, Any], definitions: Mapping[str, Any], depth: int) -> str:
    schema = _target(schema, definitions)
    if schema.get("type") == "array":
        return f"[{_outline(schema.get('items', {}), definitions, depth)}]"
    if "properties" in schema and depth:
        inside = (f"{name}: {_outline(part, definitions, depth - 1)}" for name, part in schema["properties"].items())
        return f"{{{', '.join(inside)}}}"
    return str(schema.get("format") or schema.get("type") or "object")


def _target(schema: Mapping[str, Any], definitions: Mapping[str, Any]) -> Mapping[str, Any]:
    if "$ref" in schema:
        return definitions.get(_name(schema["$ref"]), {})  # type: ignore[no-any-return]
    options = [option for option in schema.get("anyOf", ()) if option.get("type") != "null"]
    return _target(options[0], definitions) if options else schema


def _name(reference: str) -> str:
    return reference.rpartition("/")[2]


def _branch(tool: DomainTool, definitions: dict[str, Any]) -> dict[str, Any]:
    schema: Mapping[str, Any] = tool.argument_model.model_json_schema()
    _add_definitions(schema, definitions, tool.name)
    schema = _target(schema, schema.get("$defs", {}))  # a recursive model is only referenced
    required = schema.get("required", [])
    fields = {
        name: _argument(_strict(part, tool.name), name in required)
        for name, part in schema.get("properties", {}).items()
    }
    return _closed(
        {
            "id": {"$ref": "#/$defs/id"},
            "tool": {"type": "string", "enum": [tool.name]},
            "args": _closed(fields),
            "each": {"$ref": "#/$defs/each"},
            "instead_of": {"$ref": "#/$defs/instead_of"},
        }
    )


def _argument(schema: dict[str, Any], required: bool) -> dict[str, Any]:
    description = schema.pop("description", None)
    options = schema["anyOf"] if set(schema) == {"anyOf"} else [schema]
    options = [option for option in options if option != _NULL]
    text = [_TEXT] if any(_takes_any_text(option, description) for option in options) else []
    nothing = [] if required else [_NULL]
    return {"anyOf": [*options, _REFERENCE, *text, *nothing], **({"description": description} if description else {})}


def _takes_any_text(schema: Mapping[str, Any], description: str | None) -> bool:
    described = f"{description or ''} {schema.get('description', '')}"
    return schema.get("type") == "string" and "enum" not in schema and "(format " not in described


def _model(model: type[BaseModel], definitions: dict[str, Any]) -> dict[str, Any]:
    schema = model.model_json_schema()
    _add_definitions(schema, definitions, _SLOTS)
    return _strict(schema, _SLOTS)


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
    if bounds := {key: schema[key] for key in _BOUNDS if key in schema}:
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


def _closed_object(kept: Mapping[str, Any], schema: Mapping[str, Any], owner: str) -> dict[str, Any]:
    if "properties" not in kept or schema.get("additionalProperties") not in (None, False):
        raise SettingsError(f"{owner}: an object with free keys cannot be planned strictly; name its fields")
    fields = {name: _strict(part, owner) for name, part in kept["properties"].items()}
    if owner == _SLOTS:  # null = not mentioned; a tool's nested default is spelled out, since there null is a value
        required = schema.get("required", ())
        fields = {name: part if name in required else _or_null(part) for name, part in fields.items()}
    return _closed(fields)


def _or_null(schema: dict[str, Any]) -> dict[str, Any]:
    description = {"description": schema.pop("description")} if "description" in schema else {}
    options = schema["anyOf"] if set(schema) == {"anyOf"} else [schema]
    return {"anyOf": [*(option for option in options if option != _NULL), _NULL], **description}


def _closed(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def _text(description: str) -> dict[str, Any]:
    return {"type": "string", "description": description}


def _ids() -> dict[str, Any]:
    """The fields that every call shares."""
    troubled = "Id of the earlier call that went wrong and that this one works around; else null"
    return {
        "id": _text("Unique in this request, lower case with underscores"),
        "instead_of": {"type": ["string", "null"], "description": troubled},
    }


def _references() -> dict[str, Any]:
    """What may stand in place of a value."""
    target = _closed(
        {
            "call": _text("Id of an earlier call of this request; `each` for the element"),
            "path": _text("Where the value lies in its result, such as stays[0].check_in or items[name=blue].id"),
        }
    )
    value = _closed({"name": _text("As in braces in the text"), "ref": {"$ref": "#/$defs/target"}})
    return {
        "target": target,
        "reference": _closed({"ref": {"$ref": "#/$defs/target"}}),
        "text": _closed({"text": _text("With names in braces"), "with": {"type": "array", "items": value}}),
        "each": {
            "anyOf": [_REFERENCE, _NULL],
            "description": "The list the call is made for each element of; else null",
        },
    }
