"""Runs, stops and resumes one request on a graph: what every way in is built on."""

import asyncio
import json
import logging
import uuid
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, aclosing, nullcontext, suppress
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Annotated, Any, cast

from langchain_core.messages import HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph.state import CompiledStateGraph, StateGraph
from langgraph.runtime import RunControl
from langgraph.types import Command, StateSnapshot
from pydantic import Field, TypeAdapter, ValidationError

from wavegraph.app.run.cancel import CancelHandle
from wavegraph.app.run.interruption import (
    is_cut_off,
    is_open,
    language_unopened,
    resumes_behind,
    stop_update,
    stopped_answer,
)
from wavegraph.app.run.questions import question_of, question_text
from wavegraph.app.run.result import Result, cut_off, ended_result
from wavegraph.app.run.thread_ids import is_thread_id, new_thread_id
from wavegraph.app.run.threads import ThreadRow, now, read_row, shortened, write_row
from wavegraph.app.storage.leases import sole_work_on
from wavegraph.graph._langgraph import COMMIT, SENT_AT_MS
from wavegraph.graph.approval import Question
from wavegraph.graph.build import AgentGraph, whole_state
from wavegraph.graph.dialogue.answers import Speech, read_reply
from wavegraph.graph.dialogue.messages import is_of_calls, now_ms
from wavegraph.graph.dialogue.questions import asked_aside, asking, open_question
from wavegraph.graph.errors import SettingsError, WavegraphError, short_repr
from wavegraph.graph.events import Event
from wavegraph.graph.execution.write import KEEPS_NOTHING
from wavegraph.graph.guard.cards import mask, mask_json
from wavegraph.graph.guard.size import oversize
from wavegraph.graph.language import say
from wavegraph.graph.request.new_request import check_version, last_human
from wavegraph.graph.request.stop import Stop, Stopped
from wavegraph.graph.secrets.scrubber import process
from wavegraph.graph.secrets.ways_out import cleaned_errors, guard
from wavegraph.graph.settings import Settings, settings_of
from wavegraph.graph.state import MOST_MESSAGE_CHARS, cut_message, with_defaults


class NothingToResume(WavegraphError):
    """The thread has no request that was cut off."""


logger = logging.getLogger("wavegraph")

RECURSION_LIMIT = 60
"""Super-steps. The request's own budget ends the work first; LangGraph's default of 10007 would end nothing."""

OnEvent = Callable[[Mapping[str, Any]], None]
Graph = CompiledStateGraph[Any, Any, Any, Any]


