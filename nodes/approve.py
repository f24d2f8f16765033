"""approve: asks a person whether a call may run."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from langgraph.runtime import Runtime
from langgraph.types import interrupt
from pydantic import TypeAdapter, ValidationError

from wavegraph.graph._langgraph import RESOLVED, sent_at_ms
from wavegraph.graph.agent import Agent
from wavegraph.graph.approval import Answer, Asked, Question, hash_of
from wavegraph.graph.dialogue.answers import (
    Caller,
    ParsedReply,
    Refused,
    Speech,
    Taken,
    Unclear,
    as_theirs,
    caller_of,
    not_allowed,
    question_when_sent,
    read_reply,
    why_unbound,
)
from wavegraph.graph.dialogue.messages import reply
from wavegraph.graph.dialogue.questions import (
    asked_now,
    asked_settings,
    asked_together,
    asking,
    is_waiting,
    open_question,
    put_again,
    taken_up,
)
from wavegraph.graph.domain_tool import DomainTool
from wavegraph.graph.errors import explain, logger, short_repr
from wavegraph.graph.events import ApprovalGiven, emit
from wavegraph.graph.execution.announcements import announce_wave
from wavegraph.graph.execution.write import already_done, let_go
from wavegraph.graph.guard.reference_check import with_fit
from wavegraph.graph.guard.size import longest_text
from wavegraph.graph.language import say
from wavegraph.graph.ledger import (
    CHANGES_ASKED,
    EDITED,
    REJECTED,
    is_rejected,
    not_agreed,
    outcome_without_run,
    signature,
    stored,
)
from wavegraph.graph.ready import PlanStep
from wavegraph.graph.request.new_request import has_new_message
from wavegraph.graph.settings import Settings
from wavegraph.graph.state import AgentState, PlannedCall, empty_ledger, merge_approvals, merge_ledgers

_FORM: dict[str, Any] = TypeAdapter(Answer).json_schema()
"""Shown to clients only. If LangGraph checked it, an answer it does not accept would end the run."""
_OR_DECIDE = "or approve or reject the call as it is"


async def approve(state: AgentState, runtime: Runtime[Any], agent: Agent) -> dict[str, Any]:
    """Show a person the exact terms of the call that waits, and of those that the question is about too, and wait for the answer.

    Reads `approvals`, `plan`, `set_aside`, `reply`. Writes the decision into `approvals`, a yes to all calls of a read into
    `agreed_reads`; for a rejection the outcome in `ledger`, for a choice or an edit the changed call in `plan`; about an
    edit is asked again. A write that turns out to have happened already is neither rejected nor changed: its result goes
    into `ledger`. A request that was set aside is the state's own again then. Words that answer nothing go into `messages`:
    they are the next request. So are words that a client adds beside a decision: they are read first, and the decision is
    asked for again.
    """
    waits = asked_now(state)
    assert waits is not None, "the router sends here only where something waits"
    step, asked = waits
    held = asking(state)
    settings = asked_settings(asked, agent.settings(runtime, held))
    along = asked_together(held, agent.domain, settings)

    def ask(problem: str | None) -> Question:
        return cast(Question, open_question(state, agent.domain, settings, problem))

    caller = caller_of(runtime)
    taken = await _accepted_answer(ask, state, [asked, *(each for _, each in along)], caller, agent, settings)
    # words that came beside the decision may say something else
    if has_new_message(state) and not state.get(RESOLVED):
        taken = Speech([])
    if isinstance(taken, Speech):
        return {"messages": list(taken.messages), "reply": None}
    if isinstance(taken, Refused):
        name = f"{held['request']['number']}-{asked['terms_hash'][:12]}-{len(state['messages'])}"
        return put_again(state, taken.words, name, taken.message_id, taken.problem)
    answer, *others = (_masked(each, agent.domain.mask) for each in (taken.answer, *taken.others))
    answers = [(step, answer), *zip((each for each, _ in along), others, strict=False)]
    if not all(_is_plain_yes(each) for _, each in answers):
        await agent.domain.open()
    update: dict[str, Any] = {}
    for each_step, each in answers:
        event: ApprovalGiven = {"event": "approval_given", "id": each_step.call["id"], "decision": each["decision"]}
        emit({**event, "by": caller.identity} if caller.identity else event)
        own = await _decision_update(each, each_step, agent, _signed(held, each_step, caller), settings)
        if len(answers) > 1:
            own = _of_its_own(own)
        held = cast(AgentState, _joined(held, own))
        update = _joined(update, own) if update else own
    announce_wave(held, agent.domain)
    words = answer.get("words")  # the reply, if it was given in words; the question is in the conversation already
    spoken = (
        [reply(words, f"{held['request']['number']}-{asked['terms_hash'][:12]}", taken.message_id)] if words else []
    )
    return {**taken_up(state, update), "messages": spoken, "reply": None}


def _masked(answer: Answer, mask: Callable[[str], str] | None) -> Answer:
    """With its reason as the domain's mask leaves it; without one that the mask refuses, since a no counts all the same."""
    if mask is None or not answer.get("reason"):
        return answer
    try:
        return {**answer, "reason": mask(answer["reason"])}
    except Exception as error:  # noqa: BLE001  a mask of anybody's
        logger.warning("the reason of a no is left out: %s", type(error).__name__)
        return {**answer, "reason": ""}


