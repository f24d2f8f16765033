"""Before and after a write: whether it is already done, whether a person agrees, whether it happened after all; and whether
a person lets a read run that only its server calls one.

A write with a `look_up` finds out by itself what it did before; one declared `repeatable` may be sent again at will. Any
other is remembered under its signature, with when it was sent and what came of it: planned again by a later request of the
thread, it is sent again only with a yes.

However many runs and processes take its call up, it is sent once. In this process the runs of one request share what became of
the call: who comes second waits for the first and takes its end, also after a stop. A process may end before the write's end is
stored: that the call is about to be sent is noted in the graph's store, and whoever finds the note reports `write_unknown` where
it would send a second time. A store and a checkpointer of `open_storage` know which run holds a thread. The note is kept in one
transaction with a look at that, so that whoever takes the thread over finds the note, or the run that has lost it sends nothing.
"""

import asyncio
import threading
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import Future
from datetime import UTC, datetime
from typing import Any, Literal
from weakref import WeakKeyDictionary

from langgraph.config import get_config
from langgraph.runtime import ExecutionInfo, Runtime
from langgraph.store.base import BaseStore

from wavegraph.graph._langgraph import CHECKPOINTER
from wavegraph.graph.approval import MOST_ASKED, Approval, Asked, Terms, always, hash_of, plain_approval
from wavegraph.graph.domain import Domain
from wavegraph.graph.domain_tool import DomainTool
from wavegraph.graph.errors import ThreadBusy, excerpt, kind_of_fault, logger
from wavegraph.graph.events import emit
from wavegraph.graph.execution.tool_call import LOOK_UP, CallEnd, as_result, cut_off_end, never_started, run
from wavegraph.graph.language import say
from wavegraph.graph.ledger import (
    GOOD,
    NOT_FOUND_AFTER,
    REJECTED,
    WRITE_UNKNOWN,
    canonical,
    not_agreed,
    outcome_without_run,
)
from wavegraph.graph.limits import asked_step, next_wave
from wavegraph.graph.ready import PlanStep
from wavegraph.graph.settings import Settings
from wavegraph.graph.state import AgentState, CallStatus, SentWrite, ToolError, ToolOutcome, WaveCall, key_of

LOOKS_UP_WITHIN_S = 2.0
"""How long a look-up may take after a write was cut short."""
RELEASES_WITHIN_S = 5.0
KEEPS_NOTHING = "wavegraph_keeps_nothing"
"""In `configurable`: the run's checkpointer ends with the run, so no question could be answered later."""
MAY_HAVE_HAPPENED = frozenset({WRITE_UNKNOWN, "timeout", "tool_error", "unexpected_data", "too_large"})
"""Error codes that do not say that a write did nothing; any other is a refusal."""
LONGEST_RESULT = 500
"""Characters kept of what a write gave back."""
CUT_OFF = "cut off"
"""What is remembered as the end of a write that was cut off."""
DONE_BEFORE = "done_before"
"""In the details of terms: when the same write was sent before, and what came of it."""


async def before_write(tool: DomainTool, call: WaveCall, settings: Settings) -> CallEnd | Asked | None:
    """None: the write may be sent. Else its end without sending, or the question for a person.

    The write is looked up before each sending, even if a failed one was looked up already: its effect may come late.
    """
    if tool.look_up:
        found = await run(lambda _: _effect(tool, call["call"]["args"], settings), tool, "read", call)
        if found.status != "ok" or found.data is not None:
            return found
    if is_asked_about(tool, call["call"]["args"]) or call.get("sent_before") or call["approval"]:
        return await _question_or_end(tool, approval_for(tool), call, settings)
    return None


def is_asked_about(tool: DomainTool, args: Mapping[str, Any]) -> bool:
    """Whether a person agrees first to a call with these arguments."""
    if tool.approval is None:
        return False
    try:
        return tool.approval.when(args)
    except Exception as error:  # noqa: BLE001  anybody's code; where it does not say, a person does
        logger.error("whether %s is asked about cannot be told: %s", tool.name, kind_of_fault(error))
        return True


