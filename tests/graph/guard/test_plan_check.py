"""`checked_plan`: nothing runs before every rule of a plan holds."""

from dataclasses import dataclass, field
from typing import Any

import pytest
from langchain_core.tools import tool
from scripted import ledger_of, outcome, planned
from warehouse import Warehouse

from wavegraph import read
from wavegraph.graph.errors import PlanError
from wavegraph.graph.guard.plan_check import Provenance, checked_plan
from wavegraph.graph.state import Ledger, Plan, ToolCall
from wavegraph.testing import call, planning, ref

DOMAIN = Warehouse().domain()
BOLT = call("a", "count", sku="bolt")
BEFORE = ledger_of([planned("old", "search", kind="b")], [outcome("search", {"kind": "b"}, data={"skus": ["bolt"]})])

FAILED_BEFORE = ledger_of(list(BEFORE["calls"].values()), [outcome("search", {"kind": "b"}, "error")])


def check(raw: Any, ledger: Ledger | None = None, budget: int = 10) -> Plan:
    return checked_plan(
        raw, domain=DOMAIN, ledger=ledger or ledger_of(), number=3, runs=budget, waves=budget, planner="script"
    )


@dataclass(frozen=True)
class Broken:
    id: str
    calls: list[ToolCall]
    issues: list[tuple[str, str]]
    """(rule, call id)"""
    says: str = ""
    ledger: Ledger = field(default_factory=ledger_of)
    budget: int = 10


BROKEN = [
    Broken("unknown tool", [call("a", "teleport")], [("unknown_tool", "a")], "teleport"),
    Broken("unknown argument", [call("a", "count", sku="bolt", colour="red")], [("bad_arguments", "a")], "colour"),
    Broken("missing argument", [call("a", "count")], [("bad_arguments", "a")], "sku"),
    Broken("ill-typed", [call("a", "move", sku="bolt", units="many")], [("bad_arguments", "a")], "units"),
    Broken("out of range", [call("a", "move", sku="bolt", units=0)], [("bad_arguments", "a")], "units"),
    Broken("a literal of the wrong kind", [call("a", "count", sku="bolt", unit="crate")], [("bad_arguments", "a")], "unit"),
    Broken("null for what is needed", [call("a", "count", sku=None)], [("bad_arguments", "a")], "sku"),
    Broken("model-level rule", [call("a", "move", sku="bolt", units=50, to="cellar")], [("bad_arguments", "a")], "cellar"),
    Broken("ill-typed beside a reference", [BOLT, call("m", "move", sku=ref("a", "sku"), units="many")],
           [("bad_arguments", "m")], "units"),
    Broken("missing beside a reference", [BOLT, call("m", "move", units=ref("a", "units"))],
           [("bad_arguments", "m")], "sku"),
    Broken("one id twice", [BOLT, call("a", "weigh", sku="bolt")], [("duplicate_id", "a")]),
    Broken("an id of an earlier plan", [call("old", "count", sku="nut")], [("duplicate_id", "old")], "taken", BEFORE),
    Broken("dangling", [call("a", "count", sku=ref("ghost"))], [("dangling_reference", "a")], "ghost"),
    Broken("dangling, deep inside", [call("a", "count", sku=[{"x": ref("ghost")}])],
           [("dangling_reference", "a")], "ghost"),
    Broken("to itself", [call("a", "count", sku=ref("a"))], [("cyclic_reference", "a")]),
    Broken("in a ring", [call("a", "count", sku=ref("b")), call("b", "count", sku=ref("a"))],
           [("cyclic_reference", "a"), ("cyclic_reference", "b")]),
    Broken("a read waits for one behind a write",
           [call("a", "count", sku=ref("z", "sku")), call("w", "move", sku="bolt"), call("z", "weigh", sku="bolt")],
           [("deadlock", "a")], "earlier"),
    Broken("a write waits for a later read",
           [call("w", "move", sku=ref("z", "sku")), call("z", "weigh", sku="bolt")], [("deadlock", "w")], "earlier"),
    Broken("a read waits for a later write",
           [call("a", "count", sku=ref("w", "sku")), call("w", "move", sku="bolt")], [("deadlock", "a")], "earlier"),
    Broken("too many", [call(f"c{n}", "count", sku=f"s{n}") for n in range(4)], [("over_budget", "")], "3", budget=3),
    Broken("too many, one of which waits", [BOLT, call("b", "count", sku=ref("a", "sku"))], [("over_budget", "")], "2 calls",
           budget=1),
    Broken("behind a ring", [call("c", "count", sku=ref("a", "sku")), call("a", "count", sku=ref("b")), call("b", "count", sku=ref("a"))],
           [("cyclic_reference", "a"), ("cyclic_reference", "b")]),
    Broken("a strange argument and a wrong path", [BOLT, call("b", "count", sku=ref("a", "skuu"), colour="red")],
           [("bad_arguments", "b"), ("unknown_path", "b")]),
    Broken("dangling, beside a wrong path", [BOLT, call("b", "count", sku=ref("a", "skuu"), unit=ref("ghost"))],
           [("dangling_reference", "b")]),
    Broken("nothing left", [BOLT], [("over_budget", "")], "0 left", budget=0),
    Broken("several reasons at once", [call("a", "teleport"), call("b", "count", sku=ref("ghost")), call("c", "count")],
           [("unknown_tool", "a"), ("bad_arguments", "c"), ("dangling_reference", "b")]),
]  # fmt: skip

