"""Runs one request on a graph, reports it, stops it, and goes on with it: what every way in is built on."""

import asyncio
import json
import logging
import threading
import uuid
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import aclosing, contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from langchain_core.messages import HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import RunControl
from langgraph.types import Command, StateSnapshot

from wavegraph.app.run.cancel import CancelHandle
from wavegraph.app.run.questions import question_of, told
from wavegraph.app.run.result import Result, cut_off, ended
from wavegraph.app.run.threads import ThreadRow, now, read_row, shortened, write_row
from wavegraph.graph._langgraph import COMMIT
from wavegraph.graph.approval import Question
from wavegraph.graph.build import AgentGraph
from wavegraph.graph.dialogue.answers import Speech, read_reply
from wavegraph.graph.dialogue.aside import asked_aside, asking
from wavegraph.graph.dialogue.questions import open_question
from wavegraph.graph.errors import NothingToResume, SettingsError, ThreadBusy, WavegraphError
from wavegraph.graph.execution.write import KEEPS_NOTHING
from wavegraph.graph.guard.cards import mask, mask_json
from wavegraph.graph.request.interruption import is_cut_off, is_open, resumes_behind, stop_update, stopped_answer
from wavegraph.graph.request.new_request import check_version, last_human
from wavegraph.graph.settings import Settings

logger = logging.getLogger("wavegraph")

RECURSION_LIMIT = 60
"""Super-steps. The request's own budget ends the work first; LangGraph's default of 10007 would end nothing."""

OnEvent = Callable[[Mapping[str, Any]], None]
Graph = CompiledStateGraph[Any, Any, Any, Any]

_busy: set[tuple[int, str]] = set()
"""Threads of this process that are at work: id of the checkpointer, id of the thread."""
_busy_lock = threading.Lock()


class Cancelled(WavegraphError):
    """Raised on a cancel where the caller asked for it; `result` is what is known."""

    def __init__(self, result: Result) -> None:
        super().__init__(f"the request on thread {result.thread_id!r} was stopped")
        self.result = result


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
    control: RunControl | None = None,
    shown: str | None = None,
) -> Result:
    """Answer `request` and return how it ended; an earlier request of the thread that was cut off is closed first.

    `thread_id`: the conversation, a new one where left out. `user_id`: whose it is; a thread that has a user
    is refused to every other, one that has none is taken. `cancel`: stops the request from anywhere; what had
    finished is kept, and the result says what is known so far (`outcome: cancelled`) without asking a model.
    Async tools are stopped at once. A sync tool's thread cannot be: a read's result is not used; a write has a
    moment to end, and else is told as one that may or may not have happened, and never sent again by itself.
    `on_event` sees each event; what it raises is logged. `control`: LangGraph's drain (GraphDrained is raised).

    Where a write needs a person's approval, the result asks for it (`outcome: awaiting_approval`, `question`). If it is
    the asker's, a plain yes or no as the thread's next request answers. Anything else is a request of its own: the
    write waits on beside it, and its result has the `question` again.
    `shown`: hash of the terms that whoever says yes has seen (`question["terms_hash"]`); a yes to other terms, and one
    that does not say to which once they have changed, is asked about again.

    Raises SettingsError for settings the agent refuses or a foreign thread; ThreadBusy while another request of
    this process is at work on the thread; Cancelled where `raise_on_cancel`.
    """
    message = HumanMessage(mask(request), id=str(uuid.uuid4()))
    turn = _Turn(graph, thread_id or new_thread_id(), user_id, _settings(graph, settings), message, shown)
    given: Any = {"messages": [message]}
    return await turn.run(given, cancel or CancelHandle(), _Options(on_event, raise_on_cancel, control))


async def resume(
    graph: Graph,
    thread_id: str,
    *,
    reply: Any = None,
    user_id: str | None = None,
    settings: Settings | Mapping[str, Any] | None = None,
    cancel: CancelHandle | None = None,
    on_event: OnEvent | None = None,
    raise_on_cancel: bool = False,
    control: RunControl | None = None,
) -> Result:
    """Go on with the thread's request that was stopped or cut off: only its unfinished calls run.

    `reply`: the answer to what a person was asked (`outcome: awaiting_approval`): for an approval "yes", "no", an
    `Answer`, or an inbox's `{"decisions": [...]}`; for a tool of your own whatever its interrupt takes. What an approval
    cannot take is asked about again (`question["problem"]`). `settings`: left out, those the request was started with;
    its limits were fixed then. Raises NothingToResume where there is nothing; the rest as `run`.
    """
    turn = _Turn(graph, thread_id, user_id, _settings(graph, settings), None)
    given: Any = None if reply is None else Command(resume=mask_json(reply))
    return await turn.run(given, cancel or CancelHandle(), _Options(on_event, raise_on_cancel, control))


