"""What a domain's author says of a tool: how often it runs, how it is tried again, when and how a person is asked; and what of a
request no model reads."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from wavegraph import AnswerView, Approval, Domain, PlanningView, Retry, Terms, build_graph, read, write
from wavegraph.testing import call, planning

ON_T: Any = {"configurable": {"thread_id": "t"}}


class Plans:
    """Rules that play plans, and list what was found."""

    def __init__(self, *plans: Any) -> None:
        self.plans, self.read = list(plans), list[str]()

    def plan(self, view: PlanningView) -> Any:
        self.read.append(view.request["text"])
        return self.plans.pop(0)

    def respond(self, view: AnswerView) -> str:
        return "Done."


def weigh(sku: str) -> int:
    """Weigh one."""
    raise KeyError(sku) if sku.startswith("no") else BlockingIOError(sku)


def pay(amount: int) -> str:
    """Pay."""
    return f"{amount} paid"


async def terms(args: Mapping[str, Any], settings: Any) -> Terms:
    return {"details": dict(args), "valid_until": None}


OVER_100 = Approval(
    prepare=terms,
    restate=lambda details, language: f"Pay {details['amount']}",
    when=lambda args: args["amount"] > 100,
    decisions=("approve", "reject"),
)


def desk(rules: Plans, *tools: Any, **more: Any) -> Any:
    return build_graph(Domain(name="desk", tools=tools, offline=rules, **more)).compile(checkpointer=InMemorySaver())


def said(graph: Any, words: Any) -> Any:
    return graph.invoke({"messages": [("user", words)]} if isinstance(words, str) else words, ON_T)


def test_a_read_is_tried_again_as_its_author_says() -> None:
    pauses: list[int] = []

    def pause(tries: int) -> float:
        pauses.append(tries)
        return 0.0

    retry = Retry(attempts=3, on=lambda error: isinstance(error, BlockingIOError), pause_s=pause)
    rules = Plans(planning(call("a", "weigh", sku="bolt"), call("b", "weigh", sku="none")), planning())
    ended = said(desk(rules, read(weigh, retry=retry)), "weigh")

    assert [ended["results"][name]["attempts"] for name in ("a", "b")] == [3, 1]
    assert pauses == [1, 2]


def test_a_tool_that_is_planned_too_often_is_not_run() -> None:
    rules = Plans(*[planning(call("a", "pay", amount=1), call("b", "pay", amount=2))] * 2)
    ended = said(desk(rules, write(pay, most_calls=1)), "pay both")
    assert (ended["results"], ended["tools_executed"]) == ({}, 0)


@pytest.mark.parametrize(("amount", "is_asked"), [(100, False), (101, True)])
def test_a_person_is_asked_where_the_condition_holds(amount: int, is_asked: bool) -> None:
    graph = desk(Plans(planning(call("p", "pay", amount=amount))), write(pay, approval=OVER_100))
    ended = said(graph, f"pay {amount}")

    assert ("__interrupt__" in ended, "results" in ended) == (is_asked, not is_asked)


def test_an_edit_that_is_not_allowed_changes_nothing() -> None:
    graph = desk(Plans(planning(call("p", "pay", amount=500))), write(pay, approval=OVER_100))
    said(graph, "pay 500")
    asked = graph.invoke(Command(resume={"decision": "edit", "args": {"amount": 50}}), ON_T)["__interrupt__"][0].value

    assert asked["problem"] == "'edit' is not among the decisions that this call allows: approve, reject"
    assert asked["args"] == {"amount": 500}
    assert graph.invoke(Command(resume="yes"), ON_T)["results"]["p"]["data"] == "500 paid"


def test_a_condition_that_fails_asks() -> None:
    def broken(args: Mapping[str, Any]) -> bool:
        raise KeyError("limit")

    approval = replace(OVER_100, when=broken)
    assert "__interrupt__" in said(
        desk(Plans(planning(call("p", "pay", amount=1))), write(pay, approval=approval)), "pay 1"
    )


def test_what_a_domain_masks_is_read_by_nobody_and_kept_nowhere_later() -> None:
    rules = Plans(planning(reply="Who?"), planning(reply="Who?"))
    graph = desk(rules, read(weigh), mask=lambda text: text.replace("4111", "****"))
    for words in ("card 4111", "card 4111 again"):
        said(graph, words)

    assert rules.read == ["card ****", "card **** again"]
    kept = graph.get_state(ON_T).values["messages"]
    assert [each.text for each in kept if each.type == "human"] == rules.read
