"""Sixty ways in which weak models write a plan that strong ones write as it was asked for.

Each is a whole reply of a model, the calls that it means, and, where nobody can read them, what the planner must be told.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Any, Literal

from jsonschema.validators import Draft202012Validator
from langchain_core.messages import AIMessage
from langchain_core.tools import tool
from pydantic import BaseModel
from typing_extensions import TypedDict

from wavegraph import AnswerView, Domain, PlanningResult, PlanningView, read
from wavegraph.graph.errors import PlanError
from wavegraph.graph.guard.plan_check import checked_plan
from wavegraph.graph.model.calls import json_object
from wavegraph.graph.model.planner import plan_read, planning_schema
from wavegraph.graph.state import empty_ledger

Plan = dict[str, Any]
Calls = Sequence[tuple[str, Mapping[str, Any]]]
Outcome = Literal["read at once", "second try, way out named", "second try, way out not named", "misread"]


class Stay(TypedDict):
    check_in: date
    check_out: date


class Text(TypedDict):
    text: str


class Part(BaseModel):
    text: str
    amount: float | None = None


@tool
def get_holiday(name: str, year: int | None = None) -> Stay:
    """When a holiday is."""
    raise NotImplementedError


@tool
def find_rooms(
    check_in: date,
    check_out: date | None = None,
    adults: int = 2,
    children_ages: list[int] | None = None,
    board: Literal["RO", "BB", "HB"] | None = None,
    refundable: bool | None = None,
) -> list[str]:
    """What is free."""
    raise NotImplementedError


@tool
def list_types() -> list[str]:
    """The types of room."""
    raise NotImplementedError


@tool
def get_info(topic: str) -> Text:
    """What the house says."""
    raise NotImplementedError


@tool
def send_letter(to: str, subject: str, parts: list[Part]) -> Text:
    """Send a letter."""
    raise NotImplementedError


class Nobody:
    """Nothing is planned or answered here."""

    def plan(self, view: PlanningView) -> PlanningResult:
        raise NotImplementedError

    def respond(self, view: AnswerView) -> str:
        raise NotImplementedError


@cache
def desk() -> Domain:
    tools = [read(each) for each in (get_holiday, find_rooms, list_types, get_info, send_letter)]
    return Domain(name="desk", tools=tools, offline=Nobody())


@dataclass(frozen=True)
class Habit:
    group: str
    name: str
    written: str
    means: Calls = ()
    says: str = ""
    """What the message of a second try holds, which names the way out; empty = it is read at once."""


STAY = {"check_in": "2027-01-17", "check_out": "2027-01-19", "adults": 2}
LETTER = {"to": "Dana", "subject": "Pool", "parts": [{"text": "Hello", "amount": 3.0}]}
ROOMS: Calls = [("find_rooms", STAY)]
_J = json.dumps


def of(call: str, path: str) -> Plan:
    return {"ref": {"call": call, "path": path}}


def _call(name: str, tool: str, /, **args: Any) -> Plan:
    return {"id": name, "tool": tool, "args": args}


def _plan(*calls: Plan, **more: Any) -> Plan:
    return {"reasoning": "As asked.", "action": "look", "status": "done", "tools": list(calls), **more}


def _with(**changed: Any) -> Plan:
    """The plan with fields changed; `...` takes one away."""
    made = {**_plan(_call("a", "find_rooms", **STAY)), **changed}
    return {name: part for name, part in made.items() if part is not ...}


def _call_with(**changed: Any) -> Plan:
    made = {**_call("a", "find_rooms", **STAY), **changed}
    return _plan({name: part for name, part in made.items() if part is not ...})


def _stay_with(**changed: Any) -> Plan:
    return _plan(_call("a", "find_rooms", **{**STAY, **changed}))


def _two(check_in: Any, check_out: Any) -> Plan:
    rooms = _call("a", "find_rooms", check_in=check_in, check_out=check_out, adults=2)
    return _plan(_call("h", "get_holiday", name="Purim"), rooms)


def _letter(**changed: Any) -> Plan:
    return _plan(_call("i", "get_info", topic="pool"), _call("l", "send_letter", **{**LETTER, **changed}))


def _sent(**changed: Any) -> Calls:
    return [("get_info", {"topic": "pool"}), ("send_letter", {**LETTER, **changed})]


PLAIN = _J(_with())
DURING = {"check_in": of("h", "check_in"), "check_out": of("h", "check_out"), "adults": 2}
HOLIDAY: Calls = [("get_holiday", {"name": "Purim"}), ("find_rooms", DURING)]
INFOS: Calls = [("get_info", {"topic": "pool"}), ("get_info", {"topic": "spa"})]
MIXED = {"text": "Pool: {value_1}", "with": {"value_1": of("i", "text")}}
OPENAIS = {"id": "a", "type": "function", "function": {"name": "find_rooms", "arguments": _J(STAY)}}
CAMEL = {("checkIn" if name == "check_in" else name): value for name, value in STAY.items()}

HABITS = (
    Habit("syntax", "in a fence", f"```json\n{PLAIN}\n```", ROOMS),
    Habit("syntax", "in a bare fence", f"```\n{_J(_with(), indent=1)}\n```", ROOMS),
    Habit("syntax", "a sentence before", f"Sure! Here is the plan:\n{PLAIN}", ROOMS),
    Habit("syntax", "a remark after", f"{PLAIN}\n\nThis plan looks up the rooms.", ROOMS),
    Habit("syntax", "a comma too many in an object", f"{PLAIN[:-1]},}}", ROOMS),
    Habit("syntax", "a comma too many in a list", PLAIN.replace("}]", "},]", 1), ROOMS),
    Habit("syntax", "the same object twice", f"{PLAIN}\n{PLAIN}", ROOMS),
    Habit("syntax", "two different objects", f"{PLAIN}\n{PLAIN.replace('01-17', '01-16')}", says="give one JSON object"),
    Habit("syntax", "thoughts before", f"<think>Two {{adults}} want…</think>{PLAIN}", ROOMS),
    Habit("syntax", "Python's words", repr({**_with(), "sure": True}), says="property name enclosed in double quotes"),
    Habit("syntax", "a comment", PLAIN.replace('"status"', '// then\n"status"'), says="not JSON: Expecting property name"),
    Habit("syntax", "the last bracket missing", PLAIN[:-1], says="not JSON: Expecting ',' delimiter"),
    Habit("plan", "JSON in JSON", _J(PLAIN), ROOMS),
    Habit("plan", "inside its name", _J({"plan": _with()}), ROOMS),
    Habit("plan", "name and arguments", _J({"name": "plan", "arguments": _with()}), ROOMS),
    Habit("plan", "the list of calls alone", _J(_with()["tools"]), says="one JSON object with 'reasoning', 'action', 'status', 'tools'"),
    Habit("plan", "one call for the list", _J(_with(tools=_with()["tools"][0])), ROOMS),
    Habit("plan", "null for no calls", _J(_with(tools=None, reply="When?"))),
    Habit("plan", "the calls as a text", _J(_with(tools=_J(_with()["tools"]))), ROOMS),
    Habit("plan", "calls for tools", _J(_with(tools=..., calls=_with()["tools"])), says="`tools` must be a list of calls"),
    Habit("plan", "no status", _J(_with(status=...)), ROOMS),
    Habit("plan", "status in capitals", _J(_with(status="DONE")), ROOMS),
    Habit("plan", "no reasoning, no action", _J(_with(reasoning=..., action=...)), ROOMS),
    Habit("plan", "a field of its own", _J(_with(confidence=0.9)), ROOMS),
    Habit("call", "no id", _J(_call_with(id=...)), ROOMS),
    Habit("call", "a number as id", _J(_call_with(id=1)), ROOMS),
    Habit("call", "one id twice", _J(_plan(_call("a", "get_info", topic="pool"), _call("a", "get_info", topic="spa"))), INFOS,
          "the id 'a' is taken in this request; choose another"),
    Habit("call", "name for tool", _J(_call_with(tool=..., name="find_rooms")), ROOMS),
    Habit("call", "arguments for args", _J(_call_with(args=..., arguments=STAY)), ROOMS),
    Habit("call", "arguments beside the tool", _J(_call_with(args=..., **STAY)), ROOMS),
    Habit("call", "as OpenAI's tool calls", _J(_plan(OPENAIS)), ROOMS),
    Habit("call", "arguments as a text", _J(_call_with(args=_J(STAY))), ROOMS),
    Habit("call", "no arguments for none", _J(_plan({"id": "a", "tool": "list_types"})), [("list_types", {})]),
    Habit("call", "a tool that does not exist", _J(_call_with(tool="search_rooms")), says="there are ['find_rooms', 'get_holiday'"),
    Habit("call", "a tool in other letters", _J(_call_with(tool="FindRooms")), ROOMS),
    Habit("call", "a tool with a prefix", _J(_call_with(tool="functions.find_rooms")), ROOMS),
    Habit("arguments", "a number as a text", _J(_stay_with(adults="2")), ROOMS),
    Habit("arguments", "a number in words", _J(_stay_with(adults="two")), says="adults = 'two': Input should be a valid integer"),
    Habit("arguments", "2.0", _J(_stay_with(adults=2.0)), ROOMS),
    Habit("arguments", "true as a text", _J(_stay_with(refundable="true")), [("find_rooms", {**STAY, "refundable": True})]),
    Habit("arguments", "a choice in small letters", _J(_stay_with(board="bb")), [("find_rooms", {**STAY, "board": "BB"})]),
    Habit("arguments", "a choice in words", _J(_stay_with(board="bed and breakfast")), says="Input should be 'RO', 'BB' or 'HB'"),
    Habit("arguments", "null as a text", _J(_stay_with(board="null")), ROOMS),
    Habit("arguments", "an empty text for no date", _J(_stay_with(check_out="")),
          [("find_rooms", {"check_in": "2027-01-17", "adults": 2})]),
    Habit("arguments", "null for a list that is needed", _J(_letter(parts=None)), says="parts = None: Input should be a valid list"),
    Habit("arguments", "17/01", _J(_stay_with(check_in="17/01")), says="check_in = '17/01': Input should be a valid date"),
    Habit("arguments", "a day with a time", _J(_stay_with(check_in="2027-01-17T00:00:00")), ROOMS),
    Habit("arguments", "one number for a list", _J(_stay_with(children_ages=8)), [("find_rooms", {**STAY, "children_ages": [8]})]),
    Habit("arguments", "one object for a list", _J(_letter(parts=LETTER["parts"][0])), _sent()),
    Habit("arguments", "objects as a text", _J(_letter(parts=_J(LETTER["parts"]))), _sent()),
    Habit("arguments", "one that there is not", _J(_stay_with(view="sea")), says="no arguments ['view']; its arguments are ['adults'"),
    Habit("arguments", "in camel case", _J(_call_with(args=CAMEL)), ROOMS),
    Habit("arguments", "nulls for what was not said", _J(_stay_with(board=None, refundable=None, children_ages=None)), ROOMS),
    Habit("references", "{{h.check_in}}", _J(_two("{{h.check_in}}", "{{h.check_out}}")), HOLIDAY),
    Habit("references", "$h.check_in", _J(_two("$h.check_in", "$h.check_out")), HOLIDAY),
    Habit("references", "{{i.text}} for a text", _J(_letter(subject="{{i.text}}")), _sent(subject=of("i", "text"))),
    Habit("references", "{{i.text}} inside a text", _J(_letter(subject="Pool: {{i.text}}")), _sent(subject=MIXED)),
    Habit("references", '{"ref": "h.check_in"}', _J(_two({"ref": "h.check_in"}, {"ref": "h.check_out"})), HOLIDAY),
    Habit("references", '{"call": "h", "path": …}', _J(_two({"call": "h", "path": "check_in"}, {"call": "h", "path": "check_out"})), HOLIDAY),
    Habit("references", "a path from the result", _J(_two(of("h", "result.check_in"), of("h", "check_out"))),
          says="there is no field 'result'; the fields are ['check_in', 'check_out']"),
)  # fmt: skip


def outcome(habit: Habit) -> tuple[Outcome, str]:
    """What becomes of it, and what the planner is told or what is read."""
    try:
        read_calls = _read(habit.written)
    except PlanError as error:
        told = "; ".join(issue["message"] for issue in error.issues)
        is_named = bool(habit.says) and habit.says in told
        return "second try, way out named" if is_named else "second try, way out not named", told
    return "read at once" if read_calls == list(habit.means) and not habit.says else "misread", str(read_calls)


def _read(written: str) -> list[tuple[str, Mapping[str, Any]]]:
    """The calls as they would run. Raises PlanError."""
    domain = desk()
    schema = planning_schema(domain)
    raw = plan_read(json_object(AIMessage(written), schema["properties"]), schema, domain.registry, ())
    made = checked_plan(
        {**raw, "slots": {}}, domain=domain, ledger=empty_ledger(), number=1, runs=9, waves=9, planner="model"
    )
    return [
        (call["tool"], {name: part for name, part in call["args"].items() if part is not None})
        for call in made["tools"]
    ]


def is_forbidden(habit: Habit) -> bool:
    """Whether a server that holds its models to the schema lets none write it."""
    try:
        return not Draft202012Validator(planning_schema(desk())).is_valid(json.loads(habit.written))
    except ValueError:
        return True
