"""Calls that fail in all ways, and are planned again: what runs once more, what never does, and how it is told."""

import asyncio
import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite import SqliteSaver
from runs import Run, ask, compiled, human, on_thread, run
from scripted import Says
from skipping import jump
from tables import table
from warehouse import Act, Moved, Outlasts, Raw, Warehouse, out_of_stock

from wavegraph import PlanningView, ResolvedCall, ToolRefusal, ValidationIssue, read
from wavegraph.graph.build import build_graph, whole_state
from wavegraph.graph.domain_tool import write
from wavegraph.graph.ledger import MAX_RUNS, results
from wavegraph.testing import ScriptedPlanner, call, planning, ref

ROOMY = {"max_adaptations": 9, "max_retries_per_issue": 9, "max_waves": 20, "tool_attempts": 1}
HICCUP = "try again later"


class Ledgered(Warehouse):
    """A warehouse whose moves can be looked up, and whose tools may tell an error in a good result."""

    def __init__(self, *looks: Act) -> None:
        super().__init__()
        self.looks = list(looks)
        self.looked = 0

    async def find_move(self, args: Mapping[str, Any], settings: Any) -> Moved | None:
        self.looked += 1
        act = self.looks.pop(0) if self.looks else None
        if isinstance(act, BaseException):
            raise act
        done = (args["sku"], args["units"]) in self.moves
        return Moved(sku=args["sku"], units=args["units"], ticket="T-found") if done else None

    def domain(self, **changes: Any) -> Any:
        count, weigh, search, listing, move, scrap = self.tools()
        tools = [read(count), read(weigh), read(search), read(listing, result=Any),
                 write(move, result=Any, look_up=self.find_move), scrap]  # fmt: skip
        checks = {"count": [out_of_stock, told_few], "move": [told_error], "listing": [told_error]}
        return super().domain(**{"tools": tools, "checks": checks, **changes})


def told_error(found: Any, of: ResolvedCall) -> list[ValidationIssue]:
    """An error that the tool told as an ordinary result."""
    if not (isinstance(found, dict) and "error" in found):
        return []
    return [{"type": found.get("type", "error"), "tool_id": of.id, "message": found["error"], "severity": "warning",
             "rule": "told_error"}]  # fmt: skip


def told_few(found: Any, of: ResolvedCall) -> list[ValidationIssue]:
    """The scale says 99 where it is out of order."""
    return told_error({"error": "the scale is out of order"} if found.units == 99 else found, of)


@pytest.fixture
def house() -> Ledgered:
    return Ledgered()


def moved(house: Warehouse) -> Any:
    """The move takes effect, and the answer to it is lost."""

    async def late() -> Any:
        house.moves.append(("bolt", 1))
        jump()
        await asyncio.Event().wait()

    return late


def twice(house: Warehouse, *acts: Act, name: str = "move", context: Mapping[str, Any] = ROOMY) -> Run:
    """A call for bolts that ends so, and is then planned again as it was."""
    house.on(name, "bolt", *acts)
    args = {"kind": "bolt"} if name == "listing" else {"sku": "bolt"}
    script = ScriptedPlanner(
        planning(call("a", name, **args)), *[planning(call(f"a{n}", name, **args)) for n in range(2, 2 + len(acts))]
    )
    return run(compiled(house.domain(), script), context=dict(context))


# Writes


@dataclass(frozen=True)
class Failure:
    id: str
    act: Any
    runs: int
    moves: int
    outcome: str = "answered"


FAILURES = [
    Failure("an exception", ConnectionError("reset"), runs=2, moves=1),
    Failure("an exception of any kind", RuntimeError("x"), runs=2, moves=1),
    Failure("a refusal that says it may pass", ToolRefusal("busy", "later", retryable=True), runs=2, moves=1),
    Failure("a refusal that lasts", ToolRefusal("closed", "closed"), runs=1, moves=0, outcome="failed"),
    Failure("a time-out of the tool's own", TimeoutError(), runs=2, moves=1),
    Failure("a time-out before the effect", Outlasts(), runs=2, moves=1),
    Failure("a time-out after the effect", moved, runs=1, moves=1),
    Failure("an error told in a good result", Raw({"error": HICCUP}), runs=2, moves=1),
    Failure("a time-out told in a good result", Raw({"error": HICCUP, "type": "timeout"}), runs=2, moves=1),
    Failure(
        "trouble of another kind in one", Raw({"error": HICCUP, "type": "strange"}), runs=1, moves=0, outcome="partial"
    ),
]


