"""What `ask` and `chat` share: an agent with its storage and settings, and how a request is printed."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

from langgraph.graph import StateGraph
from langgraph.graph.state import CompiledStateGraph

from wavegraph.app.agents import agent
from wavegraph.app.run.questions import question_of
from wavegraph.app.run.result import Result, result_record
from wavegraph.app.run.runner import resume, run
from wavegraph.app.run.threads import Threads
from wavegraph.app.storage.open import open_storage
from wavegraph.app.terminal import show
from wavegraph.app.terminal.door import Console
from wavegraph.app.terminal.interrupt import stops_on_ctrl_c
from wavegraph.app.terminal.live import LiveView
from wavegraph.app.terminal.options import Options
from wavegraph.graph.approval import Question
from wavegraph.graph.build import AgentGraph
from wavegraph.graph.settings import Settings


@dataclass(frozen=True, kw_only=True)
class Session:
    """An agent ready to answer requests."""

    graph: CompiledStateGraph[Any, Any, Any, Any]
    threads: Threads
    settings: Settings
    options: Options
    console: Console

    async def answer(
        self, text: str, thread_id: str, shown: str | None = None, sent_at_ms: int | None = None
    ) -> show.ResultRecord:
        """Answer one request: progress on stderr, then the answer on stdout. Ctrl-C stops it.

        `shown`: hash of the terms the user has seen; None = not known. `sent_at_ms`: as `run` takes it.
        """
        readable = text.encode("utf-8", "replace").decode("utf-8")  # invalid bytes arrive as surrogates
        return await self._run_and_print(
            partial(run, self.graph, readable, thread_id=thread_id, shown=shown, sent_at_ms=sent_at_ms)
        )

    async def question(self, thread_id: str) -> Question | None:
        """What the thread asks a person; None = nothing."""
        return question_of(await self.graph.aget_state({"configurable": {"thread_id": thread_id}}))

    async def resume(
        self, thread_id: str, reply: str | None = None, sent_at_ms: int | None = None
    ) -> show.ResultRecord:
        """Resume a stopped request, printed as by `answer`. Raises NothingToResume."""
        return await self._run_and_print(partial(resume, self.graph, thread_id, reply=reply, sent_at_ms=sent_at_ms))

    async def _run_and_print(self, work: Callable[..., Coroutine[Any, Any, Result]]) -> show.ResultRecord:
        with LiveView(self.console) as view, stops_on_ctrl_c() as handle:
            result = await work(settings=self.settings, on_event=view, cancel=handle)
        record = result_record(result)
        if self.options.debug:
            show.debug(record, self.console)
        show.result(record, self.console, as_json=self.options.as_json)
        return record


@asynccontextmanager
async def open_session(
    options: Options, console: Console, graph: StateGraph[Any, Any, Any, Any] | None = None
) -> AsyncIterator[Session]:
    """`graph`: the agent; None = the one that `options.domain` names.

    Raises SettingsError for settings the agent refuses, StorageError for a database that cannot be used.
    """
    chosen = agent(options.domain)
    graph = chosen.graph(options.database) if graph is None else graph
    settings = chosen.settings(graph, options.own, options.settings)
    chosen.check(settings, options.database)
    async with open_storage(options.database) as storage:
        compiled = graph.compile(checkpointer=storage.checkpointer, store=storage.store, name=options.domain)
        try:
            threads = Threads(storage.checkpointer, storage.store)
            yield Session(graph=compiled, threads=threads, settings=settings, options=options, console=console)
        finally:
            if isinstance(graph, AgentGraph):
                await graph.agent.domain.close()


@contextmanager
def session_on(
    runner: asyncio.Runner, options: Options, console: Console, graph: StateGraph[Any, Any, Any, Any] | None = None
) -> Iterator[Session]:
    """`open_session` for a command that reads from the terminal between two runs of the loop."""
    opened = AsyncExitStack()
    try:
        yield runner.run(opened.enter_async_context(open_session(options, console, graph)))
    finally:
        runner.run(opened.aclose())
