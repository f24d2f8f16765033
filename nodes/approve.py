"""approve: a person is asked whether a write may run."""

import asyncio
import logging
from collections.abc import Mapping
from typing import Any

from langchain_core.messages import AIMessage, HumanMessage
from langgraph.runtime import Runtime
from langgraph.types import interrupt
from pydantic import ValidationError

from wavegraph.graph.agent import Agent
from wavegraph.graph.approval import Answer, Approval, Asked, Question, hash_of
from wavegraph.graph.consent import consent
from wavegraph.graph.domain import DomainTool, explain
from wavegraph.graph.events import emit
from wavegraph.graph.ledger import CHANGES_ASKED, EDITED, NOT_AGREED, REJECTED, changes_asked, signature
from wavegraph.graph.limits import waiting
from wavegraph.graph.phrases import say
from wavegraph.graph.ready import Step
from wavegraph.graph.reply import question_id, reply_id
from wavegraph.graph.settings import Settings
from wavegraph.graph.state import AgentState, PlannedCall, ToolOutcome, empty_ledger

logger = logging.getLogger("wavegraph")

RELEASES_WITHIN_S = 5.0


async def approve(state: AgentState, runtime: Runtime[Any], agent: Agent) -> dict[str, Any]:
    """Show a person the exact terms of the write that comes next, and wait for the answer.

    Reads `approvals`, `plan`. Writes the decision into `approvals`; for a rejection the outcome in `ledger`, for a
    choice or an edit the changed call in `plan`; about an edit is asked again.
    """
    settings = agent.settings(runtime)
    step = waiting(state)
    assert step is not None, "the router sends here only what waits"
    asked = state["approvals"][step.signature]
    tool = agent.domain.registry[asked["tool"]]
    assert tool.approval is not None, "only what needs approval is asked about"
    if _said_already(asked, state, tool.approval, settings):
        answer: Answer = {"decision": "approve"}
    else:
        answer = await _ask(_question(asked, state, tool.approval, settings), tool, settings)
    emit({"event": "approval_given", "id": asked["call"], "decision": answer["decision"]})
    update = {"messages": _said(answer, asked, state, tool.approval)}
    if answer["decision"] == "approve":
        return {**update, **_approved(answer, step, tool, state)}
    await let_go(tool, asked, settings)
    if answer["decision"] == "edit":
        return {**update, **_edited(step.call, answer.get("args", {}), tool, state)}
    return {**update, **_rejected(asked, step.signature, answer, state)}


def _said_already(asked: Asked, state: AgentState, approval: Approval, settings: Settings) -> bool:
    """Whether this request is itself the yes to these very terms, which the one before it asked about."""
    before = state.get("previous")
    if before is None or before["outcome"] is not None or not approval.by_asker(settings):
        return False
    same = [a for a in before.get("approvals", {}).values() if a["terms_hash"] == asked["terms_hash"]]
    return bool(same) and consent(state["request"]["text"], approval.yes, approval.no) == "yes"


def _question(asked: Asked, state: AgentState, approval: Approval, settings: Settings) -> Question:
    language = state["request"]["language"]
    by_asker = approval.by_asker(settings)
    summary = approval.restate(asked["terms"]["details"], language)
    closing = say("approval_question" if by_asker else "approval_elsewhere", language)
    choices = {name: choice.label for name, choice in approval.choices.items()}
    if choices and by_asker:
        listed = ", ".join(f"“{name}”: {label}" for name, label in choices.items())
        closing = f"{closing} {say('approval_choices', language, choices=listed)}"
    return {
        "kind": "approval",
        "call": asked["call"],
        "tool": asked["tool"],
        "args": asked["args"],
        "terms": asked["terms"]["details"],
        "terms_hash": asked["terms_hash"],
        "valid_until": asked["terms"]["valid_until"],
        "summary": summary,
        "text": f"{summary}\n\n{closing}",
        "by_asker": by_asker,
        "settings": settings.model_dump(mode="json", exclude_unset=True),
        "choices": choices,
        "changes": _changes_schema(asked, state, approval),
        "yes": list(approval.yes),
        "no": list(approval.no),
        "problem": None,
    }


async def _ask(question: Question, tool: DomainTool, settings: Settings) -> Answer:
    """The person's answer; asked again, saying why, where it cannot be taken."""
    while True:
        answer: Answer = interrupt(question, response_schema=Answer)
        if (problem := await _problem(answer, question, tool, settings)) is None:
            return answer
        question = {**question, "problem": problem}


async def _problem(answer: Answer, question: Question, tool: DomainTool, settings: Settings) -> str | None:
    if answer.get("terms_hash", question["terms_hash"]) != question["terms_hash"]:
        return "the terms have changed since they were shown; these are the terms now"
    if answer["decision"] == "approve":
        return _unknown_choice(answer.get("choice"), question)
    if answer["decision"] == "reject":
        return await _wrong_changes(answer.get("changes"), question, tool, settings)
    changes = answer.get("args", {})
    if not changes or (strangers := sorted(set(changes) - set(tool.arguments))):
        known = ", ".join(tool.arguments)
        return f"an edit gives `args` to change, of: {known}" + (f"; not {strangers}" if changes else "")
    if fixed := [name for name in changes if tool.sources.get(name) == "results"]:
        return f"{', '.join(fixed)} cannot be edited: it comes from a result; reject, and have it planned again"
    try:
        tool.normalised({**question["args"], **changes})
    except ValidationError as error:
        return f"{tool.name}: {explain(error)}"
    return None


