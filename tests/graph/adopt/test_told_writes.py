"""Whatever a model writes, the answer says which writes were not done, which are not known, and what a limit left."""

import asyncio
import re
from collections.abc import Callable
from typing import Any

import pytest
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command
from skipping import LIMIT_S, jump
from tables import table

from wavegraph import Domain, Limits, ToolRefusal, build_graph, create_agent, read
from wavegraph.testing import ScriptedModel, call, planning

RULES: Any = {"answer_check": "rules"}
ON_T: Any = {"configurable": {"thread_id": "t"}}
ASKED: Any = {"messages": [("user", "send it to Ada")]}
UNKNOWN = r"not known whether this was done.*send \(to: Ada\)"
UNREAD = r"Done, but what came back of it could not be read: send"
FAILED, NOT_DONE = r"This failed: send \(to: Ada\)\.", r"Not done: send \(to: Ada\)\."


async def hangs(to: str) -> str:
    jump()
    await asyncio.Event().wait()
    return to


def raises(to: str) -> str:
    raise ValueError(to)


def refuses(to: str) -> str:
    raise ToolRefusal("full", "the mailbox is full")


def gives_bytes(to: str) -> bytes:
    return b"\xff"


def gives_an_object(to: str) -> Any:
    return object()


ENDS = [(hangs, UNKNOWN), (gives_bytes, UNREAD), (gives_an_object, UNREAD), (raises, FAILED), (refuses, NOT_DONE)]
LIES = {"by the planner": [planning(reply="Sent to Ada.")], "by the responder": [planning(), "Sent to Ada."]}


def sending(does: Callable[..., Any], *replies: Any, **more: Any) -> Any:
    """An agent of one tool, called `send` whatever it does."""

    def named(to: str) -> Any:
        return does(to)

    async def named_async(to: str) -> Any:
        return await does(to)

    send: Any = named_async if asyncio.iscoroutinefunction(does) else named
    send.__name__, send.__doc__ = "send", "Send."
    given = {"checkpointer": InMemorySaver(), "limits": Limits(tool_timeout_s=LIMIT_S), **more}
    return create_agent(ScriptedModel(planning(call("c", "send", to="Ada")), *replies), [send], **given)


@table("lie", LIES.values())
@table(("does", "told"), ENDS)
def test_a_write_that_is_told_as_done_and_is_not(does: Any, told: str, lie: list[Any]) -> None:
    answer = sending(does, *lie).invoke(ASKED, ON_T, context=RULES)["answer"]
    assert len(re.findall(told, answer)) == 1


@table(("does", "told"), ENDS)
def test_a_planner_that_is_down_after_a_write(does: Any, told: str) -> None:
    answer = sending(does, *[ConnectionError("down")] * 9).invoke(ASKED, ON_T, context=RULES)["answer"]
    assert re.search(told, answer)
    assert ("so nothing was done" in answer) is (does is refuses)


def test_a_share_of_the_model_that_is_spent_after_a_write() -> None:
    thread: Any = {"configurable": {"thread_id": "spent after a write"}}
    answer = sending(hangs).invoke(ASKED, thread, context={**RULES, "max_thread_calls": 1})["answer"]
    assert "used up its share" in answer
    assert re.search(UNKNOWN, answer)


def test_a_no_and_what_stood_behind_it() -> None:
    both = planning(call("c", "send", to="Ada"), call("d", "send", to="Bob"))
    model = ScriptedModel(both, "Sent to both.")
    agent = create_agent(model, [named("send")], approve={"send": True}, checkpointer=InMemorySaver())
    agent.invoke(ASKED, ON_T, context=RULES)
    answer = agent.invoke(Command(resume="no"), ON_T)["answer"]
    assert answer.split("\n\n")[1:] == [
        "Not done, since it was not agreed to: send (to: Ada).",
        "Not done: send (to: Bob).",
    ]


def named(name: str) -> Any:
    def of_that_name(to: str) -> str:
        """Send."""
        if to == "Eve":
            raise ToolRefusal("full", "the mailbox is full")
        return f"{name} to {to}"

    of_that_name.__name__ = name
    return of_that_name


def test_in_hebrew() -> None:
    model = ScriptedModel(planning(call("c", "send", to="Eve")), planning(reply="נשלח."))
    ended = create_agent(model, [named("send")]).invoke({"messages": [("user", "תשלח")]}, context=RULES)
    assert ended["answer"] == "נשלח.\n\nלא בוצע: send (to: Eve)."


def test_a_write_that_another_made_good_is_not_told() -> None:
    again = planning({**call("d", "send", to="Ada"), "instead_of": "c"})
    model = ScriptedModel(planning(call("c", "send", to="Eve")), again, "Sent to Ada.")
    ended = create_agent(model, [named("send")]).invoke(ASKED, context=RULES)
    assert (ended["outcome"], ended["answer"]) == ("answered", "Sent to Ada.")


def test_a_limit_that_left_calls_undone() -> None:
    plan = planning(*[call(f"c{n}", "look", to=f"P{n}") for n in range(14)])
    model = ScriptedModel(plan, plan, "All is well.")
    limits = Limits(max_tool_calls=2)
    ended = create_agent(model, [read(named("look"))], limits=limits).invoke(ASKED, context=RULES)
    told = "; ".join(f"look (to: P{n})" for n in range(2, 12))
    assert (
        ended["answer"]
        == f"All is well.\n\nNot done, since a limit was reached: {told}; … (12).\n\nThe work ended at a limit: max_tool_calls = 2."
    )


class Desk:
    """A domain's own rules, which tell nothing of what failed, or the error's words."""

    def __init__(self, says: str) -> None:
        self.says = says

    def plan(self, view: Any) -> Any:
        return planning(call("c", "send", to="Eve"))

    def respond(self, view: Any) -> str:
        return self.says


@pytest.mark.parametrize(("says", "adds"), [("Done.", ["Not done: send (to: Eve)."]), ("No: the mailbox is full.", [])])
def test_templates_that_tell_it_or_not(says: str, adds: list[str]) -> None:
    graph = build_graph(Domain(name="desk", tools=[tool(named("send"))], offline=Desk(says))).compile()
    assert graph.invoke(ASKED)["answer"].split("\n\n") == [says, *adds]
