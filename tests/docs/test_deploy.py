"""The page on deploying names each setting, each variable and each role as they are. Its commands are run in
tests/server/test_access.py."""

import re
from pathlib import Path

import pytest

from wavegraph.app.serving.access import VARIABLES, users_of
from wavegraph.app.serving.jwts import LEEWAY_S, SHORTEST_SECRET_BYTES
from wavegraph.app.serving.roles import rules
from wavegraph.graph.errors import SettingsError

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "running" / "deploy.md").read_text(encoding="utf-8")


def rows(first: str) -> dict[str, list[str]]:
    """The table whose header begins with these cells: its other cells by the first one."""
    table = PAGE.split(f"{first}\n")[1].split("\n\n")[0].splitlines()[1:]
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table]
    return {row[0]: row[1:] for row in cells}


def named(cell: str) -> set[str]:
    return set(re.findall(r"`(\w+)`", cell))


def test_the_settings_of_each_role_are_those_open_to_it() -> None:
    guest, manager, staff = rows("| | guest | manager | staff |")["its settings"]
    known = rules()

    assert named(guest) == known.settings("hotel", ["guest"])
    assert named(manager) == known.settings("roster", ["manager"])
    assert staff == "all"
    assert known.roles == {"guest", "manager", "staff"}


def test_each_role_runs_what_the_table_says() -> None:
    table, known = rows("| | guest | manager | staff |"), rules()

    for row, graph in {"run the hotel": "hotel", "run the roster generator": "roster"}.items():
        runs = ["yes" if known.settings(graph, [role]) is not None else "no" for role in ("guest", "manager")]
        assert table[row] == [*runs, "yes"]


def test_each_variable_is_told_here_and_in_the_example_of_an_environment() -> None:
    example = (ROOT / ".env.example").read_text(encoding="utf-8")

    assert [name.strip("`") for name in rows("| variable | what it is |")] == list(VARIABLES.values())
    assert [name for name in VARIABLES.values() if f"#{name}=" not in example] == []


def test_the_refusal_to_start_is_the_code_s() -> None:
    with pytest.raises(SettingsError) as raised:
        users_of({}, rules())

    assert f"SettingsError: {raised.value}\n" in PAGE


@pytest.mark.parametrize(
    "said", [f"differ by {LEEWAY_S} seconds", f"at least {SHORTEST_SECRET_BYTES} bytes", "wavegraph[auth]"]
)
def test_figures_are_the_code_s(said: str) -> None:
    assert said in PAGE
