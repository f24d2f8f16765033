"""The views of a state that planners, responders and checks get."""

from collections.abc import Sequence
from typing import Any

from langchain_core.messages import AnyMessage, HumanMessage

from wavegraph.graph.dialogue.messages import is_question, terms_of
from wavegraph.graph.dialogue.questions import asked_aside
from wavegraph.graph.guard.pieces import pieces
from wavegraph.graph.ledger import GOOD, outcome_of, signature_of
from wavegraph.graph.limits import Limits, is_spending_cap, remaining_s, sent_back
from wavegraph.graph.model.judge import ACCURACY, WORDS
from wavegraph.graph.ready import unfinished
from wavegraph.graph.request.new_request import last_human, readable
from wavegraph.graph.state import (
    AgentState,
    AnswerFailure,
    Feedback,
    Ledger,
    Plan,
    PlannedCall,
    ValidationIssue,
    message_length,
    new_issue,
)
from wavegraph.graph.views import AnswerView, Meter, PlanningView

FAILURES = frozenset({"error", "timeout", "unexpected_data"})
"""Issue types that mean that a call failed, even one that returned a result: it may be retried. Any other issue is about
what a call found: retried in the same request, it would find the same."""


def planning_view(state: AgentState, settings: Any, limits: Limits, feedback: Feedback | None) -> PlanningView:
    return PlanningView(**_fields_of_both(state, settings, limits), plan=state.get("plan"), feedback=feedback)


def answer_view(state: AgentState, settings: Any, limits: Limits) -> AnswerView:
    return AnswerView(
        **_fields_of_both(state, settings, limits),
        plan=state["plan"],
        open_issues=open_issues(state["issues"], state["ledger"]),
        unfinished=[
            *_calls_left_behind(state["plan"], state["ledger"]),
            *(step.call["id"] for step in unfinished(state["plan"], state["ledger"])),
        ],
        limits_hit=[name for name in state["limits_hit"] if not is_spending_cap(name)],
        feedback=_gaps_as_feedback(state),
        unsupported=state["unsupported"],
        untraced=[*state.get("untraced_answers", []), *filter(None, [_answer_id(state)])],
        decided=[each for each in state["approvals"].values() if each["decision"] is not None],
        since=_since(state),
        told=state["told"],
        templated=state["templated"],
        struck=state.get("struck", []),
    )


def _answer_id(state: AgentState) -> str | None:
    """Of the answer under check; of one that an earlier version wrote, and had stored without its id when it was killed, that
    of the last message."""
    return state["message_id"] or (state["messages"][-1].id if state.get("answer") and state["messages"] else None)


def _fields_of_both(state: AgentState, settings: Any, limits: Limits) -> dict[str, Any]:
    """What both views show."""
    return {
        "request": (request := readable(state["request"])),
        "pieces": pieces(request["text"]),
        "conversation": [m for m in _conversation(state) if is_read(m, settings)],
        "settings": settings,
        "today": settings.today,
        "ledger": state["ledger"],
        "previous": state["previous"],
        "sent_before": sorted(
            (each for each in state.get("sent_writes", {}).values() if each["request_id"] != request["id"]),
            key=lambda each: each["at"],
        ),
        "waiting": asked_aside(state),
        "limits": limits,
        "meter": Meter(before=state.get("usage", {})),
        "issues": state["issues"],
        "details": validation.get("details") if (validation := state.get("validation")) else None,
        "remaining_s": remaining_s(state, limits),
    }


def is_read(message: AnyMessage, settings: Any) -> bool:
    """Whether a message of the thread is read: not a person's that is too long."""
    return not isinstance(message, HumanMessage) or message_length(message) <= settings.max_message_chars


def _conversation(state: AgentState) -> list[AnyMessage]:
    """The messages as the request sees them: after its own, only its answer, if others were answered while it waited."""
    messages, name = state["messages"], state["request"]["id"]
    place = next((n for n in reversed(range(len(messages))) if messages[n].id == name), None)
    if place is None or last_human(messages) in (None, messages[place]):
        return messages
    return [*messages[: place + 1], *(m for m in messages[place + 1 :] if m.id and m.id == state["message_id"])]


def _since(state: AgentState) -> list[AnyMessage]:
    """What was said after the request's own message, but for its own answer and questions that were put again later."""
    place = next((n for n, message in enumerate(state["messages"]) if message.id == state["request"]["id"]), None)
    own, later = _answer_id(state), [] if place is None else state["messages"][place + 1 :]
    last = {terms_of(message): message for message in later if is_question(message)}
    return [m for m in later if m.id != own and (not is_question(m) or last[terms_of(m)] is m)]