@pytest.mark.parametrize("case", FAILURES, ids=lambda case: case.id)
def test_a_write_that_a_look_up_does_not_find_is_sent_again_when_planned_again(house: Ledgered, case: Failure) -> None:
    ended = twice(house, case.act(house) if callable(case.act) else case.act)

    assert (len(house.ran("move")), len(house.moves)) == (case.runs, case.moves)
    assert ended["outcome"] == case.outcome
    assert bool(ended["validation"]["is_valid"]) == (case.outcome == "answered")


@table("case", FAILURES)
def test_a_write_without_a_look_up_is_never_sent_again(case: Failure) -> None:
    house = Warehouse()
    move = house.tools()[4]
    domain = house.domain(tools=[write(move, result=Any)], checks={"move": [told_error]})
    house.on("move", "bolt", case.act(house) if callable(case.act) else case.act)
    script = ScriptedPlanner(planning(call("a", "move", sku="bolt")), planning(call("a2", "move", sku="bolt")))
    ended = run(compiled(domain, script), context=ROOMY)

    assert house.ran() == ["move:bolt"]
    assert ended["outcome"] != "answered"


def test_a_look_up_that_fails_proves_nothing() -> None:
    house = Ledgered(Raw(None), ConnectionError("down"))
    ended = twice(house, Outlasts())

    assert house.ran() == ["move:bolt"]
    error = ended["results"]["a"]["error"]
    assert (error["code"], error["retryable"]) == ("write_unknown", False)


def test_an_effect_that_came_late_is_found_before_the_write_is_sent_again(house: Ledgered) -> None:
    def second(view: PlanningView) -> Any:
        house.moves.append(("bolt", 1))  # the first sending, after its look-up
        return planning(call("a2", "move", sku="bolt"))

    house.on("move", "bolt", Outlasts())
    script = ScriptedPlanner(planning(call("a", "move", sku="bolt")), second)
    ended = run(compiled(house.domain(), script), context=ROOMY)

    assert (house.ran(), len(house.moves)) == (["move:bolt"], 1)
    assert (ended["outcome"], ended["results"]["a2"]["data"]["ticket"]) == ("answered", "T-found")


def test_a_write_whose_thread_still_runs_is_not_sent_again(house: Ledgered) -> None:
    async def not_yet(args: Mapping[str, Any], settings: Any) -> None:
        return None

    scrap = write(house.tools()[5], look_up=not_yet)
    house.on("scrap", "bolt", Outlasts())  # and what a write is given to settle
    script = ScriptedPlanner(planning(call("a", "scrap", sku="bolt")), planning(call("a2", "scrap", sku="bolt")))
    domain = house.domain(tools=[scrap], checks={})
    ended = run(compiled(domain, script), context=ROOMY)

    assert house.ran() == ["scrap:bolt"]
    assert ended["results"]["a"]["error"]["code"] == "write_unknown"


def test_a_write_is_told_to_be_retryable_only_after_the_look_up(house: Ledgered) -> None:
    def second(view: PlanningView) -> Any:
        assert view.feedback is not None
        (ended,) = results(view.ledger).values()
        error = ended["error"]
        assert error is not None
        assert (error["code"], error["retryable"]) == ("timeout", True)
        assert error["message"].endswith("it may or may not have happened; a look-up right after it did not find it")
        return planning()

    house.on("move", "bolt", Outlasts())
    script = ScriptedPlanner(planning(call("a", "move", sku="bolt")), second)
    ask(house.domain(), script, context=ROOMY)


