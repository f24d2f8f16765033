"""`create_agent` with anybody's tools, models and savers, over the endpoint that plays a script."""

import asyncio
import inspect
import logging
import re
import runpy
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Annotated, Any, Literal, NotRequired

import pytest
from endpoint import Endpoint, Serving, Turn, answers, judges, plans
from langchain.agents import create_agent as langchains_own
from langchain.agents.structured_output import AutoStrategy, ProviderStrategy, ToolStrategy
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import (
    BaseTool,
    InjectedToolArg,
    InjectedToolCallId,
    StructuredTool,
    ToolException,
    tool,
)
from langchain_openai import ChatOpenAI
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import InjectedStore, ToolRuntime
from langgraph.runtime import Runtime
from langgraph.store.memory import InMemoryStore
from langgraph.types import Command
from plans import call, plan
from pydantic import AfterValidator, BaseModel, SecretBytes, SecretStr
from pydantic.v1 import BaseModel as OldModel
from tables import table
from typing_extensions import TypedDict

from wavegraph import Approval, Limits, Settings, SettingsError, create_agent, read, write
from wavegraph.graph.adopt.agent import NOT_TAKEN
from wavegraph.graph.adopt.effects import _warn_of_undeclared
from wavegraph.graph.domain_tool import as_tool
from wavegraph.testing import ScriptedModel, planning

MODEL = ChatOpenAI(model="m", api_key="k")
ON_T: Any = {"configurable": {"thread_id": "t"}}
ASKED: Any = {"messages": [("user", "go")]}


@pytest.fixture(autouse=True)
def _tells_anew() -> None:
    _warn_of_undeclared.cache_clear()


class Flight(BaseModel):
    flight: str
    price: float


BOOKED: list[dict[str, Any]] = []


@pytest.fixture(autouse=True)
def _nothing_booked() -> None:
    BOOKED.clear()


def search_flights(city: str, day: date | None = None) -> list[Flight]:
    """Flights to a city."""
    return [Flight(flight="AZ1", price=80.5), Flight(flight="LH2", price=120)]


async def get_weather(city: str) -> str:
    """The weather in a city."""
    return f"sun in {city}"


def get_weather_sync(city: str) -> str:
    """The weather."""
    return city


def book_flight(flight: str, passenger: str, price: float, note: str | None = None) -> str:
    """Book a flight."""
    BOOKED.append({"flight": flight, "passenger": passenger, "price": price})
    return f"booked as X7 for {passenger}"


BOOK = call("b", "book_flight", flight="AZ1", passenger="Ada", price=80.5, note=None)


def done(name: str, **args: Any) -> tuple[Turn, Turn]:
    """A plan of one call, and an answer."""
    return plans(plan(call("a", name, **args))), answers("Done.")


def data(ended: Mapping[str, Any], call_id: str = "a") -> Any:
    return ended["results"][call_id]["data"]


def error(ended: Mapping[str, Any], call_id: str = "a") -> Any:
    return ended["results"][call_id]["error"]["code"]


# The five lines


def trips(**more: Any) -> Any:
    tools = [read(search_flights), read(get_weather), book_flight]
    given = {"approve": {"book_flight": "{passenger} on {flight}, {price}"}, "checkpointer": InMemorySaver(), **more}
    return create_agent("openai:scripted", tools=tools, system_prompt="You book trips.", **given)


def test_a_question_is_answered(endpoint: Endpoint) -> None:
    both = plan(call("f", "search_flights", city="Rome", day="2026-12-04"), call("w", "get_weather", city="Rome"))
    endpoint.plays(plans(both), answers("AZ1 for 80.5, and sun in Rome."))
    ended = trips().invoke({"messages": [("user", "the cheapest flight to Rome on Friday")]}, ON_T)

    assert [type(message) for message in ended["messages"]] == [
        HumanMessage, AIMessage, ToolMessage, ToolMessage, AIMessage,
    ]  # fmt: skip
    assert ended["messages"][-1].text == ended["answer"] == "AZ1 for 80.5, and sun in Rome."
    assert (ended["outcome"], ended["waves"], "structured_response" in ended) == ("answered", 1, False)
    assert all("You book trips." in request.system for request in endpoint.received)
    assert "search_flights(city, day?: date): Flights to a city. Result: [{flight, price: number}]" in (
        endpoint.of("plan")[0].system
    )


BOTH = "AZ1 is 80.5 and LH2 is 120, together 200.5."
WRONG = {"criterion": "accuracy", "gap": "together they are 200.5", "by": "words", "about": None}


