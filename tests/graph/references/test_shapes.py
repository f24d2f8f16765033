"""Where paths lead in declared results, and what fits a declared argument."""

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any, Literal
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.tools import tool
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    TypeAdapter,
    computed_field,
    field_serializer,
    model_serializer,
    model_validator,
)
from tables import table
from typing_extensions import TypedDict

from wavegraph import read
from wavegraph.graph.domain_tool import DomainTool
from wavegraph.graph.references.paths import as_number, path_steps
from wavegraph.graph.references.shapes import (
    NoSuchPath,
    Schema,
    Shape,
    argument_shape,
    at,
    fitting_value,
    kinds_of,
    may_fit,
    shape_words,
)
from wavegraph.graph.references.tidy import tidy_schema


class Colour(Enum):
    RED = "red"


class Size(TypedDict):
    eu: int


class Cat(BaseModel):
    kind: Literal["cat"]
    lives: int


class Dog(BaseModel):
    kind: Literal["dog"]
    tricks: list[str]


class Node(BaseModel):
    name: str
    next: "Node | None" = None


class Open(BaseModel):
    model_config = ConfigDict(extra="allow")
    known: int


class Named(BaseModel):
    plain: int = Field(alias="itsAlias")


class Dumped(BaseModel):
    model_config = ConfigDict(serialize_by_alias=True)
    plain: int = Field(alias="itsAlias")


class Odd(BaseModel):
    amount: int

    @field_serializer("amount")
    def _as_record(self, value: int):  # type: ignore[no-untyped-def]
        return {"value": value}


class OddWhole(BaseModel):
    amount: int

    @model_serializer
    def _as_other(self):  # type: ignore[no-untyped-def]
        return {"other": self.amount}


class Written(BaseModel):
    amount: int

    @field_serializer("amount")
    def _as_text(self, value: int) -> str:
        return str(value)


class Everything(BaseModel):
    number: int
    ratio: float
    when: date
    colour: Colour
    size: Size
    sizes: list[Size]
    pair: tuple[int, Size]
    pet: Annotated[Cat | Dog, Field(discriminator="kind")]
    maybe: Size | None
    by_day: dict[str, Size]
    free: dict[str, Any]
    anything: Any
    chain: Node

    @computed_field  # type: ignore[prop-decorator]
    @property
    def twice(self) -> int:
        return 2 * self.number


def tool_of(result: Any) -> DomainTool:
    @tool
    async def look() -> Any:
        """Look."""

    return read(look, result=result)


def leads(result: Any, path: str) -> bool:
    ways = 0
    for schema in tool_of(result).result_schemas or [{}]:
        with suppress(NoSuchPath):
            ways += bool(at(schema, path_steps(path)))
    return ways > 0


@dataclass(frozen=True)
class Way:
    result: Any
    path: str
    leads: bool


WAYS = [
    *(Way(Everything, path, True) for path in (
        "", "number", "twice", "when", "colour", "size.eu", "sizes[0].eu", "sizes[-1]", "sizes.0.eu", "sizes[eu=40].eu",
        "pair[0]", "pair[1].eu", "pair[-1].eu", "pet.kind", "pet.lives", "pet.tricks[3]", "maybe.eu", "by_day.2026-01-01.eu",
        "free.whatever[3].at.all", "anything.at[0].all", "chain.next.next.next.name")),
    *(Way(Everything, path, False) for path in (
        "nowhere", "number.x", "number[0]", "when.year", "size.us", "size[0]", "sizes.eu", "sizes[0].us", "sizes[us=1]",
        "pair[2]", "pair[0].eu", "pet.wings", "maybe.us", "by_day.x.us", "chain.next.nxt", "sizes[0][eu=40]", "[0]")),
    Way(list[Size], "[0].eu", True), Way(list[Size], "eu", False), Way(list[Size], "[0].us", False),
    Way(Size | None, "eu", True), Way(dict, "x", True), Way(list, "[0].x", True), Way(Any, "x", True),
    Way(int, "", True), Way(int, "x", False), Way(str, "x.y", False), Way(Open, "more", True), Way(Open, "known.x", False),
    Way(Named, "plain", True), Way(Dumped, "itsAlias", True), Way(Odd, "amount.value", True), Way(OddWhole, "other", True),
    Way(Written, "amount.value", False), Way(Node, "next.next.name", True), Way(Node, "next.prev", False),
]  # fmt: skip


@table("case", WAYS)
def test_a_path_is_held_against_the_declared_result(case: Way) -> None:
    assert leads(case.result, case.path) is case.leads


