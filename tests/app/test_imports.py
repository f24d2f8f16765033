"""What a command waits for before it does anything: what only a model or a solver needs is imported where it is used."""

import json
import os
import subprocess
import sys
from pathlib import Path

COMMAND_LINE = "import json, sys; from wavegraph.app import main as cli; "
GRAPH = "from wavegraph.graph import hotel; "
PRINTED = "print(json.dumps(sorted(sys.modules)))"
CLIENT = {"openai", "langchain_openai"}
SOLVERS = {"numba", "highspy", "ortools"}
EXTRAS = SOLVERS | {"numpy", "yaml", "pyluach", "hijridate", "dateutil", "tzdata", "psycopg"}
ROOT = Path(__file__).parents[2]


def loaded(code: str = COMMAND_LINE + GRAPH, **environment: str) -> set[str]:
    """The modules of a fresh process with the command line and, by default, a graph ready to run."""
    done = subprocess.run(
        [sys.executable, "-c", code + PRINTED],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return set(json.loads(done.stdout))


def test_the_command_line_finds_its_agents_without_their_domains() -> None:
    modules = loaded(COMMAND_LINE)

    assert {"wavegraph.app.hotel.entry", "wavegraph.app.roster.entry"} <= modules
    assert {name for name in modules if name.startswith("wavegraph.tools")} == set()


def test_neither_a_model_s_client_nor_a_solver_is_loaded() -> None:
    assert loaded() & (CLIENT | SOLVERS | {"numpy"}) == set()


def test_what_a_store_would_search_by_meaning_with_is_loaded_when_it_is_used() -> None:
    """The SQLite store imports it, and with it numpy."""
    used = "import json, sys, wavegraph.app.storage.sqlite, sqlite_vec; assert sqlite_vec.serialize_float32([1.0]); "
    assert "numpy" not in loaded("import json, sys, wavegraph.app.storage.sqlite; ")
    assert "numpy" in loaded(used)


def test_where_a_model_is_named_its_client_is_loaded_with_the_graph() -> None:
    """And not at the first call of the model, on the event loop."""
    assert loaded(OPENAI_BASE_URL="http://127.0.0.1:9/v1") & CLIENT == CLIENT


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