def test_writes_behind_one_that_failed_are_issues_of_their_own(house: Ledgered) -> None:
    """Else a planner that mends the failure alone would end the request as answered."""
    house.on("move", "bolt", ConnectionError())
    first = planning(call("a", "move", sku="bolt"), call("b", "move", sku="nut"), call("c", "count", sku="belt"))
    ended = ask(house.domain(), ScriptedPlanner(first, planning(call("a2", "move", sku="bolt"))), context=ROOMY)

    assert ended["outcome"] == "partial"
    assert [(issue["tool_id"], issue["rule"]) for issue in ended["issues"]] == [
        ("a", "tool_error"),
        ("b", "write_stopped"),
    ]


def test_writes_behind_one_that_failed_are_done_when_planned_again(house: Ledgered) -> None:
    house.on("move", "bolt", Raw({"error": HICCUP}))
    first = planning(call("a", "move", sku="bolt"), call("b", "move", sku="nut"))
    second = planning(call("a2", "move", sku="bolt"), call("b2", "move", sku="nut"))
    ended = ask(house.domain(), ScriptedPlanner(first, second), context=ROOMY)

    assert house.ran() == ["move:bolt", "move:bolt", "move:nut"]
    assert ended["outcome"] == "answered"


def test_a_call_that_was_skipped_and_left_out_of_the_new_plan_is_told(house: Ledgered) -> None:
    house.on("search", "b", ConnectionError())
    lost = call("count_found", "count", sku=ref("find", "skus[0]"))
    first = planning(call("find", "search", kind="b"), lost, call("weighed", "weigh", sku=ref("count_found", "sku")))
    says = Says("done")
    script = ScriptedPlanner(first, planning(call("again", "search", kind="b")))
    ended = run(compiled(house.domain(), script, says), context=ROOMY)

    assert (ended["outcome"], list(says.views[-1].unfinished)) == ("partial", ["count_found", "weighed"])


@pytest.mark.parametrize(
    "later", [call("c2", "count", sku="bolt"), call("c2", "weigh", sku="bolt", instead_of="count_found")]
)
def test_what_stands_for_it_is_enough(house: Ledgered, later: Any) -> None:
    house.on("search", "b", ConnectionError())
    first = planning(call("find", "search", kind="b"), call("count_found", "count", sku=ref("find", "skus[1]")))
    ended = ask(
        house.domain(), ScriptedPlanner(first, planning(call("again", "search", kind="b"), later)), context=ROOMY
    )

    assert ended["outcome"] == "answered"


# Errors told inside a good result


@pytest.mark.parametrize("kind", ["error", "timeout", "unexpected_data"])
def test_a_read_that_told_a_failure_runs_again_when_planned_again(house: Ledgered, kind: str) -> None:
    ended = twice(house, Raw({"error": HICCUP, "type": kind}), name="listing")

    assert house.ran() == ["listing:bolt", "listing:bolt"]
    assert (ended["outcome"], ended["adaptations"]) == ("answered", 1)


def test_what_it_told_is_an_open_issue_until_then(house: Ledgered) -> None:
    house.on("listing", "bolt", Raw({"error": HICCUP}))
    ended = ask(house.domain(), ScriptedPlanner(planning(call("a", "listing", kind="bolt")), planning()), context=ROOMY)

    assert ended["outcome"] == "partial"
    assert not ended["validation"]["is_valid"]
    fault = {"code": "told_error", "message": HICCUP, "retryable": True}
    assert (ended["results"]["a"]["status"], ended["results"]["a"]["fault"]) == ("ok", fault)


def test_other_findings_are_not_asked_for_again(house: Ledgered) -> None:
    house.on("listing", "bolt", Raw({"error": "none in stock", "type": "no_availability"}))
    calls = [planning(call(name, "listing", kind="bolt")) for name in ("a", "b")]
    ended = ask(house.domain(), ScriptedPlanner(*calls), context=ROOMY)

    assert house.ran() == ["listing:bolt"]
    assert (ended["outcome"], ended["limits_hit"]) == ("partial", [])