def _calls_left_behind(plan: Plan, ledger: Ledger) -> list[str]:
    """Calls of earlier plans that could run by now and that no later call replaces.

    Such a call was skipped with the one it needed; a later plan made that one succeed, but left this call out. For a
    call that was made for each element of a list, its element calls stand in.
    """
    own = {call["id"] for call in plan["tools"]}
    calls = ledger["calls"].values()
    single = [call["id"] for call in calls if "elements" not in call and call["id"] not in own]
    replaced = {call.get("instead_of") for call in calls}
    return [
        name
        for name in single
        if outcome_of(name, ledger) is None
        and name not in replaced
        and not any(_is_good(call["id"], ledger) and _works_around(call, name, ledger) for call in calls)
    ]


def _gaps_as_feedback(state: AgentState) -> Feedback | None:
    """The gaps that sent the answer back, to planning or to be told, whatever was planned and run since."""
    claims = [ACCURACY] if state["unsupported"] else []  # told by themselves
    failures = [each for each in gaps_sent_back(state) if each["criterion"] not in claims]
    if not failures:
        return None
    issues = [gap_issue(each["criterion"], each["gap"], each.get("by")) for each in failures]
    return Feedback(source="answer", issues=issues)


def gaps_sent_back(state: AgentState) -> list[AnswerFailure]:
    """What the answer that was sent back last had failed; empty = none was sent back."""
    return [each for each in state["answer_failures"] if each["attempt"] == sent_back(state)]


def gap_issue(criterion: str, gap: str | None, by: str | None = None) -> ValidationIssue:
    """A gap in an answer, as an issue for the planner and the responder; `by`: what would mend it."""
    message = gap or criterion
    return new_issue(
        "unsatisfied", "", f"{message} ({by})" if by and by != WORDS else message, criterion, severity="warning"
    )


def asks_anew(state: AgentState) -> bool:
    """Whether the last plan holds a call that no earlier plan of the request held, whatever its id."""
    ledger, made = state["ledger"], state["plan"]
    earlier = (call for call in ledger["calls"].values() if call["plan"] < made["number"])
    known = {signature_of(call["id"], ledger) for call in earlier}
    return any(signature_of(call["id"], ledger) not in known for call in made["tools"] if "elements" not in call)


def open_issues(issues: Sequence[ValidationIssue], ledger: Ledger) -> list[ValidationIssue]:
    """Issues that no later call has worked around.

    A call works around an earlier one if it says so (`instead_of`), or if it uses the same tool in a later plan with
    arguments not tried before. An issue of a workaround counts for the call it replaces. The same call under another
    id is not a workaround; but if it ran again and succeeded, only issues of that last result remain.
    """
    if not issues:
        return []
    issues = [issue for issue in issues if not _came_good(issue, ledger)]
    troubled = {signature_of(issue["tool_id"], ledger) for issue in issues}
    good = [
        call
        for call in ledger["calls"].values()
        if _is_good(call["id"], ledger) and signature_of(call["id"], ledger) not in troubled
    ]
    return [issue for issue in issues if not any(_works_around(call, issue["tool_id"], ledger) for call in good)]


def writes_worked_around(ledger: Ledger) -> set[str]:
    """The writes that did not go well, and for which a later one did that stands for them."""
    writes = [call for call in ledger["calls"].values() if call["effect"] == "write"]
    good = [call for call in writes if _is_good(call["id"], ledger)]
    bad = [call["id"] for call in writes if not _is_good(call["id"], ledger)]
    return {name for name in bad if any(_works_around(call, name, ledger) for call in good)}


def _came_good(issue: ValidationIssue, ledger: Ledger) -> bool:
    """Whether the issue is about an earlier run than the one that gave the call's good result."""
    outcome = outcome_of(issue["tool_id"], ledger)
    if outcome is None or outcome["status"] not in GOOD:
        return False
    if outcome.get("doubted"):  # older threads do not store the reasons
        return "doubts" in outcome and doubt(issue) not in outcome["doubts"]
    return issue["type"] in FAILURES or outcome["runs"] > 1


def doubt(issue: ValidationIssue) -> str:
    """The key of a check's issue, in the outcome of the run that it is about."""
    return f"{issue['tool_id']}|{issue['rule']}"


def _is_good(call_id: str, ledger: Ledger) -> bool:
    outcome = outcome_of(call_id, ledger)
    return outcome is not None and outcome["status"] in GOOD


def _works_around(call: PlannedCall, call_id: str, ledger: Ledger) -> bool:
    original = ledger["calls"].get(root_of(call_id, ledger))
    if original is None or call["plan"] <= original["plan"]:
        return False
    if call.get("instead_of"):
        return root_of(call["id"], ledger) == original["id"]
    key = signature_of(call["id"], ledger)
    asked = (each for each in ledger["calls"].values() if each["plan"] <= original["plan"])
    # the very same call, asked again, is no workaround
    return call["tool"] == original["tool"] and all(signature_of(each["id"], ledger) != key for each in asked)


def root_of(call_id: str, ledger: Ledger) -> str:
    """The call at the start of a chain of `instead_of`."""
    seen = {call_id}
    while (call := ledger["calls"].get(call_id)) and (before := call.get("instead_of")) and before not in seen:
        seen.add(call_id := before)
    return call_id
