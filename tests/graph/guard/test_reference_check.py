"""What is told of a plan's references before anything runs: where they lead, and whether that fits."""

from dataclasses import dataclass, field
from typing import Any

from langchain_core.tools import tool
from pydantic import BaseModel, Field, field_serializer
from scripted import ledger_of, planned
from tables import table

from wavegraph import read
from wavegraph.graph.guard.reference_check import (
    ReferenceCheck,
    fit_of,
    reference_sites,
)
from wavegraph.graph.state import Ledger, ToolCall, ValidationIssue, new_issue
from wavegraph.testing import call, ref


def broken(rule: str, of: str, message: str, expected: Any = None, actual: Any = None) -> ValidationIssue:
    facts = {"expected": expected, "actual": actual}
    return new_issue("broken_plan", of, message, rule, **{n: fact for n, fact in facts.items() if fact is not None})


class Spot(BaseModel):
    row: int
    note: str | None = None


class Parcel(BaseModel):
    number: int
    street: str
    spot: Spot


class Named(BaseModel):
    plain: int = Field(alias="itsAlias")


class Odd(BaseModel):
    amount: int

    @field_serializer("amount")
    def _as_record(self, value: int):  # type: ignore[no-untyped-def]
        return {"value": value}


@tool
async def odd() -> Odd:
    """What it gives is nowhere declared."""
    raise LookupError


@tool
async def parcels() -> list[Parcel]:
    """All parcels."""
    return []


@tool
async def find(name: str, spots: list[int] | None = None) -> Parcel:
    """One of them."""
    raise LookupError


@tool
async def rows(numbers: list[int]) -> list[list[int]]:
    """Numbers, row by row."""
    return [numbers]


@tool
async def stamp(
    name: str,
    kilos: int = 1,
    tags: list[str] = Field(default_factory=lambda: ["new"]),  # noqa: B008
    spot: Spot = Spot(row=1),  # noqa: B008
    note: str | None = None,
    free: Any = None,
) -> Named:
    """Stamp a parcel."""
    raise LookupError


@tool
async def anything() -> Any:
    """Whatever there is."""


REGISTRY = {made.name: made for made in (read(parcels), read(find), read(rows), read(stamp), read(anything), read(odd))}
ALL, ONE, NET = call("all", "parcels"), call("one", "find", name="x"), call("net", "rows", numbers=[1])


def text(template: str, **values: Any) -> dict[str, Any]:
    return {"text": template, "with": values}


def each(source: Any, *given: Any, **args: Any) -> ToolCall:
    return {**call(*given, **args), "each": source}


@dataclass(frozen=True)
class Told:
    id: str
    calls: list[ToolCall]
    found: list[ValidationIssue] = field(default_factory=list)
    ledger: Ledger = field(default_factory=ledger_of)


