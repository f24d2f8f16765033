"""execute_wave: runs one call of a wave, as one task of the graph."""

import time
from typing import Any

from langgraph.runtime import Runtime

from wavegraph.graph.agent import Agent
from wavegraph.graph.domain_tool import DomainTool, is_of_server
from wavegraph.graph.events import emit
from wavegraph.graph.execution.tool_call import CallEnd, call_values, run_tool
from wavegraph.graph.execution.write import (
    before_read,
    before_write,
    declined_outcome,
    done_write,
    once,
    sent_write,
    settled_write,
)
from wavegraph.graph.ledger import GOOD, stored
from wavegraph.graph.settings import Settings
from wavegraph.graph.state import ToolOutcome, WaveCall


async def execute_wave(call: WaveCall, runtime: Runtime[Any], agent: Agent) -> dict[str, Any]:
    """Run one call within its time limit; errors become data, so that siblings go on.

    Reads the payload alone. Writes the outcome under its signature in `ledger`, and in `sent_writes` a write that nothing
    can look up, in `done_writes` one that later questions tell; or, where a person must agree first,
    what is to be asked, in `approvals`.
    """
    settings = agent.settings(runtime, call)
    await agent.domain.open()
    tool = agent.domain.tool(call["call"]["tool"])
    started = time.perf_counter()
    if call.get("only_asks"):
        asked = await before_write(tool, call, settings)
        return {"approvals": {call["signature"]: asked}} if isinstance(asked, dict) else {}
    if isinstance(values := call_values(tool, call, settings), CallEnd):
        return _ledger_update(*_outcome(values, call, 0.0), call)
    if (refusal := declined_outcome(tool, call)) is not None:
        return _ledger_update(refusal, {}, call)
    before = before_write if tool.effect == "write" else before_read
    done = await before(tool, call, settings)
    if done is not None and not isinstance(done, CallEnd):
        return {"approvals": {call["signature"]: done}}
    planned = call["call"]
    emit({"event": "tool_started", "id": planned["id"], "tool": planned["tool"], "args": planned["args"],
          "wave": call["wave"]})  # fmt: skip
    ended = done or await once(tool, call, runtime, lambda: _sending_end(tool, call, values, settings))
    if agent.domain.messages == "answers":  # else its message holds the artifact, and nobody reads it
        ended = ended._replace(more={name: value for name, value in ended.more.items() if name != "artifact"})
    outcome, artifacts = _outcome(ended, call, time.perf_counter() - started)
    is_agreed = call["approval"] is not None and call["approval"]["decision"] == "approve"
    if outcome["status"] in GOOD and tool.effect == "write" and is_of_server(tool.tool) and not is_agreed:
        outcome["unasked"] = True
    if outcome["status"] in GOOD and tool.tool.return_direct:
        outcome["direct"] = True
    error = outcome["error"]["message"] if outcome["error"] else None
    emit({"event": "tool_finished", "id": planned["id"], "tool": outcome["tool"], "status": outcome["status"],
          "elapsed_s": outcome["elapsed_s"], "error": error})  # fmt: skip
    sent = sent_write(tool, call, outcome, ended.data) if done is None else {}
    kept = {"sent_writes": sent, "done_writes": done_write(tool, call, outcome, ended.data)}
    return {**_ledger_update(outcome, artifacts, call), **{name: writes for name, writes in kept.items() if writes}}


async def _sending_end(tool: DomainTool, call: WaveCall, values: dict[str, Any], settings: Settings) -> CallEnd:
    return await settled_write(await run_tool(tool, call, values, settings), tool, call, settings)


def _ledger_update(outcome: ToolOutcome, artifacts: dict[str, Any], call: WaveCall) -> dict[str, Any]:
    return {"ledger": {"calls": {}, "outcomes": {call["signature"]: outcome}, "artifacts": artifacts}}


def _outcome(ended: CallEnd, call: WaveCall, elapsed_s: float) -> tuple[ToolOutcome, dict[str, Any]]:
    kept, artifacts = stored(ended.data)
    more = {**ended.more}
    if "artifact" in more:
        more["artifact"], large = stored(more["artifact"])
        artifacts = {**artifacts, **large}
    outcome: ToolOutcome = {
        "tool": call["call"]["tool"],
        "args": call["call"]["args"],
        "status": ended.status,
        "data": kept,
        "error": ended.error,
        "attempts": ended.attempts,
        "runs": call["run"] - (1 if ended.status == "skipped" else 0),
        "plan": call["call"]["plan"],
        "wave": call["wave"],
        "elapsed_s": round(elapsed_s, 3),
        "signature": call["signature"],
        **more,  # type: ignore[typeddict-item]
    }
    return outcome, artifacts
