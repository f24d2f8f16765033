"""What a model is told of each kind of argument, slot and result, whatever pydantic makes of it."""

from dataclasses import dataclass
from datetime import date
from enum import Enum
from typing import Annotated, Any, Literal

import pytest
from langchain_core.tools import tool
from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema, create_model
from till import Till
from warehouse import Clerk

from wavegraph import Domain, SettingsError, read
from wavegraph.graph.domain_tool import write
from wavegraph.graph.model.plan_schema import planning_schema, tool_list


class Size(Enum):
    SMALL = "s"
    LARGE = "m"


class Cat(BaseModel):
    """A cat."""

    kind: Literal["cat"]
    name: str | None = Field(default=None, description="What it is called")
    lives: int = 9


class Dog(BaseModel):
    kind: Literal["dog"]


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")

    count: int


class Open(BaseModel):
    model_config = ConfigDict(extra="allow")

    count: int


class Node(BaseModel):
    name: str
    next: "Node | None" = None


class Nothing(BaseModel):
    pass


def domain_of(arguments: type[BaseModel] = Nothing, slots: type[BaseModel] | None = None) -> Domain:
    @tool(args_schema=arguments)
    def look(**args: Any) -> str:
        """Look."""
        return ""

    return Domain(name="d", tools=[read(look)], offline=Clerk(), slots=slots)


def said_of(arguments: Any) -> str:
    """What the list of tools says of a tool's arguments."""
    return tool_list(domain_of(arguments)).removeprefix("- look: Look.").removesuffix(" Result: string")


def closed(**fields: Any) -> dict[str, Any]:
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}


def arguments_of(schema: dict[str, Any]) -> dict[str, Any]:
    [form] = schema["properties"]["tools"]["items"]["properties"]["call"]["anyOf"]
    tool, *names = form["properties"]
    assert form["properties"][tool] == {"type": "string", "enum": ["look"]}
    return closed(**{name: form["properties"][name] for name in names})


REFERENCE, TEXT, NULL = {"$ref": "#/$defs/reference"}, {"$ref": "#/$defs/text"}, {"type": "null"}
A_DAY = {"type": "string", "description": "(format date)"}
WORD, NUMBER = {"type": "string"}, {"type": "integer"}


@dataclass(frozen=True)
class Kind:
    id: str
    annotation: Any
    options: list[dict[str, Any]]
    """What it may be, besides a reference and nothing; a definition by its name alone."""
    default: Any = ...
    is_text: bool = False
    """Whether a text with values in it may stand in its place."""
    description: str | None = None
    about: str | None = None
    """What the list of tools says of an argument, if not that."""
    defined: Any = None
    """What the definition says, as an argument's; nulls stand in a slot's only."""


CAT = closed(
    kind={"type": "string", "enum": ["cat"]},
    name={"anyOf": [WORD, NULL], "description": "What it is called"},
    lives=NUMBER,
)
KINDS = [
    Kind("text", str, [WORD], is_text=True),
    Kind("text or nothing", str | None, [WORD], None, is_text=True),
    Kind("text with a default", str, [WORD], "x", is_text=True),
    Kind("text with a length", Annotated[str, Field(max_length=9, description="Words")],
         [WORD], is_text=True, description="Words (maxLength 9)"),
    Kind("day", date, [{"type": "string"}], description="(format date)"),
    Kind("day or nothing", Annotated[date | None, Field(description="When")], [A_DAY], None, description="When",
         about="When (format date)"),
    Kind("number in bounds", Annotated[int, Field(ge=1, le=9, description="How many")], [NUMBER],
         description="How many (minimum 1, maximum 9)"),
    Kind("number or text", int | str, [NUMBER, WORD], is_text=True),
    Kind("pattern", Annotated[str, Field(pattern="^a")], [WORD], is_text=True, description="(pattern ^a)"),
    Kind("yes or no", bool, [{"type": "boolean"}], False),
    Kind("one word", Literal["only"], [{"type": "string", "enum": ["only"]}]),
    Kind("a choice", Literal["s", "m"], [{"enum": ["s", "m"], "type": "string"}]),
    Kind("a choice of words and numbers", Literal["s", 1], [{"enum": ["s", 1]}]),
    Kind("an enumeration", Size, [{"$ref": "Size"}], defined={"enum": ["s", "m"], "type": "string"}),
    Kind("days", Annotated[list[date], Field(max_length=3)], [{"items": A_DAY, "type": "array"}], description="(maxItems 3)"),
    Kind("a tuple", tuple[int, int, str], [{"type": "array", "items": {"anyOf": [NUMBER, WORD]}}],
         description="(minItems 3, maxItems 3)"),
    Kind("a model", Annotated[Cat, Field(description="Which")], [{"$ref": "Cat"}], about="Which",
         defined={"description": "A cat.", **CAT}),
    Kind("a model or nothing", Annotated[Cat | None, Field(description="Which")], [{"$ref": "Cat"}], None, description="Which",
         defined={"description": "A cat.", **CAT}),
    Kind("one of two models", Annotated[Cat | Dog, Field(discriminator="kind")], [{"$ref": "Cat"}, {"$ref": "Dog"}],
         defined={"description": "A cat.", **CAT}),
    Kind("a closed model", Strict, [{"$ref": "Strict"}], defined=closed(count=NUMBER)),
]  # fmt: skip


