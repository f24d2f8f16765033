"""References in whole runs: values that fit or are refused, texts, choices, and one call for each element of a list."""

from dataclasses import dataclass, field
from typing import Any, Literal

import pytest
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command
from pydantic import BaseModel, Field
from runs import Run, ask, compiled, on_thread, run
from tables import table
from warehouse import Warehouse

from wavegraph import Domain, read
from wavegraph.graph.approval import Approval
from wavegraph.graph.domain_tool import write
from wavegraph.testing import ScriptedPlanner, call, planning, ref


class Parcel(BaseModel):
    number: int
    street: str
    kilos: str
    colour: str
    paid: float | None = None
    note: Any = None


PARCELS = [
    Parcel(number=7, street="Elm Street", kilos="12", colour="blue", paid=12.0, note={"ref": {"call": "x"}}),
    Parcel(number=8, street="Oak, Lane", kilos="2.5", colour="red", paid=3.25),
    Parcel(number=9, street="Elm Street", kilos="heavy", colour="red"),
]


@dataclass
class Post:
    """`parcels` gives what there is; everything else is kept as it was called."""

    parcels: list[Parcel] = field(default_factory=lambda: list(PARCELS))
    got: list[Any] = field(default_factory=list)

    def domain(self, approval: Approval | None = None) -> Domain:
        @tool
        async def parcels(street: str = "") -> list[Parcel]:
            """All parcels."""
            return self.parcels

        @tool
        async def find(name: str) -> str:
            """Where a parcel lies, by its number as a text."""
            self.got.append(name)
            return f"shelf {name}"

        @tool
        async def stamp(kilos: int, colour: Literal["blue", "green"] = "blue") -> int:
            """What a parcel of so many kilos costs."""
            self.got.append((kilos, colour))
            return kilos * 10

        @tool
        async def charge(paid: float = Field(default=1.0, ge=3)) -> float:
            """The rest to pay."""
            self.got.append(paid)
            return paid

        @tool
        async def send(number: int) -> dict[str, int]:
            """Send a parcel."""
            self.got.append(number)
            return {"sent": number}

        @tool
        async def total(found: list[str]) -> int:
            """How many there are."""
            self.got.append(found)
            return len(found)

        tools = [read(parcels), read(find), read(stamp), read(charge), read(total), write(send, approval=approval)]
        return Warehouse().domain(name="post", tools=tools, checks={})


def asked(post: Post, *calls: Any, **context: Any) -> Run:
    return ask(
        post.domain(), ScriptedPlanner(planning(call("all", "parcels"), *calls), planning()), context=context or None
    )


def told(post: Post, *calls: Any, **context: Any) -> Run:
    """A run whose plan works the first time."""
    return ask(post.domain(), ScriptedPlanner(planning(call("all", "parcels"), *calls)), context=context or None)


# Values that fit


@dataclass(frozen=True)
class Fits:
    id: str
    tool: str
    args: dict[str, Any]
    got: Any


FITS = [
    Fits("a number into a text", "find", {"name": ref("all", "[0].number")}, "7"),
    Fits("a number without its empty fraction", "find", {"name": ref("all", "[0].paid")}, "12"),
    Fits("a number with its fraction", "find", {"name": ref("all", "[1].paid")}, "3.25"),
    Fits("a text that is a number", "stamp", {"kilos": ref("all", "[0].kilos")}, (12, "blue")),
    Fits("nothing stands for the default", "stamp", {"kilos": ref("all", "[0].number"), "colour": ref("all", "[2].paid")},
         (7, "blue")),
    Fits("a choice", "find", {"name": ref("all", "[colour=blue].street")}, "Elm Street"),
    Fits("a choice by a number", "find", {"name": ref("all", "[number=8].colour")}, "red"),
    Fits("a choice in quotes", "find", {"name": ref("all", '[street="Oak, Lane"].number')}, "8"),
    Fits("a text of several", "find",
         {"name": {"text": "{n}: {paid} {{kg}}", "with": {"n": ref("all", "[0].number"), "paid": ref("all", "[0].paid")}}},
         "7: 12 {kg}"),
]  # fmt: skip