FIELDS = ["number", "spot", "street"]
FAR = "[" + "9" * 5000 + "]"
TEXT_TYPES = ["boolean", "integer", "number", "string"]
BEFORE = ledger_of([
    planned("old", "find"),
    {**planned("at", "find", name=ref("each")), "each": ref("list"), "elements": ["at_1"]},
    {**planned("at_1", "find", name="x"), "each": ref("list", "[0]"), "element_of": "at"},
])  # fmt: skip
TOLD = [
    # Where they lead
    Told("a field there is", [ALL, call("b", "find", name=ref("all", "[0].spot.row"))]),
    Told("a field there is not", [ALL, call("b", "find", name=ref("all", "[0].way"))],
         [broken("unknown_path", "b", f"b refers to all[0].way, which is not in the result of parcels: there is no field 'way'; the fields are {FIELDS}",
                  FIELDS, "[0].way")]),
    Told("deep in the arguments", [ONE, call("b", "find", name="x", spots=[1, {"x": ref("one", "way")}])],
         [broken("unknown_path", "b", f"b refers to one.way, which is not in the result of find: there is no field 'way'; the fields are {FIELDS}",
                  FIELDS, "way")]),
    Told("an index of too many digits", [ALL, call("b", "find", name=ref("all", FAR))],
         [broken("unknown_path", "b", f"b: {FAR[:80]!r} is not a path", actual=FAR[:80])]),
    Told("by an alias", [call("s", "stamp", name="x"), call("b", "find", name=ref("s", "itsAlias"))]),
    Told("by neither name nor alias", [call("s", "stamp", name="x"), call("b", "find", name=ref("s", "way"))],
         [broken("unknown_path", "b", "b refers to s.way, which is not in the result of stamp: there is no field 'way'; the fields are ['plain']",
                  ["plain"], "way")]),
    Told("into what declares nothing", [call("a", "anything"), call("b", "find", name=ref("a", "x[0].y"))]),
    Told("into what a function writes", [call("a", "odd"), call("b", "find", name=ref("a", "amount.value"))]),
    Told("into an unknown tool's result", [call("a", "teleport"), call("b", "find", name=ref("a", "x"))]),
    Told("from an unknown tool", [ONE, call("b", "teleport", name=ref("one", "street"), other=ref("one"))]),
    Told("to a ghost", [call("b", "find", name=ref("ghost", "x"))]),
    Told("into an earlier plan", [call("b", "find", name=ref("old", "way"))],
         [broken("unknown_path", "b", f"b refers to old.way, which is not in the result of find: there is no field 'way'; the fields are {FIELDS}",
                  FIELDS, "way")], BEFORE),
    # Whether it fits
    Told("an object, whose fields there are", [ONE, call("b", "find", name=ref("one"))],
         [broken("unfit_reference", "b", f"b name takes string, but one is object; it has the fields {FIELDS}", ["string"], "object")]),
    Told("an object inside", [ONE, call("b", "find", name=ref("one", "spot"))],
         [broken("unfit_reference", "b", "b name takes string, but one.spot is object; spot has the fields ['note', 'row']",
                  ["string"], "object")]),
    Told("a list of what has fields", [ALL, call("b", "find", name=ref("all"))],
         [broken("unfit_reference", "b", f"b name takes string, but all is array; [0] has the fields {FIELDS}", ["string"], "array")]),
    Told("a list, one element of which fits", [NET, call("b", "find", name=ref("net", "[1]"))],
         [broken("unfit_reference", "b", "b name takes string, but net[1] is array; one element of it is [1][0]", ["string"], "array")]),
    Told("a list of lists", [NET, call("b", "find", name=ref("net"))],
         [broken("unfit_reference", "b", "b name takes string, but net is array", ["string"], "array")]),
    Told("a list of the wrong elements", [ALL, call("b", "rows", numbers=ref("all"))],
         [broken("unfit_reference", "b", "b numbers takes array, but all is array", ["array"], "array")]),
    Told("what has no fields", [ONE, call("b", "rows", numbers=ref("one", "street"))],
         [broken("unfit_reference", "b", "b numbers takes array, but one.street is string", ["array"], "string")]),
    Told("for an argument that there is not", [ONE, call("b", "find", name="x", way=ref("one"))]),
    Told("for an argument that takes anything", [ONE, call("b", "stamp", name="x", free=ref("one"))]),
    Told("inside an argument", [ONE, call("b", "stamp", name="x", spot={"row": ref("one", "spot")})],
         [broken("unfit_reference", "b", "b spot.row takes integer, but one.spot is object; spot has the fields ['note', 'row']",
                  ["integer"], "object")]),
    Told("two at once", [ALL, call("b", "find", name=ref("all", "[0]")), call("c", "stamp", name=ref("all", "[0].spot"))],
         [broken("unfit_reference", "b", f"b name takes string, but all[0] is object; [0] has the fields {FIELDS}", ["string"], "object"),
          broken("unfit_reference", "c", "c name takes string, but all[0].spot is object; [0].spot has the fields ['note', 'row']",
                  ["string"], "object")]),
    # Texts
    Told("a text", [ONE, call("b", "find", name=text("{n}: {w} {{kg}}", n=ref("one", "number"), w="all of it"))]),
    Told("a text for an argument that takes anything", [ONE, call("b", "stamp", name="x", free=text("{n}", n=ref("one", "number")))]),
    Told("no name in braces", [ONE, call("b", "find", name=text("{n.x}", n=ref("one", "number")))],
         [broken("bad_text", "b", "the text in b name: {n.x} is not a name; put names in braces, and double any other brace",
                  actual="{n.x}")]),
    Told("names without a value", [ONE, call("b", "find", name=text("{z}{n}{y}{z}", n=ref("one", "number")))],
         [broken("bad_text", "b", "the text in b name names ['n', 'y', 'z'], and `with` has ['n']: they must be the same",
                ["n"], ["n", "y", "z"])]),
    Told("values without a place", [ONE, call("b", "find", name=text("{n}{n}", n=ref("one", "number"), z=1, y="x"))],
         [broken("bad_text", "b", "the text in b name names ['n'], and `with` has ['n', 'y', 'z']: they must be the same",
                ["n", "y", "z"], ["n"])]),
    Told("values that no text holds", [ONE, call("b", "find", name=text("{n}{z}{y}{t}", n=ref("one", "number"), z=[1], y=None, t=1.5))],
         [broken("bad_text", "b", "the text in b name: ['y', 'z'] must be references, text or numbers", actual=["y", "z"])]),
    Told("a text for a number", [ONE, call("b", "stamp", name="x", kilos=text("{n}", n=ref("one", "number")))],
         [broken("unfit_reference", "b", "the text in b kilos is a text, but kilos takes integer", ["integer"], "string")]),
    Told("an object in a text", [ONE, call("b", "find", name=text("{s}", s=ref("one", "spot")))],
         [broken("unfit_reference", "b", "b {s} takes boolean or integer or number or string, but one.spot is object; "
                  "spot has the fields ['note', 'row']", TEXT_TYPES, "object")]),
    # One call for each element
    Told("each", [ALL, each(ref("all"), "b", "find", name=ref("each", "street"))]),
    Told("each, beside another reference", [ALL, ONE, each(ref("all"), "b", "find", name=ref("each", "street"), spots=[ref("one", "number")])]),
    Told("each of a list in a result", [NET, each(ref("net", "[0]"), "b", "find", name=ref("each"))]),
    Told("a field that no element has", [ALL, each(ref("all"), "b", "find", name=ref("each", "way"))],
         [broken("unknown_path", "b", f"b refers to all[-1].way, which is not in the result of parcels: there is no field 'way'; the fields are {FIELDS}",
                  FIELDS, "[-1].way")]),
    Told("an element that does not fit", [ALL, each(ref("all"), "b", "find", name=ref("each"))],
         [broken("unfit_reference", "b", f"b name takes string, but all[-1] is object; [-1] has the fields {FIELDS}", ["string"], "object")]),
    Told("elements of a list in a result", [NET, each(ref("net", "[0]"), "b", "find", name=ref("each", "x"))],
         [broken("unknown_path", "b", "b refers to net[0][-1].x, which is not in the result of rows: there is no field 'x'; this is of type integer",
                  [], "[0][-1].x")]),
    Told("each of what declares nothing", [call("a", "anything"), each(ref("a", "x"), "b", "find", name=ref("each", "y"))]),
    Told("an element without `each`", [call("b", "find", name=ref("each", "way"))],
         [broken("bad_each", "b", "b refers to 'each', the element of a list, but has no `each` that names the list")]),
    Told("each of a written list", [each([1, 2], "b", "find", name=ref("each"))],
         [broken("bad_each", "b", "`each` of b must be a reference to a list in another call's result; plan the calls for a known "
                  "list one by one", actual=[1, 2])]),
    Told("each of its own elements", [each(ref("each", "spot"), "b", "find", name=ref("each", "row"))],
         [broken("bad_each", "b", "`each` of b must be a reference to a list in another call's result; plan the calls for a known "
                  "list one by one", actual=ref("each", "spot"))]),
    Told("each, to which nothing refers", [ALL, ONE, each(ref("all"), "b", "find", name=ref("one", "street"))],
         [broken("bad_each", "b", 'b is made for each element, but no argument refers to the element ({"ref": {"call": "each", …}})')]),
    Told("each of what is no list", [ONE, each(ref("one", "street"), "b", "find", name=ref("each", "way"))],
         [broken("unfit_reference", "b", "b each takes array, but one.street is string", ["array"], "string")]),
    Told("each of what is not there", [ONE, each(ref("one", "way"), "b", "find", name=ref("each", "x"))],
         [broken("unknown_path", "b", f"b refers to one.way, which is not in the result of find: there is no field 'way'; the fields are {FIELDS}",
                  FIELDS, "way")]),
    Told("each of an index of too many digits", [ALL, each(ref("all", FAR), "b", "find", name=ref("each", "x"))],
         [broken("unknown_path", "b", f"b: {FAR[:80]!r} is not a path", actual=FAR[:80])]),
    Told("a name that its calls will have",
         [ALL, each(ref("all"), "b", "find", name=ref("each", "street")), call("b_12", "parcels"), call("b_2", "parcels"),
          call("b_x", "parcels"), call("zz7", "parcels")],
         [broken("duplicate_id", "b", "the calls made from b are named b_1, b_2…; choose an id other than 'b_12'")]),
    Told("names that they will not have",
         [ALL, each(ref("all"), "b", "find", name=ref("each", "street")), call("b_x", "parcels"), call("zz7", "parcels")]),
    Told("results of calls for each are a list", [call("b", "find", name=ref("at", "[0].spot.row"))], [], BEFORE),
    Told("also of what lies deeper in them", [call("b", "find", name=ref("at", "[0].spot.way"))],
         [broken("unknown_path", "b", "b refers to at[0].spot.way, which is not in the result of find: there is no field 'way'; "
                  "the fields are ['note', 'row']", ["note", "row"], "[0].spot.way")], BEFORE),
    Told("a field of that list", [call("b", "find", name=ref("at", "street"))],
         [broken("unknown_path", "b", "b refers to at.street, which is not in the result of find: there is no field 'street'; "
                  "this is a list; name an element of it first, such as [0].street", [], "street")], BEFORE),
    Told("the result of one of them is none", [call("b", "find", name=ref("at_1", "street"))], [], BEFORE),
]  # fmt: skip


