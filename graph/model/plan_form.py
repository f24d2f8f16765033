"""The form a model plans in: one function, `plan`, whose calls hold their arguments as a free object.

What a tool takes stands in the list of tools, in words. The tools' own types check it, and a plan that does not fit goes back
once with what is wrong. The other form was a strict JSON schema with a branch for each tool; both were measured
(`python -m benchmarks.plan_form`). The flat one with its list of tools is sent in fewer bytes (hotel 40 %, roster 54), and a plan
in it is a fifth shorter, since nothing is null that was not said. It says all 261 right plans of NESTFUL, the strict one 256;
both all 165 of tau-bench. Of sixty habits of weak models 46 are read at once, 14 go back with the way out, none is misread:
with the same reading 45, 15 and none in the strict form. Where a server holds its models to the schema, the strict one spares
four second tries of sixty more; for that it took twice the code, and
`$ref`, `anyOf` and nulls, which some servers refuse.
"""

import logging
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import count
from typing import Any

from pydantic import PydanticUserError

from wavegraph.graph.domain import Domain
from wavegraph.graph.domain_tool import DomainTool
from wavegraph.graph.guard.replies import replies_of
from wavegraph.graph.model.calls import bad_output
from wavegraph.graph.references.declared_values import as_meant, known_spelling
from wavegraph.graph.references.mentions import as_references
from wavegraph.graph.references.paths import ELEMENT
from wavegraph.graph.references.shapes import Schema
from wavegraph.graph.references.signatures import notes, outline, signature
from wavegraph.graph.secrets.ways_out import error_text

logger = logging.getLogger("wavegraph")

NAME = "plan"
_TEXT: Schema = {"type": "string"}
_NUMBERS: Schema = {"type": "array", "items": {"type": "integer"}}
# Without `properties`: an empty list of them would make a grammar that takes `{}` alone.
_OBJECT: Schema = {"type": "object"}


def planning_schema(domain: Domain) -> dict[str, Any]:
    """The schema of what a model gives of a `PlanningResult`."""
    tool = {**_TEXT, "enum": [tool.name for tool in plannable(domain)]}
    serves = {"serves": _NUMBERS} if domain.every_part else {}
    call = {"id": _TEXT, "tool": tool, "args": _OBJECT, "each": _OBJECT, "instead_of": _TEXT, **serves}
    fields = {
        "reasoning": _TEXT,
        "action": _TEXT,
        "status": {**_TEXT, "enum": ["done", "continue"]},
        **({"language": _TEXT} if domain.any_language else {}),
        "tools": {"type": "array", "items": _record(call, "id", "tool", "args") if tool["enum"] else _OBJECT},
        "reply": {"type": "array", "items": _OBJECT} if replies_of(domain) else _TEXT,
        **({"context": _NUMBERS} if domain.every_part else {}),
    }
    needed = ("reasoning", "action", "status", "language", "tools")
    return _record(fields, *(name for name in needed if name in fields))


def _record(fields: Mapping[str, Any], *required: str) -> dict[str, Any]:
    return {"type": "object", "properties": dict(fields), "required": list(required)}


def plannable(domain: Domain) -> list[DomainTool]:
    """The tools whose arguments have a JSON schema. One without is left out, which the log says; the others stay."""
    found = []
    for tool in domain.registry.values():
        try:
            tool.planned_schema  # noqa: B018
        except (PydanticUserError, RecursionError) as error:
            logger.error(
                "no model can plan %s, so it is left out: an argument has a type without a JSON schema (%s); take plain data, and "
                "fetch or bind the rest inside the tool",
                tool.name,
                error_text(error),
            )
        else:
            found.append(tool)
    return found


def tool_list(domain: Domain) -> str:
    """The domain's tools for the prompt: name, arguments, purpose, what is said of the arguments, result."""
    tools = plannable(domain)
    said: dict[str, str] = {}
    kinds: dict[str, str] = {}
    return "\n".join(_tool_line(tool, said, kinds) for tool in tools) or "There are none: answer in `reply`."


