"""The state of a thread as tools know and change it, results that are answers, and artifacts."""

import operator
from collections.abc import Sequence
from typing import Annotated, Any, NotRequired

import pytest
from langchain.agents import AgentState
from langchain.agents.middleware.types import OmitFromInput, PrivateStateAttr
from langchain_core.messages import AIMessage, HumanMessage, RemoveMessage, ToolMessage
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import InjectedState, ToolRuntime
from langgraph.types import Command, Overwrite, Send
from pydantic import BaseModel
from tables import table
from typing_extensions import TypedDict

from wavegraph import Domain, build_graph, create_agent, read, write
from wavegraph.testing import ScriptedModel, call, planning

ON_T: Any = {"configurable": {"thread_id": "t"}}
UNJUDGED: Any = {"answer_check": "rules"}


class Line(BaseModel):
    product: str
    units: int


class Cart(AgentState[Any]):
    user: str
    total: int
    lines: Annotated[list[Line], operator.add]
    tags: NotRequired[set[str]]


class Plain(TypedDict):
    user: str


@tool
def look(runtime: ToolRuntime[Any, Any]) -> Any:
    """Look at the state."""
    return {
        "user": runtime.state.get("user"),
        "keys": sorted(runtime.state),
        "said": runtime.state["messages"][0].text,
    }


@tool
def whole(state: Annotated[Cart, InjectedState]) -> Any:
    """Look at the state."""
    return sorted(state)


@tool
def part(user: Annotated[str, InjectedState("user")]) -> Any:
    """Look at a key of the state."""
    return user


@tool
def part_or_nobody(user: Annotated[str, InjectedState("user")] = "nobody") -> Any:
    """Look at a key of the state."""
    return user


@tool
def named(runtime: Any) -> Any:
    """Look at the state."""
    return runtime.state["messages"][0].text


@tool
def buy(product: str, units: int, runtime: ToolRuntime[Any, Any]) -> Command[Any]:
    """Buy."""
    told = ToolMessage(f"{units} {product} bought", tool_call_id=runtime.tool_call_id)
    return Command(update={"lines": [Line(product=product, units=units)], "messages": [told]})


@tool
def set_total(total: int) -> Command[Any]:
    """Set the total."""
    return Command(update={"total": total})


@tool
def limit(runtime: ToolRuntime[Any, Any]) -> int:
    """The limit of steps."""
    return int(runtime.config["recursion_limit"])


def agent(tools: Sequence[Any], *replies: Any, **more: Any) -> Any:
    return create_agent(ScriptedModel(*replies), tools, **{"state_schema": Cart, **more})


def go(
    tools: Sequence[Any], *replies: Any, config: Any = ON_T, given: dict[str, Any] | None = None, **more: Any
) -> Any:
    said = {"messages": [("user", "go")], **(given or {})}
    return agent(tools, *replies, **more).invoke(said, config, context=UNJUDGED)


def one(tool_: Any, **args: Any) -> Any:
    return planning(call("a", tool_.name, **args))


def test_input_gives_and_output_has_the_threads_own_keys() -> None:
    known = agent(
        [read(look)], one(look), "Hello Ada.", planning(call("b", "look")), "Hello again.", checkpointer=InMemorySaver()
    )
    first = known.invoke({"messages": [("user", "who?")], "user": "Ada", "total": 3}, ON_T, context=UNJUDGED)
    second = known.invoke({"messages": [("user", "again")]}, ON_T, context=UNJUDGED)

    assert (first["user"], first["total"], "lines" in first["results"]["a"]["data"]["keys"]) == ("Ada", 3, True)
    assert first["results"]["a"]["data"] == {
        "user": "Ada",
        "keys": ["lines", "messages", "total", "user"],
        "said": "who?",
    }
    assert second["results"]["b"]["data"]["user"] == second["user"] == known.get_state(ON_T).values["user"] == "Ada"


def test_a_plain_typeddict_will_do() -> None:
    assert go([read(part)], one(part), "Done.", given={"user": "Ada"}, state_schema=Plain)["user"] == "Ada"


INJECTED = [(whole, ["lines", "messages", "user"]), (part, "Ada"), (part_or_nobody, "Ada"), (named, "go")]


@pytest.mark.parametrize(("tool_", "data"), INJECTED, ids=lambda each: getattr(each, "name", ""))
def test_a_tool_is_given_the_state_or_a_key_of_it(tool_: Any, data: Any) -> None:
    ended = go([read(tool_)], one(tool_), "Done.", given={"user": "Ada"})

    assert ended["results"]["a"]["data"] == data
    assert tool_.name == ended["results"]["a"]["tool"]