def _signed(held: AgentState, step: PlanStep, caller: Caller) -> AgentState:
    """With who decides, on a server that knows its users."""
    if caller.identity is None:
        return held
    signed: Asked = {**held["approvals"][step.signature], "decided_by": caller.identity}
    return {**held, "approvals": {**held["approvals"], step.signature: signed}}


def _joined(before: Mapping[str, Any], update: Mapping[str, Any]) -> dict[str, Any]:
    """Both updates, or a state and its update, as one."""
    approvals = merge_approvals(before.get("approvals", {}), update.get("approvals", {}))
    ledger = merge_ledgers(before.get("ledger", empty_ledger()), update.get("ledger", empty_ledger()))
    return {**before, **update, "approvals": approvals, "ledger": ledger}


def _of_its_own(update: dict[str, Any]) -> dict[str, Any]:
    """The update of a decision beside others: its no stops none of them."""
    ledger = update.get("ledger", empty_ledger())
    noes = {key: {**each, "alone": True} for key, each in ledger["outcomes"].items() if is_rejected(each)}
    return {**update, "ledger": {**ledger, "outcomes": {**ledger["outcomes"], **noes}}} if noes else update


def _counts_unnamed(asked: Asked, state: AgentState, *, in_inbox: bool) -> bool:
    """Whether a form's yes counts that names no terms: the form may have been opened before these were asked about."""
    if state["approvals"] and not is_waiting(state):  # another was asked about since
        return False
    before = asked.get("changed_from")
    if in_inbox and before is not None and before["args"] != asked["args"]:  # the terms of the inbox's own edit
        return True
    replaced = asking(state).get("replaced") or []
    return asked["number"] == 1 and all(each["terms_hash"] == asked["terms_hash"] for each in replaced)


async def _decision_update(
    answer: Answer, step: PlanStep, agent: Agent, held: AgentState, settings: Settings
) -> dict[str, Any]:
    asked = held["approvals"][step.signature]
    tool = agent.domain.tool(asked["tool"])
    if _is_plain_yes(answer):  # it is looked up before it is sent
        return _approval_update(answer, step, tool, held)
    before = await already_done(tool, asked, settings)
    if answer["decision"] != "approve" and (before is None or before.error):
        await let_go(tool, asked, settings)
    if before is None and answer["decision"] == "approve":
        return _approval_update(answer, step, tool, held)
    if before is None and answer["decision"] == "edit":
        return _edit_update(step.call, _edited_args(answer, asked["args"]), tool, held)
    # A plain no is not an issue to work around. A wish for changes is: the next validation finds it as a failure of the call.
    changes = answer.get("changes")
    ended = outcome_without_run(
        asked["tool"],
        asked["args"],
        step.signature,
        held["plan"]["number"],
        REJECTED if changes is None else CHANGES_ASKED,
        not_agreed(answer.get("reason", "")),
        status="error",
        data=changes,
        wave=0 if changes is None else held["waves"] + 1,
    )
    artifacts: dict[str, Any] = {}
    if before is not None:  # what came too late gives way to the write's true end, which the next validation checks
        data, artifacts = stored(before.data)
        ended = {**ended, "status": before.status, "data": data, "error": before.error, "wave": held["waves"] + 1}
    decision: Any = answer["decision"] if answer["decision"] == "approve" else "reject"
    decided: Asked = {**asked, "decision": decision, "reason": answer.get("reason", "")}
    return {
        "approvals": {step.signature: decided},
        "ledger": {"calls": {}, "outcomes": {step.signature: ended}, "artifacts": artifacts},
    }


