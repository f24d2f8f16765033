"""What a planner is told of each kind of argument, whatever pydantic makes of it."""

from dataclasses import dataclass
from datetime import date
from enum import Enum
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema, create_model
from tables import table

from wavegraph.graph.references.signatures import FEW_CHOICES, notes, notes_line, signature
from wavegraph.graph.references.tidy import tidy_schema


class Size(Enum):
    SMALL = "s"
    LARGE = "m"


class Cat(BaseModel):
    """For developers."""

    kind: Literal["cat"]
    name: str | None = Field(default=None, description="What it is called")
    lives: int = 9


class Dog(BaseModel):
    kind: Literal["dog"]


class Open(BaseModel):
    model_config = ConfigDict(extra="allow")

    count: int


class Node(BaseModel):
    name: str
    next: "Node | None" = None


CAT = '{kind: "cat", name?, lives?: int}'


@dataclass(frozen=True)
class Kind:
    id: str
    annotation: Any
    told: str
    default: Any = ...


KINDS = [
    Kind("text", str, "it"),
    Kind("text or nothing", str | None, "it?", None),
    Kind("text or nothing that is needed", str | None, "it: text|null"),
    Kind("nothing, though it has a default", int | None, "it?: int|null = 2", 2),
    Kind("a short text", Annotated[str, Field(max_length=9)], "it: text <=9"),
    Kind("a text as long as any", Annotated[str, Field(min_length=1, max_length=500)], "it"),
    Kind("day", date, "it: date"),
    Kind("number in bounds", Annotated[int, Field(ge=1, le=9)], "it: int >=1 <=9"),
    Kind("number above", Annotated[float, Field(gt=0, lt=1e12)], "it: number >0 <1000000000000"),
    Kind("a number with an end that none comes to", Annotated[float, Field(gt=0, le=1e12)], "it: number >0"),
    Kind("number or text", int | str, "it: int|text"),
    Kind("pattern", Annotated[str, Field(pattern="^a")], "it: text like ^a"),
    Kind("yes or no", bool, "it?: bool", False),
    Kind("one word", Literal["only"], 'it: "only"'),
    Kind("a choice", Literal["s", "m"], 'it: "s"|"m"'),
    Kind("a choice of words and numbers", Literal["s", 1], 'it: "s"|1'),
    Kind("an enumeration", Size, 'it: "s"|"m"'),
    Kind("days", Annotated[list[date], Field(max_length=3)], "it: [date] <=3"),
    Kind("ages that may be unknown", list[int | None] | None, "it?: [int|null]", None),
    Kind("a tuple", tuple[int, str], "it: [int, text] >=2 <=2"),
    Kind("a model", Cat, f"it: {CAT}"),
    Kind("models", list[Cat], f"it: [{CAT}]"),
    Kind("one of two models", Annotated[Cat | Dog, Field(discriminator="kind")], f'it: {CAT}|{{kind: "dog"}}'),
    Kind("a model that holds itself", Node | None, "it?: {name, next?: object}", None),
    Kind("free names", dict[str, int], "it: {any name: int}"),
    Kind("an open model", Open, "it: {count: int}"),
    Kind("an undescribed object", Annotated[Any, WithJsonSchema({"type": "object"})], "it: object"),
    Kind("anything", Any, "it: any"),
    Kind("a list of anything", list, "it: [any]"),
]


def schema_of(**fields: Any) -> Any:
    return tidy_schema(create_model("Look", **fields).model_json_schema())


@table("kind", KINDS)
def test_an_argument(kind: Kind) -> None:
    assert signature(schema_of(it=(kind.annotation, kind.default))) == f"({kind.told})"


def test_a_whole_model_may_hold_itself() -> None:
    assert signature(tidy_schema(Node.model_json_schema())) == "(name, next?: {name, next?: object})"


def test_of_many_choices_a_few_are_told() -> None:
    many: Any = Literal[tuple(f"town-{n}" for n in range(300))]
    towns = "|".join(f'"town-{n}"' for n in range(FEW_CHOICES))
    assert signature(schema_of(it=(many, ...))) == f"(it: {towns}|… (one of 300))"


def test_what_is_said_of_arguments_and_inside_them() -> None:
    pets: Any = Annotated[list[Cat] | None, Field(description="Which\n ones.")]
    schema = schema_of(pets=(pets, None), day=(date, ...), node=(Node, ...))
    assert notes(schema) == {"pets": "Which ones", "pets.name": "What it is called", "day": "", "node": ""}
    assert notes_line(schema) == " pets: Which ones; pets.name: What it is called."
    assert notes_line(schema_of(day=(date, ...))) == ""


def test_a_choice_that_may_be_null_is_told_once() -> None:
    choice = {"type": ["string", "null"], "enum": ["a", None]}
    schema = {"type": "object", "properties": {"it": choice, "kind": {"const": "b"}}, "required": ["it", "kind"]}
    assert signature(tidy_schema(schema)) == '(it: "a"|null, kind: "b")'


def test_no_arguments() -> None:
    assert (signature({"type": "object"}), notes({})) == ("()", {})