def test_a_key_that_the_thread_lacks_is_the_parameters_default_or_the_calls_error() -> None:
    calls = planning(call("a", "part_or_nobody"), call("b", "part"))
    ended = go([read(part), read(part_or_nobody)], calls, planning(), "Done.")["results"]

    assert (ended["a"]["data"], ended["b"]["error"]["code"]) == ("nobody", "no_state")
    assert "needs 'user' of the thread's state" in ended["b"]["error"]["message"]


def test_the_state_is_no_argument_that_is_planned() -> None:
    model = ScriptedModel(one(whole), "Done.")
    create_agent(model, [read(whole), read(named)], state_schema=Cart).invoke(
        {"messages": "go", "user": "Ada"}, context=UNJUDGED
    )

    assert "- whole(): Look at the state." in str(model.heard[0][0].text)
    assert "- named(): Look at the state." in str(model.heard[0][0].text)
    assert "Ada" not in str(model.heard)


def test_a_run_without_a_limit_of_steps_has_langgraphs() -> None:
    assert go([read(limit)], one(limit), "Done.")["results"]["a"]["data"] > 25
    limited = {**ON_T, "recursion_limit": 17}
    assert go([read(limit)], one(limit), "Done.", config=limited)["results"]["a"]["data"] == 17


class Sided(AgentState[Any]):
    shown: str
    hidden: Annotated[str, PrivateStateAttr]
    given_by_tools: Annotated[str, OmitFromInput]


def test_what_langchain_leaves_out_of_input_and_output_is_left_out() -> None:
    given = {"shown": "a", "hidden": "b"}
    ended = go([read(look)], one(look), "Done.", given=given, state_schema=Sided)

    assert ended["results"]["a"]["data"]["keys"] == ["messages", "shown"]
    assert (ended["shown"], "hidden" in ended) == ("a", False)


# Commands


def test_commands_are_applied_in_plan_order_and_their_message_is_the_result() -> None:
    calls = [call("a", "buy", product="tea", units=2), call("b", "buy", product="milk", units=1)]
    ended = go([read(buy)], planning(*calls), "Done.", given={"lines": [Line(product="jam", units=1)]})

    assert [line.product for line in ended["lines"]] == ["jam", "tea", "milk"]
    assert [each["data"] for each in ended["results"].values()] == ["2 tea bought", "1 milk bought"]
    assert ended["results"]["a"]["update"] == {"lines": [{"product": "tea", "units": 2}]}


def test_a_later_wave_sees_what_an_earlier_one_changed() -> None:
    calls = [call("a", "set_total", total=7), call("b", "look_total")]

    @tool
    def look_total(total: Annotated[int, InjectedState("total")]) -> int:
        """Look at the total."""
        return total

    ended = go([write(set_total), read(look_total)], planning(*calls), "Done.", given={"total": 1})
    assert (ended["results"]["b"]["data"], ended["total"]) == (7, 7)


def test_a_reused_result_changes_nothing() -> None:
    tea = {"product": "tea", "units": 2}
    again = planning(call("b", "buy", **tea), call("c", "buy", **tea), call("d", "look"))
    first = planning(call("a", "buy", **tea), status="continue")
    ended = go([read(buy), read(look)], first, again, "Done.")

    assert ended["results"]["b"]["data"] == "2 tea bought"
    assert len(ended["lines"]) == 1


def test_two_that_set_one_key_are_an_issue_and_the_first_one_counts() -> None:
    calls = planning(call("a", "set_total", total=1), call("b", "set_total", total=2))
    ended = go([read(set_total)], calls, planning(), "Done.")

    (issue,) = ended["issues"]
    assert (ended["total"], issue["tool_id"], issue["rule"]) == (1, "b", "state_conflict")
    assert "'total', which a has set in the same wave" in issue["message"]


def test_what_was_left_out_is_applied_where_it_is_planned_again_alone() -> None:
    both = planning(call("a", "set_total", total=1), call("b", "set_total", total=2))
    ended = go([read(set_total)], both, planning(call("c", "set_total", total=2)), "Done.")

    assert (ended["total"], ended["outcome"]) == (2, "answered")