@table("case", FITS)
def test_a_value_is_made_to_fit(case: Fits) -> None:
    post = Post()
    ended = told(post, call("one", case.tool, **case.args))
    assert post.got == [case.got]
    assert ended["outcome"] == "answered"


def test_a_fitted_value_makes_the_same_call_as_the_written_one() -> None:
    post = Post()
    told(post, call("by_value", "stamp", kilos=12), call("by_reference", "stamp", kilos=ref("all", "[0].kilos")),
         call("default", "stamp", kilos=12, colour=ref("all", "[2].paid")))  # fmt: skip
    assert post.got == [(12, "blue")]


# Values that do not


@dataclass(frozen=True)
class Unfit:
    id: str
    tool: str
    args: dict[str, Any]
    says: str


UNFIT = [
    Unfit("a text that is no number", "stamp", {"kilos": ref("all", "[2].kilos")}, "'heavy' is not of type integer"),
    Unfit("a fraction for a whole number", "stamp", {"kilos": ref("all", "[1].kilos")}, "'2.5' is not of type integer"),
    Unfit("nothing for what is needed", "stamp", {"kilos": ref("all", "[2].paid")}, "kilos"),
    Unfit("what is not among the choices", "stamp", {"kilos": 3, "colour": ref("all", "[1].colour")}, "'green'"),
    Unfit("out of range", "charge", {"paid": ref("all", "[3].paid")}, "greater than or equal to 3"),
    Unfit("an element that is not there", "find", {"name": ref("all", "[colour=white].street")}, "no such value"),
    Unfit("several elements", "find", {"name": ref("all", "[colour=red].street")}, "2 elements have colour = 'red'"),
    Unfit("nothing in a text", "find", {"name": {"text": "{a}", "with": {"a": ref("all", "[2].paid")}}}, "{a} is nothing"),
    Unfit("an object in a text", "find", {"name": {"text": "{a}", "with": {"a": ref("all", "[0].note")}}}, "an object"),
]  # fmt: skip


@table("case", UNFIT)
def test_what_does_not_fit_is_never_sent(case: Unfit) -> None:
    cheap = Parcel(number=10, street="Ash Street", kilos="1", colour="grey", paid=1.0)
    post = Post([*PARCELS, cheap])
    ended = asked(post, call("one", case.tool, **case.args))
    assert post.got == []
    assert ended.status("one") == "skipped"
    [issue] = ended["issues"]
    assert (issue["type"], issue["tool_id"]) == ("unexpected_data", "one")
    assert case.says in issue["message"]
    assert [event["id"] for event in ended.told("tool_started")] == ["all"]
    assert ended["tools_executed"] == 1


def yes() -> Approval:
    async def prepare(args: Any, settings: Any) -> Any:
        return {"details": {"number": args["number"]}, "valid_until": None}

    async def release(args: Any, settings: Any) -> None:
        return None

    return Approval(prepare=prepare, release=release, restate=lambda details, language: f"send {details['number']}?")


def test_nobody_is_asked_about_a_write_whose_values_do_not_fit() -> None:
    post = Post()
    graph = compiled(
        post.domain(yes()),
        ScriptedPlanner(
            planning(call("all", "parcels"), call("s", "send", number=ref("all", "[2].kilos"))), planning()
        ),
        checkpointer=InMemorySaver(),
    )
    ended = run(graph, config=on_thread())
    assert ended["outcome"] == "partial"
    assert ended.status("s") == "skipped"
    assert ended["approvals"] == {}


# One call for each element


def of_each(call_id: str, tool_name: str, /, source: Any = None, **args: Any) -> Any:
    return {**call(call_id, tool_name, **args), "each": source or ref("all")}


def test_one_call_is_made_for_each_element_and_their_results_are_a_list() -> None:
    post = Post()
    ended = told(post, of_each("at", "find", name=ref("each", "number")), call("n", "total", found=ref("at")))
    assert post.got == ["7", "8", "9", ["shelf 7", "shelf 8", "shelf 9"]]
    assert list(ended["results"]) == ["all", "at_1", "at_2", "at_3", "n"]
    assert ended["waves"] == 3
    assert ended["planning_calls"] == 1