INT, TEXT, NULL = ({"type": kind} for kind in ("integer", "string", "null"))
SMALL: Schema = {"type": "object", "properties": {"a": INT, "b": TEXT}}
OTHER: Schema = {"type": "object", "properties": {"a": TEXT, "c": INT}}
PAIR: Schema = {"type": "array", "prefixItems": [SMALL, OTHER]}
CHAIN: Schema = {"$ref": "#/$defs/A", "$defs": {"A": {"anyOf": [{"$ref": "#/$defs/A"}, INT]}}}


@dataclass(frozen=True)
class Place:
    id: str
    schema: Any
    path: str
    found: list[Any]


PLACES = [
    Place("a field", SMALL, "b", [TEXT]),
    Place("of an object that says nothing of its fields", {"type": "object"}, "x", [{}]),
    Place("of each that it may be", {"oneOf": [SMALL, OTHER, INT]}, "a", [INT, TEXT]),
    Place("of all that it is", {"allOf": [SMALL, {"properties": {"c": INT}}]}, "c", [INT]),
    Place("several types", {"type": ["array", "null"], "items": TEXT}, "", [{"type": "array", "items": TEXT}, NULL]),
    Place("a definition that leads to itself", CHAIN, "", [INT]),
    Place("a definition that there is not", {"$ref": "#/$defs/B"}, "x", [{}]),
    Place("a field by a pattern", {**SMALL, "patternProperties": {"^x": INT}}, "xy", [{}]),
    Place("further fields", {"type": "object", "additionalProperties": INT}, "x", [INT]),
    Place("further fields beside known ones", {**SMALL, "additionalProperties": TEXT}, "x", [TEXT]),
    Place("any further field", {**SMALL, "additionalProperties": True}, "x", [{}]),
    Place("further fields that may be anything", {**SMALL, "additionalProperties": {}}, "x", [{}]),
    Place("an element", {"items": TEXT}, "[3]", [TEXT]),
    Place("of a list that says nothing of its elements", {"type": "array"}, "[3].x", [{}]),
    Place("of a list by position", PAIR, "[1]", [OTHER]),
    Place("behind those with a position", {**PAIR, "items": TEXT}, "[2]", [TEXT]),
    Place("the last may be any", PAIR, "[-1]", [SMALL, OTHER]),
    Place("or one of those behind", {**PAIR, "items": TEXT}, "[-3]", [SMALL, OTHER, TEXT]),
    Place("a choice among those with the field", {"items": {"anyOf": [SMALL, OTHER]}}, "[c=1]", [OTHER]),
    Place("a choice by position", PAIR, "[b=x]", [SMALL]),
    Place("a choice in a list that says nothing", {"type": "array"}, "[b=x]", [{}]),
    Place("a choice behind those with a position", {**PAIR, "items": {"properties": {"b": INT}}}, "[b=x].b", [TEXT, INT]),
]  # fmt: skip


@table("case", PLACES)
def test_a_path_leads_to_all_that_may_lie_there(case: Place) -> None:
    assert at(tidy_schema(case.schema), path_steps(case.path)) == case.found


@dataclass(frozen=True)
class Nowhere:
    schema: Any
    path: str
    says: str
    known: list[str] = field(default_factory=list)


NOWHERE = [
    Nowhere(SMALL, "x", "there is no field 'x'; the fields are ['a', 'b']", ["a", "b"]),
    Nowhere({"anyOf": [SMALL, OTHER, {"items": INT}]}, "x", "there is no field 'x'; the fields are ['a', 'b', 'c']", ["a", "b", "c"]),
    Nowhere({**SMALL, "additionalProperties": False}, "x", "there is no field 'x'; the fields are ['a', 'b']", ["a", "b"]),
    Nowhere(SMALL, "[0]", "there is no element [0]; the fields are ['a', 'b']", ["a", "b"]),
    Nowhere(SMALL, "[a=1]", "there is no element [a=1]; the fields are ['a', 'b']", ["a", "b"]),
    Nowhere({"type": "object"}, "[0]", "there is no element [0]; this is of type object"),
    Nowhere({"items": SMALL}, "a", "there is no field 'a'; this is a list; name an element of it first, such as [0].a"),
    Nowhere({"anyOf": [INT, {"items": SMALL}]}, "a", "there is no field 'a'; this is a list; name an element of it first, such as [0].a"),
    Nowhere(PAIR, "[2]", "there is no element [2]; this is of type array"),
    Nowhere({"items": SMALL}, "[x=1]", "there is no element [x=1]; this is of type array"),
    Nowhere(PAIR, "[x=1]", "there is no element [x=1]; this is of type array"),
    Nowhere({"type": ["string", "null"]}, "x", "there is no field 'x'; this is of type null or string"),
    Nowhere(INT, "[2]", "there is no element [2]; this is of type integer"),
    Nowhere({"enum": [1, "1"]}, "x", "there is no field 'x'; this is of type integer or string"),
]  # fmt: skip