async def conversation(graph: Graph, thread_id: str) -> list[Any]:
    """The messages of a thread so far; empty for a new one."""
    snapshot = await graph.aget_state({"configurable": {"thread_id": thread_id}})
    return list(snapshot.values.get("messages", []))


async def stream(graph: Graph, request: str, **options: Any) -> AsyncIterator[Mapping[str, Any] | Result]:
    """The events of `run(graph, request, **options)` as they happen, then its Result. Leaving early stops the request."""
    queue: asyncio.Queue[Mapping[str, Any] | None] = asyncio.Queue()
    cancel = options.pop("cancel", None) or CancelHandle()
    watcher = options.pop("on_event", None)

    def on_event(event: Mapping[str, Any]) -> None:
        queue.put_nowait(event)
        if watcher:
            watcher(event)

    work = asyncio.ensure_future(run(graph, request, cancel=cancel, on_event=on_event, **options))
    work.add_done_callback(lambda _: queue.put_nowait(None))
    try:
        while (event := await queue.get()) is not None:
            yield event
        yield await work
    finally:
        if not work.done():
            cancel.cancel()
            await asyncio.gather(work, return_exceptions=True)


def _settings(graph: Graph, given: Settings | Mapping[str, Any] | None) -> Any:
    """Of the agent's own type; the context of a graph around it is not ours to read."""
    model: Any = graph.builder.context_schema or Settings
    if isinstance(given, model) or not issubclass(model, Settings):
        return given
    chosen = given.model_dump(exclude_unset=True) if isinstance(given, Settings) else dict(given or {})
    return model.model_validate(chosen)


@dataclass
class _Options:
    on_event: OnEvent | None
    raise_on_cancel: bool
    control: RunControl | None
    _failed: bool = field(default=False, init=False)

    def tell(self, event: Mapping[str, Any]) -> None:
        """A watcher that fails is told no more; the request is none of its business."""
        if self.on_event is None or self._failed:
            return
        try:
            self.on_event(event)
        except Exception:
            self._failed = True
            logger.exception("on_event failed and is called no more")


