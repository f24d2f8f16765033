"""What the server benchmark serves beside the hotel: a bare graph and the same agent of this package."""

from benchmarks.overhead_graphs import bare, ours

bare_graph = bare(1).compile()
store = ours(1).compile()
