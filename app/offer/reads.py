"""An agent's reads as tools of their own, run as in a wave: checked, within the time limit, tried again.

What a call may write, or only a person may say, is left to the whole agent: nobody can be asked here.
"""

import asyncio
import uuid
from collections.abc import Mapping
from typing import Any

from langgraph.graph import START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from mcp_types import CallToolResult, Tool, ToolAnnotations
from pydantic import ValidationError
from typing_extensions import TypedDict

from wavegraph.app.offer.progress import Progress, Report
from wavegraph.app.offer.replies import as_text, clean, misfit, refusal, reply
from wavegraph.app.offer.work import carried_out
from wavegraph.app.terminal.session import Session
from wavegraph.graph.adopt.schemas import reader
from wavegraph.graph.agent import Agent
from wavegraph.graph.build import AgentGraph
from wavegraph.graph.domain_tool import DomainTool
from wavegraph.graph.errors import explain
from wavegraph.graph.langsmith import guard_traces
from wavegraph.graph.ledger import data_of, signature
from wavegraph.graph.secrets.ways_out import cleaned_errors
from wavegraph.graph.state import Ledger, ToolOutcome, WaveCall
from wavegraph.nodes.execute_wave import execute_wave

RESULT = "result"
"""The key of a result that is no object: structured content is one."""


class _OneCall(TypedDict):
    call: WaveCall
    ledger: Ledger


def offered_reads(session: Session) -> "list[SingleRead]":
    """The reads that may be called singly; none of a graph round an agent."""
    built = session.graph.builder
    if not isinstance(built, AgentGraph):
        return []
    graph = _graph_of(built.agent, session)
    tools = built.agent.domain.registry.values()
    return [SingleRead(tool, graph, built.agent, session) for tool in tools if is_offered(tool)]


def is_offered(tool: DomainTool) -> bool:
    """Not one with an argument that only the person, or a result, may give: of a call by itself nobody knows who gave it; nor
    one that a person is asked about."""
    return tool.is_declared_read and not tool.sources


def _graph_of(agent: Agent, session: Session) -> CompiledStateGraph[Any, Any, Any, Any]:
    """One step for one call: tools find their store, their settings and the event stream there."""

    async def one_call(state: _OneCall, runtime: Runtime[Any]) -> dict[str, Any]:
        guard_traces()
        with cleaned_errors():
            return await execute_wave(state["call"], runtime, agent)

    graph = StateGraph(_OneCall, context_schema=agent.domain.settings)
    graph.add_node("one_call", one_call)
    graph.add_edge(START, "one_call")
    return graph.compile(store=session.graph.store, name=agent.domain.name)


class SingleRead:
    """One read as a tool."""

    def __init__(
        self, tool: DomainTool, graph: CompiledStateGraph[Any, Any, Any, Any], agent: Agent, session: Session
    ) -> None:
        self._tool = tool
        self._graph = graph
        self._agent = agent
        self._session = session
        declared = [schema for schema in tool.result_schemas if schema]
        self._is_wrapped = bool(declared) and declared[0].get("type") != "object"
        self._declared = _as_object(declared[0]) if declared else None
        self._read_result = reader(self._declared or {}, "the result")

    @property
    def name(self) -> str:
        return self._tool.name

    @property
    def description(self) -> Tool:
        schema = self._tool.argument_schema
        return Tool(
            name=self.name,
            description=self._tool.tool.description,
            input_schema={
                **schema,
                "type": "object",
                "properties": schema.get("properties", {}),
                "additionalProperties": False,
            },
            output_schema=self._declared,
            annotations=ToolAnnotations(
                read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=True
            ),
        )

    async def call(self, given: Mapping[str, Any], report: Report) -> CallToolResult:
        if strangers := sorted(given.keys() - self._tool.arguments.keys()):
            known = ", ".join(self._tool.arguments) or "none"
            return await refusal(f"{self.name} has no argument {strangers[0]!r}; it has {known}")
        try:
            call = self._call(self._tool.checked_args(given))
        except ValidationError as error:
            return await misfit(error)
        async with Progress(report) as progress:
            ledger = await carried_out(self._run(call, progress), stop=lambda task: task.cancel())
        return await self._told(ledger["outcomes"][call["signature"]], ledger)

    async def _run(self, call: WaveCall, progress: Progress) -> Ledger:
        ended: dict[str, Any] = {}
        given: Any = {"call": call}
        parts: Any = self._graph.astream(given, context=self._session.settings, stream_mode=["custom", "values"])
        async for mode, part in parts:
            if mode == "custom":
                progress(part)
            else:
                ended = part
        ledger: Ledger = ended["ledger"]
        return ledger

    def _call(self, args: dict[str, Any]) -> WaveCall:
        limits = self._agent.domain.limits.under(self._session.settings)
        return {
            "request_id": str(uuid.uuid4()),
            "wave": 1,
            "call": {"id": self.name, "tool": self.name, "args": args, "effect": "read", "plan": 1},
            "signature": signature(self.name, args),
            "run": 1,
            "attempts": limits.tool_attempts,
            "timeout_s": limits.tool_timeout_s,
            "approval": None,
        }

    async def _told(self, outcome: ToolOutcome, ledger: Ledger) -> CallToolResult:
        if error := outcome["error"]:
            return await refusal(f"{error['code']}: {error['message']}")
        found = await clean(data_of(outcome, ledger))
        data = found if isinstance(found, dict) and not self._is_wrapped else {RESULT: found}
        try:
            await asyncio.to_thread(self._read_result, data)
        except ValidationError as unfit:
            why = f"what may leave of it does not fit what is declared: {explain(unfit)}"
            return await refusal(f"unexpected_data: {why}")
        return reply(data, found if isinstance(found, str) else as_text(found))


def _as_object(schema: Mapping[str, Any]) -> dict[str, Any]:
    """A result's schema as one of an object, which older clients ask for."""
    if schema.get("type") == "object":
        return dict(schema)
    inner = {key: part for key, part in schema.items() if key != "$defs"}
    shared = {"$defs": schema["$defs"]} if "$defs" in schema else {}
    return {"type": "object", "properties": {RESULT: inner}, "required": [RESULT], **shared}