def _is_plain_yes(answer: Answer) -> bool:
    return answer["decision"] == "approve" and answer.get("choice") is None


async def _accepted_answer(
    ask: Callable[[str | None], Question],
    state: AgentState,
    asked: Sequence[Asked],
    caller: Caller,
    agent: Agent,
    settings: Settings,
) -> Taken | Speech | Refused:
    """The answer, or the words in its place; if neither is usable, the person is asked again, with the reason.

    `ask` makes the question about what is `asked`, with the problem of the last answer. A resume runs this again from its
    top, with the values given so far.
    """
    pending = state["reply"] or {}
    question = ask(pending.get("refused") or None)
    if state.get(RESOLVED):
        return Taken({"decision": "reject", "reason": say("withdrawn", question["languages"][0])})
    given, must_name = None, False
    while True:
        if "answer" in pending:  # as a new message, which `plan` has read
            others = cast(list[Answer], pending.get("others", []))
            reading: ParsedReply = Taken(cast(Answer, pending["answer"]), pending["message_id"], others)
        else:
            given = interrupt(question, response_schema=_FORM)
            reading = read_reply(given, question_when_sent(question, state["messages"], sent_at_ms()))
        reading = as_theirs(reading, question, caller)
        if isinstance(reading, Speech | Refused):
            return reading
        # an inbox shows the question as it is now, and takes no other
        in_inbox = isinstance(given, Mapping) and "decisions" in given
        first, *others_unnamed = (_counts_unnamed(each, state, in_inbox=in_inbox) for each in asked)
        unnamed = [first and not must_name, *others_unnamed]
        problem, is_of_terms = await _problem(reading, question, unnamed, agent, settings)
        if problem is None:
            return cast(Taken, reading)
        question, must_name, pending = ask(problem), must_name or is_of_terms, {}


async def _problem(
    reading: ParsedReply, question: Question, unnamed: Sequence[bool], agent: Agent, settings: Settings
) -> tuple[str | None, bool]:
    """Why the reply is not accepted, None = it is; and whether it is for the terms of the first write. `unnamed`: for each write of
    the question, as in `_wrong_terms`."""
    if not isinstance(reading, Taken):
        return cast(Unclear, reading).problem, False
    answers = [reading.answer, *reading.others]
    for answer, each, counts in zip(answers, [question, *question.get("along", ())], unnamed, strict=False):
        why = _wrong_terms(answer, each, unnamed=counts)
        if problem := why or await _wrong_answer(answer, each, agent.domain.tool(each["tool"]), settings):
            is_first = each is question
            return problem if is_first else f"{each['call']}: {problem}", is_first and why is not None
    return None, False


async def _wrong_answer(answer: Answer, question: Question, tool: DomainTool, settings: Settings) -> str | None:
    """Why an answer to one write is not accepted; None = it is."""
    if (length := longest_text(answer)) > settings.max_message_chars:
        return say("too_long", question["languages"][0], length=length, limit=settings.max_message_chars)
    allowed = question["review_configs"][0]["allowed_decisions"]
    if answer["decision"] != "reject" and answer["decision"] not in allowed:
        return not_allowed(answer["decision"], allowed)
    if answer["decision"] == "approve":
        return _more_than_a_yes(answer, question)
    if answer["decision"] == "reject":
        return await _wrong_changes(answer.get("changes"), question, tool, settings)
    return _wrong_edit(answer, question, tool)


