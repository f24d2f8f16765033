"""JSON schemas as other people write them, and what the engine makes of them: a form, and values held against it."""

import json
from dataclasses import dataclass, field
from typing import Any

import pytest
from langchain_core.tools import BaseTool
from pydantic import ValidationError
from warehouse import Clerk

from wavegraph import Domain, SettingsError, read
from wavegraph.graph.domain_tool import DomainTool
from wavegraph.graph.errors import explain
from wavegraph.graph.guard.plan_check import checked_plan
from wavegraph.graph.model.planner import planning_schema, tool_list
from wavegraph.graph.references.tidy import tidy_schema
from wavegraph.graph.state import empty_ledger
from wavegraph.testing import call, planning, ref


class Foreign(BaseTool):
    """A tool whose arguments are a JSON schema, as adapters make them."""

    name: str = "look"
    description: str = "Look."

    def _run(self, /, **given: Any) -> Any:
        return given


def foreign(schema: Any, name: str = "look") -> DomainTool:
    return read(Foreign(name=name, args_schema=schema))


def an_object(*required: str, **fields: Any) -> dict[str, Any]:
    return {"type": "object", "properties": fields, "required": list(required)}


TEXT, NUMBER = {"type": "string"}, {"type": "integer"}
TREE = an_object("name", name=TEXT, children={"type": "array", "items": {"$ref": "#"}})
PERSON = an_object("name", name=TEXT, age=NUMBER)


@dataclass(frozen=True)
class Case:
    id: str
    part: Any
    """The schema of the one argument."""
    good: list[tuple[Any, Any]]
    """Values, and as what they are taken."""
    bad: list[Any] = field(default_factory=list)
    more: dict[str, Any] = field(default_factory=dict)
    """What else stands in the whole schema."""


def same(*values: Any) -> list[tuple[Any, Any]]:
    return [(value, value) for value in values]


