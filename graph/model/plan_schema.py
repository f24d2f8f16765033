"""The JSON schema a model plans in: one form of call per tool, a reference allowed where a value may come from a result.

It keeps to what strict structured output accepts everywhere: closed objects with every field
required, `anyOf` unions, no defaults, no bounds, no formats. What is left out goes into the
descriptions, and is checked afterwards. A part that has no strict form (free keys, any type) is written as JSON in a text.
The schema is sent with every planning call, so nothing stands in it twice: what several
tools take alike is defined once, and what the prompt says of calls is not said here. A model writes a call's tool and
arguments beside each other (`{"tool": "look", "item": 1}`), so that each tool needs one closed object and no more.
"""

import json
import logging
import sys
from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from itertools import chain, count
from typing import Any

from pydantic import BaseModel, PydanticUserError, TypeAdapter

from wavegraph.graph.answer.replies import name_of
from wavegraph.graph.domain import Domain
from wavegraph.graph.domain_tool import DomainTool
from wavegraph.graph.errors import SettingsError
from wavegraph.graph.guard.replies import replies_of
from wavegraph.graph.references.outlines import Outlines, Result, target
from wavegraph.graph.references.shapes import says_null
from wavegraph.graph.references.shared_schema import said_once

logger = logging.getLogger("wavegraph")

NAME = "planning_result"
DEEPEST = 5
"""Levels inside an argument: strict mode takes ten in all, and a plan needs the others."""
MOST_CHOICES, FEW_CHOICES = 200, 10
"""Strict mode counts the words of all choices in a schema; of more of them a few are told."""
LONGEST_FORM = 400
"""Characters of a schema that stands in a description."""
_KEPT = ("type", "enum", "description", "items", "properties", "anyOf", "$ref", "const")
_BOUNDS = ("format", "minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "pattern")
_REFERENCE = {"$ref": "#/$defs/reference"}
_TEXT = {"$ref": "#/$defs/text"}
_NULL = {"type": "null"}
_SLOTS = "slots"


def planning_schema(domain: Domain) -> dict[str, Any]:
    """The strict schema of what a model gives of a `PlanningResult`, for this domain's tools and slots."""
    definitions = _references()
    forms = _call_forms(domain, definitions)
    slots = {"slots": _slots(domain.slots, definitions)} if domain.slots else {}
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
        **slots,
        "tools": {"type": "array", "items": _closed(call) if forms else _NULL},
        "reply": _reply(domain, definitions),
    }
    return said_once({**_closed(properties), "$defs": definitions})


def plannable(domain: Domain) -> list[DomainTool]:
    """The tools whose arguments a model can be told; another is left out, which the log says, and its neighbours stay."""
    found = []
    for tool in domain.registry.values():
        try:
            _arguments(tool, {})
        except (PydanticUserError, RecursionError) as error:
            logger.error(
                "no model can plan %s, so it is left out: %s has a type without a JSON schema (%s); take plain data, and "
                "fetch or bind the rest inside the tool",
                tool.name,
                _unplannable_argument(tool),
                type(error).__name__,
            )
        else:
            found.append(tool)
    return found


def _unplannable_argument(tool: DomainTool) -> str:
    for name, info in tool.arguments.items():
        try:
            kind: Any = info.annotation
            TypeAdapter(kind).json_schema()
        except (PydanticUserError, RecursionError):
            return f"the argument {name!r}"
    return "an argument"


def _call_forms(domain: Domain, definitions: dict[str, Any]) -> list[dict[str, Any]]:
    """Tool and arguments of a call; tools that take the same share a form."""
    names: dict[str, list[str]] = {}
    for tool in plannable(domain):
        own: dict[str, Any] = {}
        form = json.dumps({name: argument.form for name, argument in _arguments(tool, own).items()})
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


@dataclass(frozen=True)
class _Argument:
    form: dict[str, Any]
    about: str
    """What the tool's author says of it, and its bounds; it stands in the list of tools, once for arguments alike."""


def _arguments(tool: DomainTool, definitions: dict[str, Any]) -> dict[str, _Argument]:
    schema = tool.declared_arguments
    owner = _Owner(tool.name, definitions, has_absent=schema is not None)
    if schema is None:
        schema = deepcopy(dict(tool.told_arguments))
    owner.define(schema)
    schema = target(schema, schema.get("$defs", {}))  # a recursive model is only referenced
    required = schema.get("required", [])
    return {
        name: _argument({**_said_of(part), **owner.strict(part)}, name in required, tool.sources.get(name) == "person")
        for name, part in schema.get("properties", {}).items()
    }


def _said_of(schema: Mapping[str, Any]) -> dict[str, Any]:
    """What stands beside a reference, too, where a strict schema has no place for it."""
    return {"description": schema["description"]} if "description" in schema else {}