def _wrong_terms(answer: Answer, question: Question, *, unnamed: bool) -> str | None:
    """Why an answer does not match the terms shown: an old yes must not count for new terms. Other answers write nothing
    by themselves. `unnamed`: whether a form's yes counts that names none."""
    if "terms_hash" not in answer and (unnamed or answer["decision"] != "approve"):
        return None
    return why_unbound(answer, question)


def _more_than_a_yes(answer: Answer, question: Question) -> str | None:
    if changes := [name for name in ("args", "without", "changes") if answer.get(name)]:
        return f"an approval changes nothing, but this one has {' and '.join(changes)}: edit, or reject"
    choice = answer.get("choice")
    if choice is None or choice in question["choices"]:
        return None
    known = ", ".join(question["choices"])
    return f"there is no choice {choice!r}" + (f"; the choices are: {known}" if known else " here; approve, or reject")


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
        return f"{explain(error)}; ask for other changes, approve, or reject"
    return await tool.approval.check_changes(question["args"], wanted, settings)


def _wrong_edit(answer: Answer, question: Question, tool: DomainTool) -> str | None:
    """None = the edit can be taken."""
    changes: dict[str, Any] = {**dict.fromkeys(answer.get("without", ())), **answer.get("args", {})}
    free = [name for name in tool.arguments if tool.sources.get(name) != "results"]
    if fixed := [f"{name} = {short_repr(changes[name])}" for name in sorted(changes) if name not in free]:
        known = f"edit any of {', '.join(free)}, {_OR_DECIDE}" if free else "approve or reject the call as it is"
        return f"{', '.join(fixed)}: that cannot be edited; {known}"
    try:
        edited = tool.checked_args(_edited_args(answer, question["args"]))
    except ValidationError as error:
        return f"{explain(error)}; give another value, {_OR_DECIDE}"
    return f"the edit changes nothing; give another value, {_OR_DECIDE}" if edited == question["args"] else None


def _edited_args(answer: Answer, args: Mapping[str, Any]) -> dict[str, Any]:
    left_out = answer.get("without", ())
    return {**{name: value for name, value in args.items() if name not in left_out}, **answer.get("args", {})}


def _approval_update(answer: Answer, step: PlanStep, tool: DomainTool, state: AgentState) -> dict[str, Any]:
    """The decision; for a choice, on the changed call, which replaces the one that was asked about."""
    asked = state["approvals"][step.signature]
    decided: Asked = {**asked, "decision": "approve"}
    if (choice := answer.get("choice")) is None:
        update: dict[str, Any] = {"approvals": {step.signature: decided}}
        if (form := asked.get("once")) is not None:  # a yes to all calls of the tool: it is not asked about again here
            update["agreed_reads"] = {**state.get("agreed_reads", {}), asked["tool"]: form}
        return update
    assert tool.approval is not None, "only what needs approval is asked about"
    chosen_args = {**asked["args"], **tool.approval.choices[choice].args}
    edited = _edit_update(step.call, chosen_args, tool, state)
    call = next(each for each in edited["plan"]["tools"] if each.get("instead_of") == step.call["id"])
    terms = hash_of(tool.name, call["args"], asked["terms"]["details"])
    chosen: Asked = {**decided, "call": call["id"], "args": call["args"], "terms_hash": terms}
    return {**edited, "approvals": {step.signature: decided, signature(tool.name, call["args"]): chosen}}


def _edit_update(call: PlannedCall, args: Mapping[str, Any], tool: DomainTool, state: AgentState) -> dict[str, Any]:
    """The plan with a call with these arguments in place of the one that was asked about."""
    stem = call["id"] + EDITED
    number = 1 + sum(name.startswith(stem) for name in state["ledger"]["calls"])
    edited: PlannedCall = {
        **call,
        "id": f"{stem}{number}",
        "args": tool.checked_args(dict(args)),
        "instead_of": call["id"],
    }
    edited = with_fit(edited, tool)
    tools = [edited if each["id"] == call["id"] else each for each in state["plan"]["tools"]]
    return {
        "plan": {**state["plan"], "tools": tools},
        "ledger": {**empty_ledger(), "calls": {edited["id"]: edited}},
    }