SHELF = call("s", "search", kind="b")
EACH: Any = {"each": ref("s", "skus")}


def text(template: str, **values: Any) -> dict[str, Any]:
    return {"text": template, "with": values}


ASTRAY = [
    Broken("a field that is not there", [BOLT, call("b", "count", sku=ref("a", "skuu"))], [("unknown_path", "b")],
           "['sku', 'units']"),
    Broken("a field of a list", [SHELF, call("b", "count", sku=ref("s", "skus.sku"))], [("unknown_path", "b")], "[0].sku"),
    Broken("an element of what is no list", [BOLT, call("b", "count", sku=ref("a", "[0]"))], [("unknown_path", "b")], "no element [0]; the fields"),
    Broken("beyond a number", [BOLT, call("b", "count", sku=ref("a", "units.x"))], [("unknown_path", "b")], "integer"),
    Broken("a choice by a field that is not there", [SHELF, call("b", "count", sku=ref("s", "skus[name=x]"))],
           [("unknown_path", "b")], "[name=x]"),
    Broken("into an earlier plan", [call("b", "count", sku=ref("old", "sku"))], [("unknown_path", "b")], "search", BEFORE),
    Broken("an index of too many digits", [SHELF, call("b", "count", sku=ref("s", "skus[" + "9" * 5000 + "]"))],
           [("unknown_path", "b")], "not a path"),
    Broken("a list for a text", [SHELF, call("b", "count", sku=ref("s", "skus"))], [("unfit_reference", "b")], "is skus[0]"),
    Broken("an object for a text", [BOLT, call("b", "count", sku=ref("a"))], [("unfit_reference", "b")], "['sku', 'units']"),
    Broken("in a result that is there", [call("b", "count", sku=ref("old", "skus[3]"))], [("broken_reference", "b")],
           "no such value", BEFORE),
    Broken("half a pair of braces", [BOLT, call("b", "count", sku=text("{a", a=ref("a", "sku")))], [("bad_text", "b")], "braces"),
    Broken("an odd name", [BOLT, call("b", "count", sku=text("{a.b}", a=ref("a", "sku")))], [("bad_text", "b")], "a.b"),
    Broken("a name without a value", [BOLT, call("b", "count", sku=text("{a}{b}", a=ref("a", "sku")))],
           [("bad_text", "b")], "'b'"),
    Broken("a value without a place", [BOLT, call("b", "count", sku=text("{a}", a=ref("a", "sku"), b=ref("a", "units")))],
           [("bad_text", "b")], "'b'"),
    Broken("an object in a text", [BOLT, call("b", "count", sku=text("{a}", a=ref("a")))], [("unfit_reference", "b")], "{a}"),
    Broken("a wrong path in a text", [BOLT, call("b", "count", sku=text("{a}", a=ref("a", "x")))], [("unknown_path", "b")], "'x'"),
    Broken("a text to a ghost", [call("b", "count", sku=text("{a}", a=ref("ghost")))], [("dangling_reference", "b")], "ghost"),
    Broken("a text for a number", [BOLT, call("m", "move", sku="bolt", units=text("{a}", a=ref("a", "units")))],
           [("unfit_reference", "m")], "integer"),
    Broken("an element of nothing", [call("b", "count", sku=ref("each"))], [("bad_each", "b")], "has no `each`"),
    Broken("each of a written list", [{**call("b", "count", sku=ref("each")), "each": {"list": ["bolt"]}}], [("bad_each", "b")],
           "one by one"),
    Broken("each without its element", [SHELF, {**BOLT, **EACH}], [("bad_each", "a")], "no argument refers to the element"),
    Broken("each of what is no list", [BOLT, {**call("b", "count", sku=ref("each")), "each": ref("a", "units")}],
           [("unfit_reference", "b")], "array"),
    Broken("each of a ghost", [{**call("b", "count", sku=ref("each")), "each": ref("ghost")}], [("dangling_reference", "b")]),
    Broken("each of itself", [{**call("b", "listing", kind=ref("each")), "each": ref("b")}], [("cyclic_reference", "b")]),
    Broken("a field of an element that has none", [SHELF, {**call("b", "count", sku=ref("each", "name")), **EACH}],
           [("unknown_path", "b")], "string"),
    Broken("each behind a write", [{**call("b", "count", sku=ref("each")), **EACH}, call("w", "move", sku="x"), SHELF],
           [("deadlock", "b")]),
    Broken("the element's name as an id", [call("each", "count", sku="x")], [("duplicate_id", "each")], "element of a list"),
    Broken("the name of one of its calls as an id",
           [SHELF, {**call("b", "count", sku=ref("each")), **EACH}, call("b_2", "count", sku="x")], [("duplicate_id", "b")], "b_2"),
    Broken("more elements than are left", [{**call("b", "count", sku=ref("each")), "each": ref("old", "skus")}],
           [("over_budget", "b")], "only 0 left", BEFORE, 0),
]  # fmt: skip