def test_a_checked_result_of_a_type_of_its_own_runs_again_too(house: Ledgered) -> None:
    ended = twice(house, Raw({"sku": "bolt", "units": 99}), name="count")

    assert house.ran() == ["count:bolt", "count:bolt"]
    assert ended["results"]["a2"]["data"]["units"] == 40
    assert ended["outcome"] == "answered"


# The limit on runs


@pytest.mark.parametrize("most", [1, 2, 3, 5])
@pytest.mark.parametrize("act", [ConnectionError(), Raw({"error": HICCUP})], ids=["raised", "told"])
@pytest.mark.parametrize("name", ["listing", "move"])
def test_a_call_runs_no_more_often_than_its_limit(house: Ledgered, name: str, act: Any, most: int) -> None:
    ended = twice(house, *[act] * most, name=name, context={**ROOMY, "max_runs": most})

    assert len(house.ran(name)) == most
    assert ended.limits == ["max_runs"] == ended["limits_hit"]
    assert ended["outcome"] in ("partial", "failed")


def test_the_limit_is_named_only_where_it_stops_the_work(house: Ledgered) -> None:
    ended = twice(house, ConnectionError(), context={**ROOMY, "max_runs": 2})

    assert (ended["outcome"], ended.limits) == ("answered", [])


def test_a_thread_of_before_there_was_the_limit_goes_on(house: Ledgered) -> None:
    """Its limits lack it, and its calls."""
    house.on("listing", "bolt", ConnectionError())
    script = ScriptedPlanner(planning(call("a", "listing", kind="bolt")), planning(call("b", "listing", kind="bolt")))
    graph = compiled(house.domain(), script, checkpointer=InMemorySaver(), interrupt_after=["validate"])
    run(graph, config=on_thread(), context=ROOMY)
    stored = whole_state(graph).get_state(on_thread()).values
    limits = {name: value for name, value in stored["limits"].items() if name != "max_runs"}
    graph.update_state(on_thread(), {"limits": limits}, as_node="validate")
    graph.invoke(None, on_thread(), context=ROOMY)
    ended = graph.invoke(None, on_thread(), context=ROOMY)

    assert house.ran() == ["listing:bolt", "listing:bolt"]
    assert ended["outcome"] == "answered"
    assert "max_runs" not in json.dumps(stored["plan"])
    assert stored["limits"]["max_runs"] == MAX_RUNS


# Whatever is planned and however it ends

STORM: list[Any] = [ConnectionError(), TimeoutError(), ToolRefusal("busy", "later", retryable=True), Raw({"error": HICCUP}),
                    ToolRefusal("closed", "closed"), Raw({"error": HICCUP, "type": "strange"}), "late"]  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(st.data(), st.integers(1, 4))
def test_no_write_takes_effect_twice_and_none_is_missing_from_an_answered_request(
    data: st.DataObject, most: int
) -> None:
    house, skus = Ledgered(), ["bolt", "nut", "belt"]

    async def late(sku: str) -> Any:
        house.moves.append((sku, 1))
        raise TimeoutError

    for sku in skus:
        acts = data.draw(st.lists(st.sampled_from(STORM), max_size=3), label=sku)
        house.on("move", sku, *[partial(late, sku) if act == "late" else act for act in acts])
    wanted = data.draw(st.lists(st.sampled_from(skus), min_size=1, unique=True), label="wanted")
    first = planning(*[call(sku, "move", sku=sku) for sku in wanted])

    def some(view: PlanningView) -> Any:
        assert view.plan is not None
        again = data.draw(st.lists(st.sampled_from(wanted), unique=True), label="again")
        return planning(*[call(f"{sku}_{view.plan['number']}", "move", sku=sku) for sku in again])

    ended = run(compiled(house.domain(), ScriptedPlanner(first, *[some] * 20)), context={**ROOMY, "max_runs": most})

    assert all(times == 1 for times in Counter(house.moves).values())
    assert all(times <= most for times in Counter(house.ran("move")).values())
    if ended["outcome"] == "answered":
        assert {sku for sku, _ in house.moves} == set(wanted)


