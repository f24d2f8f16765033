"""Where paths lead in declared results, and what fits a declared argument."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
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
from typing_extensions import TypedDict

from wavegraph import read
from wavegraph.graph.domain import DomainTool
from wavegraph.graph.references.paths import as_number, path_steps
from wavegraph.graph.references.shapes import NoSuchPath, Shape, Unfit, at, fitted, kinds_of, may_fit, taken


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


@pytest.mark.parametrize("case", WAYS, ids=lambda case: f"{getattr(case.result, '__name__', case.result)}.{case.path}")
def test_a_path_is_held_against_the_declared_result(case: Way) -> None:
    assert leads(case.result, case.path) is case.leads


def test_a_wrong_path_tells_what_there_is() -> None:
    with pytest.raises(NoSuchPath, match=r"there is no 'us'; there are \['eu'\]") as wrong:
        at(TypeAdapter(Size).json_schema(), ["us"])
    assert wrong.value.known == ["eu"]
    with pytest.raises(NoSuchPath, match=r"asked of a list; name an element first, such as \[0\]\.eu"):
        at(TypeAdapter(list[Size]).json_schema(), ["eu"])


# Whether it fits


def shape_of(kind: Any) -> Shape | None:
    schema = TypeAdapter(kind).json_schema()
    return taken(at(schema, []), schema)


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
]  # fmt: skip


@pytest.mark.parametrize("case", PAIRS, ids=lambda case: f"{case.given} for {case.wanted}")
def test_declared_types_are_held_against_each_other(case: Pair) -> None:
    schema = TypeAdapter(case.given).json_schema(mode="serialization")
    assert may_fit(at(schema, []), shape_of(case.wanted), schema) is case.fits


@pytest.mark.parametrize(
    ("value", "kind", "made"),
    [(7, str, "7"), (7.0, str, "7"), ("7", int, 7), ("7.0", int, 7), ("7.5", float, 7.5), (7, float, 7.0), (7.0, int, 7),
     ([1, "2"], list[str], ["1", "2"]), (True, bool, True), ("x", str, "x"), (None, int, None), (3, int | str, 3),
     ("3", int | str, "3"), ({"a": 1}, dict[str, int], {"a": 1}), ("2026-01-01", date, "2026-01-01"), ({"x": 1}, Any, {"x": 1})],
    ids=str,
)  # fmt: skip
def test_a_value_is_spelt_as_the_argument_has_it(value: Any, kind: Any, made: Any) -> None:
    found = fitted(value, shape_of(kind))
    assert found == made
    assert type(found) is type(made)


@pytest.mark.parametrize(
    ("value", "kind"),
    [("seven", int), ("7.5", int), (7.5, int), (True, int), (False, str), (True, float), ({"a": 1}, str), ([1], int),
     (1, list[int]), ("1", dict[str, int]), ([{}], list[str]), ("1,200", int), (10**400, float)],
    ids=lambda value: str(value)[:20],
)  # fmt: skip
def test_a_value_that_does_not_fit_is_refused(value: Any, kind: Any) -> None:
    with pytest.raises(Unfit):
        fitted(value, shape_of(kind))


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


@pytest.mark.parametrize(
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
        made = fitted(value, shape)
    except Unfit:
        return
    assert fitted(made, shape) == made
    if isinstance(value, str) and isinstance(made, int | float):
        assert as_number(value) == made


def test_what_an_argument_takes_is_told_in_words() -> None:
    schema = TypeAdapter(int | Size | None).json_schema()
    assert kinds_of(at(schema, [])) == "integer or object"