@table("case", NOWHERE)
def test_a_wrong_path_tells_what_there_is(case: Nowhere) -> None:
    with pytest.raises(NoSuchPath) as wrong:
        at(tidy_schema(case.schema), path_steps(case.path))
    assert (str(wrong.value), wrong.value.known) == (case.says, case.known)


def test_a_path_in_the_elements_of_lists_leads_to_what_lies_in_any_of_them() -> None:
    assert at({}, [-1, "a"], [{"type": "array", "items": SMALL}, PAIR]) == [INT, INT, TEXT]
    assert at({}, [-1], [{"type": "array"}]) == [{}]


# Whether it fits


def shape_of(kind: Any) -> Shape | None:
    schema = tidy_schema(TypeAdapter(kind).json_schema())
    return argument_shape(at(schema, []), schema)


@dataclass(frozen=True)
class Pair:
    given: Any
    wanted: Any
    fits: bool


PAIRS = [
    Pair(int, str, True), Pair(str, int, True), Pair(float, str, True), Pair(str, float, True), Pair(int, float, True),
    Pair(float, int, True), Pair(bool, int, False), Pair(bool, str, False), Pair(date, int, False), Pair(UUID, float, False),
    Pair(date, str, True), Pair(str, date, True), Pair(Colour, int, False), Pair(Literal["1", "2"], int, True),
    Pair(Colour, str, True), Pair(Size, str, False), Pair(list[int], int, False), Pair(int, list[int], False),
    Pair(list[int], list[str], True), Pair(list[Size], list[str], False), Pair(list, list[str], True), Pair(Any, int, True),
    Pair(int, Any, True), Pair(int | None, str, True), Pair(None, int, True), Pair(Size | int, str, True),
    Pair(Size, Size, True), Pair(Decimal, float, True), Pair(Decimal, int, True), Pair(dict[str, Any], str, False),
    Pair(tuple[int, int], list[int], True), Pair(str, bool, True), Pair(str, Literal["a", "b"], True),
    Pair(Literal[1, "x"], int, True), Pair(Literal[1, "x"], list[int], False), Pair(Literal["1", "x"], int, True),
    Pair(Literal["x"], float, False), Pair(Literal["7"], float, True), Pair(list[str], list[bool], True),
]  # fmt: skip


@table("case", PAIRS)
def test_declared_types_are_held_against_each_other(case: Pair) -> None:
    schema = tidy_schema(TypeAdapter(case.given).json_schema(mode="serialization"))
    assert may_fit(at(schema, []), shape_of(case.wanted), schema) is case.fits


@pytest.mark.parametrize(
    ("given", "fits"),
    [([SMALL, {}], True), ([SMALL, OTHER], False), ([SMALL, {"type": "file"}], True), ([{"type": "array"}], False)],
    ids=["or anything", "one of two objects", "what is no kind of JSON schema", "a list of anything"],
)
def test_no_alarm_is_raised_about_what_may_be_right(given: list[Schema], fits: bool) -> None:
    assert may_fit(given, {"types": ["string"]}, {}) is fits


@dataclass(frozen=True)
class Takes:
    id: str
    schema: Any
    shape: Any


NUMBERS: Any = {"types": ["array"], "items": {"types": ["integer"]}}
TAKES = [
    Takes("one type", INT, {"types": ["integer"]}),
    Takes("several", {"anyOf": [TEXT, INT, NULL]}, {"types": ["integer", "null", "string"]}),
    Takes("this or anything", {"anyOf": [TEXT, {"title": "X"}]}, None),
    Takes("a list", {"items": INT}, NUMBERS),
    Takes("a list of lists", {"items": {"items": INT}}, {"types": ["array"], "items": NUMBERS}),
    Takes("a list of anything", {"type": "array"}, {"types": ["array"]}),
    Takes("a list or another type", {"anyOf": [TEXT, {"items": INT}]}, {"types": ["array", "string"], "items": {"types": ["integer"]}}),
    Takes("one of two lists", {"anyOf": [{"items": INT}, {"items": TEXT}]}, {"types": ["array"]}),
    Takes("an object by its fields", OTHER, {"types": ["object"]}),
    Takes("a list by position", PAIR, {"types": ["array"]}),
    Takes("values", {"enum": [1, "x", None, True, 1.5]}, {"types": ["boolean", "integer", "null", "number", "string"]}),
    Takes("one value", {"const": 7}, {"types": ["integer"]}),
]  # fmt: skip


