"""Runs one request on a graph, reports it, stops it, and goes on with it: what every way in is built on."""

import asyncio
import uuid
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field, fields
from typing import Any

from langchain_core.messages import HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.graph.state import CompiledStateGraph

from wavegraph.app.cancel import CancelHandle
from wavegraph.graph.agent import Agent
from wavegraph.graph.build import AgentGraph
from wavegraph.graph.errors import SettingsError, WavegraphError
from wavegraph.graph.ledger import results
from wavegraph.graph.ready import unfinished
from wavegraph.graph.settings import Settings
from wavegraph.graph.state import AgentState, merge_ledgers
from wavegraph.graph.stop_note import stop_note
from wavegraph.graph.stopped import stopped_answer

RECURSION_LIMIT = 60
"""Super-steps. The request's own budget ends the work first; LangGraph's default of 10007 would end nothing."""

OnEvent = Callable[[Mapping[str, Any]], None]
Graph = CompiledStateGraph[Any, Any, Any, Any]


@dataclass(frozen=True, kw_only=True)
class Result:
    """How a request ended; the fields of the command line's `--json`, and what was left undone."""

    thread_id: str
    outcome: str
    answer: str
    action: str | None = None
    reasoning: str | None = None
    slots: Mapping[str, Any] = field(default_factory=dict)
    tools: list[str] = field(default_factory=list)
    plan: Mapping[str, Any] | None = None
    results: Mapping[str, Any] = field(default_factory=dict)
    issues: list[Any] = field(default_factory=list)
    waves: int = 0
    adaptations: int = 0
    tools_executed: int = 0
    llm_calls: int = 0
    answer_check: Mapping[str, Any] | None = None
    planner: str | None = None
    elapsed_s: float = 0.0
    unfinished: list[str] = field(default_factory=list)
    """Ids of planned calls that did not end."""
    can_resume: bool = False
    """Whether `resume` can go on from here: a request that was stopped, on a graph with a checkpointer."""


FIELDS = tuple(f.name for f in fields(Result))[:-2]
"""Of a report, in this order."""


def report_of(result: Result) -> dict[str, Any]:
    """The result as `--json` prints it: `FIELDS`, and what is left where the request was stopped."""
    left = ("unfinished", "can_resume") if result.outcome == "cancelled" else ()
    return {name: getattr(result, name) for name in (*FIELDS, *left)}


class Cancelled(WavegraphError):
    """Raised on a cancel where the caller asked for it; `result` is what is known."""

    def __init__(self, result: Result) -> None:
        super().__init__(f"the request on thread {result.thread_id!r} was stopped")
        self.result = result


class NothingToResume(WavegraphError):
    """The thread has no request that was cut off."""


def new_thread_id() -> str:
    return uuid.uuid4().hex[:12]


async def run(
    graph: Graph,
    request: str,
    *,
    thread_id: str | None = None,
    user_id: str | None = None,
    settings: Settings | Mapping[str, Any] | None = None,
    cancel: CancelHandle | None = None,
    on_event: OnEvent | None = None,
    raise_on_cancel: bool = False,
) -> Result:
    """Answer `request` and return how it ended; an earlier request of the thread that was cut off is closed first.

    `thread_id`: the conversation, a new one where left out. `user_id`: whose it is; a thread that has a user
    is refused to every other. `cancel`: stops the request from anywhere; what had finished is kept, and the
    result says what is known so far (`outcome: cancelled`) without asking a model. Async tools are stopped at
    once; a sync tool's thread runs on, and its effect must be looked up. `on_event` sees each event.

    Raises SettingsError for settings the agent refuses or a foreign thread; Cancelled where `raise_on_cancel`.
    """
    turn = _Turn(graph, thread_id or new_thread_id(), user_id, _settings(graph, settings), request)
    return await turn.run({"messages": [HumanMessage(request)]}, cancel, on_event, raise_on_cancel)


async def resume(
    graph: Graph,
    thread_id: str,
    *,
    user_id: str | None = None,
    settings: Settings | Mapping[str, Any] | None = None,
    cancel: CancelHandle | None = None,
    on_event: OnEvent | None = None,
    raise_on_cancel: bool = False,
) -> Result:
    """Go on with the thread's request that was stopped or cut off: only its unfinished calls run.

    Raises NothingToResume where there is none; the rest as `run`.
    """
    turn = _Turn(graph, thread_id, user_id, _settings(graph, settings), "")
    return await turn.run(None, cancel, on_event, raise_on_cancel)


async def conversation(graph: Graph, thread_id: str) -> list[Any]:
    """The messages of a thread so far; empty for a new one."""
    snapshot = await graph.aget_state({"configurable": {"thread_id": thread_id}})
    return list(snapshot.values.get("messages", []))


async def stream(graph: Graph, request: str, **options: Any) -> AsyncIterator[Mapping[str, Any] | Result]:
    """The events of `run(graph, request, **options)` as they happen, then its Result. Leaving early stops the request."""
    queue: asyncio.Queue[Mapping[str, Any] | None] = asyncio.Queue()
    cancel = options.pop("cancel", None) or CancelHandle()
    work = asyncio.ensure_future(run(graph, request, cancel=cancel, on_event=queue.put_nowait, **options))
    work.add_done_callback(lambda _: queue.put_nowait(None))
    try:
        while (event := await queue.get()) is not None:
            yield event
        yield await work
    finally:
        cancel.cancel()
        await asyncio.gather(work, return_exceptions=True)


def _settings(graph: Graph, given: Settings | Mapping[str, Any] | None) -> Settings:
    model: Any = graph.builder.context_schema or Settings
    return given if isinstance(given, Settings) else model.model_validate(dict(given or {}))


