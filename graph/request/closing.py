"""Closes a request: its figures, its outcome, and the record kept of it."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from langchain_core.messages.tool import tool_call
from langgraph.runtime import Runtime
from pydantic_core import to_jsonable_python

from wavegraph.graph.agent import Agent
from wavegraph.graph.domain import Domain
from wavegraph.graph.errors import kind_of_fault, logger
from wavegraph.graph.execution.announcements import tell_replaced
from wavegraph.graph.execution.receipts import done_writes
from wavegraph.graph.langsmith import traced_run_id
from wavegraph.graph.language import say
from wavegraph.graph.ledger import GOOD, is_rejected, results
from wavegraph.graph.model.judge import ACCURACY
from wavegraph.graph.request.records import RecordedCall, RequestRecord, records_of, views_of
from wavegraph.graph.state import AgentState, Outcome, ToolOutcome
from wavegraph.graph.views import AnswerView


async def closing_update(state: AgentState, view: AnswerView, runtime: Runtime[Any], agent: Agent) -> dict[str, Any]:
    """The update that ends the request; its record goes to the store, if the graph has one."""
    figures = {
        "outcome": _outcome(state, view, is_listed=state["templated"] and agent.domain.offline is None),
        "unsupported": state["unsupported"],
        "limits_hit": state["limits_hit"],
        **views_of(state),
        **await _with_reservation(state, view, agent),
    }
    await _record({**state, **figures}, view, agent.domain.name, runtime)  # type: ignore[typeddict-item]
    return figures


async def _with_reservation(state: AgentState, view: AnswerView, agent: Agent) -> dict[str, Any]:
    """The answer with a reservation, if a judge still found it wanting at the end: what nobody can answer is named."""
    check = state["answer_check"]
    # what is not clear a reader notices without help
    failed = [each for each in check["criteria"] if each["verdict"] == "fail" and each["name"] != "clarity"]
    if not failed or check["checked_by"] in ("rules", "unavailable", "off"):
        return {}
    lacking = [each for each in failed if each["name"] != ACCURACY]
    unanswered = [words for each in lacking for words in each.get("unanswered", ())]
    words = agent.domain.nothing_more if unanswered else None
    named = await agent.own("the words for what is unanswered", words, unanswered, view, state["answer"]) or ""
    left = [each for each in failed if each not in lacking or not (named and "unanswered" in each)]
    doubt = say("reservation" if len(lacking) == len(failed) else "doubt", state["request"]["language"]) if left else ""
    answer = "\n\n".join(filter(None, [state["answer"], named, doubt]))
    message = _answer_message(state, content=answer)
    tell_replaced(message)
    return {"answer": answer, "messages": [message]}


def _answer_message(state: AgentState, **changed: Any) -> AIMessage:
    written = (each for each in state["messages"] if each.id == state["message_id"] and isinstance(each, AIMessage))
    return next(written, AIMessage("", id=state["message_id"])).model_copy(update=changed)


def form_messages(state: AgentState, answer: str, filled: Any, domain: Domain) -> list[BaseMessage]:
    """The answer with the call that its form counts as, and that call's result."""
    form = domain.response
    if form is None or form.call is None or filled is None or domain.messages == "answers":
        return []
    args = to_jsonable_python(filled, fallback=str)
    name = form.call if isinstance(filled, dict) else type(filled).__name__  # of several types the one that it is
    call_id = f"{name}-{state['request']['number']}"
    call = tool_call(name=name, args=args if isinstance(args, dict) else {"value": args}, id=call_id)
    return [
        _answer_message(state, content=answer, tool_calls=[call]),
        ToolMessage(form.result, tool_call_id=call_id, id=f"result-{call_id}", name=name),
    ]


def _outcome(state: AgentState, view: AnswerView, *, is_listed: bool) -> Outcome:
    """How the request really ended. `is_listed`: the results were listed in place of an answer."""
    ended = results(state["ledger"]).values()
    unanswered = state["unworded"] or (state["model_down"] and not view.settings.model_fallback)
    # a person's no is an answer too
    settled = any(outcome["status"] in GOOD or is_rejected(outcome) for outcome in ended)
    lacks = is_listed or bool(view.open_issues or state["limits_hit"] or view.unfinished)
    # what was done is the answer, whatever is asked beside it
    beside = settled and not lacks and not done_writes(state["ledger"])
    asks = view.plan["action"] == "clarify" and (all(map(_is_refused, ended)) or beside)
    if view.plan["action"] == "give_up" or unanswered or (ended and not settled and not asks):
        return "failed"
    if asks or (not ended and view.plan["action"] == "refuse"):
        return "clarify" if asks else "refused"
    return "partial" if lacks else "answered"


def _is_refused(outcome: ToolOutcome) -> bool:
    """Whether the tool itself said what is wrong with the call, which no other try changes: then the person is asked."""
    error = outcome["error"]
    return outcome["status"] == "error" and error is not None and not error["retryable"]


async def _record(state: AgentState, view: AnswerView, domain: str, runtime: Runtime[Any]) -> None:
    """Store the closed request's record, if the graph has a store.

    A failing store is only logged: the answer still goes out.
    """
    if runtime.store is None:
        return
    own: Any = {
        "domain": domain,
        "calls": _calls(state["results"]),
        "open_issues": len(view.open_issues),
        "ended_at": datetime.now(UTC).isoformat(timespec="milliseconds"),
        "run_id": traced_run_id(),
        "feedback": None,
    }
    fields: Mapping[str, Any] = {"usage": {}, **state, **own}  # an earlier version began a request without it
    record = {name: fields[name] for name in RequestRecord.__annotations__}
    thread = (runtime.execution_info.thread_id if runtime.execution_info else None) or "no-thread"
    try:
        await runtime.store.aput(records_of(thread), state["request"]["id"], record)
    except Exception as error:  # noqa: BLE001  every store has its own errors
        logger.error("the record of the request could not be kept: %s", kind_of_fault(error))


def _calls(found: dict[str, ToolOutcome]) -> list[RecordedCall]:
    """Equal calls ran once: only the first counts, the others reused its result."""
    ran = {outcome["signature"]: call_id for call_id, outcome in reversed(found.items())}
    return [
        {
            "id": call_id,
            "tool": outcome["tool"],
            "status": outcome["status"],
            "error": outcome["error"]["code"] if outcome["error"] else None,
            "runs": outcome["runs"] if ran[outcome["signature"]] == call_id else 0,
            "attempts": outcome["attempts"],
            "elapsed_s": outcome["elapsed_s"],
        }
        for call_id, outcome in found.items()
    ]