CASES = [
    Case("a text", TEXT, [*same("x", ""), (5, "5")], [["x"], {"a": 1}]),
    Case("a number", NUMBER, [(5, 5), ("5", 5), (5.0, 5)], ["five", 5.5, True, []]),
    Case("any number", {"type": "number"}, [(5, 5), (0.5, 0.5), ("2.5", 2.5)], ["x", True]),
    Case("yes or no", {"type": "boolean"}, same(True, False), ["yes", 1]),
    Case("a choice", {"enum": ["a", "b", 1]}, same("a", 1), ["c", 2, True]),
    Case("one word", {"const": "only"}, same("only"), ["other"]),
    Case("a number in bounds", {"type": "integer", "minimum": 1, "exclusiveMaximum": 5}, same(1, 4), [0, 5]),
    Case("a text in bounds", {"type": "string", "minLength": 2, "maxLength": 3}, same("ab"), ["a", "abcd"]),
    Case("a list in bounds", {"type": "array", "items": NUMBER, "maxItems": 2}, [([1, "2"], [1, 2])], [[1, 2, 3], ["x"], 5]),
    Case("a list of anything", {"type": "array"}, same([1, "x", {"a": None}]), ["x"]),
    Case("an older tuple", {"items": [TEXT, NUMBER]}, same(["a", 1]), [["a", "b"]]),
    Case("a tuple", {"type": "array", "prefixItems": [TEXT, NUMBER]}, same(["a", 1]), [["a", "b"]]),
    Case("anything", {}, same("x", 5, [1], {"a": {"b": None}}, "[not JSON")),
    Case("true", True, same("x", 5)),
    Case("a free object", {"type": "object"}, same({"a": 1}, {}), [5, [1]]),
    Case("a map", {"type": "object", "additionalProperties": NUMBER}, [({"a": "5"}, {"a": 5})], [{"a": "x"}, [1]]),
    Case("an object", PERSON, [({"name": "A", "age": None}, {"name": "A"}), ({"name": "A", "x": 1}, {"name": "A", "x": 1})],
         [{"age": 5}, {"name": ["A"]}, "A"]),
    Case("a closed object", {**PERSON, "additionalProperties": False}, same({"name": "A"}), [{"name": "A", "x": 1}]),
    Case("a closed object with fields by a pattern", {**PERSON, "additionalProperties": False, "patternProperties": {"^x": NUMBER}},
         same({"name": "A", "x1": 2}), [{"x1": 2}]),
    Case("fields without a type", {"properties": {"a": TEXT}}, same({"a": "x"}), [{"a": []}]),
    Case("one of several", {"anyOf": [NUMBER, PERSON]}, same(5, {"name": "A"}), [{"age": 1}, []]),
    Case("one of two objects", {"oneOf": [an_object("a", a=TEXT), an_object("b", b=NUMBER)]}, same({"a": "x"}, {"b": 1}), [5]),
    Case("all of one", {"allOf": [{"$ref": "#/$defs/P"}]}, same({"name": "A"}), [{"age": 1}], {"$defs": {"P": PERSON}}),
    Case("all of two objects", {"allOf": [PERSON, an_object("town", town=TEXT)]}, same({"name": "A", "town": "B"}), [{"name": "A"}]),
    Case("all of what cannot be", {"allOf": [TEXT, NUMBER]}, same("x", 5)),
    Case("some fields together", {**PERSON, "anyOf": [{"required": ["name"]}, {"required": ["age"]}]}, same({"name": "A"})),
    Case("several types", {"type": ["string", "integer"]}, same("x", 5), [[]]),
    Case("an object or nothing", {"type": ["object", "null"], "properties": {"a": TEXT}}, same({"a": "x"}, None), [5]),
    Case("nullable", {"type": "string", "nullable": True}, same("x", None), [[]]),
    Case("not that", {"type": "string", "not": {"const": "x"}}, same("y")),
    Case("if and then", {"type": "object", "properties": {"a": TEXT}, "if": {}, "then": {"required": ["b"]}}, same({"a": "x"})),
    Case("a definition", {"$ref": "#/$defs/P"}, same({"name": "A"}), [{}], {"$defs": {"P": PERSON}}),
    Case("an older definition", {"$ref": "#/definitions/P"}, same({"name": "A"}), [{}], {"definitions": {"P": PERSON}}),
    Case("two of one name", {"anyOf": [{"$ref": "#/definitions/P"}, {"$ref": "#/$defs/P"}]}, same({"name": "A"}, 5), [[]],
         {"definitions": {"P": PERSON}, "$defs": {"P": NUMBER}}),
    Case("a definition of a definition", {"$ref": "#/$defs/L"}, same([{"name": "A"}]), [[5]],
         {"$defs": {"L": {"type": "array", "items": {"$ref": "#/$defs/P"}}, "P": PERSON}}),
    Case("another argument's schema", {"$ref": "#/properties/other"}, same({"name": "A"}), [5], {"properties": {"other": PERSON}}),
    Case("one that holds itself", {"$ref": "#/$defs/T"}, same({"name": "A", "children": [{"name": "B"}]}),
         [{"name": "A", "children": [{}]}],
         {"$defs": {"T": an_object("name", name=TEXT, children={"type": "array", "items": {"$ref": "#/$defs/T"}})}}),
    Case("a definition of nothing but itself", {"$ref": "#/$defs/X"}, [], [], {"$defs": {"X": {"$ref": "#/$defs/X"}}}),
    Case("all of itself, twice", {"$ref": "#/$defs/X"}, same("x", 5), [], {"$defs": {"X": {"allOf": [{"$ref": "#/$defs/X"}] * 2}}}),
    Case("twice all of the next, many times over", {"$ref": "#/$defs/0"}, same({"name": "A"}), [{}],
         {"$defs": {**{f"{n}": {"allOf": [{"$ref": f"#/$defs/{n + 1}"}] * 2} for n in range(20)}, "20": PERSON}}),
    Case("another file's", {"$ref": "https://example.com/schema.json"}, same("x", {"a": 1})),
    Case("one that leads nowhere", {"$ref": "#/$defs/Nobody"}, same("x", 5)),
    Case("names with slashes", {"$ref": "#/$defs/a~1b"}, same(5), ["x"], {"$defs": {"a/b": NUMBER}}),
    Case("a schema of nonsense", "nonsense", same("x", 5)),
    Case("deep", an_object("a", a=an_object("b", b=an_object("c", c=an_object("d", d=an_object("e", e=an_object("f", f=an_object("g", g=NUMBER))))))),
         same({"a": {"b": {"c": {"d": {"e": {"f": {"g": 1}}}}}}}), [{"a": {"b": {"c": {"d": {"e": {"f": {"g": "x"}}}}}}}]),
]  # fmt: skip


def tool_of(case: Case) -> DomainTool:
    whole = an_object("it", it=case.part, other=TEXT)
    more = {**case.more, "properties": {**whole["properties"], **case.more.get("properties", {})}}
    return foreign({**whole, **more})


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_values_are_taken_as_declared(case: Case) -> None:
    tool = tool_of(case)

    assert [tool.checked_args({"it": given}) for given, _ in case.good] == [{"it": taken} for _, taken in case.good]
    for given in case.bad:
        with pytest.raises(ValidationError, match="it"):
            tool.checked_args({"it": given})
    assert tool.checked_args({"it": ref("a", "b")}) == {"it": ref("a", "b")}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_every_schema_can_be_planned_with_its_neighbours(case: Case) -> None:
    domain = Domain(name="d", tools=[tool_of(case), foreign(an_object("sku", sku=TEXT), "count")], offline=Clerk())
    asked = planning_schema(domain)["properties"]["tools"]["items"]["properties"]
    assert asked["tool"]["enum"] == ["look", "count"]
    first, second = tool_list(domain).splitlines()
    assert first.startswith("- look(it")
    assert second == "- count(sku): Look. Result: object"


