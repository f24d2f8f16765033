"""A request whose write waits for a person: set aside while other requests are answered, then taken up again.

The write outlives them: it keeps its plan, results, terms and hold, and is asked about again after each of them.
"""

from collections.abc import Collection, Mapping
from typing import Any, cast

from langgraph.types import Overwrite

from wavegraph.graph.dialogue.messages import reply
from wavegraph.graph.limits import asked_step, work_ended
from wavegraph.graph.ready import PlanStep
from wavegraph.graph.state import AgentState, Asked, Heard, merge_approvals, merge_ledgers

_OF_THE_THREAD = frozenset({"version", "heard", "set_aside", "reply"})
"""Fields that a new request writes but that belong to the thread."""


def is_waiting(state: AgentState) -> bool:
    """Whether the request being worked on waits for a person."""
    return (
        state.get("outcome") is None and bool(state.get("plan")) and not work_ended(state) and bool(asked_step(state))
    )


def held_requests(state: AgentState, fields: Collection[str]) -> list[dict[str, Any]]:
    """What is set aside when a request begins that writes `fields`: what already was, and the one that waits now."""
    before = state.get("set_aside") or []
    if not is_waiting(state):
        return before
    own: Mapping[str, Any] = state
    return [*before, {name: own[name] for name in fields if name in own and name not in _OF_THE_THREAD}]


def asking(state: AgentState) -> AgentState:
    """The state of the request that a person is asked about now: this one, or the latest set aside."""
    if is_waiting(state) or not state.get("set_aside"):
        return state
    return cast(AgentState, {**state, **state["set_aside"][-1], "heard": newest_heard(state)})


def newest_heard(state: Mapping[str, Any]) -> Heard | None:
    """The newest message that began a request; None = none has."""
    if heard := state.get("heard"):
        return cast(Heard, heard)
    request = state.get("request")
    return {"id": request["id"], "text": request["text"], "number": request["number"]} if request else None


def asked_now(state: AgentState) -> tuple[PlanStep, Asked] | None:
    """The waiting call and its question; None = nothing waits."""
    return _open_question(asking(state))


def asked_aside(state: AgentState) -> list[Asked]:
    """What waits beside the request being worked on, oldest first."""
    if not (aside := state.get("set_aside")):
        return []
    agreed = {"agreed_reads": state.get("agreed_reads", {})}
    found = (_open_question(cast(AgentState, {**own, **agreed})) for own in aside)
    return [waits[1] for waits in found if waits]


def _open_question(held: AgentState) -> tuple[PlanStep, Asked] | None:
    step = asked_step(held) if held.get("plan") else None
    return (step, held["approvals"][step.signature]) if step else None


def taken_up(state: AgentState, update: Mapping[str, Any]) -> dict[str, Any]:
    """`update` for the request that is asked about; one that was set aside returns to the state."""
    if is_waiting(state) or not state.get("set_aside"):
        return dict(update)
    own = state["set_aside"][-1]
    merged = {
        "ledger": Overwrite(merge_ledgers(own["ledger"], update.get("ledger", {}))),
        "approvals": Overwrite(merge_approvals(own["approvals"], update.get("approvals", {}))),
        "times": Overwrite(own.get("times", {})),
    }
    return {**own, **update, **merged, "set_aside": state["set_aside"][:-1], "heard": newest_heard(state)}


def put_again(state: AgentState, words: str, name: str, message_id: str | None, problem: str = "") -> dict[str, Any]:
    """The update that has the question put again after words that do not agree to it; `problem`: why they do not."""
    return {**taken_up(state, {}), "reply": {"refused": problem}, "messages": [reply(words, name, message_id)]}
