"""What a command waits for before it does anything: what another command, a model or a solver needs is not imported."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from patience import HANGS_S

CLIENT = {"openai", "langchain_openai"}
SOLVERS = {"numba", "highspy", "ortools"}
EXTRAS = SOLVERS | {"numpy", "yaml", "pyluach", "hijridate", "dateutil", "tzdata", "psycopg"}
ENGINE = {"langgraph", "langchain_core", "langsmith", "httpx", "aiosqlite", "wavegraph.graph.state"}
OTHERS = {f"wavegraph.app.{name}" for name in ("report", "evaluate", "offer", "serving")}
DOMAINS = {"wavegraph.tools.hotel", "wavegraph.tools.roster"}
FORMATS = {"openpyxl", "zeep", "yaml", "mcp"}
ROOT = Path(__file__).parents[2]
PRINTED = "print(json.dumps(sorted(sys.modules)), file=sys.stderr)"
RUN = f"""
import atexit, json, sys
atexit.register(lambda: {PRINTED})
from wavegraph.app.start import main
main()
"""


def loaded(code: str, *words: str, **environment: str) -> set[str]:
    """The modules of a fresh process at its end."""
    done = subprocess.run(
        [sys.executable, "-c", code, *words], env={**os.environ, **environment}, timeout=HANGS_S, capture_output=True,
        text=True, check=True,
    )  # fmt: skip
    return set(json.loads(done.stderr.splitlines()[-1]))


@pytest.mark.parametrize("words", [["--version"], ["--help"], ["roster", "generate", "--help"]], ids=" ".join)
def test_help_waits_for_no_graph_no_domain_and_no_other_command(words: list[str]) -> None:
    modules = loaded(RUN, *words)

    assert modules & (ENGINE | OTHERS | FORMATS | EXTRAS) == set()
    others = (*DOMAINS, "wavegraph.nodes", "wavegraph.app.commands.")
    assert {name for name in modules if name.startswith(others)} == set()


def test_a_request_waits_for_no_model_no_solver_and_no_other_command(tmp_path: Path) -> None:
    modules = loaded(RUN, "ask", "a room tomorrow for two", "--db", ":memory:", XDG_DATA_HOME=str(tmp_path))

    assert "wavegraph.tools.hotel" in modules
    assert modules & (CLIENT | SOLVERS | FORMATS | OTHERS | {"numpy", "wavegraph.tools.roster"}) == set()


def test_a_command_waits_for_no_agent_and_no_other_command(tmp_path: Path) -> None:
    modules = loaded(RUN, "threads", "--db", ":memory:", XDG_DATA_HOME=str(tmp_path))

    assert modules & (CLIENT | OTHERS | DOMAINS | {"wavegraph.nodes", "wavegraph.app.commands.ask"}) == set()


def test_what_a_store_would_search_by_meaning_with_is_loaded_when_it_is_used() -> None:
    """The SQLite store imports it, and with it numpy."""
    used = "import json, sys, wavegraph.app.storage.sqlite, sqlite_vec; assert sqlite_vec.serialize_float32([1.0]); "
    assert "numpy" not in loaded("import json, sys, wavegraph.app.storage.sqlite; " + PRINTED)
    assert "numpy" in loaded(used + PRINTED)


def test_where_a_model_is_named_its_client_is_loaded_with_the_graph() -> None:
    """And not at the first call of the model, on the event loop."""
    assert (
        loaded(
            "import json, sys; from wavegraph.graph import hotel; " + PRINTED, OPENAI_BASE_URL="http://127.0.0.1:9/v1"
        )
        & CLIENT
        == CLIENT
    )


def test_the_engine_alone_needs_no_calendar_and_no_solver() -> None:
    """Without the extras: their packages cannot be imported."""
    code = f"""
import sys
sys.modules |= dict.fromkeys({sorted(EXTRAS)!r})
import wavegraph.app.main, wavegraph.app.server
from examples.library_desk import domain
from wavegraph.testing import Conversation
print(Conversation(domain).say("is 'Emma' there?").outcome)
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.stdout, done.returncode) == ("answered\n", 0), done.stderr
