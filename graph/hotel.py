"""The hotel agent's graph, as the LangGraph server and Studio load it, and what a program needs with it."""

from pathlib import Path
from typing import Any

from langgraph.graph.state import CompiledStateGraph

from wavegraph.graph.build import AgentGraph, build_graph
from wavegraph.tools.hotel.domain import hotel_domain
from wavegraph.tools.hotel.property.importer import HotelImportError, import_hotel
from wavegraph.tools.hotel.property.port import default_data_dir

__all__ = ["HotelImportError", "build", "default_data_dir", "graph", "hotel_domain", "import_hotel"]

RECURSION_LIMIT = 60
"""Supersteps; the longest way through every other limit takes fewer, so this only stops a fault."""


def build(data_dir: Path | None = None, database: str | None = None) -> AgentGraph:
    """The uncompiled graph; compile it with a checkpointer of your own. Where the hotels lie: see `hotel_domain`."""
    return build_graph(hotel_domain(data_dir, database=database))


# Without a checkpointer: the server brings its own and refuses a graph that has one.
graph: CompiledStateGraph[Any, Any, Any, Any] = (
    build().compile(name="hotel").with_config(recursion_limit=RECURSION_LIMIT)
)