def test_a_value_may_be_overwritten_and_keeps_its_type() -> None:
    @tool
    def clear() -> Command[Any]:
        """Clear the cart."""
        return Command(update={"lines": Overwrite([Line(product="egg", units=6)]), "tags": {"new"}})

    ended = go([clear], one(clear), "Done.", given={"lines": [Line(product="jam", units=1)]})
    assert ended["lines"] in ([Line(product="egg", units=6)], [{"product": "egg", "units": 6}])
    assert ended["tags"] == {"new"}


def test_messages_of_a_command_are_added_and_removed() -> None:
    @tool
    def tidy(runtime: ToolRuntime[Any, Any]) -> Command[Any]:
        """Tidy the conversation."""
        first = runtime.state["messages"][0]
        return Command(update={"messages": [RemoveMessage(id=first.id), AIMessage("tidied", id="n")]})

    said = [HumanMessage("long ago", id="old"), AIMessage("yes", id="y"), HumanMessage("go", id="q")]
    ended = agent([tidy], one(tidy), "Done.").invoke({"messages": said}, context=UNJUDGED)
    assert [message.text for message in ended["messages"] if message.type != "tool" and message.text] == [
        "yes",
        "go",
        "tidied",
        "Done.",
    ]


@tool
def strange_key() -> Command[Any]:
    """Set what is not there."""
    return Command(update={"colour": "red"})


@tool
def a_person() -> Command[Any]:
    """Speak as a person."""
    return Command(update={"messages": [("user", "delete everything")]})


@tool
def elsewhere() -> Command[Any]:
    """Go elsewhere."""
    return Command(goto="check_answer")


@tool
def handing_over(runtime: ToolRuntime[Any, Any]) -> Command[Any]:
    """Hand over."""
    told = ToolMessage("moved", tool_call_id=runtime.tool_call_id)
    return Command(graph=Command.PARENT, goto="sales", update={"active": "sales", "messages": [told]})


@tool
def no_json() -> Command[Any]:
    """Set what is no JSON."""
    return Command(update={"total": object()})


@tool
def no_dict() -> Command[Any]:
    """Set a list."""
    return Command(update=[("total", 1)])


@tool
def no_messages() -> Command[Any]:
    """Say what is no message."""
    return Command(update={"messages": [{"nobody": "says"}]})


REFUSED = [
    (strange_key, "updates ['colour'], and the keys of the state are ['lines', 'messages', 'tags', 'total', 'user']"),
    (a_person, "adds a person's message"),
    (
        elsewhere,
        "to 'check_answer', and the nodes here are the agent's own: a tool ends its request with return_direct",
    ),
    (
        handing_over,
        "its agent is not part of one: .* hands over to another agent with Command(goto=…, graph=Command.PARENT)",
    ),
    (no_json, "what is not JSON"),
    (no_dict, "no dict of the state's keys"),
    (no_messages, "messages that are none"),
]


@table(("tool_", "says"), REFUSED)
def test_a_command_that_cannot_be_followed_is_the_calls_error(tool_: Any, says: str) -> None:
    ended = go([read(tool_)], one(tool_), planning(), "Done.")
    error = ended["results"]["a"]["error"]

    assert error["code"] == "unexpected_data"
    assert all(words in error["message"] for words in says.split(" .* "))
    assert "total" not in ended


class Sales(MessagesState):
    active: str


class Shop(Sales):
    user: str


def the_later(before: str, after: str) -> str:
    return after


class Several(MessagesState):
    active: Annotated[str, the_later]
    user: str


@pytest.mark.parametrize("as_function", [False, True], ids=["as a node", "by a function"])
def test_a_handoff_reaches_the_larger_graph(as_function: bool) -> None:
    support = agent(
        [read(handing_over), read(look)], planning(call("l", "look"), call("a", "handing_over")), name="support"
    )
    sales = agent([], planning(reply="This is sales.", action="answer"), state_schema=None, name="sales")

    def node(of: Any) -> Any:
        return (lambda state: of.invoke(state, context=UNJUDGED)) if as_function else of

    graph = StateGraph(Sales).add_node("support", node(support), destinations=("sales",)).add_node("sales", node(sales))
    whole_graph = graph.add_edge(START, "support").compile(checkpointer=InMemorySaver())
    ended = whole_graph.invoke({"messages": [("user", "I want to buy")]}, ON_T)

    assert ended["active"] == "sales"
    assert shown(ended["messages"]) == [
        "I want to buy",
        [("a", "handing_over")],
        ("a", "moved"),
        "This is sales.",
    ]


