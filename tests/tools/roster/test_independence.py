"""What each room of the roster may know: two models and a checker that share code would share its faults."""

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tables import table

ROSTER = Path(__file__).parents[3] / "tools" / "roster"
PACKAGE = "wavegraph.tools.roster"
SOLVERS = {"ortools", "highspy"}
KNOWN = {
    "ward": {"ward", "told"},
    "problem": {"problem", "told", "ward"},
    "checks": {"checks", "words_en", "problem", "told", "ward"},
    "cpsat": {"cpsat", "problem", "rule_words", "ward", "told"},
    "columns": {"columns", "problem", "ward"},
    "year": {"year", "columns", "problem", "versions", "ward"},
}
"""By room, the rooms it may import from; `told` and the finding words hold sentences alone, and no rule."""


def imported(path: Path) -> Iterator[str]:
    """Every name that a file imports, wherever in it, as `package.module.name`."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def of_the_roster(path: Path) -> set[str]:
    """The rooms, or modules beside them, that a file imports from."""
    return {name.removeprefix(f"{PACKAGE}.").split(".")[0] for name in imported(path) if name.startswith(PACKAGE)}


@table("room", KNOWN)
def test_a_room_imports_only_from_those_it_may_know(room: str) -> None:
    paths = list((ROSTER / room).glob("*.py"))
    found = {path.name: of_the_roster(path) - KNOWN[room] for path in paths}
    assert len(paths) > 1
    assert {name: strange for name, strange in found.items() if strange} == {}


DEFINITIONS = {"fairness", "hours", "ids", "prices", "rotation", "runs", "shortage", "totals", "weekends"}
"""Modules of the problem that say what is fair, what a rule is called and counts, and what a unit costs; the checks count by themselves what a
roster has of it."""


def test_the_checks_know_of_the_problem_only_what_it_defines() -> None:
    names = [name for path in (ROSTER / "checks").glob("*.py") for name in imported(path)]
    of_the_problem = [name for name in names if name.startswith(f"{PACKAGE}.problem.")]
    assert {name.split(".")[4] for name in of_the_problem} <= DEFINITIONS


@pytest.mark.parametrize(
    ("modules", "solvers"),
    [
        (("problem.clock", "problem.prices", "checks.cost", "checks.empathy"), set()),
        (("columns.solve",), {"highspy"}),
        (("cpsat.solve",), {"ortools"}),
    ],
    ids=["the problem and the checks", "columns", "CP-SAT"],
)
def test_a_room_loads_no_other_room_s_solver(modules: tuple[str, ...], solvers: set[str]) -> None:
    if "highspy" in solvers:
        pytest.importorskip("highspy")
    imports = ", ".join(f"{PACKAGE}.{module}" for module in modules)
    code = f"import json, sys, {imports}; print(json.dumps(list(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert SOLVERS & set(json.loads(done.stdout)) == solvers