@table("case", TOLD)
def test_what_is_wrong_with_a_reference_is_told_before_anything_runs(case: Told) -> None:
    assert list(ReferenceCheck(case.calls, case.ledger, REGISTRY).issues()) == case.found


# How texts are written down


@dataclass(frozen=True)
class Kept:
    id: str
    given: Any
    kept: Any


NUMBER = ref("one", "number")
KEPT = [
    Kept("a word", "x", "x"),
    Kept("a reference", NUMBER, NUMBER),
    Kept("names in an object", text("{n}", n=NUMBER), text("{n}", n=NUMBER)),
    Kept("an object that has more", {"text": "{{n}}", "with": [], "more": 1}, {"text": "{{n}}", "with": [], "more": 1}),
    Kept("a list with something in it", {"text": "{n}", "with": ["n"]}, {"text": "{n}", "with": ["n"]}),
]  # fmt: skip


@table("case", KEPT)
def test_a_text_is_kept_in_one_form(case: Kept) -> None:
    assert REGISTRY["find"].as_meant({"name": case.given}) == {"name": case.kept}


def test_each_reference_and_text_is_found_where_it_stands() -> None:
    whole = text("{n}", n=NUMBER)
    value = {"a": NUMBER, "b": [1, {"c": whole}, NUMBER], "d": text("plain", n=1), "e": "x"}

    assert list(reference_sites(value)) == [(["a"], NUMBER), (["b", 1, "c"], whole), (["b", 2], NUMBER)]


