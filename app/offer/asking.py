"""The whole agent as one tool: a request in words, on a thread that the next call may go on with."""

import asyncio
from collections.abc import Mapping
from functools import partial
from typing import Any

from mcp_types import CallToolResult, Tool, ToolAnnotations
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError
from typing_extensions import TypedDict

from wavegraph.app.offer.progress import Progress, Report
from wavegraph.app.offer.replies import clean, misfit, refusal, reply
from wavegraph.app.offer.work import carried_out
from wavegraph.app.run.cancel import CancelHandle
from wavegraph.app.run.questions import question_text
from wavegraph.app.run.result import Result
from wavegraph.app.run.runner import resume, run
from wavegraph.app.run.thread_ids import new_thread_id
from wavegraph.app.terminal.session import Session
from wavegraph.graph.approval import Question
from wavegraph.graph.build import AgentGraph
from wavegraph.graph.domain import Domain
from wavegraph.graph.guard.cards import MARK
from wavegraph.graph.state import Outcome

LONGEST_THREAD = 200
"""Characters of an id: what a caller makes up is short."""


class Request(BaseModel):
    """What a caller gives."""

    model_config = ConfigDict(extra="forbid")

    request: str = Field(
        description="What is wanted, in the person's own words; on a thread that asks something, the person's answer, such "
        'as "yes" or "no". Empty: go on with the request of the thread that was stopped.'
    )
    thread: str | None = Field(
        default=None,
        max_length=LONGEST_THREAD,
        description="The conversation to go on with: `thread` of an earlier reply. Left out: a new one.",
    )


class Asked(TypedDict):
    """A write that waits for a person's agreement."""

    text: str
    """For the person, word for word."""
    tool: str
    args: dict[str, Any]
    agree_with: str
    """The request that agrees, if the person does; "no" refuses."""
    by_asker: bool
    """False: somebody else decides, elsewhere."""
    choices: dict[str, str]
    """Other answers that agree."""
    valid_until: str | None


class Reply(TypedDict):
    """How a call ended, as structured content."""

    outcome: Outcome
    thread: str
    answer: str
    question: Asked | None
    can_resume: bool
    unfinished: list[str]


REPLY_SCHEMA = TypeAdapter(Reply).json_schema(mode="serialization")
HOW = (
    "Takes a request in words and answers it. `thread` of the reply goes on with the conversation. With the outcome "
    "`awaiting_approval` nothing has been written yet: show the question to the person, and send their answer on the same "
    "thread; never agree for them. `clarify` asks the person back. A call that was cancelled has kept what was finished: "
    "an empty request on its thread goes on with it."
)


class Asking:
    """The tool, and the calls of it that are at work."""

    def __init__(self, session: Session, name: str) -> None:
        self._session = session
        self._name = name
        self._running: dict[CancelHandle, tuple[str, asyncio.Event]] = {}
        """The thread of each, and what says that it has ended."""

    @property
    def description(self) -> Tool:
        built = self._session.graph.builder
        about = built.agent.domain if isinstance(built, AgentGraph) else None
        return Tool(
            name=self._name,
            title=f"Ask {self._session.options.domain}",
            description=f"{about.description} {HOW}" if about and about.description else HOW,
            input_schema=Request.model_json_schema(),
            output_schema=REPLY_SCHEMA,
            annotations=_hints(about),
        )

    async def call(self, given: Mapping[str, Any], report: Report) -> CallToolResult:
        """Raises what `run` raises."""
        try:
            asked = Request.model_validate(given)
        except ValidationError as error:
            return await misfit(error)
        thread = asked.thread.strip() if asked.thread else ""
        if MARK in thread:
            return await refusal("a thread's id may hold no card number")
        if not asked.request.strip() and not thread:
            return await refusal("the request is empty: write what is wanted")
        return await self._ended(asked.request, thread or new_thread_id(), report)

    async def _ended(self, request: str, thread: str, report: Report) -> CallToolResult:
        handle, ended = CancelHandle(), asyncio.Event()
        await self._until_stopped(thread)
        self._running[handle] = (thread, ended)
        try:
            async with Progress(report) as progress:
                progress.tell(f"thread {thread}")
                go = (
                    partial(run, self._session.graph, request)
                    if request.strip()
                    else partial(resume, self._session.graph)
                )
                work = go(thread_id=thread, settings=self._session.settings, cancel=handle, on_event=progress)
                result = await carried_out(work, stop=lambda _: handle.cancel())
        finally:
            del self._running[handle]
            ended.set()
        return await self._told(result)

    async def _until_stopped(self, thread: str) -> None:
        """A call that was cancelled still keeps what it has: the next one of its thread need not be refused for that."""
        for handle, (busy, ended) in list(self._running.items()):
            if busy == thread and handle.cancelled:
                await ended.wait()

    async def stop(self) -> None:
        """Stop all calls that are at work; each keeps what was finished."""
        running = list(self._running.items())
        for handle, _ in running:
            handle.cancel()
        for _, (_, ended) in running:
            await ended.wait()

    async def _told(self, result: Result) -> CallToolResult:
        question: Any = result.question
        data: Reply = await clean({
            "outcome": result.outcome,
            "thread": "",
            "answer": result.answer,
            "question": _asked(question) if question else None,
            "can_resume": result.can_resume,
            "unfinished": result.unfinished,
        })  # fmt: skip
        data["thread"] = result.thread_id
        texts = [data["answer"], self._way_on(data, result.thread_id)]
        if data["question"] and question["shown"] and result.outcome != "awaiting_approval":
            texts.insert(1, data["question"]["text"])
        return reply(data, *filter(None, texts), is_error=result.outcome == "failed")

    def _way_on(self, data: Reply, thread: str) -> str:
        """For models that are shown no structured content."""
        known = f"outcome: {data['outcome']}; thread: {thread}"
        asked = data["question"]
        if asked and not asked["by_asker"]:
            way = self._session.options.decides(thread)
            return f"{known}; somebody else decides this{f', with: {way}' if way else ''}"
        if asked:
            return f"{known}; only if the person agrees, send {asked['agree_with']!r} on this thread, else 'no'"
        if data["outcome"] == "cancelled" and data["can_resume"]:
            return f"{known}; an empty request on this thread goes on with it"
        return known


def _asked(question: Question) -> Asked:
    return {
        "text": question_text(question),
        "tool": question["tool"],
        "args": question["args"],
        "agree_with": question["agree_with"],
        "by_asker": question["by_asker"],
        "choices": question["choices"],
        "valid_until": question["valid_until"],
    }


def _hints(domain: Domain | None) -> ToolAnnotations:
    """Of a graph round an agent nothing is known: the worst is told."""
    tools = list(domain.registry.values()) if domain else []
    reads = domain is not None and all(tool.is_declared_read for tool in tools)
    return ToolAnnotations(
        read_only_hint=reads,
        destructive_hint=not reads,
        idempotent_hint=False,
        open_world_hint=True,
    )