class Cancelled(WavegraphError):
    """Raised on a cancel if the caller asked for it; `result` is what is known."""

    def __init__(self, result: Result) -> None:
        super().__init__(f"the request on thread {result.thread_id!r} was stopped")
        self.result = result


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
    sent_at_ms: int | None = None,
) -> Result:
    """Answer `request` and return how it ended; an earlier request of the thread that was cut off is closed first.

    `thread_id`: the conversation; None = a new one. `user_id`: its owner; a thread with an owner is refused to
    everyone else, one without becomes this user's. `cancel`: stops the request from anywhere; finished calls are
    kept, and the result says what is known so far (`outcome: cancelled`) without asking a model.
    Async tools are stopped at once. A sync tool's thread cannot be stopped: a read's result is not used; a write gets
    a moment to end, else it is reported as one that may or may not have happened, and is never retried by itself.
    `on_event` gets each event, and what a tool writes into the stream itself as `{"event": "custom", "data": …}`; what it
    raises is logged. `control`: LangGraph's drain (GraphDrained is raised).

    Where a write needs a person's approval, the result asks for it (`outcome: awaiting_approval`, `question`). If the
    user who made the request decides, a plain yes or no as the thread's next request answers it. Anything else is a new
    request: the write keeps waiting, and the result has the `question` again.
    `shown`: hash of the terms the user has seen (`question["terms_hash"]`); a yes to other terms, or one without the
    hash after the terms have changed, is asked about again. `sent_at_ms`: when the request was sent, in milliseconds since
    1970; None = now. A yes that was sent before a question was shown does not answer it.

    A request of more characters than are read (`max_message_chars`) is not begun: the result says so (`outcome: clarify`),
    and the thread stays as it is.

    Raises SettingsError for settings the agent refuses or another user's thread; ThreadBusy, at once, while another
    request of the thread is at work, or once it has taken the thread over; Cancelled if `raise_on_cancel`.
    """
    _check_request(request)
    chosen, thread = _settings(graph, settings), new_thread_id() if thread_id in (None, "") else thread_id
    if (length := len(request)) > (most := _most_chars(chosen)):
        turn = _Turn(graph, thread, user_id, chosen, None)
        why = say("too_long", language_unopened(request, chosen, turn.agent), length=length, limit=most)
        return await turn.refused({}, why)
    message = HumanMessage(mask(request), id=str(uuid.uuid4()))
    given: Any = {"messages": [message]}
    turn = _Turn(graph, thread, user_id, chosen, message, shown, sent_at_ms or now_ms())
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
    sent_at_ms: int | None = None,
) -> Result:
    """Resume the thread's request that was stopped or cut off: only its unfinished calls run.

    `reply`: the answer to what a person was asked (`outcome: awaiting_approval`): for an approval "yes", "no", an
    `Answer`, or an inbox's `{"decisions": [...]}`; for your own tool whatever its interrupt takes. What an approval
    cannot take is asked about again (`question["problem"]`), as is a reply with a longer text than is read. `settings`: None = those the request was started with;
    its limits were fixed then. `sent_at_ms`: of the reply, as `run` takes it. Raises NothingToResume if there is none; the
    rest as `run`.
    """
    chosen = _settings(graph, settings)
    turn = _Turn(graph, thread_id, user_id, chosen, None, sent_at_ms=sent_at_ms or now_ms())
    if why := oversize(reply, _most_chars(chosen)):
        return await turn.refused(None, why)
    given: Any = None if reply is None else Command(resume=mask_json(reply))
    return await turn.run(given, cancel or CancelHandle(), _Options(on_event, raise_on_cancel, control))


async def conversation(graph: Graph, thread_id: str) -> list[Any]:
    """What was said in a thread so far; empty for a new one."""
    snapshot = await graph.aget_state({"configurable": {"thread_id": thread_id}})
    return [each for each in snapshot.values.get("messages", []) if not is_of_calls(each)]


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


def _check_request(request: Any) -> None:
    """Raises SettingsError for one that is not text."""
    if not isinstance(request, str):
        raise SettingsError(
            f"request = {short_repr(request)}: give the person's words as text; a graph's whole input is for graph.ainvoke"
        )


def _check_graph(graph: Any) -> None:
    if not isinstance(graph, CompiledStateGraph):
        way_out = (
            "call .compile() first"
            if isinstance(graph, StateGraph)
            else "give what create_agent returns, or build_graph(domain).compile()"
        )
        raise SettingsError(f"graph = {short_repr(graph)} is not a compiled graph: {way_out}")


def _settings(graph: Graph, given: Settings | Mapping[str, Any] | None) -> Any:
    """Settings of the agent's own type; the context of a graph around it is passed as it is. Raises SettingsError."""
    _check_graph(graph)
    model: Any = graph.builder.context_schema or Settings
    return settings_of(given, model, "settings") if issubclass(model, Settings) else given


def _most_chars(chosen: Any) -> int:
    """Of a request, and of each text of a reply."""
    return chosen.max_message_chars if isinstance(chosen, Settings) else MOST_MESSAGE_CHARS