async def before_read(tool: DomainTool, call: WaveCall, settings: Settings) -> CallEnd | Asked | None:
    """None: the read may run. Else its end without running, or the question for a person."""
    form = tool.approval.once if tool.approval else None
    if tool.approval is None or form is None or call.get("agreed") == form:
        return None
    asked = await _question_or_end(tool, tool.approval, call, settings)
    return {**asked, "once": form} if isinstance(asked, dict) else asked


def declined_outcome(tool: DomainTool, call: WaveCall) -> ToolOutcome | None:
    """The end of a read whose tool a person has not agreed to in this request; None = nobody has said no."""
    before, form = call["approval"], tool.approval.once if tool.approval else None
    if form is None or before is None or before.get("once") != form or before["decision"] != "reject":
        return None
    args, plan, why = call["call"]["args"], call["call"]["plan"], not_agreed(before["reason"])
    return outcome_without_run(tool.name, args, call["signature"], plan, REJECTED, why, status="error")


async def settled_write(ended: CallEnd, tool: DomainTool, call: WaveCall, settings: Settings) -> CallEnd:
    """The end of a write. One that failed, unless by a permanent refusal, is looked up.

    If found, it is done. If not, it did not happen and may be planned again; a failed look-up proves nothing.
    One gap remains: an effect applied only after both this look-up and the one before the next sending. A system that
    may do so needs an idempotency key of its own.
    """
    lasts = ended.error is not None and not ended.error["retryable"] and ended.error["code"] != WRITE_UNKNOWN
    if tool.look_up is None or ended.error is None or lasts:
        return ended
    found = await _looked_up(tool, call["call"]["args"], settings)
    if isinstance(found, CallEnd):
        return found._replace(attempts=ended.attempts)
    return ended._replace(error={**ended.error, "retryable": False}) if found else _not_found(ended, ended.error)


async def already_done(tool: DomainTool, asked: Asked, settings: Settings) -> CallEnd | None:
    """The end of a write that has happened though no yes to it is stored: the process that sent it may have been killed.

    None = it did not happen. A look-up that fails leaves it unknown.
    """
    found = await _looked_up(tool, asked["args"], settings)
    if found == "failed":
        return never_started(WRITE_UNKNOWN, f"whether {tool.name} had happened before could not be looked up")
    return found


def _not_found(ended: CallEnd, error: ToolError) -> CallEnd:
    """The end of a write that a look-up did not find. One still running in its thread may yet happen."""
    if not error["retryable"]:
        return ended
    message = f"{error['message'].removesuffix(LOOK_UP)}; {NOT_FOUND_AFTER}"
    known = "timeout" if ended.status == "timeout" else "tool_error"
    code = known if error["code"] == WRITE_UNKNOWN else error["code"]
    status = "error" if ended.status == "partial" else ended.status
    return ended._replace(status=status, error={"code": code, "message": message, "retryable": True})


async def _looked_up(
    tool: DomainTool, args: Mapping[str, Any], settings: Settings
) -> CallEnd | Literal["failed"] | None:
    """The end of a write that has happened; None = it has not."""
    try:
        async with asyncio.timeout(LOOKS_UP_WITHIN_S):
            found = await _effect(tool, args, settings)
    except Exception as error:  # noqa: BLE001  the domain's own code; what cannot be looked up stays unknown
        logger.warning("the effect of %s could not be looked up: %s", tool.name, type(error).__name__)
        return "failed"
    return None if found is None else CallEnd("ok", found, None, 0)


async def _effect(tool: DomainTool, args: Mapping[str, Any], settings: Settings) -> Any:
    """The result of a write that has happened; None = it has not."""
    raw = await tool.look_up(args, settings) if tool.look_up else None
    return None if raw is None else as_result(tool, raw, settings)