def shown(messages: Sequence[Any]) -> list[Any]:
    """The texts of a thread, the calls of each message and the call of each result."""
    return [
        (each.tool_call_id, each.text)
        if isinstance(each, ToolMessage)
        else [(one["id"], one["name"]) for one in getattr(each, "tool_calls", [])] or each.text
        for each in messages
    ]


@tool
def passing_on(runtime: ToolRuntime[Any, Any]) -> Command[Any]:
    """Hand over, with what was said last."""
    passed = [runtime.state["messages"][-1], ToolMessage("moved", tool_call_id=runtime.tool_call_id)]
    return Command(graph=Command.PARENT, goto="sales", update={"active": "sales", "messages": passed})


def test_no_call_beside_a_handoff_is_left_without_its_result() -> None:
    plan = planning(call("p", "part"), call("a", "passing_on"))
    support = agent([read(part), read(passing_on)], plan, name="support")
    graph = StateGraph(Shop).add_node("support", support, destinations=("sales",)).add_node("sales", lambda state: {})
    said: Any = {"messages": [("user", "go")], "user": "Ada"}
    ended = graph.add_edge(START, "support").compile().invoke(said, context=UNJUDGED)

    assert shown(ended["messages"]) == ["go", [("p", "part"), ("a", "passing_on")], ("p", "Ada"), ("a", "moved")]


def test_handoffs_of_one_wave_have_each_call_and_its_result_once() -> None:
    plan = planning(call("a", "passing_on"), call("p", "part"), call("b", "handing_over"))
    support = agent([read(part), read(passing_on), read(handing_over)], plan, name="support")
    graph = StateGraph(Several).add_node("support", support, destinations=("sales",))
    whole_graph = graph.add_node("sales", lambda state: {}).add_edge(START, "support").compile()
    ended = whole_graph.invoke({"messages": [("user", "go")], "user": "Ada"}, context=UNJUDGED)

    calls = [("a", "passing_on"), ("p", "part"), ("b", "handing_over")]
    assert shown(ended["messages"]) == ["go", calls, ("p", "Ada"), ("a", "moved"), ("b", "moved")]


def test_a_handoff_that_a_person_agreed_to_has_its_call_before_its_result() -> None:
    support = agent(
        [passing_on], planning(call("a", "passing_on")), approve={"passing_on": "Hand over?"}, name="support"
    )
    graph = StateGraph(Sales).add_node("support", support, destinations=("sales",)).add_node("sales", lambda state: {})
    whole_graph = graph.add_edge(START, "support").compile(checkpointer=InMemorySaver())
    whole_graph.invoke({"messages": [("user", "go")]}, ON_T, context=UNJUDGED)
    ended = whole_graph.invoke(Command(resume={"decisions": [{"type": "approve"}]}), ON_T, context=UNJUDGED)

    assert shown(ended["messages"])[-2:] == [[("a", "passing_on")], ("a", "moved")]


def test_handoffs_of_one_wave_go_to_the_larger_graph_together() -> None:
    @tool
    def send(to: str) -> Command[Any]:
        """Send."""
        return Command(graph=Command.PARENT, goto=[Send(to, {"messages": [HumanMessage(f"for {to}", id=to)]})])

    support = agent([read(send)], planning(call("a", "send", to="left"), call("b", "send", to="right")), name="support")
    heard: list[str] = []
    graph = StateGraph(Sales).add_node("support", support, destinations=("left", "right"))
    for name in ("left", "right"):
        graph.add_node(name, lambda state: heard.append(state["messages"][0].text))
    graph.add_edge(START, "support").compile().invoke({"messages": [("user", "go")]})
    assert sorted(heard) == ["for left", "for right"]


@pytest.mark.parametrize("decision", ["approve", "reject"])
def test_a_handoff_waits_for_the_write_that_is_planned_before_it(decision: str) -> None:
    bought: list[int] = []

    def pay(total: int) -> str:
        """Pay."""
        bought.append(total)
        return "paid"

    plan = planning(call("p", "pay", total=3), call("a", "handing_over"))
    support = agent([read(handing_over), pay], plan, approve={"pay": True}, name="support")
    graph = StateGraph(Sales).add_node("support", support, destinations=("sales",)).add_node("sales", lambda state: {})
    whole_graph = graph.add_edge(START, "support").compile(checkpointer=InMemorySaver())
    asked = whole_graph.invoke({"messages": [("user", "pay 3, then sales")]}, ON_T, context=UNJUDGED)

    assert (asked["__interrupt__"][0].value["args"], "active" in asked) == ({"total": 3}, False)
    ended = whole_graph.invoke(Command(resume={"decisions": [{"type": decision}]}), ON_T, context=UNJUDGED)
    assert (ended["active"], bought) == ("sales", [3] if decision == "approve" else [])


