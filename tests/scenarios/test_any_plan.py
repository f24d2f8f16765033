"""Whatever a planner says and however tools end: an answer, within the limits, with figures that add up."""

from collections import Counter
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from runs import compiled, run
from warehouse import Act, Raw, Warehouse

from wavegraph import PlanningView, ToolRefusal
from wavegraph.testing import ScriptedPlanner, call, planning, ref

SKUS = ["bolt", "nut", "gear"]
ACTS: list[Act] = [
    ValueError(),
    ConnectionError(),
    ToolRefusal("closed", "closed"),
    ToolRefusal("busy", "busy", retryable=True),
    Raw("nonsense"),
]
FITTING = {"search": ["skus[0]", "skus[5]"], "scrap": [""]}
WILD = ["nowhere", "sku.x", "skus", "[sku=bolt].sku", "[0].sku", ""]


@st.composite
def plans(draw: st.DrawFn, number: int) -> Any:
    if draw(st.integers(0, 9)) == 0:
        return {"no": "plan"}
    made: list[Any] = []
    for index in range(draw(st.integers(0, 5))):
        name = draw(st.sampled_from(["search", "count", "weigh", "move", "scrap", "search"]))
        named = "kind" if name == "search" else "sku"
        each = {"each": draw(lists(number, made))} if made and draw(st.booleans()) else {}
        value = ref("each", draw(st.sampled_from(["", "", "", "sku"]))) if each else draw(values(number, made))
        before = draw(st.sampled_from([None, None, "p1_0", "p1_1"])) if number > 1 else None
        made.append({**call(f"p{number}_{index}", name, instead_of=before, **{named: value}), **each})
    return planning(*made, status=draw(st.sampled_from(["done", "done", "continue"])))


@st.composite
def values(draw: st.DrawFn, number: int, made: list[Any]) -> Any:
    """A name; or a reference to one, mostly to a call that is there."""
    if draw(st.integers(0, 2)):
        return draw(st.sampled_from([*SKUS, "b"]))
    if not made or draw(st.integers(0, 7)) == 0:
        return ref(f"p{draw(st.integers(1, number))}_{draw(st.integers(0, 3))}", draw(st.sampled_from(["sku", *WILD])))
    target = draw(st.sampled_from(made))
    inside = "[0]" if "each" in target else ""
    found = ref(
        target["id"],
        f"{inside}.{draw(st.sampled_from(FITTING.get(target['tool'], ['sku', 'sku', 'units'])))}".strip("."),
    )
    return draw(st.sampled_from([found, {"text": "{a}", "with": {"a": found}}]))


@st.composite
def lists(draw: st.DrawFn, number: int, made: list[Any]) -> Any:
    """References to a list; now and then to what may be none."""
    found = [
        ref(each["id"], "" if "each" in each else "skus") for each in made if each["tool"] == "search" or "each" in each
    ]
    return draw(st.sampled_from([*(found * 4), ref(f"p{number}_9", "skus")]))


LIMITS = st.fixed_dictionaries(
    {
        "max_waves": st.integers(1, 4),
        "max_tool_calls": st.integers(1, 9),
        "max_adaptations": st.integers(0, 3),
        "max_retries_per_issue": st.integers(0, 2),
        "tool_attempts": st.just(1),
    }
)


@settings(max_examples=200, deadline=None)
@given(st.data(), LIMITS, st.integers(4, 40))
def test_every_request_ends_in_an_answer_with_true_figures(
    data: st.DataObject, limits: dict[str, Any], recursion_limit: int
) -> None:
    warehouse = Warehouse()
    for name in ("count", "weigh", "move", "scrap"):
        warehouse.on(name, "bolt", *data.draw(st.lists(st.sampled_from(ACTS), max_size=2), label=name))

    def anything(view: PlanningView) -> Any:
        number = len(planner.views)
        return data.draw(plans(number), label=f"plan {number}")

    planner = ScriptedPlanner(then=anything)
    ended = run(compiled(warehouse.domain(), planner), "anything", {"recursion_limit": recursion_limit}, context=limits)

    assert ended["answer"]
    assert ended["messages"][-1].text == ended["answer"]
    assert ended["outcome"] in {"answered", "partial", "failed"}
    assert ended["planning_calls"] == len(planner.views)

    ran = warehouse.ran()
    assert ended["tools_executed"] == len(ran) == len(ended.told("tool_started")) == len(ended.told("tool_finished"))
    assert len(ran) <= limits["max_tool_calls"]
    assert ended["waves"] == len(ended.told("wave_started")) <= limits["max_waves"]
    assert ended["adaptations"] == len(ended.told("adaptation_started")) <= limits["max_adaptations"]
    turns = [[event["turn"] for event in ended.told(f"adaptation_{what}")] for what in ("started", "complete")]
    assert turns[0] == turns[1]
    writes = Counter(name for name in ran if name.startswith(("move", "scrap")))
    assert all(times == 1 for times in writes.values()), f"a write ran twice: {writes}"
    assert ended["limits_hit"] == ended.limits
    assert len(set(ended.limits)) == len(ended.limits)
    if ended["outcome"] == "answered":
        assert ended.limits == []
        good = {name for name, found in ended["results"].items() if found["status"] == "ok"}
        assert all(one["tool_id"] not in ended["results"] or good for one in ended["issues"])