async def _question_or_end(
    tool: DomainTool, approval: Approval, call: WaveCall, settings: Settings
) -> CallEnd | Asked | None:
    """None: a person has agreed to exactly these terms."""
    chosen = get_config().get("configurable", {})
    if chosen.get(CHECKPOINTER) is None or chosen.get(
        KEEPS_NOTHING
    ):  # no interrupt of this run could be answered later
        why = _why_unasked(tool)
        more = ', or declare it, with read(tool) or as "effect": "read" in the file of servers'
        way_out = more if tool.effect == "read" else ""
        logger.warning("%s; compile it with a checkpointer, or the graph that it is part of%s", why, way_out)
        return never_started("approval_impossible", why)
    args, before = call["call"]["args"], call["approval"]
    prepared = await run(lambda _: _terms(approval, call, settings), tool, "read", call)
    number = before["number"] + 1 if before else 1
    if prepared.status != "ok":
        await let_go(tool, before, settings)
        return prepared
    terms: Terms = prepared.data
    now = hash_of(tool.name, args, terms["details"])
    if before and before["decision"] == "approve" and before["terms_hash"] == now:
        return None
    if number > MOST_ASKED:
        await let_go(tool, before, settings)
        return never_started("terms_moved", f"the terms of {tool.name} changed each time they were agreed to")
    emit({"event": "approval_asked", "id": call["call"]["id"], "tool": tool.name, "number": number})
    is_moved = before is not None and before["terms_hash"] != now
    moved_from = {"args": before["args"], "details": before["terms"]["details"]} if before and is_moved else None
    return {
        "call": call["call"]["id"],
        "tool": tool.name,
        "args": args,
        "terms": terms,
        "terms_hash": now,
        "number": number,
        "decision": None,
        "reason": "",
        "changed_from": moved_from,
        "settings": call.get("settings", {}),
    }


async def _terms(approval: Approval, call: WaveCall, settings: Settings) -> Terms:
    """The terms; with what earlier requests did that is like it, and the same write of one, which are part of what is agreed
    to."""
    terms, more = await approval.prepare(call["call"]["args"], settings), dict[str, Any]()
    if approval.alike and (done := call.get("done_before")):
        more |= await approval.alike(terms["details"], done, settings)
    if sent := call.get("sent_before"):
        more[DONE_BEFORE] = {"at": sent["at"], "happened": sent["happened"], "told": sent["told"]}
    return {**terms, "details": {**terms["details"], **more}} if more else terms


def _why_unasked(tool: DomainTool) -> str:
    why = "needs a person's approval, but a run without a checkpointer cannot wait for one"
    if tool.effect == "read":
        return f"{tool.name} is a read by its server's word alone, so it {why}"
    sent = "" if tool.approval else "was already sent by an earlier request of this thread, and "
    return f"{tool.name} {sent}{why}{'' if tool.approval else ' to send it again'}"


async def let_go(tool: DomainTool, asked: Asked | None, settings: Settings) -> None:
    """Release what is held for a call that will not run, if it was asked about. If this fails, the hold expires by itself."""
    if asked is None:
        return
    try:
        async with asyncio.timeout(RELEASES_WITHIN_S):
            await approval_for(tool).release(asked["args"], settings)
    except Exception as error:  # noqa: BLE001
        logger.warning("what %s keeps could not be released: %s", tool.name, type(error).__name__)


def sent_write(tool: DomainTool, call: WaveCall, outcome: ToolOutcome, data: Any) -> dict[str, SentWrite]:
    """What to remember of a call that has run, by signature; empty = nothing. `data`: its result in full."""
    if tool.may_repeat or not outcome["runs"] or not may_have_happened(outcome["status"], outcome["error"]):
        return {}
    end = outcome["error"]["message"] if outcome["error"] else canonical(data) if outcome["status"] in GOOD else ""
    return {
        call["signature"]: _sent_write(call["request_id"], tool.name, outcome["args"], end, outcome["status"] in GOOD)
    }


def done_write(tool: DomainTool, call: WaveCall, outcome: ToolOutcome, data: Any) -> dict[str, SentWrite]:
    """What to remember of a write that happened, by signature, where later questions tell what is like it; empty = nothing."""
    if outcome["status"] not in GOOD or tool.approval is None or tool.approval.alike is None or tool.receipt is None:
        return {}
    reference, _ = tool.receipt(data, "en")
    sent = _sent_write(call["request_id"], tool.name, outcome["args"], reference or "", True)
    return {call["signature"]: sent} if reference else {}