@table("case", TAKES)
def test_what_an_argument_takes_is_read_from_its_schema(case: Takes) -> None:
    assert argument_shape(at(tidy_schema(case.schema), []), {}) == case.shape
    assert argument_shape([], {}) is None


@table(
    ("value", "kind", "made"),
    [(7, str, "7"), (7.0, str, "7"), ("7", int, 7), ("7.0", int, 7), ("7.5", float, 7.5), (7, float, 7.0), (7.0, int, 7),
     ([1, "2"], list[str], ["1", "2"]), (True, bool, True), ("x", str, "x"), (None, int, None), (3, int | str, 3),
     ("3", int | str, "3"), ({"a": 1}, dict[str, int], {"a": 1}), ("2026-01-01", date, "2026-01-01"), ({"x": 1}, Any, {"x": 1}),
     (1, bool, 1), (1.0, bool, 1), ("1", bool, "1"), ("yes", bool, "yes"), ([1, "2"], list, [1, "2"]), (7.5, int | float, 7.5),
     (7, int | float, 7), (7.0, int | float, 7.0), (7.5, int | str, "7.5"), (True, bool | str, True)],
)  # fmt: skip
def test_a_value_is_spelt_as_the_argument_has_it(value: Any, kind: Any, made: Any) -> None:
    found = fitting_value(value, shape_of(kind))
    assert found == made
    assert type(found) is type(made)


LONG = "x" * 78


@table(
    ("value", "kind", "says"),
    [("seven", int, "'seven' is not of type integer"), ("7.5", int, "'7.5' is not of type integer"), (7.5, int, "7.5 is not of type integer"),
     (True, int, "True is not of type integer"), (False, str, "False is not of type string"), (True, float, "True is not of type number"),
     ({"a": 1}, str, "{'a': 1} is not of type string"), ([1], int, "[1] is not of type integer"), (1, list[int], "1 is not of type array"),
     ("1", dict[str, int], "'1' is not of type object"), ([{}], list[str], "{} is not of type string"), ("1,200", int, "'1,200' is not of type integer"),
     (10**400, float, f"1{79 * '0'}… is too large a number"), (float("inf"), int, "inf is not of type integer"),
     (7, dict[str, int], "7 is not of type object"), (1.5, bool, "1.5 is not of type boolean"), ({}, int | str | None, "{} is not of type integer or string"),
     (LONG, int, f"'{LONG}' is not of type integer"), (LONG + "x", int, f"'{LONG}x… is not of type integer")],
)  # fmt: skip
def test_a_value_that_does_not_fit_is_refused(value: Any, kind: Any, says: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(says)}$"):
        fitting_value(value, shape_of(kind))


class Parted(BaseModel):
    words: Annotated[str, BeforeValidator(" ".join)]
    plain: Annotated[str, AfterValidator(str.strip)]
    inner: "list[Parted] | None" = None


class Whole(BaseModel):
    words: str

    @model_validator(mode="before")
    @classmethod
    def _as_given(cls, given: Any) -> Any:
        return given


@table(
    ("model", "place", "shape"),
    [
        (Parted, ["words"], None),
        (Parted, ["plain"], {"types": ["string"]}),
        (Parted, ["inner", 0, "words"], None),
        (Parted, ["nowhere"], None),
        (Whole, ["words"], None),
        (Node, ["name"], {"types": ["string"]}),
        (Node, ["next", "next", "name"], {"types": ["string"]}),
        (Named, ["plain"], {"types": ["integer"]}),
    ],
)
def test_what_a_validator_reads_by_itself_is_not_declared(model: type[BaseModel], place: list[Any], shape: Any) -> None:
    @tool(args_schema=model)
    async def look(**given: Any) -> None:
        """Look."""

    assert read(look).takes(place) == shape


SCALARS: Callable[[], st.SearchStrategy[Any]] = lambda: (
    st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.booleans() | st.text(max_size=8)
)


@given(SCALARS(), st.sampled_from([int, float, str, bool, int | str, float | None]))
def test_what_was_fitted_is_fitted_already(value: Any, kind: Any) -> None:
    shape = shape_of(kind)
    try:
        made = fitting_value(value, shape)
    except ValueError:
        return
    assert fitting_value(made, shape) == made
    if isinstance(value, str) and isinstance(made, int | float):
        assert as_number(value) == made


def test_what_an_argument_takes_is_told_in_words() -> None:
    schema = TypeAdapter(int | Size | None).json_schema()
    assert kinds_of(at(schema, [])) == "integer or object"
    assert shape_words({"types": ["integer", "null", "string"]}) == "integer or string"
