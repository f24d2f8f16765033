"""The roster generator's graph, as the LangGraph server and Studio load it, and what a program needs with it."""

from pathlib import Path
from typing import Any

from langgraph.graph.state import CompiledStateGraph

from wavegraph.graph.build import AgentGraph, build_graph
from wavegraph.tools.roster.domain import roster_domain
from wavegraph.tools.roster.store import RosterStore

__all__ = ["RosterStore", "build", "graph", "roster_domain"]

RECURSION_LIMIT = 100
"""Supersteps; the longest way through every other limit takes fewer, so this only stops a fault."""


def build(data_dir: Path | None = None, database: str | None = None) -> AgentGraph:
    """The uncompiled graph; compile it with a checkpointer of your own. Where rosters lie: see `roster_domain`."""
    return build_graph(roster_domain(data_dir, database=database))


# Without a checkpointer: the server brings its own and refuses a graph that has one.
graph: CompiledStateGraph[Any, Any, Any, Any] = (
    build().compile(name="roster").with_config(recursion_limit=RECURSION_LIMIT)
)