def _sent_write(request_id: str, tool: str, args: dict[str, Any], end: str, happened: bool) -> SentWrite:
    return {
        "request_id": request_id,
        "tool": tool,
        "args": args,
        "at": datetime.now(UTC).isoformat(timespec="milliseconds"),
        "happened": happened,
        "told": excerpt(end, LONGEST_RESULT),
    }


def may_have_happened(status: CallStatus, error: ToolError | None) -> bool:
    """Whether a write that ended so did anything, or may have."""
    return status in GOOD or (error["code"] if error else "") in MAY_HAVE_HAPPENED


def cut_off_writes(state: AgentState, domain: Domain) -> dict[str, SentWrite]:
    """The write that was next when the request was cut off, by signature: a process that was killed while it ran left no
    outcome of it. Empty if there is none, or if a person had not agreed to it yet."""
    if not state.get("request") or not state.get("plan") or state.get("outcome") is not None or asked_step(state):
        return {}
    return {
        step.signature: _sent_write(state["request"]["id"], step.call["tool"], step.args, CUT_OFF, False)
        for step in next_wave(state)
        if _was_being_sent(step, state, domain)
    }


def _was_being_sent(step: PlanStep, state: AgentState, domain: Domain) -> bool:
    tool = domain.registry.get(step.call["tool"])
    if tool is None or tool.may_repeat or step.outcome is not None:
        return False
    return tool.approval is None or tool.approval.when is not always or step.signature in state.get("approvals", {})


def history_text(details: Mapping[str, Any], language: str) -> str:
    """The sentence of a question that the same write was sent before, when and with what result; empty = it was not."""
    before = details.get(DONE_BEFORE)
    if not isinstance(before, Mapping) or not before.keys() >= {"at", "happened", "told"}:
        return ""  # none, or a word of the domain's own
    if before["told"] == CUT_OFF:
        return say("cut_off_before", language)
    key = "done_before" if before["happened"] else "maybe_done_before"
    return say(key, language, when=f"{before['at'][:16].replace('T', ' ')} UTC", told=before["told"])


def approval_for(tool: DomainTool) -> Approval:
    """How a person is asked about a write: as it declares, or else, where it was sent before, the person who asked."""
    return tool.approval or plain_approval(tool.name)


# A write is sent once

MOST_ENDED = 256
"""Ends that are kept of one checkpointer's writes, for runs that come late."""
SETTLES_WITHIN_S = 10.0
"""How long after a call's time limit its end is waited for."""
SENDING = ("wavegraph", "sending")
"""An item here is an earlier version's: the task and the call that the thread of this `key_of` had sent last."""

Send = Callable[[], Awaitable[CallEnd]]


_Sent = dict[str, "Future[CallEnd | None]"]
"""The writes that were sent over one checkpointer: those under way, and how the latest ended; None: it was not sent."""
_sent: WeakKeyDictionary[Any, _Sent] = WeakKeyDictionary()
"""By checkpointer: its threads are its own."""
_lock = threading.Lock()


async def once(tool: DomainTool, call: WaveCall, runtime: Runtime[Any], send: Send) -> CallEnd:
    """The end of a call, sent once in its request. Where a graph keeps nothing, it is sent as it comes. Raises ThreadBusy
    where the thread was taken over, StorageError where that cannot be known."""
    info, saver = runtime.execution_info, get_config().get("configurable", {}).get(CHECKPOINTER)
    if tool.effect != "write" or info is None or not info.thread_id or saver is None:
        return await send()
    inside = info.checkpoint_ns.rpartition("|")[0]  # a larger graph may call its agent twice
    key = key_of(repr((info.thread_id, inside, call["request_id"], call["signature"], call["run"])))

    async def send_after_note() -> CallEnd:
        return await _send_after_note(tool, runtime, saver, info, key, send)

    if tool.repeatable:
        return await send_after_note()
    while True:
        mine: Future[CallEnd | None] = Future()
        with _lock:
            sent = _sent.setdefault(saver, {})
            sending = sent.setdefault(key, mine)
        if sending is mine:
            return await _send_for_every_run(sent, key, tool, send_after_note)
        if (ended := await _end_of(sending, tool, call)) is not None:
            return ended