@pytest.mark.parametrize("case", [case for case in CASES if case.good], ids=lambda case: case.id)
def test_a_value_written_as_json_is_read_where_no_text_may_stand(case: Case) -> None:
    written = [(json.dumps(given), taken) for given, taken in case.good if isinstance(given, dict | list)]
    tool = tool_of(case)
    takes_text = any(taken == "x" for _, taken in case.good)

    read = [tool.checked_args(tool.as_meant({"it": given})) for given, _ in written]
    assert read == [{"it": given if takes_text else taken} for given, taken in written]


@pytest.mark.parametrize("text", ["[draft] minutes", '{"a": 1}', "", "5"])
def test_a_text_stays_one_where_a_text_is_declared(text: str) -> None:
    assert foreign(an_object("it", it=TEXT)).as_meant({"it": text, "stranger": text}) == {"it": text, "stranger": text}


@pytest.mark.parametrize("name", ["file-path", "self", "config", "model_config", "_x", "class", "schema", "été", "a.b"])
def test_an_argument_may_have_any_name(name: str) -> None:
    tool = foreign({"type": "object", "properties": {name: NUMBER}, "required": [name]})
    plan = planning(call("a", "look") | {"args": {name: "5"}})
    domain = Domain(name="d", tools=[tool], offline=Clerk())
    made = checked_plan(plan, domain=domain, ledger=empty_ledger(), number=1, runs=5, waves=5, planner="p")

    assert made["tools"][0]["args"] == {name: 5}


def test_references_inside_what_was_written_as_json_are_references() -> None:
    tool = foreign(an_object("it", it={"type": "object"}))
    plan = planning(call("first", "look", it={}), call("second", "look", it=json.dumps({"a": ref("first", "b")})))
    domain = Domain(name="d", tools=[tool], offline=Clerk())
    made = checked_plan(plan, domain=domain, ledger=empty_ledger(), number=1, runs=5, waves=5, planner="p")

    assert made["tools"][1]["args"] == {"it": {"a": ref("first", "b")}}


def test_what_is_missing_unknown_or_wrong_is_told_with_its_place() -> None:
    tool = foreign(an_object("who", who={**PERSON, "additionalProperties": False}, n=NUMBER))
    with pytest.raises(ValidationError) as refused:
        tool.checked_args({"n": "x"})

    told = explain(refused.value)
    assert told.startswith("who = {'n': 'x'}: Field required; n = 'x': Input should be a valid integer")


def test_a_null_for_what_may_be_left_out_is_left_out() -> None:
    nullable = {"type": ["string", "null"]}
    tool = foreign(an_object("must", must=nullable, may=TEXT, inside=an_object("must", must=nullable, may=TEXT)))

    given = {"must": None, "may": None, "inside": {"must": None, "may": None}}
    assert tool.checked_args(given) == {"must": None, "inside": {"must": None}}
    assert tool.values({}, {}) == {"must": None}
    assert (tool.arguments["must"].is_required(), tool.default_of("may")) == (True, None)


@pytest.mark.parametrize("schema", [{"type": "string"}, {"type": "object", "additionalProperties": True}])
def test_arguments_without_names_are_refused(schema: Any) -> None:
    with pytest.raises(SettingsError, match="tool 'look': its args_schema names no arguments"):
        foreign(schema).arguments  # noqa: B018


@pytest.mark.parametrize("schema", [{}, {"type": "object"}, {"properties": {}}])
def test_no_arguments_are_none(schema: Any) -> None:
    assert (foreign(schema).arguments, foreign(schema).checked_args({})) == ({}, {})


def test_a_result_may_be_declared_by_a_schema() -> None:
    schema = {"properties": {"people": {"items": {"$ref": "#/definitions/P"}}}, "definitions": {"P": PERSON}}
    tool = read(Foreign(args_schema={}), result=schema)
    domain = Domain(name="d", tools=[tool], offline=Clerk())

    assert tool_list(domain) == "- look(): Look. Result: {people: [{name, age: int}]}"
    assert tool.result_adapter.validate_python({"people": 1}) == {"people": 1}


def test_a_tidy_schema_stays_as_it_is() -> None:
    assert tidy_schema(TREE)["properties"]["children"]["items"] == {"$ref": "#/$defs/root"}
    assert tidy_schema(tidy_schema(TREE)) == tidy_schema(TREE)