def _argument(schema: dict[str, Any], required: bool, is_said: bool) -> _Argument:
    """What may stand as an argument. One that only the person can give (`is_said`) is no reference."""
    description = schema.pop("description", "")
    options = schema["anyOf"] if set(schema) == {"anyOf"} else [schema]
    options = [option for option in options if option != _NULL]
    if len(options) == 1 and "$ref" not in options[0]:
        description = f"{description} {options[0].get('description', '')}".strip()
        options = [{name: part for name, part in options[0].items() if name != "description"}]
    text = [_TEXT] if any(_takes_any_text(option, description) for option in options) else []
    nothing = [] if required else [_NULL]
    more = [] if is_said else [_REFERENCE, *text]
    return _Argument(_union([*options, *more, *nothing]), " ".join(description.split()).rstrip("."))


def _union(options: Sequence[dict[str, Any]], description: str | None = None) -> dict[str, Any]:
    """One of the options, in as few words as they need."""
    said = {"description": description} if description else {}
    if len(options) == 1 and not (said and {"$ref", "description"} & set(options[0])):  # `$ref` stands alone
        return {**options[0], **said}
    first, *others = options
    if others == [_NULL] and set(first) == {"type"}:
        return {"type": [first["type"], "null"], **said}
    return {"anyOf": list(options), **said}


def _takes_any_text(schema: Mapping[str, Any], description: str) -> bool:
    described = f"{description} {schema.get('description', '')}"
    return schema.get("type") == "string" and "enum" not in schema and "(format " not in described


def tool_list(domain: Domain) -> str:
    """The domain's tools for the prompt: name, purpose, what is said of their arguments, result. The arguments' forms stand
    in the schema."""
    tools = plannable(domain)
    said: dict[str, str] = {}
    results = Outlines([Result(tool.name, next(iter(tool.result_schemas), {}), tool.refer_to) for tool in tools])
    return "\n".join(_described(tool, results, said) for tool in tools) or "There are none: answer in `reply`."


def _described(tool: DomainTool, results: Outlines, said: dict[str, str]) -> str:
    purpose = " ".join(tool.tool.description.split())
    outline = results.outline(tool.name)
    parts = (_about(tool, said), _sources(tool), f" Result: {outline}" if outline else "")
    return f"- {tool.name}{_effect(tool)}: {purpose}{''.join(parts)}"


def _about(tool: DomainTool, said: dict[str, str]) -> str:
    """What is not what was `said` last of an argument of that name."""
    about = {name: each.about for name, each in _arguments(tool, {}).items()}
    told = [f"{name}: {words or '(another)'}" for name, words in about.items() if words != said.get(name, "")]
    said |= about
    return f" Arguments: {'; '.join(told)}." if told else ""


def _effect(tool: DomainTool) -> str:
    if tool.effect == "read":
        return ""
    return " (changes, asks)" if tool.approval else " (changes)"


def _sources(tool: DomainTool) -> str:
    """Where the tool's arguments must come from."""
    givers = {
        "person": "In the person's words",
        "results": "From a result",
        "either": "In the person's words or from a result",
    }
    by_source = {source: [name for name, of in tool.sources.items() if of == source] for source in givers}
    return "".join(f" {givers[source]}: {', '.join(names)}." for source, names in by_source.items() if names)


def _name(reference: str) -> str:
    return reference.rpartition("/")[2]


def _slots(model: type[BaseModel], definitions: dict[str, Any]) -> dict[str, Any]:
    """The model's fields; its docstring is the developers'."""
    owner = _Owner(_SLOTS, definitions, has_absent=True, is_loose=False)
    schema = model.model_json_schema()
    owner.define(schema)
    return owner.strict({name: part for name, part in schema.items() if name != "description"})


def _reply(domain: Domain, definitions: dict[str, Any]) -> dict[str, Any]:
    """A list of the domain's forms, those with the same arguments as one; a text where it has none."""
    if (replies := replies_of(domain)) is None:
        return {"type": ["string", "null"]}
    names: dict[str, list[str]] = {}
    for form in replies.forms:
        owner = _Owner(name_of(form), definitions, has_absent=True, is_loose=False)
        schema = form.model_json_schema()
        owner.define(schema)
        own = {name: part for name, part in owner.strict(schema)["properties"].items() if name != "say"}
        names.setdefault(json.dumps(own), []).append(name_of(form))
    forms = [_closed({"say": {"type": "string", "enum": same}, **json.loads(own)}) for own, same in names.items()]
    return _union([{"type": "array", "items": _union(forms)}, _NULL])


def strict_form(schema: Mapping[str, Any], name: str, description: str) -> dict[str, Any]:
    """The strict schema of an object with one field, which is what `schema`, a tidy one, says."""
    definitions: dict[str, Any] = {}
    owner = _Owner(name, definitions, has_absent=True)
    owner.define(schema)
    own = {key: part for key, part in schema.items() if key != "$defs"}
    form = _closed({name: owner.strict(own)})
    return {**form, "description": description, **({"$defs": definitions} if definitions else {})}


