"""The form of a plan: what a model may write, and what the list of tools tells it."""

from datetime import date
from typing import Annotated, Any, Literal

import jsonschema
import pytest
from langchain_core.tools import StructuredTool, tool
from pydantic import BaseModel, Field, WithJsonSchema
from till import Till
from warehouse import Clerk

from wavegraph import Domain, read
from wavegraph.graph.domain_tool import write
from wavegraph.graph.errors import PlanError
from wavegraph.graph.model.planner import plan_read, planning_schema, tool_list
from wavegraph.testing import ref


class Cat(BaseModel):
    kind: Literal["cat"]
    name: str | None = Field(default=None, description="What it is called")
    lives: int = 9


class Dog(BaseModel):
    kind: Literal["dog"]


@tool
def look(day: date, pets: list[Cat] | None = None) -> str:
    """Look."""
    return ""


DOMAIN = Domain(name="d", tools=[read(look)], offline=Clerk())
WRITTEN = {"reasoning": "", "action": "look", "status": "done"}


@pytest.mark.parametrize(
    "args",
    [{"day": "2026-12-05"}, {"day": ref("a", "b"), "pets": [{"kind": "cat", "name": ref("a", "c")}]}, {}, {"more": 1}],
    ids=["values", "references at any depth", "none", "unknown ones, which the plan check refuses"],
)
def test_arguments_are_free(args: Any) -> None:
    made = {"id": "a", "tool": "look", "args": args, "each": ref("b", "c"), "instead_of": "d"}
    jsonschema.validate({**WRITTEN, "tools": [made], "reply": "x"}, planning_schema(DOMAIN))


@pytest.mark.parametrize(
    "changed",
    [{"tools": [{"id": "a", "tool": "no", "args": {}}]}, {"tools": [{"id": "a", "tool": "look"}]}, {"tools": {}},
     {"tools": None}, {"status": "ready"}],
    ids=["unknown tool", "no arguments", "one call", "null", "another status"],
)  # fmt: skip
def test_what_a_grammar_forbids(changed: Any) -> None:
    plan = {**WRITTEN, "tools": [{"id": "a", "tool": "look", "args": {}}]}
    jsonschema.validate(plan, planning_schema(DOMAIN))
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**plan, **changed}, planning_schema(DOMAIN))


def test_free_objects_have_no_list_of_properties() -> None:
    """An empty one would leave grammars that read it strictly nothing but `{}`."""
    schema = planning_schema(Domain(name="d", tools=[read(look)], offline=Clerk()))
    asked = schema["properties"]["tools"]["items"]["properties"]
    assert asked["args"] == asked["each"] == {"type": "object"}


def test_the_schema_holds_nothing_that_only_some_servers_take() -> None:
    words = str(planning_schema(DOMAIN))
    assert not [name for name in ("$ref", "$defs", "anyOf", "null", "additionalProperties") if name in words]


def test_a_domain_without_tools_is_asked_for_none() -> None:
    empty = Domain(name="d", tools=[], offline=Clerk())
    jsonschema.validate({**WRITTEN, "tools": []}, planning_schema(empty))
    assert tool_list(empty) == "There are none: answer in `reply`."


class Placed(BaseModel):
    night: date = Field(description="The night to sleep.")
    beds: int = Field(default=1, ge=1)


class Plain(BaseModel):
    night: str
    beds: int


class Held(BaseModel):
    night: date = Field(description="The night to sleep.")
    beds: int = Field(default=1, ge=2, description="In a row")


def test_what_is_said_of_an_argument_is_said_once() -> None:
    made = [StructuredTool(name=name, description=f"{name}.", args_schema=form, func=lambda **_: "")
            for name, form in (("look", Placed), ("hold", Held), ("find", Placed), ("rest", Plain))]  # fmt: skip
    assert tool_list(Domain(name="d", tools=[read(each, refer_to=[]) for each in made], offline=Clerk())) == (
        "- look(night: date, beds?: int >=1): look. Arguments: night: The night to sleep.\n"
        "- hold(night, beds?: int >=2): hold. Arguments: beds: In a row.\n"
        "- find(night, beds?: int >=1): find. Arguments: beds: (another).\n"
        "- rest(night: text, beds: int): rest. Arguments: night: (another)."
    )


# What is said of a tool


class Deep(BaseModel):
    number: int


class Room(BaseModel):
    name: str
    deep: Deep


class Found(BaseModel):
    day: date
    count: int | None
    pet: Cat | Dog | None
    rooms: list[Room]
    anything: Any
    names: dict[str, str]
    pairs: list[tuple[int, int]]


