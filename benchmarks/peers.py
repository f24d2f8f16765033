"""The peers, as their makers' documents build them: each takes a chat model, LangChain tools and a policy.

`create_agent` is LangChain's, without and with its `ToolRetryMiddleware` as it comes. `loop` is bare LangGraph: a model node and
a tool node, all calls of a turn beside each other. `plan_and_execute` is a plain graph whose model plans calls with references
to each other's results; they run in waves as their references allow, and the model is asked again until it calls nothing.
Neither of the two graphs checks, retries or orders anything.
"""

import json
import operator
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Annotated, Any

from langchain.agents import create_agent
from langchain.agents.middleware import ToolRetryMiddleware
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AnyMessage, SystemMessage, ToolCall, ToolMessage
from langchain_core.tools import BaseTool
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.types import Send
from typing_extensions import TypedDict

Build = Callable[[BaseChatModel, Sequence[BaseTool], str], Any]
"""A compiled graph from model, tools, policy."""
REFERENCES = """
Plan all calls that you can. An argument may be {"ref": {"call": "<id of another call>", "path": "field.of.its.result"}}."""


def plain_agent(model: BaseChatModel, tools: Sequence[BaseTool], policy: str) -> Any:
    return create_agent(model, list(tools), system_prompt=policy)


def retrying_agent(model: BaseChatModel, tools: Sequence[BaseTool], policy: str) -> Any:
    return create_agent(model, list(tools), system_prompt=policy, middleware=[ToolRetryMiddleware()])


class _OneCall(TypedDict):
    call: ToolCall


def loop(model: BaseChatModel, tools: Sequence[BaseTool], policy: str) -> Any:
    bound, named = model.bind_tools(tools), {each.name: each for each in tools}

    async def act(state: MessagesState) -> dict[str, Any]:
        return {"messages": [await bound.ainvoke([SystemMessage(policy), *state["messages"]])]}

    async def run(state: _OneCall) -> dict[str, Any]:
        return {"messages": [await _ran(named, state["call"])]}

    def route(state: MessagesState) -> list[Send] | str:
        return [Send("run", {"call": each}) for each in _called(state["messages"])] or END

    graph: StateGraph[Any, Any, Any, Any] = StateGraph(MessagesState)
    graph.add_node("act", act)
    graph.add_node("run", run)
    graph.add_edge(START, "act")
    graph.add_conditional_edges("act", route, ["run", END])
    graph.add_edge("run", "act")
    return graph.compile()


class _Planned(MessagesState):
    results: Annotated[dict[str, Any], operator.or_]


def plan_and_execute(model: BaseChatModel, tools: Sequence[BaseTool], policy: str) -> Any:
    bound, named = model.bind_tools(tools), {each.name: each for each in tools}

    async def plan(state: _Planned) -> dict[str, Any]:
        return {"messages": [await bound.ainvoke([SystemMessage(policy + REFERENCES), *state["messages"]])]}

    async def run(state: _OneCall) -> dict[str, Any]:
        answered = await _ran(named, state["call"])
        return {"messages": [answered], "results": {str(state["call"]["id"]): _decoded(str(answered.content))}}

    async def join(state: _Planned) -> dict[str, Any]:
        """All calls of the wave have ended."""
        return {}

    def route(state: _Planned) -> list[Send] | str:
        """Raises LookupError for a reference that leads nowhere."""
        results = state.get("results", {})
        waiting = [each for each in _called(state["messages"]) if each["id"] not in results]
        ready = [each for each in waiting if all(target in results for target in _targets(each["args"]))]
        if waiting and not ready:
            raise LookupError(f"{waiting[0]['id']} refers to a call that never runs")
        sends = [Send("run", {"call": {**each, "args": _resolved(each["args"], results)}}) for each in ready]
        return sends or (END if isinstance(state["messages"][-1], AIMessage) else "plan")

    graph: StateGraph[Any, Any, Any, Any] = StateGraph(_Planned)
    graph.add_node("plan", plan)
    graph.add_node("run", run)
    graph.add_node("join", join)
    graph.add_edge(START, "plan")
    graph.add_conditional_edges("plan", route, ["run", "plan", END])
    graph.add_edge("run", "join")
    graph.add_conditional_edges("join", route, ["run", "plan", END])
    return graph.compile()


BUILDS: Mapping[str, Build] = {
    "create_agent": plain_agent,
    "create_agent, retries": retrying_agent,
    "bare LangGraph": loop,
    "plan-and-execute": plan_and_execute,
}


async def _ran(tools: Mapping[str, BaseTool], call: ToolCall) -> ToolMessage:
    found = await tools[call["name"]].ainvoke({**call, "type": "tool_call"})
    assert isinstance(found, ToolMessage)
    return found


def _called(messages: Sequence[AnyMessage]) -> list[ToolCall]:
    """The calls of what the model said last."""
    spoken = next(each for each in reversed(messages) if isinstance(each, AIMessage))
    return spoken.tool_calls


def _decoded(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _targets(value: Any) -> Iterator[str]:
    match value:
        case {"ref": {"call": str() as call}}:
            yield call
        case dict():
            for part in value.values():
                yield from _targets(part)
        case list():
            for part in value:
                yield from _targets(part)


def _resolved(value: Any, results: Mapping[str, Any]) -> Any:
    match value:
        case {"ref": {"call": str() as call, **rest}}:
            return _followed(results[call], str(rest.get("path", "")))
        case {"text": str() as text, "with": dict() as named}:
            return text.format(**{name: _resolved(part, results) for name, part in named.items()})
        case dict():
            return {name: _resolved(part, results) for name, part in value.items()}
        case list():
            return [_resolved(part, results) for part in value]
    return value


def _followed(data: Any, path: str) -> Any:
    """Raises LookupError, also where it goes into what is no record."""
    for field, index in re.findall(r"([^.\[\]]+)|\[(\d+)\]", path):
        try:
            data = data[int(index)] if index else data[field]
        except TypeError as error:
            raise LookupError(path) from error
    return data
