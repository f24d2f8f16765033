"""One call for each element of a list: what is made of it, and what it may cost."""

from dataclasses import dataclass
from typing import Any

import pytest
from scripted import ledger_of, outcome, plan_of, planned
from tables import table

from wavegraph.graph.guard.expansion import (
    Expansion,
    is_uncounted,
    unfinished_signatures,
    with_element_calls,
)
from wavegraph.graph.ledger import raw_signature, signature
from wavegraph.graph.state import PlannedCall
from wavegraph.testing import ref

SHELF = planned("shelf", "search", kind="b")


def each_of(
    path: str = "skus", tool: str = "count", effect: str = "read", call_id: str = "e", **args: Any
) -> PlannedCall:
    made = planned(call_id, tool, effect, **(args or {"sku": ref("each")}))
    return {**made, "each": ref("shelf", path)}


def counted(*calls: PlannedCall, data: Any, runs: int = 200, waves: int = 200) -> Expansion:
    ledger = ledger_of([SHELF, *calls], [outcome("search", {"kind": "b"}, data=data)])
    return with_element_calls(plan_of([SHELF, *calls]), ledger, runs, waves)


def left_of(made: Expansion) -> dict[str, tuple[Any, Any]]:
    """What is left for the calls that are too many, and how many they would be, by id."""
    return {issue["tool_id"]: (issue["expected"], issue["actual"]) for issue in made.too_many}


def made_of(call: PlannedCall, element: Any) -> PlannedCall:
    return counted(call, data={"skus": [element]}).calls["e_1"]


def test_a_call_is_made_for_each_element_behind_the_call_it_is_made_of() -> None:
    call, last = each_of(), planned("last", "weigh", sku="nut")
    made = counted(call, last, data={"skus": ["bolt", "nut"]})
    whole = {**call, "elements": ["e_1", "e_2"]}
    ones = [
        {
            **call,
            "id": f"e_{n}",
            "args": {"sku": sku},
            "each": ref("shelf", f"skus[{n - 1}]"),
            "element_of": "e",
        }
        for n, sku in ((1, "bolt"), (2, "nut"))
    ]

    assert made.plan["tools"] == [SHELF, whole, *ones, last]
    assert made.calls == {"e": whole, "e_1": ones[0], "e_2": ones[1]}
    assert made.too_many == []
    assert [is_uncounted(each) for each in (SHELF, call, whole, ones[0])] == [False, True, False, False]  # type: ignore[arg-type]


def test_several_lists_are_counted_at_once() -> None:
    made = counted(each_of(), each_of("others", "weigh", call_id="f"), data={"skus": ["bolt"], "others": ["nut"]})

    assert [call["id"] for call in made.plan["tools"]] == ["shelf", "e", "e_1", "f", "f_1"]
    assert [*made.calls] == ["e", "e_1", "f", "f_1"]


@pytest.mark.parametrize("data", [{"skus": []}, {}], ids=["empty", "not there"])
def test_a_list_without_elements_makes_no_call(data: Any) -> None:
    made = counted(each_of(), data=data)

    assert [call["id"] for call in made.plan["tools"]] == ["shelf", "e"]
    assert made.too_many == []


# What stands in the arguments


@dataclass(frozen=True)
class Put:
    id: str
    arg: Any
    element: Any
    value: Any
    """In the place of the argument."""


def text(template: str, **values: Any) -> dict[str, Any]:
    return {"text": template, "with": values}


OUT = ref("shelf", "skus[0].x")
PUT = [
    Put("the element", ref("each"), "bolt", "bolt"),
    Put("a field of it", ref("each", "name"), {"name": "nut"}, "nut"),
    Put("deep inside", {"a": [ref("each", "n"), 1]}, {"n": 2}, {"a": [2, 1]}),
    Put("what is not there stays a reference", ref("each", "x"), {"name": "nut"}, OUT),
    Put("an index of too many digits, too", ref("each", "[" + "9" * 5000 + "]"), ["a"],
        ref("shelf", "skus[0][" + "9" * 5000 + "]")),
    Put("and what looks like a reference itself", ref("each", "x"), {"x": ref("shelf", "kind")}, OUT),
    Put("another call's value", [ref("each"), ref("other", "sku")], "bolt", ["bolt", ref("other", "sku")]),
    Put("a text", text("no. {n}", n=ref("each")), 7, "no. 7"),
    Put("a text that waits for another call", text("{n}: {m}", n=ref("each"), m=ref("other", "n")), 7,
        text("{n}: {m}", n=7, m=ref("other", "n"))),
    Put("a text that holds no such value", text("{n}{m}", n=ref("each", "x"), m="a"), {"x": []}, text("{n}{m}", n=OUT, m="a")),
]  # fmt: skip


@table("case", PUT)
def test_the_element_stands_in_the_arguments(case: Put) -> None:
    assert made_of(each_of(sku="x", note=case.arg), case.element)["args"]["note"] == case.value