def test_a_value_of_one_of_the_calls_can_be_referred_to() -> None:
    post = Post()
    told(post, of_each("at", "find", name=ref("each", "number")), call("n", "find", name=ref("at", "[-1]")))
    assert post.got[-1] == "shelf 9"


def test_a_text_and_other_calls_may_stand_beside_the_element() -> None:
    post = Post()
    mixed = {"text": "{n} of {first}", "with": {"n": ref("each", "number"), "first": ref("one")}}
    told(post, call("one", "find", name="x"), of_each("at", "find", name=mixed))
    assert post.got == ["x", "7 of shelf x", "8 of shelf x", "9 of shelf x"]


def test_writes_for_each_element_run_one_after_the_other_and_before_what_follows() -> None:
    post = Post()
    ended = told(post, of_each("s", "send", number=ref("each", "number")), call("after", "find", name="x"))
    assert post.got == [7, 8, 9, "x"]
    assert ended["waves"] == 5


def test_equal_elements_are_one_call() -> None:
    post = Post()
    ended = told(post, of_each("at", "find", name=ref("each", "street")))
    assert post.got == ["Elm Street", "Oak, Lane"]
    assert ended.status("at_3") == "ok"


def test_an_empty_list_makes_no_call_and_is_no_failure() -> None:
    post = Post([])
    ended = told(post, of_each("at", "find", name=ref("each", "number")), call("n", "total", found=ref("at")))
    assert post.got == [[]]
    assert ended["outcome"] == "answered"
    assert ended["issues"] == []


def test_one_element_that_lacks_the_value_is_skipped_alone() -> None:
    post = Post()
    ended = asked(post, of_each("at", "stamp", kilos=ref("each", "kilos")))
    assert post.got == [(12, "blue")]
    assert [ended.status(f"at_{n}") for n in (1, 2, 3)] == ["ok", "skipped", "skipped"]
    assert [issue["tool_id"] for issue in ended["issues"]] == ["at_2", "at_3"]


def test_what_looks_like_a_reference_in_an_element_is_data() -> None:
    post = Post()
    ended = asked(post, of_each("at", "total", found=ref("each", "note")))
    assert post.got == []
    assert ended.status("at_1") == "skipped"


def test_more_elements_than_the_budget_holds_make_no_call_at_all() -> None:
    post = Post()
    each, after = of_each("s", "send", number=ref("each", "number")), call("after", "find", name=ref("s", "[0].sent"))
    ended = asked(post, each, after, max_tool_calls=4)
    assert post.got == []
    [issue] = ended["issues"]
    assert (issue["rule"], issue["expected"], issue["actual"]) == ("over_budget", 2, 3)
    assert "3 calls" in issue["message"]
    assert "only 2 left" in issue["message"]
    assert (ended.status("s"), ended.status("after")) == ("skipped", "skipped")
    assert ended["outcome"] == "partial"


def test_writes_for_more_elements_than_waves_are_left_are_not_begun() -> None:
    post = Post()
    ended = asked(post, of_each("s", "send", number=ref("each", "number")), max_waves=3)
    assert post.got == []
    assert [(issue["rule"], issue["expected"], issue["actual"]) for issue in ended["issues"]] == [("over_budget", 2, 3)]
    told(post, of_each("s", "send", number=ref("each", "number")), max_waves=4)
    assert post.got == [7, 8, 9]


def test_a_list_without_end_is_not_counted() -> None:
    post = Post(PARCELS[:1] * 5000)
    ended = asked(post, of_each("at", "find", name=ref("each", "number")))
    assert post.got == []
    assert [(issue["rule"], issue["actual"]) for issue in ended["issues"]] == [("over_budget", 5000)]
    assert list(ended["ledger"]["calls"]) == ["all", "at"]


def test_as_many_elements_as_the_budget_holds_run() -> None:
    post = Post()
    told(post, of_each("s", "send", number=ref("each", "number")), max_tool_calls=4)
    assert post.got == [7, 8, 9]


def test_a_list_of_an_earlier_plan_is_counted_when_it_is_planned() -> None:
    post = Post()
    first = planning(call("all", "parcels"), status="continue")
    ended = ask(post.domain(), ScriptedPlanner(first, planning(of_each("at", "find", name=ref("each", "number")))))
    assert post.got == ["7", "8", "9"]
    assert [each["id"] for each in ended.told("plan_created")[-1]["tools"]] == ["at_1", "at_2", "at_3"]


