"""LangChain's middleware in the hands of `create_agent`: each option is honoured, or refused by name."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import pytest
from tables import table

middleware = pytest.importorskip("langchain.agents.middleware", reason="the extra wavegraph[models] is not installed")

from langchain.agents.middleware import (
    AgentMiddleware,
    AgentState,
    ClearToolUsesEdit,
    ContextEditingMiddleware,
    HumanInTheLoopMiddleware,
    InterruptOnConfig,
    ModelCallLimitMiddleware,
    ModelFallbackMiddleware,
    ModelRetryMiddleware,
    PIIMiddleware,
    SummarizationMiddleware,
    TodoListMiddleware,
    ToolCallLimitMiddleware,
    ToolRetryMiddleware,
    before_model,
)
from langchain.agents.middleware.pii import PIIDetectionError
from langchain_core.tools import tool as tool_from
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.prebuilt import ToolRuntime
from langgraph.types import Command

from wavegraph import AGENT_LIMITS, SettingsError, ToolRefusal, create_agent, read
from wavegraph.graph.adopt.middleware import REFUSED, ROWS
from wavegraph.testing import ScriptedModel, call, planning

pytestmark = pytest.mark.usefixtures("bare_environment")
ON_T: Any = {"configurable": {"thread_id": "t"}}
RULES: Any = {"answer_check": "rules"}


class Fails:
    """A tool that fails so often before it answers."""

    def __init__(self, *errors: Exception) -> None:
        self.errors, self.runs = list(errors), 0

    def look(self, word: str) -> str:
        """Look a word up."""
        self.runs += 1
        if self.errors:
            raise self.errors.pop(0)
        return f"{word} is there"


SENT: list[str] = []


@pytest.fixture(autouse=True)
def _nothing_sent() -> None:
    SENT.clear()


def send(to: str, text: str) -> str:
    """Send a mail."""
    SENT.append(f"{to}: {text}")
    return "sent"


def look(word: str) -> str:
    """Look a word up."""
    return f"{word} is there"


def agent(model: ScriptedModel, *given: Any, tools: Any = None, **more: Any) -> Any:
    tools = [read(look), send] if tools is None else tools
    return create_agent(model, tools, middleware=given, checkpointer=InMemorySaver(), **more)


def said(agent: Any, words: Any = "Write to Ada") -> Any:
    return agent.invoke({"messages": [("user", words)]} if isinstance(words, str) else words, ON_T, context=RULES)


MAIL = planning(call("m", "send", to="Ada", text="Hello"))


def asks(**config: Any) -> HumanInTheLoopMiddleware[Any, Any, Any]:
    return HumanInTheLoopMiddleware({"send": config or True})  # type: ignore[dict-item]


def question(ended: Any) -> Any:
    return ended["__interrupt__"][0].value


# A person agrees


def test_a_call_is_asked_about_as_there() -> None:
    made = agent(ScriptedModel(MAIL, "It is sent."), asks())
    asked = question(said(made))

    assert asked["action_requests"][0]["name"] == "send"
    assert asked["action_requests"][0]["description"].startswith(
        "Tool execution requires approval\n\nTool: send\nArgs: {'to': 'Ada', 'text': 'Hello'}"
    )
    assert asked["review_configs"] == [
        {"action_name": "send", "allowed_decisions": ["approve", "edit", "reject", "respond"]}
    ]
    assert said(made, Command(resume={"decisions": [{"type": "approve"}]}))["answer"] == "It is sent."
    assert SENT == ["Ada: Hello"]


@pytest.mark.parametrize(
    ("config", "begins"),
    [
        ({"description": "A mail goes out"}, "A mail goes out\n"),
        ({"description": lambda call, state, runtime: f"Mail to {call['args']['to']} by {call['name']}"}, "Mail to Ada by send\n"),
    ],
    ids=["a text", "a function"],
)  # fmt: skip
def test_a_call_is_described_as_they_say(config: Any, begins: str) -> None:
    made = agent(ScriptedModel(MAIL), asks(allowed_decisions=["approve"], **config))
    assert question(said(made))["action_requests"][0]["description"].startswith(begins)


def test_questions_and_conditions_read_the_state_of_the_thread() -> None:
    def words(call: Any, state: Any, runtime: Any) -> str:
        return f"{state['messages'][-1].text}: {call['args']['to']}, for {runtime.context.user}"

    @dataclass
    class Who:
        user: str

    config = {
        "allowed_decisions": ["approve"],
        "description": words,
        "when": lambda request: request.state["messages"][0].text == "Write to Ada",
    }
    made = agent(ScriptedModel(MAIL), asks(**config), context_schema=Who)
    ended = made.invoke({"messages": [("user", "Write to Ada")]}, ON_T, context={"user": "Bob", **RULES})
    assert question(ended)["summary"] == "Write to Ada: Ada, for Bob"


def test_a_prefix_stands_before_the_call() -> None:
    made = agent(ScriptedModel(MAIL), HumanInTheLoopMiddleware({"send": True}, description_prefix="Please look"))
    assert question(said(made))["action_requests"][0]["description"].startswith("Please look\n\nTool: send\n")


@table(
    ("allowed", "reply", "decision"),
    [
        (["approve", "reject"], {"decisions": [{"type": "edit", "edited_action": {"name": "send", "args": {"to": "Eve", "text": "Hello"}}}]}, "edit"),
        (["approve", "reject"], {"decision": "edit", "args": {"to": "Eve"}}, "edit"),
        (["approve", "reject"], {"decisions": [{"type": "respond", "message": "yes"}]}, "respond"),
        (["approve"], {"decisions": [{"type": "reject"}]}, "reject"),
        (["reject"], {"decisions": [{"type": "approve"}]}, "approve"),
        (["reject"], "yes", "approve"),
    ],
)  # fmt: skip
def test_a_decision_that_is_not_allowed_is_asked_about_again(allowed: list[Any], reply: Any, decision: str) -> None:
    made = agent(ScriptedModel(MAIL), asks(allowed_decisions=allowed))
    said(made)
    again = question(said(made, Command(resume=reply)))

    assert again["problem"] == (f"{decision!r} is not among the decisions that this call allows: {', '.join(allowed)}")
    assert SENT == []


@pytest.mark.parametrize(
    ("approve", "earlier"), [({"send": True}, []), ({}, [HumanInTheLoopMiddleware({"send": True})])]
)
def test_a_tool_that_is_asked_about_in_two_places_is_refused(approve: Any, earlier: Any) -> None:
    """The later one would take the place of the first, and with a condition ask less."""
    never = HumanInTheLoopMiddleware(
        {"send": InterruptOnConfig(allowed_decisions=["approve"], when=lambda call: False)}
    )
    with pytest.raises(SettingsError, match=r"\['send'\], which approve= or another one has too"):
        agent(ScriptedModel(), *earlier, never, approve=approve)


MAILED: list[Any] = []


def mail(to: str, text: str = "hi", cc: str | None = None) -> str:
    """Send a mail."""
    MAILED.append((to, text, cc))
    return "sent"


@pytest.mark.parametrize(
    ("args", "mailed"),
    [({"to": "Ada", "text": "go"}, ("Ada", "go", None)), ({"to": "Bob", "cc": "Eve"}, ("Bob", "hi", "Eve"))],
    ids=["one left out", "one left out and others changed"],
)
def test_an_edit_has_all_the_arguments_and_what_it_leaves_out_is_gone(args: Any, mailed: Any) -> None:
    MAILED.clear()
    plan = planning(call("m", "mail", to="Ada", text="go", cc="Eve"))
    given = agent(ScriptedModel(plan, "Sent."), HumanInTheLoopMiddleware({"mail": True}), tools=[mail])
    given.invoke({"messages": "mail ada"}, ON_T, context=RULES)
    edit = {"type": "edit", "edited_action": {"name": "mail", "args": args}}
    again = given.invoke(Command(resume={"decisions": [edit]}), ON_T, context=RULES)

    shown = {name: value for name, value in zip(("to", "text", "cc"), mailed, strict=True) if value}
    assert (MAILED, again["__interrupt__"][0].value["action_requests"][0]["args"]) == ([], shown)
    given.invoke(Command(resume={"decisions": [{"type": "approve"}]}), ON_T, context=RULES)
    assert [mailed] == MAILED


def test_an_edit_of_our_own_form_names_what_to_leave_out() -> None:
    MAILED.clear()
    plan = planning(call("m", "mail", to="Ada", text="go", cc="Eve"))
    given = agent(ScriptedModel(plan, "Sent."), tools=[mail], approve={"mail": True})
    given.invoke({"messages": "mail ada"}, ON_T, context=RULES)
    edit = {"decision": "edit", "args": {"text": "stop"}, "without": ["cc"]}
    again = given.invoke(Command(resume=edit), ON_T, context=RULES)

    assert (MAILED, again["__interrupt__"][0].value["args"]) == ([], {"to": "Ada", "text": "stop"})


def test_an_edit_that_leaves_out_what_is_needed_is_asked_about_again() -> None:
    MAILED.clear()
    given = agent(
        ScriptedModel(planning(call("m", "mail", to="Ada"))), HumanInTheLoopMiddleware({"mail": True}), tools=[mail]
    )
    given.invoke({"messages": "mail ada"}, ON_T, context=RULES)
    edit = {"type": "edit", "edited_action": {"name": "mail", "args": {}}}
    again = given.invoke(Command(resume={"decisions": [edit]}), ON_T, context=RULES)

    assert (MAILED, "Field required" in again["__interrupt__"][0].value["problem"]) == ([], True)


def test_a_no_in_words_counts_in_any_case() -> None:
    made = agent(ScriptedModel(MAIL, "Nothing was sent."), asks(allowed_decisions=["approve"]))
    said(made)
    assert said(made, Command(resume="no"))["outcome"] == "answered"
    assert SENT == []


@pytest.mark.parametrize(("to", "is_asked"), [("Ada", False), ("all@desk", True)])
def test_a_call_may_be_asked_about_where_a_condition_holds(to: str, is_asked: bool) -> None:
    config = {"allowed_decisions": ["approve"], "when": lambda request: "@" in request.tool_call["args"]["to"]}
    made = agent(ScriptedModel(planning(call("m", "send", to=to, text="Hello")), "It is sent."), asks(**config))
    assert ("__interrupt__" in said(made), SENT) == (is_asked, [] if is_asked else ["Ada: Hello"])


@pytest.mark.parametrize("when", [lambda request: request.state["unknown"], lambda request: request.unknown])
def test_a_condition_that_cannot_be_told_asks(when: Any, caplog: pytest.LogCaptureFixture) -> None:
    made = agent(ScriptedModel(MAIL), asks(allowed_decisions=["approve"], when=when))
    assert "__interrupt__" in said(made)
    assert "whether send is asked about cannot be told" in caplog.text


# Models


def down() -> ScriptedModel:
    return ScriptedModel(*[ConnectionError("down")] * 9)


@pytest.mark.parametrize("given", [down(), down, {"planner": down(), "responder": down()}],
                         ids=["a model", "a function", "by role"])  # fmt: skip
def test_another_model_takes_over(given: Any) -> None:
    second = ScriptedModel(planning(call("a", "look", word="tea")), "tea is there")
    made = create_agent(given, [read(look)], middleware=[ModelFallbackMiddleware(second)])
    assert made.invoke({"messages": [("user", "tea?")]}, context=RULES)["answer"] == "tea is there"


def test_calls_of_models_are_capped_in_a_request() -> None:
    plans = [planning(call(f"a{n}", "look", word="tea"), status="continue") for n in range(4)]
    made = agent(ScriptedModel(*plans), ModelCallLimitMiddleware(run_limit=2))
    ended = said(made, "tea?")

    assert sum(use["calls"] for use in ended["usage"].values()) == 2
    assert "This request has used up its share of the language model" in ended["answer"]
    again = said(made, "again?")  # which has its own
    assert sum(use["calls"] for use in again["usage"].values()) == 2


def test_calls_of_models_are_capped_in_a_conversation() -> None:
    made = agent(
        ScriptedModel(planning(call("a", "look", word="tea")), "tea is there"), ModelCallLimitMiddleware(thread_limit=2)
    )
    assert said(made, "tea?")["answer"] == "tea is there"
    assert said(made, "again?")["answer"].startswith("This conversation has used up its share")


def test_tries_of_a_model_call_are_counted_as_there() -> None:
    settings = agent(ScriptedModel(), ModelRetryMiddleware(max_retries=4)).builder.agent.domain.settings()
    assert settings.model_attempts == 5
    assert agent(ScriptedModel(), ModelRetryMiddleware()).builder.agent.domain.settings().model_attempts == 3


@pytest.mark.parametrize(
    ("options", "limits"),
    [
        ({}, {"max_messages": 20}),
        ({"keep": ("messages", 5)}, {"max_messages": 5}),
        ({"keep": ("messages", 5), "trigger": ("messages", 40)}, {"max_messages": 40}),
        ({"trigger": [("messages", 30), ("tokens", 4000)]}, {"max_messages": 30, "max_prompt_bytes": 16000}),
    ],
)
def test_what_would_be_summarised_is_left_out(options: Any, limits: Any, caplog: pytest.LogCaptureFixture) -> None:
    made = agent(ScriptedModel(), SummarizationMiddleware(ScriptedModel(), **options))

    assert made.builder.agent.domain.limits == replace(AGENT_LIMITS, **limits)
    assert f"nothing is summarised: of older messages than the last {limits['max_messages']}" in caplog.text


def test_so_many_messages_are_read() -> None:
    model = ScriptedModel(planning(reply="one"), planning(reply="two"), planning(reply="three"))
    made = agent(model, SummarizationMiddleware(ScriptedModel(), keep=("messages", 1)))
    for words in ("first words", "second words", "third words"):
        said(made, words)
    shown = str(model.heard[2][1].content)
    assert ("first words" in shown, '"two"' in shown) == (False, True)


# Tools


def test_all_calls_are_counted() -> None:
    made = agent(
        ScriptedModel(), ToolCallLimitMiddleware(run_limit=3), ToolCallLimitMiddleware(tool_name="look", run_limit=2)
    )
    assert made.builder.agent.domain.limits == replace(AGENT_LIMITS, max_tool_calls=3)


def test_those_of_one_tool_are_counted_and_the_planner_knows() -> None:
    two = planning(*(call(f"w{n}", "look", word=f"w{n}") for n in range(2)))
    three = planning(*(call(f"w{n}", "look", word=f"w{n}") for n in range(3)))
    model = ScriptedModel(three, two, "w0 and w1 are there.")
    made = agent(model, ToolCallLimitMiddleware(tool_name="look", run_limit=2))
    ended = said(made, "w0, w1, w2?")

    assert (ended["answer"], ended["tools_executed"]) == ("w0 and w1 are there.", 2)
    assert "At most 2 times in a request." in str(model.heard[0][0].content)
    assert "look may run 2 times in a request; 0 ran, 3 more are planned" in str(model.heard[1][1].content)


@dataclass(frozen=True)
class Tried:
    id: str
    options: Mapping[str, Any]
    errors: tuple[Exception, ...]
    runs: int
    ends: str


TRIED = [
    Tried("any error", {}, (ValueError("x"), KeyError("y")), 3, "ok"),
    Tried("too often", {"max_retries": 1}, (ValueError("x"), KeyError("y")), 2, "error"),
    Tried("of a type", {"retry_on": (ValueError,)}, (ValueError("x"),), 2, "ok"),
    Tried("of another type", {"retry_on": (KeyError,)}, (ValueError("x"),), 1, "error"),
    Tried("by a function", {"retry_on": lambda error: "busy" in str(error)}, (ToolRefusal("b", "busy"),), 2, "ok"),
    Tried("of this tool", {"tools": ["look"]}, (ValueError("x"),), 2, "ok"),
    Tried("not at all", {"max_retries": 0}, (ValueError("x"),), 1, "error"),
]


@table("case", TRIED)
def test_a_read_is_tried_again_as_there(case: Tried) -> None:
    tool = Fails(*case.errors)
    retries = ToolRetryMiddleware(initial_delay=0.0, jitter=False, **case.options)
    model = ScriptedModel(
        planning(call("a", "look", word="tea")), *([planning()] if case.ends == "error" else []), "Done."
    )
    ended = said(agent(model, retries, tools=[read(tool.look)]), "tea?")

    assert (tool.runs, ended["results"]["a"]["status"]) == (case.runs, case.ends)
    assert ended["results"]["a"]["attempts"] == case.runs


@pytest.mark.parametrize(
    ("options", "pauses"),
    [
        ({"jitter": False}, [1.0, 2.0, 4.0]),
        ({"jitter": False, "max_delay": 3.0}, [1.0, 2.0, 3.0]),
        ({"jitter": False, "backoff_factor": 0.0, "initial_delay": 0.5}, [0.5, 0.5, 0.5]),
    ],
)
def test_the_pauses_grow_as_there(options: Any, pauses: list[float]) -> None:
    made = agent(ScriptedModel(), ToolRetryMiddleware(**options))
    retry = made.builder.agent.domain.registry["look"].retry
    assert [retry.pause_s(tries) for tries in (1, 2, 3)] == pauses


# What a person writes


@pytest.mark.parametrize(
    ("options", "left"),
    [
        ({}, "write to [REDACTED_EMAIL] please"),
        ({"strategy": "mask"}, "write to ada@****.org please"),
        ({"apply_to_input": False}, "write to ada@desk.org please"),
        ({"detector": r"please"}, "write to ada@desk.org [REDACTED_EMAIL]"),
    ],
)
def test_what_a_person_writes_is_masked_before_a_model_reads_it(options: Any, left: str) -> None:
    model = ScriptedModel(planning(reply="Who is it?"))
    made = agent(model, PIIMiddleware("email", **options))
    ended = said(made, "write to ada@desk.org please")

    assert [message.text for message in ended["messages"]] == [left, "Who is it?"]
    assert left in str(model.heard[0][1].content)
    assert made.get_state(ON_T).values["messages"][0].text == left


def test_several_are_masked_and_what_is_written_among_blocks() -> None:
    model = ScriptedModel(planning(reply="Who is it?"))
    made = agent(model, PIIMiddleware("email"), PIIMiddleware("ip"))
    words = [{"type": "text", "text": "ada@desk.org at 10.1.2.3"}]
    ended = said(made, {"messages": [{"role": "user", "content": words}]})
    assert ended["messages"][0].text == "[REDACTED_EMAIL] at [REDACTED_IP]"


@pytest.mark.parametrize(("strategy", "told"), [("redact", "not to [REDACTED_EMAIL]"), ("block", "")])
def test_the_reason_of_a_no_is_masked_too(strategy: Any, told: str) -> None:
    model = ScriptedModel(planning(call("s", "send", to="Ada", text="hi")), "I did not.")
    given = agent(model, PIIMiddleware("email", strategy=strategy), HumanInTheLoopMiddleware({"send": True}))
    given.invoke({"messages": "send ada a hi"}, ON_T, context=RULES)
    no = {"type": "reject", "message": "not to ada@example.com"}
    ended = given.invoke(Command(resume={"decisions": [no]}), ON_T, context=RULES)

    assert (SENT, "ada@" in str(model.heard), "ada@" in str(given.get_state(ON_T).values)) == ([], False, False)
    assert ended["results"]["s"]["error"]["message"].partition("agreed to")[2].removeprefix(": ") == told


def test_what_is_blocked_ends_the_run_as_there() -> None:
    with pytest.raises(PIIDetectionError):
        said(agent(ScriptedModel(), PIIMiddleware("email", strategy="block")), "write to ada@desk.org")


# What has no hooks


class Shop(AgentState[Any]):
    shop: str


class Brings(AgentMiddleware[Any, Any, Any]):
    """A key of the state, and a tool."""

    state_schema = Shop

    def __init__(self) -> None:
        self.tools = [tool_from(where)]


def where(runtime: ToolRuntime) -> str:
    """Where this is."""
    return f"{runtime.state['shop']} in {runtime.state['town']}"


def test_state_and_tools_of_one_without_hooks_are_the_agents() -> None:
    class Town(AgentState[Any]):
        town: str

    model = ScriptedModel(planning(call("w", "where")), "Here.")
    made = create_agent(model, [read(look)], state_schema=Town, middleware=[Brings()])
    ended = made.invoke({"messages": [("user", "where?")], "shop": "Tea", "town": "Bath"}, context=RULES)

    assert ended["results"]["w"]["data"] == "Tea in Bath"
    assert (ended["shop"], ended["town"]) == ("Tea", "Bath")


# What is refused


class Own(HumanInTheLoopMiddleware[Any, Any, Any]):
    def after_model(self, state: Any, runtime: Any) -> None:
        return None


class Named(TodoListMiddleware[Any]):
    pass


class BringsMore(PIIMiddleware[Any, Any]):
    def __init__(self) -> None:
        super().__init__("email")
        self.tools = [tool_from(look)]


@before_model
def looks(state: Any, runtime: Any) -> None:
    return None


@dataclass(frozen=True)
class Refused:
    id: str
    given: Callable[[], Any]
    says: str


REFUSALS = [
    Refused("one interrupt a call", lambda: HumanInTheLoopMiddleware({"send": True}, interrupt_mode="per_call"),
            "HumanInTheLoopMiddleware with interrupt_mode='per_call'"),
    Refused("another note of an edit", lambda: HumanInTheLoopMiddleware({"send": True}, edit_notice="x"),
            "HumanInTheLoopMiddleware with edit_notice='x'"),
    Refused("a tool that is not there", lambda: HumanInTheLoopMiddleware({"sned": True}), "approve names ['sned']"),
    Refused("a read", lambda: HumanInTheLoopMiddleware({"look": True}), "approve names 'look', which is declared a read"),
    Refused("an exception of a model limit", lambda: ModelCallLimitMiddleware(run_limit=1, exit_behavior="error"),
            "ModelCallLimitMiddleware with exit_behavior='error'"),
    Refused("an exception of a tool limit", lambda: ToolCallLimitMiddleware(run_limit=1, exit_behavior="error"),
            "ToolCallLimitMiddleware with exit_behavior='error'"),
    Refused("tool calls of a thread", lambda: ToolCallLimitMiddleware(thread_limit=1),
            "ToolCallLimitMiddleware with thread_limit=1"),
    Refused("a limit of no tool", lambda: ToolCallLimitMiddleware(tool_name="lok", run_limit=1),
            "ToolCallLimitMiddleware with ['lok']"),
    Refused("a write tried again", lambda: ToolRetryMiddleware(tools=["send"]), "ToolRetryMiddleware with ['send']"),
    Refused("an exception of a tool", lambda: ToolRetryMiddleware(on_failure="error"),
            "ToolRetryMiddleware with on_failure='error'"),
    Refused("other words of a failure", lambda: ToolRetryMiddleware(on_failure=str), "ToolRetryMiddleware with on_failure="),
    Refused("another kind of retry", lambda: ModelRetryMiddleware(retry_on=(ValueError,)), "ModelRetryMiddleware with retry_on="),
    Refused("another pause", lambda: ModelRetryMiddleware(initial_delay=3.0), "ModelRetryMiddleware with initial_delay=3.0"),
    Refused("an exception of a model", lambda: ModelRetryMiddleware(on_failure="error"),
            "ModelRetryMiddleware with on_failure='error'"),
    Refused("too many tries", lambda: ModelRetryMiddleware(max_retries=50), "setting 'model_attempts' = 51"),
    Refused("a summary", lambda: SummarizationMiddleware(ScriptedModel(), summary_prompt="x {messages}"),
            "SummarizationMiddleware with summary_prompt="),
    Refused("a summariser", lambda: SummarizationMiddleware(ScriptedModel(), summarizer=str),
            "SummarizationMiddleware with summarizer="),
    Refused("another count", lambda: SummarizationMiddleware(ScriptedModel(), token_counter=len),
            "SummarizationMiddleware with a token_counter"),
    Refused("tokens kept", lambda: SummarizationMiddleware(ScriptedModel(), keep=("tokens", 9)),
            "SummarizationMiddleware with keep=('tokens', 9)"),
    Refused("two at once", lambda: SummarizationMiddleware(ScriptedModel(), trigger={"tokens": 9, "messages": 9}),
            "SummarizationMiddleware with trigger={"),
    Refused("masked answers", lambda: PIIMiddleware("email", apply_to_output=True), "PIIMiddleware with apply_to_output=True"),
    Refused("masked results", lambda: PIIMiddleware("email", apply_to_tool_results=True),
            "PIIMiddleware with apply_to_tool_results=True"),
    Refused("one of LangChain's others", TodoListMiddleware, "TodoListMiddleware: the plan is the list"),
    Refused("a subclass of it", Named, "TodoListMiddleware: the plan is the list"),
    Refused("an edit of the context", lambda: ContextEditingMiddleware(edits=[ClearToolUsesEdit()]),
            "ContextEditingMiddleware: Limits(max_prompt_bytes="),
    Refused("a subclass with hooks", lambda: Own({"send": True}), "Own: its own after_model would never run"),
    Refused("tools of its own", BringsMore, "no PIIMiddleware with tools of its own: give them as tools="),
    Refused("a hook", lambda: looks, "no middleware looks: docs/start/from-create-agent.md"),
    Refused("no middleware", lambda: 7, "no middleware int"),
]  # fmt: skip


@table("case", REFUSALS)
def test_what_cannot_be_done_is_refused_by_name(case: Refused) -> None:
    with pytest.raises(SettingsError, match=re.escape(case.says)):
        agent(ScriptedModel(), case.given())


def test_one_that_stands_in_no_list_is_refused_in_a_sentence() -> None:
    with pytest.raises(SettingsError, match=r"middleware must be a list, such as \[HumanInTheLoopMiddleware\(…\)\]"):
        create_agent(ScriptedModel(), [read(look)], middleware=asks())  # type: ignore[arg-type]


def test_without_a_model_there_is_none_to_fall_back_from() -> None:
    with pytest.raises(SettingsError, match="no ModelFallbackMiddleware without a model"):
        create_agent(None, [read(look)], middleware=[ModelFallbackMiddleware(ScriptedModel())])


def test_with_writes_alone_nothing_is_tried_again() -> None:
    with pytest.raises(SettingsError, match="no ToolRetryMiddleware with writes alone"):
        agent(ScriptedModel(), ToolRetryMiddleware(), tools=[send])


def test_every_one_of_langchains_is_taken_or_refused_with_a_way_out() -> None:
    shipped = {name for name in middleware.__all__ if re.fullmatch(r"\w+Middleware|\w+Emulator", name)}
    assert {*ROWS, *REFUSED} == shipped