@pytest.mark.parametrize("case", [*BROKEN, *ASTRAY], ids=lambda case: case.id)
def test_a_broken_plan_is_refused_with_its_reasons(case: Broken) -> None:
    with pytest.raises(PlanError) as refused:
        check(planning(*case.calls), case.ledger, case.budget)

    issues = refused.value.issues
    assert [(issue["rule"], issue["tool_id"]) for issue in issues] == case.issues
    assert {(issue["type"], issue["severity"]) for issue in issues} == {("broken_plan", "critical")}
    assert case.says in issues[0]["message"]


@dataclass(frozen=True)
class Shape:
    id: str
    raw: Any


SHAPES = [
    Shape("nothing", None),
    Shape("a text", "look up the bolt"),
    Shape("an empty object", {}),
    Shape("tools are no list", {**planning(), "tools": "count"}),
    Shape("a call without id", {**planning(), "tools": [{"tool": "count", "args": {}}]}),
    Shape("arguments are no object", {**planning(), "tools": [{"id": "a", "tool": "count", "args": [1]}]}),
    Shape("an unknown status", planning(status="perhaps")),
]


@pytest.mark.parametrize("case", SHAPES, ids=lambda case: case.id)
def test_what_is_no_plan_is_refused(case: Shape) -> None:
    with pytest.raises(PlanError) as refused:
        check(case.raw)

    assert [issue["rule"] for issue in refused.value.issues] == ["plan_shape"]