OUTLINES = [
    (str, "text"),
    (date, "date"),
    (int | None, "int"),
    (Annotated[Any, WithJsonSchema({"anyOf": [{"type": "null"}, {"type": "integer"}]})], "int"),
    (None, "null"),
    (dict[str, int], "object"),
    (list, "[object]"),
    (list[list[int]], "[[int]]"),
    (Deep, "{number: int}"),
    (list[Room], "[{name, deep: {number: int}}]"),
    (
        Found,
        "{day: date, count: int, pet: {kind, name, lives: int}, "
        + "rooms: [{name, deep: object}], anything: object, names: object, pairs: [[object]]}",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("result", "outline"), OUTLINES, ids=lambda each: getattr(each, "__name__", None))
def test_a_result(result: Any, outline: str) -> None:
    def look(item: str, count: int = 1) -> Any:
        """Look
        it   up."""

    look.__annotations__["return"] = result
    domain = Domain(name="d", tools=[read(tool(look))], offline=Clerk())

    assert tool_list(domain) == f"- look(item, count?: int): Look it up. Result: {outline}"


def test_what_a_tool_does_and_wants() -> None:
    @tool
    def count() -> int:
        """Count."""
        return 1

    @tool
    def drop(a: str, b: str, c: str, d: str) -> int:
        """Drop."""
        return 1

    till: Any = Till().domain().tools[1]
    domain = Domain(
        name="d",
        tools=[read(count), write(drop, sources={"a": "either", "b": "results", "c": "person", "d": "results"}), till],
        offline=Clerk(),
    )
    assert tool_list(domain).splitlines() == [
        "- count(): Count. Result: int",
        "- drop(a, b, c, d) (changes): Drop. In the person's words: c. From a result: b, d. "
        + "In the person's words or from a result: a. Result: int",
        "- pay(item, who) (changes, asks): Pay for one item. "
        + "In the person's words: who. From a result: item. "
        + "Result: {item, price: int, who, number: int}",
    ]


# What comes back


@tool
def find(name: str, number: int = 1) -> str:
    """Find."""
    return ""


FINDING = Domain(name="d", tools=[read(find)], offline=Clerk())


def calls_of(*calls: Any, known: Any = ()) -> list[dict[str, Any]]:
    found = plan_read({"tools": list(calls)}, planning_schema(FINDING), FINDING.registry, known)["tools"]
    return found  # type: ignore[no-any-return]


def test_what_is_missing_has_its_plain_meaning() -> None:
    plan = plan_read({"reply": "When?", "more": 1}, planning_schema(FINDING), FINDING.registry, ())
    assert plan == {"reasoning": "", "action": "", "status": "done", "reply": "When?", "more": 1, "tools": []}


@pytest.mark.parametrize("raw", [{}, {"tools": "none"}, {"tools": ["find"]}, {"tools": 5}], ids=str)
def test_what_lists_no_calls_is_refused(raw: Any) -> None:
    with pytest.raises(PlanError, match="`tools` must be a list of calls, each with `id`, `tool` and `args`"):
        plan_read(raw, planning_schema(FINDING), FINDING.registry, ())


def test_calls_without_ids_are_named_by_their_tools() -> None:
    made = calls_of({"tool": "find"}, {"tool": "find"}, {"tool": "find", "id": "find_2"}, {"tool": "Find", "id": None})
    assert [call["id"] for call in made] == ["find", "find_3", "find_2", "find_4"]


def test_an_argument_may_be_called_as_a_field_of_a_call_is_elsewhere() -> None:
    assert calls_of({"id": "a", "tool": "find", "name": "Dana"}) == [
        {"id": "a", "tool": "find", "args": {"name": "Dana"}}
    ]
    both = {"id": "a", "name": "find", "arguments": {"name": "Dana"}}
    assert calls_of(both) == [{"id": "a", "tool": "find", "args": {"name": "Dana"}}]


@pytest.mark.parametrize("nothing", [None, "", {}, "null", "None"], ids=repr)
def test_nothing_beside_the_arguments_is_left_out(nothing: Any) -> None:
    made = {"id": "a", "tool": "find", "args": {}, "each": nothing, "instead_of": nothing}
    assert calls_of(made) == [{"id": "a", "tool": "find", "args": {}}]


def test_calls_of_the_request_so_far_may_be_mentioned() -> None:
    made = {"id": "a", "tool": "find", "args": {"name": "{{before.name}}"}, "each": "{{b.all}}"}
    [read_as] = calls_of(made, known=["before"])
    assert (read_as["args"], read_as["each"]) == ({"name": ref("before", "name")}, "{{b.all}}")
    [_, read_as] = calls_of({"id": "b", "tool": "find"}, made)
    assert (read_as["args"], read_as["each"]) == ({"name": "{{before.name}}"}, ref("b", "all"))


def test_a_call_of_no_tool_is_left_to_the_check() -> None:
    assert calls_of({"id": "a"}) == [{"id": "a", "args": {}}]
    assert calls_of({}) == [{"id": "call", "args": {}}]
    assert calls_of({"id": {"a": 1}, "tool": "find"})[0]["id"] == "{'a': 1}"
    assert calls_of({"tool": 5, "args": [1]}) == [{"tool": 5, "args": [1], "id": "5"}]
