"""What the server benchmark serves beside the hotel: a bare graph and the same agent of this package."""

from benchmarks.overhead_graphs import Clerk, bare, look

from wavegraph import Domain, Limits, build_graph, read

bare_graph = bare(1).compile()
store = build_graph(
    Domain(name="store", tools=[read(look)], limits=Limits(max_tool_calls=1)), model=Clerk(calls=1)
).compile()