class Parts(BaseModel):
    whole: int
    half: int = Field(default_factory=lambda data: data["whole"] // 2)


def test_a_default_that_is_made_of_other_arguments_waits_for_them() -> None:
    @tool(args_schema=Parts)
    async def cut(whole: int, half: int) -> int:
        """Cut it."""
        return half

    made = read(cut)
    assert made.checked_args({"whole": 4}) == {"whole": 4, "half": 2}
    assert made.checked_args({"whole": NUMBER}) == {"whole": NUMBER}
    takes = {"whole": {"types": ["integer"]}, "half": {"types": ["integer"]}}
    assert fit_of({"whole": NUMBER, "half": NUMBER}, made) == {"takes": takes, "defaults": {}}


def test_what_references_must_fit_and_what_stands_in_for_nothing_is_kept_with_the_call() -> None:
    args = {"name": NUMBER, "kilos": NUMBER, "tags": [NUMBER], "spot": {"row": NUMBER}, "note": NUMBER, "free": NUMBER}
    takes = {"name": {"types": ["string"]}, "kilos": {"types": ["integer"]}, "tags.0": {"types": ["string"]},
             "spot.row": {"types": ["integer"]}, "note": {"types": ["null", "string"]}}  # fmt: skip

    assert fit_of(args, REGISTRY["stamp"]) == {
        "takes": takes,
        "defaults": {"kilos": 1, "tags": ["new"], "spot": {"row": 1}},
    }
    assert fit_of({"name": NUMBER, "kilos": 2}, REGISTRY["stamp"]) == {
        "takes": {"name": {"types": ["string"]}},
        "defaults": {},
    }