def test_an_element_is_fitted_to_the_argument() -> None:
    fit: Any = {"takes": {"units": {"types": ["integer"]}}, "defaults": {}}
    call: PlannedCall = {**each_of("skus", "move", "write", sku="bolt", units=ref("each", "n")), "fit": fit}

    assert made_of(call, {"n": "3"})["args"]["units"] == 3
    assert made_of(call, {"n": "three"})["args"]["units"] == ref("shelf", "skus[0].n")
    assert "note" not in made_of(each_of("skus", sku="bolt", note=ref("each", "n")), {"n": None})["args"]


def test_what_the_tool_refuses_is_kept_until_it_is_sent() -> None:
    assert made_of(each_of("skus", "move", "write", sku="bolt", units=ref("each")), 0)["args"] == {
        "sku": "bolt",
        "units": 0,
    }


# What it may cost


@dataclass(frozen=True)
class Cost:
    id: str
    effect: str
    skus: list[str]
    runs: int
    waves: int
    left: int | None
    """What is told to be left; None = the calls are made."""


SKUS = [f"s{n}" for n in range(101)]
COSTS = [
    Cost("as many as are left", "read", SKUS[:3], 3, 1, None),
    Cost("one too many", "read", SKUS[:3], 2, 9, 2),
    Cost("equal ones run once", "read", ["s", "s", "s"], 1, 1, None),
    Cost("a wave for each write", "write", SKUS[:3], 9, 3, None),
    Cost("one wave too few", "write", SKUS[:3], 9, 2, 2),
    Cost("writes are runs, too", "write", SKUS[:3], 2, 9, 2),
    Cost("nothing left", "read", SKUS[:1], 0, 9, 0),
    Cost("overspent", "read", SKUS[:1], -2, 9, 0),
    Cost("a hundred", "read", SKUS[:100], 500, 1, None),
    Cost("more than a hundred", "read", SKUS, 500, 1, 500),
    Cost("more than a hundred equal ones", "read", ["s"] * 101, 500, 1, 500),
]


@table("case", COSTS)
def test_calls_are_made_while_there_is_room_for_all_of_them(case: Cost) -> None:
    call = each_of(tool="move" if case.effect == "write" else "count", effect=case.effect)
    made = counted(call, data={"skus": case.skus}, runs=case.runs, waves=case.waves)
    if case.left is None:
        assert made.calls["e"]["elements"] == [f"e_{n}" for n in range(1, len(case.skus) + 1)]
        return
    assert made.plan["tools"] == [SHELF, call]
    assert made.calls == {}
    assert left_of(made) == {"e": (case.left, len(case.skus))}


def test_what_else_the_plan_has_to_run_is_kept_free() -> None:
    other, call = planned("other", "weigh", sku="gear"), each_of()
    data = {"skus": ["bolt", "nut"]}

    assert counted(other, call, data=data, runs=3).too_many == []
    assert left_of(counted(other, call, data=data, runs=2)) == {"e": (1, 2)}
    assert counted(call, each_of("skus", "weigh", call_id="f"), data=data, runs=4).too_many == []
    several = counted(call, each_of("skus", "weigh", call_id="f"), data=data, runs=1)
    assert [*left_of(several)] == ["e", "f"]
    second = counted(call, each_of("skus", "weigh", call_id="f"), data=data, runs=3)
    assert [*left_of(second)] == ["f"]


def test_a_call_that_equals_another_once_a_list_is_counted_takes_no_room_of_the_next_list() -> None:
    """`c` waits for `e`, whose one call is known already, and comes to the same as `d`."""
    e, f = each_of(), each_of("others", call_id="f")
    c, d = planned("c", "weigh", sku=ref("e", "[0].sku")), planned("d", "weigh", sku="bolt")
    known = outcome("count", {"sku": "bolt"}, data={"sku": "bolt"})
    shelf = outcome("search", {"kind": "b"}, data={"skus": ["bolt"], "others": ["nut"]})
    plan = plan_of([SHELF, e, c, d, f])

    made = with_element_calls(plan, ledger_of(plan["tools"], [shelf, known]), 2, 9)
    assert (list(made.calls), made.too_many) == (["e", "e_1", "f", "f_1"], [])


def test_what_is_wanted_is_what_has_still_to_run() -> None:
    ledger = ledger_of([SHELF, each_of()], [outcome("search", {"kind": "b"}, data={"skus": ["bolt"]})])

    assert unfinished_signatures(plan_of([SHELF, each_of()]), ledger) == {raw_signature(each_of())}
    assert unfinished_signatures(plan_of([SHELF]), ledger_of([SHELF])) == {signature("search", {"kind": "b"})}


@pytest.mark.parametrize(("path", "named"), [("skus", "shelf.skus"), ("", "shelf")])
def test_too_many_calls_are_told_with_the_way_out(path: str, named: str) -> None:
    (issue,) = counted(each_of(path), data={"skus": SKUS[:7]} if path else SKUS[:7], runs=2).too_many
    message = f"e would be 7 calls, one for each element of {named}, but this request has only 2 left: none was made; plan the most useful 2"
    assert (issue["tool_id"], issue["rule"], issue["message"]) == ("e", "over_budget", message)
