"""A cluster of two APIs and two workers of Aegra over PostgreSQL and Redis, as deploy/aegra/cluster.py starts it."""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import postgres_server
import psycopg
from langgraph_sdk import get_sync_client
from langgraph_sdk.client import SyncLangGraphClient
from roster_loop import ward_files

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy" / "aegra"
LEASE_S = 7
HANGS_S = 120
PATIENT: Any = {"tool_timeout_s": 300, "request_timeout_s": 600}
"""What waits at a gate ends by the gate, however long a busy machine takes until it is opened."""


def python_of_aegra() -> Path | None:
    """Of WAVEGRAPH_CLUSTER_PYTHON, or of the environment that `make cluster` makes; None = there is none."""
    named = Path(os.environ.get("WAVEGRAPH_CLUSTER_PYTHON") or ROOT / ".venv-cluster" / "bin" / "python")
    asked = [str(named), "-c", "import importlib.util, sys; sys.exit(importlib.util.find_spec('aegra_api') is None)"]
    has_aegra = named.exists() and subprocess.run(asked, check=False, capture_output=True).returncode == 0
    return named if has_aegra else None


def reason_to_skip() -> str | None:
    if python_of_aegra() is None:
        return "Aegra is not installed: make cluster-env, or name its Python by WAVEGRAPH_CLUSTER_PYTHON"
    if shutil.which("redis-server") is None:
        return "redis-server is not installed"
    return postgres_server.reason_to_skip()


def _module() -> ModuleType:
    spec = importlib.util.spec_from_file_location("aegra_cluster", DEPLOY / "cluster.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@contextmanager
def cluster_of(apis: int, workers: int, slots: int, environment: dict[str, str]) -> Iterator[Any]:
    """A cluster of another size, with the code of this checkout."""
    told = {"PYTHONPATH": str(ROOT / "src"), **environment}
    with _module().cluster(apis, workers, slots, environment=told, python=str(python_of_aegra())) as made:
        yield made


def until(happened: Callable[[], Any]) -> Any:
    """What it gives when it has happened. Raises TimeoutError."""
    give_up = time.monotonic() + HANGS_S
    while not (found := happened()):
        if time.monotonic() > give_up:
            raise TimeoutError(f"not happened after {HANGS_S} s")
        time.sleep(0.05)
    return found


@dataclass
class House:
    """The cluster, and the folder that its gated agent writes into."""

    cluster: Any
    gates: Path
    clients: list[SyncLangGraphClient] = field(default_factory=list)

    def log(self, event: str, name: str) -> list[int]:
        """The process of each such entry, in order."""
        path = self.gates / "log"
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        return [entry["pid"] for entry in map(json.loads, lines) if (entry["event"], entry["name"]) == (event, name)]

    def open(self, group: str) -> None:
        (self.gates / f"open-{group}").touch()

    def worker(self, pid: int) -> Any:
        return next(worker for worker in self.cluster.workers if worker.running.pid == pid)

    def begin(self, text: str, graph: str = "gated", api: int = 0) -> tuple[str, str]:
        """A thread and its run."""
        client = self.clients[api]
        context = PATIENT if graph == "gated" else None
        thread = client.threads.create()["thread_id"]
        return thread, client.runs.create(thread, graph, input=said(text), context=context)["run_id"]

    def ended(self, thread: str, run: str, api: int = 0) -> dict[str, Any]:
        """The thread's values once the run has ended."""
        client = self.clients[api]
        until(lambda: client.runs.get(thread, run)["status"] not in ("pending", "running"))
        values: Any = client.threads.get_state(thread)["values"]
        return dict(values)

    def checkpointed(self, thread: str) -> list[str]:
        """The calls whose results are kept while their wave still runs."""
        with psycopg.connect(self.cluster.database) as connection:
            rows = connection.execute(
                "SELECT DISTINCT task_id FROM checkpoint_writes WHERE thread_id = %s AND channel = 'ledger'"
                " AND checkpoint_id = (SELECT max(checkpoint_id) FROM checkpoints WHERE thread_id = %s)",
                (thread, thread),
            ).fetchall()
        return [row[0] for row in rows]


def statuses(values: Mapping[str, Any]) -> dict[str, str]:
    """Of each call: its status, or its error's code."""
    outcomes = values["ledger"]["outcomes"].values()
    return {o["tool"]: o["error"]["code"] if o["error"] else o["status"] for o in outcomes}


def said(text: str) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": text}]}


def environment_of(folder: Path, tree: Path = ROOT) -> dict[str, str]:
    """Of a process that runs the agents of this checkout, or of another, with the house's own folder."""
    graphs = {
        "hotel": {"path": f"{tree}/deploy/aegra/serve_graphs.py:hotel"},
        "roster": {"path": f"{tree}/deploy/aegra/serve_graphs.py:roster"},
        "gated": {"path": f"{tree}/tests/cluster/gated.py:graph"},
    }
    config = json.loads((tree / "deploy" / "aegra" / "aegra.json").read_text(encoding="utf-8"))
    config |= {"graphs": graphs, "http": {"app": f"{tree}/deploy/aegra/serve_app.py:app"}}
    name = f"aegra-{tree.name}.json"
    (folder / name).write_text(json.dumps(config), encoding="utf-8")
    return {
        "AEGRA_CONFIG": str(folder / name),
        "GATED": str(folder),
        "PYTHONPATH": str(tree / "src"),
        "WAVEGRAPH_WARDS": str(folder / "wards"),
    }


@contextmanager
def house_in(folder: Path, environment: Mapping[str, str] | None = None) -> Iterator[House]:
    ward_files(folder / "wards")
    given = environment or environment_of(folder)
    with _module().cluster(lease_s=LEASE_S, environment=given, python=str(python_of_aegra())) as cluster:
        clients = [get_sync_client(url=api.url, api_key=None, timeout=120) for api in cluster.apis]
        yield House(cluster, folder, clients)
        for client in clients:
            client.http.client.close()
