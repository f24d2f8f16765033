"""The planning schema keeps to the strict dialect, whatever pydantic makes of a tool's arguments."""

from datetime import date
from enum import Enum
from typing import Annotated, Any, Literal

import jsonschema
import pytest
from endpoint import as_asked
from inn import Inn, Porter
from langchain_core.tools import StructuredTool, tool
from plans import NO_SLOTS, call
from pydantic import BaseModel, Field
from strict import strict_faults

from wavegraph import Domain, read
from wavegraph.graph.model.plan_schema import planned_call, planning_schema, tool_key, tool_list
from wavegraph.graph.references.shared_schema import said_once


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


class Cat(BaseModel):
    kind: Literal["cat"]
    lives: int = 9


class Dog(BaseModel):
    kind: Literal["dog"]


class Node(BaseModel):
    name: str
    next: "Node | None" = None


class Everything(BaseModel):
    colour: Colour
    pet: Annotated[Cat | Dog, Field(discriminator="kind")]
    day: date = Field(description="A day")
    days: list[date] = Field(default_factory=list, max_length=3)
    span: tuple[int, int] | None = None
    count: Annotated[int, Field(ge=1, le=9)] = 1
    size: Literal["s", "m"] = "s"
    one: Literal["only"] = "only"
    ratio: float | int | None = None
    chain: Node | None = None
    flag: bool = False


class Words(BaseModel):
    words: str | None = None
    also: Annotated[str, Field(max_length=9, description="Also")]
    size: Literal["s", "m"] = "s"
    day: date | None = None


def domain_of(arguments: type[BaseModel], **changes: Any) -> Domain:
    @tool(args_schema=arguments)
    def look(**args: Any) -> str:
        """Look."""
        return ""

    return Domain(name="d", tools=[read(look)], offline=Porter(), **changes)


def called(*given: Any, **args: Any) -> Any:
    """A call as a model writes it."""
    [made] = as_asked({"tools": [call(*given, **args)]})["tools"]
    return {**made, "serves": [1]}


def arguments_of(schema: dict[str, Any]) -> dict[str, Any]:
    fields: dict[str, Any] = schema["properties"]["tools"]["items"]["properties"]["call"]["anyOf"][0]["properties"]
    return {name: part for name, part in fields.items() if name != "tool"}


def test_every_kind_of_argument_fits_strict_mode() -> None:
    schema = planning_schema(domain_of(Everything, slots=Everything))
    assert strict_faults(schema) == []
    text = str(schema)
    assert "maxItems 3" in text
    assert "minimum 1" in text
    assert "default" not in text.replace("default_factory", "")


def test_a_plan_in_the_schema_is_accepted_with_values_references_and_nulls() -> None:
    schema = planning_schema(domain_of(Everything))
    fixed = {"colour": "red", "pet": {"kind": "cat", "lives": 3}, "day": "2026-12-05"}
    nothing = dict.fromkeys(["days", "span", "count", "size", "one", "ratio", "chain", "flag"])
    reference = {"ref": {"call": "a", "path": "b[0]"}}
    plan = {"reasoning": "", "action": "x", "status": "done", "reply": None, "context": []}
    for args in ({**fixed, **nothing}, dict.fromkeys(Everything.model_fields, reference)):
        jsonschema.validate({**plan, "tools": [called("a", "look", **args)]}, schema)
    wrong: list[dict[str, Any]] = [
        {**fixed, **nothing, "colour": None},
        {**fixed, **nothing, "extra": 1},
        {**fixed},
        {**fixed, **nothing, "day": {"ref": {"call": "a"}}},
    ]
    for bad in wrong:
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({**plan, "tools": [called("a", "look", **bad)]}, schema)


def test_texts_stand_where_any_text_may_and_a_call_may_be_made_for_each() -> None:
    schema = planning_schema(domain_of(Everything))
    fields = arguments_of(schema)
    text = {"$ref": "#/$defs/text"}
    assert [name for name, field in fields.items() if text in field.get("anyOf", ())] == []

    schema = planning_schema(domain_of(Words))
    reference = {"call": "a", "path": "b[name=c].d"}
    said = {"text": "{x}: paid", "with": [{"name": "x", "ref": reference}]}
    plan = {"reasoning": "", "action": "x", "status": "done", "reply": None, "context": []}
    for words, each in ((said, None), ({"ref": {"call": "each", "path": ""}}, {"ref": reference}), (None, None)):
        args = {"words": words, "also": said, "size": None, "day": None}
        jsonschema.validate({**plan, "tools": [called("a", "look", each=each, **args)]}, schema)
    for size in (said, {"text": "{x}", "with": {"x": {"ref": reference}}}):
        args = {"words": None, "also": "plain", "size": size, "day": None}
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({**plan, "tools": [called("a", "look", **args)]}, schema)