@dataclass
class _Options:
    on_event: OnEvent | None
    raise_on_cancel: bool
    control: RunControl | None
    _failed: bool = field(default=False, init=False)

    def send(self, event: Mapping[str, Any]) -> None:
        """Call `on_event` until it first fails; a failure never affects the request."""
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
    sent_at_ms: int | None = None
    row: ThreadRow | None = None
    values: dict[str, Any] = field(default_factory=dict)
    running: set[str] = field(default_factory=set)
    closing: dict[str, Any] = field(default_factory=dict)
    """What the request's last step wrote; empty = it has not run."""

    def __post_init__(self) -> None:
        for name, given in (("thread_id", self.thread_id), ("user_id", self.user_id or "")):
            if not isinstance(given, str):
                raise SettingsError(f"{name} = {short_repr(given)} is not text; give {str(given)!r}")
        if not is_thread_id(self.thread_id):
            raise SettingsError(f"thread {self.thread_id!r} cannot be stored: its id holds a NUL or no valid Unicode")
        self.graph = whole_state(self.graph)
        self.keeps = bool(self.graph.checkpointer)
        self.agent = self.graph.builder.agent if isinstance(self.graph.builder, AgentGraph) else None
        self.request = str(self.message.text) if self.message else ""
        if self.agent and not self.keeps:
            # Only a checkpointer knows what a stopped step had finished: events may still be on their way.
            self.graph = self.graph.copy(update={"checkpointer": InMemorySaver()})

    @property
    def _config(self) -> RunnableConfig:
        whose = {"user_id": self.user_id} if self.user_id else {}
        forgets = {} if self.keeps else {KEEPS_NOTHING: True}
        return {
            "configurable": {"thread_id": self.thread_id, SENT_AT_MS: self.sent_at_ms, **forgets},
            "metadata": whose,
            "recursion_limit": RECURSION_LIMIT,
        }

    @staticmethod
    def _is_new(given: Any) -> bool:
        """Whether a request begins; None and a Command go on with one."""
        return isinstance(given, dict)

    async def run(self, given: Any, handle: CancelHandle, options: "_Options") -> Result:
        guard()
        with cleaned_errors():
            async with self._alone():
                snapshot = await self._open_thread(given)
                given = await self._reply_input(given, snapshot)
                if handle.cancelled:
                    result = await self._stopped_before_start(snapshot)
                else:
                    await self._prepare(given, snapshot)
                    result = await self._work_to_end(given, handle, options)
        if result.outcome == "cancelled" and options.raise_on_cancel:
            raise Cancelled(result)
        return result

    async def refused(self, given: Any, why: str) -> Result:
        """The result of a request, or of a reply (`given` None), that is too long to take: nothing of it is kept, and the
        thread stays as it is."""
        guard()
        with cleaned_errors():
            snapshot = await self._open_thread(given)
        outcome, answer, question = "clarify", why, question_of(snapshot)
        if not self._is_new(given):
            question = cast(Question, {**question, "problem": why}) if question else None
            outcome, answer = "awaiting_approval", question_text(question) if question else why
        waits = snapshot is not None and _can_resume(snapshot)
        left = cut_off(outcome, cast(Any, {}), answer, thread_id=self.thread_id, can_resume=waits)
        return self._with_question(left, question)

    def _alone(self) -> AbstractAsyncContextManager[None]:
        """Two requests at once would corrupt the thread's state."""
        return sole_work_on(self.graph.checkpointer, self.thread_id) if self.keeps else nullcontext()

    async def _open_thread(self, given: Any) -> StateSnapshot | None:
        """The thread's snapshot; None without a checkpointer. Refuses another user's thread and a resume of nothing."""
        if not self.keeps:
            if not self._is_new(given):
                raise NothingToResume("a graph without a checkpointer keeps nothing to resume")
            return None
        snapshot = await self.graph.aget_state(self._config)
        self.row = await read_row(self.graph.store, self.thread_id)
        check_version(snapshot.values)
        owner = (self.row.user_id if self.row else None) or (snapshot.metadata or {}).get("user_id")
        if owner and owner != self.user_id:
            raise SettingsError(f"thread {self.thread_id!r} belongs to another user, not {self.user_id!r}")
        if not self._is_new(given) and not _can_resume(snapshot):
            known = snapshot.config["configurable"].get("checkpoint_id")
            why = "has no request that was cut off" if known else "is unknown here: nothing was stored for it"
            raise NothingToResume(f"thread {self.thread_id!r} {why}")
        return snapshot

    async def _give_up_stopped(self, given: Any, snapshot: StateSnapshot | None) -> Any:
        """Give up a stopped request when the reply answers an earlier question that waits on the thread."""
        state: Any = with_defaults(snapshot.values if snapshot else {})
        if isinstance(given, Command) and snapshot and not snapshot.interrupts and asked_aside(state):
            await self._commit()
            await self.graph.aupdate_state(self._config, {"outcome": "cancelled"}, as_node="check_answer")
        return given

    async def _reply_input(self, given: Any, snapshot: StateSnapshot | None) -> Any:
        """The graph's input if an approval is open: a new request goes to its question, and may answer it."""
        question = question_of(snapshot)
        if question is None or self.message is None:
            return await self._give_up_stopped(given, snapshot)
        reply = {"messages": [self.message], "terms_hash": self.shown_terms or None}
        if not isinstance(read_reply(reply, question), Speech):
            self.message, self.request = None, ""
        return Command(resume=reply)

    async def _prepare(self, given: Any, snapshot: StateSnapshot | None) -> None:
        """Close a request that was cut off before a new one; give one that lost its next step that step again."""
        if snapshot is not None and self._is_new(given) and snapshot.tasks:
            await self._commit()
        if snapshot is not None and given is None and not snapshot.tasks:  # the process was killed while stopping it
            state: Any = with_defaults(snapshot.values)
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

    async def _work_to_end(self, given: Any, handle: CancelHandle, options: "_Options") -> Result:
        stop = Stop()
        work = asyncio.ensure_future(self._consume(given, options, stop))
        # A graph around the agent has nodes that know of no stop.
        stopping = stop.request if self.agent else work.cancel
        try:
            with handle.calls(stopping):
                await asyncio.shield(work)
        except (asyncio.CancelledError, Stopped):
            stopping()
            await _end_of(work)
            if not handle.cancelled or _is_being_cancelled():
                raise asyncio.CancelledError from None
            result = await self._after_stop(options)
        else:
            result = await self._ended()
        await self._note(result)
        return result

    async def _after_stop(self, options: "_Options") -> Result:
        if not self.closing:
            return await self._stopped()
        await self._consume(None, options, Stop())  # it was answered: what waits beside it is asked about again
        return await self._ended()

    async def _consume(self, given: Any, options: "_Options", stop: Stop) -> None:
        if self.agent:
            stop.begin()
        stream: Any = self.graph.astream(
            given,
            self._config,
            context=self.settings,
            stream_mode=["custom", "values", "updates"],
            # Not "async": where the database is slow, checkpoints then fall behind the work, and a process that is
            # killed loses calls that had ended seconds ago, writes among them. The wait is the database's.
            durability="sync" if self.graph.checkpointer else None,
            control=options.control,
        )
        async with aclosing(stream) as parts:
            async for mode, part in parts:
                if mode == "custom":
                    event = _as_event(part)
                    self._note_running(event)
                    options.send(event)
                else:
                    self._see(mode, part)

    def _see(self, mode: str, part: Any) -> None:
        """Note the last state and the request's end."""
        if mode == "values":
            self.values = dict(part)
        elif self.agent and (check := part.get("check_answer")) and check.get("outcome"):
            self.values.update(check)
            self.closing = check

    def _note_running(self, event: Mapping[str, Any]) -> None:
        if event["event"] == "tool_started":
            self.running.add(event["id"])
        elif event["event"] == "tool_finished":
            self.running.discard(event["id"])

    async def _commit(self) -> None:
        """Store the finished calls of an unfinished step; new input, or a value written first, would drop them."""
        await self.graph.aupdate_state(self._config, None, as_node=COMMIT)

    async def _ended(self) -> Result:
        """The result when the graph has stopped: at the request's end, or where a person is asked."""
        snapshot = (
            await self.graph.aget_state(self._config) if self.graph.checkpointer and not self._is_over() else None
        )
        question = question_of(snapshot)
        if self.closing or snapshot is None or not snapshot.next:
            return self._with_question(ended_result(self.values, self.thread_id), question)
        asked = question_text(question) if question else "\n".join(_value_text(i.value) for i in snapshot.interrupts)
        state: Any = with_defaults(snapshot.values)
        known: Any = asking(state) if question else state if is_open(state) else {}
        left = cut_off("awaiting_approval", known, asked, thread_id=self.thread_id, can_resume=self.keeps)
        return self._with_question(left, question)

    def _is_over(self) -> bool:
        """Whether nothing on the thread waits for a person, as its last step left it: then it need not be opened again."""
        state: Any = self.values
        return bool(self.agent and self.closing and state.get("outcome")) and not asked_aside(state)

    def _with_question(self, result: Result, question: Question | None) -> Result:
        """The result, with the question that waits for a person, if any."""
        return replace(result, question=question, can_resume=self.keeps) if question else result

    async def _stopped_before_start(self, snapshot: StateSnapshot | None) -> Result:
        """The result of a cancel before the start: nothing runs, and the thread is unchanged."""
        state: Any = with_defaults(snapshot.values) if snapshot and not self.request else {}
        return await self._stopped_result(state, can_resume=not self.request)

    async def _stopped(self) -> Result:
        if self.agent is None:
            can_resume = self.keeps and bool((await self.graph.aget_state(self._config)).next)
            return await self._stopped_result({}, can_resume=can_resume)
        await self._commit()
        state: Any = with_defaults((await self.graph.aget_state(self._config)).values)
        if (lost := self._lost(state)) is not None:
            state = {**state, "messages": [*state.get("messages", []), lost]}
        elif not is_cut_off(state):  # its last step had ended, but the result was not returned yet
            return ended_result({**self.values, **state}, self.thread_id)
        result = await self._stopped_result(state, can_resume=self.keeps)
        await self.graph.aupdate_state(
            self._config, stop_update(state, result.answer, lost), as_node=resumes_behind(state)
        )
        question = open_question(state, self.agent.domain, self._settled()) if asked_aside(state) else None
        return self._with_question(result, question)

    def _lost(self, state: Any) -> HumanMessage | None:
        """The request's message, if the stop came before it was stored."""
        known = {message.id for message in state.get("messages", [])}
        lost = self.message if self.message and self.message.id not in known else None
        return cast(HumanMessage, cut_message(lost)) if lost else None

    async def _stopped_result(self, state: Any, *, can_resume: bool) -> Result:
        known: Any = state if state and is_open(state) else {}
        text = self.request or (self.row.request if self.row else "")
        answer = await stopped_answer(known, text, self._settled(), self.agent, self.running)
        return cut_off("cancelled", known, answer, thread_id=self.thread_id, can_resume=can_resume)

    def _settled(self) -> Any:
        return self.agent.settled(self.settings) if self.agent else self.settings


