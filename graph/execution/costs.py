"""What a node's model calls add to the request's figures."""

from typing import Any

from wavegraph.graph.domain import Meter
from wavegraph.graph.state import AgentState


def costs(state: AgentState, meter: Meter) -> dict[str, Any]:
    """The counters with this node's calls added; nothing where it made none."""
    if not meter.llm_calls:
        return {}
    before = state["llm_tokens"]
    tokens = {"input": before["input"] + meter.input_tokens, "output": before["output"] + meter.output_tokens}
    return {"llm_calls": state["llm_calls"] + meter.llm_calls, "llm_tokens": tokens}