def test_slots_may_be_null_and_unknown_tools_may_not_be_called() -> None:
    schema = planning_schema(Inn().domain())
    made = {"reasoning": "", "action": "x", "status": "done", "slots": NO_SLOTS}
    plan = {**made, "reply": None, "tools": [], "context": []}
    jsonschema.validate(plan, schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**plan, "tools": [called("a", "get_pool")]}, schema)


class Free(BaseModel):
    anything: dict[str, Any]


class Untyped(BaseModel):
    anything: Any


class Bare(BaseModel):
    things: list  # type: ignore[type-arg]


@pytest.mark.parametrize("arguments", [Free, Untyped, Bare])
def test_an_argument_without_a_shape_keeps_to_the_dialect(arguments: type[BaseModel]) -> None:
    assert strict_faults(planning_schema(domain_of(arguments))) == []


def test_arguments_and_slots_that_hold_themselves() -> None:
    schema = planning_schema(domain_of(Node, slots=Node))
    assert strict_faults(schema) == []
    assert list(arguments_of(schema)) == ["name", "next"]


def test_the_hotels_schema_fits_strict_mode() -> None:
    from pathlib import Path

    from wavegraph.tools.hotel.domain import hotel_domain

    assert strict_faults(planning_schema(hotel_domain(Path("never opened")))) == []


class Kit(BaseModel):
    tool: str


def test_an_argument_may_have_the_name_of_the_field_that_names_the_tool() -> None:
    domain = domain_of(Kit)
    [form] = planning_schema(domain)["properties"]["tools"]["items"]["properties"]["call"]["anyOf"]
    assert list(form["properties"]) == ["tool_2", "tool"]
    written = {"id": "a", "call": {"tool_2": "look", "tool": "saw"}, "each": None, "instead_of": None}
    canonical = {"id": "a", "tool": "look", "args": {"tool": "saw"}, "each": None, "instead_of": None}
    assert planned_call(written, tool_key(domain)) == canonical
    assert planned_call(canonical, tool_key(domain)) == canonical


def test_what_only_the_person_gives_is_no_reference() -> None:
    @tool(args_schema=Words)
    def look(**args: Any) -> str:
        """Look."""
        return ""

    schema = planning_schema(Domain(name="d", tools=[read(look, sources={"words": "person"})], offline=Porter()))
    assert arguments_of(schema)["words"] == {"type": ["string", "null"]}


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
    assert tool_list(Domain(name="d", tools=[read(each, refer_to=[]) for each in made], offline=Porter())) == (
        "- look: look. Arguments: night: The night to sleep. (format date); beds: (minimum 1).\n"
        "- hold: hold. Arguments: beds: In a row (minimum 2).\n"
        "- find: find. Arguments: beds: (minimum 1).\n"
        "- rest: rest. Arguments: night: (another); beds: (another)."
    )


def test_tools_that_take_the_same_share_a_form_and_what_recurs_is_defined_once() -> None:
    @tool(args_schema=Words)
    def hear(**args: Any) -> str:
        """Hear."""
        return ""

    @tool(args_schema=Words)
    def look(**args: Any) -> str:
        """Look."""
        return ""

    schema = planning_schema(Domain(name="d", tools=[read(look), read(hear)], offline=Porter()))
    [form] = schema["properties"]["tools"]["items"]["properties"]["call"]["anyOf"]
    assert form["properties"]["tool"]["enum"] == ["look", "hear"]
    assert strict_faults(said_once(schema)) == []
    twice = {"type": "object", "properties": {name: {"anyOf": [{"type": "string"}, {"type": "integer"}, {"type": "null"}],
             "description": name} for name in "ab"}}  # fmt: skip
    told = said_once(twice)
    union = {"$ref": "#/$defs/string_or_null"}
    assert told["properties"] == {name: {"anyOf": [union], "description": name} for name in "ab"}
    assert list(told["$defs"]) == ["string_or_null"]