def _unknown_choice(choice: str | None, question: Question) -> str | None:
    if choice is None or choice in question["choices"]:
        return None
    known = ", ".join(question["choices"])
    return f"there is no choice {choice!r}" + (f"; there are: {known}" if known else " here; approve, or reject")


async def _wrong_changes(
    changes: Mapping[str, Any] | None, question: Question, tool: DomainTool, settings: Settings
) -> str | None:
    if changes is None:
        return None
    if tool.approval is None or tool.approval.changes is None or question["changes"] is None:
        return "no further changes can be asked for here: approve, or reject"
    try:
        wanted = tool.approval.changes.model_validate(changes)
    except ValidationError as error:
        return f"changes: {explain(error)}"
    return await tool.approval.check_changes(question["args"], wanted, settings)


def _changes_schema(asked: Asked, state: AgentState, approval: Approval) -> dict[str, Any] | None:
    """What may be asked for in place of the write; None = nothing, or nothing more in this request."""
    spent = len(changes_asked(state["ledger"], asked["tool"])) >= approval.most_changes
    return None if approval.changes is None or spent else approval.changes.model_json_schema()


def _said(answer: Answer, asked: Asked, state: AgentState, approval: Approval) -> list[AIMessage | HumanMessage]:
    """Question and answer as the conversation keeps them, where the answer was given in words."""
    if not (words := answer.get("words")):
        return []
    name = f"{state['request']['number']}-{asked['terms_hash'][:12]}"
    text = approval.restate(asked["terms"]["details"], state["request"]["language"])
    return [AIMessage(text, id=question_id(name)), HumanMessage(words, id=reply_id(name))]


def _approved(answer: Answer, step: Step, tool: DomainTool, state: AgentState) -> dict[str, Any]:
    """The decision; of a choice, about the changed call, which takes the place of the one that was asked about."""
    asked = state["approvals"][step.signature]
    decided: Asked = {**asked, "decision": "approve"}
    if (choice := answer.get("choice")) is None:
        return {"approvals": {step.signature: decided}}
    assert tool.approval is not None, "only what needs approval is asked about"
    edited = _edited(step.call, tool.approval.choices[choice].args, tool, state)
    call = next(each for each in edited["plan"]["tools"] if each.get("instead_of") == step.call["id"])
    terms = hash_of(tool.name, call["args"], asked["terms"]["details"])
    chosen: Asked = {**decided, "call": call["id"], "args": call["args"], "terms_hash": terms}
    return {**edited, "approvals": {step.signature: decided, signature(tool.name, call["args"]): chosen}}


def _rejected(asked: Asked, signature: str, answer: Answer, state: AgentState) -> dict[str, Any]:
    """The write's end. A plain no is no issue: nobody works around it. A wish for changes is one, found in the next
    validation as a failure of the call."""
    reason, changes = answer.get("reason", ""), answer.get("changes")
    message = f"{NOT_AGREED}: {reason}" if reason else NOT_AGREED
    outcome: ToolOutcome = {
        "tool": asked["tool"],
        "args": asked["args"],
        "status": "error",
        "data": changes,
        "error": {"code": REJECTED if changes is None else CHANGES_ASKED, "message": message, "retryable": False},
        "attempts": 0,
        "runs": 0,
        "plan": state["plan"]["number"],
        "wave": 0 if changes is None else state["waves"] + 1,
        "elapsed_s": 0.0,
        "signature": signature,
    }
    decided: Asked = {**asked, "decision": "reject", "reason": reason}
    return {
        "approvals": {signature: decided},
        "ledger": {**empty_ledger(), "outcomes": {signature: outcome}},
    }


def _edited(call: PlannedCall, changes: Mapping[str, Any], tool: DomainTool, state: AgentState) -> dict[str, Any]:
    """The plan with the changed call in the place of the one that was asked about."""
    asked = state["approvals"]
    before = next(a for a in asked.values() if a["call"] == call["id"])
    stem = call["id"] + EDITED
    number = 1 + sum(name.startswith(stem) for name in state["ledger"]["calls"])
    edited: PlannedCall = {
        **call,
        "id": f"{stem}{number}",
        "args": tool.normalised({**before["args"], **changes}),
        "instead_of": call["id"],
    }
    tools = [edited if each["id"] == call["id"] else each for each in state["plan"]["tools"]]
    return {
        "plan": {**state["plan"], "tools": tools},
        "ledger": {**empty_ledger(), "calls": {edited["id"]: edited}},
    }


async def let_go(tool: DomainTool, asked: Asked, settings: Settings) -> None:
    """Give back what was kept for a call that will not run. What fails here lapses by itself."""
    assert tool.approval is not None
    try:
        async with asyncio.timeout(RELEASES_WITHIN_S):
            await tool.approval.release(asked["args"], settings)
    except Exception as error:  # noqa: BLE001
        logger.warning("what %s keeps could not be released: %s", tool.name, type(error).__name__)