def placed(option: dict[str, Any], owner: str) -> dict[str, Any]:
    return {"$ref": f"#/$defs/{owner}_{option['$ref']}"} if "$ref" in option else option


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.id)
def test_an_argument(kind: Kind) -> None:
    schema = planning_schema(domain_of(create_model("Look", it=(kind.annotation, kind.default))))

    options = [placed(option, "look") for option in kind.options]
    more = [*[TEXT] * kind.is_text, *[NULL] * (kind.default is not ...)]
    if kind.options == [A_DAY]:
        options = [WORD]
    assert arguments_of(schema) == closed(it={"anyOf": [*options, REFERENCE, *more]})
    about = kind.about or kind.description
    assert said_of(create_model("Look", it=(kind.annotation, kind.default))) == (
        f" Arguments: it: {about}." if about else ""
    )
    assert kind.defined is None or schema["$defs"][f"look_{kind.options[0]['$ref']}"] == kind.defined


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.id)
def test_a_slot(kind: Kind) -> None:
    schema = planning_schema(domain_of(slots=create_model("Wish", it=(kind.annotation, kind.default))))

    options = [placed(option, "slots") for option in kind.options]
    said = {"description": kind.description} if kind.description else {}
    is_union = len(options) > 1 or kind.default is not ...
    it = {"anyOf": [*options, *[NULL] * (kind.default is not ...)], **said} if is_union else {**options[0], **said}
    if is_union and len(options) == 1 and set(options[0]) == {"type"}:
        it = {"type": [options[0]["type"], "null"], **said}
    assert schema["properties"]["slots"] == closed(it=it)
    if kind.defined == {"description": "A cat.", **CAT}:
        assert schema["$defs"]["slots_Cat"]["properties"]["lives"] == {"type": ["integer", "null"]}


def test_a_model_that_holds_itself() -> None:
    schema = planning_schema(domain_of(Node, slots=Node))
    own = {"$ref": "#/$defs/look_Node"}
    assert arguments_of(schema) == closed(
        name={"anyOf": [WORD, REFERENCE, TEXT]}, next={"anyOf": [own, REFERENCE, NULL]}
    )
    assert schema["$defs"]["look_Node"] == closed(name=WORD, next={"anyOf": [own, NULL]})
    assert schema["properties"]["slots"] == {"$ref": "#/$defs/slots_Node"}


FREE = [
    (dict[str, int], "free keys"),
    (Open, "free keys"),
    (Annotated[Any, WithJsonSchema({"type": "object"})], "free keys"),
    (Any, "any type"),
    (list, "any type"),
]
FREE_IDS = ["record", "open model", "undescribed object", "anything", "a list of anything"]


@pytest.mark.parametrize(("annotation", "why"), FREE, ids=FREE_IDS)
def test_what_has_no_form_is_told_of_a_slot(annotation: Any, why: str) -> None:
    with pytest.raises(SettingsError, match=f"slots: .* {why} cannot be planned strictly"):
        planning_schema(domain_of(slots=create_model("Wish", it=(annotation, ...))))


@pytest.mark.parametrize(("annotation", "why"), FREE, ids=FREE_IDS)
def test_what_has_no_form_is_an_argument_written_as_json(annotation: Any, why: str) -> None:
    arguments = create_model("Look", it=(annotation, ...), day=(date, ...))
    schema = planning_schema(domain_of(arguments))
    fields = arguments_of(schema)["properties"]
    placed = [
        schema["$defs"].get(option.get("$ref", "").rpartition("/")[2], option) for option in fields["it"]["anyOf"]
    ]
    assert [
        option.get("type") for option in placed if option not in (schema["$defs"]["reference"], schema["$defs"]["text"])
    ]
    assert "JSON" in f"{placed} {said_of(arguments)}"
    assert fields["day"] == {"anyOf": [WORD, REFERENCE]}
    assert said_of(arguments).endswith("day: (format date).")


def test_of_many_choices_a_few_are_told() -> None:
    many: Any = Literal[tuple(f"town-{n}" for n in range(300))]
    arguments = create_model("Look", it=(many, ...))

    towns = ", ".join(f"town-{n}" for n in range(10))
    assert arguments_of(planning_schema(domain_of(arguments)))["properties"]["it"] == {"anyOf": [WORD, REFERENCE, TEXT]}
    assert said_of(arguments) == f" Arguments: it: (one of 300, such as {towns})."


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
    (str, "string"),
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

    assert tool_list(domain) == f"- look: Look it up. Result: {outline}"


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
        "- count: Count. Result: int",
        "- drop (changes): Drop. In the person's words: c. From a result: b, d. "
        + "In the person's words or from a result: a. Result: int",
        "- pay (changes, asks): Pay for one item. "
        + "In the person's words: who. From a result: item. "
        + "Result: {item, price: int, who, number: int}",
    ]
