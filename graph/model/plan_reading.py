"""A plan as a model wrote it, in the engine's own form.

What can be meant in one way alone is read, however it is written. The plan check names what is wrong with the rest.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import count
from typing import Any

from wavegraph.graph.domain_tool import DomainTool
from wavegraph.graph.model.calls import bad_output
from wavegraph.graph.references.declared_values import opened, spelled
from wavegraph.graph.references.mentions import as_references
from wavegraph.graph.references.paths import ELEMENT
from wavegraph.graph.references.shapes import Schema

Call = dict[str, Any]
_FIELDS = ("id", "tool", "args", "each", "instead_of")
_NOTHING: tuple[Any, ...] = (None, "", "null", "None", {})
_OTHER_NAMES = {"name": "tool", "arguments": "args", "parameters": "args"}


def plan_read(
    raw: Mapping[str, Any], schema: Schema, registry: Mapping[str, DomainTool], known: Collection[str]
) -> dict[str, Any]:
    """`schema`: what was asked for; `known`: ids of the request's calls so far. Raises PlanError for what lists no calls."""
    plan = {name: part for name, part in opened(dict(raw), [schema], schema).items() if part not in _NOTHING}
    listed = plan.get("tools", [] if "reply" in plan else None)
    if not isinstance(listed, list) or not all(isinstance(call, dict) for call in listed):
        raise bad_output("plan_shape", "`tools` must be a list of calls, each with `id`, `tool` and `args`")
    calls = list(_with_ids([_call(call, registry) for call in listed]))
    ids = {*known, ELEMENT, *(str(call["id"]) for call in calls)}
    referring = [
        {name: as_references(part, ids) if name in ("args", "each") else part for name, part in call.items()}
        for call in calls
    ]
    return {"reasoning": "", "action": "", "status": "done", "reply": None, **plan, "tools": referring}


def _call(given: Mapping[str, Any], registry: Mapping[str, DomainTool]) -> Call:
    """With its own fields alone. Other fields are the arguments where it has no `args`."""
    inside = given.get("function")
    raw = {**given, **inside} if isinstance(inside, dict) else dict(given)
    for other, own in _OTHER_NAMES.items():
        if own not in raw and other in raw:
            raw[own] = raw.pop(other)
    rest = {name: part for name, part in raw.items() if name not in _FIELDS}
    call = {name: raw[name] for name in _FIELDS if raw.get(name) not in _NOTHING} | {"args": raw.get("args", rest)}
    call["args"] = opened(call["args"], [{"type": "object"}], {}) or {}
    if isinstance(name := call.get("tool"), str) and name not in registry:
        call["tool"] = spelled(name.rpartition(".")[2], registry)
    return call


def _with_ids(calls: Sequence[Call]) -> Iterator[Call]:
    """Those without one are called by their tools."""
    taken = {call.get("id") for call in calls}
    for call in calls:
        if "id" not in call:
            tool = call.get("tool", "call")
            names = (f"{tool}_{number}" if number > 1 else str(tool) for number in count(1))
            call["id"] = next(name for name in names if name not in taken)
            taken.add(call["id"])
        yield {**call, "id": str(call["id"])}