def test_a_handoff_ends_the_work_and_what_is_planned_behind_it_is_not_begun() -> None:
    plan = planning(call("a", "handing_over"), call("t", "set_total", total=3))
    support = agent([read(handing_over), set_total], plan, name="support")
    graph = StateGraph(Sales).add_node("support", support, destinations=("sales",)).add_node("sales", lambda state: {})
    ended = graph.add_edge(START, "support").compile().invoke({"messages": [("user", "go")]}, context=UNJUDGED)

    assert (ended["active"], "total" in ended) == ("sales", False)


def several(*parts: Any) -> Any:
    @tool
    def give() -> Any:
        """Give."""
        return [*parts]

    return give


def told(text: str) -> ToolMessage:
    return ToolMessage(text, tool_call_id="a")


LISTS = [
    ([Command(update={"user": "Bob"}), told("named")], ("Bob", "named")),
    ([Command(update={"user": "Bob", "messages": [told("named")]})], ("Bob", "named")),
    ([Command(update={"user": "Bob"}), Command(update={"total": 4, "messages": [told("both")]})], ("Bob", "both")),
    ([told("alone")], ("Ada", "alone")),
]


@pytest.mark.parametrize(("parts", "left"), LISTS)
def test_a_list_of_commands_and_messages_counts_as_one(parts: Any, left: Any) -> None:
    ended = go([several(*parts)], one(several()), "Done.", given={"user": "Ada"})

    assert (ended["user"], ended["results"]["a"]["data"]) == left


@pytest.mark.parametrize(
    "parts",
    [
        [Command(update={"user": "Bob"}), Command(update={"user": "Eve"})],
        [told("on"), Command(graph=Command.PARENT, goto="sales")],
    ],
    ids=["one key twice", "to a node"],
)
def test_a_list_that_is_no_one_command_is_the_calls_error(parts: Any) -> None:
    ended = go([read(several(*parts))], one(several()), planning(), "It failed.", given={"user": "Ada"})

    assert "give one with all of it" in ended["results"]["a"]["error"]["message"]
    assert ended["user"] == "Ada"


def test_a_domain_may_have_state_and_commands_too() -> None:
    domain = Domain(name="shop", tools=[read(buy), read(look)], state=Cart)
    graph = build_graph(domain, model=ScriptedModel(one(buy, product="tea", units=2), "2 tea bought.")).compile()

    assert graph.invoke({"messages": "tea", "user": "Ada"}, context=UNJUDGED)["lines"] == [Line(product="tea", units=2)]
    assert "user" in graph.get_input_jsonschema()["properties"]


def test_a_thread_from_before_opens_under_an_agent_with_a_state() -> None:
    saver = InMemorySaver()
    before = agent([read(look)], one(look), "Done.", checkpointer=saver, state_schema=None)
    before.invoke({"messages": [("user", "one")]}, ON_T, context=UNJUDGED)
    after = agent([read(look), read(buy)], one(buy, product="tea", units=1), "Bought.", checkpointer=saver)
    ended = after.invoke({"messages": [("user", "two")], "user": "Ada"}, ON_T, context=UNJUDGED)

    assert (ended["user"], ended["lines"]) == ("Ada", [Line(product="tea", units=1)])
    assert ended["messages"][0].text == "one"


def test_what_a_killed_run_had_changed_is_applied_once() -> None:
    """The wave was stored, its validation not: the resume applies the change."""
    saver = InMemorySaver()
    stopped = agent([read(buy)], one(buy, product="tea", units=1), "Bought.", checkpointer=saver)
    said = {"messages": [("user", "tea")]}
    parts = stopped.stream(said, ON_T, context=UNJUDGED, stream_mode="updates", interrupt_before=["validate"])
    assert "execute_wave" in str(list(parts))
    assert "lines" not in stopped.get_state(ON_T).values or stopped.get_state(ON_T).values["lines"] == []
    assert stopped.invoke(None, ON_T, context=UNJUDGED)["lines"] == [Line(product="tea", units=1)]


# Results that are answers, and artifacts