def test_a_known_list_that_is_too_long_goes_back_to_the_planner_before_anything_runs() -> None:
    post = Post()
    each = of_each("at", "find", name=ref("each", "number"))
    script = ScriptedPlanner(
        planning(call("all", "parcels"), status="continue"), planning(each), planning(call("b", "find", name="8"))
    )
    ended = ask(post.domain(), script, context={"max_tool_calls": 3})
    assert post.got == ["8"]
    assert script.views[-1].feedback
    [issue] = script.views[-1].feedback["issues"]
    assert (issue["rule"], issue["expected"], issue["actual"]) == ("over_budget", 2, 3)
    assert ended["outcome"] == "answered"


def test_each_write_is_asked_about_by_itself_also_after_a_restart() -> None:
    post, saver = Post(), InMemorySaver()
    plan = planning(call("all", "parcels"), of_each("s", "send", number=ref("each", "number")))
    ended = run(compiled(post.domain(yes()), ScriptedPlanner(plan), checkpointer=saver), config=on_thread())
    for done, number in enumerate([7, 8, 9]):
        [question] = [each.value for each in ended["__interrupt__"]]
        assert (question["args"], question["call"]) == ({"number": number}, f"s_{done + 1}")
        assert post.got == [7, 8, 9][:done]
        graph = compiled(post.domain(yes()), ScriptedPlanner(), checkpointer=saver)
        ended = run(graph, Command(resume={"decision": "approve"}), on_thread())
    assert post.got == [7, 8, 9]
    assert ended["outcome"] == "answered"


@pytest.mark.parametrize("node", ["execute_wave", "validate"])
def test_a_request_that_is_cut_at_any_step_goes_on_where_it_was(node: str) -> None:
    post, saver = Post(), InMemorySaver()
    plan = planning(
        call("all", "parcels"),
        of_each("s", "send", number=ref("each", "number")),
        call("n", "find", name=ref("s", "[2].sent")),
    )
    ended = run(
        compiled(post.domain(), ScriptedPlanner(plan), checkpointer=saver, interrupt_before=[node]), config=on_thread()
    )
    for _ in range(5):
        graph = compiled(post.domain(), ScriptedPlanner(), checkpointer=saver, interrupt_before=[node])
        ended = run(graph, None, on_thread())
    assert post.got == [7, 8, 9, "9"]
    assert ended["outcome"] == "answered"


def test_a_write_that_fails_stops_those_of_the_elements_after_it() -> None:
    post, saver = Post(), InMemorySaver()
    plan = planning(call("all", "parcels"), of_each("s", "send", number=ref("each", "number")))
    graph = compiled(post.domain(yes()), ScriptedPlanner(plan), checkpointer=saver)
    run(graph, config=on_thread())
    ended = run(graph, Command(resume={"decision": "reject"}), on_thread())
    assert post.got == []
    assert [ended.status(f"s_{n}") for n in (2, 3)] == ["skipped", "skipped"]


def test_an_edited_element_counts_as_its_element() -> None:
    post, saver = Post(PARCELS[:1]), InMemorySaver()
    each = of_each("s", "send", number=ref("each", "number"))
    plan = planning(call("all", "parcels"), each, call("n", "find", name=ref("s", "[0].sent")))
    graph = compiled(post.domain(yes()), ScriptedPlanner(plan), checkpointer=saver)
    run(graph, config=on_thread())
    edited = run(graph, Command(resume={"decision": "edit", "args": {"number": 70}}), on_thread())
    terms = edited["__interrupt__"][0].value["terms_hash"]
    ended = run(graph, Command(resume={"decision": "approve", "terms_hash": terms}), on_thread())
    assert post.got == [70, "70"]
    assert ended["outcome"] == "answered"


def test_reads_for_each_element_before_a_write_are_not_read_again_after_it() -> None:
    post = Post()
    told(post, of_each("at", "find", name=ref("each", "number")), call("w", "send", number=1))
    assert post.got == ["7", "8", "9", 1]
