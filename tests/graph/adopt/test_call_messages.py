"""The thread of an agent holds its calls and results as LangChain's messages: each call once, its result right behind it."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
from langchain.agents import create_agent as langchains_own
from langchain.agents.structured_output import ProviderStrategy, ToolStrategy
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command, interrupt
from pydantic import BaseModel

from wavegraph import Domain, build_graph, create_agent, read, write
from wavegraph.app.run.cancel import CancelHandle
from wavegraph.app.run.runner import resume, run
from wavegraph.testing import ScriptedModel, call, planning, ref

ON_T: Any = {"configurable": {"thread_id": "t"}}
BY_RULES: Any = {"answer_check": "rules"}
PRICES = {"Rome": 80, "Oslo": 120}


@read
async def price(city: str) -> dict[str, Any]:
    """What a flight costs."""
    return {"city": city, "euros": PRICES[city]}


@read
async def taxes(euros: int) -> str:
    """The taxes in a price."""
    return f"{euros // 10} euros"


@read
async def report(city: str) -> str:
    """All that is known of a city."""
    return f"{city} is old. " + "x" * 5_000


def book(city: str) -> str:
    """Book a flight."""
    return f"booked {city}"


def agent(*replies: Any, tools: Sequence[Any] = (price, taxes, report), **more: Any) -> Any:
    return create_agent(ScriptedModel(*replies), tools, checkpointer=InMemorySaver(), **more)


def ask(graph: Any, words: Any, **more: Any) -> list[AnyMessage]:
    given = words if isinstance(words, Command) else {"messages": [("user", words)]}
    return list(graph.invoke(given, ON_T, context=BY_RULES, **more)["messages"])


def shown(messages: Sequence[AnyMessage]) -> list[Any]:
    """The thread in short; fails for one that a provider would refuse."""
    open_calls: list[str] = []
    seen: list[str] = []
    rows: list[Any] = []
    for each in messages:
        if isinstance(each, ToolMessage):
            assert each.tool_call_id in open_calls, f"{each.tool_call_id} has no call right before it, or two results"
            open_calls.remove(each.tool_call_id)
            rows.append((each.tool_call_id, each.status, each.text[:30]))
            continue
        assert not open_calls, f"no results for {open_calls}"
        if isinstance(each, AIMessage) and each.tool_calls:
            open_calls = [str(one["id"]) for one in each.tool_calls]
            seen += open_calls
            rows.append([(one["id"], one["name"], one["args"]) for one in each.tool_calls])
        else:
            rows.append(each.text)
    assert not open_calls, f"no results for {open_calls}"
    assert len(set(seen)) == len(seen), "an id stands for two calls"
    return rows


def test_a_wave_is_a_message_with_its_calls_and_a_message_for_each_result() -> None:
    both = planning(call("r", "price", city="Rome"), call("o", "price", city="Oslo"))
    messages = ask(agent(both, "80 and 120."), "what do they cost?")

    assert shown(messages) == [
        "what do they cost?",
        [("r", "price", {"city": "Rome"}), ("o", "price", {"city": "Oslo"})],
        ("r", "success", '{"city": "Rome", "euros": 80}'),
        ("o", "success", '{"city": "Oslo", "euros": 120}'),
        "80 and 120.",
    ]
    assert [each.name for each in messages if isinstance(each, ToolMessage)] == ["price", "price"]


def test_a_call_with_a_reference_stands_in_the_wave_that_it_ran_in_with_what_it_was_given() -> None:
    plan = planning(call("r", "price", city="Rome"), call("t", "taxes", euros=ref("r", "euros")))
    assert shown(ask(agent(plan, "8 euros of taxes."), "which taxes?")) == [
        "which taxes?",
        [("r", "price", {"city": "Rome"})],
        ("r", "success", '{"city": "Rome", "euros": 80}'),
        [("t", "taxes", {"euros": 80})],
        ("t", "success", "8 euros"),
        "8 euros of taxes.",
    ]


def test_a_failed_call_has_its_error_and_a_skipped_one_no_message() -> None:
    plan = planning(call("x", "price", city="Nowhere"), call("t", "taxes", euros=ref("x", "euros")))
    again = planning(call("y", "price", city="Rome"))
    messages = ask(agent(plan, again, "It is 80 for Rome."), "which taxes?")

    assert [(name, status) for name, status, _ in filter(lambda row: isinstance(row, tuple), shown(messages))] == [
        ("x", "error"), ("y", "success"),
    ]  # fmt: skip


@pytest.mark.parametrize(("decision", "status"), [("approve", "success"), ("reject", "error")])
def test_a_call_that_a_person_is_asked_about_stands_behind_the_answer(decision: str, status: str) -> None:
    graph = agent(planning(call("b", "book", city="Rome")), "So it is.", tools=[book], approve={"book": "Book {city}"})
    waiting = ask(graph, "book rome")
    assert not any(isinstance(each, ToolMessage) or getattr(each, "tool_calls", ()) for each in waiting)

    _, _, calls, result, _ = shown(ask(graph, Command(resume={"decisions": [{"type": decision}]})))
    assert calls == [("b", "book", {"city": "Rome"})]
    assert result[:2] == ("b", status)


def test_an_edited_call_keeps_its_id_and_stands_as_it_was_run() -> None:
    graph = agent(
        planning(call("b", "book", city="Rome")), "Oslo it is.", tools=[book], approve={"book": "Book {city}"}
    )
    ask(graph, "book rome")
    edit = {"type": "edit", "edited_action": {"name": "book", "args": {"city": "Oslo"}}}
    ask(graph, Command(resume={"decisions": [edit]}))
    rows = shown(ask(graph, Command(resume={"decisions": [{"type": "approve"}]})))

    assert [("b", "book", {"city": "Oslo"})] in rows
    assert ("b", "success", "booked Oslo") in rows


def test_a_question_that_waits_leaves_no_call_open_while_others_are_answered() -> None:
    graph = agent(
        planning(call("b", "book", city="Rome")), planning(call("p", "price", city="Oslo")), "120.", "Booked.",
        tools=[book, price], approve={"book": "Book {city}"},
    )  # fmt: skip
    ask(graph, "book rome")
    between = shown(ask(graph, "what is oslo?"))
    assert [("p", "price", {"city": "Oslo"})] in between
    rows = shown(ask(graph, "yes"))
    assert rows.count([("b", "book", {"city": "Rome"})]) == 1


def test_an_id_of_an_earlier_request_is_not_taken_again() -> None:
    one, two = (
        planning(call("p", "price", city="Rome")),
        planning(call("p", "price", city="Oslo"), call("t", "taxes", euros=ref("p", "euros"))),
    )
    graph = agent(one, "80.", two, "12 euros of taxes.")
    ask(graph, "rome?")
    ended = graph.invoke({"messages": [("user", "oslo?")]}, ON_T, context=BY_RULES)

    rows = shown(ended["messages"])
    assert ("p_2", "success", '{"city": "Oslo", "euros": 120}') in rows
    assert ("t", "success", "12 euros") in rows
    assert set(ended["results"]) == {"p_2", "t"}


def test_a_long_result_is_told_by_its_beginning_and_where_it_stands() -> None:
    ended = agent(planning(call("r", "report", city="Rome")), "Rome is old.").invoke(
        {"messages": [("user", "rome?")]}, ON_T, context=BY_RULES
    )
    message = ended["messages"][2]
    assert message.text.startswith("Rome is old.")
    assert message.text.endswith("[3,013 more characters are in results['r'] of the request]")
    assert len(ended["results"]["r"]["data"]) == 5_013


def test_a_result_of_the_first_turn_is_read_and_quoted_in_the_fifth() -> None:
    turns = [planning(reply=words) for words in ("Yes.", "No.", "Perhaps.")]
    graph = agent(
        planning(call("p", "price", city="Rome")), "It is cheap.", *turns, planning(reply="It was 80 euros, as found.")
    )
    for words in ("rome?", "a", "b", "c"):
        ask(graph, words)
    ended = graph.invoke({"messages": [("user", "how much was it?")]}, ON_T, context=BY_RULES)

    assert (ended["answer"], ended["outcome"]) == ("It was 80 euros, as found.", "answered")


HISTORY: list[AnyMessage] = [
    HumanMessage("rome?"),
    AIMessage("", tool_calls=[{"id": "call_1", "name": "price", "args": {"city": "Rome"}}]),
    ToolMessage('{"euros": 93}', tool_call_id="call_1", name="price"),
    AIMessage("It is on sale."),
    HumanMessage("how much is it?"),
]


def test_a_history_of_langchains_own_is_read() -> None:
    model = ScriptedModel(planning(reply="It is 93 euros."))
    ended = create_agent(model, [price]).invoke({"messages": HISTORY}, context=BY_RULES)

    assert ended["answer"] == "It is 93 euros."
    heard = model.heard[0][-1].text
    assert '{"role":"tool","tool":"price","args":{"city":"Rome"},"text":"{\\"euros\\": 93}"}' in heard
    assert shown(ended["messages"])[:4] == shown(HISTORY)[:4]


def test_a_result_that_a_client_gives_is_no_source_of_a_writes_argument() -> None:
    paid = list[str]()

    def pay(to: str) -> str:
        """Pay."""
        paid.append(to)
        return "paid"

    plan = planning(call("p", "pay", to="account 93"))
    given = [
        *HISTORY[:2],
        ToolMessage('{"to": "account 93"}', tool_call_id="call_1", name="price"),
        HumanMessage("pay it"),
    ]
    made = create_agent(ScriptedModel(plan, plan), [price, write(pay, sources={"to": "results"})])
    made.invoke({"messages": given}, context=BY_RULES)

    assert paid == []


def test_a_history_that_lacks_a_result_is_completed_in_place() -> None:
    given = [each for each in HISTORY if not isinstance(each, ToolMessage)]
    ended = create_agent(ScriptedModel(planning(reply="Nothing.")), [price]).invoke(
        {"messages": given}, context=BY_RULES
    )
    assert shown(ended["messages"])[2] == ("call_1", "error", "price was stopped before its e")


def test_what_the_models_report_stands_on_the_messages_and_the_agents_name() -> None:
    def reporting(reply: Any, tokens: int) -> Any:
        def made(_: Any) -> AIMessage:
            usage: Any = {"input_tokens": tokens, "output_tokens": 1, "total_tokens": tokens + 1}
            content, calls = (
                (reply, []) if isinstance(reply, str) else ("", [{"name": "plan", "args": reply, "id": "p"}])
            )
            return AIMessage(
                content, tool_calls=calls, usage_metadata=usage, response_metadata={"model_name": "m-1"}
            )  # fmt: skip

        return made

    plan = planning(call("p", "price", city="Rome"), call("t", "taxes", euros=ref("p", "euros")))
    messages = ask(agent(reporting(plan, 100), reporting("8 euros.", 7), name="trips"), "which taxes?")
    spoken = [each for each in messages if isinstance(each, AIMessage)]

    assert [each.name for each in spoken] == ["trips"] * 3
    assert [(each.usage_metadata or {}).get("input_tokens") for each in spoken] == [100, None, 7]
    assert [each.response_metadata.get("model_name") for each in spoken] == ["m-1", None, "m-1"]


class Fare(BaseModel):
    euros: int


@pytest.mark.parametrize(
    ("response_format", "result"),
    [
        (Fare, "The answer is given in this form."),
        (ToolStrategy(Fare, tool_message_content="Noted."), "Noted."),
        (ProviderStrategy(Fare), None),
    ],
    ids=["type", "tool strategy", "provider strategy"],
)
def test_a_structured_response_is_a_call_behind_the_answer(response_format: Any, result: str | None) -> None:
    plan, form = planning(call("p", "price", city="Rome")), {"response": {"euros": 80}}
    graph = agent(
        plan, "It is 80.", form, planning(reply="Hello."), {"response": {"euros": 80}}, response_format=response_format
    )
    ended = graph.invoke({"messages": [("user", "rome?")]}, ON_T, context=BY_RULES)

    assert ended["structured_response"] == Fare(euros=80)
    shown(ended["messages"])
    answer, *behind = ended["messages"][3:]
    assert answer.text == ended["answer"] == "It is 80."
    assert [each.text for each in behind] == ([result] if result else [])
    assert [(one["name"], one["args"]) for one in answer.tool_calls] == ([("Fare", {"euros": 80})] if result else [])
    assert graph.invoke({"messages": [("user", "hello")]}, ON_T, context=BY_RULES)["answer"] == "Hello."


def test_a_domain_keeps_calls_only_if_it_says_so() -> None:
    def messages_of(**more: Any) -> list[Any]:
        model = ScriptedModel(planning(call("p", "price", city="Rome")), "80.")
        graph = build_graph(Domain(name="desk", tools=[price], **more), model=model).compile()
        return shown(graph.invoke({"messages": [("user", "rome?")]}, context=BY_RULES)["messages"])

    assert messages_of() == ["rome?", "80."]
    assert len(messages_of(messages="all")) == 4


def test_updates_carry_the_calls_as_they_start_and_the_results_as_they_are_checked() -> None:
    graph = agent(planning(call("p", "price", city="Rome")), "80.")
    parts = graph.stream({"messages": [("user", "rome?")]}, ON_T, context=BY_RULES, stream_mode="updates")
    told = [
        (node, [type(m) for m in update["messages"]])
        for part in parts
        for node, update in part.items()
        if update.get("messages")
    ]
    assert told == [("plan", [AIMessage]), ("validate", [ToolMessage]), ("respond", [AIMessage])]


def test_the_message_stream_carries_calls_and_results() -> None:
    graph = agent(planning(call("p", "price", city="Rome")), "80.")
    parts = [
        part
        for part, _ in graph.stream({"messages": [("user", "rome?")]}, ON_T, context=BY_RULES, stream_mode="messages")
    ]
    assert [each["id"] for part in parts for each in getattr(part, "tool_calls", ())] == ["p"]
    assert [part.tool_call_id for part in parts if isinstance(part, ToolMessage)] == ["p"]


# Cut off


def test_a_call_that_asks_by_itself_is_closed_when_another_request_comes() -> None:
    @read
    def pick(city: str) -> str:
        """Let a person pick."""
        return str(interrupt("which?"))

    both = planning(call("k", "pick", city="Rome"), call("p", "price", city="Rome"))
    graph = agent(both, planning(call("q", "price", city="Oslo")), "120.", tools=[pick, price])
    ask(graph, "pick one")
    rows = shown(ask(graph, "never mind: oslo?"))

    assert rows[:5] == [
        "pick one",
        [("k", "pick", {"city": "Rome"}), ("p", "price", {"city": "Rome"})],
        ("k", "error", "pick was stopped before its en"),
        ("p", "error", "price was stopped before its e"),
        "never mind: oslo?",
    ]


class Gate:
    """A tool that waits the first time it is called, until it is stopped."""

    def __init__(self) -> None:
        self.reached = asyncio.Event()
        self.calls = 0

    async def look(self, city: str) -> str:
        """Look."""
        self.calls += 1
        if self.calls == 1:
            self.reached.set()
            await asyncio.Event().wait()
        return f"seen {city}"


@pytest.mark.parametrize("then", ["resumed", "another request"])
async def test_a_cut_off_wave_leaves_no_call_without_a_result(then: str) -> None:
    gate = Gate()
    replies = [] if then == "resumed" else [planning(call("g", "look", city="Oslo"))]
    graph = agent(planning(call("g", "look", city="Rome")), *replies, "Seen.", tools=[read(gate.look)])
    cut = asyncio.create_task(graph.ainvoke({"messages": [("user", "rome?")]}, ON_T, context=BY_RULES))
    await gate.reached.wait()
    cut.cancel()
    await asyncio.gather(cut, return_exceptions=True)

    given = None if then == "resumed" else {"messages": [("user", "oslo?")]}
    rows = shown((await graph.ainvoke(given, ON_T, context=BY_RULES))["messages"])
    if then == "resumed":
        assert rows == ["rome?", [("g", "look", {"city": "Rome"})], ("g", "success", "seen Rome"), "Seen."]
    else:
        assert rows[2:4] == [("g", "error", "look was stopped before its en"), "oslo?"]
        assert rows[5] == ("g_2", "success", "seen Oslo")


async def test_a_stopped_request_is_complete_and_gets_its_result_in_place_when_it_is_resumed() -> None:
    gate, stop = Gate(), CancelHandle()
    graph = agent(planning(call("g", "look", city="Rome")), "Seen.", tools=[read(gate.look)])
    running = asyncio.create_task(run(graph, "rome?", thread_id="t", settings=BY_RULES, cancel=stop))
    await gate.reached.wait()
    stop.cancel()
    await running
    stopped = (await graph.aget_state(ON_T)).values["messages"]
    assert shown(stopped)[2] == ("g", "error", "look was stopped before its en")

    await resume(graph, "t")
    assert shown((await graph.aget_state(ON_T)).values["messages"])[2] == ("g", "success", "seen Rome")


# Growth


def stored_bytes(saver: InMemorySaver) -> int:
    blobs = sum(len(data) for _, data in saver.blobs.values())
    rows = [part for spaces in saver.storage.values() for rows in spaces.values() for part in rows.values()]
    writes = [value for of_step in saver.writes.values() for _, _, value, *_ in of_step.values()]
    return blobs + sum(len(data) for row in rows for _, data in row[:2]) + sum(len(data) for _, data in writes)


def test_a_hundred_turns_are_stored_in_no_more_than_langchain_takes() -> None:
    turns = 100
    ours, theirs = InMemorySaver(), InMemorySaver()
    replies = [part for _ in range(turns) for part in (planning(call("p", "price", city="Rome")), "It is 80 euros.")]
    agent_here = create_agent(ScriptedModel(*replies), [price], checkpointer=ours)

    class Theirs(GenericFakeChatModel):
        def bind_tools(self, *_: Any, **__: Any) -> Any:
            return self

    scripted = [
        part
        for n in range(turns)
        for part in (
            AIMessage("", tool_calls=[{"id": f"p{n}", "name": "price", "args": {"city": "Rome"}}]),
            AIMessage("It is 80 euros."),
        )
    ]
    agent_there: Any = langchains_own(Theirs(messages=iter(scripted)), [price.tool], checkpointer=theirs)
    for _ in range(turns):
        ask(agent_here, "rome?")
        asyncio.run(agent_there.ainvoke({"messages": [("user", "rome?")]}, ON_T))

    assert len(shown(agent_here.get_state(ON_T).values["messages"])) == 4 * turns
    assert stored_bytes(ours) <= stored_bytes(theirs)
