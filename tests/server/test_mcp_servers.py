"""The tools of MCP servers on `langgraph dev`, with one loop for all runs and with a loop for each."""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp", reason="the extra wavegraph[mcp] is not installed")
sys.path.insert(0, str(Path(__file__).parents[1] / "support_llm"))

from dev_server import serving
from endpoint import Serving, answers, plans
from langgraph_sdk import get_client
from patience import HANGS_S, until
from plans import call, plan
from unruly_servers import Journal, stdio

GO: Any = {"messages": [{"role": "user", "content": "go"}]}


@pytest.mark.attack
@pytest.mark.parametrize("isolated", ["false", "true"])
def test_a_served_graph_calls_and_stops(tmp_path: Path, isolated: str) -> None:
    journal = Journal(tmp_path)
    (file := tmp_path / "servers.json").write_text(
        json.dumps({"mcpServers": {"u": stdio(journal, wavegraph={"trusted": True})}})
    )

    async def talk(url: str) -> Any:
        async with get_client(url=url) as client:
            ended = await client.runs.wait(None, "mcp", input=GO)
            thread = await client.threads.create()
            run = await client.runs.create(thread["thread_id"], "mcp", input=GO)
            await until(lambda: journal.count("called hangs"))
            await client.runs.cancel(thread["thread_id"], run["run_id"])
            await until(lambda: journal.count("stopped"))
            return ended

    with Serving() as endpoint:
        hanging = plan(call("b", "u_hangs"))
        endpoint.plays(plans(plan(call("a", "u_number"))), answers("It is 3."), plans(hanging))
        environment = {"WAVEGRAPH_MCP": str(file), "OPENAI_BASE_URL": endpoint.url, "OPENAI_API_KEY": "k",
                       "WAVEGRAPH_MODEL": "scripted", "BG_JOB_ISOLATED_LOOPS": isolated}  # fmt: skip
        graphs = {"mcp": "wavegraph.graph.mcp:graph"}
        with serving(tmp_path, graphs, environment, tmp_path / "log") as url:
            ended = asyncio.run(asyncio.wait_for(talk(url), HANGS_S))
        assert ended["answer"] == "It is 3."
        assert journal.count("started") == 1