@dataclass
class _Turn:
    """One request on one thread, from its first step to its result."""

    graph: Graph
    thread_id: str
    user_id: str | None
    settings: Any
    message: HumanMessage | None
    shown_terms: str | None = None
    row: ThreadRow | None = None
    values: dict[str, Any] = field(default_factory=dict)
    running: set[str] = field(default_factory=set)
    closing: dict[str, Any] = field(default_factory=dict)
    """What the request's last step wrote; empty = it has not come to that."""

    def __post_init__(self) -> None:
        self.keeps = bool(self.graph.checkpointer)
        self.agent = self.graph.builder.agent if isinstance(self.graph.builder, AgentGraph) else None
        self.request = str(self.message.text) if self.message else ""
        if self.agent and not self.keeps:
            # What a stopped step had finished is told by a checkpointer alone: events may still be on their way.
            self.graph = self.graph.copy(update={"checkpointer": InMemorySaver()})

    @property
    def _config(self) -> RunnableConfig:
        whose = {"user_id": self.user_id} if self.user_id else {}
        forgets = {} if self.keeps else {KEEPS_NOTHING: True}
        return {
            "configurable": {"thread_id": self.thread_id, **forgets},
            "metadata": whose,
            "recursion_limit": RECURSION_LIMIT,
        }

    @staticmethod
    def _is_new(given: Any) -> bool:
        """Whether a request begins; None and a Command go on with one."""
        return isinstance(given, dict)

    async def run(self, given: Any, handle: CancelHandle, options: "_Options") -> Result:
        with self._alone():
            snapshot = await self._opened(given)
            given = await self._replying(given, snapshot)
            if handle.cancelled:
                result = await self._unstarted(snapshot)
            else:
                await self._made_ready(given, snapshot)
                result = await self._worked(given, handle, options)
        if result.outcome == "cancelled" and options.raise_on_cancel:
            raise Cancelled(result)
        return result

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Two requests at once would tear one thread's state apart."""
        key = (id(self.graph.checkpointer), self.thread_id)
        with _busy_lock:
            if self.keeps and key in _busy:
                raise ThreadBusy(f"thread {self.thread_id!r} is at work on another request; wait for it, or cancel it")
            _busy.add(key)
        try:
            yield
        finally:
            with _busy_lock:
                _busy.discard(key)

    async def _opened(self, given: Any) -> StateSnapshot | None:
        """The thread as it is; None where nothing is kept. Refuses a foreign one, and a resume of nothing."""
        if not self.keeps:
            if not self._is_new(given):
                raise NothingToResume("a graph without a checkpointer keeps nothing to resume")
            return None
        snapshot = await self.graph.aget_state(self._config)
        self.row = await read_row(self.graph.store, self.thread_id)
        check_version(snapshot.values)
        owner = (self.row.user_id if self.row else None) or (snapshot.metadata or {}).get("user_id")
        if owner and owner != self.user_id:
            raise SettingsError(f"thread {self.thread_id!r} belongs to another user than {self.user_id!r}")
        if not self._is_new(given) and not _can_resume(snapshot):
            known = snapshot.config["configurable"].get("checkpoint_id")
            why = "has no request that was cut off" if known else "is not known here: nothing of it was stored"
            raise NothingToResume(f"thread {self.thread_id!r} {why}")
        return snapshot

    async def _asked_again(self, given: Any, snapshot: StateSnapshot | None) -> Any:
        """An answer to what waits beside a request that was stopped: that request is given up for it."""
        state: Any = snapshot.values if snapshot else {}
        if isinstance(given, Command) and snapshot and not snapshot.interrupts and asked_aside(state):
            await self._commit()
            await self.graph.aupdate_state(self._config, {"outcome": "cancelled"}, as_node="check_answer")
        return given

    async def _replying(self, given: Any, snapshot: StateSnapshot | None) -> Any:
        """What to give the graph where it asks for an approval: a new request goes to the question, and may answer it."""
        question = question_of(snapshot)
        if question is None or self.message is None:
            return await self._asked_again(given, snapshot)
        said = {"messages": [self.message], "terms_hash": self.shown_terms or None}
        if not isinstance(read_reply(said, question), Speech):
            self.message, self.request = None, ""
        return Command(resume=said)

    async def _made_ready(self, given: Any, snapshot: StateSnapshot | None) -> None:
        """Close a request that was cut off where a new one comes; arm one that lost its next step."""
        if snapshot is not None and self._is_new(given) and snapshot.tasks:
            await self._commit()
        if snapshot is not None and given is None and not snapshot.tasks:  # it was killed while it was being stopped
            state: Any = snapshot.values
            await self.graph.aupdate_state(self._config, None, as_node=resumes_behind(state))
        request = self.request or (self.row.request if self.row else "") or _last_request(snapshot)
        await self._note(None, request)

    async def _note(self, result: Result | None, request: str = "") -> None:
        """Keep the thread's row up to date."""
        if not self.keeps:
            return
        self.row = ThreadRow(
            thread_id=self.thread_id,
            user_id=self.user_id,
            request=shortened(request) if request or self.row is None else self.row.request,
            outcome=result.outcome if result else None,
            can_resume=result.can_resume if result else True,
            updated=now(),
        )
        await write_row(self.graph.store, self.row)

    async def _worked(self, given: Any, handle: CancelHandle, options: "_Options") -> Result:
        work = asyncio.ensure_future(self._consume(given, options))
        try:
            with handle.stops(work):
                await work
        except asyncio.CancelledError:
            if not handle.cancelled or _is_being_cancelled():
                raise
            result = await self._closed_late() if self.closing else await self._stopped()
        else:
            result = await self._ended()
        await self._note(result)
        return result

    async def _consume(self, given: Any, options: "_Options") -> None:
        stream: Any = self.graph.astream(
            given,
            self._config,
            context=self.settings,
            stream_mode=["custom", "values", "updates"],
            # Not "async": where the database is slow, checkpoints then fall behind the work, and a process that is
            # killed loses calls that had ended seconds ago, writes among them. The wait is a few milliseconds a step.
            durability="sync" if self.graph.checkpointer else None,
            control=options.control,
        )
        async with aclosing(stream) as parts:
            async for mode, part in parts:
                self._see(mode, part)
                if mode == "custom":
                    options.tell(part)

    def _see(self, mode: str, part: Any) -> None:
        """Keep what is known of the work: the last state, the request's end, the calls that run."""
        if mode == "values":
            self.values = dict(part)
        elif mode == "updates":
            check = part.get("check_answer")
            if check and check.get("outcome"):
                self.values.update(check)
                self.closing = check
        elif part.get("event") == "tool_started":
            self.running.add(part["id"])
        elif part.get("event") == "tool_finished":
            self.running.discard(part["id"])

    async def _commit(self) -> None:
        """Keep the finished calls of an unfinished step; new input, or a value written first, would drop them."""
        await self.graph.aupdate_state(self._config, None, as_node=COMMIT)

    async def _ended(self) -> Result:
        """The end of the work: of the request too, or of as much as goes before a person is asked."""
        snapshot = await self.graph.aget_state(self._config) if self.graph.checkpointer else None
        question = question_of(snapshot)
        if self.closing or snapshot is None or not snapshot.next:
            return self._with_question(ended(self.values, self.thread_id), question)
        asked = told(question) if question else "\n".join(_shown(i.value) for i in snapshot.interrupts)
        state: Any = snapshot.values
        known: Any = asking(state) if question else state if is_open(state) else {}
        left = cut_off("awaiting_approval", known, asked, thread_id=self.thread_id, can_resume=self.keeps)
        return self._with_question(left, question)

    def _with_question(self, result: Result, question: Question | None) -> Result:
        """The result, with what waits for a person beside it."""
        return replace(result, question=question, can_resume=self.keeps) if question else result

    async def _closed_late(self) -> Result:
        """A cancel that came with the last step stops nothing any more, and takes no question away."""
        question = None
        if self.graph.checkpointer:
            await self._commit()
            state: Any = (await self.graph.aget_state(self._config)).values
            waits = bool(asked_aside(state))
            if waits or is_cut_off(state):  # the step had ended, and was not stored
                await self.graph.aupdate_state(self._config, self.closing, as_node="check_answer")
            question = question_of(await self.graph.aget_state(self._config))
        return self._with_question(ended(self.values, self.thread_id), question)

    async def _unstarted(self, snapshot: StateSnapshot | None) -> Result:
        """A cancel that came before the start: nothing runs, and the thread stays as it is."""
        state: Any = snapshot.values if snapshot and not self.request else {}
        return await self._told(state, can_resume=not self.request)

    async def _stopped(self) -> Result:
        if self.agent is None:
            can_resume = self.keeps and bool((await self.graph.aget_state(self._config)).next)
            return await self._told({}, can_resume=can_resume)
        await self._commit()
        state: Any = (await self.graph.aget_state(self._config)).values
        if (lost := self._lost(state)) is not None:
            state = {**state, "messages": [*state.get("messages", []), lost]}
        elif not is_cut_off(state):  # its last step had ended, and nobody had been told yet
            return ended({**self.values, **state}, self.thread_id)
        result = await self._told(state, can_resume=self.keeps)
        await self.graph.aupdate_state(
            self._config, stop_update(state, result.answer, lost), as_node=resumes_behind(state)
        )
        question = open_question(state, self.agent.domain, self._settled()) if asked_aside(state) else None
        return self._with_question(result, question)

    def _lost(self, state: Any) -> HumanMessage | None:
        """The request's message, where the stop came before it was stored."""
        known = {message.id for message in state.get("messages", [])}
        return self.message if self.message and self.message.id not in known else None

    async def _told(self, state: Any, *, can_resume: bool) -> Result:
        known: Any = state if state and is_open(state) else {}
        text = self.request or (self.row.request if self.row else "")
        answer = await stopped_answer(known, text, self._settled(), self.agent, self.running)
        return cut_off("cancelled", known, answer, thread_id=self.thread_id, can_resume=can_resume)

    def _settled(self) -> Any:
        return self.agent.settled(self.settings) if self.agent else self.settings


def _can_resume(snapshot: StateSnapshot) -> bool:
    """Also where every task of the last step had ended: their results wait there, and `next` names no one any more."""
    state: Any = snapshot.values
    return bool(snapshot.tasks) or is_cut_off(state)


def _last_request(snapshot: StateSnapshot | None) -> str:
    asked = last_human(snapshot.values.get("messages", [])) if snapshot else None
    return str(asked.text) if asked else ""


def _is_being_cancelled() -> bool:
    """Whether the caller's own task is to end (`asyncio.timeout`, a task group), whatever the handle says."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
