"""What a command waits for before it does anything: what only a model or a solver needs is imported where it is used."""

import json
import os
import subprocess
import sys

COMMAND_LINE = "import json, sys; from wavegraph.app import main as cli; "
GRAPH = "from wavegraph.graph import hotel; "
PRINTED = "print(json.dumps(sorted(sys.modules)))"
CLIENT = {"openai", "langchain_openai"}
SOLVERS = {"numba", "highspy", "ortools"}


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
    assert loaded() & (CLIENT | SOLVERS) == set()


def test_where_a_model_is_named_its_client_is_loaded_with_the_graph() -> None:
    """And not at the first call of the model, on the event loop."""
    assert loaded(OPENAI_BASE_URL="http://127.0.0.1:9/v1") & CLIENT == CLIENT