@dataclass(frozen=True)
class Good:
    id: str
    calls: list[ToolCall]
    ledger: Ledger = field(default_factory=ledger_of)
    budget: int = 10


GOOD = [
    Good("nothing to run", []),
    Good("a later read refers to an earlier one", [BOLT, call("b", "count", sku=ref("a", "sku"))]),
    Good("an earlier read refers to a later one", [call("b", "count", sku=ref("a", "sku")), BOLT]),
    Good("a read after a write refers to it", [call("w", "move", sku="bolt"), call("a", "count", sku=ref("w", "sku"))]),
    Good("a reference into an earlier plan", [call("b", "count", sku=ref("old", "skus[0]"))], BEFORE),
    Good(
        "also before a write of its own plan",
        [call("b", "count", sku=ref("old", "skus[0]")), call("w", "move", sku="x"), BOLT],
        BEFORE,
    ),
    Good("a reference to what failed before", [call("b", "count", sku=ref("old", "skus[0]"))], FAILED_BEFORE),
    Good("a number for a text", [BOLT, call("b", "count", sku=ref("a", "units"))]),
    Good("a text for a number", [BOLT, call("m", "move", sku="bolt", units=ref("a", "sku"))]),
    Good("an element of a list of unknown length", [SHELF, call("b", "count", sku=ref("s", "skus[7]"))]),
    Good("a text", [BOLT, call("b", "count", sku=text("{a}: {n}", a=ref("a", "sku"), n=ref("a", "units")))]),
    Good("each of a list that comes", [SHELF, {**call("b", "count", sku=ref("each")), **EACH}]),
    Good(
        "a value of each",
        [SHELF, {**call("b", "count", sku=ref("each")), **EACH}, call("c", "weigh", sku=ref("b", "[0].sku"))],
    ),
    Good(
        "each of each",
        [
            SHELF,
            {**call("b", "count", sku=ref("each")), **EACH},
            {**call("c", "weigh", sku=ref("each", "sku")), "each": ref("b")},
        ],
    ),
    Good("equal calls cost one run", [BOLT, call("b", "count", sku="bolt")], budget=1),
    Good("a reused call costs none", [call("again", "search", kind="b")], BEFORE, budget=0),
]


@pytest.mark.parametrize("case", GOOD, ids=lambda case: case.id)
def test_a_good_plan_passes_as_it_is(case: Good) -> None:
    plan = check(planning(*case.calls), case.ledger, case.budget)

    assert [made["id"] for made in plan["tools"]] == [given["id"] for given in case.calls]
    assert {made["plan"] for made in plan["tools"]} <= {3}
    assert (plan["planner"], plan["adapts"]) == ("script", False)


def test_a_fault_tells_what_there_is_and_what_was_asked_for() -> None:
    with pytest.raises(PlanError) as refused:
        check(
            planning(
                BOLT,
                call("b", "count", sku=ref("a", "skuu")),
                {**call("c", "count", sku=ref("a")), "each": ref("each")},
            )
        )
    [path, *_] = refused.value.issues

    assert (path["expected"], path["actual"]) == (["sku", "units"], "skuu")
    with pytest.raises(PlanError) as refused:
        check(planning(call("b", "count", sku=ref("each"))))
    assert not {"expected", "actual"} & set(refused.value.issues[0])


@tool
async def parcel(number: str = "", code: str = "", street: str = "") -> str:
    """A parcel."""
    return number


BY_SOURCE = read(parcel, sources={"number": "person", "code": "results", "street": "either"})
TRACED = Warehouse().domain(tools=[BY_SOURCE], checks={})
PROVENANCE = Provenance(person=["where is number 77?"], results=[{"code": "K9"}])