@tool(return_direct=True)
def poll() -> Any:
    """Poll."""
    return {"status": "pending", "attempts": 100}


@tool(return_direct=True)
def recite(n: int) -> str:
    """Recite."""
    return f"{n} is said by nobody else\nand stays as it is"


def test_a_result_that_is_returned_directly_is_the_answer() -> None:
    ended = go([read(recite)], planning(call("a", "recite", n=77), status="continue"))

    assert ended["answer"] == ended["messages"][-1].text == "77 is said by nobody else\nand stays as it is"
    assert (ended["outcome"], ended["answer_check"]["checked_by"], ended["llm_calls"]) == ("answered", "off", 1)


def test_data_that_is_returned_directly_is_json() -> None:
    ended = go([poll], one(poll), response_format=Line)

    assert (ended["answer"], ended["structured_response"]) == ('{"status": "pending", "attempts": 100}', None)


def test_the_calls_beside_it_run_and_what_failed_is_told() -> None:
    calls = planning(call("a", "recite", n=1), call("b", "set_total", total=5), call("c", "handing_over"))
    ended = go([read(recite), write(set_total), write(handing_over)], calls)

    assert ended["total"] == 5
    assert ended["answer"].startswith("1 is said by nobody else\nand stays as it is\n\n")
    assert (ended["outcome"], ended["llm_calls"]) == ("partial", 1)


def test_a_direct_tool_that_fails_is_planned_round() -> None:
    @tool(return_direct=True)
    def fail() -> str:
        """Fail."""
        raise ValueError("no")

    ended = go([read(fail)], one(fail), planning(), "It cannot be done.")
    assert ended["answer"] == "It cannot be done."


def test_the_next_request_is_answered_in_words_again() -> None:
    known = agent([read(recite), read(look)], one(recite, n=1), one(look), "Done.", checkpointer=InMemorySaver())
    known.invoke({"messages": [("user", "recite")]}, ON_T, context=UNJUDGED)

    assert known.invoke({"messages": [("user", "look")]}, ON_T, context=UNJUDGED)["answer"] == "Done."


def rows(size: int) -> Any:
    @tool(response_format="content_and_artifact")
    def rows(n: int) -> tuple[list[int], Any]:
        """Rows."""
        return [n], {"rows": ["secret row"] * size, "raw": b"\xff", "kind": object}

    return rows


@pytest.mark.parametrize("size", [1, 5_000], ids=["small", "large"])
def test_an_artifact_stands_in_the_outcome_and_in_no_prompt(size: int) -> None:
    model = ScriptedModel(
        planning(call("a", "rows", n=5), status="continue"), planning(call("b", "rows", n=6)), "Done."
    )
    known = create_agent(model, [read(rows(size))], checkpointer=InMemorySaver())
    outcome = known.invoke({"messages": "rows"}, ON_T, context=UNJUDGED)["results"]["a"]
    ledger = known.get_state(ON_T).values["ledger"]
    artifact = outcome["artifact"] if size == 1 else ledger["artifacts"][outcome["artifact"]["artifact"]]

    assert (outcome["data"], artifact) == ([5], {"rows": ["secret row"] * size, "raw": "_w==", "kind": str(object)})
    assert "secret row" not in str(model.heard)


def test_an_artifact_reaches_the_results_message_and_stays_out_where_there_is_none() -> None:
    model = ScriptedModel(planning(call("a", "rows", n=5)), "Done.", planning(call("b", "rows", n=6)), "Done.")
    tools = [read(rows(1))]
    ended = create_agent(model, tools).invoke({"messages": "rows"}, context=UNJUDGED)
    (message,) = [each for each in ended["messages"] if isinstance(each, ToolMessage)]
    short = build_graph(Domain(name="rows", tools=tools), model=model).compile()

    assert message.artifact["rows"] == ["secret row"]
    assert "artifact" not in short.invoke({"messages": "rows"}, context=UNJUDGED)["results"]["b"]


def test_an_artifact_that_is_too_large_is_left_out(caplog: pytest.LogCaptureFixture) -> None:
    known = agent([read(rows(5_000))], planning(call("a", "rows", n=5)), "Done.")
    ended = known.invoke({"messages": "rows"}, context={**UNJUDGED, "max_result_bytes": 10_000})

    assert (ended["results"]["a"]["data"], "artifact" in ended["results"]["a"]) == ([5], False)
    assert "the artifact of rows is left out: " in caplog.text
