"""What a request is made of: instructions of Python by node of the graph and by whose code they are.

    python -m benchmarks.overhead_parts [--calls 1 4 16]

The request of `benchmarks.overhead`, without a saver, and that of bare LangGraph beside it. Instructions are counted, not time:
nothing else that runs on the machine changes them, and their ratio is near that of the processor time. What Python's own library
does counts for whoever calls it; what C does, not at all.
"""

import argparse
import asyncio
import sys
from collections import Counter
from collections.abc import Sequence
from functools import cache
from types import CodeType, FrameType
from typing import Any

from benchmarks.overhead_graphs import BARE, OURS, Request, contestant
from benchmarks.report import forget_settings

REQUESTS = 5
OWNERS = ("own code", "langgraph", "langchain")
Part = tuple[str, str]
"""A node, or `the loop` around them; and whose code."""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser("overhead_parts", description=__doc__)
    parser.add_argument("--calls", type=int, nargs="+", default=[1, 4, 16], help="calls in the wave")
    forget_settings()
    for calls in parser.parse_args(arguments).calls:
        ours, bare = (asyncio.run(counted(contestant(name, calls, None))) for name in (OURS, BARE))
        print(f"\n{calls} calls, thousand instructions: {as_ratio(ours, bare)} times bare LangGraph\n")
        print("\n".join(as_table(ours, bare)))
    return 0


def as_ratio(ours: Counter[Part], bare: Counter[Part]) -> str:
    return f"{ours.total() / bare.total():.2f}"


def as_table(ours: Counter[Part], bare: Counter[Part]) -> list[str]:
    """A row for each node, the one that takes most first; last all of ours, and all of the bare graph."""
    rows = [(node, {owner: ours[node, owner] for owner in OWNERS}) for node, _ in _sums(ours, 0).most_common()]
    rows += [(name, _sums(parts, 1)) for name, parts in (("all of it", ours), ("bare LangGraph", bare))]
    lines = [f"| {node} | {' | '.join(f'{row[owner] / 1000:.1f}' for owner in OWNERS)} |" for node, row in rows]
    return [f"| part | {' | '.join(OWNERS)} |", f"| --- |{' --: |' * len(OWNERS)}", *lines]


def _sums(parts: Counter[Part], by: int) -> Counter[str]:
    """By node (0) or by owner (1)."""
    found = Counter[str]()
    for part, count in parts.items():
        found[part[by]] += count
    return found


async def counted(request: Request) -> Counter[Part]:
    """Instructions of one request, by part."""
    for _ in range(REQUESTS):
        await request()
    found: Counter[Part] = Counter()

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        if event == "opcode":
            found[part_of(frame)] += 1
        elif event == "call":
            frame.f_trace_opcodes, frame.f_trace_lines = True, False
        return trace

    for _ in range(REQUESTS):
        running = asyncio.ensure_future(request())
        sys.settrace(trace)
        try:
            await running
        finally:
            sys.settrace(None)
    return Counter({part: count // REQUESTS for part, count in found.items()})


def part_of(frame: FrameType) -> Part:
    owner, node, outer = "", "the loop", frame
    while outer is not None:
        owner = owner or owner_of(outer.f_code)
        node = node_of(outer.f_code) or node
        outer = outer.f_back  # type: ignore[assignment]
    return node, owner or "langgraph"


@cache
def owner_of(code: CodeType) -> str:
    """Empty for Python's own library, whose loop counts as LangGraph's, and for what the libraries use of others."""
    path = code.co_filename
    known = {
        "/wavegraph/": "own code",
        "/benchmarks/overhead_graphs": "own code",
        "/langgraph/": "langgraph",
        "/langchain_core/": "langchain",
    }
    return next((owner for part, owner in known.items() if part in path), "")


@cache
def node_of(code: CodeType) -> str:
    path = code.co_filename
    if "/wavegraph/nodes/" in path:
        return path.rpartition("/")[2].removesuffix(".py")
    return "routers" if path.endswith("/graph/routing.py") or code.co_name == "_aroute" else ""


if __name__ == "__main__":
    sys.exit(main())