@pytest.mark.parametrize(
    ("args", "wrong"),
    [
        ({"number": "77", "code": "K9", "street": "77"}, []),
        ({"number": "K9"}, [("number", "K9", "person", "the person, in their own words")]),
        ({"code": "77"}, [("code", "77", "results", "a result")]),
        (
            {"number": "5", "street": "Elm"},
            [
                ("number", "5", "person", "the person, in their own words"),
                ("street", "Elm", "either", "the person or a result"),
            ],
        ),
    ],
    ids=["given", "not by the person", "by no result", "two of them"],
)
def test_an_argument_that_nobody_gave_is_refused(args: dict[str, Any], wrong: list[Any]) -> None:
    def made(provenance: Provenance | None) -> Plan:
        calls = planning(call("p", "parcel", **args))
        return checked_plan(
            calls, domain=TRACED, ledger=ledger_of(), number=1, runs=9, waves=9, planner="script", provenance=provenance
        )

    assert [one["id"] for one in made(None)["tools"]] == ["p"]
    if not wrong:
        assert [one["id"] for one in made(PROVENANCE)["tools"]] == ["p"]
        return
    with pytest.raises(PlanError) as refused:
        made(PROVENANCE)
    found = [(i["rule"], i["tool_id"], i["actual"], i["expected"], i["message"]) for i in refused.value.issues]
    assert found == [
        ("untraced_argument", "p", value, source, f"parcel {name} = {value!r} must come from {giver}; ask for it")
        for name, value, source, giver in wrong
    ]


def test_sources_are_asked_of_sound_calls_alone_and_nothing_found_before_is_lost() -> None:
    calls = planning(call("a", "teleport"), call("b", "parcel", colour="red"), call("c", "parcel", code="L1"))
    with pytest.raises(PlanError) as refused:
        checked_plan(
            calls, domain=TRACED, ledger=ledger_of(), number=1, runs=9, waves=9, planner="script", provenance=PROVENANCE
        )

    assert [(issue["rule"], issue["tool_id"]) for issue in refused.value.issues] == [
        ("unknown_tool", "a"), ("bad_arguments", "b"), ("untraced_argument", "c"),
    ]  # fmt: skip


def test_an_id_of_a_call_that_never_began_is_free() -> None:
    before = ledger_of([planned("old", "count", sku="nut"), planned("a", "count", sku="bolt")])
    assert [made["id"] for made in check(planning(call("old", "count", sku="washer")), before)["tools"]] == ["old"]


@pytest.mark.parametrize(("named", "kept"), [("old", "old"), ("ghost", None)])
def test_a_call_in_place_of_one_that_there_is_not_is_in_place_of_none(named: str, kept: str | None) -> None:
    [made] = check(planning({**BOLT, "instead_of": named}), BEFORE)["tools"]

    assert made.get("instead_of") == kept


def test_calls_of_a_planner_that_sees_no_ids_are_given_free_ones() -> None:
    """With their references, also in a text and for the elements of a list; what is free stays as it is."""
    taken = ["search", "search_2", "each_one"]
    before = ledger_of(
        [planned(name, "search", kind=name) for name in taken],
        [outcome("search", {"kind": name}, data={"skus": ["bolt"]}) for name in taken],
    )
    calls = [
        call("search", "search", kind="c"),
        {**call("each_one", "count", sku=ref("each")), "each": ref("search", "skus")},
        call("free", "count", sku={"text": "{a}", "with": {"a": ref("search", "skus[0]")}}),
    ]
    made = checked_plan(
        planning(*calls),
        domain=DOMAIN,
        ledger=before,
        number=3,
        runs=10,
        waves=10,
        must_fit=False,
        planner="rules",
        renames=True,
    )
    first, each, free = made["tools"]
    assert [made["id"] for made in (first, each, free)] == ["search_3", "each_one_2", "free"]
    assert (each["args"]["sku"], each["each"]) == (ref("each"), ref("search_3", "skus"))
    assert free["args"]["sku"] == {"text": "{a}", "with": {"a": ref("search_3", "skus[0]")}}