@pytest.mark.parametrize("gaps", [[], [WRONG]], ids=["the judge lets it pass", "it does not"])
def test_a_total_is_the_judges_to_tell_from_an_invention(
    gaps: Any, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What follows from the results costs no judge. What one finds wrong it sends back."""
    monkeypatch.delenv("WAVEGRAPH_ANSWER_CHECK")
    said = BOTH.replace("200.5", "210")
    endpoint.plays(plans(plan(call("f", "search_flights", city="Rome", day=None))), answers(said))
    endpoint.plays(judges({"reasoning": "a sum", "gaps": gaps}))
    if gaps:
        endpoint.plays(answers("AZ1 is 80.5 and LH2 is 120."))
    ended = trips().invoke({"messages": [("user", "what do both cost?")]}, ON_T)

    assert ended["answer"] == ("AZ1 is 80.5 and LH2 is 120." if gaps else said)
    assert ended.get("unsupported", []) == ([] if gaps else ["210"])
    assert ended["answer_check"]["checked_by"] == ("rules" if gaps else "scripted")
    [judge] = endpoint.of("judge")
    assert judge.block("unsourced").endswith(": 210")
    assert judge.block("verified") is None


NOT_AGREED = "\n\nNot done, since it was not agreed to: book flight (flight: AZ1, passenger: Ada, price: 80.5)."


@pytest.mark.parametrize(("reply", "booked", "adds"), [("yes", 1, ""), ("no", 0, NOT_AGREED)])
def test_a_write_waits_for_a_person(reply: str, booked: int, adds: str, endpoint: Endpoint) -> None:
    agent = trips()
    endpoint.plays(plans(plan(BOOK)))
    asked = agent.invoke(ASKED, ON_T)
    [question] = asked["__interrupt__"]

    assert question.value["summary"] == "Ada on AZ1, 80.5"
    assert (asked["messages"][-1].text.startswith("Ada on AZ1, 80.5\n\nShall I go ahead?"), BOOKED) == (True, [])
    endpoint.plays(answers("So it is."))
    ended = agent.invoke(Command(resume=reply), ON_T)
    assert (len(BOOKED), ended["answer"]) == (booked, f"So it is.{adds}")


async def test_it_runs_in_every_way(endpoint: Endpoint) -> None:
    agent = trips(checkpointer=None, approve=None)
    ways: list[Callable[[], Any]] = [
        lambda: asyncio.to_thread(agent.invoke, ASKED),
        lambda: agent.ainvoke(ASKED),
        lambda: asyncio.to_thread(lambda: list(agent.stream(ASKED, stream_mode="values"))[-1]),
        lambda: asyncio.to_thread(lambda: agent.batch([ASKED])[0]),
    ]
    for way in ways:
        endpoint.plays(*done("get_weather", city="Oslo"))
        assert (await way())["answer"] == "Done."
    endpoint.plays(*done("get_weather", city="Oslo"))
    tokens = [part async for part in agent.astream(ASKED, stream_mode="messages")]
    assert "".join(str(token.text) for token, _ in tokens if token.type == "AIMessageChunk") == "Done."


@pytest.mark.parametrize(
    "given", [("user", "go"), HumanMessage("go"), {"role": "user", "content": "go"}, "go"], ids=lambda given: type(given).__name__
)  # fmt: skip
def test_messages_come_in_every_form(given: Any, endpoint: Endpoint) -> None:
    endpoint.plays(plans(plan(reply="Hello.")))
    ended = create_agent("openai:scripted").invoke({"messages": [given]})

    assert [message.text for message in ended["messages"]] == ["go", "Hello."]


def test_numbers_of_the_prompt_and_of_the_conversation_may_be_told(endpoint: Endpoint) -> None:
    agent = create_agent(
        "openai:scripted", system_prompt=SystemMessage("Our line is 555."), checkpointer=InMemorySaver()
    )
    endpoint.plays(plans(plan(reply="Noted.")), plans(plan(reply="You are 34; call 555.")))
    agent.invoke({"messages": [("user", "I am 34")]}, ON_T)
    ended = agent.invoke({"messages": [("user", "how old am I?")]}, ON_T)

    assert ended["answer"] == "You are 34; call 555."


# Tools of every shape


class Sized(BaseModel):
    size: int


class OldSized(OldModel):
    size: int


class OwnTool(BaseTool):
    name: str = "own"
    description: str = "Own."
    args_schema: Any = Sized

    def _run(self, size: int) -> dict[str, int]:
        return {"size": size}


class Unknown:
    def __str__(self) -> str:
        return "as text"


def strange(n: int) -> Unknown:
    """Strange."""
    return Unknown()


@tool
def decorated(n: int) -> int:
    """Decorated."""
    return n + 1


@tool(response_format="content_and_artifact")
def with_artifact(n: int) -> tuple[str, dict[str, int]]:
    """With an artifact."""
    return f"{n} rows", {"rows": n}


@tool
def a_message(n: int) -> Any:
    """A message."""
    return ToolMessage(f"{n} told", tool_call_id="x")


@tool
def a_failed_message(n: int) -> Any:
    """A message of failure."""
    return ToolMessage("no rows", tool_call_id="x", status="error")


@tool
def a_command(n: int) -> Any:
    """A command."""
    return Command(update={"messages": [ToolMessage(f"{n} told", tool_call_id="x")]})


@tool
def a_command_to_a_node(n: int) -> Any:
    """A command to a node."""
    return Command(goto="respond")


def refusing(n: int) -> str:
    """Refuse."""
    raise ToolException("only on weekdays")


def failing(n: int) -> str:
    """Fail."""
    raise ValueError("password hunter2")


async def wants_call_id(n: int, call_id: Annotated[str, InjectedToolCallId]) -> str:
    """Want the call's id."""
    return f"{n} {call_id}"


def wants_store(n: int, store: Annotated[Any, InjectedStore()]) -> Any:
    """Want the store."""
    store.put(("n",), "n", {"n": n})
    return store.get(("n",), "n").value


def wants_config(n: int, config: RunnableConfig) -> Any:
    """Want the configuration."""
    return config["configurable"]["thread_id"]


def wants_runtime(n: int, runtime: ToolRuntime[Any, Any]) -> Any:
    """Want everything."""
    runtime.stream_writer({"note": n})
    return [
        runtime.tool_call_id,
        runtime.store is not None,
        runtime.context.language,
        runtime.config["configurable"]["thread_id"],
    ]


def own_default(n: int, kept: Annotated[int, InjectedToolArg] = 7) -> int:
    """Have a default of its own."""
    return n + kept


def shows(settings: dict[str, int]) -> dict[str, int]:
    """An argument that happens to be named so."""
    return settings


JSON_TOOL = StructuredTool.from_function(
    func=lambda **given: given,
    name="json",
    description="JSON.",
    args_schema={
        "properties": {"file-path": {"type": "string"}, "filter": {"type": "object"}},
        "required": ["file-path"],
    },
)


@dataclass(frozen=True)
class Shape:
    id: str
    tool: Any
    args: Mapping[str, Any]
    data: Any = None
    error: str | None = None


SHAPES = [
    Shape("an async function", get_weather, {"city": "Oslo"}, "sun in Oslo"),
    Shape("a decorated one", decorated, {"n": 1}, 2),
    Shape("a class", OwnTool(), {"size": 3}, {"size": 3}),
    Shape("both sync and async", StructuredTool.from_function(func=get_weather_sync, coroutine=get_weather, name="both"), {"city": "Oslo"}, "sun in Oslo"),
    Shape("by a JSON schema", JSON_TOOL, {"file-path": "/a", "filter": '{"a": [1]}'}, {"file-path": "/a", "filter": {"a": [1]}}),
    Shape("a result of no schema", strange, {"n": 1}, "as text"),
    Shape("with an artifact", with_artifact, {"n": 5}, "5 rows"),
    Shape("a message", a_message, {"n": 5}, "5 told"),
    Shape("a message of failure", a_failed_message, {"n": 5}, error="tool_error"),
    Shape("a command", a_command, {"n": 5}, "5 told"),
    Shape("a command to a node", a_command_to_a_node, {"n": 5}, error="unexpected_data"),
    Shape("a refusal", refusing, {"n": 5}, error="tool_error"),
    Shape("a refusal that LangChain would hide", StructuredTool.from_function(refusing, handle_tool_error=True), {"n": 5}, error="tool_error"),
    Shape("a fault", failing, {"n": 5}, error="tool_error"),
    Shape("the call's id", wants_call_id, {"n": 5}, "5 c14"),
    Shape("the store", wants_store, {"n": 5}, {"n": 5}),
    Shape("the configuration", wants_config, {"n": 5}, "t"),
    Shape("everything", wants_runtime, {"n": 5}, ["c17", True, "auto", "t"]),
    Shape("a default of its own", own_default, {"n": 5}, 12),
    Shape("an argument named settings", shows, {"settings": '{"a": 1}'}, {"a": 1}),
]  # fmt: skip


@pytest.fixture(scope="module")
def shaped() -> Any:
    """All of them as reads, in one wave: call `c3` is the third."""
    calls = [call(f"c{n}", renamed(shape, n).name, **shape.args) for n, shape in enumerate(SHAPES)]
    with Serving() as server:
        model = ChatOpenAI(model="scripted", base_url=server.url, api_key="k", max_retries=0)
        tools = [read(renamed(shape, n)) for n, shape in enumerate(SHAPES)]
        agent = create_agent(model, tools, store=InMemoryStore(), limits=Limits(max_tool_calls=len(SHAPES)))
        server.plays(plans(plan(*calls)), answers("Done."))
        return agent.invoke(ASKED, ON_T, context={"answer_check": "rules"})


def renamed(shape: Shape, number: int) -> BaseTool:
    return as_tool(shape.tool).model_copy(update={"name": f"tool_{number}"})


@pytest.mark.parametrize("number", range(len(SHAPES)), ids=[shape.id for shape in SHAPES])
def test_tools_of_every_shape(number: int, shaped: Any) -> None:
    shape, outcome = SHAPES[number], shaped["results"][f"c{number}"]

    assert (outcome["error"] and outcome["error"]["code"], outcome["data"]) == (shape.error, shape.data)


WRITTEN = [
    shape
    for shape in SHAPES
    if shape.id in ("an async function", "a class", "by a JSON schema", "a fault", "everything")
]


@pytest.mark.parametrize("shape", WRITTEN, ids=lambda shape: shape.id)
def test_writes_of_every_shape(shape: Shape, endpoint: Endpoint) -> None:
    made = write(shape.tool)
    turns = done(made.name, **shape.args)
    endpoint.plays(turns[0], *([plans(plan())] if shape.error else []), turns[1])
    ended = create_agent("openai:scripted", [made], store=InMemoryStore()).invoke(ASKED, ON_T)

    assert ended["results"]["a"]["error"] is None if shape.error is None else error(ended) == shape.error
    assert data(ended) == (["a", *shape.data[1:]] if shape.id == "everything" else shape.data)


class Wire(BaseTool):
    """As an adapter of another protocol makes them: any name may be an argument's."""

    name: str = "wire"
    description: str = "Send."

    def _run(self, /, **given: Any) -> Any:
        return given


def test_arguments_of_any_name_reach_the_tool(endpoint: Endpoint) -> None:
    names = ["self", "config", "run_manager", "callbacks", "settings", "file-path", "model_config", "runtime"]
    schema = {"type": "object", "properties": {name: {"type": "string"} for name in names}, "required": names}
    given = {name: f"a {name}" for name in names}
    turn = plans(plan({**call("a", "wire"), "args": given}))
    endpoint.plays(turn, answers("Done."))

    assert data(create_agent("openai:scripted", [read(Wire(args_schema=schema))]).invoke(ASKED)) == given


def test_an_agent_is_copied_as_servers_do(endpoint: Endpoint) -> None:
    agent = create_agent("openai:scripted", [read(decorated)], response_format=Flight, name="copied")
    copied = agent.copy(update={"checkpointer": InMemorySaver()}).with_config(tags=["x"])
    endpoint.plays(*done("decorated", n=1), filled(FITS))

    assert (copied.invoke(FLIGHT_ASKED, ON_T)["structured_response"], copied.as_tool().name) == (
        Flight(**FITS),
        "copied",
    )
    assert "structured_response" in agent.get_output_jsonschema()["properties"]
    assert "structured_response" not in create_agent(MODEL).get_output_jsonschema()["properties"]


def test_without_a_store_a_tool_that_needs_one_says_so(endpoint: Endpoint) -> None:
    turns = done("wants_store", n=1)
    endpoint.plays(turns[0], plans(plan()), turns[1])

    assert error(create_agent("openai:scripted", [read(wants_store)]).invoke(ASKED)) == "no_store"


def test_what_a_tool_found_is_referred_to_with_its_type(endpoint: Endpoint) -> None:
    refers = {"ref": {"call": "f", "path": "[0].flight"}}
    wrong = {"ref": {"call": "f", "path": "[0].gate"}}
    booking = call("b", "book_flight", flight=refers, passenger="Ada", price=80.5, note=None)
    search = call("f", "search_flights", city="Rome", day=None)
    endpoint.plays(
        plans(plan(search, {**booking, "args": {**booking["args"], "flight": wrong}})),
        plans(plan(search, booking)),
        answers("Done."),
    )
    ended = trips(approve=None).invoke(ASKED, ON_T)

    assert BOOKED == [{"flight": "AZ1", "passenger": "Ada", "price": 80.5}]
    assert "there is no field 'gate'; the fields are ['flight', 'price']" in endpoint.of("plan")[1].text
    assert ended["outcome"] == "answered"


def no_docstring(n: int) -> int:
    return n


def wants_secret(n: int, key: Annotated[str, InjectedToolArg]) -> int:
    """Want what nobody has."""
    return n


class Planning(TypedDict):
    planner: str


class Planned(TypedDict):
    plan: str


def logs_in(name: str, password: SecretStr) -> str:
    """Log in."""
    return name


@dataclass
class Login:
    keys: dict[str, SecretBytes | None]


class Account(BaseModel):
    logins: list[Login] = []
    parent: "Account | None" = None


def opens(account: Account | None = None) -> str:
    """Open."""
    return "open"


@dataclass
class WithKey:
    user: str
    key: SecretStr


def wants_graph(n: int, runtime: Runtime[Any]) -> int:
    """Want what a node is given."""
    return n


class Callable_:
    """One."""

    def __call__(self, n: int) -> int:
        return n


@dataclass(frozen=True)
class Refused:
    id: str
    given: dict[str, Any]
    says: str


REFUSED = [
    Refused("no docstring", {"tools": [no_docstring]}, "the function 'no_docstring' cannot be a tool: .*docstring"),
    Refused("a lambda", {"tools": [lambda n: n]}, "the function '<lambda>' cannot be a tool"),
    Refused("a partial", {"tools": [partial(no_docstring, 1)]}, "is not a tool: give a function with a docstring, or a LangChain tool"),
    Refused("an object", {"tools": [Callable_()]}, "is not a tool"),
    Refused("a provider's tool", {"tools": [{"type": "web_search"}]}, "a tool that its provider runs"),
    Refused("what nobody gives", {"tools": [wants_secret]}, "'wants_secret' is given 'key' by nobody here: make it an argument"),
    Refused("a secret", {"tools": [logs_in]}, "'logs_in': the argument 'password' is a secret, .* let the tool fetch it"),
    Refused("a secret deep inside", {"tools": [read(opens)]}, "'opens': the argument 'account.logins.keys' is a secret"),
    Refused("a secret of a run", {"context_schema": WithKey}, "context_schema: 'key' is a secret, .* let the tool fetch it"),
    Refused("a node's runtime", {"tools": [wants_graph]}, "given 'runtime' by nobody here: .* takes `runtime: ToolRuntime`"),
    Refused("no name", {"tools": [StructuredTool.from_function(wants_store, name=" ")]}, "a tool needs a name"),
    Refused("a store of nothing", {"store": "x"}, "store must be a BaseStore, such as .*; not 'x'"),
    Refused("a prompt of nothing", {"system_prompt": 3}, "system_prompt must be a text or a SystemMessage; not 3"),
    Refused("a name of nothing", {"name": 3}, "name must be a text, such as .*; not 3"),
    Refused("limits as a table", {"limits": {"max_waves": 2}}, r"limits must be Limits\(…\), .*; not {'max_waves': 2}"),
    Refused("limits as a number", {"limits": 3}, r"limits must be Limits\(…\), .*; not 3"),
    Refused("two of one name", {"tools": [decorated, read(decorated)]}, "two tools with the same name"),
    Refused("middleware", {"middleware": [object()]}, "create_agent takes no middleware object: "),
    Refused("a state of nothing", {"state_schema": dict}, "state must be a TypedDict, such as one that extends AgentState; not"),
    Refused("a state of everybody's", {"state_schema": Planned}, r"the state's keys \['plan'\] are those of every agent"),
    Refused("a stop before", {"interrupt_before": ["tools"]}, "takes no 'interrupt_before'; use approve="),
    Refused("a stop after", {"interrupt_after": ["tools"]}, "takes no 'interrupt_after'; use approve="),
    Refused("a prompt, as before", {"prompt": "x"}, "takes no 'prompt'; use system_prompt="),
    Refused("approve as a list", {"approve": ["decorated"]}, "approve must be how each tool asks, such as "),
    Refused("approve of nobody", {"approve": {"ghost": True}}, r"approve names \['ghost'\], but the tools are \['decorated'\]"),
    Refused("approve of a read", {"tools": [read(decorated)], "approve": {"decorated": True}}, "'decorated', which is declared a read"),
    Refused("an unknown field", {"approve": {"decorated": "{who}"}}, r"names \{who\}, which decorated does not take; it takes: \{n\}"),
    Refused("a field by place", {"approve": {"decorated": "{}"}}, r"names \{\}, which"),
    Refused("half a template", {"approve": {"decorated": "{n"}}, "is not a template"),
    Refused("approve of nonsense", {"approve": {"decorated": 5}}, r"approve\['decorated'\] must be True, a text such as '\{n\}'"),
    Refused("a context of nothing", {"context_schema": int}, "context_schema must be a dataclass, a TypedDict"),
    Refused("a context of everybody's", {"context_schema": Planning}, r"\['planner'\] are settings of every agent"),
    Refused("a form of nothing", {"response_format": Unknown()}, "response_format must be a pydantic model"),
    Refused("no model", {"model": None}, "nobody plans for 'agent': give a `model`"),
    Refused("what is no model", {"model": 5}, "must be a chat model"),
    Refused("a model without a key", {"model": "openai:gpt-5-mini"}, "needs OPENAI_API_KEY"),
]  # fmt: skip


@table("case", REFUSED)
def test_what_cannot_work_is_refused_when_it_is_built(case: Refused) -> None:
    with pytest.raises(SettingsError, match=case.says):
        create_agent(**{"model": MODEL, "tools": [decorated], **case.given})


def test_what_is_left_empty_is_no_matter() -> None:
    create_agent(MODEL, middleware=(), state_schema=None, interrupt_before=[])
    with pytest.raises(TypeError, match="unexpected keyword argument 'tool'"):
        create_agent(MODEL, tool=[decorated])


def calls_back(done: Callable[[int], int]) -> int:
    """Call back."""
    return 1


OLD = StructuredTool(name="old", description="Old.", func=lambda size: size, args_schema=OldSized)
FREE = StructuredTool(
    name="free",
    description="Free.",
    func=lambda **given: given,
    args_schema={"type": "object", "additionalProperties": True},
)


@pytest.mark.parametrize("bad", [OLD, FREE, calls_back], ids=["old", "free", "calls_back"])
def test_one_that_cannot_be_planned_is_left_out_and_named(
    bad: Any, endpoint: Endpoint, caplog: pytest.LogCaptureFixture
) -> None:
    name = getattr(bad, "name", "calls_back")
    endpoint.plays(*done("decorated", n=1))
    ended = create_agent("openai:scripted", [bad, read(decorated)]).invoke(ASKED)

    assert (data(ended), f"- {name}:" in endpoint.of("plan")[0].system) == (2, False)
    assert any(name in record.message and "left out" in record.message for record in caplog.records)


# Effects


def hinted(**metadata: Any) -> Any:
    return StructuredTool.from_function(get_weather_sync, name="hinted", metadata=metadata)


EFFECTS = [
    ("undeclared", hinted(), "write", True, False, False),
    ("our word", hinted(effect="read"), "read", False, False, False),
    ("our word for a write", hinted(effect="write"), "write", False, False, False),
    ("a server's read", hinted(readOnlyHint=True), "read", False, False, True),
    ("a server's write", hinted(readOnlyHint=False), "write", False, False, True),
    ("as other adapters put it", hinted(annotations={"readOnlyHint": True}), "read", False, False, True),
    ("nonsense", hinted(effect="maybe"), "write", True, False, False),
    ("a server's nonsense", hinted(readOnlyHint="yes"), "write", False, False, True),
    ("may be repeated", hinted(readOnlyHint=False, idempotentHint=True), "write", False, False, True),
    ("destroys not", hinted(readOnlyHint=False, destructiveHint=False), "write", False, False, True),
    ("destroys", hinted(readOnlyHint=False, destructiveHint=True), "write", False, False, True),
    ("reads, and destroys", hinted(readOnlyHint=True, destructiveHint=True), "write", False, False, True),
    ("a server's words for ours", hinted(readOnlyHint=None, effect="read", approve=False), "write", False, False, True),
    ("ours in its annotations", hinted(annotations={"effect": "read", "title": "?"}), "write", False, False, True),
    ("declared a read", read(hinted(readOnlyHint=True)), "read", False, False, False),
    ("declared", read(hinted()), "read", False, False, False),
    ("declared a write, and no more", write(hinted()), "write", False, False, False),
    ("declared against the hint", write(hinted(readOnlyHint=True), repeatable=True), "write", False, True, True),
]  # fmt: skip


@pytest.mark.parametrize(
    ("given", "effect", "told", "repeatable", "asks"), [case[1:] for case in EFFECTS], ids=[case[0] for case in EFFECTS]
)
def test_effects(
    given: Any, effect: str, told: bool, repeatable: bool, asks: bool, caplog: pytest.LogCaptureFixture
) -> None:
    agent = create_agent(MODEL, [given])
    found = agent.builder.agent.domain.registry["hinted"]

    assert (found.effect, found.repeatable, found.approval is not None) == (effect, repeatable, asks)
    assert ("nothing is declared of hinted, so it counts as a write" in caplog.text) == told


def test_the_log_says_once_what_it_costs(caplog: pytest.LogCaptureFixture) -> None:
    for _ in range(3):
        create_agent(MODEL, [decorated, book_flight])

    assert [record.levelno for record in caplog.records] == [logging.WARNING]
    assert "nothing is declared of decorated, book_flight, so each counts as a write" in caplog.text
    assert "runs alone and without a question" in caplog.text
    assert "write(tool, look_up=…)" in caplog.text


def test_of_a_tool_that_approve_names_the_log_asks_nothing(caplog: pytest.LogCaptureFixture) -> None:
    create_agent(MODEL, [book_flight], approve={"book_flight": True})
    assert caplog.text == ""
    create_agent(MODEL, [decorated, book_flight], approve={"book_flight": True})
    assert "nothing is declared of decorated, so it counts as a write" in caplog.text


# Approvals


async def in_words(args: Mapping[str, Any]) -> str:
    return f"Fly {args['passenger']}?"


APPROVALS: list[tuple[str, Any, str]] = [
    ("the engine's words", True, 'This would be done: book_flight {"flight":"AZ1","passenger":"Ada","price":80.5}.'),
    ("a template", "{flight} for {price:.2f}", "AZ1 for 80.50"),
    ("what was left out", "{flight}, {note}", "AZ1, –"),
    ("a format for another type", "{flight:.2f}", "AZ1"),
    ("braces", "{{{flight}}}", "{AZ1}"),
    ("a function", lambda args: args["flight"], "AZ1"),
    ("an async one", in_words, "Fly Ada?"),
    ("one without words", lambda args: None, 'This would be done: book_flight {"flight":"AZ1","passenger":"Ada","price":80.5}.'),
]  # fmt: skip


@pytest.mark.parametrize(("approve", "summary"), [case[1:] for case in APPROVALS], ids=[case[0] for case in APPROVALS])
def test_a_person_is_asked_in_these_words(approve: Any, summary: str, endpoint: Endpoint) -> None:
    endpoint.plays(plans(plan(BOOK)))
    asked = trips(approve={"book_flight": approve}).invoke(ASKED, ON_T)

    assert asked["__interrupt__"][0].value["summary"] == summary


def test_an_approval_of_ones_own_and_none_at_all() -> None:
    own = Approval(prepare=in_words, restate=lambda details, language: "x")  # type: ignore[arg-type]
    destroys = hinted(readOnlyHint=False, destructiveHint=True)
    model = MODEL

    def approval_of(tool: Any, approve: Any) -> Any:
        agent = create_agent(model, [tool], approve={"hinted": approve}, checkpointer=InMemorySaver())
        return agent.builder.agent.domain.registry["hinted"].approval

    assert approval_of(write(hinted()), own) is own
    assert approval_of(destroys, False) is None
    assert approval_of(write(hinted(), approval=own), False) is None


def test_without_a_checkpointer_it_is_told_and_refused(endpoint: Endpoint, caplog: pytest.LogCaptureFixture) -> None:
    agent = trips(checkpointer=None)
    endpoint.plays(plans(plan(BOOK)), plans(plan()), answers("It needs a yes."))
    ended = agent.invoke(ASKED)
    assert (error(ended, "b"), BOOKED) == ("approval_impossible", [])
    assert "compile it with a checkpointer, or the graph that it is part of" in caplog.text


def test_in_a_graph_with_a_checkpointer_nothing_is_told_of_it(
    endpoint: Endpoint, caplog: pytest.LogCaptureFixture
) -> None:
    around = StateGraph(MessagesState).add_node("trips", trips(checkpointer=None)).add_edge(START, "trips")
    endpoint.plays(plans(plan(BOOK)), answers("It is booked as X7."))
    graph: Any = around.compile(checkpointer=InMemorySaver())
    assert graph.invoke(ASKED, ON_T)["__interrupt__"]
    graph.invoke(Command(resume="yes"), ON_T)
    assert len(BOOKED) == 1
    assert "checkpointer" not in caplog.text


@pytest.mark.parametrize("name", ["search_flights", "get_weather"])
async def test_callbacks_hear_of_a_tool_by_its_own_name(name: str, endpoint: Endpoint) -> None:
    endpoint.plays(*done(name, city="Rome", **({"day": None} if name == "search_flights" else {})))
    events = trips().astream_events(ASKED, ON_T, version="v2")
    seen = [
        (each["event"], each["name"], each["metadata"]["call"]) async for each in events if "_tool_" in each["event"]
    ]
    assert seen == [("on_tool_start", name, "a"), ("on_tool_end", name, "a")]


def test_a_form_may_come_without_the_field_round_it(endpoint: Endpoint) -> None:
    model = ScriptedModel(planning(), "Done.", {"flight": "AZ1", "price": 80.5})
    agent = create_agent(model, [read(decorated)], response_format=Flight)
    ended = agent.invoke(FLIGHT_ASKED, context={"answer_check": "rules"})
    assert ended["structured_response"] == Flight(flight="AZ1", price=80.5)


# Models


def test_models_of_every_form(endpoint: Endpoint) -> None:
    def made() -> ChatOpenAI:
        return ChatOpenAI(model="scripted", base_url=endpoint.url, api_key="k", max_retries=0)

    forms: list[Any] = [
        "openai:scripted", made(), made().with_fallbacks([made()]), made().with_retry(stop_after_attempt=1),
        made().bind(temperature=0), made, {"planner": made(), "responder": "openai:scripted"}, None,
    ]  # fmt: skip
    for form in forms:
        endpoint.plays(*done("decorated", n=1))
        assert data(create_agent(form, [read(decorated)]).invoke(ASKED)) == 2


@pytest.mark.parametrize("wrap", ["plain", "bound", "configured", "fallbacks"])
async def test_events_tell_each_token_of_an_answer_once(wrap: str, endpoint: Endpoint) -> None:
    model = ChatOpenAI(model="scripted", base_url=endpoint.url, api_key="k", max_retries=0)
    wrapped: Mapping[str, Any] = {"plain": model, "bound": model.bind(temperature=0), "configured": model.with_config(tags=["own"]),
                                  "fallbacks": model.with_fallbacks([model])}  # fmt: skip
    endpoint.plays(plans(plan(call("a", "decorated", n=1))), answers("It is done, and well done."))
    events = create_agent(wrapped[wrap], [read(decorated)]).astream_events(ASKED, version="v2")
    told = [str(each["data"]["chunk"].text) async for each in events if each["event"] == "on_chat_model_stream"]
    assert "".join(told) == "It is done, and well done."
    assert len(list(filter(None, told))) > 1


def test_a_model_that_is_down_leaves_a_list(endpoint: Endpoint) -> None:
    endpoint.plays(plans(plan(call("f", "search_flights", city="Rome", day=None))), Turn("answer", status=401))
    ended = trips().invoke(ASKED, ON_T)

    assert ended["answer"].startswith("- search flights: flight: AZ1, price: 80.5; flight: LH2, price: 120.0")


# Structured responses


@dataclass
class Offer:
    flight: str
    price: float


class OfferDict(TypedDict):
    flight: str
    price: float


class Tree(BaseModel):
    name: str
    children: "list[Tree]" = []


class Loose(BaseModel):
    facts: dict[str, int]
    note: str | None = None


FITS = {"flight": "AZ1", "price": 80.5}
FLIGHT_ASKED: Any = {"messages": [("user", "AZ1 at 80.5")]}
OFFER = {
    "type": "object",
    "properties": {"flight": {"type": "string"}, "price": {"type": "number"}},
    "required": ["flight"],
}
FORMS: list[tuple[str, Any, Any, Any]] = [
    ("a model", Flight, FITS, Flight(**FITS)),
    ("a dataclass", Offer, FITS, Offer("AZ1", 80.5)),
    ("a TypedDict", OfferDict, FITS, FITS),
    ("a JSON schema", OFFER, {"flight": "AZ1"}, {"flight": "AZ1"}),
    ("a tool strategy", ToolStrategy(Flight), FITS, Flight(**FITS)),
    ("a provider strategy", ProviderStrategy(Flight), FITS, Flight(**FITS)),
    ("an auto strategy", AutoStrategy(Flight), FITS, Flight(**FITS)),
    ("one of two", ToolStrategy(Flight | Sized), {"size": 5}, Sized(size=5)),
    ("one that holds itself", Tree, {"name": "a", "children": [{"name": "b"}]}, Tree(name="a", children=[Tree(name="b")])),
    ("with free keys", Loose, {"facts": {"a": 1}}, Loose(facts={"a": 1})),
    ("a list", list[int], [1, 2], [1, 2]),
    ("one word", Literal["yes", "no"], "yes", "yes"),
]  # fmt: skip


def filled(value: Any, **more: Any) -> Turn:
    return plans({"response": value}, **more).but(role="form")


@pytest.mark.parametrize(("form", "value", "response"), [case[1:] for case in FORMS], ids=[case[0] for case in FORMS])
def test_the_answer_is_given_in_a_form_too(form: Any, value: Any, response: Any, endpoint: Endpoint) -> None:
    endpoint.plays(*done("decorated", n=1), filled(value))
    said: Any = {"messages": [("user", f"fill in {value}")]}
    ended = create_agent("openai:scripted", [read(decorated)], response_format=form).invoke(said)

    assert (ended["answer"], ended["structured_response"]) == ("Done.", response)
    assert type(ended["structured_response"]) is type(response)
    assert endpoint.received[-1].block("answer") == "Done."
    assert ended["llm_calls"] == 3


@pytest.mark.parametrize(
    ("form", "value", "response"),
    [
        (OFFER, {"flight": "AZ1", "price": None}, {"flight": "AZ1"}),
        (Loose, {"facts": '{"a": 1}', "note": "null"}, Loose(facts={"a": 1})),
        (list[int], 1, [1]),
    ],
    ids=["null for what is left out", "JSON in a text", "one for a list"],
)
def test_a_form_that_is_written_otherwise_is_read(form: Any, value: Any, response: Any, endpoint: Endpoint) -> None:
    endpoint.plays(*done("decorated", n=1), filled(value, checked=False))
    said: Any = {"messages": [("user", f"fill in {value}")]}
    ended = create_agent("openai:scripted", [read(decorated)], response_format=form).invoke(said)
    assert ended["structured_response"] == response


def test_a_form_that_does_not_fit_is_asked_for_again_once(endpoint: Endpoint, caplog: pytest.LogCaptureFixture) -> None:
    agent = create_agent("openai:scripted", [read(decorated)], response_format=Flight)
    bad = filled({"flight": "AZ1"}, checked=False)
    endpoint.plays(*done("decorated", n=1), bad, filled(FITS))
    assert agent.invoke(FLIGHT_ASKED)["structured_response"] == Flight(**FITS)
    assert "Field required" in endpoint.received[-1].text

    endpoint.plays(*done("decorated", n=1), bad, bad)
    ended = agent.invoke(ASKED)
    assert (ended["answer"], ended["structured_response"], ended["outcome"]) == ("Done.", None, "answered")
    assert "no structured response: no usable answer: response.price" in caplog.text


NO_ANSWER = {
    "a question back": [plans(plan(reply="Where to?", action="clarify"))],
    "a refusal": [plans(plan(reply="No.", action="refuse"))],
    "a model that is down": [Turn("plan", status=401)],
    "a form that is refused": [*done("decorated", n=1), Turn("form", status=401)],
}


@pytest.mark.parametrize("turns", NO_ANSWER.values(), ids=NO_ANSWER)
def test_without_an_answer_there_is_no_form(turns: list[Turn], endpoint: Endpoint) -> None:
    endpoint.plays(*turns)
    ended = create_agent("openai:scripted", [read(decorated)], response_format=Flight).invoke(ASKED)

    assert ended["structured_response"] is None


def test_a_form_after_a_yes(endpoint: Endpoint) -> None:
    agent = trips(response_format=Flight)
    endpoint.plays(plans(plan(BOOK)))
    assert "structured_response" not in agent.invoke(ASKED, ON_T)
    endpoint.plays(answers("Booked."), filled(FITS))
    assert agent.invoke(Command(resume="yes"), ON_T)["structured_response"] == Flight(**FITS)
    assert "structured_response" not in agent.get_state(ON_T).values


# Context


class OwnSettings(Settings):
    user: str = "nobody"


@dataclass
class Context:
    user: str = "nobody"


class ContextDict(TypedDict):
    user: NotRequired[str]


class ContextModel(BaseModel):
    user: str = "nobody"


def who(runtime: ToolRuntime[Any, Any]) -> Any:
    """Who asks."""
    given = runtime.context
    return given.get("user") if isinstance(given, dict) else given.user


@pytest.mark.parametrize("schema", [OwnSettings, Context, ContextDict, ContextModel], ids=lambda each: each.__name__)
def test_tools_read_what_the_run_gives(schema: Any, endpoint: Endpoint) -> None:
    agent = create_agent("openai:scripted", [read(who)], context_schema=schema)
    given: list[Any] = [{"user": "ada"}, {"user": "ada", "language": "en"}]
    given += [schema(user="ada")] if schema is not ContextDict else []
    for context in given:
        endpoint.plays(*done("who"))
        assert data(agent.invoke(ASKED, context=context)) == "ada"
    endpoint.plays(*done("who"))
    assert data(agent.invoke(ASKED)) in ("nobody", None)


@dataclass
class Computed:
    user: str
    shout: str = field(init=False, default="")

    def __post_init__(self) -> None:
        self.shout = self.user.upper()

    def greeting(self) -> str:
        return f"hello {self.shout}"


class Greeting(BaseModel):
    user: Annotated[str, AfterValidator(lambda name: name + "!")]

    def greeting(self) -> str:
        return f"hello {self.user}"


@pytest.mark.parametrize(("schema", "greeting"), [(Computed, "hello ADA"), (Greeting, "hello ada!")])
def test_a_tool_is_given_the_context_as_the_type_it_was_declared_as(
    schema: Any, greeting: str, endpoint: Endpoint
) -> None:
    def greet(runtime: ToolRuntime[Any, Any]) -> str:
        """Greet."""
        return str(runtime.context.greeting())

    agent = create_agent("openai:scripted", [read(greet)], context_schema=schema)
    endpoint.plays(*done("greet"))
    assert data(agent.invoke(ASKED, context={"user": "ada"})) == greeting


@pytest.mark.parametrize("given", [SimpleNamespace(user="ann"), ContextModel(user="ann"), ["user"], "ann"], ids=repr)
def test_a_context_of_another_kind_is_refused(given: Any) -> None:
    agent = create_agent(MODEL, [read(who)], context_schema=Context)
    with pytest.raises(
        SettingsError, match=r"wrong kind .*: give a dict of settings, or Context\(…\); its fields are user"
    ):
        agent.invoke(ASKED, context=given)


@pytest.mark.parametrize("user", ["half \ud83d", "\udc00"], ids=ascii)
def test_a_context_that_nothing_can_store_is_refused(user: str) -> None:
    agent = create_agent(MODEL, [read(who)], context_schema=Context, checkpointer=InMemorySaver())
    with pytest.raises(
        SettingsError, match=r"setting 'user' = .*: half a character \(a lone surrogate\) cannot be stored"
    ):
        agent.invoke(ASKED, ON_T, context={"user": user})


def test_a_context_that_cannot_be_stored_is_refused() -> None:
    @dataclass
    class Connected:
        connection: Unknown

    with pytest.raises(SettingsError, match="context_schema: what a run gives is stored with its request"):
        create_agent(MODEL, context_schema=Connected)


def test_limits_and_a_name() -> None:
    agent = create_agent(MODEL, limits=Limits(max_waves=2), name="trips")

    assert (agent.name, agent.builder.agent.domain.limits.max_waves) == ("trips", 2)
    assert create_agent(MODEL).name == "agent"


@table("name", list(inspect.signature(langchains_own).parameters))
def test_every_argument_of_langchains_own_is_taken_or_told_about(name: str) -> None:
    assert (name in inspect.signature(create_agent).parameters) != (name in NOT_TAKEN)


def test_the_lines_of_the_readme_run(endpoint: Endpoint, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    [program] = [block for block in re.findall(r"```python\n(.*?)```", readme, re.DOTALL) if "create_agent(" in block]
    [printed] = re.findall(r"```console\n\$ python examples/trips.py\n(.*?)```", readme, re.DOTALL)
    search = call("flights", "search_flights", city="Rome")
    book = call("b", "book_flight", flight={"ref": {"call": "flights", "path": "[0].flight"}}, passenger="Ada")
    bag = call("bag", "baggage", flight={"ref": {"call": "flights", "path": "[0].flight"}})
    endpoint.plays(plans(plan(search, bag, book)), answers(printed.splitlines()[-1]))
    (tmp_path / "shown.py").write_text(program.replace("openai:gpt-5-mini", "openai:scripted"), encoding="utf-8")
    runpy.run_path(str(tmp_path / "shown.py"))

    assert capsys.readouterr().out.lstrip("\n") == printed
