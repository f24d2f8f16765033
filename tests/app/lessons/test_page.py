"""The commands of docs/running/lessons.md print what the page says."""

import json
import re
import shlex
from contextlib import chdir
from pathlib import Path

import pytest
from endpoint import Endpoint, Received, answers, plans
from failing import GAP, Desk, lesson, record, taught
from hotel_plans import plan, stay
from typer.testing import CliRunner

from wavegraph.app.lessons.command import lessons
from wavegraph.app.main import app
from wavegraph.graph.model.lessons import LONGEST_LESSON, MOST_CHARS, MOST_LESSONS

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "running" / "lessons.md").read_text(encoding="utf-8")
PLACE = "/srv/wavegraph"
TEXT = "Plan one call for each thing that is asked about."
MARCH, APRIL = stay("march", "2027-03-01", "2027-03-03"), stay("april", "2027-04-04", "2027-04-06")


def planned(request: Received) -> dict[str, object]:
    taught_now = TEXT in request.system
    made: dict[str, object] = json.loads(plan(*([MARCH, APRIL] if taught_now else [MARCH])).arguments or "")
    return made


def test_the_commands_print_what_the_page_says(
    tmp_path: Path, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    (tmp_path / "wavegraph").mkdir()
    Desk(str(tmp_path / "wavegraph" / "wavegraph.db"), tmp_path, tmp_path / "lessons").store(
        *(record(f"is there a {what}, and breakfast?", n, domain="hotel", thread=f"d{n}", answer_failures=[GAP])
          for n, what in enumerate(("pool", "sauna"), 1))
    )  # fmt: skip
    endpoint.plays(taught(lesson(TEXT, "planner")))
    plan_turn, answer_turn = plans(None, made=planned), answers("{{hello}}")
    # Without the lesson, the second stay goes back once.
    endpoint.plays(*[plan_turn, plan_turn, answer_turn, plan_turn, answer_turn] * 3)
    (block,) = re.findall(r"```console\n(.*?)```", PAGE, re.DOTALL)
    printed = []
    with chdir(ROOT):
        for line in re.findall(r"^\$ (wavegraph .*)$", block, re.MULTILINE):
            done = CliRunner().invoke(app, shlex.split(line, comments=True)[1:], input="y\n", catch_exceptions=False)
            assert done.exit_code == 0, done.output
            printed += [f"$ {line}", *done.stdout.replace(str(tmp_path), PLACE).splitlines()]

    assert printed == block.splitlines()


def test_every_command_and_bound_is_told() -> None:
    named = {each.name for each in lessons.registered_commands}

    assert set(re.findall(r"^\| `(\w+)[^`]*` \|", PAGE, re.MULTILINE)) == named
    for bound in (MOST_LESSONS, MOST_CHARS, LONGEST_LESSON):
        assert re.search(rf"\b{bound}\b", PAGE)
    assert "#WAVEGRAPH_LESSONS=" in (ROOT / ".env.example").read_text(encoding="utf-8")