class _Turn:
    """One request on one thread, from its first step to its result."""

    def __init__(self, graph: Graph, thread_id: str, user_id: str | None, settings: Settings, request: str) -> None:
        self._graph = graph
        self._thread_id = thread_id
        self._user_id = user_id
        self._settings = settings
        self._request = request
        self._values: dict[str, Any] = {}
        self._running: set[str] = set()

    @property
    def _config(self) -> RunnableConfig:
        whose = {"user_id": self._user_id} if self._user_id else {}
        return {
            "configurable": {"thread_id": self._thread_id},
            "metadata": whose,
            "recursion_limit": RECURSION_LIMIT,
        }

    @property
    def _keeps(self) -> bool:
        return bool(self._graph.checkpointer)

    async def run(
        self, given: Any, cancel: CancelHandle | None, on_event: OnEvent | None, raise_on_cancel: bool
    ) -> Result:
        await self._open(given)
        handle = cancel or CancelHandle()
        result = await self._stopped(ran=False) if handle.cancelled else await self._worked(given, handle, on_event)
        if result.outcome == "cancelled" and raise_on_cancel:
            raise Cancelled(result)
        return result

    async def _worked(self, given: Any, handle: CancelHandle, on_event: OnEvent | None) -> Result:
        work = asyncio.ensure_future(self._consume(given, on_event))
        try:
            with handle.stops(work):
                await work
        except asyncio.CancelledError:
            if not handle.cancelled:
                raise
        # A cancel that came with the last step stops nothing any more.
        return self._result() if self._values.get("outcome") else await self._stopped(ran=True)

    async def _open(self, given: Any) -> None:
        """Refuse a foreign thread; close a request that was cut off, or see that there is one to go on with."""
        if not self._keeps:
            if given is None:
                raise NothingToResume("a graph without a checkpointer keeps nothing to resume")
            return
        snapshot = await self._graph.aget_state(self._config)
        owner = (snapshot.metadata or {}).get("user_id")
        if owner and owner != self._user_id:
            raise SettingsError(f"thread {self._thread_id!r} belongs to another user than {self._user_id!r}")
        if given is None and not snapshot.next:
            raise NothingToResume(f"thread {self._thread_id!r} has no request that was cut off")
        if given is not None and snapshot.next:
            await self._commit()

    async def _consume(self, given: Any, on_event: OnEvent | None) -> None:
        stream: Any = self._graph.astream(
            given,
            self._config,
            context=self._settings,
            stream_mode=["custom", "values", "updates"],
            durability="async" if self._keeps else None,
        )
        async with aclosing(stream) as parts:
            async for mode, part in parts:
                self._see(mode, part)
                if mode == "custom" and on_event:
                    on_event(part)

    def _see(self, mode: str, part: Any) -> None:
        """Keep what a stop would have to tell: the last state, finished calls on top of it, calls that run."""
        if mode == "values":
            self._values = dict(part)
        elif mode == "updates" and (update := part.get("execute_wave")):
            known = self._values.get("ledger")
            self._values["ledger"] = merge_ledgers(known, update["ledger"]) if known else update["ledger"]
        elif mode == "custom" and part.get("event") == "tool_started":
            self._running.add(part["id"])
        elif mode == "custom" and part.get("event") == "tool_finished":
            self._running.discard(part["id"])

    async def _commit(self) -> None:
        """Keep the finished calls of an unfinished step; new input, or a value written first, would drop them."""
        await self._graph.aupdate_state(self._config, None, as_node="__end__")

    async def _stopped(self, *, ran: bool) -> Result:
        state: Any = self._values
        if self._keeps and ran:
            await self._commit()
            state = (await self._graph.aget_state(self._config)).values
        begun = bool(state.get("plan")) and state.get("outcome") is None
        known: Any = state if begun else {}
        answer = await stopped_answer(known, self._request, self._settled(), self._agent, self._running)
        if self._keeps and ran:
            name = known["request"]["id"] if begun else self._thread_id
            note = {"messages": [stop_note(answer, f"{len(state.get('messages', []))}-{name}")]}
            await self._graph.aupdate_state(self._config, note, as_node="validate" if begun else "__start__")
        return self._cancelled(known, answer, can_resume=self._keeps and ran)

    @property
    def _agent(self) -> Agent:
        builder = self._graph.builder
        if not isinstance(builder, AgentGraph):
            raise SettingsError(
                "a stopped request can be told only by a graph that build_graph made, not one around it"
            )
        return builder.agent

    def _settled(self) -> Settings:
        return self._agent.settled(self._settings)

    def _result(self) -> Result:
        known = {f.name: self._values[f.name] for f in fields(Result) if f.name in self._values}
        return Result(**{**known, "thread_id": self._thread_id})

    def _cancelled(self, state: AgentState, answer: str, *, can_resume: bool) -> Result:
        plan: Any = state.get("plan") or {}
        return Result(
            thread_id=self._thread_id,
            outcome="cancelled",
            answer=answer,
            action=plan.get("action"),
            reasoning=plan.get("reasoning"),
            slots=plan.get("slots", {}),
            plan=plan or None,
            planner=plan.get("planner"),
            results=results(state["ledger"]) if plan else {},
            tools=[outcome["tool"] for outcome in results(state["ledger"]).values()] if plan else [],
            issues=list(state.get("issues", [])),
            waves=state.get("waves", 0),
            adaptations=state.get("adaptations", 0),
            tools_executed=len(results(state["ledger"])) if plan else 0,
            llm_calls=state.get("llm_calls", 0),
            elapsed_s=round(sum(state.get("times", {}).values()), 3),
            unfinished=[step.call["id"] for step in unfinished(state["plan"], state["ledger"])] if plan else [],
            can_resume=can_resume,
        )
