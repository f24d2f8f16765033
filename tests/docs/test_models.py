"""Every option of a model is told, in code and as a variable of each role."""

import re
from pathlib import Path
from typing import get_args

from wavegraph.graph.model.clients import Role
from wavegraph.graph.model.options import ModelOptions

ROOT = Path(__file__).parents[2]


def test_every_option_is_told() -> None:
    wanted = {
        name: [f"WAVEGRAPH_{role.upper()}_{name.upper()}" for role in get_args(Role)]
        for name in ModelOptions.model_fields
    }
    page = (ROOT / "docs" / "start" / "models.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([a-z_]+)` \| (`WAVEGRAPH_.*?) \|", page, flags=re.MULTILINE)
    assert {name: re.findall(r"`(\w+)`", told) for name, told in rows} == wanted
    example = (ROOT / ".env.example").read_text(encoding="utf-8")
    assert [each for told in wanted.values() for each in told if f"#{each}=\n" not in example] == []
