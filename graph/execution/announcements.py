"""Events that `plan` and `validate` emit before the next step."""

from wavegraph.graph.events import emit
from wavegraph.graph.ledger import tools_executed
from wavegraph.graph.limits import next_wave
from wavegraph.graph.ready import unfinished
from wavegraph.graph.state import AgentState


def announce_wave(state: AgentState) -> None:
    """Announce the calls that start together now, if any."""
    if calls := [step.call["id"] for step in next_wave(state)]:
        emit({"event": "wave_started", "wave": state["waves"] + 1, "calls": calls})


def report_limits(state: AgentState, gone: list[str]) -> list[str]:
    """Announce the limits that stop the work, with what was done and what was not; each once in a request.

    Returns all the limits hit so far.
    """
    made = state.get("plan")  # none yet if the first planning call was stopped
    left = [step.call["id"] for step in unfinished(made, state["ledger"])] if made else []
    new = [name for name in gone if name not in state["limits_hit"]]
    for name in new:
        done = tools_executed(state["ledger"])
        emit({"event": "limit_reached", "limit": name, "done": done, "left_undone": left})
    return [*state["limits_hit"], *new]
