"""The contestants of the overhead benchmark: an agent of this package, a bare graph, LangChain's agent; one model for all."""

import importlib.util
import operator
from collections.abc import Awaitable, Callable, Mapping, Sequence
from itertools import count
from typing import Annotated, Any

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool, tool
from langchain_core.utils.function_calling import convert_to_openai_tool
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.types import Send
from typing_extensions import TypedDict

QUESTION = "How much is left of the items?"
ANSWER = "Of each item 3 are left, at 12.5 a piece."
Request = Callable[[], Awaitable[Any]]


class Clerk(BaseChatModel):
    """Plans `calls` look-ups, answers, and is content with the answer; at once."""

    calls: int

    @property
    def _llm_type(self) -> str:
        return "clerk"

    def bind_tools(self, tools: Sequence[Any], **kwargs: Any) -> Runnable[Any, AIMessage]:
        return self.bind(tools=[convert_to_openai_tool(each) for each in tools])

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return self._replied(messages, kwargs)

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return self._replied(messages, kwargs)

    def _replied(self, messages: Sequence[BaseMessage], bound: Mapping[str, Any]) -> ChatResult:
        names = [each["function"]["name"] for each in bound.get("tools") or ()]
        asked = max(place for place, each in enumerate(messages) if isinstance(each, HumanMessage))
        has_results = any(isinstance(each, ToolMessage) for each in messages[asked:])
        asks = bool(names) and not has_results
        message = AIMessage("", tool_calls=self._tool_calls(names[0])) if asks else AIMessage(ANSWER)
        return ChatResult(generations=[ChatGeneration(message=message)])

    def _tool_calls(self, name: str) -> list[Any]:
        wanted = [{"item": f"item {number}"} for number in range(self.calls)]
        if name == "look":
            return [{"name": name, "args": args, "id": f"look_{n}"} for n, args in enumerate(wanted)]
        if name == "plan":
            calls = [{"id": f"look_{n}", "tool": "look", "args": args} for n, args in enumerate(wanted)]
            plan: dict[str, Any] = {
                "status": "done",
                "action": "look",
                "reasoning": "asked",
                "slots": {},
                "tools": calls,
                "reply": None,
            }
            return [{"name": name, "args": plan, "id": "plan"}]
        return [{"name": name, "args": {"reasoning": "fine", "gaps": []}, "id": "verdict"}]


@tool
async def look(item: str) -> dict[str, Any]:
    """How much is left of an item."""
    return {"item": item, "left": 3, "price": 12.5, "places": ["front", "back"]}


OURS, BARE, AGENT = "wavegraph", "bare LangGraph", "create_agent"


def contestants(calls: int, saver: Any) -> dict[str, Request]:
    """A request of each, by name; where there is a saver, on a new thread each time."""
    return {name: contestant(name, calls, saver) for name in names()}


def names() -> list[str]:
    """Of the contestants that are installed."""
    has_langchain = importlib.util.find_spec("langchain") is not None
    return [OURS, BARE, *([AGENT] if has_langchain else [])]


def contestant(name: str, calls: int, saver: Any, *, thread: str | None = None) -> Request:
    """One of them; what the others are made of is not imported."""
    if name == BARE:
        return asking(bare(calls).compile(checkpointer=saver), thread)
    if name == AGENT:
        return asking(_langchain_agent(calls, saver), thread)
    return asking(ours(calls).compile(checkpointer=saver), thread, context={"answer_check": "rules"})


def ours(calls: int) -> Any:
    from wavegraph import Domain, Limits, build_graph, read

    domain = Domain(name="store", tools=[read(look)], limits=Limits(max_tool_calls=calls))
    return build_graph(domain, model=Clerk(calls=calls))


def asking(graph: Any, thread: str | None = None, **options: Any) -> Request:
    """Asks the question, and holds the answer; on that thread, None = on a new one each time."""
    threads = count()
    name = id(graph) + id(options)

    async def ask() -> Any:
        config = {"configurable": {"thread_id": thread or f"{name}-{next(threads)}"}}
        ended = await graph.ainvoke({"messages": [HumanMessage(QUESTION)]}, config, **options)
        assert ended["messages"][-1].text == ANSWER, ended["messages"][-1].text
        return ended

    return ask


class _Bare(MessagesState, total=False):
    calls: list[dict[str, Any]]
    results: Annotated[dict[str, Any], operator.or_]
    answer: str


class _One(TypedDict):
    call: dict[str, Any]


def bare(calls: int) -> StateGraph[Any, Any, Any, Any]:
    """The super-steps of ours, plan, wave, validate, respond, check, each with the least that does its work."""
    model = Clerk(calls=calls)
    planner, tools = model.bind_tools([look]), {look.name: look}

    async def plan(state: _Bare) -> dict[str, Any]:
        planned = await planner.ainvoke([SystemMessage("Plan the calls."), *state["messages"]])
        return {"calls": planned.tool_calls}

    def wave(state: _Bare) -> list[Send]:
        return [Send("execute", {"call": call}) for call in state["calls"]]

    async def execute(state: _One) -> dict[str, Any]:
        call = state["call"]
        return {"results": {call["id"]: await tools[call["name"]].ainvoke(call["args"])}}

    async def validate(state: _Bare) -> dict[str, Any]:
        return {}

    async def respond(state: _Bare) -> dict[str, Any]:
        said = await model.ainvoke([SystemMessage(f"Answer from {state['results']}."), *state["messages"]])
        return {"messages": [said], "answer": said.text}

    async def check(state: _Bare) -> dict[str, Any]:
        return {}

    graph: StateGraph[Any, Any, Any, Any] = StateGraph(_Bare)
    for node in (plan, execute, validate, respond, check):
        graph.add_node(node.__name__, node)
    graph.add_edge(START, "plan")
    graph.add_conditional_edges("plan", wave, ["execute"])
    graph.add_edge("execute", "validate")
    graph.add_edge("validate", "respond")
    graph.add_edge("respond", "check")
    graph.add_edge("check", END)
    return graph


def _langchain_agent(calls: int, saver: Any) -> Any:
    from langchain.agents import create_agent

    tools: list[BaseTool] = [look]
    return create_agent(Clerk(calls=calls), tools, checkpointer=saver)