def _can_resume(snapshot: StateSnapshot) -> bool:
    """Also if every task of the last step had ended: their results are pending, and `next` is empty."""
    state: Any = with_defaults(snapshot.values)
    return bool(snapshot.tasks) or is_cut_off(state)


def _last_request(snapshot: StateSnapshot | None) -> str:
    asked = last_human(snapshot.values.get("messages", [])) if snapshot else None
    return str(asked.text) if asked else ""


async def _end_of(work: "asyncio.Future[None]") -> None:
    """Wait for it, also where the caller is cancelled meanwhile."""
    while not work.done():
        with suppress(asyncio.CancelledError):
            await asyncio.wait([work])


def _is_being_cancelled() -> bool:
    """Whether the caller's own task is being cancelled (`asyncio.timeout`, a task group), besides the handle."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def _value_text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _as_event(part: Any) -> Mapping[str, Any]:
    """What came over the `custom` stream, as an event; what is not our own as `custom`, without secrets: a tool may write
    anything there."""
    try:
        _events().validate_python(part, strict=True)
    except ValidationError:
        return {"event": "custom", "data": process.scrub_json(part)}
    return part  # type: ignore[no-any-return]


@cache
def _events() -> TypeAdapter[Event]:
    return TypeAdapter(Annotated[Event, Field(discriminator="event")])
