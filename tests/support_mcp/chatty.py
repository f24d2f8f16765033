"""An agent whose tools write to stdout, read stdin and start processes that do; `rest` lasts while the file HELD is there."""

import asyncio
import os
import subprocess
import sys
from pathlib import Path

from clerk import HELD
from warehouse import Clerk, calls_by_word

from wavegraph import Domain, build_graph, read, results
from wavegraph.graph.domain_tool import as_tool
from wavegraph.testing import planning


def shout(word: str) -> str:
    """Shout a word at everybody, and ask for another."""
    print(f"{word}!")
    os.write(1, b'{"jsonrpc": "2.0", "id": 1, "result": {}}\n')
    subprocess.run(["echo", word], check=True)
    heard = subprocess.run(["cat"], capture_output=True, check=True).stdout
    return f"{word}, {len(sys.stdin.read())} and {len(heard)} heard"


async def rest(word: str) -> str:
    """Rest."""
    print("resting", file=sys.stderr, flush=True)
    while Path(os.environ[HELD]).exists():
        await asyncio.sleep(0.02)
    return f"rested {word}"


TOOLS = [as_tool(shout), as_tool(rest)]
clerk = Clerk(
    lambda view: planning(*calls_by_word(view.request["text"], *TOOLS)),
    lambda view: "\n".join(str(found["data"]) for found in results(view.ledger).values()),
)
graph = build_graph(Domain(name="chatty", tools=[read(each) for each in TOOLS], offline=clerk))