@dataclass(frozen=True)
class _Owner:
    """Whose schema is put into the strict dialect: a tool, the slots, a form."""

    name: str
    definitions: dict[str, Any]
    has_absent: bool = False
    """Whether null stands for a nested field that was left out; else a nested default is spelled out, since there null is
    a value."""
    is_loose: bool = True
    """Whether a part without a strict form may be written as JSON in a text; else SettingsError is raised."""

    def define(self, schema: Mapping[str, Any]) -> None:
        for name, part in schema.get("$defs", {}).items():
            self.definitions[f"{self.name}_{name}"] = self.strict(part)

    def strict(self, schema: Mapping[str, Any], depth: int = 0) -> dict[str, Any]:
        """A schema in the strict dialect."""
        if "prefixItems" in schema:
            distinct = {json.dumps(part): part for part in [*schema["prefixItems"], *_rest_of(schema)]}
            schema = {**schema, "items": {"anyOf": list(distinct.values())}}
        kept = {key: schema[key] for key in _KEPT if key in schema}
        if "oneOf" in schema:
            kept["anyOf"] = schema["oneOf"]
        if "const" in kept:
            kept["enum"] = [kept.pop("const")]
        if len(kept.get("enum", ())) > MOST_CHOICES:
            some = ", ".join(map(str, kept["enum"][:FEW_CHOICES]))
            kept["description"] = (
                f"{kept.get('description', '')} (one of {len(kept.pop('enum'))}, such as {some})".strip()
            )
        if says_null(schema):
            default = json.dumps(schema["default"], ensure_ascii=False)
            kept["description"] = f"{kept.get('description', '')} (usually {default}; null means none)".strip()
        if "$ref" in kept:
            return {"$ref": f"#/$defs/{self.name}_{_name(kept['$ref'])}"}
        if bounds := {key: schema[key] for key in _BOUNDS if key in schema and not _is_idle(key, schema[key])}:
            listed = ", ".join(f"{key} {value}" for key, value in bounds.items())
            kept["description"] = f"{kept.get('description', '')} ({listed})".strip()
        if why := _why_unplannable(kept, schema, depth):
            return self._as_text(schema, kept, why)
        if "items" in kept:
            kept["items"] = self.strict(kept["items"], depth + 1)
        if "anyOf" in kept:
            kept["anyOf"] = _distinct(self.strict(option, depth) for option in kept["anyOf"])
        if kept.get("type") == "object":
            return {**kept, **self._closed_object(kept, schema, depth)}
        return kept

    def _closed_object(self, kept: Mapping[str, Any], schema: Mapping[str, Any], depth: int) -> dict[str, Any]:
        fields = {name: self.strict(part, depth + 1) for name, part in kept["properties"].items()}
        if self.has_absent:
            required = schema.get("required", ())
            fields = {name: part if name in required else _or_null(part) for name, part in fields.items()}
        return _closed(fields)

    def _as_text(self, schema: Mapping[str, Any], kept: Mapping[str, Any], why: str) -> dict[str, Any]:
        """The looser form: a text that holds the value as JSON, which `DomainTool.opened` reads."""
        if not self.is_loose:
            raise SettingsError(f"{self.name}: {why}")
        about = str(kept.get("description", ""))
        if _is_untyped(kept):
            anything = _text("(anything; an object or a list as JSON)")
            return {"anyOf": [anything, {"type": "number"}, {"type": "boolean"}], **_said_of(kept)}
        form = {key: part for key, part in schema.items() if key not in ("description", "default", "title")}
        told = json.dumps(form, ensure_ascii=False, separators=(",", ":"))
        told = told if len(told) <= LONGEST_FORM else f"{told[:LONGEST_FORM]}…"
        return _text(f"{about} (written as JSON, by the schema {told})".strip())


def _is_idle(bound: str, value: Any) -> bool:
    """Whether a model keeps to it unasked: a text is not empty, nor as long as this, nor a list."""
    return (bound == "minLength" and value <= 1) or value in _LONG.get(bound, ())


_LONG: Mapping[str, range] = {"maxLength": range(40, sys.maxsize), "maxItems": range(100, sys.maxsize)}


def _why_unplannable(kept: Mapping[str, Any], schema: Mapping[str, Any], depth: int) -> str:
    """Why a part has no strict form; empty = it has one."""
    if kept.get("type") == "object" and (
        "properties" not in kept or schema.get("additionalProperties") not in (None, False)
    ):
        return "an object with free keys cannot be planned strictly; name its fields"
    if (kept.get("type") == "array" and "items" not in kept) or _is_untyped(kept):
        return "a value of any type cannot be planned strictly; give it a type"
    if depth >= DEEPEST and {"properties", "items"} & set(kept):
        return "an object nested that deep cannot be planned strictly; flatten it"
    return ""


def _is_untyped(kept: Mapping[str, Any]) -> bool:
    return not {"type", "enum", "anyOf"} & set(kept)


def _rest_of(schema: Mapping[str, Any]) -> list[Any]:
    """What may follow the elements of a tuple."""
    return [schema["items"]] if isinstance(schema.get("items"), Mapping) and schema["items"] else []


def _distinct(options: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """With nested unions laid flat: an argument's own options stand beside a reference."""
    found: list[dict[str, Any]] = []
    for option in options:
        found += [each for each in (option["anyOf"] if set(option) == {"anyOf"} else [option]) if each not in found]
    return found


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


def _text(description: str) -> dict[str, Any]:
    return {"type": "string", "description": description}