# Writes that are done


ITSELF: list[Any] = []
ITSELF.append(ITSELF)
UNREADABLE = [b"\xff", ITSELF, object(), "x" * 2_000_000, 2**70, [{"n": -(2**64)}], 10**5000]


def sending(result: Any, sent: list[str], **how: Any) -> Any:
    @tool
    def send(to: str) -> Any:
        """Send it."""
        sent.append(to)
        return result

    @tool
    def people() -> list[str]:
        """Who there is."""
        return ["Ada", "Ada", "Bob"]

    return Warehouse().domain(tools=[write(send, **how), read(people)], checks={})


@pytest.mark.parametrize("result", UNREADABLE, ids=lambda it: type(it).__name__)
def test_a_write_that_ran_to_its_end_is_done_whatever_it_gave(result: Any, tmp_path: Path) -> None:
    sent: list[str] = []
    twice = planning(call("a", "send", to="Ada"), call("b", "send", to="Bob"))
    graph = build_graph(sending(result, sent), planner=ScriptedPlanner(twice))
    with SqliteSaver.from_conn_string(str(tmp_path / "threads.db")) as saver:
        ended = graph.compile(checkpointer=saver).invoke(human(), on_thread())

    assert sent == ["Ada", "Bob"]
    assert (ended["outcome"], ended["results"]["a"]["status"]) == ("partial", "partial")
    assert "ran to its end, so it is done, but its result cannot be read" in ended["results"]["a"]["error"]["message"]
    assert "Done, but what came back of it could not be read: send." in ended["answer"]


@pytest.mark.parametrize(
    ("result", "kept"), [(2**63, 2**63), ("hi \ud83d", "hi �"), (["\ud83d\ude00"], ["😀"])], ids=repr
)
def test_what_a_store_cannot_hold_is_kept_readable(result: Any, kept: Any) -> None:
    ended = ask(sending(result, []), ScriptedPlanner(planning(call("a", "send", to="Ada"))))
    assert (ended["outcome"], ended["results"]["a"]["data"]) == ("answered", kept)


THRICE = [
    planning(call("a", "send", to="Ada"), call("b", "send", to="Ada"), call("c", "send", to="Bob")),
    planning(call("p", "people"), {**call("s", "send", to=ref("each", "")), "each": ref("p", "")}),
    planning(call("p", "people"), call("a", "send", to=ref("p", "[0]")), call("b", "send", to="Ada"),
             call("c", "send", to="Bob")),
]  # fmt: skip


@pytest.mark.parametrize("plan", THRICE, ids=["literal", "each", "references"])
def test_a_write_planned_twice_is_sent_once_and_says_so(plan: Any) -> None:
    sent: list[str] = []
    ended = ask(sending("ok", sent), ScriptedPlanner(plan))

    first, second = [name for name, o in ended["results"].items() if o["args"] == {"to": "Ada"}]
    assert sent == ["Ada", "Bob"]
    assert (ended["results"][second]["same_as"], "same_as" in ended["results"][first]) == (first, False)
    assert "done only once: send." in ended["answer"]


@pytest.mark.parametrize("plan", THRICE, ids=["literal", "each", "references"])
def test_so_is_one_that_may_be_repeated(plan: Any) -> None:
    sent: list[str] = []
    ended = ask(sending("ok", sent, repeatable=True), ScriptedPlanner({**plan, "status": "continue"}, plan_again(plan)))

    assert sorted(sent) == ["Ada", "Bob"]  # planned again, nothing is sent again
    assert "done only once: send." in ended["answer"]


def plan_again(plan: Any) -> Any:
    """The same calls under other names."""
    text = json.dumps(plan)
    for name in "abcps":
        text = text.replace(f'"id": "{name}"', f'"id": "{name}{name}"').replace(
            f'"call": "{name}"', f'"call": "{name}{name}"'
        )
    return json.loads(text)
