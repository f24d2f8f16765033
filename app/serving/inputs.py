"""What a body hands to an agent: texts and messages, of which only so many are taken."""

from collections.abc import Mapping
from typing import Any

from wavegraph.app.serving.caller import Refused
from wavegraph.graph.guard.size import oversize

FOR_AN_AGENT = ("input", "command", "params", "values", "supersteps")
"""Names in the bodies of runs, of JSON-RPC (MCP, A2A, commands of the newer protocol) and of thread states."""
MOST_RUNS = 10
"""Of one batch; the server works on no more at once."""


def check_inputs(body: Any) -> None:
    """Raises Refused."""
    runs = body if isinstance(body, list) else [body]
    if len(runs) > MOST_RUNS:
        raise Refused(
            413, f"{len(runs)} runs came at once, and at most {MOST_RUNS} are taken: send them one after another"
        )
    given = [run[name] for run in runs if isinstance(run, Mapping) for name in FOR_AN_AGENT if name in run]
    if why := next(filter(None, map(oversize, given)), None):
        raise Refused(413, why)