def _tool_line(tool: DomainTool, said: dict[str, str], kinds: dict[str, str]) -> str:
    arguments = tool.planned_schema
    purpose = " ".join(tool.tool.description.split())
    result = outline(tool.name, next(iter(tool.result_schemas), {}), tool.refer_to)
    parts = (_about(arguments, said), _sources(tool), f" Result: {result}" if result else "")
    most = f" At most {tool.most_calls} times in a request." if tool.most_calls is not None else ""
    return f"- {tool.name}{signature(arguments, kinds)}{_effect(tool)}: {purpose}{most}{''.join(parts)}"


def _about(arguments: Schema, said: dict[str, str]) -> str:
    """What is said of the arguments, but for what was `said` last of an argument of that name."""
    about = notes(arguments)
    told = [f"{name}: {words or '(another)'}" for name, words in about.items() if words != said.get(name, "")]
    said |= about
    return f" Arguments: {'; '.join(told)}." if told else ""


def _effect(tool: DomainTool) -> str:
    changes = " (changes, asks)" if tool.approval else " (changes)"
    return "" if tool.effect == "read" else changes


def _sources(tool: DomainTool) -> str:
    """Where the tool's arguments must come from."""
    givers = {
        "person": "In the person's words",
        "results": "From a result",
        "either": "In the person's words or from a result",
    }
    by_source = {source: [name for name, of in tool.sources.items() if of == source] for source in givers}
    return "".join(f" {givers[source]}: {', '.join(names)}." for source, names in by_source.items() if names)


# What comes back

_Call = dict[str, Any]
_FIELDS = ("id", "tool", "args", "each", "instead_of", "serves")
_NOTHING: tuple[Any, ...] = (None, "", "null", "None", {})
_OTHER_NAMES = {"name": "tool", "arguments": "args", "parameters": "args"}


def plan_read(
    raw: Mapping[str, Any], schema: Schema, registry: Mapping[str, DomainTool], known: Collection[str]
) -> dict[str, Any]:
    """A plan as a model wrote it, in the engine's own form. What can mean only one thing is read, however it is written; the
    plan check names what is wrong with the rest.

    `schema`: what was asked for; `known`: ids of the request's calls so far. Raises PlanError where there is no list of calls.
    """
    plan = {name: part for name, part in as_meant(dict(raw), [schema], schema).items() if part not in _NOTHING}
    listed = plan.get("tools", [] if "reply" in plan else None)
    if not isinstance(listed, list) or not all(isinstance(call, dict) for call in listed):
        raise bad_output("plan_shape", "`tools` must be a list of calls, each with `id`, `tool` and `args`")
    calls = list(_with_ids([_call(call, registry) for call in listed]))
    ids = {*known, ELEMENT, *(call["id"] for call in calls)}
    referring = [
        {name: as_references(part, ids) if name in ("args", "each") else part for name, part in call.items()}
        for call in calls
    ]
    return {"reasoning": "", "action": "", "status": "done", "reply": None, **plan, "tools": referring}


def _call(given: Mapping[str, Any], registry: Mapping[str, DomainTool]) -> _Call:
    """The call with the fields of a call only. Where it has no `args`, its other fields are the arguments."""
    inside = given.get("function")
    raw = {**given, **inside} if isinstance(inside, dict) else dict(given)
    for other, own in _OTHER_NAMES.items():
        if own not in raw and other in raw:
            raw[own] = raw.pop(other)
    rest = {name: part for name, part in raw.items() if name not in _FIELDS}
    call = {name: raw[name] for name in _FIELDS if raw.get(name) not in _NOTHING} | {"args": raw.get("args", rest)}
    call["args"] = as_meant(call["args"], [{"type": "object"}], {}) or {}
    if isinstance(name := call.get("tool"), str) and name not in registry:
        call["tool"] = known_spelling(name.rpartition(".")[2], registry)
    return call


def _with_ids(calls: Sequence[_Call]) -> Iterator[_Call]:
    """The calls; one without an id is named after its tool."""
    taken = {str(call["id"]) for call in calls if "id" in call}
    for call in calls:
        tool = str(call.get("tool", "call"))
        names = (f"{tool}_{number}" if number > 1 else tool for number in count(1))
        own = str(call["id"]) if "id" in call else next(name for name in names if name not in taken)
        taken.add(own)
        yield {**call, "id": own}