async def _send_for_every_run(sent: _Sent, key: str, tool: DomainTool, send: Send) -> CallEnd:
    """The end, which every other run of the call gets as well."""
    try:
        ended = await send()
    except Exception:  # a question to a person, or a setting that is wrong: nothing was sent
        _end(sent, key, None, keeps=False)
        raise
    except BaseException:
        _end(sent, key, cut_off_end(f"{tool.name} was stopped while it ran"), keeps=tool.look_up is None)
        raise
    looked_up = tool.look_up is not None and ended.status not in GOOD
    _end(sent, key, ended, keeps=may_have_happened(ended.status, ended.error) and not looked_up)
    return ended


def _end(sent: _Sent, key: str, ended: CallEnd | None, *, keeps: bool) -> None:
    with _lock:
        sending = sent.pop(key)
        if keeps:
            sent[key] = sending
        done = [name for name, each in sent.items() if each.done()]
        for name in done[:-MOST_ENDED]:
            del sent[name]
    sending.set_result(ended)


async def _end_of(sending: "Future[CallEnd | None]", tool: DomainTool, call: WaveCall) -> CallEnd | None:
    """How another run's sending ends; None = it was not sent."""
    try:
        async with asyncio.timeout(call["timeout_s"] + SETTLES_WITHIN_S):
            return await asyncio.shield(asyncio.wrap_future(sending))
    except TimeoutError:
        return cut_off_end(f"another run is sending {tool.name}")


async def _send_after_note(
    tool: DomainTool, runtime: Runtime[Any], saver: Any, info: ExecutionInfo, key: str, send: Send
) -> CallEnd:
    """Send the call if this run still holds the thread. A write that nothing can look up is noted first."""
    if (leases := getattr(saver, "leases", None)) is not None:
        await leases.check(str(info.thread_id))
    if tool.may_repeat or runtime.store is None:
        return await send()
    if (refusal := await _noted(runtime.store, tool, info, key)) is not None:
        return refusal
    try:
        return await send()
    except Exception:  # a question to a person, or a setting that is wrong: nothing was cut off
        await runtime.store.adelete(notes_of(str(info.thread_id)), key)
        raise


def notes_of(thread_id: str) -> tuple[str, ...]:
    """Where a store keeps an item for each write that a thread has sent, and that nothing can look up."""
    return (*SENDING, key_of(thread_id))


async def _noted(store: BaseStore, tool: DomainTool, info: ExecutionInfo, call: str) -> CallEnd | None:
    """None = the call is noted now, and may be sent; else its end without sending. Raises ThreadBusy."""
    try:
        is_first = await _is_first(store, tool, info, call)
    except ThreadBusy:
        raise
    except Exception as error:  # noqa: BLE001  every store has its own errors
        logger.error("that %s is sent could not be noted: %s", tool.name, kind_of_fault(error))
        why = "its store could not note it, and what is not noted may be sent twice; try again"
        message = f"{tool.name} was not sent: {why}"
        return CallEnd("error", None, {"code": "not_noted", "message": message, "retryable": True}, 0)
    again = f"{tool.name} was sent already, by a run or process that did not tell how it ended"
    return None if is_first else cut_off_end(again)


async def _is_first(store: BaseStore, tool: DomainTool, info: ExecutionInfo, call: str) -> bool:
    """Whether nobody has noted the call before; it is noted now."""
    thread = str(info.thread_id)
    old = await store.aget(SENDING, key_of(thread))
    if old is not None and any(name in (info.task_id, call) for name in old.value.values()):
        return False
    note = {"tool": tool.name}
    if (put_new := getattr(store, "aput_new", None)) is not None:
        return bool(await put_new(notes_of(thread), call, note, holding=thread))
    if await store.aget(notes_of(thread), call) is not None:
        return False
    await store.aput(notes_of(thread), call, note, index=False)
    return True
