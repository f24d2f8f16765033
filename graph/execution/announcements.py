"""Events that several nodes emit: before the next step, and where an answer changes that somebody may have seen."""

from langchain_core.messages import AIMessage
from langgraph.graph.message import push_message

from wavegraph.graph._langgraph import is_watched
from wavegraph.graph.domain import Domain
from wavegraph.graph.events import emit
from wavegraph.graph.execution.write import is_asked_about
from wavegraph.graph.ledger import tools_executed
from wavegraph.graph.limits import next_wave
from wavegraph.graph.ready import PlanStep, unfinished
from wavegraph.graph.state import AgentState


def announce_wave(state: AgentState, domain: Domain) -> None:
    """Announce the calls that start together now, if any; one that a person is asked about first starts after the yes."""
    if calls := [step.call["id"] for step in next_wave(state) if not _is_asked_first(step, state, domain)]:
        emit({"event": "wave_started", "wave": state["waves"] + 1, "calls": calls})


def _is_asked_first(step: PlanStep, state: AgentState, domain: Domain) -> bool:
    if "asks" not in step.call or step.signature in state.get("approvals", {}):
        return False
    return is_asked_about(domain.tool(step.call["tool"]), step.args) or step.signature in state.get("sent_writes", {})


def tell_replaced(message: AIMessage) -> None:
    """Announce the text that takes the place of what was shown under the message's id. The message stream gets it whole:
    LangGraph adds nothing to it that a node returns under an id that was streamed.
    """
    emit({"event": "answer_replaced", "message_id": str(message.id), "answer": str(message.text)})
    if is_watched():
        push_message(message, state_key=None)


def report_limits(state: AgentState, gone: list[str]) -> list[str]:
    """Announce the limits that stop the work, with what was done and what was not; each once in a request.

    Returns all the limits hit so far.
    """
    made = state.get("plan")  # none yet if the first planning call was stopped
    new = [name for name in gone if name not in state["limits_hit"]]
    left = [step.call["id"] for step in unfinished(made, state["ledger"])] if made and new else []
    for name in new:
        done = tools_executed(state["ledger"])
        emit({"event": "limit_reached", "limit": name, "done": done, "left_undone": left})
    return [*state["limits_hit"], *new]
