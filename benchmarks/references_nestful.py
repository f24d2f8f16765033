"""NESTFUL: 300 requests whose plans refer to results of other calls, and what each tool declares of its results.

The data writes references as `$var1.field$`; its last `call` only says what the answer is made of. Of a tool's arguments only
the names are taken, as the plans have them: what is measured is where references lead. A plan is right
where the specification holds its tools and every field it refers to.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from langchain_core.tools import StructuredTool
from pydantic import create_model
from typing_extensions import TypedDict

from wavegraph import Domain, PlanningView, read
from wavegraph.graph.errors import PlanError
from wavegraph.graph.guard.plan_check import checked_plan
from wavegraph.graph.references.paths import references
from wavegraph.graph.state import PlanningResult, ToolCall, empty_ledger
from wavegraph.graph.views import AnswerView

PARTS = ("executable", "non-executable-glaive", "non-executable-sgd")
FILES = tuple(f"nestful/{part}-{kind}.json" for part in PARTS for kind in ("data", "spec"))
ANSWER = "var_result"
ASTRAY = "unknown_path"
WRONG = "_of_nothing"
"""What is put behind a field's name to make it wrong."""
_WRITTEN = re.compile(r"\$(var\d+)((?:\.|\[)[^$]*)?\$")
_TYPES = {"string": str, "number": float, "float": float, "integer": int, "boolean": bool}


@dataclass(frozen=True)
class NestfulTask:
    """One request's plan, and the tools it may use."""

    calls: list[ToolCall]
    domain: Domain
    composed: list[str]
    """Ids of the calls with a reference inside a longer text."""
    is_declared: bool
    """Whether the specification holds every tool and field of the plan."""


@dataclass(frozen=True)
class NestfulFigures:
    tasks: int
    right: int
    """Plans that refer only to what is declared."""
    alarms: int
    """Of these, how many are refused for a path."""
    otherwise: list[str]
    """Why others of them are refused."""
    refused: int
    """Plans in which one field was renamed to one that does not exist, and that are refused."""
    named: int
    """Of these, how many by naming that very field."""
    plain: int
    """Planning calls of a planner that refers to whole values only."""
    all_forms: int


def tasks(folder: Path) -> Iterator[NestfulTask]:
    for spec, records in parts(folder):
        domain = domain_of(spec, records)
        for record in records:
            yield task_of(record, domain, spec)


Spec = Mapping[str, Mapping[str, Any]]


def parts(folder: Path) -> Iterator[tuple[Spec, list[Mapping[str, Any]]]]:
    """The specification and the records of each part."""
    for part in PARTS:
        spec = {api["name"]: api for api in read_json(folder, f"nestful/{part}-spec.json")}
        yield spec, read_json(folder, f"nestful/{part}-data.json")


def read_json(folder: Path, name: str) -> Any:
    return json.loads((folder / name).read_text(encoding="utf-8"))


def task_of(record: Mapping[str, Any], domain: Domain, spec: Spec) -> NestfulTask:
    calls = planned(record)
    composed = [call["id"] for call in calls if _is_composed(call["args"])]
    return NestfulTask(calls, domain, composed, is_declared(calls, spec))


def planned(record: Mapping[str, Any]) -> list[ToolCall]:
    return [_call(made) for made in record["output"] if made["name"] != ANSWER]


def _call(made: Mapping[str, Any]) -> ToolCall:
    args = {name: _as_planned(value) for name, value in made["arguments"].items()}
    return {"id": made["label"], "tool": made["name"], "args": args}


