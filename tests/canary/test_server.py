"""Over the LangGraph server, with rules and with a model, traced: neither what it says nor what it keeps holds a secret."""

import os
import time
from pathlib import Path
from typing import Any

import httpx
import pytest
from canary_traces import LANGSMITH
from dev_server import serving
from endpoint import Endpoint, answers, plans
from langgraph_sdk import get_sync_client
from langgraph_sdk.client import SyncLangGraphClient
from patience import HANGS_S

from wavegraph.testing import Canaries, Collected, Loopback, assert_no_leak

pytestmark = pytest.mark.attack

SUPPORT = Path(__file__).parents[1] / "support"
RULES = {"planner": "rules"}
GRAPH = "from canary_vault import vault_graph\n\ngraph = vault_graph().compile(name='vault')\n"


def said(text: str) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": text}]}


def kept(client: SyncLangGraphClient, thread: str) -> list[Any]:
    """All that the server tells of a thread."""
    return [client.threads.get(thread), client.threads.get_state(thread), client.threads.get_history(thread),
            client.runs.list(thread)]  # fmt: skip


def cancelled(client: SyncLangGraphClient, thread: str) -> list[Any]:
    run = client.runs.create(thread, "vault", input=said("look:tea nap:50"), context=RULES, stream_mode=["custom"])
    seen: list[Any] = []
    for part in client.runs.join_stream(thread, run["run_id"]):
        seen.append(part)
        data: Any = part.data
        if part.event == "custom" and data["event"] == "tool_started" and data["tool"] == "nap":
            break
    client.runs.cancel(thread, run["run_id"], wait=True)
    return seen


def every_kind(client: SyncLangGraphClient, left: Collected) -> None:
    """Runs that go well, fail, are asked, answered, cancelled and resumed, by rules; and one that a model plans."""
    threads = [client.threads.create()["thread_id"] for _ in range(4)]
    failing, asked, stopped, modelled = threads
    modes: Any = ["values", "updates", "custom", "messages", "debug", "tasks", "checkpoints", "events"]
    words = said("look:tea crash drop deep refuse fault odd book")
    left.add("responses", list(client.runs.stream(failing, "vault", input=words, context=RULES, stream_mode=modes)))
    left.add("responses", client.runs.wait(asked, "vault", input=said("ask"), context=RULES))
    left.add("responses", client.runs.wait(asked, "vault", command={"resume": "yes"}, context=RULES))
    left.add("responses", cancelled(client, stopped))
    left.add("responses", client.runs.wait(stopped, "vault", input=None, context=RULES))
    left.add("responses", client.runs.wait(modelled, "vault", input=said("tea?")))
    left.add("state", [kept(client, thread) for thread in threads])


def other_ways(url: str, left: Collected) -> None:
    call = {"name": "vault", "arguments": {"messages": "look:tea"}}
    asked = {"jsonrpc": "2.0", "id": "1", "method": "tools/call", "params": call}
    accept = {"Accept": "application/json, text/event-stream"}
    left.add("responses", httpx.post(f"{url}/mcp", json=asked, headers=accept, timeout=60).text)
    for path in ("info", "openapi.json", "metrics"):
        left.add("responses", httpx.get(f"{url}/{path}", timeout=60).text)


def test_no_run_over_the_server_leaves_a_secret(endpoint: Endpoint, planted: Canaries, tmp_path: Path) -> None:
    left = Collected()
    (tmp_path / "vault.py").write_text(GRAPH, encoding="utf-8")
    look = {"id": "look_1", "tool": "look", "args": {"word": "tea"}, "each": None, "instead_of": None}
    made = {"reasoning": "", "action": "look_up", "status": "done", "slots": {}, "tools": [look], "reply": None}
    endpoint.plays(*[plans(made), answers("tea: 3")] * 2)
    log = tmp_path / "server.log"
    # Its own figures the server sends with the key in the body, which is how it logs in there; runs go elsewhere.
    with Loopback(left, "traces", LANGSMITH, only="/runs") as langsmith:
        environment = {
            **{name: os.environ[name] for name in ("OPENAI_BASE_URL", "OPENAI_API_KEY", "WAVEGRAPH_MODEL")},
            "PYTHONPATH": os.pathsep.join(filter(None, [str(SUPPORT), os.environ.get("PYTHONPATH")])),
            "LANGSMITH_TRACING": "true", "LANGSMITH_ENDPOINT": langsmith.url, "LOG_LEVEL": "debug",
            "LANGSMITH_API_KEY": planted.plant("LANGSMITH_API_KEY"),
        }  # fmt: skip
        with (
            serving(tmp_path, {"vault": "./vault.py:graph"}, environment, log) as url,
            get_sync_client(url=url, timeout=60) as client,
        ):
            every_kind(client, left)
            other_ways(url, left)
            until_traced(left)
    left.files("server", tmp_path / ".langgraph_api", log)
    left.add("prompt", [request.body for request in endpoint.received])

    assert b"yes, said username=SecretStr" in b"".join(piece for _, piece in left.pieces())
    assert_no_leak(planted, left, channels=["responses", "state", "server", "prompt", "traces"])


def until_traced(left: Collected) -> None:
    ends = time.monotonic() + HANGS_S
    while left.missing(["traces"]) and time.monotonic() < ends:
        time.sleep(0.1)
