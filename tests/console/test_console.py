"""The console in a real Chromium, over a real server: every flow, as `console/e2e.test.mjs` walks it."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from dev_server import free_port, running, serving
from langgraph_sdk import get_sync_client
from roster_loop import ward_files

from wavegraph.app.serving.roles import rules
from wavegraph.app.serving.tokens import add_token

sys.path.insert(0, str(Path(__file__).parents[1] / "support_llm"))

from endpoint import KEY, Serving, answers, plans

ROOT = Path(__file__).parents[2]
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
PARTS = [name for name in ("node", "npm") if shutil.which(name) is None]

in_browser = pytest.mark.skipif(CHROMIUM is None, reason="not installed: chromium")

pytestmark = [
    pytest.mark.attack,
    pytest.mark.xdist_group("console"),
    pytest.mark.skipif(bool(PARTS), reason=f"not installed: {', '.join(PARTS)}"),
]


BREAKFAST = {
    "id": "breakfast",
    "tool": "get_hotel_info",
    "args": {"topic": "breakfast", "kg": None, "age": None, "time": None},
    "each": None,
    "instead_of": None,
}
ABOUT_BREAKFAST = {"reasoning": "a question about the hotel", "action": "hotel_info", "status": "done",
                   "tools": [BREAKFAST], "reply": None}  # fmt: skip
RULES = {"planner": "rules", "answer_check": "rules"}


class Restarted:
    """A server that can be stopped and started again at the same address, with what it kept."""

    def __init__(self, folder: Path, model: str) -> None:
        self._folder = folder
        self._model = model
        self._port = free_port()
        self._stack = ExitStack()
        self.url = f"http://127.0.0.1:{self._port}"

    def start(self) -> None:
        environment = {
            "WAVEGRAPH_WARDS": str(self._folder / "wards"),
            "OPENAI_BASE_URL": self._model,
            "OPENAI_API_KEY": KEY,
        }
        server = running(self._folder, {}, environment, self._folder / "server.log", port=self._port)
        self._stack.enter_context(server)

    def stop(self) -> None:
        self._stack.close()


@contextmanager
def remote(server: Restarted) -> Iterator[str]:
    """An address by which the flows stop and start the server."""

    class Control(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            {"/stop": server.stop, "/start": server.start}[self.path]()
            self.send_response(204)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Control) as control:
        Thread(target=control.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{control.server_port}"
        control.shutdown()


@pytest.fixture(scope="module")
def built() -> Path:
    """The folder of the page's sources, with what they need, and the page built beside the package."""
    folder = ROOT / "console"
    for command in (["npm", "ci", "--silent"], ["npm", "run", "--silent", "build"]):
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=240, check=False)
        if done.returncode and command[1] == "ci" and "network" in done.stderr:
            pytest.skip("the packages of the page cannot be fetched")
        assert done.returncode == 0, done.stderr + done.stdout
    return folder


@pytest.fixture(scope="module")
def server(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Restarted]:
    folder = tmp_path_factory.mktemp("console")
    ward_files(folder / "wards")
    with Serving() as model:
        model.plays(plans(ABOUT_BREAKFAST, checked=False), answers("{{breakfast.1}} {{breakfast.2}}", between_s=0.1))
        server = Restarted(folder, model.url)
        server.start()
        with get_sync_client(url=server.url) as client:
            for graph, settings in (
                ("hotel", {"today": "2026-11-20"}),
                ("roster", {"ward": "harbour", "time_limit_s": 15}),
            ):
                (found,) = client.assistants.search(graph_id=graph)
                client.assistants.update(found["assistant_id"], context={**RULES, **settings})
        yield server
        server.stop()
        model.assert_complete()


def walked(folder: Path, flows: str, **environment: str) -> None:
    given = {**os.environ, "CHROMIUM": str(CHROMIUM), "SHOTS": os.environ.get("SHOTS", ""), **environment}
    command = ["node", "--test", "--test-reporter=spec", flows]

    done = subprocess.run(command, cwd=folder, env=given, capture_output=True, text=True, timeout=400, check=False)

    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]


def test_parts_that_need_no_browser(built: Path) -> None:
    walked(built, "parts.test.mjs")


@in_browser
def test_every_flow_in_a_browser(built: Path, server: Restarted) -> None:
    with remote(server) as control:
        walked(built, "e2e.test.mjs", URL=server.url, CONTROL=control)


@in_browser
def test_a_server_with_access_control_asks_for_a_token(built: Path, tmp_path: Path) -> None:
    file = tmp_path / "tokens.jsonl"
    tokens = {name: add_token(file, name, [name], rules().roles) for name in ("staff", "guest", "manager")}
    ward_files(tmp_path / "wards")
    environment = {"WAVEGRAPH_AUTH_TOKENS_FILE": str(file), "WAVEGRAPH_WARDS": str(tmp_path / "wards")}

    with serving(tmp_path, {}, environment, tmp_path / "server.log", "langgraph.prod.json") as url:
        walked(built, "e2e-access.test.mjs", URL=url, TOKENS=json.dumps(tokens))