def _as_planned(value: Any) -> Any:
    """An argument as our plans write it."""
    if isinstance(value, dict):
        return {key: _as_planned(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_as_planned(part) for part in value]
    if not isinstance(value, str) or not (found := list(_WRITTEN.finditer(value))):
        return value
    if len(found) == 1 and found[0][0] == value.strip():
        return _reference(found[0])
    names = {f"v{number}": _reference(each) for number, each in enumerate(found)}
    template = value.replace("{", "{{").replace("}", "}}")
    for name, each in zip(names, found, strict=True):
        template = template.replace(each[0], f"{{{name}}}", 1)
    return {"text": template, "with": names}


def _reference(found: re.Match[str]) -> dict[str, Any]:
    return {"ref": {"call": found[1], "path": (found[2] or "").removeprefix(".")}}


def _is_composed(value: Any) -> bool:
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return (isinstance(value, dict) and "with" in value) or any(_is_composed(part) for part in parts)


# The tools


def domain_of(spec: Mapping[str, Mapping[str, Any]], records: list[Mapping[str, Any]]) -> Domain:
    used = [call for record in records for call in record["output"]]
    tools = []
    for name, api in spec.items():
        given = {argument for call in used if call["name"] == name for argument in call["arguments"]}
        tools.append(read(_tool(name, given), result=result_type(api)))
    return Domain(name="nestful", tools=tools, offline=_Nobody())


class _Nobody:
    def plan(self, view: PlanningView) -> PlanningResult:
        raise NotImplementedError

    def respond(self, view: AnswerView) -> str:
        raise NotImplementedError


def _tool(name: str, given: set[str]) -> StructuredTool:
    fields: dict[str, Any] = dict.fromkeys(given, (Any, None))
    arguments = create_model("Arguments", **fields)
    return StructuredTool.from_function(_nothing, name=name, description=name, args_schema=arguments)


def fields_declared(given: Mapping[str, Any]) -> Mapping[str, Any]:
    inside = given.get("properties")
    return inside if isinstance(inside, dict) else given


def _nothing(**given: Any) -> None:
    return None


def result_type(api: Mapping[str, Any]) -> Any:
    given = api.get("output_parameters") or {}
    return _record(fields_declared(given)) if given else Any


def _record(fields: Mapping[str, Any]) -> Any:
    return TypedDict("Result", {name: _type(field) for name, field in fields.items()})  # type: ignore[operator]


def _type(field: Any) -> Any:
    kind = str(field.get("type", "") if isinstance(field, dict) else field).lower()
    inside = field.get("properties") if isinstance(field, dict) else None
    if kind == "object":
        return _record(inside) if inside else dict[str, Any]
    return list[Any] if kind == "array" else _TYPES.get(kind, Any)


# What is counted


def figures(all_tasks: list[NestfulTask]) -> NestfulFigures:
    right = [refusals(task.calls, task.domain) for task in all_tasks if task.is_declared]
    wrong = [refusals(with_wrong_field(task.calls, set(task.domain.registry)), task.domain) for task in all_tasks]
    return NestfulFigures(
        tasks=len(all_tasks),
        right=len(right),
        alarms=sum(any(why.startswith(ASTRAY) for why in reasons) for reasons in right),
        otherwise=[why for reasons in right for why in reasons[:1] if not why.startswith(ASTRAY)],
        refused=sum(map(bool, wrong)),
        named=sum(any(WRONG in why for why in reasons) for reasons in wrong),
        plain=sum(planning_calls(task, plain=True) for task in all_tasks),
        all_forms=sum(planning_calls(task, plain=False) for task in all_tasks),
    )


def refusals(calls: list[ToolCall], domain: Domain) -> list[str]:
    """The reasons of the plan check, each with its rule; empty = the plan may run."""
    raw: dict[str, Any] = {"status": "done", "action": "", "reasoning": "", "slots": {}, "tools": calls, "reply": None}
    try:
        checked_plan(
            raw, domain=domain, ledger=empty_ledger(), number=1, runs=99, waves=99, must_fit=False, planner="nestful"
        )
    except PlanError as refused:
        return [f"{issue['rule']}: {issue['message']}" for issue in refused.issues]
    return []


def is_declared(calls: list[ToolCall], spec: Mapping[str, Mapping[str, Any]]) -> bool:
    """Whether the specification holds every tool of the plan, and every field it refers to; not by the plan check."""
    tools = {call["id"]: call["tool"] for call in calls}
    if not set(tools.values()) <= set(spec) or len(tools) < len(calls):  # some label two calls alike
        return False
    return all(_holds(spec[tools[target]], path) for call in calls for target, path in references(call["args"]))


def _holds(api: Mapping[str, Any], path: str) -> bool:
    here: Any = {"type": "object", "properties": fields_declared(api.get("output_parameters") or {})}
    for name in re.split(r"\.|(?=\[)", path) if path else ():
        inside = here.get("properties") if isinstance(here, dict) else None
        if name.startswith("["):
            here = {}
        elif inside:
            if name not in inside:
                return False
            here = inside[name]
    return True


def with_wrong_field(calls: list[ToolCall], declared: set[str]) -> list[ToolCall]:
    """The plan with its first reference to a field of a declared tool's result led to one that does not exist."""
    text = json.dumps(calls)
    tools = {call["id"]: call["tool"] for call in calls}
    found = [(t, p) for call in calls for t, p in references(call["args"]) if p]
    known = [each for each in found if tools.get(each[0]) in declared]
    target, path = (known or found)[0]
    right, wrong = (
        json.dumps({"call": target, "path": p}) for p in (path, re.sub(r"^[^.\[]+", rf"\g<0>{WRONG}", path))
    )
    return list(json.loads(text.replace(right, wrong, 1)))


def planning_calls(task: NestfulTask, *, plain: bool) -> int:
    """How often a planner is asked that writes references whole (`plain`), or inside texts too.

    What stands inside a text must be seen first where it cannot be referred to: it takes another plan.
    """
    plans, seen, planned = 1, set[str](), set[str]()
    for call in task.calls:
        waits = {target for target, _ in references(call["args"])} - seen
        if plain and call["id"] in task.composed and waits & planned:
            plans, seen, planned = plans + 1, seen | planned, set()
        planned.add(call["id"])
    return plans
