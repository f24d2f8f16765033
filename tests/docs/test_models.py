"""Every option of a model is told, in code and as a variable of each role; and the commands ask a model, or the rules."""

import re
import shlex
import sys
from pathlib import Path
from typing import get_args

import pytest
from shown import blocks
from typer.testing import CliRunner

sys.path.insert(0, str(Path(__file__).parents[1] / "support_llm"))

from endpoint import Serving, answers
from hotel_plans import about, plan

from wavegraph.app.main import app
from wavegraph.graph.model.clients import ModelOptions, Role

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "start" / "models.md").read_text(encoding="utf-8")


def test_every_option_is_told() -> None:
    wanted = {
        name: [f"WAVEGRAPH_{role.upper()}_{name.upper()}" for role in get_args(Role)]
        for name in ModelOptions.model_fields
    }
    rows = re.findall(r"^\| `([a-z_]+)` \| (`WAVEGRAPH_.*?) \|", PAGE, flags=re.MULTILINE)
    assert {name: re.findall(r"`(\w+)`", told) for name, told in rows} == wanted
    example = (ROOT / ".env.example").read_text(encoding="utf-8")
    assert [each for told in wanted.values() for each in told if f"#{each}=\n" not in example] == []


def test_the_commands_ask_the_endpoint_or_the_rules(
    bare_environment: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    (block,) = blocks(PAGE, "console")
    by_model, by_rules = (
        shlex.split(line, comments=True) for line in re.findall(r"^\$ wavegraph (.*)$", block, re.MULTILINE)
    )
    with Serving() as endpoint:
        monkeypatch.setenv("OPENAI_BASE_URL", endpoint.url)
        monkeypatch.setenv("WAVEGRAPH_MODEL", "scripted")
        endpoint.plays(plan(about("pool")), answers("{{hello}}"))
        assert CliRunner().invoke(app, by_model).exit_code == 0
        asked = len(endpoint.received)
        assert CliRunner().invoke(app, by_rules).exit_code == 0

    assert asked == len(endpoint.received) > 0
